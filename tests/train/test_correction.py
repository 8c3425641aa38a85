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

LAYERS = [32, 16, 8]
NOISE = 0.1


@pytest.fixture(scope="module")
def model() -> Model:
    weights = random_weights(LAYERS, seed=4)
    # The last chance is none: a side that has borne off wins no backgammon.
    weights["layers.3.bias"][4] = -60.0
    return Model(Manifest(name="tiny", encoder="points-1", layers=LAYERS), weights)


@pytest.fixture(scope="module")
def boards(model: Model) -> Board:
    met: Board = play(model.net(), SelfplayConfig(), 3, 0, 300).boards
    return met


def behind(model: Model, layer: int, values: NDArray[np.float64]) -> NDArray[np.float64]:
    sums: NDArray[np.float64] = (
        values @ model.weights[f"layers.{layer}.weight"].T + model.weights[f"layers.{layer}.bias"]
    )
    return sums


def rest(model: Model, boards: Board, seed: int) -> NDArray[np.float64]:
    """A rest of the trace that the units of the second and third layer make, in steps of the logits: float64[N, 5]."""
    values, heard = encoder("points-1").encode(boards).astype(np.float64), []
    for layer in range(len(LAYERS)):
        values = np.maximum(
            values @ model.weights[f"layers.{layer}.weight"].T + model.weights[f"layers.{layer}.bias"], 0
        )
        heard.append(values)
    chances = 1 / (1 + np.exp(-(values @ model.weights["layers.3.weight"].T + model.weights["layers.3.bias"])))
    units = np.concatenate(heard[1:], axis=1)
    changes = units @ np.random.default_rng(seed).normal(size=(units.shape[1], 5))
    found: NDArray[np.float64] = chances * (1 - chances) * changes / changes.std(axis=0)
    return found


def test_what_units_can_tell_is_found_under_noise(model: Model, boards: Board) -> None:
    assert len(boards) > 8000
    true = rest(model, boards, seed=1)
    noisy = (true + np.random.default_rng(2).normal(scale=NOISE, size=true.shape)).astype(np.float32)
    correction = Correction(model)
    half = len(boards) // 2
    # Parts of any size, as shards are.
    correction.learn((boards[part], noisy[part]) for part in (slice(0, 100), slice(100, half)))
    short = np.full((len(boards) - half, 5), 0.5, dtype=np.float32)
    targets = short.copy()
    correction.add(boards[half:], targets)
    missed = np.sqrt(((targets - short - true[half:]) ** 2).mean(axis=0))
    there = np.sqrt((true[half:] ** 2).mean(axis=0))
    assert (there[:4] > 0.05).all()
    assert (missed[:4] < 0.2 * there[:4]).all(), (missed, there)


def test_what_is_certain_stays_so(model: Model, boards: Board) -> None:
    correction = Correction(model)
    correction.learn([(boards, np.full((len(boards), 5), 0.1, dtype=np.float32))])
    targets = np.zeros((len(boards), 5), dtype=np.float32)
    correction.add(boards, targets)
    assert np.abs(targets[:, :4].mean(axis=0) - 0.1).max() < 0.02
    assert np.abs(targets[:, 4]).max() < 1e-9


def test_without_positions_there_is_none(model: Model, boards: Board) -> None:
    with pytest.raises(ValueError, match="no positions"):
        Correction(model).learn([])
    with pytest.raises(ValueError, match="before it is learnt"):
        Correction(model).add(boards[:1], np.zeros((1, 5), dtype=np.float32))
