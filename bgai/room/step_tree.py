"""Every order in which the steps of a roll can be made, for boards on which checkers are moved one at a time.

>>> from bgai.board import START
>>> from bgai.plays import legal_plays
>>> tree = step_tree(START, legal_plays(START, (6, 5)), (6, 5))
>>> sorted(step[:3] for step in tree[0].steps)[:3]
[(8, 2, 6), (8, 3, 5), (13, 7, 6)]
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bgai.board import BAR, HOME, Board
from bgai.plays import Plays

_Checkers = tuple[int, ...]
_Dice = tuple[int, ...]
_Place = tuple[_Checkers, _Dice]
"""A board, and the dice that are left, the larger first."""


@dataclass(frozen=True)
class Node:
    """Where checkers stand in the middle of a turn, or at its end."""

    steps: tuple[tuple[int, int, int, int], ...]
    """What can be done next: from, to, die, and the number of the node it leads to."""
    play: int | None
    """The number of the play that is complete here; nothing can be done next then."""


def step_tree(board: Board, plays: Plays, dice: tuple[int, int]) -> tuple[Node, ...]:
    """The nodes, of which number 0 is where the turn begins; a node is there once, however it is reached.

    Args:
        plays: all that are legal. Steps that are the beginning of none of them are left out.
    """
    complete = {
        tuple(-count for count in reversed(after)): number for number, after in enumerate(plays.successors.tolist())
    }
    left: _Dice = (dice[0],) * 4 if dice[0] == dice[1] else (max(dice), min(dice))
    start: _Place = (tuple(board.tolist()), left)
    following: dict[_Place, list[tuple[int, int, int, _Place]]] = {}

    def leads_somewhere(place: _Place) -> bool:
        if place not in following:
            following[place] = [step for step in _steps(place) if leads_somewhere(step[3])]
        return bool(following[place]) or place[0] in complete

    leads_somewhere(start)
    numbers: dict[_Place, int] = {start: 0}
    order = [start]
    nodes: list[Node] = []
    while len(nodes) < len(order):
        place = order[len(nodes)]
        steps = following[place]
        for *_, after in steps:
            if after not in numbers:
                numbers[after] = len(order)
                order.append(after)
        found = tuple((begin, end, die, numbers[after]) for begin, end, die, after in steps)
        # With dice that can still be played the turn is not over, though another way to this board may end there.
        nodes.append(Node(found, None if found else complete[place[0]]))
    return tuple(nodes)


def _steps(place: _Place) -> Iterator[tuple[int, int, int, _Place]]:
    """Every step that one checker can make by one die."""
    checkers, dice = place
    starts = [BAR] if checkers[BAR] else [point for point in range(24, 0, -1) if checkers[point] > 0]
    rearmost = starts[0] if starts else 0
    for die in dict.fromkeys(dice):
        rest = list(dice)
        rest.remove(die)
        for begin in starts:
            end = begin - die
            if end <= 0 and (rearmost > HOME or (end < 0 and begin != rearmost)):
                continue
            end = max(end, 0)
            if end and checkers[end] < -1:
                continue
            yield begin, end, die, (_after(checkers, begin, end), tuple(rest))


def _after(checkers: _Checkers, begin: int, end: int) -> _Checkers:
    after = list(checkers)
    after[begin] -= 1
    if end:
        if after[end] < 0:
            after[end] = 0
            after[0] -= 1
        after[end] += 1
    return tuple(after)
