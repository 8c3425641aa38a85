"""Several processes that learn as one, started by torchrun.

The first process runs the whole program as if it were alone: it reads and writes the run's folder, measures, shows
progress and hears Ctrl-C. The others follow it (see `following`). Whenever it is about to do what can be shared it
tells them, each does its part, and what they have is added up or gathered. So there is one program of events, nothing
to keep in step, and a run may be resumed by another number of processes.

Words and gradients go over gloo, which every machine has; gradients of CUDA devices over NCCL.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, TypeVar

import torch
import torch.distributed as dist
from numpy.typing import NDArray
from torch import Tensor

from bgai.board import Board
from bgai.errors import ConfigError, TrainingError
from bgai.network import CPU, choose_device
from bgai.outcomes import Outcomes

from .config import TrainConfig

Found = TypeVar("Found")

PATIENCE = timedelta(days=1)
"""So long a process waits for another. One that ends is noticed at once, and the first may measure for hours."""


@dataclass(frozen=True)
class State:
    """Told before a lesson, if others than the first do not know yet what the learner has learnt."""

    config: TrainConfig
    arrays: dict[str, NDArray[Any]]
    """See `Learner.state`."""


@dataclass(frozen=True)
class Lesson:
    """What the learner descends on, see `Learner.descend`: all batches, of which each process takes its share."""

    boards: Board
    targets: Outcomes
    rates: Sequence[float]


@dataclass(frozen=True)
class Opening:
    """Work that can be shared, see `bgai.workers`."""

    packed: bytes
    """Task and what all items share, by `bgai.packing`."""


@dataclass(frozen=True)
class Shares:
    """Items to be worked at, each by one process."""

    opening: Opening | None
    """None: the last one."""
    items: Sequence[Any]
    threads: int
    """In each process."""


Order = State | Lesson | Shares | None
"""What the first process tells the others; None: the run is over."""


class Processes:
    """This process among those of a run. Made by `joined`; by itself it is alone, on the CPU."""

    def __init__(self, device: torch.device = CPU, rank: int = 0, count: int = 1) -> None:
        self.device = device
        """Where this process learns."""
        self.rank, self.count = rank, count
        self.asked = False
        """Whether another process was asked to end, by a signal, and all know it."""
        self._gradients: dist.ProcessGroup | None = None
        self._midway = False
        self._elsewhere = 0.0
        self._signalled = False

    @property
    def first(self) -> bool:
        """Whether this is the one that runs the program."""
        return self.rank == 0

    @property
    def lead(self) -> bool:
        """Whether others follow this one."""
        return self.first and self.count > 1

    @property
    def cpu_seconds(self) -> float:
        """Processor time of all processes, as far as the others have said."""
        return time.process_time() + self._elsewhere

    def share(self, rows: int) -> slice:
        """The part of a batch that is this process's."""
        return slice(rows * self.rank // self.count, rows * (self.rank + 1) // self.count)

    def tell(self, order: Order) -> None:
        """From the first to the others. What it begins has to be ended by `finish`, in all."""
        if self.lead:
            self._midway = True
            with _connected():
                dist.broadcast_object_list([order])

    def hear(self) -> Order:
        """What the first process tells."""
        heard: list[Order] = [None]
        with _connected():
            dist.broadcast_object_list(heard)
        return heard[0]

    def finish(self) -> None:
        """Ends what an order began: says who was asked to end, and the processor time."""
        if self.count == 1:
            return
        elsewhere = 0.0 if self.first else time.process_time()
        said = torch.tensor([float(self._signalled), elsewhere], dtype=torch.float64)
        with _connected():
            dist.all_reduce(said)
        self.asked, self._elsewhere = bool(said[0] > 0), float(said[1])
        self._midway = False

    def add_up(self, tensors: Sequence[Tensor]) -> None:
        """Puts the sum over all processes into each tensor, the same bits in all of them."""
        if self.count == 1:
            return
        with torch.no_grad():
            together = torch.cat([tensor.flatten() for tensor in tensors])
            if self._gradients is None:
                together = together.cpu()
            with _connected():
                dist.all_reduce(together, group=self._gradients)
            for tensor, part in zip(tensors, together.split([tensor.numel() for tensor in tensors]), strict=True):
                tensor.copy_(part.view_as(tensor))

    def gather(self, mine: Found) -> list[Found]:
        """What each process has, by rank; only the first gets it, the others nothing."""
        found: list[Found] = [mine] * self.count
        if self.count > 1:
            with _connected():
                dist.gather_object(mine, found if self.first else None)
        return found if self.first else []

    def join(self) -> None:
        """Meets the others where torchrun's environment says."""
        dist.init_process_group("gloo", rank=self.rank, world_size=self.count, timeout=PATIENCE)
        kinds: list[str] = [""] * self.count
        dist.all_gather_object(kinds, self.device.type)
        if set(kinds) == {"cuda"} and dist.is_nccl_available():
            self._gradients = dist.new_group(backend="nccl")

    def leave(self) -> None:
        """Ends the run for all; where one was broken off midway, the others notice that it is gone."""
        if self.count == 1 or self._midway:
            return
        self.tell(None)
        dist.destroy_process_group()
        self.count = 1

    def note(self, _signal: int, _frame: object) -> None:
        """The handler of signals in those that follow: the first hears of it after the present order."""
        self._signalled = True


ALONE = Processes()


@contextmanager
def joined(device: str, told: Callable[[str], object]) -> Iterator[Processes]:
    """The processes that torchrun started, or this one alone; `device` as `choose_device` names it.

    Under torchrun `cuda` is another device for each process of a machine, of which the first tells what there is not.

    Raises:
        ConfigError: a device that cannot be each process's own, or fewer devices than processes.
        InputError: no such device.
    """
    rank, count, local = (int(os.environ.get(name, default)) for name, default in _ENVIRONMENT)
    chosen = choose_device(device, told if local == 0 else lambda line: None)
    if count == 1:
        yield Processes(chosen)
        return
    if chosen.type == "cuda":
        chosen = _own(device, chosen, local)
    elif chosen.type == "mps":
        raise ConfigError("an MPS device serves one process, found several: --device cpu, or without torchrun")
    processes = Processes(chosen, rank, count)
    with _connected("cannot meet the other processes of this run"):
        processes.join()
    try:
        yield processes
    finally:
        if processes.first:
            with suppress(TrainingError):
                processes.leave()


_ENVIRONMENT = (("RANK", "0"), ("WORLD_SIZE", "1"), ("LOCAL_RANK", "0"))


def _own(name: str, chosen: torch.device, local: int) -> torch.device:
    if ":" in name:
        raise ConfigError(f"each process needs a device of its own, found --device {name}, expected --device cuda")
    if local >= torch.cuda.device_count():
        raise ConfigError(f"{torch.cuda.device_count()} CUDA devices here, found a process number {local + 1}")
    own = torch.device("cuda", local)
    torch.cuda.set_device(own)
    return own


@contextmanager
def _connected(
    failure: str = "another process of this run has ended, so this one ends too",
) -> Iterator[None]:
    """Says it clearly if the others cannot be reached."""
    try:
        yield
    except RuntimeError as error:
        raise TrainingError(failure) from error
