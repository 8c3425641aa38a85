"""How lucky rolls were, by one network's judgement."""

from __future__ import annotations

import numpy as np

from bgai.kernels.compiler import kernel
from bgai.kernels.movegen import ROW, fill_slots
from bgai.kernels.rolls import DICE, ROLL_COUNT, WEIGHTS
from bgai.kernels.static import generate, pick_prepared, plays_table, prepare


@kernel
def luck_of(static, worth, slots, first, second, at):
    """How much better a roll is than the mean of all, to the player on roll and by the static equity of the best play.

    Over all rolls, each with its chance, it sums to 0 whatever the static equities are.

    Args:
        worth: float32[6], the opponent's, see `bgai.kernels.static.worth_of`.
        slots: int8[ROW], not finished.
        at: of `static`, see `bgai.kernels.static.plays_table`.
    """
    high, low = max(first, second), min(first, second)
    prepare(static, slots, at)
    mean = 0.0
    fell = 0.0
    for each in range(ROLL_COUNT):
        count = generate(slots, DICE[each, 0], DICE[each, 1], at)
        _, best = pick_prepared(static, worth, count, at)
        # The opponent's, who is on roll after the play.
        worst = np.float64(at.equities[best])
        mean += WEIGHTS[each] * worst
        if DICE[each, 0] == high and DICE[each, 1] == low:
            fell = worst
    return mean - fell


@kernel
def write_luck(static, worth, boards, rolls, luck):
    """`luck_of` many rolls.

    Args:
        boards: int8[N, 26], none finished.
        rolls: int64[N, 2].
        luck: float64[N], filled.
    """
    at = plays_table(static)
    slots = np.zeros(ROW, np.int8)
    for number in range(boards.shape[0]):
        fill_slots(boards[number], slots)
        luck[number] = luck_of(static, worth, slots, rolls[number, 0], rolls[number, 1], at)
