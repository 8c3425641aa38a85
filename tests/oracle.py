"""The rules of backgammon, slow and obvious, to test the fast ones against.

Nothing here comes from bgai, neither code nor representation. A side is the list of the points where its
checkers stand, each in the numbering of its owner: 25 the bar, 24 to 1 the points; a checker borne off is
gone. A play is found by trying every order of the dice and every checker for each of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

Side = tuple[int, ...]
"""Where the checkers of one side stand, in ascending order."""

BAR = 25
CHECKERS = 15


class State(NamedTuple):
    """A position, and whose turn it is."""

    mover: Side
    other: Side


def from_board(board: Sequence[int]) -> State:
    """From 26 counts as the mover numbers the points: [0] the other's bar (negative), [25] the mover's."""
    mover = [place for place, count in enumerate(board) for _ in range(count)]
    other = [25 - place for place, count in enumerate(board) for _ in range(-count)]
    return State(tuple(sorted(mover)), tuple(sorted(other)))


def step(state: State, start: int, die: int) -> State | None:
    """The mover moves a checker from `start` by one die; None when that is against the rules."""
    mover, other = list(state.mover), list(state.other)
    if BAR in mover and start != BAR:
        return None
    end = start - die
    if end <= 0:
        highest = max(mover)
        if highest > 6 or (end < 0 and highest > start):
            return None
    mover.remove(start)
    if end > 0:
        facing = 25 - end
        if other.count(facing) >= 2:
            return None
        if facing in other:
            other.remove(facing)
            other.append(BAR)
        mover.append(end)
    return State(tuple(sorted(mover)), tuple(sorted(other)))


def legal_plays(state: State, first: int, second: int) -> set[State]:
    """Every position that the roll can lead to, with the other side on roll; none if nothing can be played."""
    orders = [(first,) * 4] if first == second else [(first, second), (second, first)]
    ends: dict[tuple[int, ...], set[State]] = {}
    for order in orders:
        reached = {state}
        for number, die in enumerate(order, start=1):
            tried = [step(before, start, die) for before in reached for start in set(before.mover)]
            reached = {after for after in tried if after is not None}
            if reached:
                ends.setdefault(order[:number], set()).update(reached)
    if not ends:
        return set()
    most = max(len(dice) for dice in ends)
    longest = {dice: reached for dice, reached in ends.items() if len(dice) == most}
    if most == 1 and first != second:
        larger = max(longest)
        longest = {larger: longest[larger]}
    return {State(after.other, after.mover) for reached in longest.values() for after in reached}


def result(state: State) -> int:
    """Points that the mover has won (> 0) or lost (< 0); 0 while both sides have checkers."""
    if state.mover and state.other:
        return 0
    loser = state.mover or state.other
    points = 1
    if len(loser) == CHECKERS:
        points = 3 if max(loser) >= 19 else 2
    return -points if state.mover else points
