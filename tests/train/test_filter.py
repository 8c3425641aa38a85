"""The filter: how it is made, kept and refused."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from bgai_train import filter
from bgai_train.filter import LAYERS, with_filter
from bgai_train.selfplay import play
from safetensors.numpy import save

from bgai.dice import ROLLS
from bgai.errors import ModelError
from bgai.evaluator import KernelEvaluator
from bgai.kernels.forward import evaluate
from bgai.model import FILTER, MANIFEST, Manifest, Model, load_model
from bgai.outcomes import equity
from bgai.plays import legal_plays
from tests.networks import plain_outcomes, random_weights
from tests.positions import game_positions


def a_model(filtered: bool = True) -> Model:
    model = Model(Manifest("big", "points-1", [24]), random_weights([24], seed=1))
    return model.with_filter([8], random_weights([8], seed=2)) if filtered else model


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    a_model().save(tmp_path / "model")
    return tmp_path / "model"


def test_a_filter_that_is_saved_comes_back(folder: Path) -> None:
    found = load_model(folder)
    assert found.manifest.filter_layers == [8]
    assert found.manifest.filter_sha256 == hashlib.sha256((folder / FILTER).read_bytes()).hexdigest()
    boards, _ = game_positions(50, seed=1)
    for exact, tolerance in ((True, 1e-5), (False, 2e-3)):
        said = np.empty((50, 5), dtype=np.float32)
        evaluate(found.filter_net(exact=exact), boards, said)
        assert np.abs(said - plain_outcomes(random_weights([8], seed=2), boards)).max() < tolerance


def test_a_model_without_a_filter_has_none_and_leaves_none(folder: Path) -> None:
    a_model(filtered=False).save(folder)
    assert not (folder / FILTER).exists()
    found = load_model(folder)
    assert found.filter_net() is None
    assert (found.manifest.filter_layers, found.manifest.filter_sha256) == ([], "")


def test_a_model_of_the_first_format_is_read(folder: Path) -> None:
    a_model(filtered=False).save(folder)
    change(folder, format=1, filter_layers=None, filter_sha256=None)
    assert load_model(folder).filter_net() is None


def change(folder: Path, **changes: Any) -> None:
    """Changes keys of the manifest; None takes one away."""
    raw = json.loads((folder / MANIFEST).read_text("utf-8")) | changes
    (folder / MANIFEST).write_text(json.dumps({key: value for key, value in raw.items() if value is not None}))


def test_a_filter_learns_positions_of_games_crossed_ones_and_what_plays_lead_to() -> None:
    model = a_model()
    met = play(model.net(), filter.SELFPLAY, 1, 0, 8).boards
    found = filter._positions(model, 1, 8)
    first = len(met) + round(filter.CROSSED * len(met))
    assert np.array_equal(found[: len(met)], met)
    known = {board.tobytes() for board in met}
    assert sum(board.tobytes() in known for board in found[len(met) : first]) < 0.1 * len(met)
    # Some plays end the game.
    assert (filter.SIBLINGS + 0.8) * first < len(found) <= (filter.SIBLINGS + 1) * first
    led_to = {board.tobytes() for one in found[:40] for roll in ROLLS for board in legal_plays(one, roll).successors}
    assert all(board.tobytes() in led_to for board in found[first : first + 30])


def refusal(folder: Path) -> str:
    with pytest.raises(ModelError) as error:
        load_model(folder)
    assert "\n" not in str(error.value)
    return str(error.value)


def test_a_missing_filter_is_named(folder: Path) -> None:
    (folder / FILTER).unlink()
    assert f"cannot read the filter {folder / FILTER}: No such file" in refusal(folder)


def test_a_damaged_filter_is_refused(folder: Path) -> None:
    whole = (folder / FILTER).read_bytes()
    for data in (b"", whole[:-1], whole[:-9] + bytes([whole[-9] ^ 1]) + whole[-8:]):
        (folder / FILTER).write_bytes(data)
        assert f"{folder / FILTER} is damaged" in refusal(folder)


def test_a_filter_of_another_shape_is_refused(folder: Path) -> None:
    data = save(random_weights([9], seed=1))
    (folder / FILTER).write_bytes(data)
    change(folder, filter_sha256=hashlib.sha256(data).hexdigest())
    assert "filter.safetensors: layers.0.weight is float32[9, 326], expected float32[8, 326]" in refusal(folder)


@pytest.mark.parametrize("layers", [8, [0], ["8"]], ids=str)
def test_layers_that_are_none_are_refused(folder: Path, layers: object) -> None:
    change(folder, filter_layers=layers)
    assert "filter_layers is" in refusal(folder)


def test_a_filter_learns_to_tell_good_plays_from_bad_ones() -> None:
    model = a_model(filtered=False)
    made = with_filter(model, seed=1, games=60)
    again = with_filter(model, seed=1, games=60)
    assert made.manifest.filter_layers == LAYERS
    assert made.filter_weights is not None
    assert again.filter_weights is not None
    assert all(np.array_equal(array, again.filter_weights[name]) for name, array in made.filter_weights.items())
    boards, _ = game_positions(500, seed=4)
    small, big = (equity(KernelEvaluator(one).evaluate(boards)) for one in (small_of(made), model))
    assert np.corrcoef(small, big)[0, 1] > 0.7


def small_of(model: Model) -> Model:
    """The filter as a model."""
    assert model.filter_weights is not None
    return Model(Manifest("filter", "points-1", model.manifest.filter_layers), model.filter_weights)


def test_the_command_gives_a_model_a_filter(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(filter, "GAMES", 12)
    a_model(filtered=False).save(folder)
    assert filter.main([str(folder), "--seed", "3"]) == 0
    assert load_model(folder).manifest.filter_layers == LAYERS
    (folder / FILTER).unlink()
    assert filter.main([str(folder)]) == 2
    assert "filter: cannot read the filter" in capsys.readouterr().err
