"""The board line of FIBS, the First Internet Backgammon Server, and of GNU Backgammon's external players.

`board:NAME1:NAME2:` and fifty whole numbers:

| numbers | |
|---|---|
| 1 | match length; 9999 (FIBS: unlimited) or 0 for money |
| 2, 3 | points of NAME1 and of NAME2 |
| 4-29 | the board, places 0 to 25: checkers of NAME1 have the sign of number 39 |
| 30 | turn: the sign of the player on roll |
| 31-34 | dice of NAME1, dice of NAME2; 0 before the roll |
| 35 | cube |
| 36, 37 | whether NAME1, NAME2 may double: both for a centred cube, else its owner |
| 38 | whether a double waits; the player of number 30 has made it |
| 39, 40 | sign of NAME1 (1 or -1); -1 if NAME1 moves from place 24 to 1, 1 if from 1 to 24 |
| 41-48 | home and bar of NAME1, checkers off and on the bar of both, checkers that can move, forced: not needed |
| 49 | the Crawford game is over |
| 50 | gnubg: 0 in the Crawford game, else 1; FIBS: redoubles at once in unlimited matches |

**Order of the scores.** This is the dialect of FIBS: the first score is that of NAME1. What gnubg itself sends to
an external player looks the same but has, unless a double waits, the scores the other way round. A reader cannot
see that, so a match with different scores gets a remark. Jacoby, beavers and the cube limit are not in it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from bgai.board import BAR, OPPONENT_BAR, as_board, borne_off, flip, opponent_borne_off
from bgai.errors import PositionError
from bgai.notation.checks import HIGHEST_CUBE, MOST_POINTS, check_position, false_crawford
from bgai.notation.reading import BLANKS, Reading, quote, whole_number
from bgai.position import CUBE_LIMIT, Cube, CubeOwner, Offer, Position, Score

KIND = "FIBS board"
UNLIMITED = 9999
NUMBERS = 50

_LONGEST = 1000
_LINE = re.compile(r"""board:(?:'[^'\n]*'|"[^"\n]*"|[^:'"\n]*):(?:'[^'\n]*'|"[^"\n]*"|[^:'"\n]*):(.*)""", re.IGNORECASE)
_OUTSIDE_NAMES = re.compile("[^A-Za-z0-9_]")
Dice = tuple[int, int] | None


@dataclass(frozen=True)
class _Line:
    """The numbers, 1 to 50 as in the table above."""

    numbers: list[int]

    def __getitem__(self, number: int) -> int:
        return self.numbers[number - 1]

    def flag(self, number: int) -> bool:
        return self.numbers[number - 1] != 0


def format_fibs_board(position: Position, names: tuple[str, str] = ("X", "O")) -> str:
    """The line for a position: NAME1 is the lower player, with positive checkers that move from 24 to 1.

    Args:
        position: what to write.
        names: of the lower and the upper player; what is no letter, digit or underscore is written as one.

    Raises:
        PositionError: a beaver or a resignation waits, a match to 9999 points or more, or it cannot occur.
    """
    position = check_position(position)
    score, cube, lower = position.score, position.cube, position.seat == 1
    if position.offer not in (None, "double"):
        what = "beaver" if position.offer == "beaver" else f"resignation ({position.offer})"
        raise PositionError(f"offer: found a {what}, which a FIBS board cannot hold")
    if score.length >= UNLIMITED:
        raise PositionError(f"match length: found {score.length}, expected at most {UNLIMITED - 1} on a FIBS board")
    board = position.board if lower else flip(position.board)
    points = score.points if lower else score.points[::-1]
    dice = position.dice or (0, 0)
    may_double = (cube.owner != "opponent", cube.owner != "on roll")
    off = (int(borne_off(board)), int(opponent_borne_off(board)))
    numbers = [
        score.length or UNLIMITED, *points, *board.tolist(), 1 if lower else -1,
        *(dice if lower else (0, 0)), *((0, 0) if lower else dice),
        cube.value, *(may_double if lower else may_double[::-1]), position.offer == "double",
        1, -1, 0, 25, *off, board[BAR], -board[OPPONENT_BAR], 0, 0, score.post_crawford, not score.crawford,
    ]  # fmt: skip
    called = [_OUTSIDE_NAMES.sub("_", name) or "_" for name in names]
    return ":".join(["board", *called, *(str(int(number)) for number in numbers)])


def read_fibs_board(text: str) -> Reading:
    """The position of a line; NAME1 becomes the lower player.

    Raises:
        PositionError: not such a line, or a position that cannot occur; the message names the field.
    """
    match = _LINE.fullmatch(text.strip(BLANKS)) if len(text) <= _LONGEST else None
    if match is None:
        raise PositionError(f"a FIBS board is board:NAME1:NAME2: and {NUMBERS} numbers, found {quote(text)}")
    fields = match[1].split(":")
    if len(fields) != NUMBERS:
        raise PositionError(f"a FIBS board has {NUMBERS} numbers behind the names, found {len(fields)}")
    line = _Line([whole_number(f"number {n}", field, -99999, 99999) for n, field in enumerate(fields, 1)])
    remarks: list[str] = []
    first = _first_on_roll(line)
    points = _points(line)
    board = as_board(points if first else -points[::-1])
    score = _read_score(line, first, remarks)
    dice = _read_dice(line, first, remarks)
    cube, offer = _read_cube(line, first, score, dice, remarks)
    off = (int(borne_off(board)), int(opponent_borne_off(board)))
    if (line[43], line[44]) != (off if first else off[::-1]):
        remarks.append(
            f"checkers off: the line says {line[43]} and {line[44]}, the board has {off[0]} of the player on roll"
            f" and {off[1]} of the opponent; the board counts"
        )
    limit = max(CUBE_LIMIT, 2 * cube.value if offer else cube.value)
    position = Position(board, dice, cube, score, offer, seat=1 if first else 0, cube_limit=limit)
    return Reading(check_position(position), KIND, tuple(remarks))


def parse_fibs_board(text: str) -> Position:
    """`read_fibs_board` without the remarks."""
    return read_fibs_board(text).position


def _first_on_roll(line: _Line) -> bool:
    """Whether NAME1 is on roll."""
    for field, number in (("colour", 39), ("direction", 40)):
        if line[number] not in (1, -1):
            raise PositionError(f"{field}: found {line[number]}, expected 1 or -1")
    if line[30] == 0:
        raise PositionError("turn: found 0, a game that is over; expected 1 or -1")
    if line[30] not in (1, -1):
        raise PositionError(f"turn: found {line[30]}, expected 1 or -1")
    return line[30] == line[39]


def _points(line: _Line) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    """The board as NAME1 sees it."""
    raw = np.array(line.numbers[3:29], dtype=np.int64) * line[39]
    return raw if line[40] == -1 else raw[::-1]


def _read_score(line: _Line, first: bool, remarks: list[str]) -> Score:
    length = 0 if line[1] == UNLIMITED else line[1]
    for field, value in (("match length", length), ("score", line[2]), ("score", line[3])):
        if not 0 <= value <= MOST_POINTS:
            raise PositionError(f"{field}: found {value}, expected 0 to {MOST_POINTS}")
    points = (line[2], line[3]) if first else (line[3], line[2])
    score = Score(points, length)
    if length and line[2] != line[3]:
        remarks.append(
            f"score: read as FIBS writes it, {line[2]} points of the first name and {line[3]} of the second;"
            " gnubg sends its external players the two in the other order"
        )
    crawford = Score(points, length, crawford=True)
    over, not_now = line.flag(49), line.flag(50)
    return score if over or not_now or false_crawford(crawford) else crawford


def _read_dice(line: _Line, first: bool, remarks: list[str]) -> Dice:
    own, other = (line[31], line[32]), (line[33], line[34])
    if not first:
        own, other = other, own
    if own == (0, 0) and other != (0, 0):
        remarks.append(f"dice: {other[0]}-{other[1]} stand in the place of the other player, read as those to play")
        return other
    if other not in ((0, 0), own):
        raise PositionError(f"dice: found {own[0]}-{own[1]} and {other[0]}-{other[1]}, expected those of one player")
    return None if own == (0, 0) else own


def _read_cube(line: _Line, first: bool, score: Score, dice: Dice, remarks: list[str]) -> tuple[Cube, Offer | None]:
    value = line[35]
    if not 1 <= value <= HIGHEST_CUBE:
        raise PositionError(f"cube: found {value}, expected a power of two from 1 to {HIGHEST_CUBE}")
    own, other = line.flag(36), line.flag(37)
    if not first:
        own, other = other, own
    doubled = line.flag(38)
    if not doubled and not own and not other and dice is None and not score.crawford and score.length != 1:
        remarks.append("may double: neither player may, read as a double that waits for an answer")
        doubled = True
    owner: CubeOwner = "centred"
    if own != other:
        owner = "on roll" if own else "opponent"
    elif not own and value > 1:
        if not doubled:
            raise PositionError(f"may double: found neither player with the cube at {value}, expected its owner")
        owner = "on roll"
    if value == 1 and owner != "centred":
        remarks.append("may double: one player only with the cube at 1, read as a centred cube")
        owner = "centred"
    return Cube(value, owner), "double" if doubled else None
