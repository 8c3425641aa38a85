"""Tables of words on the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Table:
    """Rows of words below headings."""

    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    right: frozenset[int] = frozenset()
    """Columns that stand to the right."""

    @property
    def lines(self) -> list[str]:
        """As text, each column as wide as its longest word."""
        lines = [self.headings, *self.rows]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        return ["  ".join(self._placed(line, widths)).rstrip() for line in lines]

    def _placed(self, line: Sequence[str], widths: list[int]) -> list[str]:
        return [
            word.rjust(width) if column in self.right else word.ljust(width)
            for column, (word, width) in enumerate(zip(line, widths, strict=True))
        ]
