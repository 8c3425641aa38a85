"""Where kept games lie."""

from __future__ import annotations

import os

from bgai.history.place import data_folder

FILE = "games.sqlite"


def url_of(where: str | None = None) -> str:
    """The data base as a URL: what is given, else `$BGAI_GAMES_DB`, else an SQLite file in the data folder.

    What is no URL is the name of an SQLite file.
    """
    where = where or os.environ.get("BGAI_GAMES_DB") or str(data_folder() / FILE)
    return where if "://" in where else f"sqlite:///{where}"
