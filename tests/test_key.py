"""The keys of gnubg-nn."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given

from bgai.board import START, Board
from bgai.errors import PositionError
from bgai.notation.key import format_key, parse_key
from bgai.notation.positionid import parse_position_id
from tests.gnubg_reference import position_keys
from tests.positions import boards, mixed_positions
from tests.states import damaged, only_position_errors

KNOWN = {
    "4HPwATDgc/ABMA": "OAHDPAABDAOAHDPAABDA",
    "990GAAB7twAAAA": "PHNNAGAAAAHLLHAAAAAA",
    "d28ZAAD37YABAA": "HHGPBJAAAAPHONIAABAA",
    "sA94wDDgc+RBBA": "LAAPHIMADAOAHDOEEBAE",
    "d7NJAATb3BsAAA": "HHLDEJAAAENLNMBLAAAA",
    "zLYBODC2DTYDQA": "MMLGABDIDALGANDGADEA",
    "sJ/BEwCMz+AAQw": "LAJPMBBDAAIMMPOAAAED",
    "tmcAgEc3twcAAA": "LGGHAAIAEHDHLHAHAAAA",
    "Q3PwgDDgc+QDQA": "EDHDPAIADAOAHDOEADEA",
}


@pytest.mark.parametrize("text", KNOWN)
def test_keys_that_gnubg_takes(text: str) -> None:
    board = parse_position_id(text)
    assert format_key(board) == KNOWN[text]
    assert np.array_equal(parse_key(f" {KNOWN[text]}\n"), board)


@given(boards())
def test_every_board_comes_back(board: Board) -> None:
    text = format_key(board)
    assert np.array_equal(parse_key(text), board)
    halves = [ord(letter) - ord("A") for letter in text]
    data = [16 * high + low for high, low in zip(halves[::2], halves[1::2], strict=True)]
    assert data == position_keys(board[None])[0].tolist()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "a gnubg-nn key has 20 letters from A to P, found ''"),
        ("OAHDPAABDAOAHDPAABD", "found 'OAHDPAABDAOAHDPAABD'"),
        ("OAHDPAABDAOAHDPAABDAA", "20 letters"),
        ("oahdpaabdaoahdpaabda", "20 letters"),
        ("OAHDPAABDAOAHDPAABDQ", "20 letters"),
        ("A" * 500, "found 500 characters beginning with"),
        ("A" * 20, "the key AAAAAAAAAAAAAAAAAAAA is that of no position: neither side has a checker left"),
        ("P" * 20, "the key PPPPPPPPPPPPPPPPPPPP is that of no position: 80 checkers on one point"),
    ],
)
def test_other_texts_are_refused(text: str, said: str) -> None:
    with pytest.raises(PositionError) as error:
        parse_key(text)
    assert said in str(error.value)


def mistaken_texts(count: int, seed: int) -> Iterator[str]:
    rng = random.Random(seed)
    good = [format_key(board) for board in mixed_positions(100, seed)[0]] + [format_key(START)]
    for number in range(count):
        text = rng.choice(good)
        where = rng.randrange(20)
        changed = text[:where] + rng.choice("ABCDEFGHIJKLMNOP") + text[where + 1 :]
        yield changed if number % 2 else damaged(rng, text)


def test_mistaken_texts_are_refused_in_one_way() -> None:
    for text in mistaken_texts(2000, seed=1):
        only_position_errors(parse_key, text)


@pytest.mark.check
def test_a_million_mistaken_texts() -> None:
    for text in mistaken_texts(1_000_000, seed=2):
        only_position_errors(parse_key, text)
