"""Orders of steps, against all orders that a slow and obvious reading of the rules allows."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from bgai.board import START, Board, flip
from bgai.plays import legal_plays
from bgai.room.step_tree import Node, step_tree
from tests.oracle import State, from_board, step
from tests.positions import game_positions

Path = tuple[tuple[int, int], ...]
"""Starts and dice."""


def legal_paths(board: Board, dice: tuple[int, int]) -> set[Path]:
    """All sequences of steps that use as many dice as can be used, or end the game; the larger die if only one can."""

    def paths(state: State, left: tuple[int, ...]) -> Iterator[Path]:
        yield ()
        for die in set(left):
            rest = list(left)
            rest.remove(die)
            for start in set(state.mover):
                after = step(state, start, die)
                if after is not None:
                    for path in paths(after, tuple(rest)):
                        yield ((start, die), *path)

    found = set(paths(from_board(board.tolist()), dice if dice[0] != dice[1] else dice * 2))
    longest = max(map(len, found))
    best = {path for path in found if len(path) == longest}
    if longest == 1 and dice[0] != dice[1] and any(path[0][1] == max(dice) for path in best):
        best = {path for path in best if path[0][1] == max(dice)}
    return best | {path for path in found if not (landed(board, path) > 0).any()}


def tree_paths(nodes: tuple[Node, ...], number: int = 0) -> Iterator[tuple[Path, int]]:
    """All ways through the tree, with the play at their end."""
    node = nodes[number]
    assert (node.play is None) == bool(node.steps)
    if node.play is not None:
        yield (), node.play
    for start, end, die, after in node.steps:
        assert end == max(start - die, 0)
        for path, play in tree_paths(nodes, after):
            yield ((start, die), *path), play


def landed(board: Board, path: Path) -> Board:
    """The board after a path as docs/games.md says how to draw it, seen by who plays."""
    after = board.copy()
    for start, die in path:
        end = max(start - die, 0)
        after[start] -= 1
        if end and after[end] == -1:
            after[end] = 0
            after[0] -= 1
        if end:
            after[end] += 1
    return after


def check(board: Board, dice: tuple[int, int]) -> None:
    plays = legal_plays(board, dice)
    found = dict(tree_paths(step_tree(board, plays, dice)))
    assert set(found) == (legal_paths(board, dice) if not plays.must_pass else {()})
    assert set(found.values()) == set(range(len(plays)))
    for path, play in list(found.items())[:200]:
        assert np.array_equal(flip(landed(board, path)), plays.successors[play])


def test_positions_of_games() -> None:
    boards, rolls = game_positions(150, seed=5)
    doubles = 0
    for board, (first, second) in zip(boards, rolls.tolist(), strict=True):
        if first == second:
            doubles += 1
            if doubles > 4:
                continue
        check(board, (first, second))


@pytest.mark.parametrize(
    ("checkers", "dice"),
    [
        ({2: 1, 4: 1, 24: -2}, (2, 1)),  # 2/off comes to the same as 2/1/off, but 4/3 can still be played then
        ({6: 1, 24: -2}, (6, 1)),  # 6/off ends the game at once
        ({25: 2, 6: 3, 22: -2}, (3, 1)),  # one of two enters
        ({25: 1, 24: 1, 19: -2, 20: -2, 21: -2, 22: -2, 23: -2}, (6, 5)),  # nobody enters
        ({13: 1, 6: -2, 2: -2}, (6, 5)),  # one die can be played, the larger one cannot go on
        ({8: 2, 5: 2, 24: -2}, (6, 4)),
        ({25: 1, 20: 1, 18: -1, 15: -1, 6: 2}, (5, 2)),
    ],
)
def test_corners(checkers: dict[int, int], dice: tuple[int, int]) -> None:
    board = np.zeros(26, dtype=np.int8)
    for point, count in checkers.items():
        board[point] = count
    check(board, dice)


def test_the_opening_double_has_few_nodes() -> None:
    """A board in the middle of a turn is there once, however it is reached."""
    plays = legal_plays(START, (2, 2))
    nodes = step_tree(START, plays, (2, 2))
    assert len(plays) == 75
    assert len(nodes) < 2 * len(plays)
