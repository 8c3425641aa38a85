"""What one core does, and how large what it is sent and sends back is: the measured half of docs/scaling.md.

Two networks: a kept one, and the same grown to the shape of the strongest published ones, 512-512-256-256, which says
the same and costs what such a network costs. Seconds are CPU-seconds of one thread.
"""

from __future__ import annotations

import hashlib
import pickle
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import torch
from bgai_train import labeller, selfplay
from bgai_train.ahead import GamesAhead
from bgai_train.checkpoint import Progress
from bgai_train.config import LabelConfig, NetworkConfig, OptimConfig, SelfplayConfig, TrainConfig
from bgai_train.learner import Learner
from safetensors.numpy import save

from bgai import duel
from bgai.bearoff import bearoffs, network_alone
from bgai.kernels.forward import Net
from bgai.kernels.static import Static
from bgai.model import Model
from bgai.packing import pack
from bgai.workers import Workers

LARGE = [512, 512, 256, 256]
BATCH = 1024


@dataclass(frozen=True)
class Rate:
    """An item of one way of work."""

    games: int
    """Of an item."""
    positions: float
    """Of an item, those that are learnt from or labelled."""
    item_seconds: float
    spread: float
    """Standard deviation of its seconds over the mean."""
    result_bytes: int
    shared_bytes: int
    open_seconds: float
    measured: int
    """Items of which these are the means."""


def measure(kept: Model, told: Callable[[str], object]) -> dict[str, Any]:
    """Everything, as plain data; `told` hears what comes next."""
    names = {"shipped": kept.manifest.layers, "large": LARGE}
    found: dict[str, Any] = {"model": kept.name, "networks": {}}
    for title, layers in names.items():
        recipe = TrainConfig(
            network=NetworkConfig(layers=list(layers), start=kept.name), optim=OptimConfig(batch=BATCH, lr=1e-5)
        )
        learner = Learner(recipe)
        told(f"{title}: games")
        net, filters = learner.net(), kept.filter_net()
        rates = {"selfplay": _selfplay(net, SelfplayConfig(), selfplay.CHUNK, 8)}
        told(f"{title}: games with exact backups")
        exact = SelfplayConfig(backup="expected", share=0.1)
        rates["exact"] = _exact(_selfplay(net, exact, 16, 4), exact.share, rates["selfplay"])
        if filters is not None:
            told(f"{title}: labels")
            rates["labels"] = _labels(Static(net, filters, LabelConfig.keep, bearoffs()), 8)
        told(f"{title}: duels")
        rates["duels"] = _duels(net, 4)
        told(f"{title}: learning")
        found["networks"][title] = {
            "layers": list(layers),
            "weights": sum(array.size for array in learner.weights().values()),
            "rates": {name: asdict(rate) for name, rate in rates.items()},
            "learnt_a_second": _learnt(learner),
        }
    return found


def _measured(
    task: Any, shared: Any, ranges: list[range], games: int, positions: Callable[[Any], float] = lambda result: 0.0
) -> Rate:
    """An item for each range, after a first one that may compile."""
    packed = pack((task, shared))
    pickle.loads(packed)
    begin = time.process_time()
    open_task, opened = pickle.loads(packed)
    work = open_task(opened)
    open_seconds = time.process_time() - begin
    work(ranges[0])
    seconds, met, sizes = [], [], []
    for numbers in ranges[1:]:
        begin = time.process_time()
        result = work(numbers)
        seconds.append(time.process_time() - begin)
        met.append(positions(result))
        sizes.append(len(pickle.dumps(result, pickle.HIGHEST_PROTOCOL)))
    return Rate(
        games=games,
        positions=float(np.mean(met)),
        item_seconds=float(np.mean(seconds)),
        spread=float(np.std(seconds, ddof=1) / np.mean(seconds)),
        result_bytes=int(np.mean(sizes)),
        shared_bytes=len(packed),
        open_seconds=open_seconds,
        measured=len(seconds),
    )


def _ranges(size: int, count: int) -> list[range]:
    return [range(begin, begin + size) for begin in range(0, size * (count + 1), size)]


def _selfplay(net: Net, config: SelfplayConfig, size: int, count: int) -> Rate:
    player = selfplay.Player(network_alone(net), config, 1, 0.0, 0.0)
    return _measured(
        selfplay.playing, player, _ranges(size, count), size, lambda parts: sum(len(boards) for boards, _, _ in parts)
    )


