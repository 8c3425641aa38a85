"""What a cluster is sent and what it answers, with a Ray that is played by this process."""

from __future__ import annotations

import os
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bgai import cluster
from bgai.cluster import RayWorkers, ray_workers
from bgai.errors import ClusterError, ConfigError
from bgai.kernels.forward import Net

exceptions = pytest.importorskip("ray.exceptions")


class Played:
    """What is used of Ray, at once and here."""

    exceptions = exceptions

    def __init__(self, error: Exception | None = None) -> None:
        self.store: list[Any] = []
        self.called_off: list[Any] = []
        self.error = error

    def put(self, what: Any) -> int:
        what = what.copy()
        what.flags.writeable = False
        self.store.append(what)
        return -len(self.store)

    def get(self, result: Any) -> Any:
        if self.error is not None:
            raise self.error
        return result

    def remote(self, **_: Any) -> Callable[[Any], Any]:
        def at_once(serve: Any) -> Any:
            def call(key: str, packed: int, item: Any, *arrays: int) -> Any:
                return serve(key, self.store[-packed - 1], item, *(self.store[-array - 1] for array in arrays))

            return types.SimpleNamespace(remote=call)

        return at_once

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": 1.0}

    def cancel(self, handle: Any) -> None:
        """What is done at once cannot be called off, but it is noted."""
        self.called_off.append(handle)


Shared = tuple[Net, "np.ndarray[Any, Any]", float]


def adding(shared: Shared) -> Callable[[int], tuple[float, bool]]:
    net, array, summand = shared
    return lambda item: (float(net.table.sum() + array.sum()) + summand + item, array.flags.writeable)


def network(seed: int) -> Net:
    rng = np.random.default_rng(seed)
    return Net(
        rng.integers(9, size=(400, 64)).astype(np.float32),
        np.zeros(64, np.float32),
        np.zeros(9, np.float32),
        np.zeros(3, np.int64),
    )


def test_a_network_is_sent_once_whatever_goes_with_it() -> None:
    ray = Played()
    workers = RayWorkers(ray)
    frozen = np.arange(10_000)
    frozen.flags.writeable = False
    net = network(1)
    for schedule in (0.5, 0.25, 0.5):
        with workers.map(adding, (net, frozen, schedule), [0, 1]) as results:
            expected = float(net.table.sum() + frozen.sum()) + schedule
            assert list(results) == [(expected, False), (expected + 1, False)]
    assert sorted(array.nbytes for array in ray.store if array.nbytes >= cluster.LARGE) == [80_000, 102_400]
    assert len(ray.store) == 4, "two large arrays, and what went with them two times"
    with workers.map(adding, (network(2), np.arange(10_000), 0.5), [0]) as results:
        assert next(results) == (float(network(2).table.sum() + frozen.sum()) + 0.5, True)
    assert len(ray.store) == 6, "other weights are sent, what was frozen is not sent again"


def apart(shared: list[Any]) -> Callable[[int], bool]:
    return lambda item: np.shares_memory(*shared)


def test_equal_arrays_are_sent_once_and_are_two_there() -> None:
    ray = Played()
    with RayWorkers(ray).map(apart, [np.zeros(10_000), np.zeros(10_000)], [0]) as results:
        assert list(results) == [False]
    assert len(ray.store) == 2


def test_an_opponent_stays_while_versions_come_and_go_and_the_oldest_version_does_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ray = Played()
    workers = RayWorkers(ray)
    opponent = network(0)
    monkeypatch.setattr(cluster, "KEPT", 3 * opponent.table.nbytes)
    for version in range(1, 2 * cluster.OPEN):
        shared: Any = (network(version), opponent.table, 0.0)
        with workers.map(adding, shared, [0]) as results:
            assert next(results)[0] == float(network(version).table.sum() + opponent.table.sum())
    large = [array for array in ray.store if array.nbytes >= cluster.LARGE]
    assert len(large) == 1 + 2 * cluster.OPEN - 1
    assert sum(size for size, _ in workers._arrays.values()) <= cluster.KEPT
    assert len(workers._sent) == cluster.OPEN


def test_what_waits_is_called_off_before_what_runs() -> None:
    ray = Played()
    with RayWorkers(ray).map(adding, (network(0), np.zeros(1), 0.0), range(9), ahead=True) as results:
        first = next(results)[0]
    assert [value - first for (value, _), _ in ray.called_off] == [8, 7, 6, 5, 4, 3, 2, 1]


