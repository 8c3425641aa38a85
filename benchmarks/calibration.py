"""How sound a network's chances are, by kind of position: what it says at once against full rollouts by itself.

    python benchmarks/calibration.py 0004-wide
    python benchmarks/calibration.py 0004-wide --positions 8 --trials 144 --peers
    python benchmarks/calibration.py --from benchmarks/results/calibration-0004-wide-….json

Writes a JSON file and beside it Markdown tables and a chart (SVG); `--from` makes the two again from the first.
`position_kinds.py` tells the kinds and `kind_samples.py` where the positions come from. Rollouts are cubeless, at
0-ply, to the end, with variance reduction. The network is judged alone: where all checkers of both sides are at home,
play asks the bear-off tables instead, as the rollouts do.

Errors are means of what the static chances differ by, bias of the signed differences, static less rolled out, as the
kind's subject sees them; both with half of the 95 % interval. Rollouts err as well, by the standard errors told: the
smallest mean error that chances without fault could show is 0.8 times that.

The rollouts are of the model's own play. Where it misplays a kind of position they share its opinion, which only an
outside view can tell: `--peers` asks gnubg-nn for its chances, static and two plies deep (`pip install gnubg-nn`).
Ctrl-C ends the rollouts and keeps those that were played, of all kinds alike.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import calibration_file
import numpy as np
from accuracy import Row, Values, equities, rows_by_kind, summary
from calibration_report import panel, report
from kind_samples import RANDOM, Samples, samples
from peers import Gnubg, gnubg_board
from players import ModelPlayer
from position_kinds import KINDS
from reliability import reliability
from report import RESULTS
from tqdm import tqdm

from bgai.board import Board
from bgai.catalogue import open_model
from bgai.errors import BgaiError
from bgai.evaluator import KernelEvaluator
from bgai.files import write_whole
from bgai.kernels.forward import evaluate
from bgai.kernels.static import Static
from bgai.kernels.strata import BLOCK
from bgai.model import Model
from bgai.notation.positionid import format_position_id
from bgai.outcomes import COUNT
from bgai.position import Position
from bgai.rollout import Rollout, Settings
from bgai.rollout_statistics import error_of

PLIES = 2
"""How far gnubg-nn looks as the outside view."""
SEEDS = 2**32
"""Each position has dice of its own: its number is added to so many times the seed."""
DIGITS = 5


@dataclass(frozen=True)
class Question:
    """A position to roll out."""

    board: Board
    seed: int


@dataclass(frozen=True)
class Rolled:
    """What came of it, seen by the player on roll."""

    chances: Values
    """float64[5]"""
    errors: Values
    """float64[6]: standard errors of the chances and of the equity."""
    seconds: float
    """CPU time, without the peer's."""
    gnubg: tuple[Values, Values] | None = None
    """gnubg-nn's chances float64[5]: static and `PLIES` deep."""


class Rollouts:
    """Rolls out positions one by one, on one thread."""

    def __init__(self, model: Model, trials: int, peers: bool) -> None:
        self._model = model
        self._trials = trials
        self._static: Static = KernelEvaluator(model).static
        self._gnubg = Gnubg().module if peers else None

    def rolled(self, question: Question) -> Rolled:
        """Plays all trials of a position."""
        start = time.process_time()
        settings = Settings(trials=self._trials, seed=question.seed, cubeful=False)
        rollout = Rollout(Position(question.board), settings, model=self._model, static=self._static)
        rollout.run(threads=1)
        blocks = rollout.candidates[0].values[:, :COUNT]
        errors = np.append(error_of(blocks), error_of(equities(blocks)))
        seconds = time.process_time() - start
        return Rolled(blocks.mean(axis=0), errors, seconds, self._outside(question.board))

    def _outside(self, board: Board) -> tuple[Values, Values] | None:
        if self._gnubg is None:
            return None
        static, deep = (np.array(self._gnubg.probabilities(gnubg_board(board), plies)) for plies in (0, PLIES))
        return static, deep


def roll_out(
    questions: Sequence[Question], model: str, trials: int, peers: bool, processes: int
) -> tuple[list[Rolled], bool]:
    """Rolls out positions in several processes.

    Returns:
        What came of them, and whether Ctrl-C ended it before the last: then these are the first ones.
    """
    found: list[Rolled] = []
    interrupted = False
    pool = multiprocessing.get_context("spawn").Pool(processes, _start, (model, trials, peers))
    try:
        with tqdm(total=len(questions), unit="position", desc="rolled out") as bar:
            for one in pool.imap(_roll, questions):
                found.append(one)
                bar.update()
    except KeyboardInterrupt:
        interrupted = True
    finally:
        pool.terminate()
        pool.join()
    return found, interrupted


_rollouts: Rollouts | None = None


def _start(model: str, trials: int, peers: bool) -> None:
    global _rollouts
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _rollouts = Rollouts(open_model(model), trials, peers)


def _roll(question: Question) -> Rolled:
    assert _rollouts is not None
    return _rollouts.rolled(question)


