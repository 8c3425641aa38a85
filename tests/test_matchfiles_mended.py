"""Files that are not as they should be: what is wrong is said with its line, and the rest is read."""

from __future__ import annotations

import itertools
import json
import random
import re

import pytest

from bgai.board import START, flip
from bgai.errors import InputError
from bgai.events import (
    AcceptResignation,
    Beaver,
    Double,
    Event,
    Pass,
    Play,
    Raccoon,
    Resign,
    Roll,
    SetUp,
    StartGame,
    Take,
)
from bgai.matchfiles.found import MatchFile
from bgai.matchfiles.positions import read_positions
from bgai.matchfiles.reading import read_match
from bgai.position import Cube
from tests.cases import FOLDER

HEAD = "{length} point match\n\n Game 1\n Ann : 0                        Ben : 0\n"
OPENED: list[Event] = [StartGame((3, 1)), Play(0, ((8, 5), (6, 5)))]


def mat(*rows: str, length: int = 5) -> MatchFile:
    """A text with these rows in its first game; the first of them is line 5."""
    return read_match((HEAD.format(length=length) + "\n".join(rows) + "\n").encode(), "x.mat")


def sgf(*nodes: str, root: str = "MI[length:5][game:0][ws:0][bs:0]RU[Crawford]") -> MatchFile:
    """A game of these nodes; the first of them is line 2."""
    return read_match(f"(;FF[4]GM[6]PW[Ann]PB[Ben]{root}\n{chr(10).join(nodes)})\n".encode(), "x.sgf")


def said(found: MatchFile) -> list[str]:
    return [str(problem) for problem in found.problems]


def one(found: MatchFile) -> str:
    (problem,) = said(found)
    return problem


ROW = "  1) 31: 8/5 6/5                 "


@pytest.mark.parametrize(
    "dance", ["", "Cannot Move", "Can't move", "Can\u2019t Move", "cannot move.", "no move", "Pass", "-"]
)
def test_no_move_is_written_in_many_ways(dance: str) -> None:
    closed = [0, 0, 0, 0, 0, 0, 1, *[0] * 12, -2, -2, -2, -2, -2, -2, 1]
    line = "5;0;0;0;1;Ben;Ann;0;0;0;1;0;" + "".join(f"{number};" for number in closed) + "0;0;"
    found = mat(f"  1) 21: Illegal play ({line})     66: {dance}", "  2) 61: 6/off 5/4")
    assert said(found) == []
    assert found.record.events[2:4] == (Roll(1, (6, 6)), Play(1))
    assert len(found.record.events) == 6


SIXES = ROW + "66: 24/18(2) 13/7(2)"


@pytest.mark.parametrize(
    "words", ["Cannot Move", "Can't Move", "Can\u2019t move", "no move", "No legal moves", "Dance"]
)
@pytest.mark.parametrize("gap", [1, 20])
def test_no_move_without_a_roll_leaves_the_play_beside_it_alone(words: str, gap: int) -> None:
    """GNU Backgammon keeps the play too."""
    for behind in ((), ("  3) 21: 6/5 6/4",)):
        found = mat(SIXES, f"  2) 54: 13/4{' ' * gap}{words}", *behind)
        assert one(found) == f"line 6, game 1: expected a roll in front of {words!r}, found none; the turn passes"
        events = found.record.events
        assert events[4:6] == (Roll(0, (5, 4)), Play(0, ((13, 8), (8, 4))))
        placed = events[6]
        assert isinstance(placed, SetUp)
        assert (placed.seat, placed.dice) == (0, None)
        assert events[7:] == ((Roll(0, (2, 1)), Play(0, ((6, 5), (6, 4)))) if behind else ())


def test_no_move_without_a_roll_of_the_left_player() -> None:
    found = mat(SIXES, "  2) Cannot Move                 21: 6/4 6/5")
    assert one(found) == "line 6, game 1: expected a roll in front of 'Cannot Move', found none; the turn passes"
    placed, *rest = found.record.events[4:]
    assert isinstance(placed, SetUp)
    assert placed.seat == 1
    assert rest == [Roll(1, (2, 1)), Play(1, ((6, 4), (6, 5)))]