def _exact(some: Rate, share: float, sampled: Rate) -> Rate:
    """An item whose positions all have exact backups, from one that gave them to a share, and from one without any."""
    a_game = sampled.item_seconds / sampled.games
    a_position = (some.item_seconds / some.games - a_game) / (some.positions / some.games)
    games, positions = sampled.games, sampled.positions
    return Rate(
        games,
        positions,
        games * a_game + positions * a_position,
        # Of as many games; the positions of a game are what differs.
        sampled.spread,
        sampled.result_bytes,
        some.shared_bytes,
        some.open_seconds,
        some.measured,
    )


def _labels(static: Static, count: int) -> Rate:
    player = labeller.Labeller(static, LabelConfig(), 1, labeller.NO_BOARDS)
    ranges = _ranges(labeller.CHUNK, count)
    return _measured(labeller.labelling, player, ranges, labeller.CHUNK, lambda found: len(found["boards"]))


def _duels(net: Net, count: int) -> Rate:
    player = duel.net_duellist("one", net)
    pairing = duel.Pairing(player, duel.net_duellist("other", net), 1)
    return _measured(duel.playing, pairing, _ranges(duel.CHUNK, count), 2 * duel.CHUNK)


def _learnt(learner: Learner, seconds: float = 1.0) -> float:
    """Positions learnt from a CPU-second, in single precision."""
    torch.set_num_threads(1)
    player = selfplay.Player(network_alone(learner.net()), SelfplayConfig(), 1, 0.0, 0.0)
    boards, targets, _ = (np.concatenate(parts) for parts in zip(*player.play(0, 80), strict=True))
    boards, targets = boards[: 4 * BATCH], targets[: 4 * BATCH]
    learner.descend(boards, targets, [1e-5] * 4, "in the benchmark")
    learnt, begin = 0, time.process_time()
    while (passed := time.process_time() - begin) < seconds:
        learner.descend(boards, targets, [1e-5] * 4, "in the benchmark")
        learnt += len(boards)
    return learnt / passed


def writing_seconds(kept: Model, items: int = 64) -> float:
    """CPU-seconds of the driver to put a result of labels into a shard, to hash and to write it."""
    player = labeller.Labeller.of(kept, LabelConfig(), 1, labeller.NO_BOARDS)
    parts = [player.play(0, labeller.CHUNK)] * items
    begin = time.process_time()
    hashlib.sha256(save({name: np.concatenate([part[name] for part in parts]) for name in parts[0]})).hexdigest()
    return (time.process_time() - begin) / items


def trained(workers: Workers, kept: Model, updates: int, games: int, ahead: int) -> dict[str, float]:
    """A run from a kept model, without evaluations and checkpoints: seconds of the clock and of processors."""
    config = TrainConfig(
        network=NetworkConfig(layers=list(kept.manifest.layers), start=kept.name),
        selfplay=SelfplayConfig(games=updates * games, games_per_update=games, warm_up=0, ahead=ahead),
        optim=OptimConfig(batch=BATCH, lr=1e-5),
    )
    learner = Learner(config)
    # Workers load their kernels.
    selfplay.play(learner.net(), config.selfplay, 2, 0, selfplay.CHUNK, workers)
    waited = learnt = learnt_cpu = 0.0
    start, start_cpu, elsewhere = time.monotonic(), time.process_time(), workers.elsewhere
    with GamesAhead(config, learner, workers, Progress(), {}) as games_ahead:
        for update in range(updates):
            experience = games_ahead.next()
            waited += games_ahead.waited
            begin, begin_cpu = time.monotonic(), time.process_time()
            learner.learn(experience.boards, experience.targets, update * games, np.random.default_rng(update))
            learnt += time.monotonic() - begin
            learnt_cpu += time.process_time() - begin_cpu
    return {
        "seconds": time.monotonic() - start,
        "waited_seconds": waited,
        "learning_seconds": learnt,
        "learning_cpu_seconds": learnt_cpu,
        "driver_cpu_seconds": time.process_time() - start_cpu - learnt_cpu,
        "workers_cpu_seconds": workers.elsewhere - elsewhere,
    }
