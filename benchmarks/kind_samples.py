"""Positions of every kind: half of them from games that a model plays against itself, half crossed.

In the games some plays are random ones, as people err too. From each game comes at most one position of a kind, so
that positions are independent of each other. Crossed positions (`bgai_train.crossing`) are made of two of the games'
and go further in what games between equals hardly lead to. Where one source has too few, the other gives more.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from bgai_train.crossing import crossed
from duel import LONGEST, decide
from numpy.typing import NDArray
from players import Player
from position_kinds import KINDS, Bools, Sorted, sorted_by_kind

from bgai.board import START, Board
from bgai.dice import roll
from bgai.plays import legal_plays_batch

RANDOM = 0.05
"""Share of the plays that are random."""
GAMES = 40
"""For each position wanted of a kind; of the rarest kinds every twentieth has one."""
CROSSED = 400
"""The same for crossed positions."""
_CROSSING = 1
_EXPLORING = 2


@dataclass(frozen=True)
class Samples:
    """N positions, the kinds in turn, so that the first ones are of all kinds too."""

    boards: Board
    """int8[N, 26]"""
    sorted: Sorted
    crossed: Bools
    """bool[N]: whether it was made, not met."""
    shares: list[float]
    """How much of the games' positions is of each of `KINDS`."""


@dataclass(frozen=True)
class Met:
    """Positions of games."""

    boards: Board
    """int8[N, 26]"""
    games: NDArray[np.int64]
    """int64[N]: the number of the game."""


def samples(player: Player, count: int, seed: int) -> Samples:
    """`count` positions of each kind, fewer where there are no more."""
    met = played(player, GAMES * count, seed)
    rng = np.random.default_rng((seed, _CROSSING))
    made = crossed(met.boards, CROSSED * count, rng)
    own, other = sorted_by_kind(met.boards), sorted_by_kind(made)
    chosen: list[tuple[int, int]] = []
    for kind in range(len(KINDS)):
        natural = np.flatnonzero(own.kinds == kind)
        natural = rng.permutation(natural)
        natural = natural[np.sort(np.unique(met.games[natural], return_index=True)[1])]
        artificial = rng.permutation(np.flatnonzero(other.kinds == kind))
        few = min(len(artificial), count // 2)
        natural = natural[: count - few]
        artificial = artificial[: count - len(natural)] + len(met.boards)
        chosen += enumerate(rng.permutation(np.concatenate([natural, artificial])).tolist())
    places = np.array([place for _, place in sorted(chosen, key=lambda one: one[0])], dtype=np.int64)
    boards = np.concatenate([met.boards, made])[places]
    shares = (np.bincount(own.kinds, minlength=len(KINDS)) / len(own.kinds)).tolist()
    return Samples(boards, sorted_by_kind(boards), places >= len(met.boards), shares)


def played(player: Player, count: int, seed: int) -> Met:
    """All positions of `count` games before the rolls, but the first and the finished ones."""
    games = np.arange(count)
    boards = np.tile(START, (count, 1))
    rng = np.random.default_rng((seed, _EXPLORING))
    parts: list[Met] = []
    for turn in range(1, LONGEST):
        rolls = roll(seed, games, turn)
        after = decide(boards, rolls, np.ones(len(games), dtype=np.bool_), player, player)
        erring = np.flatnonzero(rng.random(len(games)) < RANDOM)
        if len(erring):
            plays = legal_plays_batch(boards[erring], rolls[erring], with_steps=False)
            after[erring] = plays.successors[rng.integers(plays.offsets[:-1], plays.offsets[1:])]
        going_on = (after < 0).any(axis=1)
        boards, games = after[going_on], games[going_on]
        parts.append(Met(boards, games))
        if not len(games):
            break
    return Met(np.concatenate([part.boards for part in parts]), np.concatenate([part.games for part in parts]))
