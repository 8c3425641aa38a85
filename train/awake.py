"""Slopes from the units that are awake alone: what `fit.slopes = "awake"` learns with, instead of PyTorch's autograd.

See `bgai.kernels.slopes` for why it is several times as fast. PyTorch's optimiser takes the steps: the weights of the
network, and their slopes, lie in memory as the kernel wants them, and PyTorch sees the same memory.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from bgai.board import Board
from bgai.kernels.slopes import add_slopes
from bgai.network import ValueNetwork
from bgai.outcomes import COUNT, POINTS, Outcomes


class AwakeSlopes:
    """A network on the CPU whose slopes the kernel computes."""

    def __init__(self, network: ValueNetwork) -> None:
        """Lays the weights of `network` out anew; they keep their values.

        A layer and its slopes are a block float32[in + 1, out] each, the bias last.
        """
        self._encoder = network.encoder
        self._weights: list[Tensor] = []
        self._slopes: list[Tensor] = []
        for layer in network.layers:
            assert isinstance(layer, nn.Linear)
            block = torch.cat([layer.weight.detach().T, layer.bias.detach()[None]])
            slopes = torch.zeros_like(block)
            layer.weight.data, layer.bias.data = block[:-1].T, block[-1]
            layer.weight.grad, layer.bias.grad = slopes[:-1].T, slopes[-1]
            self._weights.append(block)
            self._slopes.append(slopes)

    def compute(self, boards: Board, targets: Outcomes, equity: float, sparse: float, together: int) -> float:
        """The slopes of the loss of some positions, which count 1 / `together` each; returns their loss.

        Args:
            boards: int8[N, 26]; targets: float32[N, 5].
            equity, sparse: see `config.FitConfig`.
        """
        for slope in self._slopes:
            slope.zero_()
        total: float = add_slopes(
            boards,
            targets,
            self._encoder.features,
            self._encoder.starts,
            tuple(block.numpy() for block in self._weights),
            POINTS[:COUNT].astype("float64"),
            equity,
            sparse,
            1 / together,
            tuple(slope.numpy() for slope in self._slopes),
        )
        return total / together
