"""How fast bgai is beside gnubg-nn and bgsage: plays generated, positions evaluated, decisions made.

    python benchmarks/speed.py
    python benchmarks/speed.py models/0001-first --repeats 9

All in one run, work for each CPU-second of one thread (`time.process_time`). Every repeat measures each program in
turn, on positions that none has seen before; given are the median over the repeats, the range, and the median of
the repeats' ratios to gnubg-nn (to bgsage where gnubg-nn has nothing alike). A network of 256 hidden units with random
weights stands beside MODEL, so that runs can be compared; its plays are senseless, its speed is not.

bgai is called once for many positions, as it is in training and search. gnubg-nn and bgsage are called once for
each position, or in bgsage's case each candidate, because their Python packages offer nothing faster for one
thread; so their figures include the call, though not the conversion of the board. Inside their own searches they
are somewhat faster than this. "Each from nothing" is a forward pass without what its parent position had computed;
"inside decisions" includes generating the plays.

Decisions that look ahead and those about the cube are asked one a call by every program, bgai's included. Plies are
gnubg's; bgsage counts one more. Last come rollouts: 1,296 trials of the opening position, cubeless, at 0-ply to the
end with variance reduction, of bgai and of GNU Backgammon, which must be installed as `gnubg`; it plays fewer
trials, and the time is scaled. The other peers must be installed: `pip install gnubg-nn bgsage`.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

import deep_subjects
import rollouts
import subjects
from peers import PeerMissingError
from players import random_model
from positions import Positions, fresh_positions
from report import RESULTS, print_table, write_results
from rollouts import Rolled
from subjects import Subject
from tqdm import tqdm

from bgai.catalogue import open_model
from bgai.errors import BgaiError
from bgai.model import Manifest, Model

ENOUGH = 0.2
"""CPU-seconds a measurement lasts at least, where a program may see a position twice."""
SIZES = subjects.SIZES | deep_subjects.SIZES
YARDSTICKS = ("gnubg-nn", "bgsage")
"""Ratios are to the first of them that a group has."""


def main(arguments: list[str] | None = None) -> int:
    """Runs the command; returns its exit code."""
    parser = argparse.ArgumentParser(
        prog="speed.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("model", metavar="MODEL", nargs="?", help="a kept model or its folder (default: the last)")
    parser.add_argument("--repeats", type=int, default=5, help="default 5")
    parser.add_argument(
        "--trials", type=int, default=144, help="of GNU Backgammon's rollout, a multiple of 36; 0: none (default 144)"
    )
    parser.add_argument("--seed", type=int, default=1, help="of the positions (default 1)")
    parser.add_argument("--results", type=Path, default=RESULTS, help="folder for the JSON file")
    options = parser.parse_args(arguments)
    if options.repeats < 1:
        parser.error("--repeats is at least 1")
    if options.trials < 0 or options.trials % 36:
        parser.error("--trials is a multiple of 36")
    try:
        return _measure(options)
    except BgaiError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2


def _measure(options: argparse.Namespace) -> int:
    kept = open_model(options.model)
    models = [random_model([256]), kept]
    everything = subjects.bgai_moves()
    for model in models:
        everything += subjects.bgai_network(model)
    everything += deep_subjects.bgai_decisions(kept)
    for peer in (subjects.gnubg, deep_subjects.gnubg_decisions, subjects.bgsage, deep_subjects.bgsage_decisions):
        try:
            everything += peer()
        except PeerMissingError as error:
            print(f"left out: {error}", flush=True)

    print("positions: games of pubeval against itself ...", flush=True)
    positions = fresh_positions((options.repeats + 1) * sum(SIZES.values()), options.seed)
    measure(everything, positions, options.repeats)

    results: dict[str, Any] = {}
    for group in SIZES:
        rows = summary([each for each in everything if each.group == group])
        results[group] = rows
        print_table(
            f"{group}, a CPU-second of one thread",
            ["", "median", "lowest", "highest", "ratio"],
            [
                [row["title"], *(number(row[key]) for key in ("median", "lowest", "highest")), f"{row['ratio']:.2f}"]
                for row in rows
            ],
        )
    rolled = _roll_out(kept, options.trials)
    content = {
        "kind": "speed",
        "unit": "work a CPU-second of one thread",
        "repeats": options.repeats,
        "seed": options.seed,
        "positions_a_repeat": SIZES,
        "models": [_describe(model.manifest) for model in models],
        "results": results,
        "rollouts": [asdict(each) for each in rolled],
    }
    print(f"\nwritten: {os.path.relpath(write_results(options.results, 'speed', content))}")
    return 0


def _roll_out(model: Model, trials: int) -> list[Rolled]:
    """Measures rollouts, and prints them."""
    if not trials:
        return []
    rolled = [rollouts.bgai_rollout(model, rollouts.TRIALS)]
    peer = rollouts.gnubg_rollout(trials)
    if peer is None:
        print("left out: GNU Backgammon is not installed (no `gnubg`)")
    else:
        rolled.append(peer)
    print_table(
        f"rollout of the opening position, {rollouts.TRIALS:,} trials, cubeless, 0-ply, variance reduction",
        ["", "trials played", "CPU-seconds", "standard error"],
        [
            [each.title, str(each.trials), number(each.seconds), f"{1000 * each.standard_error:.2f} millipoints"]
            for each in rolled
        ],
    )
    return rolled


def number(value: float) -> str:
    """With three significant digits, but no digit before the point left out."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def measure(everything: list[Subject], positions: Positions, repeats: int) -> None:
    """Fills in the rates. A first round warms up and is dropped."""
    begin = 0
    for repeat in tqdm(range(repeats + 1), unit="repeat"):
        parts = {}
        for group, size in SIZES.items():
            parts[group] = positions.part(begin, size)
            begin += size
        for subject in everything:
            rate = _rate(subject, subject.prepare(parts[subject.group]))
            if repeat > 0:
                subject.rates.append(rate)


def _rate(subject: Subject, work: Any) -> float:
    done = 0
    start = time.process_time()
    while True:
        done += subject.run(work)
        elapsed = time.process_time() - start
        if subject.keeps or elapsed >= ENOUGH:
            return done / elapsed


def summary(group: list[Subject]) -> list[dict[str, Any]]:
    """One row for each subject of a group: median, range, median of the repeats' ratios to the yardstick."""
    yardstick = next((each for name in YARDSTICKS for each in group if each.title.startswith(name)), group[0])
    return [
        {
            "title": each.title,
            "median": statistics.median(each.rates),
            "lowest": min(each.rates),
            "highest": max(each.rates),
            "ratio": statistics.median(a / b for a, b in zip(each.rates, yardstick.rates, strict=True)),
            "rates": each.rates,
        }
        for each in group
    ]


def _describe(manifest: Manifest) -> dict[str, Any]:
    return {key: asdict(manifest)[key] for key in ("name", "encoder", "layers", "weights_sha256")}


if __name__ == "__main__":
    sys.exit(main())
