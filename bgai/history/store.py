"""The history as a whole: every use of it is one transaction of the data base."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from typing import Any

from sqlalchemy import select

from bgai.analysis.analysis import Analysis
from bgai.errors import InputError
from bgai.history import cards, exchange, players, ratings, remembering
from bgai.history.database import Database
from bgai.history.development import Development, Player
from bgai.history.place import url_of
from bgai.history.problem import Card, Problem
from bgai.history.remembering import Remembered
from bgai.history.spacing import Schedule
from bgai.history.tables import PLAYERS, SPELLINGS


class History:
    """Made by `bgai.history.open_history`, and used as a context. All its methods raise `InputError` for a data base
    that cannot be read or written."""

    def __init__(self, where: str | None = None, *, create: bool = True) -> None:
        self._database = Database(url_of(where), create=create)
        self.name = self._database.name
        """The data base, in words."""

    def __enter__(self) -> History:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the connection."""
        self._database.close()

    def remember(
        self,
        analysis: Analysis,
        *,
        source: str | None = None,
        now: datetime | None = None,
        played: date | None = None,
    ) -> Remembered:
        """Keeps an analysis; see `bgai.history.remembering.remember`."""
        now = datetime.now().astimezone() if now is None else now
        with self._database.writing() as connection:
            return remembering.remember(connection, analysis, source=source, now=now, played=played)

    def forget(self, match: int) -> str:
        """Takes a match and its problems out; returns who played it.

        Raises:
            InputError: there is no such match.
        """
        with self._database.writing() as connection:
            return remembering.forget(connection, match)

    def analysis(self, match: int) -> Analysis:
        """The whole analysis of a match.

        Raises:
            InputError: there is no such match.
        """
        with self._database.reading() as connection:
            return remembering.analysis_of(connection, match)

    def players(self) -> list[Player]:
        """Everybody of whom there are matches, most matches first."""
        with self._database.reading() as connection:
            return players.listed(connection)

    def player(self, name: str | None) -> Player:
        """The player of that name; for None the one with most matches.

        Raises:
            InputError: there is none.
        """
        with self._database.reading() as connection:
            return players.find(connection, name)

    def join(self, name: str, into: str) -> Player:
        """Makes a name another spelling of a player.

        Raises:
            InputError: nobody has the other name; or both are the same already.
        """
        with self._database.writing() as connection:
            return players.join(connection, name, into)

    def development(
        self, player: str | None = None, opponent: str | None = None, since: date | None = None
    ) -> Development:
        """The matches of a player, by default of the one with most.

        Raises:
            InputError: nobody of that name, or no such match.
        """
        with self._database.reading() as connection:
            return ratings.development(connection, player, opponent, since)

    def add_problem(self, problem: Problem, today: date) -> bool:
        """Adds a problem that is everybody's; returns False if it is there already."""
        with self._database.writing() as connection:
            return cards.add(connection, problem, today)

    def has_problem(self, digest: str) -> bool:
        """Whether there is such a problem of everybody's, see `Problem.digest`."""
        with self._database.reading() as connection:
            return cards.known(connection, digest)

    def due(self, player: Player | None, today: date, most: int) -> list[Card]:
        """The problems that a player should practise now, and those from lists."""
        with self._database.reading() as connection:
            return cards.due(connection, None if player is None else player.number, today, most)

    def count(self, player: Player | None, today: date) -> tuple[int, int, date | None]:
        """How many problems there are, how many of them are due, and when the next of the others is."""
        with self._database.reading() as connection:
            return cards.count(connection, None if player is None else player.number, today)

    def answer(self, card: Card, quality: int, today: date) -> Schedule:
        """Notes an answer of a quality from 0 to 5; returns when the problem comes again.

        Raises:
            InputError: there is no such problem any more.
        """
        with self._database.writing() as connection:
            return cards.answer(connection, card.number, quality, today)

    def export(self) -> Iterator[str]:
        """Everything as JSON, in pieces."""
        with self._database.reading() as connection:
            names = {row.id: row.name for row in connection.execute(select(PLAYERS.c.id, PLAYERS.c.name))}
            spellings: dict[str, list[str]] = {name: [] for name in names.values()}
            for row in connection.execute(select(SPELLINGS).order_by(SPELLINGS.c.key)):
                spellings[names[row.player_id]].append(row.key)
            matches = (
                {
                    "played": row.played.isoformat(),
                    "analysed": f"{row.analysed.isoformat()}+00:00",
                    "source": row.source,
                    "analysis": remembering.unpack(row.analysis),
                }
                for row in remembering.kept(connection)
            )
            problems = (
                {
                    "player": names.get(row.player_id),
                    "problem": json.loads(row.problem),
                    "due": row.due.isoformat(),
                    "repetitions": row.repetitions,
                    "interval": row.interval,
                    "ease": row.ease,
                    "answers": row.answers,
                    "right": row.right,
                }
                for row in cards.listed(connection)
            )
            yield from exchange.written(matches, spellings, problems)

    def read(self, text: str, *, source: str, now: datetime | None = None) -> list[Remembered]:
        """Takes in an export, or the JSON of one analysis. Each match is a transaction; the rest is one more.

        Raises:
            InputError: something else, or an entry that is none.
        """
        data = exchange.read(text)
        found = [self._read_match(entry, source, now) for entry in data["matches"]]
        today = (now or datetime.now()).date()
        with self._database.writing() as connection:
            for name, keys in data["spellings"].items():
                number = players.number_of(connection, name)
                for key in keys if number is not None else []:
                    if players.number_of(connection, key) != number:
                        players.join(connection, key, name)
            for entry in data["problems"]:
                card, name = _card_of(entry)
                owner = None if name is None else players.number_of(connection, name)
                if name is None or owner is not None:
                    cards.restore(connection, owner, card, today)
        return found

    def _read_match(self, entry: Any, source: str, now: datetime | None) -> Remembered:
        if not isinstance(entry, Mapping) or "analysis" not in entry:
            raise InputError(f"a match of the export: expected an analysis, found {str(entry)[:40]!r}")
        analysed, played = entry.get("analysed"), entry.get("played")
        try:
            moment = now if analysed is None else datetime.fromisoformat(analysed)
        except (TypeError, ValueError):
            raise InputError(f"a match of the export: expected a date and time, found {analysed!r}") from None
        return self.remember(
            Analysis.from_dict(entry["analysis"]),
            source=entry.get("source", source),
            now=moment,
            played=None if played is None else exchange.day(played),
        )


def _card_of(entry: Any) -> tuple[Card, str | None]:
    """A problem of an export, and whose it is."""
    try:
        schedule = Schedule(
            exchange.day(entry["due"]), int(entry["repetitions"]), int(entry["interval"]), float(entry["ease"])
        )
        card = Card(0, Problem.from_dict(entry["problem"]), schedule, int(entry["answers"]), int(entry["right"]))
        return card, None if entry["player"] is None else str(entry["player"])
    except (KeyError, TypeError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        reason = f"{error} is missing" if isinstance(error, KeyError) else str(error)
        raise InputError(f"a problem of the export: {reason}") from None
