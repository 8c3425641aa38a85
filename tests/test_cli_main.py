"""What all commands have in common: errors, exit codes, and what is loaded."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import bgai.cli.main
from bgai.errors import TrainingError
from tests.cli import START_ID, Command

ROOT = Path(__file__).parents[1]


COMPILING = """
import sys
import numpy as np
import bgai.cli.models
from bgai.cli.main import main
from bgai.kernels.random import mix

def run(options):
    mix(np.uint64(1))
    return 0

bgai.cli.models.run = run
sys.exit(main(["models"]))
"""
"""A command that needs one small kernel."""


def test_help_names_every_command(bgai_command: Command) -> None:
    text = bgai_command.good("--help")
    for name, summary in bgai.cli.main.COMMANDS.items():
        assert re.search(rf"^ +{name}\s", text, re.MULTILINE)
        assert summary in " ".join(text.split())
        assert f"usage: bgai {name}" in bgai_command.good(name, "--help")


def test_version(bgai_command: Command) -> None:
    assert bgai_command.good("--version") == f"bgai {bgai.__version__}\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "bgai: the following arguments are required: COMMAND (see bgai --help)"),
        (["move", START_ID, "31", "--tap", "3"], "unknown options or too many words: --tap 3 (see bgai move --help)"),
        (["move", START_ID, "31", "--to", "3"], "unknown options or too many words: --to 3 (see bgai move --help)"),
        (["perft", START_ID, "31"], "bgai perft: unknown options or too many words: 31 (see bgai perft --help)"),
        (
            ["play", "--seed", "-1"],
            "bgai play: argument --seed: expected a whole number from 0 to 18446744073709551615",
        ),
    ],
)
def test_wrong_options_are_one_line(bgai_command: Command, words: list[str], said: str) -> None:
    assert said in bgai_command.bad(*words)


def test_unknown_command(bgai_command: Command) -> None:
    said = bgai_command.bad("mvoe")
    assert said.startswith("bgai: argument COMMAND: invalid choice: 'mvoe'")


def failing(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    def run(options: object) -> int:
        raise error

    monkeypatch.setattr("bgai.cli.models.run", run)


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (TrainingError("the loss is no number"), 1, "bgai models: the loss is no number\n"),
        (
            PermissionError(13, "Permission denied", "secret.txt"),
            2,
            "bgai models: cannot read or write 'secret.txt': Permission denied\n",
        ),
        (KeyboardInterrupt(), 130, "\n"),
    ],
)
def test_exit_codes(
    bgai_command: Command, monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int, said: str
) -> None:
    failing(monkeypatch, error)
    outcome = bgai_command("models")
    assert (outcome.code, outcome.out, outcome.err) == (code, "", said)


def test_compiling_is_announced_once_and_only_when_it_happens(tmp_path: Path) -> None:
    first, second = (
        subprocess.run(
            [sys.executable, "-c", COMPILING],
            cwd=ROOT,
            env=os.environ | {"BGAI_CACHE": str(tmp_path)},
            capture_output=True,
            text=True,
            timeout=300,
        )
        for _ in range(2)
    )
    assert first.returncode == 0
    assert first.stderr == "bgai: compiling for this machine, which happens once and takes seconds to minutes ...\n"
    assert (second.returncode, second.stderr) == (0, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_one_line() -> None:
    with open("/dev/full", "w") as full:
        finished = subprocess.run(
            [sys.executable, "-m", "bgai", "models"],
            cwd=ROOT,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=300,
        )
    assert finished.returncode == 1
    assert finished.stderr == "bgai models: cannot read or write: No space left on device\n"


def test_a_terminal_without_line_drawing_gets_ascii(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(terminal, encoding="ascii", write_through=True))
    assert bgai.cli.main.main(["eval", START_ID]) == 0
    assert b"+-----" in terminal.getvalue()
    assert terminal.getvalue().isascii()
