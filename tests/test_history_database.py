"""The data base itself: versions, damage, locks, kills, and several processes at once."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from sqlalchemy import Connection, text
from sqlalchemy.dialects import postgresql
from sqlalchemy.schema import CreateIndex, CreateTable

from bgai.errors import InputError
from bgai.history import database, migrations, open_history
from bgai.history.migrations import present
from bgai.history.tables import METADATA
from tests.histories import analysis_of, short_record, some_analyses, whole_record

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
DUMPS = Path(__file__).parent / "data" / "history"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "history.sqlite"


@pytest.fixture
def old(path: Path) -> Path:
    """A data base of version 1: two matches, and one answer to a problem."""
    rows = sqlite3.connect(path)
    rows.executescript((DUMPS / "version-1.sql").read_text("utf-8"))
    rows.close()
    return path


def query(path: Path, sql: str) -> list[tuple[object, ...]]:
    rows = sqlite3.connect(path)
    try:
        return rows.execute(sql).fetchall()
    finally:
        rows.close()


def execute(path: Path, sql: str) -> None:
    rows = sqlite3.connect(path)
    with rows:
        rows.execute(sql)
    rows.close()


def schema(path: Path) -> dict[str, object]:
    """Everything about the tables that counts."""
    tables = [str(name) for (name,) in query(path, "SELECT name FROM sqlite_master WHERE type = 'table'")]
    found: dict[str, object] = {
        name: [sorted(query(path, f"PRAGMA {what}({name})")) for what in ("table_info", "foreign_key_list")]
        for name in tables
    }
    found["indexes"] = query(path, "SELECT name, tbl_name, sql FROM sqlite_master WHERE type = 'index' ORDER BY name")
    return found


# Versions


def test_version_1_becomes_the_present_one(old: Path, tmp_path: Path) -> None:
    fresh = tmp_path / "fresh.sqlite"
    with open_history(str(fresh)) as history:
        history.remember(analysis_of(whole_record(3, date="2026-03-03"), 3), source="third.mat", now=NOW)
        history.remember(analysis_of(short_record(), 1), source="short.mat", now=NOW)
        expected = [history.development(name) for name in ("Ann", "Ben")]
    with open_history(str(old)) as history:
        assert [history.development(name) for name in ("Ann", "Ben")] == expected
        assert history.analysis(2) == analysis_of(short_record(), 1)
        everything, due, following = history.count(history.player("Ann"), NOW.date())
        assert (everything - due, following) == (1, date(2026, 5, 2))
    assert query(old, "SELECT number FROM history_version") == [(present(),)]
    assert schema(old) == schema(fresh)
    plans = "SELECT match_id, game, event, kind, plan FROM decisions ORDER BY id"
    assert query(old, plans) == query(fresh, plans)


def test_an_old_data_base_is_written_to_after_its_migration(old: Path) -> None:
    with open_history(str(old)) as history:
        history.remember(some_analyses(1)[0], now=NOW)
    with open_history(str(old)) as history:
        assert history.player("Ann").matches == 3


def test_a_migration_that_fails_leaves_the_old_version(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(connection: Connection) -> None:
        connection.execute(text("CREATE TABLE more (id INTEGER)"))
        connection.execute(text("DELETE FROM matches"))
        raise InputError("out of luck")

    before = schema(old)
    monkeypatch.setattr(migrations, "STEPS", (*migrations.STEPS, fails))
    with pytest.raises(InputError, match="out of luck"):
        open_history(str(old))
    assert schema(old) == before
    assert query(old, "SELECT number FROM history_version") == [(1,)]
    assert query(old, "SELECT count(*) FROM matches") == [(2,)]


def test_steps_are_taken_in_order_from_the_version_that_is_there(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_history(str(old)):
        pass
    taken = []
    steps = [lambda _, number=number: taken.append(number) for number in (3, 4)]
    monkeypatch.setattr(migrations, "STEPS", (*migrations.STEPS, *steps))
    with open_history(str(old)):
        assert taken == [3, 4]
    with open_history(str(old)):
        assert taken == [3, 4]
    assert query(old, "SELECT number FROM history_version") == [(4,)]


def test_a_newer_data_base_is_left_alone(path: Path) -> None:
    with open_history(str(path)):
        pass
    execute(path, "UPDATE history_version SET number = 99")
    before = path.read_bytes()
    with pytest.raises(InputError, match=f"is of version 99, .* versions up to {present()}; expected a newer bgai"):
        open_history(str(path))
    assert path.read_bytes() == before


def test_the_tables_can_be_made_in_postgresql() -> None:
    dialect = postgresql.dialect()
    for table in METADATA.sorted_tables:
        assert str(CreateTable(table).compile(dialect=dialect))
        for index in table.indexes:
            assert str(CreateIndex(index).compile(dialect=dialect))


# What can be wrong


def test_a_file_of_another_kind(path: Path) -> None:
    path.write_bytes(b'; [Player 1 "Ann"]\n' * 100)
    with pytest.raises(InputError, match=r"the history '.*history.sqlite': file is not a database"):
        open_history(str(path))


def test_a_data_base_of_something_else(path: Path) -> None:
    execute(path, "CREATE TABLE bookmarks (id INTEGER)")
    with pytest.raises(
        InputError, match="expected an empty data base or a history of bgai, found the table 'bookmarks'"
    ):
        open_history(str(path))
    assert query(path, "SELECT name FROM sqlite_master") == [("bookmarks",)]


def test_a_damaged_data_base(path: Path) -> None:
    with open_history(str(path)) as history:
        history.remember(some_analyses(1)[0], now=NOW)
    whole = path.read_bytes()
    path.write_bytes(whole[:8192] + b"\xff" * (len(whole) - 8192))
    with (
        pytest.raises(InputError, match=r"the history '.*': database disk image is malformed"),
        open_history(str(path)) as history,
    ):
        history.development("Ann")


def test_a_table_that_is_missing(path: Path) -> None:
    with open_history(str(path)):
        pass
    execute(path, "DROP TABLE decisions")
    with open_history(str(path)) as history, pytest.raises(InputError, match="no such table: decisions"):
        history.remember(some_analyses(1)[0], now=NOW)


def test_a_version_that_is_missing(path: Path) -> None:
    with open_history(str(path)):
        pass
    execute(path, "DELETE FROM history_version")
    with pytest.raises(InputError, match=r"expected the number of its version, found \[\]"):
        open_history(str(path))


def test_an_analysis_that_is_damaged(path: Path) -> None:
    with open_history(str(path)) as history:
        history.remember(some_analyses(1)[0], now=NOW)
        execute(path, "UPDATE matches SET analysis = x'00'")
        with pytest.raises(InputError, match="an analysis in the history is damaged"):
            history.analysis(1)


def test_a_problem_that_is_damaged(path: Path) -> None:
    with open_history(str(path)) as history:
        history.remember(some_analyses(1)[0], now=NOW)
        execute(path, "UPDATE cards SET problem = '{}'")
        with pytest.raises(
            InputError, match="problem 1 in the history is damaged: not a problem: 'choices' is missing"
        ):
            history.due(history.player("Ann"), NOW.date(), 1)


def test_a_data_base_that_is_not_there(path: Path) -> None:
    with pytest.raises(InputError, match=r"no history in '.*history.sqlite' yet, expected matches"):
        open_history(str(path), create=False)
    assert not path.exists()


def test_a_folder_that_cannot_be_made(path: Path) -> None:
    path.write_text("a file")
    with pytest.raises(InputError, match=r"cannot make the folder '.*history.sqlite': (Not a directory|File exists)"):
        open_history(str(path / "deeper.sqlite"))


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_is_read_only(path: Path) -> None:
    path.parent.chmod(0o500)
    try:
        with pytest.raises(InputError, match="unable to open database file"):
            open_history(str(path))
    finally:
        path.parent.chmod(0o700)


def test_a_data_base_that_is_read_only(path: Path) -> None:
    """Reading works, writing does not."""
    with open_history(str(path)) as history:
        history.remember(some_analyses(1)[0], now=NOW)
    url = f"sqlite:///file:{path}?mode=ro&uri=true"
    before = sorted(Path().iterdir())
    with open_history(url) as history:
        assert history.player("Ann").matches == 1
        with pytest.raises(InputError, match="attempt to write a readonly database"):
            history.forget(1)
    assert sorted(Path().iterdir()) == before


def test_an_address_in_the_form_of_a_uri_makes_the_folder_of_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    # SQLAlchemy takes the escapes of its URL away, SQLite those of its own.
    url = f"sqlite:///file:{tmp_path}/a%2520folder/history.sqlite?uri=true"
    with pytest.raises(InputError, match="no history in"):
        open_history(url, create=False)
    assert list(tmp_path.iterdir()) == []
    open_history(url).close()
    assert [str(one.relative_to(tmp_path)) for one in tmp_path.rglob("*")] == ["a folder", "a folder/history.sqlite"]
    open_history(url, create=False).close()


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("nonsense://here", "nonsense"),
        ("://", "Could not parse"),
        ("sqlite:////proc/none.sqlite", "unable to open database file"),
    ],
)
def test_urls_that_lead_nowhere(url: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        open_history(url)


def test_passwords_are_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError) as error:
        open_history("postgresql+psycopg2://ann:secret@localhost:1/none")
    assert "secret" not in str(error.value)


# Several at once


def test_a_locked_data_base_is_waited_for_and_then_said(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_history(str(path)):
        pass
    monkeypatch.setattr(database, "PATIENCE", 0.05)
    rows = sqlite3.connect(path, isolation_level=None)
    try:
        rows.execute("BEGIN EXCLUSIVE")
        with pytest.raises(InputError, match=r"the history '.*': database is locked"):
            open_history(str(path))
    finally:
        rows.close()


def process(code: str, *arguments: str) -> subprocess.Popen[str]:
    """Python in a process of its own, which finds the tests too."""
    return subprocess.Popen(
        [sys.executable, "-c", code, *arguments],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[1])},
    )


WRITER = """
import sys
from bgai.history import open_history
from tests.histories import analysis_of, whole_record
path, *seeds = sys.argv[1:]
analyses = [analysis_of(whole_record(int(seed), ("Cat", "Ben")), int(seed)) for seed in seeds]
print("ready", flush=True)
for analysis in analyses:
    with open_history(path) as history:
        history.remember(analysis)
