"""Work on the machines of a Ray cluster. docs/cluster.md shows how to set one up.

    with ray_workers("auto") as workers:
        play_duel(first, second, 10_000, seed=1, workers=workers)

What all items share is sent to each machine once, and opened once by each worker. Items go out as tasks; one whose
worker or machine has died is done again elsewhere. Since an item gives the same wherever and however often it is done,
this is not to be seen in the results, which this process alone puts together.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import logging
import os
import pickle
import signal
import socket
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgai.errors import BgaiError, ClusterError, ConfigError
from bgai.kernels import compiler
from bgai.packing import pack
from bgai.version import __version__
from bgai.workers import WAITING, Item, Result, Shared, Task, Work

PATIENCE = 5.0
"""Seconds for a machine to answer at all."""
TRIES = 20
"""Workers that an item may cost before it is given up: it may be the item that kills them."""
OPEN = 4
"""Tasks that a worker keeps open with what they share."""
LOOK = 5.0
"""Seconds between two looks at how large the cluster is."""


def check_installed() -> None:
    """Raises:
    ConfigError: there is no Ray.
    """
    if importlib.util.find_spec("ray") is None:
        raise ConfigError("a cluster needs Ray; install it with: pip install 'bgai[ray]'")


@contextmanager
def ray_workers(address: str) -> Iterator[RayWorkers]:
    """The workers of a cluster.

    Args:
        address: HOST:PORT of its head, or `auto`: the cluster to which this machine belongs.

    Raises:
        ConfigError: no Ray, an address that is none, no cluster there, or not one for this machine and this Ray.
    """
    check_installed()
    ray = importlib.import_module("ray")
    if ray.is_initialized():
        # A program that has connected by itself stays connected.
        yield RayWorkers(ray)
        return
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    _connect(ray, address)
    try:
        _put_back(handlers)
        workers = RayWorkers(ray)
        if not workers.cores:
            raise ConfigError(f"the Ray cluster at {address} has no core to work with; add a machine (docs/cluster.md)")
        yield workers
    finally:
        ray.shutdown()


class RayWorkers:
    """All workers of the cluster to which this process is connected. Made by `ray_workers`."""

    def __init__(self, ray: Any) -> None:
        """`ray`: the module."""
        self.elsewhere = 0.0
        """See `Workers`."""
        self._ray = ray
        self._remote = ray.remote(num_cpus=1, max_retries=TRIES)(_serve)
        self._sent: dict[str, Any] = {}
        self._cores, self._looked = 0, -LOOK

    @property
    def cores(self) -> int:
        """Workers that there can be at present."""
        if time.monotonic() - self._looked >= LOOK:
            self._cores = int(self._ray.cluster_resources().get("CPU", 0))
            self._looked = time.monotonic()
        return self._cores

    @property
    def machines(self) -> int:
        """Machines that are alive and work."""
        return sum(node["Alive"] and "CPU" in node["Resources"] for node in self._ray.nodes())

    def map(
        self, task: Task[Shared, Item, Result], shared: Shared, items: Iterable[Item], *, ahead: bool = False
    ) -> Work[Result]:
        """See `Workers`.

        Raises:
            ConfigError: a machine has another version of bgai.
            ClusterError: an item has killed every worker that tried it.
        """
        key, sent = self._send(task, shared)

        def most() -> int:
            return sys.maxsize if ahead else max(WAITING * self.cores, 1)

        return Work(lambda item: self._remote.remote(key, sent, item), self._result, self._call_off, items, most)

    def _send(self, task: Any, shared: Any) -> tuple[str, Any]:
        """What all items share, in the cluster's store: a name for it, and the reference. What is there stays."""
        packed = _packed((task, shared), task.__module__)
        key = hashlib.sha256(packed).hexdigest()
        if key not in self._sent:
            # The oldest go: who still works with them has got them, or holds the reference.
            for old in list(self._sent)[: max(len(self._sent) - OPEN + 1, 0)]:
                del self._sent[old]
            self._sent[key] = self._ray.put(np.frombuffer(packed, dtype=np.uint8))
        return key, self._sent[key]

    def _result(self, handle: Any) -> Any:
        try:
            result, seconds = self._ray.get(handle)
        except self._ray.exceptions.RayTaskError as error:
            raise error.cause from (None if isinstance(error.cause, BgaiError) else error)
        except self._ray.exceptions.RayError as error:
            line = next((line for line in str(error).splitlines() if line.strip()), type(error).__name__)
            raise ClusterError(f"the cluster has given up an item after {TRIES + 1} tries: {line.strip()}") from error
        self.elsewhere += seconds
        return result

    def _call_off(self, handles: list[Any]) -> None:
        for handle in handles:
            self._ray.cancel(handle)


