"""`bgai move` and `bgai eval` asked about one position."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bgai.analyst import Analyst
from bgai.board import START
from bgai.evaluator import KernelEvaluator
from bgai.model import load_model
from bgai.notation.positionid import format_position_id, parse_position_id
from bgai.outcomes import NAMES, equity
from bgai.player import NetPlayer, RankedPlay
from bgai.plays import legal_plays
from bgai.position import Position
from tests.cli import START_ID, Command


def position_id(**places: int) -> str:
    """Counts by place: `p6=2` two own checkers on 6, `p5=-1` the opponent's blot there, `bar=1`."""
    board = np.zeros(26, dtype=np.int8)
    for name, count in places.items():
        board[25 if name == "bar" else int(name[1:])] = count
    return format_position_id(board)


WORTH = ("equity", "cubeless_equity", "mwc")


def as_record(ranked: RankedPlay) -> dict[str, Any]:
    """A play of the library as the JSON contract has it, without the cube."""
    chances = dict(zip(NAMES, map(float, ranked.outcomes), strict=True))
    numbers = {"equity": ranked.equity, "cubeless_equity": ranked.equity, "loss": ranked.loss, **chances}
    return {
        "play": ranked.play,
        "position_id": format_position_id(ranked.successor),
        "plies": 0,
        "mwc": None,
        **{name: round(number, 6) + 0.0 for name, number in numbers.items()},
    }


def test_json_is_what_the_library_says(bgai_command: Command, model: Path) -> None:
    words = ("move", START_ID, "31", "--top", "0", "--json", "--model", model)
    answer = json.loads(bgai_command.good(*words, "--cubeless"))
    assert list(answer) == ["version", "position_id", "dice", "model", "settings", "plays"]
    assert (answer["version"], answer["position_id"], answer["dice"]) == (1, START_ID, [3, 1])
    assert answer["model"] == "tiny"
    ranked = NetPlayer(KernelEvaluator(load_model(model))).rank(START, (3, 1))
    assert answer["plays"] == [as_record(play) for play in ranked]
    with_cube = json.loads(bgai_command.good(*words))["plays"]
    found = Analyst.of(load_model(model)).rank([Position(dice=(3, 1))])
    assert [entry["equity"] for entry in with_cube] == [round(found.equities[n], 6) for n in found.order]
    assert [entry["cubeless_equity"] for entry in with_cube] == [round(found.cubeless[n], 6) for n in found.order]


def test_plays_are_the_movers(bgai_command: Command, model: Path) -> None:
    plays = json.loads(bgai_command.good("move", START_ID, "64", "--top", "0", "--json", "--model", model))["plays"]
    assert len({entry["position_id"] for entry in plays}) == len(plays) == len(legal_plays(START, (6, 4)))
    evaluator = KernelEvaluator(load_model(model))
    assert plays[0]["loss"] == 0
    assert [entry["loss"] for entry in plays] == sorted(entry["loss"] for entry in plays)
    for entry in plays:
        theirs = evaluator.evaluate(parse_position_id(entry["position_id"])[None])
        assert entry["cubeless_equity"] == pytest.approx(-float(equity(theirs)[0]), abs=1e-6)
        assert entry["equity"] + entry["loss"] == pytest.approx(plays[0]["equity"], abs=2e-6)


@pytest.mark.parametrize("dice", [["31"], ["3-1"], ["3,1"], ["3", "1"], ["13"], ["1 3"], ["3,", "1"], ["31", "1-3"]])
def test_dice_are_written_in_many_ways(bgai_command: Command, model: Path, dice: list[str]) -> None:
    answer = json.loads(bgai_command.good("move", START_ID, *dice, "--json", "--model", model))
    assert answer["dice"] == [3, 1]


def test_options_may_stand_before_the_dice(bgai_command: Command, model: Path) -> None:
    usual = bgai_command.good("move", START_ID, "3", "1", "--json", "--model", model)
    assert bgai_command.good("move", START_ID, "--json", "--model", model, "3", "1") == usual
    assert bgai_command.good("move", "--json", "--model", model, f"{START_ID}==", "31") == usual


