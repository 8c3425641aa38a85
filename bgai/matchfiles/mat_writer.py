"""Writes `.mat` files as GNU Backgammon does, and the same without tags, which is Snowie's text."""

from __future__ import annotations

import re
from dataclasses import dataclass

from bgai.events import (
    AcceptResignation,
    Beaver,
    Double,
    Pass,
    Play,
    Raccoon,
    Resign,
    Roll,
    SetUp,
    StartGame,
    Take,
)
from bgai.matchfiles.found import Problem, one_line
from bgai.matchfiles.mat_reader import TAGS
from bgai.matchfiles.snowie import format_snowie_line
from bgai.matchfiles.writing import Happening, common_losses, happenings, hits, is_nackgammon
from bgai.position import CUBE_LIMIT
from bgai.record import MatchRecord

_NAMES = {
    key: tag
    for tag, key in (
        ("Site", "place"),
        ("Event", "event"),
        ("Round", "round"),
        ("EventDate", "date"),
        ("EventTime", "time"),
        ("Transcriber", "transcriber"),
    )
}
_RATING = re.compile(r"\d{3,5}(?:\.\d+)?")
_CELL = 27
_HEADER = 31


def write_mat(record: MatchRecord, *, tags: bool = True) -> str:
    """The match as `.mat`; without tags, which is what Snowie calls text."""
    lines = [*_tags(record), ""] if tags else []
    lines += [f" {record.rules.length} point match", ""]
    nackgammon = tags and is_nackgammon(record)
    for number, game in enumerate(happenings(record), start=1):
        if nackgammon:
            del game[1]
        lines += [f" Game {number}", _header(record, game[0].before.score)]
        lines += [*_rows(record, game), ""]
    return "\n".join(lines) + "\n"


def mat_rows(record: MatchRecord) -> list[list[int]]:
    """For every event of every game the number of the row that tells it, from 1, as `write_mat` numbers them.

    What has no cell of its own, such as a resignation, belongs to the row before it.
    """
    found: list[list[int]] = []
    nackgammon = is_nackgammon(record)
    for game, told in zip(record.games, happenings(record), strict=True):
        if nackgammon:
            del told[1]
        rows = _laid_out(_cells(record, told))
        numbers = {
            event: number
            for number, row in enumerate(rows, start=1)
            for cell in row
            if cell is not None
            for event in cell.events
        }
        found.append([])
        for event in range(len(game.events)):
            found[-1].append(numbers.get(event, found[-1][-1] if found[-1] else 1))
    return found


def mat_losses(record: MatchRecord, *, tags: bool = True) -> list[Problem]:
    """What gets lost by writing so, a line each."""
    found = common_losses(record)
    remarks = sum(len(game.comments) for game in record.games)
    if remarks:
        found.append(
            Problem(
                f"{remarks} remarks on single events are left out"
                if remarks > 1
                else "a remark on an event is left out"
            )
        )
    for name in record.players:
        if name != one_line(name):
            found.append(Problem(f"the name {name!r} is written on one line"))
    for key, value in record.metadata.items():
        if tags and not _writable(key, value) and key != "variation":
            found.append(Problem(f"{key!r} is left out: it has no place in a tag"))
    if not tags:
        rules = record.rules
        agreed = {
            "no Crawford rule": bool(rules.length) and not rules.crawford,
            "Jacoby": rules.jacoby,
            "beavers": rules.beavers,
            "no cube": not rules.cube,
            f"a cube limit of {rules.cube_limit}": rules.cube_limit != CUBE_LIMIT,
            "automatic doubles": bool(rules.automatic_doubles),
        }
        found += [Problem(f"the text does not say: {name}") for name, there in agreed.items() if there]
        said = [key for key in record.metadata if not key.startswith("rating ")] + ["comment"] * bool(record.comment)
        if said:
            found.append(Problem(f"the text has no place for: {', '.join(said)}"))
    return found


def _tags(record: MatchRecord) -> list[str]:
    rules = record.rules
    tags: list[tuple[str, str]] = []
    for key, value in record.metadata.items():
        if key == "variation" or not _writable(key, value) or (key in _HEADER_KEYS and _RATING.fullmatch(value)):
            continue
        tags.append((_NAMES.get(key, key), re.sub(r"^(\d{4})-(\d{2})-(\d{2})$", r"\1.\2.\3", value)))
    if is_nackgammon(record):
        tags.append(("Variation", "NackGammon"))
    tags += [(f"Player {seat + 1}", one_line(name)) for seat, name in enumerate(record.players)]
    if rules.length:
        tags.append(("Crawford", _on(rules.crawford)))
        if record.post_crawford:
            tags.append(("PostCrawford", "On"))
    else:
        tags += [("Jacoby", _on(rules.jacoby)), ("Beaver", _on(rules.beavers))]
        tags += [("Raccoon", "On")] * rules.raccoons
        if rules.automatic_doubles:
            starts = [game.events[0] for game in record.games]
            thrown = " ".join(str(start.automatic) for start in starts if isinstance(start, StartGame))
            tags += [("AutomaticDoubles", str(rules.automatic_doubles)), ("OpeningDoubles", thrown)]
    tags += [("Cube", "Off")] * (not rules.cube)
    if rules.cube_limit != CUBE_LIMIT:
        tags.append(("CubeLimit", str(rules.cube_limit)))
    lines = [f'; [{name} "{value}"]' for name, value in tags]
    return lines + [f"; {line}" for line in record.comment.split("\n")] * bool(record.comment)


