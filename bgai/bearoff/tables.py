"""Looks up bear-offs. Boards are `int8[N, 26]`, seen by the player on roll, before the roll."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bgai.bearoff.keeping import Arrays
from bgai.board import CHECKERS, Board, as_boards
from bgai.errors import PositionError
from bgai.kernels.bearoff import (
    LONGEST,
    Rolls,
    cover_many,
    index_many,
    one_sided_of_many,
    two_sided_of_many,
)
from bgai.outcomes import COUNT, WIN, Outcomes

Values = NDArray[np.float32]
"""`float32[N]`"""


@dataclass(frozen=True, eq=False)
class OneSided:
    """What each side needs to bear off up to fifteen checkers, as if it were alone."""

    means: NDArray[np.float32]
    """float32[54264]: mean number of rolls."""
    off: Rolls
    """Rolls until everything is borne off, for all 54,264 positions."""
    first: Rolls
    """Rolls until one checker is borne off, for those from `ALL_ON` on, with all fifteen checkers."""
    path: Path | None = None
    """The file it lies in; None if it is in memory only."""

    checkers: ClassVar[int] = CHECKERS

    @classmethod
    def of(cls, arrays: Arrays, path: Path | None = None) -> OneSided:
        """From the arrays of a file."""
        off = Rolls(arrays["start"], arrays["least"], arrays["chances"])
        first = Rolls(arrays["first_start"], arrays["first_least"], arrays["first_chances"])
        return cls(arrays["means"], off, first, path)

    def covers(self, boards: ArrayLike) -> NDArray[np.bool_]:
        """Whether the table holds each board, bool[N]: all checkers of both sides are at home, so no hit is possible.

        A game that is over is covered if what is left is at home.
        """
        return _covers(boards, CHECKERS)

    def outcomes(self, boards: ArrayLike) -> Outcomes:
        """Chances float32[N, 5]; those of backgammons are 0, as nobody is left in the other's home board.

        Raises:
            PositionError: a board that the table does not cover.
        """
        positions = _checked(boards, CHECKERS)
        outcomes = np.empty((len(positions), COUNT), dtype=np.float32)
        one_sided_of_many(self.off, self.first, positions, outcomes)
        return outcomes

    def mean_rolls(self, boards: ArrayLike) -> NDArray[np.float32]:
        """Mean number of rolls that the player on roll and the opponent need, float32[N, 2].

        Raises:
            PositionError: a board that the table does not cover.
        """
        return self.means[_numbers(boards, CHECKERS)]

    def rolls(self, boards: ArrayLike) -> NDArray[np.float32]:
        """Chance that each side needs just so many rolls, float32[N, 2, 40], the player on roll first.

        Raises:
            PositionError: a board that the table does not cover.
        """
        numbers = _numbers(boards, CHECKERS)
        spread = np.zeros((*numbers.shape, LONGEST), dtype=np.float32)
        for place, number in np.ndenumerate(numbers):
            chances = self.off.chances[self.off.start[number] : self.off.start[number + 1]]
            least = int(self.off.least[number])
            spread[place][least : least + len(chances)] = chances
        return spread


@dataclass(frozen=True, eq=False)
class CubeEquities:
    """Money equities of the player on roll per unit of the cube: unlimited cube, no beavers, each float32[N].

    A double that is passed is worth 1. In a game that is over there is nothing to double; its equities are its
    result, twice that in `double_take`.
    """

    no_double: Values
    """With a cube in the middle, not turned now."""
    no_redouble: Values
    """With its own cube, not turned now."""
    double_take: Values
    """Doubled from either, and taken."""
    centred: Values
    """With a cube in the middle and the right action and answer."""
    owned: Values
    """With its own cube and the right action and answer."""
    opponents: Values
    """With the opponent's cube."""


@dataclass(frozen=True, eq=False)
class TwoSided:
    """Exact values for up to `checkers` a side. No gammon is possible, as each side has borne off a checker."""

    values: NDArray[np.float32]
    """float32[P, P, 4], see `bgai.kernels.bearoff.build_two_sided`; `with_cube` beside it reads an entry."""
    checkers: int
    path: Path | None = None
    """The file it lies in; None if it is in memory only."""

    def covers(self, boards: ArrayLike) -> NDArray[np.bool_]:
        """Whether the table holds each board, bool[N]: both sides at home with at most `checkers` each.

        No hit is possible then. A game that is over is covered if what is left is.
        """
        return _covers(boards, self.checkers)

    def outcomes(self, boards: ArrayLike) -> Outcomes:
        """Chances float32[N, 5] with best play without a cube.

        Raises:
            PositionError: a board that the table does not cover.
        """
        entries = self._entries(boards)
        outcomes = np.zeros((len(entries), COUNT), dtype=np.float32)
        outcomes[:, WIN] = (entries[:, 0] + 1) / 2
        return outcomes

    def cube(self, boards: ArrayLike) -> CubeEquities:
        """Equities with the cube; each is for best play with the cube where it is.

        Raises:
            PositionError: a board that the table does not cover.
        """
        _, no_double, no_redouble, opponents = self._entries(boards).T
        double_take = 2 * opponents
        double = np.minimum(double_take, 1)
        return CubeEquities(
            no_double=no_double,
            no_redouble=no_redouble,
            double_take=double_take,
            centred=np.maximum(no_double, double),
            owned=np.maximum(no_redouble, double),
            opponents=opponents,
        )

    def _entries(self, boards: ArrayLike) -> NDArray[np.float32]:
        positions = _checked(boards, self.checkers)
        entries = np.empty((len(positions), 4), dtype=np.float32)
        two_sided_of_many(self.values, positions, entries)
        return entries


def _covers(boards: ArrayLike, checkers: int) -> NDArray[np.bool_]:
    positions = as_boards(boards)
    answers = np.empty(len(positions), dtype=np.bool_)
    cover_many(positions, checkers, answers)
    return answers


def _checked(boards: ArrayLike, checkers: int) -> Board:
    positions = as_boards(boards)
    covered = _covers(positions, checkers)
    if not covered.all():
        number = int(np.flatnonzero(~covered)[0])
        raise PositionError(
            f"position {number} is not in the table: expected all checkers of both sides at home,"
            f" at most {checkers} each, found {positions[number].tolist()}"
        )
    return positions


def _numbers(boards: ArrayLike, checkers: int) -> NDArray[np.int64]:
    """The numbers of both sides' positions, int64[N, 2]."""
    positions = _checked(boards, checkers)
    numbers = np.empty((len(positions), 2), dtype=np.int64)
    index_many(positions, numbers)
    return numbers
