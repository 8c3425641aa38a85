"""The lines of a `.mat` file: what stands in each, before anybody asks what it means.

A row has a number, then what the left player did and what the right one did. Programs differ in the width of the
columns and some fill the left one so far that a single blank is left; so cells are found by how they begin, with dice
and a colon or with a word, and the columns only decide where there is one cell.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

Kind = Literal["roll", "double", "beaver", "raccoon", "take", "drop", "resign", "no move", "win"]

_CANNOT = r"can(?:no|['\u2019])?t\s+move|no\s+(?:legal\s+)?moves?"
_ROW = re.compile(r"\s*(\d{1,4})\s*[).](?=\s|[1-6]{2}\s*:|$)(.*)")
_START = re.compile(
    r"(?<!\S)(?:(?P<dice>[1-6]\s?[1-6])\s*:|(?P<word>doubles?|redoubles?|beavers?|raccoons?|takes?|accepts?|drops?|"
    r"pass(?:es)?|rejects?|declines?|resigns?|wins?|illegal play|"
    rf"{_CANNOT}|dance[ds]?)(?![\w/']))",
    re.IGNORECASE,
)
_ILLEGAL = re.compile(r"illegal play\s*\((?P<line>(?:[^;]*;){37,}[^;)]*)\)", re.IGNORECASE)
_WINS = re.compile(r"wins?\s+(?:by\s+)?(?P<points>\d{1,6})\s+points?", re.IGNORECASE)
_ALONE = re.compile(r"\b" + _WINS.pattern, re.IGNORECASE)
_HEADER = re.compile(r"\s*:\s*(-?\d{1,6})(?=\s|$)")
_LENGTH = re.compile(r"\s*(?P<length>\d{1,5})[\s-]*points?[\s-]+match\b", re.IGNORECASE)
_UNLIMITED = re.compile(r"\s*(?:unlimited|money)\s+(?:match|session|game)\b", re.IGNORECASE)
_GAME = re.compile(r"(?:^|\s)Game\s+(\d{1,6})\s*$", re.IGNORECASE)
_TAG = re.compile(r"\[\s*([^\"\[\]]+?)\s+\"(.*)\"\s*\]\s*")
_NO_MOVE = re.compile(rf"(?:{_CANNOT}|pass(?:es)?|dance[ds]?|fan(?:ned|s)?|-+|none)\.?", re.IGNORECASE)
_STUCK = re.compile(rf"(?:{_CANNOT}|dance[ds]?)", re.IGNORECASE)
"""Words for it that stand alone, without a roll."""
_NO_MORE = re.compile(rf"(?<=\S)\s+{_STUCK.pattern}\.?$", re.IGNORECASE)
"""Behind a play: the rest of the roll cannot be played."""
_COLUMN = 10
"""Blanks behind the dice of one player from which on the other column begins."""
_UNKNOWN = re.compile(r"\?+")
_KINDS: dict[str, Kind] = {
    "double": "double",
    "redouble": "double",
    "beaver": "beaver",
    "raccoon": "raccoon",
    "take": "take",
    "accept": "take",
    "drop": "drop",
    "passe": "drop",
    "pass": "drop",
    "reject": "drop",
    "decline": "drop",
    "resign": "resign",
    "win": "win",
}


@dataclass(frozen=True)
class Cell:
    """What one player did."""

    column: int
    kind: Kind
    dice: tuple[int, int] | None = None
    """Of a roll, in the order they are written."""
    text: str = ""
    """The play; what stands behind the word of others."""
    number: int | None = None
    """The value that the cube goes to, or the points that are won."""
    position: str = ""
    """Snowie's line of the position after a play that is not legal."""


@dataclass(frozen=True)
class Line:
    """A line with its number in the file, from 1."""

    number: int
    kind: Literal["length", "game", "header", "row", "win", "remark", "tag", "prose"]
    text: str = ""
    """Remarks and prose; the name of a tag."""
    value: str = ""
    """Of a tag."""
    whole: int = 0
    """Length of the match, number of the game."""
    cells: tuple[Cell, ...] = ()


def read_lines(lines: Iterable[str]) -> Iterator[Line]:
    """The lines that are not blank."""
    for number, text in enumerate(lines, start=1):
        stripped = text.strip()
        if stripped:
            yield from _read(number, text, stripped)


def cell_of(text: str) -> Cell | None:
    """A cell without a row, such as a line that only says who wins."""
    match = _ALONE.search(text)
    return (
        Cell(match.start(), "win", text=text[: match.start()].strip(), number=int(match["points"])) if match else None
    )


