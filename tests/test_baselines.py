"""The hand-written player: what it likes, and that it is a step above random."""

from __future__ import annotations

import numpy as np
import pytest

from bgai.board import START
from bgai.duel import duellist, play_duel
from bgai.kernels.baselines import best_by_heuristic, heuristic_scores
from bgai.kernels.movegen import ROW, fill_slots
from bgai.model import Manifest, Model
from bgai.player import HeuristicPlayer
from bgai.plays import legal_plays
from tests.networks import ENCODER, random_weights
from tests.positions import mixed_positions

RNG = np.random.default_rng(1)


def choice(first: int, second: int) -> str:
    """What it plays in the opening."""
    from bgai.notation.playtext import format_play

    plays = legal_plays(START, (first, second))
    return format_play(START, plays.steps[HeuristicPlayer().choose(START, plays, RNG)])


@pytest.mark.parametrize(
    ("dice", "play"), [((3, 1), "8/5 6/5"), ((4, 2), "8/4 6/4"), ((6, 1), "13/7 8/7"), ((5, 3), "8/3 6/3")]
)
def test_it_makes_points_in_the_opening(dice: tuple[int, int], play: str) -> None:
    assert choice(*dice) == play


def test_the_compiled_choice_is_the_first_of_the_best_scores() -> None:
    boards, dice = mixed_positions(200, seed=51)
    for board, (first, second) in zip(boards, dice.tolist(), strict=True):
        successors = legal_plays(board, (first, second)).successors
        slots = np.zeros((len(successors), ROW), dtype=np.int8)
        for number, successor in enumerate(successors):
            fill_slots(successor, slots[number])
        assert best_by_heuristic(slots, len(slots)) == int(np.argmax(heuristic_scores(successors)))


def test_it_beats_random_clearly() -> None:
    found = play_duel(duellist("heuristic"), duellist("random"), 1000, seed=1)
    assert found.wins > 0.9
    assert found.mean - found.half_width > 1.2
    assert found.given_up == 0


def test_a_network_of_random_weights_loses_to_it() -> None:
    from bgai.duel import net_duellist

    untrained = net_duellist(
        "untrained", Model(Manifest("untrained", ENCODER, [20]), random_weights([20], seed=1)).net()
    )
    assert play_duel(untrained, duellist("heuristic"), 400, seed=1).mean < -1
