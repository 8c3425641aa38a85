"""How fast full rollouts run: bgai and GNU Backgammon itself, on the opening position.

Both play cubeless trials at 0-ply to the end, with variance reduction, on one thread. GNU Backgammon is the program,
driven by its command line, because gnubg-nn has no rollout with variance reduction; what it takes to start is measured
by a run without trials and subtracted. It prints a rollout's result only on a terminal, so it gets one.
"""

from __future__ import annotations

import os
import pty
import re
import resource
import shutil
import subprocess
import time
from dataclasses import dataclass

import bgai
from bgai.model import Model
from bgai.rollout import Rollout, Settings
from bgai.rollout_statistics import error_of

TRIALS = 1296
"""Of which the times are told."""
PROGRAMS = ("gnubg", "/usr/games/gnubg")
_COMMANDS = """\
set automatic game off
set automatic roll off
set player 0 human
set player 1 human
set sound enable off
set threads 1
new game
set board 4HPwATDgc/ABMA
set turn 1
set rollout trials {trials}
set rollout seed 1
set rollout cubeful off
set rollout varredn on
set rollout truncation enable off
set rollout bearofftruncation exact off
set rollout bearofftruncation onesided off
set rollout limit enable off
set rollout jsd stop off
set rollout chequerplay plies 0
set rollout cubedecision plies 0
"""
_DONE = re.compile(r'Estimated SE for "Current Position" after +(\d+) trials +([\d.]+)')


@dataclass(frozen=True)
class Rolled:
    """A rollout that was measured."""

    title: str
    trials: int
    """So many were played; the other numbers are scaled to `TRIALS`."""
    seconds: float
    """CPU time."""
    standard_error: float
    """Of the equity, cubeless."""


def bgai_rollout(model: Model, trials: int) -> Rolled:
    """Rolls out the opening position with a model."""
    settings = Settings(trials=trials, cubeful=False)
    Rollout(bgai.Position(), Settings(trials=36, cubeful=False, seed=2), model=model).run(threads=1)
    rollout = Rollout(bgai.Position(), settings, model=model)
    start = time.process_time()
    rollout.run(threads=1)
    seconds = time.process_time() - start
    error = float(error_of(rollout.candidates[0].equities(trials // 36)))
    return scaled(f"bgai {model.name}", trials, seconds, error)


def gnubg_rollout(trials: int) -> Rolled | None:
    """Rolls out the opening position with GNU Backgammon; None if it is not installed.

    Raises:
        ValueError: it did not play the trials.
    """
    program = next((path for name in PROGRAMS if (path := shutil.which(name))), None)
    if program is None:
        return None
    to_start, _ = _run(program, _COMMANDS.format(trials=trials))
    seconds, printed = _run(program, _COMMANDS.format(trials=trials) + "rollout\n")
    played, error = last_estimate(printed)
    if played != trials:
        raise ValueError(f"GNU Backgammon played {played} trials, expected {trials}")
    return scaled("GNU Backgammon", trials, seconds - to_start, error)


def last_estimate(printed: str) -> tuple[int, float]:
    """Trials and standard error of the equity, from what GNU Backgammon printed last about them.

    Raises:
        ValueError: there is no result.
    """
    found = _DONE.findall(printed)
    if not found:
        raise ValueError("GNU Backgammon printed no result of the rollout")
    return int(found[-1][0]), float(found[-1][1])


def scaled(title: str, trials: int, seconds: float, error: float) -> Rolled:
    """Time and standard error as they would be for `TRIALS`."""
    times = TRIALS / trials
    return Rolled(title, trials, seconds * times, error / times**0.5)


def _run(program: str, commands: str) -> tuple[float, str]:
    """CPU-seconds and what was printed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    master, slave = pty.openpty()
    with subprocess.Popen(
        [program, "-t", "-q", "-r"], stdin=subprocess.PIPE, stdout=slave, stderr=subprocess.DEVNULL
    ) as child:
        os.close(slave)
        assert child.stdin is not None
        child.stdin.write(commands.encode())
        child.stdin.close()
        parts = []
        try:
            while part := os.read(master, 65536):
                parts.append(part)
        except OSError:  # Linux says so when the other end of a terminal is closed.
            pass
        os.close(master)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, b"".join(parts).decode("utf-8", "replace")
