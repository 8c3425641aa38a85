"""GNU Backgammon analyses a match: the program is run, and its own statistics are read."""

from __future__ import annotations

import re
import resource
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from shutil import which

from bgai.errors import InputError

COMMANDS = ("import mat {path}", "analyse match", "show statistics match")
"""With its default settings: 2-ply, cubeful, the move filter large, luck at 0-ply."""

_FIGURE = r"([-+]?\d+(?:\.\d+)?)(?: *\([-+\d. (]+%\)+)?"
_ROW = re.compile(rf"^(?P<label>\S.*?) {{2,}}{_FIGURE}%? +{_FIGURE}%? *$|^(?P<section>\w+ statistics)$", re.MULTILINE)

Pair = tuple[float, float]
"""Of the first player and the second."""


@dataclass(frozen=True)
class GnubgStatistics:
    """What `show statistics match` says, by section and label, such as `Overall` and `Snowie error rate`."""

    figures: dict[str, dict[str, Pair]]

    def __call__(self, section: str, label: str) -> Pair:
        """Two figures; `label` may be the beginning of a label."""
        (found,) = [pair for name, pair in self.figures[section].items() if name.startswith(label)]
        return found


def read_statistics(text: str) -> GnubgStatistics:
    """The statistics in what the program printed.

    Raises:
        InputError: there are none.
    """
    figures: dict[str, dict[str, Pair]] = {}
    section = ""
    for row in _ROW.finditer(text):
        if row["section"]:
            section = row["section"].removesuffix(" statistics")
        elif section:
            figures.setdefault(section, {})[row["label"]] = (float(row[2]), float(row[3]))
    if "Overall" not in figures:
        raise InputError("expected gnubg's statistics of a match, found none in what it printed")
    return GnubgStatistics(figures)


def analyse(path: Path, program: str) -> tuple[str, float]:
    """What gnubg prints about a match, and the CPU time that it took in seconds."""
    lines = [command.format(path=f'"{path.resolve()}"') for command in COMMANDS]
    return timed([program, "-t", "-q"], "\n".join(lines) + "\n")


def timed(command: Sequence[str], typed: str = "") -> tuple[str, float]:
    """What a program prints, and its CPU time in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, input=typed, capture_output=True, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def program() -> str:
    """Where gnubg is.

    Raises:
        InputError: it is not installed.
    """
    found = which("gnubg") or which("gnubg", path="/usr/games")
    if found is None:
        raise InputError("gnubg is not installed")
    return found
