"""Hints for whoever plays a kept game: the library's opinions in the keys of docs/json.md."""

from __future__ import annotations

from typing import Any

from bgai.answers import cube_record
from bgai.board import flip
from bgai.match_state import position
from bgai.notation.positionid import parse_position_id
from bgai.room.advice import answers_of
from bgai.room.room import Room
from bgai.room.view import phase_of
from bgai.server.answers import play_records
from bgai.server.players import Answering

Record = dict[str, Any]


def hints_for(room: Room, who: Answering, top: int) -> Record:
    """The best plays, so many of them or all if 0; or the best action with what each is worth.

    Equities are the person's, those of cube decisions the player's who is on roll.
    """
    phase = phase_of(room)
    if phase == "play":
        return _plays(room, who, top)
    if phase == "roll":
        record = cube_record(who.analyst, who.record, position(room.state), market=True)
        best = "double" if record["action"] in ("double", "redouble") else "roll"
        return {"decision": "double", "best": best} | record
    if phase in ("answer", "resignation"):
        choices = answers_of(room.state, who.analyst)
        worth = [{"action": action, "equity": equity} for action, equity in choices.worth.items()]
        found = {"decision": phase, "best": choices.best, "choices": worth}
        if room.state.offer == "double" and phase == "answer":
            found |= cube_record(who.analyst, who.record, position(room.state), market=False)
        return found
    return {"decision": None}


def _plays(room: Room, who: Answering, top: int) -> Record:
    (record,) = play_records(who.analyst, who.record, [(position(room.state), top)])
    plays = [one | {"board": flip(parse_position_id(one["position_id"])).tolist()} for one in record["plays"]]
    return {"decision": "play", "best": plays[0]["play"]} | record | {"plays": plays}
