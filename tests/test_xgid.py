"""XGIDs."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

import numpy as np
import pytest
from hypothesis import given

from bgai.board import START, flip
from bgai.errors import PositionError
from bgai.notation.positionid import format_position_id, parse_position_id
from bgai.notation.xgid import format_xgid, parse_xgid, read_xgid
from bgai.position import Cube, Position, Score
from tests.cases import case
from tests.positions import mixed_positions
from tests.states import damaged, only_position_errors, positions, random_position, same

START_26 = "-b----E-C---eE---c-e----B-"

KNOWN_BOARDS = {
    "4HPwATDgc/ABMA": "-b----E-C---eE---c-e----B-",
    "990GAAB7twAAAA": "-BDCBA--------------bbcec-",
    "d28ZAAD37YABAA": "-CEBC------B------b-abdcc-",
    "sA94wDDgc+RBBA": "-b---bE-C--AdD----AebA----",
    "d7NJAATb3BsAAA": "-BBBaCDB-------a-a-bb-bcc-",
    "zLYBODC2DTYDQA": "-bBBBB-c--BB-B---bbbb-b--A",
    "sJ/BEwCMz+AAQw": "---B--E-B-a-dC---b-fbB---A",
    "tmcAgEc3twcAAA": "aCBdCBD------------b-dbb--",
    "Q3PwgDDgc+QDQA": "-b---aE-C--AdE---c-ba---bA",
}


def xgid(fields: str, board: str = START_26) -> str:
    return f"XGID={board}:{fields}"


def seen_by_lower(position: Position) -> tuple[Sequence[int], str]:
    """Score of the lower and the upper player, and the cube's owner, as the cases have them."""
    owner = {"centred": "centre", "on roll": "bottom", "opponent": "top"}[position.cube.owner]
    if position.seat == 1:
        return position.score.points, owner
    return position.score.points[::-1], {"bottom": "top", "top": "bottom"}.get(owner, owner)


@pytest.mark.parametrize("text", KNOWN_BOARDS)
def test_boards_that_gnubg_showed(text: str) -> None:
    position = parse_xgid(xgid("0:0:1:00:0:0:0:0:10", KNOWN_BOARDS[text]))
    assert format_position_id(position.board) == text
    assert format_xgid(Position(parse_position_id(text))) == xgid("0:0:1:00:0:0:0:0:10", KNOWN_BOARDS[text])


def test_the_simplest_case() -> None:
    reported = case("xg-01")
    expected, position = reported["expected"], parse_xgid(reported["input"]["xgid"])
    assert format_position_id(position.board) == expected["position_id"]
    assert same(position, Position(dice=(5, 2)))
    assert seen_by_lower(position)[1] == expected["cube_owner"]
    assert (position.score.jacoby, position.score.beavers) == (expected["jacoby"], expected["beaver"])
    assert position.cube_limit == expected["max_cube"]


def test_colours_make_no_difference() -> None:
    reported = case("xg-04")
    first, second = map(parse_xgid, reported["input"]["xgids"])
    assert (first.seat, second.seat) == (1, 0)
    assert np.array_equal(first.board, second.board)
    assert format_position_id(second.board) == reported["expected"]["same_position_id"]
    assert first.dice == second.dice == (6, 1)


@pytest.mark.parametrize("name", ["xg-05", "xg-21"])
def test_cube_and_score_are_those_of_the_lower_player(name: str) -> None:
    reported = case(name)
    expected, position = reported["expected"], parse_xgid(reported["input"]["xgid"])
    points, owner = seen_by_lower(position)
    assert (position.cube.value, owner) == (expected["cube"], expected["cube_owner"])
    assert list(points) == [expected["score_bottom"], expected["score_top"]]
    assert position.score.length == expected["match_length"]
    assert position.seat == (0 if expected.get("on_roll") == "top" else 1)
    if "post_crawford" in expected:
        assert position.score.crawford == expected["crawford"]
        assert position.score.post_crawford == expected["post_crawford"]
        assert list(position.dice or ()) == expected["dice"]
    assert format_xgid(position) == reported["input"]["xgid"]


