"""How good plays are that the one-sided table chooses, measured against the exact values.

    pytest -m check -s tests/test_bearoff_accuracy.py

prints the figures of docs/bearoff.md: every pair of positions with up to six checkers a side, every roll.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from bgai import bearoff
from bgai.bearoff import opening
from bgai.bearoff.solving import positions_of
from bgai.board import flip
from bgai.dice import ROLLS
from bgai.kernels.bearoff import fill_position, list_plays
from bgai.kernels.movegen import ROW
from bgai.notation.positionid import format_position_id

CHECKERS = 6
MILLI = 1000
WITHIN = 0.001

Matrix = NDArray[np.float32]


def sides() -> NDArray[np.int8]:
    """The positions of one side, alone on the board, int8[924, 26]."""
    slots = np.zeros(ROW, np.int8)
    boards = np.zeros((positions_of(CHECKERS), 26), np.int8)
    for number, board in enumerate(boards):
        fill_position(number, slots)
        board[:] = slots[:26]
    return boards


class Losses:
    """Losses of one way to choose, over all decisions with more than one play."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.worst = 0.0
        self.where = ""
        self.total = self.weight = 0.0
        self.decisions = self.over = 0

    def add(self, losses: Matrix, own: int, roll: tuple[int, int], boards: NDArray[np.int8]) -> None:
        """Of position `own` against all others, from number 1 on."""
        weight = 1 if roll[0] == roll[1] else 2
        self.total += weight * float(losses.sum(dtype=np.float64))
        self.weight += weight * len(losses)
        self.decisions += len(losses)
        self.over += int((losses > WITHIN).sum())
        other = int(losses.argmax())
        if losses[other] > self.worst:
            self.worst = float(losses[other])
            self.where = f"{format_position_id(boards[own] + flip(boards[other + 1]))} {roll[0]}{roll[1]}"

    def __str__(self) -> str:
        return (
            f"{self.name}: mean {MILLI * self.total / self.weight:.4f} millipoints, worst {self.worst:.4f}"
            f" ({self.where}), more than {WITHIN} in {self.over:,} of {self.decisions:,} decisions"
        )


@pytest.mark.check
def test_plays_chosen_by_the_one_sided_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BGAI_CACHE", str(tmp_path))
    monkeypatch.setattr(opening, "_OPENED", {})
    one, two = bearoff.one_sided(), bearoff.two_sided(CHECKERS)
    boards = sides()
    count = len(boards)
    starts = np.zeros(count * len(ROLLS) + 1, np.int64)
    plays = np.zeros(list_plays(count, starts, np.zeros(0, np.int32)), np.int32)
    list_plays(count, starts, plays)
    # Seen by the opponent, who is on roll after the play: [its position, ours].
    win = np.ones((count, count), np.float32)
    for number in range(1, count):
        win[number] = one.outcomes(boards[number] + flip(boards))[:, 0]
    exact = two.values[..., 0]
    error = np.abs(win - (exact + 1) / 2)[1:, 1:]
    double = np.minimum(2 * two.values[..., 3], 1)
    # Our cube in the middle, ours, the opponent's.
    cubes = [np.maximum(two.values[..., 1], double), two.values[..., 3], np.maximum(two.values[..., 2], double)]
    means = one.means[:count]
    by_win, by_mean = Losses("by chance to win, without a cube"), Losses("by mean rolls, without a cube")
    with_cube = Losses("by chance to win, with a cube")
    exact_with_cube = Losses("by exact chance to win, with a cube")
    for own in range(1, count):
        for number, roll in enumerate(ROLLS):
            after = plays[starts[own * len(ROLLS) + number] : starts[own * len(ROLLS) + number + 1]]
            if len(after) == 1:
                continue
            chosen, rows = win[1:, after].argmin(axis=1), np.arange(count - 1)
            values = exact[1:, after]
            best = values.min(axis=1)
            by_win.add(values[rows, chosen] - best, own, roll, boards)
            by_mean.add(values[:, means[after].argmin()] - best, own, roll, boards)
            exactly = values.argmin(axis=1)
            for cube in cubes:
                worth = cube[1:, after]
                with_cube.add(worth[rows, chosen] - worth.min(axis=1), own, roll, boards)
                exact_with_cube.add(worth[rows, exactly] - worth.min(axis=1), own, roll, boards)
    print()
    print(f"chance to win: off by {error.mean():.5f} on average, {error.max():.4f} at worst")
    print(*(by_win, by_mean, with_cube, exact_with_cube), sep="\n")
    assert error.max() < 0.0145
    assert by_win.worst < 0.018
    assert by_win.over < 0.004 * by_win.decisions
    assert MILLI * by_win.total / by_win.weight < 0.02
