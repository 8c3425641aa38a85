"""Labels that no position can have are refused."""

from __future__ import annotations

import numpy as np
import pytest

from bgai.board import START
from bgai.errors import InputError
from bgai.notation.positionid import parse_position_id
from bgai.outcomes import check_outcomes, possible
from tests.cases import case
from tests.networks import plain_outcomes, random_weights
from tests.positions import corner_positions


def test_reported_row_with_gammons_though_the_loser_has_a_checker_off_is_refused() -> None:
    reported = case("tr-04")
    position_id, *numbers = reported["input"]["row"].split(";")
    board = parse_position_id(position_id)
    outcomes = np.array([float(number) for number in numbers], dtype=np.float32)
    with pytest.raises(InputError, match="row 1: the opponent has borne off a checker, so win_gammon"):
        check_outcomes(np.stack([START, board]), np.stack([np.full(5, 0, np.float32), outcomes]))
    assert not reported["expected"]["accept"]
    # And what the rules leave of it is accepted.
    check_outcomes(board[None], possible(board, outcomes)[None])


@pytest.mark.parametrize(
    ("outcomes", "reason"),
    [
        ([0.5, 0.6, 0.0, 0.0, 0.0], "win_gammon <= win"),
        ([0.5, 0.1, 0.2, 0.0, 0.0], "win_backgammon <= win_gammon"),
        ([0.5, 0.0, 0.0, 0.6, 0.0], "lose_gammon <= 1 - win"),
        ([0.5, 0.0, 0.0, 0.1, 0.2], "lose_backgammon <= lose_gammon"),
        ([0.5, -0.1, -0.1, 0.0, 0.0], "0 <= win_backgammon"),
        ([1.5, 0.0, 0.0, 0.0, 0.0], "win is not within 0 to 1"),
        ([np.nan, 0.0, 0.0, 0.0, 0.0], "no number"),
    ],
)
def test_chances_out_of_order_are_refused(outcomes: list[float], reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        check_outcomes(START[None], np.array([outcomes], dtype=np.float32))


def test_gammons_lost_with_a_checker_off_are_refused() -> None:
    board = START.copy()
    board[6] -= 1
    with pytest.raises(InputError, match="the player on roll has borne off"):
        check_outcomes(board[None], np.array([[0.5, 0.1, 0.0, 0.1, 0.0]], dtype=np.float32))


def test_whatever_a_network_says_is_accepted() -> None:
    boards, _ = corner_positions(300, seed=5)
    check_outcomes(boards, plain_outcomes(random_weights([20], seed=2, scale=3), boards))
