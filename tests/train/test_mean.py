"""The mean of networks is that of their weights, and only networks of one shape have one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from bgai_train.mean import main, mean
from numpy.testing import assert_allclose

from bgai.model import Manifest, Model, load_model
from tests.networks import random_weights


def kept(folder: Path, layers: list[int], seed: int, games: int) -> Model:
    manifest = Manifest(name=f"net-{seed}", encoder="points-1", layers=layers, games=games, cpu_seconds=10.5)
    model = Model(manifest, random_weights(layers, seed))
    model.save(folder)
    return model


def test_weights_games_and_time(tmp_path: Path) -> None:
    parts = [kept(tmp_path / str(seed), [8, 4], seed, games=seed) for seed in (1, 2, 5)]
    assert main([str(tmp_path / "mean"), *(str(tmp_path / str(seed)) for seed in (1, 2, 5))]) == 0
    found = load_model(tmp_path / "mean")
    assert (found.manifest.name, found.manifest.games, found.manifest.cpu_seconds) == ("net-1", 8, 31.5)
    for name, array in found.weights.items():
        first, second, third = (part.weights[name] for part in parts)
        assert_allclose(array, (first + second + third) / 3, rtol=1e-5, atol=1e-6)
    backwards = mean(parts[::-1])
    for name, array in found.weights.items():
        assert_allclose(backwards.weights[name], array, rtol=0, atol=1e-7)


def test_the_mean_of_one_is_itself_without_its_filter(tmp_path: Path) -> None:
    one = kept(tmp_path / "one", [8], 3, games=4).with_filter([4], random_weights([4], 4))
    found = mean([one])
    assert found.filter_weights is None
    assert all(np.array_equal(found.weights[name], array) for name, array in one.weights.items())


def test_other_shapes_have_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept(tmp_path / "one", [8, 4], 1, games=1)
    kept(tmp_path / "two", [8], 2, games=1)
    assert main([str(tmp_path / "mean"), str(tmp_path / "one"), str(tmp_path / "two")]) == 2
    assert "layers [8], expected points-1 and [8, 4] as net-1" in capsys.readouterr().err
    assert main([str(tmp_path / "mean"), str(tmp_path / "none")]) == 2
    assert "none" in capsys.readouterr().err
    assert not (tmp_path / "mean").exists()
