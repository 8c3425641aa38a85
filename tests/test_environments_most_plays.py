"""The number of actions: no roll has more different plays, and one has as many."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from bgai.board import CHECKERS, Board, as_board
from bgai.environments import MOST_PLAYS, BackgammonEnv
from bgai.plays import legal_plays

STEPS = 4
STATES = [(last, total) for total in range(STEPS + 1) for last in range(total + 1)]
PLACE = {state: number for number, state in enumerate(STATES)}

WIDEST = as_board([-15, 0, 0, 1, 1, 0, 1, 1, 0, 1, 1, 0, 1, 1, 0, 1, 1, 0, 1, 1, 0, 1, 1, 0, 1, 0])
"""1-1 has the most plays here; the opponent stands on the bar, out of the way."""


def passing(checkers: int) -> NDArray[np.int64]:
    """How the number of ways grows by a point with so many checkers.

    A way says how often a checker leaves each point, from the 24-point down; of those that make `total` steps so far,
    a row counts the ones that leave the last point `last` times or more. A point can be left as often as it has
    checkers and others have come from the point before.
    """
    ways = np.zeros((len(STATES), len(STATES)), dtype=np.int64)
    for (last, total), row in PLACE.items():
        for left in range(last, total + 1):
            before = (max(left - checkers, 0), total - left)
            if before in PLACE:
                ways[row, PLACE[before]] += 1
    return ways


def most_ways(points: int) -> dict[int, int]:
    """For each number of steps the most ways, over all places of fifteen checkers on so many points.

    More ways so far can only mean more in the end, so of two beginnings that use the same number of checkers the one
    with fewer in every row can be dropped.
    """
    grow = [passing(checkers) for checkers in range(STEPS + 1)]
    start = np.zeros(len(STATES), dtype=np.int64)
    start[PLACE[0, 0]] = 1
    beginnings = {0: start[None]}
    for _ in range(points):
        longer: dict[int, list[NDArray[np.int64]]] = {}
        for used, ways in beginnings.items():
            for checkers in range(min(STEPS, CHECKERS - used) + 1):
                longer.setdefault(used + checkers, []).append(ways @ grow[checkers].T)
        beginnings = {used: undominated(np.concatenate(parts)) for used, parts in longer.items()}
    every = np.concatenate(list(beginnings.values()))
    return {total: int(every[:, PLACE[0, total]].max()) for total in range(1, STEPS + 1)}


def undominated(rows: NDArray[np.int64]) -> NDArray[np.int64]:
    kept: list[NDArray[np.int64]] = []
    for row in sorted(np.unique(rows, axis=0), key=lambda row: -row.sum()):
        if not any((other >= row).all() for other in kept):
            kept.append(row)
    return np.array(kept)


def ways_of(board: Board) -> int:
    """The ways of four steps from the points 24 to 2, by the same recurrence."""
    state = np.zeros(len(STATES), dtype=np.int64)
    state[PLACE[0, 0]] = 1
    for point in range(24, 1, -1):
        state = passing(min(int(board[point]), STEPS)) @ state
    return int(state[PLACE[0, STEPS]])


def test_no_roll_has_more_plays() -> None:
    """Without bearing off, a double d is played on d chains of points, 24 - d points that can be left; joined to one
    chain they have no fewer ways, so 1-1 is the worst, with points 24 to 2.

    What this leaves out has far fewer: two different dice are at most 2 x 15 x 15 plays; where something can be borne
    off, at most three checkers stand outside, so that the steps begin on nine places, C(12, 4) = 495 ways; and
    from the bar at most three steps are free.
    """
    most = most_ways(23)
    assert max(most.values()) == most[4] == MOST_PLAYS
    assert max(2 * 15 * 15, 495, most[3]) < MOST_PLAYS


def test_one_roll_has_as_many() -> None:
    assert len(legal_plays(WIDEST, (1, 1))) == MOST_PLAYS
    env = BackgammonEnv(None)
    observation, info = env.reset(seed=1, options={"board": WIDEST, "dice": (1, 1)})
    assert len(info["afterstates"]) == observation["action_mask"].sum() == MOST_PLAYS
    assert observation in env.observation_space
    env.step(np.int64(MOST_PLAYS - 1))


@pytest.mark.parametrize("seed", range(20))
def test_the_recurrence_counts_the_plays_of_the_generator(seed: int) -> None:
    """On boards that nobody can be borne off from: some checker stays far out."""
    rng = np.random.default_rng(seed)
    board = np.zeros(26, dtype=np.int8)
    np.add.at(board, rng.integers(2, 25, size=13), 1)
    board[[20, 24]] += 1
    board[0] = -15
    assert len(legal_plays(board, (1, 1))) == ways_of(board)
