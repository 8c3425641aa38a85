"""What a play is judged by: the position before it, whose names are used, what gammons are worth."""

from __future__ import annotations

from dataclasses import dataclass

from bgai.coach.position_facts import PositionFacts
from bgai.coach.position_words import Names
from bgai.stakes import Stakes

MONEY_GAMMON = 0.5
"""What a gammon adds at money, as a share of the difference between winning and losing."""


@dataclass(frozen=True)
class PlayContext:
    """The same for all plays of a position."""

    facts: PositionFacts
    names: Names
    match: bool
    gammon_values: tuple[float, float]
    """What a gammon adds with the present cube, for the player on roll and the opponent, as `MONEY_GAMMON`."""
    money_gammon: float = MONEY_GAMMON

    @property
    def words(self) -> dict[str, str]:
        """The names, for templates."""
        return {"own": self.names[0], "other": self.names[1]}

    @property
    def contact(self) -> bool:
        """Whether the sides can hit each other before the play."""
        return not self.facts.race.pure


def gammon_values(stakes: Stakes) -> tuple[float, float]:
    """What a gammon adds with the present cube, won and lost."""
    win, lose = stakes.win[0], stakes.lose[0]
    span = float(win[0] - lose[0])
    return float(win[1] - win[0]) / span, float(lose[0] - lose[1]) / span
