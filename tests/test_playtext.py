"""Plays as people write them."""

from __future__ import annotations

import numpy as np
import pytest

from bgai.board import START, Board, as_board
from bgai.errors import PlayError
from bgai.notation.playtext import format_play, parse_play
from bgai.notation.positionid import format_position_id, parse_position_id
from bgai.plays import legal_plays, legal_plays_batch
from tests.positions import SAMPLES


def position(**places: int) -> Board:
    """Counts by place: `p6=2` two own checkers on 6, `p5=-1` the opponent's blot there, `bar=1`."""
    board = np.zeros(26, dtype=np.int8)
    for name, count in places.items():
        board[25 if name == "bar" else int(name[1:])] = count
    return board


def all_texts(board: Board, dice: tuple[int, int]) -> set[str]:
    plays = legal_plays(board, dice)
    return {format_play(board, steps) for steps in plays.steps}


def written(board: Board, dice: tuple[int, int], text: str) -> str:
    """The standard form of a text."""
    plays = legal_plays(board, dice)
    return format_play(board, plays.steps[parse_play(board, plays, text)])


HIT_OR_NOT = position(p24=1, p13=2, p20=-1, p1=-2)
"""With 4-2 the checker on 24 can pass the blot on 20 or hit it."""


@pytest.mark.parametrize(
    ("board", "dice", "text"),
    [
        (START, (3, 1), "8/5 6/5"),
        (START, (6, 5), "24/13"),
        (START, (4, 4), "24/20(2) 13/9(2)"),
        (START, (1, 1), "8/7(2) 6/5(2)"),
        (START, (6, 6), "24/18(2) 13/7(2)"),
        (HIT_OR_NOT, (4, 2), "24/20*/18"),
        (HIT_OR_NOT, (4, 2), "24/18"),
        (HIT_OR_NOT, (4, 2), "24/20* 13/11"),
        (position(bar=2, p6=13, p20=-1, p1=-2), (5, 3), "bar/22 bar/20*"),
        (position(p6=1, p5=2, p20=-2), (6, 5), "6/off 5/off"),
        (position(p2=4, p20=-2), (6, 6), "2/off(4)"),
        (position(p9=1, p3=2, p20=-2), (6, 4), "9/off"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_standard_form(board: Board, dice: tuple[int, int], text: str) -> None:
    assert text in all_texts(board, dice)
    assert written(board, dice, text) == text


@pytest.mark.parametrize(
    ("board", "dice", "text", "standard"),
    [
        (START, (3, 1), "6/5 8/5", "8/5 6/5"),
        (START, (3, 1), "8-5, 6-5", "8/5 6/5"),
        (START, (3, 1), " 8 / 5  6/5 ", "8/5 6/5"),
        (START, (6, 5), "24/18/13", "24/13"),
        (START, (6, 5), "24/18 18/13", "24/13"),
        (START, (1, 1), "8/7 8/7 6/5 6/5", "8/7(2) 6/5(2)"),
        (START, (1, 1), "6/5(2)8/7(2)", "8/7(2) 6/5(2)"),
        (START, (4, 4), "24/16(2)", "24/16(2)"),
        (HIT_OR_NOT, (4, 2), "24/20/18", "24/20*/18"),
        (HIT_OR_NOT, (4, 2), "13/11 24/20", "24/20* 13/11"),
        (position(bar=1, p6=13, p2=-2), (5, 3), "25/22 6/1", "bar/22 6/1"),
        (position(bar=1, p6=13, p2=-2), (5, 3), "BAR/22 6/1", "bar/22 6/1"),
        (position(p6=1, p5=2, p20=-2), (6, 5), "6/0 5/OFF", "6/off 5/off"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_other_ways_to_write_the_same(board: Board, dice: tuple[int, int], text: str, standard: str) -> None:
    assert written(board, dice, text) == standard


@pytest.mark.parametrize(("kind", "count"), [("games", 300), ("corners", 900)])
def test_every_play_is_found_by_its_own_text(kind: str, count: int) -> None:
    boards, dice = SAMPLES[kind](count, seed=21)
    for board, roll, plays in zip(boards, dice.tolist(), legal_plays_batch(boards, dice), strict=True):
        texts = [format_play(board, steps) for steps in plays.steps]
        assert len(set(texts)) == len(texts), (format_position_id(board), roll)
        for number in range(0, len(texts), 1 + len(texts) // 40):
            found = parse_play(board, plays, texts[number])
            assert found == number, (format_position_id(board), roll, texts[number])


STUCK = parse_position_id("tm07AAC47wMAMA")


@pytest.mark.parametrize("text", ["", "pass", "Cannot move", "Can't Move", "no move", "dances", "-"])
def test_a_pass_has_many_words(text: str) -> None:
    assert parse_play(STUCK, legal_plays(STUCK, (6, 6)), text) == 0


def test_a_pass_is_written_as_nothing() -> None:
    assert all_texts(STUCK, (6, 6)) == {""}


def test_there_is_no_pass_while_the_roll_can_be_played() -> None:
    with pytest.raises(PlayError, match="the roll can be played"):
        parse_play(START, legal_plays(START, (3, 1)), "pass")


def test_there_is_no_play_when_the_turn_passes() -> None:
    with pytest.raises(PlayError, match="the turn passes"):
        parse_play(STUCK, legal_plays(STUCK, (6, 6)), "24/18")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("8/5", "not a legal play"),
        ("8/5 6/5 6/5", "not a legal play"),
        ("8/3", "not a legal play"),
        ("7/4 7/6", "not a legal play"),
        ("24/21 6/1", "not a legal play"),
        ("8/5 x", "'x' is not a move"),
        ("8/5 6/5(5)", "is not a move"),
        ("85 65", "'85' is not a move"),
        ("8/26 6/5", "'26' in '8/26' is not a point"),
        ("8/foo 6/5", "'foo' in '8/foo' is not a point"),
        ("5/8 6/5", "'5/8' moves backwards"),
        ("8/8 6/5", "'8/8' moves backwards"),
    ],
)
def test_what_is_no_legal_play_is_refused_in_plain_words(text: str, message: str) -> None:
    with pytest.raises(PlayError, match=message):
        parse_play(START, legal_plays(START, (3, 1)), text)


def test_the_nearest_legal_plays_are_named_first() -> None:
    plays = legal_plays(START, (3, 1))
    with pytest.raises(PlayError) as error:
        parse_play(START, plays, "8/5 6/4")
    named = str(error.value).split("legal: ")[1].split(", ")
    assert all("8/5" in text.split() for text in named[:2])
    assert str(error.value).endswith("and 12 more")


def test_a_chain_may_leave_out_its_only_hit() -> None:
    # The opponent holds 22 and has a blot on 20: 24/18 with 4-2 is possible by way of 20 alone.
    board = as_board([0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, 0, 0, -5, -1, 0, -2, 0, 2, 0])
    plays = legal_plays(board, (4, 2))
    assert format_play(board, plays.steps[parse_play(board, plays, "24/18")]) == "24/20*/18"


def test_a_star_where_nobody_is_hit_is_refused() -> None:
    with pytest.raises(PlayError, match=r"hits nobody on 7, expected a \* only where a blot is hit"):
        parse_play(START, legal_plays(START, (6, 1)), "8/7* 13/7")
