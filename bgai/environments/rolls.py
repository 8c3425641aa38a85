"""The dice of many games at once, each with a seed of its own; the addresses are those of `bgai.dice`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgai.dice import GOLDEN, mix

LOTS = 0xA0761D6478BD642F
"""Parts the lots of `random` from the dice, as in `bgai.level_duel`."""

_GOLDEN = np.uint64(GOLDEN)


def keys(seeds: NDArray[np.uint64], games: NDArray[np.int64]) -> NDArray[np.uint64]:
    """What the addresses of a game's turns have in common, uint64[N], for seeds and games `[N]`."""
    return mix(mix(seeds + _GOLDEN) + games.astype(np.uint64) * _GOLDEN)


def random_bits(of_games: NDArray[np.uint64], turns: NDArray[Any]) -> NDArray[np.uint64]:
    """64 random bits for each address, uint64[N]: `keys` and turns `[N]`."""
    return mix(of_games + turns.astype(np.uint64) * _GOLDEN)


def rolls(of_games: NDArray[np.uint64], turns: NDArray[np.int64]) -> NDArray[np.int64]:
    """Two dice for each address, int64[N, 2], in the order they fell.

    Those of turn 0 are opening rolls, one die for each seat: equal dice are rolled again, as by
    `bgai.dice.opening_roll`.
    """
    dice = _dice(random_bits(of_games, turns))
    attempt = 0
    while len(again := np.flatnonzero((turns == 0) & (dice[:, 0] == dice[:, 1]))):
        attempt += 1
        turn = np.full(len(again), 2**64 - attempt, dtype=np.uint64)
        dice[again] = _dice(random_bits(of_games[again], turn))
    return dice


def _dice(bits: NDArray[np.uint64]) -> NDArray[np.int64]:
    halves = np.stack([bits >> np.uint64(32), bits & np.uint64(0xFFFFFFFF)], axis=-1)
    dice: NDArray[np.int64] = ((halves * np.uint64(6)) >> np.uint64(32)).astype(np.int64) + 1
    return dice
