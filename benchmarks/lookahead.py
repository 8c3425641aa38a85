"""The levels of bgai and the peers on the reference decisions: what each loses and what CPU time it takes.

Each level is measured in a process of its own, on one thread, one decision a call, in the same seeded order of the
decisions. Nothing is asked twice, because gnubg-nn remembers positions: what a program does only once (compiling,
loading tables) falls to a few decisions that are kept for that and never measured.
"""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from peers import Bgsage, BgsageSearch, Gnubg, PeerMissingError
from players import Player, SearchPlayer
from reference import MILLI, PHASES, CheckerDecision, Mean, mean_by_phase, read_checker
from tqdm import tqdm

from bgai.catalogue import open_model
from bgai.search import MOST_PLIES

WARM = 8
"""Decisions of each phase that only warm up."""
BGAI, GNUBG, BGSAGE = PROGRAMS = ("bgai", "gnubg-nn", "bgsage")


@dataclass(frozen=True)
class Level:
    """One way to ask one of the programs."""

    program: str
    plies: int
    """In gnubg's count; where `seconds` are given, the most that is tried."""
    most: int
    """Decisions that `curve.py` measures it on; fewer where they are slow."""
    filter: str = "normal"
    """bgai's move filter."""
    seconds: float | None = None
    """bgai's limit of time for a decision."""
    variant: str = ""
    """What else tells the level from others: `reduced`, `cubeful`, `batch`."""
    favoured: bool = False
    """Whether the values of the reference came from this search."""

    @property
    def title(self) -> str:
        """For tables."""
        what = f"{self.seconds:g} s" if self.seconds is not None else f"{self.plies}-ply"
        if self.program == BGSAGE:
            what += f' (its "{self.plies + 1}-ply")'
        filter = "" if self.filter == "normal" else self.filter
        return ", ".join(part for part in (f"{self.program} {what}", filter, self.variant) if part)

    def open(self, model: str) -> Player:
        """The program at this level.

        Raises:
            PeerMissingError: it is not installed.
        """
        if self.program == GNUBG:
            return Gnubg(self.plies, reduced=self.variant == "reduced")
        if self.program == BGSAGE:
            return BgsageSearch(self.plies, cubeful=self.variant == "cubeful") if self.plies else Bgsage()
        return SearchPlayer(open_model(model), self.plies, self.filter, self.seconds)


_ALL = 1_000_000
LEVELS = (
    Level(BGAI, 0, _ALL, variant="batch"),
    Level(BGAI, 0, _ALL),
    *(Level(BGAI, 1, _ALL, filter) for filter in ("tiny", "narrow", "normal", "large")),
    *(Level(BGAI, 2, 1000, filter) for filter in ("tiny", "narrow", "normal", "large")),
    *(Level(BGAI, 3, 150, filter) for filter in ("tiny", "narrow", "normal", "large")),
    Level(BGAI, MOST_PLIES, 300, seconds=0.1),
    Level(BGAI, MOST_PLIES, 100, seconds=1.0),
    Level(GNUBG, 0, _ALL),
    Level(GNUBG, 1, 1000),
    Level(GNUBG, 2, 1000, variant="reduced"),
    Level(GNUBG, 2, 1000, favoured=True),
    Level(BGSAGE, 0, _ALL),
    Level(BGSAGE, 1, 1000),
    Level(BGSAGE, 2, 1000, favoured=True),
    Level(BGSAGE, 1, 200, variant="cubeful"),
    Level(BGSAGE, 2, 60, variant="cubeful"),
)


@dataclass(frozen=True)
class Measured:
    """What a level lost, and how long it took."""

    losses: dict[str, Mean]
    """Millipoints a decision, by phase and over all."""
    milliseconds: Mean
    """CPU time a decision."""


def ordered(decisions: Sequence[CheckerDecision], seed: int) -> tuple[list[CheckerDecision], list[CheckerDecision]]:
    """The decisions in a random order that the seed fixes: those to measure, and `WARM` of each phase to warm up."""
    shuffled = [decisions[number] for number in np.random.default_rng(seed).permutation(len(decisions))]
    warm = [each for phase in PHASES for each in [each for each in shuffled if each.phase == phase][-WARM:]]
    kept = {each.name for each in warm}
    return [each for each in shuffled if each.name not in kept], warm


def summary(
    decisions: Sequence[CheckerDecision], losses: NDArray[np.float64], seconds: NDArray[np.float64]
) -> Measured:
    """Sums up the losses, in points, and CPU-seconds of each decision: two `float64[N]`."""
    times = seconds * MILLI
    milliseconds = Mean(len(times), float(times.mean()), float(times.std()) / len(times) ** 0.5)
    return Measured(mean_by_phase([each.phase for each in decisions], losses * MILLI), milliseconds)


def measure(level: Level, model: str, seed: int, most: int) -> Measured | None:
    """Measures a level in a fresh process on at most so many decisions; None if the program is not installed."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        return pool.submit(_measure, level, model, seed, most).result()


def measure_levels(levels: Sequence[Level], model: str, seed: int, most: int) -> dict[Level, Measured]:
    """Measures levels one after the other; those of a missing program are left out, and that is said."""
    found: dict[Level, Measured] = {}
    missing: set[str] = set()
    with tqdm(levels, unit="level") as bar:
        for level in bar:
            bar.set_description(level.title)
            if level.program in missing:
                continue
            measured = measure(level, model, seed, min(most, level.most))
            if measured is None:
                missing.add(level.program)
                bar.write(f"{level.program} is not installed and left out: pip install {level.program}")
            else:
                found[level] = measured
    return found


def _measure(level: Level, model: str, seed: int, most: int) -> Measured | None:
    try:
        player = level.open(model)
    except PeerMissingError:
        return None
    decisions, warm = ordered(read_checker(), seed)
    decisions = decisions[:most]
    _choose(player, warm, len(warm) if level.variant == "batch" else 1)
    chosen, seconds = _choose(player, decisions, len(decisions) if level.variant == "batch" else 1)
    losses = [decision.loss(board) for decision, board in zip(decisions, chosen, strict=True)]
    return summary(decisions, np.array(losses), seconds)


def _choose(player: Player, decisions: Sequence[CheckerDecision], together: int) -> tuple[Any, NDArray[np.float64]]:
    """Successors `int8[N, 26]` and CPU-seconds `float64[N]` of decisions, so many a call."""
    boards = np.stack([decision.board for decision in decisions])
    rolls = np.array([decision.dice for decision in decisions], dtype=np.int64)
    chosen, seconds = np.empty_like(boards), np.empty(len(boards))
    for first in range(0, len(boards), together):
        part = slice(first, first + together)
        start = time.process_time()
        chosen[part] = player.choose(boards[part], rolls[part])
        seconds[part] = (time.process_time() - start) / len(boards[part])
    return chosen, seconds
