"""The external player on a socket: one thread for each connection, line by line.

What breaks gnubg's own server does not break this one: lines may be long, come in pieces or several at once, hold NUL
bytes (gnubg sends one behind each line) or no text at all, and several clients are served at a time.
"""

from __future__ import annotations

import contextlib
import math
import socket
import socketserver
import threading
import time
from collections.abc import Callable, Iterator

from bgai.errors import InputError
from bgai.protocols.gnubg_session import Session

LONGEST_LINE = 4096
"""Bytes of a command; a board with all options takes about 230."""
MOST_CLIENTS = 32
"""Connections at a time."""
PATIENCE = 60.0
"""Seconds after which a client that says nothing gives way to a new one, if there are so many. Without a new one nobody
has to go, because a person at the other end may think for hours."""

_PIECE = 4096


class Lines:
    """Cuts what arrives into lines."""

    def __init__(self) -> None:
        self._rest = b""
        self._too_long = False

    def feed(self, data: bytes) -> Iterator[bytes | None]:
        """The lines that are complete now; None stands for one that was too long."""
        *complete, rest = (self._rest + data).split(b"\n")
        for line in complete:
            yield None if self._too_long or len(line) > LONGEST_LINE else line
            self._too_long = False
        self._too_long = self._too_long or len(rest) > LONGEST_LINE
        self._rest = b"" if self._too_long else rest


class ExternalServer(socketserver.ThreadingTCPServer):
    """Listens at once; `serve_forever` answers until `shutdown` or an exception ends it."""

    allow_reuse_address = True
    daemon_threads = True
    request_queue_size = MOST_CLIENTS

    def __init__(self, host: str, port: int, session: Callable[[], Session]) -> None:
        """`session` makes what answers a new connection.

        Raises:
            InputError: nobody can listen there.
        """
        self.session = session
        self._silent: dict[socket.socket, float] = {}
        """Since when each client has said nothing; never while it is answered."""
        self._lock = threading.Lock()
        try:
            self.address_family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
            super().__init__((host, port), _Handler)
        except (OSError, OverflowError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise InputError(f"cannot listen on {host}:{port}: {reason}") from None

    @property
    def port(self) -> int:
        """Where it listens, also if any free port was asked for."""
        return int(self.server_address[1])

    def admit(self, client: socket.socket) -> bool:
        """Whether there is room for another client, or somebody who gives way."""
        with self._lock:
            if len(self._silent) >= MOST_CLIENTS:
                longest = min(self._silent, key=self._silent.__getitem__)
                if time.monotonic() - self._silent[longest] < PATIENCE:
                    return False
                del self._silent[longest]
                _end(longest)
            self._silent[client] = time.monotonic()
            return True

    def note(self, client: socket.socket, *, answered: bool) -> None:
        """A client is answered now, or it was and may say something."""
        with self._lock:
            if client in self._silent:
                self._silent[client] = time.monotonic() if answered else math.inf

    def leave(self, client: socket.socket) -> None:
        """A client that was admitted is done."""
        with self._lock:
            self._silent.pop(client, None)

    def server_close(self) -> None:
        """Stops listening and ends all connections."""
        super().server_close()
        with self._lock:
            clients = list(self._silent)
        for client in clients:
            _end(client)


def _end(client: socket.socket) -> None:
    with contextlib.suppress(OSError):
        client.shutdown(socket.SHUT_RDWR)


class _Handler(socketserver.BaseRequestHandler):
    server: ExternalServer

    def handle(self) -> None:
        client: socket.socket = self.request
        # Who has gone needs no answer.
        with contextlib.suppress(ConnectionError, TimeoutError):
            if not self.server.admit(client):
                client.sendall(b"Error: too many clients, expected at most %d\n" % MOST_CLIENTS)
                return
            try:
                client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self._serve(client)
            finally:
                self.server.leave(client)

    def _serve(self, client: socket.socket) -> None:
        session, lines = self.server.session(), Lines()
        while data := client.recv(_PIECE):
            for line in lines.feed(data):
                self.server.note(client, answered=False)
                if line is None:
                    said: str | None = f"Error: a line is longer than {LONGEST_LINE} bytes"
                else:
                    said = session.answer(line.decode("utf-8", "replace"))
                if said is None:
                    return
                self.server.note(client, answered=True)
                client.sendall(said.encode() + b"\n")