def test_no_move_between_two_rolls_belongs_to_the_first() -> None:
    found = mat(SIXES, "  2) 54: 13/4 cannot move         42: 8/4 6/4")
    assert said(found) == []
    assert found.record.events[4:6] == (Roll(0, (5, 4)), Play(0, ((13, 8), (8, 4))))


def test_control_characters_are_left_out() -> None:
    """They could steer the terminal that shows a name."""
    head = '; [Event "night\x1b[2J"]\n' + HEAD.format(length=5).replace("Ann", "\x1b[31mAnn\x9b")
    text = f"{head}; a\x1bremark\n{SIXES.replace('8/5', '8/4')}\n  2)  Takes\n"
    found = read_match(text.encode(), "x.mat")
    record = found.record
    assert record.players == ("[31mAnn", "Ben")
    assert record.metadata["event"] == "night [2J"
    assert [game.comments for game in record.games] == [{}]
    assert any("[31mAnn" in problem for problem in said(found))
    stored = json.dumps(record.to_dict() | {"players": ["A\x1b]0;x\x07", "B\nb"], "comment": "one\n\ttwo\x08"})
    again = read_match(stored.encode(), "x.json").record
    assert (again.players, again.comment) == (("A ]0;x", "B b"), "one\n\ttwo ")
    shown = "".join([*said(found), *record.players, *again.players, *record.metadata.values(), again.comment])
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", shown)


def test_a_list_of_positions_is_no_match() -> None:
    with pytest.raises(InputError, match=r"^ids.txt: a list of positions, and no match; `bgai move --file` and"):
        read_match(b"# mine\n4HPwATDgc/ABMA\n\n4HPwATDgc/ABMA # again\n", "ids.txt")
    with pytest.raises(InputError, match="no match of a known kind"):
        read_match(b"4HPwATDgc/ABMA\nis one line\nof three\n", "ids.txt")


def test_an_illegal_play_is_taken_as_it_stands() -> None:
    found = mat(ROW + "42: 8/4 6/3", "  2) 63: 24/15", length=5)
    assert one(found).startswith("line 5, game 1: '8/4 6/3' is not legal with 4-2; legal: 24/22 8/4, 13/11 8/4, ")
    assert one(found).endswith("; taken as it stands")
    events = found.record.events
    assert events[2] == Roll(1, (4, 2))
    placed = events[3]
    assert isinstance(placed, SetUp)
    assert (placed.seat, placed.dice, placed.cube, placed.owner) == (0, None, 1, None)
    # Seen by seat 0, whose own five point is made; the other has moved 8/4 and 6/3.
    assert [placed.checkers[point] for point in (5, 6, 8, 17, 19, 21, 22)] == [2, 4, 2, -2, -4, -1, -1]
    assert events[4:] == (Roll(0, (6, 3)), Play(0, ((24, 18), (18, 15))))


def test_an_impossible_play_is_done_as_far_as_it_goes() -> None:
    found = mat(ROW + "42: 9/5 6/4", "  2) 63: 24/15")
    assert one(found).endswith("; taken as far as it can be done")
    placed = found.record.events[3]
    assert isinstance(placed, SetUp)
    assert [placed.checkers[point] for point in (19, 21)] == [-4, -1]


