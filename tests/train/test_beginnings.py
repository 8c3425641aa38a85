"""Where games begin beside the start: positions of games with slips."""

from __future__ import annotations

import numpy as np
import pytest
from bgai_train import beginnings
from bgai_train.beginnings import slipped
from bgai_train.config import LabelConfig
from bgai_train.labeller import NO_BOARDS, Labeller

from bgai.board import START, Board
from bgai.model import Manifest, Model
from tests.networks import random_weights

MODEL = Model(Manifest("small", "points-1", [8]), random_weights([8], seed=1))
CONFIG = LabelConfig(keep=0, explore=0.0, slip=0.0, restart=0.2, crossed=0.2, slipped=0.2)
COUNT = 900


def test_they_are_the_positions_of_games_with_slips() -> None:
    found = slipped(MODEL, CONFIG, 7, 40, COUNT)
    assert found.shape == (COUNT, 26)
    assert found.dtype == np.int8
    assert not (found == START).all(axis=1).any()

    def played(slip: float) -> Board:
        config = LabelConfig(keep=0, explore=0.0, slip=slip, slip_margin=beginnings.MARGIN)
        boards = Labeller.of(MODEL, config, 7 ^ beginnings._SLIPPED, NO_BOARDS).play(40, 16)["boards"]
        boards = boards[(boards != START).any(axis=1)]
        assert len(boards) >= 100
        return boards[:100]

    assert np.array_equal(found[:100], played(beginnings.SLIP))
    assert not np.array_equal(found[:100], played(0.0))


@pytest.mark.parametrize(("seed", "game"), [(8, 40), (7, 56)])
def test_seed_and_game_decide(seed: int, game: int) -> None:
    first = slipped(MODEL, CONFIG, 7, 40, 50)
    assert np.array_equal(slipped(MODEL, CONFIG, 7, 40, 50), first)
    assert not np.array_equal(slipped(MODEL, CONFIG, seed, game, 50), first)


def test_whoever_waits_hears_of_them_and_may_end_it() -> None:
    heard: list[int] = []
    slipped(MODEL, CONFIG, 7, 40, COUNT, heard.append)
    assert sum(heard[:-1]) < COUNT <= sum(heard)

    def stop(positions: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        slipped(MODEL, CONFIG, 7, 40, COUNT, stop)
