"""One conformance test for every evaluator."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.testing import assert_allclose

from bgai.bearoff import held_by_tables, one_sided, two_sided
from bgai.board import START, Board, borne_off, flip, opponent_borne_off, result
from bgai.evaluator import Evaluator, KernelEvaluator, TorchEvaluator
from bgai.model import Manifest, Model
from bgai.outcomes import check_outcomes, invert, of_result
from tests.networks import plain_outcomes, random_weights
from tests.positions import mixed_positions

pytest.importorskip("torch")

LAYERS = [20, 8]
WEIGHTS = random_weights(LAYERS, seed=21, scale=2)
MODEL = Model(Manifest("conforming", "points-1", LAYERS), WEIGHTS)
EVALUATORS: dict[str, Callable[[Model], Evaluator]] = {
    "kernel": lambda model: KernelEvaluator(model, exact=True),
    "torch": TorchEvaluator,
}


@pytest.fixture(params=list(EVALUATORS))
def evaluator(request: pytest.FixtureRequest) -> Evaluator:
    return EVALUATORS[request.param](MODEL)


@pytest.fixture(scope="module")
def positions() -> Board:
    """A thousand from all phases."""
    return mixed_positions(1000, seed=22)[0]


def finished_games() -> Board:
    """Lost in all three ways, and won."""
    single, gammon, backgammon = (np.zeros(26, dtype=np.int8) for _ in range(3))
    single[6], gammon[6], backgammon[[6, 25]] = 14, 15, (14, 1)
    lost = np.stack([single, gammon, backgammon])
    return np.concatenate([lost, flip(lost)])


def test_it_says_what_the_plain_computation_says(evaluator: Evaluator, positions: Board) -> None:
    found = evaluator.evaluate(positions)
    assert found.shape == (1000, 5)
    assert found.dtype == np.float32
    plain = plain_outcomes(WEIGHTS, positions)
    # A position that a bear-off table holds is not the network's to judge.
    plain[held_by_tables(positions)] = found[held_by_tables(positions)]
    assert_allclose(found, plain, atol=1e-5)


def test_outcomes_are_possible(evaluator: Evaluator, positions: Board) -> None:
    found = evaluator.evaluate(positions)
    check_outcomes(positions, found)
    # Impossible chances are exactly 0, possible ones are not simply killed.
    off, opponent_off = borne_off(positions) > 0, opponent_borne_off(positions) > 0
    assert not found[off, 3:].any()
    assert not found[opponent_off, 1:3].any()
    assert (found[~off, 3] > 0).any()
    assert (found[~opponent_off, 1] > 0).any()


def test_a_value_does_not_depend_on_the_boards_beside_it(evaluator: Evaluator, positions: Board) -> None:
    together = evaluator.evaluate(positions)
    order = np.random.default_rng(1).permutation(len(positions))
    assert_allclose(evaluator.evaluate(positions[order]), together[order], atol=1e-6)
    for number in range(0, 1000, 97):
        assert_allclose(evaluator.evaluate(positions[number][None])[0], together[number], atol=1e-6)


def test_bear_offs_are_those_of_the_tables(evaluator: Evaluator) -> None:
    few, many = np.zeros((2, 26), dtype=np.int8)
    few[[6, 20]] = 3, -2
    many[[6, 5, 24]] = 8, 4, -12
    found = evaluator.evaluate(np.stack([START, few, many]))
    assert np.array_equal(found[1:2], two_sided(6).outcomes(few[None]))
    assert np.array_equal(found[2:], one_sided().outcomes(many[None]))


def test_the_same_question_has_the_same_answer(evaluator: Evaluator, positions: Board) -> None:
    assert np.array_equal(evaluator.evaluate(positions), evaluator.evaluate(positions))


def test_finished_games_have_their_certain_outcome(evaluator: Evaluator) -> None:
    boards = finished_games()
    points = [result(board) for board in boards]
    assert points == [-1, -2, -3, 1, 2, 3]
    # Among others, and alone.
    among = evaluator.evaluate(np.concatenate([boards, START[None]]))
    assert np.array_equal(among[:-1], np.stack([of_result(value) for value in points]))
    for board, value in zip(boards, points, strict=True):
        assert np.array_equal(evaluator.evaluate(board[None])[0], of_result(value))


def test_what_one_side_has_won_the_other_has_lost(evaluator: Evaluator) -> None:
    boards = finished_games()
    assert np.array_equal(evaluator.evaluate(flip(boards)), invert(evaluator.evaluate(boards)))


def test_it_tells_the_player_on_roll_from_the_other(evaluator: Evaluator) -> None:
    boards = mixed_positions(50, seed=23)[0]
    assert not np.allclose(evaluator.evaluate(flip(boards)), invert(evaluator.evaluate(boards)), atol=0.01)


def test_boards_are_left_as_they_were_and_may_be_any_array(evaluator: Evaluator, positions: Board) -> None:
    before = positions.copy()
    expected = evaluator.evaluate(positions)
    assert np.array_equal(positions, before)
    every_second = np.repeat(positions, 2, axis=0)[::2]
    assert not every_second.flags.c_contiguous
    assert_allclose(evaluator.evaluate(every_second), expected, atol=1e-6)
    assert_allclose(evaluator.evaluate(positions.astype(np.int64)), expected, atol=1e-6)
    answers = evaluator.evaluate(positions)
    answers[:] = 7
    assert_allclose(evaluator.evaluate(positions), expected, atol=1e-6)


def test_no_board_gives_no_outcome(evaluator: Evaluator) -> None:
    assert evaluator.evaluate(np.empty((0, 26), dtype=np.int8)).shape == (0, 5)


def test_the_kernel_equals_the_module_on_a_thousand_positions(positions: Board) -> None:
    for layers in ([16], [64], [40, 16, 8]):
        model = Model(Manifest("compared", "points-1", layers), random_weights(layers, seed=len(layers), scale=2))
        found, expected = (evaluator(model).evaluate(positions) for evaluator in EVALUATORS.values())
        assert_allclose(found, expected, atol=1e-5)


def test_a_kernels_evaluator_gives_the_same_bits_in_any_batch(positions: Board) -> None:
    evaluator = KernelEvaluator(MODEL)
    assert np.array_equal(evaluator.evaluate(positions[3:5]), evaluator.evaluate(positions)[3:5])