def test_the_rules_of_money_play() -> None:
    reported = case("xg-07")
    scores = [parse_xgid(text).score for text in reported["input"]["xgids"]]
    assert [score.jacoby for score in scores] == reported["expected"]["jacoby"]
    assert [score.beavers for score in scores] == reported["expected"]["beaver"]
    assert [score.crawford for score in scores] == reported["expected"]["crawford"]
    assert [format_xgid(parse_xgid(text)) for text in reported["input"]["xgids"]] == reported["input"]["xgids"]


def test_a_double_waits_for_the_other_player() -> None:
    reported = case("xg-09")
    position = parse_xgid(reported["input"]["xgid"])
    assert same(position, Position(offer="double"))
    assert 2 * position.cube.value == reported["expected"]["cube_offered"]
    assert format_xgid(position) == reported["input"]["xgid"]


def test_a_beaver_waits_for_the_player_who_doubled() -> None:
    text = xgid("1:1:1:B:2:3:2:0:10", "-b----E-C---eE--Ac-e----A-")
    position = parse_xgid(text)
    assert (position.offer, position.seat, position.dice) == ("beaver", 0, None)
    assert (position.cube, position.score.points) == (Cube(4, "on roll"), (3, 2))
    assert np.array_equal(flip(position.board), parse_xgid(text.replace(":B:", ":D:")).board)
    assert format_xgid(position) == text


def test_prefix_and_blanks_are_optional() -> None:
    reported = case("xg-11")
    expected = format_xgid(parse_xgid(reported["input"]["xgids"][0]))
    plain = xgid("0:0:1:52:0:0:0:0:10")
    more = [plain.replace("=", " = "), plain.replace("=", " "), plain.replace(":", " : "), f"\ufeff{plain}\0"]
    for text in reported["input"]["xgids"] + more:
        assert format_xgid(parse_xgid(text)) == expected
        assert format_position_id(parse_xgid(text).board) == reported["expected"]["position_id"]


def test_cube_limit_and_offer_are_part_of_it() -> None:
    reported = case("xg-18")
    assert len({format_xgid(parse_xgid(text)) for text in reported["input"]["xgids"]}) == 3
    assert [format_xgid(parse_xgid(text)) for text in reported["input"]["xgids"]] == reported["input"]["xgids"]


def test_a_crawford_flag_away_from_match_point_is_dropped_and_that_is_said() -> None:
    reported = case("xg-19")
    reading = read_xgid(reported["input"]["xgid"])
    assert reading.position.score == Score((1, 1), 7, crawford=reported["expected"]["crawford"])
    assert len(reading.remarks) == 1
    assert "Crawford: found a Crawford game at 1-1 in a match to 7" in reading.remarks[0]
    assert read_xgid(xgid("0:0:1:00:6:1:1:7:10")).remarks == ()


@given(positions())
def test_every_position_comes_back(position: Position) -> None:
    if position.offer in ("single", "gammon", "backgammon"):
        with pytest.raises(PositionError, match=r"a resignation .* an XGID cannot hold"):
            format_xgid(position)
        return
    text = format_xgid(position)
    assert format_xgid(parse_xgid(text)) == text
    assert same(parse_xgid(text), position)
    assert read_xgid(text).remarks == ()


def test_turning_the_table_changes_the_seat_alone() -> None:
    position = Position(START, (3, 1), Cube(2, "on roll"), Score((3, 1), 5), seat=0)
    assert format_xgid(position) == xgid("1:-1:-1:31:1:3:0:5:10")


