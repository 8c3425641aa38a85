"""Threads for what takes time, in pools of their own, so that slow questions cannot hold up quick ones.

Each pool has few threads and a queue that ends: whoever comes when it is full is asked to come again.
"""

from __future__ import annotations

import asyncio
import math
import os
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any, TypeVar

from bgai.server.observing import Metrics
from bgai.server.problems import Problem

T = TypeVar("T")

_MOST_PATIENT = 60


class Pool:
    """Threads with a queue."""

    def __init__(self, name: str, threads: int, waiting: int, metrics: Metrics, *, nice: int = 0) -> None:
        """`waiting`: questions that may wait; `nice`: how much the processor prefers others (Linux)."""
        self._name = name
        self._threads = threads
        self._room = threads + waiting
        self._executor = ThreadPoolExecutor(
            threads, thread_name_prefix=f"bgai-{name}", initializer=give_way, initargs=(nice,)
        )
        self._lock = threading.Lock()
        self._futures: set[Future[Any]] = set()
        self._mean = 0.1
        self._gauge = metrics.waiting.labels(name)
        self._refused = metrics.refused.labels(name)
        self._late = metrics.late.labels(name)

    async def run(self, work: Callable[[], T], seconds: float) -> T:
        """What `work` returns, done in a thread.

        Raises:
            Problem: the queue is full (429), or there was no answer in `seconds` (504). What has begun goes on
                and keeps its thread, what waits does not begin.
        """
        future = self.submit(work)
        try:
            return await asyncio.wait_for(asyncio.wrap_future(future), seconds)
        except TimeoutError:
            self._late.inc()
            raise Problem(504, f"no answer within {seconds:g} s; ask at a level that takes less time") from None

    def submit(self, work: Callable[[], T]) -> Future[T]:
        """Puts work into the queue.

        Raises:
            Problem: it is full (429), or closed (503).
        """
        with self._lock:
            pending = len(self._futures)
            if pending >= self._room:
                self._refused.inc()
                after = min(max(math.ceil(self._mean * pending / self._threads), 1), _MOST_PATIENT)
                raise Problem(
                    429,
                    f"{pending} questions of this kind are waiting already, try again in {after} s",
                    headers={"retry-after": str(after)},
                )
            try:
                future = self._executor.submit(self._timed, work)
            except RuntimeError:
                raise Problem(503, "the server is stopping and answers no more questions") from None
            self._futures.add(future)
            self._gauge.set(len(self._futures))
        future.add_done_callback(self._done)
        return future

    def close(self, seconds: float = 0.0) -> bool:
        """Begins nothing else, and waits so long for what has begun; returns whether that has ended."""
        self._executor.shutdown(wait=False, cancel_futures=True)
        with self._lock:
            begun = set(self._futures)
        return not wait(begun, seconds).not_done

    def _timed(self, work: Callable[[], T]) -> T:
        begin = time.monotonic()
        try:
            return work()
        finally:
            self._mean += 0.2 * (time.monotonic() - begin - self._mean)

    def _done(self, future: Future[T]) -> None:
        with self._lock:
            self._futures.discard(future)
            self._gauge.set(len(self._futures))


def give_way(nice: int) -> None:
    """Lets others have the processor first, as far as this thread goes and those that it starts."""
    if nice and sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), nice)
