"""How live the cube is, by kind of position: fitted to a network's own look one ply ahead.

`bgai.cube` interpolates between a dead and a live cube; the share of the live one is this *efficiency*. What the cube
adds to a position before the roll must be the mean, over the rolls, of what it adds after the best play, when the
opponent does the right thing with it in turn. (What the cube adds, and not the whole value, so that it does not matter
if the network likes to be on roll more than its own look ahead does.) The efficiencies for which this holds best are
a fixed point, found from any start in a few rounds.

    python -m bgai_train.efficiency models/0001-first

writes them into the model's manifest.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bgai.board import Board
from bgai.catalogue import find_model
from bgai.cube import cube_values
from bgai.dice import ROLL_WEIGHTS, ROLLS
from bgai.errors import BgaiError
from bgai.evaluator import Evaluator, KernelEvaluator
from bgai.model import load_model
from bgai.outcomes import equity
from bgai.phase import PHASES, phases
from bgai.plays import legal_plays_batch
from bgai.position import CUBE_LIMIT, Cube, Score
from bgai.stakes import stakes_of

from .config import SelfplayConfig
from .selfplay import play

FIRST = 0.68
"""Where the search starts: Janowski's estimate for money games."""
ROUNDS = 5
CUBES = (Cube(1, "centred"), Cube(2, "on roll"), Cube(2, "opponent"))
UNDECIDED = 1.1
"""Positions whose cubeless equity lies further from 0 than this are settled and say little."""
CLEAR_DOUBLE = 0.15
"""Where doubling gains more than this nobody waits, so that waiting has no value to learn from."""


def fit(evaluator: Evaluator, boards: Board) -> NDArray[np.float64]:
    """Efficiencies `float64[3]`, one for each of `PHASES`, from positions before the roll `int8[N, 26]`."""
    kinds = phases(boards)
    outcomes = evaluator.evaluate(boards)
    rolls = np.tile(np.array(ROLLS), (len(boards), 1))
    plays = legal_plays_batch(np.repeat(boards, len(ROLLS), axis=0), rolls, with_steps=False)
    after = evaluator.evaluate(plays.successors)
    after_kinds = phases(plays.successors)
    owner = np.repeat(np.arange(len(rolls)), np.diff(plays.offsets))

    efficiency = np.full(len(PHASES), FIRST)
    for _ in range(ROUNDS):
        explained = np.zeros(len(PHASES))
        spread = np.zeros(len(PHASES))
        for cube in CUBES:
            stakes = stakes_of(cube, Score(), None, CUBE_LIMIT)
            turned = stakes_of(cube.flipped(), Score(), None, CUBE_LIMIT)
            values = -cube_values(after, turned, cube.flipped().owner, efficiency[after_kinds]).value
            best = np.lexsort((-values, owner))[plays.offsets[:-1]]
            added = (values + turned.dead(after))[best].reshape(-1, len(ROLLS)) @ ROLL_WEIGHTS

            live = cube_values(outcomes, stakes, cube.owner, np.ones(len(boards))).no_double
            gain = live - stakes.dead(outcomes)
            now = cube_values(outcomes, stakes, cube.owner, efficiency[kinds])
            waits = now.value - now.no_double < CLEAR_DOUBLE
            for kind in range(len(PHASES)):
                chosen = waits & (kinds == kind)
                explained[kind] += (gain * added)[chosen].sum()
                spread[kind] += (gain * gain)[chosen].sum()
        efficiency = np.divide(explained, spread, out=efficiency, where=spread > 0)
    return efficiency


def positions(evaluator: KernelEvaluator, count: int, seed: int) -> Board:
    """Undecided positions from games of the network against itself."""
    experience = play(evaluator.net, SelfplayConfig(), seed, 0, max(count // 4, 8))
    open_ones = np.flatnonzero(np.abs(equity(evaluator.evaluate(experience.boards))) < UNDECIDED)
    rng = np.random.default_rng(seed)
    chosen: Board = experience.boards[rng.permutation(open_ones)[:count]]
    return chosen


def main(arguments: list[str] | None = None) -> int:
    """Fits the efficiencies of a model and writes them into its manifest."""
    parser = argparse.ArgumentParser(prog="python -m bgai_train.efficiency", description=__doc__)
    parser.add_argument("model", help="a kept model, or the folder of one")
    parser.add_argument("--positions", type=int, default=4000, help="positions looked at (default 4000)")
    parser.add_argument("--seed", type=int, default=1, help="of the games they come from (default 1)")
    options = parser.parse_args(arguments)
    try:
        folder: Path = find_model(options.model)
        model = load_model(folder)
        evaluator = KernelEvaluator(model)
        boards = positions(evaluator, options.positions, options.seed)
        efficiency = fit(evaluator, boards)
        found = {name: round(float(value), 4) for name, value in zip(PHASES, efficiency, strict=True)}
        replace(model, manifest=replace(model.manifest, cube_efficiency=found)).save(folder)
    except BgaiError as error:
        print(f"efficiency: {error}", file=sys.stderr)
        return 2
    print(", ".join(f"{name} {value:.3f}" for name, value in found.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
