"""What is kept: restarts, other processes, tabs that are behind, limits."""

from __future__ import annotations

import contextlib
import random
import signal
import subprocess
import sys
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import create_mock_engine

from bgai.errors import InputError
from bgai.match_rules import Rules
from bgai.room.actions import Action
from bgai.room.agreement import Agreement
from bgai.room.errors import NoSuchRoom, NotAllowed, StaleVersion, TooManyRooms
from bgai.room.fair_dice import verify
from bgai.room.place import url_of
from bgai.room.room import Kept, Room
from bgai.room.store import RoomStore, StoreLimits
from bgai.room.tables import METADATA
from tests.match_players import Gambler
from tests.room.rooms import any_action

MATCH = Agreement(Rules(length=2))
NOON = datetime(2026, 1, 1, 12)


def opened(path: Path, limits: StoreLimits | None = None) -> RoomStore:
    return RoomStore(str(path / "games.sqlite"), limits=limits, bot=lambda level: Gambler(level))


def some_actions(store: RoomStore, kept: Kept, count: int, seed: int = 1) -> Kept:
    rng = random.Random(seed)
    for _ in range(count):
        if not kept.room.over:
            kept = store.act(kept.room.id, kept.room.version, any_action(kept.room, rng, resigns=0))
    return kept


def test_a_game_survives_a_restart(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        kept = some_actions(store, store.create(MATCH, player_seed="Ann"), 8)
    id = kept.room.id
    with opened(tmp_path) as store:
        again = store.load(kept.room.id)
        assert again == kept
        assert again.room.states == kept.room.states
        played = some_actions(store, again, 20)
        over = store.act(id, played.room.version, Action("leave"))
        assert verify(over.room.dice_record) == []


def test_what_one_process_does_the_other_sees(tmp_path: Path) -> None:
    with opened(tmp_path) as first, opened(tmp_path) as second:
        kept = first.create(MATCH)
        id, version = kept.room.id, kept.room.version
        second.load(id)
        rng = random.Random(1)
        action = any_action(kept.room, rng, resigns=0)
        after = first.act(id, version, action)
        with pytest.raises(StaleVersion) as caught:
            second.act(id, version, action)
        assert caught.value.kept.room == after.room
        assert second.version_of(id) == after.room.version
        assert second.load(id).room == after.room


def test_of_two_that_act_at_once_one_is_late(tmp_path: Path) -> None:
    """While the first store's network thinks, the second store acts."""
    with opened(tmp_path) as other:
        kept = other.create(MATCH, player_seed="at once")
        id = kept.room.id
        while not kept.room.may()["play"]:
            kept = some_actions(other, kept, 1)
        version = kept.room.version
        plays = [any_action(kept.room, random.Random(seed), resigns=0) for seed in (1, 2)]

        class Slow(Gambler):
            def doubles(self, *args: object) -> bool:
                if other.version_of(id) == version:
                    other.act(id, version, plays[0])
                return False

        with RoomStore(str(tmp_path / "games.sqlite"), bot=lambda level: Slow(level)) as slow:
            with pytest.raises(StaleVersion) as caught:
                slow.act(id, version, plays[1])
            assert caught.value.kept.room == other.load(id).room == slow.load(id).room
            assert verify(slow.act(id, slow.version_of(id), Action("leave")).room.dice_record) == []


def test_what_is_not_allowed_is_not_kept(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        kept = store.create(MATCH)
        with pytest.raises(NotAllowed):
            store.act(kept.room.id, kept.room.version, Action("next game"))
        assert store.load(kept.room.id) == kept


def test_what_could_not_be_kept_happens_again_with_the_same_dice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that nothing is half there, and nobody can roll again by letting an answer get lost."""
    with opened(tmp_path) as store:
        kept = store.create(MATCH, player_seed="again")
        while not kept.room.may()["roll"]:
            kept = some_actions(store, kept, 1)
        worked_out: list[Room] = []

        def full(connection: object, room: Room, since: int) -> None:
            worked_out.append(room)
            raise OSError("the disk is full")

        with monkeypatch.context() as patched:
            patched.setattr("bgai.room.store._append", full)
            for _ in range(2):
                with pytest.raises(OSError, match="the disk is full"):
                    store.act(kept.room.id, kept.room.version, Action("roll"))
        assert store.load(kept.room.id) == kept
        after = store.act(kept.room.id, kept.room.version, Action("roll"))
        assert [after.room, after.room] == worked_out


def test_a_commitment_serves_one_game_in_time(tmp_path: Path) -> None:
    now = [NOON]
    with RoomStore(str(tmp_path / "games.sqlite"), bot=lambda level: Gambler(level), now=lambda: now[0]) as store:
        commitment = store.commit()
        kept = store.create(MATCH, commitment=commitment, player_seed="Ann")
        assert kept.room.committed_first
        assert kept.room.dice_record.commitment == commitment
        assert not store.create(MATCH, player_seed="Ann").room.committed_first
        with pytest.raises(InputError, match="commitment: none that was asked for here and not used yet"):
            store.create(MATCH, commitment=commitment)
        late = store.commit()
        now[0] += timedelta(hours=1, seconds=1)
        with pytest.raises(InputError, match="commitment: none"):
            store.create(MATCH, commitment=late)


def test_seeds_of_players_are_text_of_some_length(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        for seed in ("", "x" * 200, "nul \0 and 🎲"):
            assert store.create(MATCH, player_seed=seed).room.dice.player_seed == seed
        for seed in ("x" * 201, "\ud800"):
            with pytest.raises(InputError, match="player_seed: expected"):
                store.create(MATCH, player_seed=seed)
        made = {store.create(MATCH).room.dice.player_seed for _ in range(3)}
        assert len(made) == 3


def test_games_that_nobody_touches_are_forgotten(tmp_path: Path) -> None:
    now = [NOON]
    limits = StoreLimits(rooms=2, age=timedelta(days=2), commitments=2)
    path = str(tmp_path / "games.sqlite")
    with RoomStore(path, limits=limits, bot=lambda level: Gambler(level), now=lambda: now[0]) as store:
        old = store.create(MATCH)
        now[0] += timedelta(days=1)
        played = store.create(MATCH)
        now[0] += timedelta(days=1, hours=1)
        with pytest.raises(NoSuchRoom):
            store.load(old.room.id)
        store.create(MATCH)
        assert store.count() == 2
        assert store.load(played.room.id) == played
        first, *others = [store.commit() for _ in range(3)]
        with pytest.raises(InputError, match="commitment"):
            store.create(MATCH, commitment=first)
        store.create(MATCH, commitment=others[0])


def test_games_that_nobody_plays_make_room(tmp_path: Path) -> None:
    now = [NOON]
    limits = StoreLimits(rooms=3, rest=timedelta(hours=2), commitments=2)
    path = str(tmp_path / "games.sqlite")
    with RoomStore(path, limits=limits, bot=lambda level: Gambler(level), now=lambda: now[0]) as store:

        def made() -> Kept:
            now[0] += timedelta(minutes=1)
            return store.create(MATCH)

        def there(kept: Kept) -> bool:
            with contextlib.suppress(NoSuchRoom):
                return store.load(kept.room.id).room.id == kept.room.id
            return False

        games = [made() for _ in range(3)]
        now[0] += timedelta(minutes=1)
        games[0] = store.act(games[0].room.id, games[0].room.version, Action("leave"))
        newest = made()
        assert [there(one) for one in (*games, newest)] == [True, False, True, True]
        for one in (games[2], newest):
            now[0] += timedelta(minutes=1)
            store.act(one.room.id, one.room.version, Action("leave"))
        with pytest.raises(TooManyRooms, match="3 games are kept and played"):
            made()
        now[0] += timedelta(hours=2)
        made()
        assert [there(one) for one in (games[0], games[2], newest)] == [False, True, True]


def test_a_deleted_game_is_gone(tmp_path: Path) -> None:
    with opened(tmp_path) as store, opened(tmp_path) as other:
        kept = store.create(MATCH)
        other.load(kept.room.id)
        store.delete(kept.room.id)
        for again in (store, other):
            for ask in (again.load, again.delete, again.version_of):
                with pytest.raises(NoSuchRoom, match="no game"):
                    ask(kept.room.id)
            with pytest.raises(NoSuchRoom):
                again.act(kept.room.id, kept.room.version, Action("leave"))


def test_few_games_are_held_in_memory(tmp_path: Path) -> None:
    with opened(tmp_path, StoreLimits(remembered=2)) as store:
        kept = [store.create(MATCH) for _ in range(5)]
        assert len(store._remembered) == 2
        assert [store.load(one.room.id) for one in kept] == kept


KILLED = """
import random, sys
from bgai.room.agreement import Agreement
from bgai.match_rules import Rules
from bgai.room.store import RoomStore
from tests.match_players import Gambler
from tests.room.rooms import any_action
store = RoomStore(sys.argv[1], bot=lambda level: Gambler(level, resigns=0))
kept = store.create(Agreement(Rules(jacoby=True)))
rng = random.Random(1)
while True:
    print(kept.room.id, kept.room.version, flush=True)
    kept = store.act(kept.room.id, kept.room.version, any_action(kept.room, rng))
"""


def test_a_game_survives_kill_9(tmp_path: Path) -> None:
    """Everything that was answered is there, and what is there fits together."""
    path = str(tmp_path / "games.sqlite")
    command = [sys.executable, "-c", KILLED, path]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2]) as process:
        assert process.stdout is not None
        for _ in range(25):
            id, version = process.stdout.readline().split()
        process.send_signal(signal.SIGKILL)
    with opened(tmp_path) as store:
        kept = store.load(id)
        assert kept.room.version >= int(version)
        assert kept.room.record.final == kept.room.state
        over = store.act(id, kept.room.version, Action("leave"))
        assert verify(over.room.dice_record) == []


def test_a_data_base_of_something_else_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    path.write_text("this is no data base, but a text that is long enough to be looked at as one" * 20)
    with pytest.raises(InputError, match=f"the games '{path}': file is not a database"):
        RoomStore(str(path))
    with pytest.raises(InputError, match=r"the (data base|games) 'x://y'"):
        RoomStore("x://y")


def test_where_games_lie(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BGAI_DATA", "/data")
    monkeypatch.delenv("BGAI_GAMES_DB", raising=False)
    assert url_of() == "sqlite:////data/games.sqlite"
    monkeypatch.setenv("BGAI_GAMES_DB", "postgresql://host/games")
    assert url_of() == "postgresql://host/games"
    assert url_of("here.sqlite") == "sqlite:///here.sqlite"


def test_the_tables_can_be_made_in_postgresql() -> None:
    made: list[str] = []
    engine = create_mock_engine("postgresql://", lambda sql, *_: made.append(str(sql.compile(dialect=engine.dialect))))
    METADATA.create_all(engine, checkfirst=False)
    assert any("BYTEA" in text and "kept_games" in text for text in made)
