"""Matches for the tests of analyses: short ones, and positions that are set up."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import numpy as np

from bgai.analysis import Analysis, Decision, MatchAnalyst
from bgai.catalogue import open_model
from bgai.events import Event, Play, SetUp, StartGame
from bgai.levels import read_level
from bgai.match_rules import Rules
from bgai.matchfiles.mat_reader import read_mat
from bgai.record import MatchRecord

FOLDER = Path(__file__).parent / "data" / "analysis"
MATCH = FOLDER / "match.mat"
"""A match to 7 points between players that err, see `tests.data.record_analysis`."""

OPENING = (StartGame((3, 1)), Play(0, ((8, 5), (6, 5))))


def checkers(**places: int) -> tuple[int, ...]:
    """Counts by point: `p6=2` two own checkers on 6, `p24=-1` the opponent's blot on its ace point."""
    board = np.zeros(26, dtype=np.int8)
    for name, count in places.items():
        board[int(name[1:])] = count
    return tuple(board.tolist())


def record_of(*events: Event, rules: Rules | None = None, score: tuple[int, int] = (0, 0)) -> MatchRecord:
    """A record that begins with some opening play of seat 0."""
    return MatchRecord.of(("Ann", "Ben"), rules or Rules(), [*OPENING, *events], score=score)


def set_up(places: Mapping[str, int], dice: tuple[int, int] | None = None, seat: int = 0) -> SetUp:
    """A position in which `seat` is on roll, with the cube in the middle; counts as in `checkers`."""
    return SetUp(seat, checkers(**places), dice)


@cache
def level_analyst(name: str = "0-ply") -> MatchAnalyst:
    """Of the default model."""
    level = read_level(name)
    assert level is not None
    return MatchAnalyst(open_model(), level)


def decisions(record: MatchRecord, level: str = "0-ply") -> list[Decision]:
    """All but those of the opening play."""
    return [one for one in level_analyst(level).analyse(record).decisions if one.event > 1]


@cache
def committed_match() -> MatchRecord:
    """The match of `MATCH`."""
    found = read_mat(MATCH.read_text("utf-8"))
    assert not found.problems
    return found.record


@cache
def committed_analysis() -> Analysis:
    """Of the match of `MATCH`, at 0-ply."""
    return level_analyst().analyse(committed_match())


def same(first: Analysis, second: Analysis) -> bool:
    """Whether two analyses say the same to the last digit."""
    return first == second and first.to_dict() == second.to_dict()
