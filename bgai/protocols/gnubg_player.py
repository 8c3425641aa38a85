"""GNU Backgammon as a player of duels.

    gnubg:0              a gnubg that is started, at 0-ply
    gnubg:2              the same at 2-ply
    gnubg:0@HOST:PORT    one that listens already (`external HOST:PORT`), with its own settings; the plies are a label

It is asked about each play with the roll that fell, so it has the same dice as anybody. Its plays are those of cubeless
money games, for which a gnubg that is started is set up.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from types import TracebackType

import numpy as np
from numpy.typing import NDArray

from bgai.errors import InputError, PlayError
from bgai.level_duel import TOGETHER
from bgai.notation.playtext import parse_play
from bgai.plays import Plays, PlaysBatch
from bgai.position import Position
from bgai.protocols.gnubg_client import GnubgConnection, GnubgError, GnubgServer

MOST_PLIES = 4
"""More take gnubg minutes for a play."""
MOST_PROCESSES = 16
"""Some dozen questions come together, so that more would wait."""

_NAME = re.compile(r"gnubg:(?P<plies>[0-9]{1,2})(?:@(?P<host>[^@\s]+):(?P<port>[0-9]{1,5}))?")


@dataclass(frozen=True)
class GnubgName:
    """A name that was understood."""

    plies: int
    host: str | None = None
    """None: gnubg is started."""
    port: int = 0

    @property
    def shown(self) -> str:
        """As results call it."""
        where = "" if self.host is None else f"@{self.host}:{self.port}"
        return f"gnubg:{self.plies}{where}"


def read_gnubg_name(text: str) -> GnubgName | None:
    """The gnubg of this name; None for another player.

    Raises:
        InputError: it begins as one and is none.
    """
    if text != "gnubg" and not text.startswith(("gnubg:", "gnubg@")):
        return None
    match = _NAME.fullmatch(text)
    if match is None:
        raise InputError(f"unknown player {text!r}, expected gnubg:PLIES or gnubg:PLIES@HOST:PORT, such as gnubg:0")
    plies, port = int(match["plies"]), int(match["port"] or 0)
    if plies > MOST_PLIES:
        raise InputError(f"{text!r}: {plies} plies, expected 0 to {MOST_PLIES}")
    if match["host"] is not None and not 0 < port < 65536:
        raise InputError(f"{text!r}: port {port}, expected 1 to 65535")
    return GnubgName(plies, match["host"], port)


class GnubgDuellist:
    """A player of `bgai.level_duel`; use it in a `with`, after which the gnubgs that it has started are gone."""

    def __init__(self, name: GnubgName, *, processes: int = 1) -> None:
        """`processes` gnubgs share the questions; one that listens already can only be asked by one.

        Raises:
            GnubgMissing: gnubg is to be started and not installed.
            GnubgError: it does not start, or nobody listens.
        """
        self.name = name.shown
        self.together = max(TOGETHER >> 2 * name.plies, 1)
        self._servers: list[GnubgServer] = []
        self._connections: Sequence[GnubgConnection] = []
        try:
            if name.host is not None:
                self._connections = [GnubgConnection(name.host, name.port)]
            else:
                for _ in range(min(processes, MOST_PROCESSES)):
                    self._servers.append(GnubgServer(name.plies))
                self._connections = [server.connection for server in self._servers]
            self._connections[0].version()
        except BaseException:
            self.close()
            raise
        self._pool = ThreadPoolExecutor(len(self._connections))

    def choose(self, positions: list[Position], plays: PlaysBatch, lots: NDArray[np.uint64]) -> NDArray[np.int64]:
        """The play of each position, int64[N], as numbers of `plays`.

        Raises:
            GnubgError: gnubg has gone, or its play is not legal.
        """
        step = len(self._connections)

        def part(number: int) -> list[int]:
            connection = self._connections[number]
            return [
                _choice(connection, position, own)
                for position, own in list(zip(positions, plays, strict=True))[number::step]
            ]

        chosen = np.array(plays.offsets[:-1])
        for number, found in enumerate(self._pool.map(part, range(step))):
            chosen[number::step] += np.array(found, dtype=np.int64)
        return chosen

    def close(self) -> None:
        """Ends what was started."""
        if hasattr(self, "_pool"):
            self._pool.shutdown(cancel_futures=True)
        if self._servers:
            for server in self._servers:
                server.close()
        else:
            for connection in self._connections:
                connection.close()

    def __enter__(self) -> GnubgDuellist:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _choice(connection: GnubgConnection, position: Position, plays: Plays) -> int:
    said = connection.decide(position)
    try:
        return parse_play(position.board, plays, said)
    except PlayError as error:
        raise GnubgError(f"gnubg at {connection.name} plays what is not legal: {error}") from None
