"""Where the history lies."""

from __future__ import annotations

import os
from pathlib import Path

FILE = "history.sqlite"


def data_folder() -> Path:
    """The folder for what cannot be made again: `$BGAI_DATA`, else the platform's data folder (XDG)."""
    named = os.environ.get("BGAI_DATA")
    if named:
        return Path(named)
    base = os.environ.get("XDG_DATA_HOME")
    return (Path(base) if base else Path.home() / ".local" / "share") / "bgai"


def url_of(where: str | None = None, *, variable: str = "BGAI_DB", file: str = FILE) -> str:
    """The data base as a URL: what is given, else what the variable says, else an SQLite file in the data folder.

    What is no URL is the name of an SQLite file.
    """
    where = where or os.environ.get(variable) or str(data_folder() / file)
    return where if "://" in where else f"sqlite:///{where}"
