"""Kinds of position that players speak of, told from the board alone.

Each kind is a rule about two sides. Most are about one of them, its subject: whoever holds, attacks or contains. The
rules are asked in the order of `KINDS` for both sides, and the first that holds for either decides, so that every
position is of one kind: a back game whose board has fallen is a crunched board. Where a rule holds for both sides the
subject is the player on roll.

"Back" are checkers on the bar and in the other's home board, a point is held by two checkers, and "behind" a point are
the other's checkers that have still to pass it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from bgai.board import BAR, HOME, Board, borne_off, flip, pip_count
from bgai.phase import PHASES, phases

Bools = NDArray[np.bool_]
Counts = NDArray[np.int64]

PRIME = 4
"""Points in a row."""
BLITZ_POINTS = 3
BLITZ_ZONE = 12
"""The attacker's home and outer board."""
BLITZ_CHECKERS = 10
BACK_GAME_CHECKERS = 4
DEEP = 3
"""The highest of the deep points."""
DEEP_CHECKERS = 7
_ENTRY = BAR - HOME
"""From here to the bar: back."""


@dataclass(frozen=True)
class Side:
    """N positions as one of the sides sees them."""

    boards: Board
    """int8[N, 26]"""

    @cached_property
    def held(self) -> Bools:
        """Points held, bool[N, 24]."""
        held: Bools = self.boards[:, 1:BAR] >= 2
        return held

    @cached_property
    def home(self) -> Bools:
        """Whether all its checkers are at home or off."""
        home: Bools = self.between(HOME + 1, BAR) == 0
        return home

    @cached_property
    def home_points(self) -> Counts:
        """How many points of its home board it holds."""
        return _count(self.held[:, :HOME])

    @cached_property
    def closed(self) -> Bools:
        """Whether it holds all of them."""
        closed: Bools = self.home_points == HOME
        return closed

    @cached_property
    def anchors(self) -> Counts:
        """How many points of the other's home board it holds."""
        return _count(self.held[:, _ENTRY - 1 :])

    @cached_property
    def back(self) -> Counts:
        """Checkers on the bar and in the other's home board."""
        return self.between(_ENTRY, BAR)

    @cached_property
    def on_bar(self) -> Bools:
        on_bar: Bools = self.boards[:, BAR] > 0
        return on_bar

    @cached_property
    def off(self) -> Bools:
        """Whether it has borne off a checker."""
        off: Bools = borne_off(self.boards) > 0
        return off

    @cached_property
    def primes(self) -> Bools:
        """Whether it holds points in a row with a checker of the other side behind them."""
        # The other side comes from its bar, place 0.
        behind = (self.boards < 0).cumsum(axis=1) > 0
        rows = np.lib.stride_tricks.sliding_window_view(self.held, PRIME, axis=1).all(axis=2)
        primes: Bools = np.any(rows & behind[:, : rows.shape[1]], axis=1)
        return primes

    def between(self, first: int, last: int) -> Counts:
        """How many of its checkers stand on these places and between them, int64[N]."""
        count: Counts = np.maximum(self.boards[:, first : last + 1], 0).sum(axis=1, dtype=np.int64)
        return count

    def trails(self, other: Side) -> Bools:
        """Whether it needs more pips than the other side."""
        trails: Bools = pip_count(self.boards) > pip_count(other.boards)
        return trails

    @cached_property
    def contact(self) -> Bools:
        contact: Bools = phases(self.boards) == PHASES.index("contact")
        return contact


Rule = Callable[[Side, Side], Bools]
"""Whether each of N positions, given as its subject and as the other side sees it, is of a kind: bool[N]."""


def bear_off(own: Side, other: Side) -> Bools:
    """No contact, and at least one side has all its checkers at home, so that it bears off."""
    return ~own.contact & (own.home | other.home)


def long_race(own: Side, other: Side) -> Bools:
    """No contact, and both sides have still to bring checkers home."""
    return ~own.contact & ~bear_off(own, other)


def containment(own: Side, other: Side) -> Bools:
    """The other side has borne off at least one checker and has one again on its bar, or outside its home board with
    one of the subject's still to pass, which the subject may hold and hit."""
    outside = other.boards[:, HOME + 1 :] > 0
    # In the other's eyes the subject's checkers on lower places have still to be passed.
    to_pass = ((other.boards < 0).cumsum(axis=1) > 0)[:, HOME + 1 :]
    return other.off & (other.on_bar | (outside & to_pass).any(axis=1))


