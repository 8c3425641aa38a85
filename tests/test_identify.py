"""Texts of unknown kind, drawings read back, and what a position means in words."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bgai
from bgai.board import START, Board
from bgai.errors import PositionError
from bgai.notation.drawing import draw
from bgai.notation.drawing_reader import parse_drawing
from bgai.notation.fibs import format_fibs_board
from bgai.notation.identify import describe, read_position, write_all
from bgai.notation.key import format_key
from bgai.notation.matchid import format_gnubg_id
from bgai.notation.positionid import format_position_id
from bgai.notation.xgid import format_xgid
from bgai.position import Cube, Position, Score
from tests.cases import case
from tests.positions import boards, mixed_positions
from tests.states import damaged, only_position_errors, positions, random_position, same

XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
PLAYED = Position(START, (3, 1))
WRITTEN = {
    "position ID": ("4HPwATDgc/ABMA", Position()),
    "GNUBG ID": ("4HPwATDgc/ABMA:cIkFAAAAAAAE", PLAYED),
    "XGID": (XGID, PLAYED),
    "gnubg-nn key": ("OAHDPAABDAOAHDPAABDA", Position()),
    "FIBS board": (format_fibs_board(PLAYED), PLAYED),
    "drawing": (draw(START), Position()),
}

GNUBG_SAYS = """\
 GNU Backgammon  Position ID: 4HPwATDgc/ABMA
                 Match ID   : cIkFAAAAAAAE
 +13-14-15-16-17-18------19-20-21-22-23-24-+     O: gnubg
 | X           O    |   | O              X |     0 points"""
XG_SAYS = f"""\
{XGID}

