"""Whole matches and sessions of somebody who does anything that is allowed, against a player that does as well."""

from __future__ import annotations

import json
import random
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from bgai.board import flip
from bgai.errors import InputError
from bgai.events import Play, Roll, SetUp, StartGame
from bgai.match import apply
from bgai.match_rules import Rules
from bgai.match_state import MatchState
from bgai.matchfiles import read_match, write_match
from bgai.notation.identify import read_position
from bgai.record import MatchRecord
from bgai.room.actions import VALUES, Action
from bgai.room.agreement import PERSON, Agreement, agree
from bgai.room.errors import NotAllowed
from bgai.room.fair_dice import FairDice, verify
from bgai.room.room import Happening, Room
from bgai.room.view import ids_of, phase_of, view
from tests.cli import Command
from tests.match_players import Gambler
from tests.room.rooms import any_action

BOT = Gambler("bot", resigns=0.03, refuses=0.4)
XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"


def begin(agreement: Agreement | None = None, seed: str = "Ann") -> Room:
    return Room.begin("a", agreement or Agreement(), FairDice(bytes(32), seed), BOT)


def played(agreement: Agreement, seed: int) -> list[Room]:
    """Every version that the person has seen of a match."""
    rng = random.Random(seed)
    rooms = [begin(agreement, f"played {seed}")]
    while not rooms[-1].over:
        rooms.append(rooms[-1].act(any_action(rooms[-1], rng), BOT))
    return rooms


AGREEMENTS = [
    Agreement(Rules(length=3)),
    Agreement(Rules(length=1)),
    Agreement(Rules(length=2, crawford=False), automatic_roll=True),
    Agreement(Rules(jacoby=True, beavers=True, raccoons=True, automatic_doubles=2), games=4),
    Agreement(Rules(cube=False), games=2, automatic_roll=True),
]


@pytest.mark.parametrize("number", range(len(AGREEMENTS)))
def test_what_happens_is_what_the_rules_make_of_it(number: int) -> None:
    agreement = AGREEMENTS[number]
    rooms = played(agreement, seed=number)
    last = rooms[-1]
    record = last.record
    assert MatchRecord.from_dict(json.loads(json.dumps(record.to_dict()))) == record
    assert record.final == last.state
    assert verify(last.dice_record) == []
    assert last.dice_record.server_seed == bytes(32).hex()
    assert all(room.dice_record.server_seed is None for room in rooms[:-1])
    for room in rooms[:-1]:
        # It is always the person's turn, and there is always something to do.
        assert room.state.to_act in (None, PERSON)
        assert any(room.may().values())
        assert room.state == last.states[room.version]
        if room.agreement.automatic_roll and phase_of(room) == "roll":
            assert room.may()["double"]
    kinds = {type(happening.event) for happening in last.happenings}
    assert {StartGame, Roll, Play} <= kinds


@pytest.mark.parametrize("number", [0, 3])
def test_a_view_tells_the_same_as_the_state(number: int) -> None:
    rooms = played(AGREEMENTS[number], seed=number + 10)
    phases = set()
    for before, room in pairwise(rooms):
        shown, state = view(room, before.version), room.state
        json.dumps(shown)
        phases.add(shown["phase"])
        board = np.array(shown["board"])
        assert np.array_equal(board, state.board if state.on_roll == PERSON else flip(state.board))
        assert shown["pips"]["person"] == sum(point * count for point, count in enumerate(board) if count > 0)
        assert shown["off"] == {"person": 15 - board[board > 0].sum(), "bot": 15 + board[board < 0].sum()}
        assert shown["score"] == {"person": state.score[0], "bot": state.score[1]}
        assert [event["number"] for event in shown["events"]] == list(range(before.version + 1, room.version + 1))
        for play in shown["plays"]:
            after = apply(state, Play(PERSON, tuple(map(tuple, play["steps"]))))
            assert flip(after.board).tolist() == play["board"]
        assert len(shown["plays"]) == (len(state.plays) if shown["phase"] == "play" else 0)
        if shown["ids"]:
            reading = read_position(shown["ids"]["gnubg_id"])
            mine = reading.position.seat == 1
            assert (board if mine else flip(board)).tolist() == reading.position.board.tolist()
            assert read_position(shown["ids"]["xgid"]).remarks == ()
    assert phases == {"roll", "play", "answer", "resignation", "between games", "over"}


