"""The programs of docs/ubgi.md and docs/gnubg.md that ask in Python and in JavaScript."""

from __future__ import annotations

from pathlib import Path

import pytest

from bgai.protocols.gnubg_session import Session
from tests.guides import blocks, run
from tests.protocols.gnubg import serving
from tests.protocols.test_gnubg_session import ADVISERS


@pytest.mark.parametrize("language", ["python", "js"])
def test_the_engine(language: str, tmp_path: Path) -> None:
    (code,) = blocks("ubgi.md", language)
    assert run(language, code, tmp_path) == "bestmove 8/5 6/5\n"


@pytest.mark.parametrize("language", ["python", "js"])
def test_the_external_player(language: str, tmp_path: Path) -> None:
    code = next(block for block in blocks("gnubg.md", language) if "1234" in block)
    with serving(lambda: Session(ADVISERS)) as server:
        said = run(language, code.replace("1234", str(server.port)), tmp_path)
    assert said.strip().splitlines()[-1] == "8/5 6/5"
