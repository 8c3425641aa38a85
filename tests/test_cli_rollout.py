"""`bgai rollout`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bgai.cli import rollout_page
from bgai.kernels.strata import BLOCK
from bgai.notation.xgid import format_xgid
from bgai.position import Position
from bgai.rollout import Rollout
from tests.cli import START_ID, Command

QUICK = ("--trials", "72", "--truncate", "2", "--threads", "1")
DOUBLE = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:3:4:0:5:10"


def asked(command: Command, *words: str | Path) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(command.good("rollout", *words, "--json"))
    return answer


def test_plays_side_by_side(bgai_command: Command, model: Path) -> None:
    text = bgai_command.good("rollout", START_ID, "31", *QUICK, "--candidates", "3", "--model", model)
    assert "tiny, rolled out at 0-ply with the cube, cut off after 2 plies, seed 1" in text
    rows = [line for line in text.splitlines() if line[:4].strip().isdecimal() and " ± " in line]
    assert [row.split()[0] for row in rows] == ["1", "2", "3"]
    assert "\n72 trials.\n" in text
    answer = asked(bgai_command, START_ID, "31", *QUICK, "--candidates", "3", "--model", model)
    equities = [one["equity"] for one in answer["candidates"]]
    assert equities == sorted(equities, reverse=True)
    assert [one["loss"] for one in answer["candidates"]] == pytest.approx(
        [equities[0] - one for one in equities], abs=2e-6
    )
    for one, row in zip(answer["candidates"], rows, strict=True):
        assert f"{one['equity']:+.3f} ± {one['interval_95']:.3f}" in row


def test_json_has_everything_to_repeat_it(bgai_command: Command, model: Path) -> None:
    words = (START_ID, "31", *QUICK, "--seed", "9", "--candidates", "2", "--model", model)
    answer = asked(bgai_command, *words)
    assert answer["xgid"] == "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
    assert (answer["position_id"], answer["dice"], answer["model"]) == (START_ID, [3, 1], "tiny")
    assert len(answer["weights_sha256"]) == 64
    assert answer["settings"] == {
        "trials": 72,
        "seed": 9,
        "truncation": 2,
        "cubeful": True,
        "reduction": True,
        "settled": 3.0,
        "error": None,
    }
    assert answer["complete"] is True
    assert {len(one["blocks"]) for one in answer["candidates"]} == {2}
    assert answer == asked(bgai_command, *words[:-2], "--threads", "3", "--model", model)


def test_a_position_with_its_cube_decision(bgai_command: Command, model: Path) -> None:
    text = bgai_command.good("rollout", DOUBLE, *QUICK, "--model", model)
    assert "\nno double " in text
    assert "\ndouble, take " in text
    assert " if doubled (a pass is worth +1.000).\n" in text
    answer = asked(bgai_command, DOUBLE, *QUICK, "--model", model)
    assert [one["name"] for one in answer["candidates"]] == ["no double", "double, take"]
    assert answer["cube"]["answer"] in ("take", "pass")
    assert all(0 <= one["mwc"] <= 1 for one in answer["candidates"])


def test_a_position_without_a_cube_to_turn(bgai_command: Command, model: Path) -> None:
    for more in (["--cubeless"], ["--cube", "2", "--owner", "opponent"]):
        answer = asked(bgai_command, START_ID, *QUICK, *more, "--model", model)
        assert answer["cube"] is None
        assert [one["name"] for one in answer["candidates"]] == ["position"]


def test_it_goes_on_where_it_ended(bgai_command: Command, model: Path, tmp_path: Path) -> None:
    words = ("rollout", START_ID, "31", "--truncate", "2", "--candidates", "2", "--model", model, "--json")
    file = tmp_path / "record.json"
    file.write_text(bgai_command.good(*words, "--trials", "36"), "utf-8")
    longer = bgai_command.good("rollout", "--extend", file, "--trials", "108", "--model", model, "--json")
    assert longer == bgai_command.good(*words, "--trials", "108")
    assert "108 trials" in bgai_command.good("rollout", "--extend", file, "--trials", "108", "--model", model)
    for more, said in [
        ([START_ID], "no position beside --extend"),
        (["--match", "5"], "no position beside --extend"),
        (["--seed", "2"], "no --seed beside --extend"),
        (["--cubeless"], "no --cubeless beside --extend"),
    ]:
        assert said in bgai_command.bad("rollout", "--extend", file, *more, "--model", model)
    file.write_text(longer, "utf-8")
    assert "found 36, expected 108 or more" in bgai_command.bad(
        "rollout", "--extend", file, "--trials", "36", "--model", model
    )
    file.write_text("{}", "utf-8")
    assert "expected what `bgai rollout --json` printed" in bgai_command.bad("rollout", "--extend", file)
    file.write_text("nothing", "utf-8")
    assert "is not JSON" in bgai_command.bad("rollout", "--extend", file)
    assert "cannot read the file" in bgai_command.bad("rollout", "--extend", tmp_path / "nowhere")


def test_it_ends_when_it_is_decided(bgai_command: Command, model: Path) -> None:
    words = (START_ID, "31", "--trials", "720", "--truncate", "1", "--candidates", "3", "--model", model)
    text = bgai_command.good("rollout", *words)
    assert "\nEnded after 324 of 720 trials: decided.\n* dropped, because it was clearly worse\n" in text
    assert "\n720 trials.\n" in bgai_command.good("rollout", *words, "--stop", "0")
    assert "steady enough" in bgai_command.good("rollout", *words, "--stop", "0", "--error", "1")


@pytest.mark.parametrize("json_too", [[], ["--json"]])
def test_interrupting_shows_what_there_is(
    bgai_command: Command, model: Path, monkeypatch: pytest.MonkeyPatch, json_too: list[str]
) -> None:
    run = Rollout.run

    def interrupted(rollout: Rollout, **settings: Any) -> None:
        rollout.settings = type(rollout.settings)(trials=BLOCK, truncation=1)
        run(rollout, **settings)
        rollout.extended(2 * BLOCK)
        raise KeyboardInterrupt

    monkeypatch.setattr(Rollout, "run", interrupted)
    outcome = bgai_command("rollout", START_ID, "31", *QUICK, "--model", model, *json_too)
    assert outcome.code == 130
    if json_too:
        answer = json.loads(outcome.out)
        assert answer["complete"] is False
        assert {one["trials"] for one in answer["candidates"]} == {36}
    else:
        assert "\nInterrupted after 36 of 72 trials.\n" in outcome.out


def test_interrupting_before_anything_was_played(
    bgai_command: Command, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Rollout, "run", interrupted)
    outcome = bgai_command("rollout", START_ID, "31", *QUICK, "--model", model)
    assert (outcome.code, outcome.out, outcome.err) == (130, "", "\n")


def test_a_mean_of_one_block_has_no_interval() -> None:
    assert rollout_page.plus_minus(0.5, float("inf")) == "+0.500 ± ?"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "expected a position ID, with a roll or without"),
        ([START_ID, "31", "--trials", "100"], "trials: found 100, expected a multiple of 36"),
        ([START_ID, "31", "--trials", "36000000"], "from 36 to 999972"),
        ([START_ID, "31", "--trials", "0"], "expected a whole number of 1 or more, found '0'"),
        ([START_ID, "31", "--truncate", "0"], "expected a whole number of 1 or more, found '0'"),
        ([START_ID, "31", "--stop", "-1"], "expected a number of 0 or more, found '-1'"),
        ([START_ID, "31", "--error", "x"], "expected a number of 0 or more, found 'x'"),
        ([START_ID, "71"], "a die shows 1 to 6, found 7"),
        ([START_ID, "31", "--seed", str(2**64)], "expected a whole number from 0 to"),
        (["AAAAgO8TAgAAAA", "31"], "the game is over"),
        (["AAAAgO8TAgAAAA"], "the game is over"),
        ([DOUBLE, "--match", "7"], "match: found 7 in the options and 5 in the XGID"),
        ([START_ID, "--model", "nobody"], "unknown model 'nobody'"),
    ],
)
def test_bad_input(bgai_command: Command, words: list[str], said: str) -> None:
    assert said in bgai_command.bad("rollout", *words)


def test_without_a_legal_play_there_is_nothing_to_choose(bgai_command: Command) -> None:
    board = np.zeros(26, dtype=np.int8)
    board[25], board[19:25] = 1, -2
    shut = format_xgid(Position(board=board, dice=(2, 1)))
    assert "no legal play, so there is nothing to choose" in bgai_command.bad("rollout", shut)