"""


def test_two_processes_write_at_once(path: Path) -> None:
    """They also make the data base at once."""
    seeds = range(1, 4)
    analyses = [analysis_of(whole_record(seed), seed) for seed in seeds]
    writer = process(WRITER, str(path), *map(str, seeds))
    assert writer.stdout is not None
    assert writer.stdout.readline() == "ready\n"
    for analysis in analyses:
        with open_history(str(path)) as history:
            history.remember(analysis)
    writer.communicate(timeout=300)
    assert writer.returncode == 0
    with open_history(str(path)) as history:
        assert {player.name: player.matches for player in history.players()} == {"Ben": 6, "Ann": 3, "Cat": 3}
        expected = [analysis.statistics()[0].pr for analysis in analyses]
        for name in ("Ann", "Cat"):
            assert [one.all.pr for one in history.development(name).matches] == pytest.approx(expected)


KILLED = """
import sys, time
from bgai.history import cards, open_history
from tests.histories import some_analyses
first, second = some_analyses(2)
with open_history(sys.argv[1]) as history:
    history.remember(first)
    put = cards.put
    def waits(*arguments):
        put(*arguments)
        print("written", flush=True)
        time.sleep(600)
    cards.put = waits
    history.remember(second)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="nothing like it")
def test_what_is_killed_in_the_middle_leaves_no_half_match(path: Path) -> None:
    """Everything about the second match was written, but the transaction had not ended."""
    writer = process(KILLED, str(path))
    assert writer.stdout is not None
    assert writer.stdout.readline() == "written\n"
    writer.kill()
    writer.communicate()
    first, second = some_analyses(2)
    with open_history(str(path)) as history:
        assert [one.match for one in history.development("Ann").matches] == [1]
        assert history.analysis(1) == first
        before = history.count(history.player("Ann"), date.today())[0]
        assert query(path, "SELECT DISTINCT match_id FROM decisions") == [(1,)]
        assert history.remember(second).what == "added"
        assert history.analysis(2) == second
        assert history.count(history.player("Ann"), date.today())[0] > before