X:Player 1   O:Player 2
Score is X:0 O:0. Unlimited Game
 +13-14-15-16-17-18------19-20-21-22-23-24-+
 | X           O    |   | O              X |"""


@pytest.mark.parametrize("kind", WRITTEN)
def test_every_kind_is_known(kind: str) -> None:
    text, position = WRITTEN[kind]
    for written in (text, f"\n\n{text}\r\n", f"\ufeff{text}"):
        reading = read_position(written)
        assert (reading.kind, reading.remarks) == (kind, ())
        assert same(reading.position, position)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("4HPwATDgc/ABMA==", "position ID"),
        ("gnubgid=4HPwATDgc/ABMA", "position ID"),
        ("GNUBGID 4HPwATDgc/ABMA:cIkFAAAAAAAE", "GNUBG ID"),
        ("4HPwATDgc/ABMA : cIkFAAAAAAAE", "GNUBG ID"),
        (XGID.removeprefix("XGID="), "XGID"),
        (XGID.lower().partition("=")[0] + " = " + XGID.partition("=")[2], "XGID"),
        (GNUBG_SAYS, "GNUBG ID"),
        (GNUBG_SAYS.replace("Match", "Batch"), "position ID"),
        (XG_SAYS, "XGID"),
        (draw(START, ascii_only=True), "drawing"),
    ],
)
def test_other_ways_to_write_them(text: str, kind: str) -> None:
    reading = read_position(text)
    assert reading.kind == kind
    assert np.array_equal(reading.position.board, START)
    assert reading.position.dice == ((3, 1) if kind in ("XGID", "GNUBG ID") else None)


def test_what_is_repaired_is_said() -> None:
    (remark,) = read_position(case("xg-19")["input"]["xgid"]).remarks
    assert remark.startswith("Crawford: ")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "a position ID has 14 characters, found 0 in ''; known are 4HPwATDgc/ABMA (position ID), "),
        ("the start", "found 9 in 'the start'; known are"),
        ("4HPwATDgc_ABMA", "found '_' in '4HPwATDgc_ABMA'"),
        ("4HPwATDgc/ABMA:cIkFAAAAAAA", "a match ID has 12 characters, found 11"),
        ("4HPwATDgc/ABM:cIkFAAAAAAAE", "a position ID has 14 characters, found 13"),
        ("a:b:c", "a position ID has 14 characters, found 5 in 'a:b:c'"),
        ("-b----E-C---eE---c-e----B-:0", "an XGID has 10 fields separated by colons, found 2"),
        ("xgid", "an XGID has 10 fields"),
        ("board:", "a FIBS board is board:NAME1:NAME2: and 50 numbers"),
        ("a\nb", "no drawing of a board found"),
        (GNUBG_SAYS.partition("\n")[2], "no drawing of a board found"),
        (f"{XGID}\n{XGID[:-1]}1", "expected one position, found 2 different ones"),
        ("x" * 100, "found 100 characters beginning with 'xxxxxxxxxxxxxxxxxxxx'"),
        ("x" * 100_000, "expected the name of a position, such as 4HPwATDgc/ABMA"),
    ],
)
def test_other_texts_are_refused(text: str, said: str) -> None:
    with pytest.raises(PositionError) as error:
        read_position(text)
    assert said in str(error.value)
    assert len(str(error.value)) < 300


@given(boards(), st.booleans())
def test_drawings_come_back(board: Board, ascii_only: bool) -> None:
    drawn = draw(board, ascii_only=ascii_only)
    assert np.array_equal(parse_drawing(drawn), board)
    assert draw(parse_drawing(drawn), ascii_only=ascii_only) == drawn


def test_drawings_may_stand_in_a_text() -> None:
    lines = draw(START, names=("X: 3 pips, 1 off", "me")).splitlines()
    quoted = "\n".join(["Look here:", *(f"> {line}" for line in lines), "> X to play 3-1"])
    bare = "\n".join(line[:47] for line in lines[1:-1])
    for text in (quoted, bare, bare.replace("BAR", "   "), "\r\n".join(lines)):
        assert np.array_equal(parse_drawing(text), START)


def redrawn(old: str, new: str, count: int = 1) -> str:
    drawn = draw(START, ascii_only=True)
    assert old in drawn
    return drawn.replace(old, new, count)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no drawing of a board found, expected an edge +---"),
        (draw(START).partition("BAR")[0], "a drawing has 11 rows between its edges"),
        (redrawn("|  X           O    |", "|  O           O    |"), "point 13: found 'OXXXX', expected checkers"),
        (redrawn("|  X           O    |", "|              O    |"), "point 13: found a gap in the stack"),
        (redrawn("|  X           O    |", "|  7           O    |"), "point 13: found '7XXXX'"),
        (redrawn("|  X                |     |  O", "| 16                |     |  O", 2), "found the number '16'"),
        (redrawn("|  X                |     |  O", "|  Y                |     |  O"), "point 13: found 'XXXYX'"),
        (redrawn("BAR", "XXX"), "nothing but BAR in its middle row"),
        (redrawn("|  X           O    |", "   X           O    |"), "row 1 of the drawing is not framed"),
        (redrawn("O    |     |  O", "O   O|     |  O"), "row 1 of the drawing is out of line"),
        (redrawn("167 pips", "166 pips"), "O is said to have 166 pips and 0 checkers off, but the drawing"),
        (redrawn(" 13 14", " 12 11"), "above the board, expected 13 to 24"),
        ("+" * 20_000, "a drawing has about 15 lines, found 20000 characters"),
    ],
)  # fmt: skip
def test_drawings_that_contradict_themselves(text: str, said: str) -> None:
    with pytest.raises(PositionError) as error:
        parse_drawing(text)
    assert said in str(error.value)


def test_the_fields_in_words() -> None:
    reading = read_position("XGID=-b----E-C---eE---c-e----B-:2:-1:1:31:1:4:0:5:8")
    assert describe(reading.position) == [
        ("on roll", "the lower player"),
        ("pips", "167 of the lower player, 167 of the upper player"),
        ("checkers off", "0 of the lower player, 0 of the upper player"),
        ("dice", "3-1"),
        ("cube", "4, owned by the upper player"),
        ("cube limit", "256"),
        ("waiting", "nothing"),
        ("match", "to 5 points"),
        ("points", "1 of the lower player, 4 of the upper player"),
        ("away", "4 of the lower player, 1 of the upper player"),
        ("Crawford", "over"),
    ]


@pytest.mark.parametrize(
    ("position", "pair"),
    [
        (Position(seat=0), ("on roll", "the upper player")),
        (Position(offer="double"), ("waiting", "a double to 2, the upper player to answer")),
        (Position(offer="gammon", seat=0), ("waiting", "a resignation of a gammon, the lower player to answer")),
        (Position(offer="gammon", seat=0), ("offer by", "the upper player")),
        (Position(score=Score(jacoby=True)), ("Jacoby", "yes")),
        (Position(score=Score((4, 0), 5, crawford=True)), ("Crawford", "this game")),
        (Position(score=Score((3, 0), 5)), ("Crawford", "no")),
        (Position(cube=Cube(2)), ("cube", "2, in the middle")),
        (Position(cube_limit=1), ("cube limit", "1, no cube")),
        (Position(np.minimum(START, 0)), ("result", "the lower player has won a backgammon")),
    ],
)
def test_more_fields_in_words(position: Position, pair: tuple[str, str]) -> None:
    assert pair in describe(position)


@given(positions())
def test_a_position_in_every_kind(position: Position) -> None:
    written = {one.kind: one for one in write_all(position)}
    assert list(written) == ["position ID", "GNUBG ID", "XGID", "gnubg-nn key", "FIBS board"]
    assert written["position ID"].text == format_position_id(position.board)
    assert written["gnubg-nn key"].text == format_key(position.board)
    assert written["GNUBG ID"].text == format_gnubg_id(position)
    for kind, format_it in (("XGID", format_xgid), ("FIBS board", format_fibs_board)):
        one = written[kind]
        if one.text is None:
            assert "cannot hold" in one.note
        else:
            assert one.text == format_it(position)
        if kind == "XGID":
            assert one.text is None or one.note == ""
    for one in written.values():
        if one.text is not None:
            assert read_position(one.text).kind == one.kind


def test_what_is_lost_is_named() -> None:
    position = Position(score=Score(jacoby=True, beavers=True), cube_limit=64)
    notes = {one.kind: one.note for one in write_all(position)}
    assert notes["GNUBG ID"] == "without cube limit, beavers"
    assert notes["FIBS board"] == "without cube limit, Jacoby, beavers"
    assert notes["XGID"] == ""


def test_the_front_door() -> None:
    reading = bgai.read_position(XGID)
    assert bgai.format_xgid(reading.position) == XGID
    assert bgai.format_gnubg_id(bgai.parse_xgid(XGID)) == "4HPwATDgc/ABMA:cIkFAAAAAAAE"
    assert bgai.parse_gnubg_id("4HPwATDgc/ABMA:cIkFAAAAAAAE").dice == (3, 1)


def mistaken_texts(count: int, seed: int) -> Iterator[str]:
    rng = random.Random(seed)
    good: list[str] = [GNUBG_SAYS, XG_SAYS]
    for board in mixed_positions(60, seed)[0]:
        position = random_position(rng, board, offers=False)
        good += [one.text for one in write_all(position) if one.text is not None]
        good += [draw(board), draw(board, ascii_only=True)]
    return (damaged(rng, rng.choice(good)) for _ in range(count))


def test_mistaken_texts_are_refused_in_one_way() -> None:
    for text in mistaken_texts(3000, seed=1):
        only_position_errors(read_position, text)
        only_position_errors(parse_drawing, text)


@pytest.mark.check
def test_a_million_mistaken_texts() -> None:
    for text in mistaken_texts(1_000_000, seed=2):
        only_position_errors(read_position, text)


@pytest.mark.check
def test_a_million_mistaken_drawings() -> None:
    rng = random.Random(3)
    good = [draw(board, ascii_only=bool(rng.randrange(2))) for board in mixed_positions(100, seed=3)[0]]
    for _ in range(1_000_000):
        text = damaged(rng, rng.choice(good))
        only_position_errors(parse_drawing, text)
