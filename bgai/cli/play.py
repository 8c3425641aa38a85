"""Plays a game against the network in the terminal.

    bgai play
    bgai play --seed 7 --ascii

You play X, from the top right round to your home at the lower right, and all points are counted from your side.
Type a play in standard notation, such as 8/5 6/5, bar/22* or 6/off(2), and confirm it. The other words are hint,
resign, board, pips, help and quit. The same seed gives the same dice again.
"""

from __future__ import annotations

import argparse
import secrets

from bgai.cli.dialogue import Dialogue
from bgai.cli.main import INTERRUPTED
from bgai.cli.options import add_ascii, add_model, plain, seed
from bgai.player import NetPlayer


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    add_model(parser)
    parser.add_argument("--seed", type=seed, metavar="N", help="of the dice (default: a new one each time)")
    add_ascii(parser)


def run(options: argparse.Namespace) -> int:
    """Runs the command."""
    bot = NetPlayer.of(options.model)
    chosen = secrets.randbelow(2**32) if options.seed is None else options.seed
    print(f"You play X against {bot.name}, seed {chosen}. Type help for what can be typed.")
    try:
        Dialogue(bot, chosen, plain(options)).play()
    except EOFError:
        print("\nThe input has ended; the game is left unfinished.")
    except KeyboardInterrupt:
        print("\nThe game is left unfinished.")
        return INTERRUPTED
    return 0
