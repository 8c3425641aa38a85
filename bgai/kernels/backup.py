"""Exact one-ply backups: what a position is worth, averaged over all rolls instead of learnt from one."""

from __future__ import annotations

import numpy as np

from bgai.kernels.compiler import kernel
from bgai.kernels.forward import OUTPUTS, write_inverted
from bgai.kernels.movegen import ROW, fill_slots
from bgai.kernels.rolls import DICE, ROLL_COUNT, WEIGHTS
from bgai.kernels.static import generate, judge_prepared, plays_table, prepare


@kernel
def expected_outcomes(static, boards, result):
    """For each position the mean over the 21 rolls of what its best play is worth: `int8[N, 26]` to `float32[N, 5]`.

    The positions are not finished; both sides' chances are those of the player on roll.
    """
    at = plays_table(static)
    slots = np.zeros(ROW, np.int8)
    mean = np.zeros((1, OUTPUTS), np.float32)
    for index in range(boards.shape[0]):
        fill_slots(boards[index], slots)
        prepare(static, slots, at)
        mean[0] = 0
        for number in range(ROLL_COUNT):
            count = generate(slots, DICE[number, 0], DICE[number, 1], at)
            best = judge_prepared(static, count, at)
            for output in range(OUTPUTS):
                mean[0, output] += np.float32(WEIGHTS[number]) * at.outcomes[best, output]
        write_inverted(mean, 0, result, index)