def row_of(chosen: Samples, number: int, static: Values, rolled: Rolled) -> Row:
    """What is kept of a position."""
    row = {
        "kind": KINDS[chosen.sorted.kinds[number]].title,
        "on_roll": bool(chosen.sorted.on_roll[number]),
        "crossed": bool(chosen.crossed[number]),
        "position_id": format_position_id(chosen.boards[number]),
        "static": _rounded(static),
        "rolled": _rounded(rolled.chances),
        "standard_errors": _rounded(rolled.errors),
    }
    if rolled.gnubg is not None:
        row["gnubg"] = {name: _rounded(one) for name, one in zip(("static", "deep"), rolled.gnubg, strict=True)}
    return row


def _rounded(values: Values) -> list[float]:
    return [round(float(value), DIGITS) for value in values]


def measure(options: argparse.Namespace) -> tuple[Path | None, bool]:
    """Measures; returns the file with the results, None if there are none, and whether Ctrl-C ended it."""
    model = open_model(options.model)
    if options.peers:
        Gnubg()  # Says that it is missing before the games are played, not after.
    chosen = samples(ModelPlayer(model), options.positions, options.seed)
    questions = [Question(board, options.seed * SEEDS + number) for number, board in enumerate(chosen.boards)]
    found, interrupted = roll_out(questions, options.model, options.trials, options.peers, options.processes)
    if not found:
        return None, interrupted
    static = np.empty((len(questions), COUNT), dtype=np.float32)
    evaluate(model.net(), np.ascontiguousarray(chosen.boards), static)
    rows = [row_of(chosen, number, static[number], rolled) for number, rolled in enumerate(found)]
    content = {
        "player": {"name": model.name, "weights_sha256": model.manifest.weights_sha256},
        "unit": "chances, and points of cubeless money play; win, gammon, backgammon, lost gammon, lost backgammon",
        "positions_of_a_kind": options.positions,
        "trials": options.trials,
        "seed": options.seed,
        "random_plays": RANDOM,
        "gnubg_plies": PLIES if options.peers else None,
        "rollout_cpu_seconds": round(sum(one.seconds for one in found), 1),
        "shares_of_games": {kind.title: round(share, 4) for kind, share in zip(KINDS, chosen.shares, strict=True)},
        "kinds": {title: asdict(summary(part)) for title, part in rows_by_kind(rows).items()},
        "positions": rows,
    }
    return calibration_file.write(options.results, model.name, content), interrupted


def draw(path: Path) -> None:
    """Writes the tables and the chart beside a file of results, and prints the tables."""
    content = calibration_file.read(path)
    parts = rows_by_kind(content["positions"])
    summaries = {title: summary(rows) for title, rows in parts.items()}
    text = report(summaries, content)
    print(f"\n{text}")
    write_whole(path.with_suffix(".md"), text.encode())
    panels = [panel(title, parts[title], summaries[title]) for title in parts]
    name = f"Chances of {content['player']['name']} against its rollouts of {content['trials']:,} trials"
    write_whole(path.with_suffix(".svg"), reliability(panels, name).encode())
    for suffix in (".json", ".md", ".svg"):
        print(f"written: {os.path.relpath(path.with_suffix(suffix))}")


def main(arguments: list[str] | None = None) -> int:
    """Runs the command; returns its exit code."""
    options = _options(arguments)
    path, interrupted = options.source, False
    try:
        if path is None:
            path, interrupted = measure(options)
        if path is not None:
            draw(path)
    except KeyboardInterrupt:
        interrupted = True
    except (BgaiError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    if interrupted:
        kept = "nothing was written" if path is None else f"the results are in {os.path.relpath(path)}"
        print(f"\ninterrupted, {kept}", file=sys.stderr)
        return 130
    return 0


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="calibration.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("model", metavar="MODEL", nargs="?", help="a kept model or the folder of one")
    parser.add_argument("--positions", type=int, default=60, help="of each kind (default 60)")
    parser.add_argument("--trials", type=int, default=324, help="of each position, a multiple of 36 (default 324)")
    parser.add_argument("--seed", type=int, default=1, help="of games, choice and rollouts (default 1)")
    parser.add_argument("--peers", action="store_true", help="ask gnubg-nn about the same positions")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, help="default: one for each core")
    parser.add_argument("--from", dest="source", type=Path, help="draw these results again, measure nothing")
    parser.add_argument("--results", type=Path, default=RESULTS, help="folder for the files")
    options = parser.parse_args(arguments)
    if (options.model is None) == (options.source is None):
        parser.error("give either MODEL or --from")
    if options.positions < 1 or options.processes < 1:
        parser.error("--positions and --processes are at least 1")
    if options.trials < 2 * BLOCK or options.trials % BLOCK:
        parser.error(f"--trials: found {options.trials}, expected a multiple of {BLOCK} from {2 * BLOCK} on")
    if not 0 <= options.seed < SEEDS:
        parser.error(f"--seed: found {options.seed}, expected 0 to {SEEDS - 1}")
    return options


if __name__ == "__main__":
    sys.exit(main())
