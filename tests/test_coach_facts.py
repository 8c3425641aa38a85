"""Sides, primes, plans and races: positions whose facts are known by looking at them, or from GNU Backgammon."""

from __future__ import annotations

import json

import numpy as np
import pytest

from bgai.board import START, Board, flip
from bgai.coach import PLANS, describe
from bgai.coach.plans import Plan
from bgai.coach.position_facts import facts_of
from bgai.coach.race import PIPS_A_ROLL, keith_action, keith_count, kleinman, race_of
from bgai.coach.rolls import Blot
from bgai.coach.sides import Prime, both_sides, broken_prime_of, escape_edge, prime_of
from bgai.dice import ROLL_WEIGHTS, ROLLS
from bgai.errors import PositionError
from bgai.position import Cube, Position
from tests.coaching import Points, board_of
from tests.positions import mixed_positions

HOME_15 = {6: 3, 5: 3, 4: 3, 3: 2, 2: 2, 1: 2}


def test_the_start() -> None:
    own, other = both_sides(START)
    assert own == other
    assert (own.pips, own.bar, own.off, own.back, own.zone) == (167, 0, 0, 2, 8)
    assert own.points == (24, 13, 8, 6)
    assert (own.home_points, own.anchors, own.blots, own.shots) == ((6,), (24,), (), 0)
    assert own.stacks == ((13, 5), (6, 5))
    assert own.spares == 7
    assert own.builders == (8, 6)
    assert own.prime is None
    assert own.entry is None


def test_blots_and_what_hits_them() -> None:
    # After 4-1 13/9 6/5: the well-known count of the slot on the 5 point is 15, as of any blot four away.
    board = START.copy()
    board[[13, 9, 6, 5]] = 4, 1, 4, 1
    side = both_sides(board)[0]
    assert [blot.point for blot in side.blots] == [9, 5]
    assert side.blots[1] == Blot(5, 15)
    assert side.shots == side.costly_shots >= 15


def test_a_blot_in_the_others_home_is_no_costly_shot() -> None:
    board = START.copy()
    board[[24, 23]] = 1, 1
    side = both_sides(board)[0]
    assert side.shots > 0
    assert side.costly_shots == 0


def test_primes() -> None:
    full = board_of({7: 2, 6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 13: 3}, {24: 2, 6: 5})
    assert prime_of(full) == Prime(7, 2, 6, 2)
    assert broken_prime_of(full) is None
    four = board_of({8: 2, 7: 2, 6: 3, 5: 2, 3: 2}, {24: 1, 25: 1, 6: 5})
    assert prime_of(four) == Prime(8, 5, 4, 2)
    assert broken_prime_of(four) == Prime(8, 3, 5, 2)
    # The other's 19 point is the 6 point of the prime's owner: within the prime, not behind it.
    inside = board_of({8: 2, 7: 2, 5: 2, 4: 2}, {19: 1, 6: 5})
    assert prime_of(inside) is None
    assert broken_prime_of(inside) == Prime(8, 4, 4, 0)


def test_where_a_side_is_out() -> None:
    assert escape_edge(START) == 18
    assert escape_edge(board_of({24: 1, 6: 2}, {9: 2, 8: 2, 7: 2, 6: 2})) == 15
    # Nobody is behind this prime.
    assert escape_edge(board_of({14: 1, 6: 2}, {9: 2, 8: 2, 7: 2, 6: 2})) == 18


def test_the_two_sides_of_a_board_change_places_with_it() -> None:
    boards, _ = mixed_positions(15, seed=9)
    for board in boards[(boards > 0).any(axis=1) & (boards < 0).any(axis=1)]:
        assert both_sides(board) == both_sides(flip(board))[::-1]
        assert facts_of(board).plans == facts_of(flip(board)).plans[::-1]


