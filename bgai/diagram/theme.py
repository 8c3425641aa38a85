"""The colours of diagrams."""

from __future__ import annotations

from dataclasses import dataclass

from bgai.errors import InputError


@dataclass(frozen=True)
class Side:
    """One side's checkers."""

    fill: str
    rim: str
    ink: str
    """Numbers on a checker, and the spots of dice."""


@dataclass(frozen=True)
class Theme:
    """Every colour of a diagram."""

    page: str
    text: str
    faint: str
    """Text that matters less."""
    frame: str
    edge: str
    """Lines between the parts of the board."""
    numbers: str
    field: str
    bar: str
    points: tuple[str, str]
    """Of odd and even points."""
    own: Side
    opponent: Side
    cube: Side
    arrow: str
    halo: str
    """Around arrows, so that they stand out from checkers of both sides."""
    hit: str


THEMES = {
    "light": Theme(
        page="#ffffff",
        text="#22262b",
        faint="#5f666e",
        frame="#e9e0d0",
        edge="#6b5d4a",
        numbers="#54483a",
        field="#fbf8f1",
        bar="#e1d5c0",
        points=("#c98f6b", "#dfcfb1"),
        own=Side("#ffffff", "#33302c", "#22262b"),
        opponent=Side("#35322f", "#1c1a18", "#ffffff"),
        cube=Side("#ffffff", "#33302c", "#22262b"),
        arrow="#1668b8",
        halo="#ffffff",
        hit="#c62828",
    ),
    "dark": Theme(
        page="#14171b",
        text="#eceff2",
        faint="#9aa4ae",
        frame="#222930",
        edge="#4b5763",
        numbers="#b4bec8",
        field="#333d47",
        bar="#262e36",
        points=("#5a7288", "#43505d"),
        own=Side("#f3ede0", "#14171b", "#22262b"),
        opponent=Side("#15181c", "#93a0ac", "#f3ede0"),
        cube=Side("#f3ede0", "#14171b", "#22262b"),
        arrow="#ffb547",
        halo="#14171b",
        hit="#ff6b5e",
    ),
}


def theme_named(name: str) -> Theme:
    """The theme of that name.

    Raises:
        InputError: there is none.
    """
    if name not in THEMES:
        raise InputError(f"theme: found {name!r}, expected {' or '.join(THEMES)}")
    return THEMES[name]
