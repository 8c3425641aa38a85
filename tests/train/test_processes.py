"""Processes that learn as one: the result of one, an end together, and a clear word when one of them is gone."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from operator import floordiv
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch.distributed as dist
from bgai_train import following
from bgai_train.checkpoint import load_checkpoint
from bgai_train.config import TrainConfig, load_config
from bgai_train.learner import Learner
from bgai_train.log import LOG, read_log
from bgai_train.loop import resume_run, start_run
from bgai_train.processes import Processes, joined
from bgai_train.selfplay import CHUNK, play
from bgai_train.sharing import ProcessWorkers
from numpy.testing import assert_allclose

from bgai.board import Board
from bgai.duel import duellist, play_duel
from bgai.errors import TrainingError
from bgai.outcomes import Outcomes
from bgai.workers import LocalWorkers, Workers
from tests.cli import heeding_interrupts
from tests.positions import mixed_positions
from tests.train.recipes import tiny

FOLLOWER = """\
from bgai_train.following import follow
from bgai_train.processes import joined

with joined("cpu", print) as processes:
    follow(processes)
"""
LOST_LEADER = """\
import os, signal, sys
from pathlib import Path
from bgai_train.checkpoint import Progress, save_checkpoint
from bgai_train.learner import Learner
from bgai_train.processes import joined
from tests.train.test_processes import config, learn, some_lesson

with joined("cpu", print) as processes:
    learner = Learner(config(), processes)
    learn(learner, some_lesson(), 3)
    save_checkpoint(Path(sys.argv[1]), Progress(), {}, learner.state())
    os.kill(os.getpid(), signal.SIGKILL)
