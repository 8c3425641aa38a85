"""A play as arrows: which checkers go where, and what they hit on the way."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from bgai.board import BAR, Board
from bgai.diagram.geometry import BOTTOM, MIDDLE, SHOWN, Geometry, Place

_WORD = re.compile(r"(?P<path>[a-z0-9*/]+)(?:\((?P<times>[2-4])\))?")
_NAMES = {"bar": BAR, "off": 0}
_OFF = 0
_OFF_STEP = 22.0
"""Between the heads of arrows into the tray."""


@dataclass(frozen=True)
class Way:
    """What one checker does."""

    points: tuple[int, ...]
    """From the first point to the last, with those between where it hits; 25 is the bar, 0 off."""
    hits: tuple[int, ...] = ()


@dataclass(frozen=True)
class Arrow:
    """The way of one checker on the diagram."""

    way: Way
    places: tuple[Place, ...]
    """Where its points are, one for each."""
    level: int
    """Of the checker where it ends, counted from 0 at the edge."""
    on_number: tuple[bool, bool]
    """Whether it begins, and ends, on a checker that says how high the stack is."""

    @property
    def start(self) -> int:
        """The point it comes from."""
        return self.way.points[0]

    @property
    def end(self) -> int:
        """The point it goes to."""
        return self.way.points[-1]


def ways_of(play: str) -> list[Way]:
    """A play in the notation that `format_play` writes, checker by checker."""
    ways = []
    for word in play.split():
        match = _WORD.fullmatch(word)
        assert match is not None, word
        points, hits = [], []
        for name in match["path"].split("/"):
            bare = name.rstrip("*")
            points.append(_NAMES[bare] if bare in _NAMES else int(bare))
            hits += points[-1:] * name.endswith("*")
        # Of several checkers that hit on their way only the first still finds somebody there.
        ways.append(Way(tuple(points), tuple(hits)))
        ways += [Way(tuple(points))] * (int(match["times"] or 1) - 1)
    return ways


def arrows_of(board: Board, play: str, off: int, geometry: Geometry) -> list[Arrow]:
    """The arrows of a play, laid so that they cross as little as can be; `off` checkers are borne off before it."""
    ways = ways_of(play)
    leaving = Counter(way.points[0] for way in ways)
    here = {point: max(int(board[point]), 0) for point in range(1, BAR + 1)}

    # Checkers leave a stack from its inner end, the bar from the middle of the board: the inner ones those that
    # cross the board and do not go far to the side, and then those that land high, or far along their own row.
    start_level: dict[int, int] = {}
    gone: Counter[int] = Counter()
    for number in sorted(range(len(ways)), key=lambda number: _departure(ways[number], here)):
        start = ways[number].points[0]
        level = gone[start] if start == BAR else min(here[start], SHOWN) - 1 - gone[start]
        start_level[number] = min(max(level, 0), SHOWN - 1)
        gone[start] += 1

    # Of checkers that come to the same point the one from lowest down lies deepest.
    end_level: dict[int, int] = {}
    come: Counter[int] = Counter()
    starts = {number: geometry.checker(way.points[0], start_level[number]) for number, way in enumerate(ways)}
    for number in sorted(range(len(ways)), key=lambda number: (_height(starts[number], ways[number]), -number)):
        end = ways[number].points[-1]
        end_level[number] = (0 if end == _OFF else max(here[end] - leaving[end], 0)) + come[end]
        come[end] += 1

    arrows = []
    for number, way in enumerate(ways):
        start, end, level = way.points[0], way.points[-1], end_level[number]
        if end == _OFF:
            x, y = geometry.slab(off, own=True)
            last = x, y - level * _OFF_STEP
        else:
            last = geometry.checker(end, min(level, SHOWN - 1))
        between = [geometry.checker(point, 0) for point in way.points[1:-1]]
        on_number = (
            start_level[number] == SHOWN - 1 and here[start] > SHOWN,
            end != _OFF and level >= SHOWN - 1 and here[end] > SHOWN,
        )
        arrows.append(Arrow(way, (starts[number], *between, last), level, on_number))
    return arrows


def _departure(way: Way, here: dict[int, int]) -> tuple[bool, int, int]:
    start, end = way.points[0], way.points[-1]
    along = start <= 12 or 12 < end < start < BAR
    distance = abs(_column(start) - _column(end))
    return (True, -min(here.get(end, 0), SHOWN), -distance) if along else (False, 0, distance)


def _column(point: int) -> int:
    """Columns from the middle of the left half on; off and the bar where they are."""
    return {0: 12, BAR: 6}.get(point, 12 - point if point <= 12 else point - 13)


def _height(place: Place, way: Way) -> float:
    """How far from the edge of the row it goes to a checker starts."""
    return BOTTOM - place[1] if way.points[-1] <= 12 else place[1] - (2 * MIDDLE - BOTTOM)
