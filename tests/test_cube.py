"""The cube model against published take points and what the rules settle exactly."""

from __future__ import annotations

import numpy as np
import pytest

from bgai.analyst import Analyst
from bgai.board import result
from bgai.cube import CubeValues, cube_values
from bgai.cube_decision import decide_cube
from bgai.dice import ROLL_WEIGHTS, ROLLS
from bgai.kernels.cube import CASH, PASS, cube_lines, draw_lines
from bgai.met import default_met
from bgai.outcomes import Outcomes
from bgai.plays import legal_plays
from bgai.position import CUBE_LIMIT, Cube, CubeOwner, Position, Score
from bgai.stakes import stakes_of

CHANCES = np.linspace(0, 1, 100_001)


def outcomes(win: float, win_gammon: float = 0, lose_gammon: float = 0) -> Outcomes:
    return np.array([[win, win_gammon, 0, lose_gammon, 0]], dtype=np.float32)


def gammonless(chances: np.ndarray) -> Outcomes:
    result = np.zeros((len(chances), 5), dtype=np.float32)
    result[:, 0] = chances
    return result


def values(
    chances: Outcomes,
    score: Score | None = None,
    *,
    cube: int = 1,
    owner: CubeOwner = "centred",
    efficiency: float = 0.68,
) -> CubeValues:
    stakes = stakes_of(Cube(cube, owner), score or Score(), default_met(), CUBE_LIMIT)
    return cube_values(chances, stakes, owner, np.full(len(chances), efficiency))


def take_point(score: Score | None = None, *, cube: int = 1, efficiency: float) -> float:
    """The chance with which a gammonless double is just a take."""
    doubled = values(gammonless(CHANCES), score, cube=cube, efficiency=efficiency).double_take
    return float(1 - CHANCES[np.searchsorted(doubled, 1.0, side="right") - 1])


# Janowski, "Take-Points in Money Games" (1993): dead cube 25 %, fully live 20 %, and between them 21.4 % at 0.68.
@pytest.mark.parametrize(("efficiency", "expected"), [(0.0, 0.25), (1.0, 0.20), (0.68, 0.5 / 2.34)])
def test_money_take_points(efficiency: float, expected: float) -> None:
    assert take_point(efficiency=efficiency) == pytest.approx(expected, abs=1e-4)


def test_redoubling_points_of_a_live_cube() -> None:
    """Both sides' cash points with a fully live cube are 80 %: Keeler and Spencer, "Optimal Doubling" (1975)."""
    stakes = stakes_of(Cube(), Score(), None, CUBE_LIMIT).compiled
    lines = cube_lines(stakes)
    assert draw_lines(outcomes(0.5), 0, stakes, lines) == 0.5
    assert lines[0, CASH] == pytest.approx(0.8, abs=1e-5)
    assert lines[0, PASS] == pytest.approx(0.2, abs=1e-5)


@pytest.mark.parametrize("points", [(6, 1), (5, 2), (4, 4), (6, 4), (3, 2), (6, 6)])
def test_the_last_roll_by_exact_count(points: tuple[int, int]) -> None:
    """Whoever does not bear off both now loses: with a dead cube double above 50 %, take up to 75 %."""
    board = np.zeros(26, dtype=np.int8)
    np.add.at(board, list(points), 1)
    board[24] = -1
    chance = sum(
        float(weight)
        for roll, weight in zip(ROLLS, ROLL_WEIGHTS, strict=True)
        if any(result(after) for after in legal_plays(board, roll).successors)
    )
    found = values(gammonless(np.array([chance])), efficiency=0.0)
    assert found.no_double[0] == pytest.approx(2 * chance - 1, abs=1e-6)
    assert found.double_take[0] == pytest.approx(2 * (2 * chance - 1), abs=1e-6)
    assert bool(found.double[0]) == (chance > 0.5)
    assert (found.double_take[0] <= 1) == (chance <= 0.75)


def test_after_the_last_roll_nobody_redoubles() -> None:
    # 19 of 36 rolls bear off from 5 and 2. At 2-away to 4-away the taker would redouble at once, had it another roll
    # to win by; as it is, it wins the doubled game, and the match stands at 2-away each.
    chance = 19 / 36
    board = np.zeros(26, dtype=np.int8)
    board[[5, 2, 24]] = 1, 1, -1
    decision = decide_cube(Analyst.of(), Position(board=board, score=Score((5, 3), 7)))
    assert decision.mwc is not None
    assert decision.mwc["double_take"] == pytest.approx(chance + (1 - chance) * 0.5, abs=1e-5)
    assert (decision.action, decision.answer) == ("double", "take")


def test_dead_cube_take_point_at_two_away_each() -> None:
    # Passing leaves the Crawford game at 2-away to 1-away, 32.264 %; whoever wins a doubled game wins the match.
    assert take_point(Score((3, 3), 5), efficiency=0.68) == pytest.approx(0.32264, abs=1e-4)


