"""A game that is kept as JSON: everything that a front end needs to draw it. docs/games.md describes the keys.

Everything is seen by the person.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from bgai.board import Board, borne_off, flip, opponent_borne_off, pip_count
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
from bgai.match_state import MatchState, position
from bgai.notation.matchid import format_gnubg_id
from bgai.notation.playtext import format_play
from bgai.notation.positionid import format_position_id
from bgai.notation.xgid import format_xgid
from bgai.position import Position
from bgai.room.actions import VALUES, reason_against
from bgai.room.agreement import BOT, PERSON, SEATS
from bgai.room.errors import HelpRefused
from bgai.room.room import Room
from bgai.room.step_tree import step_tree
from bgai.room.words import notation, personal, told

_NAMES: dict[type[Event], str] = {
    StartGame: "start",
    Roll: "roll",
    Play: "play",
    Double: "double",
    Take: "take",
    Pass: "pass",
    Beaver: "beaver",
    Raccoon: "raccoon",
    Resign: "resign",
    AcceptResignation: "accept",
    RefuseResignation: "refuse",
    SetUp: "setup",
}


def view(room: Room, since: int | None = None) -> dict[str, Any]:
    """The state; its events are those after version `since`, by default those of the present game."""
    state, agreed = room.state, room.agreement
    first = _first_of_game(room) if since is None else min(max(since, 0), room.version)
    phase = phase_of(room)
    board = seen_board(state)
    return {
        "id": room.id,
        "version": room.version,
        "kind": "match" if agreed.rules.length else "money",
        "rules": agreed.rules.to_dict(),
        "games": agreed.games,
        "players": {"person": {"name": agreed.person}, "bot": {"name": agreed.bot, "level": agreed.level}},
        "options": {"hints": agreed.hints, "tutor": agreed.tutor, "automatic_roll": agreed.automatic_roll},
        "phase": phase,
        "game": state.game,
        "turn": state.turn,
        "on_roll": SEATS[state.on_roll] if state.playing and not room.over else None,
        "board": board.tolist(),
        "pips": _both(pip_count(board), pip_count(flip(board))),
        "off": _both(borne_off(board), opponent_borne_off(board)),
        "dice": None if state.dice is None else list(state.dice),
        "cube": cube_of(state) | {"limit": agreed.rules.cube_limit if agreed.rules.cube else 1},
        "score": _both(*state.score),
        "crawford": state.crawford,
        "post_crawford": state.post_crawford,
        "offer": None if room.over else _offer(state),
        "may": may_of(room),
        "resignations": _resignations(room),
        "no_double": _no_double(room),
        "plays": legal_plays_of(state) if phase == "play" else [],
        "tree": _tree(state) if phase == "play" else [],
        "result": _result(state),
        "winner": None if state.winner is None else SEATS[state.winner],
        "left": room.left,
        "ids": ids_of(state) if state.playing else None,
        "dice_proof": _dice_proof(room),
        "events": [event_view(room, number) for number in range(first, room.version)],
    }


def phase_of(room: Room) -> str:
    """What is waited for."""
    state = room.state
    if room.over:
        return "over"
    if not state.playing:
        return "between games"
    if state.resignation is not None:
        return "resignation"
    if state.offer is not None:
        return "answer"
    return "roll" if state.dice is None else "play"


def seen_board(state: MatchState) -> Board:
    """The board `int8[26]` from the person's side."""
    return state.board if state.on_roll == PERSON else flip(state.board)


def cube_of(state: MatchState) -> dict[str, Any]:
    """The cube's value and owner."""
    return {"value": state.cube, "owner": None if state.owner is None else SEATS[state.owner]}


def legal_plays_of(state: MatchState) -> list[dict[str, Any]]:
    """The person's legal plays, distinct by where they lead."""
    plays, board = state.plays, state.board
    return [
        {
            "play": format_play(board, steps),
            "steps": [step for step in steps.tolist() if any(step)],
            "board": flip(after).tolist(),
        }
        for steps, after in zip(plays.steps, plays.successors, strict=True)
    ]


def seen_position(state: MatchState) -> Position:
    """The position with the person as the lower player, as all IDs have it.

    Raises:
        RuleError: no game is going on.
    """
    found = position(state)
    return replace(found, seat=1 if found.seat == PERSON else 0)


def ids_of(state: MatchState) -> dict[str, str]:
    """The position's names. None has room for a raccoon that waits, and an XGID none for a resignation."""
    seen = seen_position(state)
    if state.offer == "raccoon":
        seen = replace(seen, offer=None)
    before = seen if state.resignation is None else seen_position(replace(state, resignation=None))
    return {
        "xgid": format_xgid(before),
        "gnubg_id": format_gnubg_id(seen),
        "position_id": format_position_id(seen.board),
    }


