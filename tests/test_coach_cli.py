"""`bgai coach`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli import START_ID, Command

CENTRED = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"
OWNED = "XGID=-b----E-C---eE---c-e----B-:1:-1:1:00:0:0:0:0:10"
CRAWFORD = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:4:1:1:5:10"
DEAD = "XGID=-b---BDBC---eC---c-e----A-:0:0:1:00:2:1:0:3:10"


@pytest.mark.parametrize("plies", [0, 1])
def test_a_dead_cube_is_spoken_of_alike_at_every_depth(bgai_command: Command, plies: int) -> None:
    page = bgai_command.good("coach", DEAD, "--action", "double", "--plies", str(plies))
    assert "No double\n" in page
    assert "The cube is dead for X: a win with it as it stands wins the match, so a double gains nothing." in page
    assert page.endswith("Done: double, which costs nothing.\n")
    assert bgai_command.good("coach", DEAD, "--action", "no double").endswith("Done: no double, which is right.\n")


def test_a_play_is_explained(bgai_command: Command) -> None:
    page = bgai_command.good("coach", START_ID, "31", "--play", "24/23 13/10")
    assert "X to play 3-1, 4HPwATDgc/ABMA" in page
    assert "The race is even at 167 pips each." in page
    assert "The best play: 8/5 6/5 (+0." in page
    assert "It makes the 5 point." in page
    assert "Done: 24/23 13/10, which loses " in page
    assert page.rstrip().splitlines()[-1].startswith("  It ")
    right = bgai_command.good("coach", START_ID, "31", "--play", "6/5 8/5")
    assert right.endswith("Done: 8/5 6/5, which is right.\n")
    assert "Done:" not in bgai_command.good("coach", START_ID, "31")


def test_a_cube_action_is_explained(bgai_command: Command) -> None:
    page = bgai_command.good("coach", START_ID, "--action", "double")
    assert "No double, take\n" in page
    assert "No sequence of two rolls loses the market." in page
    assert "X doubled too early" in page


def test_json(bgai_command: Command) -> None:
    record = json.loads(bgai_command.good("coach", START_ID, "31", "--play", "13/9", "--json"))
    assert (record["version"], record["kind"], record["best"], record["done"]) == (1, "play", "8/5 6/5", "13/9")
    assert record["loss"] > 0.1
    assert record["settings"]["level"] == "0-ply"
    assert {"id", "text", "numbers"} == set(record["reasons"][0])
    # The best, what was played, and the second best if that is another.
    assert [play["play"] for play in record["facts"]["plays"]][:2] == ["8/5 6/5", "13/9"]
    cube = json.loads(bgai_command.good("coach", START_ID, "--json"))
    assert (cube["kind"], cube["best"], cube["done"]) == ("cube", "no double, take", None)


def test_the_score_and_the_depth_are_those_that_were_asked_for(bgai_command: Command) -> None:
    page = bgai_command.good("coach", START_ID, "31", "--match", "5", "--score", "4-4", "--plies", "1")
    assert "At this score a gammon is worth 0.00 to X and 0.00 to O (0.50 for money)." in page
    record = json.loads(bgai_command.good("coach", START_ID, "31", "--plies", "1", "--json"))
    assert record["facts"]["plays"][0]["plies"] == 1


def test_another_network_answers(bgai_command: Command, model: Path) -> None:
    record = json.loads(bgai_command.good("coach", START_ID, "31", "--model", model, "--json"))
    assert record["model"] == model.name


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "expected a position ID, with a roll or without, such as: bgai coach 4HPwATDgc/ABMA 31"),
        ([START_ID, "--play", "8/5"], "no roll found beside --play '8/5', expected two dice behind the ID"),
        ([START_ID, "31", "--action", "take"], "found a roll beside --action 'take'"),
        ([START_ID, "31", "--play", "8/2"], "'8/2' is not a legal play here"),
        ([START_ID, "--action", "resign"], "expected one of no double"),
        ([CRAWFORD, "--action", "double"], "found 'double': nobody may double in the Crawford game"),
        ([OWNED, "--action", "double"], "found 'double': the opponent owns the cube"),
        ([OWNED, "--action", "take"], "found 'take': the opponent owns the cube"),
        ([CENTRED, "--action", "beaver"], "found 'beaver': beavers are not agreed"),
        (["AAAAgO8TAgAAAA"], "the game is over"),
        ([START_ID, "37"], "found 7"),
    ],
)
def test_bad_input(bgai_command: Command, words: list[str], message: str) -> None:
    assert message in bgai_command.bad("coach", *words)
