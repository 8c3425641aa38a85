"""Games against itself, and what there is to learn from them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bgai.bearoff import network_alone
from bgai.board import START, Board
from bgai.kernels.backup import expected_outcomes
from bgai.kernels.forward import Net
from bgai.kernels.selfplay import play_games
from bgai.outcomes import COUNT, Outcomes

from .config import SelfplayConfig, at_games

CHUNK = 64
"""Games that one thread plays in one call."""


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


def play(net: Net, config: SelfplayConfig, seed: int, first_game: int, games: int) -> Experience:
    """Plays games number `first_game` and following; their dice depend on seed and number alone."""
    trace = np.float32(at_games(config.trace, first_game))
    explore = at_games(config.explore, first_game)
    static = network_alone(net)

    def chunk(begin: int) -> list[tuple[Board, Outcomes, NDArray[np.int64]]]:
        parts = []
        end = min(begin + CHUNK, first_game + games)
        while begin < end:
            room = (end - begin) * 120 + config.longest
            boards = np.empty((room, 26), dtype=np.int8)
            targets = np.empty((room, COUNT), dtype=np.float32)
            record = np.zeros((end - begin, 2), dtype=np.int64)
            played, written = play_games(
                static,
                START,
                np.uint64(seed),
                begin,
                end - begin,
                trace,
                explore,
                config.explore_plies,
                config.longest,
                boards,
                targets,
                record,
            )
            begin += played
            boards, targets = boards[:written], targets[:written]
            if config.share < 1:
                drawn = np.random.default_rng([seed, begin]).random(written) < config.share
                boards, targets = boards[drawn], targets[drawn]
            if config.backup == "expected":
                expected_outcomes(static, boards, targets)
            parts.append((boards, targets, record[:played]))
        return parts

    begins = range(first_game, first_game + games, CHUNK)
    if config.threads == 1:
        chunks = [chunk(begin) for begin in begins]
    else:
        with ThreadPoolExecutor(config.threads) as pool:
            chunks = list(pool.map(chunk, begins))
    parts = [part for parts in chunks for part in parts]
    record = np.concatenate([record for _, _, record in parts])
    return Experience(
        boards=np.concatenate([boards for boards, _, _ in parts]),
        targets=np.concatenate([targets for _, targets, _ in parts]),
        lengths=record[:, 0],
        points=np.abs(record[:, 1]),
    )
