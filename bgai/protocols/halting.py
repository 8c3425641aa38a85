"""Looking ahead that somebody else can end: what was found at the depths before stands."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from bgai.analyst import Analyst
from bgai.board import Board
from bgai.evaluator import KernelEvaluator
from bgai.model import Model
from bgai.position import CubeOwner
from bgai.search import Clock, Look, Search, Settings, TimeUp
from bgai.stakes import Stakes
from bgai.valuer import Valuer


class Halt:
    """Says, from any thread, that a search is to end."""

    def __init__(self) -> None:
        self._said = threading.Event()
        self._flags: list[NDArray[np.int64]] = []

    @property
    def said(self) -> bool:
        """Whether it was said."""
        return self._said.is_set()

    def say(self) -> None:
        """Ends what goes on, within some hundredths of a second."""
        self._said.set()
        for flag in list(self._flags):
            flag[0] = 1

    def watch(self, flag: NDArray[np.int64]) -> None:
        """Kernels look at this flag; it becomes 1."""
        self._flags.append(flag)
        if self.said:
            flag[0] = 1

    def forget(self, flag: NDArray[np.int64]) -> None:
        """They are done."""
        self._flags = [other for other in self._flags if other is not flag]


@dataclass
class _HaltingClock(Clock):
    halt: Halt = field(default_factory=Halt)

    @property
    def left(self) -> float:
        return -1.0 if self.halt.said else super().left


class _HaltingSearch(Search):
    halt: Halt

    def look(self, boards: Board, stakes: Stakes, owner: CubeOwner, plies: int, clock: Clock | None = None) -> Look:
        return super().look(boards, stakes, owner, plies, _HaltingClock((clock or Clock()).end, self.halt))

    def _in_threads(
        self, unit: Callable[[int, int], None], units: list[tuple[int, int]], stop: NDArray[np.int64], clock: Clock
    ) -> None:
        self.halt.watch(stop)
        try:
            super()._in_threads(unit, units, stop, clock)
        finally:
            self.halt.forget(stop)
        if self.halt.said:
            # Units that were cut short have left numbers that mean nothing.
            raise TimeUp


class _HaltingValuer(Valuer):
    halt: Halt

    @cached_property
    def _search(self) -> Search:
        assert isinstance(self.evaluator, KernelEvaluator)
        search = _HaltingSearch(self.evaluator.static, self._efficiency, self.settings, cubeful=self._cubeful)
        search.halt = self.halt
        return search


@dataclass(frozen=True)
class Opened:
    """A model that is ready to be asked."""

    model: Model
    evaluator: KernelEvaluator

    @classmethod
    def of(cls, model: Model) -> Opened:
        """Takes some milliseconds."""
        return cls(model, KernelEvaluator(model))


class HaltingAnalyst(Analyst):
    """An analyst of a model that answers with what it has when it is told to halt."""

    def __init__(self, opened: Opened, settings: Settings, halt: Halt, *, cubeful: bool = True) -> None:
        model = opened.model
        efficiency = model.manifest.cube_efficiency
        super().__init__(opened.evaluator, model.name, efficiency, cubeful=cubeful, settings=settings)
        valuer = _HaltingValuer(opened.evaluator, self.efficiency, settings, cubeful=cubeful)
        valuer.halt = halt
        self._valuer = valuer
