"""Positions that play between equals hardly leads to: one side's checkers of one position, the other's of another.

Back games, late hits, broken boards and races to save a gammon are rare in self-play, so a network sees little of them,
plays them badly, and then values them by its own bad play. Crossing two positions met makes all of these from what is
there: a side that has borne most checkers off meets one that has a board and waits. Now and then some checkers are hit.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bgai.board import BAR, CHECKERS, HOME, OPPONENT_BAR, Board, borne_off, flip, opponent_borne_off
from bgai.phase import PHASES, phases

HIT = 0.5
"""Share of the crossed positions, but for races, in which either side has one or two checkers more on the bar."""
RACES = 0.15
"""Share of races with a gammon in the balance that is good for learning."""
FEW = 9
"""Checkers that the side ahead has left at most in these races."""
BALANCE = 2.2
"""At most by so many do the rolls differ that the side behind needs to save the gammon and the other to bear off."""
_PIPS = 49 / 6
"""Of a roll, in the mean."""
_BEAROFF = PHASES.index("bearoff")


def crossed(boards: Board, count: int, rng: np.random.Generator, races: float = 0.0) -> Board:
    """So many positions, `int8[count, 26]`, each made of two of `boards`, `int8[N, 26]`.

    Pairs that stand on the same point make none, bear-offs are left to the tables, and where each side is on the bar
    against a closed board the game would not go on. The first ones, a share `races` of all if `boards` has the sides
    for them, are races in which a gammon is in the balance, seen by the side ahead, then by the side behind.
    """
    parts: list[Board] = [np.empty((0, 26), dtype=np.int8)]
    if each := round(races * count / 2):
        parts += [flip(_races(flip(boards), each, rng)), _races(boards, each, rng)]
    found = sum(map(len, parts))
    while found < count:
        pairs = rng.integers(len(boards), size=(2, count + 1000))
        whole = _joined(*boards[pairs])
        hit = rng.random(len(whole)) < HIT
        for _ in range(2):
            _hit(whole, hit, rng)
            hit &= rng.random(len(whole)) < 0.5
        whole = whole[(phases(whole) != _BEAROFF) & ~_locked(whole)]
        parts.append(whole)
        found += len(whole)
    return np.concatenate(parts)[:count]


def _joined(first: Board, second: Board) -> Board:
    """The own checkers of some and the others of as many, where no two stand on the same point."""
    apart = ~((first > 0) & (second < 0)).any(axis=1)
    whole: Board = np.maximum(first, 0) + np.minimum(second, 0)
    return whole[apart]


def _races(boards: Board, count: int, rng: np.random.Generator) -> Board:
    """At most so many races in which who is on roll may lose a gammon or just save it."""
    own, others = boards > 0, boards < 0
    past = ~own[:, BAR - HOME :].any(axis=1)
    behind = boards[past & (borne_off(boards) == 0) & own[:, HOME + 1 :].any(axis=1)]
    home = ~others[:, : BAR - HOME].any(axis=1) & others.any(axis=1)
    ahead = boards[home & (_left(boards) <= FEW)]
    if not len(behind) or not len(ahead):
        return boards[:0]
    pairs = rng.integers([[len(behind)], [len(ahead)]], size=(2, 12 * count))
    whole = _joined(behind[pairs[0]], ahead[pairs[1]])
    # All come home, and one goes off.
    pips = np.maximum(whole[:, HOME + 1 :], 0) @ np.arange(1, BAR - HOME + 1) + 1
    rolls = (_left(whole) + 1) // 2
    balanced: Board = whole[np.abs(pips / _PIPS - rolls) <= BALANCE]
    return balanced[:count]


def _left(boards: Board) -> NDArray[np.int64]:
    """Checkers that the opponent has still to bear off."""
    return CHECKERS - opponent_borne_off(boards)


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
