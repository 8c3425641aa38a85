"""What the commands share that let the network play at a server."""

from __future__ import annotations

import argparse
import contextlib
import secrets
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

from bgai.bot import Bot
from bgai.cli.options import add_level, whole_number
from bgai.errors import InputError
from bgai.levels import PlayerName, read_player
from bgai.protocols.credentials import Password
from bgai.protocols.invitations import LONGEST, WORDS, Policy
from bgai.protocols.online import RETRIES, Online
from bgai.protocols.server_bot import ServerBot

LONGEST_MATCH = 127
"""Points; what bgammon.org has room for, and more than anybody plays on FIBS."""


def add_server(parser: argparse.ArgumentParser, port: int) -> None:
    """Where the server is. It has to be said: nothing calls a public server by itself."""
    parser.add_argument("--host", required=True, metavar="HOST", help="the server's name or address")
    parser.add_argument(
        "--port", type=whole_number(1, 65535), default=port, metavar="N", help=f"its port (default {port})"
    )


def add_playing(parser: argparse.ArgumentParser) -> None:
    """Who plays, with whom, and how long."""
    add_level(parser)
    parser.add_argument(
        "--accept",
        nargs="+",
        default=["anyone"],
        metavar="POLICY",
        help=f"with whom to play: names of players, or {', '.join(WORDS)} (default anyone)",
    )
    parser.add_argument(
        "--max-length",
        type=whole_number(1, LONGEST_MATCH),
        default=LONGEST,
        metavar="N",
        help=f"the longest match to play (default {LONGEST})",
    )
    parser.add_argument("--matches", type=whole_number(1), metavar="N", help="leave after so many matches")
    parser.add_argument(
        "--credentials", type=Path, metavar="FILE", help="has the password; nobody else may be able to read it"
    )
    parser.add_argument(
        "--retries",
        type=whole_number(0),
        default=RETRIES,
        metavar="N",
        help=f"how often to call again in a row when cut off (default {RETRIES})",
    )
    parser.add_argument("--verbose", action="store_true", help="show every line that comes and goes, but no password")


def policy(options: argparse.Namespace) -> Policy:
    """What `--accept` and `--max-length` say."""
    for word in options.accept:
        if not word or not word.isprintable() or " " in word:
            raise InputError(f"--accept: expected names of players or {', '.join(WORDS)}, found {word!r}")
    return Policy.of(options.accept, options.max_length)


def run(options: argparse.Namespace, password: Password | None, make: Callable[[Online], ServerBot], where: str) -> int:
    """Plays until the bot leaves; Ctrl-C asks it to.

    Args:
        options: of the command.
        password: what is never shown.
        make: the bot, when it has its desk.
        where: what the server is called.
    """
    player = Bot.named(PlayerName(None) if options.level is None else read_player(options.level))
    online = Online(
        player,
        options.host,
        options.port,
        say=lambda text: print(text, flush=True),
        trace=(lambda text: print(text, file=sys.stderr, flush=True)) if options.verbose else None,
        password=password,
        retries=options.retries,
        seed=secrets.randbelow(2**32),
    )
    bot = make(online)
    print(f"{player.name} goes to {where} at {options.host}, port {options.port}. Ctrl-C leaves.", flush=True)
    with _interrupts(online.interrupt):
        online.run(bot)
    print(f"{bot.played} match{'' if bot.played == 1 else 'es'} played.")
    return 0


@contextlib.contextmanager
def _interrupts(leave: Callable[[], None]) -> Iterator[None]:
    """Ctrl-C, and the wish of a service manager, as a request to leave."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    signals = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(number, lambda *_: leave()) for number in signals]
    try:
        yield
    finally:
        for number, handler in zip(signals, before, strict=True):
            signal.signal(number, handler)
