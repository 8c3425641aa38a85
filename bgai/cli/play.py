"""Plays a game, a match or a money session against the network in the terminal.

    bgai play
    bgai play --match 7
    bgai play --money --jacoby --beavers
    bgai play --level beginner
    bgai play --level 2-ply --seed 7 --ascii

You play X, from the top right round to your home at the lower right, and all points are counted from your side.
Type a play in standard notation, such as 8/5 6/5, bar/22* and 6/off(2), and confirm it. In a match and for money there
is the cube: double before the roll, take or pass (or beaver). The other words are hint, resign, board, pips, help and
quit. --level says how well the network plays (docs/levels.md); hints never err on purpose. Without --match and --money
it is one game without the cube. The same seed gives the same dice again.
"""

from __future__ import annotations

import argparse
import secrets

from bgai.bot import Bot
from bgai.cli.dialogue import Dialogue
from bgai.cli.looking import asked_player
from bgai.cli.main import INTERRUPTED
from bgai.cli.match_words import left, points
from bgai.cli.options import add_ascii, add_level, add_model, plain, seed, whole_number
from bgai.errors import InputError
from bgai.match_rules import Rules
from bgai.met.table import LONGEST


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--match", type=whole_number(1, LONGEST), metavar="N", help="a match to so many points")
    what.add_argument("--money", action="store_true", help="a money session: game after game until you quit")
    parser.add_argument("--jacoby", action="store_true", help="money: gammons count only once the cube was turned")
    parser.add_argument("--beavers", action="store_true", help="money: who is doubled may beaver")
    add_level(parser)
    add_model(parser)
    parser.add_argument("--seed", type=seed, metavar="N", help="of the dice (default: a new one each time)")
    add_ascii(parser)


def run(options: argparse.Namespace) -> int:
    """Runs the command."""
    rules = _rules(options)
    bot = Bot.named(asked_player(options))
    chosen = secrets.randbelow(2**32) if options.seed is None else options.seed
    print(f"You play X against {bot.name}, {_what(rules)}seed {chosen}. Type help for what can be typed.")
    dialogue = Dialogue(bot, rules, chosen, plain(options), None if rules.cube else 1)
    try:
        dialogue.play()
    except EOFError:
        print(f"\nThe input has ended; {left(dialogue.state, bot.name)}.")
    except KeyboardInterrupt:
        text = left(dialogue.state, bot.name)
        print(f"\n{text[0].upper()}{text[1:]}.")
        return INTERRUPTED
    return 0


def _rules(options: argparse.Namespace) -> Rules:
    for rule in ("jacoby", "beavers"):
        if getattr(options, rule) and not options.money:
            raise InputError(f"--{rule} is for money sessions, expected --money beside it")
    if options.match is None and not options.money:
        return Rules(cube=False)
    return Rules(length=options.match or 0, jacoby=options.jacoby, beavers=options.beavers)


def _what(rules: Rules) -> str:
    if not rules.cube:
        return ""
    agreed = [name for name, wanted in (("Jacoby", rules.jacoby), ("beavers", rules.beavers)) if wanted]
    money = "for money" + (f" with {' and '.join(agreed)}" if agreed else "")
    return f"{f'to {points(rules.length)}' if rules.length else money}, "
