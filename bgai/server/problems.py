"""What went wrong, as problem details (RFC 9457): always JSON, always the same members, the field by name.

{"type": "urn:bgai:problem:invalid", "title": "The request cannot be used", "status": 422,
 "detail": "position.dice: dice are numbers from 1 to 6, found 7-1",
 "errors": [{"field": "position.dice", "message": "dice are numbers from 1 to 6, found 7-1"}]}
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from bgai.errors import BgaiError, InputError

MEDIA_TYPE = "application/problem+json"
PREFIX = "urn:bgai:problem:"

TITLES = {
    "invalid": "The request cannot be used",
    "malformed": "The request is not readable",
    "unauthorized": "A token is needed",
    "forbidden": "This may not be asked from there",
    "not-found": "There is no such thing",
    "method-not-allowed": "This cannot be done here",
    "too-large": "The request is too large",
    "unknown-kind": "The body is of another kind",
    "misdirected": "The request is for another host",
    "conflict": "This cannot be done now",
    "too-busy": "The server has enough to do",
    "too-long": "The answer would take too long",
    "stopping": "The server is stopping",
    "unexpected": "The server has failed",
    "http": "The request was refused",
}
"""Kinds of problems; their type is `PREFIX` and the kind."""

_KINDS = {
    400: "malformed",
    401: "unauthorized",
    403: "forbidden",
    404: "not-found",
    405: "method-not-allowed",
    409: "conflict",
    413: "too-large",
    415: "unknown-kind",
    421: "misdirected",
    422: "invalid",
    429: "too-busy",
    500: "unexpected",
    503: "stopping",
    504: "too-long",
}

_TAGS = {"text", "object", "body", "query", "path", "form", "list", "sides"}
"""Parts of the place of an error that name no field: where it came from, and which of several forms was meant."""

_QUOTED = 80
"""Characters of a value that a message still shows."""


class Problem(HTTPException):
    """Something that a request is answered with instead of what it asked for."""

    def __init__(
        self,
        status: int,
        detail: str,
        *,
        fields: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        """`fields`: what is wrong with each field of the request, by its name."""
        super().__init__(status, detail, dict(headers or {}))
        self.fields = dict(fields or {})

    def to_dict(self) -> dict[str, Any]:
        """The members of the problem details."""
        return members(self.status_code, str(self.detail), self.fields)


class FieldError(Problem):
    """A value of a field that cannot be used."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(HTTPStatus.UNPROCESSABLE_ENTITY, _named(field, message), fields={field: message})


@contextmanager
def naming(field: str) -> Any:
    """Lays what the library says of bad input at the door of a field.

    Raises:
        FieldError: in place of the library's error.
    """
    try:
        yield
    except InputError as error:
        raise FieldError(field, str(error)) from error


def members(status: int, detail: str, fields: Mapping[str, str]) -> dict[str, Any]:
    """The members of problem details."""
    kind = _KINDS.get(status, "http")
    problem: dict[str, Any] = {"type": PREFIX + kind, "title": TITLES[kind], "status": int(status), "detail": detail}
    if fields:
        problem["errors"] = [{"field": field, "message": message} for field, message in fields.items()]
    return problem


def respond(problem: Problem) -> Response:
    """The answer that tells it."""
    return Response(
        json.dumps(problem.to_dict()), problem.status_code, dict(problem.headers or {}), media_type=MEDIA_TYPE
    )


def unexpected() -> Problem:
    """What is said of an error of ours; what it was stands in the log alone."""
    return Problem(500, "an error of the server, which is in its log")


def add_handlers(app: FastAPI) -> None:
    """Makes an app answer with problem details, whatever was wrong."""

    async def validation(_request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        return respond(_of_validation(error.errors()))

    async def http(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        if isinstance(error, Problem):
            return respond(error)
        return respond(Problem(error.status_code, _detail(request, error), headers=error.headers))

    async def bad_input(_request: Request, error: Exception) -> Response:
        return respond(Problem(422, str(error)))

    async def refused(_request: Request, error: Exception) -> Response:
        return respond(Problem(500, str(error)))

    app.add_exception_handler(RequestValidationError, validation)
    app.add_exception_handler(HTTPException, http)
    app.add_exception_handler(InputError, bad_input)
    app.add_exception_handler(BgaiError, refused)


def _detail(request: Request, error: HTTPException) -> str:
    path = _shown(request.url.path)
    if error.status_code == HTTPStatus.NOT_FOUND and error.detail == "Not Found":
        return f"there is no {path}; /docs lists what there is"
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        return f"{request.method} is not possible for {path}, see the header Allow"
    return str(error.detail)


def _of_validation(errors: Sequence[Any]) -> Problem:
    """What Pydantic found, in our words."""
    fields: dict[str, str] = {}
    malformed = False
    for error in errors:
        malformed |= error["type"] == "json_invalid"
        names = [part for part in error["loc"] if part not in _TAGS] if error["type"] != "json_invalid" else []
        fields.setdefault(_path(names) or "body", _message(error))
    if malformed:
        return Problem(400, f"the body is no JSON: {next(iter(fields.values()))}")
    return Problem(422, "; ".join(_named(*pair) for pair in fields.items()), fields=fields)


def _path(names: Sequence[str | int]) -> str:
    return "".join(f"[{name}]" if isinstance(name, int) else f".{name}" for name in names).lstrip(".")


def _named(field: str, message: str) -> str:
    # Messages of the library mostly begin with the name themselves.
    return message if message.startswith(f"{field}:") else f"{field}: {message}"


def _message(error: Mapping[str, Any]) -> str:
    if error["type"] == "json_invalid":
        return str(error.get("ctx", {}).get("error", "unreadable"))
    if error["type"] == "missing":
        return "is missing"
    if error["type"] == "extra_forbidden":
        return "is no field of this request"
    if error["type"] == "value_error" and "UploadFile" in error["msg"]:
        # FastAPI's own words of a form's field that is text.
        return "expected a file, found text"
    text = str(error["msg"]).removeprefix("Value error, ").removeprefix("Input s")
    text = f"s{text}" if text.startswith("hould") else text
    found = error.get("input")
    return text if error["type"] == "value_error" or isinstance(found, dict) else f"{text}, found {_shown(found)}"


def _shown(value: Any) -> str:
    text = value if isinstance(value, str) else repr(value)
    return (text if len(text) <= _QUOTED else f"{text[:_QUOTED]}…") if text else repr(text)
