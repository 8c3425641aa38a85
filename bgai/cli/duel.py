"""Measures how many points a game one player wins from another.

    bgai duel 0001-first heuristic --games 10000 --seed 1
    bgai duel runs/td/best 1 --luck-out --json
    bgai duel 1-ply 0-ply --games 200
    bgai duel 1:beginner 1:100ms --games 20
    bgai duel 0-ply gnubg:0 --games 100

Players are kept models by name or number, folders with a model, levels (docs/levels.md), MODEL:LEVEL, `random` and
`heuristic`, and gnubg:PLIES, which starts GNU Backgammon (docs/gnubg.md). They play cubeless money games, in pairs with
the same dice and the seats swapped; the 95 % interval comes from the pairs. The result depends on the seed and not on
the number of threads, unless a player's time is limited.
With --luck-out a network, by default the newest kept one, judges how lucky each roll was: points less luck have the
same mean, and its interval is several times narrower.
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

from bgai.catalogue import open_model
from bgai.cli.cluster import add_ray, asked_workers
from bgai.cli.main import INTERRUPTED
from bgai.cli.options import add_json, seed, whole_number
from bgai.cli.progress import Progress
from bgai.duel import DuelResult, Mean, duellist, joined, play_duel
from bgai.errors import ConfigError
from bgai.level_duel import SideBySide, named_duellist, play_level_duel
from bgai.levels import PLAIN, PlayerName, read_player
from bgai.luck import LuckJudge
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
    parser.add_argument(
        "--luck-out",
        action="store_true",
        help="give points with the luck of the dice taken out as well; for networks at 0-ply, random and heuristic",
    )
    parser.add_argument(
        "--judge", metavar="MODEL", help="the network that judges the luck (default: the newest kept one)"
    )
    add_ray(parser)
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    """Runs the command."""
    players = _read(options.first), _read(options.second)
    names = players[0].shown, players[1].shown
    plain = [player for player in players if isinstance(player, PlayerName) and player.level == PLAIN]
    judge = _judge(options, [player.shown for player in players if player not in plain])
    threads = options.threads or os.cpu_count() or 1
    parts: list[DuelResult] = []
    start = time.monotonic()
    try:
        with asked_workers(options) as workers, Progress(options.games, "games") as bar, ExitStack() as opened:
            so_far = [0.0, 0]

            def look(part: DuelResult) -> None:
                parts.append(part)
                so_far[0] += _total(part)
                so_far[1] += part.games
                bar.advance(part.games, f"{so_far[0] / so_far[1]:+.3f}")

            if len(plain) == 2:
                first, second = (duellist(player.model) for player in plain)
                found = play_duel(
                    first,
                    second,
                    options.games,
                    options.seed,
                    judge=judge,
                    threads=threads,
                    workers=workers,
                    progress=look,
                )
            else:
                one, other = (_opened(player, threads, opened) for player in players)
                # What it took to start them is no part of the games.
                start = time.monotonic()
                found = play_level_duel(one, other, options.games, options.seed, workers=workers, progress=look)
    except KeyboardInterrupt:
        if not parts:
            raise
        found = joined(parts)
    seconds = time.monotonic() - start
    complete = found.games == options.games
    if options.json:
        print(json.dumps(_record(names, options.seed, found, judge, complete)))
    else:
        print(_page(names, options, found, judge))
        where = _counted(threads, "thread") if options.ray is None else "the cluster"
        print(f"\n{seconds:.1f} s on {where}, {found.games / seconds:,.0f} games/s")
    return 0 if complete else INTERRUPTED


def _read(name: str) -> PlayerName | GnubgName:
    return read_gnubg_name(name) or read_player(name)


def _opened(player: PlayerName | GnubgName, threads: int, opened: ExitStack) -> SideBySide:
    if isinstance(player, GnubgName):
        return opened.enter_context(GnubgDuellist(player, processes=threads))
    return named_duellist(player, threads=threads)


def _judge(options: argparse.Namespace, others: list[str]) -> LuckJudge | None:
    """Who judges the luck, if that is asked for; `others` are the players in whose games nobody can."""
    if not options.luck_out:
        if options.judge is not None:
            raise ConfigError("--judge says who judges the luck for --luck-out, which is missing")
        return None
    if others:
        raise ConfigError(f"--luck-out is for networks at 0-ply, random and heuristic, found {others[0]!r}")
    return LuckJudge.of(open_model(options.judge))


def _total(part: DuelResult) -> float:
    """Points of all its games, without the luck if that was judged."""
    mean = part.mean if part.luck_out is None else part.luck_out.points
    return mean * part.games


def _record(
    names: tuple[str, str], dice: int, found: DuelResult, judge: LuckJudge | None, complete: bool
) -> dict[str, Any]:
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
        "interval_95": _width(found.half_width),
        "luck_out": None
        if found.luck_out is None or judge is None
        else {
            "points_per_game": round(found.luck_out.points, 6),
            "interval_95": _width(found.luck_out.half_width),
            "judge": judge.name,
        },
        "wins": round(found.wins, 6),
        "won": {name: round(found.share(points), 6) for name, points in kinds.items()},
        "lost": {name: round(found.share(-points), 6) for name, points in kinds.items()},
        "given_up": found.given_up,
    }


def _width(half: float) -> float | None:
    return round(half, 6) if math.isfinite(half) else None


def _points(mean: Mean) -> str:
    width = f"± {mean.half_width:.4f} (95 %)" if math.isfinite(mean.half_width) else "(one pair has no interval)"
    return f"{mean.points:+.4f} {width}"


def _page(names: tuple[str, str], options: argparse.Namespace, found: DuelResult, judge: LuckJudge | None) -> str:
    asked = "" if found.games == options.games else f" of {options.games:,}, interrupted"
    luckless = None
    if found.luck_out is not None and judge is not None:
        luckless = f"{_points(found.luck_out)}, as {judge.name} judges it"
    lines = [
        f"{names[0]} against {names[1]}: {found.games:,} games{asked}, in pairs with the same dice,"
        f" seed {options.seed}",
        "",
        f"points a game  {_points(Mean(found.mean, found.half_width))}",
        *([] if luckless is None else [f"luck taken out {luckless}"]),
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
