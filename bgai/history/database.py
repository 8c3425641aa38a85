"""A data base that is open: its transactions, and what can go wrong with it in one line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from sqlalchemy import URL, Connection, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError

from bgai.errors import InputError
from bgai.history.migrations import present, upgrade, version_of

PATIENCE = 30.0
"""Seconds that an SQLite data base is waited for while another process writes."""

_WRITING = "writing"
_YES = ("true", "yes", "on", "y", "t", "1")
"""What SQLAlchemy takes for true."""
_LOCK = 0x62676169
"""The number of the lock that writers of a PostgreSQL data base hold; any that others are unlikely to use."""


class Database:
    """Reads and writes in transactions. A transaction is there wholly or not at all, whatever kills the process."""

    what = "the history"
    """What messages call it."""

    def __init__(self, url: str, *, create: bool) -> None:
        """Opens the data base and brings it to the present version.

        Raises:
            InputError: no such kind of data base, or one that cannot be reached, is damaged, holds something else or
                is newer than the program; or it is not there, and shall not be made.
        """
        try:
            parsed = make_url(url)
        except ArgumentError as error:
            raise InputError(f"the data base {url!r}: {_reason(error)}") from None
        self.name = _shown(self.what, parsed)
        try:
            if parsed.get_backend_name() == "sqlite":
                _look_for(parsed, create)
                self._engine = create_engine(parsed, connect_args={"timeout": PATIENCE})
                event.listen(self._engine, "connect", _prepare)
                event.listen(self._engine, "begin", _begin)
            else:
                self._engine = create_engine(parsed)
                if parsed.get_backend_name() == "postgresql":
                    event.listen(self._engine, "begin", _wait_for_others)
        except (ArgumentError, ModuleNotFoundError) as error:
            raise InputError(f"{self.name}: {_reason(error)}") from None
        try:
            self._prepare_tables()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Ends all connections."""
        self._engine.dispose()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A transaction that sees one state of the data base.

        Raises:
            InputError: the data base cannot be read.
        """
        with self._told(), self._engine.connect() as connection, connection.begin():
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that nobody else writes beside.

        Raises:
            InputError: the data base cannot be written.
        """
        with self._told(), self._engine.connect() as connection:
            connection = connection.execution_options(**{_WRITING: True})
            with connection.begin():
                yield connection

    def _prepare_tables(self) -> None:
        try:
            with self.reading() as connection:
                version = version_of(connection)
            if version < present():
                with self.writing() as connection:
                    upgrade(connection)
        except InputError as error:
            if str(error).startswith(self.name):
                raise
            raise InputError(f"{self.name}: {error}") from None

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except DBAPIError as error:
            raise InputError(f"{self.name}: {_reason(error)}") from None


def _shown(what: str, url: URL) -> str:
    """How messages name it: the file, or the URL without its password."""
    if url.get_backend_name() == "sqlite" and url.database:
        return f"{what} {url.database!r}"
    return f"{what} {url.render_as_string(hide_password=True)!r}"


def _look_for(url: URL, create: bool) -> None:
    """Makes the folder of a file that is to be made."""
    path = _file_of(url)
    if path is None:
        return
    if create:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"cannot make the folder {str(path.parent)!r}: {error.strerror or error}") from None
    elif not path.exists():
        raise InputError(
            f"no history in {url.database!r} yet, expected matches that bgai analyse or bgai history import put there"
        )


def _file_of(url: URL) -> Path | None:
    """The file of an SQLite data base, None where it is in memory only."""
    name = url.database or ":memory:"
    # With uri=true the name is a URI as SQLite reads it: file:path or file://host/path, with escapes.
    if str(url.query.get("uri", "")).lower() in _YES and name.startswith("file:"):
        name = unquote(urlsplit(name).path)
    return None if name in ("", ":memory:") else Path(name)


def _prepare(connection: Any, _record: object) -> None:
    # Transactions begin and end as `_begin` and SQLAlchemy say: Python's module would begin them late, and after DDL.
    connection.isolation_level = None
    connection.execute("PRAGMA foreign_keys = ON")


def _begin(connection: Connection) -> None:
    # Who is going to write waits for the others at once, not with a transaction that has read what is out of date.
    writing = connection.get_execution_options().get(_WRITING)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")


def _wait_for_others(connection: Connection) -> None:
    # So that who writes works on what the others have left there, as in SQLite; the lock goes with the transaction.
    if connection.get_execution_options().get(_WRITING):
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK})")


def _reason(error: Exception) -> str:
    """The first line of what the driver says."""
    if isinstance(error, ModuleNotFoundError):
        return f"needs the package {error.name}: pip install {error.name}"
    said = str(error.orig if isinstance(error, DBAPIError) else error).strip() or type(error).__name__
    return said.splitlines()[0]
