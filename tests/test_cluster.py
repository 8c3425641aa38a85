"""Work on a Ray cluster, here one of several nodes on this machine: the same as without, whoever dies."""

from __future__ import annotations

import json
import os
import signal
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pytest
from bgai_train import loop
from bgai_train.beginnings import slipped
from bgai_train.config import FitConfig, LabelConfig, TrainConfig
from bgai_train.labels import open_labels
from bgai_train.loop import resume_run, start_run
from bgai_train.selfplay import Experience

from bgai import cluster
from bgai.analysis import MatchAnalyst, Rollouts
from bgai.catalogue import open_model
from bgai.cluster import RayWorkers, ray_workers
from bgai.duel import duellist, play_duel
from bgai.errors import ClusterError, ConfigError, PositionError
from bgai.level_duel import level_duellist, play_level_duel
from bgai.levels import PLAIN
from bgai.luck import LuckJudge
from bgai.model import load_model
from bgai.record import MatchRecord
from bgai.rollout import Settings as RolloutSettings
from bgai.workers import WAITING
from tests.analysed import committed_match
from tests.cli import START_ID, Command, save_model
from tests.cluster_tasks import Trapped, failing, noting
from tests.train.recipes import left_behind, tiny

pytest.importorskip("ray")

STORE = 80 * 2**20
PATIENCE = ("agent_register_timeout_ms", "health_check_timeout_ms")
"""Milliseconds after which Ray ends a machine whose processes have not begun, or do not answer."""
LABELS = TrainConfig(label=LabelConfig(positions=10**6, keep=0, games_per_shard=96), fit=FitConfig(batch=8))


@contextmanager
def in_background() -> Iterator[None]:
    """What is started here ignores Ctrl-C, like all that a script starts in its background."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="module")
def nodes() -> Iterator[Any]:
    """A cluster whose head has one worker and is never taken away. This process connects to it while it is alone."""
    from ray.cluster_utils import Cluster

    with pytest.MonkeyPatch.context() as patch:
        # Workers are as urgent as whoever waits for them, and a machine that is slow is not given up.
        patch.setenv("RAY_worker_niceness", "0")
        for setting in PATIENCE:
            patch.setenv(f"RAY_{setting}", "600000")
        patch.setenv("RAY_memory_monitor_refresh_ms", "0")
        head = {"num_cpus": 1, "include_dashboard": False, "object_store_memory": STORE}
        with in_background():
            found = Cluster(initialize_head=True, head_node_args=head)
        try:
            yield found
        finally:
            found.shutdown()


@pytest.fixture(scope="module")
def workers(nodes: Any) -> Iterator[RayWorkers]:
    """This process connected to the cluster, until the last test."""
    with ray_workers(nodes.address) as found:
        yield found


@pytest.fixture(scope="module")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_model(tmp_path_factory.mktemp("models") / "tiny")


@pytest.fixture
def on_the_cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Fails if nothing of the test was worked at by the cluster."""
    took: list[float] = []
    result = RayWorkers._result

    def noting(self: RayWorkers, handle: Any) -> Any:
        before = self.elsewhere
        found = result(self, handle)
        took.append(self.elsewhere - before)
        return found

    monkeypatch.setattr(RayWorkers, "_result", noting)
    yield
    assert sum(took) > 0


def shards(folder: Path, model: Path, who: Any = None, count: int = 2, told: Any = lambda positions: None) -> list[str]:
    """Labels some shards; the hashes of the files, which are what the manifest says and no others."""
    labels = open_labels(folder, LABELS, 0, 0, lambda: load_model(model))
    for _ in range(count):
        labels.add(told, who)
    written = json.loads((folder / "manifest.json").read_text())["shards"]
    assert sorted(path.name for path in folder.glob("*.safetensors")) == [f"{n:04d}.safetensors" for n in range(count)]
    assert written == [shard.__dict__ for shard in labels.shards]
    return [shard["sha256"] for shard in written]


