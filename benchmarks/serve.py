"""How fast `bgai serve` answers, asked from another process.

    python benchmarks/serve.py
    python benchmarks/serve.py --seconds 10 --connections 16
    python benchmarks/serve.py --url http://127.0.0.1:8000
    python benchmarks/serve.py --soak 3600

Starts a server of its own unless it is told of one. Each round asks `/healthz` for a while, then for 0-ply plays of
positions that differ from one request to the next, then for plays again while others look 2 plies ahead and jobs roll
out. Before the first round plays are asked for, too, which are not counted. Compared is within a round, because the
machine may have other work: the rate of plays has to be at least half of that of `/healthz`, and the 99th percentile of
their times at most three times as long. --soak asks everything for so many seconds and watches the server's memory and
errors; it fails on an error, or if memory grows by more than a tenth after the first fifth of the time.

The client speaks HTTP/1.1 over sockets by itself, and so takes little of the time.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import itertools
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np
from report import RESULTS, write_results

import bgai

POSITIONS = 10_000
"""So many that most of what is asked in a run has not been asked before."""
SLICES = 10
"""Of each phase whose rates are compared."""
LEAST_RATE, MOST_P99 = 0.5, 3.0
MOST_GROWTH = 0.1
_ADDRESS = re.compile(r"http://([0-9.]+):([0-9]+)")

Address = tuple[str, int]


@dataclass
class Measured:
    """Requests of one kind during one phase."""

    seconds: list[float] = field(default_factory=list)
    """Of each answer."""
    statuses: Counter[int] = field(default_factory=Counter)
    wall: float = 0.0
    processor: float = 0.0
    """Seconds of the processor that the server took, where that is known."""

    @property
    def rate(self) -> float:
        """Answers a second."""
        return len(self.seconds) / self.wall if self.wall else 0.0

    def percentile(self, share: float) -> float:
        """Seconds."""
        return float(np.percentile(self.seconds, share)) if self.seconds else float("nan")

    def add(self, other: Measured) -> None:
        """More of the same."""
        self.seconds += other.seconds
        self.statuses += other.statuses
        self.wall += other.wall

    @property
    def failed(self) -> int:
        """Answers that should not be: all but good ones and those that ask to come again."""
        return sum(count for status, count in self.statuses.items() if status not in (200, 202, 429))


class Connection:
    """A connection that stays open."""

    def __init__(self, address: Address) -> None:
        self._address = address
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def ask(self, request: bytes) -> tuple[int, bytes]:
        """The status and the body of an answer."""
        if self._writer is None or self._writer.is_closing():
            self._reader, self._writer = await asyncio.open_connection(*self._address)
        assert self._reader is not None
        self._writer.write(request)
        head = await self._reader.readuntil(b"\r\n\r\n")
        length = re.search(rb"content-length: (\d+)", head, re.IGNORECASE)
        body = await self._reader.readexactly(int(length[1])) if length else b""
        if b"connection: close" in head.lower():
            self._writer.close()
        return int(head[9:12]), body

    def close(self) -> None:
        """Ends it."""
        if self._writer is not None:
            self._writer.close()


def get(path: str) -> bytes:
    """A request for a path."""
    return f"GET {path} HTTP/1.1\r\nhost: localhost\r\n\r\n".encode()


def post(path: str, content: Any) -> bytes:
    """A request with JSON."""
    body = json.dumps(content).encode()
    head = f"POST /api/v1/{path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
    return f"{head}content-length: {len(body)}\r\n\r\n".encode() + body


def positions(count: int, seed: int) -> list[dict[str, Any]]:
    """Different positions with a roll, from games of the heuristic player."""
    found: dict[str, dict[str, Any]] = {}
    player = bgai.HeuristicPlayer()
    for game in itertools.count():
        for turn in bgai.play_game(player, player, seed, game).turns:
            name = bgai.format_position_id(turn.board)
            found.setdefault(name, {"id": name, "dice": [int(die) for die in turn.dice]})
        if len(found) >= count:
            break
    return list(found.values())[:count]


async def load(
    address: Address, requests: Iterator[bytes], connections: int, seconds: float, stop: asyncio.Event | None = None
) -> Measured:
    """Asks over several connections, one request after the other on each, for so long or until told to stop."""
    measured = Measured()
    end = time.perf_counter() + seconds

    async def ask() -> None:
        connection = Connection(address)
        while time.perf_counter() < end and not (stop is not None and stop.is_set()):
            request = next(requests)
            begin = time.perf_counter()
            status, _ = await connection.ask(request)
            measured.seconds.append(time.perf_counter() - begin)
            measured.statuses[status] += 1
        connection.close()

    begin = time.perf_counter()
    await asyncio.gather(*(ask() for _ in range(connections)))
    measured.wall = time.perf_counter() - begin
    return measured


@dataclass
class Kinds:
    """Endless requests of each kind."""

    health: Iterator[bytes]
    plays: Iterator[bytes]
    deep: Iterator[bytes]
    jobs: Iterator[bytes]
    others: Iterator[bytes]

    @classmethod
    def of(cls, asked: Sequence[dict[str, Any]]) -> Kinds:
        """All about the same positions."""
        plays = [post("plays", {"position": one}) for one in asked]
        deep = [post("plays", {"position": one, "level": "2-ply"}) for one in asked]
        jobs = [post("rollouts", {"position": one, "trials": 72, "truncation": 3, "candidates": 2}) for one in asked]
        others = [
            request
            for one in asked
            for request in (
                post("evaluation", {"position": one}),
                post("cube", {"position": one, "market_losers": False}),
                post("coach", {"position": one}),
                post("position", {"position": one}),
                post("diagram", {"position": one}),
                get("/api/v1/levels"),
                get("/metrics"),
            )
        ]
        return cls(
            itertools.repeat(get("/healthz")),
            itertools.cycle(plays),
            itertools.cycle(deep),
            itertools.cycle(jobs),
            itertools.cycle(others),
        )


async def round_of(
    address: Address, kinds: Kinds, connections: int, seconds: float, pid: int | None
) -> dict[str, Measured]:
    """In slices that take turns, so that both meet the same machine; then the mixed load."""
    found = {"healthz": Measured(), "plays": Measured()}
    for _ in range(SLICES):
        for name, requests in (("healthz", kinds.health), ("plays", kinds.plays)):
            before = processor_seconds(pid)
            found[name].add(await load(address, requests, connections, seconds / SLICES))
            found[name].processor += processor_seconds(pid) - before
    stop = asyncio.Event()
    slow = [
        asyncio.create_task(load(address, kinds.deep, 4, 10 * seconds, stop)),
        asyncio.create_task(load(address, kinds.jobs, 1, 10 * seconds, stop)),
    ]
    found["plays, mixed"] = await load(address, kinds.plays, connections, seconds)
    stop.set()
    found["2-ply, mixed"], found["jobs, mixed"] = await asyncio.gather(*slow)
    return found


async def soak(
    address: Address, kinds: Kinds, seconds: float, memory: Callable[[], float]
) -> tuple[bool, dict[str, Any]]:
    """Everything at once for a long time; says whether it went well."""
    running = {
        name: asyncio.create_task(load(address, requests, connections, seconds))
        for name, requests, connections in (
            ("plays", kinds.plays, 4),
            ("2-ply", kinds.deep, 2),
            ("jobs", kinds.jobs, 1),
            ("others", kinds.others, 2),
        )
    }
    begin, seen = time.monotonic(), []
    while not all(task.done() for task in running.values()):
        await asyncio.wait(running.values(), timeout=max(seconds / 60, 1))
        seen.append((time.monotonic() - begin, memory()))
        print(f"{seen[-1][0]:8.0f} s  {seen[-1][1]:8.1f} MB", flush=True)
    found = {name: await task for name, task in running.items()}
    early = max(mb for at, mb in seen if at <= max(seconds / 5, seen[0][0]))
    growth = max(mb for _, mb in seen) / early - 1
    failed = sum(one.failed for one in found.values())
    for name, one in found.items():
        print(f"{name:8} {len(one.seconds):8} answers, {dict(one.statuses)}, p99 {1000 * one.percentile(99):.1f} ms")
    print(f"{failed} errors, memory grew by {100 * growth:.1f}% after the first fifth")
    record = {
        "seconds": seconds,
        "answers": {name: len(one.seconds) for name, one in found.items()},
        "errors": failed,
        "memory_mb": [round(mb, 1) for _, mb in seen],
        "growth": growth,
    }
    return failed == 0 and growth <= MOST_GROWTH, record


@contextlib.contextmanager
def server(arguments: Sequence[str]) -> Iterator[tuple[Address, int]]:
    """A server of our own: its address and its process."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "bgai", "serve", "--port", "0", "--quiet", *arguments]
        environment = os.environ | {"BGAI_GAMES_DB": str(Path(folder) / "games.sqlite"), "PYTHONUNBUFFERED": "1"}
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        try:
            assert process.stdout is not None
            found = _ADDRESS.search(process.stdout.readline())
            if found is None:
                raise SystemExit("the server did not start")
            yield (found[1], int(found[2])), process.pid
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(60)


