"""Matches and sessions of legal events drawn by lot, under all kinds of rules."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest

from bgai.board import as_board, flip, result
from bgai.errors import RuleError
from bgai.events import (
    AcceptResignation,
    Beaver,
    Double,
    Event,
    Pass,
    Play,
    Raccoon,
    RefuseResignation,
    Resign,
    Roll,
    StartGame,
    Take,
    event_from_dict,
)
from bgai.match import apply, legal_actions, rebuild, refusal
from bgai.match_rules import Rules
from bgai.match_state import MatchState, new_match, position
from bgai.plays import legal_plays
from tests import oracle

AGREED = {
    "1 point": Rules(length=1),
    "3 points": Rules(length=3),
    "5 points": Rules(length=5),
    "11 points": Rules(length=11),
    "no Crawford rule": Rules(length=3, crawford=False),
    "no cube": Rules(length=3, cube=False),
    "small cube": Rules(length=7, cube_limit=2),
    "money": Rules(),
    "Jacoby": Rules(jacoby=True),
    "everything": Rules(jacoby=True, beavers=True, raccoons=True, automatic_doubles=3, cube_limit=64),
    "beavers": Rules(beavers=True, cube_limit=16),
}
EVENTS = 400
"""A money session stops after so many."""
WEIGHTS: dict[type[Event], float] = {Resign: 0.03, Pass: 0.4, Double: 0.4, RefuseResignation: 2.0}
"""How likely a kind of event is beside another; 1 for those that are not here."""


def drawn(state: MatchState, rng: random.Random) -> Event:
    """One of the legal events."""
    kinds: dict[type[Event], list[Event]] = {}
    for action in legal_actions(state):
        kinds.setdefault(type(action), []).append(action)
    (kind,) = rng.choices(list(kinds), [WEIGHTS.get(kind, 1.0) for kind in kinds])
    return rng.choice(kinds[kind])


@cache
def stream(name: str, seed: int) -> list[tuple[MatchState, Event, MatchState]]:
    """The events of one match or session, each with the states before and after it."""
    rng = random.Random(f"{name} {seed}")
    state = new_match(AGREED[name])
    found: list[tuple[MatchState, Event, MatchState]] = []
    while state.winner is None and len(found) < EVENTS:
        event = drawn(state, rng)
        after = apply(state, event)
        found.append((state, event, after))
        state = after
    return found


ALL = [(name, seed) for name in AGREED for seed in range(2)]
MATCHES = pytest.mark.parametrize(("name", "seed"), ALL, ids=[f"{name} {seed}" for name, seed in ALL])


def test_the_matches_have_all_that_can_happen() -> None:
    events = [(state, event) for name, seed in ALL for state, event, _ in stream(name, seed)]
    assert {type(event) for _, event in events} == {
        StartGame,
        Roll,
        Play,
        Double,
        Beaver,
        Raccoon,
        Take,
        Pass,
        Resign,
        AcceptResignation,
        RefuseResignation,
    }
    assert {state.crawford for state, _ in events} == {True, False}
    assert {state.post_crawford for state, _ in events} == {True, False}
    assert max(state.cube for state, _ in events) >= 16
    assert any(isinstance(event, Play) and not event.steps for _, event in events)
    ends = [after.result for name, seed in ALL for _, _, after in stream(name, seed) if after.result is not None]
    assert {end.how for end in ends} == {"bear-off", "drop", "resignation"}
    assert {end.value for end in ends} == {1, 2, 3}


@MATCHES
def test_points_are_conserved(name: str, seed: int) -> None:
    rules, total = AGREED[name], [0, 0]
    for state, event, after in stream(name, seed):
        ended = state.playing and not after.playing
        if ended:
            assert after.result is not None
            value = 1
            if isinstance(event, AcceptResignation):
                assert state.resignation is not None
                value = state.resignation.value
            elif isinstance(event, Play):
                value = -result(after.board)
            if rules.jacoby and state.owner is None:
                value = 1
            assert after.result.points == value * state.cube
            total[after.result.winner] += value * state.cube
        assert list(after.score) == total
        assert (after.winner is not None) == (bool(rules.length) and max(total) >= rules.length)
        if after.winner is not None:
            assert ended
            assert total[after.winner] >= rules.length > total[1 - after.winner]


@MATCHES
def test_the_cube_is_where_it_belongs(name: str, seed: int) -> None:
    """Against a referee that knows the cube only."""
    rules = AGREED[name]
    start, turned, owner = 1, 0, None
    for state, event, after in stream(name, seed):
        if isinstance(event, StartGame):
            start, turned, owner = 2**event.automatic, 0, None
        if isinstance(event, Double):
            assert not state.crawford
            assert owner in (None, event.seat)
            assert rules.cube
        if isinstance(event, Take | Beaver | Raccoon):
            turned += 1
        if isinstance(event, Beaver) or (isinstance(event, Take) and state.offer == "double"):
            owner = event.seat
        if isinstance(event, Take) and state.offer != "double":
            assert event.seat == (1 - owner if state.offer == "beaver" and owner is not None else owner)
        assert after.cube == start * 2**turned
        assert after.owner == owner
        assert after.cube * (2 if after.offer else 1) <= rules.cube_limit


@MATCHES
def test_the_crawford_game_is_the_first_at_match_point(name: str, seed: int) -> None:
    rules = AGREED[name]
    starts = [after for _, event, after in stream(name, seed) if isinstance(event, StartGame)]
    at_match_point = [rules.length > 1 and rules.length - 1 in state.score for state in starts]
    expected = [rules.crawford and at and not any(at_match_point[:n]) for n, at in enumerate(at_match_point)]
    assert [state.crawford for state in starts] == expected
    assert [position(state).score.crawford for state in starts] == expected
    if rules.crawford and rules.length != 1:
        assert [position(state).score.post_crawford for state in starts] == [state.post_crawford for state in starts]


@MATCHES
def test_the_events_give_the_same_states_again(name: str, seed: int) -> None:
    matches = stream(name, seed)
    final = matches[-1][2]
    events = [event for _, event, _ in matches]
    assert rebuild(AGREED[name], events) == final
    read = [event_from_dict(data) for data in json.loads(json.dumps([event.to_dict() for event in events]))]
    assert read == events
    state = new_match(Rules.from_dict(json.loads(json.dumps(AGREED[name].to_dict()))))
    for (before, _, after), event in zip(matches, read, strict=True):
        assert state == before
        state = apply(state, event)
        assert state == after


@MATCHES
def test_the_position_fits_the_state(name: str, seed: int) -> None:
    for state, _, _ in stream(name, seed):
        if not state.playing:
            continue
        found = position(state)
        assert np.array_equal(as_board(found.board), found.board)
        waits = state.offer is not None or state.resignation is not None
        assert (found.offer is not None) == waits
        assert state.to_act == (1 - found.seat if waits else found.seat)
        assert found.score.points == (state.score[found.seat], state.score[1 - found.seat])
        owner = {None: "centred", found.seat: "on roll"}.get(state.owner, "opponent")
        assert (found.cube.value, found.cube.owner) == (state.cube, owner)


def anything(state: MatchState, rng: random.Random) -> Iterator[Event]:
    """Events of every kind, most of which are not allowed."""
    for seat in (0, 1):
        for kind in (Double, Beaver, Raccoon, Take, Pass, AcceptResignation, RefuseResignation):
            yield kind(seat)
        yield from (Resign(seat, value) for value in (1, 2, 3))
        yield from (Roll(seat, (rng.randint(1, 6), rng.randint(1, 6))) for _ in range(3))
        yield Play(seat)
        if state.playing:
            dice = rng.randint(1, 6), rng.randint(1, 6)
            yield from (Play.of(seat, steps) for steps in legal_plays(state.board, dice).steps[:5].tolist())
        pairs = [sorted(rng.sample(range(26), 2), reverse=True) for _ in range(rng.randint(1, 4))]
        yield Play.of(seat, pairs)
    first, second = rng.sample(range(1, 7), 2)
    yield from (StartGame((first, second), automatic) for automatic in range(5))


def way_to(state: MatchState, event: Event, wanted: set[oracle.State]) -> bool:
    """Whether the event is a play that leads to one of these positions."""
    if not isinstance(event, Play) or event.seat != state.to_act or refusal(state, event) is not None:
        return False
    return oracle.from_board(apply(state, event).board.tolist()) in wanted


@MATCHES
def test_what_is_not_legal_is_refused_and_changes_nothing(name: str, seed: int) -> None:
    rng = random.Random(seed)
    matches = stream(name, seed)
    for state, _, _ in rng.sample(matches, min(len(matches), 20)):
        actions = legal_actions(state)
        legal = set(actions)
        assert len(legal) == len(actions)
        assert legal == set(legal_actions(state, 0)) | set(legal_actions(state, 1))
        wanted: set[oracle.State] = set()
        if state.dice is not None and state.resignation is None:
            passed = oracle.from_board(flip(state.board).tolist())
            wanted = oracle.legal_plays(oracle.from_board(state.board.tolist()), *state.dice) or {passed}
        plays = [event for event in actions if isinstance(event, Play)]
        assert len(plays) == len(wanted)
        assert all(way_to(state, event, wanted) for event in plays)
        for event in anything(state, rng):
            # Other steps may lead to the same position.
            if event in legal or way_to(state, event, wanted):
                assert refusal(state, event) is None
                continue
            before = repr(state)
            with pytest.raises(RuleError) as error:
                apply(state, event)
            assert "\n" not in str(error.value)
            assert repr(state) == before
