"""What stands behind a cube decision: the take point, the gammon price, the market losers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from bgai.analyst import Analyst
from bgai.board import result
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
    analyst = analyst.at_once()
    ranked = analyst.rank([replace(position, dice=roll, offer=None) for roll in ROLLS])
    mine = ranked.plays.successors[ranked.order[ranked.plays.offsets[:-1]]]
    going_on = np.array([not result(board) for board in mine])
    lost = float(ROLL_WEIGHTS[~going_on].sum())
    if not going_on.any():
        return lost
    turned = Position(cube=position.cube.flipped(), score=position.score.flipped(), cube_limit=position.cube_limit)
    replies = analyst.rank([replace(turned, board=board, dice=roll) for board in mine[going_on] for roll in ROLLS])
    later = replies.plays.successors[replies.order[replies.plays.offsets[:-1]]]
    weights = np.outer(ROLL_WEIGHTS[going_on], ROLL_WEIGHTS).ravel()
    undecided = np.array([not result(board) for board in later])
    if undecided.any():
        values, _, _ = analyst.cube_values_of(position, later[undecided])
        lost += float(weights[undecided][values.double_take > 1].sum())
    return lost
