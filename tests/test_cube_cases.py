"""The reported cube cases, with the chances fed from outside, so that the cube model itself is tested."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from bgai.analyst import Analyst
from bgai.board import Board
from bgai.cube_decision import CubeDecision, decide_cube
from bgai.notation.identify import read_position
from bgai.notation.positionid import format_position_id
from bgai.outcomes import Outcomes
from bgai.position import Position, Score
from tests.cases import case, case_id, cases

# Static chances (0-ply) of gnubg-nn, win to lose_backgammon for the player on roll before the roll:
# gnubg_nn.probabilities([opponent's 25 counts, own 25 counts], 0), with gnubg-nn 1.1.0a11.
GNUBG: dict[str, tuple[float, float, float, float, float]] = {
    "4HPwATDgc/ABMA": (0.521486, 0.154176, 0.007565, 0.129651, 0.007497),
    "3N0BAIB77wEAAA": (0.226736, 0.0, 0.0, 0.0, 0.0),
    "GW+DAUi03ZABBg": (0.783772, 0.442694, 0.015165, 0.058758, 0.001842),
    "tm0BBByz7wYAAA": (0.81969, 0.443517, 0.016583, 0.0, 0.0),
    "kQcAgEoDAAAAAA": (0.877684, 0.0, 0.0, 0.0, 0.0),
    "u61jAAButwMGAA": (0.277838, 0.0, 0.0, 0.0, 0.0),
    # After a look of two plies, probabilities(board, 2): at once gnubg-nn believes in six per cent more wins here,
    # and with that a pass would be right.
    "bNsIADa8HQAAAA": (0.51572, 0.29768, 0.13785, 0.0, 0.0),
}

EFFICIENCY = {"contact": 0.69, "race": 0.71, "bearoff": 0.58}
"""As fitted to a network of bgai."""

WORDS = {
    "no double": "No double",
    "double": "Double",
    "too good": "Too good to double",
    "no redouble": "No redouble",
    "redouble": "Redouble",
    "too good to redouble": "Too good to redouble",
}


class Fed:
    """An evaluator that says what it was told."""

    def evaluate(self, boards: Board) -> Outcomes:
        return np.array([GNUBG[format_position_id(board)] for board in boards], dtype=np.float32)


ANALYST = Analyst(Fed(), "fed", EFFICIENCY)


def position_of(name: str) -> Position:
    given = case(name)["input"]
    position = read_position(given.get("xgid") or given["gnubg_id"]).position
    if "jacoby" in given:
        position = replace(position, score=replace(position.score, jacoby=given["jacoby"]))
    return position


def decided(position: Position) -> CubeDecision:
    return decide_cube(ANALYST, position, look_ahead=False)


def said(decision: CubeDecision) -> str:
    return f"{WORDS[decision.action]}, {decision.answer}"


@pytest.mark.parametrize("reported", [one for one in cases("cube") if "action" in one["expected"]], ids=case_id)
def test_action_and_answer(reported: dict) -> None:  # type: ignore[type-arg]
    assert said(decided(position_of(case_id(reported)[:5]))) == reported["expected"]["action"]


# After Crawford gnubg's two plies see more of the trailer's cube in "no double"; the others are static like ours.
@pytest.mark.parametrize(
    ("name", "apart"), [("cu-02", 0.15), ("cu-09", 0.03), ("cu-10", 0.11), ("cu-18", 0.02), ("cu-20", 0.12)]
)
def test_equities_are_near_those_of_a_deeper_look(name: str, apart: float) -> None:
    decision, expected = decided(position_of(name)), case(name)["expected"]["equities_2ply"]
    assert decision.no_double == pytest.approx(expected["nd"], abs=apart)
    assert decision.double_take == pytest.approx(expected["dt"], abs=apart)
    assert decision.double_pass == expected["dp"]


@pytest.mark.parametrize("name", ["cu-01", "cu-03"])
def test_nobody_may_double_and_why(name: str) -> None:
    decision, expected = decided(position_of(name)), case(name)["expected"]
    assert decision.may_double is expected["may_double"] is False
    assert expected["error_mentions"] in decision.why
    assert (decision.action, decision.take_point) == ("no double", None)


def test_double_match_point() -> None:
    decision = decided(position_of("cu-07"))
    assert decision.may_double is False
    assert "dead" in decision.why
    chance = GNUBG["4HPwATDgc/ABMA"][0]
    assert decision.no_double == pytest.approx(2 * chance - 1, abs=1e-6)
    assert decision.cubeless == pytest.approx(2 * chance - 1, abs=1e-6)


def test_after_crawford_the_trailer_may_double() -> None:
    assert decided(position_of("cu-02")).may_double is case("cu-02")["expected"]["may_double"]


def test_a_redouble_that_costs_nothing() -> None:
    decision = decided(position_of("cu-06"))
    assert case("cu-06")["expected"]["nd_not_above_dt"]
    assert decision.no_double <= decision.double_take


def test_cubeless_equity_of_the_bear_off() -> None:
    assert decided(position_of("cu-19")).cubeless == pytest.approx(
        case("cu-19")["expected"]["cubeless_equity"], abs=1e-3
    )


def test_money_and_match_do_not_mix() -> None:
    reported = case("cu-21")
    found = [decided(read_position(text).position) for text in reported["input"]["xgids"]]
    assert [said(decision) for decision in found] == reported["expected"]["actions"]
    for first, second in reported["expected"]["results_equal"]:
        assert found[first].no_double == found[second].no_double
        assert found[first].double_take == found[second].double_take
    for first, second in reported["expected"]["results_differ"]:
        assert found[first].no_double != found[second].no_double


def test_the_owner_of_the_cube_changes_the_equity() -> None:
    positions = [read_position(text).position for text in case("cu-22")["input"]["xgids"]]
    owned, centred, opponent = (ANALYST.evaluate(replace(position, dice=None)).equity for position in positions)
    assert owned > centred > opponent
    # The same of the plays of their roll, with a real network; after them a double of either cube may be a pass.
    ranked = Analyst.of().rank(positions)
    best = ranked.equities[ranked.order[ranked.plays.offsets[:-1]]]
    assert best[0] > best[1] >= best[2]


def test_a_double_is_compared_with_no_double() -> None:
    reported = case("cu-23")
    decision = decided(position_of("cu-23"))
    assert WORDS[decision.action] == reported["expected"]["best"]
    assert decision.loss(doubled=True) == pytest.approx(reported["expected"]["error_size"], abs=0.03)
    assert decision.loss(doubled=False) == 0


def test_the_mistake_of_taking_where_it_was_too_good() -> None:
    given, expected = case("cu-25")["input"], case("cu-25")["expected"]
    decision = replace(decided(Position()), no_double=given["nd"], double_take=given["dt"], double_pass=given["dp"])
    assert decision.loss(doubled=True) == pytest.approx(expected["doubler_error"])
    assert decision.answer_loss(taken=True) == pytest.approx(expected["taker_error"])
    assert decision.answer_loss(taken=False) == 0


def test_no_beaver_where_it_is_not_agreed() -> None:
    even = replace(Position(), score=Score(beavers=True))
    assert decided(even).answer == "beaver"
    assert decided(Position()).answer == decided(position_of("cu-12")).answer == "take"


def test_no_case_is_left_out() -> None:
    here = {f"cu-{number:02}" for number in (1, 2, 3, 6, 7, 9, 10, 12, 18, 19, 20, 21, 22, 23, 25)}
    assert {case_id(one)[:5] for one in cases("cube")} == here
