"""Kept models by number, name, path, or not at all."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bgai import catalogue
from bgai.catalogue import find_model, kept_models, models_folder, open_model
from bgai.errors import ModelError
from bgai.model import Manifest, Model, load_model
from bgai.player import NetPlayer
from tests.networks import random_weights


def keep(folder: Path, seed: int = 1) -> None:
    Model(Manifest(folder.name, "points-1", [20]), random_weights([20], seed)).save(folder)


@pytest.fixture
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of kept models, with things in it that are none."""
    folder = tmp_path / "models"
    for number, name in enumerate(("0001-first", "0002-second", "0010-tenth", "draft", "0003-Bad_name")):
        keep(folder / name, seed=number)
    (folder / "0011-empty").mkdir()
    (folder / "README.md").touch()
    monkeypatch.setattr(catalogue, "models_folder", lambda: folder)
    return folder


def test_kept_models_are_the_numbered_folders_in_order(models: Path) -> None:
    assert [folder.name for folder in kept_models()] == ["0001-first", "0002-second", "0010-tenth"]


@pytest.mark.parametrize(
    ("name", "found"),
    [
        (None, "0010-tenth"),
        ("1", "0001-first"),
        ("2", "0002-second"),
        ("0002", "0002-second"),
        ("10", "0010-tenth"),
        ("0001-first", "0001-first"),
    ],
)
def test_a_name_a_number_or_nothing_finds_a_kept_model(models: Path, name: str | None, found: str) -> None:
    assert find_model(name) == models / found
    assert open_model(name).name == found


def test_the_path_of_any_folder_with_a_model_is_a_name(models: Path) -> None:
    assert open_model(str(models / "draft")).name == "draft"


@pytest.mark.parametrize("name", ["3", "first", "nobody", "", "²", "0011-empty", "a/b/c", "x" * 5000, "a\0b"])
def test_an_unknown_model_is_told_with_those_there_are(models: Path, name: str) -> None:
    with pytest.raises(ModelError) as error:
        find_model(name)
    assert "unknown model" in str(error.value)
    assert "0001-first, 0002-second, 0010-tenth" in str(error.value)
    assert "\n" not in str(error.value)


def test_without_any_kept_model_it_says_how_to_make_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "models_folder", lambda: tmp_path)
    with pytest.raises(ModelError, match="bgai train"):
        find_model()
    with pytest.raises(ModelError, match="none yet"):
        find_model("1")


def test_a_model_is_read_once_and_again_when_it_has_changed(models: Path) -> None:
    first = open_model("1")
    assert open_model(str(models / "0001-first")) is first
    keep(models / "0001-first", seed=9)
    again = open_model("1")
    assert not np.array_equal(again.weights["layers.0.weight"], first.weights["layers.0.weight"])


def test_the_shipped_models_are_whole() -> None:
    shipped = kept_models()
    assert shipped
    for folder in shipped:
        model = load_model(folder)
        # models/README.md is the leaderboard; every model stands in it.
        assert model.manifest.commit
        assert model.manifest.games > 0
        assert model.manifest.config
    assert models_folder() == shipped[0].parent
    assert NetPlayer.of().name == load_model(shipped[-1]).name
