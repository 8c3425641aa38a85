"""Where games are kept: a data base, in which every action is there wholly or not at all.

Several processes may use it at once. Nobody waits for a network that thinks: what follows from an action is worked out
first, and kept only if the game is still as it was seen.
"""

from __future__ import annotations

import json
import secrets
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from threading import Lock
from typing import Any

from sqlalchemy import Connection, delete, func, insert, inspect, select, update

from bgai.bot import Bot
from bgai.errors import InputError
from bgai.history.database import Database
from bgai.match_play import MatchPlayer
from bgai.room.actions import Action
from bgai.room.agreement import Agreement
from bgai.room.errors import NoSuchRoom, StaleVersion, TooManyRooms
from bgai.room.fair_dice import FairDice, commitment_of, draw_seed
from bgai.room.place import url_of
from bgai.room.room import Happening, Kept, Room
from bgai.room.tables import COMMITMENTS, HAPPENINGS, METADATA, PRESENT, ROOMS, VERSION

LONGEST_SEED = 200
"""Characters of the player's seed."""


@dataclass(frozen=True)
class StoreLimits:
    """How much is kept, and for how long."""

    rooms: int = 10_000
    """Where there are so many, those make room that were only begun, then those at rest, the oldest first."""
    age: timedelta = timedelta(days=30)
    """A game that nobody has changed for so long is forgotten."""
    rest: timedelta = timedelta(days=1)
    """A game that nobody has changed for so long is at rest."""
    commitments: int = 10_000
    """Where there are so many, the oldest makes room."""
    commitment_age: timedelta = timedelta(hours=1)
    """A commitment that no game has used by then is forgotten."""
    remembered: int = 256
    """Rooms that are held in memory, so that they need not be replayed with every action."""


