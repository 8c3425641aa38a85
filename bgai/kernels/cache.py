"""What a look ahead remembers: values of positions that the same question has met before.

Of the positions two plies away a third have been met before, most of them after rolls with which nothing can be played.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from bgai.kernels.compiler import kernel
from bgai.kernels.movegen import HASH_KEYS, OPPONENT_OFF, ROW


class Cache(NamedTuple):
    """A table of C places, a power of 2, for one question and one thread.

    Where a position lies follows from its hash; it is compared whole, so that no result changes.
    """

    slots: np.ndarray
    """int8[C, ROW]"""
    level: np.ndarray
    """int64[C], the level that it was met on, which says how far it was looked at; 0: nothing is kept here."""
    values: np.ndarray
    """float64[C, 5 + S], `V` of `bgai.kernels.search`."""


@kernel
def copy_row(source, index, target, to):
    """`target[to] = source[index]`, by hand, as NumPy's way takes seconds to compile."""
    for column in range(source.shape[1]):
        target[to, column] = source[index, column]


@kernel
def place_of(cache, slots, level):
    """Where the position `slots[level]` belongs."""
    key = np.int64(0)
    for place in range(OPPONENT_OFF + 1):
        key += HASH_KEYS[place] * slots[level, place]
    return (key ^ (key >> 32)) & (cache.level.shape[0] - 1)


@kernel
def is_kept(cache, place, slots, level):
    """Whether it is the position `slots[level]`, met on this level, that lies there."""
    if cache.level[place] != level:
        return False
    different = 0
    for column in range(ROW):
        different += cache.slots[place, column] != slots[level, column]
    return different == 0


@kernel
def keep(cache, level, slots, values):
    """Remembers `values[level]` of the position `slots[level]`, in the place of what was there."""
    place = place_of(cache, slots, level)
    cache.level[place] = level
    copy_row(slots, level, cache.slots, place)
    copy_row(values, level, cache.values, place)