# -------------------------------------------------------------------- no cluster


def test_without_ray_it_is_said_what_to_type(bgai_command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster.importlib.util, "find_spec", lambda name: None)
    said = bgai_command.bad("duel", "random", "random", "--games", "2", "--ray", "auto")
    assert said == "bgai duel: a cluster needs Ray; install it with: pip install 'bgai[ray]'"


@pytest.mark.parametrize("command", [("duel", "random", "random"), ("rollout", START_ID, "31")])
def test_an_address_where_nobody_is(bgai_command: Command, command: tuple[str, ...]) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
        said = bgai_command.bad(*command, "--ray", address)
    assert said.startswith(f"bgai {command[0]}: nothing answers at {address}: ")


def test_a_cluster_that_was_left(bgai_command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAY_ADDRESS", "127.0.0.1:1")
    said = bgai_command.bad("duel", "random", "random", "--ray", "auto")
    assert said.startswith("bgai duel: nothing answers at 127.0.0.1:1: ")


@pytest.mark.parametrize("address", ["here", "ray://head:10001", "head:", ":6379", "head:99999"])
def test_an_address_that_is_none(bgai_command: Command, address: str) -> None:
    said = bgai_command.bad("duel", "random", "random", "--ray", address)
    assert said == f"bgai duel: unknown address {address!r}, expected auto or HOST:PORT such as 192.168.1.10:6379"


# -------------------------------------------------------------------- one worker


@pytest.mark.usefixtures("on_the_cluster")
def test_the_command_connects_plays_and_leaves(
    nodes: Any, bgai_command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    import ray

    monkeypatch.setenv("RAY_ADDRESS", nodes.address)
    handlers = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    words = ("duel", "random", "heuristic", "--games", "300", "--json")
    found = bgai_command(*words, "--ray", "auto")
    said, waiting = found.err.splitlines()
    assert (found.code, said) == (0, "bgai: a Ray cluster of 1 machine with 1 core")
    assert waiting.startswith("bgai: waiting for the cluster's workers")
    assert found.out == bgai_command.good(*words)
    assert not ray.is_initialized()
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == handlers


def test_an_error_of_a_task_arrives_as_it_was(workers: RayWorkers) -> None:
    with workers.map(failing, "foreseen", [1, 0, 2]) as results:
        assert next(results) == 1
        with pytest.raises(PositionError, match=r"^expected 15 checkers, found 16$") as told:
            next(results)
    assert told.value.__cause__ is None
    with workers.map(failing, "unforeseen", [0]) as results, pytest.raises(ZeroDivisionError) as found:
        next(results)
    assert "cluster_tasks.py" in str(found.value.__cause__), "where it happened is told"


def test_what_is_shared_is_sent_and_opened_once(workers: RayWorkers, tmp_path: Path) -> None:
    def items() -> Iterator[int]:
        for item in range(20):
            asked.append(item)
            yield item

    before, processes = len(workers._sent), set()
    for _ in range(2):
        asked: list[int] = []
        with workers.map(noting, tmp_path, items()) as results:
            assert len(asked) == WAITING
            for number, (item, process) in enumerate(results):
                assert item == number
                assert len(asked) <= number + 1 + WAITING
                processes.add(process)
    assert len(workers._sent) == before + 1
    assert len(list(tmp_path.iterdir())) == len(processes)


def test_other_code_on_a_machine_is_told(workers: RayWorkers, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(cluster, "code_hash", lambda module: "another")
    with workers.map(noting, tmp_path, [1]) as results, pytest.raises(ConfigError, match="other code of bgai on "):
        next(results)


# -------------------------------------------------------------------- one worker, then three


@pytest.fixture(scope="module")
def by_one(workers: RayWorkers, tiny_model: Path, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Labels made by one worker, before there are three."""
    assert workers.cores == 1
    return shards(tmp_path_factory.mktemp("one") / "labels", tiny_model, workers)


@pytest.fixture(scope="module")
def three(nodes: Any, workers: RayWorkers, by_one: list[str]) -> RayWorkers:
    """The same workers, now with those of a second node."""
    with in_background():
        nodes.add_node(num_cpus=2, object_store_memory=STORE)
    return RayWorkers(workers._ray)


def test_labels_and_duels_do_not_depend_on_who_works(
    by_one: list[str], three: RayWorkers, tiny_model: Path, tmp_path: Path
) -> None:
    alone = shards(tmp_path / "alone", tiny_model)
    assert three.cores == 3
    before = three.elsewhere
    assert by_one == shards(tmp_path / "three", tiny_model, three) == alone
    assert three.elsewhere > before
    model, before = load_model(tiny_model), three.elsewhere
    begun = slipped(model, LABELS.label, 1, 0, 5000, workers=three)
    assert np.array_equal(begun, slipped(model, LABELS.label, 1, 0, 5000))
    assert three.elsewhere > before
    players, judge = (duellist(str(tiny_model)), duellist("heuristic")), LuckJudge.of(open_model(str(tiny_model)))
    told: list[Any] = []
    before = three.elsewhere
    found = play_duel(*players, 400, 3, judge=judge, workers=three, progress=told.append)
    local = play_duel(*players, 400, 3, judge=judge)
    assert np.array_equal(found.points, local.points)
    assert found.luck_out == local.luck_out
    assert np.array_equal(np.concatenate([part.points for part in told]), local.points)
    assert three.elsewhere > before


@pytest.mark.usefixtures("on_the_cluster")
def test_duels_of_players_by_name(three: RayWorkers, tiny_model: Path) -> None:
    players = level_duellist(f"{tiny_model}:1-ply"), level_duellist("random")
    found, local = play_level_duel(*players, 40, 2, workers=three), play_level_duel(*players, 40, 2)
    assert np.array_equal(found.points, local.points)


def test_who_plays_on_one_machine_only_cannot_be_sent(three: RayWorkers) -> None:
    class Guest:
        name, together = "gnubg:0", 4

        def choose(self, *_: Any) -> Any:
            raise AssertionError

    with pytest.raises(ConfigError, match="gnubg:0 plays on this machine alone"):
        play_level_duel(Guest(), Guest(), 4, 1, workers=three)


@pytest.mark.usefixtures("on_the_cluster")
@pytest.mark.parametrize("ahead", [0, 1])
def test_a_run_is_the_same(three: RayWorkers, tmp_path: Path, ahead: int) -> None:
    recipe = tiny(selfplay={"ahead": ahead, "games_per_update": 80, "warm_up": 0})
    start_run(recipe, tmp_path / "local")
    start_run(recipe, tmp_path / "ray", workers=three)
    found, expected = left_behind(tmp_path / "ray"), left_behind(tmp_path / "local")
    assert found == expected


def test_a_run_that_was_interrupted_goes_on_without_the_cluster(
    three: RayWorkers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recipe = tiny(selfplay={"ahead": 1, "games_per_update": 40, "warm_up": 0})
    start_run(recipe, tmp_path / "local")
    games, calls = loop.GamesAhead.next, 0

    def interrupted(self: loop.GamesAhead) -> Experience:
        nonlocal calls
        calls += 1
        if calls == 2:
            signal.raise_signal(signal.SIGINT)
        return games(self)

    monkeypatch.setattr(loop.GamesAhead, "next", interrupted)
    with pytest.raises(KeyboardInterrupt):
        start_run(recipe, tmp_path / "run", workers=three)
    assert calls == 2
    resume_run(tmp_path / "run")
    assert left_behind(tmp_path / "run") == left_behind(tmp_path / "local")


@pytest.mark.usefixtures("on_the_cluster")
def test_rollouts(three: RayWorkers, tiny_model: Path, bgai_command: Command) -> None:
    words = ("rollout", START_ID, "31", "--trials", "360", "--truncate", "3", "--model", tiny_model, "--json")
    found = bgai_command(*words, "--ray", "auto")
    assert found.code == 0
    assert found.out == bgai_command.good(*words)


@pytest.mark.usefixtures("on_the_cluster")
def test_analyses(three: RayWorkers, tiny_model: Path) -> None:
    match = committed_match()
    record = MatchRecord(match.players, match.rules, match.games[:1])
    rollouts = Rollouts(0.3, RolloutSettings(trials=72, truncation=1))
    analyst = MatchAnalyst(load_model(tiny_model), PLAIN, rollouts)
    stages: list[str] = []
    found = analyst.analyse(record, workers=three, progress=lambda stage, done, total: stages.append(stage))
    assert found == analyst.analyse(record, threads=2)
    assert set(stages) == {"decisions", "rollouts"}


def test_what_is_called_off_leaves_the_workers_free(three: RayWorkers, tiny_model: Path, tmp_path: Path) -> None:
    """As by Ctrl-C."""
    # Given: what the first worker does for all others of its machine is done.
    shards(tmp_path / "before", tiny_model, Trapped(three, tmp_path), count=1)
    stuck = tuple(range(16, 96, 16))

    def interrupt(_: int) -> None:
        wait_for(tmp_path, 3)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        shards(tmp_path / "labels", tiny_model, Trapped(three, tmp_path, stuck), told=interrupt)
    assert not list((tmp_path / "labels").glob("*.safetensors")), "a shard is kept whole or not at all"
    with three.map(noting, tmp_path, range(30)) as results:
        assert [item for item, _ in results] == list(range(30))


# -------------------------------------------------------------------- death


def test_an_item_that_kills_whoever_works_at_it_is_given_up(three: RayWorkers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "TRIES", 0)
    workers = RayWorkers(three._ray)
    with workers.map(failing, "dies", [0]) as results, pytest.raises(ClusterError, match="given up an item after 1 tr"):
        next(results)


def test_a_worker_and_a_node_die_while_labels_are_made(
    nodes: Any,
    three: RayWorkers,
    by_one: list[str],
    tiny_model: Path,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """The first worker at the third chunk is killed there, and with another of the second node that whole node."""
    happened: list[str] = []

    def kill() -> None:
        process, _ = wait_for(tmp_path, 1, "32")
        os.kill(process, signal.SIGKILL)
        happened.append("worker")
        _, where = wait_for(tmp_path, 1, "node")
        (node,) = nodes.worker_nodes
        assert node.node_id == where
        nodes.remove_node(node, allow_graceful=False)
        happened.append("node")

    killer = threading.Thread(target=kill)
    killer.start()
    spared = nodes.head_node.node_id
    found = shards(tmp_path / "labels", tiny_model, Trapped(three, tmp_path, (32,), spared))
    killer.join()
    assert happened == ["worker", "node"]
    assert found == by_one
    end = time.monotonic() + 60
    while three.machines > 1:
        assert time.monotonic() < end
        time.sleep(0.1)
    said = capfd.readouterr()
    assert said.out == ""
    # Ray's compiled part tells, past Python, of weights that lay on the lost machine and are sent again.
    assert all("Attempting to recover" in line for line in said.err.splitlines()), said.err


def test_nobody_is_left_behind(nodes: Any) -> None:
    """When all is over; this has to be the last test."""
    import ray

    children = psutil.Process().children(recursive=True)
    assert children
    ray.shutdown()
    nodes.shutdown()
    _, alive = psutil.wait_procs(children, 20)
    assert not alive


def wait_for(folder: Path, count: int, name: str = "[0-9]*[0-9]") -> tuple[int, str]:
    """Until so many workers stick; process and node of one."""
    end = time.monotonic() + 120
    while len(found := list(folder.glob(name))) < count:
        assert time.monotonic() < end, f"nobody sticks at {name}"
        time.sleep(0.02)
    process, node = found[0].read_text().split()
    return int(process), node
