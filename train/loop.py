"""The training loop: play, learn, look, keep; again.

The network plays some hundreds of games against itself with fixed weights. Each position met gets a target: what
the next position turned out to be worth, seen from the other side, or the result at the end of the game
(TD(lambda), Sutton 1988; Tesauro's TD-Gammon, 1992). The network learns these targets, and plays again.

That is for recipes that learn while they play; those with labels are run by `generations`.

With `selfplay.ahead` the games of the next updates are played while it learns, by weights that are as many updates old
(see `ahead`).

Nothing here depends on the clock: dice, order of positions, schedules, evaluations and checkpoints follow from
the seed and the number of games, so that a run that was killed and resumed ends with the same weights.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from bgai.catalogue import open_model
from bgai.duel import duellist
from bgai.errors import ConfigError
from bgai.files import write_whole
from bgai.workers import LocalWorkers, Workers

from .ahead import GamesAhead
from .checkpoint import FILE, Progress, load_checkpoint
from .config import TrainConfig, at_games, from_dict, to_dict
from .generations import train_generations
from .keeping import BEST, CONFIG, LATEST, clear_errors, evaluate, keep, passed, stoppable
from .learner import Learner
from .log import RunLog
from .processes import ALONE, Processes
from .selfplay import Experience, compile_first
from .sharing import ProcessWorkers


def start_run(
    config: TrainConfig, folder: Path, processes: Processes = ALONE, workers: Workers | None = None
) -> Progress:
    """Trains from the beginning into an empty or new folder.

    Args:
        processes: those that learn together, and where; this is the first of them.
        workers: who play and label, by default the threads of the recipe, in each of the processes.

    Raises:
        ConfigError: the folder is a file, or holds something already.
        ModelError: `network.start`, `label.teacher` or an opponent is no model.
        TrainingError: the loss exploded, or a file could not be written.
        KeyboardInterrupt: Ctrl-C, after the run has been saved.
    """
    if folder.exists() and not folder.is_dir():
        raise ConfigError(f"{folder} is a file, expected a folder for the run")
    if folder.is_dir() and any(folder.iterdir()):
        hint = f"resume it with: bgai train --resume {folder}, or" if (folder / FILE).exists() else "empty it, or"
        raise ConfigError(f"{folder} already holds a run; {hint} choose another folder with --out")
    learner = _learner(config, processes)
    if config.label.teacher:
        # Needed later; a run that goes on needs it no more once its labels are there.
        open_model(config.label.teacher)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(f"cannot make the folder {folder}: {error.strerror}") from error
    with clear_errors(folder):
        write_whole(folder / CONFIG, json.dumps(to_dict(config), indent=2).encode() + b"\n")
        return _train(config, folder, learner, Progress(), workers)


def resume_run(
    folder: Path,
    expected: TrainConfig | None = None,
    processes: Processes = ALONE,
    workers: Workers | None = None,
) -> Progress:
    """Goes on from the last checkpoint of a run; `expected` is the recipe that it must have.

    Device, number of processes and workers may be others than before.

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
    learner = _learner(config, processes)
    learner.restore(arrays)
    with clear_errors(folder):
        return _train(config, folder, learner, progress, workers, arrays)


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


def _learner(config: TrainConfig, processes: Processes) -> Learner:
    """A new learner; opens every model that the recipe names, so that a wrong name is told at once."""
    for opponent in config.evaluate.opponents:
        duellist(opponent)
    return Learner(config, processes)


def _train(
    config: TrainConfig,
    folder: Path,
    learner: Learner,
    progress: Progress,
    workers: Workers | None,
    arrays: dict[str, NDArray[Any]] | None = None,
) -> Progress:
    """`arrays` of the checkpoint, if there is one."""
    if workers is None and learner.processes.lead:
        threads = config.label.threads if config.labelled else config.selfplay.threads
        workers = ProcessWorkers(learner.processes, threads)
    if config.labelled:
        return train_generations(config, folder, learner, progress, workers)
    total = config.selfplay.games
    crew = workers or LocalWorkers(config.selfplay.threads)

    def cpu_seconds() -> float:
        return learner.processes.cpu_seconds + crew.elsewhere

    cpu_before = progress.cpu_seconds - cpu_seconds()
    first_games, first_cpu = progress.games, progress.cpu_seconds
    print(f"TensorBoard: tensorboard --logdir {folder / 'tensorboard'}")
    if workers is None:
        compile_first(learner.net(), config.selfplay)

    with (
        RunLog(folder, progress) as log,
        tqdm(total=total, initial=progress.games, unit="game", smoothing=0.05) as bar,
        stoppable("update", learner.processes) as stopped,
        GamesAhead(config, learner, crew, progress, arrays or {}) as games_ahead,
    ):
        if progress.games == 0:
            keep(config, folder, learner, progress)
        while progress.games < total:
            # ---------------------------------------------------------------- play
            experience = games_ahead.next()
            games = len(experience.points)

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
                cpu_seconds=cpu_before + cpu_seconds(),
            )

            # ---------------------------------------------------------------- look
            of_games = {"staleness": games_ahead.staleness, "waited_seconds": round(games_ahead.waited, 3)}
            log.write("update", progress, _update_entry(config, before, progress, loss, experience) | of_games)
            bar.update(games)
            bar.set_postfix(loss=f"{loss:.4f}", refresh=False)
            due = progress.games == total or passed(before, progress.games, config.evaluate.every)
            if due:
                progress = evaluate(config, folder, learner, progress, log, bar, workers)
                progress = replace(progress, cpu_seconds=cpu_before + cpu_seconds())

            # ---------------------------------------------------------------- keep
            stopping = stopped()
            if due or stopping or passed(before, progress.games, config.checkpoint.every):
                keep(config, folder, learner, progress, games_ahead.state())
            if stopping:
                break

    games, cpu = progress.games - first_games, progress.cpu_seconds - first_cpu
    print(f"{games:,} games in {cpu:.0f} CPU-seconds ({games / max(cpu, 1e-9):,.0f} games per CPU-second)")
    if progress.games < total:
        print(f"stopped after {progress.games:,} of {total:,} games; go on with: bgai train --resume {folder}")
        raise KeyboardInterrupt
    print(f"done: the last model is in {folder / LATEST}, the best in {folder / BEST}")
    return progress


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
