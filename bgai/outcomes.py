"""Outcome vectors: what a position is worth, as chances.

`float32[..., 5]` for the player on roll, cumulative, in GNU Backgammon's order:

    win, win gammon or better, win backgammon, lose gammon or worse, lose backgammon

so 0 <= backgammon <= gammon <= win, and the same for losses with 1 - win.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bgai.board import Board, borne_off, opponent_borne_off
from bgai.errors import InputError

Outcomes = NDArray[np.float32]
"""`float32[5]`, or `float32[N, 5]` for a batch; see the module."""

WIN, WIN_GAMMON, WIN_BACKGAMMON, LOSE_GAMMON, LOSE_BACKGAMMON = range(5)
COUNT = 5
POINTS = np.array([2, 1, 1, -1, -1, -1], dtype=np.float32)
"""float32[6]: what each chance adds to `equity`, and the constant behind them; in kernels the worth of plays for money
without the cube (`bgai.kernels.static.worth_of`)."""
NAMES = ("win", "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon")


def equity(outcomes: Outcomes) -> NDArray[np.float32]:
    """Cubeless equity per unit of cube, -3 to 3: `win - lose` plus what gammons and backgammons add.

    Summed in a fixed order and not by a matrix product, whose last bit depends on the rows beside it.
    """
    win, gammon, backgammon, lost_gammon, lost_backgammon = np.moveaxis(outcomes, -1, 0)
    total: NDArray[np.float32] = 2 * win - 1 + gammon + backgammon - lost_gammon - lost_backgammon
    return total


def invert(outcomes: Outcomes) -> Outcomes:
    """The same chances seen by the other side."""
    swapped = outcomes[..., [WIN, LOSE_GAMMON, LOSE_BACKGAMMON, WIN_GAMMON, WIN_BACKGAMMON]]
    swapped[..., WIN] = 1 - swapped[..., WIN]
    return swapped


def exclusive(outcomes: Outcomes) -> NDArray[np.float32]:
    """The six separate chances: win single, gammon, backgammon, lose single, gammon, backgammon; sum 1."""
    win, gammon, backgammon, lost_gammon, lost_backgammon = np.moveaxis(outcomes, -1, 0)
    return np.stack(
        [
            win - gammon,
            gammon - backgammon,
            backgammon,
            1 - win - lost_gammon,
            lost_gammon - lost_backgammon,
            lost_backgammon,
        ],
        axis=-1,
    )


def of_result(points: int) -> Outcomes:
    """The certain outcome of a finished game: `points` as in `bgai.board.result`, -3 to 3 without 0."""
    return np.array([points > 0, points > 1, points > 2, points < -1, points < -2], dtype=np.float32)


def possible(board: Board, outcomes: Outcomes) -> Outcomes:
    """The nearest vector that obeys the rules: chances in order, and no gammon after a checker is off.

    Boards `[..., 26]` with outcomes `[..., 5]`. A side that has borne off a checker cannot lose a gammon.
    """
    legal = np.clip(outcomes, 0, 1)
    legal[..., WIN_GAMMON] *= opponent_borne_off(board) == 0
    legal[..., LOSE_GAMMON] *= borne_off(board) == 0
    legal[..., WIN_GAMMON] = np.minimum(legal[..., WIN_GAMMON], legal[..., WIN])
    legal[..., LOSE_GAMMON] = np.minimum(legal[..., LOSE_GAMMON], 1 - legal[..., WIN])
    legal[..., WIN_BACKGAMMON] = np.minimum(legal[..., WIN_BACKGAMMON], legal[..., WIN_GAMMON])
    legal[..., LOSE_BACKGAMMON] = np.minimum(legal[..., LOSE_BACKGAMMON], legal[..., LOSE_GAMMON])
    return legal


def check_outcomes(boards: Board, outcomes: Outcomes) -> None:
    """Refuses labels that the rules make impossible: boards `[N, 26]` with outcomes `[N, 5]`.

    Raises:
        InputError: the number of such a row, and what is wrong with it.
    """
    win, gammon, backgammon, lost_gammon, lost_backgammon = np.moveaxis(outcomes, -1, 0)
    slack = 1e-6
    rules = {
        "a chance is no number": np.isfinite(outcomes).all(axis=-1),
        "win is not within 0 to 1": (win >= -slack) & (win <= 1 + slack),
        "not 0 <= win_backgammon <= win_gammon <= win": (
            (backgammon >= -slack) & (backgammon <= gammon + slack) & (gammon <= win + slack)
        ),
        "not 0 <= lose_backgammon <= lose_gammon <= 1 - win": (
            (lost_backgammon >= -slack) & (lost_backgammon <= lost_gammon + slack) & (lost_gammon <= 1 - win + slack)
        ),
        "the opponent has borne off a checker, so win_gammon and win_backgammon are 0": (
            (opponent_borne_off(boards) == 0) | (gammon <= slack)
        ),
        "the player on roll has borne off a checker, so lose_gammon and lose_backgammon are 0": (
            (borne_off(boards) == 0) | (lost_gammon <= slack)
        ),
    }
    for reason, obeyed in rules.items():
        if not obeyed.all():
            row = int(np.flatnonzero(~obeyed)[0])
            raise InputError(f"impossible outcomes in row {row}: {reason}, found {outcomes[row].tolist()}")
