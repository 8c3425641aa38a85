"""Where kept games lie."""

from __future__ import annotations

from bgai.history import place

FILE = "games.sqlite"


def url_of(where: str | None = None) -> str:
    """The data base as a URL: what is given, else `$BGAI_GAMES_DB`, else an SQLite file in the data folder."""
    return place.url_of(where, variable="BGAI_GAMES_DB", file=FILE)
