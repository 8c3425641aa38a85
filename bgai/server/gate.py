"""What every request has to pass, and what every answer carries.

Requests name this host, come from nowhere or from a page of its own, have the token, and are not too large. Answers
have security headers.
"""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
from urllib.parse import urlsplit

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


_SAFE = ("GET", "HEAD", "OPTIONS")
"""Methods that change nothing."""
_OWN_SITES = (b"same-origin", b"none")
"""What browsers say of requests that a page of this server makes, or the person by typing an address."""
_DRAINED = 64 << 20
"""Bytes of a body that is too large that are still read, so that the sender comes to read the answer."""
_DRAINING = 10.0
"""Seconds that this may take."""


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


class Headed:
    """An ASGI app in front of another: answers HEAD as GET, without the body; but not where that would never end."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "HEAD" or scope["path"].endswith("/events"):
            await self._app(scope, receive, send)
            return

        async def sending(message: Message) -> None:
            await send({**message, "body": b""} if message["type"] == "http.response.body" else message)

        await self._app({**scope, "method": "GET"}, receive, sending)


class Gate:
    """An ASGI app in front of another: lets through what may come in."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._limit = settings.max_body
        self._hosts = {name.lower() for name in settings.hosts}
        self._cors = {origin.encode() for origin in settings.cors}
        self._token = None if settings.token is None else settings.token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        refusal = self._refusal(scope, headers)
        if refusal is not None:
            # Whoever asks before sending is told before sending.
            if isinstance(refusal, TooLarge) and b"expect" not in headers:
                await _drain(receive)
            await respond(refusal)(scope, receive, send)
            return
        await self._app(scope, self._counted(receive), send)

    def _refusal(self, scope: Scope, headers: dict[bytes, bytes]) -> Problem | None:
        host = headers.get(b"host", b"").decode("latin-1")
        if not self._named(host):
            detail = f"there is no {host[:80]!r} here, expected localhost or a name that --allow-host has"
            return Problem(421, detail)
        if scope["method"] not in _SAFE and self._foreign(headers):
            return Problem(403, "a page of another site has sent this, expected one of ours or one that --cors names")
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

    def _named(self, host: str) -> bool:
        """Whether a Host header names this server: another site's name may lead here, too (DNS rebinding).

        An address in numbers cannot, because a page of it would be this server's own.
        """
        if not host or "*" in self._hosts:
            return True
        try:
            name = (urlsplit(f"//{host}").hostname or "").rstrip(".")
        except ValueError:
            return False
        if name == "localhost" or name.endswith(".localhost") or name in self._hosts:
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True

    def _foreign(self, headers: dict[bytes, bytes]) -> bool:
        """Whether a page of another site has sent this; programs that are no browsers say nothing of where they are."""
        site, origin = headers.get(b"sec-fetch-site", b""), headers.get(b"origin", b"")
        if site in _OWN_SITES or b"*" in self._cors or origin in self._cors:
            return False
        if not origin:
            return bool(site)
        return origin.rpartition(b"//")[2] != headers.get(b"host", b"")

    def _counted(self, receive: Receive) -> Receive:
        """Counts what comes, since nobody has to say beforehand how much it is."""
        left = self._limit

        async def receiving() -> Message:
            nonlocal left
            message = await receive()
            left -= len(message.get("body", b""))
            if left < 0:
                if message.get("more_body"):
                    await _drain(receive)
                raise TooLarge(self._limit)
            return message

        return receiving


async def _drain(receive: Receive) -> None:
    """Reads on for a while, for nobody."""
    left = _DRAINED
    try:
        async with asyncio.timeout(_DRAINING):
            while left > 0:
                message = await receive()
                left -= len(message.get("body", b""))
                if not message.get("more_body"):
                    return
    except TimeoutError:
        # Whoever sends so slowly finds the connection closed.
        return


def guarded(path: str) -> bool:
    """Whether a path asks for the token: everything that answers or knows something."""
    return path.startswith("/api/") or path in ("/move", "/eval", "/metrics")
