"""The dice of many games at once, opening rolls among them; the addresses are those of `bgai.dice`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bgai.dice import roll


def rolls(seeds: NDArray[np.uint64], games: NDArray[np.int64], turns: NDArray[np.int64]) -> NDArray[np.int64]:
    """Two dice for each address, int64[N, 2], in the order they fell; seeds, games and turns are `[N]`.

    Those of turn 0 are opening rolls, one die for each seat: equal dice are rolled again, as by
    `bgai.dice.opening_roll`.
    """
    dice = roll(seeds, games, turns)
    attempt = 0
    while len(again := np.flatnonzero((turns == 0) & (dice[:, 0] == dice[:, 1]))):
        attempt += 1
        dice[again] = roll(seeds[again], games[again], 2**64 - attempt)
    return dice
