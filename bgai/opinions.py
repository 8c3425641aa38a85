"""What an analyst says: of positions, of plays, of the cube."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bgai.cube import CubeValues
from bgai.outcomes import Outcomes
from bgai.plays import PlaysBatch
from bgai.search import MOST_PLIES
from bgai.stakes import Stakes

ROLLED = MOST_PLIES + 1
"""Stands for the plies of what was rolled out, which is better than any look ahead."""

Values = NDArray[np.float64]


@dataclass(frozen=True)
class Evaluation:
    """What a position is worth to the player on roll, before the roll."""

    outcomes: Outcomes
    """float32[5]"""
    cubeless: float
    """Equity of the outcomes at the stakes, as if the cube were never turned again."""
    equity: float
    """With the cube and the right decisions, per unit of the present cube."""
    mwc: float | None
    """Chance to win the match; None for money."""
    plies: int
    """How far was looked ahead, in gnubg's count; `ROLLED` if it was played out."""


@dataclass(frozen=True)
class RankedPlays:
    """The plays of N positions, each position's best first."""

    plays: PlaysBatch
    order: NDArray[np.int64]
    """int64[M]: plays in the order of their worth, position by position; positions keep their `plays.offsets`."""
    outcomes: Outcomes
    """float32[M, 5]: the mover's chances after each play, in the order of `plays`."""
    equities: Values
    """float64[M]: the mover's equity with the cube, by which plays are ranked."""
    cubeless: Values
    """float64[M]: the mover's equity if the cube is never turned again."""
    mwc: Values
    """float64[M]: the mover's chance to win the match; not a number for money."""
    plies: NDArray[np.int64]
    """int64[M]: how far was looked ahead after each play; `ROLLED` if it was played out. Plays of more plies come
    before all others, because equities of different depths cannot be compared."""


@dataclass(frozen=True)
class CubeOpinion:
    """What is thought of the cube in one position before the roll."""

    values: CubeValues
    """Arrays of one entry each."""
    stakes: Stakes
    outcomes: Outcomes
    """float32[5]: the chances behind it."""
    plies: int
    """How far was looked ahead, in gnubg's count; `ROLLED` if it was played out."""
