"""Computes match equity tables, and continues them.

The method is the one that Tom Keith described and Walter Trice refined ("Constructing a match equity table",
rec.games.backgammon, April 2000; the table in Jacobs and Trice, "Can a Fish Taste Twice as Good?", 1996); the idea of
two bounds for the cube and of what lies between them is also Zadeh's ("On Doubling in Tournament Backgammon",
Management Science 23, 1977) and Janowski's ("Take-Points in Money Games", 1993).

A game between equals is a winning chance that wanders from 1/2 without jumps. Fixed shares of the games that are
played to the end are gammons and backgammons. The chance before a game follows from those after it, which belong to
shorter matches, so a table is filled from its top left corner:

- With a cube that is turned no more, the value is a straight line between losing and winning.
- With a live cube, its owner turns it at the very moment where the opponent may take or pass. That point is where
  the value of the doubled cube in the opponent's hands equals the value of passing, and is found for the highest cube
  that matters first. The value is a broken line through these points.
- Real cubes are between: doubles come a little early or late. The value is `efficiency` parts live and the rest dead.
  Where the doubler has nothing to lose by doubling (the opponent wins the match anyway) there is nothing to miss, and
  the cube is fully live.
- In the Crawford game there is no cube; after it the trailer doubles at once. What the leader gains by passing at
  2-away and 4-away when the opening went badly, the "free drop", is given as a number.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from bgai.errors import ConfigError, InputError
from bgai.met.checks import check_met
from bgai.met.table import LONGEST, Chances, MatchEquityTable


@dataclass(frozen=True)
class Rates:
    """What a table is computed from. The defaults come closest to Kazaross-XG2, see docs/met.md."""

    gammon: float = 0.29
    """Share of the wins that are a gammon or a backgammon, in games played to the end."""
    backgammon: float = 0.01
    """Share of the wins that are a backgammon."""
    efficiency: float = 0.68
    """How live an owned cube is, 0 to 1; 0.68 is Janowski's figure."""
    centred: float = 0.80
    """How live a centred cube is: its two owners may err on either side of the right moment."""
    free_drop: tuple[float, float] = (0.012, 0.009)
    """What the trailer loses to the leader's free drop, at 2-away and at 4-away after the Crawford game."""

    def __post_init__(self) -> None:
        limits = {"gammon": 0.6, "backgammon": self.gammon, "efficiency": 1.0, "centred": 1.0}
        for name, high in limits.items():
            if not 0 <= getattr(self, name) <= high:
                raise ConfigError(f"rate {name!r}: expected 0 to {high:g}, found {getattr(self, name):g}")
        if not all(0 <= loss <= 0.05 for loss in self.free_drop):
            raise ConfigError(f"rate 'free_drop': expected two numbers from 0 to 0.05, found {self.free_drop}")


def build_met(rates: Rates | None = None, length: int = 25, *, name: str = "built") -> MatchEquityTable:
    """A table for matches up to `length` points; the same rates give the same table.

    Raises:
        InputError: a length below 1 or beyond `LONGEST`, or rates that lead to a table that breaks a rule.
    """
    rates = Rates() if rates is None else rates
    about = f"computed by bgai from rates: gammon {rates.gammon:g}, backgammon {rates.backgammon:g}, "
    about += f"efficiency {rates.efficiency:g}, centred {rates.centred:g}, free drop {rates.free_drop}"
    met = _fill(MatchEquityTable(name, np.full((1, 1), 0.5), np.full(1, 0.5), about), length, rates)
    problems = check_met(met)
    if problems:
        raise ConfigError(f"these rates lead to an impossible table: {problems[0]}")
    return met


@lru_cache(maxsize=8)
def extend_met(met: MatchEquityTable, length: int, rates: Rates | None = None) -> MatchEquityTable:
    """The same table if it serves matches of `length` points, else one continued by the builder's recursion.

    The entries there are stay as they are, and those beyond are computed from them, which joins smoothly. After a
    table that is printed with few decimals an entry may come out on the wrong side of its neighbour: it is then taken
    as equal.
    """
    if length <= met.length:
        return met
    longer = _fill(met, length, Rates() if rates is None else rates, in_order=True)
    note = f"beyond {met.length}-away computed by bgai from the entries before"
    return replace(longer, notes=(*met.notes, note))


def extend_post(post: Chances, length: int, rates: Rates) -> Chances:
    """The trailer's chances after the Crawford game, float64[n], continued to float64[length].

    The trailer doubles at once and the leader never turns the cube again, so a win takes 2, 4 or 6 points.
    """
    shares = np.array([1 - rates.gammon, rates.gammon - rates.backgammon, rates.backgammon])
    drops = {2: rates.free_drop[0], 4: rates.free_drop[1]}
    chances = list(post)
    while len(chances) < length:
        away = len(chances) + 1
        then = [chances[away - won - 1] if won < away else 1.0 for won in (2, 4, 6)]
        chances.append(0.5 * float(shares @ then) - drops.get(away, 0.0))
    return np.array(chances)


