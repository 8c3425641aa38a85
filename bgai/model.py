"""Kept networks: a folder with `weights.safetensors`, `manifest.json` and, where there is one, `filter.safetensors`.

The weights are plain arrays by name, `layers.0.weight` [H, F] and so on, read without pickle and without torch.
The manifest says what they are and how they came about. The filter is a smaller network that learnt from this one what
plays look like that need not be looked at (see `bgai.kernels.static`); everything works without it, only slower.
"""

from __future__ import annotations

import hashlib
import itertools
import json
from dataclasses import asdict, dataclass, field, fields, replace
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

FORMAT = 2
"""Version of the folder's format, 2 since there are filters; a reader refuses a newer one."""

WEIGHTS, FILTER, MANIFEST = "weights.safetensors", "filter.safetensors", "manifest.json"

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
    filter_layers: list[int] = field(default_factory=list)
    """Units of each hidden layer of the filter; empty: there is none."""
    filter_sha256: str = ""
    """Hash of the file with the filter's weights."""
    format: int = FORMAT


@dataclass(frozen=True)
class Model:
    """A network with its description."""

    manifest: Manifest
    weights: Weights
    filter_weights: Weights | None = None
    """Those of the filter, if there is one; its layers are in the manifest."""

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

    def filter_net(self, *, exact: bool = False) -> Net | None:
        """The filter in the form that kernels take, None if the model has none; it goes with `net` of the same form."""
        if self.filter_weights is None:
            return None
        net = export(self.encoder, self.manifest.filter_layers, self.filter_weights)
        return net if exact else quantise(net)

    def with_filter(self, layers: list[int], weights: Weights) -> Model:
        """The same model with another filter, whose hidden layers have so many units."""
        return Model(replace(self.manifest, filter_layers=layers), self.weights, weights)

    def save(self, folder: Path) -> Manifest:
        """Writes the files, each whole; returns the manifest with the hashes filled in."""
        folder.mkdir(parents=True, exist_ok=True)
        manifest = replace(self.manifest, format=FORMAT, weights_sha256=_write(folder / WEIGHTS, self.weights))
        if self.filter_weights is None:
            manifest = replace(manifest, filter_layers=[], filter_sha256="")
        else:
            manifest = replace(manifest, filter_sha256=_write(folder / FILTER, self.filter_weights))
        write_whole(folder / MANIFEST, json.dumps(asdict(manifest), indent=2).encode() + b"\n")
        if self.filter_weights is None:
            # One that lay here belongs to other weights.
            (folder / FILTER).unlink(missing_ok=True)
        return manifest


def _write(path: Path, weights: Weights) -> str:
    """Writes arrays to a file; returns its hash."""
    data = save({name: np.ascontiguousarray(array) for name, array in weights.items()})
    write_whole(path, data)
    return hashlib.sha256(data).hexdigest()


def load_model(folder: Path) -> Model:
    """Reads a model folder and checks that it is whole.

    Raises:
        ModelError: a file is missing, cut short, changed, of a newer format or of another shape.
    """
    manifest = _read_manifest(folder)
    features = encoder(manifest.encoder)
    weights = _read(folder / WEIGHTS, "weights", features, manifest.layers, manifest.weights_sha256)
    if not manifest.filter_layers:
        return Model(manifest, weights)
    small = _read(folder / FILTER, "filter", features, manifest.filter_layers, manifest.filter_sha256)
    return Model(manifest, weights, small)


def _read(path: Path, what: str, features: Encoder, layers: list[int], digest: str) -> Weights:
    """The arrays of a file, which must have that hash and be those of a network with such layers."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ModelError(f"cannot read the {what} {path}: {error.strerror}") from error
    found = hashlib.sha256(data).hexdigest()
    if found != digest:
        raise ModelError(f"{path} is damaged: its SHA-256 is {found[:12]}…, the manifest says {digest[:12]}…")
    try:
        weights = load(data)
    except SafetensorError as error:
        raise ModelError(f"{path} is not a safetensors file: {error}") from error
    check_weights(features, layers, weights, str(path))
    return weights


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
    if raw.get("format") not in range(1, FORMAT + 1):
        raise ModelError(
            f"{path} has format {raw.get('format')!r}, this version of bgai reads format {FORMAT} or older"
        )
    known = {entry.name for entry in fields(Manifest)}
    unknown = sorted(set(raw) - known)
    missing = sorted({"name", "encoder", "layers", "weights_sha256"} - set(raw))
    if unknown or missing:
        raise ModelError(f"{path}: unknown keys {unknown}, missing keys {missing}")
    for key in ("name", "encoder", "weights_sha256"):
        if not isinstance(raw[key], str):
            raise ModelError(f"{path}: {key} is {raw[key]!r}, expected a text")
    for key, least in (("layers", 1), ("filter_layers", 0)):
        layers = raw.get(key, [])
        widths = isinstance(layers, list) and all(type(width) is int and width > 0 for width in layers)
        if not widths or len(layers) < least:
            raise ModelError(f"{path}: {key} is {layers!r}, expected the units of each hidden layer")
    for key, kind in (
        ("results", dict),
        ("config", dict),
        ("cube_efficiency", dict),
        ("filter_sha256", str),
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
