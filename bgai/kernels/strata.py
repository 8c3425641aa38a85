"""Stratified first rolls: 36 trials begin with all 36 rolls, 36 such blocks with all pairs of the first two.

The 36 ordered rolls have numbers, 6 x (first die - 1) + second die - 1. In block i of a square of 36 blocks the trial
whose first roll is a has the second roll s[(r[a] + i) mod 36], with permutations r and s drawn for each square: a
Latin square. So a block holds every second roll once, too, a square every pair, and each trial alone has fair dice.
"""

from __future__ import annotations

import numpy as np

from bgai.kernels.compiler import kernel
from bgai.kernels.random import random_bits

BLOCK = 36
"""Trials of a block, and blocks of a square."""

_ROWS = np.uint64(0xD1B54A32D192ED03)
_SYMBOLS = np.uint64(0x8CB92BA72F3D8DD7)


@kernel
def _shuffle(seed, square, places):
    """Fills `places` int64[36] with a permutation of 0 to 35, drawn with an address."""
    for place in range(BLOCK):
        places[place] = place
    for last in range(BLOCK - 1, 0, -1):
        bits = random_bits(seed, np.uint64(square), np.uint64(last))
        other = np.int64(bits % np.uint64(last + 1))
        places[last], places[other] = places[other], places[last]


@kernel
def first_rolls(seed, block, rolls):
    """Fills `rolls` int64[36, 2] with the numbers of the first two rolls of each trial of a block."""
    square = block // BLOCK
    rows = np.empty(BLOCK, np.int64)
    symbols = np.empty(BLOCK, np.int64)
    _shuffle(seed ^ _ROWS, square, rows)
    _shuffle(seed ^ _SYMBOLS, square, symbols)
    for trial in range(BLOCK):
        rolls[trial, 0] = trial
        rolls[trial, 1] = symbols[(rows[trial] + block) % BLOCK]
