"""What was reported of other programs' scores."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from bgai.board import flip
from bgai.events import AcceptResignation, Double, Pass, Play, RefuseResignation, Resign, Roll, StartGame
from bgai.match import apply, refusal
from bgai.match_rules import Rules
from bgai.match_state import MatchState, new_match
from bgai.notation.positionid import parse_position_id
from tests.cases import case

ALICE, BOB = 0, 1
_LOSERS = {
    "single": {0: 1, 6: 5},
    "gammon": {6: 5, 8: 5, 13: 5},
    "backgammon": {6: 13, 23: 2},
}
"""Where the loser's checkers stand at the end, as the loser counts; 0 is off."""


def playing(rules: Rules, score: tuple[int, int] = (0, 0), cube: int = 1, owner: int | None = None) -> MatchState:
    """A game after the opening play, seat 1 (Bob) on roll."""
    state = apply(new_match(rules, score=score), StartGame((3, 1)))
    state = apply(state, Play(ALICE, ((8, 5), (6, 5))))
    return replace(state, cube=cube, owner=owner)


def bears_off_against(state: MatchState, winner: int, loser: dict[int, int]) -> MatchState:
    """The winner bears off the last checker; the loser's stand like this."""
    board = np.zeros(26, dtype=int)
    board[1] = 1
    for point, count in loser.items():
        if point:
            board[25 - point] = -count
    state = replace(state, on_roll=winner, dice=None, checkers=tuple(board.tolist()))
    return apply(apply(state, Roll(winner, (6, 5))), Play(winner, ((1, 0),)))


def test_jacoby_undoubled_gammon() -> None:
    reported = case("sc-08")
    loser = {int(point): count for point, count in reported["input"]["loser_points_own_numbering"].items()}
    jacoby = playing(Rules(jacoby=reported["input"]["jacoby"]), cube=reported["input"]["cube"])
    end = bears_off_against(jacoby, BOB, loser)
    # Then: the reported final position, and a single game.
    assert np.array_equal(end.board, parse_position_id(reported["input"]["position_id_loser_on_roll"]))
    assert end.result is not None
    assert ("single", "gammon")[end.result.value - 1] == reported["expected"]["kind"]
    assert end.result.points == reported["expected"]["points"]
    # Automatic doubles do not turn the cube; a take does; without the rule a gammon counts anyway.
    assert bears_off_against(replace(jacoby, cube=4), BOB, loser).score == (0, 4)
    assert bears_off_against(replace(jacoby, cube=2, owner=ALICE), BOB, loser).score == (0, 4)
    assert bears_off_against(playing(Rules()), BOB, loser).score == (0, 2)


def test_backgammon_on_a_2_cube_is_six() -> None:
    reported = case("sc-10")
    before = reported["input"]["cube_before_double"]
    points = []
    for kind in reported["input"]["outcomes"]:
        end = bears_off_against(playing(Rules(), cube=2 * before, owner=ALICE), BOB, _LOSERS[kind])
        assert end.result is not None
        points.append(end.result.points)
    assert points == reported["expected"]["points"]


def test_a_declined_double_adds_to_the_winner() -> None:
    reported = case("sc-11")
    score = reported["input"]["score"]
    state = playing(
        Rules(length=reported["input"]["match_length"]),
        (score["Alice"], score["Bob"]),
        reported["input"]["cube"],
        ALICE,
    )
    end = apply(apply(replace(state, on_roll=ALICE), Double(ALICE)), Pass(BOB))
    assert end.result is not None
    assert end.result.points == reported["expected"]["points"]
    assert {"Alice": end.score[ALICE], "Bob": end.score[BOB]} == reported["expected"]["score"]
    assert (end.winner is not None) == reported["expected"]["match_over"]


def test_no_integer_wraparound() -> None:
    reported = case("sc-12")
    score = reported["input"]["score"]
    state = playing(
        Rules(length=reported["input"]["match_length"]), (score["Alice"], score["Bob"]), reported["input"]["cube"], BOB
    )
    end = bears_off_against(state, ALICE, _LOSERS["backgammon"])
    assert end.result is not None
    assert end.result.points == reported["expected"]["points"]
    assert {"Alice": end.score[ALICE], "Bob": end.score[BOB]} == reported["expected"]["score_not_wrapped"]
    assert end.winner == ALICE
    assert type(end.score[ALICE]) is int


@pytest.mark.parametrize("refused_first", [False, True])
def test_a_resigned_gammon_on_a_2_cube(refused_first: bool) -> None:
    reported = case("sc-14")
    score, value = reported["input"]["score"], ("single", "gammon").index(reported["input"]["resigned"]) + 1
    state = playing(
        Rules(length=reported["input"]["match_length"]), (score["Alice"], score["Bob"]), reported["input"]["cube"], BOB
    )
    if refused_first:
        state = apply(apply(state, Resign(BOB, 1)), RefuseResignation(ALICE))
    end = apply(apply(state, Resign(BOB, value)), AcceptResignation(ALICE))
    assert end.result is not None
    assert end.result.points == reported["expected"]["points"]
    assert {"Alice": end.score[ALICE], "Bob": end.score[BOB]} == reported["expected"]["score"]
    assert (end.winner is not None) == reported["expected"]["match_over"]


def test_a_gammon_that_may_be_saved_need_not_be_resigned() -> None:
    """Whether it is wise is not the rules' concern: a single game can be offered, and the winner may want more."""
    reported = case("sc-15")
    score = reported["input"]["score"]
    state = playing(Rules(length=reported["input"]["match_length"]), (score["winner"], score["loser"]))
    board = parse_position_id(reported["input"]["position_id"])
    state = replace(state, on_roll=BOB, checkers=tuple(board.tolist()))
    # Given: the winner is 2 away, so a gammon would cost the match and a single game does not.
    offered = apply(state, Resign(BOB, 1))
    assert apply(offered, AcceptResignation(ALICE)).winner is None
    assert apply(offered, RefuseResignation(ALICE)) == state
    assert apply(apply(state, Resign(BOB, 2)), AcceptResignation(ALICE)).winner == ALICE
    assert refusal(state, Roll(BOB, (2, 1))) is None
    assert np.array_equal(flip(flip(board)), state.board)


def test_a_match_that_is_won_beyond_its_length() -> None:
    reported = case("sc-17")
    score = reported["input"]["score"]
    state = playing(
        Rules(length=reported["input"]["match_length"]),
        (score["Alice"], score["Bob"]),
        reported["input"]["cube"],
        ALICE,
    )
    end = bears_off_against(state, BOB, _LOSERS["gammon"])
    assert end.result is not None
    assert end.result.points == reported["expected"]["points"]
    assert end.score == (2, 10)
    assert end.winner == BOB
    assert refusal(end, StartGame((2, 1))) == "the match is over: seat 1 has won it 10-2"
