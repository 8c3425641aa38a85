"""`bgai convert`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bgai.matchfiles import read_match_file, write_match
from tests.cases import FOLDER, case
from tests.cli import Command

FILES = FOLDER / "files"
CRAWFORD = FILES / "m09_match_crawford_and_the_match.mat"


@pytest.fixture
def bgai_command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    return Command(capsys, monkeypatch)


@pytest.mark.parametrize(
    ("suffix", "name"), [(".mat", "Jellyfish text"), (".sgf", "SGF"), (".txt", "Snowie text"), (".json", "JSON")]
)
def test_every_format_from_one_to_the_next(bgai_command: Command, tmp_path: Path, suffix: str, name: str) -> None:
    out = tmp_path / f"out{suffix}"
    outcome = bgai_command("convert", CRAWFORD, out)
    assert (outcome.code, outcome.out) == (0, f"{out}: {name}, 3 games\n")
    found, expected = read_match_file(out), read_match_file(CRAWFORD)
    assert found.problems == ()
    assert found.record.games == expected.record.games
    if suffix == ".txt":
        assert outcome.err == f"{out}: the text has no place for: event, date\n"
    else:
        assert outcome.err == ""
        assert found.record == expected.record
    assert bgai_command.good("convert", out, tmp_path / "again.json", "--force")


def test_json_is_the_record(bgai_command: Command) -> None:
    printed = bgai_command.good("convert", CRAWFORD, "-", "--to", "json")
    assert json.loads(printed) == read_match_file(CRAWFORD).record.to_dict()
    assert bgai_command.good("convert", "-", "-", "--to", "json", stdin=printed) == printed


def test_the_standard_output_has_the_text_alone(bgai_command: Command) -> None:
    printed = bgai_command.good("convert", "-", "-", "--to", "sgf", stdin=CRAWFORD.read_bytes())
    assert printed == write_match(read_match_file(CRAWFORD).record, "sgf")


def test_a_format_may_be_named_beside_the_suffix(bgai_command: Command, tmp_path: Path) -> None:
    out = tmp_path / "out.sgf"
    bgai_command.good("convert", CRAWFORD, out, "--to", "mat")
    assert read_match_file(out).format == "mat"


def test_what_is_wrong_in_the_file_is_said(bgai_command: Command, tmp_path: Path) -> None:
    path = tmp_path / "in.mat"
    path.write_text(CRAWFORD.read_text().replace("42: 8/4 6/4", "42: 8/4 6/3", 1))
    outcome = bgai_command("convert", path, "-", "--to", "json")
    assert outcome.code == 0
    assert outcome.err.startswith(f"{path}: line 8, game 1: '8/4 6/3' is not legal with 4-2; legal: ")
    assert outcome.err.count("\n") == 1


def test_nothing_is_overwritten_unasked(bgai_command: Command, tmp_path: Path) -> None:
    out = tmp_path / "out.mat"
    out.write_text("mine")
    assert bgai_command.bad("convert", CRAWFORD, out) == (
        f"bgai convert: {out}: the file is there already; --force overwrites it"
    )
    assert out.read_text() == "mine"
    assert bgai_command.good("convert", CRAWFORD, out, "--force") == f"{out}: Jellyfish text, 3 games\n"


def test_what_cannot_be_done_is_one_line(bgai_command: Command, tmp_path: Path) -> None:
    missing = tmp_path / "missing"
    for words, said in (
        ([missing, "-", "--to", "mat"], f"cannot read the file '{missing}': No such file or directory"),
        ([CRAWFORD, "-"], "the standard output has no suffix; --to says the format: mat, sgf, snowie, json"),
        ([CRAWFORD, "x.doc"], "x.doc: expected a file name that ends with .mat, .gam, .sgf, .txt, .json, found '.doc'"),
        ([CRAWFORD, missing / "x.mat"], f"cannot write the file '{missing}/x.mat': No such file or directory"),
    ):
        assert bgai_command.bad("convert", *words) == f"bgai convert: {said}"
    assert "invalid choice: 'xg'" in bgai_command.bad("convert", CRAWFORD, "-", "--to", "xg")


def test_a_file_without_a_game(bgai_command: Command, tmp_path: Path) -> None:
    path, out = tmp_path / "in.mat", tmp_path / "out.mat"
    head = " 5 point match\n\n Game 1\n Ann : 0                        Ben : 0\n"
    path.write_text(" 5 point match\n\n")
    assert bgai_command.bad("convert", path, out) == f"bgai convert: '{path}' holds no game"
    outcome = bgai_command("convert", "-", out, stdin=head + "  1) 77: 8/5 6/5\n  2) 88: 1/2\n")
    assert outcome.code == 2
    first, *_, last = outcome.err.splitlines()
    assert first.startswith("standard input: line 5, game 1: ")
    assert last == "bgai convert: 'standard input' holds no game"
    assert not out.exists()


def test_messages_name_the_standard_streams(bgai_command: Command) -> None:
    outcome = bgai_command("convert", "-", "-", "--to", "snowie", stdin=CRAWFORD.read_bytes())
    assert outcome.err == "standard output: the text has no place for: event, date\n"


def test_control_characters_do_not_reach_the_other_file(bgai_command: Command) -> None:
    text = CRAWFORD.read_text().replace("night", "n\x1b[2J").replace("Alice", "A\x1b[31m")
    for form in ("mat", "sgf", "json"):
        printed = bgai_command.good("convert", "-", "-", "--to", form, stdin=text)
        assert "\x1b" not in printed
        assert "u001b" not in printed


def test_wrong_files_are_refused_with_their_names(bgai_command: Command, tmp_path: Path) -> None:
    for name in case("cl-05")["input"]["files"]:
        path = FOLDER / name
        out = tmp_path / "out.mat"
        assert bgai_command.bad("convert", path, out).startswith(f"bgai convert: {path}: ")
        assert not out.exists()
