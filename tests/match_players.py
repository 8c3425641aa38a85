"""Players that do everything the rules allow, by lot: for matches in which all that can happen does."""

from __future__ import annotations

import numpy as np

from bgai.match_play import Answer
from bgai.match_state import MatchState
from bgai.plays import Plays


class Gambler:
    """Doubles, redoubles, drops and resigns now and then."""

    def __init__(self, name: str, resigns: float = 0.01, refuses: float = 0.0) -> None:
        self.name = name
        self._resigns = resigns
        self._refuses = refuses

    def choose(self, state: MatchState, plays: Plays, rng: np.random.Generator) -> int:
        """Any play."""
        return int(rng.integers(len(plays)))

    def doubles(self, state: MatchState, rng: np.random.Generator) -> bool:
        """Now and then, ever more seldom."""
        return bool(rng.random() < 0.06 / state.cube)

    def answers(self, state: MatchState, rng: np.random.Generator) -> Answer:
        """Redoubles where it may, sometimes drops."""
        rules = state.rules
        may = rules.beavers if state.offer == "double" else rules.raccoons and state.offer == "beaver"
        if may and 4 * state.cube <= rules.cube_limit and rng.random() < 0.6:
            return "redouble"
        return "pass" if rng.random() < 0.2 else "take"

    def resigns(self, state: MatchState, rng: np.random.Generator) -> int:
        """Now and then, anything."""
        return int(rng.integers(1, 4)) if rng.random() < self._resigns else 0

    def accepts(self, state: MatchState, rng: np.random.Generator) -> bool:
        """Mostly."""
        return bool(rng.random() >= self._refuses)
