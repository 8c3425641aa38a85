"""Jobs: work that takes so long that it is asked for, watched, and fetched later. It can be cancelled at any time."""

from __future__ import annotations

import asyncio
import logging
import secrets
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import Any, Literal

from bgai.errors import BgaiError
from bgai.halt import Halt
from bgai.server.observing import Metrics, shortened
from bgai.server.pools import Pool
from bgai.server.problems import Problem, unexpected

LOGGER = logging.getLogger("bgai.server")

State = Literal["waiting", "running", "done", "failed", "cancelled"]
ENDED = ("done", "failed", "cancelled")

KEPT_SECONDS = 3600.0
HEARTBEAT = 15.0
"""Seconds after which a stream that has nothing to say says so, lest something on the way takes it for dead."""
_EVERY = 0.1
"""Seconds between two events of a stream, at least."""
_MOST_STREAMS = 64

BY_CALLER = "it was cancelled by a request"
BY_SERVER = "the server is stopping"


class Cancelled(Exception):
    """Is raised inside a job that should end."""


@dataclass(frozen=True)
class Progress:
    """How far a job is."""

    stage: str = ""
    done: int = 0
    total: int = 0
    note: str = ""
    """The best so far, in words."""


@dataclass(frozen=True)
class Result:
    """What a job has found."""

    record: dict[str, Any]
    report: str | None = None
    """The same as a page of HTML, where there is one."""


