"""Match equity: lookups, results of games, take points and gammon values, by hand and by published facts."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from bgai.errors import InputError
from bgai.met import RESULTS, MatchEquityTable, check_met, default_met, gammon_values, take_point
from bgai.outcomes import exclusive
from tests.cases import case, case_id, cases


@pytest.fixture(scope="module")
def met() -> MatchEquityTable:
    return default_met()


def test_every_case_of_the_kind_is_tested_here() -> None:
    assert {case_id(each)[:5] for each in cases("met")} == {"me-01", "me-04", "me-05"}


def test_me_01_crawford_and_post_crawford_are_told_apart(met: MatchEquityTable) -> None:
    told = case("me-01")
    assert met.name == told["input"]["table"]
    for (mine, theirs, game), expected in zip(told["input"]["lookups"], told["expected"]["values"], strict=True):
        found = met.mwc(mine, theirs, crawford=game == "crawford", post_crawford=game == "post")
        assert found == pytest.approx(expected, abs=told["expected"]["tolerance"]), (mine, theirs, game)


def test_me_04_take_point_at_2_away_2_away(met: MatchEquityTable) -> None:
    told = case("me-04")
    away = (told["input"]["taker_away"], told["input"]["doubler_away"])
    expected, tolerance = told["expected"]["take_point"], told["expected"]["tolerance"]
    assert take_point(met, away, told["input"]["cube"]) == pytest.approx(expected, abs=tolerance)


def test_me_05_gammons_have_no_value_at_double_match_point(met: MatchEquityTable) -> None:
    told = case("me-05")
    chances: dict[str, Any] = told["input"]["probs"]
    outcomes = np.array([chances[key] for key in ("win", "win_g", "win_bg", "lose_g", "lose_bg")])
    results = met.outcome_mwc((1, 1))
    # `exclusive` has won and lost games, each from single to backgammon.
    mwc = float(exclusive(outcomes) @ np.concatenate([results[3:], results[2::-1]]))
    assert 2 * mwc - 1 == pytest.approx(told["expected"]["equity"])
    assert not gammon_values(met, (1, 1)).any()


def test_published_entries(met: MatchEquityTable) -> None:
    """Chances that players know by heart, in the table's own digits."""
    assert met.length == 25
    known = {(3, 5): 0.64795, (4, 2): 0.3313, (7, 7): 0.5, (1, 9): 0.94402, (25, 1): 0.00095, (2, 25): 0.99802}
    for (mine, theirs), expected in known.items():
        assert met.mwc(mine, theirs) == pytest.approx(expected, abs=1e-9)
    assert met.post[[0, 24]].tolist() == [0.5, 0.00123]
    assert check_met(met) == []


def test_shape_and_finished_matches(met: MatchEquityTable) -> None:
    away = np.arange(-2, 4)
    chances = met.mwc(away, 2)
    assert chances.dtype == np.float64
    assert chances.tolist() == [1.0, 1.0, 1.0, 0.67736, 0.5, 0.40053]
    assert met.mwc(2, [-1, 0, 1]).tolist() == [0.0, 0.0, 0.32264]
    assert met.mwc([[2], [3]], [1, 1], post_crawford=[False, True]).tolist() == [[0.32264, 0.48803], [0.24924, 0.32264]]
    assert isinstance(met.mwc(3, 4), float)


def test_after_the_crawford_game_both_sides_add_up(met: MatchEquityTable) -> None:
    away = np.arange(1, 26)
    trailer, leader = met.mwc(away, 1, post_crawford=True), met.mwc(1, away, post_crawford=True)
    assert np.array_equal(trailer, met.post)
    assert np.allclose(trailer + leader, 1, atol=1e-15)


def test_a_table_cannot_be_changed(met: MatchEquityTable) -> None:
    for array in (met.pre, met.post, met.grid):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0.3


def test_results_by_hand(met: MatchEquityTable) -> None:
    """4-away against 2-away: the rows of the table that each result leads to."""
    assert RESULTS == (-3, -2, -1, 1, 2, 3)
    # Losing a point: the opponent is 1-away, the Crawford game. Losing more: over.
    assert met.outcome_mwc((4, 2)).tolist() == [0.0, 0.0, 0.18564, 0.40053, 0.5, 0.67736]
    assert met.outcome_mwc((4, 2), 2).tolist() == [0.0, 0.0, 0.0, 0.5, 1.0, 1.0]
    both = met.outcome_mwc([[4, 2], [2, 4]], [1, 2])
    assert both.shape == (2, 6)
    assert np.allclose(both[1], 1 - met.outcome_mwc((4, 2), 2)[::-1], atol=1e-15)


