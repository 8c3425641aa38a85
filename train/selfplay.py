"""Games against itself, and what there is to learn from them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bgai.bearoff import network_alone
from bgai.board import START, Board
from bgai.kernels.backup import expected_outcomes
from bgai.kernels.forward import Net
from bgai.kernels.selfplay import play_games
from bgai.kernels.static import Static
from bgai.outcomes import COUNT, Outcomes
from bgai.workers import LocalWorkers, Work, Workers

from .config import SelfplayConfig, at_games

CHUNK = 64
"""Games that one worker plays in one call."""


Part = tuple[Board, Outcomes, NDArray[np.int64]]
"""Positions, targets, and plies learnt from with the points of each game."""


@dataclass(frozen=True)
class Experience:
    """What some games have taught. `N` positions of `G` games."""

    boards: Board
    """int8[N, 26]: positions before the roll."""
    targets: Outcomes
    """float32[N, 5]: what they should have been worth to the player on roll."""
    lengths: NDArray[np.int64]
    """int64[G]: plies learnt from in each game."""
    points: NDArray[np.int64]
    """int64[G]: 1 single, 2 gammon, 3 backgammon, 0 given up."""


def compile_first(net: Net, config: SelfplayConfig) -> None:
    """Plays a game for nothing, so that a first compilation is told before a progress bar stands."""
    play(net, config, 0, 0, 1)


def play(
    net: Net, config: SelfplayConfig, seed: int, first_game: int, games: int, workers: Workers | None = None
) -> Experience:
    """Plays games number `first_game` and following; their dice depend on seed and number alone.

    `workers` play, by default the threads of the recipe.
    """
    return Playing(net, config, seed, first_game, games, workers or LocalWorkers(config.threads)).experience()


class Playing:
    """Games that are being played."""

    def __init__(
        self,
        net: Net,
        config: SelfplayConfig,
        seed: int,
        first_game: int,
        games: int,
        workers: Workers,
        *,
        ahead: bool = False,
    ) -> None:
        """See `play`; with `ahead` they are played while something else is done."""
        end = first_game + games
        chunks = [range(begin, min(begin + CHUNK, end)) for begin in range(first_game, end, CHUNK)]
        trace, explore = at_games(config.trace, first_game), at_games(config.explore, first_game)
        player = Player(network_alone(net), config, seed, trace, explore)
        self._work: Work[list[Part]] = workers.map(playing, player, chunks, ahead=ahead)

    def experience(self) -> Experience:
        """What they have taught, once all are played."""
        with self._work as chunks:
            parts = [part for chunk in chunks for part in chunk]
        record = np.concatenate([record for _, _, record in parts])
        return Experience(
            boards=np.concatenate([boards for boards, _, _ in parts]),
            targets=np.concatenate([targets for _, targets, _ in parts]),
            lengths=record[:, 0],
            points=np.abs(record[:, 1]),
        )

    def close(self) -> None:
        """Calls off those that are not finished."""
        self._work.close()


@dataclass(frozen=True)
class Player:
    """Who plays both sides, and how."""

    static: Static
    config: SelfplayConfig
    seed: int
    """Of the dice."""
    trace: float
    explore: float

    def play(self, begin: int, end: int) -> list[Part]:
        """The games from number `begin` to before `end`."""
        config = self.config
        parts: list[Part] = []
        while begin < end:
            room = (end - begin) * 120 + config.longest
            boards = np.empty((room, 26), dtype=np.int8)
            targets = np.empty((room, COUNT), dtype=np.float32)
            record = np.zeros((end - begin, 2), dtype=np.int64)
            played, written = play_games(
                self.static,
                START,
                np.uint64(self.seed),
                begin,
                end - begin,
                np.float32(self.trace),
                self.explore,
                config.explore_plies,
                config.longest,
                boards,
                targets,
                record,
            )
            begin += played
            boards, targets = boards[:written], targets[:written]
            if config.share < 1:
                drawn = np.random.default_rng([self.seed, begin]).random(written) < config.share
                boards, targets = boards[drawn], targets[drawn]
            if config.backup == "expected":
                expected_outcomes(self.static, boards, targets)
            parts.append((boards, targets, record[:played]))
        return parts


def playing(player: Player) -> Callable[[range], list[Part]]:
    """The task: plays the games with these numbers."""
    return lambda games: player.play(games.start, games.stop)
