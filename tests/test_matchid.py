"""GNU Backgammon's match IDs, alone and behind a position ID."""

from __future__ import annotations

import random
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from bgai.board import START, flip, result
from bgai.errors import PositionError
from bgai.notation.checks import check_position
from bgai.notation.matchid import format_gnubg_id, format_match_id, parse_gnubg_id, parse_match_id, read_match_id
from bgai.notation.xgid import format_xgid, parse_xgid
from bgai.position import Cube, Position, Score
from tests.cases import case
from tests.positions import mixed_positions
from tests.states import damaged, only_position_errors, positions, random_position, same, without_what_gnubg_ids_lack

START_ID = "4HPwATDgc/ABMA"
GNUBG = shutil.which("gnubg") or shutil.which("gnubg", path="/usr/games")

KNOWN = {
    "cAkAAAAAAAAA": Position(score=Score(jacoby=True)),
    "cAkAAAAAAAAE": Position(),
    "cIkFAAAAAAAA": Position(dice=(3, 1), score=Score(jacoby=True)),
    "MIEFAAAAAAAA": Position(dice=(3, 1), score=Score(jacoby=True), seat=0),
    "UYnqAFAAGAAE": Position(dice=(5, 2), cube=Cube(2, "on roll"), score=Score((3, 5), 7)),
    "QQngAFAAGAAE": Position(cube=Cube(2, "opponent"), score=Score((3, 5), 7)),
    "ARkAAAAAAAAE": Position(cube=Cube(2, "on roll"), offer="double", seat=0),
    "QiFgABAAAAAE": Position(cube=Cube(4, "opponent"), score=Score((0, 1), 3), offer="single"),
    # What gnubg showed of a beaver, and of a gammon resigned after the roll.
    "QRkAAAAAAAAE": Position(cube=Cube(2, "on roll"), score=Score(beavers=True), offer="beaver", seat=0),
    "cMEFAAAAAAAE": Position(dice=(3, 1), offer="gammon"),
}


@pytest.mark.parametrize("text", KNOWN)
def test_ids_that_gnubg_showed(text: str) -> None:
    assert same(parse_match_id(text, KNOWN[text].board), KNOWN[text])
    assert format_match_id(KNOWN[text]) == text


def test_dice_have_one_order() -> None:
    reported = case("id-15")
    for xgid in reported["input"]["xgids"]:
        assert format_match_id(parse_xgid(xgid)) == reported["expected"]["match_id"]
    assert format_match_id(Position(dice=(2, 5))) == reported["expected"]["match_id"]


def test_the_jacoby_bit() -> None:
    reported = case("id-16")
    found = [parse_match_id(text) for text in reported["input"]["match_ids"]]
    assert [position.score.jacoby for position in found] == reported["expected"]["jacoby"]
    assert same(replace(found[0], score=Score()), found[1])


def test_old_ids_of_matches_have_no_jacoby() -> None:
    with_bit, without = "UYnqAFAAGAAE", "UYnqAFAAGAAA"
    assert same(parse_match_id(without), parse_match_id(with_bit))
    assert format_match_id(parse_match_id(without)) == with_bit


@given(positions())
def test_every_position_comes_back(position: Position) -> None:
    text = format_gnubg_id(position)
    assert len(text) == 14 + 1 + 12
    assert same(parse_gnubg_id(text), without_what_gnubg_ids_lack(position))
    assert format_gnubg_id(parse_gnubg_id(text)) == text


def test_while_a_beaver_waits_the_position_id_is_that_of_who_doubled() -> None:
    board = START.copy()
    board[[13, 12]] = [4, -4]
    board[[8, 17]] = [4, -4]
    board[[24, 23]] = [1, 1]
    beaver = Position(flip(board), None, Cube(2, "on roll"), Score(beavers=True), "beaver", 0)
    assert format_gnubg_id(beaver).startswith(format_gnubg_id(Position(board))[:14])
    assert same(parse_gnubg_id(format_gnubg_id(beaver)), check_position(beaver))