def test_the_game_after_one_at_1_away_is_after_crawford(met: MatchEquityTable) -> None:
    """Whether the game itself is the Crawford game or comes later makes no difference to what follows it."""
    crawford = met.outcome_mwc((4, 1), crawford=True)
    assert crawford.tolist() == [0.0, 0.0, 0.0, 0.32264, 0.48803, 0.5]
    assert np.array_equal(crawford, met.outcome_mwc((4, 1), post_crawford=True))
    # Before it, becoming 1-away leads to the Crawford game instead.
    assert met.after(2, 3, 1) == 0.75076
    assert met.after(3, 2, -1) == 0.24924
    assert met.after(1, 5, -2) == pytest.approx(1 - 0.32264)


def test_results_are_those_of_after(met: MatchEquityTable) -> None:
    for away in [(1, 1), (1, 6), (5, 1), (2, 2), (7, 3), (25, 25)]:
        for cube in (1, 2, 4, 32):
            expected = [met.after(*away, cube * result) for result in RESULTS]
            assert met.outcome_mwc(away, cube).tolist() == expected
            assert expected == sorted(expected)


def test_take_points_by_hand(met: MatchEquityTable) -> None:
    # 3-away doubled by 4-away: pass 3-3, win 1-4, lose 3-2.
    assert take_point(met, (3, 4)) == pytest.approx((0.5 - 0.40053) / (0.81436 - 0.40053))
    # 4-away, doubled to 4 by an opponent who wins the match with it: pass 4-2.
    assert take_point(met, (4, 4), 2) == pytest.approx(0.3313)
    # After the Crawford game the leader passes into 1-2 or takes for the match; at 1-1 there is nothing to gain.
    assert take_point(met, (1, 2)) == 0.5
    assert take_point(met, (1, 3)) == pytest.approx((1 - 0.48803 - 0.5) / 0.5)
    # A long way from the end it is nearly money.
    assert take_point(default_met(200), (200, 200)) == pytest.approx(0.25, abs=0.002)
    assert take_point(met, [[2, 2], [3, 4]]).shape == (2,)


def test_gammon_values_by_hand(met: MatchEquityTable) -> None:
    found = gammon_values(met, (4, 2))
    swing = 0.40053 - 0.18564
    expected = [(0.5 - 0.40053) / swing, (0.67736 - 0.40053) / swing, 0.18564 / swing, 0.18564 / swing]
    assert found == pytest.approx(expected)
    assert gammon_values(met, (4, 1)) == pytest.approx([0.16539 / 0.32264, 0.17736 / 0.32264, 0, 0])
    assert gammon_values(default_met(200), (200, 200)) == pytest.approx([0.5, 1, 0.5, 1], abs=0.003)
    assert gammon_values(met, [[4, 2], [2, 4]])[:, [0, 2]].tolist() == [
        pytest.approx([expected[0], expected[2]]),
        pytest.approx([expected[2], expected[0]]),
    ]


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (
            lambda met: met.mwc(26, 1),
            "Kazaross-XG2 goes to 25 points, found 26-away; bgai.met.extend_met makes it longer",
        ),
        (lambda met: met.mwc(0, -1), "no such score: 0-away, 0-away, both cannot have won"),
        (
            lambda met: met.mwc([5, 2], 3, post_crawford=[False, True]),
            "no such score: 2-away, 3-away, nobody is 1-away",
        ),
        (lambda met: met.mwc(2, 3, crawford=True), "nobody is 1-away in the Crawford game"),
        (lambda met: met.outcome_mwc((0, 3)), "the match is over at"),
        (lambda met: met.outcome_mwc((4, 2), crawford=True), "nobody is 1-away at [4, 2] points away"),
        (lambda met: met.outcome_mwc((1, 2), crawford=True, post_crawford=True), "not both"),
        (lambda met: MatchEquityTable("x", np.ones((2, 3)), np.ones(2)), "found shapes (2, 3) and (2,)"),
        (lambda met: MatchEquityTable("x", np.ones((2, 2)), np.ones(3)), "found shapes (2, 2) and (3,)"),
        (lambda met: default_met(1001), "for matches of 1 to 1000 points, found 1001"),
    ],
)
def test_what_cannot_be_asked(met: MatchEquityTable, ask: Any, said: str) -> None:
    with pytest.raises(InputError) as caught:
        ask(met)
    assert said in str(caught.value)


def test_nothing_is_read_before_it_is_asked_for() -> None:
    code = (
        "import bgai.met, bgai.met.files as files, sys\n"
        "assert not {'torch', 'xml.etree.ElementTree', 'scipy'} & set(sys.modules)\n"
        "assert files._shipped.cache_info().currsize == 0\n"
        "assert bgai.met.default_met() is bgai.met.default_met()\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
