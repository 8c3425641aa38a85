"""The cube in a rollout's trials: what a position is worth with it, and when it is turned.

Turns of the cube are counted from the root of the rollout, equities are those of its cube.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from bgai.kernels.bearoff import covered, index_of, index_of_opponent, with_cube
from bgai.kernels.compiler import kernel
from bgai.kernels.cube import CENTRED, ON_ROLL, OPPONENT, UNLIMITED, CubeStakes, cube_actions, draw_lines
from bgai.kernels.forward import OUTPUTS, points_lost
from bgai.kernels.phase import cube_efficiency

VALUES = OUTPUTS + 1
EQUITY = OUTPUTS
"""Place of the equity with the cube, behind the chances."""


class Rules(NamedTuple):
    """What trials are played for. `K` is the number of cube values looked at."""

    stakes: tuple[CubeStakes, CubeStakes]
    """By side."""
    worth: np.ndarray
    """float32[2, K, 6], by side and turn of the cube, see `bgai.kernels.static.worth_of`: decides plays."""
    efficiency: np.ndarray
    """float64[3] of the cube, by phase."""
    cubeful: bool
    money: bool
    """Then the two-sided table's equities with the cube hold, if the cube has far to go."""


@kernel
def known(static, rules, slots, turn):
    """Whether the two-sided table tells what a position is worth with the cube."""
    far = rules.money and turn + UNLIMITED < rules.stakes[0].win.shape[0]
    return far and covered(slots, static.bearoffs.exact_most)


@kernel
def fill_value(static, rules, side, turn, owner, positions, outcomes, index, lines, value):
    """Fills float64[6] with the worth of `positions[index]` to `side`, before its roll and with the right cube action.

    Args:
        owner: of the cube, seen by `side`.
        positions: int8[N, ROW], with static chances `outcomes` float32[N, 5].
    """
    for output in range(OUTPUTS):
        value[output] = outcomes[index, output]
    if not rules.cubeful:
        return
    stakes = rules.stakes[side]
    points = points_lost(positions, index)
    if points > 0:
        value[EQUITY] = stakes.lose[turn, points - 1]
    elif known(static, rules, positions[index], turn):
        slots = positions[index]
        entry = with_cube(static.bearoffs.exact[index_of(slots), index_of_opponent(slots)])
        value[EQUITY] = stakes.win[turn, 0] * entry[1 + owner]
    else:
        chance = draw_lines(outcomes, index, stakes, lines)
        efficiency = cube_efficiency(positions[index], rules.efficiency)
        value[EQUITY] = cube_actions(stakes, lines, chance, turn, owner, efficiency)[3]


@kernel
def other_owner(owner):
    """The owner seen by the other side."""
    return CENTRED if owner == CENTRED else ON_ROLL + OPPONENT - owner


@kernel
def turn_cube(rules, side, turn, owner, slots, outcomes, lines):
    """What happens to the cube before a roll: (turns, owner seen by `side`, whether the double was passed)."""
    stakes = rules.stakes[side]
    if owner == OPPONENT or not stakes.usable[turn, 0]:
        return turn, owner, False
    chance = draw_lines(outcomes, 0, stakes, lines)
    efficiency = cube_efficiency(slots, rules.efficiency)
    no_double, taken, beaver, _ = cube_actions(stakes, lines, chance, turn, owner, efficiency)
    cashed = stakes.win[turn, 0]
    if not min(taken, cashed) > no_double:
        return turn, owner, False
    if taken > cashed:
        return turn, owner, True
    return turn + (2 if beaver else 1), OPPONENT, False
