"""GNU Backgammon's position IDs."""

from __future__ import annotations

import base64

import numpy as np
import pytest
from hypothesis import given

from bgai.board import START, Board, borne_off
from bgai.errors import PositionError
from bgai.notation.positionid import format_position_id, format_position_ids, parse_position_id
from tests.cases import case, cases, lines
from tests.gnubg_reference import position_keys
from tests.positions import boards, corner_positions, mixed_positions


def made(own: dict[str, int], other: dict[str, int]) -> Board:
    """A board from checkers by point, each side in its own numbering."""
    board = np.zeros(26, dtype=np.int8)
    for point, count in own.items():
        board[25 if point == "bar" else int(point)] += count
    for point, count in other.items():
        board[0 if point == "bar" else 25 - int(point)] -= count
    return board


def without_off(side: dict[str, int]) -> dict[str, int]:
    return {point: count for point, count in side.items() if point != "off"}


def test_the_start() -> None:
    reported = case("id-01")
    start = reported["input"]["points_each_side"]
    assert format_position_id(made(start, start)) == reported["expected"]["position_id"]
    assert np.array_equal(parse_position_id(reported["expected"]["position_id"]), START)


def test_the_side_not_on_roll_comes_first() -> None:
    reported = case("id-02")
    expected = made(reported["expected"]["on_roll"], reported["expected"]["not_on_roll"])
    assert np.array_equal(parse_position_id(reported["input"]["position_id"]), expected)
    assert format_position_id(expected) == reported["input"]["position_id"]


def test_checkers_on_both_bars_survive() -> None:
    reported = case("id-03")
    given = reported["input"]
    board = made(without_off(given["on_roll"]), without_off(given["not_on_roll_own_numbering"]))
    assert format_position_id(board) == reported["expected"]["position_id"]
    assert np.array_equal(parse_position_id(reported["expected"]["position_id"]), board)
    assert borne_off(board) == given["on_roll"]["off"]


@given(boards())
def test_every_position_comes_back_from_its_id(board: Board) -> None:
    text = format_position_id(board)
    assert len(text) == 14
    assert np.array_equal(parse_position_id(text), board)


def test_ids_are_the_base_64_text_of_position_keys() -> None:
    positions, _ = corner_positions(300, seed=3)
    texts = [base64.b64encode(key.tobytes()).decode()[:14] for key in position_keys(positions)]
    assert [format_position_id(board) for board in positions] == texts


@pytest.mark.parametrize("name", ["results_next_player_on_roll", "results_mover_view"])
def test_every_id_of_the_move_cases_comes_back(name: str) -> None:
    for reported in cases("movegen"):
        for text in lines(reported, name) if name in reported["expected"] else []:
            assert format_position_id(parse_position_id(text)) == text


@pytest.mark.parametrize("name", ["id-08", "id-09", "id-17"])
def test_positions_that_cannot_occur_are_refused(name: str) -> None:
    text = case(name)["input"]["position_id"]
    with pytest.raises(PositionError) as error:
        parse_position_id(text)
    assert text in str(error.value)


def test_both_sides_on_one_point_are_named() -> None:
    with pytest.raises(PositionError, match="both sides stand on point"):
        parse_position_id(case("id-08")["input"]["position_id"])


def test_the_url_safe_alphabet_is_not_taken_for_something_else() -> None:
    reported = case("id-11")
    with pytest.raises(PositionError, match="found '_'"):
        parse_position_id(reported["input"]["position_id"])


def test_padding_is_accepted_and_other_lengths_are_not() -> None:
    reported = case("id-12")
    for text, expected in zip(reported["input"]["ids"], reported["expected"]["results"], strict=True):
        if expected == "error":
            with pytest.raises(PositionError, match="14 characters"):
                parse_position_id(text)
        else:
            assert format_position_id(parse_position_id(text)) == expected


def test_spaces_around_an_id_do_not_matter() -> None:
    assert np.array_equal(parse_position_id(" 4HPwATDgc/ABMA\n"), START)


@pytest.mark.parametrize("text", ["4HPwATDgc/ABM ", "4HPwATDgc/AB A", "4HPwATDgc/ABM-", "4HPwATDgc/ABMé", "=" * 14])
def test_other_characters_are_refused(text: str) -> None:
    with pytest.raises(PositionError):
        parse_position_id(text)


@pytest.mark.parametrize("text", ["//////////////", "4HPwATDgc/D///", "/////wAAAAAAAA"])
def test_too_many_checkers_or_places_are_refused(text: str) -> None:
    with pytest.raises(PositionError):
        parse_position_id(text)


def test_bits_beyond_the_position_are_refused() -> None:
    with pytest.raises(PositionError, match="the last character of '4HPwATDgc/ABMB'"):
        parse_position_id("4HPwATDgc/ABMB")


def test_many_ids_at_once_are_the_ids_of_each() -> None:
    positions, _ = mixed_positions(300, seed=3)
    assert format_position_ids(positions) == [format_position_id(board) for board in positions]
