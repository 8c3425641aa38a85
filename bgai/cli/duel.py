"""Measures how many points a game one player wins from another.

    bgai duel 0001-first heuristic --games 10000 --seed 1
    bgai duel runs/td/best 1 --json
    bgai duel 1-ply 0-ply --games 200
    bgai duel 1:beginner 1:100ms --games 20
    bgai duel 0-ply gnubg:0 --games 100

Players are kept models by name or number, folders with a model, levels (docs/levels.md), MODEL:LEVEL, `random` and
`heuristic`, and gnubg:PLIES, which starts GNU Backgammon (docs/gnubg.md). They play cubeless money games, in pairs with
the same dice and the seats swapped; the 95 % interval comes from the pairs. The result depends on the seed and not on
the number of threads, unless a player's time is limited.
Ctrl-C shows what has been played so far. With --ray the games are played on a cluster (docs/cluster.md).
"""

from __future__ import annotations

import argparse
import json
import math
import os
import time
from contextlib import ExitStack
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgai.cli.cluster import add_ray, asked_workers
from bgai.cli.main import INTERRUPTED
from bgai.cli.options import add_json, seed, whole_number
from bgai.cli.progress import Progress
from bgai.duel import DuelResult, duellist, play_duel
from bgai.level_duel import SideBySide, named_duellist, play_level_duel
from bgai.levels import PLAIN, PlayerName, read_player
from bgai.protocols.gnubg_player import GnubgDuellist, GnubgName, read_gnubg_name
from bgai.version import JSON_VERSION

GAMES = 10_000


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    parser.add_argument("first", metavar="PLAYER-A", help="the player whose points are counted")
    parser.add_argument("second", metavar="PLAYER-B", help="its opponent")
    parser.add_argument(
        "--games", type=whole_number(2), default=GAMES, metavar="N", help=f"an even number (default {GAMES})"
    )
    parser.add_argument("--seed", type=seed, default=1, metavar="N", help="of the dice (default 1)")
    parser.add_argument("--threads", type=whole_number(1), metavar="N", help="default: one for each core")
    add_ray(parser)
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    """Runs the command."""
    players = _read(options.first), _read(options.second)
    names = players[0].shown, players[1].shown
    threads = options.threads or os.cpu_count() or 1
    chunks: list[NDArray[np.int64]] = []
    start = time.monotonic()
    try:
        with asked_workers(options) as workers, Progress(options.games, "games") as bar, ExitStack() as opened:

            def look(points: NDArray[np.int64]) -> None:
                chunks.append(points)
                bar.advance(points.size, f"{sum(int(chunk.sum()) for chunk in chunks) / _size(chunks):+.3f}")

            plain = [player for player in players if isinstance(player, PlayerName) and player.level == PLAIN]
            if len(plain) == 2:
                first, second = (duellist(player.model) for player in plain)
                found = play_duel(
                    first, second, options.games, options.seed, threads=threads, workers=workers, progress=look
                )
            else:
                one, other = (_opened(player, threads, opened) for player in players)
                # What it took to start them is no part of the games.
                start = time.monotonic()
                found = play_level_duel(one, other, options.games, options.seed, workers=workers, progress=look)
    except KeyboardInterrupt:
        if not chunks:
            raise
        found = DuelResult(np.concatenate(chunks), given_up=0)
    seconds = time.monotonic() - start
    complete = found.games == options.games
    if options.json:
        print(json.dumps(_record(names, options.seed, found, complete)))
    else:
        print(_page(names, options, found))
        where = _counted(threads, "thread") if options.ray is None else "the cluster"
        print(f"\n{seconds:.1f} s on {where}, {found.games / seconds:,.0f} games/s")
    return 0 if complete else INTERRUPTED


def _read(name: str) -> PlayerName | GnubgName:
    return read_gnubg_name(name) or read_player(name)


def _opened(player: PlayerName | GnubgName, threads: int, opened: ExitStack) -> SideBySide:
    if isinstance(player, GnubgName):
        return opened.enter_context(GnubgDuellist(player, processes=threads))
    return named_duellist(player, threads=threads)


def _size(chunks: list[NDArray[np.int64]]) -> int:
    return sum(chunk.size for chunk in chunks)


def _record(names: tuple[str, str], dice: int, found: DuelResult, complete: bool) -> dict[str, Any]:
    """The result as a JSON object, see docs/json.md."""
    kinds = {"single": 1, "gammon": 2, "backgammon": 3}
    return {
        "version": JSON_VERSION,
        "first": names[0],
        "second": names[1],
        "games": found.games,
        "seed": dice,
        "complete": complete,
        "points_per_game": round(found.mean, 6),
        "interval_95": round(found.half_width, 6) if math.isfinite(found.half_width) else None,
        "wins": round(found.wins, 6),
        "won": {name: round(found.share(points), 6) for name, points in kinds.items()},
        "lost": {name: round(found.share(-points), 6) for name, points in kinds.items()},
        "given_up": found.given_up,
    }


def _page(names: tuple[str, str], options: argparse.Namespace, found: DuelResult) -> str:
    width = f"± {found.half_width:.4f} (95 %)" if math.isfinite(found.half_width) else "(one pair has no interval)"
    asked = "" if found.games == options.games else f" of {options.games:,}, interrupted"
    lines = [
        f"{names[0]} against {names[1]}: {found.games:,} games{asked}, in pairs with the same dice,"
        f" seed {options.seed}",
        "",
        f"points a game  {found.mean:+.4f} {width}",
        "",
        f"{'':15}{'all':>8}{'single':>10}{'gammon':>10}{'backgammon':>12}",
    ]
    lost = sum(found.share(-points) for points in (1, 2, 3))
    for name, total, sign in (("won", found.wins, 1), ("lost", lost, -1)):
        kinds = [found.share(sign * points) for points in (1, 2, 3)]
        lines.append(f"{name:15}{100 * total:7.1f}%{100 * kinds[0]:9.1f}%{100 * kinds[1]:9.1f}%{100 * kinds[2]:11.1f}%")
    if found.given_up:
        lines.append(f"{_counted(found.given_up, 'game')} without end counted 0")
    return "\n".join(lines)


def _counted(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
