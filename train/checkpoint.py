"""Checkpoints: everything a run needs to go on as if it had never stopped, in one file."""

from __future__ import annotations

import hashlib
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
    positions: int = 0
    """Positions labelled and positions learnt from, in all generations; 0 in a run that learns while it plays."""
    cpu_seconds: float = 0.0
    """Processor time of all sessions of the run."""
    best_score: float | None = None
    """Points a game of the best checkpoint, see `train.evaluation`."""


def save_checkpoint(folder: Path, progress: Progress, config: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> Path:
    """Writes the file whole; a crash leaves the one before."""
    path = folder / FILE
    whole = {name: np.asarray(array, order="C") for name, array in arrays.items()}
    metadata = {"progress": json.dumps(asdict(progress)), "config": json.dumps(config)}
    write_whole(path, save(whole, metadata | {"sha256": _digest(metadata, whole)}))
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
        digest = metadata.pop("sha256", None)
        progress, config = Progress(**json.loads(metadata["progress"])), json.loads(metadata["config"])
    except (SafetensorError, KeyError, ValueError, TypeError) as error:
        raise ModelError(f"{path} is not a whole checkpoint: {error}") from error
    # The first checkpoints had no hash.
    if digest is not None and digest != (found := _digest(metadata, arrays)):
        raise ModelError(f"{path} is damaged: its content has the SHA-256 {found[:12]}…, expected {digest[:12]}…")
    return progress, config, arrays


def _digest(texts: dict[str, str], arrays: dict[str, NDArray[Any]]) -> str:
    digest = hashlib.sha256(json.dumps(sorted(texts.items())).encode())
    for name, array in sorted(arrays.items()):
        digest.update(f"{name} {array.dtype} {array.shape}".encode())
        digest.update(array.tobytes())
    return digest.hexdigest()
