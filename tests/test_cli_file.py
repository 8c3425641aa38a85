"""`bgai move --file` and `bgai eval --file`: many questions."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from bgai.board import START
from bgai.cli.lines import BLOCK
from bgai.notation.positionid import format_position_id
from tests.cli import START_ID, Command
from tests.positions import mixed_positions


def questions(count: int, seed: int = 1) -> list[str]:
    boards, dice = mixed_positions(count, seed)
    return [f"{format_position_id(board)} {a}{b}" for board, (a, b) in zip(boards, dice.tolist(), strict=True)]


@pytest.mark.parametrize("top", ["0", "4"])
def test_a_file_gives_what_single_questions_give(bgai_command: Command, model: Path, top: str) -> None:
    lines = questions(60)
    together = bgai_command.good(
        "move", "--file", "-", "--json", "--top", top, "--model", model, stdin="\n".join(lines)
    ).splitlines()
    apart = [
        bgai_command.good("move", *line.split(), "--json", "--top", top, "--model", model).rstrip("\n")
        for line in lines
    ]
    assert together == apart


def test_the_same_for_evaluations(bgai_command: Command, model: Path) -> None:
    lines = questions(60)
    together = bgai_command.good("eval", "--file", "-", "--json", "--model", model, stdin="\n".join(lines))
    apart = [bgai_command.good("eval", line.split()[0], "--json", "--model", model) for line in lines]
    assert together == "".join(apart)


def test_blocks_of_any_size_give_the_same(
    bgai_command: Command, model: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """More lines than a block has, read in chunks that end anywhere."""
    file = tmp_path / "many.txt"
    file.write_text("\n".join(questions(BLOCK + 100)) + "\n")
    words = ("move", "--file", file, "--json", "--model", model)
    usual = bgai_command.good(*words)
    assert usual.count("\n") == BLOCK + 100
    monkeypatch.setattr("bgai.cli.lines._CHUNK", 777)
    monkeypatch.setattr("bgai.cli.lines.BLOCK", 13)
    assert bgai_command.good(*words) == usual


def test_a_bad_line_is_answered_in_its_place(bgai_command: Command, model: Path) -> None:
    text = f"# a comment\n{START_ID} 31\n\n   \nnonsense 31\n{START_ID}\n{START_ID} 71\n#{START_ID} 31\n{START_ID} 65\n"
    outcome = bgai_command("move", "--file", "-", "--json", "--model", model, stdin=text)
    assert outcome.code == 2
    assert outcome.err == "bgai move: 3 of 5 lines of the standard input could not be answered\n"
    first, *bad, last = map(json.loads, outcome.out.splitlines())
    assert first["dice"] == [3, 1]
    assert last["dice"] == [6, 5]
    assert [list(entry) for entry in bad] == [["error", "line"]] * 3
    assert [entry["line"] for entry in bad] == [5, 6, 7]
    assert "found 8 in 'nonsense'" in bad[0]["error"]
    assert "no roll found" in bad[1]["error"]
    assert "found 7 in '71'" in bad[2]["error"]


def test_a_finished_game_is_a_bad_line_for_move_only(bgai_command: Command, model: Path) -> None:
    board = START.copy()
    board[board < 0] = 0
    over = format_position_id(board)
    outcome = bgai_command("move", "--file", "-", "--json", "--model", model, stdin=f"{over} 31\n")
    assert outcome.code == 2
    assert "the game is over" in json.loads(outcome.out)["error"]
    assert outcome.err == "bgai move: the only line of the standard input could not be answered\n"
    answer = json.loads(bgai_command.good("eval", "--file", "-", "--json", "--model", model, stdin=f"{over}\n"))
    assert answer["equity"] == -3


def test_dice_for_all_lines(bgai_command: Command, model: Path) -> None:
    text = f"{START_ID}\n{START_ID} 1-3\n"
    one, two = bgai_command.good("move", "--file", "-", "31", "--json", "--model", model, stdin=text).splitlines()
    assert one == two
    outcome = bgai_command("move", "--file", "-", "31", "--json", "--model", model, stdin=f"{START_ID} 42\n")
    assert outcome.code == 2
    assert "given twice and differently, as 42 here and as 31 for all" in json.loads(outcome.out)["error"]


def test_a_roll_plays_no_part_in_an_evaluation_but_is_checked(bgai_command: Command, model: Path) -> None:
    words = ("eval", "--file", "-", "--json", "--model", model)
    one, two = bgai_command.good(*words, stdin=f"{START_ID} 31\n{START_ID}\n").splitlines()
    assert one == two
    assert "found 7 in '71'" in json.loads(bgai_command(*words, stdin=f"{START_ID} 71\n").out)["error"]


def test_without_json_one_short_line_each(bgai_command: Command, model: Path) -> None:
    outcome = bgai_command("move", "--file", "-", "--model", model, stdin=f"{START_ID} 31\nfoo\n{START_ID} 65\n")
    best = json.loads(bgai_command.good("move", START_ID, "31", "--json", "--model", model))["plays"][0]
    first, bad, last = outcome.out.splitlines()
    assert first == f"{START_ID} 31  {best['equity']:+.3f}  {best['play']}"
    assert bad.startswith("line 2: a position ID has 14 characters")
    assert last.startswith(f"{START_ID} 65  ")
    assert outcome.code == 2
    (line,) = bgai_command.good("eval", "--file", "-", "--model", model, stdin=START_ID).splitlines()
    assert line.startswith(f"{START_ID}  ")


@pytest.mark.parametrize(
    "data",
    [
        f"{START_ID} 31\r\n{START_ID} 31\r\n".encode(),
        f"\ufeff{START_ID} 31\n\t{START_ID}\t3 1".encode(),
        f"{START_ID}  3,1 \n  {START_ID}== 3, 1\n".encode(),
    ],
    ids=["Windows line ends", "byte order mark, tabs, no last newline", "blanks"],
)
def test_ways_to_write_lines(bgai_command: Command, model: Path, data: bytes) -> None:
    one, two = bgai_command.good("move", "--file", "-", "--json", "--model", model, stdin=data).splitlines()
    assert one == two


def test_bytes_that_are_no_text(bgai_command: Command, model: Path) -> None:
    outcome = bgai_command("move", "--file", "-", "--json", "--model", model, stdin=b"\xff\xfe\x00\x01 31\n")
    assert outcome.code == 2
    assert json.loads(outcome.out)["line"] == 1


def test_nothing_to_answer(bgai_command: Command, model: Path) -> None:
    assert bgai_command.good("move", "--file", "-", "--model", model, stdin="\n# nothing\n") == ""


def test_files_that_cannot_be_read(bgai_command: Command, tmp_path: Path) -> None:
    assert "cannot read the file" in bgai_command.bad("move", "--file", tmp_path / "none.txt")
    assert bgai_command.bad("eval", "--file", tmp_path).endswith("Is a directory")
    assert "found both" in bgai_command.bad("move", "--file", "-", START_ID)
    assert "found both" in bgai_command.bad("eval", "--file", "-", START_ID)
    assert "unknown model" in bgai_command.bad("eval", "--file", "-", "--model", "nobody")


def test_a_pipe_is_answered_line_by_line(model: Path) -> None:
    """Whoever asks through a pipe and waits for each answer gets it."""
    process = subprocess.Popen(
        [sys.executable, "-m", "bgai", "move", "--file", "-", "--json", "--top", "1", "--model", str(model)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    for roll in ("31", "65", "11"):
        process.stdin.write(f"{START_ID} {roll}\n")
        process.stdin.flush()
        assert "".join(map(str, json.loads(process.stdout.readline())["dice"])) == roll
    process.communicate(timeout=600)
    assert process.returncode == 0


def test_a_reader_that_goes_away_is_no_error(model: Path, tmp_path: Path) -> None:
    file = tmp_path / "many.txt"
    file.write_text(f"{START_ID} 31\n" * 3000)
    process = subprocess.Popen(
        [sys.executable, "-m", "bgai", "move", "--file", str(file), "--json", "--model", str(model)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    assert "Traceback" not in process.stderr.read()
    process.stderr.close()
    assert process.wait(timeout=600) == 0
