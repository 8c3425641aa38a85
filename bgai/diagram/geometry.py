"""Where everything stands on a diagram, in its own units; the whole is scaled to the width that is asked for.

The player on roll plays from the bottom. Its home board is at the lower right, or, with the direction "left", at the
lower left: the same picture in a mirror, with the numbers the right way round.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from bgai.board import BAR as OWN_BAR
from bgai.board import OPPONENT_BAR

Direction = Literal["right", "left"]
"""Where the home board of the player on roll is."""

Place = tuple[float, float]

CHECKER = 42.0
"""The space a checker takes in a stack."""
RADIUS = 19.6
SHOWN = 5
"""Checkers drawn of one stack; of a higher one the innermost says how many there are."""

PITCH = 44.0
HALF = 6 * PITCH
BAR = 52.0
SIDE = 62.0
"""Width of the column of the cube, and of the one for checkers borne off."""
STRIP = 26.0
"""Height of the edges that hold the numbers of the points."""
FIELD = 490.0
"""Height of the board between them."""
POINT = 208.0
"""Height of a point."""

MARGIN = 16.0
FRAME_TOP = 50.0
TOP = FRAME_TOP + STRIP
MIDDLE = TOP + FIELD / 2
BOTTOM = TOP + FIELD
FRAME_BOTTOM = BOTTOM + STRIP
LEFT = MARGIN + SIDE
"""Left end of the twelve columns of points and the bar."""
RIGHT = LEFT + 2 * HALF + BAR
WIDTH = RIGHT + SIDE + MARGIN
HEIGHT = FRAME_BOTTOM + 78.0

SLAB = 9.6
"""Height of a checker borne off, seen from its edge."""

CUBE = 40.0
DIE = 38.0


@dataclass(frozen=True)
class Geometry:
    """The places of a diagram with its direction of play."""

    direction: Direction = "right"

    def x(self, x: float) -> float:
        """Where something is that is at x when the home board is at the right."""
        return x if self.direction == "right" else WIDTH - x

    def span(self, left: float, width: float) -> float:
        """The left end of something that is that wide."""
        return left if self.direction == "right" else WIDTH - left - width

    def point_x(self, point: int) -> float:
        """The middle of a point, 1 to 24."""
        column = 12 - point if point <= 12 else point - 13
        return self.x(LEFT + (column + 0.5) * PITCH + (BAR if column >= 6 else 0))

    def bar_x(self) -> float:
        """The middle of the bar."""
        return self.x(LEFT + HALF + BAR / 2)

    def tray_x(self) -> float:
        """The middle of the column for checkers borne off."""
        return self.x(RIGHT + SIDE / 2)

    def checker(self, point: int, level: int) -> Place:
        """The centre of a checker on a point or on the bar, counted from 0 at the edge; on the bar from the middle.

        Own checkers on the bar are in its lower half, as in the drawing with letters.
        """
        if point == OWN_BAR:
            return self.bar_x(), MIDDLE + 44 + level * CHECKER
        if point == OPPONENT_BAR:
            return self.bar_x(), MIDDLE - 44 - level * CHECKER
        depth = (level + 0.5) * CHECKER + 1
        return self.point_x(point), BOTTOM - depth if point <= 12 else TOP + depth

    def slab(self, number: int, own: bool) -> Place:
        """The centre of a checker borne off, counted from 0; own ones at the bottom, in groups of five."""
        depth = 8 + (number + 0.5) * SLAB + number // 5 * 4
        return self.tray_x(), BOTTOM - depth if own else TOP + depth

    def cube(self, where: Literal["middle", "own", "opponent"]) -> Place:
        """The centre of the cube at rest, in the column opposite the one for checkers borne off."""
        y = {"middle": MIDDLE, "own": BOTTOM - 8 - CUBE / 2, "opponent": TOP + 8 + CUBE / 2}[where]
        return self.x(LEFT - SIDE / 2), y

    def outer_middle(self) -> Place:
        """The middle of the half away from home, where an offered cube lies."""
        return self.x(LEFT + HALF / 2), MIDDLE

    def home_middle(self) -> Place:
        """The middle of the half with the home boards, where the dice lie."""
        return self.x(RIGHT - HALF / 2), MIDDLE
