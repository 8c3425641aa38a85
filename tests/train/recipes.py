"""Recipes that take a second, and what a run leaves behind, to compare runs with."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from bgai_train.checkpoint import load_checkpoint
from bgai_train.config import TrainConfig, from_dict

RECIPE = """\
name = "tiny"
seed = 3
[network]
layers = [16]
[selfplay]
games = 480
games_per_update = 32
warm_up = 64
trace = [[0, 0.7], [300, 0.0]]
explore = 0.1
[optim]
lr = 0.01
batch = 256
[evaluate]
every = 150
games = 20
[checkpoint]
every = 100
"""


TIMES = ("cpu_seconds", "waited_seconds")
"""What differs between two runs that are the same."""


def tiny(**sections: Any) -> TrainConfig:
    """A configuration of one second, with changes by section: `tiny(optim={"lr": 0.1}, seed=2)`."""
    raw: dict[str, Any] = {
        "name": "tiny",
        "seed": 3,
        "network": {"layers": [16]},
        "selfplay": {"games": 160, "games_per_update": 32, "warm_up": 64},
        "optim": {"lr": 0.01, "batch": 256},
        "evaluate": {"every": 80, "games": 20},
        "checkpoint": {"every": 40},
    }
    for key, value in sections.items():
        raw[key] = {**raw[key], **value} if isinstance(value, dict) else value
    return from_dict(raw)


def write_recipe(folder: Path) -> Path:
    """RECIPE as a file."""
    path = folder / "tiny.toml"
    path.write_text(RECIPE, "utf-8")
    return path


def timeless(value: Any) -> Any:
    """The same without the times."""
    if isinstance(value, dict):
        return {key: timeless(part) for key, part in value.items() if key not in TIMES}
    return value


def left_behind(folder: Path) -> dict[str, Any]:
    """All that a run leaves, but for the processor time: weights bit by bit, log, progress, manifests."""
    progress, config, arrays = load_checkpoint(folder)
    log = [json.loads(line) for line in (folder / "log.jsonl").read_text("utf-8").splitlines()]
    found: dict[str, Any] = {
        "progress": timeless(asdict(progress)),
        "config": config,
        "arrays": {name: (array.shape, array.tobytes()) for name, array in arrays.items()},
        "log": [timeless(entry) for entry in log],
    }
    for kept in ("model", "best"):
        found[f"{kept} weights"] = (folder / kept / "weights.safetensors").read_bytes()
        found[f"{kept} manifest"] = timeless(json.loads((folder / kept / "manifest.json").read_text("utf-8")))
    return found


def assert_same_run(found: Path, expected: Path) -> None:
    """Two runs left the same behind."""
    one, other = left_behind(found), left_behind(expected)
    for name, value in other.items():
        assert one[name] == value, f"{name} differs"


def largest_weight(folder: Path) -> float:
    """Of the network in a checkpoint."""
    _, _, arrays = load_checkpoint(folder)
    return max(float(np.abs(array).max()) for name, array in arrays.items() if name.startswith("network."))
