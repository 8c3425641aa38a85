"""The tables of an analysis on the terminal, and in Markdown."""

from __future__ import annotations

import re

from bgai.analysis import Analysis
from bgai.cli.analysis_tables import errors, games, how, summary, title
from bgai.cli.columns import Table
from bgai.cli.looking import LEGEND

_ERRORS = "worst errors, losses in millipoints; row: game and row in a .mat file"


def page(analysis: Analysis, most: int) -> str:
    """For the terminal; the worst `most` errors, or all with 0."""
    lines = [title(analysis), how(analysis), LEGEND, "", *summary(analysis).lines]
    wrong = errors(analysis, most)
    lines += ["", _ERRORS, *wrong.lines] if wrong.rows else ["", "no errors"]
    return "\n".join([*lines, "", *games(analysis).lines])


def markdown(analysis: Analysis, most: int) -> str:
    """The same in Markdown."""
    parts = [f"# {_escaped(title(analysis))}", f"{_escaped(how(analysis))}; {LEGEND}", _pipes(summary(analysis))]
    wrong = errors(analysis, most)
    parts.append("## Errors")
    parts.append(f"{_ERRORS[0].upper()}{_ERRORS[1:]}.\n\n{_pipes(wrong)}" if wrong.rows else "None.")
    parts += ["## Games", _pipes(games(analysis))]
    return "\n\n".join(parts) + "\n"


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
