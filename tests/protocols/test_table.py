"""What a server's board says as a state of a match, and what a player does then."""

from __future__ import annotations

import numpy as np
import pytest

from bgai.board import START, flip
from bgai.errors import InputError
from bgai.events import AcceptResignation, Double, Play, Resign, Take
from bgai.match_play import CubelessPlayer
from bgai.match_state import position
from bgai.player import HeuristicPlayer
from bgai.position import Cube, Score
from bgai.protocols.table import ME, OPPONENT, Table
from bgai.protocols.turns import Throw, decide
from tests.match_players import Gambler

ANCHORED = START.copy()
ANCHORED[[24, 20]] = 1
BOARD = tuple(ANCHORED.tolist())


def test_the_board_is_turned_for_the_player_on_roll() -> None:
    mine = Table(BOARD, ME, dice=(3, 1), length=7, score=(2, 5), cube=2, owner=OPPONENT).state()
    assert (mine.board == ANCHORED).all()
    assert position(mine).cube == Cube(2, "opponent")
    theirs = Table(BOARD, OPPONENT, length=7, score=(2, 5)).state()
    assert (theirs.board == flip(ANCHORED)).all()
    assert position(theirs).score == Score((5, 2), 7)


@pytest.mark.parametrize(
    ("table", "to_act"),
    [
        (Table(BOARD, ME), ME),
        (Table(BOARD, ME, doubled=True), OPPONENT),
        (Table(BOARD, OPPONENT), OPPONENT),
        (Table(BOARD, OPPONENT, doubled=True), ME),
        (Table(BOARD, OPPONENT, dice=(3, 1), resignation=2), ME),
        (Table(BOARD, ME, resignation=1), ME),
    ],
)
def test_whom_everybody_waits_for(table: Table, to_act: int) -> None:
    assert table.state().to_act == to_act


@pytest.mark.parametrize(
    ("score", "length", "crawford", "expected"),
    [
        ((4, 0), 5, True, (True, False)),
        ((4, 0), 5, False, (False, True)),
        ((4, 4), 5, False, (False, True)),
        ((3, 0), 5, True, (False, False)),
        ((0, 0), 1, False, (False, False)),
        ((40, 2), 0, True, (False, False)),
    ],
)
def test_crawford(score: tuple[int, int], length: int, crawford: bool, expected: tuple[bool, bool]) -> None:
    state = Table(BOARD, ME, score=score, length=length, crawford=crawford).state()
    assert (state.crawford, state.post_crawford) == expected


@pytest.mark.parametrize(
    "table",
    [
        Table((0,) * 26, ME),
        Table((16, *BOARD[1:]), ME),
        Table(BOARD, ME, cube=3, owner=ME),
        Table(BOARD, ME, score=(5, 0), length=5),
        Table(BOARD, ME, dice=(7, 1)),
        Table(BOARD, ME, score=(4, 0), length=5, crawford=True, doubled=True),
        Table(BOARD, ME, cube=2, owner=OPPONENT, doubled=True),
    ],
)
def test_what_cannot_be_is_an_error(table: Table) -> None:
    with pytest.raises(InputError):
        table.state()


def test_decisions() -> None:
    rng = np.random.default_rng(1)
    calm = CubelessPlayer(HeuristicPlayer())
    assert decide(calm, Table(BOARD, ME).state(), rng) == Throw()
    assert decide(calm, Table(BOARD, OPPONENT, doubled=True).state(), rng) == Take(ME)
    assert isinstance(decide(calm, Table(BOARD, ME, dice=(3, 1)).state(), rng), Play)
    assert decide(calm, Table(BOARD, ME, resignation=3).state(), rng) == AcceptResignation(ME)


def test_only_what_the_server_takes_is_said() -> None:
    class Bold(Gambler):
        def doubles(self, *_: object) -> bool:
            return True

        def resigns(self, *_: object) -> int:
            return 2

    rng = np.random.default_rng(1)
    state, bold = Table(BOARD, ME, length=5).state(), Bold("bold")
    assert decide(bold, state, rng) == Resign(ME, 2)
    assert decide(bold, state, rng, resignable=(1, 3)) == Double(ME)
    assert decide(bold, state, rng, resignable=(), doubling=False) == Throw()
    one_point = Table(BOARD, ME, length=5, score=(4, 0), crawford=True).state()
    assert decide(bold, one_point, rng, resignable=()) == Throw()
