"""Analysed matches go into the data base, and come out of it."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any, Literal

import numpy as np
from sqlalchemy import Connection, delete, insert, select, update

from bgai.analysis.analysis import Analysis
from bgai.analysis.decision import Decision
from bgai.errors import InputError
from bgai.history import cards, players
from bgai.history.identity import depth_of, digest_of, name_of, played_on
from bgai.history.plans import plans_of_plays
from bgai.history.problem import KINDS, Problem
from bgai.history.tables import DECISIONS, GAMES, MATCHES, PLAYERS, SEATS
from bgai.notation.positionid import format_position_ids

PRACTISED = ("bad", "very bad")
"""Marks of the decisions that become problems."""

What = Literal["added", "replaced", "deeper already"]


@dataclass(frozen=True)
class Remembered:
    """What became of an analysis."""

    match: int
    """Number of the match in the history."""
    what: What
    """`deeper already`: the history has an analysis of the match that looked further ahead, and keeps it."""


def remember(
    connection: Connection, analysis: Analysis, *, source: str | None, now: datetime, played: date | None = None
) -> Remembered:
    """Keeps an analysis. One of the same match gives way, unless it has another level and looked further ahead.

    Args:
        now: with its time zone.
        played: the day; if it is None the one that the record names, else that of `now`.
    """
    record, depth = analysis.record, depth_of(analysis)
    digest = digest_of(record)
    before = connection.execute(
        select(MATCHES.c.id, MATCHES.c.level, MATCHES.c.depth, MATCHES.c.source, MATCHES.c.played).where(
            MATCHES.c.digest == digest
        )
    ).one_or_none()
    if before is not None and before.level != analysis.level and before.depth > depth:
        return Remembered(before.id, "deeper already")
    final = record.final
    played = played or played_on(record) or (now.date() if before is None else before.played)
    values = {
        "digest": digest,
        "length": record.rules.length,
        "score_0": final.score[0],
        "score_1": final.score[1],
        "winner": final.winner,
        "played": played,
        "analysed": now.astimezone(UTC).replace(tzinfo=None),
        "source": source if source is not None or before is None else before.source,
        "model": analysis.model,
        "level": analysis.level,
        "met": analysis.met,
        "depth": depth,
        "analysis": pack(analysis),
    }
    if before is None:
        number = int(connection.execute(insert(MATCHES).values(values).returning(MATCHES.c.id)).scalar_one())
    else:
        number = int(before.id)
        connection.execute(update(MATCHES).where(MATCHES.c.id == number).values(values))
        for table in (SEATS, GAMES, DECISIONS):
            connection.execute(delete(table).where(table.c.match_id == number))
    seats = [players.player_of(connection, name) for name in record.players]
    connection.execute(
        insert(SEATS), [{"match_id": number, "seat": seat, "player_id": player} for seat, player in enumerate(seats)]
    )
    for table, rows in ((GAMES, _games(analysis)), (DECISIONS, _decisions(analysis))):
        if rows:
            connection.execute(insert(table), [{"match_id": number} | row for row in rows])
    problems = [(seats[seat], problem) for seat, problem in _problems(analysis, played)]
    cards.put(connection, number, problems, now.date())
    return Remembered(number, "added" if before is None else "replaced")


def forget(connection: Connection, number: int) -> str:
    """Takes a match out, with the problems from it; returns what it was.

    Raises:
        InputError: there is no such match.
    """
    row = connection.execute(select(MATCHES.c.id).where(MATCHES.c.id == number)).one_or_none()
    if row is None:
        raise InputError(_unknown(number))
    names = connection.scalars(
        select(PLAYERS.c.name).join_from(SEATS, PLAYERS).where(SEATS.c.match_id == number).order_by(SEATS.c.seat)
    ).all()
    connection.execute(delete(MATCHES).where(MATCHES.c.id == number))
    return " and ".join(names)


def analysis_of(connection: Connection, number: int) -> Analysis:
    """The whole analysis of a match.

    Raises:
        InputError: there is no such match, or its data are damaged.
    """
    data = connection.scalar(select(MATCHES.c.analysis).where(MATCHES.c.id == number))
    if data is None:
        raise InputError(_unknown(number))
    return Analysis.from_dict(unpack(data))


def _unknown(number: int) -> str:
    return f"no match {number} in the history, expected one of the numbers that bgai history shows"


def pack(analysis: Analysis) -> bytes:
    """An analysis as the data base keeps it."""
    return zlib.compress(json.dumps(analysis.to_dict(), separators=(",", ":")).encode())


def unpack(data: bytes) -> dict[str, Any]:
    """What `Analysis.to_dict` gave.

    Raises:
        InputError: the data are damaged.
    """
    try:
        found: dict[str, Any] = json.loads(zlib.decompress(data))
    except (zlib.error, ValueError) as error:
        raise InputError(f"an analysis in the history is damaged: {error}") from None
    return found


def kept(connection: Connection) -> Iterator[Any]:
    """The matches with their analyses, packed, in the order in which they came."""
    columns = (MATCHES.c.id, MATCHES.c.played, MATCHES.c.analysed, MATCHES.c.source, MATCHES.c.analysis)
    yield from connection.execute(select(*columns).order_by(MATCHES.c.id)).yield_per(10)


def _games(analysis: Analysis) -> list[dict[str, Any]]:
    rows = []
    for number, (game, result) in enumerate(zip(analysis.record.games, analysis.results, strict=True)):
        end = game.result
        rows.append(
            {
                "number": number,
                "winner": None if end is None else end.winner,
                "points": None if end is None else end.points,
                "how": None if end is None else end.how,
                "result": result,
            }
        )
    return rows


def _decisions(analysis: Analysis) -> list[dict[str, Any]]:
    decisions = analysis.decisions
    if not decisions:
        return []
    ids = format_position_ids(np.stack([one.position.board for one in decisions]))
    plays = [place for place, one in enumerate(decisions) if one.kind == "play"]
    boards = [decisions[place].position.board for place in plays]
    plans = dict(zip(plays, plans_of_plays(np.stack(boards)) if boards else [], strict=True))
    return [_row(one, ids[place]) | {"plan": plans.get(place)} for place, one in enumerate(decisions)]


def _row(one: Decision, position_id: str) -> dict[str, Any]:
    return {
        "game": one.game,
        "event": one.event,
        "seat": one.seat,
        "kind": one.kind,
        "position_id": position_id,
        "best": one.best.text,
        "made": one.chosen.text,
        "loss": one.loss,
        "mwc_loss": one.mwc_loss,
        "cost": one.cost,
        "mark": one.mark,
        "fault": one.fault,
        "counted": one.counted,
        "close": one.close,
        "forced": one.forced,
    }


def _problems(analysis: Analysis, played: date) -> Iterator[tuple[int, Problem]]:
    """The errors of both sides that are worth practising, with the seats."""
    first, second = analysis.record.players
    for one in analysis.decisions:
        if one.kind in KINDS and one.mark in PRACTISED:
            source = f"{name_of(first)} - {name_of(second)}, {played}, game {one.game + 1}"
            yield one.seat, Problem.of(one, analysis.model, analysis.level, source)
