"""Work that is spread over the processes of a run, as `bgai.workers` describes it: games, labels, duels."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from bgai.packing import pack
from bgai.workers import WAITING, Item, LocalWorkers, Result, Shared, Task, Work

from .processes import Opening, Processes, Shares

Came = tuple[Any, Exception | None]
"""What came of an item: a result, or an error."""
Caught = Callable[[Any], Came]
"""Works at an item."""


@dataclass
class _Handle:
    """An item that was begun, and what came of it, sooner or later."""

    item: Any
    came: Came | None = None


class ProcessWorkers:
    """The processes, each with so many threads.

    They cannot play while they learn: items are worked at when the first result is asked for, some for each in a block.
    """

    elsewhere = 0.0
    """The processes count their time themselves, see `Processes.cpu_seconds`."""

    def __init__(self, processes: Processes, threads: int) -> None:
        self.processes, self.threads = processes, threads
        self._opening: Opening | None = None

    def map(
        self, task: Task[Shared, Item, Result], shared: Shared, items: Iterable[Item], *, ahead: bool = False
    ) -> Work[Result]:
        """See `bgai.workers.Workers`; `ahead` begins nothing earlier."""
        opening = Opening(pack((task, shared)))
        work = _caught(task(shared))
        waiting: list[_Handle] = []

        def begin(item: Item) -> _Handle:
            waiting.append(_Handle(item))
            return waiting[-1]

        def result(asked: _Handle) -> Result:
            if asked.came is None:
                self._work(opening, work, waiting)
                waiting.clear()
            assert asked.came is not None
            found, error = asked.came
            if error is not None:
                raise error
            result: Result = found
            return result

        most = WAITING * self.threads * self.processes.count
        return Work(begin, result, lambda handles: None, items, lambda: most)

    def _work(self, opening: Opening, work: Caught, waiting: list[_Handle]) -> None:
        # What all items share may be large, and is told once.
        known = self._opening is opening
        self._opening = opening
        shares = Shares(None if known else opening, [handle.item for handle in waiting], self.threads)
        self.processes.tell(shares)
        for rank, part in enumerate(self.processes.gather(done(work, shares, self.processes))):
            for handle, came in zip(waiting[rank :: self.processes.count], part, strict=True):
                handle.came = came
        self.processes.finish()


def opened(opening: Opening) -> Caught:
    """The work, ready for items."""
    task, shared = pickle.loads(opening.packed)
    return _caught(task(shared))


def done(work: Caught, shares: Shares, processes: Processes) -> list[Came]:
    """What comes of this process's share of the items."""
    mine = shares.items[processes.rank :: processes.count]
    with LocalWorkers(shares.threads).map(lambda caught: caught, work, mine) as results:
        return list(results)


def _caught(work: Callable[[Any], Any]) -> Caught:
    """The same work, with an error as a result, so that the others do not wait for one that is gone."""

    def caught(item: object) -> Came:
        try:
            return work(item), None
        except Exception as error:
            return None, error

    return caught
