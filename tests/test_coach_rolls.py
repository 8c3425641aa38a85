"""Shots and other counts of rolls, against the published tables, a slow oracle and hand counts."""

from __future__ import annotations

import numpy as np
import pytest

from bgai.board import START, Board
from bgai.coach.rolls import Reach, unsafe_rolls
from bgai.dice import ROLLS
from tests import oracle
from tests.coaching import board_of
from tests.positions import mixed_positions

SHOTS = {1: 11, 2: 12, 3: 14, 4: 15, 5: 15, 6: 17, 7: 6, 8: 6, 9: 5, 10: 3, 11: 2, 12: 3, 15: 1, 16: 1, 18: 1, 20: 1}
"""Of 36 rolls, those that hit a blot at a distance with nothing in between: the table of every textbook."""


@pytest.mark.parametrize("distance", range(1, 24))
def test_an_open_shot_is_hit_as_the_tables_say(distance: int) -> None:
    board = board_of({24: 1}, {1 + distance: 1})
    (attack,) = Reach(board[None]).attacks()
    assert [(blot.point, blot.shots) for blot in attack.blots] == [(1 + distance, SHOTS.get(distance, 0))]
    assert attack.hits == SHOTS.get(distance, 0)


def test_points_in_the_way_take_away_combinations() -> None:
    open_way = board_of({20: 1, 6: 2}, {11: 1})
    blocked = board_of({20: 1, 6: 2}, {11: 1, 7: 2, 9: 2})
    assert Reach(open_way[None]).attacks()[0].hits == SHOTS[6]
    # Held are the points 2 and 4 away: 4-2 and 2-2 fail, 5-1 and 3-3 and every 6 hit.
    assert Reach(blocked[None]).attacks()[0].hits == SHOTS[6] - 2 - 1


def test_a_hit_at_home_costs_little_and_two_blots_may_be_hit_at_once() -> None:
    # From 8 the blot on 6 (the owner's 19) is two away, from 13 the one on 12 (the owner's 13) one away.
    board = board_of({8: 2, 13: 2}, {19: 1, 13: 1})
    (attack,) = Reach(board[None]).attacks()
    by_point = {blot.point: blot.shots for blot in attack.blots}
    assert set(by_point) == {19, 13}
    assert by_point[13] == attack.costly_hits == SHOTS[1]
    assert attack.double_hits == 5  # 2-1, 6-1 (13/12*/6*) and 1-1 (13/12*, 8/7/6*)
    assert attack.hits == by_point[19] + by_point[13] - attack.double_hits


@pytest.mark.parametrize("closed", range(7))
def test_rolls_that_dance(closed: int) -> None:
    home = dict.fromkeys(range(1, closed + 1), 2)
    (entry,) = Reach(board_of({25: 1, 6: 2}, {**home, 12: 1})[None]).entries()
    assert entry is not None
    assert entry.dancing == closed**2
    assert entry.all_in == 36 - closed**2
    (two,) = Reach(board_of({25: 2, 6: 2}, {**home, 12: 1})[None]).entries()
    assert two is not None
    assert (two.dancing, two.all_in) == (closed**2, (6 - closed) ** 2)
    assert Reach(START[None]).entries() == [None]


def _slow_counts(board: Board) -> tuple[dict[int, int], int, int]:
    """Shots at each blot, at any, and rolls that dance, with the rules of the oracle."""
    state = oracle.from_board(board.tolist())
    blots = [place for place in set(state.other) if state.other.count(place) == 1 and place != oracle.BAR]
    shots, total, dancing = dict.fromkeys(blots, 0), 0, 0
    for high, low in ROLLS:
        weight = 1 if high == low else 2
        # The other side is on roll after the play.
        plays = oracle.legal_plays(state, high, low)
        hit = {blot for blot in blots for after in plays if blot not in after.mover}
        for blot in hit:
            shots[blot] += weight
        total += weight * bool(hit)
        waiting = state.mover.count(oracle.BAR)
        dancing += weight * all(after.other.count(oracle.BAR) == waiting for after in plays)
    return shots, total, dancing


def test_counts_equal_those_of_the_oracle() -> None:
    boards, _ = mixed_positions(40, seed=3)
    going_on = (boards > 0).any(axis=1) & (boards < 0).any(axis=1)
    boards = boards[going_on]
    reach = Reach(boards)
    for board, attack, entry in zip(boards, reach.attacks(), reach.entries(), strict=True):
        shots, total, dancing = _slow_counts(board)
        assert {blot.point: blot.shots for blot in attack.blots} == shots, board
        assert attack.hits == total, board
        if entry is not None:
            assert entry.dancing == dancing, board


def test_escapes_are_rolls_past_the_edge() -> None:
    free = board_of({24: 1, 6: 2}, {13: 2})
    assert Reach(free[None]).past([18]) == [27]  # all but 1-1, 2-1, 3-1, 4-1 and 3-2
    prime = {7: 2, 6: 2, 5: 2, 4: 2, 3: 2, 2: 2}
    behind = board_of({24: 1, 6: 2}, prime)
    assert Reach(behind[None]).past([17]) == [0]


def test_rolls_that_make_a_point() -> None:
    board = board_of({11: 1, 10: 1}, {24: 2})
    found = Reach(board[None]).new_points()[0]
    expected = sum(
        1 if high == low else 2
        for high, low in ROLLS
        if any(
            any(after.other.count(point) >= 2 for point in range(1, 8))
            for after in oracle.legal_plays(oracle.from_board(board.tolist()), high, low)
        )
    )
    assert found == expected > 2


def test_unsafe_rolls() -> None:
    # Clearing a point against an anchor: two on 8, the rest at home; the other holds the own 1 point.
    board = board_of({8: 2, 6: 3, 5: 3, 4: 3, 3: 2, 2: 2}, {24: 2, 1: 5, 2: 4, 3: 4})
    expected = 0
    for high, low in ROLLS:
        plays = oracle.legal_plays(oracle.from_board(board.tolist()), high, low)
        safe = False
        for after in plays:
            blots = [place for place in set(after.other) if after.other.count(place) == 1]
            hit = any(
                blot not in reply.mover
                for one, two in ROLLS
                for reply in oracle.legal_plays(after, one, two)
                for blot in blots
            )
            safe = safe or not hit
        expected += (1 if high == low else 2) * (not safe)
    assert unsafe_rolls(board) == expected
    assert 0 < expected < 36


def test_boards_do_not_depend_on_their_neighbours() -> None:
    boards, _ = mixed_positions(12, seed=5)
    boards = boards[(boards > 0).any(axis=1) & (boards < 0).any(axis=1)]
    together = Reach(boards)
    for number, board in enumerate(boards):
        alone = Reach(board[None])
        first, end = together._ranges()[number]
        assert alone.attacks() == [together.attacks()[number]]
        assert alone.new_points() == [together.new_points()[number]]
        assert alone.past([18]) == [together.past([18] * len(boards))[number]]
        assert np.array_equal(alone.after, together.after[first:end])
