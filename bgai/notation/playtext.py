"""Plays in the notation of the books: `8/5 6/5`, `bar/22*`, `24/18*/13`, `8/5(2)`, `6/off`.

Points are those of the player who plays. A checker that moves on is written once (`24/18` for 24/20 and 20/18),
with the point in between only if it hit there.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable

import numpy as np

from bgai.board import BAR, Board, flip
from bgai.errors import PlayError
from bgai.plays import Plays, Steps

_MOVE = re.compile(r"(?P<path>[a-z0-9]+\*?(?:[/-][a-z0-9]+\*?)+)(?:\((?P<times>[1-4])\))?")
_WORDS = {"bar": 25, "b": 25, "off": 0, "o": 0}
_PASSES = {"", "pass", "cannotmove", "cantmove", "nomove", "dance", "dances", "-"}


def format_play(board: Board, steps: Steps) -> str:
    """One play of `board` in standard notation; `steps` as in `Plays`. Empty when the turn passes."""
    moves = _merge(_with_hits(board, steps))
    texts = ["/".join(_point(point) + "*" * hit for point, hit in move) for move in moves]
    counted = Counter(texts)
    return " ".join(text if times == 1 else f"{text}({times})" for text, times in counted.items())


def parse_play(board: Board, plays: Plays, text: str) -> int:
    """The index in `plays` of a play written by a person.

    Any order, 0 or `off`, 25 or `bar`, chains and `(2)`; a `*` may be left out, but not stand where nobody is hit.

    Raises:
        PlayError: not a play, or not a legal one; the message names the nearest legal plays.
    """
    if re.sub(r"[\s']", "", text.lower()) in _PASSES:
        if plays.must_pass:
            return 0
        raise PlayError(f"the roll can be played, found a pass; {_suggest(board, plays, [])}")
    moves, starred = _read(text)
    for point in starred:
        if board[point] != -1:
            raise PlayError(f"{text.strip()!r} hits nobody on {point}, expected a * only where a blot is hit")
    if plays.must_pass:
        raise PlayError(f"no legal play with this roll, found {text.strip()!r}; the turn passes")
    landed = _landing(board, moves)
    for number in range(len(plays)):
        if landed is not None and np.array_equal(plays.successors[number], landed):
            return number
    # Nothing lands there as written. A chain whose hit on the way was left out may still mean one play only.
    wanted = Counter((points[0], points[-1]) for points in moves)
    meant = [number for number in range(len(plays)) if _ends(board, plays.steps[number]) == wanted]
    if len(meant) == 1:
        return meant[0]
    raise PlayError(f"{text.strip()!r} is not a legal play here; {_suggest(board, plays, moves)}")


def _point(point: int) -> str:
    return {25: "bar", 0: "off"}.get(point, str(point))


Path = list[tuple[int, bool]]
"""The points that one checker touches, and whether it hits there."""


def _with_hits(board: Board, steps: Steps) -> list[Path]:
    position = board.astype(int)
    paths: list[Path] = []
    for start, end in steps.tolist():
        if start == 0:
            continue
        hit = end > 0 and position[end] < 0
        position[start] -= 1
        if end > 0:
            position[end] = 1 if hit else position[end] + 1
        paths.append([(start, False), (end, bool(hit))])
    return paths


def _merge(paths: list[Path]) -> list[Path]:
    """Joins the steps of one checker, drops points where it only passed, and sorts from the bar down."""
    remaining = sorted(paths, key=lambda path: (-path[0][0], -path[-1][0]))
    moves: list[Path] = []
    while remaining:
        move = remaining.pop(0)
        following = next((path for path in remaining if path[0][0] == move[-1][0]), None)
        while following is not None:
            remaining.remove(following)
            move = [*move, *following[1:]]
            following = next((path for path in remaining if path[0][0] == move[-1][0]), None)
        moves.append([move[0], *(place for place in move[1:-1] if place[1]), move[-1]])
    return moves


def _ends(board: Board, steps: Steps) -> Counter[tuple[int, int]]:
    """Where each checker that a play moves starts and ends."""
    return Counter((path[0][0], path[-1][0]) for path in _merge(_with_hits(board, steps)))


def _read(text: str) -> tuple[list[list[int]], set[int]]:
    """The moves in a text, each the points of one checker from the first to the last; and the points with a `*`."""
    compact = re.sub(r"\s*([/()-])\s*", r"\1", text.strip().lower())
    compact = re.sub(r"\)(?=\S)", ") ", compact).replace(",", " ")
    moves: list[list[int]] = []
    starred: set[int] = set()
    for word in compact.split():
        match = _MOVE.fullmatch(word)
        if match is None:
            raise PlayError(f"{word!r} is not a move; expected something like 8/5, bar/22*, 6/off or 8/5(2)")
        names = re.split(r"[/-]", match["path"])
        points = [_read_point(name.rstrip("*"), word) for name in names]
        starred.update(point for point, name in zip(points, names, strict=True) if name.endswith("*"))
        if any(a <= b for a, b in itertools.pairwise(points)):
            raise PlayError(f"{word!r} moves backwards; checkers move from high points to low ones")
        moves.extend([points] * int(match["times"] or 1))
    return moves, starred


def _read_point(name: str, word: str) -> int:
    if name in _WORDS:
        return _WORDS[name]
    if name.isdigit() and 0 <= int(name) <= BAR:
        return int(name)
    raise PlayError(f"{name!r} in {word!r} is not a point; expected 1 to 24, bar or off")


def _landing(board: Board, moves: Iterable[list[int]]) -> Board | None:
    """The position after the moves, seen by the opponent; None if a move finds no checker or a made point.

    Hits on the way are taken as written: a point named in a chain is touched, one left out is not.
    """
    position = board.astype(int)
    for points in sorted(moves, key=lambda move: -move[0]):
        for start, end in itertools.pairwise(points):
            if position[start] <= 0 or (end > 0 and position[end] < -1):
                return None
            position[start] -= 1
            if end > 0:
                if position[end] == -1:
                    position[end] = 0
                    position[0] -= 1
                position[end] += 1
    return flip(position.astype(np.int8))


def _suggest(board: Board, plays: Plays, moves: list[list[int]], most: int = 4) -> str:
    wanted = Counter((points[0], points[-1]) for points in moves)
    ranked = []
    for number, steps in enumerate(plays.steps):
        ranked.append((-sum((wanted & _ends(board, steps)).values()), number))
    texts = [format_play(board, plays.steps[number]) for _, number in sorted(ranked)[:most]]
    more = f" and {len(plays) - most} more" if len(plays) > most else ""
    return f"legal: {', '.join(texts)}{more}"
