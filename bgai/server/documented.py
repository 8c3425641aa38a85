"""What the OpenAPI document says beside the types: problems, examples, and that answers are JSON."""

from __future__ import annotations

import json
from typing import Any

from fastapi import Request
from pydantic import BaseModel, ConfigDict
from pydantic_core import PydanticSerializationError, to_json
from starlette.responses import Response

from bgai.server.asking import Desk
from bgai.server.jobs import Jobs
from bgai.server.problems import MEDIA_TYPE, members
from bgai.server.settings import Settings

Documented = dict[int | str, dict[str, Any]]


class FieldMessage(BaseModel):
    """What is wrong with a field."""

    field: str
    message: str


class ProblemDetails(BaseModel):
    """RFC 9457."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [members(422, "position: is missing", {"position": "is missing"})]}
    )

    type: str
    title: str
    status: int
    detail: str
    errors: list[FieldMessage] | None = None


_PROBLEMS = {
    400: ("The body is not readable", "the body is no JSON: Expecting value", {}),
    401: ("The server asks for a token", "expected the header 'Authorization: Bearer TOKEN'", {}),
    404: ("There is no such job", "there is no job with this id; results are kept for an hour at most", {}),
    409: ("There is no result yet", "the job is running, so it has no result yet", {}),
    413: ("The body is too large", "expected at most 4194304 bytes", {}),
    415: ("The body is not said to be JSON", "expected the header 'Content-Type: application/json', found none", {}),
    422: ("A field cannot be used", "position.dice: is missing", {"position.dice": "is missing"}),
    429: ("There is too much to do; the header Retry-After says when to ask again", "try again in 2 s", {}),
    503: ("The server is stopping", "the server is stopping", {}),
    504: ("The answer would take too long", "no answer within 20 s", {}),
}

_RETRY = {"Retry-After": {"description": "Seconds to wait", "schema": {"type": "integer"}, "example": 2}}


def problems(*statuses: int) -> Documented:
    """Of a route: what it answers if it cannot do what was asked."""
    found: Documented = {}
    for status in statuses:
        description, detail, fields = _PROBLEMS[status]
        found[status] = {
            "description": description,
            "content": {
                MEDIA_TYPE: {
                    "schema": {"$ref": "#/components/schemas/ProblemDetails"},
                    "example": members(status, detail, fields),
                }
            },
        }
        if status == 429:
            found[status]["headers"] = _RETRY
    return found


QUESTION = problems(400, 401, 413, 415, 422, 429, 503, 504)
"""Of questions about positions."""


def answer(shape: Any, description: str, example: Any, status: int = 200) -> Documented:
    """Of a route: what it answers."""
    return {
        status: {
            "model": shape,
            "description": description,
            "content": {"application/json": {"example": example}},
        }
    }


def asked(**bodies: tuple[str, dict[str, Any]]) -> dict[str, Any]:
    """Examples of a request body: of each its summary and its value."""
    return {name: {"summary": summary, "value": value} for name, (summary, value) in bodies.items()}


def as_json(record: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """An answer. It is written as it is: the records are ours, and looking at each number again takes time."""
    content: bytes | str
    try:
        content = to_json(record)
    except PydanticSerializationError:
        # Three times as slow, but it escapes what UTF-8 has no bytes for: names in match files may hold such.
        content = json.dumps(record)
    return Response(content, status, headers, media_type="application/json")


def desk_of(request: Request) -> Desk:
    """Where this server's questions go."""
    desk: Desk = request.app.state.desk
    return desk


def jobs_of(request: Request) -> Jobs:
    """This server's jobs."""
    jobs: Jobs = request.app.state.jobs
    return jobs


def settings_of(request: Request) -> Settings:
    """How this server is set up."""
    settings: Settings = request.app.state.settings
    return settings
