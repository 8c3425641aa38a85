"""What the person may do, as it is asked for, and the events that it becomes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, get_args

from bgai.errors import InputError
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
    Step,
    Take,
)
from bgai.match import refusal
from bgai.match_state import MatchState
from bgai.notation.playtext import parse_play
from bgai.room.agreement import PERSON

Name = Literal[
    "roll",
    "play",
    "double",
    "take",
    "pass",
    "beaver",
    "raccoon",
    "resign",
    "accept",
    "refuse",
    "next game",
    "leave",
]
NAMES: tuple[Name, ...] = get_args(Name)

Value = Literal["single", "gammon", "backgammon"]
VALUES: tuple[Value, ...] = get_args(Value)
"""What can be resigned, from 1 point up."""

_ANY_ROLL = (2, 1)
"""Stands for the roll that is not thrown yet, where it is asked whether one may be thrown."""


@dataclass(frozen=True)
class Action:
    """Something that the person does."""

    name: Name
    steps: tuple[Step, ...] | None = None
    """Of a play, by one die each and in any order."""
    play: str | None = None
    """The same in notation."""
    value: Value | None = None
    """Of a resignation."""

    def __post_init__(self) -> None:
        for given, name, what in (
            (self.value, "resign", "value"),
            (self.steps, "play", "steps"),
            (self.play, "play", "play"),
        ):
            if given is not None and self.name != name:
                raise InputError(f"{what}: belongs to the action {name!r}, found it with {self.name!r}")
        if self.name == "resign" and self.value is None:
            raise InputError(f"value: expected one of {', '.join(VALUES)} with the action 'resign'")
        if self.name == "play" and (self.steps is None) == (self.play is None):
            raise InputError("steps: expected either steps or play with the action 'play'")


_EVENTS: dict[str, Callable[[int], Event]] = {
    "double": Double,
    "take": Take,
    "pass": Pass,
    "beaver": Beaver,
    "raccoon": Raccoon,
    "accept": AcceptResignation,
    "refuse": RefuseResignation,
}


def event_of(action: Action, state: MatchState) -> Event:
    """The event of an action in a game; a roll has some dice, which are to be thrown.

    Raises:
        PlayError: a play that is not legal, or text that is none.
        RuleError: steps that nobody can make.
    """
    if action.name == "roll":
        return Roll(PERSON, _ANY_ROLL)
    if action.name == "resign":
        assert action.value is not None
        return Resign(PERSON, VALUES.index(action.value) + 1)
    if action.name == "play":
        return _play(action, state)
    return _EVENTS[action.name](PERSON)


def _play(action: Action, state: MatchState) -> Play:
    """The play; in the wrong moment a passing turn, for which `refusal` has the reason."""
    if action.steps is not None:
        return Play(PERSON, action.steps)
    if not _may_play(state):
        return Play(PERSON)
    assert action.play is not None
    plays = state.plays
    chosen = parse_play(state.board, plays, action.play)
    return Play.of(PERSON, plays.steps[chosen].tolist())


def allowed(state: MatchState) -> dict[Name, bool]:
    """Of every action in a game, whether the rules allow it to the person now; a resignation of a single game."""
    found: dict[Name, bool] = {}
    for name in NAMES:
        if name in ("next game", "leave"):
            continue
        if name == "play":
            found[name] = _may_play(state)
        else:
            action = Action(name, value="single" if name == "resign" else None)
            found[name] = reason_against(state, event_of(action, state)) is None
    return found


def reason_against(state: MatchState, event: Event) -> str | None:
    """Why an event is not allowed here; None if it is.

    What the rules refuse, and a cube that is dead for both: nothing that it shows could change who wins the match.
    """
    reason = refusal(state, event)
    if reason is None and isinstance(event, Double) and _dead(state):
        return f"seat {event.seat} may not double: the cube is dead, for whoever wins this game wins the match"
    return reason


def _dead(state: MatchState) -> bool:
    length = state.rules.length
    return bool(length) and all(length - points <= state.cube for points in state.score)


def _may_play(state: MatchState) -> bool:
    waits = state.dice is not None and state.on_roll == PERSON
    return waits and state.to_act == PERSON and state.resignation is None
