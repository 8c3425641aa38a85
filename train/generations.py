"""Learning by generations: label positions by looking ahead, fit the network to the labels, again with what came of it.

A network that looks one ply ahead plays better than it does at a glance. So it plays games looking ahead, and each
position met gets the value that this look found (`labels`); then it learns to see all these values at a glance (`fit`).
The labels hold still while it learns: it can pass over them several times, at a rate that would shake a network apart
that chases its own opinion. Once it has learnt them its look ahead is worth more, and the next generation begins.

Everything counts positions, those labelled and those learnt from. What is done after so many of them, in which order
and at which rate, follows from the seed, so that a run that was killed and resumed ends with the same weights.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from math import fsum
from pathlib import Path

import numpy as np
from tqdm import tqdm

from bgai.board import Board
from bgai.catalogue import open_model
from bgai.model import Model
from bgai.workers import Workers

from .beginnings import hardest, slipped
from .checkpoint import Progress
from .config import TrainConfig
from .crossing import RACES, crossed
from .fit import Fit, learnt_in
from .keeping import BEST, LATEST, evaluate, keep, model_of, passed, stoppable
from .labeller import NO_BOARDS, Labeller
from .labels import Labels, open_labels
from .learner import Learner
from .log import RunLog

_CROSSING = 1_000_000
"""At the end of a seed: of the crossed positions. No pass of a fit has this number."""


def train_generations(
    config: TrainConfig, folder: Path, learner: Learner, progress: Progress, workers: Workers | None = None
) -> Progress:
    """Trains a recipe with labels to its end; see `loop.start_run` for `workers` and what it raises."""
    first = progress
    total = positions_before(config, config.label.generations)
    print(f"TensorBoard: tensorboard --logdir {folder / 'tensorboard'}")
    with RunLog(folder, progress, "positions") as log, stoppable("shard or update", learner.processes) as stopped:
        session = _Session(config, folder, learner, progress, log, stopped, workers)
        if progress.positions == 0:
            session.keep()
        while session.progress.positions < total and not session.stopping:
            number = next(n for n in itertools.count() if session.progress.positions < positions_before(config, n + 1))
            with suppress(_Stopped):
                session.generation(number, session.progress.positions - positions_before(config, number))
        progress = session.progress

    games, positions = progress.games - first.games, progress.positions - first.positions
    cpu = progress.cpu_seconds - first.cpu_seconds
    print(f"{games:,} games, {positions:,} positions labelled or learnt from in {cpu:.0f} CPU-seconds")
    if progress.positions < total:
        print(f"stopped after {progress.positions:,} of {total:,} positions; go on with: bgai train --resume {folder}")
        raise KeyboardInterrupt
    print(f"done: the last model is in {folder / LATEST}, the best in {folder / BEST}")
    return progress


def positions_before(config: TrainConfig, number: int) -> int:
    """Positions that are labelled or learnt from before a generation, counted from 0."""
    together = (min(earlier + 1, config.fit.generations) for earlier in range(number))
    positions = config.label.positions
    return sum(positions + learnt_in(config.fit, positions * generations) for generations in together)


class _Stopped(Exception):
    """Whoever waits has asked for an end."""


class _Session:
    """A run between its start, or a resumption, and its end or the next break."""

    def __init__(
        self,
        config: TrainConfig,
        folder: Path,
        learner: Learner,
        progress: Progress,
        log: RunLog,
        stopped: Callable[[], bool],
        workers: Workers | None,
    ) -> None:
        self.config, self.folder, self.learner, self.log = config, folder, learner, log
        self.progress = progress
        self.stopping = False
        self._stopped = stopped
        self._workers = workers
        self._cpu_before = progress.cpu_seconds - self._cpu_seconds()

    def generation(self, number: int, done: int) -> None:
        """Goes on with a generation, of which `done` positions were labelled and learnt from, to its end or a break."""
        positions = self.config.label.positions
        labels = self._labels(number, min(done, positions))
        self._label(number, labels, known=min(done, positions))
        if self.config.label.corrected and not self.stopping:
            with self._heard(labels.positions, "correction", number, shown=True) as told:
                labels.correction(told)
        together = [labels]
        for earlier in range(number - 1, max(number - self.config.fit.generations, -1), -1):
            if not self.stopping:
                together.append(self._labels(earlier, positions))
                self._label(earlier, together[-1], known=positions)
        if not self.stopping:
            self._fit(number, together, max(done - positions, 0))

    def _labels(self, number: int, known: int) -> Labels:
        """Those of a generation, of which the first `known` are there."""
        folder = self.folder / f"labels-{number + 1}"
        return open_labels(
            folder,
            self.config,
            self.progress.games,
            known,
            lambda: self._player(number),
            lambda player: self._others(number, player),
        )

    def _others(self, number: int, player: Model) -> Board:
        """Where the games of a generation begin beside the start."""
        label = self.config.label
        if label.elsewhere == 0 or (number == 0 and label.slipped == 0):
            return NO_BOARDS
        # Every beginning is as likely as the others.
        shares = [label.restart if number else 0.0, label.slipped, label.crossed]
        ends = np.floor(label.beginnings * np.cumsum([0.0, *shares]) / fsum(shares) + 0.5).astype(int)
        hard, slips, made = map(int, np.diff(ends))
        parts = [NO_BOARDS]
        if number and (hard or made):
            before = self._labels(number - 1, label.positions)
            with self._heard(before.positions, "targets", number - 1, shown=label.corrected) as told:
                met, targets = before.whole(told)
            if hard:
                parts.append(hardest(self.learner.net(), met, targets, hard))
        if slips:
            if self._workers is None:
                Labeller.of(player, label, self.config.seed, NO_BOARDS).compile_first()
            with self._heard(slips, "beginnings", number, shown=True) as told:
                games = self.progress.games
                parts.append(slipped(player, label, self.config.seed, games, slips, told, self._workers))
        if made:
            order = np.random.default_rng([self.config.seed, number, _CROSSING])
            parts.append(crossed(met if number else parts[-1], made, order, RACES))
        return np.concatenate(parts)

    def _player(self, number: int) -> Model:
        """Who labels: the teacher or the start of the run, later the network that the last generation ended with."""
        first = self.config.label.teacher or self.config.network.start
        return open_model(first) if first and number == 0 else model_of(self.config, self.learner, self.progress)

    def _label(self, number: int, labels: Labels, known: int) -> None:
        """Labels what is missing; the first `known` positions are in the checkpoint's account already."""
        total = self.config.label.positions
        if labels.positions == total:
            return
        if self._workers is None:
            labels.compile_first()
        with tqdm(total=total, initial=labels.positions, unit="pos", desc=f"labels {number + 1}") as bar:
            while labels.positions < total and not self.stopping:
                shard = labels.add(lambda count: bar.update(min(count, total - bar.n)), self._workers)
                if labels.positions > known:
                    self._advance(len(shard["boards"]), games=labels.shards[-1].games)
                    self.log.write(
                        "label",
                        self.progress,
                        {
                            "generation": number + 1,
                            "surprise": shard.surprise,
                            "cpu_seconds": round(self.progress.cpu_seconds, 2),
                        },
                    )
                    self.keep()
                self.stopping = self._stopped()

    def _fit(self, number: int, labels: list[Labels], done: int) -> None:
        """Learns on after `done` positions."""
        config = self.config
        examples = []
        for each in labels:
            with self._heard(each.positions, "targets", number, shown=config.label.corrected) as told:
                examples.append(each.examples(told))
        boards, targets = zip(*examples, strict=True)
        fit = Fit(config.fit, np.concatenate(boards), np.concatenate(targets), [config.seed, number])
        if done == 0:
            self.learner.forget()
        with tqdm(total=fit.total, initial=done, unit="pos", desc=f"fit {number + 1}") as bar:
            while done < fit.total and not self.stopping:
                # ---------------------------------------------------------------- learn
                rate, before = fit.rate(done), done
                remedy = f"after {self.progress.positions:,} positions: lower fit.lr"
                count, loss = fit.advance(self.learner, done, remedy)
                done += count
                self._advance(count)

                # ---------------------------------------------------------------- look
                cpu = round(self.progress.cpu_seconds, 2)
                entry = {"generation": number + 1, "loss": loss, "lr": rate, "cpu_seconds": cpu}
                self.log.write("fit", self.progress, entry)
                bar.update(count)
                bar.set_postfix(loss=f"{loss:.4f}", refresh=False)
                due = done == fit.total or passed(before, done, config.evaluate.every)
                if due:
                    self.progress = evaluate(
                        config, self.folder, self.learner, self.progress, self.log, bar, self._workers
                    )
                    self._advance(0)

                # ---------------------------------------------------------------- keep
                self.stopping = self._stopped()
                if due or self.stopping or passed(before, done, config.checkpoint.every):
                    self.keep()

    @contextmanager
    def _heard(self, total: int, what: str, number: int, *, shown: bool) -> Iterator[Callable[[int], None]]:
        """For work that goes through so many positions part by part: a bar, if it takes minutes, and an end."""
        with tqdm(total=total, unit="pos", desc=f"{what} {number + 1}", disable=not shown, leave=False) as bar:

            def told(positions: int) -> None:
                bar.update(min(positions, total - bar.n))
                self.stopping = self._stopped()
                if self.stopping:
                    raise _Stopped

            yield told

    def keep(self) -> None:
        """Writes the checkpoint."""
        keep(self.config, self.folder, self.learner, self.progress)

    def _advance(self, positions: int, games: int = 0) -> None:
        self.progress = replace(
            self.progress,
            positions=self.progress.positions + positions,
            games=self.progress.games + games,
            cpu_seconds=self._cpu_before + self._cpu_seconds(),
        )

    def _cpu_seconds(self) -> float:
        elsewhere = 0.0 if self._workers is None else self._workers.elsewhere
        return self.learner.processes.cpu_seconds + elsewhere
