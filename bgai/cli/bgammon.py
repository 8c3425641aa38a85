"""Plays as a bot on bgammon.org, or on another server of that make.

    export BGAI_BGAMMON_PASSWORD=...
    bgai bgammon --host bgammon.example.org --user BOT_mine --length 5
    bgai bgammon --host localhost --join --max-length 7 --level 2-ply

It opens a match and waits for somebody to join, or joins open matches with --join; the server lets bots join matches of
bots only. It plays with the cube, offers a rematch, and comes back when it was cut off. Without a password it is a
guest; a password comes from the environment or from a file that nobody else can read. Ctrl-C finishes the match and
leaves; a second one leaves at once and says so to the opponent.
"""

from __future__ import annotations

import argparse

from bgai.cli import online
from bgai.cli.options import whole_number
from bgai.errors import InputError
from bgai.protocols.bgammon import PORT, BgammonBot
from bgai.protocols.credentials import read_password

VARIABLE = "BGAI_BGAMMON_PASSWORD"
LENGTH = 5


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    online.add_server(parser, PORT)
    parser.add_argument("--user", metavar="NAME", help="the bot's name (default: one that the server gives)")
    online.add_playing(parser)
    parser.add_argument(
        "--length",
        type=whole_number(1, online.LONGEST_MATCH),
        default=LENGTH,
        metavar="N",
        help=f"points of the matches it opens (default {LENGTH})",
    )
    parser.add_argument("--join", action="store_true", help="join open matches of others instead of opening one")
    parser.add_argument("--no-rematch", action="store_true", help="offer no second match to the same opponent")


def run(options: argparse.Namespace) -> int:
    """Runs the command."""
    password = read_password(VARIABLE, options.credentials)
    policy = online.policy(options)
    if options.length > policy.longest:
        raise InputError(f"--length: found {options.length}, expected at most the {policy.longest} of --max-length")
    return online.run(
        options,
        password,
        lambda desk: BgammonBot(
            desk,
            policy,
            options.user,
            password,
            options.matches,
            length=options.length,
            joins=options.join,
            rematches=not options.no_rematch,
        ),
        "bgammon.org's kind of server",
    )
