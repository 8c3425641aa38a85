"""The position line of Snowie: forty fields behind each other, each ended by a semicolon.

| field | |
|---|---|
| 1 | length of the match, 0 for money |
| 2 | 1 with the Jacoby rule |
| 3, 4 | not used; the fourth is 1 for money |
| 5 | seat on roll |
| 6, 7 | names of the player on roll and of the opponent |
| 8 | 1 in the Crawford game |
| 9, 10 | points of both |
| 11, 12 | cube, and who owns it: 1 the player on roll, -1 the opponent, 0 nobody |
| 13 | the opponent's bar, 0 or negative |
| 14 to 37 | points 1 to 24 of the player on roll, the opponent's checkers negative |
| 38 | the own bar |
| 39, 40 | the dice, 0 before the roll |

This is `bgai`'s board from field 13 on. GNU Backgammon writes the line with `export position snowietxt`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bgai.board import Board, as_board
from bgai.dice import check_roll
from bgai.errors import InputError
from bgai.match_state import MatchState

FIELDS = 40


@dataclass(frozen=True)
class SnowiePosition:
    """What the line says."""

    length: int
    jacoby: bool
    seat: int
    """Who is on roll."""
    players: tuple[str, str]
    """By seat."""
    crawford: bool
    score: tuple[int, int]
    """By seat."""
    cube: int
    owner: int | None
    """Seat."""
    board: Board
    """Seen by `seat`."""
    dice: tuple[int, int] | None


def is_snowie_line(text: str) -> bool:
    """Whether a line looks like one."""
    parts = text.strip().removesuffix(";").split(";")
    return len(parts) >= FIELDS - 2 and parts[0].strip().isdigit()


def parse_snowie_line(text: str) -> SnowiePosition:
    """Reads a position line; the dice may be missing.

    Raises:
        InputError: too few fields, or one that cannot be.
    """
    parts = text.strip().removesuffix(";").split(";")
    if len(parts) < FIELDS - 2:
        raise InputError(f"a position line of Snowie has {FIELDS} fields, found {len(parts)}")
    # A name may hold a semicolon; what is behind the names is numbers only and is counted from the end.
    behind = FIELDS - 7 if len(parts) >= FIELDS else FIELDS - 9
    names = parts[5 : len(parts) - behind]
    numbers = [_number(part, place) for place, part in enumerate((*parts[:5], *parts[len(parts) - behind :]), start=1)]
    length, jacoby, _, _, seat, crawford, mine, theirs, cube, owner, *rest = numbers
    if seat not in (0, 1):
        raise InputError(f"Snowie's field 5, the player on roll: found {seat}, expected 0 or 1")
    if owner not in (-1, 0, 1):
        raise InputError(f"Snowie's field 12, the owner of the cube: found {owner}, expected -1, 0 or 1")
    players = (names[0].strip(), ";".join(names[1:]).strip())
    dice = tuple(rest[26:28])
    rolled = _roll(dice[0], dice[1]) if len(dice) == 2 and any(dice) else None
    return SnowiePosition(
        length,
        bool(jacoby),
        seat,
        players if seat == 0 else players[::-1],
        bool(crawford),
        (mine, theirs) if seat == 0 else (theirs, mine),
        max(cube, 1),
        None if owner == 0 or cube <= 1 else seat if owner == 1 else 1 - seat,
        as_board(np.array(rest[:26])),
        rolled,
    )


def _roll(first: int, second: int) -> tuple[int, int]:
    """The dice in the order they are written.

    Raises:
        DiceError: no dice.
    """
    check_roll(first, second)
    return first, second


def format_snowie_line(state: MatchState, players: tuple[str, str]) -> str:
    """The position line of a game that is going on, without an offer."""
    seat = state.on_roll
    rules = state.rules
    names = [name.replace(";", ",").replace("\n", " ") for name in players]
    owner = 0 if state.owner is None else 1 if state.owner == seat else -1
    fields = [
        rules.length,
        int(rules.jacoby),
        0,
        int(not rules.length),
        seat,
        names[seat],
        names[1 - seat],
        int(state.crawford),
        state.score[seat],
        state.score[1 - seat],
        state.cube,
        owner,
        *state.checkers,
        *(state.dice or (0, 0)),
    ]
    return "".join(f"{field};" for field in fields)


def _number(text: str, place: int) -> int:
    try:
        return int(text.strip())
    except ValueError:
        raise InputError(
            f"a position line of Snowie: found {text.strip()!r} in field {place}, expected a number"
        ) from None
