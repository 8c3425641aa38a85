"""What a score does to the cube and to gammons, read from a match equity table.

Both are the classical figures, for a dead cube: nobody will turn it again. For money the take point is 0.25 and the
value of a gammon 0.5.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bgai.met.table import RESULTS, Chances, MatchEquityTable


def take_point(met: MatchEquityTable, away: Sequence[int] | NDArray[np.integer], cube: int = 1) -> Chances:
    """The winning chance at which the first player may just take a double from `cube` to twice that.

    Without gammons and without further doubles: (pass - lose) / (win - lose), in match-winning chances.
    `away` is int[..., 2] as in `MatchEquityTable.outcome_mwc`; returns float64[...].
    """
    score = np.asarray(away)
    mine, theirs = score[..., 0], score[..., 1]
    dropped = met.after(mine, theirs, -cube)
    won, lost = met.after(mine, theirs, 2 * cube), met.after(mine, theirs, -2 * cube)
    return np.asarray((dropped - lost) / (won - lost))


def gammon_values(met: MatchEquityTable, away: Sequence[int] | NDArray[np.integer], cube: int = 1) -> Chances:
    """What gammons and backgammons add, as a share of what lies between losing and winning a single game.

    Returns:
        float64[..., 4]: of a won gammon and backgammon over a won single game, then of a lost gammon and backgammon
        under a lost single game. Each is a ratio to the swing of the single game; for money they are 0.5, 1, 0.5, 1.
        The "gammon price" in normalised equity, where that swing is 2, is twice as much.
    """
    chances = dict(zip(RESULTS, np.moveaxis(met.outcome_mwc(away, cube), -1, 0), strict=True))
    gains = [chances[2] - chances[1], chances[3] - chances[1], chances[-1] - chances[-2], chances[-1] - chances[-3]]
    values: Chances = np.stack(gains, axis=-1) / (chances[1] - chances[-1])[..., None]
    return values
