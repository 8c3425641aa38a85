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


def test_a_part_are_races_with_a_gammon_in_the_balance() -> None:
    # Given: races of which one side has few checkers left or the other is far behind, among other positions.
    behind = np.zeros(26, dtype=np.int8)
    behind[[1, 6, 9, 13]], behind[[22, 24]] = [4, 4, 3, 4], [-6, -9]
    ahead = np.zeros(26, dtype=np.int8)
    ahead[[2, 5]], ahead[[21, 24]] = [8, 7], [-2, -3]
    boards = np.array([START, behind, ahead, flip(behind), flip(ahead)])
    # Then: such sides come together, seen by either.
    found = crossed(boards, 400, np.random.default_rng(4)).astype(int)
    whole = np.maximum(behind, 0) + np.minimum(ahead, 0)
    races = found[: round(crossing.RACES * 400)]
    assert {tuple(board) for board in races} == {tuple(whole), tuple(flip(whole.astype(np.int8)))}


@pytest.mark.parametrize(("left", "balanced"), [(1, False), (4, False), (5, True), (9, True)])
def test_where_the_gammon_is_settled_is_no_such_race(left: int, balanced: bool) -> None:
    # 37 pips home and one off are 4.7 rolls; four checkers go off in two rolls, five in three.
    board = np.zeros((1, 26), dtype=np.int8)
    board[0, [1, 9, 13]], board[0, 24] = [8, 3, 4], -left
    assert len(crossing._races(board, 10, np.random.default_rng(5))) == 10 * balanced
