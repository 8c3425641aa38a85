"""The kernels without the compiler, and compiled with every index checked.

Both run the tests marked "small" in a process of their own, with a cache folder of their own. Without the compiler
NumPy checks every index of every kernel. To compile them all with a check of their own takes a minute or two.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def run_small_vectors(cache: Path, **settings: str) -> str:
    """Runs them and returns what was printed."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    finished = subprocess.run(
        [sys.executable, "-m", "tests.small_vectors"],
        cwd=ROOT,
        env=environment | {"BGAI_CACHE": str(cache)} | settings,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert finished.returncode == 0, finished.stdout + finished.stderr
    passed = re.search(r"(\d+) passed", finished.stdout)
    assert passed, finished.stdout
    assert int(passed[1]) >= 30, finished.stdout
    return finished.stdout


def test_small_vectors_without_the_compiler(tmp_path: Path) -> None:
    printed = run_small_vectors(tmp_path, NUMBA_DISABLE_JIT="1")
    assert "compiler off" in printed
    assert "reading out of range fails" in printed


@pytest.mark.check
def test_small_vectors_never_read_out_of_range(tmp_path: Path) -> None:
    printed = run_small_vectors(tmp_path, NUMBA_BOUNDSCHECK="1")
    assert "compiler on" in printed
    assert "reading out of range fails" in printed


@pytest.mark.check
def test_reading_out_of_range_goes_unnoticed_without_the_check(tmp_path: Path) -> None:
    """Else the test before this one would prove nothing about its setting."""
    code = "from tests.small_vectors import reading_out_of_range_fails as fails; print(fails())"
    environment = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    finished = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=environment | {"BGAI_CACHE": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert finished.stdout.strip() == "False"
