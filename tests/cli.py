"""The command line run in this process, and a small model to run it with."""

from __future__ import annotations

import io
import re
import signal
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from bgai.cli.main import main
from bgai.model import Manifest, Model
from tests.networks import ENCODER, random_weights

START_ID = "4HPwATDgc/ABMA"
NOTICE = re.compile(r"bgai: compiling .*\n")


@dataclass(frozen=True)
class Outcome:
    """What a command left behind."""

    code: int
    out: str
    err: str


class Command:
    """Calls `bgai` with some words; what it has printed does not mix with what comes later."""

    def __init__(self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self._capsys = capsys
        self._monkeypatch = monkeypatch

    def __call__(self, *words: str | Path, stdin: str | bytes = "") -> Outcome:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        self._monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))
        self._capsys.readouterr()
        try:
            code = main([str(word) for word in words])
        except SystemExit as error:
            code = int(error.code or 0)
        printed = self._capsys.readouterr()
        # A machine without compiled kernels says so once, which is no part of any answer.
        return Outcome(code, printed.out, NOTICE.sub("", printed.err))

    def good(self, *words: str | Path, stdin: str | bytes = "") -> str:
        """What it prints, when all is well."""
        outcome = self(*words, stdin=stdin)
        assert (outcome.code, outcome.err) == (0, "")
        return outcome.out

    def bad(self, *words: str | Path, stdin: str | bytes = "") -> str:
        """The one line that says what is wrong with the input."""
        outcome = self(*words, stdin=stdin)
        assert (outcome.code, outcome.out) == (2, "")
        assert outcome.err.endswith("\n")
        assert outcome.err.count("\n") == 1
        assert "Traceback" not in outcome.err
        return outcome.err[:-1]


def save_model(folder: Path, seed: int = 1) -> Path:
    """A network with random weights: its plays are senseless and always the same."""
    Model(Manifest(folder.name, ENCODER, [8]), random_weights([8], seed)).save(folder)
    return folder


def heeding_interrupts() -> None:
    """For `preexec_fn`: what a shell starts in the background is deaf to Ctrl-C, and so is what that starts."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
