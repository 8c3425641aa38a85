"""Players: what they rank and choose."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from bgai.board import START, Board
from bgai.errors import DiceError, PositionError
from bgai.evaluator import KernelEvaluator, TorchEvaluator
from bgai.model import Manifest, Model
from bgai.notation.playtext import format_play
from bgai.outcomes import equity, invert
from bgai.player import NetPlayer, RandomPlayer
from bgai.plays import legal_plays
from tests.networks import plain_outcomes, random_weights
from tests.positions import mixed_positions

WEIGHTS = random_weights([20], seed=61)
MODEL = Model(Manifest("tested", "points-1", [20]), WEIGHTS)
NET = NetPlayer(KernelEvaluator(MODEL, exact=True), "tested")
RNG = np.random.default_rng(1)


@pytest.fixture(scope="module")
def questions() -> list[tuple[Board, tuple[int, int]]]:
    boards, dice = mixed_positions(120, seed=62)
    return [(board, (first, second)) for board, (first, second) in zip(boards, dice.tolist(), strict=True)]


def test_a_ranking_holds_every_legal_play_once_best_first(questions: list[tuple[Board, tuple[int, int]]]) -> None:
    for board, dice in questions:
        plays, found = legal_plays(board, dice), NET.rank(board, dice)
        assert len(found) == len(plays)
        assert {entry.successor.tobytes() for entry in found} == {row.tobytes() for row in plays.successors}
        equities = [entry.equity for entry in found]
        assert equities == sorted(equities, reverse=True)
        assert found[0].loss == 0
        for entry in found:
            assert entry.loss == pytest.approx(found[0].equity - entry.equity, abs=1e-6)
            assert entry.loss >= 0
            assert entry.play == format_play(board, entry.steps)


def test_what_a_play_is_worth_is_seen_by_the_mover(questions: list[tuple[Board, tuple[int, int]]]) -> None:
    for board, dice in questions[:30]:
        for entry in NET.rank(board, dice)[:5]:
            expected = invert(plain_outcomes(WEIGHTS, entry.successor[None])[0])
            assert_allclose(entry.outcomes, expected, atol=1e-5)
            assert entry.equity == pytest.approx(float(equity(expected)), abs=1e-5)


def test_the_chosen_play_is_the_first_of_the_ranking(questions: list[tuple[Board, tuple[int, int]]]) -> None:
    for board, dice in questions:
        plays = legal_plays(board, dice)
        chosen = NET.choose(board, plays, RNG)
        assert np.array_equal(plays.successors[chosen], NET.rank(board, dice)[0].successor)


def test_both_evaluators_make_the_same_player(questions: list[tuple[Board, tuple[int, int]]]) -> None:
    pytest.importorskip("torch")
    other = NetPlayer(TorchEvaluator(MODEL))
    for board, dice in questions[:60]:
        mine, theirs = NET.rank(board, dice), other.rank(board, dice)
        assert_allclose([entry.equity for entry in mine], [entry.equity for entry in theirs], atol=2e-5)


def test_of_equal_plays_the_first_is_first() -> None:
    nothing = {name: np.zeros_like(array) for name, array in WEIGHTS.items()}
    player = NetPlayer(KernelEvaluator(Model(MODEL.manifest, nothing), exact=True))
    plays = legal_plays(START, (3, 1))
    assert player.choose(START, plays, RNG) == 0
    ranked = player.rank(START, (3, 1))
    assert [entry.loss for entry in ranked] == [0.0] * 16
    assert all(np.array_equal(entry.successor, row) for entry, row in zip(ranked, plays.successors, strict=True))


def test_without_a_legal_play_the_turn_passes() -> None:
    # Given: on the bar against a closed board.
    board = np.zeros(26, dtype=np.int8)
    board[25], board[19:25] = 1, -2
    (only,) = NET.rank(board, (5, 2))
    assert only.play == ""
    assert only.loss == 0
    assert not only.steps.any()


def test_the_dice_may_come_in_any_order() -> None:
    one, other = NET.rank(START, (3, 1)), NET.rank(START, (1, 3))
    assert [entry.play for entry in one] == [entry.play for entry in other]


def test_a_bad_question_is_refused() -> None:
    with pytest.raises(DiceError):
        NET.rank(START, (0, 7))
    with pytest.raises(PositionError):
        NET.rank(np.maximum(START, 0), (3, 1))


def test_an_opinion_of_one_board_is_that_of_its_evaluator() -> None:
    assert np.array_equal(NET.evaluate(START), NET.evaluator.evaluate(START[None])[0])


def test_a_random_player_chooses_every_play_about_as_often() -> None:
    plays = legal_plays(START, (6, 5))
    rng = np.random.default_rng(5)
    counts = np.bincount([RandomPlayer().choose(START, plays, rng) for _ in range(700)], minlength=len(plays))
    assert len(counts) == 7
    assert counts.min() > 60
    assert counts.max() < 140
