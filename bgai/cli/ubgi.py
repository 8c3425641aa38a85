"""Is an engine for the Universal Backgammon Interface, on standard input and output.

    bgai ubgi
    bgai ubgi --level 2-ply --threads 2
    printf 'position gnubgid 4HPwATDgc/ABMA\\ndice 3 1\\ngo role chequer\\nquit\\n' | bgai ubgi

Version 0.1 of the protocol up to its level 2, with cube, whole turns and XGIDs, the keys of version 0.2, and the bare
positions of draft 0.01. docs/ubgi.md has all commands and a session to copy. Level, threads and more can be set by the
program that asks; the options here say what holds until then.
"""

from __future__ import annotations

import argparse
import sys

from bgai.cli.looking import asked_player
from bgai.cli.options import add_level, add_model, whole_number
from bgai.errors import InputError
from bgai.protocols.ubgi import Engine, serve
from bgai.protocols.ubgi_options import MOST_THREADS


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    add_level(parser)
    add_model(parser)
    parser.add_argument(
        "--threads", type=whole_number(1, MOST_THREADS), default=1, metavar="N", help="that look ahead (default 1)"
    )
    parser.add_argument(
        "--draft", action="store_true", help="answer `ubgi` as draft 0.01 has it: no options, and readyok at the end"
    )


def run(options: argparse.Namespace) -> int:
    """Runs the command."""
    player = asked_player(options)
    if player.baseline:
        raise InputError(f"{player.model!r} has no opinions, expected a level such as 2-ply")

    def say(line: str) -> None:
        print(line, flush=True)

    serve(Engine(say, player, threads=options.threads, draft=options.draft), sys.stdin.buffer, say)
    return 0
