"""Dice by address, the compiled twin of `bgai.dice`."""

from __future__ import annotations

import numpy as np

from bgai.dice import GOLDEN, MIX_1, MIX_2
from bgai.kernels.compiler import kernel

_GOLDEN = np.uint64(GOLDEN)
_MIX_1 = np.uint64(MIX_1)
_MIX_2 = np.uint64(MIX_2)
_S30, _S27, _S31, _S32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)
_SIX = np.uint64(6)


@kernel
def mix(key):
    key = (key ^ (key >> _S30)) * _MIX_1
    key = (key ^ (key >> _S27)) * _MIX_2
    return key ^ (key >> _S31)


@kernel
def random_bits(seed, game, turn):
    """64 bits for the address; all three are uint64."""
    return mix(mix(mix(seed + _GOLDEN) + game * _GOLDEN) + turn * _GOLDEN)


@kernel
def roll(seed, game, turn):
    """Two dice, in the order they fell."""
    bits = random_bits(seed, np.uint64(game), np.uint64(turn))
    first = ((bits >> _S32) * _SIX) >> _S32
    second = ((bits & _LOW) * _SIX) >> _S32
    return np.int64(first) + 1, np.int64(second) + 1


@kernel
def opening_roll(seed, game):
    """One die for each seat, never equal."""
    first, second = roll(seed, game, 0)
    turn = np.uint64(0)
    while first == second:
        turn -= np.uint64(1)
        first, second = roll(seed, game, turn)
    return first, second


@kernel
def uniform(bits):
    """A number in [0, 1) from 64 random bits."""
    return np.float64(bits >> np.uint64(11)) * (1.0 / 9007199254740992.0)
