"""Boards as FIBS sends them."""

from __future__ import annotations

import pytest

from bgai.board import START
from bgai.errors import PositionError
from bgai.notation.fibs import parse_fibs_board
from bgai.protocols.fibs_board import format_move, read_board, split_glued
from bgai.protocols.table import ME, OPPONENT

SEEN = (
    "board:mpgnu:buster:17:0:2:0:0:0:2:1:4:3:0:1:0:1:0:0:2:0:0:0:0:0:1:-2:-2:-1:-4:-4:0"
    ":-1:3:6:0:0:1:1:1:0:-1:1:25:0:2:0:0:0:2:2:0:0"
)
"""Seen on FIBS and published in a forum for authors of clients, 2003."""
BETWEEN = (
    "board:You:GibbonTestD:9999:7:9:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0"
    ":0:0:0:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:2:0:0:0"
)
"""Between two games, as the notes of another server's author have it."""


def test_a_board_from_fibs() -> None:
    board = read_board(SEEN)
    table = board.table
    assert table is not None
    assert board.opponent == "buster"
    assert board.upwards
    assert (table.length, table.score, table.on_roll, table.dice) == (17, (0, 2), ME, (3, 6))
    own = {point: count for point, count in enumerate(table.board) if count > 0}
    assert own == {1: 4, 2: 4, 3: 1, 4: 2, 5: 2}
    assert table.state().board.tolist() == parse_fibs_board(SEEN).board.tolist()


def test_between_games_there_is_no_table() -> None:
    assert read_board(BETWEEN).table is None


def line(numbers: dict[int, int], *, upwards: bool = False) -> str:
    """The starting position on FIBS, with some of the fifty numbers changed."""
    points = START.tolist() if not upwards else [-count for count in START[::-1].tolist()]
    sign = -1 if upwards else 1
    values = [5, 0, 0, *points, sign, 0, 0, 0, 0, 1, 1, 1, 0, sign, -sign, 0, 25, 0, 0, 0, 0, 0, 0, 0, 0]
    for number, value in numbers.items():
        values[number - 1] = value
    return ":".join(["board", "You", "ann", *map(str, values)])


def table_of(numbers: dict[int, int], *, upwards: bool = False) -> object:
    found = read_board(line(numbers, upwards=upwards)).table
    assert found is not None
    return found


@pytest.mark.parametrize("upwards", [False, True])
def test_both_directions_are_the_same_game(upwards: bool) -> None:
    table = read_board(line({31: 6, 32: 2}, upwards=upwards)).table
    assert table is not None
    assert table.board == tuple(START.tolist())
    assert (table.on_roll, table.dice) == (ME, (6, 2))


def test_dice_that_are_left_over_are_not_played() -> None:
    table = read_board(line({33: 6, 34: 2})).table
    assert table is not None
    assert (table.on_roll, table.dice) == (ME, None)


def test_a_double_of_the_opponent_waits() -> None:
    """Number 30 is then the player who has to answer, and neither may double."""
    table = read_board(line({35: 2, 36: 0, 37: 0, 38: 1})).table
    assert table is not None
    assert (table.doubled, table.on_roll, table.owner) == (True, OPPONENT, OPPONENT)
    assert table.state().to_act == ME


def test_an_own_double_waits() -> None:
    table = read_board(line({30: -1, 36: 0, 37: 0})).table
    assert table is not None
    assert (table.doubled, table.on_roll) == (True, ME)
    assert table.state().to_act == OPPONENT


@pytest.mark.parametrize(
    ("numbers", "crawford"),
    [
        ({2: 4}, True),
        ({3: 4}, True),
        ({2: 4, 49: 1}, False),
        ({2: 4, 48: 3}, False),
        ({2: 3}, False),
        ({1: 1}, False),
        ({1: 9999, 2: 9998}, False),
    ],
)
def test_the_crawford_game(numbers: dict[int, int], crawford: bool) -> None:
    """Both players "may double" in it as in any other."""
    table = read_board(line(numbers)).table
    assert table is not None
    assert table.crawford is crawford
    assert table.state().crawford is crawford


@pytest.mark.parametrize("glued", ["12 bob hi there", "7 eve eve logs in.", "ann doubles. Type 'accept' or 'reject'."])
def test_what_is_glued_to_a_board_is_cut_off(glued: str) -> None:
    assert split_glued(SEEN + glued) == (SEEN, glued)
    assert split_glued(SEEN) == (SEEN, "")


@pytest.mark.parametrize("wrong", ["board:", SEEN[:-2], SEEN + ":1", line({39: 2}), line({30: 5}), "hello"])
def test_no_board(wrong: str) -> None:
    with pytest.raises(PositionError, match="expected"):
        read_board(wrong)


def test_moves_are_in_the_numbers_of_the_server() -> None:
    steps = ((6, 5), (25, 22), (3, 0))
    assert format_move(steps, upwards=False) == "move bar-22 6-5 3-off"
    assert format_move(steps, upwards=True) == "move bar-3 19-20 22-off"
