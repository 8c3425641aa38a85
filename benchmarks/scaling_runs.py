"""Runs on a small Ray cluster of this machine, to compare `scaling_model` with.

Most items only sleep: so a machine of two cores can be a cluster of eight workers, and what is compared is the order of
things, windows, rounds and pauses, not how busy the machine is. They go the way of all work: `bgai.workers` and
`bgai.cluster`, with results as large as real ones. The learner sleeps, too.
"""

from __future__ import annotations

import importlib
import logging
import os
import statistics
import time
import warnings
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgai.cluster import RayWorkers, ray_workers
from bgai.workers import Workers


@dataclass(frozen=True)
class Sleep:
    """How long items last."""

    seconds: float
    spread: float
    result_bytes: int
    shared: NDArray[np.uint8]
    """As large as weights are."""


def duration(sleep: Sleep, item: int) -> float:
    """Seconds of an item."""
    shape = sleep.spread**-2
    return float(np.random.default_rng([7, item]).gamma(shape, sleep.seconds / shape))


def sleeping(sleep: Sleep) -> Callable[[int], NDArray[np.uint8]]:
    """The task."""

    def work(item: int) -> NDArray[np.uint8]:
        time.sleep(duration(sleep, item))
        return np.zeros(sleep.result_bytes, dtype=np.uint8)

    return work


@contextmanager
def local_cluster(workers: int) -> Iterator[RayWorkers]:
    """A cluster of so many workers on this machine, all of which have started."""
    ray: Any = importlib.import_module("ray")
    # As urgent as the driver and everybody else, which on a busy machine is to be seen. Ray's name has small letters.
    os.environ["RAY_worker_niceness"] = "0"  # noqa: SIM112
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ray.init(
            num_cpus=workers,
            include_dashboard=False,
            object_store_memory=200 * 2**20,
            log_to_driver=False,
            logging_level=logging.CRITICAL,
        )
    try:
        with ray_workers("auto") as found:
            start = Sleep(0.2, 0.1, 1, np.zeros(1, dtype=np.uint8))
            with found.map(sleeping, start, range(5 * workers)) as items:
                deque(items, 0)
            yield found
    finally:
        ray.shutdown()


def driver_seconds(workers: Workers, items: int = 400, versions: int = 8) -> dict[str, float]:
    """CPU-seconds of this process: for new weights, to begin an item, to take its result, of the size of real ones."""
    begin = time.process_time()
    for version in range(versions):
        weights = np.full(1_600_000, version, dtype=np.uint8)
        deque(workers.map(sleeping, Sleep(1e-6, 1.0, 60_000, weights), range(1)), 0)
    packed = time.process_time()
    work = workers.map(sleeping, Sleep(1e-6, 1.0, 60_000, weights), range(items), ahead=True)
    begun = time.process_time()
    with work as results:
        deque(results, 0)
    an_item = {"begin_seconds": (begun - packed) / items, "take_seconds": (time.process_time() - begun) / items}
    return {"version_seconds": (packed - begin) / versions - sum(an_item.values()), **an_item}


def latency(workers: Workers, items: int = 30) -> float:
    """Seconds until something that was sent is there: half of those for an item that takes none."""
    seconds = []
    nothing = Sleep(1e-6, 1.0, 1, np.zeros(1, dtype=np.uint8))
    for item in range(items):
        begin = time.monotonic()
        deque(workers.map(sleeping, nothing, [item]), 0)
        seconds.append(time.monotonic() - begin)
    return statistics.mean(seconds) / 2


def slept_label(workers: Workers, sleep: Sleep, shards: int, items: int) -> float:
    """Seconds for shards of so many items, as `train.labels` asks for them."""
    begin = time.monotonic()
    for shard in range(shards):
        with workers.map(sleeping, sleep, range(shard * items, (shard + 1) * items)) as results:
            deque(results, 0)
    return time.monotonic() - begin


def slept_learn(
    workers: Workers, sleep: Sleep, updates: int, items: int, ahead: int, learning: float
) -> tuple[float, float]:
    """Seconds for updates as `train.loop` and `train.ahead` do them, and those for which was waited."""
    start, waited = time.monotonic(), 0.0
    playing: deque[Any] = deque()
    begun = 0
    for update in range(updates):
        begin = time.monotonic()
        while begun <= min(update + ahead, updates - 1):
            # Each version has other weights.
            shared = Sleep(sleep.seconds, sleep.spread, sleep.result_bytes, sleep.shared + np.uint8(begun))
            numbers = range(begun * items, (begun + 1) * items)
            playing.append(workers.map(sleeping, shared, numbers, ahead=ahead > 0))
            begun += 1
        with playing.popleft() as results:
            deque(results, 0)
        waited += time.monotonic() - begin
        time.sleep(learning)
    return time.monotonic() - start, waited
