"""Ctrl-C while the command is loading."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def loading(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Somebody presses Ctrl-C as soon as Numba is imported."""
    (folder / "numba.py").write_text("raise KeyboardInterrupt\n")
    environment = {**os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{ROOT}"}
    return subprocess.run(
        [sys.executable, *words], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300
    )


def test_the_command_says_it_in_one_line(tmp_path: Path) -> None:
    found = loading(tmp_path, "-m", "bgai", "move", "4HPwATDgc/ABMA", "31")
    assert (found.returncode, found.stdout, found.stderr) == (130, "", "\nbgai: interrupted\n")


def test_so_does_the_script(tmp_path: Path) -> None:
    script = tmp_path / "bgai"
    script.write_text("from bgai.cli.main import main\nraise SystemExit(main())\n")
    found = loading(tmp_path, str(script), "models")
    assert (found.returncode, found.stderr) == (130, "\nbgai: interrupted\n")


def test_other_programs_keep_their_ways(tmp_path: Path) -> None:
    found = loading(tmp_path, "-c", "import bgai")
    assert found.returncode != 130
    assert found.stderr.rstrip().endswith("KeyboardInterrupt")