PLANNED: list[tuple[Plan, Plan, Points, Points]] = [
    ("opening", "opening", {24: 2, 13: 5, 8: 3, 6: 5}, {24: 2, 13: 5, 8: 3, 6: 5}),
    # A lead of four pips, after 4-1 24/20, is no reason to run.
    ("opening", "opening", {24: 2, 13: 5, 8: 3, 6: 5}, {24: 1, 20: 1, 13: 5, 8: 3, 6: 5}),
    ("bear-off", "race", {6: 5, 5: 5}, {7: 2, 6: 5}),
    ("race", "race", {13: 2, 6: 5}, {8: 2, 6: 5}),
    ("ace-point game", "bear-in against contact", {24: 2, 6: 5, 5: 4, 4: 4}, {9: 2, 6: 5, 5: 4, 4: 4}),
    ("ace-point game", "bear-off against contact", {24: 2, 6: 5, 5: 4, 4: 4}, {6: 2, 5: 2, 4: 2, 3: 2}),
    ("holding game", "bear-in against contact", {20: 2, 13: 5, 6: 5, 8: 3}, {14: 2, 13: 3, 8: 3, 6: 5, 4: 2}),
    ("mutual holding game", "mutual holding game", {20: 2, 13: 5, 6: 5, 8: 3}, {20: 2, 13: 5, 8: 3, 6: 5}),
    ("back game", "bear-in against contact", {24: 2, 22: 3, 6: 5, 5: 3, 4: 2}, {13: 3, 8: 3, 6: 5, 5: 2, 4: 2}),
    ("blitz", "positional game", {13: 3, 8: 4, 6: 5, 5: 2, 24: 1}, {25: 1, 23: 1, 13: 4, 8: 4, 6: 5}),
    ("priming game", "positional game", {24: 2, 13: 2, 8: 2, 7: 2, 6: 3, 5: 2, 4: 2}, {24: 2, 13: 5, 8: 3, 6: 5}),
    ("containment", "coming home", {8: 2, 7: 2, 6: 3, 5: 2, 4: 2, 3: 2, 12: 2}, {25: 1, 2: 2, 1: 2}),
    # Six points with checkers behind them are a prime, and no blitz, though there is a blot to hit.
    ("priming game", "trapped", {8: 2, 7: 2, 6: 3, 5: 3, 4: 3, 3: 2}, {25: 2, 24: 1, 16: 3, 13: 4, 6: 5}),
    ("closeout", "closed out", {6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 1: 3, 7: 1}, {25: 1, 3: 1, 2: 1}),
    ("closed out", "closeout", {25: 1, 13: 5, 8: 2, 6: 5, 18: 1}, {6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 1: 2, 24: 2, 8: 1}),
    ("bear-off against contact", "waiting for a shot", {6: 2, 5: 2, 4: 2}, {25: 1, 6: 3, 5: 3, 4: 3, 3: 3, 2: 2}),
    ("coming home", "containment", {20: 1, 6: 4, 5: 4}, {10: 2, 8: 2, 7: 2, 6: 4, 4: 3, 3: 2}),
    ("positional game", "priming game", {24: 2, 21: 1, 13: 4, 8: 3, 6: 5}, {13: 3, 8: 3, 7: 2, 6: 3, 5: 2, 24: 2}),
    ("running game", "positional game", {24: 1, 23: 1, 8: 3, 6: 5, 5: 3, 4: 2}, {24: 2, 13: 5, 8: 3, 6: 5}),
]


@pytest.mark.parametrize(("own_plan", "other_plan", "own", "other"), PLANNED)
def test_plans(own_plan: Plan, other_plan: Plan, own: Points, other: Points) -> None:
    assert facts_of(board_of(own, other)).plans == (own_plan, other_plan)


def test_each_plan_has_an_example() -> None:
    assert {own for own, *_ in PLANNED} | {other for _, other, *_ in PLANNED} == set(PLANS)


RACES: list[tuple[Points, Points, float, int, int]] = [
    ({5: 3, 4: 3, 3: 2, 2: 2, 1: 1, 6: 4}, {6: 5, 5: 4, 4: 3, 3: 2, 2: 1}, 0.7734, 63, 70),
    ({6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 1: 2}, {6: 2, 5: 3, 4: 3, 1: 4}, 0.6528, 45, 49),
    ({8: 3, 7: 3, 6: 5, 5: 2, 4: 2}, {7: 3, 8: 3, 6: 4, 5: 3, 3: 2}, 0.5211, 93, 91),
    ({1: 7, 2: 4, 3: 2}, {6: 3, 4: 4, 2: 3}, 0.9844, 39, 43),
]
"""What GNU Backgammon 1.07 prints for `show kleinman` and `show keith`."""


