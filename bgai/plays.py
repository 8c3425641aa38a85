"""Legal plays, of one position or of many."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bgai.board import Board, as_boards, result
from bgai.dice import check_roll
from bgai.errors import DiceError, PositionError
from bgai.kernels.batch import legal_plays_of_many
from bgai.kernels.movegen import MAX_PLAYS, ROW

Steps = NDArray[np.int8]
"""`int8[4, 2]`, or `int8[M, 4, 2]`: from and to of each step, 25 the bar, 0 off; unused steps are (0, 0)."""


@dataclass(frozen=True)
class Plays:
    """The plays of one roll. `M` is their number, at least 1: without a legal play the turn passes."""

    successors: Board
    """int8[M, 26]: the distinct positions after each play, seen by the opponent, who is on roll there."""
    steps: Steps
    """int8[M, 4, 2]: one way to get there."""

    def __len__(self) -> int:
        return len(self.successors)

    @property
    def must_pass(self) -> bool:
        """Whether there is no legal play."""
        return len(self) == 1 and not self.steps.any()


@dataclass(frozen=True)
class PlaysBatch:
    """The plays of `N` rolls, one after the other."""

    successors: Board
    """int8[M, 26]"""
    steps: Steps
    """int8[M, 4, 2], or int8[0, 4, 2] when steps were not asked for."""
    offsets: NDArray[np.int64]
    """int64[N + 1]: the plays of roll n are `offsets[n]` to `offsets[n + 1]`."""

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, number: int) -> Plays:
        if not -len(self) <= number < len(self):
            raise IndexError(number)
        number %= len(self)
        part = slice(self.offsets[number], self.offsets[number + 1])
        return Plays(self.successors[part], self.steps[part])

    def __iter__(self) -> Iterator[Plays]:
        return (self[number] for number in range(len(self)))


def legal_plays(board: Board, dice: tuple[int, int]) -> Plays:
    """All legal plays of the player on roll.

    Raises:
        DiceError: a die that is not 1 to 6.
        PositionError: the game is over.
    """
    return legal_plays_batch(np.asarray(board)[None], [dice])[0]


def legal_plays_batch(boards: ArrayLike, dice: ArrayLike, *, with_steps: bool = True) -> PlaysBatch:
    """All legal plays of many positions: boards `[N, 26]`, dice `[N, 2]` in any order.

    Raises:
        DiceError: a die that is not 1 to 6.
        PositionError: not boards, or a finished game.
    """
    positions = as_boards(boards)
    rolls = np.ascontiguousarray(dice, dtype=np.int64)
    if rolls.shape != (len(positions), 2):
        raise DiceError(f"dice have the shape [{len(positions)}, 2], found {list(rolls.shape)}")
    for high, low in rolls[((rolls < 1) | (rolls > 6)).any(axis=1)]:
        check_roll(int(high), int(low))
    over = ~((positions > 0).any(axis=1) & (positions < 0).any(axis=1))
    if over.any():
        number = int(np.flatnonzero(over)[0])
        raise PositionError(f"the game is over in position {number} ({result(positions[number]):+d} points)")

    offsets = np.zeros(len(positions) + 1, dtype=np.int64)
    room = 24 * len(positions) + MAX_PLAYS
    parts: list[tuple[NDArray[np.int8], NDArray[np.int8]]] = []
    done = 0
    while done < len(positions):
        successors = np.empty((room, ROW), dtype=np.int8)
        steps = np.empty((room if with_steps else 0, 4, 2), dtype=np.int8)
        before = offsets[done]
        done = legal_plays_of_many(positions, rolls, done, successors, steps, offsets)
        written = offsets[done] - before
        parts.append((successors[:written, :26], steps[:written]))
    if not parts:
        return PlaysBatch(np.empty((0, 26), np.int8), np.empty((0, 4, 2), np.int8), offsets)
    return PlaysBatch(
        np.concatenate([successors for successors, _ in parts]), np.concatenate([steps for _, steps in parts]), offsets
    )
