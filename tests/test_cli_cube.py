"""`bgai cube`, and match, score and cube given by options."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bgai.analyst import Analyst
from bgai.cube_decision import decide_cube
from bgai.notation.xgid import parse_xgid
from bgai.outcomes import NAMES
from bgai.position import Cube, Position, Score
from tests.cases import case
from tests.cli import START_ID, Command

BOARD = "-b----E-C---eE---c-e----B-"
KEYS = [
    *("version", "position_id", "xgid", "model", "settings", "plies", "offer"),
    *("no_double", "double_take", "double_pass", "action"),
    *("answer", "may_double", "why", "take_point", "gammon_price", "market_losers", "mwc", "cubeless_equity"),
    *NAMES,
]


def xgid(rest: str, board: str = BOARD) -> str:
    return f"XGID={board}:{rest}"


def asked(command: Command, *words: str | Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(command.good("cube", *words, "--json"))
    return found


def test_json_is_what_the_library_says(bgai_command: Command, model: Path) -> None:
    text = xgid("0:0:1:00:2:1:0:7:10")
    found = asked(bgai_command, text, "--model", model)
    decision = decide_cube(Analyst.of(str(model)), parse_xgid(text))
    assert list(found) == KEYS
    assert (found["version"], found["position_id"], found["xgid"]) == (1, START_ID, text)
    assert (found["model"], found["offer"], found["double_pass"]) == ("tiny", None, 1.0)
    assert (found["action"], found["answer"], found["why"]) == (decision.action, decision.answer, decision.why)
    for name in ("no_double", "double_take", "take_point", "gammon_price", "market_losers"):
        assert found[name] == round(getattr(decision, name), 6) + 0.0
    assert decision.mwc is not None
    assert found["mwc"] == {name: round(chance, 6) for name, chance in decision.mwc.items()}
    assert asked(bgai_command, START_ID, "--model", model)["mwc"] is None


def test_the_page(bgai_command: Command) -> None:
    text = bgai_command.good("cube", xgid("0:0:1:00:3:4:0:5:10"), "--ascii")
    assert "| BAR |" in text
    assert "X on roll, 4HPwATDgc/ABMA, cube 1 in the middle" in text
    assert "\ndouble, pass    +1.000   50.00% to win the match\n" in text
    assert "\nDouble, pass: losing this game loses the match anyway; the opponent needs 50.0% to take" in text
    for reason in ("take point  ", "gammon price  ", "market losers  ", "chances  "):
        assert f"\n{reason}" in text
    owned = bgai_command.good("cube", xgid("1:1:1:00:0:0:0:0:10"))
    assert "\nredouble, take  " in owned
    assert "to win the match" not in owned


@pytest.mark.parametrize(
    ("rest", "why"),
    [
        ("0:0:1:00:3:4:1:5:10", "nobody may double in the Crawford game"),
        ("0:0:1:00:4:3:0:5:10", "the cube is dead: winning with it as it stands wins the match already"),
        ("1:-1:1:00:0:0:0:0:10", "the opponent owns the cube"),
        ("10:1:1:00:0:0:0:0:10", "the cube is at its limit"),
        ("0:0:1:00:0:0:0:0:0", "there is no cube in this game"),
    ],
)
def test_where_nobody_may_double(bgai_command: Command, model: Path, rest: str, why: str) -> None:
    found = asked(bgai_command, xgid(rest), "--model", model)
    assert (found["may_double"], found["why"]) == (False, why)
    assert found["action"] in ("no double", "no redouble")
    for key in ("double_take", "answer", "take_point", "gammon_price", "market_losers"):
        assert found[key] is None
    page = bgai_command.good("cube", xgid(rest), "--model", model)
    assert f"ouble: {why}\n" in page
    assert "double, take" not in page


def test_a_double_that_waits_asks_for_the_answer(bgai_command: Command) -> None:
    before, waiting = (asked(bgai_command, xgid(f"0:0:1:{dice}:3:4:0:5:10")) for dice in ("00", "D"))
    assert waiting["offer"] == "double"
    assert waiting["answer"] == before["answer"] == "pass"
    assert waiting["no_double"] == before["no_double"]
    page = bgai_command.good("cube", xgid("0:0:1:D:3:4:0:5:10"))
    assert "X doubles to 2, O to answer" in page
    assert "\nPass: " in page
    # A dead double is legal, and has to be answered: passing would lose the match.
    dead = asked(bgai_command, xgid("0:0:1:D:4:3:0:5:10"))
    assert (dead["may_double"], dead["answer"]) == (False, "take")
    assert "\nTake: the cube is dead" in bgai_command.good("cube", xgid("0:0:1:D:4:3:0:5:10"))


def test_a_bad_double_is_beavered_where_that_is_agreed(bgai_command: Command) -> None:
    assert asked(bgai_command, xgid("0:0:1:00:0:0:2:0:10"))["answer"] == "beaver"
    assert asked(bgai_command, START_ID, "--beavers")["answer"] == "beaver"
    assert asked(bgai_command, START_ID)["answer"] == "take"


def test_a_file_gives_what_single_questions_give_without_market_losers(bgai_command: Command, model: Path) -> None:
    lines = [
        START_ID,
        xgid("0:0:1:00:3:4:0:5:10"),
        f"{xgid('1:1:1:00:2:3:0:5:10')} 31",
        xgid("0:0:1:D:0:0:3:0:10"),
        xgid("0:0:-1:52:1:2:0:9:10"),
    ]
    answers = bgai_command.good("cube", "--file", "-", "--json", "--model", model, stdin="\n".join(lines)).splitlines()
    assert len(answers) == len(lines)
    for line, text in zip(lines, answers, strict=True):
        found, alone = json.loads(text), asked(bgai_command, line.split()[0], "--model", model)
        assert found["market_losers"] is None
        assert found | {"market_losers": 0, "why": ""} == alone | {"market_losers": 0, "why": ""}
    short = bgai_command.good("cube", "--file", "-", "--model", model, stdin="\n".join(lines)).splitlines()
    assert all("  no double " in line for line in short)


def test_a_bad_line_is_answered_in_its_place(bgai_command: Command, model: Path) -> None:
    lines = ["AAAAgO8TAgAAAA", xgid("1:1:1:B:0:0:3:0:10"), xgid("0:0:1:D:0:0:1:7:10"), START_ID]
    outcome = bgai_command("cube", "--file", "-", "--json", "--model", model, stdin="\n".join(lines))
    over, beaver, _, good = map(json.loads, outcome.out.splitlines())
    assert outcome.code == 2
    assert over["error"] == "the game is over, expected a position before the roll"
    assert beaver["error"] == "a beaver waits for an answer, expected a position before the roll"
    assert good["action"]


@pytest.mark.parametrize(
    ("options", "rest"),
    [
        (["--match", "7", "--score", "3-5", "--cube", "2", "--owner", "me"], "1:1:1:00:3:5:0:7:10"),
        (["--match", "7", "--score", "3:5", "--cube", "4", "--owner", "opponent"], "2:-1:1:00:3:5:0:7:10"),
        (["--match", "5", "--score", "4-2", "--crawford"], "0:0:1:00:4:2:1:5:10"),
        (["--match", "5", "--score", "4-2"], "0:0:1:00:4:2:0:5:10"),
        (["--match", "3"], "0:0:1:00:0:0:0:3:10"),
        (["--jacoby", "--beavers", "--cube", "1", "--owner", "centre"], "0:0:1:00:0:0:3:0:10"),
        (["--cube", "2", "--owner", "centre", "--jacoby"], "1:0:1:00:0:0:1:0:10"),
        ([], "0:0:1:00:0:0:0:0:10"),
    ],
)
def test_options_say_what_an_xgid_says(bgai_command: Command, model: Path, options: list[str], rest: str) -> None:
    for command, dice in (("cube", []), ("eval", []), ("move", ["31"])):
        words = (*dice, "--json", "--model", model)
        there = bgai_command.good(command, xgid(rest), *words)
        assert bgai_command.good(command, START_ID, *words, *options) == there
        assert bgai_command.good(command, "--file", "-", *words, *options, stdin=START_ID)
        # Beside the XGID they may be repeated.
        assert bgai_command.good(command, xgid(rest), *words, *options) == there


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        (START_ID, "--cube 3 --owner me", "cube: found 3, expected a power of two"),
        (START_ID, "--owner me", "cube owner: found an owner with the cube at 1"),
        (START_ID, "--cube 2", "cube owner: found none beside --cube 2, expected --owner me or opponent"),
        (START_ID, "--cube 2048 --owner me", "cube: found 2048, expected at most the cube limit of 1024"),
        (START_ID, "--match 7 --score 7-3", "score: found 7 points in a match to 7, which is over"),
        (START_ID, "--match 7 --score 3-9", "score: found 9 points in a match to 7, which is over"),
        (START_ID, "--score 3-5", "match: found none beside --score 3-5, such as: --match 7 --score 3-5"),
        (START_ID, "--match 7 --score 3-5 --crawford", "Crawford: found a Crawford game at 3-5 in a match to 7"),
        (START_ID, "--crawford", "Crawford: found a Crawford game in money play"),
        (START_ID, "--match 7 --jacoby", "Jacoby: found in a match to 7, expected in money play only"),
        (START_ID, "--match 7 --beavers", "beavers: found in a match to 7, expected in money play only"),
        (START_ID, "--match 5 --score 4-2 --crawford --cube 2 --owner me", "cube: found 2 in the Crawford game"),
        (START_ID, "--match 5000", "match length: found 5000, expected at most 1000"),
        (START_ID, "--match 7 --match 5", "--match is given twice and differently, as 7 and as 5"),
        (START_ID, "--match 9 --score 3-5 --score 5-3", "--score is given twice and differently, as 3-5 and as 5-3"),
        (START_ID, "--match 9 --score 35", "argument --score: expected points won such as 3-5, mine first, found '35'"),
        (START_ID, "--cube 0", "argument --cube: expected a whole number of 1 or more, found '0'"),
        (START_ID, "--owner you", "argument --owner: invalid choice: 'you'"),
        (xgid("0:0:1:00:1:2:0:7:10"), "--match 9", "match: found 9 in the options and 7 in the XGID"),
        (xgid("0:0:1:00:0:0:0:0:10"), "--match 7", "match: found 7 in the options and money play in the XGID"),
        (xgid("0:0:1:00:1:2:0:7:10"), "--score 2-1", "score: found 2-1 in the options and 1-2 in the XGID"),
        (xgid("1:1:1:00:1:2:0:7:10"), "--cube 4", "cube: found 4 in the options and 2 in the XGID"),
        (
            xgid("1:1:1:00:1:2:0:7:10"),
            "--owner opponent",
            "cube owner: found opponent in the options and me in the XGID",
        ),
        (xgid("0:0:1:00:6:2:0:7:10"), "--crawford", "Crawford: found yes in the options and no in the XGID"),
        (xgid("0:0:1:00:0:0:0:0:10"), "--jacoby", "Jacoby: found yes in the options and no in the XGID"),
    ],
)
def test_contradictions_are_named(bgai_command: Command, name: str, options: str, said: str) -> None:
    for command, dice in (("cube", []), ("eval", []), ("move", ["31"])):
        assert said in bgai_command.bad(command, name, *dice, *options.split())


def test_options_add_what_an_id_leaves_open(bgai_command: Command, model: Path) -> None:
    gnubg = f"{START_ID}:cAkAAAAAAAAE"  # money without Jacoby; beavers are not said
    found = asked(bgai_command, gnubg, "--beavers", "--model", model)
    assert found["xgid"] == xgid("0:0:1:00:0:0:2:0:10")
    line = bgai_command.bad("cube", gnubg, "--jacoby")
    assert "Jacoby: found yes in the options and no in the GNUBG ID" in line


def test_other_bad_questions(bgai_command: Command) -> None:
    assert "expected a position ID, such as: bgai cube" in bgai_command.bad("cube")
    assert "found '31' behind it" in bgai_command.bad("cube", START_ID, "31")
    assert "the game is over" in bgai_command.bad("cube", "AAAAgO8TAgAAAA")
    assert "found both" in bgai_command.bad("cube", START_ID, "--file", "-")
    outcome = bgai_command("eval", xgid("0:0:1:D:0:0:0:0:10"), "--json")
    assert outcome.code == 0
    assert "the double that waits for an answer plays no part" in outcome.err


def test_points_are_numbered_for_the_side_on_roll(bgai_command: Command) -> None:
    reported = case("cl-04")
    found = json.loads(bgai_command.good("move", reported["input"]["xgid"], "--json"))
    assert found["plays"][0]["play"] == reported["expected"]["best_move"]
    upper = asked(bgai_command, xgid("1:1:-1:00:2:3:0:5:10"))
    lower = asked(bgai_command, xgid("1:-1:1:00:3:2:0:5:10"))
    assert upper["no_double"] == lower["no_double"]


def test_plays_are_ranked_with_the_cube_at_the_score(bgai_command: Command) -> None:
    words = (START_ID, "41", "--match", "5", "--score", "4-4", "--json", "--top", "0")
    for entry in json.loads(bgai_command.good("move", *words))["plays"]:
        # At double match point gammons are worth nothing.
        assert entry["equity"] == pytest.approx(entry["cubeless_equity"], abs=2e-6)
        assert entry["equity"] == pytest.approx(2 * entry["win"] - 1, abs=2e-6)
        assert entry["mwc"] == pytest.approx(entry["win"], abs=2e-6)
    state = Position(dice=(4, 1), cube=Cube(2, "on roll"), score=Score((3, 5), 7))
    ranked = Analyst.of().rank([state])
    words = (START_ID, "41", "--match", "7", "--score", "3-5", "--cube", "2", "--owner", "me", "--json", "--top", "0")
    plays = json.loads(bgai_command.good("move", *words))["plays"]
    assert [entry["equity"] for entry in plays] == [round(ranked.equities[n], 6) for n in ranked.order]
    assert [entry["mwc"] for entry in plays] == [round(ranked.mwc[n], 6) for n in ranked.order]
    cubeless = json.loads(bgai_command.good("move", *words, "--cubeless"))["plays"]
    assert all(entry["equity"] == entry["cubeless_equity"] for entry in cubeless)
    text = bgai_command.good("move", *words[:-3])
    assert "cubeless   match" in text
