"""How GNU Backgammon's SGF names points: letters that stand for the same place whoever plays.

White is seat 0, Black seat 1. White's point 1 is `a`, and so on to its point 24, `x`, which is Black's point 1; `y`
is the bar and `z` is off.
"""

from __future__ import annotations

from bgai.board import BAR
from bgai.errors import InputError

COLOURS = "WB"
"""By seat."""


def letter(seat: int, point: int) -> str:
    """The letter of a point of this seat; 25 the bar, 0 off."""
    if point in (0, BAR):
        return "y" if point == BAR else "z"
    return chr(ord("a") + point - 1) if seat == 0 else chr(ord("x") - point + 1)


def point(seat: int, sign: str, *, leaves: bool) -> int:
    """The point of a letter for this seat.

    Args:
        leaves: whether a checker leaves from there, which only the bar allows.

    Raises:
        InputError: no point.
    """
    if "a" <= sign <= "x":
        number = ord(sign) - ord("a") + 1
        return number if seat == 0 else BAR - number
    if sign == "y" and leaves:
        return BAR
    if sign == "z" and not leaves:
        return 0
    raise InputError(f"found {sign!r}, expected a point from 'a' to 'x', 'y' for the bar or 'z' for off")
