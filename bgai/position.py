"""What every question is about: the board, the roll, the cube and the score."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from bgai.board import START, Board

CubeOwner = Literal["centred", "on roll", "opponent"]

Offer = Literal["double", "beaver", "single", "gammon", "backgammon"]
"""What waits for an answer: a double (or redouble), a beaver, or a resignation of so much."""

CUBE_LIMIT = 1024

_OTHER: dict[CubeOwner, CubeOwner] = {"centred": "centred", "on roll": "opponent", "opponent": "on roll"}


@dataclass(frozen=True)
class Cube:
    """The doubling cube."""

    value: int = 1
    owner: CubeOwner = "centred"
    """Who may double next; a centred cube is everybody's."""

    def flipped(self) -> Cube:
        """The same cube seen by the other side."""
        return Cube(self.value, _OTHER[self.owner])


@dataclass(frozen=True)
class Score:
    """The score and the rules that go with it."""

    points: tuple[int, int] = (0, 0)
    """Won so far by the player on roll, and by the opponent."""
    length: int = 0
    """Points the match goes to; 0 is money play."""
    crawford: bool = False
    """Whether this is the Crawford game, in which nobody may double."""
    jacoby: bool = False
    """Money only: gammons count as single games until the cube is turned."""
    beavers: bool = False
    """Money only: who is doubled may redouble at once and keep the cube."""

    @property
    def away(self) -> tuple[int, int]:
        """Points still to win by the player on roll and by the opponent; (0, 0) for money."""
        if not self.length:
            return (0, 0)
        return (self.length - self.points[0], self.length - self.points[1])

    @property
    def post_crawford(self) -> bool:
        """Whether somebody needs one point and the Crawford game is over."""
        return bool(self.length) and 1 in self.away and not self.crawford

    def flipped(self) -> Score:
        """The same score seen by the other side."""
        return replace(self, points=(self.points[1], self.points[0]))


@dataclass(frozen=True, eq=False)
class Position:
    """A position, seen by the player on roll; while an offer waits, by the player who made it.

    Positions are equal if everything about them is; they have no hash, because a board can be written to.
    """

    board: Board = field(default_factory=START.copy)
    dice: tuple[int, int] | None = None
    """The roll to be played, larger die first; None before the roll."""
    cube: Cube = Cube()
    """While a double waits, the cube as it was before it."""
    score: Score = Score()
    offer: Offer | None = None
    seat: int = 1
    """Where `board` is seen from: 0 the upper side of a diagram (gnubg's player 0), 1 the lower side."""
    cube_limit: int = CUBE_LIMIT
    """The cube is never turned beyond this."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return bool(np.array_equal(self.board, other.board)) and all(
            getattr(self, name) == getattr(other, name)
            for name in ("dice", "cube", "score", "offer", "seat", "cube_limit")
        )