def test_nobody_doubles_in_the_crawford_game() -> None:
    for points in ((3, 4), (4, 3)):
        stakes = stakes_of(Cube(), Score(points, 5, crawford=True), default_met(), CUBE_LIMIT)
        assert not stakes.may_double
        assert len(stakes.win) == 1


def test_after_crawford_the_trailer_doubles_at_once() -> None:
    for chance in (0.2, 0.4, 0.49):
        found = values(outcomes(chance, chance * 0.25, (1 - chance) * 0.25), Score((3, 4), 5))
        assert bool(found.double[0])


def test_the_free_drop_after_crawford() -> None:
    # The trailer needs two points: a pass leaves 1-away each, a take makes this game one for the match.
    assert take_point(Score((3, 4), 5), efficiency=0.68) == pytest.approx(0.5, abs=1e-4)
    # The trailer needs three: a pass leaves 2-away after Crawford, of which the leader wins 1 - 0.48803.
    passed = 1 - 0.48803
    taken = 1 - 0.5  # what the leader keeps when it loses the doubled game: 1-away each
    assert take_point(Score((2, 4), 5), efficiency=0.0) == pytest.approx((passed - taken) / (1 - taken), abs=1e-3)


def test_a_cube_that_wins_the_match_already_is_dead() -> None:
    stakes = stakes_of(Cube(2, "on roll"), Score((3, 1), 5), default_met(), CUBE_LIMIT)
    assert stakes.may_double
    assert not stakes.usable[0, 0]
    found = cube_values(outcomes(0.8), stakes, "on roll", np.array([0.68]))
    assert found.value[0] == found.no_double[0]


def test_at_double_match_point_gammons_are_worth_nothing() -> None:
    found = values(outcomes(0.6, 0.3, 0.02), Score((4, 4), 5))
    assert found.value[0] == pytest.approx(0.2, abs=1e-6)


def test_under_jacoby_a_centred_cube_is_never_too_good() -> None:
    gammonish = np.array([[0.9, 0.8, 0.1, 0, 0], [0.99, 0.95, 0.4, 0, 0], [0.7, 0.6, 0.1, 0.1, 0]], dtype=np.float32)
    without = values(gammonish)
    under = values(gammonish, Score(jacoby=True))
    assert (without.no_double > 1).any()
    assert (under.no_double <= 1).all()
    assert under.double.all()


def test_jacoby_does_not_touch_a_turned_cube() -> None:
    gammonish = outcomes(0.7, 0.5, 0.1)
    plain = values(gammonish, cube=2, owner="on roll")
    assert values(gammonish, Score(jacoby=True), cube=2, owner="on roll").no_double == plain.no_double


def test_owning_the_cube_is_best_and_the_opponent_owning_it_worst() -> None:
    for chance in (0.3, 0.5, 0.7):
        owned, centred, lost = (
            values(outcomes(chance, 0.1, 0.1), owner=owner, cube=2).no_double[0]
            for owner in ("on roll", "centred", "opponent")
        )
        assert owned > centred > lost


def test_a_bad_double_is_beavered_where_that_is_agreed() -> None:
    even = outcomes(0.45, 0.1, 0.12)
    assert not values(even).beaver[0]
    agreed = values(even, Score(beavers=True))
    assert agreed.beaver[0]
    assert agreed.double_take[0] == pytest.approx(2 * values(even).double_take[0])


def test_values_do_not_depend_on_the_positions_beside_them() -> None:
    mixed = np.concatenate([outcomes(0.3, 0.1), outcomes(0.8, 0.4, 0.01), outcomes(0.55)])
    together = values(mixed, Score((2, 4), 9))
    for number in range(3):
        alone = values(mixed[number : number + 1], Score((2, 4), 9))
        assert alone.no_double[0] == together.no_double[number]
        assert alone.double_take[0] == together.double_take[number]


def test_both_sides_agree_on_what_a_position_is_worth() -> None:
    """A position seen by the other side, with the cube turned round, has the opposite value if nobody may double."""
    mine = outcomes(0.62, 0.2, 0.08)
    theirs = np.array([[0.38, 0.08, 0, 0.2, 0]], dtype=np.float32)
    for owner, other in (("on roll", "opponent"), ("opponent", "on roll"), ("centred", "centred")):
        here = values(mine, Score((1, 3), 7), cube=2, owner=owner).no_double[0]  # type: ignore[arg-type]
        there = values(theirs, Score((3, 1), 7), cube=2, owner=other).no_double[0]  # type: ignore[arg-type]
        assert here == pytest.approx(-there, abs=1e-6)


def test_automatic_doubles_do_not_turn_the_cube_for_jacoby() -> None:
    gammonish = outcomes(0.7, 0.5, 0.1)
    centred = values(gammonish, Score(jacoby=True), cube=2)
    assert centred.no_double[0] == pytest.approx(values(gammonish, Score(jacoby=True)).no_double[0], abs=1e-5)
    assert centred.no_double[0] < values(gammonish, cube=2).no_double[0]