"""
"""Teaches, writes down what it has learnt, and is gone."""
GONE = "another process of this run has ended"

Lessons = tuple[Board, Outcomes]


@dataclass
class Pair:
    """This process, the first, and one that follows it."""

    processes: Processes
    other: subprocess.Popen[bytes]

    def learner(self, **sections: Any) -> Learner:
        """A new one that learns with the other process."""
        return Learner(config(**sections), self.processes)


def config(**sections: Any) -> TrainConfig:
    """Of a network whose batches cannot be halved."""
    return tiny(network={"layers": [24, 8]}, optim={"batch": 63, **sections})


@contextmanager
def started(script: str, folder: Path, rank: int) -> Iterator[subprocess.Popen[bytes]]:
    """Another process of two; the environment says that this one has the given rank."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port = one.getsockname()[1]
    common = {"WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)}
    here, there = (common | {"RANK": str(each), "LOCAL_RANK": str(each)} for each in (rank, 1 - rank))
    with pytest.MonkeyPatch.context() as patch:
        for name, value in here.items():
            patch.setenv(name, value)
        with subprocess.Popen([sys.executable, "-c", script, str(folder)], env=os.environ | there) as process:
            try:
                yield process
            finally:
                process.kill()


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    folder = tmp_path_factory.mktemp("pair")
    with started(FOLLOWER, folder, 0) as other, joined("cpu", print) as processes:
        yield Pair(processes, other)


def some_lesson() -> Lessons:
    """Three batches and one position more."""
    boards, _ = mixed_positions(190, seed=4)
    return boards, np.random.default_rng(4).random((190, 5), dtype=np.float32)


@pytest.fixture(scope="module")
def lesson() -> Lessons:
    return some_lesson()


def learn(learner: Learner, lesson: Lessons, times: int = 1) -> float:
    losses = [learner.learn(*lesson, 0, np.random.default_rng(number)) for number in range(times)]
    return losses[-1]


def learnt_from(workers: Workers) -> list[bytes]:
    """What three chunks of games of a new network teach."""
    short = tiny(selfplay={"longest": 30, "share": 0.5})
    experience = play(Learner(short).net(), short.selfplay, 1, 0, 2 * CHUNK + 3, workers)
    return [experience.boards.tobytes(), experience.targets.tobytes(), experience.lengths.tobytes()]


def weights_apart(one: Learner, other: Learner) -> float:
    """The largest difference between two weights."""
    found, expected = one.weights(), other.weights()
    return max(float(np.abs(found[name] - expected[name]).max()) for name in expected)


# -------------------------------------------------------------------- two learn what one learns


@pytest.mark.parametrize(("rank", "local", "lines"), [(0, 0, 1), (1, 1, 0), (2, 0, 1), (3, 1, 0)])
def test_each_machine_is_told_that_it_has_no_such_device(
    rank: int, local: int, lines: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in (("RANK", rank), ("LOCAL_RANK", local), ("WORLD_SIZE", 4)):
        monkeypatch.setenv(name, str(value))
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    for name in ("join", "leave"):
        monkeypatch.setattr(f"bgai_train.processes.Processes.{name}", lambda self: None)
    said: list[str] = []
    with joined("cuda", said.append):
        assert len(said) == lines
    assert all(line.endswith("going on with the CPU") for line in said)


def test_two_learn_what_one_learns(pair: Pair, lesson: Lessons) -> None:
    """But for the order in which float32 numbers are added up, which a step of Adam can make larger."""
    alone, together, half = Learner(config()), pair.learner(), Learner(config())
    for times in (1, 4):
        assert learn(together, lesson, times) == pytest.approx(learn(alone, lesson, times), abs=1e-5)
    assert weights_apart(together, alone) < 2e-4
    for times in (1, 4):
        learn(half, (lesson[0][::2], lesson[1][::2]), times)
    assert weights_apart(half, alone) > 0.01


def test_what_one_has_learnt_two_go_on_with(pair: Pair, lesson: Lessons) -> None:
    alone, together = Learner(config()), pair.learner()
    learn(alone, lesson, 3)
    together.restore(alone.state())
    for one in (alone, together):
        learn(one, lesson)
    assert weights_apart(together, alone) < 1e-4
    for one in (alone, together):
        one.forget()
        learn(one, lesson)
    assert weights_apart(together, alone) < 2e-4


def test_units_begin_again_in_both(pair: Pair, lesson: Lessons) -> None:
    alone, together = Learner(config()), pair.learner()
    for one in (alone, together):
        learn(one, lesson)
        state = one.state()
        state["network.layers.0.bias"][:5] = -100
        one.restore(state)
        learn(one, lesson)
        assert one.renew(lesson[0], np.random.default_rng(1))[0] >= 5
        learn(one, lesson)
    assert weights_apart(together, alone) < 1e-3


def test_two_learn_nearly_the_same_in_bfloat16(pair: Pair, lesson: Lessons) -> None:
    together = pair.learner(precision="bfloat16")
    assert learn(together, lesson, 5) == pytest.approx(learn(Learner(config()), lesson, 5), abs=0.01)


def test_a_loss_that_explodes_is_told_and_does_not_separate_them(pair: Pair, lesson: Lessons) -> None:
    boards, targets = lesson[0], lesson[1].copy()
    targets[-1] = np.nan
    with pytest.raises(TrainingError, match="the loss is nan"):
        learn(pair.learner(), (boards, targets))
    assert learn(pair.learner(), lesson) == pytest.approx(learn(Learner(config()), lesson), abs=1e-5)


def test_work_is_shared_and_comes_in_the_order_of_its_items(pair: Pair) -> None:
    items = [*range(1, 40), 0, *range(40, 60)]
    with ProcessWorkers(pair.processes, 1).map(partial(partial, floordiv), 1000, items) as results:
        for item in items[:39]:
            assert next(results) == 1000 // item
        with pytest.raises(ZeroDivisionError):
            next(results)
    assert learnt_from(ProcessWorkers(pair.processes, 2)) == learnt_from(LocalWorkers())
    players = duellist("heuristic"), duellist("random")
    by_threads, by_processes = (
        play_duel(*players, 600, 1, workers=workers).points
        for workers in (LocalWorkers(), ProcessWorkers(pair.processes, 1))
    )
    assert np.array_equal(by_threads, by_processes)
    assert pair.processes.cpu_seconds > time.process_time() + 0.5


def test_one_that_is_asked_to_end_tells_the_first(pair: Pair, lesson: Lessons) -> None:
    learner = pair.learner()
    learn(learner, lesson)
    assert not pair.processes.asked
    pair.other.send_signal(signal.SIGTERM)
    for _ in range(200):
        learn(learner, lesson)
        if pair.processes.asked:
            break
    assert pair.processes.asked


# -------------------------------------------------------------------- one is gone


def test_the_first_says_that_another_is_gone(pair: Pair, lesson: Lessons) -> None:
    learner = pair.learner()
    learn(learner, lesson)
    pair.other.kill()
    pair.other.wait()
    with pytest.raises(TrainingError, match=GONE):
        learn(learner, lesson)
    dist.destroy_process_group()


def test_another_has_learnt_the_same_bit_by_bit_and_says_that_the_first_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    learners: list[Learner] = []

    def remembered(config: TrainConfig, processes: Processes) -> Learner:
        learners.append(Learner(config, processes))
        return learners[-1]

    monkeypatch.setattr(following, "Learner", remembered)
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        with started(LOST_LEADER, tmp_path, 1), joined("cpu", print) as processes:
            assert not processes.first
            with pytest.raises(TrainingError, match=GONE):
                following.follow(processes)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    dist.destroy_process_group()
    (learner,) = learners
    expected = load_checkpoint(tmp_path)[2]
    assert {name: array.tobytes() for name, array in learner.state().items()} == {
        name: array.tobytes() for name, array in expected.items()
    }


# -------------------------------------------------------------------- whole runs under torchrun

RECIPE = """\
name = "shared"
seed = 3
[network]
layers = [12]
[label]
positions = 400
keep = 0
games_per_shard = 2
[fit]
passes = 30
batch = 8
lr = 0.002
[evaluate]
every = 1_000_000
games = 4
opponents = ["random"]
"""


def when(reached: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    """Waits until something is true."""
    while not reached():
        assert process.poll() is None, "the run ended too early"
        time.sleep(0.01)


def test_two_stop_together_at_ctrl_c_and_one_goes_on_to_the_same_end(tmp_path: Path) -> None:
    recipe, folder = tmp_path / "shared.toml", tmp_path / "run"
    recipe.write_text(RECIPE, "utf-8")
    torchrun = [
        sys.executable,
        "-m",
        "torch.distributed.run",
        "--standalone",
        "--local-addr",
        "127.0.0.1",
        "--nproc-per-node",
        "2",
    ]
    command = [*torchrun, "-m", "bgai", "train", str(recipe), "--out", str(folder)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=heeding_interrupts
    ) as process:
        try:
            # When the two have learnt a little,
            log = folder / LOG
            when(lambda: log.is_file() and '"kind": "fit"' in log.read_text("utf-8"), process)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=300)
        finally:
            process.terminate()
    # Then the first alone says so, and how to go on.
    assert out.count("stopping after this shard or update") == 1, err
    assert out.count(f"go on with: bgai train --resume {folder}") == 1
    assert "bgai train:" not in err
    before = load_checkpoint(folder)[0].positions
    assert 400 < before < 12_400
    resume_run(folder)
    start_run(load_config(recipe), tmp_path / "alone")
    shards = sorted((tmp_path / "alone" / "labels-1").glob("*.safetensors"))
    assert len(shards) > 2
    for shard in shards:
        assert (folder / "labels-1" / shard.name).read_bytes() == shard.read_bytes()
    losses = [[entry["loss"] for entry in read_log(each, "fit")] for each in (folder, tmp_path / "alone")]
    assert_allclose(losses[0], losses[1], atol=1e-4)
    assert losses[0][-1] < losses[0][0] - 0.01
