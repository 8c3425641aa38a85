"""Duels of players that look ahead, err or have little time: the same games as in `bgai.duel`, asked from Python.

Many games go on side by side, so that a player is asked about all of its turns together.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from bgai.analyst import Analyst
from bgai.board import START, Board, result
from bgai.catalogue import open_model
from bgai.dice import opening_roll, random_bits, roll
from bgai.duel import LONGEST, DuelResult, collect
from bgai.errors import ConfigError
from bgai.kernels.baselines import heuristic_scores
from bgai.levels import PlayerName, read_player
from bgai.model import Model
from bgai.plays import PlaysBatch, legal_plays_batch
from bgai.position import Position
from bgai.workers import LocalWorkers, Workers

TOGETHER = 32
"""Pairs of games that go on side by side."""

Indices = NDArray[np.int64]

LOTS = 0xA0761D6478BD642F
"""Parts the lots of `random` from the dice, as in `bgai.kernels.duel`."""


class SideBySide(Protocol):
    """Whoever can play in `play_level_duel`: it is asked about the turns of many games together."""

    @property
    def name(self) -> str:
        """As results call it."""
        ...

    @property
    def together(self) -> int:
        """Pairs that are played side by side."""
        ...

    def choose(self, positions: list[Position], plays: PlaysBatch, lots: NDArray[np.uint64]) -> Indices:
        """The play of each position, int64[N], as numbers of `plays`; lots uint64[N] are for those who draw some."""
        ...


@dataclass(frozen=True)
class LevelDuellist:
    """A player by name. Made by `level_duellist(name)`."""

    name: str
    player: PlayerName
    analyst: Analyst | None
    """None for `random` and `heuristic`."""

    @property
    def together(self) -> int:
        """Pairs that are played side by side."""
        if self.analyst is None:
            return TOGETHER
        settings = self.analyst.settings
        slow = self.player.level.rolled or settings.seconds is not None
        return 1 if slow else max(TOGETHER >> 2 * settings.plies, 1)

    def choose(self, positions: list[Position], plays: PlaysBatch, lots: NDArray[np.uint64]) -> Indices:
        """The play of each position, int64[N], as numbers of `plays`; lots uint64[N] are for those who draw some."""
        counts, first = np.diff(plays.offsets), plays.offsets[:-1]
        if self.analyst is None and self.player.model == "random":
            return first + (lots % counts.astype(np.uint64)).astype(np.int64)
        if self.analyst is None:
            scores = heuristic_scores(plays.successors)
            return np.array([begin + int(np.argmax(scores[begin:end])) for begin, end in _parts(plays.offsets)])
        if self.analyst.settings.seconds is None:
            return self.analyst.rank_plays(positions, plays).order[first]
        # Each question has its time to itself.
        chosen = [
            self.analyst.rank_plays([position], PlaysBatch(own.successors, own.steps, np.array([0, len(own)]))).order[0]
            for position, own in zip(positions, plays, strict=True)
        ]
        return first + np.array(chosen, dtype=np.int64)


def level_duellist(name: str, *, threads: int | None = None) -> LevelDuellist:
    """The player of a name, see `bgai.levels`; `threads` for looking ahead, 1 if not given.

    Raises:
        InputError: no such player.
    """
    return named_duellist(read_player(name), threads=threads)


def named_duellist(player: PlayerName, *, threads: int | None = None) -> LevelDuellist:
    """The same for a name that was read."""
    analyst = None if player.baseline else player.analyst(cubeful=False, threads=threads)
    return LevelDuellist(player.shown, player, analyst)


def play_level_duel(
    first: SideBySide,
    second: SideBySide,
    games: int,
    seed: int,
    *,
    workers: Workers | None = None,
    progress: Callable[[DuelResult], None] | None = None,
) -> DuelResult:
    """Cubeless money games with the dice and the pairs of `bgai.duel.play_duel`.

    Two equal players score exactly 0, unless their time is limited.

    Args:
        games: an even number of games, at least 2.
        workers: who play, each with one thread; by default this process, as the players are.
        progress: called with some finished pairs, in order.

    Raises:
        ConfigError: an odd or too small number of games, or a player who cannot be sent to workers.
    """
    if games < 2 or games % 2:
        raise ConfigError(f"a duel plays pairs of games, so their number is even and at least 2, found {games}")
    step = min(first.together, second.together)
    chunks = [range(begin, min(begin + step, games // 2)) for begin in range(0, games // 2, step)]
    if workers is None:
        played = LocalWorkers(1).map(_playing_as_they_are, (first, second, seed), chunks)
    else:
        played = workers.map(playing, LevelPairing(_described(first), _described(second), seed), chunks)
    return collect(played, progress)


@dataclass(frozen=True)
class Described:
    """A player from whom another process makes the same."""

    name: str
    player: PlayerName
    model: Model | None
    """None for `random` and `heuristic`."""

    @property
    def duellist(self) -> LevelDuellist:
        analyst = None if self.model is None else self.player.level.analyst(self.model, cubeful=False, threads=1)
        return LevelDuellist(self.name, self.player, analyst)


@dataclass(frozen=True)
class LevelPairing:
    """Who plays whom, with which dice."""

    first: Described
    second: Described
    seed: int


def playing(pairing: LevelPairing) -> Callable[[range], DuelResult]:
    """The task: plays the pairs with these numbers, see `play_pairs`."""
    return _playing_as_they_are((pairing.first.duellist, pairing.second.duellist, pairing.seed))


def _playing_as_they_are(who: tuple[SideBySide, SideBySide, int]) -> Callable[[range], DuelResult]:
    first, second, seed = who
    return lambda pairs: DuelResult(*play_pairs(first, second, seed, pairs.start, len(pairs)))


def _described(player: SideBySide) -> Described:
    if not isinstance(player, LevelDuellist):
        raise ConfigError(f"{player.name} plays on this machine alone, expected players of bgai for a cluster")
    model = None if player.analyst is None else open_model(player.player.model)
    return Described(player.name, player.player, model)


def play_pairs(
    first: SideBySide, second: SideBySide, seed: int, begin: int, count: int
) -> tuple[NDArray[np.int64], int]:
    """The pairs from `begin` on, all games side by side: points of the first player, int64[count, 2], and how many
    games were given up."""
    pairs = np.repeat(np.arange(begin, begin + count), 2)
    openings = np.array([opening_roll(seed, int(pair)) for pair in pairs])
    boards = np.tile(START, (2 * count, 1))
    # In the second game of a pair the first player has the other seat.
    firsts = (openings[:, 0] > openings[:, 1]) == (np.arange(2 * count) % 2 == 0)
    points = np.zeros(2 * count, dtype=np.int64)
    going_on = np.arange(2 * count)
    for turn in range(LONGEST):
        rolls = roll(seed, pairs[going_on], turn) if turn else openings
        lots = random_bits(seed ^ LOTS, pairs[going_on], turn)
        boards[going_on] = _turn((first, second), firsts[going_on], boards[going_on], rolls, lots)
        over = ~(boards[going_on] < 0).any(axis=1)
        for game in going_on[over]:
            lost = -result(boards[game])
            points[game] = lost if firsts[game] else -lost
        going_on = going_on[~over]
        if not len(going_on):
            break
        firsts[going_on] = ~firsts[going_on]
    return points.reshape(count, 2), len(going_on)


def _turn(
    players: tuple[SideBySide, SideBySide],
    firsts: NDArray[np.bool_],
    boards: Board,
    rolls: Indices,
    lots: NDArray[np.uint64],
) -> Board:
    """One turn of some games, of the first player in those of `firsts`: the boards after it."""
    plays = legal_plays_batch(boards, rolls)
    after = plays.successors[plays.offsets[:-1]].copy()
    free = np.diff(plays.offsets) > 1
    for player, turns in zip(players, (firsts, ~firsts), strict=True):
        asked = np.flatnonzero(free & turns)
        if len(asked):
            positions = [Position(boards[game], dice=(max(rolls[game]), min(rolls[game]))) for game in asked]
            own = _some(plays, asked)
            after[asked] = own.successors[player.choose(positions, own, lots[asked])]
    return after


def _some(plays: PlaysBatch, chosen: Indices) -> PlaysBatch:
    """The plays of some of the rolls."""
    rows = np.concatenate([np.arange(plays.offsets[number], plays.offsets[number + 1]) for number in chosen])
    offsets = np.concatenate([[0], np.cumsum(np.diff(plays.offsets)[chosen])])
    return PlaysBatch(plays.successors[rows], plays.steps[rows], offsets)


def _parts(offsets: Indices) -> zip[tuple[int, int]]:
    return zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True)