_HEADER_KEYS = ("rating 1", "rating 2")


def _writable(key: str, value: str) -> bool:
    """Whether a tag can hold it and a reader finds it again."""
    return (
        re.fullmatch(r"[^\"\[\]A-Z\x00-\x1f]+", key) is not None
        and key == key.strip()
        and one_line(value) == value
        and key not in TAGS.keys() - TAGS.values()
    )


def _on(agreed: bool) -> str:
    return "On" if agreed else "Off"


def _header(record: MatchRecord, score: tuple[int, int]) -> str:
    cells = []
    for seat, name in enumerate(record.players):
        rating = record.metadata.get(_HEADER_KEYS[seat], "")
        rated = f"{one_line(name).strip()}, {rating}" if _RATING.fullmatch(rating) else one_line(name).strip()
        cells.append(f"{rated} : {score[seat]}")
    return f" {cells[0]:{_HEADER}}{' ' * (len(cells[0]) >= _HEADER)}{cells[1]}"


@dataclass(frozen=True)
class _Cell:
    """What one player did."""

    seat: int
    text: str
    events: tuple[int, ...]
    """Indices of what it tells among the game's events."""


_Row = list[_Cell | None]
"""A cell for each seat."""


def _laid_out(cells: list[_Cell]) -> list[_Row]:
    rows: list[_Row] = []
    for cell in cells:
        if not rows or any(there is not None for there in rows[-1][cell.seat :]):
            rows.append([None, None])
        rows[-1][cell.seat] = cell
    return rows


def _rows(record: MatchRecord, game: list[Happening]) -> list[str]:
    """The rows of a game, and who wins it."""
    rows = [[cell and cell.text for cell in row] for row in _laid_out(_cells(record, game))]
    end = game[-1].after.result
    wins = "" if end is None else f"Wins {end.points} point{'' if end.points == 1 else 's'}"
    in_row = end is not None and end.winner == 1 and rows[-1][1] is None
    if in_row:
        # As GNU Backgammon writes it; on a line of its own it would read a second double out of it.
        rows[-1][1] = f" {wins}"
    lines = []
    for number, (left, right) in enumerate(rows, start=1):
        row = f"{number:3}) {left or '':{_CELL}}"
        lines.append(f"{row} {right}" if right is not None else row.rstrip())
    if end is not None and not in_row:
        lines.append(f"{' ' * (6 + end.winner * (_CELL + 1))}{wins}")
    return lines


def _cells(record: MatchRecord, game: list[Happening]) -> list[_Cell]:
    """What the rows have, one after the other."""
    cells: list[_Cell] = []
    rolled = False
    for place, happening in enumerate(game):
        before, event, after = happening.before, happening.event, happening.after
        seat, index = event.seat, happening.index
        match event:
            case StartGame() | Roll():
                first, second = event.dice
                high_first = isinstance(event, StartGame) and first < second
                text = f"{second}{first}: ????" if high_first else f"{first}{second}: ????"
                cells.append(_Cell(seat, text, (index,)))
                rolled = True
                continue
            case Play():
                marked = zip(event.steps, hits(before, event.steps), strict=True)
                text = " ".join(f"{start}/{end}{'*' * hit}" for (start, end), hit in marked)
                if rolled:
                    roll = cells.pop()
                    cells.append(_Cell(seat, f"{roll.text[:3]} {text}", (*roll.events, index)))
                else:
                    assert before.dice is not None
                    cells.append(_Cell(seat, f"{before.dice[0]}{before.dice[1]}: {text}", (index,)))
            case SetUp():
                line = f"Illegal play ({format_snowie_line(after, record.players)})"
                if rolled:
                    roll = cells.pop()
                    cells.append(_Cell(roll.seat, f"{roll.text[:3]} {line}", (*roll.events, index)))
                else:
                    cells.append(_Cell(seat, line, (index,)))
            case Double():
                cells.append(_Cell(seat, f" Doubles => {2 * after.cube}", (index,)))
            case Beaver():
                cells.append(_Cell(seat, f" Beavers => {2 * after.cube}", (index,)))
            case Raccoon():
                cells.append(_Cell(seat, f" Raccoons => {2 * after.cube}", (index,)))
            case Take() if before.offer != "double" and _rolls_next(game, place):
                # GNU Backgammon takes a word here as an answer to the next double.
                pass
            case Take():
                cells.append(_Cell(seat, " Takes", (index,)))
            case Pass():
                cells.append(_Cell(seat, " Drops", (index,)))
            case Resign() | AcceptResignation():
                pass
        rolled = False
    return cells


def _rolls_next(game: list[Happening], place: int) -> bool:
    return place + 1 < len(game) and isinstance(game[place + 1].event, Roll)
