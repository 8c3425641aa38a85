"""Positions to measure speed on: from games of pubeval against itself, every one different.

gnubg-nn keeps what it has evaluated, so a position that comes twice looks many times faster than it is; hence no
position is used for more than one measurement. Pubeval's games resemble real ones, and looking for its plays
leaves nothing in that cache.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from duel import decide
from numpy.typing import NDArray
from peers import Pubeval

from bgai.board import START, Board
from bgai.dice import roll

PLIES = 40
"""Fewer than nearly every game has; so many different positions come from each at least."""


@dataclass(frozen=True)
class Positions:
    """Positions with a roll and a play."""

    boards: Board
    """int8[N, 26]"""
    rolls: NDArray[np.int64]
    """int64[N, 2]"""
    after: Board
    """int8[N, 26]: one successor of each, seen by the opponent."""

    def __len__(self) -> int:
        return len(self.boards)

    def part(self, begin: int, count: int) -> Positions:
        """`count` of them from `begin` on."""
        chosen = slice(begin, begin + count)
        return Positions(self.boards[chosen], self.rolls[chosen], self.after[chosen])


def fresh_positions(count: int, seed: int) -> Positions:
    """`count` different positions in random order."""
    pubeval = Pubeval()
    games = np.arange(count // PLIES + 20)
    boards = np.tile(START, (len(games), 1))
    parts: list[Positions] = []
    turn = 1
    while len(games):
        rolls = roll(seed, games, turn)
        after = decide(boards, rolls, np.ones(len(games), dtype=np.bool_), pubeval, pubeval)
        parts.append(Positions(boards, rolls, after))
        going_on = (after < 0).any(axis=1)
        boards, games = after[going_on], games[going_on]
        turn += 1
    everything = np.concatenate([part.boards for part in parts])
    _, first = np.unique(everything, axis=0, return_index=True)
    order = np.random.default_rng(seed).permutation(first)[:count]
    if len(order) < count:
        raise AssertionError(f"{len(order)} different positions, wanted {count}")
    return Positions(
        everything[order],
        np.concatenate([part.rolls for part in parts])[order],
        np.concatenate([part.after for part in parts])[order],
    )
