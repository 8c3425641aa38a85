"""Compares networks on decisions of bgai's own: unforced ones of games that one of them, the judge, plays by itself.

    python benchmarks/own_decisions.py 0005-crossed 0004-wide --decisions 10000

The judge looks two plies ahead at them: every play that is close at 1-ply is valued at 2-ply, the others at 1-ply. So
networks can be told apart, and recipes chosen, without the reference decisions of other programs, which then stay what
they are for. The first network named is the judge and has the advantage of its own opinions: a network that loses less
than it is better, one that loses a little more need not be worse.
"""

from __future__ import annotations

import argparse
import math
import sys
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from reference import MILLI
from report import print_table

from bgai.analyst import Analyst
from bgai.board import START
from bgai.catalogue import open_model
from bgai.dice import opening_roll, roll
from bgai.errors import BgaiError
from bgai.model import Model
from bgai.plays import PlaysBatch, legal_plays_batch
from bgai.position import Position

Values = NDArray[np.float64]

CLOSE = 0.12
"""How far behind the best at 1-ply a play may be that is valued at 2-ply."""


@dataclass(frozen=True)
class Loss:
    """Millipoints a decision, with the standard error."""

    count: int
    mean: float
    error: float

    @classmethod
    def of(cls, losses: Values) -> Loss:
        """From the losses of each decision, in points."""
        scaled = MILLI * np.asarray(losses, dtype=np.float64)
        return cls(len(scaled), float(scaled.mean()), float(scaled.std(ddof=1)) / math.sqrt(len(scaled)))

    def __str__(self) -> str:
        return f"{self.mean:.2f} ± {self.error:.2f}"


@dataclass(frozen=True)
class Decisions:
    """N unforced decisions and what each of their M plays loses."""

    positions: list[Position]
    plays: PlaysBatch
    losses: Values
    """float64[M], in points."""

    def loss(self, analyst: Analyst) -> Values:
        """What an analyst's choices lose, float64[N]."""
        ranked = analyst.rank_plays(self.positions, self.plays)
        losses: Values = self.losses[ranked.order[self.plays.offsets[:-1]]]
        return losses


def self_play(model: Model, count: int, seed: int) -> Decisions:
    """Decisions from games at 0-ply, spread over many games."""
    analyst = Analyst.of(model, cubeful=False)
    games = np.arange(max(count // 8, 4))
    boards = np.tile(START, (len(games), 1))
    seen: list[Position] = []
    for turn in range(400):
        dice = roll(seed, games, turn) if turn else np.array([opening_roll(seed, int(game)) for game in games])
        plays = legal_plays_batch(boards, dice)
        positions = [Position(board, dice=(max(pair), min(pair))) for board, pair in zip(boards, dice, strict=True)]
        seen += [one for one, free in zip(positions, np.diff(plays.offsets) > 1, strict=True) if free]
        boards = plays.successors[analyst.rank_plays(positions, plays).order[plays.offsets[:-1]]]
        going_on = (boards < 0).any(axis=1)
        boards, games = boards[going_on], games[going_on]
        if not len(games):
            break
    chosen = np.sort(np.random.default_rng(seed).permutation(len(seen))[:count])
    return judged(model, [seen[number] for number in chosen])


def judged(model: Model, positions: list[Position]) -> Decisions:
    """The plays of positions, judged two plies ahead."""
    plays = legal_plays_batch(
        np.stack([position.board for position in positions]), np.array([position.dice for position in positions])
    )
    owner = np.repeat(np.arange(len(positions)), np.diff(plays.offsets))
    shallow = _equities(model, plays.successors, 1)
    behind = best_of(shallow, plays.offsets)[owner] - shallow
    close = behind <= CLOSE
    deep = np.full(len(shallow), -np.inf)
    deep[close] = _equities(model, plays.successors[close], 2)
    losses = np.where(close, best_of(deep, plays.offsets)[owner] - deep, behind)
    return Decisions(positions, plays, losses)


def _equities(model: Model, successors: NDArray[np.int8], plies: int) -> Values:
    """The mover's."""
    found = Analyst.of(model, cubeful=False, plies=plies).evaluate_many([Position(board) for board in successors])
    return np.array([-one.equity for one in found])


def best_of(equities: Values, offsets: NDArray[np.int64]) -> Values:
    """The highest of each roll's plays, float64[N]; `offsets` int64[N + 1] as in `PlaysBatch`."""
    best: Values = np.maximum.reduceat(equities, offsets[:-1])
    return best


def main(arguments: list[str] | None = None) -> int:
    """Runs the command; returns its exit code."""
    parser = argparse.ArgumentParser(
        prog="own_decisions.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("judge", metavar="JUDGE", help="who plays the games and judges: a kept model, or a folder")
    parser.add_argument("models", nargs="*", metavar="MODEL", help="others that are judged")
    parser.add_argument("--decisions", type=int, default=10_000, help="of self-play (default 10000)")
    parser.add_argument("--seed", type=int, default=1, help="of the games (default 1)")
    options = parser.parse_args(arguments)
    try:
        judge, *others = [open_model(name) for name in (options.judge, *options.models)]
        decisions = self_play(judge, options.decisions, options.seed)
        losses = [decisions.loss(Analyst.of(model, cubeful=False)) for model in (judge, *others)]
    except BgaiError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print_table(
        f"{len(decisions.positions)} decisions of {judge.name}, seed {options.seed}, judged by it two plies ahead:"
        " millipoints a decision ± standard error",
        ["model", "loss", "beside the judge"],
        [
            [model.name, str(Loss.of(found)), "" if model is judge else str(Loss.of(found - losses[0]))]
            for model, found in zip((judge, *others), losses, strict=True)
        ],
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
