"""Options that several commands share."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable

from bgai.errors import InputError
from bgai.levels import read_time
from bgai.move_filter import FILTERS
from bgai.search import MOST_PLIES


def whole_number(low: int, high: int | None = None) -> Callable[[str], int]:
    """The type of an option that takes a whole number from `low` to `high`, both included."""
    limits = f"of {low} or more" if high is None else f"from {low} to {high}"

    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            number = None
        if number is None or number < low or (high is not None and number > high):
            raise argparse.ArgumentTypeError(f"expected a whole number {limits}, found {text!r}")
        return number

    return read


def number_from_0(what: str = "a number of 0 or more") -> Callable[[str], float]:
    """The type of an option that takes a number, 0 or more; `what` is expected where it is none."""

    def read(text: str) -> float:
        try:
            number = float(text)
        except ValueError:
            number = math.nan
        if not 0 <= number < math.inf:
            raise argparse.ArgumentTypeError(f"expected {what}, found {text!r}")
        return number

    return read


seed = whole_number(0, 2**64 - 1)
"""The type of a seed: what fits the address of a roll, see `bgai.dice`."""


def add_model(parser: argparse.ArgumentParser) -> None:
    """Which network answers."""
    parser.add_argument(
        "--model", metavar="NAME", help="a kept model by name or number, or a folder (default: the latest kept)"
    )


def add_looking(parser: argparse.ArgumentParser) -> None:
    """How far to look ahead; `bgai.cli.looking` makes an analyst of it."""
    group = parser.add_argument_group("looking ahead", "without these the network alone answers, at 0-ply")
    group.add_argument("--plies", type=whole_number(0), metavar="N", help=f"look N plies ahead, 0 to {MOST_PLIES}")
    group.add_argument(
        "--time", type=_time, metavar="T", help="look as far as this time allows: 100ms, 2s or 0.5 (seconds)"
    )
    group.add_argument(
        "--filter",
        default="normal",
        metavar="NAME",
        help=f"how many plays are looked at more deeply: {', '.join(FILTERS)} (default normal)",
    )
    group.add_argument("--threads", type=whole_number(1), default=1, metavar="N", help="default 1")
    add_level(group)


def add_level(parser: argparse._ActionsContainer) -> None:
    """A player by name."""
    parser.add_argument(
        "--level", metavar="NAME", help="a level such as 2-ply, 100ms, rollout or beginner, or MODEL:LEVEL"
    )


def _time(text: str) -> float:
    try:
        return read_time(text if text.endswith("s") else f"{text}s")
    except InputError:
        raise argparse.ArgumentTypeError(f"expected a time such as 100ms, 2s or 0.5, found {text!r}") from None


def add_json(parser: argparse.ArgumentParser) -> None:
    """For other programs."""
    parser.add_argument("--json", action="store_true", help="one JSON object a line, as docs/json.md describes")


def add_file(parser: argparse.ArgumentParser, line: str) -> None:
    """Many questions; `line` says what one of them looks like."""
    parser.add_argument(
        "--file", metavar="FILE", help=f"answer every line of a file, {line}; - reads the standard input"
    )


def add_ascii(parser: argparse.ArgumentParser) -> None:
    """For terminals without line-drawing characters."""
    parser.add_argument("--ascii", action="store_true", help="draw the board in plain ASCII")


def add_cubeless(parser: argparse.ArgumentParser) -> None:
    """Without the cube."""
    parser.add_argument("--cubeless", action="store_true", help="rank and value as if the cube were never turned again")


def plain(options: argparse.Namespace) -> bool:
    """Whether boards are drawn in ASCII: when asked for, or when the output has nothing else."""
    try:
        "┌─│".encode(getattr(sys.stdout, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return True
    return bool(options.ascii)
