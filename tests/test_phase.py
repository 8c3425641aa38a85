"""Kinds of position, and when nobody will turn the cube again."""

from __future__ import annotations

from itertools import combinations_with_replacement

import numpy as np
import pytest

from bgai.board import BAR, HOME, START, Board, flip, has_contact, result
from bgai.dice import ROLLS
from bgai.kernels.movegen import ROW, fill_slots
from bgai.kernels.phase import BEAROFF, CONTACT, RACE, cube_efficiency
from bgai.phase import PHASES, cube_efficiencies, last_rolls, phases
from bgai.plays import legal_plays
from tests.positions import mixed_positions


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


def test_names_of_the_kinds() -> None:
    assert (PHASES[CONTACT], PHASES[RACE], PHASES[BEAROFF]) == ("contact", "race", "bearoff")


def test_kinds_of_many_positions() -> None:
    played, _ = mixed_positions(400, seed=21)
    place = np.arange(BAR + 1)
    at_home = np.where(place <= HOME, np.maximum(played, 0), np.where(place >= BAR - HOME, np.minimum(played, 0), 0))
    boards = np.concatenate([played, at_home.astype(np.int8)])
    found = phases(boards)
    assert set(found) == {CONTACT, RACE, BEAROFF}
    for position, kind in zip(boards, found, strict=True):
        home = not (position[HOME + 1 :] > 0).any() and not (position[: BAR - HOME] < 0).any()
        assert kind == (CONTACT if has_contact(position) else BEAROFF if home else RACE)


def test_how_live_the_cube_is_by_kind_and_at_last_rolls() -> None:
    by_phase = np.array([0.7, 0.6, 0.5])
    boards = np.stack([START, board([7, 3], [2, 2]), board([6, 3], [6, 1]), board([6, 3], [1, 1]), board([7], [3])])
    assert cube_efficiencies(boards, by_phase).tolist() == [0.7, 0.6, 0.5, 0.0, 0.0]
    assert cube_efficiencies(boards[::2], by_phase).tolist() == [0.7, 0.5, 0.0]


@pytest.mark.small
def test_slots_do_as_well_as_a_board() -> None:
    by_phase = np.array([0.7, 0.6, 0.5])
    slots = np.zeros(ROW, dtype=np.int8)
    for own, other, expected in (([24, 3], [3, 2], 0.7), ([9], [8, 7], 0.6), ([6], [4], 0.5), ([6], [1], 0.0)):
        position = board(own, other)
        fill_slots(position, slots)
        assert cube_efficiency(slots, by_phase) == cube_efficiency(position, by_phase) == expected
