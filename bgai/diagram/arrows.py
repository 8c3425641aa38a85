"""Paints the arrows of a play."""

from __future__ import annotations

import math
from itertools import pairwise

from bgai.board import Board
from bgai.diagram import geometry as at
from bgai.diagram.geometry import Geometry, Place
from bgai.diagram.moves import Arrow
from bgai.diagram.svg import Drawing, points
from bgai.diagram.theme import Theme

_HEAD, _HALF_HEAD = 16.0, 9.0
"""Length and half the width of an arrow's head."""
_LINE = 4.6
_TAIL = 5.5
_HALO = 2.2
"""How far the light edge stands out on each side."""


def paint_arrows(drawing: Drawing, arrows: list[Arrow], board: Board, geometry: Geometry, theme: Theme) -> None:
    """Where checkers land and what they hit, then the arrows over it."""
    with drawing.group(class_="play"):
        for arrow in arrows:
            _landing(drawing, arrow, board, theme)
        for point in sorted({point for arrow in arrows for point in arrow.way.hits}):
            x, y = geometry.checker(point, 0)
            drawing.add(
                "circle", class_="hit", data_point=str(point), cx=x, cy=y, r=at.RADIUS + 0.5, fill="none",
                stroke=theme.hit, stroke_width=4.5,
            )  # fmt: skip
        for arrow in arrows:
            _arrow(drawing, arrow, theme)


def _landing(drawing: Drawing, arrow: Arrow, board: Board, theme: Theme) -> None:
    """A pale checker where there will be one; on a blot, on a stack higher than is drawn and on the tray is no room."""
    if arrow.end == 0 or arrow.level >= at.SHOWN or (board[arrow.end] < 0 and arrow.level == 0):
        return
    x, y = arrow.places[-1]
    drawing.add(
        "circle", class_="landing", data_point=str(arrow.end), cx=x, cy=y, r=at.RADIUS, fill=theme.own.fill,
        fill_opacity=0.55, stroke=theme.arrow, stroke_width=2, stroke_dasharray="5 4",
    )  # fmt: skip


def _arrow(drawing: Drawing, arrow: Arrow, theme: Theme) -> None:
    bends = [_bend(first, last) for first, last in pairwise(arrow.places)]
    start, end = arrow.places[0], arrow.places[-1]
    # A number on the checker stays readable.
    if arrow.on_number[0]:
        start = _towards(start, bends[0], at.RADIUS)
    if arrow.on_number[1]:
        end = _towards(end, bends[-1], at.RADIUS * 0.7)
    back = _towards(end, bends[-1], _HEAD)
    across, down = ((end[0] - back[0]) / _HEAD * _HALF_HEAD, (end[1] - back[1]) / _HEAD * _HALF_HEAD)
    stops = [*arrow.places[1:-1], _towards(end, bends[-1], _HEAD * 0.8)]
    line = f"M {points(start)}" + "".join(
        f" Q {points(bend)} {points(stop)}" for bend, stop in zip(bends, stops, strict=True)
    )
    head = points(end, (back[0] - down, back[1] + across), (back[0] + down, back[1] - across))
    x, y = start
    with drawing.group(class_="arrow", data_from=str(arrow.start), data_to=str(arrow.end), stroke_linejoin="round"):
        with drawing.group(stroke=theme.halo, stroke_linecap="round"):
            drawing.add("path", d=line, fill="none", stroke_width=_LINE + 2 * _HALO)
            drawing.add("polygon", points=head, fill=theme.halo, stroke_width=2 * _HALO)
            if not arrow.on_number[0]:
                drawing.add("circle", cx=x, cy=y, r=_TAIL, fill=theme.halo, stroke_width=2 * _HALO)
        drawing.add("path", d=line, fill="none", stroke=theme.arrow, stroke_width=_LINE)
        drawing.add("polygon", class_="head", points=head, fill=theme.arrow)
        if not arrow.on_number[0]:
            drawing.add("circle", class_="tail", cx=x, cy=y, r=_TAIL, fill=theme.arrow)


def _bend(first: Place, last: Place) -> Place:
    """The point that a line is drawn towards: along a row it swings over the stacks, across the board it is straight.

    The swing stays clear of the dice.
    """
    x, y = (first[0] + last[0]) / 2, (first[1] + last[1]) / 2
    lower = [place[1] > at.MIDDLE for place in (first, last)]
    if lower[0] != lower[1]:
        return x, y
    lift = min(30 + 0.3 * abs(first[0] - last[0]), 150)
    inner = min(first[1], last[1]) if lower[0] else max(first[1], last[1])
    y = (y + inner) / 2
    return x, max(y - lift, at.MIDDLE + 8) if lower[0] else min(y + lift, at.MIDDLE - 8)


def _towards(place: Place, other: Place, length: float) -> Place:
    """So far from a place on the way to another."""
    across, down = other[0] - place[0], other[1] - place[1]
    share = length / (math.hypot(across, down) or 1.0)
    return place[0] + share * across, place[1] + share * down
