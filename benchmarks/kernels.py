"""Compiled loops over many positions, so that what is measured is bgai and not the calls from Python."""

from __future__ import annotations

import numpy as np

from bgai.kernels.compiler import kernel
from bgai.kernels.movegen import MAX_PLAYS, ROW, fill_slots, successors
from bgai.kernels.static import generate, judge, plays_table


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
