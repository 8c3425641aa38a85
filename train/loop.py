"""The training loop: play, learn, look, keep; again.

The network plays some hundreds of games against itself with fixed weights. Each position met gets a target: what
the next position turned out to be worth, seen from the other side, or the result at the end of the game
(TD(lambda), Sutton 1988; Tesauro's TD-Gammon, 1992). The network learns these targets, and plays again.

Nothing here depends on the clock: dice, order of positions, schedules, evaluations and checkpoints follow from
the seed and the number of games, so that a run that was killed and resumed ends with the same weights.
"""

from __future__ import annotations

import json
import platform
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from tqdm import tqdm

from bgai.duel import duellist
from bgai.errors import ConfigError, TrainingError
from bgai.files import write_whole
from bgai.model import Manifest, Model

from .checkpoint import FILE, Progress, load_checkpoint, save_checkpoint
from .config import TrainConfig, at_games, from_dict, to_dict
from .evaluation import measure, score
from .learner import Learner
from .log import RunLog
from .selfplay import Experience, compile_first, play

CONFIG, LATEST, BEST = "config.json", "model", "best"


def start_run(config: TrainConfig, folder: Path) -> Progress:
    """Trains from the beginning into an empty or new folder.

    Raises:
        ConfigError: the folder is a file, or holds something already.
        ModelError: `network.start` or an opponent is no model.
        TrainingError: the loss exploded, or a file could not be written.
        KeyboardInterrupt: Ctrl-C, after the run has been saved.
    """
    if folder.exists() and not folder.is_dir():
        raise ConfigError(f"{folder} is a file, expected a folder for the run")
    if folder.is_dir() and any(folder.iterdir()):
        hint = f"resume it with: bgai train --resume {folder}, or" if (folder / FILE).exists() else "empty it, or"
        raise ConfigError(f"{folder} already holds a run; {hint} choose another folder with --out")
    learner = _learner(config)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(f"cannot make the folder {folder}: {error.strerror}") from error
    with _clear_errors(folder):
        write_whole(folder / CONFIG, json.dumps(to_dict(config), indent=2).encode() + b"\n")
        return _train(config, folder, learner, Progress())


def resume_run(folder: Path, expected: TrainConfig | None = None) -> Progress:
    """Goes on from the last checkpoint of a run; `expected` is the recipe that it must have.

    Raises:
        ConfigError: no folder, or the run has another recipe than expected.
        ModelError: no checkpoint there, or a damaged one.
        TrainingError, KeyboardInterrupt: as in `start_run`.
    """
    if not folder.is_dir():
        raise ConfigError(f"{folder} is no folder, expected that of a run")
    progress, raw, arrays = load_checkpoint(folder)
    config = from_dict(raw)
    if expected is not None and expected != config:
        changed = _differences(to_dict(expected), raw)
        raise ConfigError(f"the run in {folder} has another recipe: {'; '.join(changed)}")
    learner = _learner(config)
    learner.restore(arrays)
    with _clear_errors(folder):
        return _train(config, folder, learner, progress)


def _differences(expected: dict[str, Any], found: dict[str, Any], prefix: str = "") -> list[str]:
    """The keys in which two resolved configurations differ, with both values."""
    changed: list[str] = []
    for key, value in expected.items():
        there = found.get(key)
        if isinstance(value, dict) and isinstance(there, dict):
            changed += _differences(value, there, f"{prefix}{key}.")
        elif value != there:
            changed.append(f"{prefix}{key} is {there!r} there and {value!r} here")
    return changed


def _learner(config: TrainConfig) -> Learner:
    """A new learner; opens every model that the recipe names, so that a wrong name is told at once."""
    for opponent in config.evaluate.opponents:
        duellist(opponent)
    return Learner(config)


