"""What a lax reader found, and the small tools that the readers share."""

from __future__ import annotations

import re
from dataclasses import dataclass

from bgai.errors import PositionError
from bgai.position import Position

LONGEST = 60
"""Characters of a text that a message still quotes in full."""

BLANKS = " \t\r\n\f\v\0\ufeff\xa0"
"""What may stand around any text: gnubg ends its lines with a NUL, files may begin with a byte order mark."""

_NUMBER = re.compile(r"-?[0-9]{1,6}")


@dataclass(frozen=True)
class Reading:
    """A position and what had to be said about the text it came from."""

    position: Position
    kind: str
    """What the text was, such as "XGID"."""
    remarks: tuple[str, ...] = ()
    """What was repaired or could be understood otherwise, a line each; mostly empty."""


def quote(text: str) -> str:
    """A text as a message shows it: in full, or how long it is and how it begins."""
    if len(text) > LONGEST:
        return f"{len(text)} characters beginning with {text[:20]!r}"
    return repr(text)


def whole_number(field: str, text: str, low: int, high: int) -> int:
    """The number that a field holds.

    Raises:
        PositionError: no whole number, or one that is not from `low` to `high`.
    """
    number = int(text) if _NUMBER.fullmatch(text) else None
    if number is None or not low <= number <= high:
        raise PositionError(f"{field}: found {quote(text)}, expected a whole number from {low} to {high}")
    return number
