"""An evaluator that errs, as people do: a little about most positions, and in the same way about the same one."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bgai.board import Board
from bgai.dice import mix
from bgai.evaluator import Evaluator
from bgai.outcomes import LOSE_GAMMON, WIN, WIN_GAMMON, Outcomes

_KEYS = mix(np.arange(1, 27, dtype=np.uint64))
_UNIT = 2.0**-53


class WeakenedEvaluator:
    """Another evaluator with noise on the chance to win.

    The noise of a cubeless equity is normal. It depends on the board and on the seed alone, so the same question gets
    the same answer. What is certain stays so.
    """

    def __init__(self, evaluator: Evaluator, noise: float, seed: int = 0) -> None:
        """`noise` is the standard deviation of a cubeless money equity."""
        self.evaluator = evaluator
        self.noise = noise
        self.seed = seed

    def evaluate(self, boards: Board) -> Outcomes:
        """See `Evaluator`."""
        outcomes = self.evaluator.evaluate(boards)
        win = outcomes[:, WIN]
        # A change of the chance to win moves the equity twice as far.
        wrong = win + 0.5 * self.noise * normal_of(boards, self.seed)
        open_ended = (win > 0) & (win < 1)
        outcomes[:, WIN] = np.where(
            open_ended, np.clip(wrong, outcomes[:, WIN_GAMMON], 1 - outcomes[:, LOSE_GAMMON]), win
        )
        return outcomes


def normal_of(boards: Board, seed: int = 0) -> NDArray[np.float64]:
    """A number float64[N] for each board `int8[N, 26]` as if drawn from the standard normal distribution."""
    spread = (np.asarray(boards).astype(np.int64).view(np.uint64) * _KEYS).sum(axis=1, dtype=np.uint64)
    bits = mix(spread + mix(np.array([seed % 2**64], dtype=np.uint64)))
    # Box and Muller's way from two even numbers to a normal one.
    first = ((bits >> np.uint64(11)).astype(np.float64) + 1) * _UNIT
    second = (mix(bits) >> np.uint64(11)).astype(np.float64) * _UNIT
    normal: NDArray[np.float64] = np.sqrt(-2 * np.log(first)) * np.cos(2 * np.pi * second)
    return normal
