"""A development as a picture: the PR of each match, and the rolling one, as SVG that stands alone.

A lower PR is better, so the line of somebody who learns goes down.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import count

from bgai.diagram.svg import FONTS, Drawing, number
from bgai.diagram.theme import Theme, theme_named
from bgai.history.development import WINDOW, Development

WIDTH, HEIGHT = 860, 460
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 836, 66, 396
_LETTER = 6.4
"""About the width of a letter of the legend."""
_TICKS = 8
"""Labels along an axis, at most."""


def chart(development: Development, *, window: int = WINDOW, theme: str = "light") -> str:
    """The chart of a player's matches.

    Args:
        window: matches of the rolling PR.
        theme: "light" or "dark".

    Raises:
        InputError: an unknown theme.
    """
    return _Chart(development, window, theme_named(theme)).paint()


class _Chart:
    """Places values in the picture and paints them."""

    def __init__(self, development: Development, window: int, theme: Theme) -> None:
        self._development = development
        self._theme = theme
        self._window = window
        self._ratings = [one.all.pr for one in development.matches]
        self._rolling = development.rolling(window)
        highest = max((rating for rating in self._ratings if rating is not None), default=0.0)
        steps: Iterator[int] = (step * 10**power for power in count() for step in (1, 2, 5))
        self._step = next(step for step in steps if highest <= step * _TICKS)
        self._top = self._step * max(1, math.ceil(highest / self._step))

    def paint(self) -> str:
        theme, drawing = self._theme, Drawing()
        with drawing.group(
            "svg",
            xmlns="http://www.w3.org/2000/svg",
            width=WIDTH,
            height=HEIGHT,
            viewBox=f"0 0 {WIDTH} {HEIGHT}",
            role="img",
            font_family=FONTS,
        ):
            title = f"{self._development.player}: performance rating"
            drawing.words("title", f"{title} over {len(self._ratings)} matches")
            drawing.add("rect", width=WIDTH, height=HEIGHT, fill=theme.page)
            drawing.text(title, _LEFT, 28, 17, fill=theme.text)
            drawing.text("lower is better", _LEFT, 48, 13, fill=theme.faint)
            self._legend(drawing)
            self._grid(drawing)
            self._line(drawing)
            self._points(drawing)
        return str(drawing)

    def _x(self, place: int) -> float:
        last = len(self._ratings) - 1
        return (_LEFT + _RIGHT) / 2 if not last else _LEFT + 16 + place * (_RIGHT - _LEFT - 32) / last

    def _y(self, rating: float) -> float:
        return _BOTTOM - (_BOTTOM - _TOP) * rating / self._top

    def _legend(self, drawing: Drawing) -> None:
        theme = self._theme
        last = "match" if self._window == 1 else f"{self._window} matches"
        text = f"the last {last} together"
        line = _RIGHT - _LETTER * len(text) - 36
        drawing.add("circle", cx=line - 90, cy=24, r=4, fill=theme.page, stroke=theme.text, stroke_width=1.5)
        drawing.text("a match", line - 80, 28, 13, fill=theme.text)
        drawing.add("path", d=f"M{number(line)} 24h26", stroke=theme.arrow, stroke_width=2.5)
        drawing.text(text, _RIGHT, 28, 13, fill=theme.text, text_anchor="end")

    def _grid(self, drawing: Drawing) -> None:
        theme = self._theme
        for rating in range(0, self._top + 1, self._step):
            y = self._y(rating)
            drawing.add("path", d=f"M{_LEFT} {number(y)}H{_RIGHT}", stroke=theme.faint, stroke_width=0.6, opacity=0.6)
            drawing.text(str(rating), _LEFT - 10, y + 5, 13, fill=theme.text, text_anchor="end")
        for place in self._labelled():
            x = self._x(place)
            drawing.add("path", d=f"M{number(x)} {_BOTTOM}v5", stroke=theme.faint)
            day = self._development.matches[place].played.isoformat()
            drawing.text(day, x, _BOTTOM + 22, 13, fill=theme.text, text_anchor="middle")
        middle = {"fill": theme.faint, "text_anchor": "middle"}
        drawing.text("matches in the order in which they were played", (_LEFT + _RIGHT) / 2, _BOTTOM + 48, 13, **middle)
        with drawing.group(transform=f"translate(20 {(_TOP + _BOTTOM) / 2:.0f}) rotate(-90)"):
            drawing.text("PR", 0, 0, 13, **middle)

    def _labelled(self) -> list[int]:
        """Matches under which their day stands."""
        last = len(self._ratings)
        return list(range(0, last, math.ceil(last / _TICKS)))

    def _line(self, drawing: Drawing) -> None:
        for run in _runs(self._rolling):
            path = "L".join(f"{number(self._x(place))} {number(self._y(rating))}" for place, rating in run)
            drawing.add("path", d=f"M{path}", fill="none", stroke=self._theme.arrow, stroke_width=2.5)

    def _points(self, drawing: Drawing) -> None:
        theme = self._theme
        for place, (match, rating) in enumerate(zip(self._development.matches, self._ratings, strict=True)):
            if rating is None:
                continue
            x, y = self._x(place), self._y(rating)
            with drawing.group("circle", cx=x, cy=y, r=4, fill=theme.page, stroke=theme.text, stroke_width=1.5):
                drawing.words("title", f"{match.played}, {match.opponent}: PR {rating:.2f}")


def _runs(values: list[float | None]) -> Iterator[list[tuple[int, float]]]:
    """Values without a gap, with their places."""
    run: list[tuple[int, float]] = []
    for place, value in enumerate(values):
        if value is not None:
            run.append((place, value))
        elif run:
            yield run
            run = []
    if run:
        yield run
