"""What every request has to pass, and what every answer carries: the token, the size of the body, security headers."""

from __future__ import annotations

import hmac

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bgai.server.problems import Problem, respond
from bgai.server.settings import Settings

POLICY = (
    "default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; object-src 'none';"
    " base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
"""Nothing is loaded from elsewhere, no script stands in a page, and no other site can put one of ours in a frame."""

_HEADERS = [
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"content-security-policy", POLICY.encode()),
]


class TooLarge(Problem):
    """More bytes than are taken."""

    def __init__(self, limit: int) -> None:
        super().__init__(413, f"expected at most {limit} bytes", headers={"connection": "close"})


class Secured:
    """An ASGI app around all others: every answer has security headers."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = message["headers"]
                there = {name.lower() for name, _ in headers}
                headers.extend(pair for pair in _HEADERS if pair[0] not in there)
                if scope["path"].startswith("/api/") and b"cache-control" not in there:
                    headers.append((b"cache-control", b"no-store"))
            await send(message)

        await self._app(scope, receive, sending)


class Gate:
    """An ASGI app in front of another: lets through what has the token and is not too large."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._limit = settings.max_body
        self._token = None if settings.token is None else settings.token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        refusal = self._refusal(scope)
        if refusal is not None:
            await respond(refusal)(scope, receive, send)
            return
        await self._app(scope, self._counted(receive), send)

    def _refusal(self, scope: Scope) -> Problem | None:
        headers = dict(scope["headers"])
        length = headers.get(b"content-length", b"0")
        if not length.isdigit() or len(length) > 20 or int(length) > self._limit:
            return TooLarge(self._limit)
        if self._token is None or not guarded(scope["path"]):
            return None
        scheme, _, given = headers.get(b"authorization", b"").partition(b" ")
        if scheme.lower() == b"bearer" and hmac.compare_digest(given.strip(), self._token):
            return None
        found = "none" if not given else "another one"
        detail = f"expected the header 'Authorization: Bearer TOKEN' with the server's token, found {found}"
        return Problem(401, detail, headers={"www-authenticate": "Bearer"})

    def _counted(self, receive: Receive) -> Receive:
        """Counts what comes, since nobody has to say beforehand how much it is."""
        left = self._limit

        async def receiving() -> Message:
            nonlocal left
            message = await receive()
            left -= len(message.get("body", b""))
            if left < 0:
                raise TooLarge(self._limit)
            return message

        return receiving


def guarded(path: str) -> bool:
    """Whether a path asks for the token: everything that answers or knows something."""
    return path.startswith("/api/") or path in ("/move", "/eval", "/metrics")
