"""How the numbers of a report are written; nothing else there rounds."""

from __future__ import annotations

from bgai.opinions import ROLLED

NONE = "–"
"""Where there is no number."""

MINUS = "−"

_FIGURE_SPACE = "\u2007"
"""As wide as a digit."""


def signed(value: float, digits: int = 3) -> str:
    """With its sign; what rounds to nothing has none."""
    text = f"{value:+.{digits}f}"
    return text[1:] if not text.strip("+-0.") else text.replace("-", MINUS)


def equity(value: float | None) -> str:
    """Equity per unit of the cube."""
    return NONE if value is None else signed(value)


def loss(value: float) -> str:
    """Equity that was given up, at least 0."""
    return f"{value:.3f}"


def chance(value: float | None, digits: int = 2) -> str:
    """A chance, 0 to 1, as a percentage."""
    return NONE if value is None else f"{100 * value:.{digits}f}%"


def game_chances(*values: float) -> str:
    """Chances of a game as percentages without their sign, which the heading has; below 100 all are equally wide."""
    return " ".join(f"{100 * value:4.1f}".replace(" ", _FIGURE_SPACE) for value in values).lstrip(_FIGURE_SPACE)


def cost(value: float, match: bool) -> str:
    """What was given up: chance to win the match, or points for money."""
    return chance(value) if match else f"{value:.3f}"


def swing(value: float | None, match: bool) -> str:
    """What was won or lost: chance to win the match, or points for money."""
    if value is None:
        return NONE
    return f"{signed(100 * value, 2)}%" if match else signed(value)


def standing(value: float | None, match: bool) -> str:
    """How a player stands: chance to win the match, or points for money."""
    if value is None:
        return NONE
    return chance(value) if match else signed(value, 0 if value.is_integer() else 3)


def rate(value: float | None) -> str:
    """PR, error rates and luck rates."""
    return NONE if value is None else f"{value:.2f}".replace("-", MINUS)


def depth(plies: int) -> str:
    """How far was looked ahead."""
    return "rolled out" if plies == ROLLED else f"{plies}-ply"


def counted(number: int, one: str) -> str:
    """`1 error`, `2 errors`."""
    return f"{number} {one}{'' if number == 1 else 's'}"
