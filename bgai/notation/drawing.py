"""The board as people know it, drawn with letters.

The player on roll plays X from the bottom: its home board is at the lower right, points 1 to 12 run along the
bottom and 13 to 24 along the top. The middle column is the bar, own checkers in its lower half.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from bgai.board import BAR, OPPONENT_BAR, Board, borne_off, flip, pip_count

OWN, OPPONENT = "X", "O"
HEIGHT = 5
"""Checkers drawn of one stack; of a higher one the innermost place says how many there are."""


class _Frame(NamedTuple):
    """What the edges are made of."""

    line: str
    side: str
    top: tuple[str, str, str]
    bottom: tuple[str, str, str]


_ASCII = _Frame("-", "|", ("+", "+", "+"), ("+", "+", "+"))
_UNICODE = _Frame("─", "│", ("┌", "┬", "┐"), ("└", "┴", "┘"))


def draw(board: Board, *, names: tuple[str, str] = ("on roll", "opponent"), ascii_only: bool = False) -> str:
    """A picture of a board `int8[26]`: fifteen lines, without a newline at the end.

    Args:
        names: who plays X at the bottom, and O at the top.
        ascii_only: no line-drawing characters, for terminals that have none.
    """
    frame = _ASCII if ascii_only else _UNICODE
    upper = [_stack(int(board[point])) for point in range(13, 25)]
    lower = [_stack(int(board[point])) for point in range(12, 0, -1)]
    upper_bar, lower_bar = _stack(int(board[OPPONENT_BAR])), _stack(int(board[BAR]))
    other = flip(board)
    notes = {
        0: f"{OPPONENT} {names[1]}: {int(pip_count(other))} pips, {int(borne_off(other))} off",
        2 * HEIGHT: f"{OWN} {names[0]}: {int(pip_count(board))} pips, {int(borne_off(board))} off",
    }
    rows = [_row(frame, [stack[level] for stack in upper], upper_bar[level]) for level in range(HEIGHT)]
    rows.append(_row(frame, [""] * 12, "BAR"))
    rows += [_row(frame, [stack[level] for stack in lower], lower_bar[level]) for level in reversed(range(HEIGHT))]
    lines = [
        _numbers(range(13, 25)),
        _edge(frame, frame.top),
        *(f"{row}  {notes[number]}" if number in notes else row for number, row in enumerate(rows)),
        _edge(frame, frame.bottom),
        _numbers(range(12, 0, -1)),
    ]
    return "\n".join(lines)


def _stack(count: int) -> list[str]:
    """What stands on a point, from the edge inwards."""
    height = abs(count)
    letter = OWN if count > 0 else OPPONENT
    if height > HEIGHT:
        return [letter] * (HEIGHT - 1) + [str(height)]
    return [letter] * height + [""] * (HEIGHT - height)


def _row(frame: _Frame, places: list[str], bar: str) -> str:
    halves = ["".join(f"{place:>3}" for place in half) + " " for half in (places[:6], places[6:])]
    return f"{frame.side}{halves[0]}{frame.side}{bar:^5}{frame.side}{halves[1]}{frame.side}"


def _edge(frame: _Frame, corners: tuple[str, str, str]) -> str:
    half, bar = frame.line * 19, frame.line * 5
    return f"{corners[0]}{half}{corners[1]}{bar}{corners[1]}{half}{corners[2]}"


def _numbers(points: Iterable[int]) -> str:
    texts = [f"{point:>3}" for point in points]
    return f" {''.join(texts[:6])}{'':8}{''.join(texts[6:])}"
