"""A network that has grown says what it said before, and its new units can learn."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from bgai_train.config import NetworkConfig
from bgai_train.growth import grown
from bgai_train.learner import Learner

from bgai.errors import ConfigError
from bgai.model import Manifest, Model
from tests.networks import plain_logits, plain_outcomes, random_weights
from tests.positions import mixed_positions
from tests.train.recipes import tiny

BOARDS, _ = mixed_positions(300, seed=21)


def a_model(layers: list[int]) -> Model:
    return Model(Manifest("small", "points-1", layers), random_weights(layers, seed=6))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ([12, 6], [12, 6]),
        ([12, 6], [20, 6]),
        ([12, 6], [12, 9]),
        ([12, 6], [12, 6, 6]),
        ([12, 6], [12, 10, 6]),
        ([12, 6], [16, 10, 8, 7]),
        ([12], [12, 12]),
        ([12], [16, 13, 14]),
    ],
    ids=str,
)
def test_a_grown_network_says_what_it_said(old: list[int], new: list[int]) -> None:
    model = a_model(old)
    weights = grown(model, NetworkConfig(layers=new), seed=1)
    assert np.abs(plain_logits(weights, BOARDS) - plain_logits(model.weights, BOARDS)).max() < 1e-6
    assert all(array.dtype == np.float32 for array in weights.values())
    if old == new:
        assert all(np.array_equal(array, model.weights[name]) for name, array in weights.items())


def test_the_learner_and_the_kernels_get_the_grown_network(tmp_path: Path) -> None:
    model = a_model([12, 6])
    model.save(tmp_path)
    learner = Learner(tiny(network={"layers": [20, 10, 8], "start": str(tmp_path)}))
    expected = plain_outcomes(model.weights, BOARDS)
    found = plain_outcomes(learner.weights(), BOARDS)
    assert np.abs(found - expected).max() < 1e-6
    # And the new units take part at the second step: the first gives them a voice.
    before = learner.weights()
    for number in range(2):
        learner.learn(BOARDS, np.roll(expected, 1, axis=0), 0, np.random.default_rng(number))
    after = learner.weights()
    for name, old_units in (("layers.0.weight", 12), ("layers.1.weight", 6), ("layers.2.weight", 6)):
        assert np.any(after[name][old_units:] != before[name][old_units:]), name


def test_new_units_depend_on_the_seed_alone() -> None:
    model, config = a_model([12, 6]), NetworkConfig(layers=[16, 10, 8])
    first, again, other = (grown(model, config, seed) for seed in (1, 1, 2))
    assert all(np.array_equal(first[name], again[name]) for name in first)
    assert not np.array_equal(first["layers.0.weight"], other["layers.0.weight"])


@pytest.mark.parametrize("layers", [[10, 6], [12, 4], [12], [12, 6, 5], [6, 12]], ids=str)
def test_a_network_does_not_shrink(layers: list[int]) -> None:
    with pytest.raises(ConfigError, match=r"small has encoder points-1 and layers \[12, 6\]") as error:
        grown(a_model([12, 6]), NetworkConfig(layers=layers), seed=1)
    assert "a network can grow" in str(error.value)
    assert str(layers) in str(error.value)


def test_another_encoder_is_refused() -> None:
    with pytest.raises(ConfigError, match="the configuration asks for points-2"):
        grown(a_model([12, 6]), NetworkConfig(encoder="points-2", layers=[12, 6]), seed=1)
