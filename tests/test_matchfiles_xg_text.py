"""Positions as eXtreme Gammon writes them into text. The texts are made up; their form is that of the program."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bgai.errors import InputError
from bgai.events import Beaver, Double, SetUp
from bgai.match_state import position
from bgai.matchfiles.xg_text import XgCube, XgPlay, is_xg_text, read_xg_text
from bgai.notation.xgid import parse_xgid
from bgai.position import Position
from tests.cases import FOLDER, case, cases

OPENING = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:3:0:10"
PLAY = f"""{OPENING}

X:Ann of the Hill   O:Ben
Score is X:0 O:0. Unlimited Game, Jacoby Beaver
 +13-14-15-16-17-18------19-20-21-22-23-24-+
 | X           O    |   | O              X |
 +12-11-10--9--8--7-------6--5--4--3--2--1-+
Pip count  X: 167  O: 167 X-O: 0-0
Cube: 1
X to play 31

    1. Rollout¹    8/5 6/5                      eq:+0.159
      Player:   55.08% (G:17.05% B:0.84%)
      Opponent: 44.92% (G:12.46% B:0.56%)
      Confidence: ±0.003 (+0.156..+0.163) - [100.0%]
      Duration: 1 minute 12 seconds

    2. XG Roller++ 24/23 13/10                  eq:-0.011 (-0.170)
      Player:   49.60% (G:12.98% B:0.61%)
      Opponent: 50.40% (G:14.08% B:0.70%)

    3. 2-ply       24/20                        eq:-0.012 (-0.171)

¹  1296 Games rolled with Variance Reduction.
   Dice Seed: 271828
   Moves: 3-ply, cube decisions: XG Roller

make the point!

at once.

eXtreme Gammon Version: 2.10, MET: Kazaross XG2
"""
CUBE = """XGID=---BBaB-BbA-bC-b--BdAca---:0:0:1:00:0:5:0:9:10

X:Ann   O:Ben
Score is X:0 O:5 9 pt.(s) match.
Cube: 1
X on roll, cube action

Analyzed in XG Roller++
Player Winning Chances:   54.40% (G:18.22% B:0.53%)
Opponent Winning Chances: 45.60% (G:12.71% B:0.51%)

Cubeless Equities: No Double=+0.103, Double=+0.259

Cubeful Equities:
       No double:     +0.337
       Double/Take:   +0.215 (-0.122)
       Double/Pass:   +1.000 (+0.663)

Best Cube action: No double / Take
Percentage of wrong pass needed to make the double decision right: 13.4%

wait for it