class RoomStore:
    """Games in a data base. Its methods may be called from many threads."""

    def __init__(
        self,
        where: str | None = None,
        *,
        limits: StoreLimits | None = None,
        bot: Callable[[str], MatchPlayer] = Bot.of,
        now: Callable[[], datetime] | None = None,
    ) -> None:
        """Opens the data base, and makes it if it is not there.

        Args:
            where: a URL as SQLAlchemy takes it, or the name of an SQLite file; `bgai.room.place` says what None means.
            bot: the player of a level.
            now: the time in UTC, without a zone.

        Raises:
            InputError: no data base that can be used.
        """
        self.limits = limits or StoreLimits()
        self._bot = bot
        self._now = now or (lambda: datetime.now(UTC).replace(tzinfo=None))
        self._remembered: OrderedDict[str, Kept] = OrderedDict()
        self._lock = Lock()
        self._database = _RoomDatabase(url_of(where), create=True)

    def __enter__(self) -> RoomStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends all connections."""
        self._database.close()

    def commit(self) -> str:
        """Draws the seed of a game that is still to come, and says its hash."""
        seed, now = draw_seed(), self._now()
        with self._database.writing() as connection:
            connection.execute(delete(COMMITMENTS).where(COMMITMENTS.c.made < now - self.limits.commitment_age))
            if _count(connection, COMMITMENTS) >= self.limits.commitments:
                oldest = select(COMMITMENTS.c.commitment).order_by(COMMITMENTS.c.made).limit(1)
                which = COMMITMENTS.c.commitment == connection.execute(oldest).scalar_one()
                connection.execute(delete(COMMITMENTS).where(which))
            values = {"commitment": commitment_of(seed), "server_seed": seed, "made": now}
            connection.execute(insert(COMMITMENTS).values(values))
        return commitment_of(seed)

    def create(self, agreement: Agreement, *, commitment: str | None = None, player_seed: str | None = None) -> Kept:
        """A new game, up to where the person has to do something.

        Args:
            commitment: what `commit` said; None draws the seed now.
            player_seed: mixed into every roll; None makes one.

        Raises:
            InputError: no such commitment, a seed that is too long or no text, a position that the rules do not allow.
            TooManyRooms: as many are kept as may be, and all of them are played.
        """
        seed = _player_seed(player_seed)
        now = self._now()
        with self._database.writing() as connection:
            connection.execute(delete(ROOMS).where(ROOMS.c.changed < now - self.limits.age))
            if _count(connection, ROOMS) >= self.limits.rooms:
                self._make_place(connection, now)
            server_seed = draw_seed() if commitment is None else self._seed_of(connection, commitment, now)
        # The commitment is used up from here on, whatever happens: a seed serves one game.
        dice = FairDice(server_seed, seed)
        first = commitment is not None
        room = Room.begin(secrets.token_urlsafe(16), agreement, dice, self._bot(agreement.level), committed_first=first)
        with self._database.writing() as connection:
            connection.execute(
                insert(ROOMS).values(
                    id=room.id,
                    version=room.version,
                    created=now,
                    changed=now,
                    agreement=json.dumps(agreement.to_dict()),
                    server_seed=dice.server_seed,
                    player_seed=json.dumps(dice.player_seed),
                    committed_first=first,
                )
            )
            _append(connection, room, 0)
        return self._remember(Kept(room, now, now))

    def load(self, id: str) -> Kept:
        """A game.

        Raises:
            NoSuchRoom: none is kept under this id.
        """
        with self._database.reading() as connection:
            row = connection.execute(select(ROOMS).where(ROOMS.c.id == id)).one_or_none()
            if row is None or row.changed < self._now() - self.limits.age:
                raise NoSuchRoom(f"no game {id[:40]!r} is kept here")
            with self._lock:
                known = self._remembered.get(id)
            if known is not None and known.room.version == row.version:
                return known
            rows = connection.execute(
                select(HAPPENINGS.c.happening).where(HAPPENINGS.c.room_id == id).order_by(HAPPENINGS.c.number)
            )
            happenings = tuple(Happening.from_dict(json.loads(text)) for text in rows.scalars())
        room = Room(
            row.id,
            Agreement.from_dict(json.loads(row.agreement)),
            FairDice(row.server_seed, json.loads(row.player_seed)),
            row.committed_first,
            happenings,
        )
        return self._remember(Kept(room, row.created, row.changed))

    def version_of(self, id: str) -> int:
        """How much has happened in a game.

        Raises:
            NoSuchRoom: none is kept under this id.
        """
        with self._database.reading() as connection:
            version = connection.execute(select(ROOMS.c.version).where(ROOMS.c.id == id)).scalar_one_or_none()
        if version is None:
            raise NoSuchRoom(f"no game {id[:40]!r} is kept here")
        return int(version)

    def act(self, id: str, version: int, action: Action) -> Kept:
        """The person does something in a game that it has seen at some version, and the network answers.

        Raises:
            NoSuchRoom: none is kept under this id.
            StaleVersion: the game is not at this version.
            NotAllowed: the rules do not allow it.
        """
        kept = self.load(id)
        if kept.room.version != version:
            raise StaleVersion(version, kept)
        room = kept.room.act(action, self._bot(kept.room.agreement.level))
        now = self._now()
        with self._database.writing() as connection:
            same = (ROOMS.c.id == id) & (ROOMS.c.version == version)
            found = connection.execute(update(ROOMS).where(same).values(version=room.version, changed=now))
            if found.rowcount:
                _append(connection, room, version)
        if not found.rowcount:
            raise StaleVersion(version, self.load(id))
        return self._remember(replace(kept, room=room, changed=now))

    def delete(self, id: str) -> None:
        """Forgets a game.

        Raises:
            NoSuchRoom: none is kept under this id.
        """
        with self._database.writing() as connection:
            found = connection.execute(delete(ROOMS).where(ROOMS.c.id == id))
        with self._lock:
            self._remembered.pop(id, None)
        if not found.rowcount:
            raise NoSuchRoom(f"no game {id[:40]!r} is kept here")

    def count(self) -> int:
        """How many games are kept."""
        with self._database.reading() as connection:
            return _count(connection, ROOMS)

    def _make_place(self, connection: Connection, now: datetime) -> None:
        """Forgets a game in which the person has done nothing yet, else one at rest."""
        begun = ROOMS.c.changed == ROOMS.c.created
        oldest = (
            select(ROOMS.c.id)
            .where(begun | (ROOMS.c.changed < now - self.limits.rest))
            .order_by(begun.desc(), ROOMS.c.changed)
            .limit(1)
        )
        id = connection.execute(oldest).scalar_one_or_none()
        if id is None:
            raise TooManyRooms(f"{self.limits.rooms} games are kept and played, and no more may be")
        connection.execute(delete(ROOMS).where(ROOMS.c.id == id))

    def _seed_of(self, connection: Connection, commitment: str, now: datetime) -> bytes:
        """The seed behind a commitment, which is used up by this."""
        mine = COMMITMENTS.c.commitment == commitment
        row = connection.execute(select(COMMITMENTS).where(mine)).one_or_none()
        if row is None or row.made < now - self.limits.commitment_age:
            raise InputError(f"commitment: none that was asked for here and not used yet, found {commitment[:64]!r}")
        connection.execute(delete(COMMITMENTS).where(mine))
        return bytes(row.server_seed)

    def _remember(self, kept: Kept) -> Kept:
        with self._lock:
            self._remembered[kept.room.id] = kept
            self._remembered.move_to_end(kept.room.id)
            while len(self._remembered) > self.limits.remembered:
                self._remembered.popitem(last=False)
        return kept


class _RoomDatabase(Database):
    """One with the tables of kept games."""

    what = "the games"

    def _prepare_tables(self) -> None:
        with self.writing() as connection:
            tables = inspect(connection).get_table_names()
            if VERSION.name not in tables:
                if tables:
                    raise InputError(f"{self.name}: expected an empty data base or games of bgai, found {tables[0]!r}")
                METADATA.create_all(connection)
                connection.execute(insert(VERSION).values(number=PRESENT))
            number = connection.execute(select(VERSION.c.number)).scalar_one()
        if number != PRESENT:
            raise InputError(f"{self.name}: it is of version {number}, expected {PRESENT}")


def _count(connection: Connection, table: Any) -> int:
    return int(connection.execute(select(func.count()).select_from(table)).scalar_one())


def _append(connection: Connection, room: Room, since: int) -> None:
    rows = [
        {"room_id": room.id, "number": number, "happening": json.dumps(happening.to_dict())}
        for number, happening in enumerate(room.happenings[since:], start=since + 1)
    ]
    connection.execute(insert(HAPPENINGS), rows)


def _player_seed(text: str | None) -> str:
    if text is None:
        return secrets.token_hex(16)
    if len(text) > LONGEST_SEED:
        raise InputError(f"player_seed: expected at most {LONGEST_SEED} characters, found {len(text)}")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InputError(f"player_seed: expected text, found {text!r}") from None
    return text
