"""How bear-off tables are kept: whole, checked, made again when they are not what they should be."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from bgai import bearoff
from bgai.bearoff import keeping, opening
from bgai.bearoff.keeping import DamagedFile, open_or_make, pack, read_arrays
from bgai.bearoff.tables import TwoSided

FEW = 2
ENVIRONMENT = dict(os.environ)
"""Before a test changes it."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache, and nothing opened yet."""
    monkeypatch.setenv("BGAI_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(opening, "_OPENED", {})
    return tmp_path / "cache"


def open_again(monkeypatch: pytest.MonkeyPatch) -> tuple[TwoSided, list[str], list[tuple[int, int]]]:
    """The table as the next process finds it, what is said, and the reports of progress."""
    monkeypatch.setattr(opening, "_OPENED", {})
    said: list[str] = []
    reports: list[tuple[int, int]] = []
    table = bearoff.two_sided(FEW, progress=lambda done, total: reports.append((done, total)), notice=said.append)
    return table, said, reports


def test_a_table_is_made_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table, said, reports = open_again(monkeypatch)
    path = bearoff.two_sided_file(FEW)
    assert path.parent == folder
    assert table.path == path
    assert said == []
    assert reports == sorted(reports)
    assert reports[-1] == (28**2, 28**2)
    assert [file.name for file in folder.iterdir()] == [path.name]
    again, said, reports = open_again(monkeypatch)
    assert (said, reports) == ([], [])
    assert (again.values == table.values).all()


def test_names_tell_kind_size_and_format(folder: Path) -> None:
    assert bearoff.one_sided_file().name == "bearoff-one-sided-15-v1.table"
    assert bearoff.two_sided_file(8).name == "bearoff-two-sided-8-v1.table"


def _flip_a_bit(data: bytes) -> bytes:
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :]


DAMAGE = {
    "a bit is wrong": _flip_a_bit,
    "the first bit is wrong": lambda data: bytes([data[0] ^ 1]) + data[1:],
    "a bit of the header is wrong": lambda data: data[:60] + bytes([data[60] ^ 1]) + data[61:],
    "half of it is gone": lambda data: data[: len(data) // 2],
    "the last byte is gone": lambda data: data[:-1],
    "something stands behind": lambda data: data + b"\0",
    "it is empty": lambda data: b"",
    "it is short": lambda data: data[:20],
    "it is another file": lambda data: b"hello" * 1000,
    "it holds another table": lambda data: pack({"values": np.zeros((7, 7, 4), np.float32)}),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_file_is_made_again(folder: Path, monkeypatch: pytest.MonkeyPatch, damage: str) -> None:
    open_again(monkeypatch)
    path = bearoff.two_sided_file(FEW)
    good = path.read_bytes()
    # Not in place, as it is still mapped.
    path.unlink()
    path.write_bytes(DAMAGE[damage](good))
    _, said, reports = open_again(monkeypatch)
    assert len(said) == 1
    assert said[0].startswith(f"{path} is damaged (")
    assert said[0].endswith(") and is made again")
    assert "\n" not in said[0]
    assert reports
    assert path.read_bytes() == good


def test_what_is_not_a_file_stays_in_memory(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bearoff.two_sided_file(FEW).mkdir(parents=True)
    table, said, _ = open_again(monkeypatch)
    assert table.path is None
    assert [line.split("table ")[1].split(" (")[0] for line in said] == ["cannot be read", "cannot be written"]


def test_a_cache_that_cannot_be_written_to(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path, data: bytes) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))

    monkeypatch.setattr(keeping, "write_whole", refuse)
    table, said, reports = open_again(monkeypatch)
    assert table.path is None
    assert reports
    assert said == [
        f"{bearoff.two_sided_file(FEW)} cannot be written (Permission denied):"
        " the table stays in memory and is made again next time"
    ]
    with pytest.raises(ValueError, match="read-only"):
        table.values[0] = 0
    assert bearoff.two_sided(FEW) is table


def test_a_cache_that_cannot_be_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("BGAI_CACHE", str(tmp_path / "file" / "cache"))
    table, said, _ = open_again(monkeypatch)
    assert table.path is None
    assert len(said) == 1


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="nothing is forbidden to this user")
def test_a_read_only_cache(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.mkdir()
    folder.chmod(0o500)
    table, said, _ = open_again(monkeypatch)
    assert table.path is None
    assert len(said) == 1


def test_a_crash_while_writing_leaves_no_half_table(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(source: str, target: Path) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", crash)
        with pytest.raises(KeyboardInterrupt):
            open_again(monkeypatch)
    assert list(folder.iterdir()) == []
    assert open_again(monkeypatch)[0].path is not None


PROCESS = """
import hashlib, os, sys
from bgai import bearoff
from bgai.bearoff.solving import solve_two_sided
solve_two_sided(1)  # what is compiled stays where it is
os.environ["BGAI_CACHE"] = sys.argv[1]
print("ready", flush=True)
sys.stdin.readline()
table = bearoff.two_sided(4, notice=print)
print(table.path is not None, hashlib.sha256(table.values.tobytes()).hexdigest())
"""


def test_two_processes_at_once(folder: Path) -> None:
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", PROCESS, str(folder)],
            env=ENVIRONMENT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    answers = {process.communicate(timeout=120)[0] for process in processes}
    assert len(answers) == 1
    assert answers.pop().startswith("True ")
    assert [file.name for file in folder.iterdir()] == ["bearoff-two-sided-4-v1.table"]


def test_arrays_come_back_as_they_were(tmp_path: Path) -> None:
    arrays = {"a": np.arange(7, dtype=np.uint8), "b": np.zeros((0, 3), np.float32), "c": np.eye(5, dtype=np.int32)}
    layout = {"a": ("|u1", (-1,)), "b": ("<f4", (-1, 3)), "c": ("<i4", (5, 5))}
    back, filed = open_or_make(tmp_path / "deep" / "x", layout, lambda: arrays)
    assert filed
    assert list(back) == list(arrays)
    for name, array in arrays.items():
        assert (back[name] == array).all()
        assert back[name].dtype == array.dtype
        assert back[name].ctypes.data % 64 == 0 or not array.size
    for wrong in ({**layout, "a": ("|i1", (-1,))}, {**layout, "c": ("<i4", (5, 6))}, {"a": layout["a"]}):
        with pytest.raises(DamagedFile, match=r"expected .* found"):
            read_arrays(tmp_path / "deep" / "x", wrong)
