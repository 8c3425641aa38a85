"""The tables of an analysis on the terminal, and in Markdown."""

from __future__ import annotations

import re

from bgai.analysis import Analysis
from bgai.cli.analysis_tables import Table, errors, games, how, summary, title
from bgai.cli.looking import LEGEND

_ERRORS = "worst errors, losses in millipoints; move: game and number"


def page(analysis: Analysis, most: int) -> str:
    """For the terminal; the worst `most` errors, or all with 0."""
    lines = [title(analysis), how(analysis), LEGEND, "", *_columns(summary(analysis))]
    wrong = errors(analysis, most)
    lines += ["", _ERRORS, *_columns(wrong)] if wrong.rows else ["", "no errors"]
    return "\n".join([*lines, "", *_columns(games(analysis))])


def markdown(analysis: Analysis, most: int) -> str:
    """The same in Markdown."""
    parts = [f"# {_escaped(title(analysis))}", f"{_escaped(how(analysis))}; {LEGEND}", _pipes(summary(analysis))]
    wrong = errors(analysis, most)
    parts.append("## Errors")
    parts.append(f"{_ERRORS[0].upper()}{_ERRORS[1:]}.\n\n{_pipes(wrong)}" if wrong.rows else "None.")
    parts += ["## Games", _pipes(games(analysis))]
    return "\n\n".join(parts) + "\n"


def _columns(table: Table) -> list[str]:
    lines = [table.headings, *table.rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return ["  ".join(_placed(table, line, widths)).rstrip() for line in lines]


def _placed(table: Table, line: tuple[str, ...], widths: list[int]) -> list[str]:
    return [
        word.rjust(width) if column in table.right else word.ljust(width)
        for column, (word, width) in enumerate(zip(line, widths, strict=True))
    ]


def _pipes(table: Table) -> str:
    rule = ["--:" if column in table.right else "---" for column in range(len(table.headings))]
    lines = [table.headings, rule, *([_indented(line[0]), *line[1:]] for line in table.rows)]
    return "\n".join(f"| {' | '.join(word if line is rule else _escaped(word) for word in line)} |" for line in lines)


def _indented(label: str) -> str:
    """Blanks at the beginning are lost in Markdown."""
    return re.sub(r"^ +", "- ", label)


def _escaped(text: str) -> str:
    """A name may hold whatever it likes."""
    return re.sub(r"([\\|*_`<>\[\]])", r"\\\1", text)
