"""The examples of the guides as programs: run as they stand, with another address where there has to be one."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

RUN = {
    "python": [sys.executable, "-c"],
    "js": ["node", "--input-type=module", "-e"],
    "sh": ["sh", "-euc"],
}
"""By the language of a block."""
NEEDS = {"js": "node", "sh": "curl"}
SECONDS = 240


def blocks(page: str, language: str) -> list[str]:
    """The examples in a language, in order."""
    text = (ROOT / "docs" / page).read_text("utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def run(language: str, code: str, folder: Path) -> str:
    """What a program prints; it runs in an empty folder in which `bgai` is a command."""
    if language in NEEDS and shutil.which(NEEDS[language]) is None:
        pytest.skip(f"{NEEDS[language]} is not installed")
    commands = folder / "commands"
    commands.mkdir(exist_ok=True)
    command = commands / "bgai"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m bgai "$@"\n')
    command.chmod(0o755)
    environment = os.environ | {
        "PATH": f"{commands}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "NODE_OPTIONS": "",
    }
    done = subprocess.run(
        [*RUN[language], code], cwd=folder, env=environment, capture_output=True, text=True, timeout=SECONDS
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
