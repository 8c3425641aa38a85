"""`bgai scores`, and the cube decision without its reasons."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bgai.analyst import Analyst
from bgai.cli.scores import symbol
from bgai.cube_decision import CubeAction, cube_action, decide_cube
from bgai.errors import PositionError
from bgai.notation.positionid import format_position_id
from bgai.position import Cube, Position, Score
from tests.cli import START_ID, Command

MONEY = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:3:0:10"


def asked(command: Command, model: Path, *words: str) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(command.good("scores", *words, "--json", "--model", model))
    return record


def test_every_score_is_there_once(bgai_command: Command, model: Path) -> None:
    record = asked(bgai_command, model, START_ID, "--length", "4")
    assert [entry["away"] for entry in record["scores"]] == [[a, b] for a in range(1, 5) for b in range(1, 5)]
    assert [entry["jacoby"] for entry in record["money"]] == [False, True]
    assert len(asked(bgai_command, model, START_ID)["scores"]) == 81


def test_the_decisions_are_those_of_the_cube_model(bgai_command: Command, model: Path) -> None:
    """Beside `decide_cube`, at some scores and for money."""
    record = asked(bgai_command, model, MONEY, "--length", "5")
    analyst = Analyst.of(str(model))
    scores = {(2, 2): Score((3, 3), 5), (1, 3): Score((4, 2), 5), (3, 1): Score((2, 4), 5), (5, 4): Score((0, 1), 5)}
    for away, score in scores.items():
        (entry,) = [entry for entry in record["scores"] if tuple(entry["away"]) == away]
        decision = decide_cube(analyst, Position(score=score))
        assert entry["action"] == decision.action
        assert entry["no_double"] == pytest.approx(decision.no_double, abs=1e-6)
        assert entry["answer"] == (decision.answer if decision.may_double else None)
    assert all(entry["beavers"] for entry in record["money"])
    money = decide_cube(analyst, Position(score=Score(jacoby=True, beavers=True)))
    assert record["money"][1]["action"] == money.action


def test_nobody_doubles_where_it_is_of_no_use(bgai_command: Command, model: Path) -> None:
    record = asked(bgai_command, model, START_ID, "--length", "5", "--cube", "4")
    assert (record["cube"], record["cube_owner"]) == (4, "on roll")
    assert len(record["money"]) == 1
    for entry in record["scores"]:
        assert (entry["symbol"] == "-") == (entry["away"][0] <= 4), entry


def test_cube_action_says_what_decide_cube_says() -> None:
    analyst = Analyst.of()
    board = np.zeros(26, dtype=np.int8)
    board[[1, 2, 23, 24]] = [2, 1, -2, -2]
    for position in (Position(), Position(board), Position(board, cube=Cube(2, "on roll"), score=Score((1, 2), 5))):
        quick, full = cube_action(analyst, position), decide_cube(analyst, position)
        names = ("action", "answer", "no_double", "double_take", "may_double")
        assert [getattr(quick, name) for name in names] == [getattr(full, name) for name in names]
    with pytest.raises(PositionError, match="the dice are rolled"):
        cube_action(analyst, Position(dice=(3, 1)))
    with pytest.raises(PositionError, match="a gammon waits"):
        cube_action(analyst, replace(Position(), offer="gammon"))


def test_the_row_of_one_point_never_doubles(bgai_command: Command, model: Path) -> None:
    """Whoever needs one point wins the match with the cube as it stands."""
    board = np.zeros(26, dtype=np.int8)
    board[[1, 24]] = [2, -2]
    record = asked(bgai_command, model, format_position_id(board), "--length", "3")
    assert {entry["symbol"] for entry in record["scores"] if entry["away"][0] == 1} == {"-"}
    assert "-" not in {entry["symbol"] for entry in record["scores"] if entry["away"][0] > 1}


def test_symbols() -> None:
    rows: list[tuple[Any, Any, bool, str]] = [
        ("no double", "take", True, "ND"),
        ("no double", "beaver", True, "ND/B"),
        ("double", "take", True, "D/T"),
        ("redouble", "pass", True, "D/P"),
        ("too good to redouble", "pass", True, "TG"),
        ("no double", "take", False, "-"),
    ]
    for action, answer, may, text in rows:
        assert symbol(CubeAction(action, answer, 0.0, 0.0, may)) == text


def test_a_page_fits_the_terminal(bgai_command: Command, model: Path) -> None:
    for words in ((), ("--length", "15"), ("--cube", "2")):
        page = bgai_command.good("scores", START_ID, *words, "--model", model, "--ascii")
        assert max(map(len, page.splitlines())) <= 81
        assert "\x1b" not in page
    assert "cube 2 owned by X" in page
    assert "redouble" in page


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "expected a position ID"),
        (("AAAAgO8TAgAAAA",), "the game is over"),
        ((MONEY.replace(":0:0:1:", ":1:-1:1:"),), "the opponent owns the cube"),
        ((START_ID, "--cube", "3"), "power of two"),
        ((START_ID, "--length", "16"), "--length"),
    ],
)
def test_what_is_wrong_is_said(bgai_command: Command, words: tuple[str, ...], message: str) -> None:
    assert message in bgai_command.bad("scores", *words)
