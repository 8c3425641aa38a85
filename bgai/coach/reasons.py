"""Reasons: a sentence with an identifier and the numbers that stand in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Value = int | float | str


@dataclass(frozen=True)
class Reason:
    """One thing that is said."""

    id: str
    """What is said, for programs, such as `missed-hit`."""
    text: str
    """A sentence or two."""
    numbers: dict[str, Value]
    """What stands in the text, by name: numbers as they were before rounding, and points or plays as text."""

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {"id": self.id, "text": self.text, "numbers": self.numbers}


def reason(id: str, template: str, /, *, words: Mapping[str, str] | None = None, **numbers: Value) -> Reason:
    """Fills a template. All its numbers are fields; `words` fill the fields that hold none, such as names."""
    text = template.format(**numbers, **(words or {}))
    return Reason(id, text[0].upper() + text[1:], dict(numbers))


def counted(number: int, one: str, many: str = "") -> str:
    """The word that goes with a number: `counted(1, "roll")` is roll, of others rolls."""
    return one if number == 1 else many or f"{one}s"


def listed(things: list[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return things[0] if len(things) == 1 else f"{', '.join(things[:-1])} and {things[-1]}"


def points_text(points: tuple[int, ...]) -> str:
    """`5 point`, `8 and 6 points`; 7 is the bar point and 25 the bar."""
    names = [str(point) for point in points]
    return f"{listed(names)} {counted(len(points), 'point')}"
