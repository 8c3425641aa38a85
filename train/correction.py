"""What the results of games say that a short trace does not reach, as far as hidden units can tell.

A target with a short trace scatters little, but it believes what the network says a few plies later; where the network
is wrong about a whole kind of position it stays wrong. A trace of 1 believes the results alone, and scatters four times
as much. Part of the difference between the two is the same in all positions of a kind, and the units behind the first
layer know the kinds. So this part is found by a regression on what they say, and added to the short targets: a bias is
taken out of them, and a regression on millions of positions with some hundred regressors scatters little.

For each chance p the regression is

    long − short ≈ p (1 − p) w · (1, the five chances, units)

which is, for small differences, a change of the logit: where the network is certain, little is added, right or wrong.
It is a ridge regression (Hoerl & Kennard, 1970).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from bgai.board import Board
from bgai.model import Model
from bgai.network import TOGETHER, network_of
from bgai.outcomes import COUNT, Outcomes

from .config import regressors

SAMPLE = 4_000_000
"""Positions that are enough for the regression."""
RIDGE = 1e-4
"""Added to the square of each regressor, as a part of it."""
_SILENT = 1e-9
"""A unit that is never heard has at least this part of the mean square."""


class Correction:
    """What is added to the short targets of positions that a network has labelled."""

    def __init__(self, model: Model, weights: NDArray[np.float32]) -> None:
        """`model`: who labelled; `weights` float32[U, 5] of each regressor in each chance, see `learn`."""
        self._network = network_of(model)
        self.weights = weights

    @classmethod
    def learn(cls, model: Model, parts: Iterable[tuple[Board, Outcomes]]) -> Correction:
        """Finds the regression.

        Args:
            parts: positions int8[N, 26] that the model labelled, and by how much their long targets exceed the short
                ones, float32[N, 5].
        """
        count = regressors(model.manifest.layers)
        found = cls(model, np.zeros((count, COUNT), dtype=np.float32))
        squares, products = np.zeros((COUNT, count, count)), np.zeros((COUNT, count))
        with _one_thread():
            for boards, differences in parts:
                for begin in range(0, len(boards), TOGETHER):
                    chances, units = found._units(boards[begin : begin + TOGETHER])
                    wanted = torch.from_numpy(differences[begin : begin + TOGETHER])
                    steepness = chances * (1 - chances)
                    for chance in range(COUNT):
                        # float32 products of so many rows, added up in float64.
                        weighted = units * steepness[:, chance, None]
                        squares[chance] += (weighted.T @ weighted).numpy()
                        products[chance] += (weighted.T @ wanted[:, chance]).numpy()
        for chance in range(COUNT):
            own = np.diagonal(squares[chance])
            if not own.any():
                # All positions are certain.
                continue
            ridge = RIDGE * own + _SILENT * own.mean()
            # The mean is free.
            ridge[0] = 0.0
            solved = torch.linalg.solve(*map(torch.from_numpy, (squares[chance] + np.diag(ridge), products[chance])))
            found.weights[:, chance] = solved.numpy()
        return found

    def add(self, boards: Board, targets: Outcomes) -> None:
        """Adds what has been found to the short targets float32[N, 5] of positions int8[N, 26], in place."""
        weights = torch.from_numpy(self.weights)
        with _one_thread():
            for begin in range(0, len(boards), TOGETHER):
                part = slice(begin, begin + TOGETHER)
                chances, units = self._units(boards[part])
                targets[part] += (chances * (1 - chances) * (units @ weights)).numpy()

    def _units(self, boards: Board) -> tuple[Tensor, Tensor]:
        """The chances, [N, 5], and what is regressed on, [N, U]: 1, the chances, the units behind the first layer.

        Of a network with a single hidden layer it is that one.
        """
        _, *others, last = self._network.layers
        with torch.inference_mode():
            values = self._network.first(self._network.inputs(boards))
            behind = []
            for layer in others:
                values = torch.relu(layer(values))
                behind.append(values)
            chances = torch.sigmoid(last(values))
            return chances, torch.cat([torch.ones((len(boards), 1)), chances, *(behind or [values])], dim=1)


@contextmanager
def _one_thread() -> Iterator[None]:
    """Lets PyTorch use one thread: the last digits depend on their number, and a run must not depend on the machine."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
