"""Crossed positions: one side's checkers of one position, the other's of another."""

from __future__ import annotations

import numpy as np
import pytest
from bgai_train import crossing
from bgai_train.crossing import crossed

from bgai.board import START, flip
from bgai.phase import PHASES, phases
from tests.positions import mixed_positions

BOARDS, _ = mixed_positions(300, seed=41)


def sides(board: np.ndarray) -> tuple[tuple[int, ...], tuple[int, ...]]:
    return tuple(np.maximum(board, 0)), tuple(np.minimum(board, 0))


def test_sides_are_those_of_the_boards_but_for_one_or_two_that_were_hit() -> None:
    found = crossed(BOARDS, 2000, np.random.default_rng(1))
    assert found.shape == (2000, 26)
    assert found.dtype == np.int8
    own, others = ({sides(board)[which] for board in BOARDS} for which in (0, 1))
    untouched = hit = 0
    for board in found:
        mine, theirs = sides(board)
        if mine in own and theirs in others:
            untouched += 1
            continue

        # A checker, or two, came to the bar from somewhere else.
        def back(side: tuple[int, ...], bar: int, known: set[tuple[int, ...]]) -> bool:
            change = [np.array(side) - np.array(each) for each in known]
            return any(np.abs(each).sum() in (2, 4) and abs(each[bar]) == np.abs(each).sum() // 2 for each in change)

        assert mine in own or back(mine, 25, own)
        assert theirs in others or back(theirs, 0, others)
        hit += 1
    # Half get one, of those half a second; a checker that was on the bar before changes nothing.
    assert 0.4 < hit / 2000 < 0.55
    kinds = np.bincount(phases(found), minlength=3)
    assert kinds[PHASES.index("bearoff")] == 0
    assert kinds[PHASES.index("contact")] > kinds[PHASES.index("race")] > 0
    assert untouched > 800


def test_all_checkers_stay_on_the_board() -> None:
    found = crossed(np.array([START, flip(START)]), 500, np.random.default_rng(2)).astype(int)
    assert set(np.maximum(found, 0).sum(1)) == {15}
    assert set(np.minimum(found, 0).sum(1)) == {-15}
    assert (found[:, 25] >= 0).all()
    assert (found[:, 0] <= 0).all()
    assert {0, 1, 2} == set(found[:, 25]) == set(-found[:, 0])


def test_sides_on_the_same_point_and_bearoffs_are_left_out() -> None:
    boards = np.zeros((2, 26), dtype=np.int8)
    boards[0, [5, 20]], boards[1, [20, 5]] = [15, -15], [15, -15]
    found = crossed(boards, 200, np.random.default_rng(3))
    at = {(int(low), int(high)) for low, high in found[:, [5, 20]]}
    assert {(np.sign(low), np.sign(high)) for low, high in at} == {(1, -1), (-1, 1)}
    # The first with itself is a bear-off, unless one is hit; the second is none.
    assert (15, -15) not in at
    assert (-15, 15) in at


def test_nobody_waits_for_ever() -> None:
    closed = np.zeros((1, 26), dtype=np.int8)
    closed[0, 1:7], closed[0, 19:25] = 2, -2
    closed[0, 10], closed[0, 0] = 2, -1
    # The other is on the bar. Once one of ours, on the 10 point or elsewhere, is hit, a board must have opened.
    found = crossed(closed, 300, np.random.default_rng(3))
    both = (found[:, 25] > 0) & (found[:, 0] < 0)
    shut = (found[:, 1:7] >= 2).all(axis=1) & (found[:, 19:25] <= -2).all(axis=1)
    assert both.any()
    assert not (both & shut).any()


def test_the_seed_decides() -> None:
    one, again, other = (crossed(BOARDS, 50, np.random.default_rng(seed)) for seed in (7, 7, 8))
    assert np.array_equal(one, again)
    assert not np.array_equal(one, other)


def race(own: dict[int, int], others: dict[int, int]) -> np.ndarray:
    board = np.zeros(26, dtype=np.int8)
    board[list(own)] = list(own.values())
    board[list(others)] = [-count for count in others.values()]
    return board


def test_a_part_are_races_with_a_gammon_in_the_balance() -> None:
    # Given: races of which one side has few checkers left or the other is far behind, among other positions.
    behind = race({1: 4, 6: 4, 9: 3, 13: 4}, {22: 6, 24: 9})
    ahead = race({2: 8, 5: 7}, {21: 2, 24: 3})
    boards = np.array([START, behind, ahead, flip(behind), flip(ahead)])
    # Then: such sides come together, seen by either; the others are as ever.
    found = crossed(boards, 400, np.random.default_rng(4), races=0.2)
    whole = race({1: 4, 6: 4, 9: 3, 13: 4}, {21: 2, 24: 3})
    assert {tuple(board) for board in found[:40]} == {tuple(flip(whole))}
    assert {tuple(board) for board in found[40:80]} == {tuple(whole)}
    assert len(found) == 400
    assert (phases(found[80:]) == PHASES.index("contact")).mean() > 0.5
    # Unless they are asked for there are hardly any.
    plain = crossed(boards, 400, np.random.default_rng(4))
    assert sum(tuple(board) in {tuple(whole), tuple(flip(whole))} for board in plain) < 40


@pytest.mark.parametrize(
    ("own", "left", "balanced"),
    [
        # 37 pips home and one off are 4.7 rolls. Four checkers go off in two, five in three.
        ({1: 8, 9: 3, 13: 4}, 4, False),
        ({1: 8, 9: 3, 13: 4}, 5, True),
        ({1: 8, 9: 3, 13: 4}, 9, True),
        ({1: 8, 9: 3, 13: 4}, 10, False),
        # Two pips, of which one takes a checker off, are a quarter of a roll: the gammon is saved before nine are off.
        ({1: 14, 7: 1}, 4, True),
        ({1: 14, 7: 1}, 9, False),
        # 34.3 pips are 4.2 rolls.
        ({1: 10, 12: 3, 13: 1, 15: 1}, 4, False),
        ({1: 10, 12: 3, 13: 1, 14: 1}, 4, True),
        # Somebody is still in the other home board, or everybody at home.
        ({1: 12, 9: 2, 19: 1}, 5, False),
        ({1: 15}, 3, False),
    ],
)
def test_where_the_gammon_is_settled_is_no_such_race(own: dict[int, int], left: int, balanced: bool) -> None:
    boards = race(own, {24: left})[None]
    assert len(crossing._races(boards, 10, np.random.default_rng(5))) == 10 * balanced
