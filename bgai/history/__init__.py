"""The matches that were analysed before, how a player develops over them, and their errors as problems.

    >>> import tempfile
    >>> from bgai.history import open_history
    >>> with tempfile.TemporaryDirectory() as folder, open_history(f"{folder}/history.sqlite") as history:
    ...     [player.name for player in history.players()]
    []

Everything lies in a data base, see docs/history.md; it is reached through SQLAlchemy, which is installed with
`bgai[history]` and which nothing else needs.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING

from bgai.errors import InputError

if TYPE_CHECKING:
    from bgai.analysis.analysis import Analysis
    from bgai.history.remembering import Remembered
    from bgai.history.store import History

__all__ = ["installed", "open_history", "remember"]


def installed() -> bool:
    """Whether the package is there that the history needs."""
    return importlib.util.find_spec("sqlalchemy") is not None


def open_history(where: str | None = None, *, create: bool = True) -> History:
    """The history in a data base, to be used as a context.

    Args:
        where: a URL as SQLAlchemy takes it, or the name of an SQLite file;
            `bgai.history.place` says what None means.
        create: whether a data base that is not there is made; otherwise it is an error.

    Raises:
        InputError: SQLAlchemy is not installed; or there is no data base that can be used.
    """
    if not installed():
        raise InputError("the history needs the package SQLAlchemy: pip install 'bgai[history]'")
    from bgai.history.store import History

    return History(where, create=create)


def remember(analysis: Analysis, *, source: str | Path | None = None, where: str | None = None) -> Remembered:
    """Keeps an analysed match in the history; `source` is the file that the match came from.

    Raises:
        InputError: as `open_history`; or the data base cannot be written.
    """
    with open_history(where) as history:
        return history.remember(analysis, source=None if source is None else str(source))
