"""Records: from a stream of events and back, with everything a file may say about a match."""

from __future__ import annotations

import copy
import doctest
import json
from pathlib import Path
from typing import Any

import pytest

from bgai import events, match, match_play, match_rules, record
from bgai.errors import RuleError
from bgai.events import AcceptResignation, Double, EndOfGame, Event, Pass, Play, Resign, Roll, StartGame, Take
from bgai.match import apply, rebuild
from bgai.match_rules import Rules
from bgai.match_state import new_match
from bgai.record import MatchRecord

NAMES = ("Ann", "Ben")
FIRST: list[Event] = [
    StartGame((3, 1)),
    Play(0, ((8, 5), (6, 5))),
    Double(1),
    Take(0),
    Roll(1, (6, 5)),
    Play(1, ((24, 18), (18, 13))),
    Resign(1, 2),
    AcceptResignation(0),
]
SECOND: list[Event] = [StartGame((1, 2)), Play(1, ((13, 11), (6, 5))), Roll(0, (4, 4))]


def made(**more: Any) -> MatchRecord:
    return MatchRecord.of(NAMES, Rules(length=7), [*FIRST, *SECOND], **more)


def test_the_stream_is_divided_into_games() -> None:
    found = made()
    assert [game.events for game in found.games] == [tuple(FIRST), tuple(SECOND)]
    assert [game.result for game in found.games] == [EndOfGame(0, 2, 2, "resignation"), None]
    assert found.events == (*FIRST, *SECOND)
    assert found.final == rebuild(Rules(length=7), [*FIRST, *SECOND])
    assert (found.final.score, found.final.dice) == ((4, 0), (4, 4))


def test_a_record_can_be_made_again_from_its_events() -> None:
    found = made(score=(1, 6), post_crawford=True)
    again = MatchRecord.of(
        found.players, found.rules, found.events, score=found.score, post_crawford=found.post_crawford
    )
    assert again == found


def test_every_event_is_replayed_with_the_state_before_it() -> None:
    found = made(score=(1, 2))
    state = new_match(Rules(length=7), score=(1, 2))
    for (before, event), expected in zip(found.replay(), found.events, strict=True):
        assert (before, event) == (state, expected)
        state = apply(state, event)
    assert state == found.final


def test_a_record_without_games() -> None:
    empty = MatchRecord.of(NAMES, Rules(), [])
    assert (empty.games, empty.events, empty.final) == ((), (), new_match(Rules()))
    assert MatchRecord.from_dict(json.loads(json.dumps(empty.to_dict()))) == empty


def test_a_record_survives_json() -> None:
    found = made(
        score=(2, 6),
        post_crawford=True,
        comment="Final",
        metadata={"event": "Club night", "date": "2026-01-05"},
        comments={(0, 1): "natural", (1, 2): "what a roll"},
    )
    read = MatchRecord.from_dict(json.loads(json.dumps(found.to_dict())))
    assert read == found
    assert read.games[0].comments == {1: "natural"}
    assert read.final == found.final


def test_an_illegal_event_is_named_by_game_and_number() -> None:
    with pytest.raises(RuleError, match=r"^game 2, event 4: seat 0 may not double: the roll 4-4 is thrown$"):
        MatchRecord.of(NAMES, Rules(length=7), [*FIRST, *SECOND, Double(0)])
    with pytest.raises(RuleError, match=r"^game 1, event 1: seat 0 may not roll: no game is going on"):
        MatchRecord.of(NAMES, Rules(length=7), [Roll(0, (2, 1))])
    with pytest.raises(RuleError, match=r"^game 1, event 9: seat 1 may not pass: no game is going on"):
        MatchRecord.of(NAMES, Rules(length=7), [*FIRST, Pass(1)])


@pytest.mark.parametrize("place", [(0, 8), (2, 0), (-1, 0), (1, -1)])
def test_a_comment_needs_its_event(place: tuple[int, int]) -> None:
    with pytest.raises(RuleError, match="which is not there"):
        made(comments={place: "?"})


def change(data: Any, *path: Any, to: Any) -> None:
    for key in path[:-1]:
        data = data[key]
    if to is None:
        del data[path[-1]]
    else:
        data[path[-1]] = to


@pytest.mark.parametrize(
    ("path", "to", "reason"),
    [
        (("format",), 2, "expected a match record of format 1, found 2"),
        (("players",), None, "not a match record: 'players' is missing"),
        (("players",), ["Ann"], "not a match record: "),
        (("games",), 5, "not a match record: "),
        (("games", 0), "x", "not a match record: "),
        (("rules", "jacoby"), True, "the Jacoby rule: for money only"),
        (("games", 0, "events", 1, "event"), "jump", "game 1, event 2: expected an event"),
        (("games", 0, "events", 1, "steps"), [[13, 9]], "game 1, event 2: seat 0 may not play: the roll 3-1"),
        (("games", 0, "result", "winner"), 1, "game 1: the result is "),
        (("games", 1, "events"), [], "2 games are listed, and their events begin 1"),
        (("games", 0, "comments"), {"one": ""}, "not a match record: invalid literal"),
        (("score",), [7, 0], "a match to 7 points cannot go on at the score 7-0"),
    ],
)
def test_a_damaged_record_is_refused_with_the_reason(path: tuple[Any, ...], to: Any, reason: str) -> None:
    data = copy.deepcopy(made().to_dict())
    change(data, *path, to=to)
    with pytest.raises(RuleError) as error:
        MatchRecord.from_dict(data)
    assert str(error.value).startswith(reason)


@pytest.mark.parametrize("data", [None, [], "record", {}])
def test_what_is_no_record_is_refused(data: Any) -> None:
    with pytest.raises(RuleError, match="expected a match record of format 1"):
        MatchRecord.from_dict(data)


@pytest.mark.parametrize("module", [events, match, match_play, match_rules, record], ids=lambda module: module.__name__)
def test_the_examples_in_the_sources_are_true(module: Any) -> None:
    failed, tried = doctest.testmod(module)
    assert (failed, tried > 0) == (0, True)


def test_the_examples_on_the_page_are_true() -> None:
    page = Path(__file__).parents[1] / "docs" / "match.md"
    failed, tried = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert (failed, tried > 0) == (0, True)
