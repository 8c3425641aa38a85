"""The problems of the quiz in the data base."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import date
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, bindparam, delete, func, insert, or_, select, update

from bgai.errors import InputError
from bgai.history.problem import Card, Problem
from bgai.history.spacing import PASSED, Schedule
from bgai.history.tables import CARDS
from bgai.notation.positionid import format_position_id


def put(connection: Connection, match: int, problems: Iterable[tuple[int, Problem]], today: date) -> None:
    """Makes these the problems of a match; those that were there already stay where they stand."""
    wanted = {(player, problem.digest): problem for player, problem in problems}
    columns = (CARDS.c.id, CARDS.c.player_id, CARDS.c.digest, CARDS.c.match_id)
    players = {player for player, _ in wanted}
    rows = connection.execute(select(*columns).where(or_(CARDS.c.match_id == match, CARDS.c.player_id.in_(players))))
    there = {(row.player_id, row.digest): row for row in rows}
    new = [_new(problem, today, key[0], match) for key, problem in wanted.items() if key not in there]
    known = [{"card": there[key].id, "text": _text(wanted[key])} for key in wanted.keys() & there.keys()]
    gone = [row.id for key, row in there.items() if row.match_id == match and key not in wanted]
    if new:
        connection.execute(insert(CARDS), new)
    if known:
        changed = update(CARDS).where(CARDS.c.id == bindparam("card"))
        connection.execute(changed.values(match_id=match, problem=bindparam("text")), known)
    if gone:
        connection.execute(delete(CARDS).where(CARDS.c.id.in_(gone)))


def add(connection: Connection, problem: Problem, today: date) -> bool:
    """Adds a problem that is everybody's; returns False if it is there already."""
    if _find(connection, None, problem) is not None:
        return False
    _insert(connection, problem, today)
    return True


def known(connection: Connection, digest: str) -> bool:
    """Whether there is such a problem of everybody's."""
    found = select(CARDS.c.id).where(CARDS.c.digest == digest, CARDS.c.player_id.is_(None))
    return connection.scalar(found) is not None


def due(connection: Connection, player: int | None, today: date, most: int) -> list[Card]:
    """What a player should practise now, with what is everybody's: longest overdue first, then the oldest."""
    rows = connection.execute(
        select(CARDS).where(_whose(player), CARDS.c.due <= today).order_by(CARDS.c.due, CARDS.c.id).limit(most)
    )
    return [_card(row) for row in rows]


def count(connection: Connection, player: int | None, today: date) -> tuple[int, int, date | None]:
    """How many problems there are, how many of them are due, and when the next of the others is."""
    whose = _whose(player)
    everything = connection.scalar(select(func.count()).select_from(CARDS).where(whose)) or 0
    now = connection.scalar(select(func.count()).select_from(CARDS).where(whose, CARDS.c.due <= today)) or 0
    following = connection.scalar(select(func.min(CARDS.c.due)).where(whose, CARDS.c.due > today))
    return int(everything), int(now), following


def answer(connection: Connection, number: int, quality: int, today: date) -> Schedule:
    """Notes an answer; returns when the problem comes again.

    Raises:
        InputError: there is no such problem any more.
    """
    row = connection.execute(select(CARDS).where(CARDS.c.id == number)).one_or_none()
    if row is None:
        raise InputError("the problem is no longer in the history, its match was forgotten or analysed anew")
    schedule = _schedule(row).after(quality, today)
    connection.execute(
        update(CARDS)
        .where(CARDS.c.id == number)
        .values(**vars(schedule), answers=CARDS.c.answers + 1, right=CARDS.c.right + int(quality >= PASSED))
    )
    return schedule


def listed(connection: Connection) -> list[Row[Any]]:
    """Every problem, as the table has it."""
    return list(connection.execute(select(CARDS).order_by(CARDS.c.id)))


def restore(connection: Connection, player: int | None, card: Card, today: date) -> None:
    """Brings a problem to where it stands elsewhere, and makes it if it is everybody's.

    One of a player follows from a match; without that match it is left out.
    """
    number = _find(connection, player, card.problem)
    if number is None:
        if player is not None:
            return
        number = _insert(connection, card.problem, today)
    values = {**vars(card.schedule), "answers": card.answers, "right": card.right}
    connection.execute(update(CARDS).where(CARDS.c.id == number).values(values))


def _whose(player: int | None) -> ColumnElement[bool]:
    return or_(CARDS.c.player_id == player, CARDS.c.player_id.is_(None))


def _find(connection: Connection, player: int | None, problem: Problem) -> int | None:
    owner = CARDS.c.player_id.is_(None) if player is None else CARDS.c.player_id == player
    return connection.scalar(select(CARDS.c.id).where(CARDS.c.digest == problem.digest, owner))


def _insert(connection: Connection, problem: Problem, today: date) -> int:
    """Adds a problem that is everybody's."""
    made = insert(CARDS).values(_new(problem, today, None, None)).returning(CARDS.c.id)
    return int(connection.execute(made).scalar_one())


def _new(problem: Problem, today: date, player: int | None, match: int | None) -> dict[str, Any]:
    """The row of a problem that nobody has answered yet."""
    return {
        "player_id": player,
        "match_id": match,
        "digest": problem.digest,
        "kind": problem.kind,
        "position_id": format_position_id(problem.position.board),
        "problem": _text(problem),
        "made_on": today,
        "answers": 0,
        "right": 0,
        **vars(Schedule(today)),
    }


def _text(problem: Problem) -> str:
    return json.dumps(problem.to_dict(), separators=(",", ":"))


def _schedule(row: Row[Any]) -> Schedule:
    return Schedule(row.due, row.repetitions, row.interval, row.ease)


def _card(row: Row[Any]) -> Card:
    try:
        problem = Problem.from_dict(json.loads(row.problem))
    except ValueError as error:
        raise InputError(f"problem {row.id} in the history is damaged: {error}") from None
    return Card(row.id, problem, _schedule(row), row.answers, row.right)
