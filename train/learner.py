"""The network that learns: PyTorch autograd, Adam, one step for each batch of positions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from bgai.board import Board
from bgai.catalogue import open_model
from bgai.errors import TrainingError
from bgai.features import encoder
from bgai.kernels.forward import Net
from bgai.model import Weights, export
from bgai.network import ValueNetwork
from bgai.outcomes import Outcomes

from .config import TrainConfig, at_games
from .growth import grown

EXPLODED = 5.0
"""A mean cross-entropy that no network has whose outputs mean anything; log 2 is ignorance."""


class Learner:
    """A network and its optimiser."""

    def __init__(self, config: TrainConfig) -> None:
        self.config = config
        self.encoder = encoder(config.network.encoder)
        self.network = _first_network(config)
        first, *others = self.network.layers
        self.optimiser = torch.optim.Adam(
            [
                {"params": list(first.parameters()), "times": config.learning.first_layer},
                {"params": [weight for layer in others for weight in layer.parameters()], "times": 1.0},
            ],
            fused=True,
        )
        self.loss = nn.BCEWithLogitsLoss()

    def net(self) -> Net:
        """The present weights in the form that kernels play with."""
        return export(self.encoder, list(self.network.widths), self.weights())

    def weights(self) -> Weights:
        """The present weights by name, a copy that further learning leaves alone."""
        return {name: array.copy() for name, array in self.network.arrays().items()}

    def learn(self, boards: Board, targets: Outcomes, games: int, order: np.random.Generator) -> float:
        """Uses each position once, in random order; returns the mean loss.

        The loss is the cross-entropy of the five cumulative chances: a target is the expected value of an event
        that happens or does not, so the best prediction is its probability, as with squared error, but a
        prediction near 0 or 1 learns faster from its mistakes.

        Raises:
            TrainingError: the loss is no number, or far beyond that of a network that knows nothing; or there is
                nothing to learn from.
        """
        if len(boards) == 0:
            raise TrainingError(f"no position to learn from after {games:,} games: lower selfplay.explore_plies")
        shuffled = order.permutation(len(boards))
        rates = [at_games(self.config.optim.lr, games)] * -(-len(boards) // self.config.optim.batch)
        return self.descend(boards[shuffled], targets[shuffled], rates, f"after {games:,} games: lower optim.lr")

    def descend(self, boards: Board, targets: Outcomes, rates: Sequence[float], remedy: str) -> float:
        """One step for each batch of positions, in their order, at its learning rate; returns the mean loss.

        Raises:
            TrainingError: as in `learn`; `remedy` says when it happened and what to do.
        """
        # Of the whole process, and there may be another learner in it.
        torch.set_num_threads(self.config.learning.threads)
        batch = self.config.learning.batch
        losses = []
        for begin, rate in zip(range(0, len(boards), batch), rates, strict=True):
            for group in self.optimiser.param_groups:
                group["lr"] = rate * group["times"]
            last = slice(begin, begin + batch)
            loss = self._loss(boards[last], targets[last])
            self.optimiser.zero_grad()
            loss.backward()
            self.optimiser.step()
            losses.append(loss.detach())
        mean = float(torch.stack(losses).mean())
        with torch.no_grad():
            # The last step shows only in the loss after it.
            after = float(self._loss(boards[last], targets[last]))
        for found in (mean, after):
            if not found < EXPLODED:
                raise TrainingError(f"the loss is {found:g}, expected less than {EXPLODED:g}, {remedy}")
        if not all(bool(torch.isfinite(weight).all()) for weight in self.network.parameters()):
            raise TrainingError(f"a weight is not finite {remedy}")
        return mean

    def forget(self) -> None:
        """Forgets what the optimiser has learnt about the slopes, as a new one: the next fit is another task."""
        self.optimiser.state.clear()

    def _loss(self, boards: Board, targets: Outcomes) -> Tensor:
        # Copied into PyTorch's own memory, which is aligned: the last digits of a product can depend on where in memory
        # its factors lie, and a run that was interrupted and goes on must give the same bits.
        inputs = torch.tensor(self.encoder.encode(boards))
        how = self.config.learning
        # For each number of rows PyTorch compiles other bfloat16 products, and keeps them: gigabytes, if the last
        # batch, which has another number each time, used them too.
        short = how.precision == "bfloat16" and len(boards) == how.batch
        with torch.autocast("cpu", torch.bfloat16, enabled=short):
            logits = self.network(inputs)
        loss: Tensor = self.loss(logits.float(), torch.tensor(targets))
        return loss

    def state(self) -> dict[str, NDArray[np.float32]]:
        """Weights and optimiser state as arrays by name."""
        arrays: dict[str, NDArray[np.float32]] = {f"network.{name}": value for name, value in self.weights().items()}
        for name, parameter in self.network.named_parameters():
            for key, value in self.optimiser.state.get(parameter, {}).items():
                arrays[f"optimiser.{key}.{name}"] = value.detach().numpy().copy()
        return arrays

    def restore(self, arrays: dict[str, NDArray[Any]]) -> None:
        """Goes back to a `state`."""
        own = {name.removeprefix("network."): value for name, value in arrays.items() if name.startswith("network.")}
        self.network.load_state_dict({name: torch.tensor(value) for name, value in own.items()})
        for name, parameter in self.network.named_parameters():
            state = {
                key.split(".")[1]: torch.tensor(value)
                for key, value in arrays.items()
                if key.startswith("optimiser.") and key.split(".", 2)[2] == name
            }
            if state:
                self.optimiser.state[parameter] = state


def _first_network(config: TrainConfig) -> ValueNetwork:
    if config.network.start:
        network = ValueNetwork(encoder(config.network.encoder), config.network.layers)
        weights = grown(open_model(config.network.start), config.network, config.seed)
        network.load_state_dict({name: torch.from_numpy(array.copy()) for name, array in weights.items()})
        return network
    torch.manual_seed(config.seed)
    network = ValueNetwork(encoder(config.network.encoder), config.network.layers)
    for name, weight in network.named_parameters():
        if name.endswith("bias"):
            nn.init.zeros_(weight)
    return network
