"""XGID, the identifier of eXtreme Gammon: `XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10`.

Ten fields, always seen by the lower player, whoever is on roll:

| field | |
|---|---|
| position | the upper player's bar, points 1 to 24, the lower player's bar: A to O are 1 to 15 checkers of the lower player, a to o of the upper one, - is empty |
| cube | as a power of two |
| cube owner | 1 the lower player, -1 the upper player, 0 nobody |
| turn | 1 the lower player, -1 the upper player |
| dice | two dice, 00 before the roll; D: the player of `turn` has doubled, B: the opponent has beavered, R: the player has raccooned |
| score | points of the lower player |
| score | points of the upper player |
| rules | in a match 1 in the Crawford game; in money play 1 for Jacoby, 2 for beavers, 3 for both |
| match length | 0 for money |
| cube limit | as a power of two |

With D, B and R the cube is the one before the double. A raccoon cannot be represented here, a waiting resignation
not in an XGID.
"""  # noqa: E501 - the rows of a table

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from bgai.board import BAR, CHECKERS, OPPONENT_BAR, Board, as_board, flip
from bgai.errors import PositionError
from bgai.notation.checks import HIGHEST_CUBE, MOST_POINTS, check_position, without_false_crawford
from bgai.notation.reading import BLANKS, Reading, quote, whole_number
from bgai.position import Cube, CubeOwner, Position, Score

EXAMPLE = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
KIND = "XGID"

_FIELDS = 10
_LONGEST = 200
_LETTERS = "ABCDEFGHIJKLMNO"
_PREFIX = re.compile(r"xgid\s*[=:]?\s*", re.IGNORECASE)
_HIGHEST_POWER = HIGHEST_CUBE.bit_length() - 1


def format_xgid(position: Position) -> str:
    """The XGID of a position, with all its fields.

    Raises:
        PositionError: a resignation waits for an answer, or the position cannot occur.
    """
    position = check_position(position)
    cube, score, offer = position.cube, position.score, position.offer
    if offer not in (None, "double", "beaver"):
        raise PositionError(f"offer: found a resignation ({offer}), which an XGID cannot hold")
    turn = 1 if position.seat else -1
    value = cube.value
    owner = {"centred": 0, "on roll": turn, "opponent": -turn}[cube.owner]
    if offer == "beaver":
        # Back to the cube before the double, which was that of the player who doubled.
        turn, value = -turn, value // 2
        owner = 0 if value == 1 else turn
    letter = {"double": "D", "beaver": "B"}.get(offer or "")
    dice = letter or "".join(map(str, position.dice or (0, 0)))
    points = score.points if position.seat else score.points[::-1]
    rules = int(score.crawford) if score.length else score.jacoby + 2 * score.beavers
    fields = [value.bit_length() - 1, owner, turn, dice, *points, rules, score.length]
    text = ":".join(map(str, fields))
    return f"XGID={_format_board(position)}:{text}:{position.cube_limit.bit_length() - 1}"


def read_xgid(text: str) -> Reading:
    """The position that an XGID stands for.

    The prefix may be missing or in lower case, and there may be blanks around it, around the whole and around the
    colons; the dice may stand in any order. All ten fields have to be there.

    Raises:
        PositionError: not an XGID, or a position that cannot occur; the message names the field.
    """
    if len(text) > _LONGEST:
        raise PositionError(f"an XGID has {_FIELDS} fields, found {quote(text)} (example: {EXAMPLE})")
    stripped = text.strip(BLANKS)
    prefix = _PREFIX.match(stripped)
    fields = [field.strip(BLANKS) for field in stripped[prefix.end() if prefix else 0 :].split(":")]
    if len(fields) != _FIELDS:
        raise PositionError(
            f"an XGID has {_FIELDS} fields separated by colons, found {len(fields)} in {quote(text)}"
            f" (example: {EXAMPLE})"
        )
    cube, owner, turn = fields[1:4]
    length = whole_number("match length", fields[8], 0, MOST_POINTS)
    side = int(_one_of("turn", turn, "1", "-1"))
    position = Position(
        board=_read_board(fields[0], side),
        dice=_read_dice(fields[4]),
        cube=Cube(_power("cube", cube), _owner(int(_one_of("cube owner", owner, "0", "1", "-1")) * side)),
        score=_read_score(fields[5:8], length, side),
        offer="double" if fields[4] in ("D", "B") else None,
        seat=1 if side == 1 else 0,
        cube_limit=_power("cube limit", fields[9]),
    )
    score, remarks = without_false_crawford(position.score)
    position = check_position(replace(position, score=score))
    if fields[4] == "B":
        position = check_position(_beavered(position))
    return Reading(position, KIND, remarks)


