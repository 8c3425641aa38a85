"""What a play is judged by: the position before it, whose names are used, what gammons are worth."""

from __future__ import annotations

from dataclasses import dataclass

from bgai.coach.persons import Person
from bgai.coach.position_facts import PositionFacts
from bgai.coach.position_words import Names
from bgai.coach.sides import THEIR_HOME
from bgai.stakes import Stakes

MONEY_GAMMON = 0.5
"""What a gammon adds at money, as a share of the difference between winning and losing."""

_STRONG_BOARD = 3
"""Home points from which on the other's board makes the 24 point worth holding."""
_CASHED = 1e-5
"""How far an equity may be from the pass of a double, for rounding."""


@dataclass(frozen=True)
class PlayContext:
    """The same for all plays of a position."""

    facts: PositionFacts
    names: Names
    match: bool
    gammon_values: tuple[float, float]
    """What a gammon adds with the present cube, for the player on roll and the opponent, as `MONEY_GAMMON`."""
    legal: int
    """How many plays the roll allows."""
    opponent_doubles: bool
    """Whether the opponent may double after the play, and may gain by it."""
    bad_equity: float | None
    """Equity from which down a roll of the opponent's counts as bad; None if replies are not looked at."""
    money_gammon: float = MONEY_GAMMON

    @property
    def words(self) -> dict[str, str]:
        """The names, for templates."""
        return {"own": Person(self.names[0]), "other": Person(self.names[1])}

    @property
    def useful_anchors(self) -> range:
        """Points of the other's home board that are worth holding: the 24 point from a board of three points on."""
        strong = len(self.facts.sides[1].home_points) >= _STRONG_BOARD
        return range(THEIR_HOME, 25 if strong else 24)

    def is_doubled_out(self, equity: float) -> bool:
        """Whether a play of such an equity is answered by a double that is passed."""
        return self.opponent_doubles and abs(equity + 1) < _CASHED

    @property
    def contact(self) -> bool:
        """Whether the sides can hit each other before the play."""
        return not self.facts.race.pure


def gammon_values(stakes: Stakes) -> tuple[float, float]:
    """What a gammon adds with the present cube, won and lost."""
    win, lose = stakes.win[0], stakes.lose[0]
    span = float(win[0] - lose[0])
    return float(win[1] - win[0]) / span, float(lose[0] - lose[1]) / span
