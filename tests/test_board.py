"""The board array: turning it round, counting, and how a game ends."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from bgai.board import START, Board, as_board, borne_off, flip, has_contact, opponent_borne_off, pip_count, result
from bgai.errors import PositionError
from tests import oracle
from tests.cases import Case, case, case_id
from tests.positions import boards, corner_positions


def board(**places: int) -> Board:
    """Counts by place: `p6=2` two own checkers on 6, `bar=1`, `other_bar=-1`."""
    numbers = {"bar": 25, "other_bar": 0}
    made = np.zeros(26, dtype=np.int8)
    for name, count in places.items():
        made[numbers[name] if name in numbers else int(name[1:])] = count
    return made


def test_the_start_is_the_same_for_both_sides() -> None:
    assert np.array_equal(flip(START), START)


def test_the_start_cannot_be_changed_by_accident() -> None:
    with pytest.raises(ValueError, match="read-only"):
        START[6] = 4


def test_the_start_has_fifteen_checkers_and_167_pips() -> None:
    assert borne_off(START) == opponent_borne_off(START) == 0
    assert pip_count(START) == 167


def test_flip_turns_points_and_colours_round() -> None:
    position = board(p24=2, p3=-4, bar=1, other_bar=-2)
    assert np.array_equal(flip(position), board(p1=-2, p22=4, other_bar=-1, bar=2))


@given(boards())
def test_flip_twice_changes_nothing(position: Board) -> None:
    assert np.array_equal(flip(flip(position)), position)


@given(boards())
def test_counts_of_one_side_are_those_of_the_other_after_a_flip(position: Board) -> None:
    state = oracle.from_board(position.tolist())
    assert borne_off(position) == opponent_borne_off(flip(position)) == 15 - len(state.mover)
    assert opponent_borne_off(position) == borne_off(flip(position)) == 15 - len(state.other)
    assert pip_count(position) == sum(state.mover)
    assert pip_count(flip(position)) == sum(state.other)


def test_a_batch_counts_as_its_boards_do() -> None:
    batch, _ = corner_positions(60, seed=1)
    assert flip(batch).dtype == np.int8
    assert np.array_equal(flip(batch), [flip(one) for one in batch])
    assert pip_count(batch).tolist() == [int(pip_count(one)) for one in batch]
    assert borne_off(batch).tolist() == [int(borne_off(one)) for one in batch]


def test_a_checker_on_the_bar_counts_25_pips() -> None:
    assert pip_count(board(bar=2, p1=1, p20=-3)) == 51


@pytest.mark.parametrize(
    ("position", "contact"),
    [
        (START, True),
        (board(p5=3, p6=-2), False),
        (board(p6=3, p5=-2), True),
        (board(p6=3, other_bar=-1), True),
        (board(bar=1, p24=-2), True),
        (board(bar=1, p24=-15), True),
        (board(p1=1), False),
    ],
    ids=["start", "passed", "not passed", "opponent on the bar", "own bar", "own bar, last", "game over"],
)
def test_there_is_contact_while_a_checker_has_to_pass_an_opponent(position: Board, contact: bool) -> None:
    assert has_contact(position) is contact
    assert has_contact(flip(position)) is contact


@given(boards())
def test_contact_is_that_somebody_stands_behind_an_opponent(position: Board) -> None:
    state = oracle.from_board(position.tolist())
    assert has_contact(position) == (max(state.mover) + max(state.other) > 25)


def test_the_game_goes_on_while_both_sides_have_checkers() -> None:
    assert result(START) == 0
    assert result(board(bar=1, p24=-1)) == 0


@pytest.mark.parametrize(
    ("loser", "points"),
    [
        (board(p1=14), 1),
        (board(p24=13, bar=1), 1),
        (board(p1=15), 2),
        (board(p18=1, p1=14), 2),
        (board(p19=1, p1=14), 3),
        (board(p24=1, p6=14), 3),
        (board(bar=1, p6=14), 3),
    ],
    ids=["one off", "one off, others far back", "none off", "on 18", "on 19", "on 24", "on the bar"],
)
def test_gammon_with_nobody_off_and_backgammon_in_the_winners_home(loser: Board, points: int) -> None:
    assert result(loser) == -points
    assert result(flip(loser)) == points
    assert oracle.result(oracle.from_board(loser.tolist())) == -points


@pytest.mark.parametrize("reported", [case("sc-02"), case("sc-04"), case("sc-06")], ids=case_id)
def test_reported_scores(reported: Case) -> None:
    given = reported["input"]
    places = {"bar" if place == "bar" else f"p{place}": n for place, n in given["loser_points_own_numbering"].items()}
    assert result(board(**places)) * given["cube"] == -reported["expected"]["points"]


def test_every_finished_game_scores_as_the_rules_say() -> None:
    positions, _ = corner_positions(300, seed=2)
    for loser in np.maximum(positions, 0):
        points = oracle.result(oracle.from_board(loser.tolist()))
        assert (result(loser), result(flip(loser))) == (points, -points)


@pytest.mark.parametrize("values", [START, START.tolist(), START.astype(float), START.astype(np.int64)])
def test_whole_numbers_of_any_type_make_a_board(values: object) -> None:
    made = as_board(values)  # type: ignore[arg-type]
    assert made.dtype == np.int8
    assert np.array_equal(made, START)


def test_a_finished_game_is_a_board() -> None:
    assert np.array_equal(as_board(board(p3=2)), board(p3=2))


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([0] * 25, "26 numbers"),
        ([START, START], "26 numbers"),
        (START + 0.5, "whole numbers"),
        (board(p3=1, p4=-1, bar=-1), "index 25"),
        (board(p3=1, p4=-1, other_bar=1), "index 0"),
        (board(p3=8, p4=8, p5=-1), "player on roll has 16"),
        (board(p3=1, p4=-9, p5=-7), "opponent has 16"),
        ([0, 300, *[0] * 24], "player on roll has 300"),
        ([0] * 26, "neither side"),
    ],
    ids=["short", "two", "halves", "own bar", "opponent's bar", "16", "16 of the opponent", "300", "empty"],
)
def test_what_cannot_be_a_position_is_refused(values: object, message: str) -> None:
    with pytest.raises(PositionError, match=message):
        as_board(values)  # type: ignore[arg-type]


def test_both_on_the_bar_against_closed_boards_is_refused() -> None:
    closed = dict.fromkeys([f"p{n}" for n in range(1, 7)], 2) | dict.fromkeys([f"p{n}" for n in range(19, 25)], -2)
    with pytest.raises(PositionError, match="neither could ever move"):
        as_board(board(**closed, bar=1, other_bar=-1))
    assert np.array_equal(as_board(board(**closed, bar=1)), board(**closed, bar=1))