def _fill(met: MatchEquityTable, length: int, rates: Rates, *, in_order: bool = False) -> MatchEquityTable:
    if not 1 <= length <= LONGEST:
        raise InputError(f"a match equity table is for matches of 1 to {LONGEST} points, found {length}")
    post = extend_post(met.post, length, rates)
    if in_order:
        post = np.minimum.accumulate(post)
    # A border of won and lost matches, so that every score can be looked up: entry [i, j] is i-away, j-away.
    grid = np.zeros((length + 1, length + 1))
    grid[0, :] = 1
    grid[1 : met.length + 1, 1 : met.length + 1] = met.pre
    chances: list[list[float]] = grid.tolist()
    trailer: list[float] = post.tolist()
    for more in range(1, length + 1):
        for fewer in range(1, more + 1):
            if more > met.length:
                chance = 0.5 if more == fewer else _game(chances, trailer, more, fewer, rates)
                if in_order:
                    chance = min(max(chance, chances[more][fewer - 1]), chances[more - 1][fewer])
                chances[more][fewer], chances[fewer][more] = chance, 1 - chance
    return MatchEquityTable(met.name, np.array(chances)[1:, 1:], post, met.source, met.notes)


def _game(chances: list[list[float]], post: list[float], mine: int, theirs: int, rates: Rates) -> float:
    """The chance of who needs `mine` points before a game at an uneven score, the Crawford game if `theirs` is 1."""

    def after(points: int) -> float:
        """Once so many points have been won, or lost if below 0."""
        if theirs == 1:
            return 0.0 if points < 0 else 1.0 if points >= mine else post[mine - points - 1]
        return chances[max(mine - max(points, 0), 0)][max(theirs - max(-points, 0), 0)]

    def to_the_end(cube: int) -> float:
        """The mean of won (cube > 0) or lost games that are played to the end."""
        single, gammon, backgammon = after(cube), after(2 * cube), after(3 * cube)
        return single + rates.gammon * (gammon - single) + rates.backgammon * (backgammon - gammon)

    if theirs == 1:
        return 0.5 * (to_the_end(1) + to_the_end(-1))
    cube = 1
    while cube < mine:
        cube *= 2
    lost, won = to_the_end(-cube), to_the_end(cube)
    owned = offered = _Bent(lost, won, 1.0, won)
    while True:
        # `owned` and `offered` are the values of the next higher cube, in my hands and in the other's.
        cube //= 2
        lost, won = to_the_end(-cube), to_the_end(cube)
        cash, drop = after(cube), after(-cube)
        high, low = offered.chance_of(cash), owned.chance_of(drop)
        if cube == 1:
            break
        mine_live = 1.0 if cube >= theirs else rates.efficiency
        theirs_live = 1.0 if cube >= mine else rates.efficiency
        owned = _Bent.partly(lost, won, high, cash, mine_live)
        offered = _Bent.partly(lost, won, low, drop, theirs_live)
    if low >= high:
        # With very many gammons both could cash at once.
        live = (cash + drop) / 2
    elif low <= 0.5 <= high:
        live = drop + (cash - drop) * (0.5 - low) / (high - low)
    else:
        # One of them may cash at once, or play on for a gammon.
        live = _Bent(lost, won, high, cash).at(0.5) if high < 0.5 else _Bent(lost, won, low, drop).at(0.5)
    return rates.centred * live + (1 - rates.centred) * 0.5 * (lost + won)


@dataclass(frozen=True)
class _Bent:
    """A value over the winning chance: from `lost` at 0 by way of `value` at `chance` to `won` at 1."""

    lost: float
    won: float
    chance: float
    value: float

    @classmethod
    def partly(cls, lost: float, won: float, chance: float, value: float, live: float) -> _Bent:
        """Bent by the share `live` of the way from the straight line to the value at the point."""
        return cls(lost, won, chance, live * value + (1 - live) * (lost + chance * (won - lost)))

    def at(self, chance: float) -> float:
        if chance <= self.chance:
            return self.lost + (self.value - self.lost) * chance / self.chance if self.chance else self.value
        return self.value + (self.won - self.value) * (chance - self.chance) / (1 - self.chance)

    def chance_of(self, value: float) -> float:
        """Where the value is reached; 0 or 1 if it lies outside."""
        if value <= self.lost:
            return 0.0
        if value >= self.won:
            return 1.0
        if value <= self.value:
            return self.chance * (value - self.lost) / (self.value - self.lost)
        return self.chance + (1 - self.chance) * (value - self.value) / (self.won - self.value)
