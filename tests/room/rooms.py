"""Rooms to test with: a person who does anything that is allowed, by lot."""

from __future__ import annotations

import random
from typing import Any

from bgai.room.actions import VALUES, Action
from bgai.room.room import Room


def any_action(room: Room, rng: random.Random, *, resigns: float = 0.02) -> Action:
    """Something that the person may do; seldom a resignation, and never leaving."""
    may = room.may()
    if may["resign"] and rng.random() < resigns:
        return Action("resign", value=rng.choice(VALUES))
    name = rng.choice([name for name, allowed in may.items() if allowed and name not in ("leave", "resign")])
    return any_play(room, rng) if name == "play" else Action(name)


def any_play(room: Room, rng: random.Random) -> Action:
    """A play with its steps in any order."""
    plays = room.state.plays
    steps: list[Any] = [tuple(step) for step in plays.steps[rng.randrange(len(plays))].tolist() if any(step)]
    rng.shuffle(steps)
    return Action("play", steps=tuple(steps))
