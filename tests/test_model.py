"""Model folders: what is kept comes back, and what is not whole is refused in one line."""

from __future__ import annotations

import hashlib
import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import save

from bgai.errors import ModelError
from bgai.model import FORMAT, MANIFEST, WEIGHTS, Manifest, Model, load_model
from tests.networks import random_weights

LAYERS = [20, 8]


def a_model(layers: list[int] = LAYERS) -> Model:
    manifest = Manifest("tested", "points-1", layers, parent="older", games=7, seed=3, results={"random": 0.5})
    return Model(manifest, random_weights(layers, seed=1))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    a_model().save(tmp_path / "model")
    return tmp_path / "model"


def refusal(folder: Path) -> str:
    """The one line that a folder is refused with."""
    with pytest.raises(ModelError) as error:
        load_model(folder)
    assert "\n" not in str(error.value)
    return str(error.value)


def change_manifest(folder: Path, **changes: Any) -> None:
    raw = json.loads((folder / MANIFEST).read_text("utf-8"))
    (folder / MANIFEST).write_text(json.dumps({**raw, **changes}), "utf-8")


def put_weights(folder: Path, data: bytes) -> None:
    """Other weights, with the right hash."""
    (folder / WEIGHTS).write_bytes(data)
    change_manifest(folder, weights_sha256=hashlib.sha256(data).hexdigest())


def test_what_is_saved_comes_back(folder: Path) -> None:
    saved, found = a_model(), load_model(folder)
    assert found.weights.keys() == saved.weights.keys()
    assert all(np.array_equal(found.weights[name], array) for name, array in saved.weights.items())
    expected = {**saved.manifest.__dict__, "weights_sha256": found.manifest.weights_sha256}
    assert found.manifest.__dict__ == expected
    assert hashlib.sha256((folder / WEIGHTS).read_bytes()).hexdigest() == found.manifest.weights_sha256


def test_what_is_saved_twice_is_the_same_file(folder: Path, tmp_path: Path) -> None:
    a_model().save(tmp_path / "again")
    for name in (WEIGHTS, MANIFEST):
        assert (folder / name).read_bytes() == (tmp_path / "again" / name).read_bytes()
    assert {path.name for path in folder.iterdir()} == {WEIGHTS, MANIFEST}, "no temporary file is left"


def test_weights_are_read_without_pickle(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> Any:
        raise AssertionError("pickle was used")

    for name in ("load", "loads", "Unpickler"):
        monkeypatch.setattr(pickle, name, refuse)
    load_model(folder)
    # Nor is a pickle accepted in their place.
    monkeypatch.undo()
    put_weights(folder, pickle.dumps(a_model().weights))
    assert "is not a safetensors file" in refusal(folder)


@pytest.mark.parametrize("name", [WEIGHTS, MANIFEST])
def test_a_missing_file_is_named(folder: Path, name: str) -> None:
    (folder / name).unlink()
    told = refusal(folder)
    assert name in told
    assert "No such file" in told


def test_no_folder_at_all_is_named(tmp_path: Path) -> None:
    assert f"{tmp_path / 'nowhere'} is no model" in refusal(tmp_path / "nowhere")


@pytest.mark.parametrize("length", [0, 4, 100, -1])
def test_weights_cut_short_are_refused(folder: Path, length: int) -> None:
    data = (folder / WEIGHTS).read_bytes()[:length]
    (folder / WEIGHTS).write_bytes(data)
    assert f"{folder / WEIGHTS} is damaged" in refusal(folder)
    # With a hash that fits they are refused too.
    put_weights(folder, data)
    assert "is not a safetensors file" in refusal(folder)


def test_a_flipped_bit_is_noticed(folder: Path) -> None:
    data = bytearray((folder / WEIGHTS).read_bytes())
    data[-9] ^= 1
    (folder / WEIGHTS).write_bytes(data)
    told = refusal(folder)
    assert hashlib.sha256(data).hexdigest()[:12] in told


def test_a_wrong_hash_is_told_with_both_hashes(folder: Path) -> None:
    right = load_model(folder).manifest.weights_sha256
    change_manifest(folder, weights_sha256="0" * 64)
    told = refusal(folder)
    assert right[:12] in told
    assert "0" * 12 in told


@pytest.mark.parametrize(
    ("name", "array", "expected"),
    [
        ("extra", np.zeros(1, np.float32), "holds the arrays ['extra', 'layers.0.bias'"),
        ("layers.1.bias", np.zeros(9, np.float32), "layers.1.bias is float32[9], expected float32[8]"),
        ("layers.1.bias", np.zeros(8, np.float64), "layers.1.bias is float64[8], expected float32[8]"),
        ("layers.2.weight", np.zeros((8, 5), np.float32), "float32[8, 5], expected float32[5, 8]"),
        ("layers.1.bias", np.full(8, np.nan, np.float32), "not finite"),
    ],
)
def test_weights_of_another_kind_are_refused(folder: Path, name: str, array: np.ndarray, expected: str) -> None:
    put_weights(folder, save({**a_model().weights, name: array}))
    assert expected in refusal(folder)


def test_a_missing_array_is_noticed(folder: Path) -> None:
    weights = dict(a_model().weights)
    del weights["layers.1.bias"]
    put_weights(folder, save(weights))
    assert "holds the arrays ['layers.0.bias', 'layers.0.weight', 'layers.1.weight'" in refusal(folder)


def test_another_number_of_units_than_the_manifest_says_is_refused(folder: Path) -> None:
    change_manifest(folder, layers=[24, 8])
    assert "layers.0.weight is float32[20, 326], expected float32[24, 326]" in refusal(folder)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"format": FORMAT + 1}, f"has format {FORMAT + 1}, this version of bgai reads format {FORMAT}"),
        ({"format": None}, "has format None"),
        ({"encoder": "pixels-9"}, "pixels-9"),
        ({"encoder": ["points-1"]}, "encoder is ['points-1'], expected a text"),
        ({"name": 7}, "name is 7, expected a text"),
        ({"weights_sha256": None}, "weights_sha256 is None, expected a text"),
        ({"layers": 20}, "layers is 20"),
        ({"layers": []}, "layers is []"),
        ({"layers": ["20"]}, "layers is ['20']"),
        ({"layers": [-1]}, "layers is [-1]"),
        ({"colour": "blue"}, "unknown keys ['colour']"),
    ],
    ids=str,
)
def test_a_manifest_of_another_kind_is_refused(folder: Path, changes: dict[str, Any], expected: str) -> None:
    change_manifest(folder, **changes)
    assert expected in refusal(folder)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "is not JSON"),
        ('{"name": "cut', "is not JSON"),
        ("[]", "holds a list"),
        (f'{{"format": {FORMAT}}}', "missing keys ['encoder', 'layers', 'name', 'weights_sha256']"),
    ],
)
def test_a_broken_manifest_is_refused(folder: Path, text: str, expected: str) -> None:
    (folder / MANIFEST).write_text(text)
    assert expected in refusal(folder)
