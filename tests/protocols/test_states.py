"""`bgai.protocols.states`."""

from __future__ import annotations

import random

from bgai.events import Beaver, Double, Play, Raccoon, StartGame
from bgai.match import apply, rebuild
from bgai.match_rules import Rules
from bgai.match_state import MatchState, position
from bgai.protocols.states import state_of
from tests.positions import game_positions
from tests.states import random_position, same


def test_the_state_of_a_position_has_that_position() -> None:
    rng = random.Random(1)
    boards, _ = game_positions(300, seed=2)
    for board in boards:
        seen = random_position(rng, board)
        if seen.cube_limit > 1:
            assert same(position(state_of(seen)), seen)


def test_a_raccoon_keeps_its_name() -> None:
    rules = Rules(beavers=True, raccoons=True)
    state = rebuild(rules, [StartGame((3, 1))])
    state = apply(rebuild(rules, [StartGame((3, 1)), _first_play(state)]), Double(1))
    for event in (Beaver(0), Raccoon(1)):
        state = apply(state, event)
        found = state_of(position(state), raccoons=True)
        assert (found.offer, found.cube, found.owner, found.to_act) == (
            state.offer,
            state.cube,
            state.owner,
            state.to_act,
        )


def _first_play(state: MatchState) -> Play:
    return Play.of(0, state.plays.steps[0].tolist())
