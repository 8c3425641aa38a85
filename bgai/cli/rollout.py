"""Values plays, or a position and its cube actions, by playing them out many times.

    bgai rollout 4HPwATDgc/ABMA 31 --trials 1296 --seed 1
    bgai rollout 4HPwATDgc/ABMA 31 --truncate 7 --candidates 3
    bgai rollout XGID=-b----E-C---eE---c-e----B-:0:0:1:00:3:4:0:5:10 --json > record.json
    bgai rollout --extend record.json --trials 2592

With dice the plays that are best at 0-ply are compared, without dice no double and double, take. Both sides play at
0-ply and turn the cube as the cube model says; luck is taken out of the results, and all candidates have the same dice,
whose first two rolls are stratified. So trials come in blocks of 36, and 1,296 hold every pair of first rolls once.

The result depends on the seed and not on the number of threads. Ctrl-C shows what there is so far. `--json` prints all
that is needed to go on later with --extend, which gives the same as one long rollout. With --ray the trials are played
on a cluster (docs/cluster.md).
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from typing import Any

from bgai.cli.agreed import Agreed, add_agreed
from bgai.cli.cluster import add_ray, asked_workers
from bgai.cli.main import INTERRUPTED
from bgai.cli.options import add_ascii, add_cubeless, add_json, add_model, number_from_0, plain, seed, whole_number
from bgai.cli.progress import Progress
from bgai.cli.question import EXAMPLE, read_question, read_state, read_unrolled, say_remarks
from bgai.cli.rollout_page import page, plus_minus
from bgai.errors import InputError
from bgai.kernels.strata import BLOCK
from bgai.rollout import Rollout, Settings
from bgai.rollout_record import from_record, to_record

TRIALS, CANDIDATES, SETTLED = 1296, 5, 3.0

_LONG = 60.0
"""Seconds that a rollout may take without this being said first."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    parser.add_argument("words", nargs="*", metavar="ID DICE", help="a position ID, an XGID or the like, and a roll")
    parser.add_argument(
        "--trials",
        type=whole_number(1),
        metavar="N",
        help=f"of each candidate at most, a multiple of 36 (default {TRIALS})",
    )
    parser.add_argument("--seed", type=seed, metavar="N", help="of the dice (default 1)")
    parser.add_argument(
        "--truncate", type=whole_number(1), metavar="N", help="end trials with the network's value after N plies"
    )
    parser.add_argument(
        "--candidates",
        type=whole_number(0),
        metavar="N",
        help=f"plays to compare, those best at 0-ply, 0 for all (default {CANDIDATES})",
    )
    parser.add_argument(
        "--stop",
        type=number_from_0(),
        metavar="N",
        help="drop a candidate, and end at last, when the best leads by N standard errors of the difference"
        f" (default {SETTLED:g}, 0: never)",
    )
    parser.add_argument("--error", type=number_from_0(), metavar="E", help="end when every standard error is at most E")
    parser.add_argument("--threads", type=whole_number(1), metavar="N", help="default: one for each core")
    add_ray(parser)
    parser.add_argument("--extend", metavar="FILE", help="go on with what --json printed, to --trials in all")
    add_cubeless(parser)
    add_agreed(parser)
    add_model(parser)
    add_json(parser)
    add_ascii(parser)


def run(options: argparse.Namespace) -> int:
    """Runs the command."""
    rollout = _begun(options) if options.extend is None else _extended(options)
    threads = options.threads or os.cpu_count() or 1
    watch = _Watch(rollout, threads)
    start = time.monotonic()
    code = 0
    try:
        with asked_workers(options) as workers, watch.bar:
            rollout.run(threads=threads, workers=workers, progress=watch)
    except KeyboardInterrupt:
        if not rollout.ranked():
            raise
        code = INTERRUPTED
    if options.json:
        print(json.dumps(to_record(rollout)))
    else:
        print(page(rollout, ascii_only=plain(options)))
        seconds = time.monotonic() - start
        where = f"{threads} thread{'s' * (threads > 1)}" if options.ray is None else "the cluster"
        print(f"\n{seconds:.1f} s on {where}")
    return code


def _begun(options: argparse.Namespace) -> Rollout:
    words: list[str] = options.words
    if not words:
        raise InputError(f"expected a position ID, with a roll or without, such as: bgai rollout {EXAMPLE} 31")
    agreed = Agreed.of(options)
    _, dice = read_state(words, None, agreed)
    question = read_question(words, None, agreed) if dice else read_unrolled(words, agreed, double=True)
    say_remarks(question.remarks, words)
    settings = Settings(
        trials=TRIALS if options.trials is None else options.trials,
        seed=1 if options.seed is None else options.seed,
        truncation=options.truncate,
        cubeful=not options.cubeless,
        settled=(SETTLED if options.stop is None else options.stop) or None,
        error=options.error or None,
    )
    most = CANDIDATES if options.candidates is None else options.candidates
    return Rollout(question.position, settings, model=options.model, most=most)


def _extended(options: argparse.Namespace) -> Rollout:
    if options.words or Agreed.of(options) != Agreed():
        raise InputError("expected no position beside --extend, whose file holds it")
    for name in ("seed", "truncate", "candidates", "stop", "error"):
        if getattr(options, name) is not None:
            raise InputError(f"expected no --{name} beside --extend, whose file holds it")
    if options.cubeless:
        raise InputError("expected no --cubeless beside --extend, whose file holds it")
    try:
        with open(options.extend, encoding="utf-8") as file:
            record: Any = json.load(file)
    except OSError as error:
        raise InputError(f"cannot read the file {options.extend!r}: {error.strerror}") from error
    except ValueError as error:
        raise InputError(f"{options.extend!r} is not JSON: {error}") from error
    rollout = from_record(record, options.model)
    before = max((one.trials for one in rollout.candidates), default=0)
    trials = rollout.settings.trials if options.trials is None else options.trials
    if trials < before:
        raise InputError(f"trials: found {trials}, expected {before} or more, which {options.extend!r} holds already")
    rollout.extended(trials)
    return rollout


class _Watch:
    """Shows how far a rollout is and what it says so far."""

    def __init__(self, rollout: Rollout, threads: int) -> None:
        self._threads = threads
        self._blocks = sum(rollout.settings.trials - one.trials for one in rollout.candidates) // BLOCK
        self._played = 0
        self._first = 0.0
        self.bar = Progress(max(self._blocks, 1) * BLOCK, "trials")

    def __call__(self, rollout: Rollout) -> None:
        self._played += 1
        best = rollout.ranked()[0]
        self.bar.advance(BLOCK, f"{best.name} {plus_minus(best.equity[0], best.half_width)}")
        if self._played == 1:
            self._first = time.monotonic()
        elif self._played == 1 + self._threads and not sys.stderr.isatty():
            # The first blocks may have waited for compilation; the next have taken the time of one.
            left = (time.monotonic() - self._first) * (self._blocks - self._played) / self._threads
            if left > _LONG:
                print(f"bgai: about {left / 60:,.0f} min if nothing is decided sooner", file=sys.stderr)
