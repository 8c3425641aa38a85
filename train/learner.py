"""The network that learns: PyTorch autograd, Adam, one step for each batch of positions."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from bgai.board import Board
from bgai.catalogue import open_model
from bgai.errors import ConfigError, TrainingError
from bgai.features import encoder
from bgai.kernels.forward import Net
from bgai.model import Weights, export
from bgai.network import ValueNetwork, network_of
from bgai.outcomes import Outcomes

from .config import TrainConfig, at_games

EXPLODED = 5.0
"""A mean cross-entropy that no network has whose outputs mean anything; log 2 is ignorance."""


class Learner:
    """A network and its optimiser."""

    def __init__(self, config: TrainConfig) -> None:
        torch.set_num_threads(config.optim.threads)
        self.config = config
        self.encoder = encoder(config.network.encoder)
        self.network = _first_network(config)
        first, *others = self.network.layers
        self.optimiser = torch.optim.Adam(
            [
                {"params": list(first.parameters()), "times": config.optim.first_layer},
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
        rate = at_games(self.config.optim.lr, games)
        for group in self.optimiser.param_groups:
            group["lr"] = rate * group["times"]
        batch = self.config.optim.batch
        shuffled = order.permutation(len(boards))
        losses = []
        for begin in range(0, len(boards), batch):
            chosen = shuffled[begin : begin + batch]
            loss = self._loss(boards[chosen], targets[chosen])
            self.optimiser.zero_grad()
            loss.backward()
            self.optimiser.step()
            losses.append(loss.detach())
        mean = float(torch.stack(losses).mean())
        with torch.no_grad():
            # The last step shows only in the loss after it.
            after = float(self._loss(boards[chosen], targets[chosen]))
        for found in (mean, after):
            if not found < EXPLODED:
                raise TrainingError(
                    f"the loss is {found:g} after {games:,} games, expected less than {EXPLODED:g}: lower optim.lr"
                )
        if not all(bool(torch.isfinite(weight).all()) for weight in self.network.parameters()):
            raise TrainingError(f"a weight is not finite after {games:,} games: lower optim.lr")
        return mean

    def _loss(self, boards: Board, targets: Outcomes) -> Tensor:
        inputs = torch.from_numpy(self.encoder.encode(boards))
        # For each number of rows PyTorch compiles other bfloat16 products, and keeps them: gigabytes, if the last
        # batch, which has another number each time, used them too.
        short = self.config.optim.precision == "bfloat16" and len(boards) == self.config.optim.batch
        with torch.autocast("cpu", torch.bfloat16, enabled=short):
            logits = self.network(inputs)
        loss: Tensor = self.loss(logits.float(), torch.from_numpy(targets))
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
        self.network.load_state_dict({name: torch.from_numpy(value.copy()) for name, value in own.items()})
        for name, parameter in self.network.named_parameters():
            state = {
                key.split(".")[1]: torch.from_numpy(value.copy())
                for key, value in arrays.items()
                if key.startswith("optimiser.") and key.split(".", 2)[2] == name
            }
            if state:
                self.optimiser.state[parameter] = state


def _first_network(config: TrainConfig) -> ValueNetwork:
    if config.network.start:
        model = open_model(config.network.start)
        if (model.manifest.encoder, model.manifest.layers) != (config.network.encoder, config.network.layers):
            raise ConfigError(
                f"network.start {model.name} has encoder {model.manifest.encoder} and layers"
                f" {model.manifest.layers}, the configuration asks for {config.network.encoder} and"
                f" {config.network.layers}"
            )
        return network_of(model).train()
    torch.manual_seed(config.seed)
    network = ValueNetwork(encoder(config.network.encoder), config.network.layers)
    for name, weight in network.named_parameters():
        if name.endswith("bias"):
            nn.init.zeros_(weight)
    return network
