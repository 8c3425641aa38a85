"""What happens in a game that is kept, as sentences of a log that names both players."""

from __future__ import annotations

import re

import numpy as np

from bgai.events import (
    AcceptResignation,
    Beaver,
    Double,
    EndOfGame,
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
from bgai.match_state import MatchState
from bgai.notation.playtext import format_play
from bgai.room.agreement import PERSON, UNNAMED, Agreement

GAMES = {1: "a single game", 2: "a gammon", 3: "a backgammon"}


def notation(before: MatchState, event: Play) -> str:
    """A play as books write it, counted by who plays; empty when nothing can be played."""
    steps = np.array([*event.steps, *[(0, 0)] * (4 - len(event.steps))], dtype=np.int8)
    return format_play(before.board, steps)


def told(agreement: Agreement, before: MatchState, event: Event | None, after: MatchState) -> str:
    """What has happened; None is that the person has left."""
    names = (agreement.person, agreement.bot)
    if event is None:
        return f"{does(names[PERSON], 'leave')}."
    if isinstance(event, StartGame):
        return _started(names, event, after)
    who = names[event.seat]
    match event:
        case Roll():
            text = f"{does(who, 'roll')} {event.dice[0]}-{event.dice[1]}."
        case Play():
            text = f"{does(who, 'play')} {notation(before, event)}." if event.steps else f"{who} cannot move."
        case Double():
            text = f"{does(who, 'double' if before.owner is None else 'redouble')} to {2 * before.cube}."
        case Take():
            text = f"{does(who, 'take')}: the cube is at {after.cube}."
        case Beaver() | Raccoon():
            text = f"{does(who, event.kind)}: the game is played for {2 * after.cube}."
        case Pass():
            text = f"{does(who, 'pass')}."
        case Resign():
            text = f"{does(who, 'resign')} {GAMES[event.value]}."
        case AcceptResignation():
            text = f"{does(who, 'accept')}."
        case RefuseResignation():
            text = f"{does(who, 'refuse')}: the game goes on."
        case SetUp():
            text = f"The position is set up; {does(who, 'begin')}."
    return text if after.playing else f"{text} {ended(names, after)}"


def _started(names: tuple[str, str], event: StartGame, state: MatchState) -> str:
    crawford = " It is the Crawford game: nobody may double." if state.crawford else ""
    doubled = f" Equal dice before: the game is worth {state.cube}." if event.automatic else ""
    first, second = event.dice
    return (
        f"Game {state.game}: {does(names[0], 'throw')} {first}, {names[1]} {second};"
        f" {does(names[event.seat], 'begin')}.{doubled}{crawford}"
    )


def ended(names: tuple[str, str], state: MatchState) -> str:
    """How a game has ended, and the match with it."""
    assert state.result is not None
    end: EndOfGame = state.result
    points = f"{end.points} point{'' if end.points == 1 else 's'}"
    what = points if end.how == "drop" else f"{GAMES[end.value]} ({points})"
    match = ""
    if state.winner is not None:
        match = f" {does(names[state.winner], 'win')} the match {max(state.score)}-{min(state.score)}."
    return f"{does(names[end.winner], 'win')} {what}.{match}"


def does(who: str, verb: str) -> str:
    """Somebody and what it does: `Ann passes`, and `You pass` of a person without a name."""
    if who == UNNAMED:
        return f"{who} {verb}"
    return f"{who} {verb}{'es' if verb.endswith('s') else 's'}"


def personal(agreement: Agreement, reason: str) -> str:
    """A reason of `bgai.match.refusal` in the words of a person's conversation with the network."""
    spoken = re.sub(r"\bseat 0\b", "you", reason)
    spoken = re.sub(r"\bseat 1\b", lambda _: agreement.bot, spoken)
    for found, right in (("you is", "you are"), ("you has", "you have")):
        spoken = spoken.replace(found, right)
    return spoken