@pytest.mark.parametrize(("own", "other", "chance", "keith", "their_keith"), RACES)
def test_formulas_equal_gnubgs(own: Points, other: Points, chance: float, keith: int, their_keith: int) -> None:
    race = race_of(board_of(own, other))
    assert race.pure
    assert race.runners is not None
    assert race.kleinman == pytest.approx(chance, abs=5e-5)
    assert [runner.keith for runner in race.runners] == [keith, their_keith]


def test_formulas_at_the_start() -> None:
    assert kleinman(167, 167) == pytest.approx(0.5619, abs=5e-5)
    assert keith_count(START) == 169
    assert not race_of(START).pure
    assert race_of(START).runners is None


@pytest.mark.parametrize(
    ("own", "other", "owned", "action"),
    [
        (100, 109, False, "no double, take"),  # 100 is raised to 114, which exceeds 109 by 5
        (100, 110, False, "double, take"),
        (100, 110, True, "no double, take"),
        (100, 111, True, "redouble, take"),
        (100, 112, False, "double, take"),
        (100, 113, False, "double, pass"),
    ],
)
def test_what_keiths_count_says(own: int, other: int, owned: bool, action: str) -> None:
    assert keith_action(own, other, owned=owned) == action


def test_effective_pips() -> None:
    race = race_of(board_of({1: 1}, {1: 3}))
    assert race.runners is not None
    one, three = race.runners
    assert one.rolls == 1
    assert one.effective == pytest.approx(49 / 6)
    assert one.wastage == pytest.approx(49 / 6 - 1)
    # Three checkers on the ace point go with one double or in two rolls.
    assert three.rolls == pytest.approx(1 / 6 + 2 * 5 / 6)
    # Trice: a stack of 2n checkers on the ace point has about 7n + 1 effective pips.
    stack = race_of(board_of({1: 14}, {1: 2})).runners
    assert stack is not None
    assert stack[0].effective == pytest.approx(7 * 7 + 1, abs=0.5)
    pips = [(high + low) * (2 if high == low else 1) for high, low in ROLLS]
    assert float(ROLL_WEIGHTS @ np.array(pips)) == pytest.approx(PIPS_A_ROLL)


def test_where_the_tables_know_the_chance_they_tell_it() -> None:
    # Two checkers against one on its ace point: 15 of 36 rolls take both off.
    short = race_of(board_of({6: 1, 1: 1}, {1: 1}))
    assert short.table == pytest.approx(15 / 36, abs=1e-6)
    assert short.exact
    long = race_of(board_of(HOME_15, HOME_15))
    assert long.table is not None
    assert 0.5 < long.table < 0.8
    assert not long.exact
    assert race_of(board_of(HOME_15, {13: 2, 6: 5})).table is None
    assert race_of(START).table is None


def test_effective_pips_are_known_of_a_side_that_is_at_home_alone() -> None:
    race = race_of(board_of(HOME_15, {13: 2, 6: 5}))
    assert race.runners is not None
    assert race.runners[0].effective is not None
    assert race.runners[0].wastage is not None
    assert race.runners[0].wastage > 0
    assert race.runners[1].effective is None


def test_who_leads() -> None:
    race = race_of(board_of({8: 2, 6: 4}, {10: 2, 6: 4}))
    assert race.lead == 4
    assert race.lead_share == pytest.approx(4 / 40)
    assert race_of(flip(board_of({8: 2, 6: 4}, {10: 2, 6: 4}))).lead == -4


def test_describe() -> None:
    facts = describe(Position(dice=(3, 1)))
    assert (facts.position_id, facts.dice) == ("4HPwATDgc/ABMA", (3, 1))
    record = json.loads(json.dumps(facts.to_dict()))
    assert record["sides"][0]["stacks"] == [[13, 5], [6, 5]]
    # Keith counts of 82, raised to 93, and 89: enough for a double, not for a redouble.
    board = board_of({8: 4, 6: 8}, {8: 6, 7: 3, 6: 3})
    assert describe(Position(board)).race.keith_action == "double, take"
    assert describe(Position(board, cube=Cube(2, "on roll"))).race.keith_action == "no double, take"


def test_a_game_that_is_over_has_no_facts() -> None:
    board: Board = np.zeros(26, dtype=np.int8)
    board[3] = 2
    with pytest.raises(PositionError, match="the game is over, expected a position that can be explained"):
        describe(Position(board))
