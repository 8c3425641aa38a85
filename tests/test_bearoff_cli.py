"""`bgai bearoff`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from bgai.bearoff import opening
from bgai.notation.positionid import format_position_id
from tests.cli import Command
from tests.test_bearoff import board_of, reference

EXACT = "8QEAALMBAAAAAA"
BOTH_TWELVE_OR_MORE = "2+4OAADbtgEAAA"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    place: Path = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BGAI_CACHE", str(place))
        patch.setattr(opening, "_OPENED", {})
        yield place


@pytest.fixture
def bgai_command(folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    return Command(capsys, monkeypatch)


def test_build(bgai_command: Command, folder: Path) -> None:
    first = bgai_command.good("bearoff", "build", "--checkers", "5").splitlines()
    assert first[0] == "one-sided, 15 checkers: 54,264 positions"
    assert first[1].startswith("  made in ")
    assert first[1].endswith(f" s: {folder / 'bearoff-one-sided-15-v1.table'}")
    assert first[2] == "two-sided, 5 checkers a side: 213,444 positions, 3.4 MB, about 1 s"
    assert first[3].endswith(f" s: {folder / 'bearoff-two-sided-5-v1.table'}")
    again = bgai_command.good("bearoff", "build", "--checkers", "5").splitlines()
    assert again[1] == f"  is there: {folder / 'bearoff-one-sided-15-v1.table'}"
    assert again[3] == f"  is there: {folder / 'bearoff-two-sided-5-v1.table'}"


def test_show_exact_values(bgai_command: Command) -> None:
    page = bgai_command.good("bearoff", "show", EXACT)
    assert f"X on roll, {EXACT}\n" in page
    assert "  mean           3.717   3.774\n" in page
    assert "  X wins 72.6475%, equity +0.45295 without a cube\n" in page
    assert "  centred      +0.83671   +0.69271   +0.83671   +1.00000  double, take\n" in page
    assert "  X's          +0.83671   +0.71246   +0.83671   +1.00000  redouble, take\n" in page
    assert page.endswith("  O's          +0.41836\n")


def test_cube_actions_equal_the_reference(bgai_command: Command) -> None:
    seen = set()
    for record in reference()[::6]:
        position = format_position_id(np.array(record["board"], dtype=np.int8))
        lines = bgai_command.good("bearoff", "show", position).splitlines()
        for line, cube, verb in ((lines[-3], "centered", "double"), (lines[-2], "player", "redouble")):
            expected = record[cube]["action"]
            seen.add(expected)
            action, answer = line[58:].split(", ")
            words = {"no double": f"no {verb}", "too good": f"too good to {verb}"}
            assert action == words.get(expected, verb), position
            assert answer == ("take" if record[cube]["dt"] <= 1 else "pass"), position
    assert seen >= {"no double", "double/take", "double/pass"}


def test_gammons_are_shown(bgai_command: Command) -> None:
    page = bgai_command.good("bearoff", "show", "4P8PAADg/w8AAA")
    assert re.search(r"X wins \d\d\.\d\d% \(gammons 0\.00%, lost gammons 0\.00%\)", page)
    assert "larger table" not in page


def test_show_with_many_checkers(bgai_command: Command) -> None:
    page = bgai_command.good("bearoff", "show", BOTH_TWELVE_OR_MORE, "--ascii")
    assert "+---" in page
    assert "as if each side played for itself:\n  X wins 95.28% (gammons 0.00%, lost gammons 0.00%)" in page
    assert "exact" not in page


def test_show_says_which_table_would_be_exact(bgai_command: Command) -> None:
    page = bgai_command.good("bearoff", "show", EXACT, "--checkers", "5")
    assert page.endswith("For exact values a larger table is needed: --checkers 6.\n")


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["show"], "expected a position ID, such as: bgai bearoff show 8QEAALMBAAAAAA"),
        (["show", EXACT, "31"], "expected one position ID, found '31' behind it"),
        (
            ["show", "EAAAgAIAAAAAAA"],
            "no bear-off: expected all checkers at home, the player on roll has one on point 7",
        ),
        (["show", "AAAAgO8TAgAAAA"], "the game is over, the player on roll has lost a single game;"),
        (["show", "nonsense"], ""),
        (["build", EXACT], f"build takes no position, found '{EXACT}'"),
        (["build", "--checkers", "13"], "argument --checkers: expected a whole number from 1 to 12, found '13'"),
        (["look"], "argument TASK: invalid choice: 'look'"),
        ([], "the following arguments are required: TASK"),
    ],
)
def test_what_can_go_wrong(bgai_command: Command, words: list[str], line: str) -> None:
    assert bgai_command.bad("bearoff", *words).startswith(f"bgai bearoff: {line}")


def test_a_damaged_file_is_mentioned_and_made_again(
    bgai_command: Command, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = folder / "bearoff-two-sided-2-v1.table"
    path.write_bytes(b"no table")
    outcome = bgai_command("bearoff", "build", "--checkers", "2")
    assert outcome.code == 0
    assert outcome.err == (
        f"bgai bearoff: {path} is damaged (it does not begin as such a file does) and is made again\n"
    )
    assert "  made in" in outcome.out


def test_json_holds_what_the_page_shows(bgai_command: Command) -> None:
    record = json.loads(bgai_command.good("bearoff", "show", EXACT, "--json"))
    assert (record["version"], record["position_id"], record["exact"]) == (1, EXACT, True)
    assert record["rolls"]["on_roll"]["mean"] == pytest.approx(3.717, abs=5e-4)
    assert sum(record["rolls"]["opponent"]["chances"]) == pytest.approx(1, abs=1e-5)
    assert (record["win"], record["cubeless_equity"]) == (0.726475, 0.45295)
    centred, owned, theirs = record["cubes"]
    assert (centred["owner"], centred["action"], centred["answer"]) == ("centred", "double", "take")
    assert (owned["action"], owned["double_pass"]) == ("redouble", 1.0)
    assert (theirs["owner"], theirs["equity"], theirs["action"]) == ("opponent", 0.418356, None)
    rough = json.loads(bgai_command.good("bearoff", "show", EXACT, "--checkers", "5", "--json"))
    assert (rough["exact"], rough["cubes"]) == (False, None)
    assert rough["win"] == pytest.approx(record["win"], abs=0.01)
    line = bgai_command.bad("bearoff", "build", "--json")
    assert line == "bgai bearoff: expected --json beside show, not beside build"


def test_a_certain_win_is_too_good_to_double(bgai_command: Command) -> None:
    """Waiting is worth as much as the pass: worded as `bgai cube` does."""
    last = format_position_id(board_of({1: 1, 24: -3}))
    page = bgai_command.good("bearoff", "show", last)
    assert "  +1.00000  too good to double, pass\n" in page
    assert "  +1.00000  too good to redouble, pass\n" in page
    cube = bgai_command.good("cube", last)
    assert "Too good to double, pass" in cube
