"""Runs a server until it is told to stop: Ctrl-C or SIGTERM, after which jobs end and questions get their answers."""

from __future__ import annotations

import gc
import logging
import os
import socket
import sys
from collections.abc import Callable

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
    """Says when it answers, and cancels jobs before it waits for connections: streams of their events would not end
    otherwise."""

    def __init__(self, app: FastAPI, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._app = app
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """See `uvicorn.Server`. Nobody is let in before the app has warmed up."""
        try:
            await super().startup(sockets)
        except OSError as error:
            await self.lifespan.shutdown()
            raise InputError(f"cannot listen: {error.strerror or error}") from None
        if not self.should_exit:
            # What is loaded by now stays. Looking through all of it for rubbish again and again takes much of a second
            # each time, in which nobody is answered.
            gc.collect()
            gc.freeze()
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """See `uvicorn.Server`."""
        LOGGER.info("stopping")
        self._app.state.stop()
        await super().shutdown(sockets)


def bound(host: str, port: int) -> socket.socket:
    """A socket that has its address, but does not listen yet: whoever comes before the server is refused at once.

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
    except OSError as error:
        found.close()
        raise InputError(f"cannot listen on {host} port {port}: {error.strerror or error}") from None
    return found


def serve(settings: Settings, sockets: list[socket.socket], ready: Callable[[], None]) -> None:
    """Answers until it is told to stop.

    Args:
        ready: is called when everything is loaded and compiled, and the sockets listen.

    Raises:
        InputError: somebody has begun to listen there meanwhile.
        KeyboardInterrupt: that was Ctrl-C, and nothing is left behind that would keep Python from ending.
    """
    app = create_app(settings)
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        lifespan="on",
        backlog=BACKLOG,
        limit_concurrency=MOST_CONNECTIONS,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=PATIENCE,
        h11_max_incomplete_event_size=64 << 10,
    )
    before = sys.getswitchinterval()
    sys.setswitchinterval(_SWITCH)
    try:
        Server(app, config, ready).run(sockets)
    except KeyboardInterrupt:
        if app.state.idle:
            raise
        logging.shutdown()
        os._exit(INTERRUPTED)
    finally:
        gc.unfreeze()
        sys.setswitchinterval(before)
