"""Our own drawing of a board, read back: what `bgai.notation.drawing.draw` makes, in ASCII or with lines."""

from __future__ import annotations

import re

import numpy as np

from bgai.board import BAR, CHECKERS, OPPONENT_BAR, Board, as_board, borne_off, flip, pip_count
from bgai.errors import PositionError
from bgai.notation.drawing import HEIGHT, OPPONENT, OWN
from bgai.notation.reading import quote

KIND = "drawing"

_ROWS = 2 * HEIGHT + 1
_EDGE = f"+{'-' * 19}+{'-' * 5}+{'-' * 19}+"
_PLAIN = str.maketrans("┌┬┐└┴┘─│", "++++++-|")
_UPPER = " ".join(str(point) for point in range(13, 25))
_NOTE = re.compile(rf"\s+([{OWN}{OPPONENT}]) .*: ([0-9]{{1,3}}) pips, ([0-9]{{1,2}}) off\s*")
_LONGEST = 10_000


def parse_drawing(text: str) -> Board:
    """The board of a drawing; it is seen by the player who has X.

    Text around it, indentation and the numbers of the points do not matter. Pip counts and checkers off beside the
    board are compared with it if they are there.

    Raises:
        PositionError: no such drawing, or one that contradicts itself.
    """
    if len(text) > _LONGEST:
        raise PositionError(f"a drawing has about 15 lines, found {quote(text)}")
    lines = text.translate(_PLAIN).splitlines()
    top = next((number for number, line in enumerate(lines) if _EDGE in line), None)
    if top is None:
        raise PositionError(f"no drawing of a board found, expected an edge {_EDGE}")
    left = lines[top].index(_EDGE)
    above = lines[top - 1].split() if top else []
    if above and all(re.fullmatch("[0-9]+", word) for word in above) and " ".join(above) != _UPPER:
        raise PositionError(f"points: found {quote(' '.join(above))} above the board, expected 13 to 24")
    rows = [line[left:] for line in lines[top + 1 : top + 1 + _ROWS]]
    if len(rows) < _ROWS or not any(line[left:].startswith(_EDGE) for line in lines[top + 1 + _ROWS :][:1]):
        raise PositionError(f"a drawing has {_ROWS} rows between its edges, found another number")
    cells = [_cells(row, number) for number, row in enumerate(rows)]
    board = np.zeros(26, dtype=np.int64)
    for column in range(12):
        board[13 + column] = _count([row[column] for row in cells[:HEIGHT]], f"point {13 + column}")
        board[12 - column] = _count([row[column] for row in cells[: -HEIGHT - 1 : -1]], f"point {12 - column}")
    board[OPPONENT_BAR] = _count([row[12] for row in cells[:HEIGHT]], "the upper bar")
    board[BAR] = _count([row[12] for row in cells[: -HEIGHT - 1 : -1]], "the lower bar")
    if any(cells[HEIGHT][:12]) or cells[HEIGHT][12] not in ("BAR", ""):
        raise PositionError("a drawing has nothing but BAR in its middle row, found something else")
    checked = as_board(board)
    for row in rows:
        _compare(checked, row[len(_EDGE) :])
    return checked


def _cells(row: str, number: int) -> list[str]:
    """What stands in the twelve columns of a row, and on the bar."""
    if len(row) < len(_EDGE) or any(row[place] != "|" for place in (0, 20, 26, 46)):
        raise PositionError(f"row {number + 1} of the drawing is not framed as expected, found {quote(row.strip())}")
    starts = [*range(1, 19, 3), *range(27, 45, 3)]
    if row[19] != " " or row[45] != " ":
        raise PositionError(f"row {number + 1} of the drawing is out of line, found {quote(row.strip())}")
    return [row[start : start + 3].strip() for start in starts] + [row[21:26].strip()]


def _count(stack: list[str], place: str) -> int:
    """The checkers of a stack, from the edge inwards; negative for the opponent."""
    height = next((level for level, cell in enumerate(stack) if not cell), HEIGHT)
    if any(stack[height:]):
        raise PositionError(f"{place}: found a gap in the stack of the drawing")
    if height == 0:
        return 0
    letter = stack[0]
    marks, last = stack[: height - 1], stack[height - 1]
    number = int(last) if re.fullmatch("[0-9]{1,2}", last) else 0
    if number:
        if height < HEIGHT or not HEIGHT < number <= CHECKERS:
            raise PositionError(
                f"{place}: found the number {last!r}, expected {HEIGHT + 1} to {CHECKERS} in the innermost place"
            )
    else:
        marks = stack[:height]
        number = height
    if letter not in (OWN, OPPONENT) or any(mark != letter for mark in marks):
        raise PositionError(f"{place}: found {quote(''.join(marks))}, expected checkers {OWN} or {OPPONENT} alone")
    return number if letter == OWN else -number


def _compare(board: Board, note: str) -> None:
    """Holds what is written beside the board against it."""
    match = _NOTE.fullmatch(note)
    if match is None:
        return
    seen = board if match[1] == OWN else flip(board)
    there = (int(pip_count(seen)), int(borne_off(seen)))
    said = (int(match[2]), int(match[3]))
    if said != there:
        raise PositionError(
            f"{match[1]} is said to have {said[0]} pips and {said[1]} checkers off, but the drawing shows"
            f" {there[0]} and {there[1]}"
        )
