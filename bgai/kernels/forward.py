"""The network's forward pass.

The first layer is sparse: a position has 28 slots (see `bgai.kernels.movegen`), and the count in a slot
selects one row of a table, so a position costs about a dozen row additions, and a successor, which differs
from its parent in about four slots, far fewer. Most units of a hidden layer are silent in any one position, so the
layer behind looks at the others only.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from bgai.kernels.compiler import bare_kernel, kernel
from bgai.kernels.movegen import OPPONENT_OFF, OWN_OFF, ROW, fill_slots, flip_slots
from bgai.kernels.vector import ROWS, TOGETHER, lowest_bit
from bgai.kernels.vector_layers import LISTED, chances, hidden_shared, list_shared
from bgai.kernels.vector_rows import sum_rows

SLOTS = 28
COUNTS = 31
"""Rows of a slot: counts -15 to 15."""
EMPTY = 15
"""A row of zeros: that of no checker in the first slot."""
OUTPUTS = 5
PADDED_OUTPUTS = 8


class Net(NamedTuple):
    """A network as flat arrays, the form that kernels take: exact, or quantised by `bgai.kernels.quantised`.

    `H` is the width of the first layer. Both forms pass through the same kernels; Numba compiles them for each.
    """

    table: np.ndarray
    """float32[SLOTS * COUNTS, H], quantised int16: what each slot and count adds to the first layer; nothing for
    count 0."""
    bias: np.ndarray
    """float32[H], quantised int16: bias of the first layer."""
    weights: np.ndarray
    """float32[...]: the dense layers one after the other; each is its matrix [in, out], then its bias [out]."""
    widths: np.ndarray
    """int64[L]: outputs of each layer, the first included, padded with zero weights: the first to a multiple of
    `vector.BLOCK`, hidden ones to `vector.LANES`, the last to PADDED_OUTPUTS."""


@bare_kernel
def rows_of(slots, rows):
    """The rows of a position, into `rows`; behind them up to TOGETHER - 1 empty ones. Returns their number."""
    count = 0
    for slot in range(SLOTS):
        # Without branches: a row of count 0 is written over by the next.
        rows[count] = slot * COUNTS + np.int64(slots[slot]) + 15
        count += slots[slot] != 0
    padded = -(-count // TOGETHER) * TOGETHER
    for number in range(count, padded):
        rows[number] = EMPTY
    return padded


@bare_kernel
def changed_rows(slots, successor, index, changed, gained, lost):
    """The rows that the position `successor[index]` gains over its parent and those it loses.

    `changed` is the set of slots to look at. Returns how many rows are in each list; some are empty.
    """
    # A slot behind the last, where there is never a checker, fills the places that are left.
    behind = np.int64(1) << SLOTS
    changed |= behind
    count = 0
    while True:
        for number in range(count, count + TOGETHER):
            slot = lowest_bit(changed)
            row = slot * COUNTS + 15 if slot < SLOTS else EMPTY
            gained[number] = row + np.int64(successor[index, slot])
            lost[number] = row + np.int64(slots[slot])
            changed &= (changed - 1) | behind
        count += TOGETHER
        if changed == behind:
            return count


@bare_kernel
def _layers(net, source, count, space):
    """All layers of the first `count` of ROWS positions: a row of `space.hidden` gets the chances.

    Their first layers are `source` and the rows in `space`.
    """
    width = net.widths[0]
    last = net.widths.shape[0] - 1
    sum_rows(net.table, space.gained, space.lost, space.numbers, count, source, space.sums, width)
    list_shared(space.sums, count, width, width, space.units, space.active, space.found)
    stride = space.hidden.shape[0] // ROWS
    start = np.int64(0)
    for layer in range(1, last):
        wide = net.widths[layer]
        hidden_shared(
            net.weights, start, space.units, space.active, space.found, count, space.hidden, stride, width, wide
        )
        start += wide * (width + 1)
        width = wide
        list_shared(space.hidden, count, stride, width, space.units, space.active, space.found)
    wide = net.widths[last]
    chances(net.weights, start, space.units, space.active, space.found, count, space.hidden, stride, width, wide)


@bare_kernel
def _write_chances(chances, begin, slots, place, result, index):
    """Copies five chances and makes them obey the rules for `slots[place]`, as `bgai.outcomes.possible` does."""
    for output in range(OUTPUTS):
        result[index, output] = chances[begin + output]
    win = result[index, 0]
    if slots[place, OPPONENT_OFF] > 0:
        result[index, 1] = 0
    if slots[place, OWN_OFF] > 0:
        result[index, 3] = 0
    result[index, 1] = min(result[index, 1], win)
    result[index, 2] = min(result[index, 2], result[index, 1])
    result[index, 3] = min(result[index, 3], np.float32(1.0) - win)
    result[index, 4] = min(result[index, 4], result[index, 3])


@bare_kernel
def equity(outcomes, index):
    """Cubeless equity of one outcome vector in `outcomes[N, 5]`."""
    total = np.float32(2.0) * outcomes[index, 0] - np.float32(1.0)
    total += outcomes[index, 1] + outcomes[index, 2]
    return total - outcomes[index, 3] - outcomes[index, 4]


@bare_kernel
def points_lost(slots, index):
    """0 unless the opponent has borne off its last checker, else what the player on roll has lost."""
    if slots[index, OPPONENT_OFF] < 15:
        return 0
    if slots[index, OWN_OFF] > 0:
        return 1
    for point in range(19, 26):
        if slots[index, point] > 0:
            return 3
    return 2


@bare_kernel
def points_won(slots, index):
    """0 unless the player on roll has borne off its last checker, else what it has won."""
    if slots[index, OWN_OFF] < 15:
        return 0
    if slots[index, OPPONENT_OFF] > 0:
        return 1
    for point in range(7):
        if slots[index, point] < 0:
            return 3
    return 2


@bare_kernel
def write_lost(points, result, index):
    """The outcome vector of a game that the player on roll has lost."""
    for output in range(OUTPUTS):
        result[index, output] = 0
    if points > 1:
        result[index, 3] = 1
    if points > 2:
        result[index, 4] = 1


@bare_kernel
def write_won(points, result, index):
    """The outcome vector of a game that the player on roll has won."""
    for output in range(OUTPUTS):
        result[index, output] = 1 if output < points else 0


@bare_kernel
def write_inverted(outcomes, index, result, to):
    """`result[to]` becomes `outcomes[index]` seen by the other side, the twin of `bgai.outcomes.invert`."""
    win = outcomes[index, 0]
    gammon = outcomes[index, 1]
    backgammon = outcomes[index, 2]
    result[to, 0] = np.float32(1.0) - win
    result[to, 1] = outcomes[index, 3]
    result[to, 2] = outcomes[index, 4]
    result[to, 3] = gammon
    result[to, 4] = backgammon


class Workspace(NamedTuple):
    """Scratch arrays for evaluating, one set for each thread."""

    slots: np.ndarray
    """int8[ROWS, ROW]"""
    parent: np.ndarray
    """int8[ROW], the position whose successors are evaluated, seen by the other side"""
    gained: np.ndarray
    """int32[ROWS, ROW], rows that each position's first layer adds to a sum"""
    lost: np.ndarray
    """int32[ROWS, ROW], and takes away"""
    numbers: np.ndarray
    """int64[ROWS, 2], how many of both"""
    total: np.ndarray
    """[H], the parent's sum, of the table's type"""
    sums: np.ndarray
    """[ROWS * H], their own sums"""
    units: np.ndarray
    """int16[ROWS * (W + LISTED)] with W the widest layer's width: active units of a layer"""
    active: np.ndarray
    """float32[ROWS * (W + LISTED)], their values"""
    found: np.ndarray
    """int64[ROWS], how many they are"""
    hidden: np.ndarray
    """float32[ROWS * W], the outputs of a layer"""


