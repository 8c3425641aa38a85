"""The board as people know it, drawn with letters.

The player on roll plays X from the bottom: its home board is at the lower right, points 1 to 12 run along the
bottom and 13 to 24 along the top. The middle column is the bar, own checkers in its lower half.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import NamedTuple, TextIO

from bgai.board import BAR, OPPONENT_BAR, Board, borne_off, flip, pip_count
from bgai.position import Position

OWN, OPPONENT = "X", "O"
HEIGHT = 5
"""Checkers drawn of one stack; of a higher one the innermost place says how many there are."""


class _Frame(NamedTuple):
    """What the edges are made of."""

    line: str
    side: str
    top: tuple[str, str, str]
    bottom: tuple[str, str, str]


_OWN, _OPPONENT, _FRAME, _STATE = "1;36", "1;33", "2", "1"
"""How terminals show the two sides, what is around them, and cube and dice: bold cyan, bold yellow, faint, bold."""

_ASCII = _Frame("-", "|", ("+", "+", "+"), ("+", "+", "+"))
_UNICODE = _Frame("─", "│", ("┌", "┬", "┐"), ("└", "┴", "┘"))


def wants_colour(stream: TextIO) -> bool:
    """Whether a stream is a terminal that shows colours, and its user wants them (https://no-color.org)."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def draw(
    board: Board,
    *,
    names: tuple[str, str] = ("on roll", "opponent"),
    ascii_only: bool = False,
    position: Position | None = None,
    colour: bool = False,
) -> str:
    """A picture of a board `int8[26]`: fifteen lines, without a newline at the end.

    Args:
        names: who plays X at the bottom, and O at the top.
        ascii_only: no line-drawing characters, for terminals that have none.
        position: whose dice, cube and score stand beside the board, if there is something to be said of them.
        colour: with colours for terminals, see `wants_colour`.
    """
    frame = _ASCII if ascii_only else _UNICODE
    upper = [_stack(int(board[point])) for point in range(13, 25)]
    lower = [_stack(int(board[point])) for point in range(12, 0, -1)]
    upper_bar, lower_bar = _stack(int(board[OPPONENT_BAR])), _stack(int(board[BAR]))
    other = flip(board)
    notes = {
        0: (f"{OPPONENT} {names[1]}: {int(pip_count(other))} pips, {int(borne_off(other))} off", _OPPONENT),
        2 * HEIGHT: (f"{OWN} {names[0]}: {int(pip_count(board))} pips, {int(borne_off(board))} off", _OWN),
    }
    if position is not None:
        notes |= {number: (note, _STATE) for number, note in _state(position).items()}
    upper_side = [_side(board, point) for point in range(13, 25)]
    lower_side = [_side(board, point) for point in range(12, 0, -1)]
    rows = [
        _row(frame, [stack[level] for stack in upper], upper_bar[level], [*upper_side, _OPPONENT], colour)
        for level in range(HEIGHT)
    ]
    rows.append(_row(frame, [""] * 12, "BAR", [_FRAME] * 13, colour))
    rows += [
        _row(frame, [stack[level] for stack in lower], lower_bar[level], [*lower_side, _OWN], colour)
        for level in reversed(range(HEIGHT))
    ]
    lines = [
        _painted(_numbers(range(13, 25)), _FRAME, colour),
        _painted(_edge(frame, frame.top), _FRAME, colour),
        *(f"{row}  {_painted(*notes[number], colour)}" if number in notes else row for number, row in enumerate(rows)),
        _painted(_edge(frame, frame.bottom), _FRAME, colour),
        _painted(_numbers(range(12, 0, -1)), _FRAME, colour),
    ]
    return "\n".join(lines)


def _state(position: Position) -> dict[int, str]:
    """What is said of cube, score and dice, by the row beside which it stands."""
    cube, score, offer = position.cube, position.score, position.offer
    notes: dict[int, str] = {}
    if score.length or any(score.points):
        for number, row in enumerate((2 * HEIGHT - 1, 1)):
            points = f"{score.points[number]} {'point' if score.points[number] == 1 else 'points'}"
            notes[row] = f"{points}, {score.away[number]} away" if score.length else points
    rules = ["Jacoby"] * score.jacoby + ["beavers"] * score.beavers
    if score.length:
        rules = ["Crawford game"] * score.crawford + ["after Crawford"] * (score.post_crawford and score.length > 1)
    if score.length or rules:
        notes[HEIGHT - 1] = ", ".join([f"match to {score.length}" if score.length else "money play", *rules])
    if offer in ("double", "beaver"):
        notes[HEIGHT] = f"{OWN} {offer}s to {2 * cube.value}"
    elif offer is not None:
        notes[HEIGHT] = f"{OWN} offers to lose a {offer}{' game' * (offer == 'single')}"
    elif position.dice is not None:
        notes[HEIGHT] = f"{OWN} to play {position.dice[0]}-{position.dice[1]}"
    if cube.owner != "centred":
        notes[2 * HEIGHT - 2 if cube.owner == "on roll" else 2] = f"cube {cube.value}"
    elif not score.crawford and (score.length or cube.value > 1):
        notes[HEIGHT + 1] = f"cube {cube.value} in the middle"
    return notes


def _side(board: Board, point: int) -> str:
    return _OWN if board[point] > 0 else _OPPONENT


def _painted(text: str, style: str, colour: bool) -> str:
    """Text with a colour if there is any to show."""
    if not colour or not text.strip():
        return text
    return f"\x1b[{style}m{text}\x1b[0m"


def _stack(count: int) -> list[str]:
    """What stands on a point, from the edge inwards."""
    height = abs(count)
    letter = OWN if count > 0 else OPPONENT
    if height > HEIGHT:
        return [letter] * (HEIGHT - 1) + [str(height)]
    return [letter] * height + [""] * (HEIGHT - height)


def _row(frame: _Frame, places: list[str], bar: str, sides: list[str], colour: bool) -> str:
    """A row of the board; `sides` are the colours of the twelve places and of the bar."""
    cells = [_painted(f"{place:>3}", side, colour) for place, side in zip(places, sides[:12], strict=True)]
    halves = ["".join(half) + " " for half in (cells[:6], cells[6:])]
    side = _painted(frame.side, _FRAME, colour)
    return f"{side}{halves[0]}{side}{_painted(f'{bar:^5}', sides[12], colour)}{side}{halves[1]}{side}"


def _edge(frame: _Frame, corners: tuple[str, str, str]) -> str:
    half, bar = frame.line * 19, frame.line * 5
    return f"{corners[0]}{half}{corners[1]}{bar}{corners[1]}{half}{corners[2]}"


def _numbers(points: Iterable[int]) -> str:
    texts = [f"{point:>3}" for point in points]
    return f" {''.join(texts[:6])}{'':8}{''.join(texts[6:])}"
