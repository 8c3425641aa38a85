"""Loss against CPU time: every level of bgai, gnubg-nn and bgsage on the same reference decisions, in one run.

    python benchmarks/curve.py 0001-td
    python benchmarks/curve.py 0001-td --decisions 60
    python benchmarks/curve.py --from benchmarks/results/curve-0001-td-….json

Writes a JSON file and beside it a Markdown table and a chart (SVG); `--from` makes the two again from the first.
Cubeless checker plays, one decision a call, CPU time of one thread, each level in a process of its own. All levels
see the decisions in the same order, the slow ones fewer of them. `batch` is bgai asked for all of them in one call.

The values of the reference decisions are the mean of gnubg's and bgsage's searches two plies deep: these two levels
(marked *) are favoured by construction, and their static nets a little. Levels that lose less than about 0.5
millipoints cannot be told apart. bgsage's cubeful levels choose by equities with a cube, and are judged without.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from chart import Row, chart
from lookahead import LEVELS, PROGRAMS, Level, Measured, measure_levels
from reference import PHASES
from report import RESULTS, write_results

from bgai.catalogue import open_model
from bgai.errors import BgaiError
from bgai.files import write_whole

HEADER = ("level", "decisions", *PHASES, "all", "ms a decision", "decisions a CPU-second")


def main(arguments: list[str] | None = None) -> int:
    """Runs the command; returns its exit code."""
    parser = argparse.ArgumentParser(
        prog="curve.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("model", metavar="MODEL", nargs="?", help="a kept model or the folder of one")
    parser.add_argument("--decisions", type=int, default=sys.maxsize, help="at most so many for each level")
    parser.add_argument("--programs", default=",".join(PROGRAMS), help="comma-separated (default %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the order of the decisions (default 1)")
    parser.add_argument("--from", dest="source", type=Path, help="draw these results again, measure nothing")
    parser.add_argument("--results", type=Path, default=RESULTS, help="folder for the files")
    options = parser.parse_args(arguments)
    if (options.model is None) == (options.source is None):
        parser.error("give either MODEL or --from")
    if options.decisions < 1:
        parser.error("--decisions is at least 1")
    try:
        path = options.source or _measure(options)
        _draw(path)
    except (BgaiError, OSError, ValueError, KeyError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


def _measure(options: argparse.Namespace) -> Path:
    """Measures, and returns the file with the results."""
    model = open_model(options.model)
    levels = [level for level in LEVELS if level.program in options.programs.split(",")]
    found = measure_levels(levels, options.model, options.seed, options.decisions)
    content = {
        "kind": "curve",
        "player": {"name": model.name, "weights_sha256": model.manifest.weights_sha256},
        "plies": "gnubg count",
        "unit": "millipoints and CPU-milliseconds a decision",
        "seed": options.seed,
        "levels": [row_of(level, measured) for level, measured in found.items()],
    }
    return write_results(options.results, f"curve-{model.name}", content)


def _draw(path: Path) -> None:
    """Writes the table and the chart beside a file of results, and prints the table."""
    content = json.loads(path.read_text("utf-8"))
    rows = content["levels"]
    text = table(rows)
    print(f"\n{text}")
    write_whole(path.with_suffix(".md"), text.encode())
    write_whole(path.with_suffix(".svg"), chart(rows, f"bgai {content['player']['name']} and others").encode())
    for suffix in (".json", ".md", ".svg"):
        print(f"written: {os.path.relpath(path.with_suffix(suffix))}")


def row_of(level: Level, measured: Measured) -> Row:
    """What is kept of a level."""
    main = level.filter == "normal" and level.seconds is None and not level.variant
    return {
        "title": level.title,
        "program": level.program,
        "plies": level.plies,
        "favoured": level.favoured,
        "main": main,
        "label": _label(level) if main or level.filter == "normal" else "",
        **asdict(measured),
    }


def _label(level: Level) -> str:
    what = f"{level.plies}-ply" if level.seconds is None else f"{level.seconds:g} s"
    return f"{what} {level.variant}".strip()


def table(rows: Sequence[Row]) -> str:
    """A Markdown table: loss ± standard error by phase, and time; `*` marks the levels that made the reference."""
    lines = [f"| {' | '.join(HEADER)} |", f"|---|{'---:|' * (len(HEADER) - 1)}"]
    for row in rows:
        losses = [_loss(row["losses"].get(phase)) for phase in (*PHASES, "all")]
        time = row["milliseconds"]
        cells = [
            row["title"] + " *" * row["favoured"],
            str(time["count"]),
            *losses,
            f"{time['mean']:.3g}",
            f"{1000 / time['mean']:,.3g}" if time["mean"] > 10 else f"{1000 / time['mean']:,.0f}",
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _loss(mean: dict[str, Any] | None) -> str:
    return "–" if mean is None else f"{mean['mean']:.2f} ± {mean['standard_error']:.2f}"


if __name__ == "__main__":
    sys.exit(main())
