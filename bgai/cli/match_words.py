"""What happens in a match, in words for the person who plays it.

The person has seat 0 and counts the points of the board from its own side; `name` is the network's.
"""

from __future__ import annotations

import re

import numpy as np

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
from bgai.match_state import MatchState
from bgai.notation.playtext import format_play

PERSON, NETWORK = 0, 1

KINDS = {"single": 1, "gammon": 2, "backgammon": 3, "1": 1, "2": 2, "3": 3, "": 1}
"""What can stand behind `resign`."""
_KIND_NAMES = {1: "a single game", 2: "a gammon", 3: "a backgammon"}

_PLAYS = """\
  8/5 6/5            a play: from and to, counted from your side; also bar/22, 6/off, 8/5(2), 24/18/13
  hint               the best plays in the network's opinion"""
_CUBE = """\
  roll (or Enter)    roll the dice
  double             before the roll: offer to play on for twice as much
  take, pass         the answers to a double; beaver as well, where that is agreed
  accept, refuse     the answers to a resignation
  hint               what the network would do in your place: with the cube, or the best plays of a roll"""
_REST = """\
  resign KIND        give up a single game, a gammon or a backgammon (default: a single game)
  board              draw the board again
  pips               pip counts of both sides
  help               this list
  quit               leave the game
After a play the new board is shown: Enter confirms it, u (undo) takes it back."""


def help_text(state: MatchState) -> str:
    """All that can be typed."""
    plays = _PLAYS.partition("\n")[0] + "\n" + _CUBE if state.rules.cube else _PLAYS
    return f"{plays}\n{_REST}"


def points(number: int) -> str:
    """`1 point`, `2 points`."""
    return f"{number} point{'' if number == 1 else 's'}"


def resigned(state: MatchState, value: int) -> str:
    """What is resigned, with what it is worth: under Jacoby a single game while the cube was never turned."""
    counted = 1 if state.rules.jacoby and state.owner is None else value
    return f"{_KIND_NAMES[value]} ({points(counted * state.cube)})"


def score(state: MatchState, name: str) -> str:
    """`you 3, tiny 5`"""
    return f"you {state.score[PERSON]}, {name} {state.score[NETWORK]}"


def status(state: MatchState, name: str) -> str:
    """The line above the board; empty for a single game without the cube."""
    if not state.rules.cube:
        return ""
    what = f"Match to {points(state.rules.length)}" if state.rules.length else "Money session"
    where = {None: "in the middle", PERSON: "yours", NETWORK: f"{name}'s"}[state.owner]
    cube = "no doubling in the Crawford game" if state.crawford else f"cube {state.cube}, {where}"
    return f"{what}: {score(state, name)}; {cube}"


def refused(reason: str, name: str) -> str:
    """A reason of `bgai.match.refusal` as a sentence for the person."""
    sentence = reason.replace(f"seat {PERSON} may", "You may").replace(f"seat {PERSON}", "you")
    return f"{sentence.replace(f'seat {NETWORK}', name)}."


def said(before: MatchState, event: Event, after: MatchState, name: str) -> str:
    """What is printed of an event; empty for what the person sees anyway."""
    if isinstance(event, StartGame):
        return _start(event, after, name)
    mine = event.seat == PERSON
    match event:
        case Roll():
            passes = ": no legal play, you pass" if after.plays.must_pass else ""
            return f"You roll {max(event.dice)}-{min(event.dice)}{passes}." if mine else ""
        case Play():
            return "" if mine else _play(before, event, name)
        case Double():
            return f"You double to {2 * before.cube}." if mine else f"\n{name} doubles to {2 * before.cube}."
        case Take():
            where = "yours" if after.owner == PERSON else f"{name}'s"
            return f"{_does(event, name, 'take')}: the cube is at {after.cube} and {where}."
        case Beaver() | Raccoon():
            where = "you keep the cube" if after.owner == PERSON else f"{name} keeps the cube"
            return f"{_does(event, name, event.kind)}: the game is played for {2 * after.cube}, {where}."
        case Pass():
            return f"{_does(event, name, 'pass', 'passes')}."
        case Resign():
            return f"{'' if mine else chr(10)}{_does(event, name, 'resign')} {resigned(before, event.value)}."
        case AcceptResignation():
            return f"{_does(event, name, 'accept')}."
        case RefuseResignation():
            return f"{_does(event, name, 'refuse')}."
        case SetUp():
            return "The position is set up."


def ending(state: MatchState, name: str) -> str:
    """The end of a game, and of the match or the score."""
    assert state.result is not None
    end = state.result
    wins = "You win" if end.winner == PERSON else f"{name} wins"
    cube = f" with the cube at {end.cube}" if end.cube > 1 and end.how != "drop" else ""
    what = f"{points(end.points)}" if end.how == "drop" else f"{_KIND_NAMES[end.value]}{cube} ({points(end.points)})"
    lines = [f"{wins} {what}."]
    if state.winner is not None:
        high, low = max(state.score), min(state.score)
        lines.append(f"{wins} the match {high}-{low}.")
    elif state.rules.cube:
        lines.append(f"The score: {score(state, name)}.")
    return "\n".join(lines)


def left(state: MatchState, name: str) -> str:
    """What is said of a game, match or session that ends before its time."""
    if not state.rules.cube:
        return "the game is left unfinished"
    what = "match" if state.rules.length else "session"
    where = "between games" if state.game and not state.playing else "in the middle of a game"
    return f"the {what} is left {where}: {score(state, name)}"


def from_other_side(play: str) -> str:
    """A play with its points counted by the opponent: `bar/22*` is `bar/3*`."""
    return re.sub(r"(?<!\()\b\d+\b", lambda point: str(25 - int(point[0])), play)


def _does(event: Event, name: str, verb: str, third: str | None = None) -> str:
    return f"You {verb}" if event.seat == PERSON else f"{name} {third or verb + 's'}"


def _start(event: StartGame, state: MatchState, name: str) -> str:
    lines = []
    if state.rules.cube:
        lines.append(f"\nGame {state.game}: {score(state, name)}.")
        if state.crawford:
            lines.append("This is the Crawford game: nobody may double.")
    first = "you begin" if event.seat == PERSON else f"{name} begins"
    lines.append(f"Opening roll: you {event.dice[PERSON]}, {name} {event.dice[NETWORK]}; {first}.")
    return "\n".join(lines)


def _play(before: MatchState, event: Play, name: str) -> str:
    assert before.dice is not None
    high, low = max(before.dice), min(before.dice)
    steps = np.array([*event.steps, *[(0, 0)] * (4 - len(event.steps))], dtype=np.int8)
    text = format_play(before.board, steps)
    played = f"plays {text} (on your side {from_other_side(text)})" if text else "cannot move"
    return f"\n{name} rolls {high}-{low} and {played}."
