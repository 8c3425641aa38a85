"""What a network's filter throws away: the loss of the best play that is left, beside the best of all.

    python benchmarks/filter.py 0006-settled 0005-crossed --positions 20000

Positions come from games of the last network named against itself, a tenth of which begin with random plays, and in
part are crossed (see `bgai_train.crossing`); each gets one roll. Values are the network's own at a glance, in
millipoints a decision. Whoever is behind by 0.3 points is told apart from whoever is in front: a filter that misleads
one of them more tilts everything that is found by looking ahead.
"""

from __future__ import annotations

import argparse
import sys
from itertools import pairwise

import numpy as np
from bgai_train.config import SelfplayConfig
from bgai_train.crossing import crossed
from bgai_train.selfplay import play
from numpy.typing import NDArray
from own_decisions import Loss, Values, best_of
from report import print_table

from bgai.board import Board
from bgai.catalogue import open_model
from bgai.errors import BgaiError
from bgai.evaluator import KEPT, OLDER, WITHIN
from bgai.kernels.forward import Net, evaluate
from bgai.model import Model
from bgai.outcomes import COUNT, equity
from bgai.plays import PlaysBatch, legal_plays_batch

AHEAD = 0.3
"""Points by which a side is in front or behind."""
CROSSED = 0.3
"""Share of the positions that are crossed."""
LIMITS = ((KEPT, WITHIN), OLDER, (KEPT, np.inf), (8, 0.2), (8, np.inf), (12, 0.3))
"""Plays that are left at most, and what they may be worse by the filter. The search takes the first, before older
filters the second."""


def positions(model: Model, count: int, seed: int) -> Board:
    """int8[count, 26]: from games, the last of them crossed; none is over."""
    games = play(model.net(), SelfplayConfig(explore=0.1), seed, 0, count // 20 + 10).boards
    rng = np.random.default_rng(seed)
    many = round(CROSSED * count)
    met = games[rng.choice(len(games), count - many, replace=False)]
    return np.concatenate([met, crossed(games, many, rng)])


def left_over(values: Values, offsets: NDArray[np.int64], keep: int, within: float) -> NDArray[np.bool_]:
    """Which of M plays a filter leaves, by its own values of them, float64[M]; `offsets` int64[N + 1] of the rolls."""
    left = np.zeros(len(values), dtype=np.bool_)
    for begin, end in pairwise(offsets):
        best = begin + np.argsort(-values[begin:end], kind="stable")[:keep]
        left[best[values[best] >= values[best[0]] - within]] = True
    return left


def mover_values(net: Net, plays: PlaysBatch) -> Values:
    """Cubeless equities of the mover after each play, float64[M]."""
    outcomes = np.empty((len(plays.successors), COUNT), dtype=np.float32)
    evaluate(net, plays.successors, outcomes)
    values: Values = -equity(outcomes).astype(np.float64)
    return values


def rows_of(model: Model, plays: PlaysBatch) -> list[list[str]]:
    """A row for each of `LIMITS`.

    Raises:
        BgaiError: a model without a filter.
    """
    net = model.filter_net()
    if net is None:
        raise BgaiError(f"{model.name} has no filter, expected one: python -m bgai_train.filter makes it")
    offsets = plays.offsets
    known, sorted_by = mover_values(model.net(), plays), mover_values(net, plays)
    best = best_of(known, offsets)
    rows = []
    for keep, within in LIMITS:
        left = left_over(sorted_by, offsets, keep, within)
        losses = best - best_of(np.where(left, known, -np.inf), offsets)
        parts = (losses, losses[best > AHEAD], losses[best < -AHEAD])
        count = float(left.sum()) / len(losses)
        margin = "" if within == np.inf else f"{within:g}"
        rows.append([model.name, str(keep), margin, f"{count:.2f}", *(str(Loss.of(part)) for part in parts)])
    return rows


def main(arguments: list[str] | None = None) -> int:
    """Runs the command; returns its exit code."""
    parser = argparse.ArgumentParser(
        prog="filter.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("models", nargs="+", metavar="MODEL", help="a kept model, or a folder")
    parser.add_argument("--positions", type=int, default=20_000, help="100 or more (default 20000)")
    parser.add_argument("--seed", type=int, default=1, help="of games and rolls (default 1)")
    options = parser.parse_args(arguments)
    if options.positions < 100:
        parser.error(f"{options.positions} positions, expected 100 or more")
    try:
        models = [open_model(name) for name in options.models]
        boards = positions(models[-1], options.positions, options.seed)
        dice = np.random.default_rng(options.seed).integers(1, 7, size=(len(boards), 2))
        plays = legal_plays_batch(boards, dice, with_steps=False)
        rows = [row for model in models for row in rows_of(model, plays)]
    except BgaiError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print_table(
        f"{len(boards)} positions of {models[-1].name}, seed {options.seed}: what a filter throws away,"
        " millipoints a decision ± standard error",
        ["model", "keep", "within", "left", "loss", "in front", "behind"],
        rows,
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
