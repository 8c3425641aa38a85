"""`bgai id`, and the names of positions that `bgai move`, `eval` and `perft` take."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bgai.board import START
from bgai.notation.drawing import draw
from bgai.notation.fibs import format_fibs_board
from bgai.notation.identify import write_all
from bgai.notation.xgid import parse_xgid
from bgai.position import Position
from tests.cases import case
from tests.cli import START_ID, Command

BARE = "-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
XGID = f"XGID={BARE}"
DOUBLED = XGID.replace(":31:", ":D:")
REPAIRED = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:1:1:1:7:10"


def test_a_page(bgai_command: Command) -> None:
    text = bgai_command.good("id", XGID, "--ascii")
    position = parse_xgid(XGID)
    assert draw(START, names=("lower player", "upper player"), ascii_only=True, position=position) in text
    fields = dict(line.split("  ", 1) for line in text.splitlines()[16:] if "  " in line)
    fields = {name: value.strip() for name, value in fields.items()}
    assert (fields["read as"], fields["on roll"], fields["dice"]) == ("XGID", "the lower player", "3-1")
    for one in write_all(parse_xgid(XGID)):
        assert fields[one.kind] == one.text
    assert "note" not in text


def test_every_name_gives_the_same(bgai_command: Command) -> None:
    usual = json.loads(bgai_command.good("id", XGID, "--json"))
    for words in (
        [BARE],
        ["XGID", "=", BARE],
        [f"xgid={BARE}"],
        [usual["gnubg_id"]],
        [f" {XGID} "],
    ):
        answer = json.loads(bgai_command.good("id", *words, "--json"))
        assert answer | {"kind": ""} == usual | {"kind": ""}


def test_json(bgai_command: Command) -> None:
    reported = case("xg-21")
    answer = json.loads(bgai_command.good("id", reported["input"]["xgid"], "--json"))
    assert answer == {
        "version": 1,
        "kind": "XGID",
        "position_id": START_ID,
        "gnubg_id": f"{START_ID}:QomlAEAACAAE",
        "xgid": reported["input"]["xgid"],
        "key": "OAHDPAABDAOAHDPAABDA",
        "fibs_board": format_fibs_board(parse_xgid(reported["input"]["xgid"])),
        "side": "lower",
        "board": START.tolist(),
        "pips": [167, 167],
        "off": [0, 0],
        "dice": [3, 1],
        "cube": 4,
        "cube_owner": "upper",
        "cube_limit": 1024,
        "offer": None,
        "match_length": 5,
        "points": [1, 4],
        "crawford": False,
        "post_crawford": True,
        "jacoby": False,
        "beavers": False,
        "remarks": [],
    }


def test_a_drawing_on_the_standard_input(bgai_command: Command) -> None:
    answer = json.loads(bgai_command.good("id", "-", "--json", stdin=draw(START)))
    assert (answer["kind"], answer["position_id"], answer["cube_owner"]) == ("drawing", START_ID, None)


def test_what_is_repaired_is_said(bgai_command: Command, model: Path) -> None:
    assert "note: Crawford: found a Crawford game at 1-1 in a match to 7" in bgai_command.good("id", REPAIRED)
    (remark,) = json.loads(bgai_command.good("id", REPAIRED, "--json"))["remarks"]
    assert remark.startswith("Crawford: ")
    for words in (["move", REPAIRED], ["eval", REPAIRED]):
        outcome = bgai_command(*words, "--model", model)
        assert outcome.code == 0
        assert outcome.err == f"bgai: {REPAIRED}: {remark}\n"


def test_what_cannot_be_written_is_said(bgai_command: Command) -> None:
    beaver = XGID.replace(":31:0:0:0:", ":B:0:0:2:")
    text = bgai_command.good("id", beaver)
    assert "not possible: offer: found a beaver, which a FIBS board cannot hold" in text
    assert json.loads(bgai_command.good("id", beaver, "--json"))["fibs_board"] is None
    assert "note: GNUBG ID: written without beavers" in bgai_command.good("id", XGID.replace(":0:0:0:0:", ":0:0:2:0:"))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "expected the name of a position, such as: bgai id 4HPwATDgc/ABMA:cIkFAAAAAAAA"),
        (["foo"], "a position ID has 14 characters, found 3 in 'foo'; known are"),
        ([BARE[:-1]], "cube limit"),
        ([BARE[1:]], "position: found 25 characters"),
        ([BARE, "31"], "cube limit (a power of two): found '10 31'"),
        ([START_ID, "31"], "a position ID has 14 characters, found 17"),
    ],
)
def test_bad_names(bgai_command: Command, words: list[str], said: str) -> None:
    if words == [BARE[:-1]]:
        assert '"cube_limit": 2,' in bgai_command.good("id", *words, "--json")
        return
    line = bgai_command.bad("id", *words)
    assert line.startswith("bgai id: ")
    assert said in line


@pytest.mark.parametrize(
    "words",
    [
        [XGID],
        [BARE],
        [BARE, "31"],
        [XGID, "1", "3"],
        ["XGID", "=", BARE],
        ["xgid=", BARE, "31"],
        [f"{START_ID}:cIkFAAAAAAAE"],
        [f"{START_ID}:cAkAAAAAAAAE", "31"],
        ["OAHDPAABDAOAHDPAABDA", "31"],
        [format_fibs_board(Position(dice=(3, 1)))],
        [draw(START), "31"],
    ],
)
def test_plays_of_any_name(bgai_command: Command, model: Path, words: list[str]) -> None:
    usual = bgai_command.good("move", START_ID, "31", "--json", "--model", model)
    assert bgai_command.good("move", *words, "--json", "--model", model) == usual
    usual = bgai_command.good("eval", START_ID, "--json", "--model", model)
    if words[-1] not in ("31", "3"):
        assert bgai_command.good("eval", *words, "--json", "--model", model) == usual


def test_plays_of_the_upper_player_are_counted_by_that_player(bgai_command: Command, model: Path) -> None:
    one, two = (
        json.loads(bgai_command.good("move", text, "--json", "--model", model))
        for text in case("xg-04")["input"]["xgids"]
    )
    assert one == two


def test_files_take_any_name(bgai_command: Command, model: Path) -> None:
    lines = [f"{START_ID} 31", XGID, BARE, f"XGID = {BARE}", f"{BARE} 31", f"{START_ID}:cIkFAAAAAAAE 13"]
    for words in (["move"], ["eval"]):
        answers = bgai_command.good(
            *words, "--file", "-", "--json", "--model", model, stdin="\n".join(lines)
        ).splitlines()
        assert len(answers) == len(lines)
        assert len(set(answers)) == 1
    assert len(set(bgai_command.good("move", "--file", "-", "31", "--model", model, stdin=f"{XGID}\n{START_ID}")
                   .splitlines())) == 1  # fmt: skip


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([XGID, "42"], "the roll is given twice and differently, as 31 in the ID and as 42 behind it"),
        ([DOUBLED], "a double waits for an answer, expected a position with a play to choose"),
        ([DOUBLED, "31"], "a double waits for an answer, expected no dice behind it"),
        ([XGID.replace(":31:", ":00:")], "no roll found, expected two dice behind the ID, such as: XGID="),
        ([XGID.replace(":31:", ":37:")], "dice: found '37', expected two dice from 1 to 6"),
        ([f"{START_ID}:QgpgAFAAAAAE"], "game state: found a game that is over"),
    ],
)
def test_bad_questions(bgai_command: Command, words: list[str], said: str) -> None:
    assert said in bgai_command.bad("move", *words)


def test_dice_in_the_id_and_elsewhere(bgai_command: Command, model: Path) -> None:
    for command in ("move", "eval"):
        outcome = bgai_command(command, "--file", "-", "--json", "--model", model, stdin=f"{XGID} 42\n")
        assert outcome.code == 2
        assert "given twice and differently, as 31 in the ID and as 42" in json.loads(outcome.out)["error"]
    outcome = bgai_command("move", "--file", "-", "42", "--json", "--model", model, stdin=f"{XGID}\n")
    assert "as 31 in the ID and as 42 for all" in json.loads(outcome.out)["error"]
    assert "found '42' behind it" in bgai_command.bad("eval", XGID, "42")


def test_perft_takes_any_name(bgai_command: Command) -> None:
    assert "447" in bgai_command.good("perft", BARE, "--depth", "1")
