"""What a reader found in a file: the record of a match, and what was wrong and how it was taken."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from bgai.record import MatchRecord

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_CONTROL_BUT_LAYOUT = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]+")


def one_line(text: str) -> str:
    """What may quote a file, on one line: without control characters, which could also steer a terminal."""
    return _CONTROL.sub(" ", text)


def harmless(record: MatchRecord) -> MatchRecord:
    """The record without control characters in names and tags, and but for tabs and ends of lines in remarks.

    Whoever shows it, on a terminal too, shows what it says and nothing else.
    """
    first, second = (name if one_line(name) == name else one_line(name).strip() for name in record.players)
    games = [
        replace(game, comments={place: _remark(said) for place, said in game.comments.items()}) for game in record.games
    ]
    return replace(
        record,
        players=(first, second),
        games=tuple(games),
        comment=_remark(record.comment),
        metadata={one_line(name): _remark(value) for name, value in record.metadata.items()},
    )


def _remark(text: str) -> str:
    return _CONTROL_BUT_LAYOUT.sub(" ", text.replace("\r\n", "\n"))


@dataclass(frozen=True)
class Problem:
    """Something in a file that is not as it should be. The rest was read all the same."""

    text: str
    """What was found, what was expected, and how it was taken, in one line."""
    line: int | None = None
    """Line of the file, from 1; None for binary files."""
    game: int | None = None
    """Number of the game, from 1."""

    def __str__(self) -> str:
        places = [("line", self.line), ("game", self.game)]
        where = ", ".join(f"{name} {number}" for name, number in places if number is not None)
        return f"{where}: {self.text}" if where else self.text


@dataclass(frozen=True)
class MatchFile:
    """A file of a match that was read."""

    record: MatchRecord
    format: str
    """Name of the format: `mat`, `sgf`, `snowie`, `xg`, …"""
    problems: tuple[Problem, ...] = field(default=())
    """In the order of the file."""
