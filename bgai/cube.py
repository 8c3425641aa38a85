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

from bgai.kernels.cube import CENTRED, ON_ROLL, OPPONENT, cube_actions_of_many
from bgai.outcomes import Outcomes
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


OWNERS: dict[CubeOwner, int] = {"centred": CENTRED, "on roll": ON_ROLL, "opponent": OPPONENT}
"""Owners of the cube as kernels know them."""


def cube_values(outcomes: Outcomes, stakes: Stakes, owner: CubeOwner, efficiency: Values) -> CubeValues:
    """Equities of the actions for N positions before the roll, `outcomes` float32[N, 5], `efficiency` float64[N].

    `stakes` are those of a cube with this owner.
    """
    count = len(outcomes)
    assert efficiency.shape == (count,)
    found = CubeValues(np.empty(count), np.empty(count), np.empty(count, dtype=np.bool_), np.empty(count))
    cube_actions_of_many(
        np.ascontiguousarray(outcomes, dtype=np.float32),
        stakes.compiled,
        OWNERS[owner],
        np.ascontiguousarray(efficiency, dtype=np.float64),
        found.no_double,
        found.double_take,
        found.beaver,
        found.value,
    )
    return found


def cube_values_from(no_double: Values, taken: Values, stakes: Stakes) -> CubeValues:
    """The same from equities that are known, of no double and of a double that is taken.

    `taken` is not a number where the rules allow no double.
    """
    beaver = (taken < 0) & stakes.beavers & (len(stakes.win) > 2)
    double_take = np.where(np.isnan(taken), no_double, np.where(beaver, 2 * taken, taken))
    useful = bool(stakes.usable[0, 0])
    value = np.maximum(no_double, np.minimum(double_take, stakes.win[0, 0])) if useful else no_double
    return CubeValues(no_double, double_take, beaver, value)
