"""`--plies`, `--time`, `--filter`, `--threads` and `--level`, beside the commands that know them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bgai.analyst import Analyst
from bgai.answers import plies_record
from bgai.cli import looking
from bgai.cube_decision import decide_cube
from bgai.model import load_model
from bgai.move_filter import FILTERS
from bgai.position import Position
from bgai.search import Search, TimeUp
from tests.cli import START_ID, Command

LEGEND = "plies in gnubg's count"
COMMANDS = {
    "move": (START_ID, "31"),
    "eval": (START_ID,),
    "cube": (START_ID,),
    "rolls": (START_ID,),
    "scores": (START_ID, "--length", "2"),
}
PLAIN = {"level": "0-ply", "plies": 0, "filter": "normal", "seconds": None}


def record(bgai_command: Command, command: str, model: Path, *words: str) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(
        bgai_command.good(command, *COMMANDS[command], "--json", "--model", model, *words)
    )
    return answer


def depths(command: str, answer: dict[str, Any]) -> set[int | None]:
    """The plies in an answer."""
    inside = {"move": ["plays"], "rolls": ["rolls"], "scores": ["money", "scores"]}.get(command)
    return {answer["plies"]} if inside is None else {entry["plies"] for name in inside for entry in answer[name]}


@pytest.mark.parametrize("command", COMMANDS)
def test_answers_say_how_far_they_looked(bgai_command: Command, model: Path, command: str) -> None:
    plain = record(bgai_command, command, model)
    assert plain["settings"] == PLAIN
    assert depths(command, plain) == {0}
    ahead = record(bgai_command, command, model, "--plies", "1", "--filter", "huge", "--threads", "2")
    assert ahead["settings"] == {**PLAIN, "level": "1-ply", "plies": 1, "filter": "huge"}
    assert 1 in depths(command, ahead)
    assert record(bgai_command, command, model, "--plies", "1", "--filter", "huge") == ahead


@pytest.mark.parametrize("command", COMMANDS)
def test_a_page_has_the_legend_once(bgai_command: Command, model: Path, command: str) -> None:
    words = (command, *COMMANDS[command], "--model", model, "--ascii")
    assert LEGEND not in bgai_command.good(*words)
    page = bgai_command.good(*words, "--plies", "1", "--filter", "tiny")
    assert page.count(LEGEND) == 1
    assert "tiny, 1-ply, filter tiny" in page


def test_plays_are_those_of_the_library(bgai_command: Command, model: Path) -> None:
    found = Analyst.of(load_model(model), plies=1, filter="tiny").rank([Position(dice=(3, 1))])
    plays = record(bgai_command, "move", model, "--plies", "1", "--filter", "tiny", "--top", "0")["plays"]
    assert [entry["plies"] for entry in plays] == found.plies[found.order].tolist()
    assert [entry["equity"] for entry in plays] == [round(found.equities[n], 6) for n in found.order]
    assert {entry["plies"] for entry in plays} == {0, 1}
    assert all(entry["loss"] >= 0 for entry in plays)


def test_the_table_shows_the_depth_of_each_play(bgai_command: Command, model: Path) -> None:
    words = ("move", START_ID, "31", "--model", model, "--top", "0")
    page = bgai_command.good(*words, "--plies", "1", "--filter", "tiny").splitlines()
    heading = next(number for number, line in enumerate(page) if "cubeless  " in line)
    column = page[heading].index("depth")
    shown = [line[column : column + 5] for line in page[heading + 1 :]]
    assert shown == sorted(shown, reverse=True)
    assert set(shown) == {"0-ply", "1-ply"}
    assert "depth" not in bgai_command.good(*words)


def test_a_cube_decision_is_that_of_the_library(bgai_command: Command, model: Path) -> None:
    decision = decide_cube(Analyst.of(load_model(model), plies=1), Position())
    found = record(bgai_command, "cube", model, "--plies", "1")
    assert (found["plies"], decision.plies) == (1, 1)
    assert found["no_double"] == round(decision.no_double, 6)


@pytest.mark.parametrize(("command", "rest"), [("move", " 31"), ("eval", ""), ("cube", "")])
def test_files_are_answered_as_single_questions_are(
    bgai_command: Command, model: Path, command: str, rest: str
) -> None:
    words = (command, "--file", "-", "--model", model, "--plies", "1")
    lines = bgai_command.good(*words, "--json", stdin=f"{START_ID}{rest}\n" * 2).splitlines()
    alone = record(bgai_command, command, model, "--plies", "1")
    if command == "cube":
        alone |= {"market_losers": None, "why": json.loads(lines[0])["why"]}
    assert [json.loads(line) for line in lines] == [alone, alone]
    text = bgai_command.good(*words, stdin=f"{START_ID}{rest}\n")
    assert text.endswith("  1-ply\n")
    assert text.count("\n") == 1


@pytest.mark.parametrize("command", COMMANDS)
def test_plenty_of_time_reaches_the_most_plies_that_are_allowed(
    bgai_command: Command, model: Path, command: str
) -> None:
    hurried = record(bgai_command, command, model, "--plies", "1", "--time", "900000s")
    ahead = record(bgai_command, command, model, "--plies", "1")
    assert hurried.pop("settings")["plies"] == ahead.pop("settings")["plies"] == 1
    assert hurried == ahead


@pytest.mark.parametrize("command", COMMANDS)
def test_too_little_time_leaves_the_network_alone(
    bgai_command: Command, model: Path, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    look = Search.look

    def slow(self: Search, *words: Any) -> Any:
        if len(words) > 4:
            raise TimeUp
        return look(self, *words)

    monkeypatch.setattr(Search, "look", slow)
    hurried = record(bgai_command, command, model, "--time", "250ms")
    assert hurried.pop("settings")["plies"] == 7
    plain = record(bgai_command, command, model)
    del plain["settings"]
    assert hurried == plain


@pytest.mark.parametrize(("text", "seconds"), [("100ms", 0.1), ("2s", 2.0), ("0.5", 0.5), (".5s", 0.5), ("3", 3.0)])
def test_times(bgai_command: Command, model: Path, text: str, seconds: float) -> None:
    found = record(bgai_command, "eval", model, "--time", text, "--plies", "1")
    assert found["settings"]["seconds"] == seconds


def test_a_time_says_what_was_reached(bgai_command: Command, model: Path) -> None:
    page = bgai_command.good("eval", START_ID, "--model", model, "--plies", "1", "--time", "900s")
    assert "tiny, 1-ply within 900s, reached 1-ply, with the cube" in page


def test_what_takes_long_is_said_first(bgai_command: Command, model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Analyst, "seconds", lambda *_: 95.4)
    quick = bgai_command("eval", START_ID, "--model", model, "--plies", "1")
    assert quick.err == ""
    for command, words in COMMANDS.items():
        said = bgai_command(command, *words, "--model", model, "--plies", "2", "--filter", "tiny")
        assert said.err == "bgai: 2-ply, filter tiny takes about 95 s\n"
    limited = bgai_command("eval", START_ID, "--model", model, "--plies", "2", "--time", "900s")
    assert limited.err == ""


def test_the_estimate_counts_what_the_filter_keeps(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Search, "seconds", lambda _, boards, *__: 2.0 * len(boards))
    analyst = Analyst.of(load_model(model), plies=2)
    assert analyst.seconds([Position()]) == 2.0
    kept = [level.least + level.more for level in FILTERS["normal"].levels]
    assert analyst.seconds([Position(dice=(3, 1))]) == 2.0 * kept[1]
    assert analyst.seconds([Position(dice=(3, 1)), Position(dice=(6, 5))]) == 2.0 * 2 * kept[1]
    assert Analyst.of(load_model(model)).seconds([Position()]) == 0.0


def test_ctrl_c_ends_it(bgai_command: Command, model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Search, "look", interrupt)
    outcome = bgai_command("move", START_ID, "31", "--plies", "1", "--model", model)
    assert (outcome.code, outcome.out, outcome.err) == (130, "", "\n")


def test_levels_are_a_short_way_to_say_it(bgai_command: Command, model: Path) -> None:
    assert record(bgai_command, "move", model, "--level", "1-ply") == record(
        bgai_command, "move", model, "--plies", "1"
    )
    weak = record(bgai_command, "eval", model, "--level", "beginner")
    assert weak["settings"] == {**PLAIN, "level": "beginner"}
    assert weak == record(bgai_command, "eval", model, "--level", "beginner")
    wins = {record(bgai_command, "rolls", model, "--level", name)["average"] for name in ("beginner", "0-ply")}
    assert len(wins) == 2
    named = json.loads(bgai_command.good("eval", START_ID, "--json", "--level", f"{model}:1-ply"))
    assert named == record(bgai_command, "eval", model, "--plies", "1")


def test_rolled_out_plays_have_no_plies(bgai_command: Command, model: Path) -> None:
    plays = record(bgai_command, "move", model, "--level", "rollout", "--top", "0")["plays"]
    assert {entry["plies"] for entry in plays} <= {None, 0, 1}
    page = bgai_command.good("eval", START_ID, "--model", model, "--level", "rollout")
    assert "tiny, rollout, with the cube" in page
    assert record(bgai_command, "eval", model, "--level", "rollout")["plies"] is None


def test_depths_have_names() -> None:
    assert looking.depth(2) == looking.said_depth(2) == "2-ply"
    assert looking.said_depth(None) == "rollout"
    assert plies_record(0) == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--plies", "8"], "8 plies, expected 0 to 7"),
        (["--plies", "-1"], "argument --plies: expected a whole number of 0 or more, found '-1'"),
        (["--time", "0s"], "argument --time: expected a time such as 100ms, 2s or 0.5, found '0s'"),
        (["--time", "soon"], "argument --time: expected a time such as 100ms, 2s or 0.5, found 'soon'"),
        (["--plies", "1", "--filter", "wide"], "unknown move filter 'wide', expected one of tiny, narrow, normal,"),
        (["--threads", "0"], "argument --threads: expected a whole number of 1 or more, found '0'"),
        (["--level", "9-ply"], "9 plies, expected 0 to 7"),
        (["--level", "1-ply", "--plies", "1"], "expected either --level or --plies, found both"),
        (["--level", "1-ply", "--time", "1s"], "expected either --level or --time, found both"),
        (["--level", "random"], "'random' has no opinions, expected a level or a model: 0-ply to 7-ply, rollout,"),
        (["--level", "grandmaster"], "unknown player 'grandmaster': expected 0-ply to 7-ply, rollout, a time such as"),
    ],
)
@pytest.mark.parametrize("command", ["move", "scores"])
def test_what_can_go_wrong(bgai_command: Command, command: str, words: list[str], said: str) -> None:
    assert bgai_command.bad(command, *COMMANDS[command], *words).startswith(f"bgai {command}: {said}")


def test_two_networks_are_one_too_many(bgai_command: Command, model: Path) -> None:
    line = bgai_command.bad("eval", START_ID, "--model", model, "--level", "1:1-ply")
    assert line == f"bgai eval: expected one network, found --model {model} and --level 1:1-ply"
