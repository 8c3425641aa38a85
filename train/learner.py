"""The network that learns: PyTorch autograd, Adam, one step for each batch of positions.

Several processes (`processes`) learn as one: each takes its share of every batch, the slopes are added up, and all take
the same step.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
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
from bgai.outcomes import COUNT, POINTS, Outcomes

from .awake import AwakeSlopes
from .config import FitConfig, TrainConfig, at_games
from .growth import grown
from .processes import ALONE, Lesson, Processes, State
from .renewal import renew

EXPLODED = 5.0
"""A mean cross-entropy that no network has whose outputs mean anything; log 2 is ignorance."""


class Learner:
    """A network and its optimiser."""

    def __init__(self, config: TrainConfig, processes: Processes = ALONE) -> None:
        """`processes` say where the network learns, too."""
        self.config = config
        self.processes = processes
        self.encoder = encoder(config.network.encoder)
        self.network = _first_network(config).to(processes.device)
        how = config.learning
        awake = isinstance(how, FitConfig) and how.slopes == "awake" and processes.device.type == "cpu"
        self._awake = AwakeSlopes(self.network) if awake else None
        self._told = False
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
        self._tell(Lesson(boards, targets, rates))
        # Of the whole process, and there may be another learner in it.
        torch.set_num_threads(self.config.learning.threads)
        batch = self.config.learning.batch
        losses = []
        for begin, rate in zip(range(0, len(boards), batch), rates, strict=True):
            for group in self.optimiser.param_groups:
                group["lr"] = rate * group["times"]
            last = slice(begin, begin + batch)
            losses.append(self._slopes(boards[last], targets[last]))
            self.optimiser.step()
        with torch.no_grad():
            # The last step shows only in the loss after it.
            losses.append(self._loss(boards[last], targets[last])[0])
        found = torch.stack(losses)
        self.processes.add_up([found])
        self.processes.finish()
        mean = float(found[:-1].mean())
        for value in (mean, float(found[-1])):
            if not value < EXPLODED:
                raise TrainingError(f"the loss is {value:g}, expected less than {EXPLODED:g}, {remedy}")
        if not all(bool(torch.isfinite(weight).all()) for weight in self.network.parameters()):
            raise TrainingError(f"a weight is not finite {remedy}")
        return mean

    def _tell(self, lesson: Lesson) -> None:
        """Lets the other processes learn it too, from the same state."""
        if not self.processes.lead:
            return
        if not self._told:
            # They need no model to start from: they get what has come of it.
            network = replace(self.config.network, start="")
            self.processes.tell(State(replace(self.config, network=network), self.state()))
            self._told = True
        self.processes.tell(lesson)

    def renew(self, boards: Board, order: np.random.Generator) -> list[int]:
        """Lets units begin again that these positions do not wake: see `renewal`."""
        # As in `descend`: the last digits depend on it.
        torch.set_num_threads(self.config.learning.threads)
        renewed = renew(self.network, self.optimiser, boards, order)
        # The other processes go on from what came of it.
        self._told = False
        return renewed

    def forget(self) -> None:
        """Forgets what the optimiser has learnt about the slopes, as a new one: the next fit is another task."""
        self.optimiser.state.clear()
        self._told = False

    def _slopes(self, boards: Board, targets: Outcomes) -> Tensor:
        """Computes the slopes of the loss of a batch; returns the loss, or what this process adds to it."""
        if self._awake is not None:
            mine, how = self.processes.share(len(boards)), self.config.fit
            found = self._awake.compute(boards[mine], targets[mine], how.equity, how.sparse, len(boards))
            loss = torch.tensor(found)
        else:
            loss, price = self._loss(boards, targets)
            self.optimiser.zero_grad()
            (loss + price).backward()
        # In the parameters' order and form: a process on a GPU leaves to autograd what another's kernel computes.
        self.processes.add_up([slope for weight in self.network.parameters() if (slope := weight.grad) is not None])
        return loss.detach()

    def _loss(self, boards: Board, targets: Outcomes) -> tuple[Tensor, Tensor]:
        """Mean loss of a batch and what units that speak in it cost, or what this process adds to both."""
        mine = self.processes.share(len(boards))
        how, device = self.config.learning, self.processes.device
        # For each number of rows the CPU's bfloat16 products are compiled anew, and kept: gigabytes, if the last
        # batch, which has another number each time, used them too.
        short = how.precision == "bfloat16" and (len(boards) == how.batch or device.type != "cpu")
        inputs = self.network.inputs(boards[mine])
        with torch.autocast(device.type, torch.bfloat16) if short else nullcontext():
            first = self.network.first(inputs)
            logits = self.network.behind(first)
        if len(inputs) == 0:
            # The mean of nothing is no number; the sum is 0, and its slopes are.
            nothing: Tensor = logits.sum()
            return nothing, nothing
        aims = self.network.sent(targets[mine])
        loss: Tensor = self.loss(logits.float(), aims)
        price = torch.zeros_like(loss)
        if isinstance(how, FitConfig):
            if how.equity > 0:
                off = (torch.sigmoid(logits.float()) - aims) @ self.network.sent(POINTS[:COUNT])
                loss = loss + how.equity * off.square().mean()
            if how.sparse > 0:
                price = how.sparse * first.float().sum(1).mean()
        share = len(inputs) / len(boards)
        return loss * share, price * share

    def state(self) -> dict[str, NDArray[np.float32]]:
        """Weights and optimiser state as arrays by name."""
        arrays: dict[str, NDArray[np.float32]] = {f"network.{name}": value for name, value in self.weights().items()}
        for name, parameter in self.network.named_parameters():
            for key, value in self.optimiser.state.get(parameter, {}).items():
                arrays[f"optimiser.{key}.{name}"] = value.detach().cpu().numpy().copy()
        return arrays

    def restore(self, arrays: dict[str, NDArray[Any]]) -> None:
        """Goes back to a `state`."""
        own = {name.removeprefix("network."): value for name, value in arrays.items() if name.startswith("network.")}
        self.network.load_state_dict({name: torch.tensor(value) for name, value in own.items()})
        for name, parameter in self.network.named_parameters():
            state = {
                key.split(".")[1]: _laid_out(torch.tensor(value), parameter)
                for key, value in arrays.items()
                if key.startswith("optimiser.") and key.split(".", 2)[2] == name
            }
            if state:
                self.optimiser.state[parameter] = state
        self._told = False


def _laid_out(value: Tensor, parameter: Tensor) -> Tensor:
    """What the optimiser keeps, on the parameter's device; if it is a number for each weight, in the same layout."""
    if value.shape != parameter.shape:
        return value.to(parameter.device)
    return torch.empty_like(parameter, requires_grad=False).copy_(value)


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
