"""Work on the machines of a Ray cluster. docs/cluster.md shows how to set one up.

    with ray_workers("auto") as workers:
        play_duel(first, second, 10_000, seed=1, workers=workers)

What all items share is sent to each machine once, and opened once by each worker; large arrays in it, such as those of
a network, are sent once for all work that shares them. Items go out as tasks; one whose worker or machine has died is
done again elsewhere. Since an item gives the same wherever and however often it is done, this is not to be seen in the
results, which this process alone puts together.
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
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib import metadata
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
LARGE = 2**15
"""Bytes from which an array is sent by itself."""
KEPT = 2**27
"""Bytes of such arrays that stay in the cluster's store after their work is done: an opponent comes back."""
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
        ConfigError: no Ray, an address that is none, no cluster there, or not one for this machine and this Ray; or a
            program that has connected to another one by itself.
    """
    check_installed()
    ray = importlib.import_module("ray")
    if ray.is_initialized():
        # A program that has connected by itself stays connected.
        _check_same(address, ray.get_runtime_context().gcs_address)
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
        self._sent: dict[str, tuple[Any, list[Any]]] = {}
        self._arrays: dict[str, tuple[int, Any]] = {}
        """Sizes and references, the latest used last."""
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
        key, sent, arrays = self._send(task, shared)

        def most() -> int:
            return sys.maxsize if ahead else max(WAITING * self.cores, 1)

        def begin(item: Item) -> Any:
            return self._remote.remote(key, sent, item, *arrays)

        return Work(begin, self._result, self._call_off, items, most)

    def _send(self, task: Any, shared: Any) -> tuple[str, Any, list[Any]]:
        """What all items share, in the cluster's store: a name for it, and the references. What is there stays."""
        packed, arrays = packed_apart((task, shared), task.__module__)
        key = hashlib.sha256(packed).hexdigest()
        if key not in self._sent:
            apart = [self._send_array(name, array) for name, array in arrays.items()]
            # The oldest go: who still works with them has got them, or holds the reference.
            for old in list(self._sent)[: max(len(self._sent) - OPEN + 1, 0)]:
                del self._sent[old]
            self._sent[key] = self._ray.put(np.frombuffer(packed, dtype=np.uint8)), apart
        return key, *self._sent[key]

    def _send_array(self, name: str, array: NDArray[np.uint8]) -> Any:
        size, sent = self._arrays.pop(name, (array.nbytes, None))
        self._arrays[name] = size, self._ray.put(array) if sent is None else sent
        while len(self._arrays) > 1 and sum(size for size, _ in self._arrays.values()) > KEPT:
            del self._arrays[next(iter(self._arrays))]
        return self._arrays[name][1]

    def _result(self, handle: Any) -> Any:
        errors = self._ray.exceptions
        try:
            result, seconds = self._ray.get(handle)
        except errors.RayTaskError as error:
            cause = error.cause
            if isinstance(cause, ImportError) or (isinstance(cause, RuntimeError) and _NOT_LOADED in str(cause)):
                line = str(cause).strip().splitlines()[-1]
                why = f"a worker of the cluster cannot load its work ({line}); install the same bgai on every machine"
                raise ConfigError(why) from error
            raise cause from (None if isinstance(cause, BgaiError) else error)
        except (errors.WorkerCrashedError, errors.OutOfMemoryError, errors.NodeDiedError) as error:
            raise ClusterError(f"the cluster has given up an item after {TRIES + 1} tries: {_line(error)}") from error
        except errors.RayError as error:
            raise ClusterError(f"the cluster has failed ({type(error).__name__}): {_line(error)}") from error
        self.elsewhere += seconds
        return result

    def _call_off(self, handles: list[Any]) -> None:
        # Those that still wait first: a worker that is freed takes the next one, and a task that is just beginning may
        # not hear that it is called off.
        for handle in reversed(handles):
            self._ray.cancel(handle)


_NOT_LOADED = "failed to import on the worker"
"""What Ray says where it cannot load a function."""
_NO_TOKEN = ("InvalidAuthToken", "Unauthenticated", "AuthenticationError", "RAY_AUTH_MODE")
"""What Ray says, one or the other, to who has no token or another one."""


def _line(error: Exception) -> str:
    """The first of an error."""
    return next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)


def _check_same(address: str, connected: str) -> None:
    """Raises:
    ConfigError: this program is connected to another cluster than the one that is asked for.
    """
    if address == "auto":
        return
    host, port = _host_and_port(address)
    with suppress(OSError):
        host = socket.gethostbyname(host)
    there, _, other = connected.rpartition(":")
    # This machine has its own name for itself.
    if str(port) != other or not (host == there or host.startswith("127.")):
        raise ConfigError(f"this program has connected to the Ray cluster at {connected} already, found {address}")