@pytest.mark.parametrize(
    "text",
    [
        f" {START_ID} : cIkFAAAAAAAA \n",
        f"{START_ID}==:cIkFAAAAAAAA",
        f"{START_ID}:cIkFAAAAAAAA=",
        f"\ufeff{START_ID}:cIkFAAAAAAAA\0",
    ],
)
def test_blanks_and_padding(text: str) -> None:
    assert same(parse_gnubg_id(text), KNOWN["cIkFAAAAAAAA"])


def test_a_position_id_alone_is_money_play() -> None:
    assert same(parse_gnubg_id(START_ID), Position())


def test_a_crawford_flag_away_from_match_point_is_dropped_and_that_is_said() -> None:
    assert parse_match_id("8AmgAEAAGAAE").score == Score((3, 4), 5, crawford=True)
    reading = read_match_id("8AngABAACAAE")
    assert reading.position.score == Score((1, 1), 7)
    assert "Crawford: found a Crawford game at 1-1 in a match to 7" in reading.remarks[0]
    assert read_match_id("8AkAAAAAAAAE").remarks[0].startswith("Crawford: found a Crawford game in money play")


def test_no_game_is_read_as_one() -> None:
    reading = read_match_id("cAgAAAAAAAAE")
    assert same(reading.position, Position())
    assert reading.remarks == ("game state: found none, read as a game being played",)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "a match ID has 12 characters, found 0 in ''"),
        ("cAkAAAAAAAA", "a match ID has 12 characters, found 11"),
        ("cAkAAAAAAA_A", "found '_' in 'cAkAAAAAAA_A'"),
        ("QgpgAFAAAAAE", "game state: found a game that is over, expected 1"),
        ("cAsAAAAAAAAE", "game state: found a game that is over by a resignation"),
        ("cAwAAAAAAAAE", "game state: found a game that is over by a dropped double"),
        ("cA0AAAAAAAAE", "game state: found 5, expected 1"),
        ("cAkAAAAAAAAI", "the last character holds more than the match, expected A or E"),
        ("YAkAAAAAAAAE", "cube owner: found 2, expected 0, 1 or 3"),
        ("UAkAAAAAAAAE", "cube owner: found an owner with the cube at 1"),
        ("cIkHAAAAAAAE", "dice: a die shows 1 to 6, found 7"),
        ("cIkBAAAAAAAE", "dice: a die shows 1 to 6, found 0"),
        ("cJEFAAAAAAAE", "dice: found 3-1 while a double waits for an answer"),
        ("MAkAAAAAAAAE", "turn: found another player to decide than the one on roll"),
        ("cFkAAAAAAAAE", "offer: found a double and a resignation at once"),
        ("cBkAAAAAAAAE", "double: found one that waits for the player who made it"),
        ("QhEAAAAAAAAE", "double: found one by the player without the cube (a raccoon?)"),
        ("cCkAAAAAAAAE", "resignation: found by the player who is not on roll"),
        ("cAngAHAAAAAE", "score: found 7 points in a match to 7, which is over; expected at most 6"),
    ],
)
def test_what_cannot_be_is_refused(text: str, said: str) -> None:
    with pytest.raises(PositionError) as error:
        parse_match_id(text)
    assert said in str(error.value)
    assert text in str(error.value)


