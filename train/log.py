"""What a run writes down: `log.jsonl`, one object a line, and the same numbers for TensorBoard."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any, Literal

from tensorboard.compat.proto.event_pb2 import Event, SessionLog
from tensorboard.compat.proto.summary_pb2 import Summary
from tensorboard.summary.writer.record_writer import RecordWriter

from bgai.errors import TrainingError
from bgai.files import write_whole

from .checkpoint import Progress

LOG, SCALARS = "log.jsonl", "tensorboard"


class RunLog:
    """The two logs of a run, cut back to where it resumes. Used in a `with` statement."""

    def __init__(self, folder: Path, start: Progress, unit: Literal["games", "positions"] = "games") -> None:
        """`unit`: what the run counts. What was written after `start` belongs to work that is done again, and goes."""
        self.unit = unit
        path, step = folder / LOG, getattr(start, unit)
        _cut_back(path, unit, step)
        self._file = path.open("a", encoding="utf-8")
        self._scalars = _Scalars(folder / SCALARS, step + 1)

    def write(self, kind: str, progress: Progress, values: dict[str, Any]) -> None:
        """One line, and every number in it as a scalar `kind/name` over what the run counts."""
        step = getattr(progress, self.unit)
        counts = {self.unit: step, "games": progress.games}
        self._file.write(json.dumps({"kind": kind, **counts, **values}) + "\n")
        self._file.flush()
        self._scalars.write(step, _numbers(kind, values))

    def __enter__(self) -> RunLog:
        return self

    def __exit__(self, *_: object) -> None:
        """Closes the files."""
        try:
            self._file.close()
        finally:
            self._scalars.close()


class _Scalars:
    """A file of TensorBoard's events, written in this thread, so that a full disk is noticed where it happens."""

    def __init__(self, folder: Path, first_step: int) -> None:
        """Hides what earlier files of the folder say from `first_step` on."""
        folder.mkdir(exist_ok=True)
        # TensorBoard reads the files of a folder in the order of their names.
        self._file = (folder / f"events.out.tfevents.{time.time_ns()}").open("wb")
        self._records = RecordWriter(self._file)
        self._event(file_version="brain.Event:2")
        self._event(step=first_step, session_log=SessionLog(status=SessionLog.START))

    def write(self, step: int, numbers: dict[str, float]) -> None:
        values = [Summary.Value(tag=name, simple_value=number) for name, number in numbers.items()]
        self._event(step=step, summary=Summary(value=values))

    def close(self) -> None:
        self._file.close()

    def _event(self, **what: Any) -> None:
        self._records.write(Event(wall_time=time.time(), **what).SerializeToString())
        self._file.flush()


def read_log(folder: Path, kind: str) -> list[dict[str, Any]]:
    """The lines of one kind, oldest first; a last line cut short by a crash is left out.

    Raises:
        TrainingError: a line that is no entry.
    """
    return [entry for entry in _entries(folder / LOG) if entry["kind"] == kind]


def _entries(path: Path) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = []
    for number, line in enumerate(path.read_bytes().splitlines(keepends=True), start=1):
        if not line.endswith(b"\n"):
            break
        try:
            entry = json.loads(line)
            entries.append({"kind": entry["kind"], "games": int(entry["games"]), **entry})
        except (ValueError, TypeError, KeyError) as error:
            raise TrainingError(f"{path}, line {number} is no entry of a log") from error
    return entries


def _cut_back(path: Path, unit: str, step: int) -> None:
    if path.is_file():
        kept = [entry for entry in _entries(path) if entry.get(unit, 0) <= step]
        write_whole(path, "".join(json.dumps(entry) + "\n" for entry in kept).encode())


def _numbers(prefix: str, values: dict[str, Any]) -> dict[str, float]:
    found: dict[str, float] = {}
    for name, value in values.items():
        if isinstance(value, dict):
            found |= _numbers(f"{prefix}/{name}", value)
        elif isinstance(value, int | float):
            found[f"{prefix}/{name}"] = float(value)
    return found
