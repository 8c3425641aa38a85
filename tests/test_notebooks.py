"""The notebooks run from top to bottom, on a tiny setting, and show what they promise."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

FOLDER = Path(__file__).parents[1] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))

ROW = r"^\| (\d)-(\d) \| (\S+ ?\S*) \| ([+-]\d\.\d{3}) \| (\S+ ?\S*) \| ([+-]\d\.\d{3}) \| (\d+) \|$"
"""A roll, our play and its equity, the shipped network's, and the loss."""


def execute(name: str) -> list[Any]:
    """Runs a notebook in a kernel of its own; returns everything it put out."""
    notebook = nbformat.read(FOLDER / name, as_version=4)
    NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    return [output for cell in notebook.cells for output in cell.get("outputs", [])]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_a_notebook_is_valid_and_kept_without_its_output(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            assert cell.outputs == []
            assert cell.execution_count is None
    assert notebook.cells[0].cell_type == "markdown"
    assert notebook.cells[0].source.startswith("# ")


def test_learning_draws_its_curves_and_asks_about_fifteen_rolls(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BGAI_NOTEBOOK_GAMES", "600")
    shown = execute("learning.ipynb")
    printed = "".join(output.text for output in shown if output.output_type == "stream" and output.name == "stdout")
    assert "600 games in" in printed
    assert "points a game against random" in printed
    # Two figures, not empty ones.
    figures = [output.data["image/png"] for output in shown if "image/png" in output.get("data", {})]
    assert len(figures) == 2
    assert all(len(figure) > 10_000 for figure in figures)
    # A table with one row for each opening roll: two plays, two equities and a loss.
    (table,) = [output.data["text/markdown"] for output in shown if "text/markdown" in output.get("data", {})]
    rows = re.findall(ROW, table, re.MULTILINE)
    assert len({(high, low) for high, low, *_ in rows}) == len(rows) == 15
    assert all(high > low for high, low, *_ in rows)
    assert all(-1 < float(theirs) < 1 for *_, theirs, _ in rows)
    # The shipped network knows the best of them.
    assert {row[4] for row in rows if row[:2] == ("3", "1")} == {"8/5 6/5"}


def printed(shown: list[Any]) -> str:
    """What cells have printed."""
    return "".join(output.text for output in shown if output.output_type == "stream" and output.name == "stdout")


def pictures(shown: list[Any], kind: str) -> list[str]:
    return [output.data[kind] for output in shown if kind in output.get("data", {})]


def test_an_analysis_is_read_from_its_summary_to_its_errors() -> None:
    shown = execute("analysis.ipynb")
    text = printed(shown)
    (table,) = pictures(shown, "text/markdown")
    (ratings,) = re.findall(r"^\| PR \| ([\d.]+) \| ([\d.]+) \|$", table, re.MULTILINE)
    # One plays worse than the other on purpose.
    assert 0 < float(ratings[0]) < float(ratings[1])
    results = re.findall(r"^\| result \| (\S+) % \| (\S+) % \|$", table, re.MULTILINE)
    assert sorted(map(float, results[0])) == [-50, 50]
    assert len(pictures(shown, "image/png")) == 1
    errors = re.findall(r"^Game \d: .* played .+, best was .+, loss ([\d.]+) \(very bad\)$", text, re.MULTILINE)
    assert len(errors) == len(pictures(shown, "image/svg+xml")) == 3
    assert errors == sorted(errors, reverse=True)
    assert "leads the race by" in text


def test_an_opening_reply_is_looked_at_ever_more_deeply(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BGAI_NOTEBOOK_TRIALS", "72")
    shown = execute("openings.ipynb")
    text = printed(shown)
    (table,) = pictures(shown, "text/markdown")
    rows = re.findall(r"^\| (\d) \| (.+) [+-][\d.]+ \| (.+) [+-][\d.]+ \| (.+) [+-][\d.]+ \|$", table, re.MULTILINE)
    assert [row[0] for row in rows] == ["1", "2", "3", "4", "5"]
    # The blot on the five point is hit, as everybody plays it.
    assert all("6/5*" in play for play in rows[0][1:])
    assert len(re.findall(r"^\S+ \S* *[+-]0\.\d{4} ± 0\.\d{4}", text, re.MULTILINE)) == 3
    assert "It hits on the 5 point." in text
    assert [len(pictures(shown, kind)) for kind in ("image/svg+xml", "image/png")] == [1, 1]