def _train(config: TrainConfig, folder: Path, learner: Learner, progress: Progress) -> Progress:
    total = config.selfplay.games
    cpu_before = progress.cpu_seconds - time.process_time()
    first_games, first_cpu = progress.games, progress.cpu_seconds
    print(f"TensorBoard: tensorboard --logdir {folder / 'tensorboard'}")
    compile_first(learner.net(), config.selfplay)

    with (
        RunLog(folder, progress.games) as log,
        tqdm(total=total, initial=progress.games, unit="game", smoothing=0.05) as bar,
        _stoppable() as stopped,
    ):
        if progress.games == 0:
            _keep(config, folder, learner, progress)
        while progress.games < total:
            # ---------------------------------------------------------------- play
            games = min(_games_now(config, progress.games), total - progress.games)
            experience = play(learner.net(), config.selfplay, config.seed, progress.games, games)

            # ---------------------------------------------------------------- learn
            loss = 0.0
            for number in range(config.optim.passes):
                order = np.random.default_rng([config.seed, progress.updates, number])
                loss = learner.learn(experience.boards, experience.targets, progress.games, order)

            before = progress.games
            progress = replace(
                progress,
                games=before + games,
                updates=progress.updates + 1,
                cpu_seconds=cpu_before + time.process_time(),
            )

            # ---------------------------------------------------------------- look
            log.write("update", progress.games, _update_entry(config, before, progress, loss, experience))
            bar.update(games)
            bar.set_postfix(loss=f"{loss:.4f}", refresh=False)
            due = progress.games == total or _passed(before, progress.games, config.evaluate.every)
            if due:
                progress = _evaluate(config, folder, learner, progress, log, bar)
                progress = replace(progress, cpu_seconds=cpu_before + time.process_time())

            # ---------------------------------------------------------------- keep
            stopping = stopped()
            if due or stopping or _passed(before, progress.games, config.checkpoint.every):
                _keep(config, folder, learner, progress)
            if stopping:
                break

    games, cpu = progress.games - first_games, progress.cpu_seconds - first_cpu
    print(f"{games:,} games in {cpu:.0f} CPU-seconds ({games / max(cpu, 1e-9):,.0f} games per CPU-second)")
    if progress.games < total:
        print(f"stopped after {progress.games:,} of {total:,} games; go on with: bgai train --resume {folder}")
        raise KeyboardInterrupt
    print(f"done: the last model is in {folder / LATEST}, the best in {folder / BEST}")
    return progress


def _games_now(config: TrainConfig, games: int) -> int:
    """Games of the next update; always the same for the same number of games played."""
    whole = config.selfplay.games_per_update
    return max(whole // 8, 1) if games < config.selfplay.warm_up else whole


def _passed(before: int, now: int, every: int) -> bool:
    return before // every < now // every


def _update_entry(
    config: TrainConfig, before: int, progress: Progress, loss: float, experience: Experience
) -> dict[str, Any]:
    finished = np.maximum((experience.points > 0).sum(), 1)
    return {
        "loss": loss,
        "plies": float(experience.lengths.mean()),
        "gammons": float((experience.points >= 2).sum() / finished),
        "backgammons": float((experience.points == 3).sum() / finished),
        "lr": at_games(config.optim.lr, before),
        "trace": at_games(config.selfplay.trace, before),
        "cpu_seconds": round(progress.cpu_seconds, 2),
    }


def _evaluate(
    config: TrainConfig, folder: Path, learner: Learner, progress: Progress, log: RunLog, bar: tqdm[Any]
) -> Progress:
    """Keeps the model, measures what was kept, and keeps it once more if it is the best so far."""
    _model(config, learner, progress).save(folder / LATEST)
    duels, opening = measure(folder / LATEST, config.evaluate, config.selfplay.threads)
    strength = {name: result.mean for name, result in duels.items()}
    intervals = {name: result.half_width for name, result in duels.items()}
    log.write(
        "evaluation",
        progress.games,
        {
            "points": strength,
            "half_width": intervals,
            "opening": opening,
            "cpu_seconds": round(progress.cpu_seconds, 2),
        },
    )
    text = ", ".join(f"{name} {strength[name]:+.3f} ± {intervals[name]:.3f}" for name in strength)
    bar.write(f"{progress.games:>10,} games  {progress.cpu_seconds:>6.0f} CPU-s  points a game against {text}")
    now = score(duels, config.evaluate)
    if progress.best_score is None or now > progress.best_score:
        _replace_folder(folder / LATEST, folder / BEST)
        return replace(progress, best_score=now)
    return progress


def _keep(config: TrainConfig, folder: Path, learner: Learner, progress: Progress) -> None:
    save_checkpoint(folder, progress, to_dict(config), learner.state())


def _model(config: TrainConfig, learner: Learner, progress: Progress) -> Model:
    manifest = Manifest(
        name=config.name,
        encoder=config.network.encoder,
        layers=config.network.layers,
        parent=config.network.start or None,
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


def _replace_folder(source: Path, target: Path) -> None:
    """Copies a folder so that `target` is always whole: the old one goes only when the new one is there."""
    fresh = target.with_name(f".{target.name}.new")
    shutil.rmtree(fresh, ignore_errors=True)
    shutil.copytree(source, fresh)
    if target.exists():
        shutil.rmtree(target)
    fresh.rename(target)


@contextmanager
def _stoppable() -> Iterator[Any]:
    """Makes Ctrl-C a wish to stop at the next good moment; a second one stops at once."""
    asked = False

    def ask(_signal: int, _frame: object) -> None:
        nonlocal asked
        if asked:
            raise KeyboardInterrupt
        asked = True
        tqdm.write("stopping after this update (Ctrl-C again stops at once)")

    before = signal.signal(signal.SIGINT, ask)
    try:
        yield lambda: asked
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _clear_errors(folder: Path) -> Iterator[None]:
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