eXtreme Gammon Version: 2.10, MET: Kazaross XG2
"""
DECIDED = XgCube(
    source="XG Roller++",
    chances=(0.544, 0.1822, 0.0053, 0.1271, 0.0051),
    cubeless_no_double=0.103,
    cubeless_double=0.259,
    no_double=0.337,
    double_take=0.215,
    double_pass=1.0,
    best="No double / Take",
    wrong_answers=0.134,
)
PLAYED = (
    XgPlay(1, "Rollout¹", "8/5 6/5", ((8, 5), (6, 5)), 0.159, (0.5508, 0.1705, 0.0084, 0.1246, 0.0056)),
    XgPlay(2, "XG Roller++", "24/23 13/10", ((24, 23), (13, 10)), -0.011, (0.496, 0.1298, 0.0061, 0.1408, 0.007)),
    XgPlay(3, "2-ply", "24/20", ((24, 21), (21, 20)), -0.012, None),
)
ELSEWHERE = {
    "German": {
        "Analyzed in": "Analysiert in",
        "Player Winning Chances": "Spieler Gewinnchancen",
        "Opponent Winning Chances": "Gewinnchancen des Gegners",
        "Cubeless Equities: No Double": "Equities ohne Dopplerwürfel: Nicht Doppeln",
        ", Double=": ", Doppeln=",
        "Cubeful Equities": "Equities mit Dopplerwürfel",
        "No double:": "Nicht Doppeln:",
        "Double/Take": "Doppeln/Annehmen",
        "Double/Pass": "Doppeln/Ablehnen",
        "Best Cube action: No double / Take": "Beste Aktion: No double / Take",
        "Percentage of wrong pass needed": "Prozent von falschen Ablehnen",
        "Score is": "Punktzahl ist ",
        "Player:": "Spieler:",
        "Opponent:": "Gegner:",
    },
    "French": {
        "Analyzed in": "Analysé avec",
        "Player Winning Chances": "Chance de gain du joueur",
        "Opponent Winning Chances": "Chance de gain de l'adversaire",
        "Cubeless Equities: No Double": "Equités sans videau: Pas de double",
        "Cubeful Equities:": "Equités avec videau",
        "No double:": "Pas de redouble:",
        "Double/Take": "Redouble/Prend",
        "Double/Pass": "Redouble/Passe",
        "Version: 2.10, MET": "Version: 2.10, TEM",
        "eq:": "éq:",
        "Player:": "Joueur:",
        "Opponent:": "Adversaire:",
    },
    "Japanese": {
        "No double:": "ノーダブル:",
        "Double/Take": "ダブル/テイク",
        "Double/Pass": "ダブル/パス",
        "Best Cube action: ": "ベストキューブアクション：",
        "Player:": "プレーヤー:",
        "Opponent:": "対戦相手:",
    },
}


def same_position(found: Position, expected: Position) -> bool:
    return vars(found).keys() == vars(expected).keys() and all(
        (getattr(found, name) == getattr(expected, name)) if name != "board" else (found.board == expected.board).all()
        for name in vars(found)
    )


def test_a_checker_play() -> None:
    found = read_xg_text(PLAY)
    assert found.problems == ()
    (block,) = found.blocks
    assert block.xgid == OPENING
    assert same_position(block.position, parse_xgid(OPENING))
    assert block.players == ("Ben", "Ann of the Hill")
    assert block.plays == PLAYED
    assert block.cube is None
    assert block.comment == "make the point!\n\nat once."
    assert (block.version, block.table) == ("2.10", "Kazaross XG2")


def test_a_decision_with_the_cube() -> None:
    found = read_xg_text(CUBE)
    assert found.problems == ()
    (block,) = found.blocks
    assert block.plays == ()
    assert block.cube == DECIDED
    assert block.comment == "wait for it"


def test_decimal_commas_as_reported() -> None:
    reported = case("cl-02")
    text = (FOLDER / reported["input"]["file"]).read_text("utf-8")
    assert is_xg_text(text)
    found = read_xg_text(text)
    assert found.problems == ()
    (block,) = found.blocks
    expected = reported["expected"]
    assert block.xgid == expected["xgid"]
    assert [{"move": play.text, "equity": play.equity} for play in block.plays] == expected["moves"]
    assert block.comment == expected["comment"]
    assert block.players == ("Bob", "Alice")
    assert [play.source for play in block.plays] == ["3-ply", "3-ply", "2-ply"]
    first = XgPlay(1, "3-ply", "24/23 6/2", ((24, 23), (6, 2)), -0.312, (0.441, 0.082, 0.002, 0.171, 0.006))
    assert block.plays[0] == first


def with_commas(text: str) -> str:
    """Decimals with commas; the version and the numbers of the list keep their points."""
    return re.sub(r"([+-]\d|\d)\.(\d+)(?!.*MET)", r"\1,\2", text)


@pytest.mark.parametrize(
    "change",
    [
        with_commas,
        lambda text: text.replace("\n", "\r\n"),
        lambda text: "\ufeff" + text,
        lambda text: text.replace("-0.", "−0."),
        lambda text: text.replace("    ", "\t").replace("  ", "\xa0\xa0"),
        lambda text: "\n".join(" ".join(line.split()) for line in text.split("\n")).replace(
            "X:Ann of the Hill O", "X:Ann of the Hill  O"
        ),
        lambda text: text.replace("\n\n", "\n") if text is CUBE else text,
        lambda text: "Found on the web:\n" + text,
    ],
    ids=[
        "commas",
        "CRLF",
        "byte order mark",
        "minus sign",
        "other blanks",
        "single blanks",
        "no empty lines",
        "headed",
    ],
)
def test_other_hands_have_had_the_text(change: object) -> None:
    assert callable(change)
    play, cube = (read_xg_text(change(text)).blocks[0] for text in (PLAY, CUBE))
    assert play.plays == PLAYED
    assert cube.cube == DECIDED
    assert (play.players, cube.players) == (("Ben", "Ann of the Hill"), ("Ben", "Ann"))
    assert cube.version == "2.10"


@pytest.mark.parametrize("language", ELSEWHERE)
def test_other_languages(language: str) -> None:
    play, cube = PLAY, CUBE
    for english, foreign in ELSEWHERE[language].items():
        play, cube = play.replace(english, foreign), cube.replace(english, foreign)
    assert play != PLAY
    assert cube != CUBE
    assert read_xg_text(play).blocks[0].plays == PLAYED
    assert read_xg_text(cube).blocks[0].cube == DECIDED


def test_the_bar_and_off_in_any_language() -> None:
    xgid = "XGID=--BBB-----bb-------------A:0:0:1:21:0:0:0:0:10"
    found = read_xg_text(f"{xgid}\n  1. 3-ply   Barre/23 4/3   eq:+1.0\n  2. 3-ply  bar/24 2/Off   eq:-1\n")
    assert found.blocks[0].plays[0].steps == ((25, 23), (4, 3))
    assert found.blocks[0].plays[1].steps is None
    assert [problem.line for problem in found.problems] == [3]
    off = read_xg_text("XGID=--BBB---------------bb----:0:0:1:21:0:0:0:0:10\n1. 1-ply 2/Aus 2/1 eq:+1.0").blocks[0]
    assert off.plays[0].steps == ((2, 1), (2, 0))


def test_a_roll_that_cannot_be_played() -> None:
    xgid = "XGID=------E-C----D-----c----bA:0:0:1:61:0:0:0:0:10"
    found = read_xg_text(f"{xgid}\n\n    1. 3-ply       Cannot Move                  eq:-0.900\n")
    assert found.problems == ()
    (play,) = found.blocks[0].plays
    assert (play.text, play.steps, play.equity) == ("Cannot Move", (), -0.9)


def test_actions_with_the_cube_as_a_list() -> None:
    text = CUBE.split("Analyzed")[0] + "    1. XG Roller+  Double, take                 eq:+0.678\n"
    (play,) = read_xg_text(text).blocks[0].plays
    assert (play.source, play.text, play.steps) == ("XG Roller+", "Double, take", None)


def test_pieces_may_be_missing() -> None:
    bare = read_xg_text(OPENING).blocks[0]
    assert (bare.players, bare.plays, bare.cube, bare.comment, bare.version) == (("", ""), (), None, "", "")
    no_cubeless = read_xg_text(CUBE.replace("Cubeless Equities: No Double=+0.103, Double=+0.259\n", "")).blocks[0].cube
    assert no_cubeless is not None
    assert (no_cubeless.cubeless_double, no_cubeless.double_take) == (None, 0.215)
    no_take = read_xg_text(CUBE.replace("       Double/Take:   +0.215 (-0.122)\n", "")).blocks[0].cube
    assert no_take is not None
    assert (no_take.no_double, no_take.double_take, no_take.double_pass) == (0.337, None, 1.0)
    no_best = read_xg_text(CUBE.replace("Best Cube action: No double / Take\n", "")).blocks[0]
    assert no_best.cube is not None
    assert (no_best.cube.best, no_best.comment) == ("", "wait for it")
    no_chances = read_xg_text("\n".join(line for line in PLAY.split("\n") if "%" not in line)).blocks[0]
    assert [play.chances for play in no_chances.plays] == [None] * 3


def test_several_positions_in_one_text() -> None:
    found = read_xg_text(PLAY + "\n\n" + CUBE + "\n" + OPENING)
    assert [block.xgid for block in found.blocks] == [OPENING, CUBE.split("\n")[0], OPENING]
    assert found.blocks[0].plays == PLAYED
    assert found.blocks[1].cube == DECIDED
    assert found.blocks[0].comment == "make the point!\n\nat once."
    assert "3 positions" in found.problems[-1].text


XGIDS = [
    OPENING,
    CUBE.split("\n")[0],
    "XGID=-b----E-C---eE---c-e----B-:2:-1:1:31:1:4:0:5:10",
    "XGID=-b----E-C---eE---c-e----B-:3:1:-1:00:2:3:0:7:10",
    "XGID=-b----E-C---eE---c-e----B-:0:0:-1:D:1:0:0:7:10",
    "XGID=-b----E-C---eE---c-e----B-:0:0:1:B:0:0:3:0:10",
    "XGID=-b----E-C---eE---c-e----B-:1:1:1:B:0:0:2:0:10",
    "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:6:2:1:7:10",
    "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:6:2:0:7:10",
]


@pytest.mark.parametrize("xgid", XGIDS)
def test_the_match_stands_at_the_first_position(xgid: str) -> None:
    found = read_xg_text(f"{xgid}\nX:Ann  O:Ben\n")
    assert found.problems == ()
    assert found.format == "xg text"
    assert found.record.players == ("Ben", "Ann")
    assert isinstance(found.record.events[1], SetUp)
    assert same_position(position(found.record.final), parse_xgid(xgid))


def test_offers_that_wait_are_events() -> None:
    assert read_xg_text(XGIDS[4]).record.events[2:] == (Double(0),)
    assert read_xg_text(XGIDS[5]).record.events[2:] == (Double(1), Beaver(0))


def test_the_comment_is_in_the_match() -> None:
    assert read_xg_text(PLAY).record.games[0].comments == {1: "make the point!\n\nat once."}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a line with XGID=…, found none in ''"),
        ("X:Ann  O:Ben\n1. 3-ply 8/5 6/5 eq:+0.1", "a line with XGID"),
        ("\n\nXGID=-q----E-C---eE---c-e----B-:0:0:1:52:0:0:0:0:10", "line 3: position: found 'q'"),
        (PLAY.replace("55.08%", "155.08%"), "line 13: found 155.08%, expected 0% to 100%"),
        (PLAY.replace("G:17.05%", "G:77.05%"), "line 13: .*more gammons than wins"),
        (PLAY.replace("+0.159", "+9159"), r"line 12: found the equity \+9159, expected -100 to 100"),
    ],
)
def test_texts_that_cannot_be(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        read_xg_text(text)
    assert "\n" not in str(caught.value)


def test_a_listed_play_that_is_not_legal() -> None:
    found = read_xg_text(PLAY.replace("8/5 6/5", "8/1 6/5"))
    assert found.blocks[0].plays[0].steps is None
    assert str(found.problems[0]).startswith("line 12: '8/1 6/5' is not a legal play here")


def test_which_texts_are_ours() -> None:
    assert is_xg_text(PLAY)
    assert is_xg_text(CUBE.replace("\n", "\r\n"))
    assert not is_xg_text(OPENING)
    assert not is_xg_text(PLAY.partition("\n")[2])
    assert not any(is_xg_text((FOLDER / found["input"]["file"]).read_text("utf-8")) for found in cases("mat"))


LINES = (PLAY + CUBE).split("\n")


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from(LINES) | st.text(max_size=30), max_size=25), st.data())
def test_nothing_but_input_errors(lines: list[str], data: st.DataObject) -> None:
    text = "\n".join([OPENING, *lines])
    start = data.draw(st.integers(0, len(text)))
    text = text[:start] + data.draw(st.text(max_size=5)) + text[start + data.draw(st.integers(0, 5)) :]
    is_xg_text(text)
    try:
        found = read_xg_text(text)
    except InputError:
        pass
    else:
        assert found.blocks


def test_a_long_line_is_no_work() -> None:
    """Patterns with several open ends must not see it."""
    long = "1. " + "8/5 " * 20_000 + "eq"
    assert read_xg_text(f"{PLAY}\n{long}").blocks[0].comment.endswith("eq")
    assert not is_xg_text(f"{OPENING}\n{long}")
