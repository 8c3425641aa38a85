"""Numbers of the analyst in the form that a choice keeps."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bgai.stakes import Stakes


def mwc_of(stakes: Stakes, equity: float) -> float | None:
    """The chance to win the match that an equity of the player with these stakes is; None for money."""
    return float(stakes.centre + stakes.half * equity) if stakes.match else None


def as_floats(outcomes: NDArray[np.floating]) -> tuple[float, ...]:
    """Chances [5], in the digits that a float32 has, so that JSON holds no more than is known."""
    return tuple(float(str(chance)) for chance in np.asarray(outcomes, dtype=np.float32))
