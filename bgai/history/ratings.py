"""Ratings added up in the data base."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from functools import reduce
from operator import add
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, and_, case, func, select

from bgai.analysis.decision import MARKS
from bgai.analysis.statistics import Total
from bgai.errors import InputError
from bgai.history import players
from bgai.history.development import Development, Errors, Played, Player
from bgai.history.tables import DECISIONS, MATCHES, PLAYERS, SEATS

_MINE, _OTHER = SEATS.alias("mine"), SEATS.alias("other")
_PLAYS, _CUBE = ("play",), ("double", "answer")
_RATED = (*_PLAYS, *_CUBE)
_NOTHING = Errors(Total(), {mark: 0 for mark, _ in MARKS})


def development(
    connection: Connection, name: str | None, opponent: str | None = None, since: date | None = None
) -> Development:
    """All matches of a player (for None, the one with most), of them those against an opponent and from a day on.

    Raises:
        InputError: nobody of that name, or no such match.
    """
    player = players.find(connection, name)
    wanted = [_MINE.c.player_id == player.number]
    if opponent is not None:
        wanted.append(_OTHER.c.player_id == players.find(connection, opponent).number)
    if since is not None:
        wanted.append(MATCHES.c.played >= since)
    matches = _matches(connection, wanted)
    if not matches:
        against = "" if opponent is None else f" against {opponent}"
        after = "" if since is None else f" since {since}"
        raise InputError(f"no match of {player.name}{against}{after}, {_all_of(connection, player)}")
    return Development(player.name, matches, _plans(connection, wanted), _faults(connection, wanted))


def _all_of(connection: Connection, player: Player) -> str:
    """Which matches a player has, for a message."""
    mine = [_MINE.c.player_id == player.number]
    first, last = connection.execute(_joined(func.min(MATCHES.c.played), func.max(MATCHES.c.played)).where(*mine)).one()
    return f"the history has {player.matches} from {first} to {last}"


def _joined(*columns: Any) -> Select[Any]:
    """A selection from the matches with the seats of a player and of who played against that player."""
    other = and_(_OTHER.c.match_id == _MINE.c.match_id, _OTHER.c.seat == 1 - _MINE.c.seat)
    return select(*columns).select_from(MATCHES).join(_MINE, _MINE.c.match_id == MATCHES.c.id).join(_OTHER, other)


def _decided(*columns: Any) -> Select[Any]:
    """The same with the decisions of the player that ratings know."""
    mine = and_(DECISIONS.c.match_id == _MINE.c.match_id, DECISIONS.c.seat == _MINE.c.seat)
    return _joined(*columns).join(DECISIONS, mine).where(DECISIONS.c.kind.in_(_RATED))


def _sums() -> list[ColumnElement[Any]]:
    """What `Errors` holds, in the order in which `_errors` reads it."""
    conditions = [DECISIONS.c.counted, *(DECISIONS.c.mark == mark for mark, _ in MARKS)]
    counts = [func.sum(case((condition, 1), else_=0)) for condition in conditions]
    return [counts[0], func.sum(DECISIONS.c.loss), func.sum(DECISIONS.c.cost), *counts[1:]]


def _errors(sums: Sequence[Any]) -> Errors:
    counted, loss, cost, *marks = sums
    return Errors(
        Total(int(counted), float(loss), float(cost)),
        {mark: int(number) for (mark, _), number in zip(MARKS, marks, strict=True)},
    )


def _matches(connection: Connection, wanted: list[ColumnElement[bool]]) -> tuple[Played, ...]:
    sums = connection.execute(
        _decided(MATCHES.c.id, _MINE.c.seat, DECISIONS.c.kind, *_sums())
        .where(*wanted)
        .group_by(MATCHES.c.id, _MINE.c.seat, DECISIONS.c.kind)
    )
    errors = {tuple(row[:3]): _errors(row[3:]) for row in sums}

    def of(row: Row[Any], *kinds: str) -> Errors:
        return reduce(add, (errors.get((row.id, row.seat, kind), _NOTHING) for kind in kinds))

    opponents = PLAYERS.alias("opponents")
    rows = connection.execute(
        _joined(
            *(column for column in MATCHES.c if column.name != "analysis"),
            _MINE.c.seat,
            opponents.c.name.label("opponent"),
        )
        .join(opponents, opponents.c.id == _OTHER.c.player_id)
        .where(*wanted)
        .order_by(MATCHES.c.played, MATCHES.c.id, _MINE.c.seat)
    )
    return tuple(_played(row, of(row, *_PLAYS), of(row, *_CUBE)) for row in rows)


def _played(row: Row[Any], checker: Errors, cube: Errors) -> Played:
    score = (row.score_0, row.score_1)
    return Played(
        match=row.id,
        played=row.played,
        opponent=row.opponent,
        length=row.length,
        score=score if row.seat == 0 else score[::-1],
        won=None if row.winner is None else row.winner == row.seat,
        model=row.model,
        level=row.level,
        checker=checker,
        cube=cube,
    )


def _plans(connection: Connection, wanted: list[ColumnElement[bool]]) -> dict[str, Errors]:
    rows = connection.execute(
        _decided(DECISIONS.c.plan, *_sums()).where(*wanted, DECISIONS.c.kind.in_(_PLAYS)).group_by(DECISIONS.c.plan)
    )
    found = {row[0]: _errors(row[1:]) for row in rows}
    return dict(sorted(found.items(), key=lambda item: (-item[1].total.loss, item[0])))


def _faults(connection: Connection, wanted: list[ColumnElement[bool]]) -> dict[str, Total]:
    rows = connection.execute(
        _decided(DECISIONS.c.fault, func.count(), func.sum(DECISIONS.c.loss), func.sum(DECISIONS.c.cost))
        .where(*wanted, DECISIONS.c.fault.is_not(None))
        .group_by(DECISIONS.c.fault)
    )
    found = {row[0]: Total(int(row[1]), float(row[2]), float(row[3])) for row in rows}
    return dict(sorted(found.items(), key=lambda item: (-item[1].loss, item[0])))
