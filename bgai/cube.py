"""The doubling cube: what a position is worth with it, and whether to turn it.

After Rick Janowski, "Take-Points in Money Games" (1993): the value of a position lies between that of a *dead* cube,
which nobody will turn again, and that of a fully *live* one, which both sides turn at exactly the right moment. With
a live cube the value is a broken line over the winning chance: it starts at what losing costs, passes the points
where the opponent and where the player on roll can cash, and ends at what winning pays. `efficiency` says how far
from dead to live the truth lies.

A cash point depends on what the other side can do with the cube it gets, so the points are found from the last
useful turn of the cube backwards. The same few lines serve money, where the cube never ends (the first turns hardly
feel the last), and matches, where it dies at the score.

Arrays: `N` positions, all with the same stakes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bgai.outcomes import Outcomes, exclusive
from bgai.position import CubeOwner
from bgai.stakes import Stakes

Values = NDArray[np.float64]
"""`float64[N]`"""


@dataclass(frozen=True)
class CubeValues:
    """What can be done with the cube, for N positions, in equities of the present cube."""

    no_double: Values
    double_take: Values
    """What the double is worth if it is taken; after a beaver where the opponent should beaver."""
    beaver: NDArray[np.bool_]
    """Whether the opponent should beaver."""
    value: Values
    """With the right action and answer."""

    @property
    def double(self) -> NDArray[np.bool_]:
        """Whether doubling gains something."""
        return np.minimum(self.double_take, 1.0) > self.no_double


class _Line:
    """A broken line over the winning chance, rising from (0, start) to (1, end) by way of some points."""

    def __init__(self, start: Values, end: Values, points: list[tuple[Values, float]]) -> None:
        self.chances = [np.zeros_like(start), *(chance for chance, _ in points), np.ones_like(start)]
        self.values = [start, *(np.full_like(start, value) for _, value in points), end]

    def at(self, chance: Values) -> Values:
        """The value at a winning chance."""
        result = self.values[0]
        for left, right, low, high in zip(self.chances, self.chances[1:], self.values, self.values[1:], strict=False):
            part = np.clip((chance - left) / np.maximum(right - left, 1e-12), 0, 1)
            result = np.where(chance >= left, low + part * (high - low), result)
        return result

    def where(self, value: float) -> Values:
        """The winning chance at which the line first reaches a value."""
        result = np.ones_like(self.values[0])
        pieces = list(zip(self.chances, self.chances[1:], self.values, self.values[1:], strict=False))
        for left, right, low, high in reversed(pieces):
            part = np.clip((value - low) / np.maximum(high - low, 1e-12), 0, 1)
            result = np.where(high >= value, left + part * (right - left), result)
        return result


@dataclass(frozen=True)
class CubeModel:
    """The live cube of some positions: their cash points at each turn."""

    stakes: Stakes
    chance: Values
    """The chances to win."""
    when_won: NDArray[np.float64]
    """float64[K, N]: what a win is worth on average, with the gammons there are."""
    when_lost: NDArray[np.float64]
    cash: NDArray[np.float64]
    """float64[K, N]: winning chance from which the opponent should pass a double."""
    opponent_cash: NDArray[np.float64]
    """float64[K, N]: winning chance up to which the player on roll should pass."""

    @classmethod
    def of(cls, outcomes: Outcomes, stakes: Stakes) -> CubeModel:
        """From outcome vectors `float32[N, 5]`."""
        parts = exclusive(outcomes).astype(np.float64)
        won, lost = parts[:, :3], parts[:, 3:]
        when_won = _mean(won, stakes.win)
        when_lost = _mean(lost, stakes.lose)
        last = len(stakes.win) - 1
        cash = np.ones_like(when_won)
        opponent_cash = np.zeros_like(when_won)
        model = cls(stakes, won.sum(axis=1), when_won, when_lost, cash, opponent_cash)
        for turn in range(last - 1, -1, -1):
            mine, theirs = stakes.usable[turn]
            if mine:
                cash[turn] = model.live(turn + 1, "opponent").where(stakes.win[turn, 0])
            if theirs:
                opponent_cash[turn] = model.live(turn + 1, "on roll").where(stakes.lose[turn, 0])
        return model

    def live(self, turn: int, owner: CubeOwner) -> _Line:
        """The value with a fully live cube, over the winning chance."""
        mine, theirs = self.stakes.usable[turn]
        points: list[tuple[Values, float]] = []
        if theirs and owner != "on roll":
            points.append((self.opponent_cash[turn], self.stakes.lose[turn, 0]))
        if mine and owner != "opponent":
            points.append((self.cash[turn], self.stakes.win[turn, 0]))
        return _Line(self.when_lost[turn], self.when_won[turn], points)

    def dead(self, turn: int) -> Values:
        """The value if the cube is never turned again."""
        value: Values = self.chance * self.when_won[turn] + (1 - self.chance) * self.when_lost[turn]
        return value

    def equity(self, turn: int, owner: CubeOwner, efficiency: Values) -> Values:
        """Between dead and live."""
        share = np.ones_like(efficiency) if self._turns_at_once(turn, owner) else efficiency
        value: Values = (1 - share) * self.dead(turn) + share * self.live(turn, owner).at(self.chance)
        return value

    def _turns_at_once(self, turn: int, owner: CubeOwner) -> bool:
        """Whether the opponent owns the cube and loses nothing by turning it at its next roll.

        Then the match is lost for it with this game anyway, and the live line is what will happen.
        """
        win = self.stakes.win
        return owner == "opponent" and bool(self.stakes.usable[turn, 1]) and bool(win[turn, 0] >= win[turn + 1, 0])


def cube_values(outcomes: Outcomes, stakes: Stakes, owner: CubeOwner, efficiency: Values) -> CubeValues:
    """Equities of the actions for N positions before the roll, `outcomes` float32[N, 5], `efficiency` float64[N]."""
    model = CubeModel.of(outcomes, stakes)
    no_double = model.equity(0, owner, efficiency)
    nobody = np.zeros(len(no_double), dtype=np.bool_)
    if not stakes.may_double or len(stakes.win) < 2:
        return CubeValues(no_double, no_double, nobody, no_double)
    taken = model.equity(1, "opponent", efficiency)
    beaver = (taken < 0) & stakes.beavers & (len(stakes.win) > 2)
    double_take = np.where(beaver, 2 * taken, taken)
    usable = bool(stakes.usable[0, 0])
    value = np.maximum(no_double, np.minimum(double_take, 1.0)) if usable else no_double
    return CubeValues(no_double, double_take, beaver, value)


def _mean(parts: NDArray[np.float64], values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Averages of `values` [K, 3] weighted by `parts` [N, 3]: `float64[K, N]`; that of a single game without any."""
    total = parts.sum(axis=1)
    safe = np.where(total[:, None] > 0, parts, np.array([1.0, 0.0, 0.0]))
    weights = safe.T / safe.sum(axis=1)
    # Summed in order and not by a matrix product, whose last digits depend on how many positions there are.
    mean: NDArray[np.float64] = sum(values[:, kind, None] * weights[kind] for kind in range(3))
    return mean
