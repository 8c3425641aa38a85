"""Positions written as points, and the analyst, for the tests of the coach."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

from bgai.analyst import Analyst
from bgai.board import Board, as_board

Points = dict[int, int]
"""Checkers by point, as their owner counts; 25 is the bar."""


def board_of(own: Points, other: Points) -> Board:
    """The board that the side with the `own` checkers sees."""
    counts = [0] * 26
    for point, count in own.items():
        counts[point] = count
    for point, count in other.items():
        assert counts[25 - point] == 0
        counts[25 - point] = -count
    return as_board(np.array(counts))


@cache
def analyst() -> Analyst:
    """The default network at 0-ply."""
    return Analyst.of()


_NUMBER = re.compile(r"\d+(?:\.\d+)?")


def numbers_in(value: Any) -> Iterator[str]:
    """All numbers in a text, or in the texts and numbers of a fact, as they are written, without their signs."""
    if isinstance(value, bool) or value is None:
        return
    if isinstance(value, dict):
        for one in value.values():
            yield from numbers_in(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from numbers_in(one)
    elif isinstance(value, str):
        yield from _NUMBER.findall(value)
    else:
        yield repr(abs(value))


def is_among(written: str, facts: list[float]) -> bool:
    """Whether a number is one of the facts, rounded to the digits that are written, perhaps as a percentage."""
    digits = len(written.partition(".")[2])
    slack = 0.5 * 10**-digits + 1e-9
    return any(abs(float(written) - scale * fact) <= slack for fact in facts for scale in (1, 100))
