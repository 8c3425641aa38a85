"""Settings of all tests.

`pytest` runs the tests that take seconds; `pytest -m check` those that take minutes.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings

from tests.cli import Command, save_model

settings.register_profile("repeatable", derandomize=True, deadline=None, max_examples=60)
settings.load_profile("repeatable")


def pytest_configure(config: pytest.Config) -> None:
    # What tests analyse is no part of anybody's history.
    os.environ["BGAI_DATA"] = tempfile.mkdtemp(prefix="bgai-data-")
    os.environ.pop("BGAI_DB", None)
    config.addinivalue_line("markers", "small: quick enough for the interpreter, with the compiler switched off")


@pytest.fixture
def bgai_command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    """The command line, run in this process."""
    return Command(capsys, monkeypatch)


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """The folder of a small network with random weights."""
    return save_model(tmp_path / "tiny")
