"""Options that several commands share."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable


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


seed = whole_number(0, 2**64 - 1)
"""The type of a seed: what fits the address of a roll, see `bgai.dice`."""


def add_model(parser: argparse.ArgumentParser) -> None:
    """Which network answers."""
    parser.add_argument(
        "--model", metavar="NAME", help="a kept model by name or number, or a folder (default: the latest kept)"
    )


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
