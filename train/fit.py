"""Fitting a network to labelled positions: some passes over all of them, with a high learning rate that falls to 0."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi

import numpy as np

from bgai.board import Board
from bgai.outcomes import Outcomes

from .config import STEPS, FitConfig
from .learner import Learner

RENEWED_UNTIL = 0.6
"""Part of the fit in which silent units begin again; what begins later has no time to learn."""
SAMPLE = 16_384
"""Positions one of which has to wake a unit."""
_RENEWAL = 1
"""At the end of a seed; one that ends in zeros is the same without them, and orders a pass."""


def learnt_in(config: FitConfig, positions: int) -> int:
    """Positions learnt from in a whole fit. A pass leaves out what fills no batch, other positions each time."""
    return config.passes * (positions // config.batch * config.batch)


class Fit:
    """The fit to some positions; everything in it follows from how many of them were learnt from."""

    def __init__(self, config: FitConfig, boards: Board, targets: Outcomes, seed: Sequence[int]) -> None:
        """`boards` int8[N, 26], `targets` float32[N, 5]; `seed` of the order of the positions, another in each pass."""
        self.config = config
        self.boards, self.targets = boards, targets
        self.total = learnt_in(config, len(boards))
        self._seed = seed
        self._order = np.empty(0, dtype=np.int64)
        self._pass = -1

    def rate(self, done: int) -> float:
        """Learning rate of the step after so many positions."""
        risen = (done + self.config.batch) / max(self.config.warm_up * self.total, 1)
        return self.config.lr * min(risen, 1) * (1 + cos(pi * done / self.total)) / 2

    def advance(self, learner: Learner, done: int, remedy: str) -> tuple[int, float]:
        """Learns on after `done` positions, a multiple of the batch; returns how many more, and their mean loss.

        Raises:
            TrainingError: see `Learner.descend`.
        """
        batch, whole = self.config.batch, self.total // self.config.passes
        number, begin = divmod(done, whole)
        if number != self._pass:
            self._order = np.random.default_rng([*self._seed, number]).permutation(len(self.boards))
            self._pass = number
        count = min(STEPS * batch, whole - begin)
        renew = self.config.renew
        if renew and begin % (renew * batch) == 0 and done < RENEWED_UNTIL * self.total:
            order = np.random.default_rng([*self._seed, number, begin, _RENEWAL])
            learner.renew(self.boards[order.choice(len(self.boards), min(SAMPLE, len(self.boards)))], order)
        chosen = self._order[begin : begin + count]
        rates = [self.rate(done + step) for step in range(0, count, batch)]
        return count, learner.descend(self.boards[chosen], self.targets[chosen], rates, remedy)
