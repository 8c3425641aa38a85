"""The board as it is drawn."""

from __future__ import annotations

import numpy as np
import pytest

from bgai.board import START, Board, as_board
from bgai.notation.drawing import draw
from tests.positions import mixed_positions

OPENING = """\
  13 14 15 16 17 18         19 20 21 22 23 24
+-------------------+-----+-------------------+
|  X           O    |     |  O              X |  O opponent: 167 pips, 0 off
|  X           O    |     |  O              X |
|  X           O    |     |  O                |
|  X                |     |  O                |
|  X                |     |  O                |
|                   | BAR |                   |
|  O                |     |  X                |
|  O                |     |  X                |
|  O           X    |     |  X                |
|  O           X    |     |  X              O |
|  O           X    |     |  X              O |  X on roll: 167 pips, 0 off
+-------------------+-----+-------------------+
  12 11 10  9  8  7          6  5  4  3  2  1"""

BUSY = """\
  13 14 15 16 17 18         19 20 21 22 23 24
+-------------------+-----+-------------------+
|                   |  O  |                 O |  O the bot: 86 pips, 1 off
|                   |  O  |                 O |
|                   |  O  |                 O |
|                   |     |                 O |
|                   |     |                11 |
|                   | BAR |                   |
|                   |     |                 6 |
|                   |     |  X              X |
|                   |     |  X              X |
|                   |  X  |  X              X |
|                   |  X  |  X              X |  X you: 80 pips, 3 off
+-------------------+-----+-------------------+
  12 11 10  9  8  7          6  5  4  3  2  1"""


def busy() -> Board:
    board = np.zeros(26, dtype=np.int8)
    board[[25, 6, 1, 0, 24]] = [2, 4, 6, -3, -11]
    return as_board(board)


def test_the_player_on_roll_sits_at_the_bottom() -> None:
    assert draw(START, ascii_only=True) == OPENING


def test_high_stacks_have_a_number_and_the_bar_is_in_the_middle() -> None:
    assert draw(busy(), names=("you", "the bot"), ascii_only=True) == BUSY


def test_line_drawing_characters_change_the_frame_alone() -> None:
    table = str.maketrans("┌┬┐└┴┘─│", "++++++-|")
    drawn = draw(START)
    assert "┌" in drawn
    assert drawn.translate(table) == OPENING


@pytest.mark.parametrize("ascii_only", [False, True])
def test_every_board_has_the_same_outline(ascii_only: bool) -> None:
    boards, _ = mixed_positions(120, seed=5)
    for board in boards:
        lines = draw(board, ascii_only=ascii_only).splitlines()
        assert len(lines) == 15
        assert {len(line.partition("  X on")[0].partition("  O opp")[0]) for line in lines[1:-1]} == {47}


def test_low_stacks_show_every_checker() -> None:
    boards, _ = mixed_positions(120, seed=6)
    for board in boards:
        if np.abs(board).max() <= 5:
            drawn = "".join(line[:47] for line in draw(board).splitlines()).replace("BAR", "")
            assert drawn.count("X") == board[board > 0].sum()
            assert drawn.count("O") == -board[board < 0].sum()
