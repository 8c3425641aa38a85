"""A model that is ready to be asked, again and again and at any depth."""

from __future__ import annotations

from dataclasses import dataclass

from bgai.analyst import Analyst
from bgai.evaluator import KernelEvaluator
from bgai.halt import Halt
from bgai.model import Model
from bgai.search import Settings


@dataclass(frozen=True)
class Opened:
    """A model and its evaluator."""

    model: Model
    evaluator: KernelEvaluator

    @classmethod
    def of(cls, model: Model) -> Opened:
        """Takes some milliseconds."""
        return cls(model, KernelEvaluator(model))

    def analyst(self, settings: Settings, halt: Halt | None = None, *, cubeful: bool = True) -> Analyst:
        """Who looks ahead so far, or until it is told to halt."""
        name, efficiency = self.model.name, self.model.manifest.cube_efficiency
        return Analyst(self.evaluator, name, efficiency, cubeful=cubeful, settings=settings, halt=halt)
