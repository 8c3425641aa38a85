"""Reads a match of any program and writes it in another format.

    bgai convert club.mat club.sgf
    bgai convert club.xg - --to mat
    bgai convert session.sgf session.json --force

What is in IN is found out by its contents: Jellyfish text (.mat, .gam), SGF of GNU Backgammon, Snowie text, the
files of eXtreme Gammon, or JSON as this command writes it. OUT is written in the format of its suffix: .mat, .gam,
.sgf, .txt (Snowie) or .json. - is the standard input or output; the latter needs --to. What is not as it should be in
IN, and what the other format has no place for, is said on the standard error, a line each; see docs/matchfiles.md.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from bgai.cli.stages import Stages
from bgai.errors import InputError
from bgai.files import write_whole
from bgai.matchfiles.found import MatchFile
from bgai.matchfiles.reading import read_match
from bgai.matchfiles.writers import WRITERS, format_of, losses, write_match

_STANDARD = "-"


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    parser.add_argument("input", metavar="IN", help="the file of a match; - reads the standard input")
    parser.add_argument("output", metavar="OUT", help="the file to write; - is the standard output")
    parser.add_argument(
        "--to", choices=tuple(WRITERS), metavar="FORMAT", help=f"{', '.join(WRITERS)} (default: by the suffix of OUT)"
    )
    parser.add_argument("--force", action="store_true", help="overwrite OUT if it is there")


def run(options: argparse.Namespace) -> int:
    """Runs the command."""
    output: str = options.output
    form = options.to or _format(output)
    if output != _STANDARD and not options.force and Path(output).exists():
        raise InputError(f"{output}: the file is there already; --force overwrites it")
    found = _read(options.input)
    _say(_named(options.input), found.problems)
    if not found.record.games:
        raise InputError(f"{_named(options.input)!r} holds no game")
    text = write_match(found.record, form)
    _say(_named(output, "standard output"), losses(found.record, form))
    if output == _STANDARD:
        sys.stdout.write(text)
        return 0
    try:
        write_whole(Path(output), text.encode("utf-8", "surrogatepass"))
    except OSError as error:
        raise InputError(f"cannot write the file {output!r}: {error.strerror or error}") from None
    games = len(found.record.games)
    print(f"{output}: {WRITERS[form].name}, {games} game{'' if games == 1 else 's'}")
    return 0


def _format(output: str) -> str:
    if output == _STANDARD:
        raise InputError(f"the standard output has no suffix; --to says the format: {', '.join(WRITERS)}")
    return format_of(output)


def _read(name: str) -> MatchFile:
    data = _bytes(name)
    with Stages() as watch:
        return read_match(data, _named(name), lambda done, all: watch("games read", done, all))


def _bytes(name: str) -> bytes:
    if name != _STANDARD:
        try:
            return Path(name).read_bytes()
        except OSError as error:
            raise InputError(f"cannot read the file {name!r}: {error.strerror or error}") from None
    if sys.stdin is None:
        raise InputError("cannot read the standard input: it is closed")
    return sys.stdin.buffer.read()


def _named(name: str, standard: str = "standard input") -> str:
    return standard if name == _STANDARD else name


def _say(name: str, problems: tuple[object, ...]) -> None:
    for problem in problems:
        print(f"{name}: {problem}", file=sys.stderr)
