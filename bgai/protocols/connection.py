"""A connection whose packets go to an inbox, so that one loop can wait for everything at once."""

from __future__ import annotations

import contextlib
import queue
import socket
import threading
from dataclasses import dataclass

from bgai.errors import BgaiError

PATIENCE = 30.0
"""Seconds to wait for a server to answer a call, or to take what is sent."""


class ServerError(BgaiError, ConnectionError):
    """A server that cannot be reached, or that does not want the bot."""


@dataclass(frozen=True)
class Packet:
    """Bytes that came; none when the connection is at its end."""

    source: Connection
    data: bytes
    reason: str = ""
    """Why it ended."""


Inbox = queue.SimpleQueue[object]
"""Packets, decisions and interruptions, in the order they came."""


class Connection:
    """A TCP connection."""

    def __init__(self, host: str, port: int, inbox: Inbox) -> None:
        """Calls the server; `Packet`s come to the inbox from now on.

        Raises:
            OSError: nobody answers.
        """
        self._inbox = inbox
        self._socket = socket.create_connection((host, port), timeout=PATIENCE)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._thread = threading.Thread(target=self._listen, name="listening to the server", daemon=True)
        self._thread.start()

    def send(self, line: str) -> None:
        """Sends a line; one that cannot be sent is lost, and the end of the connection follows in the inbox."""
        with contextlib.suppress(OSError):
            self._socket.sendall(line.encode("utf-8") + b"\r\n")

    def close(self) -> None:
        """Hangs up."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._thread.join(PATIENCE)
        self._socket.close()

    def _listen(self) -> None:
        reason = "the server has closed the connection"
        while True:
            try:
                data = self._socket.recv(65536)
            except TimeoutError:
                continue
            except OSError as error:
                reason, data = error.strerror or str(error), b""
            self._inbox.put(Packet(self, data, reason))
            if not data:
                return
