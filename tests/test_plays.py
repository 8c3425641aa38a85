"""Plays of one position or of many: what comes back, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from bgai.board import START, flip
from bgai.errors import DiceError, InputError, PositionError
from bgai.notation.positionid import parse_position_id
from bgai.plays import legal_plays, legal_plays_batch
from tests.positions import corner_positions, mixed_positions


def test_the_plays_of_one_position() -> None:
    plays = legal_plays(START, (3, 1))
    assert plays.successors.shape == (16, 26)
    assert plays.steps.shape == (16, 4, 2)
    assert plays.successors.dtype == plays.steps.dtype == np.int8
    assert len(plays) == 16
    assert not plays.must_pass


def test_a_forced_play_is_no_pass() -> None:
    plays = legal_plays(parse_position_id("8N4ZAAbg/xMAIA"), (6, 2))
    assert len(plays) == 1
    assert not plays.must_pass


def test_a_batch_holds_the_plays_of_each_position() -> None:
    boards, dice = mixed_positions(450, seed=1)
    batch = legal_plays_batch(boards, dice)
    assert len(batch) == 450
    assert batch.offsets[0] == 0
    assert batch.offsets[-1] == len(batch.successors) == len(batch.steps)
    for number, plays in enumerate(batch):
        single = legal_plays(boards[number], tuple(dice[number].tolist()))
        assert np.array_equal(plays.successors, single.successors)
        assert np.array_equal(plays.steps, single.steps)


def test_a_batch_without_steps_has_the_same_successors() -> None:
    boards, dice = corner_positions(200, seed=3)
    batch, bare = legal_plays_batch(boards, dice), legal_plays_batch(boards, dice, with_steps=False)
    assert np.array_equal(bare.successors, batch.successors)
    assert np.array_equal(bare.offsets, batch.offsets)
    assert bare.steps.shape == (0, 4, 2)


def test_a_batch_counts_from_its_end_too() -> None:
    batch = legal_plays_batch([START, START], [(3, 1), (6, 5)])
    assert len(batch[-1]) == len(batch[1]) == 7
    for number in (2, -3):
        with pytest.raises(IndexError):
            batch[number]


def test_an_empty_batch_has_no_plays() -> None:
    batch = legal_plays_batch(np.empty((0, 26), dtype=np.int8), np.empty((0, 2), dtype=np.int64))
    assert len(batch) == 0
    assert list(batch) == []
    assert batch.successors.shape == (0, 26)


def test_the_boards_given_are_not_changed() -> None:
    boards, dice = corner_positions(50, seed=4)
    before = boards.copy()
    legal_plays_batch(boards, dice)
    assert np.array_equal(boards, before)


def test_boards_may_be_views_of_other_arrays() -> None:
    boards, dice = corner_positions(50, seed=5)
    turned = flip(flip(boards)[::-1])[::-1]
    wide = np.zeros((50, 32), dtype=np.int8)
    wide[:, :26] = boards
    expected = legal_plays_batch(boards, dice).successors
    assert np.array_equal(legal_plays_batch(turned, dice).successors, expected)
    assert np.array_equal(legal_plays_batch(wide[:, :26], dice).successors, expected)


@pytest.mark.parametrize("dice", [(0, 3), (3, 7), (-1, 2)])
def test_dice_that_do_not_exist_are_refused(dice: tuple[int, int]) -> None:
    with pytest.raises(DiceError, match="a die shows 1 to 6"):
        legal_plays(START, dice)
    with pytest.raises(InputError):
        legal_plays_batch([START, START], [(1, 2), dice])


@pytest.mark.parametrize("turned", [False, True], ids=["lost", "won"])
def test_a_finished_game_has_no_plays(turned: bool) -> None:
    over = np.zeros(26, dtype=np.int8)
    over[6] = 15
    with pytest.raises(PositionError, match=r"over in position 1 \(\+2" if turned else r"over in position 1 \(-2"):
        legal_plays_batch([START, flip(over) if turned else over], [(3, 1), (3, 1)])


@pytest.mark.parametrize("boards", [START, [START[:25]], [[START]]], ids=["one board", "25 places", "three axes"])
def test_what_is_no_batch_of_boards_is_refused(boards: object) -> None:
    with pytest.raises(PositionError, match=r"\[N, 26\]"):
        legal_plays_batch(boards, [(3, 1)])  # type: ignore[arg-type]


@pytest.mark.parametrize("dice", [(3, 1), [(3, 1)], [(3, 1, 1), (3, 1, 1)]], ids=["one roll", "too few", "three dice"])
def test_each_board_needs_a_roll(dice: object) -> None:
    with pytest.raises(DiceError, match=r"\[2, 2\]"):
        legal_plays_batch([START, START], dice)  # type: ignore[arg-type]


@pytest.mark.parametrize("value", [1, 16, 200])
def test_more_than_fifteen_checkers_are_refused(value: int) -> None:
    crowded = np.full(26, value)
    crowded[0] = -1
    crowded[25] = 0
    with pytest.raises(PositionError, match=r"the player on roll has \d+ checkers, at most 15"):
        legal_plays_batch(np.stack([START.astype(int), crowded]), [(3, 1), (1, 1)])
