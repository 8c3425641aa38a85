"""Answers as JSON has them: the keys and the rounding of docs/json.md, and the steps of plays beside them.

Many questions are answered at once, and a single one is a block of one, so that both get the same numbers.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bgai.analyst import Analyst
from bgai.answers import Record, plies_record, values_records
from bgai.board import Board, borne_off, flip, opponent_borne_off, pip_count
from bgai.notation.identify import write_all
from bgai.notation.known_plays import KnownPlays
from bgai.notation.playtext import format_play
from bgai.notation.positionid import format_position_id, format_position_ids
from bgai.notation.reading import Reading
from bgai.notation.xgid import format_xgid
from bgai.plays import Steps, legal_plays
from bgai.position import Position
from bgai.server.positions import OWNERS
from bgai.version import JSON_VERSION

_KNOWN_TEXTS = 50_000


_OWNER_NAMES = {owner: name for name, owner in OWNERS.items()}


def steps_record(steps: Steps) -> list[list[int]]:
    """`[from, to]` of each step of one play: 25 is the bar, 0 off."""
    found: list[list[int]] = steps.tolist()
    return [step for step in found if step[0]]


def _said(board: Board, steps: Steps) -> tuple[str, list[list[int]]]:
    return format_play(board, steps), steps_record(steps)


PLAYS = KnownPlays(_said, _KNOWN_TEXTS)
"""Plays in notation, with their steps."""


def legal_record(position: Position) -> Record:
    """All legal plays of a roll."""
    assert position.dice is not None
    plays = legal_plays(position.board, position.dice)
    boards = np.repeat(position.board[None], len(plays), axis=0)
    entries = [
        {"play": text, "steps": steps, "position_id": after}
        for (text, steps), after in zip(
            PLAYS.of(boards, plays.steps), format_position_ids(plays.successors), strict=True
        )
    ]
    return {
        "version": JSON_VERSION,
        "position_id": format_position_id(position.board),
        "dice": list(position.dice),
        "must_pass": plays.must_pass,
        "plays": entries,
    }


def play_records(analyst: Analyst, settings: Record, questions: Sequence[tuple[Position, int]]) -> list[Record]:
    """The best plays of positions with dice, so many of each; all if 0.

    A loss is 0 where a play that was looked at less deeply would seem to be better than the best.
    """
    positions = [position for position, _ in questions]
    boards = np.stack([position.board for position in positions])
    ranked = analyst.rank(positions)
    offsets = ranked.plays.offsets
    counts = np.diff(offsets)
    owner = np.repeat(np.arange(len(questions)), counts)
    best = ranked.equities[ranked.order[offsets[:-1]]]
    most = np.array([top or count for (_, top), count in zip(questions, counts, strict=True)])
    wanted = np.arange(len(owner)) - offsets[:-1][owner] < most[owner]
    order, owner = ranked.order[wanted], owner[wanted]
    equities = ranked.equities[order]
    values = values_records(
        {
            "equity": equities,
            "cubeless_equity": ranked.cubeless[order],
            "mwc": ranked.mwc[order],
            "loss": np.maximum(best[owner] - equities, 0.0),
        },
        ranked.outcomes[order],
    )
    texts = PLAYS.of(boards[owner], ranked.plays.steps[order])
    # All in one go, because the first costs as much as many others.
    ids = format_position_ids(np.concatenate([boards, ranked.plays.successors[order]]))
    names, after_ids = ids[: len(boards)], ids[len(boards) :]
    entries: list[list[Record]] = [[] for _ in questions]
    for number, (text, steps), after, plies, value in zip(
        owner.tolist(), texts, after_ids, ranked.plies[order].tolist(), values, strict=True
    ):
        entries[number].append(
            {"play": text, "steps": steps, "position_id": after, "plies": plies_record(plies), **value}
        )
    return [
        {
            "version": JSON_VERSION,
            "position_id": name,
            "dice": list(position.dice or ()),
            "model": analyst.name,
            "settings": settings,
            "legal": count,
            "plays": plays,
        }
        for name, position, count, plays in zip(names, positions, counts.tolist(), entries, strict=True)
    ]


def evaluation_records(analyst: Analyst, settings: Record, positions: Sequence[Position]) -> list[Record]:
    """What positions are worth to the player on roll, before the roll."""
    found = analyst.evaluate_many(positions)
    values = values_records(
        {
            "equity": np.array([one.equity for one in found]),
            "cubeless_equity": np.array([one.cubeless for one in found]),
            "mwc": np.array([np.nan if one.mwc is None else one.mwc for one in found]),
        },
        np.stack([one.outcomes for one in found]),
    )
    return [
        {
            "version": JSON_VERSION,
            "position_id": format_position_id(position.board),
            "xgid": format_xgid(position),
            "model": analyst.name,
            "settings": settings,
            "plies": plies_record(one.plies),
            **value,
        }
        for position, one, value in zip(positions, found, values, strict=True)
    ]


def position_record(reading: Reading) -> Record:
    """A position in every notation, and field by field; each pair is the player on roll's and the opponent's."""
    position = reading.position
    board, score, cube = position.board, position.score, position.cube
    written = write_all(position)
    texts = {one.kind: one.text for one in written}
    lost = [f"{one.kind}: written {one.note}" for one in written if one.text is not None and one.note]
    return {
        "version": JSON_VERSION,
        "kind": reading.kind,
        "position_id": texts["position ID"],
        "gnubg_id": texts["GNUBG ID"],
        "xgid": texts["XGID"],
        "key": texts["gnubg-nn key"],
        "fibs_board": texts["FIBS board"],
        "side": ("upper", "lower")[position.seat],
        "board": board.tolist(),
        "pips": [int(pip_count(board)), int(pip_count(flip(board)))],
        "off": [int(borne_off(board)), int(opponent_borne_off(board))],
        "dice": None if position.dice is None else list(position.dice),
        "cube": cube.value,
        "cube_owner": _OWNER_NAMES[cube.owner],
        "cube_limit": position.cube_limit,
        "offer": position.offer,
        "length": score.length,
        "score": list(score.points),
        "crawford": score.crawford,
        "post_crawford": score.post_crawford,
        "jacoby": score.jacoby,
        "beavers": score.beavers,
        "remarks": [*reading.remarks, *lost],
    }
