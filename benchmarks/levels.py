"""Measures the levels of `bgai.levels`, and fits the noise of those that err on purpose.

    python benchmarks/levels.py
    python benchmarks/levels.py 0001-td --write

Two judges say what a choice loses, in millipoints a decision of cubeless money play. The first is the network itself,
looking two plies ahead at unforced decisions of games that it plays against itself at 0-ply: every play that is close
at 1-ply is valued at 2-ply, the others at 1-ply. It knows how far a level falls behind the network's own best, so the
noise is fitted to it, each level to a loss of `TARGETS`. The second are the public reference decisions, which say how
strong a level is beside other programs, and are the only ones to ask about levels that look as far as the first judge.

`--write` puts the result into `bgai/data/levels.csv`, from where the levels take their noise, and into the table of
docs/levels.md. It has to be run again for each new default network.
"""

from __future__ import annotations

import argparse
import csv
import io
import re
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from own_decisions import Decisions, Loss, Values, self_play
from reference import MILLI, read_checker
from report import print_table

from bgai.analyst import Analyst
from bgai.catalogue import open_model
from bgai.errors import BgaiError
from bgai.evaluator import KernelEvaluator
from bgai.levels import TABLE, WEAKENED, Level, read_level
from bgai.model import Model
from bgai.position import Position
from bgai.weakened import WeakenedEvaluator

TARGETS = {"beginner": 60.0, "casual": 40.0, "intermediate": 25.0, "advanced": 18.0, "expert": 12.0}
"""Millipoints a decision."""
LEVELS = (*WEAKENED, "0-ply", "1-ply", "2-ply", "3-ply", "rollout")
SLOW = {"3-ply": 2, "rollout": 6}
"""Levels that are asked about a part of the reference decisions only, of which this is the share."""
SEEDS = 8
"""Ways to err that are averaged."""
PAGE = Path(__file__).parents[1] / "docs" / "levels.md"


def weakened_loss(model: Model, decisions: Decisions, noise: float) -> Values:
    """What each decision loses on average over several ways to err."""
    parts = []
    for seed in range(SEEDS):
        weakened = WeakenedEvaluator(KernelEvaluator(model), noise, 1000 + seed)
        parts.append(decisions.loss(Analyst(weakened, model.name, cubeful=False)))
    average: Values = np.mean(parts, axis=0)
    return average


def fitted(model: Model, decisions: Decisions, target: float) -> float:
    """The noise whose loss is nearest to the target, by halving."""
    low, high = 0.0, 1.0
    for _ in range(12):
        middle = (low + high) / 2
        if MILLI * weakened_loss(model, decisions, middle).mean() < target:
            low = middle
        else:
            high = middle
    return round(high, 4)


def reference_loss(analyst: Analyst, count: int, part: int) -> Loss:
    """On the public decisions: every so many of them that there are `count`, and of those every `part`-th."""
    everything = read_checker()
    chosen = everything[:: max(len(everything) // count, 1)][:count][::part]
    losses = []
    for decision in chosen:
        ranked = analyst.rank([Position(decision.board, dice=decision.dice)])
        losses.append(decision.loss(ranked.plays.successors[ranked.order[0]]))
    return Loss.of(np.array(losses))


@dataclass(frozen=True)
class Row:
    """A level, measured."""

    level: str
    noise: float | None
    own: Loss | None
    """By the network itself; None where it cannot judge."""
    reference: Loss


def measure(model: Model, decisions: Decisions, reference: int) -> list[Row]:
    """All levels, weakest first."""
    rows = []
    for name in LEVELS:
        start = time.process_time()
        noise, own = None, None
        level = read_level(name)
        assert level is not None
        if name in TARGETS:
            noise = fitted(model, decisions, TARGETS[name])
            level = Level(name, noise=noise)
            own = Loss.of(weakened_loss(model, decisions, noise))
        elif level.settings.plies < 2 and not level.rolled:
            own = Loss.of(decisions.loss(level.analyst(model, cubeful=False)))
        found = reference_loss(level.analyst(model, cubeful=False), reference, SLOW.get(name, 1))
        rows.append(Row(name, noise, own, found))
        print(f"{name}: {time.process_time() - start:.1f} s", file=sys.stderr, flush=True)
    return rows


def as_csv(rows: list[Row], source: str) -> str:
    """What `bgai.levels` reads."""
    text = io.StringIO()
    text.write(f"# {source}\n")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["level", "noise", "loss", "error", "decisions", "reference", "reference_error", "references"])
    for row in rows:
        own = ["", "", ""] if row.own is None else [f"{row.own.mean:.2f}", f"{row.own.error:.2f}", row.own.count]
        found = row.reference
        noise = "" if row.noise is None else row.noise
        writer.writerow([row.level, noise, *own, f"{found.mean:.2f}", f"{found.error:.2f}", found.count])
    return text.getvalue()


def as_markdown(rows: list[Row], source: str) -> str:
    """The table of docs/levels.md."""
    lines = ["| level | noise | loss by its own 2-ply | loss on reference decisions |", "|---|---|---|---|"]
    for row in rows:
        own = "–" if row.own is None else str(row.own)
        noise = "–" if row.noise is None else f"{row.noise:.3f}"
        lines.append(f"| `{row.level}` | {noise} | {own} | {row.reference} ({row.reference.count}) |")
    return "\n".join([*lines, "", f"`{source}`"])


def main(arguments: list[str] | None = None) -> int:
    """Runs the command; returns its exit code."""
    parser = argparse.ArgumentParser(
        prog="levels.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("model", nargs="?", metavar="MODEL", help="a kept model (default: the latest)")
    parser.add_argument("--decisions", type=int, default=300, help="of self-play (default 300)")
    parser.add_argument("--reference", type=int, default=300, help="public decisions (default 300)")
    parser.add_argument("--seed", type=int, default=1, help="of the games (default 1)")
    parser.add_argument("--write", action="store_true", help="rewrite the data file and the table in docs/levels.md")
    options = parser.parse_args(arguments)
    try:
        model = open_model(options.model)
        decisions = self_play(model, options.decisions, options.seed)
        rows = measure(model, decisions, options.reference)
    except BgaiError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    source = (
        f"python benchmarks/levels.py {model.name} --decisions {options.decisions}"
        f" --reference {options.reference} --seed {options.seed} --write"
    )
    print_table(
        f"{model.name}, cubeless, millipoints a decision ± standard error, {len(decisions.positions)} of self-play",
        ["level", "noise", "by its own 2-ply", "reference", "of"],
        [
            [row.level, str(row.noise or ""), str(row.own or ""), str(row.reference), str(row.reference.count)]
            for row in rows
        ],
    )
    if options.write:
        TABLE.write_text(as_csv(rows, source), "utf-8")
        page = PAGE.read_text("utf-8")
        table = f"<!-- measured -->\n{as_markdown(rows, source)}\n<!-- end -->"
        PAGE.write_text(re.sub(r"<!-- measured -->.*<!-- end -->", lambda _: table, page, flags=re.DOTALL), "utf-8")
        print(f"\nwritten: {TABLE.name} and docs/{PAGE.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
