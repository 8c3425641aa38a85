"""Diagrams of positions, as books print them: SVG that stands alone, and PNG.

    >>> from bgai.diagram import diagram_svg
    >>> position = bgai.parse_xgid("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10")
    >>> diagram_svg(position, "8/5 6/5").startswith("<svg")
    True

The player on roll (or, while an offer waits, who made it) plays from the bottom and counts the points.
"""

from __future__ import annotations

from bgai.diagram.geometry import Direction, Geometry
from bgai.diagram.picture import Picture
from bgai.diagram.png import png_of
from bgai.diagram.theme import THEMES, theme_named
from bgai.diagram.words import NAMES, Names
from bgai.errors import InputError, PlayError
from bgai.notation.checks import check_position
from bgai.notation.playtext import format_play, parse_play
from bgai.plays import legal_plays
from bgai.position import Position

__all__ = ["NAMES", "NARROWEST", "THEMES", "WIDEST", "WIDTH", "Direction", "Names", "diagram_png", "diagram_svg"]

WIDTH = 800
"""Pixels of a diagram if nothing else is said."""
NARROWEST, WIDEST = 100, 10_000


def diagram_svg(
    position: Position,
    play: str | None = None,
    *,
    direction: Direction = "right",
    theme: str = "light",
    width: int = WIDTH,
    names: Names = NAMES,
) -> str:
    """A diagram of the position before a play, with an arrow for each checker that the play moves.

    Args:
        play: as `parse_play` reads it, such as "8/5 6/5"; the position has to have its dice then.
        direction: where the home board of the player on roll is, at the bottom.
        theme: "light" or "dark".
        width: in pixels; everything is scaled to it.
        names: of the player on roll, who has the light checkers, and of the opponent.

    Raises:
        PositionError: a position that cannot occur.
        PlayError: no legal play, or no dice to play.
        InputError: an unknown direction or theme, or a width that is out of range.
    """
    if direction not in ("right", "left"):
        raise InputError(f"direction: found {direction!r}, expected left or right")
    if not NARROWEST <= width <= WIDEST:
        raise InputError(f"width: found {width}, expected {NARROWEST} to {WIDEST} pixels")
    colours = theme_named(theme)
    checked = check_position(position)
    moves = None if play is None else _played(checked, play)
    return Picture(checked, moves, Geometry(direction), colours, names).paint(width)


def diagram_png(
    position: Position,
    play: str | None = None,
    *,
    direction: Direction = "right",
    theme: str = "light",
    width: int = WIDTH,
    names: Names = NAMES,
) -> bytes:
    """`diagram_svg` as PNG; the text is set in a font of the machine.

    Raises:
        InputError: as `diagram_svg`; or `bgai[png]` is not installed, or there is no font.
    """
    return png_of(diagram_svg(position, play, direction=direction, theme=theme, width=width, names=names))


def _played(position: Position, play: str) -> str:
    """The play in standard notation; empty when the turn passes."""
    if position.offer is not None:
        raise PlayError(f"a {position.offer} waits for an answer, so there is nothing to play yet; found {play!r}")
    if position.dice is None:
        raise PlayError(f"a play needs its roll, found {play!r} in a position without dice")
    plays = legal_plays(position.board, position.dice)
    return format_play(position.board, plays.steps[parse_play(position.board, plays, play)])
