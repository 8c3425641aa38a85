"""Which rolls lose the market: the sequences of an own roll and the reply after which a double is passed."""

from __future__ import annotations

from dataclasses import dataclass

from bgai.analyst import Analyst
from bgai.coach.rolls import WEIGHTS
from bgai.dice import ROLLS
from bgai.market import market_after
from bgai.position import Position

REPLIES, HALF = 36, 18
SEQUENCES = REPLIES * REPLIES
"""Of two rolls."""


@dataclass(frozen=True)
class RollMarket:
    """One roll of the player on roll, without a double before it."""

    dice: str
    weight: int
    """Of 36."""
    equity: float
    """After its best play."""
    losing: int
    """Of 36 replies, those after which a double would be passed; 36 if the roll wins at once."""


@dataclass(frozen=True)
class Market:
    """All 21 rolls, from the best to the worst."""

    rolls: tuple[RollMarket, ...]
    losing: int
    """Of 1,296 sequences, those that lose the market."""
    always: int
    """Of 36 rolls, those that lose it whatever the reply is."""
    mostly: int
    """Those that lose it with half of the replies or more, but not with all."""

    @property
    def share(self) -> float:
        """The same as a share, as `bgai.market.market_losers` has it."""
        return self.losing / SEQUENCES

    @property
    def groups(self) -> tuple[tuple[RollMarket, ...], tuple[RollMarket, ...]]:
        """The rolls that `always` and `mostly` count, from the best down."""
        return (
            tuple(roll for roll in self.rolls if roll.losing == REPLIES),
            tuple(roll for roll in self.rolls if HALF <= roll.losing < REPLIES),
        )


def market_of(analyst: Analyst, position: Position) -> Market:
    """Both sides play at 0-ply; the player on roll may double before the roll."""
    equities, passed = market_after(analyst, position)
    losing = passed @ WEIGHTS
    rolls = [
        RollMarket(f"{high}-{low}", int(weight), float(equity), int(count))
        for (high, low), weight, equity, count in zip(ROLLS, WEIGHTS, equities, losing, strict=True)
    ]
    rolls.sort(key=lambda roll: -roll.equity)
    always, mostly = losing == REPLIES, (losing >= HALF) & (losing < REPLIES)
    return Market(tuple(rolls), int(losing @ WEIGHTS), int(always @ WEIGHTS), int(mostly @ WEIGHTS))
