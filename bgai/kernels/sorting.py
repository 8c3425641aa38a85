"""Sorting plays out: what a small network with one hidden layer finds them worth, and which are the best few."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from bgai.kernels.compiler import bare_kernel, kernel
from bgai.kernels.forward import OUTPUTS, PADDED_OUTPUTS, changed_rows, points_lost, rows_of
from bgai.kernels.movegen import OPPONENT_OFF, OWN_OFF, ROW, flip_slots
from bgai.kernels.vector_filter import AT_ONCE, write_logits, write_worth
from bgai.kernels.vector_rows import sum_rows

_NEVER = np.float32(-1e6)
"""Logit of what is impossible."""


class Sorter(NamedTuple):
    """Scratch arrays for sorting the plays of one position, one set for each thread."""

    weights: np.ndarray
    """float32[5 * H + 8], the outer layer in the form that `write_logits` takes."""
    parent: np.ndarray
    """int8[ROW], the position before the plays, seen by the other side."""
    total: np.ndarray
    """[H], its first layer."""
    gained: np.ndarray
    """int32[1, ROW], rows that a first layer adds to a sum."""
    lost: np.ndarray
    """int32[1, ROW], and takes away."""
    numbers: np.ndarray
    """int64[1, 2], how many of both."""
    logits: np.ndarray
    """float32[5 * AT_ONCE]"""
    best: np.ndarray
    """int64[keep + 1], the best plays so far."""


@kernel
def sorter(net, keep):
    """Raises ValueError for a network that has not one hidden layer, unless nothing is to be kept."""
    if keep > 0 and net.widths.shape[0] != 2:
        raise ValueError("a network that sorts plays out has one hidden layer")
    width = net.widths[0]
    weights = np.zeros(OUTPUTS * width + PADDED_OUTPUTS, np.float32)
    if keep > 0:
        # The matrix turned round, and the bias as it is.
        for unit in range(width):
            for output in range(OUTPUTS):
                weights[output * width + unit] = net.weights[unit * PADDED_OUTPUTS + output]
        for output in range(PADDED_OUTPUTS):
            weights[OUTPUTS * width + output] = net.weights[width * PADDED_OUTPUTS + output]
    return Sorter(
        weights,
        np.zeros(ROW, np.int8),
        np.zeros(width, net.bias.dtype),
        np.zeros((1, ROW), np.int32),
        np.zeros((1, ROW), np.int32),
        np.zeros((1, 2), np.int64),
        np.zeros(OUTPUTS * AT_ONCE, np.float32),
        np.zeros(keep + 1, np.int64),
    )


@bare_kernel
def prepare_sorter(net, slots, sorter):
    """Makes ready for sorting plays of `slots`, int8[ROW], after any rolls: sums the first layer."""
    flip_slots(slots, sorter.parent)
    sorter.numbers[0, 0] = rows_of(sorter.parent, sorter.gained[0])
    sum_rows(net.table, sorter.gained, sorter.lost, sorter.numbers, 1, net.bias, sorter.total, 0)


@bare_kernel
def value_plays(net, worth, successor, changed, count, sorter, values):
    """What the first `count` plays of the prepared position are worth to the opponent.

    Args:
        worth: float32[6], see `bgai.kernels.static.worth_of`.
        values: float32[M], filled; M is `count` or more, a multiple of AT_ONCE.
    """
    gained, lost, logits = sorter.gained[0], sorter.lost[0], sorter.logits
    for first in range(0, count, AT_ONCE):
        for place in range(min(count - first, AT_ONCE)):
            index = first + place
            number = changed_rows(sorter.parent, successor, index, changed[index], gained, lost)
            write_logits(net.table, sorter.total, gained, lost, number, sorter.weights, logits, place)
            if successor[index, OPPONENT_OFF] > 0:
                logits[AT_ONCE + place] = _NEVER
            if successor[index, OWN_OFF] > 0:
                logits[3 * AT_ONCE + place] = _NEVER
        write_worth(logits, worth, values, first)
    if sorter.parent[OPPONENT_OFF] + 4 >= 15:
        for index in range(count):
            points = points_lost(successor, index)
            if points > 0:
                values[index] = worth[OUTPUTS]
                if points > 1:
                    values[index] += worth[3]
                if points > 2:
                    values[index] += worth[4]


@bare_kernel
def keep_least(keep, within, count, values, successor, changed, best):
    """Moves the plays of least value to the front, in their order; of equals the first ones. Returns how many.

    Args:
        keep: at most so many, 1 or more.
        within: float32, none that is worth so much more than the least.
        best: int64[keep + 1], scratch.
    """
    # Sorted by value; the place behind the last is for what falls out.
    length = 0
    bound = np.float32(np.inf)
    for index in range(count):
        value = values[index]
        if length == keep and value >= bound:
            continue
        place = length
        while place > 0 and values[best[place - 1]] > value:
            best[place] = best[place - 1]
            place -= 1
        best[place] = index
        length = min(length + 1, keep)
        bound = values[best[length - 1]]
    while values[best[length - 1]] > values[best[0]] + within:
        length -= 1
    for number in range(1, length):
        index = best[number]
        place = number
        while place > 0 and best[place - 1] > index:
            best[place] = best[place - 1]
            place -= 1
        best[place] = index
    for place in range(length):
        index = best[place]
        changed[place] = changed[index]
        for slot in range(ROW):
            successor[place, slot] = successor[index, slot]
    return length
