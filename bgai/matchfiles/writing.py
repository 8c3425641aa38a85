"""What the writers of text formats have in common: the events that a format has words for, and what gets lost."""

from __future__ import annotations

from dataclasses import dataclass

from bgai.events import (
    Event,
    RefuseResignation,
    Resign,
    SetUp,
    StartGame,
    Step,
)
from bgai.match import after as state_after
from bgai.match_state import MatchState
from bgai.matchfiles.building import NACKGAMMON
from bgai.matchfiles.found import Problem
from bgai.record import MatchRecord


@dataclass(frozen=True)
class Happening:
    """An event with the states around it."""

    index: int
    """Of the event in its game."""
    before: MatchState
    event: Event
    after: MatchState
    comment: str
    """The remark on it."""


def happenings(record: MatchRecord) -> list[list[Happening]]:
    """Every game of a record, without resignations that were refused or never answered."""
    state = record.start
    games: list[list[Happening]] = []
    for game in record.games:
        found: list[Happening] = []
        for place, event in enumerate(game.events):
            after = state_after(state, event)
            found.append(Happening(place, state, event, after, game.comments.get(place, "")))
            state = after
        games.append(_without_refused(found))
    return games


def is_nackgammon(record: MatchRecord) -> bool:
    """Whether the record says that it is nackgammon, and every game begins so."""
    return (
        record.metadata.get("variation") == "nackgammon"
        and bool(record.games)
        and all(_nack_start(game.events) for game in record.games)
    )


def hits(state: MatchState, steps: tuple[Step, ...]) -> list[bool]:
    """Which steps of a play hit, in the order of the steps; played is from the back to the front."""
    position = state.board.tolist()
    found = [False] * len(steps)
    for place in sorted(range(len(steps)), key=lambda place: steps[place], reverse=True):
        start, end = steps[place]
        position[start] -= 1
        if end > 0:
            found[place] = position[end] == -1
            position[end] = 1 if found[place] else position[end] + 1
    return found


def common_losses(record: MatchRecord) -> list[Problem]:
    """What neither format has room for."""
    found: list[Problem] = []
    for number, game in enumerate(record.games, start=1):
        refused = sum(isinstance(event, RefuseResignation) for event in game.events)
        if refused:
            what = (
                "a resignation that was refused is" if refused == 1 else f"{refused} resignations that were refused are"
            )
            found.append(Problem(f"{what} left out", game=number))
        if isinstance(game.events[-1], Resign):
            found.append(Problem("a resignation that waits for an answer is left out", game=number))
        resigned = [event.value for event in game.events if isinstance(event, Resign)]
        if game.result is not None and game.result.how == "resignation" and resigned[-1] != game.result.value:
            found.append(Problem("the resignation is written as what it counted, a single game", game=number))
    if record.score != (0, 0) and not record.games:
        found.append(Problem("the score is left out, because there is no game"))
    return found


def _without_refused(game: list[Happening]) -> list[Happening]:
    found: list[Happening] = []
    for happening in game:
        if isinstance(happening.event, RefuseResignation):
            found.pop()
        else:
            found.append(happening)
    if found and isinstance(found[-1].event, Resign):
        found.pop()
    return found


def _nack_start(events: tuple[Event, ...]) -> bool:
    if len(events) < 2:
        return False
    start, then = events[:2]
    return (
        isinstance(start, StartGame)
        and isinstance(then, SetUp)
        and (then.seat, then.dice, then.cube, then.owner) == (start.seat, start.dice, 2**start.automatic, None)
        and then.checkers == tuple(NACKGAMMON.tolist())
    )
