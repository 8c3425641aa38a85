"""Opens the tables: from the user's cache folder, where they are made first if need be."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from bgai.bearoff.keeping import Notice, open_or_make
from bgai.bearoff.solving import (
    ONE_SIDED,
    Progress,
    solve_one_sided,
    solve_two_sided,
    two_sided_layout,
    two_sided_work,
)
from bgai.bearoff.tables import OneSided, TwoSided
from bgai.board import CHECKERS
from bgai.kernels.compiler import user_cache

FORMAT = 1
"""Part of the names of the files. Counted up whenever what they hold changes, values or layout."""

Table = TypeVar("Table", OneSided, TwoSided)

_LOCK = threading.Lock()
_OPENED: dict[Path, OneSided | TwoSided] = {}
"""Each file is opened and checked once in a process."""


def one_sided_file() -> Path:
    """Where the one-sided table is kept."""
    return user_cache() / f"bearoff-one-sided-{CHECKERS}-v{FORMAT}.table"


def two_sided_file(checkers: int = 6) -> Path:
    """Where the two-sided table for up to so many checkers a side is kept."""
    return user_cache() / f"bearoff-two-sided-{checkers}-v{FORMAT}.table"


def one_sided(*, progress: Progress | None = None, notice: Notice | None = None) -> OneSided:
    """The one-sided table for up to fifteen checkers a side.

    The first call in a process reads it from the cache folder, or makes it within seconds and keeps it there.

    Args:
        progress: is told (positions done, of how many) while the table is made.
        notice: is told in one line if a file is damaged, cannot be read or cannot be written.
    """
    path = one_sided_file()

    def load() -> OneSided:
        arrays, filed = open_or_make(path, ONE_SIDED, lambda: solve_one_sided(progress), notice)
        return OneSided.of(arrays, path if filed else None)

    return _once(path, OneSided, load)


def two_sided(checkers: int = 6, *, progress: Progress | None = None, notice: Notice | None = None) -> TwoSided:
    """The two-sided table for up to `checkers` a side; `two_sided_work` says what that takes.

    Args:
        checkers: 1 to 12.
        progress, notice: as for `one_sided`.

    Raises:
        InputError: another number of checkers, or more than this machine's memory allows.
    """
    two_sided_work(checkers)
    path = two_sided_file(checkers)

    def load() -> TwoSided:
        layout = two_sided_layout(checkers)
        arrays, filed = open_or_make(path, layout, lambda: solve_two_sided(checkers, progress), notice)
        return TwoSided(arrays["values"], checkers, path if filed else None)

    return _once(path, TwoSided, load)


def _once(path: Path, kind: type[Table], load: Callable[[], Table]) -> Table:
    with _LOCK:
        table = _OPENED.get(path)
        if not isinstance(table, kind):
            table = _OPENED[path] = load()
        return table
