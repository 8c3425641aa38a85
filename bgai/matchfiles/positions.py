"""Lists of positions: a name a line, in any of the ways that `bgai.read_position` knows, or Snowie's position line.

>>> xgid = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
>>> found = read_positions(f"# two of mine\\n4HPwATDgc/ABMA\\n\\n{xgid} # opening\\n".encode())
>>> [(entry.line, entry.reading.kind) for entry in found.positions]
[(2, 'position ID'), (4, 'XGID')]
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from bgai.errors import InputError
from bgai.matchfiles.decoding import decode, lines_of
from bgai.matchfiles.found import Problem
from bgai.matchfiles.snowie import is_snowie_line, parse_snowie_line
from bgai.notation.checks import check_position
from bgai.notation.identify import read_position
from bgai.notation.reading import Reading
from bgai.position import Cube, Position, Score

_REMARK = re.compile(r"(?:^|\s)#.*")


@dataclass(frozen=True)
class PositionEntry:
    """One position of a list."""

    line: int
    """Of the file, from 1."""
    text: str
    """What stands there, without the remark."""
    reading: Reading


@dataclass(frozen=True)
class PositionFile:
    """A list of positions that was read."""

    positions: tuple[PositionEntry, ...]
    problems: tuple[Problem, ...] = ()
    """Lines that are no position, and what had to be repaired in others."""


def read_position_file(path: str | Path) -> PositionFile:
    """Reads a list from a file.

    Raises:
        InputError: not one position; the message begins with the path.
        OSError: the file cannot be read.
    """
    return read_positions(Path(path).read_bytes(), str(path))


def read_positions(data: bytes, name: str = "") -> PositionFile:
    """Reads a list of positions, one a line; blank lines and what stands behind `#` are left aside.

    Args:
        name: of the file, for messages.

    Raises:
        InputError: not one position; the message begins with the name.
    """
    where = f"{name}: " if name else ""
    try:
        lines = lines_of(decode(data))
    except InputError as error:
        raise InputError(f"{where}{error}") from None
    found: list[PositionEntry] = []
    problems: list[Problem] = []
    for number, line in enumerate(lines, start=1):
        text = _REMARK.sub("", line).strip()
        if not text:
            continue
        try:
            reading = _snowie(text) if is_snowie_line(text) else read_position(text)
        except InputError as error:
            problems.append(Problem(str(error), number))
            continue
        problems += [Problem(remark, number) for remark in reading.remarks]
        found.append(PositionEntry(number, text, reading))
    if not found:
        raise InputError(f"{where}{problems[0] if problems else 'no position: every line is blank'}")
    return PositionFile(tuple(found), tuple(problems))


def _snowie(text: str) -> Reading:
    line = parse_snowie_line(text)
    owner = line.owner
    position = Position(
        line.board,
        line.dice,
        Cube(line.cube, "centred" if owner is None else "on roll" if owner == line.seat else "opponent"),
        Score(
            (line.score[line.seat], line.score[1 - line.seat]),
            line.length,
            crawford=line.crawford,
            jacoby=line.jacoby and not line.length,
        ),
        seat=line.seat,
    )
    return Reading(check_position(position), "Snowie text")
