"""The race: who leads, what it is worth, what is wasted.

Sources of the formulas:

* Danny Kleinman, "Vision Laughs at Counting" (1980): the winning chance of a race from both pip counts.
* Tom Keith, "Cube Handling in Noncontact Positions" (2004): a count that adds for gaps and stacks, and when to double.
* Walter Trice, "Backgammon Boot Camp" (2004): a side's effective pips are 49/6, the mean of a roll, for each roll
  that it needs on average; what they exceed the pip count by is wastage. Here the mean is that of the one-sided
  bear-off table, so that effective pips are known only once a side is at home.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from bgai import bearoff
from bgai.board import BAR, HOME, Board, flip, has_contact, pip_count
from bgai.outcomes import COUNT, WIN

PIPS_A_ROLL = 49 / 6
"""The mean of a roll, doubles counted fourfold."""

_DOUBLE, _REDOUBLE, _TAKE = 4, 3, 2
"""By how much, at most, the raised Keith count of the side on roll may exceed the other's to double and redouble, and
at least for a take."""

KeithAction = Literal["no double, take", "double, take", "double, pass", "redouble, take"]


@dataclass(frozen=True)
class Runner:
    """One side in a race."""

    pips: int
    keith: int
    """Keith count, not raised for being on roll."""
    rolls: float | None
    """Mean number of rolls to bear off; None if a checker is not at home yet."""
    effective: float | None
    """Effective pip count."""
    wastage: float | None
    """Effective pips beyond the pip count."""


@dataclass(frozen=True)
class Race:
    """The race, the player on roll first. Between sides in contact only pips are compared."""

    pure: bool
    """Whether there is no contact any more; `runners` and the rest are for such races alone."""
    lead: int
    """Pips by which the player on roll leads; negative if it trails."""
    lead_share: float
    """The same as a share of the leader's pip count."""
    runners: tuple[Runner, Runner] | None
    kleinman: float | None
    """Chance of the player on roll to win, by Kleinman's formula."""
    table: float | None
    """The same from the bear-off tables, without the cube; None unless all checkers of both sides are at home."""
    exact: bool
    """Whether that table is the exact one."""
    keith_action: KeithAction | None
    """Cube action of the player on roll at money, by the Keith count; with its own cube if that is `owned`."""


def race_of(board: Board, *, owned: bool = False) -> Race:
    """The race on a board `int8[26]`; `owned` if the player on roll has its own cube, which it gives away later."""
    pips = int(pip_count(board)), int(pip_count(flip(board)))
    lead = pips[1] - pips[0]
    share = lead / max(min(pips), 1)
    if has_contact(board):
        return Race(False, lead, share, None, None, None, False, None)
    runners = _runner(board), _runner(flip(board))
    table, exact = _table_chance(board)
    action = keith_action(runners[0].keith, runners[1].keith, owned=owned)
    return Race(True, lead, share, runners, kleinman(*pips), table, exact, action)


def _table_chance(board: Board) -> tuple[float | None, bool]:
    """What the bear-off tables give the side on roll, and whether that is exact."""
    boards = np.ascontiguousarray(board[None])
    if not bearoff.held_by_tables(boards).any():
        return None, False
    outcomes = np.zeros((1, COUNT), dtype=np.float32)
    bearoff.put_bear_offs(boards, outcomes)
    return float(outcomes[0, WIN]), bool(bearoff.held_by_tables(boards, bearoff.EXACT)[0])


def _runner(board: Board) -> Runner:
    pips, rolls = int(pip_count(board)), _mean_rolls(board)
    effective = None if rolls is None else rolls * PIPS_A_ROLL
    return Runner(pips, keith_count(board), rolls, effective, None if effective is None else effective - pips)


def _mean_rolls(board: Board) -> float | None:
    """Of the side on roll alone."""
    alone = np.maximum(board, 0)
    if alone[HOME + 1 :].any():
        return None
    alone[BAR - 1] = -1
    return float(bearoff.one_sided().mean_rolls(alone[None])[0, 0])


def kleinman(own: int, other: int) -> float:
    """The chance of the side on roll to win a race of so many pips, cubeless."""
    total, lead = own + other, other - own + 4
    if total <= 4:
        return 1.0
    return 0.5 * (1 + math.erf(lead / (2 * math.sqrt(total - 4))))


def keith_count(board: Board) -> int:
    """Pips of the side on roll, 2 more for each checker but one on its 1 point, 1 more for each but one on the 2 point
    and for each but three on the 3 point, and 1 more for each gap on points 4 to 6."""
    counts = np.maximum(board, 0)
    stacked = 2 * max(counts[1] - 1, 0) + max(counts[2] - 1, 0) + max(counts[3] - 3, 0)
    return int(pip_count(board)) + int(stacked) + int((counts[4 : HOME + 1] == 0).sum())


def keith_action(own: int, other: int, *, owned: bool) -> KeithAction:
    """What the Keith counts say of the cube at money: the own count is raised by a seventh, rounded down."""
    excess = own + own // 7 - other
    if excess < _TAKE:
        return "double, pass"
    if excess <= (_REDOUBLE if owned else _DOUBLE):
        return "redouble, take" if owned else "double, take"
    return "no double, take"
