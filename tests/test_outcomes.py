"""Outcome vectors: equity, the other side's view, exclusive classes, and what the rules allow."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from bgai.board import START, Board, borne_off, opponent_borne_off, result
from bgai.notation.playtext import parse_play
from bgai.notation.positionid import parse_position_id
from bgai.outcomes import COUNT, NAMES, Outcomes, equity, exclusive, invert, of_result, possible
from bgai.plays import legal_plays
from tests.cases import case
from tests.positions import boards

chances = st.lists(st.floats(0, 1, width=32), min_size=5, max_size=5).map(lambda x: np.array(x, dtype=np.float32))
wild = st.lists(st.floats(-2, 3, width=32), min_size=5, max_size=5).map(lambda x: np.array(x, dtype=np.float32))


def obeys_the_rules(board: Board, outcomes: Outcomes) -> bool:
    win, gammon, backgammon, lost_gammon, lost_backgammon = outcomes.tolist()
    return bool(
        0 <= backgammon <= gammon <= win <= 1
        and 0 <= lost_backgammon <= lost_gammon <= np.float32(1) - np.float32(win)
        and (gammon == 0 or opponent_borne_off(board) == 0)
        and (lost_gammon == 0 or borne_off(board) == 0)
    )


@pytest.mark.parametrize("points", [-3, -2, -1, 1, 2, 3])
def test_the_equity_of_a_finished_game_is_its_points(points: int) -> None:
    assert of_result(points).dtype == np.float32
    assert equity(of_result(points)) == points


@pytest.mark.parametrize("points", [-3, -2, -1, 1, 2, 3])
def test_what_one_side_wins_the_other_loses(points: int) -> None:
    assert np.array_equal(invert(of_result(points)), of_result(-points))


def test_equity_counts_gammons_twice_and_backgammons_three_times() -> None:
    # Given: 60 % wins, of them 20 % gammons, of them 5 % backgammons; 10 % and 2 % on the other side.
    outcomes = np.array([0.6, 0.2, 0.05, 0.1, 0.02], dtype=np.float32)
    # Then: 0.4 + 2 x 0.15 + 3 x 0.05 - 0.3 - 2 x 0.08 - 3 x 0.02
    assert float(equity(outcomes)) == pytest.approx(0.33, abs=1e-6)


@given(chances)
def test_equity_changes_sign_with_the_side(outcomes: Outcomes) -> None:
    assert float(equity(invert(outcomes))) == pytest.approx(-float(equity(outcomes)), abs=1e-6)


@given(chances)
def test_to_look_from_the_other_side_twice_changes_nothing(outcomes: Outcomes) -> None:
    before = outcomes.copy()
    assert_allclose(invert(invert(outcomes)), outcomes, atol=1e-6)
    assert np.array_equal(outcomes, before)


def test_reported_target_of_the_next_state() -> None:
    reported = case("tr-06")
    seen_by_next = np.array(reported["input"]["value_next_player"], dtype=np.float32)
    assert_allclose(invert(seen_by_next), reported["expected"]["value_mover"], atol=1e-6)


def test_reported_exclusive_classes_sum_to_one() -> None:
    reported = case("tr-03")
    names = ("win", "win_g", "win_bg", "lose_g", "lose_bg")
    cumulative = np.array([reported["input"]["cumulative"][name] for name in names], dtype=np.float32)
    classes = ("win_single", "win_gammon", "win_bg", "lose_single", "lose_gammon", "lose_bg")
    found = exclusive(cumulative)
    assert_allclose(found, [reported["expected"]["exclusive"][name] for name in classes], atol=1e-6)
    assert float(found.sum()) == pytest.approx(reported["expected"]["sum"], abs=1e-6)


@given(chances)
def test_exclusive_classes_weigh_the_equity(outcomes: Outcomes) -> None:
    weighted = exclusive(outcomes) @ np.array([1, 2, 3, -1, -2, -3], dtype=np.float32)
    assert float(weighted) == pytest.approx(float(equity(outcomes)), abs=1e-5)


@given(boards(), wild)
def test_whatever_a_network_says_is_made_possible(board: Board, outcomes: Outcomes) -> None:
    before = outcomes.copy()
    assert obeys_the_rules(board, possible(board, outcomes))
    assert np.array_equal(outcomes, before)


@given(boards(), wild)
def test_possible_chances_are_left_alone(board: Board, outcomes: Outcomes) -> None:
    once = possible(board, outcomes)
    assert np.array_equal(possible(board, once), once)


def test_chances_in_order_are_kept_at_the_start() -> None:
    outcomes = np.array([0.5, 0.25, 0.125, 0.5, 0.5], dtype=np.float32)
    assert np.array_equal(possible(START, outcomes), outcomes)


def test_reported_constraints_on_outputs() -> None:
    reported = case("tr-05")
    nonsense = np.array([0.3, 0.9, 0.95, 0.8, 0.9], dtype=np.float32)
    first, second = (parse_position_id(text) for text in reported["input"]["positions"])
    assert obeys_the_rules(first, possible(first, nonsense))
    assert obeys_the_rules(second, possible(second, nonsense))
    assert possible(first, nonsense)[1:3].tolist() == [0, 0]
    assert possible(second, nonsense)[3:].tolist() == [0, 0]


def test_reported_play_that_bears_off_ends_the_danger_of_a_gammon() -> None:
    # Given: a side with all its men on the board, which can lose a gammon.
    reported = case("tr-16")
    board = parse_position_id(reported["input"]["position_id"])
    assert borne_off(board) == reported["expected"]["side_on_roll_men_off"]
    nonsense = np.array([0.5, 0.4, 0.3, 0.4, 0.3], dtype=np.float32)
    assert possible(board, nonsense)[3] > 0
    # When it bears off,
    plays = legal_plays(board, (5, 4))
    after = plays.successors[parse_play(board, plays, reported["expected"]["check_after"])]
    # Then it no longer can.
    mover = invert(possible(after, nonsense))
    assert mover[3] == reported["expected"]["then_lose_gammon"]
    assert mover[4] == reported["expected"]["then_lose_backgammon"]


def test_a_batch_is_treated_as_its_vectors_are() -> None:
    rng = np.random.default_rng(1)
    many = rng.random((40, COUNT), dtype=np.float32)
    where = np.stack([parse_position_id("mxmAQ4PbAQAAAA"), START] * 20)
    assert equity(many).shape == (40,)
    assert_allclose(equity(many), [equity(one) for one in many], atol=1e-6)
    assert np.array_equal(invert(many), [invert(one) for one in many])
    assert np.array_equal(exclusive(many), [exclusive(one) for one in many])
    assert np.array_equal(possible(where, many), [possible(*pair) for pair in zip(where, many, strict=True)])


def test_the_outcome_of_a_finished_board_is_certain() -> None:
    loser = np.zeros(26, dtype=np.int8)
    loser[[25, 6]] = 1, 14
    outcomes = of_result(result(loser))
    assert dict(zip(NAMES, outcomes.tolist(), strict=True)) == {
        "win": 0,
        "win_gammon": 0,
        "win_backgammon": 0,
        "lose_gammon": 1,
        "lose_backgammon": 1,
    }
