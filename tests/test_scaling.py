"""The model of a cluster behind docs/scaling.md, against what can be worked out on paper."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from importlib import import_module
from math import ceil
from pathlib import Path
from typing import Any

import pytest

from bgai.workers import WAITING

FOLDER = Path(__file__).parents[1] / "benchmarks"

sys.path.append(str(FOLDER))
scaling, model = map(import_module, ("scaling", "scaling_model"))

PLAIN = model.Work(item_seconds=0.1)
NEAR = model.Cluster(workers=4, bandwidth=1e12, latency=0.0)


def duel(items: int, cluster: Any = NEAR, work: Any = PLAIN) -> Any:
    simulation = model.Simulation(cluster, work)
    simulation.run(model.taken(simulation, items, 0))
    return simulation.usage()


def learning(updates: int, items: int, ahead: int, seconds: float, cluster: Any = NEAR, work: Any = PLAIN) -> Any:
    simulation = model.Simulation(cluster, work)
    simulation.run(model.play_and_learn(simulation, updates, items, ahead, lambda update: seconds))
    return simulation


@pytest.mark.parametrize("workers", [1, 3, 16, 100])
@pytest.mark.parametrize("items", [1, 16, 100])
def test_equal_items_take_as_many_rounds_as_there_are_items_for_each_worker(workers: int, items: int) -> None:
    found = duel(items, replace(NEAR, workers=workers))
    assert found.seconds == pytest.approx(0.1 * ceil(items / workers))
    assert found.workers == pytest.approx(items / workers / ceil(items / workers))


def test_a_driver_that_is_slower_than_the_workers_is_the_limit() -> None:
    found = duel(2000, replace(NEAR, workers=50), replace(PLAIN, begin_seconds=0.003, take_seconds=0.002))
    assert 2000 / found.seconds == pytest.approx(1 / 0.005, rel=0.02)
    assert found.driver == pytest.approx(1, abs=0.02)
    assert found.workers == pytest.approx(0.1 / 0.005 / 50, rel=0.02)


def test_results_wait_for_the_line_into_the_driver() -> None:
    found = duel(2000, replace(NEAR, workers=50, bandwidth=1e6), replace(PLAIN, result_bytes=10_000))
    assert 2000 / found.seconds == pytest.approx(1e6 / 10_000, rel=0.02)
    assert found.into == pytest.approx(1, abs=0.02)


def test_a_slow_item_stops_all_that_are_behind_the_window() -> None:
    slow = model.Simulation(NEAR, PLAIN, durations=iter([10.0] + [0.1] * 99))
    slow.run(model.taken(slow, 100, 0))
    # Of the others only the rest of the window is done meanwhile.
    assert slow.now == pytest.approx(10 + 0.1 * ceil((100 - WAITING * 4) / 4), abs=0.11)


@pytest.mark.parametrize("workers", [1, 2, 8])
def test_in_turns_playing_and_learning_add_up(workers: int) -> None:
    found = learning(10, 16, 0, 0.7, replace(NEAR, workers=workers))
    playing = 0.1 * ceil(16 / workers)
    assert found.now == pytest.approx(10 * (playing + 0.7))
    assert found.waited == pytest.approx(10 * playing)
    assert found.usage().learner == pytest.approx(0.7 / (playing + 0.7))


@pytest.mark.parametrize(("seconds", "bound"), [(0.9, 0.9), (0.1, 0.4)])
def test_one_update_ahead_the_slower_of_both_is_the_limit(seconds: float, bound: float) -> None:
    updates = 100
    found = learning(updates, 16, 1, seconds)
    assert found.now / updates == pytest.approx(bound, rel=0.02)
    assert found.usage().learner == pytest.approx(seconds / bound, rel=0.02)
    assert found.usage().workers == pytest.approx(0.4 / bound, rel=0.02)


@pytest.mark.parametrize("ahead", [1, 3])
def test_no_more_workers_are_busy_than_there_are_items_in_the_updates_ahead(ahead: int) -> None:
    # While the network does not learn, the items of `ahead` and one update are at work.
    found = learning(200, 16, ahead, 0.0, replace(NEAR, workers=1000))
    assert found.usage().workers * 1000 == pytest.approx(16 * (1 + ahead), rel=0.05)


def test_what_was_before_is_forgotten() -> None:
    simulation = model.Simulation(replace(NEAR, workers=1), PLAIN, durations=iter([5.0, *[0.1] * 9]))

    def seconds(update: int) -> float:
        if update == 0:
            simulation.forget()
        return 0.1

    simulation.run(model.play_and_learn(simulation, 10, 1, 0, seconds))
    assert simulation.usage().seconds == pytest.approx(10 * 0.1 + 9 * 0.1)
    assert simulation.usage().workers == pytest.approx(9 / 19)
    assert simulation.usage().learner == pytest.approx(10 / 19)


def test_the_weights_go_to_each_machine_once_a_version() -> None:
    work = replace(PLAIN, shared_bytes=1e6, open_seconds=0.05)
    cluster = replace(NEAR, workers=8, cores=2, bandwidth=1e7, latency=0.2)
    found = learning(10, 8, 0, 0.0, cluster, work)
    # To the last of four machines after four times 0.1 seconds; its result is there 0.2 seconds after it was done.
    assert found.now == pytest.approx(10 * (4 * 0.1 + 0.2 + 0.05 + 0.1 + 0.2))
    assert found.usage().out == pytest.approx(10 * 4 * 0.1 / found.now)
    assert duel(80, cluster, work).out == pytest.approx(4 * 0.1 / duel(80, cluster, work).seconds)


def test_a_shard_ends_with_idle_workers_and_the_writing() -> None:
    simulation = model.Simulation(replace(NEAR, workers=10), PLAIN)
    simulation.run(model.label(simulation, shards=5, items=64, writing=0.3))
    assert simulation.now == pytest.approx(5 * (0.1 * 7 + 0.3))


def test_the_spread_is_that_of_the_items_and_the_same_for_the_same_seed() -> None:
    work = replace(PLAIN, spread=0.3)
    items = 4000
    found = duel(items, replace(NEAR, workers=1), work)
    assert found.seconds == pytest.approx(0.1 * items, rel=4 * 0.3 / items**0.5)
    assert found == duel(items, replace(NEAR, workers=1), work)


def test_learners_around_a_ring() -> None:
    alone = model.learning_seconds(10_240, 1000.0, batch=1024)
    assert alone == pytest.approx(10.24)
    four = model.learning_seconds(10_240, 1000.0, batch=1024, processes=4, weights_bytes=1e6, bandwidth=1e8)
    assert four == pytest.approx(10.24 / 4 + 10 * 1.5 * 0.01)


# -------------------------------------------------------------------- the command


def rate(seconds: float, games: int = 64, positions: float = 3200.0) -> dict[str, Any]:
    sizes = {"result_bytes": 160_000, "shared_bytes": 1_600_000, "open_seconds": 0.003}
    return {"games": games, "positions": positions, "item_seconds": seconds, "spread": 0.1, "measured": 1, **sizes}


RATES = {"selfplay": rate(0.1), "exact": rate(0.6), "labels": rate(0.2, 16, 800.0), "duels": rate(0.3, 128, 0.0)}
NETWORK = {"layers": [512, 256, 64], "weights": 300_000, "rates": RATES, "learnt_a_second": 32_000.0}
FOUND: dict[str, Any] = {
    "networks": {"shipped": NETWORK, "large": {**NETWORK, "layers": [512, 512]}},
    "driver": {"version_seconds": 0.005, "begin_seconds": 0.0005, "take_seconds": 0.0005},
    "writing_seconds": 0.001,
    "latency_seconds": 0.01,
    "load": [1.0, 1.0, 1.0],
    "runs": [{"kind": "label", "shards": 2, "items": 16, "seconds": 5.0}],
    "environment": {"processor": "a processor", "date": "today"},
}


def test_the_limit_is_named() -> None:
    near = model.Cluster(1, bandwidth=1.25e9)
    # A worker plays 640 games a second, and the learner learns 640 of them.
    assert scaling.played(FOUND, replace(near, workers=15), "selfplay", 1, 64).limit == "learner"
    assert scaling.played(FOUND, replace(near, workers=15), "selfplay", 1, 64, faster=100).limit == "workers"
    assert scaling.played(FOUND, replace(near, workers=127), "exact", 0, 16).limit == "too few items"
    assert scaling.labelled(FOUND, replace(near, workers=511), 4096).limit == "driver"
    slow = replace(near, workers=31, bandwidth=1e7)
    assert scaling.played(FOUND, slow, "selfplay", 1, 64, faster=100).limit == "network"
    assert scaling.duelled(FOUND, replace(near, workers=15), 10**5).limit == "workers"


def test_core_hours_are_a_sum() -> None:
    # 640 games a second sampled, 64 / 0.6 exact, 50 positions each at 32,000 a second.
    work = scaling.Published("some", sampled=6.4e6, exact=6.4e5, trials=6.4e6, learnt=3.2e7)
    expected = (1e4 + 6e3 + 1e4 + 7.04e6 * 50 / 32_000 + 1e3) / 3600
    assert scaling.core_hours(work, NETWORK) == pytest.approx(expected)


def test_the_command_prints_its_tables(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scaling, "CORES", (2, 4))
    (tmp_path / "scaling-rates-2026-01-01-000000.json").write_text("{}")
    (tmp_path / "scaling-rates-2026-01-02-000000.json").write_text(json.dumps(FOUND))
    (tmp_path / "scaling-runs-2026-01-01-000000.json").write_text(json.dumps(FOUND))
    assert scaling.main(["--results", str(tmp_path), "--price", "2", "--machine", "16"]) == 0
    printed = capsys.readouterr().out
    assert "rates: a processor, today" in printed
    for line in ("games, sampled backups", "asleep, 2 shards of 16 items", "4 cores", "at 2.0 a core-hour"):
        assert line in printed


def test_without_rates_it_is_said_how_to_get_some(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert scaling.main(["--results", str(tmp_path)]) == 2
    assert (
        capsys.readouterr().err == f"scaling.py: no scaling-runs-*.json in {tmp_path}; make one with --measure runs\n"
    )


def test_a_price_of_nothing_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        scaling.main(["--price", "0"])
    assert "are positive" in capsys.readouterr().err