@pytest.mark.parametrize("name", ["xg-13", "xg-14", "xg-16", "xg-17"])
def test_reported_mistakes_are_refused(name: str) -> None:
    reported = case(name)
    for text in reported["input"].get("xgids", [reported["input"].get("xgid")]):
        with pytest.raises(PositionError) as error:
            parse_xgid(text)
        assert reported["expected"].get("mentions", "") in str(error.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (xgid("0:0:1:00:0:0:0:0"), "an XGID has 10 fields separated by colons, found 9"),
        (xgid("0:0:1:00:0:0:0:0:10:0"), "found 11"),
        (xgid("0:0:1:00:0:0:0:0:10") * 5, "an XGID has 10 fields, found 255 characters beginning with"),
        (xgid("0:0:1:00:0:0:0:0:10", START_26[1:]), "position: found 25 characters"),
        (xgid("0:0:1:00:0:0:0:0:10", "-b----E-C---eE - c-e----B-"), "position: found ' ' on point 14"),
        (xgid("0:0:1:00:0:0:0:0:10", "Ab----E-C---eE---c-e----A-"), "position: found 'A' on the upper bar"),
        (xgid("0:0:1:00:0:0:0:0:10", "-a----E-C---eE---c-e----Ba"), "position: found 'a' on the lower bar"),
        (xgid("0:0:1:00:0:0:0:0:10", "-b----E-C---fE---c-e----B-"), "position: found 16 checkers of the upper player"),
        (xgid("0:0:1:00:0:0:0:0:10", "-" * 26), "neither side has a checker left"),
        (xgid("-1:0:1:00:0:0:0:0:10"), "cube (a power of two): found '-1', expected a whole number from 0 to 15"),
        (xgid("2:2:1:00:0:0:0:0:10"), "cube owner: found '2', expected 0, 1 or -1"),
        (xgid("0:1:1:00:0:0:0:0:10"), "cube owner: found an owner with the cube at 1"),
        (xgid("3:1:1:00:0:0:0:0:2"), "cube: found 8, expected at most the cube limit of 4"),
        (xgid("0:0:0:00:0:0:0:0:10"), "turn: found '0', expected 1 or -1"),
        (xgid("0:0:1:3:0:0:0:0:10"), "dice: found '3', expected two dice"),
        (xgid("0:0:1:30:0:0:0:0:10"), "dice: found '30', expected two dice"),
        (xgid("0:0:1:\u0663\u0661:0:0:0:0:10"), "dice: found"),
        (xgid("0:0:1:d:0:0:0:0:10"), "dice: found 'd', expected two dice from 1 to 6, 00, D or B"),
        (xgid("0:0:1:R:0:0:2:0:10"), "dice: found R, a raccoon"),
        (xgid("0:0:1:B:0:0:0:0:10"), "beaver: found where beavers are not agreed"),
        (xgid("0:0:1:B:0:0:0:5:10"), "beaver: found in a match to 5"),
        (xgid("1:-1:1:D:0:0:0:0:10"), "double: found by the player who does not own the cube"),
        (xgid("2:1:1:D:0:0:0:0:2"), "double: found one to 8, expected at most the cube limit of 4"),
        (xgid("0:0:1:D:4:0:1:5:10"), "double: found in the Crawford game"),
        (xgid("1:1:1:00:4:0:1:5:10"), "cube: found 2 in the Crawford game"),
        (xgid("0:0:1:00:x:0:0:5:10"), "score: found 'x', expected a whole number"),
        (xgid("0:0:1:00:0:0:2:5:10"), "rules: found '2', expected a whole number from 0 to 1"),
        (xgid("0:0:1:00:0:0:4:0:10"), "rules: found '4', expected a whole number from 0 to 3"),
        (xgid("0:0:1:00:0:0:0:-5:10"), "match length: found '-5'"),
        (xgid("0:0:1:00:0:0:0:0:16"), "cube limit (a power of two): found '16'"),
        (xgid(f"0:0:1:00:{'9' * 90}:0:0:0:10"), "score: found 90 characters beginning with"),
        ("", "an XGID has 10 fields separated by colons, found 1"),
    ],
)
def test_what_cannot_be_is_refused(text: str, said: str) -> None:
    with pytest.raises(PositionError) as error:
        parse_xgid(text)
    assert said in str(error.value)


def mistaken_texts(count: int, seed: int) -> Iterator[str]:
    rng = random.Random(seed)
    boards, _ = mixed_positions(100, seed)
    good = [format_xgid(random_position(rng, board, offers=False)) for board in boards]
    return (damaged(rng, rng.choice(good)) for _ in range(count))


def test_mistaken_texts_are_refused_in_one_way() -> None:
    for text in mistaken_texts(2000, seed=1):
        only_position_errors(parse_xgid, text)


@pytest.mark.check
def test_a_million_mistaken_texts() -> None:
    for text in mistaken_texts(1_000_000, seed=2):
        only_position_errors(parse_xgid, text)


def test_a_turned_cube_in_a_match_has_an_owner() -> None:
    with pytest.raises(PositionError, match="cube owner: found none with the cube at 4 in a match"):
        parse_xgid("XGID=-b----E-C---eE---c-e----B-:2:0:1:00:0:0:0:7:10")
