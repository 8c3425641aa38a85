"""A small model of a cluster at work: who waits for whom, and for how long.

    simulation = Simulation(Cluster(workers=15), Work(item_seconds=0.1, result_bytes=160_000))
    simulation.run(play_and_learn(simulation, updates=20, items=16, ahead=1, learning=lambda update: 0.8))
    simulation.usage()

Events in a heap, one for each thing that ends. There is the command's process, called the driver here: it begins items,
takes results in the order of the items, and learns, one at a time. There are workers, each at one item at a time, and a
line out of the driver's machine and one into it, on which one thing goes after the other. The weights go to a machine
when its first item of a version begins, and from the driver's machine alone. The three ways of work are generators that
do what `train.ahead`, `train.labels` and `bgai.duel` do: they yield seconds in which the driver is busy, or an item for
which it waits.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from bgai.workers import WAITING


@dataclass(frozen=True)
class Cluster:
    """The machines."""

    workers: int
    """Cores that work; the driver has one more."""
    cores: int = 64
    """Of each machine."""
    bandwidth: float = 125e6
    """Bytes a second of each line: 1 Gbit/s."""
    latency: float = 0.001
    """Seconds until something that was sent is there: an item, weights, a result, the word that a worker is free."""


@dataclass(frozen=True)
class Work:
    """What is worked at. Seconds are those of one core."""

    item_seconds: float
    spread: float = 0.0
    """Standard deviation of an item's time over its mean; the times are gamma distributed."""
    result_bytes: float = 0.0
    shared_bytes: float = 0.0
    """What all items share: the weights."""
    open_seconds: float = 0.0
    """For a worker to open them, once a version."""
    version_seconds: float = 0.0
    """For the driver to pack new ones."""
    begin_seconds: float = 0.0
    """For the driver to begin an item."""
    take_seconds: float = 0.0
    """For the driver to take a result."""


@dataclass
class Item:
    """Something to be worked at by weights of a version."""

    version: int
    there: bool = False
    """Its result is at the driver's machine."""
    awaited: bool = False


@dataclass(frozen=True)
class Usage:
    """Shares of the time, from 0 to 1."""

    seconds: float
    """That it is about."""
    workers: float
    """At items, mean of all."""
    learner: float
    driver: float
    """At beginning items, taking results and writing."""
    out: float
    """The line out of the driver's machine."""
    into: float


Driver = Iterator[float | Item]