def event_view(room: Room, number: int) -> dict[str, Any]:
    """What has happened as number `number`, from 0."""
    happening, before, after = room.happenings[number], room.states[number], room.states[number + 1]
    event = happening.event
    said: dict[str, Any] = {
        "number": number + 1,
        "game": after.game,
        "by": SEATS[PERSON] if event is None else None if isinstance(event, StartGame | SetUp) else SEATS[event.seat],
        "event": "leave" if event is None else _NAMES[type(event)],
        "text": told(room.agreement, before, event, after),
    }
    match event:
        case StartGame():
            said |= {"dice": list(event.dice), "automatic": event.automatic}
            said |= {"throws": [list(dice) for dice in happening.throws], "board": seen_board(after).tolist()}
        case Roll():
            said["dice"] = list(event.dice)
        case Play():
            said |= {"play": notation(before, event), "steps": [list(step) for step in event.steps]}
            said["board"] = seen_board(after).tolist()
        case Double() | Take() | Pass() | Beaver() | Raccoon():
            said["cube"] = cube_of(after)
        case Resign():
            said["value"] = VALUES[event.value - 1]
        case SetUp():
            said |= {"dice": None if event.dice is None else list(event.dice), "board": seen_board(after).tolist()}
            said["cube"] = cube_of(after)
    if before.playing and not after.playing:
        said["result"] = _result(after)
    return said


def check_help(room: Room, kind: str) -> None:
    """Lets nobody be helped who agreed to do without, until all is over.

    Args:
        kind: `hints` or `tutor`.

    Raises:
        HelpRefused: as agreed.
    """
    if not room.over and not getattr(room.agreement, kind):
        raise HelpRefused(f"this game is played without {'hints' if kind == 'hints' else 'the tutor'}")


def _both(person: Any, bot: Any) -> dict[str, int]:
    return {SEATS[PERSON]: int(person), SEATS[BOT]: int(bot)}


def _first_of_game(room: Room) -> int:
    """How much had happened before the present game."""
    for number in range(room.version - 1, -1, -1):
        if isinstance(room.happenings[number].event, StartGame):
            return number
    return 0


def _offer(state: MatchState) -> dict[str, Any] | None:
    if state.resignation is not None:
        value = state.resignation.value
        by = SEATS[state.resignation.seat]
        return {"kind": "resignation", "by": by, "value": VALUES[value - 1], "points": _points(state, value)}
    if state.offer is None:
        return None
    # Whoever has to answer passes what the cube was worth before this offer.
    assert state.to_act is not None
    by = SEATS[1 - state.to_act]
    return {"kind": state.offer, "by": by, "stake": 2 * state.cube, "points": state.cube}


def _points(state: MatchState, value: int) -> int:
    """What a game of `value` (1 to 3) counts that is resigned now."""
    return state.cube * (1 if state.rules.jacoby and state.owner is None else value)


def _resignations(room: Room) -> dict[str, int]:
    """What each resignation would cost the person; nothing where it may not resign."""
    if not room.may()["resign"]:
        return {}
    return {name: _points(room.state, value) for value, name in enumerate(VALUES, start=1)}


def may_of(room: Room) -> dict[str, Any]:
    """What the person may do now."""
    found = room.may()
    shown: dict[str, Any] = {name: may for name, may in found.items() if name != "resign"}
    shown["resign"] = list(VALUES) if found["resign"] else []
    return shown


def _no_double(room: Room) -> str | None:
    if room.over:
        return "all is over"
    reason = reason_against(room.state, Double(PERSON))
    return None if reason is None else personal(room.agreement, reason)


def _tree(state: MatchState) -> list[dict[str, Any]]:
    assert state.dice is not None
    nodes = step_tree(state.board, state.plays, state.dice)
    return [{"play": node.play, "steps": [list(step) for step in node.steps]} for node in nodes]


def _result(state: MatchState) -> dict[str, Any] | None:
    end = state.result
    if end is None:
        return None
    kind = VALUES[end.value - 1]
    return {"winner": SEATS[end.winner], "kind": kind, "cube": end.cube, "points": end.points, "how": end.how}


def _dice_proof(room: Room) -> dict[str, Any]:
    dice = room.dice_record
    shown = {"commitment": dice.commitment, "committed_first": dice.committed_first, "player_seed": dice.player_seed}
    return shown | {"rolls": room.rolls}
