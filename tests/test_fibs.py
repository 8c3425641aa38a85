"""The board line of FIBS."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from bgai.board import START
from bgai.errors import PositionError
from bgai.notation.fibs import format_fibs_board, parse_fibs_board, read_fibs_board
from bgai.position import Cube, Position, Score
from tests.positions import mixed_positions
from tests.states import damaged, only_position_errors, positions, random_position, same, without_what_gnubg_ids_lack

START_POINTS = "0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0"
FROM_FIBS = f"board:You:someplayer:3:0:1:{START_POINTS}:1:6:2:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:2:0:0:0"
FROM_GNUBG = (
    "board:gnubg0:ext1:0:0:0:0:-1:0:0:2:0:5:0:3:1:0:0:-5:3:0:0:0:-2:0:-4:0:-1:0:-2:0:1:1:5:1:5:1:2:0:1:0:1:-1:0:25"
    ":0:0:0:0:0:0:0:1"
)


def line(**changed: int) -> str:
    """The start as gnubg writes it, some numbers changed: `n35=2` is the cube."""
    numbers = f"0:0:0:{START_POINTS}:1:0:0:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:1".split(":")
    for name, number in changed.items():
        numbers[int(name[1:]) - 1] = str(number)
    return ":".join(["board", "X", "O", *numbers])


def test_a_line_of_fibs() -> None:
    assert same(parse_fibs_board(FROM_FIBS), Position(START, (6, 2), score=Score((0, 1), 3)))


def test_a_line_of_gnubg() -> None:
    position = parse_fibs_board(FROM_GNUBG)
    assert (position.seat, position.dice, position.cube) == (1, (5, 1), Cube(2, "opponent"))
    assert (position.board[25], position.board[0], position.board[6]) == (1, 0, 5)
    assert read_fibs_board(FROM_GNUBG).remarks == ()


def test_the_start_as_it_is_written() -> None:
    start = "board:X:O:9999:0:0:" + START_POINTS + ":1:0:0:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:1"
    assert format_fibs_board(Position()) == start
    assert same(parse_fibs_board(start), Position())
    assert same(parse_fibs_board(line()), Position())


@given(positions())
def test_every_position_comes_back(position: Position) -> None:
    if position.offer not in (None, "double"):
        with pytest.raises(PositionError, match="which a FIBS board cannot hold"):
            format_fibs_board(position)
        return
    text = format_fibs_board(position)
    expected = without_what_gnubg_ids_lack(position)
    expected = replace(expected, score=replace(expected.score, jacoby=False, beavers=False))
    assert same(parse_fibs_board(text), expected)
    assert format_fibs_board(parse_fibs_board(text)) == text
    assert all("score: read as FIBS writes it" in remark for remark in read_fibs_board(text).remarks)


def mirrored(text: str) -> str:
    """The same state with the first name's checkers negative, which move from 1 to 24."""
    fields = text.split(":")
    numbers = fields[3:]
    points = [-int(number) for number in numbers[3:29]][::-1]
    numbers[3:29] = map(str, points)
    for number in (30, 39, 40):
        numbers[number - 1] = str(-int(numbers[number - 1]))
    return ":".join([*fields[:3], *numbers])


def test_colour_and_direction_change_nothing() -> None:
    rng = random.Random(1)
    for board in mixed_positions(60, seed=1)[0]:
        text = format_fibs_board(random_position(rng, board, offers=False))
        assert same(parse_fibs_board(mirrored(text)), parse_fibs_board(text))


def test_the_first_score_is_that_of_the_first_name() -> None:
    lower = parse_fibs_board(line(n1=7, n2=6, n3=2, n49=1))
    upper = parse_fibs_board(line(n1=7, n2=6, n3=2, n49=1, n30=-1))
    assert (lower.seat, lower.score.points) == (1, (6, 2))
    assert (upper.seat, upper.score.points) == (0, (2, 6))
    (remark,) = read_fibs_board(line(n1=7, n2=6, n3=2)).remarks
    assert "6 points of the first name and 2 of the second; gnubg sends" in remark
    assert read_fibs_board(line(n1=7, n2=2, n3=2)).remarks == ()
    assert read_fibs_board(line(n2=6, n3=2)).remarks == ()


@pytest.mark.parametrize(
    ("changed", "crawford"),
    [
        ({"n1": 5, "n2": 4, "n50": 0}, True),  # both dialects in the Crawford game
        ({"n1": 5, "n2": 4, "n49": 1, "n50": 0}, False),  # FIBS after it
        ({"n1": 5, "n2": 4, "n49": 1, "n50": 1}, False),  # gnubg after it
        ({"n1": 5, "n2": 3, "n50": 0}, False),  # FIBS before it
        ({"n1": 1, "n50": 0}, False),
        ({"n50": 0}, False),
    ],
)
def test_the_crawford_game(changed: dict[str, int], crawford: bool) -> None:
    assert parse_fibs_board(line(**changed)).score.crawford is crawford


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"n35": 2, "n36": 1, "n37": 0}, Position(cube=Cube(2, "on roll"))),
        ({"n35": 2, "n36": 0, "n37": 1}, Position(cube=Cube(2, "opponent"))),
        ({"n35": 2, "n36": 0, "n37": 1, "n30": -1}, Position(cube=Cube(2, "on roll"), seat=0)),
        ({"n35": 2}, Position(cube=Cube(2))),
        ({"n38": 1}, Position(offer="double")),
        ({"n38": 7, "n30": -1}, Position(offer="double", seat=0)),
        ({"n35": 4, "n36": 1, "n37": 0, "n38": 1}, Position(cube=Cube(4, "on roll"), offer="double")),
        ({"n35": 4, "n36": 0, "n37": 0, "n38": 1}, Position(cube=Cube(4, "on roll"), offer="double")),
        ({"n35": 4096}, Position(cube=Cube(4096), cube_limit=4096)),
    ],
)
def test_the_cube(changed: dict[str, int], expected: Position) -> None:
    assert same(parse_fibs_board(line(**changed)), expected)
    assert read_fibs_board(line(**changed)).remarks == ()