def parse_xgid(text: str) -> Position:
    """`read_xgid` without the remarks."""
    return read_xgid(text).position


def _beavered(doubled: Position) -> Position:
    """The opponent has answered a double by a beaver and keeps the doubled cube."""
    return replace(
        doubled,
        board=flip(doubled.board),
        cube=Cube(2 * doubled.cube.value, "on roll"),
        score=doubled.score.flipped(),
        offer="beaver",
        seat=1 - doubled.seat,
    )


def _format_board(position: Position) -> str:
    board = position.board if position.seat == 1 else flip(position.board)
    letters = "-" + _LETTERS
    return "".join(letters[count] if count >= 0 else letters[-count].lower() for count in board.tolist())


def _read_board(text: str, side: int) -> Board:
    if len(text) != 26:
        raise PositionError(f"position: found {len(text)} characters in {quote(text)}, expected 26")
    board = np.zeros(26, dtype=np.int64)
    for index, letter in enumerate(text):
        place = {OPPONENT_BAR: "the upper bar", BAR: "the lower bar"}.get(index, f"point {index}")
        if letter == "-":
            continue
        count = _LETTERS.find(letter.upper()) + 1 if letter.isascii() else 0
        if count == 0:
            raise PositionError(
                f"position: found {letter!r} on {place}, expected - or 1 to {CHECKERS} checkers as a letter"
                " from A to O or a to o"
            )
        lower = letter.isupper()
        if (index == OPPONENT_BAR and lower) or (index == BAR and not lower):
            raise PositionError(f"position: found {letter!r} on {place}, which only the other player can stand on")
        board[index] = count if lower else -count
    for who, men in (("lower", board[board > 0]), ("upper", -board[board < 0])):
        if men.sum() > CHECKERS:
            raise PositionError(
                f"position: found {men.sum()} checkers of the {who} player, at most {CHECKERS} are possible"
            )
    return as_board(board if side == 1 else -board[::-1])


def _read_dice(text: str) -> tuple[int, int] | None:
    if text == "R":
        raise PositionError("dice: found R, a raccoon that waits for an answer, which bgai cannot represent")
    if text in ("00", "D", "B"):
        return None
    if not re.fullmatch("[1-6][1-6]", text):
        raise PositionError(f"dice: found {quote(text)}, expected two dice from 1 to 6, 00, D or B")
    return int(text[0]), int(text[1])


def _read_score(fields: list[str], length: int, side: int) -> Score:
    lower, upper = (whole_number("score", field, 0, MOST_POINTS) for field in fields[:2])
    rules = whole_number("rules", fields[2], 0, 1 if length else 3)
    points = (lower, upper) if side == 1 else (upper, lower)
    if length:
        return Score(points, length, crawford=bool(rules))
    return Score(points, jacoby=bool(rules & 1), beavers=bool(rules & 2))


def _one_of(field: str, text: str, *expected: str) -> str:
    if text not in expected:
        raise PositionError(f"{field}: found {quote(text)}, expected {', '.join(expected[:-1])} or {expected[-1]}")
    return text


def _power(field: str, text: str) -> int:
    return 1 << whole_number(f"{field} (a power of two)", text, 0, _HIGHEST_POWER)


def _owner(relative: int) -> CubeOwner:
    owners: list[CubeOwner] = ["centred", "on roll", "opponent"]
    return owners[relative]
