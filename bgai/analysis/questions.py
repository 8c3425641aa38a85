"""Where in a match somebody had something to decide."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from bgai.analysis.decision import Choice, Decision, Kind
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
    SetUp,
    StartGame,
    Take,
)
from bgai.match import apply, refusal
from bgai.match_state import MatchState, position
from bgai.record import MatchRecord

_Answer = Take | Pass | Beaver | Raccoon
_Decided = Play | Double | Resign | AcceptResignation | RefuseResignation


@dataclass(frozen=True)
class Moment:
    """An event of a match with the states around it."""

    game: int
    """From 0."""
    index: int
    """Of the event in its game."""
    event: Event
    before: MatchState
    after: MatchState


Question = tuple[Moment, ...]
"""What one look at a position answers: a moment, or a double and the answer to it."""


def moments(record: MatchRecord) -> Iterator[Moment]:
    """Every event of a match."""
    state = record.start
    for number, game in enumerate(record.games):
        for index, event in enumerate(game.events):
            after = apply(state, event)
            yield Moment(number, index, event, state, after)
            state = after


def questions_of(events: Iterable[Moment]) -> list[Question]:
    """What was decided in a match, in its order.

    Whoever rolls and might have doubled has decided not to. Where a file has a position that was set up, nobody decided
    anything.
    """
    found: list[Question] = []
    for moment in events:
        before, event = moment.before, moment.event
        if isinstance(event, _Answer) and before.offer == "double":
            found[-1] = (*found[-1], moment)
            continue
        rolled_on = isinstance(event, Roll) and refusal(before, Double(event.seat)) is None
        if rolled_on or isinstance(event, _Answer | _Decided):
            found.append((moment,))
    return found


def rolls_of(events: Sequence[Moment]) -> list[Moment]:
    """The rolls of a match that somebody threw.

    Where a position is set up for who begins, the opening roll before it only begins the game. Where it has that roll
    and is the same for both sides, it is the start of a variation, and the roll was thrown in it.
    """
    found: list[Moment] = []
    for moment, following in zip_longest(events, events[1:]):
        event, then = moment.event, following and following.event
        if isinstance(event, StartGame) and isinstance(then, SetUp) and then.seat == event.seat:
            if then.dice != event.dice or then.checkers != tuple(-count for count in reversed(then.checkers)):
                continue
            moment = replace(moment, after=following.after)
        if isinstance(event, Roll | StartGame):
            found.append(moment)
    return found


def decided(moment: Moment, kind: Kind, choices: list[Choice], made: str) -> Decision:
    """The decision among choices of the same plies; of equal ones the first counts as the best."""
    found = sorted(choices, key=lambda choice: -choice.equity)
    place = next(place for place, choice in enumerate(found) if choice.text == made)
    seat = moment.event.seat
    return Decision(
        moment.game,
        moment.index,
        seat,
        kind,
        position(moment.before),
        tuple(found),
        place,
        len(found),
        turn=moment.before.turn,
    )
