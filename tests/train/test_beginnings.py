"""Where games begin beside the start: positions of games with slips."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest
from bgai_train import beginnings
from bgai_train.beginnings import slipped
from bgai_train.config import LabelConfig
from bgai_train.labeller import CHUNK, NO_BOARDS, Labeller

from bgai.board import START, Board
from bgai.model import Manifest, Model
from bgai.workers import LocalWorkers
from tests.networks import random_weights

MODEL = Model(Manifest("small", "points-1", [8]), random_weights([8], seed=1))
CONFIG = LabelConfig(keep=0, explore=0.0, slip=0.0, restart=0.2, crossed=0.2, slipped=0.2)
COUNT = 3500


def test_they_are_the_positions_of_games_with_slips() -> None:
    found = slipped(MODEL, CONFIG, 7, 40, COUNT)

    def played(slip: float) -> Board:
        config = LabelConfig(keep=0, explore=0.0, slip=slip, slip_margin=beginnings.MARGIN)
        labeller = Labeller.of(MODEL, config, 7 ^ beginnings._DICE, NO_BOARDS)
        boards = labeller.play(40, 3 * CHUNK)["boards"]
        boards = boards[(boards != START).any(axis=1)]
        assert len(boards) >= COUNT
        return boards[:COUNT]

    assert found.dtype == np.int8
    assert np.array_equal(found, played(beginnings.SLIP))
    assert not np.array_equal(found, played(0.0))


@pytest.mark.parametrize(("seed", "game"), [(8, 40), (7, 56)])
def test_seed_and_game_decide(seed: int, game: int) -> None:
    first = slipped(MODEL, CONFIG, 7, 40, 50)
    assert np.array_equal(slipped(MODEL, CONFIG, 7, 40, 50), first)
    assert not np.array_equal(slipped(MODEL, CONFIG, seed, game, 50), first)


def test_it_does_not_matter_who_plays_nor_how_games_are_counted_off(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = slipped(MODEL, CONFIG, 7, 40, COUNT)
    asked: list[range] = []

    class Counting(LocalWorkers):
        def map(self, task: Any, shared: Any, items: Iterable[Any], *, ahead: bool = False) -> Any:
            asked.extend(items)
            return super().map(task, shared, items, ahead=ahead)

    # Given: games thought so long that it takes several rounds.
    monkeypatch.setattr(beginnings, "_LONG", 400)
    assert np.array_equal(slipped(MODEL, CONFIG, 7, 40, COUNT, workers=Counting(3)), expected)
    assert [game for games in asked for game in games] == list(range(40, 40 + CHUNK * len(asked)))
    assert len(asked) >= 3


def test_whoever_waits_hears_of_them_and_may_end_it() -> None:
    heard: list[int] = []
    slipped(MODEL, CONFIG, 7, 40, COUNT, heard.append)
    assert len(heard) > 1
    assert sum(heard) >= COUNT

    def stop(positions: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        slipped(MODEL, CONFIG, 7, 40, COUNT, stop)
