"""Who answers: levels and kept models by name. No name in a request ever becomes a path."""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from bgai.analyst import Analyst
from bgai.answers import settings_record
from bgai.catalogue import kept_models, open_model
from bgai.levels import BASELINES, PLAIN, ROLLOUT, WEAKENED, Level, read_level
from bgai.model import Model
from bgai.search import MOST_PLIES
from bgai.server.problems import FieldError, naming
from bgai.server.settings import Settings

_QUICK_PLIES = 1
"""Up to so many plies an answer takes milliseconds."""
_KEPT = 256


@dataclass(frozen=True, eq=False)
class Answering:
    """An analyst and what was asked for."""

    analyst: Analyst
    level: Level

    @property
    def at_once(self) -> bool:
        """Whether the network alone answers, in less than a millisecond."""
        return not self.level.settings.plies and not self.level.rolled

    @property
    def quick(self) -> bool:
        """Whether an answer takes milliseconds."""
        settings = self.level.settings
        return settings.plies <= _QUICK_PLIES and not self.level.rolled

    @property
    def record(self) -> dict[str, Any]:
        """In answers."""
        return {**settings_record(self.level), "cubeful": self.analyst.cubeful}


class Players:
    """The models and levels of a server."""

    def __init__(self, settings: Settings) -> None:
        """Raises:
        ModelError: there is no such model as the settings name.
        """
        self.seconds = settings.max_seconds / 2
        """The most that looking ahead may take: the rest of a question's time is for waiting."""
        self._threads = settings.threads
        self._folders = {folder.name: folder for folder in kept_models()}
        self._default = open_model(settings.model)
        self._lock = threading.Lock()
        self._answering = lru_cache(_KEPT)(self._make)
        self._asked = lru_cache(_KEPT)(self._ask)

    @property
    def default(self) -> Model:
        """The model that answers when none is named."""
        return self._default

    @property
    def models(self) -> dict[str, Path]:
        """Folders of the models that can be named, the oldest first."""
        return dict(self._folders)

    def model(self, name: str | None, field: str = "model") -> Model:
        """A kept model by name or number.

        Raises:
            FieldError: there is none.
        """
        if name is None or name == self._default.name:
            return self._default
        for known, folder in self._folders.items():
            if name == known or (name.isdecimal() and name.isascii() and int(name) == int(known[:4])):
                with naming(field):
                    return open_model(str(folder))
        raise FieldError(field, f"unknown model {name!r}, expected one of {', '.join(self._folders) or 'none'}")

    def level(self, name: str, model: str | None = None, field: str = "level") -> tuple[Level, Model]:
        """A level, or `MODEL:LEVEL`, or a model by name.

        Raises:
            FieldError: there is none, or its time is more than a question may take.
        """
        before, colon, behind = name.rpartition(":")
        with naming(field):
            level = read_level(behind)
        if level is None and not colon and name not in BASELINES:
            level, before = PLAIN, name
        if level is None:
            raise FieldError(field, f"unknown level {name!r}, expected {known_levels()}")
        if before and model is not None and self.model(before, field) is not self.model(model):
            raise FieldError("model", f"found {model!r} here and {before!r} in the level, expected one model")
        try:
            opened = self.model(before or model, field if before else "model")
        except FieldError:
            if level is PLAIN and before == name:
                raise FieldError(field, f"unknown level {name!r}, expected {known_levels()}") from None
            raise
        seconds = level.settings.seconds
        if seconds is not None and seconds > self.seconds:
            raise FieldError(field, f"found {seconds:g} s, expected at most {self.seconds:g} s")
        return level, opened

    def answering(self, name: str, model: str | None = None, *, cubeful: bool = True) -> Answering:
        """Who answers at a level; ends in time, if need be at less plies than the level has.

        Raises:
            FieldError: no such level or model.
        """
        return self._asked(name, model, cubeful)

    def _ask(self, name: str, model: str | None, cubeful: bool) -> Answering:
        level, opened = self.level(name, model)
        return self._answering(level, opened.name, cubeful)

    def _make(self, level: Level, model: str, cubeful: bool) -> Answering:
        settings = replace(level.settings, threads=self._threads)
        if settings.plies > _QUICK_PLIES and settings.seconds is None:
            settings = replace(settings, seconds=self.seconds)
        timed = replace(level, settings=settings)
        with self._lock:
            return Answering(timed.analyst(self.model(model), cubeful=cubeful), level)


def known_levels() -> str:
    """What a level can be called, in a line."""
    return f"0-ply to {MOST_PLIES}-ply, {ROLLOUT}, a time such as 100ms, {', '.join(WEAKENED)}, or MODEL:LEVEL"
