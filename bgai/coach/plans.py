"""The game plan of each side, found by what it has on the board.

The first definition that fits counts; `PLANS` has them in this order. "Back" are checkers in the other's home board
or on the bar; all points are those of the side whose plan it is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, get_args

import numpy as np

from bgai.board import HOME, START, Board, flip, has_contact
from bgai.coach.sides import Side

Plan = Literal[
    "bear-off",
    "race",
    "closeout",
    "closed out",
    "containment",
    "back game",
    "ace-point game",
    "bear-off against contact",
    "coming home",
    "blitz",
    "priming game",
    "trapped",
    "mutual holding game",
    "holding game",
    "waiting for a shot",
    "bear-in against contact",
    "opening",
    "running game",
    "positional game",
]

PLANS: tuple[Plan, ...] = get_args(Plan)

_STARTED = np.maximum(START, 0)

BEHIND = 0.10
"""A side that trails by this share of the leader's pips or more is behind in the race."""
_ATTACKERS = 10
_LAST = 2
_LONG_PRIME = 5
_FULL_PRIME = 6
_UNMOVED = 12
"""Checkers that still stand as at the start, from which on a game is in its opening."""


def plan_of(board: Board, side: Side, other: Side) -> Plan:
    """The plan of the side on roll on a board of a game that goes on."""
    if not has_contact(board):
        return "bear-off" if not (board[HOME + 1 :] > 0).any() else "race"
    return next((plan for plan, fits in _DEFINITIONS.items() if fits(board, side, other)), "positional game")


def _trails(side: Side, other: Side) -> bool:
    return side.pips - other.pips >= BEHIND * other.pips


def _closeout(_board: Board, side: Side, other: Side) -> bool:
    """All six home points are made and the other has a checker on the bar."""
    return other.bar > 0 and side.board == HOME


def _closed_out(board: Board, side: Side, other: Side) -> bool:
    return _closeout(board, other, side)


def _containment(_board: Board, side: Side, other: Side) -> bool:
    """The other bears off already, has one or two checkers left to bring home, and the side has nobody behind them."""
    last = other.back or sum(1 for blot in other.blots if blot.point > HOME)
    return other.off > 0 and 0 < last <= _LAST and side.off <= other.off and side.back <= last


def _back_game(_board: Board, side: Side, other: Side) -> bool:
    """Two anchors or more while behind in the race."""
    return len(side.anchors) >= 2 and _trails(side, other)


def _ace_point(_board: Board, side: Side, other: Side) -> bool:
    """All checkers that are back hold the 24 point, the other has nobody back, and the side is behind."""
    return side.anchors == (24,) and side.bar == 0 and not other.back and _trails(side, other) and not _loose(side)


def _loose(side: Side) -> bool:
    """Whether a checker that is back stands alone."""
    return any(blot.point > 18 for blot in side.blots)


def _bear_off(board: Board, _side: Side, _other: Side) -> bool:
    """All own checkers are at home."""
    return not (board[HOME + 1 :] > 0).any()


def _coming_home(_board: Board, side: Side, _other: Side) -> bool:
    """Some checkers were borne off already, and others have to come home again."""
    return side.off > 0


def _blitz(_board: Board, side: Side, other: Side) -> bool:
    """The other has no anchor and a checker on the bar or alone in the home board, and ten checkers can attack.

    Where checkers are caught behind a prime of five points or more it is a priming game.
    """
    loose = other.bar > 0 or _loose(other)
    caught = side.prime is not None and side.prime.length >= _LONG_PRIME and side.prime.trapped > 0
    return not other.anchors and loose and not caught and side.zone >= _ATTACKERS and len(side.home_points) >= 2


def _priming(_board: Board, side: Side, _other: Side) -> bool:
    """Four points in a row, or five of six, with a checker of the other's behind them."""
    prime = side.prime if side.prime is not None and side.prime.trapped else side.broken_prime
    return prime is not None and prime.trapped > 0 and (prime is side.prime or prime.length >= _LONG_PRIME)


def _trapped(_board: Board, _side: Side, other: Side) -> bool:
    """Some checkers are behind six points in a row of the other's."""
    return other.prime is not None and other.prime.length >= _FULL_PRIME and other.prime.trapped > 0


def _holding_point(side: Side) -> bool:
    """Whether the side's rearmost checkers hold one of points 18 to 23."""
    held = [point for point in side.points if point >= 18]
    if len(held) != 1 or held[0] == 24 or side.bar:
        return False
    return not any(blot.point > 17 for blot in side.blots)


def _mutual_holding(_board: Board, side: Side, other: Side) -> bool:
    """The rearmost checkers of both sides hold a point of 18 to 23 each."""
    return _holding_point(side) and _holding_point(other)


def _holding(_board: Board, side: Side, other: Side) -> bool:
    """The rearmost checkers hold a point of 18 to 23 and the other has nobody back, or the side is behind."""
    return _holding_point(side) and (not other.back or _trails(side, other))


def _waiting(_board: Board, side: Side, other: Side) -> bool:
    """The side has checkers back without a point of their own, the other has nobody back, and the side is behind."""
    return side.back > 0 and not side.anchors and not other.back and _trails(side, other)


def _bear_in(board: Board, side: Side, _other: Side) -> bool:
    """Nobody is back or on the 18 point, and some of the other's checkers have still to be passed."""
    return not side.back and board[18] <= 0


def _opening(board: Board, side: Side, other: Side) -> bool:
    """Twelve checkers or more of each side stand as at the start, and nobody is on the bar."""
    own, theirs = (int(np.minimum(np.maximum(seen, 0), _STARTED).sum()) for seen in (board, flip(board)))
    return not side.bar and not other.bar and min(own, theirs) >= _UNMOVED


def _running(_board: Board, side: Side, other: Side) -> bool:
    """The side leads the race by a tenth, holds no anchor but the 24 point, and is not behind a prime."""
    anchored = any(anchor != 24 for anchor in side.anchors)
    return _trails(other, side) and side.back > 0 and not anchored and other.prime is None


_DEFINITIONS: dict[Plan, Callable[[Board, Side, Side], bool]] = {
    "closeout": _closeout,
    "closed out": _closed_out,
    "containment": _containment,
    "back game": _back_game,
    "ace-point game": _ace_point,
    "bear-off against contact": _bear_off,
    "coming home": _coming_home,
    "blitz": _blitz,
    "priming game": _priming,
    "trapped": _trapped,
    "mutual holding game": _mutual_holding,
    "holding game": _holding,
    "waiting for a shot": _waiting,
    "bear-in against contact": _bear_in,
    "opening": _opening,
    "running game": _running,
}


def plans_of(board: Board, sides: tuple[Side, Side]) -> tuple[Plan, Plan]:
    """The plans of the player on roll and of the opponent."""
    own, other = sides
    return plan_of(board, own, other), plan_of(flip(board), other, own)