def test_top(bgai_command: Command, model: Path) -> None:
    every = json.loads(bgai_command.good("move", START_ID, "31", "--top", "0", "--json", "--model", model))["plays"]
    assert len(every) == 16
    for words, count in ((["--top", "3"], 3), (["--top", "99"], 16), ([], 10)):
        some = json.loads(bgai_command.good("move", START_ID, "31", *words, "--json", "--model", model))["plays"]
        assert some == every[:count]


def test_no_legal_play_is_one_entry_without_a_play(bgai_command: Command, model: Path) -> None:
    shut = position_id(bar=1, p6=14, **{f"p{point}": -2 for point in range(19, 25)})
    (entry,) = json.loads(bgai_command.good("move", shut, "31", "--json", "--model", model))["plays"]
    assert (entry["play"], entry["loss"]) == ("", 0)
    text = bgai_command.good("move", shut, "31", "--model", model)
    assert "no legal play, the turn passes" in text
    assert "\n  1 no legal play " in text


def test_the_table(bgai_command: Command, model: Path) -> None:
    text = bgai_command.good("move", START_ID, "31", "--top", "2", "--model", model, "--ascii")
    plays = json.loads(bgai_command.good("move", START_ID, "31", "--top", "2", "--model", model, "--json"))["plays"]
    assert "| BAR |" in text
    assert f"X to play 3-1, {START_ID}" in text
    assert "16 legal plays, the best 2 (--top 0 shows all)" in text
    rows = text.splitlines()[-2:]
    for row, entry in zip(rows, plays, strict=True):
        assert entry["play"] in row
        assert f"{entry['equity']:+.3f}" in row
        assert f"{1000 * entry['loss']:.1f}" in row
        assert f"{100 * entry['win_gammon']:.1f}%" in row


def test_winning_play_is_certain(bgai_command: Command, model: Path) -> None:
    last = position_id(p1=1, p24=-15)
    (entry,) = json.loads(bgai_command.good("move", last, "21", "--json", "--model", model))["plays"]
    assert (entry["play"], entry["equity"], entry["win"], entry["win_gammon"]) == ("1/off", 2.0, 1.0, 1.0)


def test_the_default_model_answers(bgai_command: Command) -> None:
    assert "legal plays" in bgai_command.good("move", START_ID, "31")
    assert "equity" in bgai_command.good("eval", START_ID)


def test_evaluation(bgai_command: Command, model: Path) -> None:
    answer = json.loads(bgai_command.good("eval", START_ID, "--json", "--model", model))
    outcomes = KernelEvaluator(load_model(model)).evaluate(START[None])
    assert list(answer) == ["version", "position_id", "model", "settings", "plies", *WORTH, *NAMES]
    assert (answer["version"], answer["mwc"]) == (1, None)
    assert answer["equity"] == round(Analyst.of(load_model(model)).evaluate(Position()).equity, 6)
    assert answer["cubeless_equity"] == pytest.approx(float(equity(outcomes)[0]), abs=1e-6)
    assert [answer[name] for name in NAMES] == [round(float(chance), 6) for chance in outcomes[0]]
    text = bgai_command.good("eval", START_ID, "--model", model)
    assert f"equity {answer['equity']:+.3f}" in text
    assert f"{100 * answer['win']:.1f}%" in text
    assert "│ BAR │" in text


