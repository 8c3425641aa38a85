"""Evaluators: from boards to chances.

Everything that asks a network for an opinion does it through `Evaluator`, so that one conformance test covers
the compiled network, the PyTorch one and whatever comes later.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

import numpy as np

from bgai.bearoff import bearoffs, put_bear_offs
from bgai.board import Board, result
from bgai.kernels.forward import evaluate
from bgai.kernels.static import Static
from bgai.model import Model
from bgai.outcomes import COUNT, Outcomes, of_result, possible

if TYPE_CHECKING:
    from bgai.network import ValueNetwork


KEPT = 5
"""Plays that a model's filter network leaves to the network inside trees and trials, at most."""
WITHIN = 0.12
"""What such a play may be worse than the best by the filter network, in equity."""
OLDER_LAYERS, OLDER = [64], (6, 0.16)
"""Filters of this size sort worse, as they did not learn equities: the same two limits for them."""


class Evaluator(Protocol):
    """Says what positions are worth to the player on roll, before the roll."""

    def evaluate(self, boards: Board) -> Outcomes:
        """Outcome vectors `float32[N, 5]` of boards `int8[N, 26]`.

        The value of a board does not depend on the boards beside it. Finished games get their certain
        outcome, and what the rules make impossible is exactly 0. Positions that a bear-off table holds have its
        chances, whatever the network says.
        """
        ...


class KernelEvaluator:
    """A model run by the compiled network, in its fast form or in the one that is not rounded."""

    def __init__(self, model: Model, *, exact: bool = False) -> None:
        self.name = model.name
        self.net = model.net(exact=exact)
        self._model = model
        self._exact = exact

    def evaluate(self, boards: Board) -> Outcomes:
        """See `Evaluator`."""
        positions = np.ascontiguousarray(boards, dtype=np.int8)
        outcomes = np.empty((len(positions), COUNT), dtype=np.float32)
        evaluate(self.net, positions, outcomes)
        put_bear_offs(positions, outcomes)
        return outcomes

    @cached_property
    def static(self) -> Static:
        """The same for kernels: the network, the filter before it if the model has one, the bear-off tables."""
        smaller = self._model.filter_net(exact=self._exact)
        if smaller is None:
            return Static(self.net, self.net, 0, bearoffs())
        kept, within = OLDER if self._model.manifest.filter_layers == OLDER_LAYERS else (KEPT, WITHIN)
        return Static(self.net, smaller, kept, bearoffs(), within)


class TorchEvaluator:
    """A model run by PyTorch: the reference for the compiled network, slower on the CPU, and the way to a GPU."""

    def __init__(
        self,
        model: Model,
        device: str = "cpu",
        told: Callable[[str], object] = lambda line: warnings.warn(line, stacklevel=3),
    ) -> None:
        """`device` as `bgai.network.choose_device` names it; `told` hears if there is none.

        Raises:
            InputError: no such device.
        """
        from bgai.network import choose_device, network_of

        self.name = model.name
        self.network: ValueNetwork = network_of(model).to(choose_device(device, told))

    def evaluate(self, boards: Board) -> Outcomes:
        """See `Evaluator`."""
        positions = np.ascontiguousarray(boards, dtype=np.int8)
        outcomes = _with_results(positions, possible(positions, self.network.chances(positions)))
        put_bear_offs(positions, outcomes)
        return outcomes


def _with_results(boards: Board, outcomes: Outcomes) -> Outcomes:
    finished = ~((boards > 0).any(axis=1) & (boards < 0).any(axis=1))
    for number in np.flatnonzero(finished):
        outcomes[number] = of_result(result(boards[number]))
    return outcomes
