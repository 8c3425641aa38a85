"""Measures the speed of this machine, and gives a signature of what was computed.

    bgai bench
    bgai bench 0001-first

Speeds are for each CPU-second of one thread, everything compiled. Decisions are those of whole games that the
network plays against itself. The signature covers the rules and the network: legal plays, best plays and
equities of a fixed set of positions. It stays the same on another machine, whose arithmetic differs in the last
digits; if a change of the code changes it, then the player has changed.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import numpy as np

from bgai.bearoff import network_alone
from bgai.board import START
from bgai.catalogue import open_model
from bgai.cli.workload import Workload, signature, workload
from bgai.evaluator import KernelEvaluator
from bgai.kernels.batch import legal_plays_of_many
from bgai.kernels.movegen import MAX_PLAYS, ROW
from bgai.kernels.selfplay import play_games
from bgai.model import Model
from bgai.outcomes import COUNT
from bgai.version import __version__

SECONDS = 1.0
LONGEST = 1000
"""Plies after which a game of the measurement is given up."""
GAMES = 16
ROOM = 2 * MAX_PLAYS
"""Plays that are generated before the next are written over them."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    parser.add_argument(
        "model", nargs="?", metavar="MODEL", help="a kept model by name or number, or a folder (default: the latest)"
    )
    parser.add_argument(
        "--seconds", type=_seconds, default=SECONDS, metavar="S", help=f"for each measurement (default {SECONDS:g})"
    )


def run(options: argparse.Namespace) -> int:
    """Runs the command."""
    model = open_model(options.model)
    work = workload()
    network = f"{model.manifest.encoder} {'-'.join(map(str, model.manifest.layers))}"
    print(f"bgai {__version__}, {model.name} ({network}), one thread, for each CPU-second\n")
    for name, measured in (
        ("successors with their steps", _successors(work, True)),
        ("successors, boards only", _successors(work, False)),
        ("static evaluations", _evaluations(work, model)),
        ("0-ply decisions in games", _decisions(model)),
    ):
        print(f"{name:28} {rate(measured, options.seconds):>14,.0f}", flush=True)
    print(f"\nsignature of {len(work.boards):,} positions: {signature(work, KernelEvaluator(model))}")
    return 0


def rate(measured: Callable[[], int], seconds: float) -> float:
    """Work for each CPU-second of this thread; the first call, which may compile, is not counted."""
    measured()
    done = 0
    start = time.thread_time()
    while (passed := time.thread_time() - start) < seconds or not done:
        done += measured()
    return done / max(passed, 1e-9)


def _seconds(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = float("nan")
    if not 0 < number <= 3600:
        raise argparse.ArgumentTypeError(f"expected a number of seconds over 0, found {text!r}")
    return number


def _successors(work: Workload, with_steps: bool) -> Callable[[], int]:
    successors = np.empty((ROOM, ROW), dtype=np.int8)
    steps = np.empty((ROOM if with_steps else 0, 4, 2), dtype=np.int8)
    offsets = np.zeros(len(work.boards) + 1, dtype=np.int64)

    def measured() -> int:
        done = 0
        while done < len(work.boards):
            done = legal_plays_of_many(work.boards, work.rolls, done, successors, steps, offsets)
        return int(offsets[-1])

    return measured


def _evaluations(work: Workload, model: Model) -> Callable[[], int]:
    evaluator = KernelEvaluator(model)

    def measured() -> int:
        return len(evaluator.evaluate(work.boards))

    return measured


def _decisions(model: Model) -> Callable[[], int]:
    static = network_alone(model.net())
    boards = np.empty((GAMES * LONGEST, 26), dtype=np.int8)
    targets = np.empty((len(boards), COUNT), dtype=np.float32)
    record = np.empty((GAMES, 2), dtype=np.int64)
    game = 0

    def measured() -> int:
        nonlocal game
        played, plies = play_games(
            static, START, np.uint64(1), game, GAMES, np.float32(0.0), 0.0, 0, LONGEST, boards, targets, record
        )
        game += played
        return int(plies)

    return measured
