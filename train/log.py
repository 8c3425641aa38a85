"""What a run writes down: `log.jsonl`, one object a line, and the same numbers for TensorBoard."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from torch.utils.tensorboard import SummaryWriter

from bgai.files import write_whole

LOG = "log.jsonl"


class RunLog:
    """The two logs of a run, cut back to where it resumes."""

    def __init__(self, folder: Path, games: int) -> None:
        """`games`: what was written after so many games belongs to work that is done again, and goes."""
        path = folder / LOG
        if path.exists() or games:
            _cut_back(path, games)
        self._file = path.open("a", encoding="utf-8")
        self._board = SummaryWriter(folder / "tensorboard", purge_step=games or None)

    def write(self, kind: str, games: int, values: dict[str, Any]) -> None:
        """One line, and every number in it as a scalar `kind/name` at step `games`."""
        self._file.write(json.dumps({"kind": kind, "games": games, **values}) + "\n")
        self._file.flush()
        for name, value in _numbers(kind, values):
            self._board.add_scalar(name, value, games)

    def close(self) -> None:
        """Writes out what is still in memory."""
        self._file.close()
        self._board.close()


def read_log(folder: Path, kind: str) -> list[dict[str, Any]]:
    """The lines of one kind, oldest first; a last line cut short by a crash is left out."""
    return [entry for entry in _entries(folder / LOG) if entry["kind"] == kind]


def _entries(path: Path) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = []
    for line in path.read_text("utf-8").splitlines(keepends=True):
        if line.endswith("\n"):
            entries.append(json.loads(line))
    return entries


def _cut_back(path: Path, games: int) -> None:
    if path.is_file():
        kept = [entry for entry in _entries(path) if entry["games"] <= games]
        write_whole(path, "".join(json.dumps(entry) + "\n" for entry in kept).encode())


def _numbers(prefix: str, values: dict[str, Any]) -> list[tuple[str, float]]:
    found: list[tuple[str, float]] = []
    for name, value in values.items():
        if isinstance(value, dict):
            found += _numbers(f"{prefix}/{name}", value)
        elif isinstance(value, int | float):
            found.append((f"{prefix}/{name}", float(value)))
    return found