@pytest.mark.parametrize(
    ("position", "said"),
    [
        (Position(cube=Cube(3)), "cube: found 3, expected a power of two"),
        (Position(cube=Cube(0)), "cube: found 0, expected a power of two"),
        (Position(cube=Cube(1, "on roll")), "cube owner: found an owner with the cube at 1"),
        (Position(cube=Cube(8), cube_limit=4), "cube: found 8, expected at most the cube limit of 4"),
        (Position(cube_limit=3), "cube limit: found 3, expected a power of two"),
        (Position(score=Score((7, 1), 7)), "score: found 7 points in a match to 7, which is over"),
        (Position(score=Score((-1, 1), 7)), "score: found -1 points, expected 0 or more"),
        (Position(score=Score((0, 0), -1)), "match length: found -1"),
        (Position(score=Score((0, 0), 40_000)), "match length: found 40000"),
        (Position(score=Score((1, 1), 7, crawford=True)), "Crawford: found a Crawford game at 1-1 in a match to 7"),
        (Position(score=Score(crawford=True)), "Crawford: found a Crawford game in money play"),
        (Position(score=Score((0, 0), 1, crawford=True)), "Crawford: found a Crawford game in a match to one point"),
        (Position(cube=Cube(2), score=Score((4, 1), 5, crawford=True)), "cube: found 2 in the Crawford game"),
        (Position(score=Score((0, 0), 5, jacoby=True)), "Jacoby: found in a match to 5"),
        (Position(score=Score((0, 0), 5, beavers=True)), "beavers: found in a match to 5"),
        (Position(dice=(7, 1)), "dice: a die shows 1 to 6, found 7"),
        (Position(dice=(3, 1), offer="double"), "dice: found 3-1 while a double waits for an answer"),
        (Position(cube=Cube(2, "opponent"), offer="double"), "double: found by the player who does not own the cube"),
        (Position(cube=Cube(1024), offer="double"), "double: found one to 2048, expected at most the cube limit"),
        (Position(score=Score((4, 1), 5, crawford=True), offer="double"), "double: found in the Crawford game"),
        (Position(cube=Cube(2, "on roll"), offer="beaver"), "beaver: found where beavers are not agreed"),
        (Position(score=Score(beavers=True), offer="beaver"), "beaver: found without a doubled cube"),
        (Position(cube=Cube(2, "on roll"), score=Score((0, 0), 5), offer="beaver"), "beaver: found in a match to 5"),
        (Position(offer="triple"), "offer: found 'triple'"),  # type: ignore[arg-type]
        (Position(seat=2), "seat: found 2"),
        (Position(np.zeros(26, dtype=np.int8)), "neither side has a checker left"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_not_written(position: Position, said: str) -> None:
    for write in (format_gnubg_id, format_xgid):
        with pytest.raises(PositionError) as error:
            write(position)
        assert said in str(error.value)


def mistaken_texts(count: int, seed: int) -> Iterator[str]:
    rng = random.Random(seed)
    boards, _ = mixed_positions(100, seed)
    good = [format_gnubg_id(random_position(rng, board)) for board in boards]
    return (damaged(rng, rng.choice(good)) for _ in range(count))


def test_mistaken_texts_are_refused_in_one_way() -> None:
    for text in mistaken_texts(2000, seed=1):
        only_position_errors(parse_gnubg_id, text)
        only_position_errors(parse_match_id, text[15:])


@pytest.mark.check
def test_a_million_mistaken_texts() -> None:
    for text in mistaken_texts(1_000_000, seed=2):
        only_position_errors(parse_gnubg_id, text)


@pytest.mark.check
@pytest.mark.skipif(GNUBG is None, reason="needs the program gnubg, the reference for its IDs")
def test_gnubg_shows_the_same_ids() -> None:
    """gnubg takes the XGID and the GNUBG ID of some states and shows each as a GNUBG ID."""
    rng = random.Random(3)
    boards, _ = mixed_positions(200, seed=3)
    states = [random_position(rng, board, offers=False) for board in boards if not result(board)][:60]
    names = [format_xgid(state) for state in states] + [format_gnubg_id(state) for state in states]
    kinds = ["xgid"] * len(states) + ["gnubgid"] * len(states)
    commands = ["set automatic game off", "set automatic roll off", "set confirm new off"]
    commands += ["set player 0 human", "set player 1 human"]
    for kind, name in zip(kinds, names, strict=True):
        # It may ask whether to change places, which is answered; else `no` is an unknown keyword like the mark.
        commands += [f"set {kind} {name}", "no", "mark"]
    finished = subprocess.run(
        [str(GNUBG), "-t", "-q"],
        input="\n".join(commands) + "\n",
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
    )
    parts = re.split("Unknown keyword .mark", finished.stdout)[:-1]
    assert len(parts) == len(names)
    for name, state, part in zip(names, states * 2, parts, strict=True):
        shown = re.findall(r"Position ID: (\S+)\s+Match ID\s*: (\S+)", part)
        # It shows several: the match with the board from before, all of it, and perhaps that with changed places.
        assert format_gnubg_id(state) in [":".join(ids) for ids in shown], name