def _connect(ray: Any, address: str) -> None:
    if address == "auto":
        address = os.environ.get("RAY_ADDRESS") or address
    if address != "auto":
        _reach(address)
    try:
        with warnings.catch_warnings(), _unheard():
            # Ray's own affairs.
            warnings.simplefilter("ignore")
            ray.init(address=address, log_to_driver=False, logging_level=logging.CRITICAL)
    except (ConnectionError, RuntimeError, ValueError, AssertionError, TimeoutError) as error:
        if address == "auto":
            why = "no Ray cluster runs on this machine; start one, or join one, with `ray start` (docs/cluster.md)"
            raise ConfigError(why) from error
        raise ConfigError(f"cannot join the Ray cluster at {address}: {' '.join(str(error).split())}") from error


@contextmanager
def _unheard() -> Iterator[None]:
    """Keeps Ray from listening for what it would write among our output: of workers who died, and are replaced."""
    worker: Any = importlib.import_module("ray._private.worker")
    listen = worker.listen_error_messages
    worker.listen_error_messages = lambda *_: None
    try:
        yield
    finally:
        worker.listen_error_messages = listen


def _reach(address: str) -> None:
    """Raises:
    ConfigError: see `ray_workers`.
    """
    host, colon, port = address.rpartition(":")
    if not (colon and host and port.isdecimal() and int(port) < 2**16) or "/" in host:
        raise ConfigError(f"unknown address {address!r}, expected auto or HOST:PORT such as 192.168.1.10:6379")
    try:
        socket.create_connection((host, int(port)), PATIENCE).close()
    except OSError as error:
        raise ConfigError(f"nothing answers at {address}: {error.strerror or error}") from error


def _put_back(handlers: dict[signal.Signals, Any]) -> None:
    if threading.current_thread() is threading.main_thread():
        for number, handler in handlers.items():
            signal.signal(number, handler)


# -------------------------------------------------------------------- packing


def _packed(what: Any, module: str) -> bytes:
    """Bytes behind which the code stands that they are for; the same for the same."""
    return pickle.dumps((module, code_hash(module), pack(what)))


@cache
def code_hash(module: str) -> str:
    """Of the version, the kernels and a task's own module: a clone changes without getting another version."""
    digest = hashlib.sha256(__version__.encode())
    own = importlib.import_module(module).__file__
    for source in [*sorted(Path(compiler.__file__).parent.glob("*.py")), Path(own or "")]:
        digest.update(source.name.encode() + source.read_bytes())
    return digest.hexdigest()


# -------------------------------------------------------------------- in a worker


_opened: dict[str, Callable[[Any], Any]] = {}


def _serve(key: str, packed: NDArray[np.uint8], item: Any) -> tuple[Any, float]:
    """What came of an item, and the CPU-seconds that it took."""
    begin = time.process_time()
    if key in _opened:
        result = _opened[key](item)
    else:
        module, code, inner = pickle.loads(packed.tobytes())
        if code != code_hash(module):
            raise ConfigError(f"other code of bgai on {socket.gethostname()}, expected the same on every machine")
        task, shared = pickle.loads(inner)
        with _first_on_this_machine(f"{module}.{task.__qualname__}"):
            work = task(shared)
            result = work(item)
        for old in list(_opened)[: max(len(_opened) - OPEN + 1, 0)]:
            del _opened[old]
        _opened[key] = work
    return result, time.process_time() - begin


@contextmanager
def _first_on_this_machine(task: str) -> Iterator[None]:
    """Lets one worker alone do what a machine does for the first time: it compiles for all."""
    if compiler.CACHE is None or (done := compiler.CACHE / f"{task}.done").exists():
        yield
        return
    # Comes with Ray.
    lock = importlib.import_module("filelock").FileLock(done.with_suffix(".lock"))
    with lock:
        if done.exists():
            lock.release()
        yield
        done.touch()
