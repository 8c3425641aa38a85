"""Plays as a bot on FIBS, or on another server that speaks its CLIP.

    export BGAI_FIBS_PASSWORD=...
    bgai fibs --host fibs.example.org --user my_bot
    bgai fibs --host localhost --user my_bot --credentials password.txt --level 2-ply --accept alice bob --max-length 7

It waits for invitations, plays matches with the cube, answers doubles and resignations, and comes back when it was cut
off. --accept takes names of players, anyone, unlimited (matches without an end) and saved (matches that were begun
before this run). The password comes from the environment or from a file that nobody else can read. Ctrl-C finishes the
match and leaves; a second one leaves at once and says so to the opponent.
"""

from __future__ import annotations

import argparse

from bgai.cli import online
from bgai.errors import InputError
from bgai.protocols.credentials import read_password
from bgai.protocols.fibs import PORT, FibsBot

VARIABLE = "BGAI_FIBS_PASSWORD"


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    online.add_server(parser, PORT)
    parser.add_argument("--user", required=True, metavar="NAME", help="the bot's account")
    online.add_playing(parser)


def run(options: argparse.Namespace) -> int:
    """Runs the command."""
    password = read_password(VARIABLE, options.credentials)
    if password is None:
        raise InputError(f"no password, expected it in {VARIABLE} or in a file that --credentials names")
    policy = online.policy(options)
    return online.run(
        options,
        password,
        lambda desk: FibsBot(desk, policy, options.user, password, options.matches),
        "FIBS",
    )
