"""What happens in a game that is kept, as sentences of a log that names both players."""

from __future__ import annotations

import re

import numpy as np

from bgai.coach.persons import Person, does, sentence
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
from bgai.room.agreement import PERSON, Agreement

GAMES = {1: "a single game", 2: "a gammon", 3: "a backgammon"}


def notation(before: MatchState, event: Play) -> str:
    """A play as books write it, counted by who plays; empty when nothing can be played."""
    steps = np.array([*event.steps, *[(0, 0)] * (4 - len(event.steps))], dtype=np.int8)
    return format_play(before.board, steps)


def told(agreement: Agreement, before: MatchState, event: Event | None, after: MatchState) -> str:
    """What has happened; None is that the person has left."""
    names = (agreement.person, agreement.bot)
    if event is None:
        return sentence(f"{does(names[PERSON], 'leaves')}.")
    if isinstance(event, StartGame):
        # Where a position is given the throws play no part.
        given = bool(agreement.beginning) and after.game == 1
        return "Game 1 begins with a given position." if given else _started(names, event, after)
    who = names[event.seat]
    match event:
        case Roll():
            text = f"{does(who, 'rolls')} {event.dice[0]}-{event.dice[1]}."
        case Play():
            text = f"{does(who, 'plays')} {notation(before, event)}." if event.steps else f"{Person(who)} cannot move."
        case Double():
            text = f"{does(who, 'doubles' if before.owner is None else 'redoubles')} to {2 * before.cube}."
        case Take():
            text = f"{does(who, 'takes')}: the cube is at {after.cube}."
        case Beaver() | Raccoon():
            text = f"{does(who, f'{event.kind}s')}: the game is played for {2 * after.cube}."
        case Pass():
            text = f"{does(who, 'passes')}."
        case Resign():
            text = f"{does(who, 'resigns')} {GAMES[event.value]}."
        case AcceptResignation():
            text = f"{does(who, 'accepts')}."
        case RefuseResignation():
            text = f"{does(who, 'refuses')}: the game goes on."
        case SetUp():
            text = f"The position is set up; {does(who, 'begins')}."
    return sentence(text) if after.playing else f"{sentence(text)} {ended(names, after)}"


def _started(names: tuple[str, str], event: StartGame, state: MatchState) -> str:
    crawford = " It is the Crawford game: nobody may double." if state.crawford else ""
    doubled = f" Equal dice before: the game is worth {state.cube}." if event.automatic else ""
    first, second = event.dice
    return (
        f"Game {state.game}: {does(names[0], 'throws')} {first}, {names[1]} {second};"
        f" {does(names[event.seat], 'begins')}.{doubled}{crawford}"
    )


def ended(names: tuple[str, str], state: MatchState) -> str:
    """How a game has ended, and the match with it."""
    assert state.result is not None
    end: EndOfGame = state.result
    points = f"{end.points} point{'' if end.points == 1 else 's'}"
    what = points if end.how == "drop" else f"{GAMES[end.value]} ({points})"
    match = ""
    if state.winner is not None:
        match = " " + sentence(f"{does(names[state.winner], 'wins')} the match {max(state.score)}-{min(state.score)}.")
    return sentence(f"{does(names[end.winner], 'wins')} {what}.{match}")


def personal(agreement: Agreement, reason: str) -> str:
    """A reason of `bgai.match.refusal` in the words of a person's conversation with the network."""
    spoken = re.sub(r"\bseat 0\b", "you", reason)
    spoken = re.sub(r"\bseat 1\b", lambda _: agreement.bot, spoken)
    for found, right in (("you is", "you are"), ("you has", "you have")):
        spoken = spoken.replace(found, right)
    return spoken
