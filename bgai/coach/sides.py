"""What a side has on the board: points, anchors, primes, blots, spares, stacks; facts that need no engine.

Points are counted as the side itself counts them: 1 to 6 its home board, 7 its bar point, 24 the other's ace point.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

import numpy as np

from bgai.board import BAR, HOME, Board, borne_off, flip, has_contact, pip_count, result
from bgai.coach.rolls import Attack, Blot, Entry, Reach

THEIR_HOME = 19
"""Points 19 to 24 are the other side's home board."""
POINT = 2
"""Checkers that make a point."""
STACK = 5
"""Checkers from which on a point is a stack."""
DEEP = 2
"""Checkers on points 1 and 2 are deep, which leaves little use for them while there is contact."""
SHORTEST_PRIME = 4
"""Points in a row that are called a prime."""
_WINDOW = 6
"""A full prime."""


@dataclass(frozen=True)
class Prime:
    """Points in a row, or nearly so."""

    high: int
    low: int
    """Its first and last point."""
    length: int
    """Points made between them, both included."""
    trapped: int
    """Checkers of the other side behind it, those on the bar included."""


@dataclass(frozen=True)
class Side:
    """One side of a board."""

    pips: int
    bar: int
    off: int
    points: tuple[int, ...]
    """All points made, from the highest down."""
    home_points: tuple[int, ...]
    board: int
    """How many points of the home board it holds: a board of so many points."""
    anchors: tuple[int, ...]
    """Points made in the other's home board, 19 to 24."""
    prime: Prime | None
    """The longest run of at least four points; of equal ones the one that traps more, then the highest."""
    broken_prime: Prime | None
    """At least five of six points in a row, or four of five, with one gap, where there is no prime of that length."""
    blots: tuple[Blot, ...]
    """From the highest down, with the rolls that hit them if the other side rolls now."""
    shots: int
    """Of 36 rolls of the other side, those that hit at least one blot."""
    costly_shots: int
    """Those that hit one outside the other's home board, which sends it back seven pips or more."""
    double_shots: int
    """Those that can hit two."""
    builders: tuple[int, ...]
    """Points 4 to 12 with a checker that can be spared to make a point further on: a blot, or a third checker."""
    spares: int
    """Checkers beyond the second on every point made."""
    stacks: tuple[tuple[int, int], ...]
    """Points with five checkers or more, and how many, from the highest down."""
    back: int
    """Checkers in the other's home board or on the bar."""
    outside: int
    """Checkers that are not at home yet."""
    deep: int
    """Checkers on points 1 and 2 while there is contact."""
    zone: int
    """Checkers on points 1 to 12, which can join an attack on the home board."""
    entry: Entry | None
    """How its checkers come in if it rolls now; None if none is on the bar."""
    escapes: int | None
    """Of 36 rolls, those that bring a checker out of the other's home board, past a prime in front of it; None if
    nobody is back."""


def both_sides(board: Board) -> tuple[Side, Side]:
    """The player on roll and the opponent."""
    return sides_of(board[None])[0]


def sides_of(boards: Board) -> list[tuple[Side, Side]]:
    """The same of N boards `int8[N, 26]`. Where the game is over nobody attacks any more."""
    seen = np.stack([boards, flip(boards)], axis=1).reshape(-1, boards.shape[-1])
    going_on = np.array([not result(board) for board in seen])
    attacks = [Attack((), 0, 0, 0)] * len(seen)
    entries: list[Entry | None] = [None] * len(seen)
    escapes = [0] * len(seen)
    if going_on.any():
        reach = Reach(seen[going_on])
        numbers = np.flatnonzero(going_on)
        past = reach.past([escape_edge(board) for board in reach.boards])
        for number, attack, entry, count in zip(numbers, reach.attacks(), reach.entries(), past, strict=True):
            # The blots that a side hits are the other's.
            attacks[number ^ 1], entries[number], escapes[number] = attack, entry, count
    sides = [side_of(*one) for one in zip(seen, attacks, entries, escapes, strict=True)]
    return list(zip(sides[::2], sides[1::2], strict=True))


def side_of(board: Board, attack: Attack, entry: Entry | None, escapes: int) -> Side:
    """The side that sees the board so, with what the other's rolls do to it and its own rolls do for it."""
    counts = [max(count, 0) for count in board.tolist()]
    points = tuple(point for point in range(24, 0, -1) if counts[point] >= POINT)
    home = tuple(point for point in points if point <= HOME)
    back = sum(counts[THEIR_HOME:])
    contact = has_contact(board)
    return Side(
        pips=int(pip_count(board)),
        bar=counts[BAR],
        off=int(borne_off(board)),
        points=points,
        home_points=home,
        board=len(home),
        anchors=tuple(point for point in points if point >= THEIR_HOME),
        prime=prime_of(board),
        broken_prime=broken_prime_of(board),
        blots=attack.blots,
        shots=attack.hits,
        costly_shots=attack.costly_hits,
        double_shots=attack.double_hits,
        builders=tuple(point for point in range(12, 3, -1) if counts[point] == 1 or counts[point] > POINT),
        spares=sum(counts[point] - POINT for point in points),
        stacks=tuple((point, counts[point]) for point in points if counts[point] >= STACK),
        back=back,
        outside=sum(counts[HOME + 1 :]),
        deep=sum(counts[1 : DEEP + 1]) if contact else 0,
        zone=sum(counts[1:13]),
        entry=entry,
        escapes=escapes if back and contact else None,
    )


def prime_of(board: Board) -> Prime | None:
    """The longest run of points of the side on roll, of at least four."""
    counts = board.tolist()
    held = [place for place in range(1, 25) if counts[place] >= POINT]
    runs = [[place for _, place in run] for _, run in groupby(enumerate(held), lambda pair: pair[1] - pair[0])]
    return _longest([_prime(counts, run[-1], run[0]) for run in runs if len(run) >= SHORTEST_PRIME])


def broken_prime_of(board: Board) -> Prime | None:
    """Four of five or five of six points of the side on roll with one gap, longer than its prime."""
    counts = board.tolist()
    whole = prime_of(board)
    found = []
    for size in (_WINDOW - 1, _WINDOW):
        if whole is not None and whole.length >= size - 1:
            continue
        for low in range(1, 26 - size):
            if counts[low] >= POINT and counts[low + size - 1] >= POINT:
                prime = _prime(counts, low + size - 1, low)
                found += [prime] * (prime.length == size - 1)
    return _longest(found)


def _longest(primes: list[Prime]) -> Prime | None:
    return max(primes, key=lambda prime: (prime.length, prime.trapped, prime.high), default=None)


def _prime(counts: list[int], high: int, low: int) -> Prime:
    length = sum(count >= POINT for count in counts[low : high + 1])
    return Prime(high, low, length, -sum(count for count in counts[:low] if count < 0))


def escape_edge(board: Board) -> int:
    """The point to which a checker of the side on roll must come to be out.

    It is 18, the first point outside the other's home board, or the first point beyond a prime of the other side
    that holds some checker.
    """
    theirs = prime_of(flip(board))
    if theirs is None or not theirs.trapped:
        return THEIR_HOME - 1
    return min(THEIR_HOME - 1, BAR - theirs.high - 1)
