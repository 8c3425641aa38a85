"""What a player does when a server waits for it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from bgai.events import AcceptResignation, Double, Pass, Play, RefuseResignation, Resign, Take
from bgai.match import refusal
from bgai.match_play import MatchPlayer
from bgai.match_state import MatchState


@dataclass(frozen=True)
class Throw:
    """The dice are rolled; which way they fall is the server's."""


Decision = Throw | Double | Take | Pass | Play | Resign | AcceptResignation | RefuseResignation
"""Servers here know no beavers."""


def may_double(state: MatchState) -> bool:
    """Whether the rules let the player on roll double now."""
    return refusal(state, Double(state.on_roll)) is None


def decide(
    player: MatchPlayer,
    state: MatchState,
    rng: np.random.Generator,
    *,
    resignable: Collection[int] = (1, 2, 3),
    doubling: bool = True,
) -> Decision:
    """What the player does whom the state waits for.

    Args:
        player: who decides.
        state: a game that is going on.
        rng: for players that draw lots.
        resignable: what it may offer to lose.
        doubling: whether the server takes a double.
    """
    seat = state.to_act
    assert seat is not None
    if state.resignation is not None:
        return AcceptResignation(seat) if player.accepts(state, rng) else RefuseResignation(seat)
    if state.offer is not None:
        return Pass(seat) if player.answers(state, rng) == "pass" else Take(seat)
    if state.dice is not None:
        plays = state.plays
        chosen = 0 if plays.must_pass else player.choose(state, plays, rng)
        return Play.of(seat, plays.steps[chosen].tolist())
    value = player.resigns(state, rng) if resignable else 0
    if value in resignable:
        return Resign(seat, value)
    if doubling and may_double(state) and player.doubles(state, rng):
        return Double(seat)
    return Throw()
