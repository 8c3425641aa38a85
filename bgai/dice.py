"""Dice that have an address.

A roll is a pure function of (seed, game, turn), so a game is the same on one core or on sixteen, alone or
in a batch, and two players can be given the very same dice. The mixing function is SplitMix64's finaliser
(Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014); `bgai.kernels.random`
holds the compiled twin.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bgai.errors import DiceError

ROLLS: tuple[tuple[int, int], ...] = tuple((high, low) for high in range(1, 7) for low in range(1, high + 1))
"""The 21 different rolls, larger die first."""

ROLL_WEIGHTS = np.array([1 if high == low else 2 for high, low in ROLLS], dtype=np.float32) / np.float32(36)
"""Chance of each of `ROLLS`."""

GOLDEN = 0x9E3779B97F4A7C15
MIX_1 = 0xBF58476D1CE4E5B9
MIX_2 = 0x94D049BB133111EB


def mix(key: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """SplitMix64's finaliser, `uint64[...]` in and out."""
    key = (key ^ (key >> np.uint64(30))) * np.uint64(MIX_1)
    key = (key ^ (key >> np.uint64(27))) * np.uint64(MIX_2)
    mixed: NDArray[np.uint64] = key ^ (key >> np.uint64(31))
    return mixed


def random_bits(seed: int | NDArray[np.uint64], game: ArrayLike, turn: ArrayLike) -> NDArray[np.uint64]:
    """64 random bits that belong to an address; arrays broadcast."""
    golden = np.uint64(GOLDEN)
    games = np.atleast_1d(np.asarray(game, dtype=np.uint64))
    turns = np.atleast_1d(np.asarray(turn, dtype=np.uint64))
    seeds = seed if isinstance(seed, np.ndarray) else np.array([seed % 2**64], dtype=np.uint64)
    start = mix(seeds + golden)
    return mix(mix(start + games * golden) + turns * golden)


def roll(seed: int | NDArray[np.uint64], game: ArrayLike, turn: ArrayLike) -> NDArray[np.int64]:
    """Two dice for each address, `int64[N, 2]`, in the order they fell."""
    bits = random_bits(seed, game, turn)
    first = ((bits >> np.uint64(32)) * np.uint64(6)) >> np.uint64(32)
    second = ((bits & np.uint64(0xFFFFFFFF)) * np.uint64(6)) >> np.uint64(32)
    return np.stack([first, second], axis=-1).astype(np.int64) + 1


def opening_roll(seed: int, game: int) -> tuple[int, int]:
    """One die for each seat; equal dice are rolled again. The seat with the larger die begins.

    Returns `(die of seat 0, die of seat 1)`. Rolls again are taken from turns counting down from the
    largest possible turn number, so that they never meet those of the game itself.
    """
    for attempt in range(2**16):
        turn = 0 if attempt == 0 else 2**64 - attempt
        first, second = roll(seed, game, turn)[0]
        if first != second:
            return int(first), int(second)
    raise AssertionError("65,536 equal opening rolls in a row")


def check_roll(first: int, second: int) -> tuple[int, int]:
    """The roll with its larger die first.

    Raises:
        DiceError: a die that is not 1 to 6.
    """
    for die in (first, second):
        if not 1 <= die <= 6:
            raise DiceError(f"a die shows 1 to 6, found {die}")
    return (first, second) if first >= second else (second, first)
