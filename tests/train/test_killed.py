"""Runs in a process of their own: killed with signal 9, and with a disk that is full."""

from __future__ import annotations

import json
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from bgai_train.checkpoint import FILE
from bgai_train.config import load_config
from bgai_train.log import LOG
from bgai_train.loop import resume_run, start_run
from safetensors import safe_open

from tests.train.recipes import assert_same_run, write_recipe

LONG = ["selfplay.games=4000", "evaluate.every=1000", "checkpoint.every=300"]


def command(*arguments: str | Path) -> list[str]:
    return [sys.executable, "-m", "bgai", "train", *map(str, arguments)]


def with_settings(settings: list[str]) -> list[str]:
    return [part for setting in settings for part in ("--set", setting)]


def games_kept(folder: Path) -> int:
    """Games of the checkpoint, -1 while there is none."""
    if not (folder / FILE).is_file():
        return -1
    with safe_open(folder / FILE, framework="numpy") as file:
        return int(json.loads(file.metadata()["progress"])["games"])


def games_logged(folder: Path) -> int:
    lines = (folder / LOG).read_text("utf-8").splitlines(keepends=True) if (folder / LOG).is_file() else []
    whole = [json.loads(line)["games"] for line in lines if line.endswith("\n")]
    return whole[-1] if whole else -1


def kill_when(process: subprocess.Popen[bytes], reached: Callable[[], bool]) -> None:
    """Kills it with signal 9 as soon as something is true."""
    try:
        while not reached():
            assert process.poll() is None, "the run ended before it could be killed"
            time.sleep(0.005)
    finally:
        process.kill()
    assert process.wait() == -signal.SIGKILL


def test_a_run_killed_and_resumed_ends_like_one_that_was_not(tmp_path: Path) -> None:
    recipe, folder = write_recipe(tmp_path), tmp_path / "killed"
    start_run(load_config(recipe, LONG), tmp_path / "undisturbed")
    with subprocess.Popen(
        command(recipe, "--out", folder, *with_settings(LONG)), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        # When it is killed some updates after its second checkpoint,
        kill_when(process, lambda: games_logged(folder) > games_kept(folder) + 64 > 64)
    assert 0 < games_kept(folder) < games_logged(folder) < 4000
    # Then it goes on from there, in another process even, to the same end.
    resume_run(folder)
    assert_same_run(folder, tmp_path / "undisturbed")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_under_the_log_is_one_clear_line(tmp_path: Path) -> None:
    folder = crashed_at_the_start(tmp_path)
    (folder / LOG).symlink_to("/dev/full")
    assert_one_clear_line(command("--resume", folder), folder, "No space left on device")


@pytest.mark.parametrize(
    ("limit", "settings"),
    [(20_000, []), (9_000, ["network.layers=[1]", "checkpoint.every=1000000", "evaluate.every=1000000"])],
    ids=["checkpoint", "scalars"],
)
def test_a_full_disk_under_any_file_is_one_clear_line(tmp_path: Path, limit: int, settings: list[str]) -> None:
    """No file may be longer than the limit: a disk that fills up while one is written looks the same."""
    recipe, folder = write_recipe(tmp_path), tmp_path / "run"
    arguments = command(recipe, "--out", folder, *with_settings([*LONG, *settings]))
    start_run(load_config(recipe, ["selfplay.games=32"]), tmp_path / "compiled")
    assert_one_clear_line(arguments, folder, "File too large", limit)


def crashed_at_the_start(tmp_path: Path) -> Path:
    """A run that has kept its first checkpoint and no more."""
    recipe, folder = write_recipe(tmp_path), tmp_path / "run"

    def crash(*_: object) -> None:
        raise SystemError

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("bgai_train.loop.play", crash)
        with pytest.raises(SystemError):
            start_run(load_config(recipe), folder)
    (folder / LOG).unlink()
    return folder


def assert_one_clear_line(arguments: list[str], folder: Path, reason: str, limit: int | None = None) -> None:
    def limit_files() -> None:
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    finished = subprocess.run(arguments, capture_output=True, text=True, preexec_fn=limit_files, timeout=300)
    assert finished.returncode == 1, finished.stderr
    assert "Traceback" not in finished.stderr
    assert "Exception" not in finished.stderr
    told = [line for line in finished.stderr.splitlines() if line and "game" not in line.split("|")[-1]]
    assert len(told) == 1, finished.stderr
    assert told[0].startswith("bgai train: cannot write ")
    assert reason in told[0]
    kept = (folder / FILE).is_file()
    assert told[0].endswith(f"; the last good checkpoint is {folder / FILE}") == kept
