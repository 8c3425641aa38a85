"""`bgai diagram`, and boards with colours, cube and score in the terminal."""

from __future__ import annotations

import io
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from bgai.board import START
from bgai.notation.drawing import draw, wants_colour
from bgai.position import Cube, Position, Score
from tests.cli import START_ID, Command

XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
DOUBLED = XGID.replace(":31:", ":D:")


@pytest.mark.parametrize(
    "words",
    [
        (START_ID, "31", "8/5", "6/5"),
        (START_ID, "3", "1", "8/5 6/5"),
        (XGID, "6/5 8/5"),
        (XGID, "8-5 6-5"),
        (XGID, "3-1", "6-5 8-5"),
        (f"{START_ID}:cAkAAAAAAAAA", "1-3", "8/5,6/5"),
    ],
)
def test_a_play_may_be_written_in_many_ways(bgai_command: Command, words: tuple[str, ...]) -> None:
    root = ElementTree.fromstring(bgai_command.good("diagram", *words))
    assert root[0].text == "White plays 3-1: 8/5 6/5"


def test_files(bgai_command: Command, tmp_path: Path) -> None:
    file = tmp_path / "pos.svg"
    said = bgai_command.good("diagram", DOUBLED, "--direction", "left", "--theme", "dark", "--width", "300", "-o", file)
    assert said.startswith(str(file))
    root = ElementTree.parse(file).getroot()
    assert (root.get("width"), root[0].text) == ("300", "White doubles to 2, Black to answer")
    pytest.importorskip("resvg_py", reason="PNG needs bgai[png]")
    bgai_command.good("diagram", XGID, "-o", tmp_path / "pos.PNG")
    assert (tmp_path / "pos.PNG").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "expected a position ID"),
        ((START_ID, "8/5"), "a play needs its roll"),
        ((START_ID, "31", "8/2"), "not a legal play"),
        ((XGID, "42"), "given twice and differently"),
        ((DOUBLED, "8/5"), "a double waits"),
        ((START_ID, "-o", "pos.gif"), ".svg or .png"),
        ((START_ID, "--width", "1"), "--width"),
        ((START_ID, "-o", "nowhere/pos.svg"), "cannot write the file 'nowhere/pos.svg': No such file"),
    ],
)
def test_what_is_wrong_is_said(
    bgai_command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert message in bgai_command.bad("diagram", *words)
    assert not list(tmp_path.iterdir())


def test_a_terminal_board_shows_cube_score_and_dice() -> None:
    position = Position(dice=(3, 1), cube=Cube(2, "opponent"), score=Score((6, 1), 7))
    lines = [line[47:].strip() for line in draw(START, position=position, ascii_only=True).splitlines()[2:13]]
    assert lines == [
        "O opponent: 167 pips, 0 off", "1 point, 6 away", "cube 2", "", "match to 7, after Crawford", "X to play 3-1",
        "", "", "", "6 points, 1 away", "X on roll: 167 pips, 0 off",
    ]  # fmt: skip
    assert "X doubles to 2" in draw(START, position=Position(offer="double"))
    assert "X offers to lose a single game" in draw(START, position=Position(offer="single"))
    assert "cube 1 in the middle" in draw(START, position=Position(score=Score((0, 0), 5)))
    assert "money play, Jacoby" in draw(START, position=Position(score=Score(jacoby=True)))
    assert draw(START, position=Position()) == draw(START)


def test_colours_change_nothing_but_colours() -> None:
    position = Position(dice=(3, 1), score=Score((0, 0), 5))
    coloured = draw(START, position=position, colour=True)
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == draw(START, position=position)
    assert "\x1b[1;36m  X" in coloured
    assert "\x1b[1;33m  O" in coloured


def test_colours_are_for_terminals_whose_users_want_them(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = io.StringIO()
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert wants_colour(terminal)
    assert not wants_colour(io.StringIO())
    monkeypatch.setenv("TERM", "dumb")
    assert not wants_colour(terminal)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", "1")
    assert not wants_colour(terminal)