@pytest.mark.parametrize(
    ("rows", "problem"),
    [
        ([ROW + "42: rubbish"], "line 5, game 1: expected a play of 4-2, found 'rubbish'; legal: 24/22 13/9, "),
        (
            [ROW + "42: Cannot Move", "  2) 63: 24/15"],
            "line 5, game 1: no play is given for 4-2, and it can be played, as ",
        ),
        ([ROW, "  2) 63: 24/15"], "line 6, game 1: a turn of Ben is missing; the game goes on without it"),
        (
            [ROW + " Doubles => 4", "  2)  Takes"],
            "line 5, game 1: the cube is said to go to 4, and it goes to 2; taken as 2",
        ),
        (
            [ROW + " Doubles => 2", "  2)                             61: 13/7 8/7"],
            "line 6, game 1: the answer to the double of Ben is missing; taken as a take",
        ),
        (
            [ROW + " Doubles => 2", "                                 Wins 1 point"],
            "line 6, game 1: the answer to the double is missing; taken as a drop",
        ),
        ([ROW + " Takes"], "line 5, game 1: a take of Ben, and no double waits for it; left out"),
        (
            [ROW + "42: 8/4 6/4", "Wins 7 points"],
            "line 6, game 1: 7 points with the cube at 1 cannot be; taken as a resignation of 3",
        ),
        (
            ["  1) 33: 8/5(2) 6/3(2)"],
            "line 5, game 1: the game begins with 3-3, and equal opening dice are thrown again",
        ),
        (
            ["  1)  Doubles => 2                Takes"],
            "line 5, game 1: the game begins before its first roll; the opening roll is left out",
        ),
        (
            [ROW + "42: 8/4 6/4", "somebody said something", "  2) 63: 24/15"],
            "line 6, game 1: not understood and left out: 'somebody said something'",
        ),
        ([ROW + " Beavers => 4"], "line 5, game 1: the cube is said to go to 4, and it goes to 2; taken as 2"),
        (
            [ROW + " Doubles => 2", "  2)  Beavers => 4"],
            "line 6, game 1: Ann turns the cube in answer to a double, which cannot be; taken as a take",
        ),
        (
            [ROW + "42: 8/4 6/4", " Game 2", " Ann : 0    Ben : 2"],
            "line 6, game 1: the game has no end; by the next score Ben has won 2",
        ),
        (
            [ROW + "42: 8/4 6/4", " Game 2", " Ann : 0    Ben : 0"],
            "line 6, game 1: the game has no end, and the next one begins; it is left out",
        ),
    ],
)
def test_what_is_wrong_is_said_once(rows: list[str], problem: str) -> None:
    assert one(mat(*rows)).startswith(problem)


def test_the_game_goes_on_behind_a_missing_turn() -> None:
    events = mat(ROW, "  2) 63: 24/15                   42: 8/4 6/4").record.events
    placed = events[2]
    assert isinstance(placed, SetUp)
    assert placed.seat == 0
    assert events[3:5] == (Roll(0, (6, 3)), Play(0, ((24, 18), (18, 15))))
    assert events[5:] == (Roll(1, (4, 2)), Play(1, ((8, 4), (6, 4))))


def test_a_double_in_the_crawford_game() -> None:
    text = HEAD.format(length=2) + (
        f"{ROW}42: 8/4 6/4\n  2)  Doubles => 2                Drops\n      Wins 1 point\n\n"
        f" Game 2\n Ann : 1                        Ben : 0\n{ROW} Doubles => 2\n  2)  Takes\n"
    )
    found = read_match(text.encode())
    assert one(found).startswith(
        "line 11, game 2: a double in the Crawford game: the match is taken as one without the Crawford rule"
    )
    assert not found.record.rules.crawford
    assert found.record.final.cube == 2


def test_a_file_that_begins_after_the_crawford_game() -> None:
    text = f" 5 point match\n Game 4\n Ann : 4      Ben : 3\n{ROW} Doubles => 2\n  2)  Drops\n"
    found = read_match(text.encode())
    assert said(found) == []
    assert (found.record.score, found.record.post_crawford, found.record.rules.crawford) == ((4, 3), True, True)
    assert found.record.final.winner is None
    assert found.record.final.score == (4, 4)


def test_beavers_raccoons_and_automatic_doubles_are_understood() -> None:
    found = mat(
        ROW + " Doubles => 4",
        "  2)  Beavers => 8                Raccoons => 16",
        "  3)  Takes                       61: 13/7 8/7",
        length=0,
    )
    assert said(found) == []
    record = found.record
    assert record.events[:6] == (StartGame((3, 1), 1), OPENED[1], Double(1), Beaver(0), Raccoon(1), Take(0))
    assert (record.final.cube, record.final.owner) == (16, 0)
    assert (record.rules.beavers, record.rules.raccoons, record.rules.automatic_doubles) == (True, True, 1)


