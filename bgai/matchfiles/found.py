"""What a reader found in a file: the record of a match, and what was wrong and how it was taken."""

from __future__ import annotations

from dataclasses import dataclass, field

from bgai.record import MatchRecord


def one_line(text: str) -> str:
    """A message that may quote a file, on one line."""
    return " ".join(text.splitlines())


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
