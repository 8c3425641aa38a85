"""The fixed positions of `bgai bench`, and what their signature is made of.

The positions come from games that a simple rule plays in whole numbers, so they are the same everywhere and do
not depend on any network. The signature must not change with the last digits of an equity. A hash of rounded
numbers would, now and then, when one lies next to where rounding turns; so equities are summed in groups before
they are rounded coarsely, and a decision counts only if its margin is clear.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bgai.board import START, Board
from bgai.dice import mix, roll
from bgai.evaluator import Evaluator
from bgai.outcomes import equity
from bgai.plays import legal_plays_batch

GAMES, TURNS = 64, 60
SEED = 20_260_101
GROUP = 256
"""Decisions whose equities are summed; a change of 0.0001 in each moves the sum by more than `GRAIN`."""
GRAIN = 0.02
CLEAR = 0.002
"""Margin over the second best play with which a decision counts."""


@dataclass(frozen=True)
class Workload:
    """Positions with a roll each."""

    boards: Board
    """int8[N, 26]"""
    rolls: NDArray[np.int64]
    """int64[N, 2]"""


def workload() -> Workload:
    """The positions of all turns of the games, until these are over."""
    boards = np.tile(START, (GAMES, 1))
    games = np.arange(GAMES)
    all_boards, all_rolls = [], []
    for turn in range(TURNS):
        rolls = roll(SEED, games, turn)
        all_boards.append(boards)
        all_rolls.append(rolls)
        plays = legal_plays_batch(boards, rolls, with_steps=False)
        liking = _liking(plays.successors)
        owner = np.repeat(np.arange(len(boards)), np.diff(plays.offsets))
        # The play that is liked best; of equal ones that with the largest hash, whatever order they come in.
        order = np.lexsort((_hashes(plays.successors), liking, owner))
        boards = plays.successors[order[plays.offsets[1:] - 1]]
        going_on = (boards > 0).any(axis=1) & (boards < 0).any(axis=1)
        boards, games = boards[going_on], games[going_on]
    return Workload(np.concatenate(all_boards), np.concatenate(all_rolls))


def _liking(successors: Board) -> NDArray[np.int64]:
    """How a cautious beginner likes positions it has moved to: points made, few blots, hits, runners home."""
    mine = -successors[:, 1:25][:, ::-1].astype(np.int64)
    made, blots = mine >= 2, mine == 1
    weights = np.array([4, 5, 6, 7, 7, 6, 5, 4] + [2] * 10 + [3, 5, 4, 2, 1, 1])
    pips = (np.maximum(mine, 0) * np.arange(1, 25)).sum(axis=1)
    liking: NDArray[np.int64] = made @ weights - 3 * blots.sum(axis=1) + 6 * successors[:, 25] - pips // 8
    return liking


def _hashes(boards: Board) -> NDArray[np.uint64]:
    keys = mix(np.arange(1, 27, dtype=np.uint64))
    return mix(np.asarray((boards.astype(np.int64).view(np.uint64) * keys).sum(axis=1, dtype=np.uint64)))


def signature(work: Workload, evaluator: Evaluator) -> str:
    """Twelve characters that stand for the rules and for what the evaluator thinks."""
    plays = legal_plays_batch(work.boards, work.rolls, with_steps=False)
    counts = np.diff(plays.offsets)
    owner = np.repeat(np.arange(len(work.boards)), counts)
    hashes = _hashes(plays.successors)
    equities = -equity(evaluator.evaluate(plays.successors)).astype(np.float64)
    order = np.lexsort((equities, owner))
    best = plays.offsets[1:] - 1
    second = np.maximum(best - 1, plays.offsets[:-1])
    margin = equities[order[best]] - equities[order[second]]
    decided = np.where((margin > CLEAR) | (counts == 1), hashes[order[best]], np.uint64(0))
    groups = np.add.reduceat(equities[order[best]], np.arange(0, len(best), GROUP))
    digest = hashlib.sha256()
    # A sum, so that the order in which the generator lists the plays does not matter.
    digest.update(np.add.reduceat(hashes, plays.offsets[:-1]).tobytes())
    digest.update(decided.tobytes())
    digest.update(np.rint(groups / GRAIN).astype(np.int64).tobytes())
    return digest.hexdigest()[:12]