def headers(text: str) -> list[tuple[tuple[str, int], tuple[str, int], int]]:
    """Every way to read a line as ` name : score   name : score`, with the column of the second name."""
    found = []
    ends = list(_HEADER.finditer(text))
    for first in ends[:-1]:
        second = ends[-1]
        name, other = text[: first.start()].strip(), text[first.end() : second.start()]
        if text[second.end() :].strip():
            continue
        column = first.end() + len(other) - len(other.lstrip())
        found.append(((name, int(first[1])), (other.strip(), int(second[1])), column))
    return found


def without_move(text: str) -> bool:
    """Whether a text says that nothing can be played."""
    return _NO_MOVE.fullmatch(text.strip()) is not None


def unknown_move(text: str) -> bool:
    """Whether a text stands for a play that was not made, as `????`."""
    return _UNKNOWN.fullmatch(text.strip()) is not None


def _read(number: int, text: str, stripped: str) -> list[Line]:
    if stripped.startswith(";"):
        body = stripped[1:].removeprefix(" ")
        tag = _TAG.fullmatch(body.strip())
        return [Line(number, "tag", tag[1], tag[2]) if tag else Line(number, "remark", body)]
    game = _GAME.search(text)
    if game and not text[: game.start()].strip():
        return [Line(number, "game", whole=int(game[1]))]
    row = _ROW.fullmatch(text)
    if row:
        behind: list[Line] = []
        if game:
            # gnubg forgets the end of the line behind a game that is not finished.
            behind = [Line(number, "game", whole=int(game[1]))]
            row = _ROW.fullmatch(text[: game.start()])
            assert row is not None
        return [Line(number, "row", row[2], whole=int(row[1]), cells=tuple(_cells(row[2], row.start(2)))), *behind]
    length = _LENGTH.match(text)
    if length:
        return [Line(number, "length", whole=int(length["length"]))]
    if _UNLIMITED.fullmatch(text):
        return [Line(number, "length")]
    if headers(text):
        return [Line(number, "header", text)]
    win = cell_of(text)
    return [Line(number, "win", cells=(win,))] if win else [Line(number, "prose", stripped)]


def _cells(text: str, offset: int) -> list[Cell]:
    """The cells of a row."""
    positions: list[str] = []

    def hide(match: re.Match[str]) -> str:
        positions.append(match["line"])
        return "illegal play" + "\1" * (len(match[0]) - len("illegal play"))

    plain = _ILLEGAL.sub(hide, text)
    starts = list(_START.finditer(plain))
    around = zip([None, *starts], starts, [*starts[1:], None], strict=False)
    starts = [match for before, match, behind in around if not _belongs(plain, before, match, behind)]
    cells = []
    for place, match in enumerate(starts):
        end = starts[place + 1].start() if place + 1 < len(starts) else len(plain)
        body = plain[match.end() : end].strip()
        column = offset + match.start()
        position = ""
        if "\1" in plain[match.start() : end]:
            position, body = positions.pop(0), ""
        if match["dice"]:
            dice = match["dice"].replace(" ", "")
            play = _NO_MORE.sub("", body)
            cells.append(Cell(column, "roll", (int(dice[0]), int(dice[1])), play, position=position))
        elif match["word"].lower() == "illegal play":
            cells.append(Cell(column, "roll", None, body, position=position))
        else:
            cells.append(_word(column, match["word"], plain[match.start() : end].strip(), body))
    return cells


def _belongs(text: str, before: re.Match[str] | None, match: re.Match[str], behind: re.Match[str] | None) -> bool:
    """Whether a word is what was done with the roll before it, such as `42: pass` or `42: Illegal play (...)`."""
    if before is None or not before["dice"] or match["dice"]:
        return False
    word, between = match["word"].lower(), text[before.end() : match.start()]
    if between.strip():
        # Between two rolls there is no third cell.
        return without_move(word) and behind is not None and behind["dice"] is not None
    if word.startswith("pass"):
        return len(between) < 3
    return word == "illegal play" or (without_move(word) and len(between) < _COLUMN)


def _word(column: int, word: str, whole: str, body: str) -> Cell:
    if _STUCK.fullmatch(word):
        return Cell(column, "no move", text=word)
    kind = _KINDS[word.lower() if word.lower() in _KINDS else word.lower().removesuffix("s")]
    if kind == "win":
        match = _WINS.match(whole)
        return Cell(column, kind, number=int(match["points"]) if match else None)
    value = re.match(r"(?:=>|to|at|:)?\s*(\d{1,6})(?!\d)", body)
    return Cell(column, kind, text=body, number=int(value[1]) if value and kind != "resign" else None)
