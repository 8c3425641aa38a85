"""The mean of networks is that of their weights, and only those that began at the same one have a mean."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from bgai_train.mean import main, mean

from bgai.errors import ModelError
from bgai.model import Manifest, Model, load_model
from tests.networks import random_weights


def kept(folder: Path, layers: list[int], seed: int, parent: str | None = "0001-td") -> Model:
    manifest = Manifest(
        f"net-{seed}", "points-1", layers, parent=parent, games=seed, cpu_seconds=10.5, cube_efficiency={"race": 0.7}
    )
    model = Model(manifest, random_weights(layers, seed)).with_filter([4], random_weights([4], 4))
    model.save(folder)
    return model


def test_weights_games_and_time(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    parts = [kept(tmp_path / str(seed), [8, 4], seed) for seed in (1, 2, 5)]
    out = tmp_path / "mean"
    assert main([str(out), *(str(tmp_path / str(seed)) for seed in (1, 2, 5))]) == 0
    assert capsys.readouterr().out == f"{out}: the mean of net-1, net-2, net-5\n"
    found = load_model(out)
    manifest = found.manifest
    assert (manifest.name, manifest.parent, manifest.games, manifest.cpu_seconds) == ("mean", "0001-td", 8, 31.5)
    # What was measured of one network says nothing of another.
    assert (manifest.cube_efficiency, found.filter_weights) == ({}, None)
    for name, array in found.weights.items():
        exact = sum(part.weights[name].astype(np.float64) for part in parts) / 3
        assert np.array_equal(array, exact.astype(np.float32))
    assert found.weights.keys() == parts[0].weights.keys()


def test_what_has_no_mean(tmp_path: Path) -> None:
    first = kept(tmp_path / "1", [8, 4], 1)
    with pytest.raises(ModelError, match="the mean of 1 network, expected two or more"):
        mean("mean", [first])
    with pytest.raises(ModelError, match=r"net-2 has encoder points-1 and layers \[8\], expected .* \[8, 4\]"):
        mean("mean", [first, kept(tmp_path / "2", [8], 2)])
    with pytest.raises(ModelError, match="net-3 began at 0002-td, net-1 at 0001-td"):
        mean("mean", [first, kept(tmp_path / "3", [8, 4], 3, parent="0002-td")])
    random = [kept(tmp_path / str(seed), [8, 4], seed, parent=None) for seed in (4, 5)]
    with pytest.raises(ModelError, match="net-4 began at random weights, net-4 at random weights"):
        mean("mean", random)


def test_nothing_is_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folders = [tmp_path / str(seed) for seed in (1, 2, 3)]
    for seed, folder in enumerate(folders, start=1):
        kept(folder, [8, 4], seed)
    before = folders[0].joinpath("weights.safetensors").read_bytes()
    assert main([str(folder) for folder in folders]) == 2
    assert capsys.readouterr().err == f"mean: {folders[0]} is there already, expected a folder that is not\n"
    assert folders[0].joinpath("weights.safetensors").read_bytes() == before
    assert main([str(tmp_path / "mean"), str(folders[0]), str(tmp_path / "none")]) == 2
    assert "none" in capsys.readouterr().err
    assert not (tmp_path / "mean").exists()
