"""Kinds of position, and when nobody will turn the cube again."""

from __future__ import annotations

from itertools import combinations_with_replacement

import numpy as np

from bgai.board import START, Board, flip, result
from bgai.dice import ROLLS
from bgai.phase import BEAROFF, CONTACT, RACE, last_rolls, phases
from bgai.plays import legal_plays


def board(own: list[int], other: list[int]) -> Board:
    """Checkers by point, each side in its own numbering."""
    made = np.zeros(26, dtype=np.int8)
    np.add.at(made, own, 1)
    np.subtract.at(made, [25 - point for point in other], 1)
    return made


def test_kinds() -> None:
    boards = np.stack(
        [START, board([7, 3], [2, 1]), board([6, 3], [6, 1]), board([6], [20]), board([24], [3]), board([25], [1])]
    )
    assert phases(boards).tolist() == [CONTACT, RACE, BEAROFF, CONTACT, CONTACT, CONTACT]


def test_the_last_roll_is_where_any_roll_ends_the_game() -> None:
    """Compared with playing all 21 rolls of the opponent, for up to three of its checkers."""
    for count in (1, 2, 3):
        for other in combinations_with_replacement(range(1, 7), count):
            position = board([6, 5], list(other))
            ends = all(any(result(after) for after in legal_plays(flip(position), roll).successors) for roll in ROLLS)
            assert bool(last_rolls(position[None])[0]) == ends, other


def test_with_contact_no_roll_is_the_last() -> None:
    assert not last_rolls(board([24, 3], [1])[None])[0]
