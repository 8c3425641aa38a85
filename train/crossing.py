"""Positions that play between equals hardly leads to: one side's checkers of one position, the other's of another.

Back games, late hits, broken boards and races to save a gammon are rare in self-play, so a network sees little of them,
plays them badly, and then values them by its own bad play. Crossing two positions met makes all of these from what is
there: a side that has borne most checkers off meets one that has a board and waits. Now and then some checkers are hit.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bgai.board import BAR, HOME, OPPONENT_BAR, Board
from bgai.phase import PHASES, phases

HIT = 0.5
"""Share of the crossed positions in which a side, either one, has one or two checkers more on the bar."""
_BEAROFF = PHASES.index("bearoff")


def crossed(boards: Board, count: int, rng: np.random.Generator) -> Board:
    """So many positions, `int8[count, 26]`, each made of two of `boards`, `int8[N, 26]`.

    Pairs that stand on the same point make none, bear-offs are left to the tables, and where each side is on the bar
    against a closed board the game would not go on.
    """
    parts: list[Board] = [np.empty((0, 26), dtype=np.int8)]
    found = 0
    while found < count:
        pairs = rng.integers(len(boards), size=(2, count + 1000))
        first, second = boards[pairs]
        whole = np.maximum(first, 0) + np.minimum(second, 0)
        whole = whole[~((first > 0) & (second < 0)).any(axis=1)]
        hit = rng.random(len(whole)) < HIT
        for _ in range(2):
            _hit(whole, hit, rng)
            hit &= rng.random(len(whole)) < 0.5
        whole = whole[(phases(whole) != _BEAROFF) & ~_locked(whole)]
        parts.append(whole)
        found += len(whole)
    return np.concatenate(parts)[:count]


def _locked(boards: Board) -> NDArray[np.bool_]:
    """Whether neither side can ever move again, bool[N]."""
    own, other = np.arange(1, HOME + 1), np.arange(BAR - HOME, BAR)
    closed = (boards[:, own] >= 2).all(axis=1) & (boards[:, other] <= -2).all(axis=1)
    return closed & (boards[:, BAR] > 0) & (boards[:, OPPONENT_BAR] < 0)


def _hit(boards: Board, which: NDArray[np.bool_], rng: np.random.Generator) -> None:
    """Puts a checker of one side on its bar, in the boards chosen: any of its checkers is as likely as the others."""
    rows = np.flatnonzero(which)
    sides = np.where(rng.random(len(rows)) < 0.5, 1, -1).astype(np.int8)
    checkers = np.maximum(boards[rows] * sides[:, None], 0)
    reached = np.cumsum(checkers, axis=1)
    number = rng.integers(reached[:, -1])
    points = (reached <= number[:, None]).sum(axis=1)
    boards[rows, points] -= sides
    boards[rows, np.where(sides > 0, BAR, OPPONENT_BAR)] += sides
