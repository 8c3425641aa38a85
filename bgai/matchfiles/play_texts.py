"""Plays as files write them: read with more patience than those of a person, and done where they are not legal."""

from __future__ import annotations

import itertools
import re

import numpy as np

from bgai.board import BAR, Board, result
from bgai.errors import PlayError
from bgai.events import Step
from bgai.match_state import MatchState
from bgai.notation.playtext import format_play, parse_play

_MOVE = re.compile(r"(?P<path>[a-z0-9]+(?:/[a-z0-9]+)+)(?:\((?P<times>[1-4])\))?")
_WORDS = {"bar": BAR, "b": BAR, "off": 0, "o": 0}
_NAMED = 4
"""Legal plays that a problem names."""


def moves_of(text: str) -> list[list[int]] | None:
    """The points of each checker that a text moves, hits left aside; None if it is no play at all."""
    compact = re.sub(r"\s*([/()])\s*", r"\1", text.lower().replace("*", "").replace("-", "/"))
    found: list[list[int]] = []
    for word in re.sub(r"\)(?=\S)", ") ", compact).replace(",", " ").split():
        match = _MOVE.fullmatch(word)
        if match is None:
            return None
        names = match["path"].split("/")
        if not all(name in _WORDS or (name.isdigit() and int(name) <= BAR) for name in names):
            return None
        found += [[_WORDS[name] if name in _WORDS else int(name) for name in names]] * int(match["times"] or 1)
    return found or None


def _pairs(points: list[int]) -> list[Step]:
    return list(itertools.pairwise(points))


def single_steps(moves: list[list[int]]) -> tuple[Step, ...] | None:
    """The steps as they are written; None if they cannot be those of one play."""
    steps = tuple(step for points in moves for step in _pairs(points))
    return steps if len(steps) <= 4 and all(end < start for start, end in steps) else None


def meant(state: MatchState, text: str) -> int:
    """The index of the legal play that a text means; a `*` where nobody is hit does no harm."""
    try:
        return parse_play(state.board, state.plays, text)
    except PlayError:
        return parse_play(state.board, state.plays, text.replace("*", ""))


def forced(board: Board, moves: list[list[int]]) -> tuple[Board, bool]:
    """The board after moves that are not legal, as far as checkers and room are there; and whether all was done."""
    position = board.astype(int)
    done = True
    for start, end in (step for points in moves for step in _pairs(points)):
        if end >= start or position[start] <= 0 or (end > 0 and position[end] < -1):
            done = False
            continue
        position[start] -= 1
        if end > 0:
            hit = position[end] == -1
            position[end] = 1 if hit else position[end] + 1
            position[0] -= hit
    after = position.astype(np.int8)
    return (board, False) if result(after) else (after, done)


def legal_ones(state: MatchState, error: PlayError) -> str:
    """The legal plays, those first that are most like the one which is none."""
    _, there, legal = str(error).rpartition("legal: ")
    plays = state.plays
    if there or plays.must_pass:
        return f"legal: {legal}" if there else "nothing can be played"
    texts = [format_play(state.board, steps) for steps in plays.steps[:_NAMED]]
    more = f" and {len(plays) - _NAMED} more" if len(plays) > _NAMED else ""
    return f"legal: {', '.join(texts)}{more}"
