"""Kept games over HTTP: whole sessions of a client that does anything that is allowed, and of one that does not."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

import bgai
from bgai.coach import explain_play
from bgai.match_state import position
from bgai.matchfiles import read_match
from bgai.notation.identify import read_position
from bgai.record import MatchRecord
from bgai.room.actions import Action
from bgai.room.agreement import Agreement
from bgai.room.fair_dice import DiceRecord, FairDice, verify
from bgai.room.store import RoomStore
from bgai.server import room_routes
from bgai.server.room_examples import EXAMPLES
from bgai.server.room_shapes import CheckedAction, Commitment, DiceShape, GameState, Hints
from tests.server.conftest import Serve, Served

GAMES = "/api/v1/games"
OPENING = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
NEARLY_A_GAMMON = f"XGID={'-' * 23}bO-:0:0:1:00:0:0:0:0:10"
"""The network has two checkers left, the person all fifteen behind them."""
LOST_FOR_THE_NETWORK = f"XGID=-A{'-' * 20}ddd-:0:0:-1:00:0:0:0:0:10"
"""The network is on roll with twelve checkers left, the person has one on its ace point."""
BEFORE_ROLL = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"

State = dict[str, Any]


@pytest.fixture(scope="module")
def http(api: Served) -> Iterator[httpx.Client]:
    with httpx.Client(transport=api.transport(), base_url="http://127.0.0.1") as client:
        yield client


def begin(http: httpx.Client, **wanted: Any) -> State:
    answer = http.post(GAMES, json=wanted)
    assert answer.status_code == 201, answer.text
    state: State = answer.json()
    assert answer.headers["location"] == f"{GAMES}/{state['id']}"
    return checked(state)


def checked(state: State) -> State:
    GameState.model_validate_json(json.dumps(state))
    return state


def do(http: httpx.Client, state: State, action: str, **more: Any) -> State:
    answer = http.post(f"{GAMES}/{state['id']}/actions", json={"version": state["version"], "action": action, **more})
    assert answer.status_code == 200, answer.text
    return checked(answer.json())


def anything(state: State, rng: random.Random) -> dict[str, Any]:
    """Something that the state says is allowed."""
    may = state["may"]
    if may["resign"] and rng.random() < 0.02:
        return {"action": "resign", "value": rng.choice(may["resign"])}
    action = rng.choice([name for name, allowed in may.items() if allowed and name not in ("leave", "resign")])
    if action != "play":
        return {"action": action}
    if rng.random() < 0.5:
        return {"action": action, "play": rng.choice(state["plays"])["play"]}
    # As a board on which checkers are moved one at a time.
    node, steps = state["tree"][0], []
    while node["play"] is None:
        step = rng.choice(node["steps"])
        steps.append(step[:2])
        node = state["tree"][step[3]]
    return {"action": action, "steps": steps}


def played(http: httpx.Client, state: State, seed: int, most: int = 10_000) -> list[State]:
    """All states of a game that is played to its end; its events are all that has happened, one after the other."""
    rng, states = random.Random(seed), [state]
    while states[-1]["phase"] != "over" and len(states) < most:
        state = do(http, states[-1], **anything(states[-1], rng))
        assert [event["number"] for event in state["events"]] == list(
            range(states[-1]["version"] + 1, state["version"] + 1)
        )
        states.append(state)
    return states


def follow(states: list[State], record: MatchRecord) -> None:
    """Every state is that of the record so far."""
    before = [state for state, _ in record.replay()] + [record.final]
    for shown in states:
        if shown["left"]:
            continue
        state = before[shown["version"]]
        assert shown["score"] == {"person": state.score[0], "bot": state.score[1]}
        assert (shown["cube"]["value"], shown["game"], shown["crawford"]) == (state.cube, state.game, state.crawford)
        owner = None if state.owner is None else ("person", "bot")[state.owner]
        assert shown["cube"]["owner"] == owner
        assert shown["dice"] == (None if state.dice is None else list(state.dice))
        if state.playing:
            assert shown["on_roll"] == ("person", "bot")[state.on_roll]
            seen = read_position(shown["ids"]["gnubg_id"]).position
            assert seen.board.tolist() == position(state).board.tolist()


def test_a_session_with_everything(http: httpx.Client) -> None:
    commitment = http.post("/api/v1/commitments").json()
    Commitment.model_validate(commitment)
    state = begin(
        http,
        kind="money",
        games=2,
        jacoby=True,
        beavers=True,
        raccoons=True,
        automatic_doubles=1,
        name="Ann",
        commitment=commitment["commitment"],
        player_seed="my cat",
    )
    assert state["dice_proof"]["committed_first"]
    states = played(http, state, seed=2)
    address = f"{GAMES}/{state['id']}"
    record = MatchRecord.from_dict(http.get(f"{address}/match.json").json())
    follow(states, record)
    assert record.players[0] == "Ann"
    assert len(record.games) == 2
    assert "answer" in {one["phase"] for one in states}
    assert [one["phase"] for one in states].count("between games") == 1
    dice = http.get(f"{address}/dice").json()
    DiceShape.model_validate(dice)
    assert dice["commitment"] == commitment["commitment"]
    assert verify(DiceRecord.from_dict(dice)) == []
    fair = FairDice(bytes.fromhex(dice["server_seed"]), "my cat")
    assert [one["dice"] for one in dice["rolls"]] == [list(fair.roll(number)) for number in range(len(dice["rolls"]))]
    # The server's seed decides how many rolls there were: games may end with an early pass.
    last = dice["rolls"][-1]
    last["dice"] = [last["dice"][0] % 6 + 1, last["dice"][1]]
    assert verify(DiceRecord.from_dict(dice))


def test_a_match_to_its_end_and_its_files(api: Served, http: httpx.Client) -> None:
    state = begin(http, length=2, name="Ann")
    assert http.get(f"{GAMES}/{state['id']}/dice").json()["server_seed"] is None
    states = played(http, state, seed=5)
    last, address = states[-1], f"{GAMES}/{state['id']}"
    assert last["winner"] in ("person", "bot")
    record = MatchRecord.from_dict(http.get(f"{address}/match.json").json())
    follow(states, record)
    for ending in ("mat", "txt", "sgf"):
        answer = http.get(f"{address}/match.{ending}")
        assert answer.headers["content-disposition"] == f'attachment; filename="match.{ending}"'
        file = read_match(answer.content, f"match.{ending}")
        assert file.record.final.score == tuple(last["score"].values())
    answer = http.post(f"{address}/analysis", json={"level": "0-ply"})
    assert answer.status_code == 202, answer.text
    job = api.wait(answer.json()["id"])
    assert job["state"] == "done"
    found = http.get(f"{answer.headers['location']}/result").json()
    assert found["record"]["players"][0] == "Ann"
    assert found["decisions"]


def test_the_person_resigns(http: httpx.Client) -> None:
    state = begin(http, kind="money", games=2, position=NEARLY_A_GAMMON)
    refused = do(http, state, "resign", value="single")
    assert [event["event"] for event in refused["events"]] == ["resign", "refuse"]
    assert refused["phase"] == "roll"
    after = do(http, refused, "resign", value="backgammon")
    assert [event["event"] for event in after["events"]] == ["resign", "accept"]
    result = {"winner": "bot", "kind": "backgammon", "cube": 1, "points": 3, "how": "resignation"}
    assert after["result"] == after["events"][-1]["result"] == result
    assert after["may"]["next game"]
    again = do(http, after, "next game")
    assert (again["game"], again["score"]) == (2, {"person": 0, "bot": 3})


def test_the_network_resigns_and_the_person_answers(http: httpx.Client) -> None:
    state = begin(http, kind="money", games=1, position=LOST_FOR_THE_NETWORK)
    assert state["phase"] == "resignation"
    assert state["offer"] == {"kind": "resignation", "by": "bot", "value": "single", "points": 1}
    hints = http.get(f"{GAMES}/{state['id']}/hints").json()
    assert (hints["decision"], hints["best"]) == ("resignation", "accept")
    accept = {"version": state["version"], "action": "accept"}
    said = http.post(f"{GAMES}/{state['id']}/check", json=accept).json()
    CheckedAction.model_validate(said)
    assert (said["decision"], said["best"], said["loss"]) == ("resignation", "accept", 0.0)
    refused = do(http, state, "refuse")
    assert [event["event"] for event in refused["events"]][:3] == ["refuse", "roll", "play"]
    assert refused["phase"] == "roll"
    won = do(http, do(http, refused, "roll"), "play", play="1/off")
    assert (won["phase"], won["result"]["winner"], won["score"]) == ("over", "person", {"person": 1, "bot": 0})


def test_a_restart_in_the_middle(http: httpx.Client, serve: Serve) -> None:
    state = played(http, begin(http, length=5), seed=9, most=6)[-1]
    with httpx.Client(transport=serve().transport(), base_url="http://127.0.0.1") as other:
        again = other.get(f"{GAMES}/{state['id']}", params={"since": state["events"][0]["number"] - 1}).json()
        assert again == state
        further = played(other, again, seed=1, most=3)[-1]
    assert http.get(f"{GAMES}/{state['id']}").json()["version"] == further["version"]


def test_two_tabs(http: httpx.Client) -> None:
    state = begin(http, position=OPENING)
    after = do(http, state, "play", steps=[[6, 5], [8, 5]])
    answer = http.post(f"{GAMES}/{state['id']}/actions", json={"version": state["version"], "action": "leave"})
    problem = answer.json()
    assert (answer.status_code, problem["type"]) == (409, "urn:bgai:problem:stale-version")
    assert answer.headers["content-type"] == "application/problem+json"
    assert problem["state"] == after
    assert [event["event"] for event in problem["state"]["events"]][:1] == ["play"]
    stale = http.post(f"{GAMES}/{state['id']}/check", json={"version": state["version"], "action": "roll"})
    assert stale.status_code == 409


def test_the_entity_tag_is_the_version(http: httpx.Client) -> None:
    state = begin(http, position=OPENING)
    address = f"{GAMES}/{state['id']}"
    tag = http.get(address).headers["etag"]
    assert tag == f'"{state["version"]}"'
    known = http.get(address, headers={"If-None-Match": f'"x", {tag}'})
    assert (known.status_code, known.content) == (304, b"")
    do(http, state, "play", play="8/5 6/5")
    assert http.get(address, headers={"If-None-Match": tag}).status_code == 200


def test_hints_are_the_librarys(http: httpx.Client) -> None:
    state = begin(http, position=OPENING)
    hints = http.get(f"{GAMES}/{state['id']}/hints", params={"top": 0}).json()
    Hints.model_validate(hints)
    analyst = bgai.Analyst.of()
    ranked = analyst.rank([read_position(OPENING).position])
    assert [one["equity"] for one in hints["plays"]] == pytest.approx(ranked.equities[ranked.order].tolist(), abs=1e-6)
    assert hints["best"] == hints["plays"][0]["play"] == "8/5 6/5"
    by_steps = {json.dumps(sorted(one["steps"])): one["board"] for one in state["plays"]}
    assert {json.dumps(sorted(one["steps"])): one["board"] for one in hints["plays"]} == by_steps
    state = begin(http, position=BEFORE_ROLL)
    hints = http.get(f"{GAMES}/{state['id']}/hints").json()
    decision = bgai.decide_cube(analyst, read_position(BEFORE_ROLL).position)
    assert (hints["decision"], hints["best"], hints["action"]) == ("double", "roll", "no double")
    assert hints["no_double"] == pytest.approx(decision.no_double, abs=1e-6)
    doubled = begin(http, position="XGID=-b----E-C---eE---c-e----B-:0:0:-1:D:0:0:3:0:10")
    hints = http.get(f"{GAMES}/{doubled['id']}/hints").json()
    assert (hints["decision"], hints["best"]) == ("answer", "beaver")
    assert {one["action"] for one in hints["choices"]} == {"take", "pass", "beaver"}
    assert http.get(f"{GAMES}/{state['id']}/hints", params={"level": "beginner"}).status_code == 422


def test_the_tutor_says_what_the_coach_says(http: httpx.Client) -> None:
    state = begin(http, position=OPENING, name="Ann")
    address = f"{GAMES}/{state['id']}/check"
    said = http.post(address, json={"version": state["version"], "action": "play", "play": "13/10 6/5"}).json()
    CheckedAction.model_validate(said)
    names = ("Ann", state["players"]["bot"]["name"])
    told = explain_play(bgai.Analyst.of(), read_position(OPENING).position, "13/10 6/5", names=names)
    assert said["loss"] == pytest.approx(told.loss, abs=1e-5)
    assert (said["best"], said["done"], said["mark"]) == ("8/5 6/5", "13/10 6/5", "very bad")
    assert [one["id"] for one in said["mistakes"]] == [one.id for one in told.mistakes]
    assert said["text"] == told.text().splitlines()
    right = http.post(address, json={"version": state["version"], "action": "play", "steps": [[8, 5], [6, 5]]}).json()
    assert (right["loss"], right["mark"]) == (0.0, None)
    assert http.get(f"{GAMES}/{state['id']}").json()["version"] == state["version"]
    state = begin(http, position=BEFORE_ROLL)
    address = f"{GAMES}/{state['id']}/check"
    double = http.post(address, json={"version": state["version"], "action": "double"}).json()
    assert (double["decision"], double["best"], double["done"]) == ("double", "roll", "double")
    decision = bgai.decide_cube(bgai.Analyst.of(), read_position(BEFORE_ROLL).position)
    assert double["loss"] == pytest.approx(decision.loss(doubled=True), abs=1e-5)
    roll = http.post(address, json={"version": state["version"], "action": "roll"}).json()
    assert (roll["loss"], roll["best"]) == (0.0, "roll")
    resign = http.post(address, json={"version": state["version"], "action": "resign", "value": "gammon"}).json()
    assert (resign["best"], resign["done"], resign["mark"]) == ("play on", "resign gammon", "very bad")


def test_who_agreed_to_do_without_help_gets_none_until_the_end(http: httpx.Client) -> None:
    state = begin(http, position=OPENING, hints=False, tutor=False)
    address = f"{GAMES}/{state['id']}"
    check = {"version": state["version"], "action": "play", "play": "8/5 6/5"}
    for answer in (
        http.get(f"{address}/hints"),
        http.post(f"{address}/check", json=check),
        http.post(f"{address}/analysis", json={}),
    ):
        assert (answer.status_code, answer.json()["type"]) == (403, "urn:bgai:problem:no-help")
    do(http, state, "leave")
    assert http.get(f"{address}/hints").json() == {"decision": None}


@pytest.mark.parametrize(
    ("wanted", "field"),
    [
        ({"kind": "chess"}, "kind"),
        ({"length": 0}, "length"),
        ({"length": 10**9}, "length"),
        ({"length": "5"}, "length"),
        ({"kind": "money", "length": 3}, "length"),
        ({"jacoby": True}, "jacoby"),
        ({"kind": "money", "beavers": True, "cube": False}, "beavers"),
        ({"raccoons": True}, "raccoons"),
        ({"automatic_doubles": 9}, "automatic_doubles"),
        ({"automatic_doubles": 1}, "automatic_doubles"),
        ({"games": 2}, "games"),
        ({"level": "grandmaster"}, "level"),
        ({"level": "../models"}, "level"),
        ({"level": "random"}, "level"),
        ({"name": "\n"}, "name"),
        ({"name": "x" * 41}, "name"),
        ({"commitment": "0" * 64}, "commitment"),
        ({"commitment": "x"}, "commitment"),
        ({"player_seed": "x" * 201}, "player_seed"),
        ({"length": 65}, "length"),
        ({"kind": "money", "beavers": "yes"}, "beavers"),
        ({"position": "nonsense"}, "position"),
        ({"position": {"board": {"player": {"06": 2}, "opponent": {"6": 2}}}}, "position.board.player"),
        ({"position": {"id": "4HPwATDgc/ABMA", "dice": [7, 1]}}, "position.dice[0]"),
        ({"position": "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:999:10"}, "position.length"),
        ({"position": OPENING, "length": 5}, "length"),
        ({"position": "XGID=-b----E-C---eE---c-e----B-:1:1:1:00:0:0:0:0:10", "cube": False}, "position"),
        ({"colour": "blue"}, "colour"),
    ],
)
def test_what_cannot_be_agreed_is_named(http: httpx.Client, wanted: dict[str, Any], field: str) -> None:
    answer = http.post(GAMES, content=json.dumps(wanted), headers={"content-type": "application/json"})
    assert answer.status_code == 422, answer.text
    assert [error["field"] for error in answer.json()["errors"]] == [field]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ("{", 400),
        ("[]", 422),
        ("null", 422),
        ('"x"', 422),
        ('{"action": "roll"}', 422),
        ('{"version": 1}', 422),
        ('{"version": true, "action": "roll"}', 422),
        ('{"version": 1e99, "action": "roll"}', 422),
        ('{"version": -1, "action": "roll"}', 422),
        ('{"version": %d, "action": "dance"}', 422),
        ('{"version": %d, "action": "play"}', 422),
        ('{"version": %d, "action": "play", "steps": [[25, 26]]}', 422),
        ('{"version": %d, "action": "play", "steps": [[8, 5, 3]]}', 422),
        ('{"version": %d, "action": "play", "steps": [[8, 5], [8, 5], [8, 5], [8, 5], [8, 5]]}', 422),
        ('{"version": %d, "action": "play", "steps": [[1, 8]]}', 422),
        ('{"version": %d, "action": "play", "steps": [], "play": ""}', 422),
        ('{"version": %d, "action": "play", "play": "\\ud800"}', 400),
        ('{"version": %d, "action": "play", "play": "8/5 6/5", "value": "single"}', 422),
        ('{"version": %d, "action": "resign"}', 422),
        ('{"version": %d, "action": "resign", "value": "everything"}', 422),
        ('{"version": %d, "action": "roll", "more": 1}', 422),
        ('{"version": %d, "action": "roll"}', 422),
        ('{"version": %d, "action": "double"}', 422),
        ('{"version": %d, "action": "take"}', 422),
        ('{"version": %d, "action": "next game"}', 422),
        ('{"version": 99, "action": "roll"}', 409),
    ],
)
@pytest.mark.parametrize("what", ["actions", "check"])
def test_bad_actions_are_problems_of_who_sent_them(http: httpx.Client, body: str, status: int, what: str) -> None:
    state = begin(http, position=OPENING)
    text = body % state["version"] if "%d" in body else body
    answer = http.post(f"{GAMES}/{state['id']}/{what}", content=text, headers={"content-type": "application/json"})
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["detail"]
    assert http.get(f"{GAMES}/{state['id']}").json()["version"] == state["version"]


def test_a_game_begins_with_a_board(http: httpx.Client) -> None:
    sides = {"24": 2, "13": 5, "8": 3, "6": 5}
    state = begin(http, position={"board": {"player": sides, "opponent": sides}, "dice": [3, 1]}, length=3)
    assert (state["phase"], state["dice"], state["rules"]["length"]) == ("play", [3, 1], 3)
    assert state["ids"]["position_id"] == "4HPwATDgc/ABMA"
    score = {"id": "4HPwATDgc/ABMA", "length": 7, "score": [5, 2], "dice": [4, 2]}
    state = begin(http, position=score)
    assert (state["rules"]["length"], state["score"]) == (7, {"person": 5, "bot": 2})
    money = begin(http, position={"id": "4HPwATDgc/ABMA", "length": 0, "jacoby": True, "dice": [4, 2]})
    assert (money["kind"], money["rules"]["jacoby"]) == ("money", True)


@pytest.mark.parametrize("path", ["games", "games/{id}/actions", "games/{id}/check", "rollouts", "plays"])
def test_bodies_are_read_in_one_way(http: httpx.Client, path: str) -> None:
    path = path.replace("{id}", begin(http)["id"])
    kind = {"content-type": "application/json"}
    for data in ('{"level": "0-ply"}'.encode("utf-16"), b"\xef\xbb\xbf{}", b"{", b""):
        answer = http.post(f"/api/v1/{path}", content=data, headers=kind)
        assert answer.status_code == 400, answer.text
        assert answer.json()["detail"].startswith("the body is no JSON: ")
        assert "column" in answer.json()["detail"]
    assert http.post(f"/api/v1/{path}").status_code == 415


def test_an_action_that_is_not_allowed_says_what_is(http: httpx.Client) -> None:
    state = begin(http, position=OPENING)
    answer = http.post(f"{GAMES}/{state['id']}/actions", json={"version": state["version"], "action": "double"})
    problem = answer.json()
    assert problem["type"] == "urn:bgai:problem:not-allowed"
    assert problem["detail"] == "you may not double: the roll 3-1 is thrown"
    assert problem["may"] == state["may"]
    assert problem["may"]["play"]


def test_what_is_not_there_is_not_found(http: httpx.Client) -> None:
    state = begin(http)
    assert http.delete(f"{GAMES}/{state['id']}").status_code == 204
    for id in (state["id"], "nobody", "x" * 64, "%2e%2e", "a'b"):
        action = {"version": 1, "action": "roll"}
        for answer in (
            http.get(f"{GAMES}/{id}"),
            http.delete(f"{GAMES}/{id}"),
            http.get(f"{GAMES}/{id}/hints"),
            http.get(f"{GAMES}/{id}/dice"),
            http.get(f"{GAMES}/{id}/events"),
            http.get(f"{GAMES}/{id}/match.mat"),
            http.post(f"{GAMES}/{id}/actions", json=action),
            http.post(f"{GAMES}/{id}/check", json=action),
            http.post(f"{GAMES}/{id}/analysis", json={}),
        ):
            assert (answer.status_code, answer.json()["type"]) == (404, "urn:bgai:problem:no-such-game")
    assert http.get(f"{GAMES}/x/match.exe").status_code == 422


def test_a_stream_of_a_game_that_is_over_ends(http: httpx.Client) -> None:
    state = do(http, begin(http, position=OPENING), "leave")
    text = http.get(f"{GAMES}/{state['id']}/events", headers={"Last-Event-ID": "2"}).text
    kind, number, data, *rest = text.split("\n")
    assert (kind, number, rest) == ("event: state", f"id: {state['version']}", ["", ""])
    shown = checked(json.loads(data.removeprefix("data: ")))
    assert [event["event"] for event in shown["events"]] == ["leave"]


def test_a_stream_tells_what_happens_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room_routes, "LOOK_AGAIN", 0.01)

    async def watch() -> list[str]:
        with RoomStore(str(tmp_path / "games.sqlite")) as rooms:
            kept = rooms.create(Agreement(), player_seed="watched")
            texts = []
            async for text in room_routes._changes(rooms, kept, 0):
                texts.append(text)
                if len(texts) == 1:
                    after = rooms.act(kept.room.id, kept.room.version, Action("resign", value="single"))
                    assert after.room.version > kept.room.version
                elif len(texts) == 2:
                    rooms.delete(kept.room.id)
            return texts

    first, second, third = asyncio.run(watch())
    assert first.startswith("event: state\nid: ")
    events = json.loads(second.split("\n")[2].removeprefix("data: "))["events"]
    assert events[0]["event"] == "resign"
    assert third.startswith("event: deleted\n")


def test_the_examples_are_true() -> None:
    state = checked(dict(EXAMPLES["state"]))
    Hints.model_validate(EXAMPLES["hints"])
    CheckedAction.model_validate(EXAMPLES["check"])
    dice = DiceRecord.from_dict(EXAMPLES["dice"])
    assert verify(dice) == []
    assert dice.commitment == EXAMPLES["commitment"]["commitment"] == state["dice_proof"]["commitment"]
    assert state["dice"] == list(dice.rolls[0].dice)
