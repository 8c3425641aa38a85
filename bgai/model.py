"""Kept networks: a folder with `weights.safetensors` and `manifest.json`.

The weights are plain arrays by name, `layers.0.weight` [H, F] and so on, read without pickle and without torch.
The manifest says what they are and how they came about.
"""

from __future__ import annotations

import hashlib
import itertools
import json
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load, save

from bgai.errors import ModelError
from bgai.features import Encoder, encoder
from bgai.files import write_whole
from bgai.kernels.forward import COUNTS, PADDED_OUTPUTS, SLOTS, Net
from bgai.kernels.quantised import quantise
from bgai.kernels.vector import BLOCK, LANES, aligned
from bgai.outcomes import COUNT

FORMAT = 1
"""Version of the folder's format; a reader refuses a newer one."""

WEIGHTS, MANIFEST = "weights.safetensors", "manifest.json"

Weights = dict[str, NDArray[np.float32]]


@dataclass(frozen=True)
class Manifest:
    """What is known of a model."""

    name: str
    encoder: str
    """Name of the encoder, see `bgai.features`."""
    layers: list[int]
    """Units of each hidden layer."""
    weights_sha256: str = ""
    """Hash of the file with the weights."""
    parent: str | None = None
    """Name of the model that training started from."""
    changed: str = ""
    """What is new beside the parent, in one line."""
    games: int = 0
    """Games of self-play behind it."""
    cpu_seconds: float = 0.0
    """Processor time of the training."""
    seed: int = 0
    commit: str = ""
    """Commit of the code that trained it."""
    hardware: str = ""
    config: dict[str, Any] = field(default_factory=dict)
    """The resolved training configuration."""
    results: dict[str, Any] = field(default_factory=dict)
    """Measured strength: what against, points a game, interval, games, seed."""
    cube_efficiency: dict[str, float] = field(default_factory=dict)
    """How live the cube is, by kind of position: see `bgai.cube`. Empty: never fitted."""
    format: int = FORMAT


@dataclass(frozen=True)
class Model:
    """A network with its description."""

    manifest: Manifest
    weights: Weights

    @property
    def name(self) -> str:
        return self.manifest.name

    @property
    def encoder(self) -> Encoder:
        return encoder(self.manifest.encoder)

    def net(self, *, exact: bool = False) -> Net:
        """The network in the form that kernels take: the fast one, or the one that is not rounded."""
        net = export(self.encoder, self.manifest.layers, self.weights)
        return net if exact else quantise(net)

    def save(self, folder: Path) -> Manifest:
        """Writes the two files, each whole; returns the manifest with the hash filled in."""
        folder.mkdir(parents=True, exist_ok=True)
        data = save({name: np.ascontiguousarray(array) for name, array in self.weights.items()})
        manifest = Manifest(**{**asdict(self.manifest), "weights_sha256": hashlib.sha256(data).hexdigest()})
        write_whole(folder / WEIGHTS, data)
        write_whole(folder / MANIFEST, json.dumps(asdict(manifest), indent=2).encode() + b"\n")
        return manifest


def load_model(folder: Path) -> Model:
    """Reads a model folder and checks that it is whole.

    Raises:
        ModelError: a file is missing, cut short, changed, of a newer format or of another shape.
    """
    manifest = _read_manifest(folder)
    path = folder / WEIGHTS
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ModelError(f"cannot read the weights {path}: {error.strerror}") from error
    found = hashlib.sha256(data).hexdigest()
    if found != manifest.weights_sha256:
        raise ModelError(
            f"{path} is damaged: its SHA-256 is {found[:12]}…, the manifest says {manifest.weights_sha256[:12]}…"
        )
    try:
        weights = load(data)
    except SafetensorError as error:
        raise ModelError(f"{path} is not a safetensors file: {error}") from error
    check_weights(encoder(manifest.encoder), manifest.layers, weights, str(path))
    return Model(manifest, weights)