@pytest.mark.parametrize(
    ("places", "points", "said"),
    [
        ({"p3": 4}, -1, "the player on roll has lost a single game (-1)"),
        ({"p5": 11, "p6": 3, "p7": 1}, -2, "the player on roll has lost a gammon (-2)"),
        ({"p6": 14, "p20": 1}, -3, "the player on roll has lost a backgammon (-3)"),
        ({"p1": -15}, 3, "the player on roll has won a backgammon (+3)"),
        ({"p24": -15}, 2, "the player on roll has won a gammon (+2)"),
        ({"p24": -3}, 1, "the player on roll has won a single game (+1)"),
    ],
)
def test_finished_games(bgai_command: Command, model: Path, places: dict[str, int], points: int, said: str) -> None:
    over = position_id(**places)
    assert json.loads(bgai_command.good("eval", over, "--json", "--model", model))["equity"] == points
    assert said in bgai_command.good("eval", over, "--model", model)
    assert "the game is over, " in bgai_command.bad("move", over, "31", "--model", model)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "expected a position ID and a roll, such as: 4HPwATDgc/ABMA 31"),
        (["foo", "31"], "a position ID has 14 characters, found 3 in 'foo'"),
        (["31"], "a position ID has 14 characters, found 2 in '31'"),
        (["4HPwATDgc_ABMA", "31"], "found '_' in '4HPwATDgc_ABMA'"),
        (["4AOAAeBzAAAAAA", "31"], "both sides stand on point 6 in '4AOAAeBzAAAAAA'"),
        (["27YBANC2bQAABA", "31"], "both sides are on the bar against a closed board"),
        (["AAAAAAAAAAAAAA", "31"], "neither side has a checker left"),
        ([f"{START_ID}:cAkAAAAAAA", "31"], "a match ID has 12 characters, found 10"),
        (["XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10", "42"], "given twice and differently, as 31 in the ID"),
        (["ab----E-C---eE---c-e------:0:0:1:31:0:0:0:0", "31"], "an XGID has 10 fields"),
        (["x" * 1000, "31"], "found 1000 characters beginning with 'xxxxxxxxxxxxxxxxxxxx'"),
        ([START_ID], "no roll found, expected two dice behind the ID, such as: 4HPwATDgc/ABMA 31"),
        ([START_ID, "71"], "a die shows 1 to 6, found 7 in '71'"),
        ([START_ID, "30"], "a die shows 1 to 6, found 0 in '30'"),
        ([START_ID, "3"], "found one die only, '3'"),
        ([START_ID, "3", "1", "2"], "found one die only, '3 1 2'"),
        ([START_ID, "311"], "expected two dice such as 31, 3-1 or 3 1, found '311'"),
        ([START_ID, "three-one"], "expected two dice such as 31, 3-1 or 3 1, found 'three-one'"),
        ([START_ID, "31", "42"], "the roll is given twice and differently, as 31 and as 42"),
        ([START_ID, "31", "--top", "-1"], "argument --top: expected a whole number of 0 or more, found '-1'"),
        ([START_ID, "31", "--top", "few"], "argument --top: expected a whole number of 0 or more, found 'few'"),
        ([START_ID, "31", "--model", "nobody"], "unknown model 'nobody': expected a folder with a manifest.json"),
    ],
)
def test_bad_questions(bgai_command: Command, words: list[str], said: str) -> None:
    line = bgai_command.bad("move", *words)
    assert line.startswith("bgai move: ")
    assert said in line
    assert len(line) < 300


def test_a_position_with_too_many_checkers(bgai_command: Command) -> None:
    assert "16 checkers" in bgai_command.bad("eval", "//8AAAAAAAAAAA")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "expected a position ID, such as: bgai eval 4HPwATDgc/ABMA"),
        ([START_ID, "31"], "found '31' behind it; for the plays of a roll: bgai move"),
        (["foo"], "a position ID has 14 characters, found 3 in 'foo'"),
    ],
)
def test_bad_evaluations(bgai_command: Command, words: list[str], said: str) -> None:
    assert said in bgai_command.bad("eval", *words)


def damage(model: Path, what: str) -> None:
    weights, manifest = model / "weights.safetensors", model / "manifest.json"
    if what == "cut short":
        weights.write_bytes(weights.read_bytes()[:-100])
    elif what == "changed":
        data = bytearray(weights.read_bytes())
        data[-1] ^= 1
        weights.write_bytes(data)
    elif what == "without weights":
        weights.unlink()
    elif what == "no JSON":
        manifest.write_text("{")
    elif what == "of a newer format":
        manifest.write_text(json.dumps(json.loads(manifest.read_text()) | {"format": 99}))
    elif what == "of an unknown encoder":
        manifest.write_text(json.dumps(json.loads(manifest.read_text()) | {"encoder": "points-99"}))


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("cut short", "is damaged: its SHA-256 is"),
        ("changed", "is damaged: its SHA-256 is"),
        ("without weights", "cannot read the weights"),
        ("no JSON", "is not JSON"),
        ("of a newer format", "has format 99"),
        ("of an unknown encoder", "unknown encoder 'points-99'"),
    ],
)
def test_damaged_models(bgai_command: Command, model: Path, what: str, said: str) -> None:
    damage(model, what)
    assert said in bgai_command.bad("move", START_ID, "31", "--model", model)
