"""Units that fell silent begin again: the network says what it said, and they learn."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from bgai_train.config import FitConfig, TrainConfig, from_dict
from bgai_train.fit import RENEWED_UNTIL, Fit
from bgai_train.learner import Learner

from bgai.errors import ConfigError
from tests.positions import mixed_positions

BOARDS, _ = mixed_positions(400, seed=22)
TARGETS = np.random.default_rng(3).random((400, 5), dtype=np.float32)


def recipe(fit: dict[str, Any]) -> TrainConfig:
    return from_dict({"network": {"layers": [20, 10]}, "label": {"positions": 400}, "fit": {"batch": 8} | fit})


def silenced() -> Learner:
    """A learner that has made a step, and in which three units and one behind them say nothing any more."""
    learner = Learner(recipe({}))
    learner.descend(BOARDS[:8], TARGETS[:8], [0.001], "")
    first, second, _ = learner.network.layers
    with torch.no_grad():
        first.bias[:3] = -100
        second.bias[4] = -100
    return learner


def awake(learner: Learner) -> list[Any]:
    """For each hidden layer the share of the positions that wake each unit."""
    found, values = [], learner.network.inputs(BOARDS)
    with torch.no_grad():
        for layer in learner.network.layers[:-1]:
            values = torch.relu(layer(values))
            found.append((values > 0).float().mean(0).numpy())
    return found


def test_silent_units_begin_again_unheard_and_learn() -> None:
    learner = silenced()
    with torch.no_grad():
        said = learner.network(learner.network.inputs(BOARDS))
        assert learner.renew(BOARDS, np.random.default_rng(1)) == [3, 1]
        assert torch.equal(learner.network(learner.network.inputs(BOARDS)), said)
    first, second = awake(learner)
    assert np.all(np.abs(first[:3] - 0.15) < 0.01)
    assert abs(second[4] - 0.15) < 0.01
    before = learner.weights()
    for _ in range(2):
        learner.descend(BOARDS, TARGETS, [0.001] * 50, "")
    moved = {name: np.abs(now - before[name]) for name, now in learner.weights().items()}
    assert moved["layers.1.weight"][:, :3].max() > 0
    assert (moved["layers.0.weight"][:3].max(1) > 0).all()
    # None leaps: a step of Adam is as long as the rate, if what it knows of the slopes is right.
    assert all(array.max() < 100 * 3 * 0.001 * 2 for array in moved.values())


def test_a_layer_that_is_silent_as_a_whole_stays_for_the_next_to_say() -> None:
    learner = silenced()
    with torch.no_grad():
        learner.network.layers[1].bias[:] = -100
    assert learner.renew(BOARDS, np.random.default_rng(1)) == [3, 10]
    assert all(bool(torch.isfinite(weight).all()) for weight in learner.network.parameters())


def test_when_a_fit_renews() -> None:
    config = FitConfig(passes=2, batch=1, renew=64)
    boards = np.zeros((200, 26), dtype=np.int8)
    boards[:, 0] = np.arange(200) % 128
    fit = Fit(config, boards, np.zeros((200, 5), dtype=np.float32), [1])
    done, renewed = 0, []

    class Recorder:
        def descend(self, *_: Any) -> float:
            return 0.0

        def renew(self, sample: Any, order: Any) -> list[int]:
            renewed.append((done, float(order.random())))
            assert len(sample) == 200
            return []

    recorder: Any = Recorder()
    while done < fit.total:
        done += fit.advance(recorder, done, "")[0]
    assert [when for when, _ in renewed] == [0, 64, 128, 192, 200]
    assert max(when for when, _ in renewed) < RENEWED_UNTIL * fit.total
    assert len({drawn for _, drawn in renewed}) == len(renewed), "the weights are others each time"


def test_how_often_is_a_multiple_of_what_is_done_at_once() -> None:
    with pytest.raises(ConfigError, match=r"fit\.renew is 100, expected a multiple of 64"):
        recipe({"renew": 100})


def test_fewer_units_of_the_first_layer_speak_where_that_is_asked_for() -> None:
    speaking = []
    for weight in (0.0, 0.03):
        learner = Learner(recipe({"sparse": weight}))
        for _ in range(4):
            learner.descend(BOARDS, TARGETS, [0.003] * 50, "")
        speaking.append(awake(learner)[0].sum())
    assert speaking[1] < 0.7 * speaking[0]
