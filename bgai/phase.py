"""Kinds of position: contact, race and bear-off."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bgai.board import Board
from bgai.kernels.phase import cube_efficiencies_of_many, last_rolls_of_many, phases_of_many

PHASES = ("contact", "race", "bearoff")
"""In the order of the numbers CONTACT, RACE and BEAROFF of `bgai.kernels.phase`."""


def phases(boards: Board) -> NDArray[np.int64]:
    """The kind of each board `int8[N, 26]`, as an index of `PHASES`.

    Contact: some checker has still to pass one of the other side. Race: none has. Bear-off: a race with all
    checkers of both sides in their home boards.
    """
    result = np.empty(len(boards), dtype=np.int64)
    phases_of_many(np.ascontiguousarray(boards, dtype=np.int8), result)
    return result


def last_rolls(boards: Board) -> NDArray[np.bool_]:
    """Whether the opponent ends the game with any roll if the player on roll does not, `bool[N]`.

    It has one checker left, on its 3 point or lower (2-1 is the smallest roll), or two of which one is on its ace point
    and the other there or on the 2 point, and there is no contact. Nobody will turn the cube again.
    """
    result = np.empty(len(boards), dtype=np.bool_)
    last_rolls_of_many(np.ascontiguousarray(boards, dtype=np.int8), result)
    return result


def cube_efficiencies(boards: Board, by_phase: NDArray[np.float64]) -> NDArray[np.float64]:
    """How live the cube is in boards `int8[N, 26]` before the roll: by their phase, 0 at last rolls; `float64[N]`."""
    result = np.empty(len(boards), dtype=np.float64)
    cube_efficiencies_of_many(np.ascontiguousarray(boards, dtype=np.int8), by_phase, result)
    return result
