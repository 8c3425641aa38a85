"""The filter of a network: a small one that has learnt from it which plays need not be looked at.

A roll has about twenty plays, and most of them are bad in a way that a hundred units see as well as a thousand. So the
small network sorts them, and the big one values the best few (see `bgai.kernels.static`). It learns what the big one
says, of positions from its games, of crossed ones (see `crossing`), and of those that random plays lead to from all
these, since it is bad plays that it has to know.

What it throws away is lost to whoever looks ahead, and a filter that misleads one side more than the other tilts all
values that are learnt from such games. So the fit counts equities, by which it sorts, and most positions are siblings.

    python -m bgai_train.filter models/0001-first

writes it into the model's folder.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np
from tqdm import tqdm

from bgai.board import Board
from bgai.catalogue import find_model
from bgai.errors import BgaiError
from bgai.evaluator import KernelEvaluator
from bgai.model import Model, load_model
from bgai.plays import legal_plays_batch

from .config import FitConfig, LabelConfig, NetworkConfig, SelfplayConfig, TrainConfig
from .crossing import RACES, crossed
from .fit import Fit
from .learner import Learner
from .selfplay import play

LAYERS = [128]
GAMES = 9000
CROSSED = 0.3
"""Crossed positions for each position of a game."""
SIBLINGS = 6
"""Positions after random plays of one roll for each of these positions."""
SELFPLAY = SelfplayConfig(explore=0.15, explore_plies=20)
FIT = FitConfig(passes=4, lr=0.008, first_layer=2.0, equity=5.0)
CHUNK = 10_000
"""Positions whose plays are listed at a time."""


def with_filter(model: Model, seed: int, games: int | None = None) -> Model:
    """The same model with a filter that learns now, from so many games (default `GAMES`); about two CPU-minutes."""
    boards = _positions(model, seed, games or GAMES)
    targets = KernelEvaluator(model).evaluate(boards)
    config = TrainConfig(
        seed=seed,
        network=NetworkConfig(encoder=model.manifest.encoder, layers=LAYERS),
        label=LabelConfig(positions=len(boards)),
        fit=FIT,
    )
    learner = Learner(config)
    fit = Fit(FIT, boards, targets, [seed])
    done = 0
    with tqdm(total=fit.total, unit="pos", desc=f"filter of {model.name}", leave=False) as bar:
        while done < fit.total:
            count, _ = fit.advance(learner, done, f"in the filter of {model.name} after {done:,} positions")
            done += count
            bar.update(count)
    return model.with_filter(LAYERS, learner.weights())


def _positions(model: Model, seed: int, games: int) -> Board:
    """Positions of games of the network against itself, crossed ones, and what random plays of a roll make of each."""
    met = play(model.net(), SELFPLAY, seed, 0, games).boards
    rng = np.random.default_rng(seed)
    first = np.concatenate([met, crossed(met, round(CROSSED * len(met)), rng, RACES)])
    parts = [first]
    for begin in range(0, len(first), CHUNK):
        boards = first[begin : begin + CHUNK]
        plays = legal_plays_batch(boards, rng.integers(1, 7, size=(len(boards), 2)), with_steps=False)
        low, high = plays.offsets[:-1], plays.offsets[1:]
        parts.extend(plays.successors[rng.integers(low, high)] for _ in range(SIBLINGS))
    positions = np.concatenate(parts)
    going_on: Board = positions[(positions > 0).any(axis=1) & (positions < 0).any(axis=1)]
    return going_on


def main(arguments: list[str] | None = None) -> int:
    """Gives a model a filter, or a new one."""
    parser = argparse.ArgumentParser(prog="python -m bgai_train.filter", description=__doc__)
    parser.add_argument("model", help="a kept model, or the folder of one")
    parser.add_argument("--seed", type=int, default=1, help="of its games and its first weights (default 1)")
    options = parser.parse_args(arguments)
    try:
        folder: Path = find_model(options.model)
        with_filter(load_model(folder), options.seed).save(folder)
    except BgaiError as error:
        print(f"filter: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