def _connect(ray: Any, address: str) -> None:
    if address == "auto":
        address = os.environ.get("RAY_ADDRESS") or address
    if address != "auto":
        _reach(address)
    said: list[str] = []
    try:
        with warnings.catch_warnings(), _unheard(), _overheard(said):
            # Ray's own affairs.
            warnings.simplefilter("ignore")
            ray.init(address=address, log_to_driver=False, logging_level=logging.CRITICAL)
    except (ConnectionError, RuntimeError, ValueError, AssertionError, TimeoutError, ray.exceptions.RayError) as error:
        if any(word in " ".join([*said, str(error), type(error).__name__]) for word in _NO_TOKEN):
            raise ConfigError(
                f"the Ray cluster at {address} wants its token: set RAY_AUTH_MODE=token here and have the head's"
                " ~/.ray/auth_token on every machine (docs/cluster.md)"
            ) from error
        sys.stderr.writelines(said)
        if address == "auto":
            why = "no Ray cluster runs on this machine; start one, or join one, with `ray start` (docs/cluster.md)"
            raise ConfigError(why) from error
        raise ConfigError(f"cannot join the Ray cluster at {address}: {' '.join(str(error).split())}") from error


@contextmanager
def _overheard(said: list[str]) -> Iterator[None]:
    """Collects what is written to the standard error: the reason is written there by compiled code, and not raised."""
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as file:
        before = os.dup(2)
        try:
            os.dup2(file.fileno(), 2)
            yield
        finally:
            os.dup2(before, 2)
            os.close(before)
            file.seek(0)
            said += file.readlines()


@contextmanager
def _unheard() -> Iterator[None]:
    """Keeps Ray from listening for what it would write among our output: of workers who died, and are replaced."""
    worker: Any = importlib.import_module("ray._private.worker")
    listen = getattr(worker, "listen_error_messages", None)
    if listen is None:
        # None of Ray's public names: in a version without it those lines are seen, and nothing else changes.
        yield
        return
    worker.listen_error_messages = lambda *_: None
    try:
        yield
    finally:
        worker.listen_error_messages = listen


def _reach(address: str) -> None:
    """Raises:
    ConfigError: see `ray_workers`.
    """
    host, port = _host_and_port(address)
    try:
        socket.create_connection((host, port), PATIENCE).close()
    except OSError as error:
        raise ConfigError(f"nothing answers at {address}: {error.strerror or error}") from error


def _host_and_port(address: str) -> tuple[str, int]:
    """Raises:
    ConfigError: an address that is none.
    """
    host, colon, port = address.rpartition(":")
    if not (colon and host and port.isdecimal() and int(port) < 2**16) or "/" in host:
        raise ConfigError(f"unknown address {address!r}, expected auto or HOST:PORT such as 192.168.1.10:6379")
    return host, int(port)


def _put_back(handlers: dict[signal.Signals, Any]) -> None:
    if threading.current_thread() is threading.main_thread():
        for number, handler in handlers.items():
            signal.signal(number, handler)


# -------------------------------------------------------------------- packing


def packed_apart(what: Any, module: str) -> tuple[bytes, dict[str, NDArray[np.uint8]]]:
    """Bytes with the code and the versions that they are for, the same for the same; and large arrays by their hash."""
    arrays: dict[str, NDArray[np.uint8]] = {}
    order: list[str] = []

    def apart(buffer: pickle.PickleBuffer) -> bool:
        raw = buffer.raw()
        if raw.nbytes < LARGE:
            return True
        name = hashlib.sha256(raw).hexdigest()
        arrays[name] = np.frombuffer(raw, dtype=np.uint8)
        order.append(name)
        return False

    inner = pack(what, apart)
    places = list(arrays)
    which = [places.index(name) for name in order]
    # The names are in it so that other weights are another work.
    return pickle.dumps((module, versions(), code_hash(module), places, which, inner)), arrays


def versions() -> str:
    """Of what decides the bits of a result."""
    others = (f"{name} {metadata.version(name)}" for name in ("numba", "llvmlite", "numpy"))
    return ", ".join([f"bgai {__version__}", *others])


@cache
def code_hash(module: str) -> str:
    """Of all sources and data of bgai and its trainer, and of a task: a clone changes without another version."""
    own = Path(importlib.import_module(module).__file__ or "")
    files = {own.name: own}
    for package in ("bgai", "bgai_train"):
        found = importlib.util.find_spec(package)
        for folder in map(Path, (found and found.submodule_search_locations) or []):
            for file in [*folder.rglob("*.py"), *(folder / "data").glob("*.csv")]:
                files[f"{package}/{file.relative_to(folder).as_posix()}"] = file
    digest = hashlib.sha256()
    for name, file in sorted(files.items()):
        digest.update(name.encode() + hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


# -------------------------------------------------------------------- in a worker


_opened: dict[str, Callable[[Any], Any]] = {}


def _serve(key: str, packed: NDArray[np.uint8], item: Any, *arrays: NDArray[np.uint8]) -> tuple[Any, float]:
    """What came of an item, and the CPU-seconds that it took."""
    begin = time.process_time()
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        # By this Ray calls off what runs. Whatever a script starts in its background ignores it.
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if key in _opened:
        result = _opened[key](item)
    else:
        module, expected, code, _, which, inner = pickle.loads(packed.tobytes())
        if expected != versions():
            raise ConfigError(f"expected {expected} on every machine, found {versions()} on {socket.gethostname()}")
        if code != code_hash(module):
            raise ConfigError(f"other code of bgai on {socket.gethostname()}, expected the same on every machine")
        # Copies, because arrays of the store cannot be written to, and kernels are compiled for those that can.
        task, shared = pickle.loads(inner, buffers=[arrays[place].copy() for place in which])
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
