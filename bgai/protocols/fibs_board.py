"""The board line as FIBS sends it to a player (board style 3).

The fields are those of `bgai.notation.fibs`, with these differences between a live server and a line that names a
position:

* NAME1 is the player who gets the line, as `You`.
* While a double waits neither player may double, number 38 is 1 for the player who has to answer only, and number 30
  is the player who has to answer.
* Number 30 is 0 between games.
* In the Crawford game both players "may double" as before it.
* Number 48 is not 0 in a match without the Crawford rule, number 49 is 1 after the Crawford game.
* The dice of the player who is not on roll may be left over.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from bgai.errors import PositionError
from bgai.events import Step
from bgai.notation.fibs import NUMBERS, UNLIMITED
from bgai.protocols.table import ME, OPPONENT, Table

BOARD = re.compile(rf"board:([^:\s]*):([^:\s]*)((?::-?\d{{1,5}}){{{NUMBERS - 1}}}):(0|10|[1-9])")
"""The last number is how often a double may be redoubled at once; bgai allows it never."""


@dataclass(frozen=True)
class FibsBoard:
    """One board line."""

    opponent: str
    """NAME2."""
    table: Table | None
    """None between games."""
    upwards: bool
    """Whether I move from 1 to 24 in the numbers of the server."""


def split_glued(line: str) -> tuple[str, str]:
    """A line that begins with a board, and what the server has glued to its end; the second is mostly empty.

    >>> split_glued("hello")
    ('hello', '')
    """
    match = BOARD.match(line)
    return (line, "") if match is None else (line[: match.end()], line[match.end() :])


def read_board(line: str) -> FibsBoard:
    """What a board line says.

    Raises:
        PositionError: it is none.
    """
    match = BOARD.fullmatch(line)
    if match is None:
        raise PositionError(f"expected a FIBS board with {NUMBERS} numbers, found {line[:80]!r}")
    number = [0, *map(int, match[3].split(":")[1:]), int(match[4])]
    colour, direction, turn = number[39], number[40], number[30]
    if colour not in (1, -1) or direction not in (1, -1) or turn not in (1, -1, 0):
        raise PositionError(f"expected 1 or -1 as colour, direction and turn, found {colour}, {direction} and {turn}")
    length = 0 if number[1] == UNLIMITED else number[1]
    score = (number[2], number[3])
    upwards = direction == 1
    if not turn:
        return FibsBoard(match[2], None, upwards)
    points = [colour * count for count in number[4:30]]
    needs_one = length > 1 and length - 1 in score
    crawford = needs_one and not number[48] and not number[49]
    on_roll = ME if turn == colour else OPPONENT
    mine, theirs = bool(number[36]), bool(number[37])
    doubled = bool(number[38]) or not (mine or theirs or crawford or length == 1)
    if doubled:
        on_roll = OPPONENT if number[38] else ME
    cube = number[35]
    owner = None
    if cube > 1:
        owner = on_roll if doubled else ME if mine else OPPONENT
    rolled = (number[31], number[32]) if on_roll == ME else (number[33], number[34])
    return FibsBoard(
        match[2],
        Table(
            board=tuple(points[::-1] if upwards else points),
            on_roll=on_roll,
            dice=rolled if all(rolled) and not doubled else None,
            cube=cube,
            owner=owner,
            score=score,
            length=length,
            crawford=crawford,
            doubled=doubled,
        ),
        upwards,
    )


def format_move(steps: tuple[Step, ...], upwards: bool) -> str:
    """The command that plays these steps, in the numbers of the server.

    >>> format_move(((25, 20), (6, 0)), upwards=True)
    'move bar-5 19-off'
    """
    pairs = (f"{_point(start, upwards)}-{_point(end, upwards)}" for start, end in sorted(steps, reverse=True))
    return " ".join(["move", *pairs])


def _point(point: int, upwards: bool) -> str:
    words = {25: "bar", 0: "off"}
    return words[point] if point in words else str(25 - point if upwards else point)
