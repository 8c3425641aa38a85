"""Legal plays according to GNU Backgammon, by way of the package gnubg_nn.

Plays are compared as position keys: ten bytes for a board, of which a position ID is the base-64 text. They
show the board after the play as the player who made it sees it.
"""

from __future__ import annotations

import hashlib

import numpy as np
from numpy.typing import NDArray

from bgai.board import Board, flip
from bgai.plays import legal_plays_batch
from tests.positions import Dice

KEY_BYTES = 10

Counts = NDArray[np.int64]
"""int64[N]: how many plays each roll has, 0 where the turn passes."""
Keys = NDArray[np.uint8]
"""uint8[M, 10]: the positions after the plays, roll after roll, in ascending order within each."""


def position_keys(boards: Board) -> Keys:
    """Keys of boards `[M, 26]`: for the opponent, then the player on roll, a one for each checker on a place and a
    zero behind it."""
    opponent = np.maximum(-boards[:, 24::-1], 0)
    counts = np.concatenate([opponent, np.maximum(boards[:, 1:], 0)], axis=1)
    ends = np.cumsum(counts + 1, axis=1, dtype=np.int64)
    bits = np.arange(8 * KEY_BYTES) < ends[:, -1:]
    np.put_along_axis(bits, ends - 1, False, axis=1)
    return np.packbits(bits, axis=1, bitorder="little")


def our_plays(boards: Board, dice: Dice) -> tuple[Counts, Keys]:
    """The plays that bgai finds."""
    plays = legal_plays_batch(boards, dice, with_steps=False)
    counts = np.diff(plays.offsets)
    after = flip(plays.successors)
    unmoved = (after == np.repeat(boards, counts, axis=0)).all(axis=1)
    counts = counts - np.add.reduceat(unmoved, plays.offsets[:-1])
    return counts, _ascending(counts, position_keys(after[~unmoved]))


def gnubg_plays(boards: Board, dice: Dice) -> tuple[Counts, Keys]:
    """The plays that GNU Backgammon finds."""
    import gnubg_nn  # type: ignore[import-untyped]

    opponents = np.maximum(-boards[:, 24::-1], 0).tolist()
    movers = np.maximum(boards[:, 1:], 0).tolist()
    found = [
        gnubg_nn.moves([opponent, mover], first, second)
        for opponent, mover, (first, second) in zip(opponents, movers, dice.tolist(), strict=True)
    ]
    counts = np.array([len(keys) for keys in found], dtype=np.int64)
    text = "".join(key for keys in found for key in keys).encode()
    halves = np.frombuffer(text, dtype=np.uint8).reshape(-1, 2 * KEY_BYTES) - np.uint8(ord("A"))
    return counts, _ascending(counts, (halves[:, ::2] << 4 | halves[:, 1::2]).astype(np.uint8))


def digests(counts: Counts, keys: Keys) -> NDArray[np.uint64]:
    """One number for the plays of each roll."""
    ends = np.cumsum(counts)
    parts = [keys[end - count : end].tobytes() for count, end in zip(counts, ends, strict=True)]
    return np.array(
        [int.from_bytes(hashlib.blake2b(part, digest_size=8).digest(), "little") for part in parts], dtype=np.uint64
    )


def _ascending(counts: Counts, keys: Keys) -> Keys:
    wide = np.zeros((len(keys), 16), dtype=np.uint8)
    wide[:, 6:] = keys
    words = wide.view(">u8")
    roll = np.repeat(np.arange(len(counts)), counts)
    return keys[np.lexsort((words[:, 1], words[:, 0], roll))]
