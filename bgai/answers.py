"""Answers as JSON has them, for the command line and the server alike: the keys and the rounding of docs/json.md."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgai.analyst import Analyst
from bgai.cube_decision import decide_cube
from bgai.levels import Level
from bgai.notation.positionid import format_position_id
from bgai.notation.xgid import format_xgid
from bgai.opinions import ROLLED
from bgai.outcomes import NAMES, Outcomes
from bgai.position import Position
from bgai.version import JSON_VERSION

DECIMALS = 6
"""A `float32` chance is good to seven digits."""

Record = dict[str, Any]
Numbers = NDArray[np.float64]


def settings_record(level: Level) -> Record:
    """How far was looked ahead."""
    settings = level.settings
    return {
        "level": level.name,
        "plies": settings.plies,
        "filter": settings.moves.name,
        "seconds": settings.seconds,
    }


def cube_record(analyst: Analyst, settings: Record, position: Position, *, market: bool) -> Record:
    """The cube decision of a position before the roll, or the answer to a double; `market` for the market losers."""
    found = decide_cube(analyst, position, look_ahead=market)
    asked = found.may_double or position.offer is not None
    mwc: dict[str, float | None] | None = None
    if found.mwc is not None:
        mwc = {**found.mwc, "double_take": found.mwc["double_take"] if asked else None}
    record = {
        "no_double": found.no_double,
        "double_take": found.double_take if asked else None,
        "double_pass": found.double_pass,
        "action": found.action,
        "answer": found.answer if asked else None,
        "may_double": found.may_double,
        "why": found.why,
        "take_point": found.take_point,
        "gammon_price": found.gammon_price,
        "market_losers": found.market_losers,
        "mwc": mwc,
        "cubeless_equity": found.cubeless,
        **dict(zip(NAMES, map(float, found.outcomes), strict=True)),
    }
    return {
        "version": JSON_VERSION,
        "position_id": format_position_id(position.board),
        "xgid": format_xgid(position),
        "model": analyst.name,
        "settings": settings,
        "plies": plies_record(found.plies),
        "offer": position.offer,
        **rounded(record),
    }


def plies_record(plies: int) -> int | None:
    """In JSON: None for what was rolled out."""
    return None if plies == ROLLED else plies


def rounded(value: Any) -> Any:
    """All numbers of an answer, rounded."""
    if isinstance(value, float):
        # Adding 0 turns -0.0 into 0.0.
        return round(value, DECIMALS) + 0.0
    if isinstance(value, dict):
        return {key: rounded(one) for key, one in value.items()}
    return [rounded(one) for one in value] if isinstance(value, list | tuple) else value


def values_records(columns: dict[str, Numbers], outcomes: Outcomes) -> list[Record]:
    """The numbers of N answers by their keys, rounded: columns float64[N], one of them `mwc`, and outcomes
    float32[N, 5]. A chance to win the match that is no number is None."""
    names = [*columns, *NAMES]
    table = np.concatenate([np.stack(list(columns.values()), axis=1), outcomes], axis=1, dtype=np.float64)
    # Adding 0 turns -0.0 into 0.0.
    rows = (np.round(table, DECIMALS) + 0.0).tolist()
    found = [dict(zip(names, row, strict=True)) for row in rows]
    for one in found:
        if one["mwc"] != one["mwc"]:
            one["mwc"] = None
    return found
