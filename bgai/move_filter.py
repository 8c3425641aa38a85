"""Move filters: which plays are looked at more deeply."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]


@dataclass(frozen=True)
class Level:
    """Which plays go on to the next depth: the best `least`, and up to `more` others not worse than `within`."""

    least: int
    more: int
    within: float

    def kept(self, equities: Values) -> NDArray[np.int64]:
        """The indices of the plays that go on, the best first; of equal ones the first."""
        order = np.argsort(-equities, kind="stable")
        others = order[self.least :][: self.more]
        near = equities[others] >= equities[order[0]] - self.within
        return np.concatenate([order[: self.least], others[near]])


@dataclass(frozen=True)
class Filter:
    """A move filter: one level for each depth, the first for 0-ply values; the last serves all that follow."""

    name: str
    levels: tuple[Level, ...]

    def level(self, plies: int) -> Level:
        """What happens to the plays of so many plies."""
        return self.levels[min(plies, len(self.levels) - 1)]


FILTERS = {
    chosen.name: chosen
    for chosen in (
        Filter("tiny", (Level(1, 4, 0.08), Level(1, 1, 0.02))),
        Filter("narrow", (Level(1, 7, 0.12), Level(1, 2, 0.03), Level(1, 1, 0.03))),
        Filter("normal", (Level(1, 7, 0.16), Level(1, 3, 0.06), Level(1, 1, 0.04))),
        Filter("large", (Level(1, 15, 0.32), Level(1, 7, 0.12), Level(1, 3, 0.08))),
        Filter("huge", (Level(2, 18, 0.44), Level(2, 10, 0.20), Level(2, 4, 0.11))),
    )
}
"""By name, as users of GNU Backgammon know them."""
