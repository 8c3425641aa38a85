"""Runs that are killed with signal 9, and whose disk is full."""

from __future__ import annotations

import json
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from bgai_train.checkpoint import FILE
from bgai_train.config import load_config
from bgai_train.log import LOG
from bgai_train.loop import resume_run, start_run
from safetensors import safe_open

from bgai.cli.main import main
from tests.train.recipes import assert_same_run, write_recipe

GAMES = 1200
LONG = [f"selfplay.games={GAMES}", "evaluate.every=600", "checkpoint.every=200"]


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
    assert 0 < games_kept(folder) < games_logged(folder) < GAMES
    # Then it goes on from there, in another process even, to the same end.
    resume_run(folder)
    assert_same_run(folder, tmp_path / "undisturbed")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_under_the_log_is_one_clear_line(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    folder = crashed_at_the_start(tmp_path)
    (folder / LOG).symlink_to("/dev/full")
    assert main(["train", "--resume", str(folder)]) == 1
    assert_one_clear_line(capfd.readouterr().err, folder, "No space left on device")


# No file may be longer than a limit: a disk that fills up while one is written looks the same.


def test_a_full_disk_under_the_checkpoint_is_one_clear_line(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    recipe, folder = compiled(tmp_path), tmp_path / "run"
    capfd.readouterr()
    with limited_files(20_000):
        assert main(["train", str(recipe), "--out", str(folder), *with_settings(LONG)]) == 1
    assert_one_clear_line(capfd.readouterr().err, folder, "File too large")


def test_a_full_disk_under_the_scalars_is_one_clear_line(tmp_path: Path) -> None:
    """TensorBoard writes in a thread of its own, which must not speak when the process ends either."""
    recipe, folder = compiled(tmp_path), tmp_path / "run"
    settings = ["selfplay.games=800", "network.layers=[1]", "checkpoint.every=1000000", "evaluate.every=1000000"]
    with limited_files(9_000):
        finished = subprocess.run(
            command(recipe, "--out", folder, *with_settings(settings)), capture_output=True, text=True, timeout=300
        )
    assert finished.returncode == 1, finished.stderr
    assert_one_clear_line(finished.stderr, folder, "File too large")


def compiled(tmp_path: Path) -> Path:
    """A recipe whose kernels lie in their cache, where nothing could be written any more."""
    recipe = write_recipe(tmp_path)
    start_run(load_config(recipe, ["selfplay.games=32"]), tmp_path / "compiled")
    return recipe


@contextmanager
def limited_files(limit: int) -> Iterator[None]:
    """Neither this process nor those that it starts can write a longer file."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def crashed_at_the_start(tmp_path: Path) -> Path:
    """A run that has kept its first checkpoint and no more."""
    recipe, folder = write_recipe(tmp_path), tmp_path / "run"

    def crash(*_: object) -> None:
        raise SystemError

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("bgai_train.loop.GamesAhead.next", crash)
        with pytest.raises(SystemError):
            start_run(load_config(recipe), folder)
    (folder / LOG).unlink()
    return folder


def assert_one_clear_line(printed: str, folder: Path, reason: str) -> None:
    assert "Traceback" not in printed
    assert "Exception" not in printed
    told = [line for line in printed.splitlines() if line and "game" not in line.split("|")[-1]]
    assert len(told) == 1, printed
    assert told[0].startswith("bgai train: cannot write ")
    assert reason in told[0]
    kept = (folder / FILE).is_file()
    assert told[0].endswith(f"; the last good checkpoint is {folder / FILE}") == kept
