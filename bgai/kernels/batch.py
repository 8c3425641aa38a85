"""Many positions in one call."""

from __future__ import annotations

import numpy as np

from bgai.kernels.compiler import kernel
from bgai.kernels.movegen import MAX_PLAYS, ROW, fill_slots, successors


@kernel
def legal_plays_of_many(boards, dice, first, successor, steps, offsets):
    """Legal plays from position `first` on, as long as there is room for the plays of any roll.

    Args:
        boards: int8[N, 26]; dice: int64[N, 2].
        successor: int8[M, ROW], filled from the start; steps: int8[M, 4, 2] or int8[0, 4, 2].
        offsets: int64[N + 1]; `offsets[first]` is given, those after it are filled.

    Returns:
        The number of the first position that was not treated, N at the end.
    """
    slots = np.zeros(ROW, np.int8)
    work = np.zeros(ROW, np.int8)
    changed = np.zeros(MAX_PLAYS, np.int64)
    hashes = np.zeros(MAX_PLAYS, np.int64)
    written = 0
    for number in range(first, boards.shape[0]):
        if written + MAX_PLAYS > successor.shape[0]:
            return number
        fill_slots(boards[number], slots)
        count = successors(
            slots, dice[number, 0], dice[number, 1], successor[written:], changed, steps[written:], hashes, work
        )
        written += count
        offsets[number + 1] = offsets[number] + count
    return boards.shape[0]
