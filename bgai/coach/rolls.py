"""What the 36 rolls do to a position, counted by the move generator: hits, entering, escaping, making points.

Nothing is estimated. A roll counts if some legal play does it, so combination shots, blocked points, doubles and
checkers on the bar are as the rules have them. Counts are of 36: a double counts one, any other roll two.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bgai.board import BAR, HOME, OPPONENT_BAR, Board, flip
from bgai.dice import ROLLS
from bgai.plays import legal_plays_batch

WEIGHTS: NDArray[np.int64] = np.array([1 if high == low else 2 for high, low in ROLLS])
"""Of 36, in the order of `bgai.dice.ROLLS`."""


@dataclass(frozen=True)
class Blot:
    """A single checker that can be hit."""

    point: int
    """As its owner counts."""
    shots: int
    """Of the 36 rolls, those that hit it if the other side rolls now."""


@dataclass(frozen=True)
class Attack:
    """What the rolls of a side do to the other's blots, as if it were its turn."""

    blots: tuple[Blot, ...]
    """The other side's, from its highest point down."""
    hits: int
    """Of 36 rolls, those that hit at least one."""
    costly_hits: int
    """Those that hit one outside the hitter's home board, which sends it back seven pips or more."""
    double_hits: int
    """Those that can hit two or more in one play."""


@dataclass(frozen=True)
class Entry:
    """What the rolls do to a side's checkers on the bar."""

    dancing: int
    """Of 36 rolls, those that bring nobody in."""
    all_in: int
    """Those that bring everybody in."""


class Reach:
    """Where the 21 rolls can take the side on roll, from each of N boards `int8[N, 26]` that are not over."""

    def __init__(self, boards: Board) -> None:
        self.boards = np.ascontiguousarray(boards, dtype=np.int8)
        repeated = np.repeat(self.boards, len(ROLLS), axis=0)
        plays = legal_plays_batch(repeated, np.tile(np.array(ROLLS), (len(boards), 1)), with_steps=False)
        self.after: Board = flip(plays.successors)
        """int8[M, 26]: boards after the plays, still seen by the side that has moved."""
        self.before: Board = np.repeat(repeated, np.diff(plays.offsets), axis=0)
        """int8[M, 26]: where each of them comes from."""
        self._starts = plays.offsets[:-1]

    def some(self, done: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Of 36 rolls, those with a play for which `done` bool[M, ...] holds: int64[N, ...]."""
        return self._counted(np.logical_or.reduceat(done, self._starts, axis=0))

    def every(self, done: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Of 36 rolls, those of which all plays do it: int64[N, ...]."""
        return self._counted(np.logical_and.reduceat(done, self._starts, axis=0))

    def _counted(self, rolled: NDArray[np.bool_]) -> NDArray[np.int64]:
        shaped = rolled.reshape(len(self.boards), len(ROLLS), *rolled.shape[1:])
        counts: NDArray[np.int64] = np.tensordot(shaped, WEIGHTS, axes=([1], [0])).astype(np.int64)
        return counts

    def attacks(self) -> list[Attack]:
        """What the rolls hit."""
        # A blot leaves its point before its owner's turn only if it is hit.
        hit = (self.before[:, 1:BAR] == -1) & (self.after[:, 1:BAR] >= 0)
        by_point, total, double = self.some(hit), self.some(hit.any(axis=1)), self.some(hit.sum(axis=1) > 1)
        costly = self.some(hit[:, HOME:].any(axis=1))
        return [
            Attack(
                tuple(
                    Blot(BAR - point, int(by_point[number, point - 1])) for point in range(1, BAR) if board[point] == -1
                ),
                int(total[number]),
                int(costly[number]),
                int(double[number]),
            )
            for number, board in enumerate(self.boards)
        ]

    def entries(self) -> list[Entry | None]:
        """How checkers come in; None where nobody is on the bar."""
        waiting = self.after[:, BAR]
        dancing, entered = self.every(waiting == self.before[:, BAR]), self.some(waiting == 0)
        return [
            Entry(int(dancing[number]), int(entered[number])) if board[BAR] else None
            for number, board in enumerate(self.boards)
        ]

    def past(self, edges: Sequence[int]) -> list[int]:
        """Of 36 rolls, those that bring a checker from above a point to that point or below, one edge a board."""
        edge = np.repeat(np.array(edges), [end - first for first, end in self._ranges()])[:, None]
        above = np.arange(OPPONENT_BAR, BAR + 1) > edge
        left = (np.maximum(self.before, 0) * above).sum(axis=1) > (np.maximum(self.after, 0) * above).sum(axis=1)
        return [int(count) for count in self.some(left)]

    def new_points(self) -> list[int]:
        """Of 36 rolls, those that can make a point which was not held, up to the bar point or the other's home."""
        useful = np.array([1 <= place <= 7 or 18 <= place < BAR for place in range(BAR + 1)])
        made = ((self.after >= 2) & (self.before < 2) & useful).any(axis=1)
        return [int(count) for count in self.some(made)]

    def _ranges(self) -> list[tuple[int, int]]:
        firsts = self._starts[:: len(ROLLS)].tolist()
        return list(zip(firsts, [*firsts[1:], len(self.after)], strict=True))


def unsafe_rolls(board: Board) -> int:
    """Of the 36 rolls of the side on roll, those after which every play leaves a shot.

    A shot is a blot outside the other's home board that some roll of the other side hits.
    """
    reach = Reach(board[None])
    replies = flip(reach.after)
    exposed = (reach.after[:, 1:19] == 1).any(axis=1) & (reach.after > 0).any(axis=1)
    shot = np.zeros(len(replies), dtype=np.bool_)
    if exposed.any():
        shot[exposed] = [attack.costly_hits > 0 for attack in Reach(replies[exposed]).attacks()]
    return int(reach.every(shot)[0])