class Simulation:
    """One piece of work on a cluster."""

    def __init__(self, cluster: Cluster, work: Work, seed: int = 1, durations: Iterator[float] | None = None) -> None:
        """`durations` of the items in their order, instead of those of the seed."""
        self.cluster, self.work = cluster, work
        self._durations = durations or self._drawn(np.random.default_rng(seed))
        self.now = 0.0
        self.learnt = 0.0
        self.waited = 0.0
        """Seconds for which updates had to wait for their games, as `log.jsonl` has it."""
        self._events: list[tuple[float, int, Callable[[], None]]] = []
        self._number = 0
        self._queue: deque[Item] = deque()
        self._idle = list(range(cluster.workers))
        self._opened = [-1] * cluster.workers
        self._until = [0.0] * cluster.workers
        self._sent: dict[tuple[int, int], float] = {}
        self._out = self._into = 0.0
        self._busy = self._worked = self._outward = self._inward = 0.0
        self._since = 0.0
        self._over = False

    def run(self, driver: Driver) -> None:
        """Until the driver is through."""
        self._driver = driver
        self._go_on()
        while not self._over:
            self.now, _, happens = heapq.heappop(self._events)
            happens()

    def begin(self, version: int) -> Item:
        """Begins an item. The driver's time for it is `Work.begin_seconds`, which its generator yields."""
        item = Item(version)
        self._queue.append(item)
        self._give_out()
        return item

    def forget(self) -> None:
        """Lets `usage` be of the time from now on: what was at the beginning was another matter."""
        self._since, self._worked = self.now, self._left()
        self.learnt = self.waited = self._busy = self._outward = self._inward = 0.0

    def usage(self) -> Usage:
        """Who was busy for how long."""
        seconds = self.now - self._since
        worked = (self._worked - self._left()) / self.cluster.workers
        parts = (worked, self.learnt, self._busy - self.learnt, self._outward, self._inward)
        return Usage(seconds, *(part / seconds for part in parts))

    def _left(self) -> float:
        """Seconds that workers still need for the items that they have."""
        return sum(max(until - self.now, 0.0) for until in self._until)

    def _at(self, moment: float, happens: Callable[[], None]) -> None:
        self._number += 1
        heapq.heappush(self._events, (moment, self._number, happens))

    def _go_on(self) -> None:
        """The driver goes on to the next thing that takes time."""
        for wish in self._driver:
            if isinstance(wish, Item):
                if wish.there:
                    continue
                wish.awaited = True
            else:
                self._busy += wish
                self._at(self.now + wish, self._go_on)
            return
        self._over = True

    def _give_out(self) -> None:
        """Items to idle workers, so that few machines need the weights."""
        while self._queue and self._idle:
            item, worker = self._queue.popleft(), heapq.heappop(self._idle)
            weights = self._weights_at(worker // self.cluster.cores, item.version)
            begin = max(weights, self.now + self.cluster.latency)
            seconds = next(self._durations)
            if self._opened[worker] != item.version:
                self._opened[worker] = item.version
                seconds += self.work.open_seconds
            self._worked += seconds
            self._until[worker] = begin + seconds
            self._at(begin + seconds, partial(self._done, item, worker))

    def _drawn(self, rng: np.random.Generator) -> Iterator[float]:
        mean, spread = self.work.item_seconds, self.work.spread
        while True:
            yield float(rng.gamma(spread**-2, mean * spread**2)) if spread else mean

    def _weights_at(self, machine: int, version: int) -> float:
        """When a machine has them."""
        if (machine, version) not in self._sent:
            seconds = self.work.shared_bytes / self.cluster.bandwidth
            self._out = max(self._out, self.now) + seconds
            self._outward += seconds
            self._sent[machine, version] = self._out + self.cluster.latency
        return self._sent[machine, version]

    def _done(self, item: Item, worker: int) -> None:
        # Ray's workers have no next item at hand: they tell that they are free, and are sent one.
        self._at(self.now + self.cluster.latency, partial(self._free, worker))
        seconds = self.work.result_bytes / self.cluster.bandwidth
        self._into = max(self._into, self.now) + seconds
        self._inward += seconds
        self._at(self._into + self.cluster.latency, partial(self._arrived, item))

    def _free(self, worker: int) -> None:
        heapq.heappush(self._idle, worker)
        self._give_out()

    def _arrived(self, item: Item) -> None:
        item.there = True
        if item.awaited:
            self._go_on()


# -------------------------------------------------------------------- three ways of work


def play_and_learn(
    simulation: Simulation, updates: int, items: int, ahead: int, learning: Callable[[int], float]
) -> Driver:
    """`train.loop` with `train.ahead`: in each update so many items of games, learnt for `learning(update)` seconds."""
    playing: deque[list[Item]] = deque()
    begun = 0
    for update in range(updates):
        start = simulation.now
        if ahead == 0:
            yield simulation.work.version_seconds
            yield from taken(simulation, items, update)
        else:
            while begun <= min(update + ahead, updates - 1):
                handles = []
                yield simulation.work.version_seconds
                for _ in range(items):
                    yield simulation.work.begin_seconds
                    handles.append(simulation.begin(max(begun - ahead, 0)))
                playing.append(handles)
                begun += 1
            for item in playing.popleft():
                yield item
                yield simulation.work.take_seconds
        simulation.waited += simulation.now - start
        seconds = learning(update)
        simulation.learnt += seconds
        yield seconds


def label(simulation: Simulation, shards: int, items: int, writing: float) -> Driver:
    """`train.labels`: shards of so many items, of which each is written before the next one is begun."""
    for _ in range(shards):
        yield from taken(simulation, items, 0)
        yield writing


def taken(simulation: Simulation, items: int, version: int) -> Driver:
    """`bgai.workers.Work`: so many results in order, never more than a window of items begun. A duel is this alone."""
    window = WAITING * simulation.cluster.workers
    handles: deque[Item] = deque()
    while items or handles:
        while items and len(handles) < window:
            yield simulation.work.begin_seconds
            handles.append(simulation.begin(version))
            items -= 1
        yield handles.popleft()
        yield simulation.work.take_seconds


# -------------------------------------------------------------------- several learners


def learning_seconds(
    positions: float, rate: float, *, batch: int, processes: int = 1, weights_bytes: float = 0.0, bandwidth: float = 1.0
) -> float:
    """Seconds to learn from positions with torchrun: each step is shared, then all slopes are added up around a ring.

    Args:
        rate: positions a second of one process.
        batch: positions in one step.
        weights_bytes: of the slopes, four for each weight.
        bandwidth: bytes a second between two neighbours of the ring.
    """
    adding = 2 * (processes - 1) / processes * weights_bytes / bandwidth
    return positions / batch * (batch / processes / rate + adding)
