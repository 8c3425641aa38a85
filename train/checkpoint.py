"""Checkpoints: everything a run needs to go on as if it had never stopped, in one file."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from bgai.errors import ModelError
from bgai.files import write_whole

FILE = "checkpoint.safetensors"


@dataclass(frozen=True)
class Progress:
    """How far a run has come."""

    games: int = 0
    updates: int = 0
    cpu_seconds: float = 0.0
    """Processor time of all sessions of the run."""
    best_score: float | None = None
    """Points a game of the best checkpoint, see `train.evaluation`."""


def save_checkpoint(folder: Path, progress: Progress, config: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> Path:
    """Writes the file whole; a crash leaves the one before."""
    metadata = {"progress": json.dumps(asdict(progress)), "config": json.dumps(config)}
    path = folder / FILE
    write_whole(path, save({name: np.ascontiguousarray(array) for name, array in arrays.items()}, metadata))
    return path


def load_checkpoint(folder: Path) -> tuple[Progress, dict[str, Any], dict[str, NDArray[Any]]]:
    """Progress, configuration and arrays of a run.

    Raises:
        ModelError: no checkpoint there, or a damaged one.
    """
    path = folder / FILE
    if not path.is_file():
        raise ModelError(f"nothing to resume: {path} does not exist")
    try:
        with safe_open(path, framework="numpy") as file:
            metadata = file.metadata() or {}
            arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - not a dictionary
        return Progress(**json.loads(metadata["progress"])), json.loads(metadata["config"]), arrays
    except (SafetensorError, KeyError, ValueError, TypeError) as error:
        raise ModelError(f"{path} is not a whole checkpoint: {error}") from error
