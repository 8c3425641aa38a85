"""What `bgai rollout` prints."""

from __future__ import annotations

import math
import sys

from bgai.notation.drawing import draw, wants_colour
from bgai.notation.positionid import format_position_id
from bgai.rollout import Rollout
from bgai.rollout_candidates import Candidate, cube_advice
from bgai.rollout_statistics import student_95

_WHY = {"settled": "decided", "error": "steady enough", None: ""}


def plus_minus(value: float, half: float, decimals: int = 3, sign: str = "+") -> str:
    """A value with half of its 95 % interval."""
    shown = f"{half:.{decimals}f}" if math.isfinite(half) else "?"
    return f"{value:{sign}.{decimals}f} ± {shown}"


def page(rollout: Rollout, *, ascii_only: bool) -> str:
    """The board, then the table, then what it amounts to."""
    position, settings = rollout.position, rollout.settings
    board = draw(position.board, ascii_only=ascii_only, position=position, colour=wants_colour(sys.stdout))
    name = format_position_id(position.board)
    what = "X on roll" if position.dice is None else f"X to play {position.dice[0]}-{position.dice[1]}"
    how = "with the cube" if settings.cubeful else "cubeless"
    end = "played out" if settings.truncation is None else f"cut off after {settings.truncation} plies"
    heading = (
        f"{rollout.model.name}, rolled out at 0-ply {how}, {end}, seed {settings.seed}; ± half of the 95 % interval"
    )
    return f"{board}\n{what}, {name}\n\n{heading}\n\n{table(rollout)}\n\n{_verdict(rollout)}"


def table(rollout: Rollout) -> str:
    """The candidates, one a line, under a heading; losses in millipoints."""
    ranked = rollout.ranked()
    columns = [_columns(rollout, number, one, ranked[0]) for number, one in enumerate(ranked, 1)]
    lines = []
    for names in (0, 1):
        cells = [f"{column[names]:>{_width(columns, place)}}" for place, column in enumerate(columns[0])]
        if names:
            cells[0] = f"{columns[0][0][1]:{_width(columns, 0)}}"
        lines.append("  ".join(cells).rstrip())
    for row in columns:
        cells = [f"{column[2]:>{_width(columns, place)}}" for place, column in enumerate(row)]
        cells[0] = f"{row[0][2]:{_width(columns, 0)}}"
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


_Column = tuple[str, str, str]
"""Two lines of heading and an entry."""


def _width(rows: list[list[_Column]], place: int) -> int:
    return max(len(text) for row in rows for text in row[place])


def _columns(rollout: Rollout, number: int, one: Candidate, best: Candidate) -> list[_Column]:
    plays, match = rollout.position.dice is not None, rollout.stakes.match
    spread = student_95(len(one.blocks) - 1)
    equity = one.equity[0]
    cubeless, cubeless_error = one.cubeless_equity
    loss, loss_error = best.lead(one)
    win, gammon, backgammon, lost_gammon, lost_backgammon = (f"{100 * chance:.1f}%" for chance in one.outcomes[0])
    columns = [
        ("", "    play" if plays else "", f"{number:>3} {one.name}" if plays else one.name),
        ("", "equity", plus_minus(equity, one.half_width)),
    ]
    if plays:
        beside = "" if one is best else plus_minus(1000 * loss, 1000 * spread * loss_error, 1, "")
        columns.append(("", "loss", beside))
    if rollout.settings.cubeful:
        columns.append(("", "cubeless", plus_minus(cubeless, spread * cubeless_error)))
    if match:
        mwc = rollout.stakes.centre + rollout.stakes.half * equity
        columns.append(("", "match", plus_minus(100 * mwc, 100 * rollout.stakes.half * one.half_width, 2, "") + "%"))
    return [
        *columns,
        ("", "trials", f"{one.trials:,}" + "*" * one.dropped),
        ("wins", "all", win),
        ("", "gammon", gammon),
        ("", "backg.", backgammon),
        ("loses", "gammon", lost_gammon),
        ("", "backg.", lost_backgammon),
    ]


def _verdict(rollout: Rollout) -> str:
    ranked = rollout.ranked()
    lines = []
    if rollout.is_cube_decision and len(ranked) == 2:
        action, answer = cube_advice(rollout.position, ranked)
        lines.append(f"{action.capitalize()}; {answer} if doubled (a pass is worth +1.000).")
    most = max(one.trials for one in ranked)
    if not rollout.complete:
        lines.append(f"Interrupted after {most:,} of {rollout.settings.trials:,} trials.")
    elif rollout.stopped is not None:
        lines.append(f"Ended after {most:,} of {rollout.settings.trials:,} trials: {_WHY[rollout.stopped]}.")
    else:
        lines.append(f"{most:,} trials.")
    if any(one.dropped for one in ranked):
        lines.append("* dropped, because it was clearly worse")
    return "\n".join(lines)
