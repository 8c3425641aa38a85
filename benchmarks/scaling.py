"""What limits bgai on 2, 16, 128 and 1,024 cores, by a simulation with measured rates; the tables of docs/scaling.md.

    python benchmarks/scaling.py
    python benchmarks/scaling.py --bandwidth 10 --machine 192
    python benchmarks/scaling.py --price 0.03
    python benchmarks/scaling.py --measure rates
    python benchmarks/scaling.py --measure runs

Rates come from the last benchmarks/results/scaling-rates-*.json, which --measure makes anew: what one core does, and
how large what goes over the network is. scaling-runs-*.json has runs on a Ray cluster of this machine, with which the
simulation is compared, and the driver's costs. Each takes a minute or two of one core, and needs PyTorch and, for the
runs, Ray (pip install 'bgai[ray,train]').
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
from report import RESULTS, print_table, write_results
from scaling_model import Cluster, Simulation, Usage, Work, label, learning_seconds, play_and_learn, taken
from scaling_runs import Sleep, driver_seconds, duration, latency, local_cluster, slept_label, slept_learn

from bgai.catalogue import open_model
from bgai.cluster import check_installed
from bgai.errors import BgaiError, ConfigError

CORES = (2, 16, 128, 1024)
RATES, RUNS = "scaling-rates", "scaling-runs"
FULL = 0.9
"""Whoever is busy for so much of the time is the limit."""
BATCH = 1024
"""Positions in a step."""
WARM, UPDATES = 2, 8
"""Updates of a simulated run before it is looked at, and while it is."""
FASTER = 30
"""A learner on a GPU, perhaps."""
WORKERS = 8
"""Of the runs in which items sleep."""
SLEEP = Sleep(0.5, 0.3, 60_000, np.zeros(1_600_000, dtype=np.uint8))
SHARDS, SHARD = 2, 48
LEARN = ((16, 0, 1.2), (16, 1, 1.2), (16, 1, 0.4), (4, 0, 0.1), (4, 2, 0.1))
"""Items of an update, updates ahead, seconds in which the learner sleeps."""
SLEPT = 4
"""Updates of those."""
PROCESSES, GIGABITS = (1, 4, 16, 64), (1, 10, 100)
"""Of several learners, and between two of them."""
TRAINED, GAMES = 3, 512
"""Updates, and games of each, of the runs in which a network really learns."""


@dataclass(frozen=True)
class Published:
    """A network, or what is known of the work behind it."""

    name: str
    sampled: float = 0.0
    """Games with sampled backups, each of whose positions is learnt from once."""
    exact: float = 0.0
    """Games with exact backups, the same."""
    trials: float = 0.0
    """Games of rollouts without variance reduction."""
    learnt: float = 0.0
    """Positions learnt from beside those."""


PUBLISHED = (
    Published("PureTD, one-point matches", sampled=49e6, exact=2.5e6),
    Published("PureTD, money without the cube", sampled=25.5e6, exact=1.5e6),
    Published("PureTD, money with the cube", sampled=90e6, exact=35e6),
    Published("wildbg, a generation for contact", trials=200_000 * 1296, learnt=200_000 * 80),
    Published("gnubg's training set, rolled out anew", trials=1_162_062 * 1296, learnt=1_162_062 * 100),
    Published("Open Sage's fits to gnubg's set", sampled=1.2e6, learnt=4 * 910_200 * 1000 + 251_862 * 1200),
)
"""docs/scaling.md says where the numbers come from."""


def main(arguments: list[str] | None = None) -> int:
    """Runs the command; returns its exit code."""
    parser = argparse.ArgumentParser(
        prog="scaling.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--measure", choices=("rates", "runs"), help="measure first, into a file of benchmarks/results")
    parser.add_argument("--bandwidth", type=float, default=10.0, metavar="GBIT", help="of a machine (default 10)")
    parser.add_argument("--latency", type=float, default=1.0, metavar="MS", help="milliseconds (default 1)")
    parser.add_argument("--machine", type=int, default=64, metavar="N", help="cores of a machine (default 64)")
    parser.add_argument("--price", type=float, default=0.085, metavar="P", help="of a core-hour (default 0.085)")
    parser.add_argument("--results", type=Path, default=RESULTS, help="folder of the JSON files")
    options = parser.parse_args(arguments)
    if min(options.bandwidth, options.machine, options.price) <= 0 or options.latency < 0:
        parser.error("--bandwidth, --machine and --price are positive, --latency is not negative")
    try:
        if options.measure == "rates":
            measured_rates(options.results)
        elif options.measure == "runs":
            measured_runs(options.results)
        found = {**read(options.results, RUNS), **read(options.results, RATES)}
    except (BgaiError, OSError, ValueError) as error:
        print(f"scaling.py: {error}", file=sys.stderr)
        return 2
    print(f"rates: {found['environment']['processor']}, {found['environment']['date']}")
    core(found)
    compared(found)
    near = Cluster(1, options.machine, options.bandwidth * 1e9 / 8, options.latency / 1000)
    tables(found, near)
    learners(found)
    costs(found, options.price)
    return 0


def read(folder: Path, kind: str) -> dict[str, Any]:
    """The last file of a kind.

    Raises:
        ConfigError: there is none.
    """
    files = sorted(folder.glob(f"{kind}-*.json"))
    if not files:
        raise ConfigError(f"no {kind}-*.json in {folder}; make one with --measure {kind.removeprefix('scaling-')}")
    found: dict[str, Any] = json.loads(files[-1].read_text("utf-8"))
    return found


# -------------------------------------------------------------------- rates


def core(found: dict[str, Any]) -> None:
    """Prints what one core does, and sizes."""
    networks = list(found["networks"].values())
    rows = []
    for title, name, what in (
        ("games, sampled backups", "selfplay", "games"),
        ("games, exact backups", "exact", "games"),
        ("positions labelled", "labels", "positions"),
        ("games of a duel", "duels", "games"),
    ):
        rates = [network["rates"][name] for network in networks]
        cells = [f"{rate[what] / rate['item_seconds']:,.0f}" for rate in rates]
        first = rates[0]
        sizes = [f"{first['result_bytes'] / 1000:,.0f} kB", f"{first['shared_bytes'] / 1e6:.1f} MB"]
        rows.append([title, *cells, f"{first['item_seconds']:.2f} s ± {first['spread']:.0%}", *sizes])
    learnt = [f"{network['learnt_a_second']:,.0f}" for network in networks]
    rows.append(["positions learnt", *learnt, "", "", ""])
    names = ["-".join(map(str, network["layers"])) for network in networks]
    print_table("a CPU-second of one core", ["", *names, "an item", "its result", "shared"], rows)
    driver = ", ".join(f"{name.partition('_')[0]} {1000 * value:.2f}" for name, value in found["driver"].items())
    print(f"\ndriver's CPU-milliseconds: {driver}, write {1000 * found['writing_seconds']:.2f}")


# -------------------------------------------------------------------- predictions


@dataclass(frozen=True)
class Found:
    """What was predicted."""

    a_second: float
    """Games, positions labelled, or games of a duel."""
    usage: Usage
    limit: str

    def __str__(self) -> str:
        workers, learner = round(100 * self.usage.workers), round(100 * self.usage.learner)
        learns = f", learner {learner} %" if learner else ""
        return f"{self.a_second:,.0f}; workers {workers} %{learns}; {self.limit}"


def work_of(rate: dict[str, Any], driver: dict[str, float]) -> Work:
    """A way of work with measured rates."""
    names = ("item_seconds", "spread", "result_bytes", "shared_bytes", "open_seconds")
    return Work(**{name: rate[name] for name in names}, **driver)


def played(found: dict[str, Any], cluster: Cluster, backup: str, ahead: int, items: int, faster: float = 1.0) -> Found:
    """Games while learning; `faster` than one core is the learner."""
    network = found["networks"]["shipped"]
    rate = network["rates"][backup]
    seconds = learning_seconds(items * rate["positions"], faster * network["learnt_a_second"], batch=BATCH)
    simulation = Simulation(cluster, work_of(rate, found["driver"]))
    usages = []

    def learning(update: int) -> float:
        if update == WARM:
            simulation.forget()
        elif update == WARM + UPDATES:
            usages.append(simulation.usage())
        return seconds

    simulation.run(play_and_learn(simulation, WARM + UPDATES + ahead + 1, items, ahead, learning))
    usage = usages[0]
    return Found(UPDATES * items * rate["games"] / usage.seconds, usage, limit(usage, items * (ahead + 1), cluster))


def labelled(found: dict[str, Any], cluster: Cluster, items: int) -> Found:
    """Labels in shards of so many items."""
    rate, shards = found["networks"]["shipped"]["rates"]["labels"], max(3, 1024 // items)
    simulation = Simulation(cluster, work_of(rate, found["driver"]))
    simulation.run(label(simulation, shards, items, items * found["writing_seconds"]))
    usage = simulation.usage()
    return Found(shards * items * rate["positions"] / usage.seconds, usage, limit(usage, items, cluster))


def duelled(found: dict[str, Any], cluster: Cluster, games: int) -> Found:
    """A duel of so many games."""
    rate = found["networks"]["shipped"]["rates"]["duels"]
    items = -(-games // rate["games"])
    simulation = Simulation(cluster, work_of(rate, found["driver"]))
    simulation.run(taken(simulation, items, 0))
    usage = simulation.usage()
    return Found(games / usage.seconds, usage, limit(usage, items, cluster))


def limit(usage: Usage, most: int, cluster: Cluster) -> str:
    """What would have to be faster. `most`: items that there can be at once."""
    shares = {
        "workers": usage.workers,
        "learner": usage.learner,
        "driver": usage.driver,
        "network": max(usage.out, usage.into),
    }
    name = max(shares, key=lambda each: shares[each])
    if shares[name] >= FULL:
        return name
    if usage.learner + usage.driver >= FULL:
        return "learner and driver"
    return "too few items" if most < 2 * cluster.workers else "pauses"


def tables(found: dict[str, Any], near: Cluster) -> None:
    """Prints what is predicted: games or positions a second, who is busy, the limit."""

    def many(cluster: Cluster) -> int:
        """Items of an update for which no worker has to wait."""
        return max(16, 2 * cluster.workers)

    ways: list[tuple[str, Callable[[Cluster], Found]]] = []
    for title, backup in (("sampled", "selfplay"), ("exact", "exact")):
        ways += [
            (f"{title} backups, ahead 0, 1,024 games", lambda each, way=backup: played(found, each, way, 0, 16)),
            ("- ahead 1, 128 games a worker", lambda each, way=backup: played(found, each, way, 1, many(each))),
            (
                f"- and a learner {FASTER} times as fast",
                lambda each, way=backup: played(found, each, way, 1, many(each), FASTER),
            ),
        ]
    ways += [
        ("labels, 1,024 games a shard", lambda each: labelled(found, each, 64)),
        ("- 256 games a worker", lambda each: labelled(found, each, max(64, 16 * each.workers))),
        ("duels, 20,000 games", lambda each: duelled(found, each, 20_000)),
        ("- 1,000,000 games", lambda each: duelled(found, each, 1_000_000)),
    ]
    rows = [[way, *(str(asks(replace(near, workers=cores - 1))) for cores in CORES)] for way, asks in ways]
    print_table("predicted, for each second", ["", *(f"{cores:,} cores" for cores in CORES)], rows)


def learners(found: dict[str, Any]) -> None:
    """Prints positions a second of several processes that learn as one."""
    network = found["networks"]["shipped"]
    rows = []
    for processes in PROCESSES:
        seconds = [
            learning_seconds(
                1.0,
                network["learnt_a_second"],
                batch=BATCH,
                processes=processes,
                weights_bytes=4 * network["weights"],
                bandwidth=gigabits * 1e9 / 8,
            )
            for gigabits in GIGABITS
        ]
        rows.append([str(processes), *(f"{1 / each:,.0f}" for each in seconds)])
    header = ["processes", *(f"{gigabits} Gbit/s" for gigabits in GIGABITS)]
    print_table(f"positions learnt a second, steps of {BATCH:,}", header, rows)


# -------------------------------------------------------------------- measurements


def measured_rates(folder: Path) -> Path:
    """Measures what one core does; the file."""
    # Only this and the real runs need PyTorch.
    from scaling_rates import measure, writing_seconds

    kept, begin = open_model(None), time.process_time()
    found = measure(kept, say) | {"writing_seconds": writing_seconds(kept)}
    return written(folder, RATES, found, time.process_time() - begin)


def measured_runs(folder: Path) -> Path:
    """Runs on a cluster of this machine; the file.

    Raises:
        ConfigError: no Ray.
    """
    check_installed()
    from scaling_rates import trained

    kept, begin = open_model(None), time.process_time()
    found: dict[str, Any] = {}
    runs: list[dict[str, Any]] = []
    say(f"{WORKERS} workers that sleep")
    with local_cluster(WORKERS) as workers:
        found["driver"] = driver_seconds(workers)
        found["latency_seconds"] = latency(workers)
        seconds = slept_label(workers, SLEEP, SHARDS, SHARD)
        runs.append({"kind": "label", "shards": SHARDS, "items": SHARD, "seconds": seconds})
        for items, ahead, learning in LEARN:
            run = {"kind": "learn", "updates": SLEPT, "items": items, "ahead": ahead, "learning": learning}
            seconds, waited = slept_learn(workers, SLEEP, SLEPT, items, ahead, learning)
            runs.append({**run, "seconds": seconds, "waited_seconds": waited})
    say("a worker that plays and a network that learns")
    with local_cluster(1) as workers:
        for ahead in (0, 1):
            run = {"kind": "trained", "updates": TRAINED, "games": GAMES, "ahead": ahead}
            runs.append({**run, **trained(workers, kept, TRAINED, GAMES, ahead)})
    return written(folder, RUNS, {**found, "runs": runs}, time.process_time() - begin)


def written(folder: Path, kind: str, found: dict[str, Any], seconds: float) -> Path:
    """The file with what was found, and how busy the machine was."""
    return write_results(folder, kind, {"kind": kind, **found, "load": os.getloadavg(), "cpu_seconds": seconds})


def say(line: str) -> None:
    """Tells what is being measured."""
    print(f"measuring: {line}", file=sys.stderr, flush=True)


def compared(found: dict[str, Any]) -> None:
    """Prints what was measured on this machine's own cluster beside what is predicted for it."""
    rows = []
    for run in found["runs"]:
        simulation, title = again(found, run)
        waited = run.get("waited_seconds")
        row = [title, f"{simulation.now:.2f}", f"{run['seconds']:.2f}", f"{run['seconds'] / simulation.now - 1:+.0%}"]
        row += ["", ""] if waited is None else [f"{simulation.waited:.2f}", f"{waited:.2f}"]
        rows.append(row)
    header = ["", "seconds predicted", "measured", "difference", "waited, predicted", "measured"]
    print_table("a Ray cluster on this machine", header, rows)


