"""A chart of loss against CPU time as SVG."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any
from xml.sax.saxutils import escape

from svg import BLUE, CLOSING, GREEN, GREY, ORANGE, opening, text

Row = dict[str, Any]
"""A level as `curve.py` writes it."""

HEIGHT = 540
LEFT, RIGHT, TOP, BOTTOM = 64, 836, 44, 480
COLOURS = {"bgai": BLUE, "gnubg-nn": ORANGE, "bgsage": GREEN}
SAME = 0.5
"""Millipoints of loss below which the reference cannot order players."""
LOWEST = 0.05
"""Millipoints at the lower end: smaller losses are drawn there, a loss of 0 has no place on a logarithmic axis."""


class Axis:
    """A logarithmic axis from whole decades or halves of them to places in the picture."""

    def __init__(self, low: float, high: float, start: float, end: float) -> None:
        self.low, self.high = low, high
        self._start, self._scale = start, (end - start) / math.log10(high / low)

    def place(self, value: float) -> float:
        """Where a value is drawn; values outside are drawn at the ends."""
        return self._start + self._scale * math.log10(min(max(value, self.low), self.high) / self.low)

    def ticks(self) -> list[float]:
        """1, 2 and 5 times the powers of ten."""
        decades = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
        values = [float(f"{step}e{decade}") for decade in decades for step in (1, 2, 5)]
        return [value for value in values if self.low <= value <= self.high]


def chart(rows: Sequence[Row], title: str) -> str:
    """The levels as points, those of each program joined; hollow are those that the reference favours."""
    times = [row["milliseconds"]["mean"] for row in rows]
    across = Axis(10 ** math.floor(math.log10(min(times))), 10 ** math.ceil(math.log10(max(times))), LEFT, RIGHT)
    most = max(row["losses"]["all"]["mean"] for row in rows)
    up = Axis(LOWEST, max(2 * most, 2 * SAME), BOTTOM, TOP)
    parts = [*opening(HEIGHT, title, LEFT), *_grid(across, up)]
    for program, colour in COLOURS.items():
        its = sorted((row for row in rows if row["program"] == program), key=lambda row: row["milliseconds"]["mean"])
        joined = [row for row in its if row["main"]]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in (_place(row, across, up) for row in joined))
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="1.5" opacity="0.6"/>')
        for row in its:
            parts += _point(row, across, up, colour)
    for number, (program, colour) in enumerate(COLOURS.items()):
        y = TOP + 16 + 20 * number
        parts.append(f'<circle cx="{RIGHT - 112}" cy="{y - 4}" r="5" fill="{colour}"/>')
        parts.append(text(RIGHT - 100, y, program))
    parts.append(text(RIGHT, TOP + 74, "hollow: made the reference", anchor="end", size=11))
    return "\n".join([*parts, CLOSING]) + "\n"


def _place(row: Row, across: Axis, up: Axis) -> tuple[float, float]:
    return across.place(row["milliseconds"]["mean"]), up.place(row["losses"]["all"]["mean"])


def _grid(across: Axis, up: Axis) -> list[str]:
    parts = []
    for value in across.ticks():
        if f"{value:e}"[0] == "1":
            x = across.place(value)
            parts.append(_line(x, TOP, x, BOTTOM))
            parts.append(text(x, BOTTOM + 18, f"{value:g}", anchor="middle"))
    for value in up.ticks():
        y = up.place(value)
        parts.append(_line(LEFT, y, RIGHT, y))
        parts.append(text(LEFT - 8, y + 4, f"{value:g}", anchor="end"))
    y = up.place(SAME)
    parts.append(_line(LEFT, y, RIGHT, y, 'stroke-dasharray="6 4" opacity="0.9"'))
    parts.append(text(LEFT + 6, y + 15, "below: finer than the reference can tell", size=11))
    parts.append(text((LEFT + RIGHT) / 2, BOTTOM + 38, "CPU time a decision, milliseconds", anchor="middle"))
    parts.append(
        f'<text transform="translate(18 {(TOP + BOTTOM) / 2:.0f}) rotate(-90)" text-anchor="middle">'
        "mean loss, millipoints (bars: one standard error)</text>"
    )
    return parts


def _point(row: Row, across: Axis, up: Axis, colour: str) -> list[str]:
    x, y = _place(row, across, up)
    loss = row["losses"]["all"]
    low, high = (up.place(loss["mean"] + sign * loss["standard_error"]) for sign in (-1, 1))
    fill = "none" if row["favoured"] else colour
    radius = 5 if row["main"] else 3
    told = f"{row['title']}: {loss['mean']:.2f} ± {loss['standard_error']:.2f} millipoints"
    parts = [
        f'<path d="M{x:.1f} {low:.1f}V{high:.1f}" stroke="{colour}" opacity="0.5"/>',
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="{fill}" stroke="{colour}" stroke-width="1.5">'
        f"<title>{escape(told)}</title></circle>",
    ]
    if row["label"]:
        side, anchor = (-8, "end") if x > RIGHT - 100 else (8, "start")
        parts.append(text(x + side, y - 8, row["label"], anchor=anchor, size=11, fill=colour))
    return parts


def _line(x1: float, y1: float, x2: float, y2: float, more: str = 'opacity="0.25"') -> str:
    return f'<path d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}" stroke="{GREY}" {more}/>'
