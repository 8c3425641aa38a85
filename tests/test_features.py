"""Encoders: what a network is told about a board."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from bgai.board import Board, borne_off, flip, opponent_borne_off
from bgai.errors import ModelError
from bgai.features import encoder, encoder_names
from tests.positions import corner_positions, game_positions


def points_1(board: Board) -> list[float]:
    """The inputs that the name "points-1" stands for, written out for one board."""
    inputs: list[float] = []

    def bar(count: int) -> None:
        inputs.extend([count >= 1, count >= 2, count >= 3, max(count - 3, 0) / 4])

    bar(-int(board[0]))
    for point in range(1, 25):
        for count in (int(board[point]), -int(board[point])):
            inputs.extend([count == 1, count >= 2, count >= 3, count >= 4, count >= 5, max(count - 5, 0) / 4])
    bar(int(board[25]))
    for off in (int(borne_off(board)), int(opponent_borne_off(board))):
        inputs.extend(off >= number for number in range(1, 16))
    return inputs


@pytest.fixture(scope="module")
def positions() -> Board:
    finished = np.maximum(corner_positions(12, seed=33)[0], 0)
    some = (game_positions(200, seed=31)[0], corner_positions(300, seed=32)[0], finished, flip(finished))
    return np.concatenate(some)


def test_points_1_means_what_it_always_meant(positions: Board) -> None:
    inputs = encoder("points-1").encode(positions)
    assert inputs.dtype == np.float32
    assert inputs.shape == (len(positions), encoder("points-1").inputs)
    assert np.array_equal(inputs, np.array([points_1(board) for board in positions], dtype=np.float32))


@pytest.mark.parametrize("name", encoder_names())
def test_the_first_layer_as_a_table_equals_the_product_with_the_inputs(name: str, positions: Board) -> None:
    features = encoder(name)
    weights = np.random.default_rng(1).normal(size=(7, features.inputs)).astype(np.float32)
    table = features.table(weights).reshape(28, 31, 7)
    counts = np.column_stack([positions, borne_off(positions), opponent_borne_off(positions)]).astype(int)
    summed = table[np.arange(28), counts + 15].sum(axis=1)
    assert_allclose(summed, features.encode(positions) @ weights.T, atol=2e-5)


@pytest.mark.parametrize("name", encoder_names())
def test_an_empty_slot_adds_nothing(name: str) -> None:
    features = encoder(name)
    table = features.table(np.ones((3, features.inputs), dtype=np.float32)).reshape(28, 31, 3)
    assert not table[:, 15].any()


@pytest.mark.parametrize("name", encoder_names())
def test_different_boards_have_different_inputs(name: str, positions: Board) -> None:
    different = np.unique(positions, axis=0)
    assert len(np.unique(encoder(name).encode(different), axis=0)) == len(different)


def test_the_slots_lie_side_by_side() -> None:
    features = encoder("points-1")
    assert features.starts[0] == 0
    assert np.diff(features.starts).tolist() == [4, *[12] * 24, 4, 15, 15]


def test_views_of_other_arrays_are_encoded_alike(positions: Board) -> None:
    turned = flip(flip(positions)[::-1])[::-1]
    assert np.array_equal(encoder("points-1").encode(turned), encoder("points-1").encode(positions))


def test_an_unknown_encoder_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ModelError, match=r"unknown encoder 'points-0', expected one of .*points-1"):
        encoder("points-0")
