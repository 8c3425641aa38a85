"""What `bgai bearoff show` says about a position, as a record and as a page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from bgai import bearoff
from bgai.board import CHECKERS, Board, borne_off, opponent_borne_off
from bgai.cli.cube import spoken
from bgai.cube_decision import proper_action, proper_answer
from bgai.notation.drawing import draw
from bgai.notation.positionid import format_position_id
from bgai.outcomes import NAMES, equity
from bgai.version import JSON_VERSION

Record = dict[str, Any]
OneSided = Callable[[], bearoff.OneSided]
TwoSided = Callable[[int], bearoff.TwoSided]

_RARE = 5e-4
"""Chances below this are left out where they are shown with one decimal."""
_DECIMALS = 6
_OWNERS = {"centred": "centred", "on roll": "X's", "opponent": "O's"}


def show_record(board: Board, checkers: int, one_sided: OneSided, two_sided: TwoSided) -> Record:
    """What `--json` prints; `checkers` a side at most in the exact table."""
    table = one_sided()
    rolls, means = table.rolls(board[None])[0], table.mean_rolls(board[None])[0]
    record: Record = {
        "version": JSON_VERSION,
        "position_id": format_position_id(board),
        "rolls": {
            who: {"mean": _rounded(mean), "chances": [_rounded(chance) for chance in np.trim_zeros(chances, "b")]}
            for who, mean, chances in zip(("on_roll", "opponent"), means, rolls, strict=True)
        },
        "exact": _most(board) <= checkers,
    }
    if not record["exact"]:
        return {**record, **_chances(table.outcomes(board[None])), "cubes": None}
    exact = two_sided(checkers)
    cube = exact.cube(board[None])
    cubes = []
    for owner, value, waiting in (("centred", cube.centred, cube.no_double), ("on roll", cube.owned, cube.no_redouble)):
        no_double, double_take = float(waiting[0]), float(cube.double_take[0])
        cubes.append(
            {
                "owner": owner,
                "equity": _rounded(value[0]),
                "no_double": _rounded(no_double),
                "double_take": _rounded(double_take),
                "double_pass": 1.0,
                "action": proper_action(no_double, double_take, owned=owner == "on roll"),
                "answer": proper_answer(double_take),
            }
        )
    others = {"no_double": None, "double_take": None, "double_pass": None, "action": None, "answer": None}
    cubes.append({"owner": "opponent", "equity": _rounded(cube.opponents[0]), **others})
    return {**record, **_chances(exact.outcomes(board[None])), "cubes": cubes}


def show_page(board: Board, record: Record, *, ascii_only: bool) -> str:
    """The board, the rolls that each side needs, then what is exact or the best that is known."""
    lines = [draw(board, ascii_only=ascii_only), f"X on roll, {record['position_id']}", "", *_rolls(record), ""]
    if record["exact"]:
        return "\n".join([*lines, *_exact(record)])
    lines += _approximate(record)
    if _most(board) <= bearoff.LARGEST:
        lines += ["", f"For exact values a larger table is needed: --checkers {_most(board)}."]
    return "\n".join(lines)


def _most(board: Board) -> int:
    """Checkers of the side that has more."""
    return int(CHECKERS - min(borne_off(board), opponent_borne_off(board)))


def _chances(outcomes: Any) -> Record:
    chances = {name: _rounded(chance) for name, chance in zip(NAMES, outcomes[0], strict=True)}
    return {"cubeless_equity": _rounded(equity(outcomes)[0]), **chances}


def _rounded(number: Any) -> float:
    return round(float(number), _DECIMALS) + 0.0


def _rolls(record: Record) -> list[str]:
    """How many rolls each side needs."""
    sides = [record["rolls"]["on_roll"], record["rolls"]["opponent"]]
    lines = ["rolls to bear off      X       O", "  mean        " + "".join(f"{side['mean']:8.3f}" for side in sides)]
    longest = max(len(side["chances"]) for side in sides)
    rows = [[dict(enumerate(side["chances"])).get(number, 0.0) for side in sides] for number in range(longest)]
    shown = [number for number, row in enumerate(rows) if max(row) >= _RARE]
    for number in range(shown[0], shown[-1] + 1):
        chances = "".join(f"{100 * chance:7.1f}%" if chance >= _RARE else f"{'-':>8}" for chance in rows[number])
        lines.append(f"  {number:<12}{chances}")
    return lines


def _approximate(record: Record) -> list[str]:
    return [
        "as if each side played for itself:",
        f"  X wins {record['win']:.2%} (gammons {record['win_gammon']:.2%}, lost gammons {record['lose_gammon']:.2%}),"
        f" equity {record['cubeless_equity']:+.4f} without a cube",
    ]


def _exact(record: Record) -> list[str]:
    lines = [
        "exact, money:",
        f"  X wins {record['win']:.4%}, equity {record['cubeless_equity']:+.5f} without a cube",
        "",
        "  cube           equity  no double      taken     passed",
    ]
    for entry in record["cubes"]:
        numbers = [entry[name] for name in ("equity", "no_double", "double_take", "double_pass")]
        shown = "  ".join(f"{number:+9.5f}" for number in numbers if number is not None)
        said = f"  {spoken(entry['action'])}, {entry['answer']}" if entry["action"] else ""
        lines.append(f"  {_OWNERS[entry['owner']]:12}{shown}{said}")
    return lines
