"""GNU Backgammon as somebody who is asked: a process that listens as `external`, and the connection to it.

gnubg reads one packet at a time up to the first end of a line, serves one client at a time, and is killed by a command
of 255 characters or more; so one request follows the answer to the one before, and none is that long.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from types import TracebackType

import numpy as np

from bgai.errors import BgaiError, InputError
from bgai.outcomes import COUNT, Outcomes
from bgai.position import Position
from bgai.protocols.gnubg_board import format_gnubg_board

LONGEST = 254
"""Characters of a command that gnubg survives."""
PROGRAMS = ("gnubg", "/usr/games/gnubg")
"""Where it is looked for."""

_STARTS_WITHIN = 30.0
_ANSWERS_WITHIN = 600.0


class GnubgError(BgaiError):
    """gnubg does not answer, or says what nobody understands."""


class GnubgMissing(InputError):
    """gnubg is not installed."""


def find_gnubg() -> str:
    """The program.

    Raises:
        GnubgMissing: there is none.
    """
    found = next((path for path in map(shutil.which, PROGRAMS) if path), None)
    if found is None:
        raise GnubgMissing(
            f"GNU Backgammon is not installed, expected the program gnubg (looked for {' and '.join(PROGRAMS)})"
        )
    return found


class GnubgConnection:
    """A connection to a gnubg that runs `external HOST:PORT`."""

    def __init__(self, host: str, port: int, *, timeout: float = _ANSWERS_WITHIN) -> None:
        """`timeout` in seconds, of every answer.

        Raises:
            GnubgError: nobody listens there.
        """
        self.name = f"{host}:{port}"
        try:
            self._socket = socket.create_connection((host, port), timeout)
        except (OSError, OverflowError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise GnubgError(f"cannot connect to gnubg at {self.name}: {reason}") from None
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._rest = b""

    def ask(self, command: str, lines: int = 1) -> str:
        """The answer to a command, which has so many lines.

        Raises:
            GnubgError: no answer, or one that says what is wrong.
            InputError: a command that would kill gnubg.
        """
        if len(command) > LONGEST or "\n" in command:
            raise InputError(f"a command to gnubg has at most {LONGEST} characters in one line, found {len(command)}")
        try:
            self._socket.sendall(command.encode() + b"\n")
            while self._rest.count(b"\n") < lines:
                data = self._socket.recv(4096)
                if not data:
                    raise GnubgError(f"gnubg at {self.name} has closed the connection")
                self._rest += data
        except OSError as error:
            raise GnubgError(f"gnubg at {self.name} does not answer: {error.strerror or error}") from None
        *found, self._rest = self._rest.split(b"\n", lines)
        text = b"\n".join(found).decode("utf-8", "replace")
        if text.startswith("Error"):
            raise GnubgError(f"gnubg at {self.name}: {text}")
        return text

    def version(self) -> str:
        """Such as `1.07.001`."""
        return self.ask("version", 4).rpartition(": ")[2]

    def decide(self, position: Position, *, jacoby: bool = False, beavers: bool = False) -> str:
        """What gnubg does: `roll`, `double`, `take`, `drop`, `beaver`, or a play as `8/5 6/5`, empty if there is none.

        Raises:
            GnubgError: no answer.
            PositionError: a position that the line cannot hold.
        """
        rules = f" jacobyrule {_bool(jacoby)} beavers {_bool(beavers)}"
        return self.ask(format_gnubg_board(position) + rules).strip()

    def evaluate(self, position: Position, plies: int = 0, *, cubeful: bool = False) -> tuple[Outcomes, float]:
        """Chances `float32[5]` of the player on roll, and the equity, in a match the chance to win it.

        Raises:
            GnubgError: no answer, or not six numbers.
        """
        cube, jacoby = "cubeful" if cubeful else "cubeless", _bool(position.score.jacoby)
        board = format_gnubg_board(position)
        said = self.ask(f"evaluation fibsboard {board} plies {plies} {cube} jacobyrule {jacoby}")
        try:
            numbers = [float(word) for word in said.split()]
        except ValueError:
            numbers = []
        if len(numbers) != COUNT + 1:
            raise GnubgError(f"gnubg at {self.name}: expected {COUNT + 1} numbers, found {said!r}")
        return np.array(numbers[:COUNT], dtype=np.float32), numbers[COUNT]

    def close(self) -> None:
        """Says good-bye."""
        with contextlib.suppress(OSError):
            self._socket.sendall(b"exit\n")
        self._socket.close()


class GnubgServer:
    """A gnubg of our own that listens; use it in a `with`. `connection` asks it."""

    def __init__(self, plies: int = 0, *, cubeful: bool = False) -> None:
        """`plies` in gnubg's count, for plays and the cube; `cubeful` for plays.

        Raises:
            GnubgMissing: it is not installed.
            GnubgError: it does not start.
        """
        program = find_gnubg()
        self._folder = tempfile.TemporaryDirectory(prefix="bgai-gnubg-")
        port = _free_port()
        script = Path(self._folder.name) / "commands"
        script.write_text(
            "set automatic backup off\n"
            f"set evaluation chequerplay evaluation plies {plies}\n"
            f"set evaluation chequerplay evaluation cubeful {_bool(cubeful)}\n"
            f"set evaluation cubedecision evaluation plies {plies}\n"
            f"external 127.0.0.1:{port}\n",
            encoding="ascii",
        )
        self._process = subprocess.Popen(
            [program, "-t", "-q", "-r", "-c", str(script)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=self._folder.name,
            env=os.environ | {"HOME": self._folder.name},
            # Ctrl-C is for us; gnubg is ended below.
            start_new_session=True,
        )
        try:
            self.connection = self._connected(port)
        except BaseException:
            self.close()
            raise

    def _connected(self, port: int) -> GnubgConnection:
        end = time.monotonic() + _STARTS_WITHIN
        while True:
            try:
                return GnubgConnection("127.0.0.1", port)
            except GnubgError:
                if self._process.poll() is not None:
                    raise GnubgError(f"gnubg ended with code {self._process.returncode} before it listened") from None
                if time.monotonic() > end:
                    raise
            time.sleep(0.05)

    def close(self) -> None:
        """Ends it."""
        if hasattr(self, "connection"):
            self.connection.close()
        self._process.terminate()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._folder.cleanup()

    def __enter__(self) -> GnubgServer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port: int = listening.getsockname()[1]
        return port


def _bool(value: bool) -> str:
    return "on" if value else "off"
