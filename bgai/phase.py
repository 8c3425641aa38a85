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


def last_rolls(boards: Board) -> NDArray[np.bool_]:
    """Whether the opponent ends the game with any roll if the player on roll does not, `bool[N]`.

    It has one checker left, on its 3 point or lower (2-1 is the smallest roll), or two of which one is on its ace point
    and the other there or on the 2 point, and there is no contact. Nobody will turn the cube again.
    """
    left = np.maximum(-boards, 0).sum(axis=-1)
    on_ace = np.maximum(-boards[..., SIZE - 2], 0)
    up_to_two = on_ace + np.maximum(-boards[..., SIZE - 3], 0)
    up_to_three = up_to_two + np.maximum(-boards[..., SIZE - 4], 0)
    certain = ((left == 1) & (up_to_three == 1)) | ((left == 2) & (up_to_two == 2) & (on_ace >= 1))
    answer: NDArray[np.bool_] = certain & (phases(boards) != CONTACT)
    return answer
