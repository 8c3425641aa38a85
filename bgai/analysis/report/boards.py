"""Diagrams of one page: small, because what several of them share is written once, and in colours of the page.

They are those of `bgai.diagram` without what it writes around the board, which could not be read on a telephone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import astuple
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from bgai.analysis.report.markup import Markup, join, tag
from bgai.board import borne_off
from bgai.diagram import NAMES, WIDTH, Names
from bgai.diagram import geometry as at
from bgai.diagram.arrows import paint_arrows
from bgai.diagram.geometry import Geometry
from bgai.diagram.moves import arrows_of
from bgai.diagram.picture import Picture
from bgai.diagram.svg import Drawing, number
from bgai.diagram.theme import Side, Theme
from bgai.diagram.words import description
from bgai.position import Position

_EDGE = 3.0
"""Left free around the frame of the board."""

_VIEW = " ".join(
    number(length)
    for length in (
        at.MARGIN - _EDGE,
        at.FRAME_TOP - _EDGE,
        at.WIDTH - 2 * (at.MARGIN - _EDGE),
        at.FRAME_BOTTOM - at.FRAME_TOP + 2 * _EDGE,
    )
)

_SHARED = ("board", "numbers", "cube", "cube offered", "dice", "off own", "off opponent")
"""Groups that many diagrams have in common."""


def _side(name: str) -> Side:
    return Side(f"var(--{name}-fill)", f"var(--{name}-rim)", f"var(--{name}-ink)")


def _theme(arrow: str) -> Theme:
    """The theme whose colours are variables of the style sheet."""
    return Theme(
        page="var(--board-page)",
        text="var(--board-text)",
        faint="var(--board-faint)",
        frame="var(--board-frame)",
        edge="var(--board-edge)",
        numbers="var(--board-numbers)",
        field="var(--board-field)",
        bar="var(--board-bar)",
        points=("var(--board-odd)", "var(--board-even)"),
        own=_side("own"),
        opponent=_side("opponent"),
        cube=_side("cube"),
        arrow=arrow,
        halo="var(--board-halo)",
        hit="var(--board-hit)",
    )


_BEST, _MADE = _theme("var(--best)"), _theme("var(--made)")


def colours(theme: Theme) -> str:
    """The variables of the style sheet for the colours of a theme; those of arrows are not among them."""
    names, values = _leaves(astuple(_BEST)), _leaves(astuple(theme))
    pairs = zip(names, values, strict=True)
    return "".join(f"{name[4:-1]}:{value};" for name, value in pairs if name != _BEST.arrow)


def _leaves(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
        return
    for part in value:
        yield from _leaves(part)


class Boards:
    """The diagrams of a page."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        """What is shared, by its text."""

    def diagram(self, position: Position, best: str | None, made: str | None, names: Names, told: str) -> Markup:
        """A position, with arrows for the best play and, dashed, for the one that was made.

        Args:
            best: in the notation of `format_play`; None for no arrows at all.
            made: the same.
            names: of the player on roll and the opponent.
            told: what is said of the plays to those who cannot see the arrows.
        """
        geometry = Geometry()
        root = _tree(Picture(position, best, geometry, _BEST, NAMES).paint(WIDTH))
        if best and made and made != best:
            root.append(_made(position, best, made, geometry))
        # The first three are title, text and the paper behind it.
        parts = join(part for child in list(root)[3:] if child.get("class") != "text" for part in self._parts(child))
        label = " ".join(filter(None, [description(position, None, "right", names), told]))
        return tag("svg", parts, class_="diagram", viewBox=_VIEW, role="img", aria_label=label)

    def shared(self) -> Markup:
        """What the diagrams refer to, to be put anywhere on the page."""
        parts = (Markup(f'<g id="{name}">{text}</g>') for text, name in self._names.items())
        return tag("svg", tag("defs", join(parts)), class_="shared", width=0, height=0, aria_hidden="true")

    def _parts(self, element: Element) -> Iterator[Markup]:
        name = element.get("class") or ""
        if name in _SHARED:
            yield self._use([element])
        elif name.startswith("checkers"):
            element[:] = [ElementTree.fromstring(self._use(checker)) for checker in _checkers(element)]
            yield _text(element)
        else:
            yield _text(element)

    def _use(self, elements: list[Element]) -> Markup:
        text = join(map(_text, elements))
        name = self._names.setdefault(text, f"b{len(self._names)}")
        return Markup(f'<use href="#{name}"/>')


def _made(position: Position, best: str, made: str, geometry: Geometry) -> Element:
    """The arrows of the play that was made; those it has in common with the best lie on these."""
    board, off = position.board, int(borne_off(position.board))
    there = arrows_of(board, best, off, geometry)
    arrows = []
    for arrow in arrows_of(board, made, off, geometry):
        twin = next((one for one in there if one.way == arrow.way), None)
        if twin is not None:
            there.remove(twin)
        arrows.append(twin or arrow)
    drawing = Drawing()
    with drawing.group(class_="made"):
        paint_arrows(drawing, arrows, board, geometry, _MADE)
    return _tree(str(drawing))


def _checkers(group: Element) -> Iterator[list[Element]]:
    """Each checker with what is drawn upon it."""
    one: list[Element] = []
    for element in group:
        if element.get("class") == "checker" and one:
            yield one
            one = []
        one.append(element)
    if one:
        yield one


def _tree(svg: str) -> Element:
    """The elements of a drawing, without their name space, which a page of HTML knows, and without blanks."""
    root = ElementTree.fromstring(svg.replace(' xmlns="http://www.w3.org/2000/svg"', "", 1))
    for element in root.iter():
        element.text = (element.text or "").strip() or None
        element.tail = None
        for name in ("data-point", "data-from", "data-to"):
            element.attrib.pop(name, None)
    return root


def _text(element: Element) -> Markup:
    return Markup(ElementTree.tostring(element, encoding="unicode", short_empty_elements=True).replace(" />", "/>"))