def test_numbers_beyond_measure() -> None:
    far = "9" * 5000
    for text in (
        HEAD.format(length=far) + ROW,
        HEAD.format(length=5).replace(": 0", f": {far}") + ROW,
        HEAD.format(length=5).replace("Game 1", f"Game {far}") + ROW,
        HEAD.format(length=5) + ROW + f" Doubles => {far}",
        HEAD.format(length=5) + ROW + f"\n  Wins {far} points",
    ):
        assert read_match(text.encode()).record.events[: len(OPENED)] == tuple(OPENED)
    found = mat(ROW + " Doubles => 131072", length=0)
    assert said(found)[0] == "line 3, game 1: 16 automatic doubles pass the limit of the cube, 1024; taken as none"
    assert found.record.events[0] == OPENED[0]


def test_a_beaver_is_taken_without_a_word() -> None:
    found = mat(ROW + " Doubles => 2", "  2)  Beavers => 4               61: 13/7 8/7", length=0)
    assert said(found) == []
    assert found.record.events[2:6] == (Double(1), Beaver(0), Take(1), Roll(1, (6, 1)))


@pytest.mark.parametrize(
    ("tail", "end"),
    [
        (["      Wins 2 points"], (Resign(1, 2), AcceptResignation(0))),
        (["                                  Wins 3 points"], (Resign(0, 3), AcceptResignation(1))),
        (["  2)  Resigns", "                                  Wins 1 point"], (Resign(0, 1), AcceptResignation(1))),
        (["  2)  Resigns gammon"], (Resign(0, 2), AcceptResignation(1))),
        (["Ben wins 2 points"], (Resign(0, 2), AcceptResignation(1))),
        (
            ["  2) 63: ????", "                                  Wins 1 point"],
            (Roll(0, (6, 3)), Resign(0, 1), AcceptResignation(1)),
        ),
        (
            ["  2) 63:", "                                  Wins 1 point and the match", "", "Ben is happy.", "Bye: 3"],
            (Roll(0, (6, 3)), Resign(0, 1), AcceptResignation(1)),
        ),
        (["  2)  Doubles => 2                Passes"], (Double(0), Pass(1))),
        (["  2)  Redoubles to 2              Accepts"], (Double(0), Take(1))),
        (["  2)  Doubles => 2"], (Double(0),)),
        (["  2) 63: ????"], (Roll(0, (6, 3)),)),
    ],
)
def test_a_game_ends_in_many_ways(tail: list[str], end: tuple[Event, ...]) -> None:
    found = mat(ROW + "42: 8/4 6/4", *tail)
    assert said(found) == []
    assert found.record.events[4:] == end


@pytest.mark.parametrize(
    "encoded",
    [
        lambda text: text.encode(),
        lambda text: b"\xef\xbb\xbf" + text.encode(),
        lambda text: text.encode("utf-16"),
        lambda text: text.encode("utf-16-be"),
        lambda text: text.encode("cp1252"),
        lambda text: text.replace("\n", "\r\n").encode(),
        lambda text: text.replace("\n", "\r").encode("latin-1"),
        lambda text: text.replace("                 42", "\t42").replace("         Ün", "\tÜn").encode(),
        lambda text: text.replace("31: 8/5 6/5                 ", "31: 8/5 6/5 ").encode(),
        lambda text: text.replace(" : 0", ":0").encode(),
    ],
)
def test_encodings_line_ends_and_widths(encoded: object) -> None:
    text = f" 5 point match\n\n Game 1\n Zoë : 0                        Ünal : 0\n{ROW}42: 8/4 6/4\n"
    found = read_match(encoded(text))  # type: ignore[operator]
    assert said(found) == []
    assert found.record.players == ("Zoë", "Ünal")
    assert found.record.events == (*OPENED, Roll(1, (4, 2)), Play(1, ((8, 4), (6, 4))))


def test_a_game_file_without_a_head() -> None:
    for text in (f" Ann : 0                        Ben : 0\n{ROW}42: 8/4 6/4\n", f"{ROW}42: 8/4 6/4\n"):
        record = read_match(text.encode(), "x.gam").record
        assert record.rules.length == 0
        assert record.events == (*OPENED, Roll(1, (4, 2)), Play(1, ((8, 4), (6, 4))))


