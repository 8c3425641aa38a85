"""What a run keeps in its folder, and how it is measured, stopped and given up; both loops use it."""

from __future__ import annotations

import platform
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from numpy.typing import NDArray
from tqdm import tqdm

from bgai.errors import TrainingError
from bgai.model import Manifest, Model
from bgai.workers import Workers

from .checkpoint import FILE, Progress, save_checkpoint
from .config import TrainConfig, to_dict
from .evaluation import measure, score
from .learner import Learner
from .log import RunLog
from .processes import Processes

CONFIG, LATEST, BEST = "config.json", "model", "best"


def passed(before: int, now: int, every: int) -> bool:
    """Whether a multiple of `every` lies between two counts, or is the second."""
    return before // every < now // every


def evaluate(
    config: TrainConfig,
    folder: Path,
    learner: Learner,
    progress: Progress,
    log: RunLog,
    bar: tqdm[Any],
    workers: Workers | None = None,
) -> Progress:
    """Keeps the model, measures what was kept, and keeps it once more if it is the best so far.

    `workers` play the duels, by default the threads of the recipe.
    """
    model_of(config, learner, progress).save(folder / LATEST)
    threads = config.label.threads if config.labelled else config.selfplay.threads
    duels, opening = measure(folder / LATEST, config.evaluate, threads, workers)
    strength = {name: result.mean for name, result in duels.items()}
    intervals = {name: result.half_width for name, result in duels.items()}
    log.write(
        "evaluation",
        progress,
        {
            "points": strength,
            "half_width": intervals,
            "opening": opening,
            "cpu_seconds": round(progress.cpu_seconds, 2),
        },
    )
    text = ", ".join(f"{name} {strength[name]:+.3f} ± {intervals[name]:.3f}" for name in strength)
    count = getattr(progress, log.unit)
    bar.write(f"{count:>10,} {log.unit}  {progress.cpu_seconds:>6.0f} CPU-s  points a game against {text}")
    now = score(duels, config.evaluate)
    if progress.best_score is None or now > progress.best_score:
        replace_folder(folder / LATEST, folder / BEST)
        return replace(progress, best_score=now)
    return progress


def keep(
    config: TrainConfig,
    folder: Path,
    learner: Learner,
    progress: Progress,
    others: Mapping[str, NDArray[Any]] = MappingProxyType({}),
) -> None:
    """Writes the checkpoint, with other arrays beside the learner's."""
    save_checkpoint(folder, progress, to_dict(config), learner.state() | dict(others))


def model_of(config: TrainConfig, learner: Learner, progress: Progress) -> Model:
    """The present network with what is known of it."""
    manifest = Manifest(
        name=config.name,
        encoder=config.network.encoder,
        layers=config.network.layers,
        parent=config.network.start or config.label.teacher or None,
        games=progress.games,
        cpu_seconds=round(progress.cpu_seconds, 1),
        seed=config.seed,
        commit=_commit(),
        hardware=f"{platform.machine()}, {platform.processor() or platform.system()}",
        config=to_dict(config),
    )
    return Model(manifest, learner.weights())


def _commit() -> str:
    """The commit of the code, empty outside a clone."""
    where = Path(__file__).resolve().parent.parent
    if not (where / ".git").exists():
        return ""
    try:
        found = subprocess.run(["git", "rev-parse", "HEAD"], cwd=where, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return ""
    return found.stdout.strip()


def replace_folder(source: Path, target: Path) -> None:
    """Copies a folder so that `target` is always whole: the old one goes only when the new one is there."""
    fresh = target.with_name(f".{target.name}.new")
    shutil.rmtree(fresh, ignore_errors=True)
    shutil.copytree(source, fresh)
    if target.exists():
        shutil.rmtree(target)
    fresh.rename(target)


@contextmanager
def stoppable(piece: str, processes: Processes) -> Iterator[Callable[[], bool]]:
    """Makes Ctrl-C, and a polite end from outside, a wish to stop after the present `piece` of work; a second one
    stops at once. The wish may have come to any of the processes."""
    asked = False

    def ask(_signal: int, _frame: object) -> None:
        nonlocal asked
        if asked:
            raise KeyboardInterrupt
        asked = True
        tqdm.write(f"stopping after this {piece} (Ctrl-C again stops at once)")

    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield lambda: asked or processes.asked
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def clear_errors(folder: Path) -> Iterator[None]:
    """Says in one line what could not be written, or what exploded, and where the last good state is."""
    try:
        yield
    except TrainingError as error:
        raise TrainingError(f"{error}{_last_good(folder)}") from error
    except OSError as error:
        name = error.filename or folder
        raise TrainingError(f"cannot write {name}: {error.strerror or error}{_last_good(folder)}") from error


def _last_good(folder: Path) -> str:
    return f"; the last good checkpoint is {folder / FILE}" if (folder / FILE).is_file() else ""
