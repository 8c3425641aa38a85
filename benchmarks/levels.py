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
import math
import re
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from reference import MILLI, read_checker
from report import print_table

from bgai.analyst import Analyst
from bgai.board import START
from bgai.catalogue import open_model
from bgai.dice import opening_roll, roll
from bgai.errors import BgaiError
from bgai.evaluator import KernelEvaluator
from bgai.levels import TABLE, WEAKENED, Level, read_level
from bgai.model import Model
from bgai.plays import PlaysBatch, legal_plays_batch
from bgai.position import Position
from bgai.weakened import WeakenedEvaluator

Values = NDArray[np.float64]

TARGETS = {"beginner": 60.0, "casual": 40.0, "intermediate": 25.0, "advanced": 18.0, "expert": 12.0}
"""Millipoints a decision."""
LEVELS = (*WEAKENED, "0-ply", "1-ply", "2-ply", "3-ply", "rollout")
SLOW = {"3-ply": 2, "rollout": 6}
"""Levels that are asked about a part of the reference decisions only, of which this is the share."""
CLOSE = 0.12
"""How far behind the best at 1-ply a play may be that is valued at 2-ply."""
SEEDS = 8
"""Ways to err that are averaged."""
PAGE = Path(__file__).parents[1] / "docs" / "levels.md"


@dataclass(frozen=True)
class Loss:
    """Millipoints a decision, with the standard error."""

    count: int
    mean: float
    error: float

    @classmethod
    def of(cls, losses: Values) -> Loss:
        """From the losses of each decision, in points."""
        scaled = MILLI * np.asarray(losses, dtype=np.float64)
        return cls(len(scaled), float(scaled.mean()), float(scaled.std(ddof=1)) / math.sqrt(len(scaled)))

    def __str__(self) -> str:
        return f"{self.mean:.2f} ± {self.error:.2f}"


@dataclass(frozen=True)
class Decisions:
    """N unforced decisions and what each of their M plays loses."""

    positions: list[Position]
    plays: PlaysBatch
    losses: Values
    """float64[M], in points."""

    def loss(self, analyst: Analyst) -> Values:
        """What an analyst's choices lose, float64[N]."""
        ranked = analyst.rank_plays(self.positions, self.plays)
        losses: Values = self.losses[ranked.order[self.plays.offsets[:-1]]]
        return losses


def self_play(model: Model, count: int, seed: int) -> Decisions:
    """Decisions from games at 0-ply, spread over many games."""
    analyst = Analyst.of(model, cubeful=False)
    games = np.arange(max(count // 8, 4))
    boards = np.tile(START, (len(games), 1))
    seen: list[Position] = []
    for turn in range(400):
        dice = roll(seed, games, turn) if turn else np.array([opening_roll(seed, int(game)) for game in games])
        plays = legal_plays_batch(boards, dice)
        positions = [Position(board, dice=(max(pair), min(pair))) for board, pair in zip(boards, dice, strict=True)]
        seen += [one for one, free in zip(positions, np.diff(plays.offsets) > 1, strict=True) if free]
        boards = plays.successors[analyst.rank_plays(positions, plays).order[plays.offsets[:-1]]]
        going_on = (boards < 0).any(axis=1)
        boards, games = boards[going_on], games[going_on]
        if not len(games):
            break
    chosen = np.sort(np.random.default_rng(seed).permutation(len(seen))[:count])
    return judged(model, [seen[number] for number in chosen])


def judged(model: Model, positions: list[Position]) -> Decisions:
    """The plays of positions, judged two plies ahead."""
    plays = legal_plays_batch(
        np.stack([position.board for position in positions]), np.array([position.dice for position in positions])
    )
    owner = np.repeat(np.arange(len(positions)), np.diff(plays.offsets))
    shallow = _equities(model, plays.successors, 1)
    behind = _best(shallow, plays.offsets)[owner] - shallow
    close = behind <= CLOSE
    deep = np.full(len(shallow), -np.inf)
    deep[close] = _equities(model, plays.successors[close], 2)
    losses = np.where(close, _best(deep, plays.offsets)[owner] - deep, behind)
    return Decisions(positions, plays, losses)


def _equities(model: Model, successors: NDArray[np.int8], plies: int) -> Values:
    """The mover's."""
    found = Analyst.of(model, cubeful=False, plies=plies).evaluate_many([Position(board) for board in successors])
    return np.array([-one.equity for one in found])


def _best(equities: Values, offsets: NDArray[np.int64]) -> Values:
    best: Values = np.maximum.reduceat(equities, offsets[:-1])
    return best


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
