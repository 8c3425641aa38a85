"""Runs a server until it is told to stop: Ctrl-C or SIGTERM, after which jobs end and questions get their answers."""

from __future__ import annotations

import logging
import os
import socket
import sys

import uvicorn
from fastapi import FastAPI

from bgai.errors import InputError
from bgai.interrupt import INTERRUPTED
from bgai.server.app import PATIENCE, create_app
from bgai.server.settings import Settings

LOGGER = logging.getLogger("bgai.server")

BACKLOG = 256
"""Connections that wait to be taken up, at most."""
MOST_CONNECTIONS = 512
"""Connections and requests at a time; more are answered with 503."""
_SWITCH = 0.001
"""Seconds after which a thread in Python has to let another one run: the event loop must not wait long for it."""


class Server(uvicorn.Server):
    """Cancels jobs before it waits for connections: streams of their events would not end otherwise."""

    def __init__(self, app: FastAPI, config: uvicorn.Config) -> None:
        super().__init__(config)
        self._app = app

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """See `uvicorn.Server`."""
        LOGGER.info("stopping")
        self._app.state.stop()
        await super().shutdown(sockets)


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens.

    Raises:
        InputError: the address is not ours, or somebody listens there already.
    """
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    except (OSError, UnicodeError) as error:
        raise InputError(f"--host: cannot find {host!r}") from error
    # Named, because asyncio sends answers without delay only where it sees that this is TCP.
    found = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind(address)
        found.listen(BACKLOG)
    except OSError as error:
        found.close()
        raise InputError(f"cannot listen on {host} port {port}: {error.strerror or error}") from None
    return found


def serve(settings: Settings, sockets: list[socket.socket]) -> None:
    """Answers until it is told to stop.

    Raises:
        KeyboardInterrupt: that was Ctrl-C, and nothing is left behind that would keep Python from ending.
    """
    app = create_app(settings)
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        lifespan="on",
        limit_concurrency=MOST_CONNECTIONS,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=PATIENCE,
        h11_max_incomplete_event_size=64 << 10,
    )
    before = sys.getswitchinterval()
    sys.setswitchinterval(_SWITCH)
    try:
        Server(app, config).run(sockets)
    except KeyboardInterrupt:
        if app.state.idle:
            raise
        logging.shutdown()
        os._exit(INTERRUPTED)
    finally:
        sys.setswitchinterval(before)
