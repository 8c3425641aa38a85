"""`bgai rolls`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bgai.analyst import Analyst
from bgai.dice import ROLLS
from bgai.notation.xgid import parse_xgid
from tests.cli import START_ID, Command

MATCH = "XGID=-b----E-C---eE---c-e----B-:1:1:1:00:3:5:0:7:10"
OVER = "AAAAgO8TAgAAAA"


def test_each_roll_has_the_play_that_ranks_first(bgai_command: Command, model: Path) -> None:
    record = json.loads(bgai_command.good("rolls", MATCH, "--json", "--model", model))
    assert [tuple(entry["dice"]) for entry in record["rolls"]] == list(ROLLS)
    assert sum(entry["weight"] for entry in record["rolls"]) == 36
    average = sum(entry["weight"] * entry["equity"] for entry in record["rolls"]) / 36
    assert record["average"] == pytest.approx(average, abs=1e-5)
    assert sum(entry["weight"] * entry["difference"] for entry in record["rolls"]) == pytest.approx(0, abs=1e-4)
    analyst = Analyst.of(str(model))
    position = parse_xgid(MATCH)
    assert record["static"] == pytest.approx(float(analyst.cube_values(position)[0].no_double[0]), abs=1e-6)
    for entry in record["rolls"]:
        words = ("rolls", MATCH.replace(":00:", f":{entry['dice'][0]}{entry['dice'][1]}:"))
        assert 0 <= entry["mwc"] <= 1
        if entry["dice"] == [3, 1]:
            outcome = bgai_command(*words, "--json", "--model", model)
            assert json.loads(outcome.out) == record
            assert "the roll 3-1 plays no part" in outcome.err
    assert json.loads(bgai_command.good("rolls", START_ID, "--json", "--model", model))["mwc"] is None


@pytest.mark.parametrize("name", [START_ID, MATCH])
def test_a_page_fits_the_terminal(bgai_command: Command, model: Path, name: str) -> None:
    page = bgai_command.good("rolls", name, "--model", model, "--ascii")
    lines = page.splitlines()
    assert max(map(len, lines)) <= 80
    listed = lines[-21:]
    assert listed[0].endswith("best")
    assert listed[-1].endswith("worst")
    assert {line.split()[0] for line in listed} == {f"{high}-{low}" for high, low in ROLLS}
    assert ("match to 7" in page) == (name == MATCH)
    assert "\x1b" not in page


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "expected a position ID"),
        ((OVER,), "the game is over"),
        ((MATCH.replace(":00:", ":D:"),), "a double waits for an answer"),
        ((START_ID, "31"), "expected one position ID"),
        (("rubbish",), "position ID"),
    ],
)
def test_what_is_wrong_is_said(bgai_command: Command, words: tuple[str, ...], message: str) -> None:
    assert message in bgai_command.bad("rolls", *words)
