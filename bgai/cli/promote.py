"""Keeps a trained network if it beats the strongest kept one.

    bgai promote runs/backup/model backup --changed "exact backups over all 21 rolls"

The two play pairs of games with the same dice, and the kept one judges how lucky each roll was (see bgai duel
--luck-out). Only if the lower end of the 95 % interval of the points with that luck taken out lies above 0 is the
network put into models/ under the next number, with its cube efficiencies fitted and a filter made, which takes a
minute. Exit code 1 if it is not.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from bgai.cli.cluster import add_ray, asked_workers
from bgai.cli.options import whole_number
from bgai.cli.progress import Progress

GAMES = 10_000


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    parser.add_argument("model", type=Path, metavar="FOLDER", help="the model of a run, such as runs/td/best")
    parser.add_argument("slug", metavar="NAME", help="the end of its name: backup gives 0002-backup")
    parser.add_argument("--changed", default="", metavar="TEXT", help="what is new about it, in one line")
    parser.add_argument(
        "--games", type=whole_number(2), default=GAMES, metavar="N", help=f"games of the duel (default {GAMES})"
    )
    parser.add_argument("--seed", type=whole_number(0), default=31_337, metavar="N", help="of the duel's dice")
    add_ray(parser)


def run(options: argparse.Namespace) -> int:
    """Runs the command."""
    from bgai_train.promote import promote

    with asked_workers(options) as workers, Progress(options.games, "games") as bar:
        outcome = promote(
            options.model,
            options.slug,
            options.changed,
            options.games,
            options.seed,
            workers,
            lambda part: bar.advance(part.games),
        )
    if outcome.duel is not None and outcome.duel.luck_out is not None:
        played, (points, half_width) = outcome.duel, outcome.duel.luck_out
        print(
            f"against {outcome.champion}: {points:+.4f} ± {half_width:.4f} points a game with the luck taken out, as"
            f" {outcome.champion} judges it\n"
            f"as they were played: {played.mean:+.4f} ± {played.half_width:.4f} over {played.games:,} games,"
            f" seed {options.seed}"
        )
    if outcome.folder is None:
        print("not kept: the interval with the luck taken out does not lie above 0")
        return 1
    print(f"kept as {outcome.folder}")
    return 0
