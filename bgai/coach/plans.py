"""The game plan of each side, found by what it has on the board.

The first definition that fits counts; `PLANS` has them in this order. "Back" are checkers in the other's home board
or on the bar; all points are those of the side whose plan it is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, get_args

from bgai.board import HOME, Board, flip, has_contact
from bgai.coach.sides import Side

Plan = Literal[
    "bear-off",
    "race",
    "containment",
    "back game",
    "ace-point game",
    "bear-off against contact",
    "blitz",
    "priming game",
    "mutual holding game",
    "holding game",
    "bear-in against contact",
    "running game",
    "positional game",
]

PLANS: tuple[Plan, ...] = get_args(Plan)

BEHIND = 0.10
"""A side that trails by this share of the leader's pips or more is behind in the race."""
_ATTACKERS = 10
_LAST = 2


def plan_of(board: Board, side: Side, other: Side) -> Plan:
    """The plan of the side on roll on a board of a game that goes on."""
    if not has_contact(board):
        return "bear-off" if not (board[HOME + 1 :] > 0).any() else "race"
    return next((plan for plan, fits in _DEFINITIONS.items() if fits(board, side, other)), "positional game")


def _trails(side: Side, other: Side) -> bool:
    return side.pips - other.pips >= BEHIND * other.pips


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


def _bear_off(board: Board, side: Side, _other: Side) -> bool:
    """All own checkers are at home, or some were borne off already."""
    return side.off > 0 or not (board[HOME + 1 :] > 0).any()


def _blitz(_board: Board, side: Side, other: Side) -> bool:
    """The other has no anchor and a checker on the bar or alone in the home board, and ten checkers can attack."""
    loose = other.bar > 0 or _loose(other)
    return not other.anchors and loose and side.zone >= _ATTACKERS and len(side.home_points) >= 2


def _priming(_board: Board, side: Side, _other: Side) -> bool:
    """Four points in a row, or five of six, with a checker of the other's behind them."""
    prime = side.prime if side.prime is not None and side.prime.trapped else side.broken_prime
    return prime is not None and prime.trapped > 0 and (prime is side.prime or prime.length >= 5)


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


def _bear_in(board: Board, side: Side, _other: Side) -> bool:
    """Nobody is back or on the 18 point, and some of the other's checkers have still to be passed."""
    return not side.back and board[18] <= 0


def _running(_board: Board, side: Side, other: Side) -> bool:
    """The side leads the race, holds no anchor but the 24 point, and is not behind a prime."""
    anchored = any(anchor != 24 for anchor in side.anchors)
    return other.pips > side.pips and side.back > 0 and not anchored and other.prime is None


_DEFINITIONS: dict[Plan, Callable[[Board, Side, Side], bool]] = {
    "containment": _containment,
    "back game": _back_game,
    "ace-point game": _ace_point,
    "bear-off against contact": _bear_off,
    "blitz": _blitz,
    "priming game": _priming,
    "mutual holding game": _mutual_holding,
    "holding game": _holding,
    "bear-in against contact": _bear_in,
    "running game": _running,
}


def plans_of(board: Board, sides: tuple[Side, Side]) -> tuple[Plan, Plan]:
    """The plans of the player on roll and of the opponent."""
    own, other = sides
    return plan_of(board, own, other), plan_of(flip(board), other, own)
