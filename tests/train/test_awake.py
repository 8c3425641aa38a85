"""Slopes from the units that are awake: the same as PyTorch's autograd finds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from bgai_train.config import TrainConfig, from_dict
from bgai_train.learner import Learner
from bgai_train.processes import ALONE

from bgai.errors import ConfigError, TrainingError
from tests.positions import mixed_positions

BOARDS, _ = mixed_positions(101, seed=31)
TARGETS = np.random.default_rng(4).random((101, 5), dtype=np.float32)


def recipe(slopes: str, layers: list[int], **fit: Any) -> TrainConfig:
    fit = {"batch": 101, "equity": 5.0, "sparse": 1e-3, "slopes": slopes} | fit
    return from_dict({"network": {"layers": layers}, "label": {"positions": 400}, "fit": fit})


@pytest.mark.parametrize("layers", [[32], [96, 32], [64, 96, 32]])
def test_slopes_are_those_of_autograd(layers: list[int]) -> None:
    found = {}
    for slopes in ("autograd", "awake"):
        learner = Learner(recipe(slopes, layers))
        loss = learner.descend(BOARDS, TARGETS, [0.0], "")
        by_name = {name: weight.grad for name, weight in learner.network.named_parameters()}
        found[slopes] = loss, by_name
    (loss, expected), (awake_loss, awake) = found["autograd"], found["awake"]
    assert awake_loss == pytest.approx(loss, rel=1e-6)
    for name, slope in expected.items():
        assert slope is not None
        other = awake[name]
        assert other is not None
        largest = float(slope.abs().max())
        assert largest > 1e-4
        assert float((slope - other).abs().max()) < 1e-5 * largest, name


def test_it_learns_what_autograd_learns() -> None:
    rates = [0.001] * 20
    weights = {}
    for slopes in ("autograd", "awake"):
        learner = Learner(recipe(slopes, [64, 32], batch=8, equity=0.5))
        learner.descend(np.tile(BOARDS, (2, 1))[:160], np.tile(TARGETS, (2, 1))[:160], rates, "")
        weights[slopes] = learner.weights()
    for name, weight in weights["autograd"].items():
        assert np.abs(weight - weights["awake"][name]).max() < 1e-3
        assert weights["awake"][name].flags.c_contiguous


def test_it_goes_on_from_a_checkpoint_as_if_never_stopped() -> None:
    config = recipe("awake", [64, 32], batch=8, equity=0.5)
    whole = Learner(config)
    whole.descend(BOARDS[:48], TARGETS[:48], [0.003] * 6, "")
    begun = Learner(config)
    begun.descend(BOARDS[:24], TARGETS[:24], [0.003] * 3, "")
    resumed = Learner(config)
    resumed.restore(begun.state())
    resumed.descend(BOARDS[24:48], TARGETS[24:48], [0.003] * 3, "")
    for name, weight in whole.weights().items():
        assert np.array_equal(weight, resumed.weights()[name]), name


def test_units_begin_again_in_the_weights_that_the_kernel_learns_from() -> None:
    learner = Learner(recipe("awake", [64, 32], batch=8, equity=0.5))
    learner.descend(BOARDS[:8], TARGETS[:8], [0.001], "")
    first = learner.network.layers[0]
    first.bias.data[:3] = -100
    before = learner.renew(BOARDS, np.random.default_rng(1))
    assert before[0] == 3
    weights = learner.weights()
    learner.descend(np.tile(BOARDS, (4, 1)), np.tile(TARGETS, (4, 1)), [0.001] * 51, "")
    moved = np.abs(learner.weights()["layers.0.weight"] - weights["layers.0.weight"])
    assert (moved[:3].max(1) > 0).all()


def test_processes_add_up_the_same_whatever_computes_the_slopes(monkeypatch: pytest.MonkeyPatch) -> None:
    """One process may leave to autograd what another's kernel computes."""
    added: list[list[np.ndarray]] = []
    monkeypatch.setattr(ALONE, "add_up", lambda slopes: added.append([slope.numpy().copy() for slope in slopes]))
    for slopes in ("autograd", "awake"):
        Learner(recipe(slopes, [64, 32])).descend(BOARDS, TARGETS, [0.0], "")
    (autograd, _), (awake, _) = added[:2], added[2:]
    assert [slope.shape for slope in awake] == [slope.shape for slope in autograd]
    for one, other in zip(awake, autograd, strict=True):
        assert np.abs(one - other).max() < 1e-5 * np.abs(other).max()


@pytest.mark.parametrize("logit", [-2000.0, 2000.0])
def test_a_network_that_is_far_off_has_slopes_all_the_same(logit: float) -> None:
    learner = Learner(recipe("awake", [32]))
    learner.network.layers[-1].bias.data[:] = logit
    with pytest.raises(TrainingError, match="the loss is"):
        learner.descend(BOARDS, TARGETS, [0.0], "lower fit.lr")
    assert all(bool(torch.isfinite(weight.grad).all()) for weight in learner.network.parameters())


@pytest.mark.parametrize(
    ("layers", "fit", "found", "expected"),
    [
        ([64, 20], {}, "[64, 20]", "multiples of 32"),
        ([64, 32], {"precision": "bfloat16"}, "bfloat16", "float32"),
    ],
)
def test_what_the_kernel_cannot_learn(layers: list[int], fit: dict[str, Any], found: str, expected: str) -> None:
    with pytest.raises(ConfigError) as raised:
        recipe("awake", layers, **fit)
    assert found in str(raised.value)
    assert expected in str(raised.value)
