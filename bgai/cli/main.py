"""`bgai COMMAND …`: finds the command, runs it, and turns what went wrong into one line and an exit code."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Sequence

from bgai.errors import BgaiError, InputError
from bgai.version import __version__

COMMANDS = {
    "train": "train a network by self-play",
}
"""Every command is the module of that name beside this one."""

OK, FAILED, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130
"""Exit codes. Bad input is also what argparse itself ends with."""


def parser() -> argparse.ArgumentParser:
    """The parser with all commands."""
    top = argparse.ArgumentParser(
        prog="bgai",
        description="A backgammon player that teaches itself.",
        epilog="bgai COMMAND --help explains a command.",
    )
    top.add_argument("--version", action="version", version=f"bgai {__version__}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, summary in COMMANDS.items():
        module = importlib.import_module(f"bgai.cli.{name}")
        command = commands.add_parser(
            name, help=summary, description=module.__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
        )
        module.configure(command)
        command.set_defaults(run=module.run)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; returns the exit code."""
    options = parser().parse_args(arguments)
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
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    return code