def _read_manifest(folder: Path) -> Manifest:
    path = folder / MANIFEST
    try:
        raw = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise ModelError(f"{folder} is no model: cannot read {MANIFEST}: {error.strerror}") from error
    except ValueError as error:
        raise ModelError(f"{path} is not JSON: {error}") from error
    if not isinstance(raw, dict):
        raise ModelError(f"{path} holds a {type(raw).__name__}, expected an object")
    if raw.get("format") != FORMAT:
        raise ModelError(f"{path} has format {raw.get('format')!r}, this version of bgai reads format {FORMAT}")
    known = {entry.name for entry in fields(Manifest)}
    unknown = sorted(set(raw) - known)
    missing = sorted({"name", "encoder", "layers", "weights_sha256"} - set(raw))
    if unknown or missing:
        raise ModelError(f"{path}: unknown keys {unknown}, missing keys {missing}")
    for key in ("name", "encoder", "weights_sha256"):
        if not isinstance(raw[key], str):
            raise ModelError(f"{path}: {key} is {raw[key]!r}, expected a text")
    layers = raw["layers"]
    if not (isinstance(layers, list) and layers and all(type(width) is int and width > 0 for width in layers)):
        raise ModelError(f"{path}: layers is {layers!r}, expected the units of each hidden layer")
    for key, kind in (
        ("results", dict),
        ("config", dict),
        ("cube_efficiency", dict),
        ("games", int),
        ("cpu_seconds", int | float),
        ("seed", int),
    ):
        if key in raw and not isinstance(raw[key], kind):
            raise ModelError(f"{path}: {key} is {raw[key]!r}, which is of another kind than expected")
    return Manifest(**raw)


def check_weights(features: Encoder, layers: list[int], weights: Weights, where: str) -> None:
    """Compares the arrays with what encoder and layers ask for.

    Raises:
        ModelError: an array is missing, of another shape or type, or holds a number that is not finite.
    """
    sizes = [features.inputs, *layers, COUNT]
    expected: dict[str, tuple[int, ...]] = {}
    for layer, (inputs, outputs) in enumerate(itertools.pairwise(sizes)):
        expected[f"layers.{layer}.weight"] = (outputs, inputs)
        expected[f"layers.{layer}.bias"] = (outputs,)
    if set(weights) != set(expected):
        raise ModelError(f"{where} holds the arrays {sorted(weights)}, expected {sorted(expected)}")
    for name, shape in expected.items():
        array = weights[name]
        if array.shape != shape or array.dtype != np.float32:
            raise ModelError(f"{where}: {name} is {array.dtype}{list(array.shape)}, expected float32{list(shape)}")
        if not np.isfinite(array).all():
            raise ModelError(f"{where}: {name} holds numbers that are not finite")


def export(features: Encoder, layers: list[int], weights: Weights) -> Net:
    """Turns the first layer into a table and pads every width to what the kernels' vectors need."""
    first = _padded(layers[0], BLOCK)
    table = np.zeros((SLOTS * COUNTS, first), dtype=np.float32)
    table[:, : layers[0]] = features.table(weights["layers.0.weight"])
    bias = np.zeros(first, dtype=np.float32)
    bias[: layers[0]] = weights["layers.0.bias"]
    widths = [first]
    parts: list[NDArray[np.float32]] = []
    for layer in range(1, len(layers) + 1):
        matrix, vector = weights[f"layers.{layer}.weight"], weights[f"layers.{layer}.bias"]
        wide = _padded(len(vector), LANES) if layer < len(layers) else PADDED_OUTPUTS
        padded = np.zeros((widths[-1], wide), dtype=np.float32)
        padded[: matrix.shape[1], : matrix.shape[0]] = matrix.T
        padded_bias = np.zeros(wide, dtype=np.float32)
        padded_bias[: len(vector)] = vector
        parts += [padded.ravel(), padded_bias]
        widths.append(wide)
    return Net(aligned(table), aligned(bias), aligned(np.concatenate(parts)), np.array(widths, dtype=np.int64))


def _padded(width: int, multiple: int) -> int:
    return -(-width // multiple) * multiple
