"""Where results go: a table on the screen and a JSON file that says how they came about."""

from __future__ import annotations

import datetime
import importlib.metadata
import json
import os
import platform
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import bgai.board
from bgai.files import write_whole

RESULTS = Path(__file__).parent / "results"
PACKAGES = ("bgai", "gnubg-nn", "bgsage", "numpy", "numba", "llvmlite")


def environment() -> dict[str, Any]:
    """Date, machine and versions."""
    return {
        "date": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "processor": processor(),
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "packages": {name: version for name in PACKAGES if (version := _version(name))},
        "commit": commit(),
    }


def processor() -> str:
    """The name of the processor, as well as the system knows it."""
    try:
        for line in Path("/proc/cpuinfo").read_text("utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def commit() -> str:
    """The commit of the clone that bgai was imported from, `+changes` if files differ from it; empty outside one."""
    folder = Path(bgai.board.__file__).parent
    try:
        head = _git(folder, "rev-parse", "HEAD")
        return head + ("+changes" if _git(folder, "status", "--porcelain", "--", ".") else "")
    except (OSError, subprocess.CalledProcessError):
        return ""


def _git(folder: Path, *arguments: str) -> str:
    command = ["git", "--no-optional-locks", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout.strip()


def _version(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def write_results(
    folder: Path, stem: str, content: dict[str, Any], shaped: Callable[[str], str] = lambda text: text
) -> Path:
    """Writes `content` beside the environment to `stem-DATE-TIME.json`, in the form `shaped`; returns its path.

    Raises:
        OSError: the disk is full, or the folder cannot be made or written to.
    """
    folder.mkdir(parents=True, exist_ok=True)
    about = environment()
    stamp = about["date"][:19].replace(":", "").replace("T", "-")
    path = folder / f"{stem}-{stamp}.json"
    write_whole(path, shaped(json.dumps({**content, "environment": about}, indent=2)).encode() + b"\n")
    return path


def print_table(title: str, header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Prints columns as wide as they need to be, the first to the left and the others to the right."""
    widths = [max(len(row[column]) for row in [header, *rows]) for column in range(len(header))]
    print(f"\n{title}\n")
    for row in [header, ["-" * width for width in widths], *rows]:
        cells = [cell.rjust(width) for cell, width in zip(row, widths, strict=True)]
        print("  ".join([row[0].ljust(widths[0]), *cells[1:]]).rstrip())
