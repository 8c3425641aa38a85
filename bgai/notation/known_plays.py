"""What is said of plays, remembered: the same few come again and again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

import numpy as np

from bgai.board import Board
from bgai.plays import Steps

Said = TypeVar("Said")


class KnownPlays(Generic[Said]):
    """Something that depends only on the steps of a play and on which of them hit, such as its notation."""

    def __init__(self, say: Callable[[Board, Steps], Said], most: int) -> None:
        """`say` makes it from a board `int8[26]` and steps `int8[4, 2]`; about `most` are remembered."""
        self._say = say
        self._most = most
        self._known: dict[bytes, Said] = {}

    def of(self, boards: Board, steps: Steps) -> list[Said]:
        """For boards `int8[M, 26]` and steps `int8[M, 4, 2]`."""
        ends = steps[..., 1].astype(np.int64)
        hits = (ends > 0) & (np.take_along_axis(boards, ends, axis=1) == -1)
        keys = np.concatenate([steps.reshape(-1, 8), hits.astype(np.int8)], axis=1)
        data, width = keys.tobytes(), keys.shape[1]
        if len(self._known) > self._most:
            self._known.clear()
        found = []
        for number in range(len(keys)):
            key = data[number * width : (number + 1) * width]
            said = self._known.get(key)
            if said is None:
                said = self._known[key] = self._say(boards[number], steps[number])
            found.append(said)
        return found