@dataclass(eq=False)
class Job:
    """One piece of work. Its thread writes to it, the event loop reads it."""

    kind: str
    loop: asyncio.AbstractEventLoop = field(repr=False)
    id: str = field(default_factory=lambda: secrets.token_urlsafe(12))
    """Cannot be guessed: who knows it may read and cancel the job."""
    state: State = "waiting"
    progress: Progress = Progress()
    reason: str | None = None
    """Why it was cancelled."""
    problem: Problem | None = None
    result: Result | None = None
    """Of a cancelled job too, if it had found something."""
    created: float = field(default_factory=time.time)
    started: float | None = None
    ended: float | None = None
    halt: Halt = field(default_factory=Halt, repr=False)
    """Is said when it should end: for whoever looks ahead for it."""
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)
    _watchers: set[asyncio.Event] = field(default_factory=set, repr=False)

    def advance(self, progress: Progress) -> None:
        """Is called by the job's thread after each step.

        Raises:
            Cancelled: it should end.
        """
        if self.halt.said:
            raise Cancelled
        self.progress = progress
        self._tell()

    def stop(self, reason: str, *, at_once: bool = False) -> None:
        """Asks it to end at its next step; one that waits ends at once, and any that nobody will ask for its result."""
        with self._lock:
            if self.state in ENDED:
                return
            self.reason = self.reason or reason
            if at_once or self.state == "waiting":
                self._end("cancelled")
        self.halt.say()

    def begin(self) -> bool:
        """Whether there is anything to do still."""
        with self._lock:
            if self.state != "waiting":
                return False
            self.state, self.started = "running", time.time()
        self._tell()
        return True

    def end(self, state: State) -> None:
        """It is over."""
        with self._lock:
            if self.state not in ENDED:
                self._end(state)

    def _end(self, state: State) -> None:
        self.ended = time.time()
        self.state = state
        self._tell()

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it, without the result."""
        return {
            "id": self.id,
            "kind": self.kind,
            "state": self.state,
            "progress": vars(self.progress),
            "created": _moment(self.created),
            "started": _moment(self.started),
            "ended": _moment(self.ended),
            "reason": self.reason,
            "problem": None if self.problem is None else self.problem.to_dict(),
            "has_result": self.result is not None,
            "has_report": self.result is not None and self.result.report is not None,
        }

    async def changes(self) -> AsyncIterator[dict[str, Any] | None]:
        """What it is like, at once and whenever there is news, the last time when it is over.

        None: nothing has happened for a while.
        """
        changed = asyncio.Event()
        self._watchers.add(changed)
        try:
            seen: dict[str, Any] | None = self.to_dict()
            while True:
                yield seen
                # Of what was told, not of what is: it may have ended in between, and somebody waits to hear of it.
                if seen is not None and seen["state"] in ENDED:
                    return
                try:
                    await asyncio.wait_for(changed.wait(), HEARTBEAT)
                    await asyncio.sleep(0 if self.state in ENDED else _EVERY)
                    changed.clear()
                    seen = self.to_dict()
                except TimeoutError:
                    seen = None
        finally:
            self._watchers.discard(changed)

    def _tell(self) -> None:
        # The loop may be gone already when the last thread ends.
        if not self.loop.is_closed():
            self.loop.call_soon_threadsafe(self._wake)

    def _wake(self) -> None:
        for watcher in self._watchers:
            watcher.set()


Work = Callable[[Job], Result]
"""Does a job in its thread; calls `advance` as it goes, and may leave a `result` behind before it ends."""


class Jobs:
    """All jobs of a server."""

    def __init__(self, pool: Pool, most: int, kept: int, seconds: float, metrics: Metrics) -> None:
        """`most` run or wait at a time, each for so many `seconds`; `kept` are remembered after they have ended."""
        self._pool = pool
        self._most = most
        self._kept = kept
        self._seconds = seconds
        self._jobs: dict[str, Job] = {}
        self._streams = 0
        self._closed = False
        self._refused = metrics.refused.labels("jobs")
        for state in ("waiting", "running", *ENDED):
            metrics.jobs.labels(state).set_function(partial(self._count, state))

    def start(self, kind: str, work: Work) -> Job:
        """Puts a job into the queue.

        Raises:
            Problem: there are too many (429), or the server is stopping (503).
        """
        self._forget()
        if self._closed:
            raise Problem(503, BY_SERVER)
        if self._count("waiting") + self._count("running") >= self._most:
            self._refused.inc()
            raise Problem(429, f"{self._most} jobs run or wait already, try again later", headers={"retry-after": "10"})
        job = Job(kind, asyncio.get_running_loop())
        self._pool.submit(lambda: _do(job, work, self._seconds))
        self._jobs[job.id] = job
        return job

    def find(self, id: str) -> Job:
        """A job that was started.

        Raises:
            Problem: there is none (404), or none any more.
        """
        self._forget()
        if id not in self._jobs:
            raise Problem(404, "there is no job with this id; results are kept for an hour at most")
        return self._jobs[id]

    @contextmanager
    def stream(self) -> Iterator[None]:
        """Counts a stream of events while it lasts.

        Raises:
            Problem: there are too many (429).
        """
        if self._streams >= _MOST_STREAMS:
            raise Problem(429, f"{_MOST_STREAMS} streams are open already", headers={"retry-after": "10"})
        self._streams += 1
        try:
            yield
        finally:
            self._streams -= 1

    def stop_all(self) -> int:
        """Cancels what is not over, because the server stops; returns how many that were."""
        self._closed = True
        running = [job for job in self._jobs.values() if job.state not in ENDED]
        for job in running:
            job.stop(BY_SERVER, at_once=True)
        return len(running)

    def _count(self, state: str) -> int:
        return sum(job.state == state for job in list(self._jobs.values()))

    def _forget(self) -> None:
        ended = sorted((job for job in self._jobs.values() if job.state in ENDED), key=lambda job: job.ended or 0.0)
        old = time.time() - KEPT_SECONDS
        for number, job in enumerate(ended):
            if number < len(ended) - self._kept or (job.ended or 0.0) < old:
                del self._jobs[job.id]


def _do(job: Job, work: Work, seconds: float) -> None:
    if not job.begin():
        return
    timer = threading.Timer(seconds, job.stop, (f"it took longer than {seconds:g} s, the limit of this server",))
    timer.daemon = True
    timer.start()
    try:
        job.result = work(job)
    except Cancelled:
        job.end("cancelled")
    except Problem as problem:
        job.problem = problem
        job.end("failed")
    except BgaiError as error:
        job.problem = Problem(422, str(error))
        job.end("failed")
    except Exception:
        LOGGER.exception("a job has failed", extra={"fields": {"job": shortened(job.id), "kind": job.kind}})
        job.problem = unexpected()
        job.end("failed")
    else:
        job.end("done")
    finally:
        timer.cancel()


def _moment(seconds: float | None) -> str | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")
