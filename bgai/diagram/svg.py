"""A few lines that write SVG: elements with attributes, groups and text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from xml.sax.saxutils import escape, quoteattr

Value = str | float
Attributes = dict[str, Value]

FONTS = "Inter, 'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', 'Noto Sans', Roboto, sans-serif"

DIGIT_DROP = 0.36
"""How far below the middle of a digit its baseline lies, as a share of the font size."""

_FORBIDDEN = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that no XML may hold."""


class Drawing:
    """The elements of a picture, in the order in which they are painted."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._depth = 0

    def add(self, tag: str, **attributes: Value) -> None:
        """An element without content; `_` in the name of an attribute stands for `-`."""
        self._write(f"<{tag}{_written(attributes)}/>")

    def text(self, content: str, x: float, y: float, size: float, **attributes: Value) -> None:
        """Text whose baseline begins, ends or is centred at (x, y), as `text_anchor` says."""
        places: Attributes = {"x": x, "y": y, "font_size": size}
        self._write(f"<text{_written(places | attributes)}>{plain(content)}</text>")

    def label(self, content: str, x: float, y: float, size: float, **attributes: Value) -> None:
        """Text with its middle at (x, y)."""
        self.text(content, x, y + DIGIT_DROP * size, size, text_anchor="middle", **attributes)

    def words(self, tag: str, content: str, **attributes: Value) -> None:
        """An element that holds text alone, such as a title."""
        self._write(f"<{tag}{_written(attributes)}>{plain(content)}</{tag}>")

    @contextmanager
    def group(self, tag: str = "g", **attributes: Value) -> Iterator[None]:
        """What is added inside belongs together and shares the attributes."""
        self._write(f"<{tag}{_written(attributes)}>")
        self._depth += 1
        yield
        self._depth -= 1
        self._write(f"</{tag}>")

    def __str__(self) -> str:
        return "\n".join(self._lines) + "\n"

    def _write(self, line: str) -> None:
        self._lines.append("  " * self._depth + line)


def plain(content: str) -> str:
    """Text as XML takes it."""
    return escape(_FORBIDDEN.sub("", content))


def number(value: float) -> str:
    """A coordinate, to a hundredth."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text in ("", "-0") else text


def points(*places: tuple[float, float]) -> str:
    """Places as a polygon or a path lists them."""
    return " ".join(f"{number(x)},{number(y)}" for x, y in places)


def _written(attributes: Attributes) -> str:
    parts = []
    for name, value in attributes.items():
        text = value if isinstance(value, str) else number(value)
        parts.append(f" {name.rstrip('_').replace('_', '-')}={quoteattr(_FORBIDDEN.sub('', text))}")
    return "".join(parts)
