"""Kinds of position: contact, race and bear-off."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bgai.board import HOME, SIZE, Board

PHASES = ("contact", "race", "bearoff")
CONTACT, RACE, BEAROFF = range(3)


def phases(boards: Board) -> NDArray[np.int64]:
    """The kind of each board `int8[N, 26]`, as an index of `PHASES`.

    Contact: some checker has still to pass one of the other side. Race: none has. Bear-off: a race with all
    checkers of both sides in their home boards.
    """
    place = np.arange(SIZE)
    last_own = np.where(boards > 0, place, -1).max(axis=-1)
    last_other = np.where(boards < 0, place, SIZE).min(axis=-1)
    home = (last_own <= HOME) & (last_other >= SIZE - 1 - HOME)
    return np.where(last_own > last_other, CONTACT, np.where(home, BEAROFF, RACE))
