"""A hand-written opponent for the first minutes of training.

It runs when ahead and safe, makes points it likes, keeps blots away from direct shots and hits when it can: the
first things a beginner is told. The weights were written down, not fitted.
"""

from __future__ import annotations

import numpy as np

from bgai.kernels.compiler import kernel
from bgai.kernels.movegen import OPPONENT_OFF, ROW, fill_slots

POINT_VALUES = np.array(
    # off 1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24
    [0, 0, 1, 3, 6, 8, 7, 6, 4, 2, 1, 1, 1, 2, 0, 1, 1, 1, 5, 3, 7, 6, 3, 1, 1, 0],
    dtype=np.float32,
)
"""What holding a point with two checkers or more is worth, in pips, by the mover's own count."""


@kernel
def heuristic_score(successor, index):
    """How the side that has just moved likes its position, in pips; `successor[index]` is the opponent's view."""
    score = np.float32(0.0)
    mine = np.int64(0)
    theirs = np.int64(0)
    last_enemy = np.int64(25)
    home_points = 0
    for point in range(26):
        count = -np.int64(successor[index, 25 - point])
        if count > 0:
            mine += point * count
        elif count < 0:
            theirs -= (25 - point) * count
            last_enemy = min(last_enemy, point)
    for point in range(1, 25):
        count = -np.int64(successor[index, 25 - point])
        if count >= 2:
            if point > last_enemy:
                score += POINT_VALUES[point]
            if point <= 6:
                home_points += 1
            score -= np.float32(0.5) * max(count - 3, 0)
        elif count == 1 and point > last_enemy:
            exposed = np.float32(0.0)
            for distance in range(1, min(point, 11) + 1):
                if successor[index, 25 - point + distance] > 0:
                    exposed += np.float32(0.33) if distance <= 6 else np.float32(0.1)
            score -= min(exposed, np.float32(0.75)) * (25 - point + 6)
    score += np.float32(theirs - mine) * np.float32(0.7)
    score += np.float32(2.5) * home_points * min(np.int64(successor[index, 25]), 2)
    return score + np.float32(4.0) * successor[index, OPPONENT_OFF]


@kernel
def best_by_heuristic(successor, count):
    """The index of the play that the hand-written player prefers; of equals, the first."""
    best = 0
    best_score = heuristic_score(successor, 0)
    for index in range(1, count):
        score = heuristic_score(successor, index)
        if score > best_score:
            best_score = score
            best = index
    return best


@kernel
def heuristic_scores(boards):
    """`heuristic_score` of boards `int8[N, 26]` as they stand after the plays."""
    slots = np.zeros((1, ROW), np.int8)
    scores = np.empty(boards.shape[0], np.float32)
    for index in range(boards.shape[0]):
        fill_slots(boards[index], slots[0])
        scores[index] = heuristic_score(slots, 0)
    return scores
