"""Games as they are written down: numbered moves, in a column for each player."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from bgai.analysis.questions import Moment
from bgai.events import (
    AcceptResignation,
    Beaver,
    Double,
    Pass,
    Play,
    Raccoon,
    RefuseResignation,
    Resign,
    Roll,
    SetUp,
    StartGame,
    Take,
)
from bgai.notation.playtext import format_play

_RESIGNED = {1: "a single game", 2: "a gammon", 3: "a backgammon"}


@dataclass(frozen=True)
class Cell:
    """What a player did at once: a roll and its play, or something with the cube."""

    seat: int
    events: tuple[int, ...]
    """Indices among the game's events."""
    text: str
    """What was done; empty for a roll that was not played."""
    dice: tuple[int, int] | None = None
    """Larger die first."""


@dataclass(frozen=True)
class Row:
    """What both players did, one after the other."""

    number: int
    """From 1, as `Analysis.row` counts."""
    cells: tuple[list[Cell], list[Cell]]
    """By seat; mostly one for each. A resignation and the answer to it stand in the row before them."""


def rows_of(game: list[Moment], numbers: list[int]) -> list[Row]:
    """A game in rows; `numbers` are those of the rows, by event."""
    rows: dict[int, Row] = {}
    for cell in _cells(game):
        number = numbers[cell.events[-1]]
        row = rows.setdefault(number, Row(number, ([], [])))
        row.cells[cell.seat].append(cell)
    return list(rows.values())


def _cells(game: list[Moment]) -> Iterator[Cell]:
    waiting: list[Moment] = []
    """The roll that is about to be played, and a position that was set up before it."""
    for moment in game:
        event = moment.event
        if isinstance(event, StartGame | Roll | SetUp):
            if waiting:
                yield _unplayed(waiting)
            waiting = [moment]
        elif isinstance(event, Play):
            yield _played([*waiting, moment])
            waiting = []
        else:
            if waiting:
                yield _unplayed(waiting)
            waiting = []
            yield Cell(event.seat, (moment.index,), _said(moment))
    if waiting:
        yield _unplayed(waiting)


def _played(moments: list[Moment]) -> Cell:
    moment = moments[-1]
    event, before = moment.event, moment.before
    assert isinstance(event, Play)
    assert before.dice is not None
    steps = np.array([*event.steps, *[(0, 0)] * (4 - len(event.steps))], dtype=np.int8)
    text = format_play(before.board, steps) or "cannot move"
    return Cell(event.seat, _indices(moments), text, (max(before.dice), min(before.dice)))


def _unplayed(moments: list[Moment]) -> Cell:
    dice = moments[-1].after.dice
    text = "sets the position up" if isinstance(moments[-1].event, SetUp) else ""
    return Cell(moments[-1].event.seat, _indices(moments), text, None if dice is None else (max(dice), min(dice)))


def _indices(moments: list[Moment]) -> tuple[int, ...]:
    return tuple(moment.index for moment in moments)


def _said(moment: Moment) -> str:
    event = moment.event
    match event:
        case Double() | Beaver() | Raccoon():
            return f"{event.kind}s to {2 * moment.after.cube}"
        case Take():
            return "takes"
        case Pass():
            return "passes"
        case Resign():
            return f"resigns {_RESIGNED[event.value]}"
        case AcceptResignation():
            return "accepts"
        case RefuseResignation():
            return "refuses"
    raise AssertionError(event)
