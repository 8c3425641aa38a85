"""Stakes: what winning and losing are worth, at each turn of the cube.

Money and matches differ in nothing else. All values are equities normalised to the present cube: winning a single
game with it is +1, losing one is -1. In a match they are match-winning chances, moved and stretched so that this
holds (EMG).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from bgai.kernels.cube import UNLIMITED, CubeStakes, dead_equities
from bgai.met import MatchEquityTable
from bgai.outcomes import Outcomes
from bgai.position import Cube, Score

MOST_TURNS = 12
"""Turns of the cube that are looked at. What a turn is worth shrinks fourfold with each one before it."""

_KEPT = 4096
"""Stakes that are remembered: a match to 25 points has some thousand."""


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
        equities = np.empty(len(outcomes), dtype=np.float64)
        dead_equities(np.ascontiguousarray(outcomes, dtype=np.float32), self.compiled, equities)
        return equities

    @property
    def unlimited(self) -> bool:
        """Whether the cube has so far to go that its limit is not felt, as a two-sided bear-off table takes it."""
        return not self.match and len(self.win) > UNLIMITED

    @cached_property
    def compiled(self) -> CubeStakes:
        """The form that kernels take."""
        return CubeStakes(np.array(self.win), np.array(self.lose), np.array(self.usable), bool(self.beavers))


@lru_cache(maxsize=_KEPT)
def stakes_of(cube: Cube, score: Score, met: MatchEquityTable | None, cube_limit: int) -> Stakes:
    """The stakes of a position; `met` is needed for matches alone. They are kept, and so cannot be written to."""
    if score.length:
        assert met is not None
        stakes = _match_stakes(cube, score, met, cube_limit)
    else:
        stakes = _money_stakes(cube, score, cube_limit)
    for values in (stakes.win, stakes.lose, stakes.usable):
        values.setflags(write=False)
    return stakes


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

    def equities(chances: list[NDArray[np.float64]]) -> NDArray[np.float64]:
        # So written, `best` and `worst` become 1 and -1 to the last digit.
        values: NDArray[np.float64] = ((np.array(chances) - worst) - (best - np.array(chances))) / (best - worst)
        return values

    return Stakes(
        equities(win),
        equities(lose),
        np.array(usable),
        cube.owner != "opponent" and not dead,
        beavers=False,
        match=True,
        centre=float(best + worst) / 2,
        half=float(best - worst) / 2,
    )


def worth_of_turn(stakes: Stakes | CubeStakes, turn: int) -> NDArray[np.float64]:
    """float64[6], see `bgai.kernels.static.worth_of`: with a cube that stays where it is after so many turns."""
    win, lose = stakes.win[turn], stakes.lose[turn]
    steps = [win[0] - lose[0], win[1] - win[0], win[2] - win[1], lose[1] - lose[0], lose[2] - lose[1], lose[0]]
    return np.array(steps)


def worth_of_plays(stakes: Stakes | CubeStakes, turn: int, *, match: bool) -> NDArray[np.float32]:
    """float32[6]: the worth by which plays are chosen after so many turns of the cube.

    For money a turn changes nothing about the plays, but that gammons count from then on (Jacoby). By the time one is
    won, somebody has turned the cube, so plays are chosen as if it had been.
    """
    turned = not match and len(stakes.win) > 1
    return worth_of_turn(stakes, max(turn, int(turned))).astype(np.float32)
