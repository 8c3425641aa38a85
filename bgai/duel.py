"""Duels: how many points a game one player is stronger than another.

A judge may take the luck of the dice out of every game (`bgai.luck`), which leaves the mean as it is and makes its
interval several times smaller.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import NamedTuple

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
from bgai.luck import LuckJudge
from bgai.outcomes import POINTS
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


class Mean(NamedTuple):
    """The mean of some games, from the means of their pairs."""

    points: float
    """Points a game."""
    half_width: float
    """Half of the 95 % interval, from the spread of the pairs' means; infinite for a single pair."""


@dataclass(frozen=True)
class DuelResult:
    """The result, seen by the first player."""

    points: NDArray[np.int64]
    """int64[P, 2]: points won (> 0) or lost in the two games of each pair."""
    given_up: int
    """Games that were longer than `LONGEST` plies and count 0."""
    luck: NDArray[np.float64] | None = None
    """float64[P, 2]: the points that the dice brought, as a judge saw it; None if there was none."""

    @property
    def games(self) -> int:
        return int(self.points.size)

    @property
    def mean(self) -> float:
        """Points a game, as they were played."""
        return _mean(self.points).points

    @property
    def half_width(self) -> float:
        """Half of the 95 % interval of `mean`, from the spread of the pairs' means."""
        return _mean(self.points).half_width

    @property
    def luck_out(self) -> Mean | None:
        """Points a game with the luck taken out, which are expected to be as many; None if nobody judged the luck."""
        return None if self.luck is None else _mean(self.points - self.luck)

    @property
    def wins(self) -> float:
        """Share of games won."""
        return float((self.points > 0).mean())

    def share(self, points: int) -> float:
        """Share of games that ended with so many points for the first player (-3 to 3)."""
        return float((self.points == points).mean())


def _mean(games: NDArray[np.int64] | NDArray[np.float64]) -> Mean:
    """Of pairs of games, [P, 2]."""
    pairs = games.mean(axis=1)
    half_width = NORMAL_95 * float(pairs.std(ddof=1)) / sqrt(len(pairs)) if len(pairs) > 1 else float("inf")
    return Mean(float(pairs.mean()), half_width)


@dataclass(frozen=True)
class Pairing:
    """Who plays whom, with which dice."""

    first: Duellist
    second: Duellist
    seed: int
    judge: LuckJudge | None = None
    """Who says how lucky the rolls were."""


def playing(pairing: Pairing) -> Callable[[range], DuelResult]:
    """The task: plays the pairs with these numbers."""
    players = pairing.first.kind, pairing.first.static, pairing.second.kind, pairing.second.static
    judge = pairing.judge
    judging = _NOTHING if judge is None else judge.static
    seed = np.uint64(pairing.seed % 2**64)

    def play(pairs: range) -> DuelResult:
        points = np.zeros((len(pairs), 2), dtype=np.int64)
        luck = np.zeros((0 if judge is None else len(pairs), 2), dtype=np.float64)
        given_up = play_pairs(*players, judging, POINTS, START, seed, pairs.start, LONGEST, points, luck)
        return DuelResult(points, int(given_up), None if judge is None else luck)

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
    judge: LuckJudge | None = None,
    threads: int | None = None,
    workers: Workers | None = None,
    progress: Callable[[DuelResult], None] | None = None,
) -> DuelResult:
    """Cubeless money games at 0-ply: every pair of games has the same dice with the seats swapped.

    Two equal players score exactly 0, and the result does not depend on who plays.

    Args:
        games: an even number of games, at least 2.
        judge: says how lucky each roll was, for `DuelResult.luck_out`. Any network will do that is fixed before the
            dice are thrown; a good one leaves the smallest interval. The opening roll counts as no luck, since both
            players have it once.
        threads: default one for each core.
        workers: who play instead of threads.
        progress: called with the games of each finished chunk.

    Raises:
        ConfigError: an odd or too small number of games.
    """
    if games < 2 or games % 2:
        raise ConfigError(f"a duel plays pairs of games, so their number is even and at least 2, found {games}")
    chunks = [range(begin, min(begin + CHUNK, games // 2)) for begin in range(0, games // 2, CHUNK)]
    return collect(
        (workers or LocalWorkers(threads or os.cpu_count() or 1)).map(
            playing, Pairing(first, second, seed, judge), chunks
        ),
        progress,
    )


def collect(played: Work[DuelResult], progress: Callable[[DuelResult], None] | None) -> DuelResult:
    """The result of a duel whose parts come in one after the other; `progress` is told each."""
    parts = []
    with played:
        for part in played:
            parts.append(part)
            if progress is not None:
                progress(part)
    return joined(parts)


def joined(parts: Sequence[DuelResult]) -> DuelResult:
    """The games of all parts, at least one, in their order. Either all were judged or none."""
    luck = [part.luck for part in parts if part.luck is not None]
    return DuelResult(
        np.concatenate([part.points for part in parts]),
        sum(part.given_up for part in parts),
        np.concatenate(luck) if luck else None,
    )


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
