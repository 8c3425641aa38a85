"""Units that fall silent begin again.

A unit is silent if no position wakes it: its sum stays below 0, so its slope is 0 and it learns nothing any more. High
learning rates silence many units, and what is silent is lost to the network. Such a unit gets random incoming weights
and a bias with which one position in seven wakes it. Nobody listens to it yet, so the network says what it said, and
the weights that listen learn at once (as in `growth`).
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import torch
from torch import Tensor, nn

from bgai.board import Board
from bgai.network import ValueNetwork

AWAKE = 0.15
"""Share of the positions that wake a unit that begins again."""


def renew(
    network: ValueNetwork, optimiser: torch.optim.Optimizer, boards: Board, order: np.random.Generator
) -> list[int]:
    """Lets the silent units of each hidden layer begin again; returns how many they were.

    Args:
        boards: int8[N, 26], positions of the kind that the network learns from.
        order: of the new weights.
    """
    found = []
    with torch.no_grad():
        values = network.inputs(boards)
        for layer, behind in pairwise(network.layers):
            assert isinstance(layer, nn.Linear)
            assert isinstance(behind, nn.Linear)
            sums = layer(values)
            silent = (sums <= 0).all(0)
            found.append(int(silent.sum()))
            if silent.any() and not silent.all():
                size = (found[-1], layer.weight.shape[1])
                fresh = network.sent(order.normal(size=size).astype(np.float32)) * layer.weight[~silent].std()
                layer.weight[silent] = fresh
                layer.bias[silent] = -torch.quantile(values @ fresh.T, 1 - AWAKE, dim=0)
                behind.weight[:, silent] = 0
                for weight, where in (
                    (layer.weight, (silent,)),
                    (layer.bias, (silent,)),
                    (behind.weight, (slice(None), silent)),
                ):
                    _forget(optimiser, weight, where)
                sums = layer(values)
            values = torch.relu(sums)
    return found


def _forget(optimiser: torch.optim.Optimizer, weight: Tensor, where: tuple[slice | Tensor, ...]) -> None:
    """Lets Adam know nothing of some weights but how large slopes are in this layer: from 0 it would leap."""
    state = optimiser.state.get(weight)
    if state:
        state["exp_avg"][where] = 0
        state["exp_avg_sq"][where] = state["exp_avg_sq"].mean()
