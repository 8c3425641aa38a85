"""The players in the data base, and the spellings of their names."""

from __future__ import annotations

from sqlalchemy import Connection, delete, func, insert, select, update

from bgai.errors import InputError
from bgai.history.development import Player
from bgai.history.identity import key_of, name_of
from bgai.history.tables import CARDS, MATCHES, PLAYERS, SEATS, SPELLINGS

_SHOWN = 10
"""Players that a message names, at most."""


def listed(connection: Connection) -> list[Player]:
    """Everybody of whom there are matches: most matches first, of equals who has played last, then who has seat 0."""
    count = func.count(SEATS.c.match_id.distinct())
    rows = connection.execute(
        select(PLAYERS.c.id, PLAYERS.c.name, count)
        .join_from(PLAYERS, SEATS)
        .join(MATCHES)
        .group_by(PLAYERS.c.id, PLAYERS.c.name)
        .order_by(
            count.desc(), func.max(MATCHES.c.played).desc(), func.max(MATCHES.c.id).desc(), func.min(SEATS.c.seat)
        )
    )
    return [Player(*row) for row in rows]


def number_of(connection: Connection, name: str) -> int | None:
    """The number of the player of that name, however it is spelled; None if there is none."""
    return connection.scalar(select(SPELLINGS.c.player_id).where(SPELLINGS.c.key == key_of(name)))


def player_of(connection: Connection, name: str) -> int:
    """The number of a player, who is made if there is none of that name."""
    number = number_of(connection, name)
    if number is None:
        number = int(
            connection.execute(insert(PLAYERS).values(name=name_of(name)).returning(PLAYERS.c.id)).scalar_one()
        )
        connection.execute(insert(SPELLINGS).values(key=key_of(name), player_id=number))
    return number


def find(connection: Connection, name: str | None) -> Player:
    """The player of that name, however it is spelled; for None the one with most matches.

    Raises:
        InputError: there is none.
    """
    known = listed(connection)
    if not known:
        raise InputError("the history is empty, expected matches that bgai analyse or bgai history import put there")
    if name is None:
        return known[0]
    number = number_of(connection, name)
    found = next((player for player in known if player.number == number), None)
    if found is None:
        raise InputError(f"no player {name!r}, expected {_names(known)}")
    return found


def join(connection: Connection, name: str, into: str) -> Player:
    """Makes one name another spelling of a player, who gets the matches and problems under it too.

    Raises:
        InputError: nobody has the other name; or both are the same already.
    """
    player = find(connection, into)
    other = number_of(connection, name)
    if other == player.number:
        raise InputError(f"{name!r} and {into!r} are the same player already")
    if other is None:
        connection.execute(insert(SPELLINGS).values(key=key_of(name), player_id=player.number))
        return player
    both = select(CARDS.c.digest).where(CARDS.c.player_id == player.number)
    connection.execute(delete(CARDS).where(CARDS.c.player_id == other, CARDS.c.digest.in_(both)))
    for table in (CARDS, SEATS, SPELLINGS):
        connection.execute(update(table).where(table.c.player_id == other).values(player_id=player.number))
    connection.execute(delete(PLAYERS).where(PLAYERS.c.id == other))
    return find(connection, into)


def _names(players: list[Player]) -> str:
    """Who there is, for a message."""
    shown = [f"{player.name} ({player.matches})" for player in players[:_SHOWN]]
    if len(players) > _SHOWN:
        shown.append(f"{len(players) - _SHOWN} more")
    return ", ".join(shown) + " (with the number of their matches)"
