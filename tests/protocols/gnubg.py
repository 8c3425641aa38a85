"""GNU Backgammon at the other end: it plays whole sessions and matches against a session of ours."""

from __future__ import annotations

import json
import os
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from bgai.board import flip
from bgai.events import Play
from bgai.match_play import MatchPlayer
from bgai.match_state import position
from bgai.matchfiles.reading import read_match
from bgai.notation.playtext import parse_play
from bgai.plays import legal_plays
from bgai.position import Position
from bgai.protocols.gnubg_board import Agreed, read_gnubg_board
from bgai.protocols.gnubg_client import GnubgMissing, find_gnubg
from bgai.protocols.gnubg_grammar import Ask, read_request
from bgai.protocols.gnubg_server import ExternalServer
from bgai.protocols.gnubg_session import MOST_PLIES, Advisers, Session
from bgai.record import MatchRecord

RECORDED = Path(__file__).parents[1] / "data" / "gnubg_external"

try:
    GNUBG: str | None = find_gnubg()
except GnubgMissing:
    GNUBG = None
needs_gnubg = pytest.mark.skipif(GNUBG is None, reason="GNU Backgammon is not installed")

Wire = list[tuple[str, str]]
"""What gnubg sent, and what we said, in order."""


@dataclass(frozen=True)
class Played:
    """What came of a session: the lines, and the match as gnubg wrote it."""

    wire: Wire
    mat: str

    @property
    def record(self) -> MatchRecord:
        found = read_match(self.mat.encode(), "gnubg.mat")
        assert not found.problems, found.problems
        return found.record

    def save(self, path: Path) -> None:
        path.write_text(json.dumps({"wire": self.wire, "mat": self.mat}, indent=0) + "\n", "utf-8")

    @classmethod
    def load(cls, path: Path) -> Played:
        data: Any = json.loads(path.read_text("utf-8"))
        return cls([(line, said) for line, said in data["wire"]], data["mat"])


@contextmanager
def serving(session: Callable[[], Session]) -> Iterator[ExternalServer]:
    """Our external player, listening on some port."""
    with ExternalServer("127.0.0.1", 0, session) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join(5)


def play_gnubg(
    folder: Path,
    player: MatchPlayer,
    *,
    seed: int,
    length: int = 0,
    games: int = 1,
    seat: int = 1,
    noise: float = 0.0,
    beavers: int = 3,
    resigns: bool = True,
) -> Played:
    """gnubg at 0-ply against a player of ours; with noise its cube actions are odd."""
    wire: Wire = []

    class Recorded(Session):
        def answer(self, line: str) -> str | None:
            said = super().answer(line)
            wire.append((line.strip("\0\n"), said or ""))
            return said

    def session() -> Session:
        return Recorded(Advisers(player), Agreed(beavers=beavers > 0), beavers=beavers, resigns=resigns)

    with serving(session) as server:
        goes_on = "play\n" * 120
        commands = [
            "set confirm new off",
            "set display off",
            "set rng mersenne",
            f"set seed {seed}",
            "set automatic roll on",
            "set automatic game off",
            f"set beavers {beavers}",
            f"set player {1 - seat} gnubg",
            f"set player {1 - seat} chequerplay evaluation plies 0",
            f"set player {1 - seat} cubedecision evaluation plies 0",
            f"set player {1 - seat} cubedecision evaluation noise {noise}",
            f"set player {seat} external 127.0.0.1:{server.port}",
            f"new match {length}\n{goes_on}" if length else f"new session\n{goes_on}",
            *[f"new game\n{goes_on}"] * (games - 1),
            "export match mat played.mat",
        ]
        (folder / "commands").write_text("\n".join(commands) + "\n")
        assert GNUBG is not None
        code = subprocess.run(
            [GNUBG, "-t", "-q", "-r", "-c", "commands"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=folder,
            env=os.environ | {"HOME": str(folder)},
            timeout=240,
            check=False,
        ).returncode
        assert code == 0, f"gnubg ended with {code}"
    return Played(wire, (folder / "played.mat").read_text("utf-8"))


@dataclass(frozen=True)
class Act:
    """Something that was done: what we answered, or what gnubg has written down."""

    kind: str
    """Of the event; a raccoon is called a beaver, as gnubg does."""
    before: Position
    """Seen as in `bgai.match_state.position`."""
    landed: tuple[int, ...] = ()
    """The board after a play, seen by the opponent."""

    @property
    def told(self) -> tuple[object, ...]:
        """What a board line says as well as a match file, to be compared."""
        score, cube = self.before.score, self.before.cube
        board, dice = tuple(self.before.board.tolist()), self.before.dice
        return self.kind, self.landed, board, dice, score.points, score.length, score.crawford, cube, self.before.offer


def acts_said(wire: Wire) -> list[Act]:
    """Our plays and cube actions, which have to be legal on the board of the line."""
    acts: list[Act] = []
    first_name = None
    for line, said in wire:
        request = read_request(line, Agreed(), MOST_PLIES)
        assert isinstance(request, Ask)
        own = None if first_name is None else request.board.names[0] == first_name
        seen = read_gnubg_board(request.board, request.agreed, answers_itself=own)
        if not request.board.doubled:
            first_name = request.board.names[0]
        if seen.dice is None:
            names = {"take": "take", "drop": "pass", "double": "double", "beaver": "beaver"}
            if said in names:
                acts.append(Act(names[said], seen))
            else:
                assert said == "roll" or said.startswith("resign ")
            continue
        plays = legal_plays(seen.board, seen.dice)
        landed = plays.successors[parse_play(seen.board, plays, said)]
        assert (said == "") == plays.must_pass
        acts.append(Act("play", seen, tuple(landed.tolist())))
    return acts


def acts_recorded(record: MatchRecord, seat: int) -> list[Act]:
    """The same from the match: what gnubg took our answers for."""
    acts: list[Act] = []
    states = list(record.replay())
    finals = [state for state, _ in states[1:]] + [record.final]
    for (state, event), after in zip(states, finals, strict=True):
        if event.kind in ("resign", "accept the resignation", "start", "roll") or event.seat != seat:
            continue
        seen = position(state)
        if isinstance(event, Play):
            board = after.board if after.on_roll != state.on_roll else flip(after.board)
            acts.append(Act("play", seen, tuple(board.tolist())))
        else:
            acts.append(Act("beaver" if event.kind == "raccoon" else event.kind, seen))
    return acts


def refused(wire: Wire) -> list[str]:
    """Answers after which gnubg asked the same again."""
    return [said for (line, said), (after, _) in pairwise(wire) if line == after]
