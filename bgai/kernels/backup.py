"""Exact one-ply backups: what a position is worth, averaged over all rolls instead of learnt from one."""

from __future__ import annotations

import numpy as np

from bgai.kernels.compiler import kernel
from bgai.kernels.forward import OUTPUTS, write_inverted
from bgai.kernels.games import generate, judge, table
from bgai.kernels.movegen import ROW, fill_slots


@kernel
def expected_outcomes(net, boards, result):
    """For each position the mean over the 21 rolls of what its best play is worth: `int8[N, 26]` to `float32[N, 5]`.

    The positions are not finished; both sides' chances are those of the player on roll.
    """
    at = table(net)
    slots = np.zeros(ROW, np.int8)
    mean = np.zeros((1, OUTPUTS), np.float32)
    for index in range(boards.shape[0]):
        fill_slots(boards[index], slots)
        mean[0] = 0
        for high in range(1, 7):
            for low in range(1, high + 1):
                weight = np.float32(1.0 / 36.0) if high == low else np.float32(2.0 / 36.0)
                count = generate(slots, high, low, at)
                best = judge(net, slots, count, at)
                for output in range(OUTPUTS):
                    mean[0, output] += weight * at.outcomes[best, output]
        write_inverted(mean, 0, result, index)
