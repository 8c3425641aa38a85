"""A whole match analysed by bgai and by GNU Backgammon in one run: their figures side by side, and CPU times.

    python benchmarks/analysis.py 0002-generations
    python benchmarks/analysis.py 0002-generations --match my.mat --plies 3

Both programs run as they do for a user, each in a process of its own and on one thread: `bgai analyse --plies 2`, and
gnubg's `analyse match` with its default settings, which look 2 plies ahead as well (with the move filter that bgai
calls large). CPU times are those of the whole processes, with loading. bgai runs twice, and the second run counts, so
that what is compiled once for a machine does not.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from gnubg_match import GnubgStatistics, Pair, analyse, program, read_statistics, timed
from report import RESULTS, print_table, write_results

from bgai.analysis import Analysis, PlayerStatistics, Statistics
from bgai.catalogue import open_model
from bgai.errors import BgaiError

MATCH = Path(__file__).parents[1] / "tests" / "data" / "analysis" / "match.mat"


def figures_of(found: Statistics) -> dict[str, Pair]:
    """bgai's, by the names of the rows."""

    def pair(first: float | None, second: float | None) -> Pair:
        return first or 0.0, second or 0.0

    def marks(one: PlayerStatistics, mark: Any) -> float:
        return float(one.checker_marks[mark])

    one, two = found.players
    unit = 100 if found.match else 1
    return {
        "error rate": pair(one.error_rate, two.error_rate),
        "Snowie error rate": pair(one.snowie_error_rate, two.snowie_error_rate),
        "plays: error rate": pair(one.checker.error_rate, two.checker.error_rate),
        "plays: unforced": pair(one.checker.decisions, two.checker.decisions),
        **{f"plays: {mark}": pair(marks(one, mark), marks(two, mark)) for mark in ("doubtful", "bad", "very bad")},
        "cube: close or actual": pair(one.cube.decisions, two.cube.decisions),
        "cube: loss": pair(one.cube.loss, two.cube.loss),
        "luck": pair(one.luck, two.luck),
        "result without luck": pair(unit * (one.adjusted or 0), unit * (two.adjusted or 0)),
    }


def gnubg_figures(found: GnubgStatistics) -> dict[str, Pair]:
    """gnubg's, by the same names. It writes what is lost with a minus."""
    lost = {
        "error rate": ("Overall", "Error rate"),
        "Snowie error rate": ("Overall", "Snowie error rate"),
        "plays: error rate": ("Chequerplay", "Error rate"),
        "cube: loss": ("Cube", "Error total"),
    }
    other = {
        "plays: unforced": ("Chequerplay", "Unforced moves"),
        **{f"plays: {mark}": ("Chequerplay", f"Moves marked {mark}") for mark in ("doubtful", "bad", "very bad")},
        "cube: close or actual": ("Cube", "Close or actual"),
        "luck": ("Luck", "Luck total"),
        "result without luck": ("Overall", "Luck adjusted result"),
    }
    return {
        **{name: tuple(abs(figure) for figure in found(*where)) for name, where in lost.items()},
        **{name: found(*where) for name, where in other.items()},
    }


def main(arguments: list[str] | None = None) -> int:
    """Runs the command; returns its exit code."""
    parser = argparse.ArgumentParser(
        prog="analysis.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("model", metavar="MODEL", help="a kept model or the folder of one")
    parser.add_argument("--match", type=Path, default=MATCH, help="a .mat file (default: the tests' match to 7 points)")
    parser.add_argument("--plies", type=int, default=2, help="of bgai (default 2)")
    parser.add_argument("--filter", default="normal", help="of bgai (default normal)")
    parser.add_argument("--results", type=Path, default=RESULTS, help="folder for the file")
    options = parser.parse_args(arguments)
    try:
        content = measure(options)
    except (BgaiError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except subprocess.CalledProcessError as error:
        print(f"error: {error.cmd[0]} failed: {error.stderr.strip()}", file=sys.stderr)
        return 2
    print_table(
        f"{content['match']}: bgai {content['player']['name']}, {content['plies']}-ply, beside gnubg",
        HEADER,
        rows(content),
    )
    path = write_results(options.results, f"analysis-{content['player']['name']}", content)
    print(f"\nwritten: {path}")
    return 0


HEADER = ("", "bgai", "gnubg", "bgai", "gnubg")


def rows(content: dict[str, Any]) -> list[tuple[str, ...]]:
    """The table: the first player's figures, then the second's."""
    bgai, gnubg = content["bgai"]["figures"], content["gnubg"]["figures"]
    found = [
        (name, *(f"{pair[seat]:.2f}".removesuffix(".00") for seat in range(2) for pair in (bgai[name], gnubg[name])))
        for name in bgai
    ]
    seconds = [f"{content[name]['cpu_seconds']:.1f}" for name in ("bgai", "gnubg")]
    return [*found, ("CPU-seconds", *seconds, "", "")]


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Runs both programs."""
    model = open_model(options.model)
    gnubg = program()
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "analysis.json"
        command = [sys.executable, "-m", "bgai", "analyse", str(options.match), "--again", "--threads", "1"]
        command += ["--model", options.model, "--plies", str(options.plies), "--filter", options.filter]
        for _ in range(2):
            _, seconds = timed([*command, "--json", str(out)])
        found = Analysis.from_dict(json.loads(out.read_text("utf-8")))
    printed, gnubg_seconds = analyse(options.match, gnubg)
    return {
        "kind": "analysis",
        "player": {"name": model.name, "weights_sha256": model.manifest.weights_sha256},
        "match": options.match.name,
        "plies": options.plies,
        "filter": options.filter,
        "bgai": {"figures": figures_of(found.statistics()), "cpu_seconds": seconds},
        "gnubg": {"figures": gnubg_figures(read_statistics(printed)), "cpu_seconds": gnubg_seconds},
    }


if __name__ == "__main__":
    sys.exit(main())
