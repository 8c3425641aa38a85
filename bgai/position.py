"""What every question is about: the board, the roll, the cube and the score."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from bgai.board import START, Board

CubeOwner = Literal["centred", "on roll", "opponent"]


@dataclass(frozen=True)
class Cube:
    """The doubling cube."""

    value: int = 1
    owner: CubeOwner = "centred"


@dataclass(frozen=True)
class Score:
    """The score, as points still to win; a match length of 0 is money play."""

    away: tuple[int, int] = (0, 0)
    """Of the player on roll, and of the opponent."""
    length: int = 0
    crawford: bool = False
    jacoby: bool = False
    beavers: bool = False


@dataclass(frozen=True)
class Position:
    """A position, seen by the player on roll."""

    board: Board = field(default_factory=START.copy)
    dice: tuple[int, int] | None = None
    """The roll to be played, larger die first; None before the roll."""
    cube: Cube = Cube()
    score: Score = Score()