@kernel
def workspace(net):
    width = net.widths[0]
    widest = width
    for wide in net.widths:
        widest = max(widest, wide)
    return Workspace(
        np.zeros((ROWS, ROW), np.int8),
        np.zeros(ROW, np.int8),
        np.zeros((ROWS, ROW), np.int32),
        np.zeros((ROWS, ROW), np.int32),
        np.zeros((ROWS, 2), np.int64),
        np.zeros(width, net.bias.dtype),
        np.zeros(ROWS * width, net.bias.dtype),
        np.zeros(ROWS * (widest + LISTED), np.int16),
        np.zeros(ROWS * (widest + LISTED), np.float32),
        np.zeros(ROWS, np.int64),
        np.zeros(ROWS * widest, np.float32),
    )


@kernel
def evaluate(net, boards, result):
    """Outcome vectors of boards: `int8[N, 26]` to `float32[N, 5]`; finished games get their certain outcome."""
    space = workspace(net)
    stride = space.hidden.shape[0] // ROWS
    for first in range(0, boards.shape[0], ROWS):
        count = min(boards.shape[0] - first, ROWS)
        for row in range(count):
            fill_slots(boards[first + row], space.slots[row])
            space.numbers[row, 0] = rows_of(space.slots[row], space.gained[row])
        _layers(net, net.bias, count, space)
        for row in range(count):
            lost = points_lost(space.slots, row)
            won = points_won(space.slots, row)
            if lost > 0:
                write_lost(lost, result, first + row)
            elif won > 0:
                write_won(won, result, first + row)
            else:
                _write_chances(space.hidden, row * stride, space.slots, row, result, first + row)


@bare_kernel
def prepare(net, slots, space):
    """Makes ready for evaluating successors of `slots`, int8[ROW], after any rolls: sums the first layer."""
    flip_slots(slots, space.parent)
    space.numbers[0, 0] = rows_of(space.parent, space.gained[0])
    space.numbers[0, 1] = 0
    sum_rows(net.table, space.gained, space.lost, space.numbers, 1, net.bias, space.total, 0)


@bare_kernel
def evaluate_successors(net, successor, changed, count, space, outcomes, equities):
    """Values of the first `count` successors of the prepared position, seen by the opponent, who is on roll there.

    Args:
        successor: int8[M, ROW], the positions after each play; changed: int64[M], the slots they differ in.
        outcomes: float32[M, 5], filled; equities: float32[M], filled.

    Returns:
        The index of the play that is worst for the opponent; of equals, the first.
    """
    stride = space.hidden.shape[0] // ROWS
    best = 0
    for first in range(0, count, ROWS):
        here = min(count - first, ROWS)
        for row in range(here):
            index = first + row
            rows = changed_rows(space.parent, successor, index, changed[index], space.gained[row], space.lost[row])
            space.numbers[row, 0] = rows
            space.numbers[row, 1] = rows
        _layers(net, space.total, here, space)
        for index in range(first, first + here):
            points = points_lost(successor, index)
            if points > 0:
                write_lost(points, outcomes, index)
            else:
                _write_chances(space.hidden, (index - first) * stride, successor, index, outcomes, index)
            equities[index] = equity(outcomes, index)
            if equities[index] < equities[best]:
                best = index
    return best