def prime_against_prime(own: Side, other: Side) -> Bools:
    """Both sides hold four or more points in a row with a checker of the other behind them."""
    return own.primes & other.primes


def blitz(own: Side, other: Side) -> Bools:
    """The other side has a checker on the bar and no point in the subject's home board, of which the subject holds
    three to five points, with ten or more checkers there and in its outer board; nobody has borne off."""
    attacked = other.on_bar & (other.anchors == 0)
    attackers = own.between(1, BLITZ_ZONE) >= BLITZ_CHECKERS
    points = (own.home_points >= BLITZ_POINTS) & ~own.closed
    found: Bools = attacked & points & attackers & ~own.off & ~other.off
    return found


def crunched_board(own: Side, other: Side) -> Bools:
    """The subject has seven or more checkers on its three lowest points, at most one of its 4, 5 and 6 points, a
    checker back, and none borne off: it waits with a board that has fallen."""
    fallen = (own.between(1, DEEP) >= DEEP_CHECKERS) & (_count(own.held[:, DEEP:HOME]) <= 1)
    return own.contact & fallen & (own.back > 0) & ~own.off


def back_game(own: Side, other: Side) -> Bools:
    """The subject holds two or more points in the other's home board, or one with four or more checkers back, and
    trails in the race."""
    deep = (own.anchors >= 2) | (own.anchors == 1) & (own.back >= BACK_GAME_CHECKERS)
    found: Bools = own.contact & deep & own.trails(other)
    return found


def holding_game(own: Side, other: Side) -> Bools:
    """The subject holds one point in the other's home board, down to its ace point, or the other's bar point, and
    trails in the race; the other side has no checker back."""
    holds = (own.anchors == 1) | own.held[:, _ENTRY - 2]
    found: Bools = own.contact & holds & own.trails(other) & (other.back == 0)
    return found


def contact_bear_off(own: Side, other: Side) -> Bools:
    """The subject has all its checkers at home, or the other side on the bar against a closed board, and brings them
    off past a checker of the other."""
    return own.contact & (own.home | own.closed & other.on_bar)


def middle_game(own: Side, other: Side) -> Bools:
    """Any other contact: openings, middle games, holding games of both sides."""
    return own.contact


@dataclass(frozen=True)
class Kind:
    """A kind of position."""

    title: str
    rule: Rule
    subject: str = "the player on roll"
    """Whose chances are looked at."""

    @property
    def told(self) -> str:
        """The rule in a sentence."""
        return " ".join((self.rule.__doc__ or "").split())


KINDS = (
    Kind("bear-off", bear_off),
    Kind("long race", long_race),
    Kind("containment", containment, "who contains"),
    Kind("prime against prime", prime_against_prime),
    Kind("blitz", blitz, "the attacker"),
    Kind("crunched board", crunched_board, "whose board has fallen"),
    Kind("back game", back_game, "who plays it"),
    Kind("holding game", holding_game, "who holds the point"),
    Kind("bear-off with contact", contact_bear_off, "who bears off"),
    Kind("middle game", middle_game),
)
"""In the order in which they are asked for."""


@dataclass(frozen=True)
class Sorted:
    """What N positions are."""

    kinds: Counts
    """int64[N], as an index of `KINDS`."""
    on_roll: Bools
    """bool[N]: whether the player on roll is the subject."""


def sorted_by_kind(boards: Board) -> Sorted:
    """The kind of each board `int8[N, 26]` of a game that goes on."""
    mine, theirs = Side(boards), Side(np.ascontiguousarray(flip(boards)))
    kinds = np.full(len(boards), -1, dtype=np.int64)
    on_roll = np.ones(len(boards), dtype=np.bool_)
    for number, kind in enumerate(KINDS):
        as_mine, as_theirs = kind.rule(mine, theirs), kind.rule(theirs, mine)
        new = (kinds < 0) & (as_mine | as_theirs)
        kinds[new] = number
        on_roll[new] = as_mine[new]
    return Sorted(kinds, on_roll)


def _count(points: Bools) -> Counts:
    """How many of `points` bool[N, P], int64[N]."""
    count: Counts = points.sum(axis=1, dtype=np.int64)
    return count