def test_a_line_end_that_gnubg_forgets() -> None:
    text = HEAD.format(length=0) + f"{ROW}61:  Game 2\n Ann : 0                        Ben : 3\n{ROW}42: 8/4 6/4\n"
    found = read_match(text.encode())
    assert [len(game.events) for game in found.record.games] == [5, 4]
    assert found.record.games[0].events[2:] == (Roll(1, (6, 1)), Resign(0, 3), AcceptResignation(1))


def test_an_illegal_play_with_snowies_position() -> None:
    line = "5;0;0;0;0;Ann;Ben;0;0;0;2;1;" + "".join(f"{number};" for number in START.tolist()) + "6;1;"
    found = mat(f"{ROW}42: Illegal play ({line})", "  2) 61: 13/7 8/7")
    assert said(found) == []
    assert found.record.events[2:] == (
        Roll(1, (4, 2)),
        SetUp(0, tuple(START.tolist()), (6, 1), 2, 0),
        Play(0, ((13, 7), (8, 7))),
    )


def test_a_position_line_of_snowie() -> None:
    line = "7;0;0;0;1;Ben;Ann;0;3;5;2;1;" + "".join(f"{number};" for number in START.tolist()) + "5;2;"
    found = read_match(line.encode(), "x.txt")
    state = found.record.final
    assert (found.format, found.problems, found.record.players) == ("snowie", (), ("Ann", "Ben"))
    assert (state.on_roll, state.dice, state.cube, state.owner, state.score) == (1, (5, 2), 2, 1, (5, 3))
    (entry,) = read_positions(line.encode()).positions
    assert (entry.reading.position.cube, entry.reading.position.score.points) == (Cube(2, "on roll"), (3, 5))


# ---- SGF


def test_a_setup_in_the_middle() -> None:
    found = sgf(
        ";W[31hefe]", ";PL[B]DI[42]", ";PL[W]AE[a:y]AW[a]AB[x][x]CV[2]CP[b]", ";W[61az]", root="MI[length:0]RE[W+2]"
    )
    assert said(found) == []
    events = found.record.events
    assert events[2] == Roll(1, (4, 2))
    assert events[3] == SetUp(0, (0, 1, *[0] * 22, -2, 0), None, 2, 1)
    assert events[5] == Play(0, ((1, 0),))
    assert found.record.final.score == (2, 0)


@pytest.mark.parametrize(
    ("nodes", "problem"),
    [
        ([";W[31hefe]", ";B[42qusq]"], "line 3, game 1: '8/4 6/8' is not legal with 4-2; legal: "),
        ([";W[31hefe]", ";B[42quyy]"], "line 3, game 1: B[42quyy]: found 'y', expected a point from 'a' to 'x'"),
        (
            [";W[31hefe]", ";W[31hefe]", ";B[42qusu]"],
            "line 3, game 1: a turn of Ben is missing; the game goes on without it",
        ),
        ([";W[31hefe]", ";B[shrug]"], "line 3, game 1: not understood and left out: B[shrug]"),
        (
            [";W[31hefe]", ";B[double]", ";W[drop]", ";B[double]"],
            "line 5, game 1: a double after the end of the game; left out",
        ),
    ],
)
def test_what_is_wrong_in_sgf(nodes: list[str], problem: str) -> None:
    assert said(sgf(*nodes))[0].startswith(problem)


