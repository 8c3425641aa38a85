"""`bgai COMMAND …`: finds the command, runs it, and turns what went wrong into one line and an exit code."""

from __future__ import annotations

import argparse
import importlib
import io
import os
import re
import sys
from collections.abc import Sequence
from functools import cache
from typing import NoReturn, TextIO

from bgai import interrupt
from bgai.errors import BgaiError, InputError
from bgai.kernels.compiler import on_first_compilation
from bgai.version import __version__

COMMANDS = {
    "move": "rank the legal plays of a position and a roll",
    "eval": "say what a position is worth",
    "cube": "say whether to double and whether to take, and why",
    "rolls": "show all 21 rolls of a position with the best play of each",
    "scores": "show the proper cube action of a position at every score",
    "rollout": "play a position out many times: its plays or its cube actions, with the error of each value",
    "analyse": "analyse a match: what each decision cost, ratings, luck",
    "coach": "explain a position and its best play or cube action in words",
    "openings": "show the plays of the opening rolls and the replies to them",
    "id": "say what the name of a position means, and write it in every other way",
    "convert": "read a match of any program and write it in another format",
    "diagram": "draw a position as SVG or PNG",
    "play": "play a game, a match or a money session against the network in the terminal",
    "duel": "measure how much stronger one player is than another",
    "train": "train a network by self-play",
    "promote": "keep a trained network if it beats the strongest kept one",
    "models": "list the kept models",
    "bench": "measure the speed of this machine, with a signature of the workload",
    "met": "show a match equity table, check it, or compute one",
    "perft": "count the plays of all rolls, to check the rules",
    "bearoff": "solve bear-offs to the end, or show what is known about one",
    "history": "show how ratings develop over all analysed matches",
    "quiz": "practise on your own errors or on a list of positions",
    "ubgi": "be an engine on standard input and output (UBGI)",
    "external": "be an external player for GNU Backgammon",
    "verify-dice": "check the dice of a game that a server kept",
    "serve": "answer over HTTP: an API for front ends, and a page to play on",
    "fibs": "play as a bot on FIBS",
    "bgammon": "play as a bot on bgammon.org",
}
"""Every command is the module of that name beside this one, a hyphen being an underscore there."""

_BARE_XGID = re.compile(r"-[-A-Za-z]{19,}:")

OK, FAILED, BAD_INPUT, INTERRUPTED = 0, 1, 2, interrupt.INTERRUPTED
"""Exit codes. Bad input is also what argparse itself ends with."""


class _Parser(argparse.ArgumentParser):
    """Says what is wrong with an option in one line, without the usage in front."""

    def error(self, message: str) -> NoReturn:
        self.exit(BAD_INPUT, f"{self.prog}: {message} (see {self.prog} --help)\n")


def parser(only: str | None = None) -> argparse.ArgumentParser:
    """The parser with all commands; of them only the one named is imported and configured, so that it starts fast."""
    top = _Parser(
        prog="bgai",
        description="A backgammon player that teaches itself.",
        epilog="bgai COMMAND --help explains a command.",
        allow_abbrev=False,
    )
    top.add_argument("--version", action="version", version=f"bgai {__version__}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, summary in COMMANDS.items():
        if only in COMMANDS and name != only:
            commands.add_parser(name, help=summary)
            continue
        module = importlib.import_module(f"bgai.cli.{name.replace('-', '_')}")
        command = commands.add_parser(
            name,
            help=summary,
            description=module.__doc__,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        module.configure(command)
        command.set_defaults(run=module.run, parser=command)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; returns the exit code."""
    options = _parse(arguments)
    _prepare_streams()
    _announce_compilation()
    try:
        code: int = options.run(options)
        sys.stdout.flush()
    except InputError as error:
        print(f"bgai {options.command}: {error}", file=sys.stderr)
        return BAD_INPUT
    except BgaiError as error:
        print(f"bgai {options.command}: {error}", file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # The reader (`| head`) has gone. Nothing is left to say, not even by the flush at exit.
        _silence(sys.stdout)
        return OK
    except OSError as error:
        where = f" {error.filename!r}" if error.filename is not None else ""
        print(f"bgai {options.command}: cannot read or write{where}: {error.strerror or error}", file=sys.stderr)
        if not where:
            # Most likely the output itself, on a full disk; the flush at exit would fail again.
            _silence(sys.stdout)
        return BAD_INPUT if where else FAILED
    return code


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Reads the options. Dice may follow an option, as in `bgai move ID --json 31`, which argparse leaves over."""
    words = sys.argv[1:] if arguments is None else list(arguments)
    # An XGID without its prefix mostly begins with "-", for the empty bar. The blank keeps it from being an option.
    words = [f" {word}" if _BARE_XGID.match(word) else word for word in words]
    options, left_over = parser(words[0] if words else None).parse_known_args(words)
    if left_over:
        if hasattr(options, "words") and not any(word.startswith("-") for word in left_over):
            options.words = options.words + left_over
        else:
            options.parser.error(f"unknown options or too many words: {' '.join(left_over)}")
    return options


def _prepare_streams() -> None:
    """A character that the terminal does not have is no reason to fail."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _silence(stream: TextIO) -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


@cache
def _announce_compilation() -> None:
    def say() -> None:
        print("bgai: compiling for this machine, which happens once and takes seconds to minutes ...", file=sys.stderr)

    on_first_compilation(say)
