"""How fast bgai's environments for reinforcement learners are, beside pgx and OpenSpiel.

    python benchmarks/environments.py
    python benchmarks/environments.py --peers OTHER_VENV/bin/python --repeats 9

Random play, whole turns and whole games for each CPU-second (`time.process_time`, all threads of a process together),
all in one run: each program in a process of its own, which are asked in turn, repeat by repeat, while the others wait.
Given are the mean over the repeats with half of its 95 % interval, and the ratio of the means to bgai's first row. A
first round warms up and is dropped; compilation is in it.

What is counted is alike, what is done for it is not:

* bgai finds all plays of the roll, the positions they lead to, the observation and the mask; an action is a play.
* pgx plays one die a step, so a turn takes several; it does not enforce that both dice are played where that is
  possible, which makes its steps lighter. The loop over the steps is compiled too, for the processor.
* OpenSpiel's actions are plays of two dice, doubles take two of them; its states are asked from Python, and no
  observation is made.

What is not installed is left out: `pip install pgx open_spiel`, here or for the interpreter of `--peers`.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
from contextlib import ExitStack
from dataclasses import dataclass, field
from math import sqrt
from pathlib import Path
from typing import Any

from environment_subjects import SUBJECTS
from report import RESULTS, print_table, write_results
from tqdm import tqdm

PROGRAM = Path(__file__).with_name("environment_subjects.py")
FAR = 1_000_000
"""Between the seeds of two repeats."""
STUDENT = {2: 12.71, 3: 4.30, 4: 3.18, 5: 2.78, 6: 2.57, 7: 2.45, 8: 2.36, 9: 2.31, 10: 2.26}
"""97.5 % points of Student's distribution for the mean of so many repeats."""


@dataclass
class Worker:
    """A subject in its process."""

    name: str
    process: subprocess.Popen[str]
    version: str
    measured: list[dict[str, Any]] = field(default_factory=list)

    def measure(self, seed: int, seconds: float) -> None:
        """Asks for so many CPU-seconds of play."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{seed} {seconds}\n")
        self.process.stdin.flush()
        self.measured.append(self.answer())

    def answer(self) -> dict[str, Any]:
        """The next line that it says."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"{self.name} ended with exit code {self.process.wait()}")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def rates(self, what: str) -> list[float]:
        """Of `turns` or `games`, a CPU-second, without the first round."""
        return [each[what] / each["seconds"] for each in self.measured[1:]]


def main(arguments: list[str] | None = None) -> int:
    """Runs the command; returns its exit code."""
    parser = argparse.ArgumentParser(
        prog="environments.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--repeats", type=int, choices=sorted(STUDENT), default=5, help="default 5")
    parser.add_argument("--seconds", type=float, default=1.0, help="CPU-seconds a repeat lasts at least (default 1)")
    parser.add_argument("--seed", type=int, default=1, help="of the games (default 1)")
    parser.add_argument("--peers", metavar="PYTHON", default=sys.executable, help="interpreter with pgx and OpenSpiel")
    parser.add_argument("--results", type=Path, default=RESULTS, help="folder for the JSON file")
    options = parser.parse_args(arguments)
    with ExitStack() as stack:
        workers = []
        for name in SUBJECTS:
            worker = start(name, options.peers if SUBJECTS[name][1] != "bgai" else sys.executable, stack)
            if worker is not None:
                workers.append(worker)
        for repeat in tqdm(range(options.repeats + 1), unit="repeat"):
            for worker in workers:
                worker.measure(options.seed + FAR * repeat, options.seconds)
    rows = [summary(worker, workers[0]) for worker in workers]
    print_table(
        f"random play, a CPU-second, seed {options.seed}, {options.repeats} repeats",
        ["", "turns", "games", "ratio", "games played"],
        [
            [
                row["title"],
                *(shown(*row[what]) for what in ("turns", "games")),
                f"{row['ratio']:.3f}",
                f"{row['played']:,}",
            ]
            for row in rows
        ],
    )
    content = {
        "kind": "environments",
        "unit": "work a CPU-second",
        "repeats": options.repeats,
        "seed": options.seed,
        "versions": {worker.name: worker.version for worker in workers},
        "results": rows,
    }
    print(f"\nwritten: {os.path.relpath(write_results(options.results, 'environments', content))}")
    return 0


def start(name: str, python: str, stack: ExitStack) -> Worker | None:
    """A subject's process, which ends with the stack; None, with a word, if its package is not there."""
    process = stack.enter_context(
        subprocess.Popen([python, str(PROGRAM), name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    )
    worker = Worker(name, process, "")
    greeting = worker.answer()
    if "missing" in greeting:
        print(f"left out: {greeting['missing']}", flush=True)
        return None
    worker.version = greeting["version"]
    return worker


def summary(worker: Worker, yardstick: Worker) -> dict[str, Any]:
    """What is printed and kept of a subject."""
    turns = worker.rates("turns")
    return {
        "title": f"{SUBJECTS[worker.name][0]} ({worker.version})",
        "turns": mean(turns),
        "games": mean(worker.rates("games")),
        "ratio": statistics.mean(turns) / statistics.mean(yardstick.rates("turns")),
        "played": sum(each["games"] for each in worker.measured[1:]),
    }


def mean(values: list[float]) -> tuple[float, float]:
    """The mean, and half of its 95 % interval."""
    return statistics.mean(values), STUDENT[len(values)] * statistics.stdev(values) / sqrt(len(values))


def shown(middle: float, half: float) -> str:
    """A mean with half of its interval."""
    digits = 0 if middle >= 100 else 1
    return f"{middle:,.{digits}f} ± {half:,.{digits}f}"


if __name__ == "__main__":
    sys.exit(main())
