"""Positions a second that a network learns from and values, on the CPU and on a GPU beside it, in one run.

    python benchmarks/device.py
    python benchmarks/device.py --device cuda:1 --seconds 5

Three networks with random weights, a small, a middling and a large one. Training is whole steps of `Learner.descend` in
batches of 1,024: encoding, forward, backward, Adam. Evaluation is `Evaluator.evaluate` of 16,384 boards, from NumPy to
NumPy. The CPU's figures are for each CPU-second of one thread, so that other work on the machine does not matter;
the GPU's are for each second of the clock, with all that one thread of the CPU has to do for it. Without a GPU there
are the CPU's alone.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator

import numpy as np
import torch
from bgai_train import fit
from bgai_train.config import NetworkConfig, OptimConfig, TrainConfig
from bgai_train.learner import Learner
from bgai_train.processes import Processes
from players import random_model
from report import print_table, processor
from tqdm import tqdm

from bgai.board import START, Board
from bgai.errors import BgaiError
from bgai.evaluator import Evaluator, KernelEvaluator, TorchEvaluator
from bgai.network import CPU, choose_device
from bgai.plays import legal_plays_batch

SIZES = ([256, 32], [512, 256, 64], [2048, 1024, 256])
PRECISIONS = ("float32", "bfloat16")
BATCH = 1024
STEPS = {"cpu": 4}
"""Batches that are learnt from in one call; elsewhere those of a fit, since each call waits for the device."""
VALUED = 16 * BATCH
"""Boards that are valued in one call."""

Work = Callable[[], int]
"""Does some work and returns of how many positions."""


def main(arguments: list[str] | None = None) -> int:
    """Runs the command; returns its exit code."""
    parser = argparse.ArgumentParser(
        prog="device.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--device", default="cuda", metavar="NAME", help="what stands beside the CPU (default cuda)")
    parser.add_argument("--seconds", type=float, default=2.0, metavar="S", help="of each measurement (default 2)")
    options = parser.parse_args(arguments)
    try:
        device = choose_device(options.device, lambda line: print(f"device.py: {line}", file=sys.stderr))
    except BgaiError as error:
        print(f"device.py: {error}", file=sys.stderr)
        return 2
    torch.set_num_threads(1)
    devices = [CPU] if device == CPU else [CPU, device]
    boards = positions(VALUED, seed=1)
    header = ["network", "work", *map(described, devices)]
    with tqdm(total=len(SIZES) * (len(PRECISIONS) + 2) * len(devices), leave=False) as bar:
        rows = [row for layers in SIZES for row in measure(layers, boards, devices, options.seconds, bar.update)]
    print_table(f"positions a second, PyTorch {torch.__version__}", header, rows)
    print("\nCPU: for each CPU-second of one thread; GPU: for each second of the clock")
    return 0


def positions(count: int, seed: int) -> Board:
    """`count` boards from games of random plays."""
    rng = np.random.default_rng(seed)
    boards = np.tile(START, (count // 32 + 1, 1))
    met = []
    while sum(map(len, met)) < count:
        met.append(boards)
        plays = legal_plays_batch(boards, rng.integers(1, 7, size=(len(boards), 2)), with_steps=False)
        after = plays.successors[rng.integers(plays.offsets[:-1], plays.offsets[1:])]
        boards = after[(after < 0).any(axis=1)]
    found: Board = rng.permutation(np.concatenate(met))[:count]
    return found


def described(device: torch.device) -> str:
    """A device's name in the table."""
    if device.type == "cuda":
        return torch.cuda.get_device_name(device)
    return processor() if device == CPU else str(device)


def measure(
    layers: list[int], boards: Board, devices: list[torch.device], seconds: float, told: Callable[[], object]
) -> Iterator[list[str]]:
    """The rows of one network; `told` hears of each cell."""
    name = "-".join(map(str, layers))
    model = random_model(layers)

    def row(work: str, begun: Callable[[torch.device], Work | None]) -> list[str]:
        cells = []
        for device in devices:
            done = begun(device)
            cells.append("" if done is None else f"{rate(done, device, seconds):,.0f}")
            told()
        return [name, work, *cells]

    for precision in PRECISIONS:
        yield row(f"training, {precision}", lambda device, how=precision: training(layers, how, boards, device))
    yield row("evaluation", lambda device: evaluation(TorchEvaluator(model, str(device)), boards))
    yield row(
        "evaluation, kernels",
        lambda device: evaluation(KernelEvaluator(model), boards) if device == CPU else None,
    )


def training(layers: list[int], precision: str, boards: Board, device: torch.device) -> Work:
    """Learns random targets."""
    optim = OptimConfig(batch=BATCH, precision="bfloat16" if precision == "bfloat16" else "float32")
    learner = Learner(TrainConfig(network=NetworkConfig(layers=layers), optim=optim), Processes(device))
    steps = STEPS.get(device.type, fit.STEPS)
    lesson = np.resize(boards, (steps * BATCH, 26))
    targets = np.random.default_rng(1).random((len(lesson), 5), dtype=np.float32)

    def work() -> int:
        learner.descend(lesson, targets, [1e-4] * steps, "in the benchmark")
        return len(lesson)

    return work


def evaluation(evaluator: Evaluator, boards: Board) -> Work:
    """Values some boards."""
    return lambda: len(evaluator.evaluate(boards))


def rate(work: Work, device: torch.device, seconds: float) -> float:
    """Positions a second, after a first time that may compile or find out what is quickest."""
    clock = time.process_time if device == CPU else time.perf_counter
    work()
    done, start = 0, clock()
    while (passed := clock() - start) < seconds or not done:
        done += work()
    return done / passed


if __name__ == "__main__":
    sys.exit(main())
