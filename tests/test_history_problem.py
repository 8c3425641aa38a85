"""Problems: what an answer is worth, and whether two questions are the same."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from bgai.analysis.decision import Choice, CubeFigures
from bgai.errors import InputError, PlayError
from bgai.history.problem import Problem, digest_of, kind_of
from bgai.position import Cube, Position, Score

PLAYS = (
    Choice("8/5 6/5", 0.16, plies=2),
    Choice("24/23 13/10", 0.15, plies=2),
    Choice("13/9", 0.12, plies=2),
    Choice("24/20", 0.07, plies=2),
    Choice("6/2", -0.20, plies=2),
)
PLAY = Problem("play", Position(dice=(3, 1)), PLAYS, "net", "2-ply", "a list")
DOUBLE = Problem(
    "double",
    Position(),
    (Choice("double", 0.5), Choice("no double", 0.45)),
    "net",
    "2-ply",
    "a match",
    made="no double",
    cube=CubeFigures(0.45, 0.5, 1.0, "double", "take"),
)


@pytest.mark.parametrize(
    ("typed", "text", "loss", "quality"),
    [
        ("6/5 8/5", "8/5 6/5", 0.0, 5),
        ("24/23 13/10", "24/23 13/10", 0.01, 4),
        ("13/10/9", "13/9", 0.04, 3),
        ("24/20", "24/20", 0.09, 1),
        ("6/2", "6/2", 0.36, 0),
    ],
)
def test_plays_are_judged_by_what_they_lose(typed: str, text: str, loss: float, quality: int) -> None:
    verdict = PLAY.play_verdict(typed)
    assert (verdict.text, verdict.quality) == (text, quality)
    assert verdict.loss == pytest.approx(loss)
    assert verdict.choice is not None


def test_a_play_that_was_not_kept_loses_at_least_what_the_last_but_one_does() -> None:
    """The last may be the play that was made, and far worse than those that were left out."""
    verdict = PLAY.play_verdict("24/21 6/5")
    assert (verdict.choice, verdict.quality) == (None, 1)
    assert verdict.loss == pytest.approx(0.09)


def test_a_play_that_was_not_kept_never_counts_as_good() -> None:
    close = replace(PLAY, choices=(Choice("8/5 6/5", 0.16, plies=2), Choice("13/9", 0.159, plies=2)))
    assert close.play_verdict("24/20").quality == 2


def test_a_choice_that_looks_better_at_fewer_plies_loses_nothing() -> None:
    shallow = replace(PLAY, choices=(*PLAYS[:2], Choice("13/9", 0.3, plies=1)))
    assert shallow.play_verdict("13/9").loss == 0


def test_what_is_no_play_is_refused() -> None:
    with pytest.raises(PlayError, match="not a legal play"):
        PLAY.play_verdict("24/10")


def test_the_cube_is_judged_by_what_it_loses() -> None:
    assert DOUBLE.verdict("double").quality == 5
    assert (DOUBLE.verdict("no double").loss, DOUBLE.verdict("no double").quality) == (pytest.approx(0.05), 3)


@pytest.mark.parametrize("problem", [PLAY, DOUBLE], ids=["play", "double"])
def test_problems_survive_json(problem: Problem) -> None:
    again = Problem.from_dict(json.loads(json.dumps(problem.to_dict())))
    assert again == problem
    assert again.position == problem.position


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"kind": "resignation"}, "found the kind 'resignation'"),
        ({"choices": []}, "with 0 choices"),
        ({"position": None}, "not a problem"),
    ],
)
def test_what_is_no_problem_is_refused(change: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Problem.from_dict(PLAY.to_dict() | change)


def test_something_missing_is_named() -> None:
    data = PLAY.to_dict()
    del data["source"]
    with pytest.raises(InputError, match="'source' is missing"):
        Problem.from_dict(data)


START = Position(dice=(3, 1))


@pytest.mark.parametrize(
    "other",
    [
        replace(START, dice=(4, 1)),
        replace(START, cube=Cube(2, "on roll")),
        replace(START, score=Score((1, 2), 7)),
        replace(START, score=Score(jacoby=True)),
    ],
)
def test_other_questions_are_others(other: Position) -> None:
    assert digest_of("play", other) != digest_of("play", START)


def test_the_same_question_stays_the_same_in_another_place() -> None:
    """Where a diagram has the player on roll, and what was won for money before, changes nothing."""
    assert digest_of("play", replace(START, seat=0, score=Score((4, 2)))) == digest_of("play", START)
    assert digest_of("play", replace(START, score=Score((4, 2), 7))) != digest_of("play", START)


def test_what_is_asked() -> None:
    assert kind_of(START) == "play"
    assert kind_of(Position()) == "double"
    assert kind_of(Position(offer="double")) == "answer"
