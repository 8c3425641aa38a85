"""The board: one array, always seen by the player on roll.

A board is `int8[26]`, a batch of them `int8[N, 26]`:

* `[1..24]` the points as the player on roll counts them; own checkers > 0, the opponent's < 0
* `[25]` own checkers on the bar, >= 0
* `[0]` the opponent's checkers on the bar, <= 0

Checkers borne off are what is missing from fifteen. Passing the turn is `flip`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bgai.errors import PositionError

Board = NDArray[np.int8]
"""`int8[26]`, or `int8[N, 26]` for a batch; see the module."""

SIZE = 26
CHECKERS = 15
OPPONENT_BAR = 0
BAR = 25
HOME = 6
"""Points 1 to 6 are the home board of the player on roll."""

START: Board = np.array(
    [0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0], dtype=np.int8
)
"""The starting position; it is the same for both sides."""
START.setflags(write=False)


def flip(board: Board) -> Board:
    """The same position seen by the other side: reverse and negate. `[..., 26]` in and out."""
    return np.negative(board[..., ::-1])


def borne_off(board: Board) -> NDArray[np.int64]:
    """Own checkers already borne off, `int64[...]` for boards `[..., 26]`."""
    own: NDArray[np.int64] = np.maximum(board, 0).sum(axis=-1, dtype=np.int64)
    return CHECKERS - own


def opponent_borne_off(board: Board) -> NDArray[np.int64]:
    """The opponent's checkers already borne off."""
    return borne_off(flip(board))


def pip_count(board: Board) -> NDArray[np.int64]:
    """Pips the player on roll needs to bear off; a checker on the bar counts 25."""
    distance = np.arange(SIZE, dtype=np.int64)
    pips: NDArray[np.int64] = (np.maximum(board, 0) * distance).sum(axis=-1, dtype=np.int64)
    return pips


def has_contact(board: Board) -> bool:
    """Whether some own checker has still to pass one of the opponent's, so that hits are possible."""
    own = np.flatnonzero(board > 0)
    other = np.flatnonzero(board < 0)
    return bool(own.size and other.size and own.max() > other.min())


def result(board: Board) -> int:
    """Points the player on roll has won (> 0) or lost (< 0), per unit of cube; 0 while the game goes on.

    Single 1, gammon 2 (the loser has borne off nobody), backgammon 3 (and has a checker on the bar or
    in the winner's home board).
    """
    if not (board < 0).any():
        return -_points_lost(board)
    if not (board > 0).any():
        return _points_lost(flip(board))
    return 0


def _points_lost(board: Board) -> int:
    """What the player on roll loses when the opponent has borne off the last checker."""
    if borne_off(board) > 0:
        return 1
    return 3 if (board[19:] > 0).any() else 2


def as_boards(values: ArrayLike) -> Board:
    """Checks that an array `[N, 26]` can hold boards, fast: counts in range, nobody with over fifteen checkers.

    Raises:
        PositionError: another shape, or a board with too many checkers or a bar on the wrong side.
    """
    raw = np.asarray(values)
    if raw.ndim != 2 or raw.shape[1] != SIZE:
        raise PositionError(f"boards have the shape [N, 26], found {list(raw.shape)}")
    wrong = (np.abs(raw) > CHECKERS).any(axis=1) | (raw[:, BAR] < 0) | (raw[:, OPPONENT_BAR] > 0)
    boards: Board = np.ascontiguousarray(raw, dtype=np.int8)
    wrong |= (borne_off(boards) < 0) | (opponent_borne_off(boards) < 0)
    for number in np.flatnonzero(wrong)[:1]:
        as_board(raw[number])
    return boards


def as_board(values: ArrayLike) -> Board:
    """Checks 26 numbers and makes a board of them.

    Raises:
        PositionError: wrong length, a bar on the wrong side, too many checkers, or no checker at all.
    """
    raw: NDArray[Any] = np.asarray(values)
    if raw.shape != (SIZE,):
        raise PositionError(f"a board has 26 numbers (bar, points 1 to 24, bar), found shape {raw.shape}")
    if raw.dtype.kind not in "iu" and not np.array_equal(raw, np.rint(raw.astype(float))):
        raise PositionError("a board is made of whole numbers")
    # A list is several times faster to look through than so short an array.
    counts: list[int] = raw.astype(np.int64).tolist()
    if counts[BAR] < 0:
        raise PositionError(f"index 25 is the own bar and cannot be negative, found {counts[BAR]}")
    if counts[OPPONENT_BAR] > 0:
        raise PositionError(f"index 0 is the opponent's bar and cannot be positive, found {counts[OPPONENT_BAR]}")
    own, other = sum(count for count in counts if count > 0), -sum(count for count in counts if count < 0)
    for who, count in (("the player on roll", own), ("the opponent", other)):
        if count > CHECKERS:
            raise PositionError(f"{who} has {count} checkers, at most {CHECKERS} are possible")
    if own == 0 and other == 0:
        raise PositionError("neither side has a checker left")
    if counts[BAR] > 0 > counts[OPPONENT_BAR] and min(counts[1:7]) >= 2 and max(counts[19:25]) <= -2:
        raise PositionError("both sides are on the bar against a closed board, so neither could ever move")
    return np.array(counts, dtype=np.int8)
