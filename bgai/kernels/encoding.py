"""From boards to the dense inputs that PyTorch learns from."""

from __future__ import annotations

import numpy as np

from bgai.kernels.compiler import kernel
from bgai.kernels.forward import SLOTS
from bgai.kernels.movegen import ROW, fill_slots


@kernel
def encode(boards, features, starts, inputs):
    """Writes each slot's features side by side.

    Args:
        boards: int8[N, 26].
        features: float32[SLOTS, COUNTS, W], the features of a slot holding a count (-15 to 15).
        starts: int64[SLOTS + 1], where each slot's features begin among the inputs.
        inputs: float32[N, F], filled.
    """
    slots = np.empty(ROW, np.int8)
    for index in range(boards.shape[0]):
        fill_slots(boards[index], slots)
        for slot in range(SLOTS):
            begin = starts[slot]
            row = features[slot, np.int64(slots[slot]) + 15]
            for column in range(starts[slot + 1] - begin):
                inputs[index, begin + column] = row[column]