def again(found: dict[str, Any], run: dict[str, Any]) -> tuple[Simulation, str]:
    """The simulation of a run, over, and a title."""
    driver = found["driver"]
    near = Cluster(WORKERS, bandwidth=1e10, latency=found["latency_seconds"])
    if run["kind"] == "trained":
        # How much slower the clock is than the processor's, known from the learner alone.
        slower = run["learning_seconds"] / run["learning_cpu_seconds"]
        rate = found["networks"]["shipped"]["rates"]["selfplay"]
        items = -(-run["games"] // rate["games"])
        item = run["workers_cpu_seconds"] / run["updates"] / items
        work = replace(work_of(rate, driver), item_seconds=slower * item, open_seconds=0.0)
        simulation = Simulation(replace(near, workers=1), work)
        learning = run["learning_seconds"] / run["updates"]
        simulation.run(play_and_learn(simulation, run["updates"], items, run["ahead"], lambda update: learning))
        return simulation, f"learning, {run['games']} games an update, ahead {run['ahead']}, 1 worker"
    work = Work(SLEEP.seconds, SLEEP.spread, SLEEP.result_bytes, SLEEP.shared.nbytes, **driver)
    simulation = Simulation(near, work, durations=map(partial(duration, SLEEP), count()))
    if run["kind"] == "label":
        simulation.run(label(simulation, run["shards"], run["items"], 0.0))
        return simulation, f"asleep, {run['shards']} shards of {run['items']} items, {WORKERS} workers"
    learning = run["learning"]
    simulation.run(play_and_learn(simulation, run["updates"], run["items"], run["ahead"], lambda update: learning))
    return simulation, f"asleep, {run['items']} items an update, ahead {run['ahead']}, learning {learning} s"


# -------------------------------------------------------------------- costs


def core_hours(work: Published, network: dict[str, Any]) -> float:
    """With the rates of a network."""
    rates = network["rates"]
    game, exact = (rates[name]["item_seconds"] / rates[name]["games"] for name in ("selfplay", "exact"))
    positions = (work.sampled + work.exact) * rates["selfplay"]["positions"] / rates["selfplay"]["games"] + work.learnt
    seconds = (work.sampled + work.trials) * game + work.exact * exact + positions / network["learnt_a_second"]
    return float(seconds / 3600)


def costs(found: dict[str, Any], price: float) -> None:
    """Prints core-hours and money."""
    header = ["", *("-".join(map(str, network["layers"])) for network in found["networks"].values()), "money"]
    rows = []
    for work in PUBLISHED:
        hours = [core_hours(work, network) for network in found["networks"].values()]
        rows.append([work.name, *(f"{each:,.0f}" for each in hours), f"{hours[-1] * price:,.0f}"])
    print_table(f"core-hours, and money for the last network at {price} a core-hour", header, rows)


if __name__ == "__main__":
    sys.exit(main())
