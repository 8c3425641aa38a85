"""How lucky rolls were: what makes a duel of thousands of games as telling as one of hundreds of thousands.

The luck of a roll is what its best play is worth, less the mean over all rolls, by one network's chances (a network's
0-ply equity, exact where a bear-off table holds the position). Over all rolls it sums to 0, whoever plays and however
well the network judges: so points less luck have the mean that points have, and a much smaller spread the better the
network judges (control variates; GNU Backgammon's luck-adjusted result).
"""

from __future__ import annotations

import numpy as np
from kernels import write_luck
from numpy.typing import NDArray
from peers import Rolls

from bgai.board import Board
from bgai.evaluator import KernelEvaluator
from bgai.model import Model
from bgai.outcomes import POINTS


class LuckJudge:
    """A model that says how lucky rolls were."""

    def __init__(self, model: Model) -> None:
        self.static = KernelEvaluator(model).static

    def luck(self, boards: Board, rolls: Rolls) -> NDArray[np.float64]:
        """Points that each roll brought to the player on roll beyond the mean of all 36: `float64[N]`.

        Args:
            boards: `int8[N, 26]`, none finished.
            rolls: `int64[N, 2]`.
        """
        found = np.empty(len(boards), dtype=np.float64)
        write_luck(self.static, POINTS, np.ascontiguousarray(boards), np.ascontiguousarray(rolls), found)
        return found