@pytest.mark.parametrize(
    ("error", "expected", "words"),
    [
        (exceptions.WorkerCrashedError(), ClusterError, "^the cluster has given up an item after 21 tries: The worker"),
        (exceptions.OutOfMemoryError("too much\nmore"), ClusterError, "given up an item after 21 tries: too much$"),
        (
            exceptions.RaySystemError("a broken pipe"),
            ClusterError,
            r"^the cluster has failed \(RaySystemError\): .*pipe$",
        ),
        (
            exceptions.RayTaskError("_serve", "...", ModuleNotFoundError("No module named 'bgai_train'")),
            ConfigError,
            r"cannot load its work \(No module named 'bgai_train'\); install the same bgai",
        ),
        (
            exceptions.RayTaskError(
                "_serve",
                "...",
                RuntimeError(
                    "The remote function failed to import on the worker. This may be because needed library\n\n"
                    "Traceback:\nModuleNotFoundError: No module named 'bgai'\n"
                ),
            ),
            ConfigError,
            r"cannot load its work \(ModuleNotFoundError: No module named 'bgai'\)",
        ),
    ],
    ids=["worker", "memory", "other", "module", "bgai"],
)
def test_what_is_wrong_with_a_cluster_is_told_in_a_line(
    error: Exception, expected: type[Exception], words: str
) -> None:
    workers = RayWorkers(Played(error))
    with workers.map(adding, (network(1), np.zeros(1), 0.0), [0]) as work, pytest.raises(expected, match=words) as told:
        next(work)
    assert "\n" not in str(told.value)


def test_other_versions_on_a_machine_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    workers = RayWorkers(Played())
    found = cluster.versions()
    said = iter(["bgai 0, NumPy 1", found, found])
    monkeypatch.setattr(cluster, "versions", lambda: next(said))
    with pytest.raises(ConfigError, match=r"^expected bgai 0, NumPy 1 on every machine, found bgai .*numpy .* on "):
        workers.map(adding, (network(3), np.zeros(1), 0.0), [0])


def test_the_hash_is_that_of_every_source(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    before: Callable[[Path], bytes] = Path.read_bytes

    def noting(path: Path) -> bytes:
        read.append(path.as_posix())
        return before(path)

    monkeypatch.setattr(Path, "read_bytes", noting)
    cluster.code_hash.cache_clear()
    found = cluster.code_hash(__name__)
    for name in (
        "bgai/board.py",
        "bgai/kernels/forward.py",
        "bgai/data/levels.csv",
        "train/loop.py",
        "tests/test_cluster_alone.py",
    ):
        assert any(path.endswith(name) for path in read), name

    def other(path: Path) -> bytes:
        return before(path) + b"#" * path.as_posix().endswith("bgai/duel.py")

    monkeypatch.setattr(Path, "read_bytes", other)
    cluster.code_hash.cache_clear()
    assert cluster.code_hash(__name__) != found
    cluster.code_hash.cache_clear()


def test_who_has_no_token_is_told_what_to_set(capfd: pytest.CaptureFixture[str]) -> None:
    """As Ray 2.60 does it: the reason is written by compiled code, the error does not have it."""

    def init(written: str) -> Callable[..., None]:
        def refuse(**_: Any) -> None:
            os.write(2, written.encode())
            raise ConnectionError("Failed to connect to Ray cluster at 192.0.2.2:6379")

        return refuse

    ray = types.SimpleNamespace(exceptions=exceptions, init=init("Unauthenticated: RPC error: InvalidAuthToken: ...\n"))
    with pytest.raises(ConfigError, match="wants its token: set RAY_AUTH_MODE=token here"):
        cluster._connect(ray, "auto")
    assert capfd.readouterr().err == ""
    ray.init = init("something else\n")
    with pytest.raises(ConfigError, match="no Ray cluster runs on this machine"):
        cluster._connect(ray, "auto")
    assert capfd.readouterr().err == "something else\n"


def test_a_program_that_has_connected_elsewhere_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    import ray

    monkeypatch.setattr(ray, "is_initialized", lambda: True)
    monkeypatch.setattr(ray, "get_runtime_context", lambda: types.SimpleNamespace(gcs_address="192.0.2.2:6379"))
    with pytest.raises(ConfigError, match=r"the Ray cluster at 192\.0\.2\.2:6379 already, found 192\.0\.2\.3:6379$"):
        ray_workers("192.0.2.3:6379").__enter__()
    for address in ("auto", "192.0.2.2:6379", "127.0.0.1:6379"):
        with ray_workers(address) as found:
            assert isinstance(found, RayWorkers)


def test_a_ray_without_that_private_name_is_none_the_worse(monkeypatch: pytest.MonkeyPatch) -> None:
    import ray._private.worker

    monkeypatch.delattr(ray._private.worker, "listen_error_messages")
    with cluster._unheard():
        assert not hasattr(ray._private.worker, "listen_error_messages")
