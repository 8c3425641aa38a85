"""Answers that go on: server-sent events, of which a server has only so many open at a time."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractContextManager

from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

_HEADERS = {"cache-control": "no-store", "x-accel-buffering": "no"}


class EventStream(StreamingResponse):
    """Texts of events, sent as they come."""

    def __init__(self, texts: AsyncIterator[str], counted: AbstractContextManager[None]) -> None:
        """`counted` is entered while the stream is open, and may refuse that by a problem."""
        super().__init__(texts, media_type="text/event-stream", headers=_HEADERS)
        self._counted = counted

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """See `starlette.responses.Response`."""
        with self._counted:
            await super().__call__(scope, receive, send)
