"""Players by name.

    >>> read_player("2-ply").level.settings.plies
    2
    >>> read_player("0001-td:100ms").model
    '0001-td'
    >>> read_player("random").baseline
    True

A name is a level (`0-ply` to `7-ply`, `rollout`, a time such as `100ms`, `beginner` to `expert`), a model, which plays
at 0-ply, or both as `MODEL:LEVEL`; or `random` or `heuristic`. docs/levels.md says how strong the levels are.
"""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from bgai.analyst import Analyst
from bgai.catalogue import find_model, kept_models, open_model
from bgai.errors import InputError, ModelError
from bgai.evaluator import KernelEvaluator
from bgai.halt import Halt
from bgai.model import Model
from bgai.search import MOST_PLIES, Settings
from bgai.weakened import WeakenedEvaluator

BASELINES = ("random", "heuristic")
"""Players without a network; they do not know the cube."""
WEAKENED = ("beginner", "casual", "intermediate", "advanced", "expert")
"""Levels that err on purpose, the weakest first."""
ROLLOUT = "rollout"

TABLE = Path(__file__).parent / "data" / "levels.csv"
"""What `benchmarks/levels.py` measured, and the noise that it fitted."""

_PLIES = re.compile(r"([0-9]+)-ply")
_TIME = re.compile(r"([0-9]{1,6}(?:\.[0-9]{1,6})?|\.[0-9]{1,6})(ms|s)")


@dataclass(frozen=True)
class Level:
    """How well to play, with whatever network."""

    name: str
    settings: Settings = field(default_factory=Settings)
    """How far to look ahead."""
    noise: float = 0.0
    """Standard deviation of the error of a cubeless money equity."""
    rolled: bool = False
    """Whether close plays and cube actions are rolled out after looking ahead."""

    def analyst(
        self,
        model: str | Model | None = None,
        *,
        cubeful: bool = True,
        threads: int | None = None,
        halt: Halt | None = None,
    ) -> Analyst:
        """Who answers at this level: a kept model, by default the strongest. A `halt` ends looking ahead."""
        settings = self.settings if threads is None else replace(self.settings, threads=threads)
        opened = model if isinstance(model, Model) else open_model(model)
        if self.rolled:
            # Only here, because the rollout's kernels are of no use to others.
            from bgai.rollout import Settings as RolloutSettings
            from bgai.rollout_analyst import RolledAnalyst

            return RolledAnalyst(opened, settings, RolloutSettings(trials=72, truncation=7), cubeful=cubeful)
        if self.noise:
            weakened = WeakenedEvaluator(KernelEvaluator(opened), self.noise, WEAKENED.index(self.name))
            return Analyst(weakened, opened.name, opened.manifest.cube_efficiency, cubeful=cubeful)
        efficiency = opened.manifest.cube_efficiency
        return Analyst(KernelEvaluator(opened), opened.name, efficiency, cubeful=cubeful, settings=settings, halt=halt)


PLAIN = Level("0-ply")
"""The network alone."""


@dataclass(frozen=True)
class PlayerName:
    """A name that was understood."""

    model: str | None
    """As the catalogue takes it; None: the strongest."""
    level: Level = PLAIN
    baseline: bool = False
    """Whether it is `random` or `heuristic`, which is then the model."""

    @property
    def shown(self) -> str:
        """As results call it."""
        if self.baseline:
            return str(self.model)
        model = open_model(self.model).name
        return model if self.level == PLAIN else f"{model}:{self.level.name}"

    def analyst(self, *, cubeful: bool = True, threads: int | None = None) -> Analyst:
        """Who answers.

        Raises:
            InputError: `random` and `heuristic` have no opinions.
        """
        if self.baseline:
            raise InputError(f"{self.model!r} has no opinions, expected a level or a model: {known()}")
        return self.level.analyst(self.model, cubeful=cubeful, threads=threads)


def read_level(text: str) -> Level | None:
    """The level of this name; None if there is none.

    Raises:
        InputError: more plies than can be, or no time at all.
    """
    plies, time = _PLIES.fullmatch(text), _TIME.fullmatch(text)
    if plies is not None:
        return Level(f"{int(plies[1])}-ply", Settings(int(plies[1])))
    if time is not None:
        return Level(text, Settings(MOST_PLIES, seconds=read_time(text)))
    if text == ROLLOUT:
        return Level(text, Settings(1), rolled=True)
    return Level(text, noise=fitted_noise()[text]) if text in WEAKENED else None


def read_time(text: str) -> float:
    """Seconds that `100ms` or `2s` means.

    Raises:
        InputError: no time, or one that is 0.
    """
    found = _TIME.fullmatch(text)
    seconds = 0.0 if found is None else float(found[1]) / (1000 if found[2] == "ms" else 1)
    if not seconds:
        raise InputError(f"expected a time such as 100ms or 2s, found {text!r}")
    return seconds


def read_player(text: str) -> PlayerName:
    """The player of this name.

    Raises:
        InputError: there is none.
    """
    if text in BASELINES:
        return PlayerName(text, baseline=True)
    level = read_level(text)
    if level is not None:
        return PlayerName(None, level)
    model, colon, name = text.rpartition(":")
    level = read_level(name) if colon else None
    try:
        find_model(model if level is not None else text)
    except ModelError:
        raise InputError(f"unknown player {text!r}: expected {known()}") from None
    return PlayerName(text) if level is None else PlayerName(model, level)


def known() -> str:
    """What a name can be, in a line."""
    models = ", ".join(folder.name for folder in kept_models()) or "none kept yet"
    return (
        f"0-ply to {MOST_PLIES}-ply, {ROLLOUT}, a time such as 100ms, {', '.join(WEAKENED)}, a model ({models}, or a"
        f" folder), MODEL:LEVEL such as 1:2-ply, {' or '.join(BASELINES)}"
    )


@cache
def fitted_noise() -> dict[str, float]:
    """The noise of each weakened level, from `TABLE`."""
    with TABLE.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        return {row["level"]: float(row["noise"]) for row in rows if row["noise"]}
