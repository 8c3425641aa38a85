"""The tables in the form that kernels take, and the place from which every evaluator asks them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bgai.bearoff.opening import one_sided, two_sided
from bgai.board import CHECKERS, Board
from bgai.kernels.bearoff import Rolls, cover_many
from bgai.kernels.forward import Net
from bgai.kernels.static import Bearoffs, Static, look_up_many
from bgai.outcomes import Outcomes

EXACT = 6
"""Checkers a side up to which everything plays by the two-sided table."""


def bearoffs() -> Bearoffs:
    """The tables that everything plays by: the one-sided one, and the exact one for up to `EXACT` checkers a side.

    The first call in a process opens them, or makes them within seconds where they are missing.
    """
    one, two = one_sided(), two_sided(EXACT)
    return Bearoffs(CHECKERS, one.off, one.first, two.checkers, two.values)


def put_bear_offs(boards: Board, outcomes: Outcomes) -> None:
    """Writes what the tables know of boards `int8[N, 26]`, contiguous, over other `outcomes` float32[N, 5].

    The tables are not opened before one holds a board.
    """
    if held_by_tables(boards).any():
        look_up_many(bearoffs(), boards, outcomes)


def held_by_tables(boards: Board, checkers: int = CHECKERS) -> NDArray[np.bool_]:
    """Whether the tables hold boards `int8[N, 26]`; with `EXACT` checkers whether the exact one does."""
    held = np.empty(len(boards), dtype=np.bool_)
    cover_many(np.ascontiguousarray(boards, dtype=np.int8), checkers, held)
    return held


def no_bearoffs() -> Bearoffs:
    """No tables: every position that is not finished is the network's."""
    nothing = Rolls(_empty((1,), "<i4"), _empty((0,), "|u1"), _empty((0,), "<f4"))
    return Bearoffs(0, nothing, nothing, 0, _empty((1, 1, 4), "<f4"))


def network_alone(net: Net) -> Static:
    """What a network says by itself: no filter before it, no tables."""
    return Static(net, net, 0, no_bearoffs())


def _empty(shape: tuple[int, ...], kind: str) -> NDArray[np.float32]:
    """Read-only as the mapped tables are: to a kernel an array that may be written to is of another type."""
    array = np.zeros(shape, dtype=kind)
    array.setflags(write=False)
    return array
