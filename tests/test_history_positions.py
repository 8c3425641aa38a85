"""Positions from a list: what is asked about them, and that the analyst's own numbers are the answer."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from bgai.analyst import Analyst
from bgai.cube_decision import decide_cube
from bgai.errors import PositionError
from bgai.history.positions import problem_of
from bgai.notation.playtext import format_play
from bgai.position import Cube, Position, Score

CUBES = [
    Position(),
    Position(cube=Cube(2, "on roll"), seat=0),
    Position(score=Score((3, 4), 7)),
    Position(score=Score((4, 2), 5), cube=Cube(1)),
    Position(score=Score((3, 4), 5), seat=0),
    Position(score=Score(jacoby=True, beavers=True)),
]


@pytest.fixture(scope="module")
def analyst() -> Analyst:
    return Analyst.of()


def test_with_dice_a_play_is_asked_for(analyst: Analyst) -> None:
    position = Position(dice=(3, 1))
    problem = problem_of(analyst, position, "0-ply", "list, line 1")
    ranked = analyst.rank([position])
    best = ranked.order[0]
    assert (problem.kind, problem.made, problem.source) == ("play", None, "list, line 1")
    assert problem.best.text == format_play(position.board, ranked.plays.steps[best]) == "8/5 6/5"
    assert problem.best.equity == pytest.approx(float(ranked.equities[best]))


@pytest.mark.parametrize("position", CUBES)
def test_without_dice_it_is_whether_to_double(analyst: Analyst, position: Position) -> None:
    if position.score.length == 5 and position.score.points[0] == 4:
        position = replace(position, score=replace(position.score, points=(2, 1)))
    problem = problem_of(analyst, position, "0-ply", "list")
    decision = decide_cube(analyst, position, look_ahead=False)
    figures = {choice.text: choice.equity for choice in problem.choices}
    assert problem.kind == "double"
    assert problem.position == position
    assert figures["no double"] == pytest.approx(decision.no_double)
    assert figures["double"] == pytest.approx(min(decision.double_take, decision.double_pass))
    assert problem.cube is not None
    assert (problem.cube.action, problem.cube.answer) == (decision.action, decision.answer)


def test_while_a_double_waits_it_is_the_answer(analyst: Analyst) -> None:
    problem = problem_of(analyst, Position(offer="double"), "0-ply", "list")
    decision = decide_cube(analyst, Position(), look_ahead=False)
    figures = {choice.text: choice.equity for choice in problem.choices}
    assert problem.kind == "answer"
    assert problem.position == Position(offer="double")
    assert figures == {"take": pytest.approx(-decision.double_take), "pass": -1.0}


def test_with_beavers_a_beaver_is_among_the_answers(analyst: Analyst) -> None:
    problem = problem_of(analyst, Position(offer="double", score=Score(beavers=True)), "0-ply", "list")
    assert {choice.text for choice in problem.choices} == {"take", "pass", "beaver"}


@pytest.mark.parametrize(
    ("position", "message"),
    [
        (Position(offer="gammon"), "a gammon waits"),
        (Position(cube=Cube(2, "opponent")), "there is no double to decide: seat 1 may not double"),
        (Position(score=Score((4, 2), 5, crawford=True)), "there is no double to decide"),
        (Position(score=Score((4, 2), 5)), "of no use"),
    ],
)
def test_where_nothing_is_to_be_decided(analyst: Analyst, position: Position, message: str) -> None:
    with pytest.raises(PositionError, match=message):
        problem_of(analyst, position, "0-ply", "list")


def test_a_roll_that_can_be_played_in_one_way_only(analyst: Analyst) -> None:
    board = np.zeros(26, dtype=np.int8)
    board[1], board[24] = 1, -1
    with pytest.raises(PositionError, match="only one way to play"):
        problem_of(analyst, Position(board, dice=(6, 5)), "0-ply", "list")
