"""The network's forward pass in the kernels, against the plain computation."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from bgai.bearoff import network_alone
from bgai.board import START, Board, borne_off, flip, opponent_borne_off, result
from bgai.kernels import forward
from bgai.kernels.forward import Net
from bgai.kernels.movegen import ROW, fill_slots
from bgai.kernels.static import generate, judge, plays_table
from bgai.notation.positionid import parse_position_id
from bgai.outcomes import Outcomes, equity, of_result
from bgai.plays import legal_plays
from tests.cases import case
from tests.networks import network, plain_logits, plain_outcomes, random_weights
from tests.positions import corner_positions, mixed_positions

SHAPES = [[20], [64], [100, 40], [64, 32, 16]]
"""Widths that need padding and widths that do not, with one to three hidden layers."""

shapes = pytest.mark.parametrize("layers", SHAPES, ids=lambda layers: "-".join(map(str, layers)))


def evaluate(net: Net, boards: Board) -> Outcomes:
    outcomes = np.full((len(boards), 5), np.nan, dtype=np.float32)
    forward.evaluate(net, np.ascontiguousarray(boards), outcomes)
    return outcomes


def slots_of(board: Board) -> np.ndarray:
    slots = np.zeros(ROW, dtype=np.int8)
    fill_slots(board, slots)
    return slots


@pytest.fixture(scope="module")
def positions() -> Board:
    """A thousand, from games and from corners, with games among them that the opponent has won."""
    boards, _ = mixed_positions(1000, seed=41)
    boards[-50:] = np.maximum(boards[-50:], 0)
    return boards


@shapes
def test_outcomes_equal_the_plain_computation(layers: list[int], positions: Board) -> None:
    weights = random_weights(layers, seed=1, scale=3)
    expected = plain_outcomes(weights, positions)
    found = evaluate(network(layers, weights), positions)
    assert len(positions) == 1000
    assert_allclose(found, expected, atol=1e-5)
    # And the positions differ, so that a wrong value would show.
    going_on = [result(board) == 0 for board in positions]
    assert np.ptp(expected[going_on, 0]) > 0.5


@shapes
def test_outcomes_obey_the_rules(layers: list[int], positions: Board) -> None:
    outcomes = evaluate(network(layers, random_weights(layers, seed=2, scale=3)), positions)
    win, gammon, backgammon, lost_gammon, lost_backgammon = outcomes.T
    assert ((backgammon >= 0) & (backgammon <= gammon) & (gammon <= win) & (win <= 1)).all()
    assert ((lost_backgammon >= 0) & (lost_backgammon <= lost_gammon) & (lost_gammon <= 1 - win)).all()
    unfinished = np.array([result(board) == 0 for board in positions])
    off, opponents_off = borne_off(positions) > 0, opponent_borne_off(positions) > 0
    assert not outcomes[off & unfinished, 3:].any()
    assert not outcomes[opponents_off & unfinished, 1:3].any()
    # And the constraints do not simply kill gammons.
    assert (gammon[~opponents_off] > 0).any()
    assert (lost_gammon[~off] > 0).any()


def test_reported_constraints_on_outputs() -> None:
    reported = case("tr-05")
    boards = np.stack([parse_position_id(text) for text in reported["input"]["positions"]])
    outcomes = evaluate(network([20], random_weights([20], seed=3)), boards)
    assert outcomes[0, 1:3].tolist() == [0, 0]
    assert outcomes[1, 3:].tolist() == [0, 0]


@pytest.mark.parametrize("points", [-3, -2, -1, 1, 2, 3])
def test_a_finished_game_has_its_certain_outcome(points: int) -> None:
    lost = np.zeros(26, dtype=np.int8)
    lost[6] = 13 if abs(points) == 1 else 14
    lost[25 if abs(points) == 3 else 5] = 1
    board = flip(lost) if points > 0 else lost
    assert result(board) == points
    outcomes = evaluate(network([20], random_weights([20], seed=4)), board[None])
    assert np.array_equal(outcomes[0], of_result(points))


@shapes
def test_a_value_does_not_depend_on_what_else_is_in_the_batch(layers: list[int], positions: Board) -> None:
    net = network(layers, random_weights(layers, seed=5))
    together = evaluate(net, positions)
    order = np.random.default_rng(1).permutation(len(positions))
    assert np.array_equal(evaluate(net, positions[order]), together[order])
    for number in range(0, 1000, 37):
        assert np.array_equal(evaluate(net, positions[number : number + 1])[0], together[number])
    for length in range(1, 20):
        assert np.array_equal(evaluate(net, positions[:length]), together[:length])


@shapes
def test_successors_are_worth_what_they_are_worth_as_positions(layers: list[int]) -> None:
    net = network(layers, random_weights(layers, seed=6, scale=2))
    boards, dice = mixed_positions(300, seed=43)
    alone = network_alone(net)
    at = plays_table(alone)
    for board, (first, second) in zip(boards, dice.tolist(), strict=True):
        count = generate(slots_of(board), first, second, at)
        best = judge(alone, slots_of(board), count, at)
        successors = at.successor[:count, :26]
        assert np.array_equal(successors, legal_plays(board, (first, second)).successors)
        assert_allclose(at.outcomes[:count], evaluate(net, successors), atol=1e-5)
        assert_allclose(at.equities[:count], equity(at.outcomes[:count]), atol=1e-6)
        assert best == int(np.argmin(at.equities[:count]))


def test_of_equal_plays_the_first_is_chosen() -> None:
    # Given: a network that finds everything equally good.
    weights = {name: np.zeros_like(array) for name, array in random_weights([64], seed=0).items()}
    net = network([64], weights)
    alone = network_alone(net)
    at = plays_table(alone)
    # When it plays a roll with many plays, it takes the first.
    count = generate(slots_of(START), 3, 1, at)
    assert judge(alone, slots_of(START), count, at) == 0


def test_the_last_play_wins_the_game_and_is_chosen() -> None:
    # Given: one checker on 6, another on 1, and 6-5: all plays but bearing off both leave the game open.
    board = np.zeros(26, dtype=np.int8)
    board[[6, 1, 24]] = 1, 1, -2
    net = network([20], random_weights([20], seed=7))
    alone = network_alone(net)
    at = plays_table(alone)
    count = generate(slots_of(board), 6, 5, at)
    best = judge(alone, slots_of(board), count, at)
    assert result(at.successor[best, :26]) < 0
    assert at.equities[best] == equity(of_result(result(at.successor[best, :26])))


@pytest.mark.parametrize("logit", [-1e30, -1000.0, -90.0, 90.0, 1000.0, 1e30])
def test_extreme_logits_give_chances(logit: float) -> None:
    weights = {name: np.zeros_like(array) for name, array in random_weights([20], seed=0).items()}
    weights["layers.1.bias"][0] = logit
    outcomes = evaluate(network([20], weights), START[None].copy())
    assert float(outcomes[0, 0]) == pytest.approx(float(logit > 0), abs=1e-6)
    assert np.isfinite(outcomes).all()


def test_the_sigmoid_is_exact_over_its_range() -> None:
    weights = {name: np.zeros_like(array) for name, array in random_weights([20], seed=0).items()}
    for logit in np.linspace(-20, 20, 81, dtype=np.float32):
        weights["layers.1.bias"][0] = logit
        found = float(evaluate(network([20], weights), START[None].copy())[0, 0])
        assert found == pytest.approx(1 / (1 + np.exp(-float(logit))), rel=2e-6, abs=1e-12)


@pytest.mark.small
@pytest.mark.parametrize("layers", [[20], [40, 16]], ids=["one", "two"])
def test_a_few_outcomes_and_choices_equal_the_plain_computation(layers: list[int]) -> None:
    weights = random_weights(layers, seed=8, scale=3)
    net = network(layers, weights)
    boards, dice = corner_positions(30, seed=45)
    assert_allclose(evaluate(net, boards), plain_outcomes(weights, boards), atol=1e-5)
    alone = network_alone(net)
    at = plays_table(alone)
    for board, (first, second) in zip(boards, dice.tolist(), strict=True):
        count = generate(slots_of(board), first, second, at)
        best = judge(alone, slots_of(board), count, at)
        expected = plain_outcomes(weights, at.successor[:count, :26])
        assert_allclose(at.outcomes[:count], expected, atol=1e-5)
        assert equity(expected[best]) <= equity(expected).min() + 1e-5


def test_padding_adds_nothing() -> None:
    # Given: a network of 20 and 5 units, and the same one with units that nobody listens to.
    weights = random_weights([20, 5], seed=9)
    wide = random_weights([64, 16], seed=10)
    wide["layers.0.weight"][:20], wide["layers.0.bias"][:20] = weights["layers.0.weight"], weights["layers.0.bias"]
    wide["layers.1.weight"][:5], wide["layers.1.bias"][:5] = 0, weights["layers.1.bias"]
    wide["layers.1.weight"][:5, :20] = weights["layers.1.weight"]
    wide["layers.2.weight"][:] = 0
    wide["layers.2.weight"][:, :5], wide["layers.2.bias"][:] = weights["layers.2.weight"], weights["layers.2.bias"]
    boards, _ = corner_positions(60, seed=46)
    assert_allclose(plain_logits(wide, boards), plain_logits(weights, boards), atol=1e-5)
    found = evaluate(network([20, 5], weights), boards)
    assert_allclose(found, evaluate(network([64, 16], wide), boards), atol=1e-6)
