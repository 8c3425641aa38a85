"""A whole match beside GNU Backgammon's own analysis of it, which `tests.data.record_analysis` has recorded.

Both look 2 plies ahead, with networks of their own: so sums have to be near, and counts of what is legal equal.
"""

from __future__ import annotations

import sys
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

from bgai.analysis import Analysis
from bgai.errors import InputError
from tests.analysed import FOLDER, committed_match, level_analyst

sys.path.append(str(Path(__file__).parents[1] / "benchmarks"))
benchmark, gnubg_match = import_module("analysis"), import_module("gnubg_match")
GNUBG = gnubg_match.read_statistics((FOLDER / "gnubg.txt").read_text("utf-8"))


@cache
def analysis() -> Analysis:
    return level_analyst("2-ply").analyse(committed_match(), threads=2)


@pytest.mark.parametrize("seat", [0, 1])
def test_figures_are_near_those_of_gnubg(seat: int) -> None:
    found = analysis().statistics()[seat]

    def gnubg(section: str, label: str) -> float:
        return float(abs(GNUBG(section, label)[seat]))

    assert found.moves == gnubg("Chequerplay", "Total moves")
    assert found.checker.decisions == gnubg("Chequerplay", "Unforced moves")
    assert (found.doubles, found.takes, found.passes) == tuple(
        gnubg("Cube", label) for label in ("Doubles", "Takes", "Passes")
    )
    assert found.cube.decisions == pytest.approx(gnubg("Cube", "Close or actual"), abs=2)
    assert found.error_rate == pytest.approx(gnubg("Overall", "Error rate"), rel=0.12)
    assert found.snowie_error_rate == pytest.approx(gnubg("Overall", "Snowie error rate"), rel=0.12)
    assert found.checker.loss == pytest.approx(gnubg("Chequerplay", "Error total"), rel=0.12)
    assert found.cube.loss == pytest.approx(gnubg("Cube", "Error total"), abs=0.12)
    for mark, count in found.checker_marks.items():
        # Doubtful plays lose about as much as the opinions of two networks differ.
        near = 8 if mark == "doubtful" else 3
        assert count == pytest.approx(gnubg("Chequerplay", f"Moves marked {mark}"), abs=near), mark
    assert found.luck == pytest.approx(GNUBG("Luck", "Luck total")[seat], abs=0.8)
    assert found.luck_marks["very unlucky"] == pytest.approx(gnubg("Luck", "Rolls marked very unlucky"), abs=1)
    assert found.rating == "awful!"


def test_decisions_with_the_cube_are_those_that_gnubg_has() -> None:
    cube = [one for one in analysis().decisions if one.kind in ("double", "answer")]
    counts = tuple(sum(one.seat == seat for one in cube) for seat in (0, 1))
    assert counts == GNUBG("Cube", "Total cube decisions")
    # gnubg has two more wrong doubles, of seat 0, which together cost 0.064.
    assert [(one.seat, one.fault) for one in cube if one.fault and one.loss > 0.1] == [
        (1, "wrong pass"),
        (1, "wrong double"),
    ]
    small = [one for one in cube if one.fault and one.loss <= 0.1]
    assert {(one.seat, one.fault) for one in small} == {(0, "wrong double")}
    assert sum(one.loss for one in small) == pytest.approx(0.064, abs=0.04)


def test_results_without_luck() -> None:
    found = analysis().statistics()
    assert found.match
    assert found[0].result == pytest.approx(GNUBG("Overall", "Actual result")[0] / 100)
    assert found[0].adjusted == pytest.approx(GNUBG("Overall", "Luck adjusted result")[0] / 100, abs=0.25)
    assert found[1].adjusted == pytest.approx(-(found[0].adjusted or 0))
    games = [analysis().statistics(number)[0].result for number in range(5)]
    assert sum(result or 0 for result in games) == pytest.approx(found[0].result)


def test_the_table_of_the_benchmark() -> None:
    statistics = analysis().statistics()
    sides = {"bgai": benchmark.figures_of(statistics), "gnubg": benchmark.gnubg_figures(GNUBG)}
    assert sides["gnubg"]["error rate"] == (54.0, 77.5)
    assert sides["gnubg"]["plays: very bad"] == (19, 31)
    assert sides["gnubg"]["result without luck"] == (54.77, -54.77)
    rows = benchmark.rows({name: {"figures": figures, "cpu_seconds": 1.5} for name, figures in sides.items()})
    assert rows[0] == (
        "error rate",
        f"{statistics[0].error_rate:.2f}",
        "54",
        f"{statistics[1].error_rate:.2f}",
        "77.50",
    )
    assert rows[-1] == ("CPU-seconds", "1.5", "1.5", "", "")
    assert {len(row) for row in rows} == {5}


def test_a_program_that_says_nothing() -> None:
    with pytest.raises(InputError, match="expected gnubg's statistics of a match"):
        gnubg_match.read_statistics("No match in progress.")
