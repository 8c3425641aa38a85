"""Tasks for the workers of a test's cluster: they ask who works, fail, stick or die."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from bgai.errors import PositionError
from bgai.workers import Task, Work, Workers

ray = pytest.importorskip("ray")


def failing(kind: str) -> Callable[[int], int]:
    """Item 0 is the one that fails."""

    def work(item: int) -> int:
        if item:
            return item
        if kind == "dies":
            os.kill(os.getpid(), 9)
        if kind == "unforeseen":
            return 1 // item
        raise PositionError("expected 15 checkers, found 16")

    return work


def noting(folder: Path) -> Callable[[int], tuple[int, int]]:
    """Leaves a file for each time that it is opened; an item and the process in which it was worked at."""
    (folder / f"{time.time_ns()}-{os.getpid()}").touch()
    return lambda item: (item, os.getpid())


@dataclass(frozen=True)
class Trap:
    """A task at some of whose items the first worker sticks until something happens to it."""

    task: Task[Any, Any, Any]
    shared: Any
    folder: Path
    items: tuple[int, ...]
    """By the number of their first game."""
    spared: str
    """A node; the first worker of another one sticks at the item that it has, and those of this node wait for that."""

    def name(self, game: int) -> str | None:
        """Of the file that says that somebody sticks."""
        if game in self.items:
            return str(game)
        return "node" if self.spared and ray.get_runtime_context().get_node_id() != self.spared else None


def trapping(trap: Trap) -> Callable[[Any], Any]:
    """Whoever sticks leaves a file with its process and its node."""
    work = trap.task(trap.shared)

    def stick(item: Any) -> Any:
        name = trap.name(item.start)
        if name is not None:
            own = trap.folder / f"{os.getpid()}.new"
            own.write_text(f"{os.getpid()} {ray.get_runtime_context().get_node_id()}")
            with suppress(FileExistsError):
                os.link(own, trap.folder / name)
                while True:
                    time.sleep(0.01)
        elif trap.spared:
            # Or it would have done everything before another node has begun.
            while not (trap.folder / "node").exists():
                time.sleep(0.01)
        return work(item)

    return stick


@dataclass
class Trapped:
    """Workers of whom some stick, see `Trap`."""

    workers: Workers
    folder: Path
    items: tuple[int, ...] = ()
    spared: str = ""
    elsewhere = 0.0

    def map(self, task: Any, shared: Any, items: Iterable[Any], *, ahead: bool = False) -> Work[Any]:
        """See `Workers`."""
        trap = Trap(task, shared, self.folder, self.items, self.spared)
        return self.workers.map(trapping, trap, items, ahead=ahead)
