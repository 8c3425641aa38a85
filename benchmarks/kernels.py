"""Compiled loops over many positions, so that what is measured is bgai and not the calls from Python."""

from __future__ import annotations

import numpy as np

from bgai.kernels.compiler import kernel
from bgai.kernels.movegen import MAX_PLAYS, ROW, fill_slots, successors
from bgai.kernels.rolls import DICE, ROLL_COUNT, WEIGHTS
from bgai.kernels.static import generate, judge, pick_prepared, plays_table, prepare


@kernel
def best_successors(static, boards, rolls, chosen):
    """The 0-ply play of each position: boards int8[N, 26] and rolls int64[N, 2] to successors in `chosen`, int8[N, 26].

    Returns the number of successors that were evaluated.
    """
    at = plays_table(static)
    slots = np.zeros(ROW, np.int8)
    evaluated = 0
    for number in range(boards.shape[0]):
        fill_slots(boards[number], slots)
        count = generate(slots, rolls[number, 0], rolls[number, 1], at)
        best = judge(static, slots, count, at)
        evaluated += count
        for place in range(26):
            chosen[number, place] = at.successor[best, place]
    return evaluated


@kernel
def count_successors(boards, rolls):
    """Generates the distinct successors of each position, without the steps, and returns their number."""
    slots = np.zeros(ROW, np.int8)
    work = np.zeros(ROW, np.int8)
    buffer = np.zeros((MAX_PLAYS, ROW), np.int8)
    changed = np.zeros(MAX_PLAYS, np.int64)
    hashes = np.zeros(MAX_PLAYS, np.int64)
    no_steps = np.zeros((0, 4, 2), np.int8)
    total = 0
    for number in range(boards.shape[0]):
        fill_slots(boards[number], slots)
        total += successors(slots, rolls[number, 0], rolls[number, 1], buffer, changed, no_steps, hashes, work)
    return total


@kernel
def write_luck(static, worth, boards, rolls, luck):
    """How much better each roll is than the mean, to the player on roll and by the static equity of the best play.

    Args:
        worth: float32[6], see `bgai.kernels.static.worth_of`.
        boards: int8[N, 26], none finished.
        rolls: int64[N, 2].
        luck: float64[N], filled.
    """
    at = plays_table(static)
    slots = np.zeros(ROW, np.int8)
    for number in range(boards.shape[0]):
        fill_slots(boards[number], slots)
        prepare(static, slots, at)
        high, low = max(rolls[number, 0], rolls[number, 1]), min(rolls[number, 0], rolls[number, 1])
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
        luck[number] = mean - fell