async def ready(address: Address, seconds: float = 120.0) -> None:
    """Comes back when the server answers."""
    end = time.monotonic() + seconds
    while True:
        try:
            connection = Connection(address)
            status, _ = await asyncio.wait_for(connection.ask(get("/healthz")), 30)
            connection.close()
            if status == 200:
                return
        except (OSError, TimeoutError, asyncio.IncompleteReadError):
            if time.monotonic() > end:
                raise
        await asyncio.sleep(0.2)


def resident(pid: int) -> float:
    """Megabytes of a process (Linux)."""
    text = Path(f"/proc/{pid}/status").read_text("ascii")
    found = re.search(r"VmRSS:\s+(\d+)", text)
    assert found is not None
    return int(found[1]) / 1024


def processor_seconds(pid: int | None) -> float:
    """Of a process (Linux); 0 if it is not known."""
    if pid is None:
        return 0.0
    times = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()[11:13]
    return sum(map(int, times)) / os.sysconf("SC_CLK_TCK")


def told(rounds: Sequence[dict[str, Measured]]) -> dict[str, Any]:
    """What the rounds amount to: medians over them, and of the ratios within them."""
    kinds = {}
    for name in rounds[0]:
        of = [one[name] for one in rounds]
        kinds[name] = {
            "rate": float(np.median([one.rate for one in of])),
            "p50_ms": 1000 * float(np.median([one.percentile(50) for one in of])),
            "p99_ms": 1000 * float(np.median([one.percentile(99) for one in of])),
            "processor_ms": 1000 * sum(one.processor for one in of) / max(sum(len(one.seconds) for one in of), 1),
            "refused": sum(one.statuses[429] for one in of),
            "failed": sum(one.failed for one in of),
        }
    ratios = {
        "rate of plays / healthz": [one["plays"].rate / one["healthz"].rate for one in rounds],
        "p99 of plays / healthz": [one["plays"].percentile(99) / one["healthz"].percentile(99) for one in rounds],
        "rate of plays, mixed / alone": [one["plays, mixed"].rate / one["plays"].rate for one in rounds],
        "p99 of plays, mixed / alone": [
            one["plays, mixed"].percentile(99) / one["plays"].percentile(99) for one in rounds
        ],
    }
    return {"kinds": kinds, "ratios": {name: float(np.median(values)) for name, values in ratios.items()}}


