"""The value network as a PyTorch module: the trainer's form, and the reference that the kernel must match.

This is the only file of the player that imports torch; nothing else imports it except on demand.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from bgai.board import Board
from bgai.errors import InputError
from bgai.features import Encoder
from bgai.kernels.forward import COUNTS
from bgai.model import Model
from bgai.outcomes import COUNT, Outcomes

CPU = torch.device("cpu")
TOGETHER = 16_384
"""Positions that are valued in one go; more would only need more memory."""

_NAME = re.compile(r"(?:auto|cpu|cuda|mps|cuda:[0-9]{1,3})")


def choose_device(name: str, told: Callable[[str], object]) -> torch.device:
    """The device of that name: `auto`, `cpu`, `cuda`, `cuda:N` or `mps`.

    `auto` is a CUDA device, else Apple's, else the CPU. Where there is no device of the kind asked for, `told` hears
    so in one line, and it is the CPU.

    Raises:
        InputError: no such name, or no device of that number beside others.
    """
    if not _NAME.fullmatch(name):
        raise InputError(f"unknown device {name!r}, expected auto, cpu, cuda, cuda:N or mps")
    has_cuda, has_mps = torch.cuda.is_available(), torch.backends.mps.is_available()
    if name == "auto":
        name = "cuda" if has_cuda else "mps" if has_mps else "cpu"
    kind, _, number = name.partition(":")
    if (kind == "cuda" and not has_cuda) or (kind == "mps" and not has_mps):
        built = torch.backends.cuda.is_built() if kind == "cuda" else torch.backends.mps.is_built()
        why = "finds none" if built else f"is built without {kind.upper()}"
        told(f"no {kind.upper()} device here (PyTorch {torch.__version__} {why}): going on with the CPU")
        return CPU
    if number and int(number) >= torch.cuda.device_count():
        raise InputError(f"no device {name}, expected cuda:0 to cuda:{torch.cuda.device_count() - 1}")
    return torch.device(name)


class ValueNetwork(nn.Module):
    """Board features in, five logits out; ReLU between the layers.

    The sigmoids of the logits are the cumulative chances of `bgai.outcomes`.
    """

    _slots: Tensor
    _values: Tensor
    _zeros: Tensor

    def __init__(self, encoder: Encoder, widths: Sequence[int]) -> None:
        """`widths`: units of each hidden layer, the first (sparse) one first."""
        super().__init__()
        self.encoder = encoder
        self.widths = tuple(widths)
        sizes = [encoder.inputs, *widths, COUNT]
        self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in itertools.pairwise(sizes))
        # What `encode` looks up. No part of the weights, but it goes with them from device to device.
        for name, table in _lookup(encoder).items():
            self.register_buffer(name, table, persistent=False)

    @property
    def device(self) -> torch.device:
        """Where the weights are."""
        return self._values.device

    def forward(self, inputs: Tensor) -> Tensor:
        """Logits `[N, 5]` of inputs `[N, F]`."""
        return self.behind(self.first(inputs))

    def first(self, inputs: Tensor) -> Tensor:
        """What the units of the first layer say, `[N, W]`, of inputs `[N, F]`."""
        return torch.relu(self.layers[0](inputs))

    def behind(self, values: Tensor) -> Tensor:
        """Logits `[N, 5]` of what the first layer says."""
        for layer in self.layers[1:-1]:
            values = torch.relu(layer(values))
        logits: Tensor = self.layers[-1](values)
        return logits

    def inputs(self, boards: Board) -> Tensor:
        """Inputs `float32[N, F]` of boards `int8[N, 26]`, on the network's device.

        The CPU has a kernel for them. Another device gets the boards, a fiftieth of the bytes, and encodes them itself.
        """
        if self.device.type == "cpu":
            # Copied into PyTorch's own memory, which is aligned: the last digits of a product can depend on where in
            # memory its factors lie, and a run that was interrupted and goes on must give the same bits.
            return torch.tensor(self.encoder.encode(boards))
        return self.encode(self.sent(boards))

    def sent(self, array: NDArray[np.generic]) -> Tensor:
        """A copy of an array on the network's device; a GPU takes it while the program goes on."""
        tensor = torch.tensor(array)
        if self.device.type == "cuda":
            tensor = tensor.pin_memory()
        return tensor.to(self.device, non_blocking=True)

    def encode(self, boards: Tensor) -> Tensor:
        """The inputs `float32[N, F]` that the kernel makes, by PyTorch, from boards `int8[N, 26]` on any device."""
        counts = boards.long()
        own_off = 15 - counts.clamp(min=0).sum(1, keepdim=True)
        other_off = 15 + counts.clamp(max=0).sum(1, keepdim=True)
        slots = torch.cat([counts, own_off, other_off], 1)
        inputs: Tensor = self._values[self._zeros + slots[:, self._slots]]
        return inputs

    def arrays(self) -> dict[str, NDArray[np.float32]]:
        """The weights by name, as a model file keeps them."""
        return {name: value.detach().cpu().numpy() for name, value in self.state_dict().items()}

    def chances(self, boards: Board) -> Outcomes:
        """Sigmoids of the logits, `float32[N, 5]`, as they come: see `bgai.outcomes.possible`."""
        outcomes = np.empty((len(boards), COUNT), dtype=np.float32)
        with torch.inference_mode():
            for begin in range(0, len(boards), TOGETHER):
                part = boards[begin : begin + TOGETHER]
                outcomes[begin : begin + TOGETHER] = torch.sigmoid(self(self.inputs(part))).cpu().numpy()
        return outcomes


def _lookup(encoder: Encoder) -> dict[str, Tensor]:
    """For each of the F inputs: its slot, its values by count, and where among all values that of count 0 stands."""
    widths = np.diff(encoder.starts)
    slots = np.repeat(np.arange(len(widths)), widths)
    columns = np.arange(encoder.inputs) - encoder.starts[slots]
    values = encoder.features[slots, :, columns]
    return {
        "_slots": torch.from_numpy(slots),
        "_values": torch.from_numpy(values.reshape(-1)),
        "_zeros": torch.arange(encoder.inputs) * COUNTS + COUNTS // 2,
    }


def network_of(model: Model) -> ValueNetwork:
    """A module with the weights of a kept model."""
    network = ValueNetwork(model.encoder, model.manifest.layers)
    network.load_state_dict({name: torch.from_numpy(array.copy()) for name, array in model.weights.items()})
    return network.eval()
