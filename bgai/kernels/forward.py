"""The network's forward pass.

The first layer is sparse: a position has 28 slots (see `bgai.kernels.movegen`), and the count in a slot
selects one row of a table, so a position costs about a dozen row additions, and a successor, which differs
from its parent in about four slots, far fewer. The layers behind it are dense.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from bgai.kernels.compiler import kernel
from bgai.kernels.movegen import OPPONENT_OFF, OWN_OFF, ROW, fill_slots, flip_slots
from bgai.kernels.vector import ROWS, chances, dense, lowest_bit, sum_rows, sum_rows_rectified

SLOTS = 28
COUNTS = 31
"""Rows of a slot: counts -15 to 15."""
OUTPUTS = 5
PADDED_OUTPUTS = 8


class Net(NamedTuple):
    """A network as flat arrays, the form that kernels take.

    `H` is the width of the first layer.
    """

    table: np.ndarray
    """float32[SLOTS * COUNTS, H]: what each slot and count adds to the first layer; nothing for count 0."""
    bias: np.ndarray
    """float32[H]: bias of the first layer."""
    weights: np.ndarray
    """float32[...]: the dense layers one after the other; each is its matrix [in, out], then its bias [out]."""
    widths: np.ndarray
    """int64[L]: outputs of each layer, the first included, padded with zero weights: the first to a multiple of
    `vector.BLOCK`, hidden ones to `vector.LANES`, the last to PADDED_OUTPUTS."""


@kernel
def accumulate(net, slots, rows, total):
    """The first layer before its activation, from nothing. `total` is float32[H], `rows` int32[56] scratch."""
    count = 0
    for slot in range(SLOTS):
        if slots[slot] != 0:
            rows[count] = slot * COUNTS + np.int64(slots[slot]) + 15
            count += 1
    sum_rows(net.table, rows, count, count, net.bias, total, 0)


@kernel
def _changed_rows(slots, successor, index, changed, rows):
    """The rows that the position `successor[index]` adds to its parent, then those it drops.

    `changed` is the set of slots to look at. Returns how many rows it adds, and both together.
    """
    added = 0
    dropped = 0
    while changed != 0:
        slot = lowest_bit(changed)
        changed &= changed - 1
        old = np.int64(slots[slot])
        new = np.int64(successor[index, slot])
        row = slot * COUNTS + 15
        # Without branches: a row of count 0 is written over by the next.
        rows[added] = row + new
        added += new != 0
        rows[SLOTS + dropped] = row + old
        dropped += old != 0
    for number in range(dropped):
        rows[added + number] = rows[SLOTS + number]
    return added, added + dropped


@kernel
def _later_layers(net, hidden, stride):
    """Everything behind the rectified first layer, for ROWS positions at once.

    `hidden` is float32[ROWS * stride]; a row holds the outputs of each layer one after the other. Returns
    where in a row the chances lie.
    """
    begin = np.int64(0)
    start = np.int64(0)
    width = net.widths[0]
    last = net.widths.shape[0] - 1
    for layer in range(1, last):
        wide = net.widths[layer]
        dense(net.weights, hidden, start, begin, stride, width, wide, begin + width)
        start += wide * (width + 1)
        begin += width
        width = wide
    chances(net.weights, hidden, start, begin, stride, width, net.widths[last], begin + width)
    return begin + width


@kernel
def _write_chances(hidden, begin, slots, place, result, index):
    """Copies five chances and makes them obey the rules for `slots[place]`, as `bgai.outcomes.possible` does."""
    for output in range(OUTPUTS):
        result[index, output] = hidden[begin + output]
    win = result[index, 0]
    if slots[place, OPPONENT_OFF] > 0:
        result[index, 1] = 0
    if slots[place, OWN_OFF] > 0:
        result[index, 3] = 0
    result[index, 1] = min(result[index, 1], win)
    result[index, 2] = min(result[index, 2], result[index, 1])
    result[index, 3] = min(result[index, 3], np.float32(1.0) - win)
    result[index, 4] = min(result[index, 4], result[index, 3])


@kernel
def equity(outcomes, index):
    """Cubeless equity of one outcome vector in `outcomes[N, 5]`."""
    total = np.float32(2.0) * outcomes[index, 0] - np.float32(1.0)
    total += outcomes[index, 1] + outcomes[index, 2]
    return total - outcomes[index, 3] - outcomes[index, 4]


@kernel
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


@kernel
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


@kernel
def write_lost(points, result, index):
    """The outcome vector of a game that the player on roll has lost."""
    for output in range(OUTPUTS):
        result[index, output] = 0
    if points > 1:
        result[index, 3] = 1
    if points > 2:
        result[index, 4] = 1


@kernel
def write_won(points, result, index):
    """The outcome vector of a game that the player on roll has won."""
    for output in range(OUTPUTS):
        result[index, output] = 1 if output < points else 0


@kernel
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
    rows: np.ndarray
    """int32[2 * SLOTS]"""
    total: np.ndarray
    """float32[H]"""
    hidden: np.ndarray
    """float32[ROWS * sum of widths]"""


@kernel
def workspace(net):
    return Workspace(
        np.zeros((ROWS, ROW), np.int8),
        np.zeros(2 * SLOTS, np.int32),
        np.zeros(net.bias.shape[0], np.float32),
        np.zeros(ROWS * net.widths.sum(), np.float32),
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
            accumulate(net, space.slots[row], space.rows, space.total)
            sum_rows_rectified(net.table, space.rows, 0, 0, space.total, space.hidden, row * stride)
        end = _later_layers(net, space.hidden, stride)
        for row in range(count):
            lost = points_lost(space.slots, row)
            won = points_won(space.slots, row)
            if lost > 0:
                write_lost(lost, result, first + row)
            elif won > 0:
                write_won(won, result, first + row)
            else:
                _write_chances(space.hidden, row * stride + end, space.slots, row, result, first + row)


@kernel
def evaluate_successors(net, slots, successor, changed, count, space, outcomes, equities):
    """Values of the first `count` successors of `slots`, seen by the opponent, who is on roll there.

    Args:
        slots: int8[ROW], the position before the play.
        successor: int8[M, ROW], the positions after each play; changed: int64[M], the slots they differ in.
        outcomes: float32[M, 5], filled; equities: float32[M], filled.

    Returns:
        The index of the play that is worst for the opponent; of equals, the first.
    """
    flipped = space.slots[0]
    flip_slots(slots, flipped)
    accumulate(net, flipped, space.rows, space.total)
    stride = space.hidden.shape[0] // ROWS
    best = 0
    for first in range(0, count, ROWS):
        here = min(count - first, ROWS)
        for row in range(here):
            index = first + row
            added, together = _changed_rows(flipped, successor, index, changed[index], space.rows)
            sum_rows_rectified(net.table, space.rows, added, together, space.total, space.hidden, row * stride)
        end = _later_layers(net, space.hidden, stride)
        for index in range(first, first + here):
            points = points_lost(successor, index)
            if points > 0:
                write_lost(points, outcomes, index)
            else:
                _write_chances(space.hidden, (index - first) * stride + end, successor, index, outcomes, index)
            equities[index] = equity(outcomes, index)
            if equities[index] < equities[best]:
                best = index
    return best