@pytest.mark.parametrize(
    ("changed", "expected", "said"),
    [
        ({"n36": 0, "n37": 0}, Position(offer="double"), "may double: neither player may, read as a double"),
        ({"n36": 0}, Position(), "may double: one player only with the cube at 1, read as a centred cube"),
        ({"n33": 3, "n34": 1}, Position(dice=(3, 1)), "dice: 3-1 stand in the place of the other player"),
        ({"n43": 2}, Position(), "checkers off: the line says 2 and 0, the board has 0"),
    ],
)
def test_what_is_repaired_is_said(changed: dict[str, int], expected: Position, said: str) -> None:
    reading = read_fibs_board(line(**changed))
    assert same(reading.position, expected)
    assert len(reading.remarks) == 1
    assert said in reading.remarks[0]


def test_dice_in_all_places() -> None:
    for changed in ({"n31": 1, "n32": 3}, {"n31": 1, "n32": 3, "n33": 1, "n34": 3}):
        assert parse_fibs_board(line(**changed)).dice == (3, 1)
    assert parse_fibs_board(line(n30=-1, n33=3, n34=1)).dice == (3, 1)


def test_names() -> None:
    text = format_fibs_board(Position(), names=("a b:c", ""))
    assert text.startswith("board:a_b_c:_:")
    quoted = line().replace("board:X:O:", "board:'Joe: the one':\"O\":")
    for other in (text, quoted, line().replace("board", "BOARD"), f"\0{line()}\r\n"):
        assert same(parse_fibs_board(other), Position())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "a FIBS board is board:NAME1:NAME2: and 50 numbers, found ''"),
        ("board:X:O:", "a FIBS board has 50 numbers behind the names, found 1"),
        (line()[:-2], "found 49"),
        (line() + ":0", "found 51"),
        (line().replace(":25:", ":x:"), "number 42: found 'x', expected a whole number"),
        (line() + "0" * 1000, "characters beginning with 'board:X:O:0:0:0:0:-2"),
        (line(n30=0), "turn: found 0, a game that is over"),
        (line(n30=2), "turn: found 2, expected 1 or -1"),
        (line(n39=0), "colour: found 0, expected 1 or -1"),
        (line(n40=0), "direction: found 0, expected 1 or -1"),
        (line(n35=3), "cube: found 3, expected a power of two"),
        (line(n35=0), "cube: found 0, expected a power of two"),
        (line(n1=-1), "match length: found -1, expected"),
        (line(n2=-1), "score: found -1, expected"),
        (line(n1=5, n2=5), "score: found 5 points in a match to 5, which is over"),
        (line(n31=7, n32=1), "dice: a die shows 1 to 6, found 7"),
        (line(n31=1), "dice: a die shows 1 to 6, found 0"),
        (line(n31=3, n32=1, n33=6, n34=2), "dice: found 3-1 and 6-2, expected those of one player"),
        (line(n31=3, n32=1, n38=1), "dice: found 3-1 while a double waits for an answer"),
        (line(n35=2, n36=0, n37=0, n31=3, n32=1), "may double: found neither player with the cube at 2"),
        (line(n35=2, n36=0, n37=1, n38=1), "double: found by the player who does not own the cube"),
        (line(n5=-3), "16 checkers, at most 15 are possible"),
        (line(n4=1, n10=4), "index 0 is the opponent's bar and cannot be positive"),
        (line(n5=-30000), "checkers, at most 15 are possible"),
    ],
)
def test_what_cannot_be_is_refused(text: str, said: str) -> None:
    with pytest.raises(PositionError) as error:
        parse_fibs_board(text)
    assert said in str(error.value)


def test_a_match_without_end_cannot_be_written() -> None:
    with pytest.raises(PositionError, match="match length: found 9999"):
        format_fibs_board(Position(score=Score((0, 0), 9999)))


def test_checkers_on_both_bars() -> None:
    board = np.zeros(26, dtype=np.int8)
    board[[25, 0, 3, 20]] = [2, -1, 4, -5]
    text = format_fibs_board(Position(board))
    assert text.split(":")[-8:] == ["9", "9", "2", "1", "0", "0", "0", "1"]
    assert np.array_equal(parse_fibs_board(text).board, board)


def mistaken_texts(count: int, seed: int) -> Iterator[str]:
    rng = random.Random(seed)
    boards, _ = mixed_positions(100, seed)
    good = [format_fibs_board(random_position(rng, board, offers=False)) for board in boards]
    return (damaged(rng, rng.choice(good)) for _ in range(count))


def test_mistaken_texts_are_refused_in_one_way() -> None:
    for text in mistaken_texts(2000, seed=1):
        only_position_errors(parse_fibs_board, text)


@pytest.mark.check
def test_a_million_mistaken_texts() -> None:
    for text in mistaken_texts(1_000_000, seed=2):
        only_position_errors(parse_fibs_board, text)
