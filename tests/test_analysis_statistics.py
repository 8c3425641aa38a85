"""Sums, rates and marks of an analysis made by hand."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from bgai.analysis import Analysis, Choice, CubeFigures, Decision, Luck
from bgai.analysis.decision import MARKS, mark_of
from bgai.cli.analysis_tables import summary
from bgai.cube_decision import Action
from bgai.events import StartGame
from bgai.match_rules import Rules
from bgai.position import Cube, Position
from bgai.record import GameRecord, MatchRecord

RECORD = MatchRecord(("Ann", "Ben"), Rules(), (GameRecord((StartGame((3, 1)),)),) * 2)


def play(seat: int, loss: float, *, cube: int = 1, legal: int = 20, game: int = 0) -> Decision:
    choices = (Choice("8/5 6/5", 0.2), Choice("24/20", 0.2 - loss))
    seen = Position(dice=(3, 1), cube=Cube(cube, "on roll" if cube > 1 else "centred"))
    return Decision(game, 1, seat, "play", seen, choices, 1, legal)


def cube(seat: int, no_double: float, double_take: float, made: str, *, close: bool = False) -> Decision:
    """A decision whether to double."""
    double = min(double_take, 1.0)
    choices = (Choice("no double", no_double), Choice("double", double))
    if double > no_double:
        choices = choices[::-1]
    action: Action = "double" if double > no_double else "too good" if min(no_double, double_take) >= 1 else "no double"
    figures = CubeFigures(no_double, double_take, 1.0, action, "take" if double_take <= 1 else "pass")
    place = [choice.text for choice in choices].index(made)
    return Decision(0, 1, seat, "double", Position(), choices, place, 2, close or made == "double", figures)


def answer(seat: int, take: float, made: str) -> Decision:
    choices = tuple(sorted((Choice("take", take), Choice("pass", -1.0)), key=lambda choice: -choice.equity))
    place = [choice.text for choice in choices].index(made)
    return Decision(0, 1, seat, "answer", Position(offer="double"), choices, place, 2)


def analysis(*decisions: Decision, luck: tuple[Luck, ...] = (), results: tuple[float | None, ...] = ()) -> Analysis:
    return Analysis(RECORD, decisions, luck, "hand", "0-ply", results)


def test_what_rounds_to_nothing_has_no_sign() -> None:
    lucky = tuple(Luck(0, 0, seat, (3, 1), 1e-6, 1e-6) for seat in (0, 1))
    words = {label: values for label, *values in summary(analysis(luck=lucky, results=(-1e-9,))).rows}
    assert words["result in points"] == ["0.00", "0.00"]
    assert words["  without luck"] == ["0.00", "0.00"]
    assert words["luck in equity, in points"] == ["0.000, 0.00", "0.000, 0.00"]
    words = {label: values for label, *values in summary(analysis(results=(1.0,))).rows}
    assert words["result in points"] == ["+1.00", "-1.00"]


def test_ratings() -> None:
    """Ann: 0.03 + 0.05 in plays and 0.1 with the cube, in 4 + 2 decisions; Ben: 0.2 in one."""
    found = analysis(
        play(0, 0.03),
        play(0, 0.05),
        play(0, 0.0),
        play(0, 0.0),
        play(0, 0.0, legal=1),
        cube(0, 0.5, 0.6, "no double"),
        cube(0, -0.5, -0.9, "no double"),
        cube(0, 0.3, 0.2, "no double", close=True),
        play(1, 0.2),
        play(1, 0.0, legal=1),
    )
    # A missed double is close by definition, but it is for the analysis to say so.
    found = replace(
        found, decisions=tuple(replace(one, close=True) if one.loss == 0.6 - 0.5 else one for one in found.decisions)
    )
    ann, ben = found.statistics().players
    assert (ann.checker.decisions, ann.cube.decisions, ann.moves, ann.both_moves) == (4, 2, 5, 7)
    assert ann.checker.loss == pytest.approx(0.08)
    assert ann.cube.loss == pytest.approx(0.1)
    assert ann.pr == pytest.approx(500 * 0.18 / 6)
    assert ann.error_rate == pytest.approx(1000 * 0.18 / 6)
    assert ann.snowie_error_rate == pytest.approx(1000 * 0.18 / 7)
    assert ann.checker.pr == pytest.approx(500 * 0.08 / 4)
    assert ann.cube.pr == pytest.approx(500 * 0.1 / 2)
    assert ann.rating == "beginner"
    assert ben.pr == pytest.approx(100)
    assert (ben.cube.pr, ben.rating) == (None, "awful!")


def test_costs_are_points_of_the_cube() -> None:
    ann, _ = analysis(play(0, 0.1, cube=4), play(0, 0.1)).statistics().players
    assert ann.checker.loss == pytest.approx(0.2)
    assert ann.checker.cost == pytest.approx(0.5)


def test_marks_begin_above_their_thresholds() -> None:
    assert [mark_of(loss) for loss in (0, 0.03, 0.0301, 0.06, 0.0601, 0.12, 0.1201)] == [
        "",
        "",
        "doubtful",
        "doubtful",
        "bad",
        "bad",
        "very bad",
    ]
    ann, _ = (
        analysis(play(0, 0.04), play(0, 0.07), play(0, 0.13), play(0, 0.5), cube(0, 0.5, 0.6, "no double"))
        .statistics()
        .players
    )
    assert [ann.checker_marks[mark] for mark, _ in MARKS] == [2, 1, 1]
    assert [ann.cube_marks[mark] for mark, _ in MARKS] == [0, 1, 0]
    assert [ann.marks[mark] for mark, _ in MARKS] == [2, 2, 1]


def test_errors_with_the_cube_by_kind() -> None:
    errors = {
        "missed double": cube(0, 0.5, 0.8, "no double"),
        "missed cash": cube(0, 0.7, 1.2, "no double"),
        "wrong double": cube(0, 0.3, 0.1, "double"),
        "too good to double": cube(0, 1.4, 1.9, "double"),
        "wrong take": answer(0, -1.3, "take"),
        "wrong pass": answer(0, -0.6, "pass"),
    }
    right = [
        cube(0, 0.5, 0.8, "double"),
        cube(0, 1.4, 1.9, "no double"),
        answer(0, -0.9, "take"),
        answer(0, -1.1, "pass"),
    ]
    ann, ben = analysis(*errors.values(), *right).statistics().players
    assert {fault: total.decisions for fault, total in ann.faults.items()} == dict.fromkeys(errors, 1)
    losses = dict(zip(errors, (0.3, 0.3, 0.2, 0.4, 0.3, 0.4), strict=True))
    assert {fault: total.loss for fault, total in ann.faults.items()} == pytest.approx(losses)
    assert ben.faults == {}
    assert (ann.doubles, ann.takes, ann.passes) == (3, 2, 2)


def test_luck_and_results() -> None:
    """Ann wins 2 points, 1.5 of them by luck of both sides; a game that did not end has luck and no result."""
    luck = (
        Luck(0, 0, 0, (3, 1), 0.5, 1.0),
        Luck(0, 2, 1, (6, 5), -0.25, -0.5),
        Luck(1, 0, 1, (6, 1), 0.7, 0.7),
    )
    found = analysis(luck=luck, results=(2.0, None))
    ann, ben = found.statistics().players
    assert (ann.result, ben.result) == (2, -2)
    assert (ann.adjusted, ben.adjusted) == (0.5, -0.5)
    assert (ann.luck, ann.luck_cost) == (0.5, 1.0)
    assert ben.luck == pytest.approx(0.45)
    assert ben.luck_cost == pytest.approx(0.2)
    assert ann.luck_marks == {"very lucky": 0, "lucky": 1, "unlucky": 0, "very unlucky": 0}
    assert ben.luck_marks == {"very lucky": 1, "lucky": 0, "unlucky": 0, "very unlucky": 0}
    unfinished = found.statistics(1).players[0]
    assert (unfinished.result, unfinished.adjusted, unfinished.luck) == (None, None, 0)


def test_one_game() -> None:
    found = analysis(play(0, 0.1), play(0, 0.3, game=1))
    assert found.statistics(0)[0].checker.loss == pytest.approx(0.1)
    assert found.statistics(1)[0].checker.loss == pytest.approx(0.3)
    assert found.statistics()[0].checker.loss == pytest.approx(0.4)


def test_nothing_at_all() -> None:
    ann, _ = analysis().statistics().players
    assert (ann.pr, ann.snowie_error_rate, ann.rating, ann.luck_rate) == (None, None, None, None)
    json.dumps(analysis().to_dict())
