"""Duels: how many points a game one player is stronger than another."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from bgai.bearoff import bearoffs, network_alone
from bgai.board import START
from bgai.catalogue import open_model
from bgai.errors import ConfigError
from bgai.kernels.duel import HEURISTIC, NET, RANDOM, play_pairs
from bgai.kernels.forward import PADDED_OUTPUTS, Net
from bgai.kernels.static import Static
from bgai.kernels.vector import BLOCK
from bgai.workers import LocalWorkers, Work, Workers

LONGEST = 5000
"""Plies after which a game counts as drawn; only random players come near it."""
CHUNK = 64
"""Pairs that one worker plays between two looks at the progress."""
NORMAL_95 = 1.959964
"""Half-width of a 95 % interval in standard errors."""

_KINDS = {"random": RANDOM, "heuristic": HEURISTIC}


@dataclass(frozen=True)
class Duellist:
    """A player that lives inside the kernels. Made by `duellist(name)`."""

    name: str
    kind: int
    static: Static
    """By which a network plays."""


@dataclass(frozen=True)
class DuelResult:
    """The result, seen by the first player."""

    points: NDArray[np.int64]
    """int64[P, 2]: points won (> 0) or lost in the two games of each pair."""
    given_up: int
    """Games that were longer than `LONGEST` plies and count 0."""

    @property
    def games(self) -> int:
        return int(self.points.size)

    @property
    def mean(self) -> float:
        """Points a game."""
        return float(self.points.mean())

    @property
    def half_width(self) -> float:
        """Half of the 95 % interval of `mean`, from the spread of the pairs' means."""
        pairs = self.points.mean(axis=1)
        return NORMAL_95 * float(pairs.std(ddof=1)) / sqrt(len(pairs)) if len(pairs) > 1 else float("inf")

    @property
    def wins(self) -> float:
        """Share of games won."""
        return float((self.points > 0).mean())

    def share(self, points: int) -> float:
        """Share of games that ended with so many points for the first player (-3 to 3)."""
        return float((self.points == points).mean())


@dataclass(frozen=True)
class Pairing:
    """Who plays whom, with which dice."""

    first: Duellist
    second: Duellist
    seed: int


def playing(pairing: Pairing) -> Callable[[range], tuple[NDArray[np.int64], int]]:
    """The task: plays the pairs with these numbers; points int64[p, 2], and how many games were given up."""
    players = pairing.first.kind, pairing.first.static, pairing.second.kind, pairing.second.static
    seed = np.uint64(pairing.seed % 2**64)

    def play(pairs: range) -> tuple[NDArray[np.int64], int]:
        points = np.zeros((len(pairs), 2), dtype=np.int64)
        return points, int(play_pairs(*players, START, seed, pairs.start, LONGEST, points))

    return play


def duellist(name: str | None) -> Duellist:
    """A kept model by name, `random` or `heuristic`.

    Raises:
        ModelError: no such model.
    """
    if name in _KINDS:
        return Duellist(name, _KINDS[name], _NOTHING)
    model = open_model(name)
    return net_duellist(model.name, model.net())


def net_duellist(name: str, net: Net) -> Duellist:
    """A network that is in memory, with the bear-off tables."""
    return Duellist(name, NET, Static(net, net, 0, bearoffs()))


def play_duel(
    first: Duellist,
    second: Duellist,
    games: int,
    seed: int,
    *,
    threads: int | None = None,
    workers: Workers | None = None,
    progress: Callable[[NDArray[np.int64]], None] | None = None,
) -> DuelResult:
    """Cubeless money games at 0-ply: every pair of games has the same dice with the seats swapped.

    Two equal players score exactly 0, and the result does not depend on who plays.

    Args:
        games: an even number of games, at least 2.
        threads: default one for each core.
        workers: who play instead of threads.
        progress: called with the points of each finished chunk, `int64[p, 2]`.

    Raises:
        ConfigError: an odd or too small number of games.
    """
    if games < 2 or games % 2:
        raise ConfigError(f"a duel plays pairs of games, so their number is even and at least 2, found {games}")
    chunks = [range(begin, min(begin + CHUNK, games // 2)) for begin in range(0, games // 2, CHUNK)]
    return collect(
        (workers or LocalWorkers(threads or os.cpu_count() or 1)).map(playing, Pairing(first, second, seed), chunks),
        progress,
    )


def collect(
    played: Work[tuple[NDArray[np.int64], int]], progress: Callable[[NDArray[np.int64]], None] | None
) -> DuelResult:
    """The result of parts of a duel, each the points int64[p, 2] and how many games were given up."""
    parts, given_up = [], 0
    with played:
        for points, unfinished in played:
            parts.append(points)
            given_up += unfinished
            if progress is not None:
                progress(points)
    return DuelResult(np.concatenate(parts), given_up)


def _nothing() -> Static:
    net = Net(
        np.zeros((1, BLOCK), dtype=np.int16),
        np.zeros(BLOCK, dtype=np.int16),
        np.zeros((BLOCK + 1) * PADDED_OUTPUTS, dtype=np.float32),
        np.array([BLOCK, PADDED_OUTPUTS], dtype=np.int64),
    )
    return network_alone(net)


_NOTHING = _nothing()
"""For players that ask no network; in the form of one that was quantised, so that nothing is compiled for it."""
