"""Work that is spread: over threads of this process, or over the machines of a cluster (`bgai.cluster`).

    >>> def adder(summand):
    ...     return lambda item: summand + item
    >>> with LocalWorkers(2).map(adder, 40, [1, 2]) as results:
    ...     list(results)
    [41, 42]

A task is opened once with what all items share, such as a network, and then works at one item after the other. Results
come in the order of the items, and every item is worked at independently of the others: so what is made of the results
depends neither on the number of workers nor on who was faster.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import cached_property
from types import TracebackType
from typing import Any, Generic, Protocol, TypeVar

Shared = TypeVar("Shared")
Item = TypeVar("Item")
Result = TypeVar("Result")

Task = Callable[[Shared], Callable[[Item], Result]]
"""Opens the work. For a cluster it is a function of a module, and shared, items and results are plain data."""

WAITING = 4
"""Items for each worker that are at work, wait for one, or wait as results to be taken: no more are begun."""


class Work(Generic[Result]):
    """Results that come in, in the order of their items. Used as a context: what is not taken is called off."""

    def __init__(
        self,
        begin: Callable[[Any], Any],
        result: Callable[[Any], Result],
        call_off: Callable[[list[Any]], object],
        items: Iterable[Any],
        most: Callable[[], int],
    ) -> None:
        """Made by `Workers.map`.

        Args:
            begin: begins an item and returns a handle of it.
            result: waits for what came of a handle.
            call_off: is told the handles whose results nobody will take, once.
            most: how many handles there may be.
        """
        self._begin, self._result, self._call_off = begin, result, call_off
        self._items, self._most = iter(items), most
        self._handles: deque[Any] = deque()
        self._over = False
        self._fill()

    def __iter__(self) -> Work[Result]:
        return self

    def __next__(self) -> Result:
        if not self._handles:
            self.close()
            raise StopIteration
        result = self._result(self._handles[0])
        self._handles.popleft()
        self._fill()
        return result

    def close(self) -> None:
        """Calls off what is not finished."""
        if not self._over:
            self._over = True
            self._call_off(list(self._handles))
            self._handles.clear()

    def __enter__(self) -> Work[Result]:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _fill(self) -> None:
        while not self._over and len(self._handles) < self._most():
            try:
                item = next(self._items)
            except StopIteration:
                return
            self._handles.append(self._begin(item))


class Workers(Protocol):
    """Those who work."""

    @property
    def elsewhere(self) -> float:
        """CPU-seconds that work has taken outside this process, as far as its results have been taken."""
        ...

    def map(
        self, task: Task[Shared, Item, Result], shared: Shared, items: Iterable[Item], *, ahead: bool = False
    ) -> Work[Result]:
        """What came of each item.

        An error in the task is raised where its result would have been.

        Args:
            ahead: begins all items now, for whoever has something else to do before taking the results.
        """
        ...


class LocalWorkers:
    """Threads of this process. The work of a single one is done where its result is asked for."""

    elsewhere = 0.0

    def __init__(self, threads: int = 1) -> None:
        self.threads = threads

    def map(
        self, task: Task[Shared, Item, Result], shared: Shared, items: Iterable[Item], *, ahead: bool = False
    ) -> Work[Result]:
        """See `Workers`."""
        work = task(shared)
        if self.threads == 1 and not ahead:
            return Work(lambda item: item, work, lambda handles: None, items, lambda: 1)
        most = sys.maxsize if ahead else WAITING * self.threads
        return Work(lambda item: self._pool.submit(work, item), Future.result, _call_off, items, lambda: most)

    @cached_property
    def _pool(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(self.threads)


def _call_off(futures: list[Future[Any]]) -> None:
    """Nothing goes on behind the back of who interrupts."""
    wait([future for future in futures if not future.cancel()])