def main(arguments: list[str] | None = None) -> int:
    """Runs the command; 1 if it was too slow, or failed in the long run."""
    parser = argparse.ArgumentParser(
        prog="serve.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--url", help="of a server that runs already (default: one is started)")
    parser.add_argument("--seconds", type=float, default=5.0, help="of each phase (default 5)")
    parser.add_argument("--rounds", type=int, default=3, help="default 3")
    parser.add_argument("--connections", type=int, default=8, help="default 8")
    parser.add_argument("--soak", type=float, metavar="SECONDS", help="ask everything for so long instead")
    parser.add_argument("--pid", type=int, help="of the server, with --url and --soak")
    parser.add_argument("--write", action="store_true", help="keep the figures in benchmarks/results")
    options = parser.parse_args(arguments)
    if options.soak and options.url and not options.pid:
        parser.error("--soak beside --url needs --pid, to watch the memory")
    kinds = Kinds.of(positions(POSITIONS, seed=1))
    with contextlib.ExitStack() as stack:
        if options.url:
            parts = urlsplit(options.url)
            address, pid = (parts.hostname or "127.0.0.1", parts.port or 80), options.pid
        else:
            address, pid = stack.enter_context(server(["--max-jobs", "16"]))
        asyncio.run(ready(address))
        if options.soak:
            well, record = asyncio.run(soak(address, kinds, options.soak, lambda: resident(pid)))
        else:
            # A server that has just started writes most plays for the first time.
            asyncio.run(load(address, kinds.plays, options.connections, options.seconds))
            rounds = [
                asyncio.run(round_of(address, kinds, options.connections, options.seconds, pid))
                for _ in range(options.rounds)
            ]
            record = told(rounds)
            show(record)
            ratios, failed = record["ratios"], sum(kind["failed"] for kind in record["kinds"].values())
            fast = ratios["rate of plays / healthz"] >= LEAST_RATE and ratios["p99 of plays / healthz"] <= MOST_P99
            well = fast and not failed
    if options.write:
        print(write_results(RESULTS, "serve", record))
    return 0 if well else 1


def show(record: dict[str, Any]) -> None:
    """The figures as tables."""
    print(f"{'':16}{'a second':>10}{'p50 ms':>9}{'p99 ms':>9}{'CPU ms':>9}{'refused':>9}{'failed':>8}")
    for name, kind in record["kinds"].items():
        numbers = f"{kind['rate']:10.0f}{kind['p50_ms']:9.2f}{kind['p99_ms']:9.2f}"
        numbers += f"{kind['processor_ms']:9.2f}{kind['refused']:9}{kind['failed']:8}"
        print(f"{name:16}{numbers}")
    print()
    for name, ratio in record["ratios"].items():
        print(f"{name:32}{ratio:6.2f}")


if __name__ == "__main__":
    sys.exit(main())