def test_analyses_and_variations_are_left_aside() -> None:
    found = sgf(
        ";W[31hefe]A[0][hefe E ver 3 0.5 0.1 0.0 0.1 0.0 0.1 2C 0 0.0 1]LU[0.1]C[the best\\: play]",
        "(;B[42qusu](;W[63xrro])(;W[63xrmj]))(;B[61lrmn])",
    )
    assert said(found) == []
    assert len(found.record.events) == 6
    assert found.record.games[0].comments == {1: "the best: play"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (" \n ", "x: no match: the file is empty"),
        ("hello\nworld\n", "x: no match of a known kind; known are mat, sgf, snowie, xg, xg text, json"),
        ("(;FF[4]", "x: line 1: the file is cut: the game of line 1 has no end"),
        ("(;FF[4]GM[6]PW[Ann", "x: line 1: the file is cut: a value has no end, expected ']'"),
        ("(;GM[1])", "x: expected a backgammon file (GM[6]), found GM[1], which is Go"),
        ("(;GM[6]RU[Hypergammon1])", "x: a match of 'Hypergammon1', and only backgammon and nackgammon are known"),
        (
            '; [Variation "HyperGammon"]\n 5 point match\n',
            "x: a match of 'hypergammon', and only backgammon and nackgammon are known",
        ),
        ("(;GM[6];AE[a:y]AW[a][b])", "x: line 1: a position is set up to play on, and here a side has no checker left"),
        ("(;GM[6];DI[71])", "x: line 1: found DI[71], expected two dice such as DI[31]"),
        ('{"format": 9}', "x: expected a match record of format 1, found 9"),
        ("{", "x: no JSON: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"),
        ("5;0;0;0;2;Ann;Ben;" + "0;" * 33, "x: Snowie's field 5, the player on roll: found 2, expected 0 or 1"),
    ],
)
def test_what_is_no_match_is_one_line(text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        read_match(text.encode(), "x")
    assert str(error.value) == message


def test_cut_and_spoilt_files_never_fail_otherwise() -> None:
    """Whatever stands in a file, it is read or refused in one line."""
    rng = random.Random(1)
    for name in (
        "m09_match_crawford_and_the_match.mat",
        "m12_names_spaces_dots_rating.mat",
        "s01_match_cube_crawford.sgf",
        "s05_position_setup.sgf",
    ):
        data = (FOLDER / "files" / name).read_bytes()
        for _ in range(30):
            spoilt = bytearray(data[: rng.randint(1, len(data))] if rng.random() < 0.3 else data)
            for _ in range(rng.randint(1, 6)):
                place = rng.randrange(len(spoilt))
                spoilt[place : place + rng.randint(0, 3)] = bytes(
                    rng.choices(b"0123456789:/*()[];WBabxyz \n", k=rng.randint(0, 3))
                )
                spoilt = spoilt or bytearray(b" ")
            try:
                said_of_it = said(read_match(bytes(spoilt), name))
            except InputError as error:
                said_of_it = [str(error)]
            assert not any("\n" in line for line in said_of_it)


def test_lists_of_positions() -> None:
    xgid = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:1:1:1:7:10"
    text = f"# mine\n4HPwATDgc/ABMA\n\n{xgid}  # an opening\nrubbish\n4HPwATDgc/ABMA:cIkFAAAAAAAA\n"
    for data in (text.encode(), text.encode("utf-16"), text.replace("\n", "\r\n").encode("cp1252")):
        found = read_positions(data)
        assert [(entry.line, entry.reading.kind) for entry in found.positions] == [
            (2, "position ID"),
            (4, "XGID"),
            (6, "GNUBG ID"),
        ]
        assert [problem.line for problem in found.problems] == [4, 5]
        assert str(found.problems[0]).startswith("line 4: Crawford: found a Crawford game at 1-1")
    for text, message in (
        ("rubbish\n", "x: line 1: a position ID has 14 characters, found 7"),
        ("\n", "x: no position"),
    ):
        with pytest.raises(InputError) as error:
            read_positions(text.encode(), "x")
        assert str(error.value).startswith(message)


def test_both_sides_see_the_same_board_when_columns_change() -> None:
    """A position in a game with changed columns belongs to the players, not to the columns."""
    line = "0;0;0;1;0;Ben;Ann;0;0;1;1;0;" + "".join(f"{number};" for number in flip(START).tolist()) + "0;0;"
    text = (
        HEAD.format(length=0)
        + f"{ROW}42: 8/4 6/4\n      Wins 1 point\n Game 2\n Ben : 0                        Ann : 1\n"
        + f"  1) 21: Illegal play ({line})\n"
        + "  2) 31: 8/5 6/5\n"
    )
    found = read_match(text.encode())
    assert said(found) == []
    events = found.record.games[1].events
    assert events[0] == StartGame((1, 2))
    assert isinstance(events[1], SetUp)
    assert events[1].seat == 1
    assert all(event.seat == 1 for event in itertools.islice(events, 4))
