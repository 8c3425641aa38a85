"""Computes the tables: what one side needs to bear off, and what two sides are worth to each other.

One side plays so that the mean number of rolls still to come is least, which is how one-sided tables are commonly
made (GNU Backgammon's among them; Buro, "Efficient Approximation of Backgammon Race Equities", ICCA Journal 22,
1999). The two-sided table is the full recursion over pairs of positions, with the cube after Zadeh and Kobliska, "On
Optimal Doubling in Backgammon", Management Science 23 (1977): each side doubles, takes and plays as is best for it.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgai.bearoff.keeping import Arrays, Layout
from bgai.board import CHECKERS
from bgai.dice import ROLLS
from bgai.errors import InputError
from bgai.kernels.bearoff import ALL_ON, LONGEST, POINTS, build_one_sided, build_two_sided, list_plays

Progress = Callable[[int, int], None]
"""Is told how many positions are done, and of how many."""

LARGEST = 12
"""Checkers a side of the largest two-sided table: 5.5 GB."""

NEGLIGIBLE = 1e-9
"""Chances of a number of rolls below this are left out at both ends."""

_STEPS = 100
"""Reports of progress, about."""
_PAIRS_PER_SECOND = 1.5e6
"""A slow machine's, with many checkers."""


@dataclass(frozen=True)
class Work:
    """What it takes to make a two-sided table."""

    positions: int
    """Of both sides together."""
    bytes: int
    """Of the file; while it is made, twice as much memory is needed."""
    seconds: float
    """Of one core, roughly."""


def positions_of(checkers: int) -> int:
    """How many positions one side has with up to so many checkers at home."""
    return comb(checkers + POINTS, POINTS)


def two_sided_work(checkers: int) -> Work:
    """What a two-sided table for up to so many checkers a side takes.

    Raises:
        InputError: not 1 to `LARGEST`, or more than this machine's memory allows.
    """
    if not 1 <= checkers <= LARGEST:
        raise InputError(f"a two-sided table is for 1 to {LARGEST} checkers a side, found {checkers}")
    pairs = positions_of(checkers) ** 2
    work = Work(pairs, 16 * pairs, pairs / _PAIRS_PER_SECOND)
    memory = _memory()
    if memory is not None and 2 * work.bytes > memory:
        raise InputError(
            f"a two-sided table for {checkers} checkers a side needs {2 * work.bytes / 1e9:.1f} GB of memory"
            f" while it is made, this machine has {memory / 1e9:.1f} GB"
        )
    return work


ONE_SIDED: Layout = {
    "means": ("<f4", (positions_of(CHECKERS),)),
    "start": ("<i4", (positions_of(CHECKERS) + 1,)),
    "least": ("|u1", (positions_of(CHECKERS),)),
    "chances": ("<f4", (-1,)),
    "first_start": ("<i4", (positions_of(CHECKERS) - ALL_ON + 1,)),
    "first_least": ("|u1", (positions_of(CHECKERS) - ALL_ON,)),
    "first_chances": ("<f4", (-1,)),
}
"""Arrays of the one-sided table: mean number of rolls, then two `Rolls` of `bgai.kernels.bearoff`."""


def two_sided_layout(checkers: int) -> Layout:
    """Arrays of a two-sided table: one, see `build_two_sided`."""
    positions = positions_of(checkers)
    return {"values": ("<f4", (positions, positions, 4))}


def solve_one_sided(progress: Progress | None = None) -> Arrays:
    """Makes the one-sided table for up to fifteen checkers."""
    positions = positions_of(CHECKERS)
    chances = np.zeros((positions, LONGEST))
    means = np.zeros(positions)
    first = np.zeros((positions - ALL_ON, LONGEST))
    first_means = np.zeros(positions - ALL_ON)
    for begin in range(0, positions, positions // _STEPS):
        end = min(begin + positions // _STEPS, positions)
        build_one_sided(begin, end, chances, means, first, first_means)
        if progress is not None:
            progress(end, positions)
    start, least, kept = _without_zeros(chances)
    first_start, first_least, first_kept = _without_zeros(first)
    return {
        "means": means.astype(np.float32),
        "start": start,
        "least": least,
        "chances": kept,
        "first_start": first_start,
        "first_least": first_least,
        "first_chances": first_kept,
    }


def solve_two_sided(checkers: int, progress: Progress | None = None) -> Arrays:
    """Makes the two-sided table for up to so many checkers a side."""
    positions = positions_of(checkers)
    starts = np.zeros(positions * len(ROLLS) + 1, dtype=np.int64)
    plays = np.zeros(list_plays(positions, starts, np.zeros(0, np.int32)), dtype=np.int32)
    list_plays(positions, starts, plays)
    values = np.zeros((positions, positions, 4), dtype=np.float32)
    ends = np.unique(np.rint(positions * np.sqrt(np.arange(1, _STEPS + 1) / _STEPS)).astype(np.int64))
    begin = 0
    for end in ends.tolist():
        build_two_sided(begin, end, starts, plays, values)
        begin = end
        if progress is not None:
            progress(end**2, positions**2)
    return {"values": values}


def _without_zeros(chances: NDArray[np.float64]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """The arrays of `Rolls` from `float64[M, LONGEST]`."""
    there = chances > NEGLIGIBLE
    least = there.argmax(axis=1)
    most = chances.shape[1] - there[:, ::-1].argmax(axis=1)
    numbers = np.arange(chances.shape[1])
    kept = (numbers >= least[:, None]) & (numbers < most[:, None])
    start = np.concatenate([[0], np.cumsum(most - least)])
    return start.astype(np.int32), least.astype(np.uint8), chances[kept].astype(np.float32)


def _memory() -> int | None:
    """Bytes of memory of this machine, if it says."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return None