def test_events_tell_what_happened_in_words() -> None:
    room = played(AGREEMENTS[3], seed=4)[-1]
    events = view(room, 0)["events"]
    assert len(events) == room.version
    assert events[0]["text"].startswith("Game 1: you throw ")
    for event, happening in zip(events, room.happenings, strict=True):
        assert event["text"].endswith(".")
        assert "seat" not in event["text"]
        if event["event"] == "start":
            assert event["throws"][-1] == event["dice"] == list(happening.throws[-1])
            assert all(first == second for first, second in event["throws"][:-1])
    ends = [event for event in events if "result" in event]
    assert len(ends) == 4
    assert all(" point" in event["text"] for event in ends)


def test_equal_opening_dice_double_where_that_is_agreed() -> None:
    seed = next(text for text in map(str, range(2000)) if FairDice(bytes(32), text).roll(0) == (4, 4))
    room = begin(Agreement(Rules(automatic_doubles=1)), seed)
    start = room.happenings[0]
    assert len(start.throws) >= 2
    assert room.states[1].cube == 2
    assert begin(Agreement(Rules()), seed).states[1].cube == 1
    assert verify(room.act(Action("leave"), BOT).dice_record) == []


def test_what_is_not_allowed_changes_nothing_and_is_said_to_the_person() -> None:
    room = begin(seed="Ann 27")
    while phase_of(room) != "play":
        room = room.act(Action("roll"), BOT)
    for action, message in [
        (Action("double"), "you may not double: the roll"),
        (Action("roll"), "you may not roll: the roll"),
        (Action("take"), "no double waits"),
        (Action("next game"), "game 1 is not finished"),
        (Action("play", play="25/1"), "not a move|not legal|is no"),
        (Action("play", play="hello"), "'hello' is not a move"),
        (Action("play", steps=((24, 1),)), "cannot be played as 24/1"),
        (Action("play", steps=((1, 24),)), "to a lower one"),
    ]:
        with pytest.raises(NotAllowed, match=message) as caught:
            room.act(action, BOT)
        assert caught.value.room is room
    left = room.act(Action("leave"), BOT)
    assert (left.over, left.left, left.version) == (True, True, room.version + 1)
    for name in ("roll", "leave", "next game"):
        with pytest.raises(NotAllowed, match="all is over"):
            left.act(Action(name), BOT)  # type: ignore[arg-type]
    assert not any(left.may().values())


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"name": "resign"}, "value: expected one of single"),
        ({"name": "roll", "value": "single"}, "value: belongs to the action 'resign'"),
        ({"name": "play"}, "steps: expected either"),
        ({"name": "play", "play": "8/5", "steps": ((8, 5),)}, "steps: expected either"),
        ({"name": "take", "steps": ()}, "steps: belongs to the action 'play'"),
    ],
)
def test_parts_of_an_action_have_to_fit(parts: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Action(**parts)  # type: ignore[arg-type]


def test_a_match_as_a_file_is_read_back() -> None:
    room = played(AGREEMENTS[0], seed=3)[-1]
    file = read_match(write_match(room.record, "mat").encode(), "match.mat")
    assert file.record.rules.length == 3
    assert file.record.final.score == room.state.score
    assert [game.result for game in file.record.games] == [game.result for game in room.record.games]


def test_the_dice_of_a_match_are_those_of_its_file(bgai_command: Command, tmp_path: Path) -> None:
    room, other = (played(AGREEMENTS[1], seed=seed)[-1] for seed in (5, 6))
    dice, match = tmp_path / "dice.json", tmp_path / "match.mat"
    dice.write_text(json.dumps(room.dice_record.to_dict()))
    match.write_text(write_match(room.record, "mat"))
    assert bgai_command("verify-dice", dice, "--late-commitment", "--match", match).code == 0
    match.write_text(write_match(other.record, "mat"))
    outcome = bgai_command("verify-dice", dice, "--late-commitment", "--match", match)
    assert outcome.code == 1
    assert f"of the match '{match}' is " in outcome.out


def test_what_is_kept_is_the_same_again() -> None:
    room = played(AGREEMENTS[3], seed=8)[-1]
    agreed = Agreement.from_dict(json.loads(json.dumps(room.agreement.to_dict())))
    happenings = tuple(Happening.from_dict(json.loads(json.dumps(one.to_dict()))) for one in room.happenings)
    again = Room(room.id, agreed, room.dice, room.committed_first, happenings)
    assert again == room
    assert again.states == room.states


def test_a_game_may_begin_with_a_position() -> None:
    room = begin(agree(position=XGID))
    assert room.state.dice == (3, 1)
    assert (phase_of(room), room.agreement.rules.length) == ("play", 0)
    assert ids_of(room.state)["xgid"] == XGID
    assert isinstance(room.happenings[1].event, SetUp)
    other = agree(position=XGID, play_as="upper")
    assert other.beginning[0].seat == 1  # type: ignore[union-attr]
    match = agree(position="XGID=-b----E-C---eE---c-e----B-:1:-1:1:00:2:4:0:5:10")
    assert (match.score, match.rules.length, match.post_crawford) == ((2, 4), 5, True)
    room = begin(match)
    assert (room.state.cube, room.state.owner, room.state.crawford) == (2, 1, False)
    crawford = begin(agree(position="XGID=-b----E-C---eE---c-e----B-:0:0:1:00:2:4:1:5:10"))
    assert crawford.state.crawford
    assert not crawford.may()["double"]
    doubled = begin(agree(position="XGID=-b----E-C---eE---c-e----B-:0:0:-1:D:0:0:3:0:10"))
    assert phase_of(doubled) == "answer"
    assert doubled.agreement.rules.jacoby
    assert doubled.agreement.rules.beavers
    assert view(doubled)["offer"] == {"kind": "double", "by": "bot", "stake": 2, "points": 1}
    said = [event["text"] for event in view(doubled)["events"]]
    assert said[0] == "Game 1 begins with a given position."
    assert not any("throw" in text for text in said)
    board = begin(agree(position="4HPwATDgc/ABMA", length=3))
    assert board.agreement.rules.length == 3


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ({"position": XGID, "length": 5}, "length: for a match only"),
        ({"position": XGID, "kind": "match"}, "kind: found 'match', and the position has 'money'"),
        ({"position": "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:2:4:0:5:10", "length": 7}, "length: found 7"),
        ({"position": "nonsense"}, "position ID"),
        ({"position": "4HPwATDgc/ABMA", "kind": "money", "length": 3}, "length: for a match only"),
        ({"kind": "match", "length": 0}, "length: a match goes to 1 point"),
        ({"kind": "money", "length": 3}, "length: for a match only"),
        ({"kind": "match", "jacoby": True}, "the Jacoby rule: for money only"),
        ({"kind": "money", "raccoons": True}, "raccoons answer beavers"),
        ({"kind": "match", "games": 3}, "a number of games is for money"),
        ({"person": ""}, "the name: expected 1 to 40"),
        ({"person": "a\n"}, "the name: expected 1 to 40"),
        ({"position": "XGID=-b----E-C---eE---c-e----B-:1:1:1:00:0:0:0:0:10", "cube": False}, "limit of 1"),
    ],
)
def test_an_agreement_has_to_fit(wanted: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        agree(**wanted)  # type: ignore[arg-type]


def test_a_refused_resignation_is_not_repeated() -> None:
    """A player that always wants to resign offers each value once a game, and plays on."""
    stubborn = Gambler("bot", resigns=1.0)
    rng = random.Random(1)
    room = Room.begin("a", Agreement(Rules(), games=1), FairDice(bytes(32), "stubborn"), stubborn)
    while not room.over:
        room = room.act(Action("refuse") if room.may()["refuse"] else any_action(room, rng, resigns=0), stubborn)
    values = [
        happening.event.value for happening in room.happenings if getattr(happening.event, "kind", "") == "resign"
    ]
    assert values == sorted(set(values))
    assert values


BEAR_OFF = f"XGID=-A-B{'-' * 20}b-"


@pytest.mark.parametrize(
    ("match", "dead"),
    [
        ("0:0:1:00:0:0:0:1", True),
        ("1:1:1:00:0:0:0:2", True),
        ("1:1:1:00:3:3:0:5", True),
        ("0:0:1:00:1:1:0:2", True),
        ("1:1:1:00:3:2:0:5", False),  # the network could win the match with 4
        ("0:0:1:00:4:3:0:5", False),
        ("1:1:1:00:0:0:0:3", False),
        ("9:1:1:00:0:0:0:0", False),
    ],
)
def test_a_dead_cube_is_not_turned(match: str, dead: bool) -> None:
    """Where whoever wins the game wins the match."""
    room = begin(agree(position=f"{BEAR_OFF}:{match}:10"))
    assert phase_of(room) == "roll"
    assert room.may()["double"] != dead
    assert (view(room)["no_double"] or "").startswith("you may not double: the cube is dead") == dead
    if dead:
        with pytest.raises(NotAllowed, match="the cube is dead"):
            room.act(Action("double"), BOT)
    automatic = begin(agree(position=f"{BEAR_OFF}:{match}:10", automatic_roll=True))
    assert (phase_of(automatic) == "play") == dead  # where nothing is to be decided the dice are rolled


def test_the_network_turns_no_dead_cube() -> None:
    class Doubler(Gambler):
        def doubles(self, state: MatchState, rng: np.random.Generator) -> bool:
            return True

    for match, doubled in (("0:0:-1:00:0:0:0:1", False), ("0:0:-1:00:0:0:0:3", True)):
        agreement = agree(position=f"{BEAR_OFF}:{match}:10")
        room = Room.begin("a", agreement, FairDice(bytes(32), "Ann"), Doubler("bot", resigns=0.0))
        events = {event["event"] for event in view(room)["events"]}
        assert ("double" in events) == doubled


@pytest.mark.parametrize(
    ("match", "points"),
    [
        ("0:0:1:00:0:0:1:0", (1, 1, 1)),  # Jacoby, and the cube in the middle
        ("0:0:1:00:0:0:0:0", (1, 2, 3)),
        ("2:-1:1:00:0:0:1:0", (4, 8, 12)),
        ("1:1:1:00:1:0:0:5", (2, 4, 6)),
    ],
)
def test_a_resignation_costs_what_it_is_said_to(match: str, points: tuple[int, int, int]) -> None:
    room = begin(agree(position=f"XGID=-b----E-C---eE---c-e----B-:{match}:10"))
    said = view(room)["resignations"]
    assert said == dict(zip(VALUES, points, strict=True))
    accepting = Gambler("bot", resigns=0.0, refuses=0.0)
    for value in VALUES:
        after = room.act(Action("resign", value=value), accepting)
        assert after.state.result is not None
        assert after.state.result.points == said[value]
        assert view(after)["resignations"] == {}


def test_states_agree_with_the_rules_about_everything_that_may_be_done() -> None:
    for room in played(AGREEMENTS[3], seed=21):
        if room.over or not room.state.playing:
            continue
        for name, allowed in room.may().items():
            if name in ("next game", "leave", "play"):
                continue
            action = Action(name, value="gammon" if name == "resign" else None)
            refused = None
            try:
                room.event_of(action)
            except NotAllowed as error:
                refused = error
            assert allowed == (refused is None), (name, refused)
