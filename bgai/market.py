"""What stands behind a cube decision: the take point, the gammon price, the market losers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from bgai.analyst import Analyst
from bgai.board import Board
from bgai.dice import ROLL_WEIGHTS, ROLLS
from bgai.kernels.cube import pass_point
from bgai.outcomes import Outcomes
from bgai.position import Position
from bgai.stakes import Stakes


def take_point(analyst: Analyst, position: Position, stakes: Stakes, outcomes: Outcomes) -> float:
    """The chance to win with which the opponent is just right to take, all gammons kept in proportion.

    `outcomes` float32[5]; the player on roll may double.
    """
    efficiency = analyst.efficiency_of(position.board[None])[0]
    return 1 - float(pass_point(outcomes[None], stakes.compiled, efficiency))


def gammon_price(stakes: Stakes) -> float:
    """What a gammon adds for the doubler after a take, as a share of what lies between winning and losing."""
    single, gammon = stakes.win[1, 0], stakes.win[1, 1]
    return float((gammon - single) / (single - stakes.lose[1, 0]))


def market_losers(analyst: Analyst, position: Position) -> float:
    """Weight of the pairs of rolls, played by both sides at 0-ply, after which a double would be passed.

    A roll that wins at once counts with them; pairs after which the opponent has won do not.
    """
    _, passed = market_after(analyst, position)
    return float(ROLL_WEIGHTS @ passed @ ROLL_WEIGHTS)


def market_after(analyst: Analyst, position: Position) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """What each roll of the player on roll and each reply lead to, both played at 0-ply and without a double before.

    Returns:
        float64[21], the equities after each of `bgai.dice.ROLLS`; and bool[21, 21], by roll and reply, whether a double
        would be passed then: also where the roll has won at once, not where the reply has.
    """
    analyst = analyst.at_once()
    ranked = analyst.rank([replace(position, dice=roll, offer=None) for roll in ROLLS])
    best = ranked.order[ranked.plays.offsets[:-1]]
    mine = ranked.plays.successors[best]
    going_on = ~_over(mine)
    passed = np.ones((len(ROLLS), len(ROLLS)), dtype=np.bool_)
    if going_on.any():
        turned = Position(cube=position.cube.flipped(), score=position.score.flipped(), cube_limit=position.cube_limit)
        replies = analyst.rank([replace(turned, board=board, dice=roll) for board in mine[going_on] for roll in ROLLS])
        later = replies.plays.successors[replies.order[replies.plays.offsets[:-1]]]
        undecided = ~_over(later)
        after = np.zeros(len(later), dtype=np.bool_)
        if undecided.any():
            values, _, _ = analyst.cube_values_of(position, later[undecided])
            after[undecided] = values.double_take > 1
        passed[going_on] = after.reshape(-1, len(ROLLS))
    return ranked.equities[best], passed


def _over(boards: Board) -> NDArray[np.bool_]:
    """bool[N]: whether a side of each board `int8[N, 26]` has no checker left."""
    return np.logical_not(np.logical_and((boards > 0).any(axis=1), (boards < 0).any(axis=1)))
