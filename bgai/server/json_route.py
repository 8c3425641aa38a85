"""Routes whose requests are one JSON object, which is read and checked in one go: much of their speed comes of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, get_type_hints

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from pydantic import BaseModel, ValidationError
from starlette.responses import Response

from bgai.server.problems import Problem

JSON = "application/json"


class JsonRoute(APIRoute):
    """A route whose endpoint takes a model of Pydantic, the parts of the path, and, if it wants it, the `request`.

    Endpoints without a model are FastAPI's.
    """

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """See `fastapi.routing.APIRoute`."""
        hints = get_type_hints(self.endpoint)
        models = {name: hint for name, hint in hints.items() if isinstance(hint, type) and issubclass(hint, BaseModel)}
        if not models:
            return super().get_route_handler()
        ((name, model),) = models.items()
        endpoint: Callable[..., Awaitable[Response]] = self.endpoint
        wants_request = "request" in hints

        async def handle(request: Request) -> Response:
            check_json(request)
            data = await request.body()
            try:
                found = model.model_validate_json(data)
            except ValidationError as error:
                raise RequestValidationError(error.errors(include_url=False)) from None
            given = {name: found, **request.path_params}
            return await (endpoint(**given, request=request) if wants_request else endpoint(**given))

        return handle


def check_json(request: Request) -> None:
    """Refuses a body that is not said to be JSON: what a page of another site can send unasked is none.

    Raises:
        Problem: it is something else (415).
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != JSON and not (kind.startswith("application/") and kind.endswith("+json")):
        raise Problem(415, f"expected the header 'Content-Type: {JSON}', found {kind or 'none'}")
