"""What the results of games say that a short trace does not reach, as far as hidden units can tell.

A target with a short trace scatters little, but it believes what the network says a few plies later; where the network
is wrong about a whole kind of position it stays wrong. A trace of 1 believes the results alone, and scatters four times
as much. Part of the difference between the two is the same in all positions of a kind, and the units behind the first
layer know the kinds. So this part is found by a regression on what they say, and added to the short targets. It
scatters little: there are millions of positions, and a few hundred units.

For each chance p the regression is

    long − short ≈ p (1 − p) (w · units)

which is, for small differences, a change of the logit: what is certain stays certain. It is a ridge regression (Hoerl &
Kennard, 1970).
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import torch
from numpy.typing import NDArray

from bgai.board import Board
from bgai.model import Model
from bgai.network import TOGETHER, network_of
from bgai.outcomes import COUNT, Outcomes

SAMPLE = 4_000_000
"""Positions that are enough for the regression."""
RIDGE = 3e-6
"""Added to the mean square of each regressor."""


class Correction:
    """What is added to the short targets of positions that a network has labelled."""

    def __init__(self, model: Model) -> None:
        """`model`: who labelled. It knows of no correction before `learn`."""
        self._network = network_of(model)
        self._weights: NDArray[np.float32] | None = None

    def learn(self, parts: Iterable[tuple[Board, Outcomes]]) -> None:
        """Finds the regression.

        Args:
            parts: positions int8[N, 26], and by how much their long targets exceed the short ones, float32[N, 5].
        """
        count, squares, products = 0, None, None
        for boards, differences in parts:
            for begin in range(0, len(boards), TOGETHER):
                chances, units = self._units(boards[begin : begin + TOGETHER])
                width = units.shape[1]
                if squares is None or products is None:
                    squares, products = np.zeros((COUNT, width, width)), np.zeros((COUNT, width))
                for chance in range(COUNT):
                    # float32 products of so many rows, added up in float64.
                    regressors = units * _steepness(chances[:, chance])[:, None]
                    squares[chance] += regressors.T @ regressors
                    products[chance] += regressors.T @ differences[begin : begin + TOGETHER, chance]
                count += len(units)
        if squares is None or products is None:
            raise ValueError("no positions to find a correction from")
        ridge = RIDGE * count * np.eye(squares.shape[1])
        solved = [np.linalg.solve(squares[chance] + ridge, products[chance]) for chance in range(COUNT)]
        self._weights = np.stack(solved, axis=1).astype(np.float32)

    def add(self, boards: Board, targets: Outcomes) -> None:
        """Adds what has been found to the short targets float32[N, 5] of positions int8[N, 26], in place."""
        if self._weights is None:
            raise ValueError("a correction is added before it is learnt")
        for begin in range(0, len(boards), TOGETHER):
            part = slice(begin, begin + TOGETHER)
            chances, units = self._units(boards[part])
            targets[part] += _steepness(chances) * (units @ self._weights)

    def _units(self, boards: Board) -> tuple[Outcomes, NDArray[np.float32]]:
        """The chances, float32[N, 5], and what is regressed on, float32[N, U]: 1, the chances, the units behind."""
        first, *others, last = self._network.layers
        with torch.inference_mode():
            values = torch.relu(first(self._network.inputs(boards)))
            behind = []
            for layer in others:
                values = torch.relu(layer(values))
                behind.append(values)
            chances = torch.sigmoid(last(values))
            one = torch.ones((len(boards), 1))
            return chances.numpy(), torch.cat([one, chances, *(behind or [values])], dim=1).numpy()


def _steepness(chances: NDArray[np.float32]) -> NDArray[np.float32]:
    """How fast a chance changes with its logit."""
    steepness: NDArray[np.float32] = chances * (1 - chances)
    return steepness
