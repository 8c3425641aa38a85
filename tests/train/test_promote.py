"""A network is kept only if it beats the strongest kept one."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from bgai_train import filter
from bgai_train import promote as promotion

from bgai import catalogue
from bgai.duel import DuelResult
from bgai.errors import ConfigError
from bgai.luck import LuckJudge
from bgai.model import Manifest, Model, load_model
from tests.networks import random_weights

LAYERS = [64]


@pytest.fixture
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder of kept models."""
    folder = tmp_path / "models"
    folder.mkdir()
    for module in (catalogue, promotion):
        monkeypatch.setattr(module, "models_folder", lambda: folder)
    monkeypatch.setattr(promotion, "CUBE_POSITIONS", 8)
    monkeypatch.setattr(filter, "GAMES", 12)
    return folder


def candidate(folder: Path, seed: int, parent: str | None = None) -> Path:
    """A random network in a folder of its own."""
    manifest = Manifest(name="run", encoder="points-1", layers=LAYERS, games=10, cpu_seconds=2.5, parent=parent)
    Model(manifest, random_weights(LAYERS, seed)).save(folder)
    return folder


def test_the_first_network_is_kept_without_a_duel(models: Path, tmp_path: Path) -> None:
    outcome = promotion.promote(candidate(tmp_path / "run", 1), "first", "the first one", games=2, seed=31_337)
    assert outcome.duel is None
    assert outcome.folder == models / "0001-first"
    manifest = load_model(models / "0001-first").manifest
    assert (manifest.name, manifest.changed, manifest.games) == ("0001-first", "the first one", 10)
    assert set(manifest.cube_efficiency) == {"contact", "race", "bearoff"}
    assert load_model(models / "0001-first").filter_net() is not None


def test_an_equal_network_is_not_kept(models: Path, tmp_path: Path) -> None:
    run = candidate(tmp_path / "run", 1)
    shutil.copytree(run, models / "0001-first")
    outcome = promotion.promote(run, "same", "", games=20, seed=31_337)
    assert outcome.folder is None
    assert outcome.duel is not None
    assert not outcome.duel.points.sum()
    assert [folder.name for folder in catalogue.kept_models()] == ["0001-first"]


def test_a_stronger_network_follows_with_the_games_of_both(models: Path, tmp_path: Path) -> None:
    """The shipped network beats a random one."""
    weak = candidate(models / "0001-weak", 1)
    strong = load_model(sorted(Path("models").glob("[0-9]*"))[-1])
    run = tmp_path / "run"
    Model(replace(strong.manifest, parent="0001-weak", games=100, seed=31_337), strong.weights).save(run)
    outcome = promotion.promote(run, "strong", "stronger", games=200, seed=31_337)
    assert outcome.folder == models / "0002-strong"
    manifest = load_model(outcome.folder).manifest
    assert manifest.parent == "0001-weak"
    assert manifest.games == 100 + load_model(weak).manifest.games
    assert outcome.duel is not None
    assert outcome.duel.luck_out is not None
    assert manifest.results["0001-weak"] == {
        "points": round(outcome.duel.luck_out.points, 4),
        "interval": round(outcome.duel.luck_out.half_width, 4),
        "luck_out_by": "0001-weak",
        "points_played": round(outcome.duel.mean, 4),
        "interval_played": round(outcome.duel.half_width, 4),
        "games": 200,
        "seed": 31_337,
    }
    assert manifest.results["0001-weak"]["points"] > 1
    assert np.isfinite(list(manifest.cube_efficiency.values())).all()


@pytest.mark.parametrize(
    ("points", "luck", "kept"),
    [
        ([[2, 1], [1, 1], [3, 1]], [[2.25, 1.0], [1.0, 1.25], [3.0, 1.25]], False),
        ([[-2, 1], [-1, -1], [1, -3]], [[-2.25, 1.0], [-1.0, -1.25], [1.0, -3.25]], True),
    ],
    ids=["won by luck", "lost by bad luck"],
)
def test_points_without_the_luck_decide(
    models: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    points: list[list[int]],
    luck: list[list[float]],
    kept: bool,
) -> None:
    judges = []

    def play(*_: object, judge: LuckJudge, **__: object) -> DuelResult:
        judges.append(judge.name)
        return DuelResult(np.array(points), 0, np.array(luck))

    monkeypatch.setattr(promotion, "play_duel", play)
    shutil.copytree(candidate(tmp_path / "first", 1), models / "0001-first")
    outcome = promotion.promote(candidate(tmp_path / "second", 2), "second", "", games=6, seed=31_337)
    assert judges == ["run"]
    assert (outcome.folder is not None) == kept


@pytest.mark.parametrize("slug", ["", "Big", "a b", "-a", "a--b", "../x"])
def test_names_that_are_none_are_refused(models: Path, tmp_path: Path, slug: str) -> None:
    with pytest.raises(ConfigError, match="small letters, digits and hyphens"):
        promotion.promote(candidate(tmp_path / "run", 1), slug, "", games=2, seed=31_337)
