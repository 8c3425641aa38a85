"""Answers of an analysis that is under way, kept in a file, so that one that was killed goes on where it was.

The file has a line of JSON for each question that was answered, and lines are only ever added: one that a kill has cut
short is left out. Its name is a hash of everything that the answers depend on.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from bgai.kernels.compiler import user_cache

FOLDER = "analyses"
MOST = 200
"""Files that stay; the oldest ones go."""


def file_for(what: Any) -> Path:
    """Where the answers are kept of a question that JSON describes."""
    text = json.dumps(what, sort_keys=True, separators=(",", ":"))
    return user_cache() / FOLDER / f"{hashlib.sha256(text.encode()).hexdigest()[:32]}.jsonl"


@cache
def code_hash() -> str:
    """Of all code that answers may come from, because a clone changes without getting another version."""
    digest = hashlib.sha256()
    package = Path(__file__).parents[1]
    for source in sorted(package.rglob("*.py")):
        digest.update(source.relative_to(package).as_posix().encode() + source.read_bytes())
    return digest.hexdigest()


class Kept:
    """The file, open to add to. Used as a context."""

    def __init__(self, path: Path) -> None:
        """Reads what is there.

        Raises:
            OSError: the file cannot be read or written.
        """
        path.parent.mkdir(parents=True, exist_ok=True)
        _tidy(path.parent)
        self.path = path
        self._file = path.open("a+b")
        self._file.seek(0)
        self.answers = dict(_lines(self._file.read()))
        """By the name of the question."""

    def __enter__(self) -> Kept:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def add(self, name: str, answer: Any) -> None:
        """Another answer. It is in the file when this returns."""
        line = json.dumps([name, answer], separators=(",", ":"), allow_nan=False).encode()
        # On a line of its own, whatever was cut short before it.
        self._file.write(b"\n" + line + b"\n")
        self._file.flush()
        self.answers[name] = answer


def _lines(data: bytes) -> Iterator[tuple[str, Any]]:
    for line in data.split(b"\n"):
        try:
            name, answer = json.loads(line)
        except ValueError:
            continue
        yield str(name), answer


def _tidy(folder: Path) -> None:
    files = sorted(folder.glob("*.jsonl"), key=_age)
    for path in files[:-MOST]:
        path.unlink(missing_ok=True)


def _age(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except FileNotFoundError:
        return 0.0
