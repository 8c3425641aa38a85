"""What a learner sees and what it can do: the spaces, and the observations in them."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from bgai.board import CHECKERS, SIZE, Board
from bgai.features import encoder as encoder_named

MOST_PLAYS = 2226
"""The largest number of different plays that a roll can have, and so the number of actions.

It is exact. Which plays of a double d are different follows from how often a checker leaves each point, c[p] with
sum 4 and c[p] <= n[p] + c[p + d]; of all ways to place fifteen checkers, 1-1 with thirteen to fifteen of them in
pairs of neighbouring blots has the most. `tests/test_environments_most_plays.py` goes through them all.
"""

Observation = dict[str, NDArray[Any]]


class PlayNumbers(spaces.Discrete):
    """`Discrete(MOST_PLAYS)` that knows how many plays are legal now: without a mask it samples one of those."""

    def __init__(self) -> None:
        super().__init__(MOST_PLAYS)
        self.legal = MOST_PLAYS
        """How many are legal now."""

    def sample(self, mask: Any = None, probability: Any = None) -> Any:
        """A legal action; by `mask` or `probability` as `Discrete` does."""
        if mask is None and probability is None:
            return np.int64(self.np_random.integers(self.legal))
        return super().sample(mask, probability)


class Sights:
    """How positions are shown: as boards, or as the inputs of a network.

    An observation has two arrays:

    * `observation`: the board and the two dice, larger first: int8[28], or, with an encoder that has F inputs,
      float32[F + 2]. Without a roll to play the dice are 0.
    * `action_mask`: int8[MOST_PLAYS], 1 for legal actions, which always come first.
    """

    def __init__(self, encoder: str | None = None) -> None:
        """With the name of an encoder, see `bgai.features`.

        Raises:
            ModelError: there is none of this name.
        """
        self._encoder = None if encoder is None else encoder_named(encoder)
        seen: spaces.Box
        if self._encoder is None:
            low = np.array([-CHECKERS] * (SIZE - 1) + [0, 0, 0], dtype=np.int8)
            high = np.array([0] + [CHECKERS] * (SIZE - 1) + [6, 6], dtype=np.int8)
            seen = spaces.Box(low, high, dtype=np.int8)
        else:
            most = np.full(self._encoder.inputs + 2, max(6.0, float(self._encoder.features.max())), dtype=np.float32)
            seen = spaces.Box(np.zeros_like(most), most, dtype=np.float32)
        self.space: spaces.Space[Any] = spaces.Dict(
            {"observation": seen, "action_mask": spaces.Box(0, 1, (MOST_PLAYS,), np.int8)}
        )

    def of(self, boards: Board, dice: NDArray[np.int64], counts: NDArray[np.int64]) -> Observation:
        """Observations of N positions, arrays `[N, ...]`: int8[N, 26], int64[N, 2], legal plays int64[N]."""
        shown = boards if self._encoder is None else self._encoder.encode(boards)
        mask = np.zeros((len(boards), MOST_PLAYS), dtype=np.int8)
        widest = int(counts.max())
        mask[:, :widest] = np.arange(widest) < counts[:, None]
        return {"observation": np.concatenate([shown, dice.astype(shown.dtype)], axis=1), "action_mask": mask}
