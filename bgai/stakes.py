"""Stakes: what winning and losing are worth, at each turn of the cube.

Money and matches differ in nothing else. All values are equities normalised to the present cube: winning a single
game with it is +1, losing one is -1. In a match they are match-winning chances, moved and stretched so that this
holds (EMG).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bgai.met import MatchEquityTable
from bgai.outcomes import Outcomes, exclusive
from bgai.position import Cube, Score

MOST_TURNS = 12
"""Turns of the cube that are looked at. What a turn is worth shrinks fourfold with each one before it."""


@dataclass(frozen=True)
class Stakes:
    """Values seen by the player on roll. `K` is the number of cube values looked at, the present one first."""

    win: NDArray[np.float64]
    """float64[K, 3]: of winning a single game, a gammon, a backgammon with the cube turned k times more."""
    lose: NDArray[np.float64]
    """float64[K, 3]: of losing them, below 0."""
    usable: NDArray[np.bool_]
    """bool[K, 2]: whether the player on roll, and the opponent, gain anything by turning the cube once more."""
    may_double: bool
    """Whether the rules let the player on roll double now; a dead cube is legal but never turned."""
    beavers: bool
    match: bool = False
    centre: float = 0.0
    half: float = 1.0
    """Match-winning chance = centre + half x equity; 0 and 1 for money."""

    def dead(self, outcomes: Outcomes) -> NDArray[np.float64]:
        """Equities `float64[N]` of outcome vectors `float32[N, 5]` if the cube is never turned again."""
        chances = exclusive(outcomes).astype(np.float64)
        worth = np.concatenate([self.win[0], self.lose[0]])
        # Summed in order and not by a matrix product, whose last digits depend on how many positions there are.
        equities: NDArray[np.float64] = sum(chances[:, kind] * worth[kind] for kind in range(6))
        return equities


def stakes_of(cube: Cube, score: Score, met: MatchEquityTable | None, cube_limit: int) -> Stakes:
    """The stakes of a position; `met` is needed for matches alone."""
    if score.length:
        assert met is not None
        return _match_stakes(cube, score, met, cube_limit)
    return _money_stakes(cube, score, cube_limit)


def _turns(cube: Cube, cube_limit: int) -> int:
    turns = 0
    while turns < MOST_TURNS and cube.value << (turns + 1) <= cube_limit:
        turns += 1
    return turns


def _money_stakes(cube: Cube, score: Score, cube_limit: int) -> Stakes:
    turns = _turns(cube, cube_limit)
    values = 2.0 ** np.arange(turns + 1)
    win = values[:, None] * np.array([1.0, 2.0, 3.0])
    if score.jacoby and cube.owner == "centred":
        win[0] = values[0]
    usable = np.repeat(np.arange(turns + 1)[:, None] < turns, 2, axis=1)
    return Stakes(win, -win, usable, cube.owner != "opponent" and turns > 0, score.beavers)


def _match_stakes(cube: Cube, score: Score, met: MatchEquityTable, cube_limit: int) -> Stakes:
    away = score.away
    dead = score.crawford
    turns = 0 if dead else _turns(cube, cube_limit)
    win, lose, usable = [], [], []
    for turn in range(turns + 1):
        value = cube.value << turn
        chances = met.outcome_mwc(away, value, crawford=score.crawford, post_crawford=score.post_crawford)
        lose.append(chances[2::-1])
        win.append(chances[3:])
        usable.append([turn < turns and value < points for points in away])
        if not any(usable[-1]):
            break
    best, worst = win[0][0], lose[0][0]
    centre, half = (best + worst) / 2, (best - worst) / 2
    return Stakes(
        (np.array(win) - centre) / half,
        (np.array(lose) - centre) / half,
        np.array(usable),
        cube.owner != "opponent" and not dead,
        beavers=False,
        match=True,
        centre=centre,
        half=half,
    )
