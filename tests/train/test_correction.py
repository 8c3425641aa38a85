"""What a short trace misses is found again as far as hidden units can tell, and no further."""

from __future__ import annotations

import numpy as np
import pytest
from bgai_train.config import SelfplayConfig
from bgai_train.correction import Correction
from bgai_train.selfplay import play
from numpy.typing import NDArray

from bgai.board import Board
from bgai.features import encoder
from bgai.model import Manifest, Model
from tests.networks import random_weights

NOISE = 0.1


def made(layers: list[int]) -> Model:
    weights = random_weights(layers, seed=4)
    # It is certain that nobody loses a backgammon.
    weights[f"layers.{len(layers)}.bias"][4] = -60.0
    return Model(Manifest(name="tiny", encoder="points-1", layers=layers), weights)


def met(model: Model) -> Board:
    boards: Board = play(model.net(), SelfplayConfig(), 3, 0, 300).boards
    return boards


def behind(model: Model, layer: int, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """What a layer makes of what was said before it."""
    weights, bias = (model.weights[f"layers.{layer}.{kind}"].astype(np.float64) for kind in ("weight", "bias"))
    sums: NDArray[np.float64] = values @ weights.T + bias
    return sums


def rest(model: Model, boards: Board, seed: int) -> NDArray[np.float64]:
    """A rest of the trace that the units behind the first layer make, in steps of the logits: float64[N, 5]."""
    values, heard = encoder("points-1").encode(boards).astype(np.float64), []
    layers = len(model.manifest.layers)
    for layer in range(layers):
        values = np.maximum(behind(model, layer, values), 0)
        heard.append(values)
    chances = 1 / (1 + np.exp(-behind(model, layers, values)))
    units = np.concatenate(heard[1:] or heard, axis=1)
    changes = units @ np.random.default_rng(seed).normal(size=(units.shape[1], 5))
    found: NDArray[np.float64] = chances * (1 - chances) * changes / changes.std(axis=0)
    return found


@pytest.mark.parametrize("layers", [[32, 16, 8], [16]])
def test_what_units_can_tell_is_found_under_noise(layers: list[int]) -> None:
    model = made(layers)
    boards = met(model)
    assert len(boards) > 8000
    true = rest(model, boards, seed=1)
    noisy = (true + np.random.default_rng(2).normal(scale=NOISE, size=true.shape)).astype(np.float32)
    half = len(boards) // 2
    # Parts of any size, as shards are.
    parts = ((boards[part], noisy[part]) for part in (slice(0, 100), slice(100, half)))
    correction = Correction.learn(model, parts)
    short = np.full((len(boards) - half, 5), 0.5, dtype=np.float32)
    targets = short.copy()
    correction.add(boards[half:], targets)
    missed = np.sqrt(((targets - short - true[half:]) ** 2).mean(axis=0))
    there = np.sqrt((true[half:] ** 2).mean(axis=0))
    assert (there[:4] > 0.05).all()
    assert (missed[:4] < 0.2 * there[:4]).all(), (missed, there)
    # It is all in its weights.
    again = short.copy()
    Correction(model, correction.weights).add(boards[half:], again)
    assert np.array_equal(again, targets)


def test_where_the_network_is_certain_little_is_added() -> None:
    model = made([32, 16, 8])
    boards = met(model)
    correction = Correction.learn(model, [(boards, np.full((len(boards), 5), 0.1, dtype=np.float32))])
    targets = np.zeros((len(boards), 5), dtype=np.float32)
    correction.add(boards, targets)
    assert np.abs(targets[:, :4].mean(axis=0) - 0.1).max() < 0.02
    assert np.abs(targets[:, 4]).max() < 1e-9
