"""Reliability charts as SVG: what was said against what came out, in small squares of the same scale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from svg import BLUE, CLOSING, GREY, opening, text

Values = NDArray[np.float64]

SQUARE = 162
COLUMNS = 2
LEFT, TOP = 36, 84
ACROSS, DOWN = 202, 222
"""From one square to the next."""
_TICKS = (0.0, 0.5, 1.0)


@dataclass(frozen=True)
class Series:
    """Chances of one event in N positions."""

    said: Values
    """float64[N], by the network alone."""
    found: Values
    """float64[N], rolled out."""
    colour: str = BLUE


@dataclass(frozen=True)
class Panel:
    """The two squares of a kind of position."""

    title: str
    wins: Sequence[Series]
    gammons: Sequence[Series]
    hollow: NDArray[np.bool_]
    """bool[N]: positions drawn as rings."""


def reliability(panels: Sequence[Panel], title: str) -> str:
    """The panels in rows of two, each with a square of wins and one of gammons."""
    height = TOP + -(-len(panels) // COLUMNS) * DOWN + 8
    parts = [
        *opening(height, title, LEFT),
        text(LEFT, 40, "across: said by the network alone; up: rolled out; rings: crossed positions", size=12),
    ]
    for number, panel in enumerate(panels):
        x = LEFT + number % COLUMNS * 2 * ACROSS
        y = TOP + number // COLUMNS * DOWN
        parts.append(text(x, y - 10, panel.title, size=13))
        parts += _square(x, y, "win", panel.wins, panel.hollow)
        parts += _square(x + ACROSS, y, "gammon: won (blue), lost", panel.gammons, panel.hollow)
    return "\n".join([*parts, CLOSING]) + "\n"


def _square(x: float, y: float, name: str, series: Sequence[Series], hollow: NDArray[np.bool_]) -> list[str]:
    """A square whose upper left corner is at (x, y)."""
    end = y + SQUARE
    parts = [
        f'<path d="M{x} {y}V{end}H{x + SQUARE}" fill="none" stroke="{GREY}" opacity="0.6"/>',
        f'<path d="M{x} {end}L{x + SQUARE} {y}" stroke="{GREY}" stroke-dasharray="4 3" opacity="0.6"/>',
        text(x + 6, y + 12, name, size=11),
    ]
    for tick in _TICKS:
        parts.append(text(x + tick * SQUARE, end + 14, f"{100 * tick:g} %", anchor="middle", size=10))
        parts.append(text(x - 4, end - tick * SQUARE + 4, f"{100 * tick:g}", anchor="end", size=10))
    for one in series:
        parts.append(f'<g fill="{one.colour}" fill-opacity="0.6" stroke="{one.colour}">')
        for said, found, ring in zip(one.said, one.found, hollow, strict=True):
            hole = ' fill="none"' if ring else ""
            parts.append(f'<circle cx="{x + said * SQUARE:.1f}" cy="{end - found * SQUARE:.1f}" r="2"{hole}/>')
        parts.append("</g>")
    return parts
