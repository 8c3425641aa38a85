"""What every match equity table has to obey, whoever made it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bgai.met.table import MatchEquityTable

EXACT = 1e-6
"""Tables have up to six decimals; this is what their sums may be out by."""


@dataclass(frozen=True)
class Problem:
    """One entry that cannot be right."""

    rule: str
    """range, diagonal, complement, rows, columns or post-Crawford"""
    away: tuple[int, int]
    """Where: points away of the player whose chance it is, and of the other."""
    found: float
    expected: str
    post_crawford: bool = False

    def __str__(self) -> str:
        after = " after the Crawford game" if self.post_crawford else ""
        return f"{self.away[0]}-away, {self.away[1]}-away{after}: found {self.found:g}, expected {self.expected}"


def check_met(met: MatchEquityTable, tolerance: float = EXACT) -> list[Problem]:
    """Everything that is wrong with a table, gravest first; an empty list if nothing is.

    Chances lie between 0 and 1; equal scores are even; the two players' chances add up to 1; needing more points is
    never better (equal is possible in rounded tables), nor is an opponent who needs fewer.
    """
    return [*_range(met), *_diagonal(met, tolerance), *_complement(met, tolerance), *_monotone(met, tolerance)]


@dataclass(frozen=True)
class Difference:
    """How far two tables are apart, over the scores of the main table that both have."""

    length: int
    largest: float
    away: tuple[int, int]
    """Where the largest one is; the smaller number of points first."""
    root_mean_square: float


def compare_met(one: MatchEquityTable, other: MatchEquityTable) -> Difference:
    """The differences between two tables."""
    both = min(one.length, other.length)
    gaps = np.abs(one.pre[:both, :both] - other.pre[:both, :both])
    i, j = sorted(map(int, np.unravel_index(gaps.argmax(), gaps.shape)))
    return Difference(both, float(gaps.max()), (i + 1, j + 1), float(np.sqrt((gaps**2).mean())))


def _places(wrong: NDArray[np.bool_]) -> Iterator[tuple[int, int]]:
    for row, column in np.argwhere(wrong):
        yield int(row), int(column)


def _range(met: MatchEquityTable) -> Iterator[Problem]:
    expected = "a chance from 0 to 1"
    for i, j in _places(~((met.pre >= 0) & (met.pre <= 1))):
        yield Problem("range", (i + 1, j + 1), float(met.pre[i, j]), expected)
    for i in map(int, np.flatnonzero(~((met.post >= 0) & (met.post <= 1)))):
        yield Problem("range", (i + 1, 1), float(met.post[i]), expected, post_crawford=True)


def _diagonal(met: MatchEquityTable, tolerance: float) -> Iterator[Problem]:
    diagonal = np.diagonal(met.pre)
    for i in map(int, np.flatnonzero(np.abs(diagonal - 0.5) > tolerance)):
        yield Problem("diagonal", (i + 1, i + 1), float(diagonal[i]), "0.5, as the score is even")
    if abs(met.post[0] - 0.5) > tolerance:
        yield Problem("diagonal", (1, 1), float(met.post[0]), "0.5, as the score is even", post_crawford=True)


def _complement(met: MatchEquityTable, tolerance: float) -> Iterator[Problem]:
    wrong = np.triu(np.abs(met.pre + met.pre.T - 1) > tolerance, 1)
    for i, j in _places(wrong):
        other = float(met.pre[j, i])
        expected = f"{1 - other:g}, since {j + 1}-away, {i + 1}-away has {other:g}"
        yield Problem("complement", (i + 1, j + 1), float(met.pre[i, j]), expected)


def _monotone(met: MatchEquityTable, tolerance: float) -> Iterator[Problem]:
    for i, j in _places(np.diff(met.pre, axis=1) < -tolerance):
        expected = f"at least {met.pre[i, j]:g}, the chance against {j + 1}-away"
        yield Problem("rows", (i + 1, j + 2), float(met.pre[i, j + 1]), expected)
    for i, j in _places(np.diff(met.pre, axis=0) > tolerance):
        expected = f"at most {met.pre[i, j]:g}, the chance at {i + 1}-away"
        yield Problem("columns", (i + 2, j + 1), float(met.pre[i + 1, j]), expected)
    for i in map(int, np.flatnonzero(np.diff(met.post) > tolerance)):
        expected = f"at most {met.post[i]:g}, the chance at {i + 1}-away"
        yield Problem("post-Crawford", (i + 2, 1), float(met.post[i + 1]), expected, post_crawford=True)
