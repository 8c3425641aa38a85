"""How lucky rolls were: what makes a duel of thousands of games as telling as one of hundreds of thousands.

The luck of a roll is what its best play is worth, less the mean over all 21 rolls with their chances, by the values of
one network (its 0-ply equity, exact where a bear-off table holds the position). So before a roll falls the mean of its
luck is 0, whoever plays and however wrong the network is, and points less the luck of a game's rolls have the mean that
points have. Any network will do that does not depend on the dice, one of the players included; the nearer its values
are to the truth, the smaller is the spread that is left.

In statistics these are control variates (J. M. Hammersley and D. C. Handscomb, "Monte Carlo Methods", 1964, chapter 5),
in backgammon the variance reduction of rollouts (`bgai.kernels.rollout`) and GNU Backgammon's luck-adjusted result.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bgai.board import Board
from bgai.evaluator import KernelEvaluator
from bgai.kernels.luck import write_luck
from bgai.kernels.static import Static
from bgai.model import Model
from bgai.outcomes import POINTS


@dataclass(frozen=True)
class LuckJudge:
    """A model that says how lucky rolls were in cubeless money games. Made by `LuckJudge.of(model)`."""

    name: str
    static: Static

    @classmethod
    def of(cls, model: Model) -> LuckJudge:
        """The judge that goes by this model's values, chosen among its filter's plays if it has a filter."""
        return cls(model.name, KernelEvaluator(model).static)

    def luck(self, boards: Board, rolls: NDArray[np.int64]) -> NDArray[np.float64]:
        """Points that each roll brought to the player on roll beyond the mean of all 36: `float64[N]`.

        Args:
            boards: `int8[N, 26]`, none finished.
            rolls: `int64[N, 2]`.
        """
        found = np.empty(len(boards), dtype=np.float64)
        write_luck(self.static, POINTS, np.ascontiguousarray(boards), np.ascontiguousarray(rolls), found)
        return found
