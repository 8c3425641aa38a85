"""Questions about positions: the answers are those of the library."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import numpy as np
import pytest

import bgai
from bgai.coach import explain_cube, explain_play
from bgai.notation.fibs import format_fibs_board
from bgai.outcomes import NAMES
from bgai.server.documented import as_json
from tests.cli import Command
from tests.server.conftest import START, Served

OPENING = {"id": START, "dice": [3, 1]}
XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:3:4:0:5:10"
RACE = "/wcAAAD+DwAAAA"


@pytest.fixture(scope="module")
def analyst() -> bgai.Analyst:
    return bgai.Analyst.of()


def test_legal_plays_lead_where_they_say(api: Served) -> None:
    found = api.ask("legal-plays", position={"id": START, "dice": [6, 6]})
    plays = bgai.legal_plays(bgai.START, (6, 6))
    assert len(found["plays"]) == len(plays)
    for entry in found["plays"]:
        board = np.array(bgai.START)
        for begin, end in entry["steps"]:
            board[begin] -= 1
            board[end] += 1
        assert bgai.format_position_id(bgai.flip(board)) == entry["position_id"]
        number = bgai.parse_play(bgai.START, plays, entry["play"])
        assert bgai.format_position_id(plays.successors[number]) == entry["position_id"]


def test_no_legal_play_is_one_without_steps(api: Served) -> None:
    closed = {"player": {"bar": 1, "6": 14}, "opponent": {str(point): 2 for point in range(1, 7)}}
    found = api.ask("legal-plays", position={"board": closed, "dice": [5, 2]})
    assert found["must_pass"] is True
    assert [entry["play"] for entry in found["plays"]] == [""]
    assert found["plays"][0]["steps"] == []


@pytest.mark.parametrize(
    ("position", "same"),
    [
        (OPENING, bgai.Position(dice=(3, 1))),
        (
            {"id": START, "dice": [4, 6], "length": 7, "score": [3, 5], "cube": 2, "cube_owner": "opponent"},
            bgai.Position(dice=(6, 4), cube=bgai.Cube(2, "opponent"), score=bgai.Score((3, 5), 7)),
        ),
        (
            {"id": START, "dice": [6, 5], "length": 5, "score": [4, 2], "crawford": True},
            bgai.Position(dice=(6, 5), score=bgai.Score((4, 2), 5, crawford=True)),
        ),
        (
            {"id": START, "dice": [6, 4], "jacoby": True, "beavers": True, "cube_limit": 64},
            bgai.Position(dice=(6, 4), score=bgai.Score(jacoby=True, beavers=True), cube_limit=64),
        ),
    ],
)
def test_plays_are_those_of_the_analyst(api: Served, analyst: bgai.Analyst, position: Any, same: bgai.Position) -> None:
    found = api.ask("plays", position=position, top=0)
    ranked = analyst.rank([same])
    assert found["legal"] == len(found["plays"]) == len(ranked.order)
    for entry, number in zip(found["plays"], ranked.order, strict=True):
        assert entry["position_id"] == bgai.format_position_id(ranked.plays.successors[number])
        assert entry["equity"] == pytest.approx(ranked.equities[number], abs=1e-6)
        assert [entry[name] for name in NAMES] == pytest.approx(ranked.outcomes[number].tolist(), abs=1e-6)
        assert (entry["mwc"] is None) == (same.score.length == 0)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, []),
        ({"level": "1-ply"}, ["--plies", "1"]),
        ({"level": "beginner"}, ["--level", "beginner"]),
        ({"cubeful": False, "model": "1"}, ["--cubeless", "--model", "1"]),
        ({"level": "0001-td:0-ply"}, ["--model", "0001-td"]),
    ],
)
def test_plays_are_those_of_the_command_line(
    api: Served, bgai_command: Command, options: dict[str, Any], words: list[str]
) -> None:
    found = api.ask("plays", position=OPENING, top=3, **options)
    told = json.loads(bgai_command.good("move", START, "31", "--top", "3", "--json", *words))
    assert found["model"] == told["model"]
    assert [{key: value for key, value in entry.items() if key != "steps"} for entry in found["plays"]] == told["plays"]


def test_a_play_that_is_asked_about_is_judged(api: Served, bgai_command: Command) -> None:
    found = api.ask("plays", position=OPENING, top=1, play="13/10 24/23")
    told = json.loads(bgai_command.good("move", START, "31", "--top", "1", "--json", "--play", "13/10 24/23"))
    assert found["asked"] == told["asked"]
    assert len(found["plays"]) == 1


def test_questions_that_come_together_get_the_same_answers(api: Served) -> None:
    questions = [
        {"position": {"id": START, "dice": [high, low], "length": length}, "top": 1 + low, "cubeful": low > 1}
        for high in range(1, 7)
        for low in range(1, high + 1)
        for length in (0, 3)
    ]

    async def together() -> list[Any]:
        return await asyncio.gather(*(api.http.post("/api/v1/plays", json=question) for question in questions))

    answers = [response.json() for response in api.run(together())]
    for question, answer in zip(questions, answers, strict=True):
        assert len(answer["plays"]) == min(question["top"], answer["legal"])
    for question, answer in list(zip(questions, answers, strict=True))[::7]:
        assert answer == api.ask("plays", **question)


def test_time_ends_looking_ahead(api: Served) -> None:
    found = api.ask("plays", position=OPENING, level="50ms", top=1)
    assert found["settings"]["seconds"] == 0.05
    assert 1 <= found["plays"][0]["plies"] < 7


def test_more_plies_than_there_is_time_for_are_answered_at_fewer(serve: Any) -> None:
    served = serve(max_seconds=0.4)
    found = served.ask("plays", position=OPENING, level="7-ply", top=1)
    assert 1 <= found["plays"][0]["plies"] < 7


@pytest.mark.parametrize(
    "form",
    [
        bgai.START.tolist(),
        {"player": {"24": 2, "13": 5, "8": 3, "6": 5}, "opponent": {"24": 2, "13": 5, "8": 3, "6": 5}},
    ],
)
def test_boards_may_be_given_as_such(api: Served, form: Any) -> None:
    assert api.ask("position", position={"board": form})["position_id"] == START


@pytest.mark.parametrize(
    "name",
    [
        START,
        f"{START}:cIkFAAAAAAAA",
        XGID,
        XGID.removeprefix("XGID="),
        "OAHDPAABDAOAHDPAABDA",
        format_fibs_board(bgai.Position(dice=(3, 1))),
        bgai.draw(bgai.START),
    ],
)
def test_positions_may_be_named_in_any_way(api: Served, name: str) -> None:
    found = api.ask("position", position=name)
    reading = bgai.read_position(name)
    assert found["position_id"] == START
    assert found["kind"] == reading.kind
    assert found["xgid"] == bgai.format_xgid(reading.position)
    assert found["board"] == bgai.START.tolist()
    assert found["length"] == reading.position.score.length


def test_what_was_repaired_is_said(api: Served) -> None:
    found = api.ask("position", position="XGID=-b----E-C---eE---c-e----B-:0:0:1:00:1:1:1:7:10")
    assert "Crawford" in found["remarks"][0]
    assert found["crawford"] is False


def test_an_evaluation_is_that_of_the_analyst(api: Served, analyst: bgai.Analyst) -> None:
    for name, position in ((XGID, bgai.parse_xgid(XGID)), (RACE, bgai.Position(bgai.parse_position_id(RACE)))):
        found, wanted = api.ask("evaluation", position=name), analyst.evaluate(position)
        assert found["equity"] == pytest.approx(wanted.equity, abs=1e-6)
        assert found["mwc"] == (None if wanted.mwc is None else pytest.approx(wanted.mwc, abs=1e-6))
    over = api.ask("evaluation", position={"board": {"player": {}, "opponent": {"3": 15}}})
    assert (over["equity"], over["win_gammon"]) == (2.0, 1.0)


def test_a_cube_decision_is_that_of_the_library(api: Served, analyst: bgai.Analyst, bgai_command: Command) -> None:
    found = api.ask("cube", position=XGID)
    told = json.loads(bgai_command.good("cube", XGID, "--json"))
    assert {key: found[key] for key in told if key != "settings"} == {
        key: value for key, value in told.items() if key != "settings"
    }
    quick = api.ask("cube", position=XGID, market_losers=False)
    assert quick["market_losers"] is None
    assert quick["action"] == found["action"] == bgai.decide_cube(analyst, bgai.parse_xgid(XGID)).action


def test_a_double_that_waits_is_answered(api: Served, analyst: bgai.Analyst) -> None:
    found = api.ask("cube", position={"id": START, "offer": "double", "beavers": True}, market_losers=False)
    position = bgai.Position(offer="double", score=bgai.Score(beavers=True))
    assert found["offer"] == "double"
    assert found["answer"] == bgai.decide_cube(analyst, position, look_ahead=False).answer == "beaver"


def test_the_coach_says_what_the_library_says(api: Served, analyst: bgai.Analyst) -> None:
    found = api.ask("coach", position=OPENING, play="24/23 13/10", names=["Ann", "Ben"])
    wanted = explain_play(analyst, bgai.Position(dice=(3, 1)), "24/23 13/10", names=("Ann", "Ben"))
    assert (found["best"], found["done"]) == (wanted.best, wanted.done)
    assert [one["text"] for one in found["reasons"]] == [one.text for one in wanted.reasons]
    assert [one["id"] for one in found["mistakes"]] == [one.id for one in wanted.mistakes]
    cube = api.ask("coach", position=XGID, action="no double")
    told = explain_cube(analyst, bgai.parse_xgid(XGID), "no double")
    assert [one["text"] for one in cube["reasons"]] == [one.text for one in told.reasons]
    assert cube["loss"] == pytest.approx(told.loss, abs=1e-6)


def test_a_diagram_is_that_of_the_library(api: Served) -> None:
    response = api.post("diagram", position=OPENING, play="8/5 6/5", theme="dark", direction="left", width=300)
    assert response.headers["content-type"] == "image/svg+xml"
    position = bgai.Position(dice=(3, 1))
    assert response.text == bgai.diagram_svg(position, "8/5 6/5", theme="dark", direction="left", width=300)


def test_models_and_levels_are_listed_and_can_be_asked(api: Served) -> None:
    models = api.get("/api/v1/models").json()["models"]
    assert [model["name"] for model in models] == [folder.name for folder in bgai.kept_models()]
    assert [model["default"] for model in models] == [False] * (len(models) - 1) + [True]
    levels = api.get("/api/v1/levels").json()
    assert {"beginner", "0-ply", "7-ply", "rollout"} <= {level["name"] for level in levels["levels"]}
    for level in levels["levels"]:
        assert bgai.read_level(level["name"]) is not None


@pytest.mark.parametrize(
    ("path", "body", "field", "message"),
    [
        ("plays", {}, "position", "is missing"),
        ("plays", {"position": {"id": START}}, "position.dice", "is missing"),
        ("plays", {"position": {"id": START, "dice": [7, 1]}}, "position.dice[0]", "less than or equal to 6"),
        ("plays", {"position": {"id": START, "dice": [3]}}, "position.dice", "at least 2 items"),
        ("plays", {"position": {"id": START, "dice": [3, True]}}, "position.dice[1]", "valid integer"),
        ("plays", {"position": {"id": START, "roll": [3, 1]}}, "position.roll", "no field"),
        ("plays", {"position": "4HPwATDgc"}, "position", "14 characters"),
        ("plays", {"position": {"id": "x", "board": [0] * 26}}, "position", "found both"),
        ("plays", {"position": {"dice": [3, 1]}}, "position", "found neither"),
        ("plays", {"position": {"board": [0] * 25, "dice": [3, 1]}}, "position.board", "at least 26"),
        ("plays", {"position": {"board": [0] * 26, "dice": [3, 1]}}, "position.board", "neither side"),
        ("plays", {"position": {"board": [0] * 25 + [10**30], "dice": [1, 1]}}, "position.board[25]", "-15 to 15"),
        ("plays", {"position": {"board": {"player": {"6": 16}, "opponent": {}}}}, "position.board.player.6", "15"),
        ("plays", {"position": {"board": {"player": {"x": 1}, "opponent": {}}}}, "position.board.player", "'x'"),
        (
            "plays",
            {"position": {"board": {"player": {"6": 2}, "opponent": {"19": 2}}}},
            "position.board.opponent",
            "both sides stand",
        ),
        (
            "plays",
            {"position": {"board": {"player": {"06": 2, "6": 3}, "opponent": {}}}},
            "position.board.player",
            "'06'",
        ),
        (
            "plays",
            {"position": {"board": {"player": {"\uff16": 2}, "opponent": {}}}},
            "position.board.player",
            "'\uff16'",
        ),
        ("plays", {"position": {"id": START, "beavers": "yes"}}, "position.beavers", "a valid boolean"),
        ("plays", {"position": OPENING, "level": "9-ply"}, "level", "9 plies"),
        ("plays", {"position": OPENING, "level": "/etc/passwd"}, "level", "unknown level"),
        ("plays", {"position": OPENING, "level": "../x:2-ply"}, "level", "unknown model"),
        ("plays", {"position": OPENING, "level": "random"}, "level", "unknown level"),
        ("plays", {"position": OPENING, "level": "1h"}, "level", "unknown level"),
        ("plays", {"position": OPENING, "level": "9999s"}, "level", "expected at most 10 s"),
        ("plays", {"position": OPENING, "model": "models/0001-td"}, "model", "unknown model"),
        ("plays", {"position": OPENING, "level": "2:0-ply", "model": "1"}, "model", "expected one model"),
        ("plays", {"position": OPENING, "play": "8/2"}, "play", "not a legal play"),
        ("plays", {"position": OPENING, "top": -1}, "top", "greater than or equal to 0"),
        ("plays", {"position": XGID}, "position.dice", "is missing"),
        ("plays", {"position": {"id": XGID, "length": 7}}, "position.length", "found 7 here and 5 in the XGID"),
        ("plays", {"position": {"id": f"{START}:cIkFAAAAAAAA", "dice": [6, 1]}}, "position.dice", "here and 3-1"),
        ("evaluation", {"position": {"id": START, "length": 7, "score": [7, 0]}}, "position.score", "which is over"),
        ("evaluation", {"position": {"id": START, "score": [3, 0]}}, "position.length", "is missing"),
        ("evaluation", {"position": {"id": START, "length": 65}}, "position.length", "at most 64"),
        ("evaluation", {"position": {"id": START, "cube": 3}}, "position.cube", "power of two"),
        ("evaluation", {"position": {"id": START, "length": 5, "cube": 2}}, "position.cube_owner", "is missing"),
        ("evaluation", {"position": {"id": START, "cube_owner": "on_roll"}}, "position.cube_owner", "cube at 1"),
        ("evaluation", {"position": {"id": START, "length": 5, "crawford": True}}, "position.crawford", "one point"),
        ("evaluation", {"position": {"id": START, "length": 5, "jacoby": True}}, "position.jacoby", "money"),
        ("evaluation", {"position": {"id": START, "offer": "double"}}, "position", "waits for an answer"),
        ("cube", {"position": {"board": {"player": {}, "opponent": {"3": 15}}}}, "position", "game is over"),
        ("cube", {"position": {"id": START, "offer": "resign"}}, "position.offer", "'double'"),
        ("coach", {"position": OPENING, "action": "double"}, "action", "beside a roll"),
        ("coach", {"position": START, "play": "8/5"}, "play", "without a roll"),
        ("coach", {"position": START, "action": "shout"}, "action", "'shout'"),
        ("coach", {"position": START, "names": ["a", "\n"]}, "body", "names"),
        ("diagram", {"position": START, "theme": "pink"}, "theme", "'light' or 'dark'"),
        ("diagram", {"position": START, "width": 10**9}, "width", "10000"),
        ("diagram", {"position": START, "play": "8/5"}, "position.dice", "is missing"),
    ],
)
def test_bad_input_is_refused_with_the_field(
    api: Served, path: str, body: dict[str, Any], field: str, message: str
) -> None:
    details = api.refused(path, **body)
    assert details["status"] == 422
    told = {error["field"]: error["message"] for error in details["errors"]}
    assert field in told, told
    assert message in told[field]
    assert field in details["detail"] or field == "body"


@pytest.mark.parametrize("data", [b"", b"{", b"\xff\xfe", b"[" * 100_000, b'{"position": "\\ud800"}'])
def test_bodies_that_are_no_json_are_refused(api: Served, data: bytes) -> None:
    response = api.request("POST", "/api/v1/plays", content=data, headers={"content-type": "application/json"})
    assert response.status_code in (400, 422)
    assert response.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize("name", ["Zoë", "half of a pair: \ud83c"])
def test_any_text_can_be_answered(name: str) -> None:
    """Names in match files may hold what UTF-8 has no bytes for."""
    record = {"name": name, "equity": [-0.25, 1e-6, None]}
    assert json.loads(bytes(as_json(record).body)) == record


def test_a_body_that_is_not_said_to_be_json_is_refused(api: Served) -> None:
    for kind in ("text/plain", ""):
        response = api.request("POST", "/api/v1/plays", content=b"{}", headers={"content-type": kind})
        assert response.status_code == 415
        assert "Content-Type" in response.json()["detail"]
