"""The value network as a PyTorch module: the trainer's form, and the reference that the kernel must match.

This is the only file of the player that imports torch; nothing else imports it except on demand.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from bgai.board import Board
from bgai.features import Encoder
from bgai.model import Model
from bgai.outcomes import COUNT, Outcomes


class ValueNetwork(nn.Module):
    """Board features in, five logits out; ReLU between the layers.

    The sigmoids of the logits are the cumulative chances of `bgai.outcomes`.
    """

    def __init__(self, encoder: Encoder, widths: Sequence[int]) -> None:
        """`widths`: units of each hidden layer, the first (sparse) one first."""
        super().__init__()
        self.encoder = encoder
        self.widths = tuple(widths)
        sizes = [encoder.inputs, *widths, COUNT]
        self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in itertools.pairwise(sizes))

    def forward(self, inputs: Tensor) -> Tensor:
        """Logits `[N, 5]` of inputs `[N, F]`."""
        values = inputs
        for layer in self.layers[:-1]:
            values = torch.relu(layer(values))
        logits: Tensor = self.layers[-1](values)
        return logits

    def arrays(self) -> dict[str, NDArray[np.float32]]:
        """The weights by name, as a model file keeps them."""
        return {name: value.detach().cpu().numpy() for name, value in self.state_dict().items()}

    def chances(self, boards: Board) -> Outcomes:
        """Sigmoids of the logits, `float32[N, 5]`, as they come: see `bgai.outcomes.possible`."""
        with torch.inference_mode():
            values: Outcomes = torch.sigmoid(self(torch.from_numpy(self.encoder.encode(boards)))).numpy()
        return values


def network_of(model: Model) -> ValueNetwork:
    """A module with the weights of a kept model."""
    network = ValueNetwork(model.encoder, model.manifest.layers)
    network.load_state_dict({name: torch.from_numpy(array.copy()) for name, array in model.weights.items()})
    return network.eval()
