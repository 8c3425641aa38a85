"""Slopes of the loss by backpropagation through the units that are awake.

In a trained network few units speak in any one position: of 1024, 512 and 128 units some 54, 28 and 7. A silent unit
passes nothing on and learns nothing, so a layer costs its awake units times those behind it, a fraction of the
product of whole matrices. PyTorch's autograd is the reference (`train.learner`).
"""

from __future__ import annotations

import math

import numpy as np

from bgai.kernels.compiler import kernel
from bgai.kernels.forward import OUTPUTS, SLOTS
from bgai.kernels.movegen import ROW, fill_slots
from bgai.kernels.vector import ROWS
from bgai.kernels.vector_layers import LISTED, hidden, list_active


@kernel
def _list_inputs(board, features, starts, slots, units, active, begin):
    """Lists the inputs of a board that are not 0, and their values, from place `begin` on; returns how many."""
    fill_slots(board, slots)
    count = 0
    for slot in range(SLOTS):
        row = features[slot, np.int64(slots[slot]) + 15]
        for column in range(starts[slot + 1] - starts[slot]):
            if row[column] != 0:
                units[begin + count] = starts[slot] + column
                active[begin + count] = row[column]
                count += 1
    return count


@kernel
def _want(weights, units, active, begin, count, targets, index, worth, equity, share, wanted):
    """The loss of one position, and how it changes with each logit, times `share`, into `wanted`."""
    loss, off = 0.0, 0.0
    last = weights.shape[0] - 1
    for output in range(OUTPUTS):
        logit = np.float64(weights[last, output])
        for place in range(begin, begin + count):
            logit += active[place] * weights[units[place], output]
        target = np.float64(targets[index, output])
        # These forms of the sigmoid and its cross-entropy do not overflow.
        small = math.exp(-abs(logit))
        chance = (1.0 if logit >= 0 else small) / (1.0 + small)
        loss += (max(logit, 0.0) - logit * target + math.log1p(small)) / OUTPUTS
        off += worth[output] * (chance - target)
        wanted[output] = chance
    for output in range(OUTPUTS):
        chance = np.float64(wanted[output])
        slope = (chance - targets[index, output]) / OUTPUTS
        slope += 2.0 * equity * off * worth[output] * chance * (1.0 - chance)
        wanted[output] = slope * share
    return loss + equity * off * off


@kernel
def _learn(slopes, units, active, begin, count, behind, first, wanted, many):
    """Adds the slopes of the weights between units that are awake, and of the biases."""
    bias = slopes[slopes.shape[0] - 1]
    for other in range(many):
        bias[behind[first + other]] += wanted[other]
    for number in range(begin, begin + count):
        slope, value = slopes[units[number]], active[number]
        for other in range(many):
            slope[behind[first + other]] += value * wanted[other]


@kernel
def _pass_back(weights, units, begin, count, behind, first, wanted, many, passed):
    """What the units in front are wanted to change, into `passed`."""
    whole = count - count % 4
    # Four at a time: one sum alone would wait for each of its additions.
    for number in range(0, whole, 4):
        place = begin + number
        row, second = weights[units[place]], weights[units[place + 1]]
        third, fourth = weights[units[place + 2]], weights[units[place + 3]]
        one = two = three = four = np.float32(0.0)
        for other in range(many):
            unit, want = behind[first + other], wanted[other]
            one += row[unit] * want
            two += second[unit] * want
            three += third[unit] * want
            four += fourth[unit] * want
        passed[number], passed[number + 1], passed[number + 2], passed[number + 3] = one, two, three, four
    for number in range(whole, count):
        row = weights[units[begin + number]]
        one = np.float32(0.0)
        for other in range(many):
            one += row[behind[first + other]] * wanted[other]
        passed[number] = one


@kernel
def add_slopes(boards, targets, features, starts, weights, worth, equity, sparse, share, slopes):
    """Adds the slopes of the loss of some positions to those of the weights.

    The loss of a position is the mean cross-entropy of its chances and `equity` times the square of how far the equity
    is off; what its first layer says is priced at `sparse`, which is not part of what is returned.

    Args:
        boards: int8[N, 26]; targets: float32[N, 5].
        features, starts: as `bgai.kernels.encoding.encode` takes them.
        weights: a tuple of float32[in + 1, out], the matrix of each layer and its bias as the last row; hidden layers
            are as wide as a multiple of `vector_layers.LISTED`.
        worth: float64[5], what each chance adds to the equity.
        share: what a position counts, 1 / N for the slopes of the mean.
        slopes: as `weights`, added to.

    Returns:
        The sum of the positions' losses.
    """
    layers = len(weights)
    widest = max(weights[0].shape[0] - 1, OUTPUTS)
    for layer in range(layers):
        widest = max(widest, weights[layer].shape[1])
    slots = np.empty(ROW, np.int8)
    # Who speaks: the inputs, then the units of each hidden layer, of each of some positions side by side; then all
    # outputs. Unsigned numbers, as those of no unit are counted from the end.
    units = np.zeros((layers + 1, ROWS * (widest + LISTED)), np.int16)
    named = units.view(np.uint16)
    active = np.zeros((layers + 1, ROWS * (widest + LISTED)), np.float32)
    found = np.zeros((layers + 1, ROWS), np.int64)
    wanted = np.zeros((layers + 1, widest + 1), np.float32)
    sums = np.empty(ROWS * widest, np.float32)
    for output in range(OUTPUTS):
        units[layers, output] = output
    total = 0.0
    for start in range(0, boards.shape[0], ROWS):
        here = min(boards.shape[0] - start, ROWS)
        width = weights[0].shape[0] - 1
        for row in range(here):
            begin = row * (width + LISTED)
            found[0, row] = _list_inputs(boards[start + row], features, starts, slots, units[0], active[0], begin)
        for layer in range(layers - 1):
            wide = weights[layer].shape[1]
            flat = weights[layer].reshape(-1)
            hidden(flat, 0, units[layer], active[layer], found[layer], here, sums, widest, width, wide)
            width = wide
            list_active(sums, here, widest, width, units[layer + 1], active[layer + 1], found[layer + 1])
        for row in range(here):
            begin = row * (width + LISTED)
            index, last = start + row, layers - 1
            count = found[last, row]
            wants = wanted[layers]
            total += _want(
                weights[last], named[last], active[last], begin, count, targets, index, worth, equity, share, wants
            )
            first, many = 0, OUTPUTS
            for layer in range(layers - 1, -1, -1):
                if layer == 0:
                    for number in range(many):
                        wanted[1, number] += np.float32(sparse * share)
                begin = row * (weights[layer].shape[0] - 1 + LISTED)
                inside, behind, wants = named[layer], named[layer + 1], wanted[layer + 1]
                count = found[layer, row]
                _learn(slopes[layer], inside, active[layer], begin, count, behind, first, wants, many)
                if layer > 0:
                    _pass_back(weights[layer], inside, begin, count, behind, first, wants, many, wanted[layer])
                first, many = begin, found[layer, row]
    return total
