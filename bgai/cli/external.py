"""Is an external player for GNU Backgammon.

    bgai external
    bgai external --port 4242 --level 2-ply
    bgai external --no-jacoby --beavers 0

In GNU Backgammon: `set player 0 external localhost:1234`, then `new session` or `new match 7`. Its board line does
not say whether Jacoby and beavers are agreed; without options they are, as in GNU Backgammon itself, and here as there
the cube may be turned at once three times after a double. docs/gnubg.md has the protocol. Ctrl-C ends it.
"""

from __future__ import annotations

import argparse
import signal
import sys
from types import FrameType

from bgai.cli.looking import asked_player
from bgai.cli.options import add_level, add_model, whole_number
from bgai.protocols.gnubg_board import Agreed
from bgai.protocols.gnubg_server import ExternalServer
from bgai.protocols.gnubg_session import BEAVERS, Advisers, Session

HOST, PORT = "127.0.0.1", 1234


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    parser.add_argument("--host", default=HOST, metavar="HOST", help=f"address to listen on (default {HOST})")
    parser.add_argument(
        "--port",
        type=whole_number(0, 65535),
        default=PORT,
        metavar="N",
        help=f"port to listen on, 0 for any that is free (default {PORT})",
    )
    add_level(parser)
    add_model(parser)
    parser.add_argument("--threads", type=whole_number(1), default=1, metavar="N", help="for an answer (default 1)")
    parser.add_argument("--no-jacoby", action="store_true", help="money games are played without the Jacoby rule")
    parser.add_argument(
        "--beavers",
        type=whole_number(0),
        default=BEAVERS,
        metavar="N",
        help=f"how often the cube may be turned at once after a double (default {BEAVERS})",
    )
    parser.add_argument("--no-resign", action="store_true", help="never resign, play every game to its end")
    parser.add_argument(
        "--scores",
        choices=("gnubg", "fibs"),
        default="gnubg",
        help="order of the scores on boards: as gnubg writes them, or as FIBS does (default gnubg)",
    )


def run(options: argparse.Namespace) -> int:
    """Runs the command."""
    advisers = Advisers.of(asked_player(options), threads=options.threads)
    agreed = Agreed(jacoby=not options.no_jacoby, beavers=options.beavers > 0)

    def session() -> Session:
        return Session(
            advisers,
            agreed,
            beavers=options.beavers,
            resigns=not options.no_resign,
            fibs_scores=options.scores == "fibs",
        )

    with ExternalServer(options.host, options.port, session) as server:
        signal.signal(signal.SIGTERM, _end)
        print(
            f"{advisers.player.name} waits for GNU Backgammon on {options.host}:{server.port}, Ctrl-C ends it",
            file=sys.stderr,
            flush=True,
        )
        server.serve_forever(poll_interval=0.2)
    return 0


def _end(_signal: int, _frame: FrameType | None) -> None:
    raise SystemExit(0)
