"""How well a player has played over many matches: ratings as in `bgai.analysis.statistics`, where docs/analysis.md
defines them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from functools import reduce
from operator import add
from typing import Any

from bgai.analysis.decision import Mark
from bgai.analysis.statistics import Total

WINDOW = 5
"""Matches of the rolling rating, if nothing else is said."""


@dataclass(frozen=True)
class Player:
    """Somebody of whom there are matches."""

    number: int
    name: str
    matches: int


@dataclass(frozen=True)
class Errors:
    """Some decisions of one sort."""

    total: Total
    marks: dict[Mark, int]
    """How many are doubtful, bad, very bad."""

    def __add__(self, other: Errors) -> Errors:
        return Errors(self.total + other.total, {mark: self.marks[mark] + other.marks[mark] for mark in self.marks})

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {"decisions": self.total.decisions, "loss": self.total.loss, "pr": self.total.pr, "marks": self.marks}


@dataclass(frozen=True)
class Played:
    """One match of the player."""

    match: int
    """Number in the history."""
    played: date
    opponent: str
    length: int
    """0 for money."""
    score: tuple[int, int]
    """In the end, the player's first."""
    won: bool | None
    """None for money, and if the match was not finished."""
    model: str
    level: str
    checker: Errors
    cube: Errors

    @property
    def all(self) -> Total:
        """Plays and decisions with the cube together."""
        return self.checker.total + self.cube.total


@dataclass(frozen=True)
class Group:
    """Some matches together."""

    matches: int
    won: int
    lost: int
    checker: Errors
    cube: Errors

    @classmethod
    def of(cls, played: Iterable[Played]) -> Group:
        """At least one."""
        found = list(played)
        return cls(
            len(found),
            sum(one.won is True for one in found),
            sum(one.won is False for one in found),
            reduce(add, (one.checker for one in found)),
            reduce(add, (one.cube for one in found)),
        )

    @property
    def all(self) -> Total:
        """Plays and decisions with the cube together."""
        return self.checker.total + self.cube.total

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "matches": self.matches,
            "won": self.won,
            "lost": self.lost,
            "pr": self.all.pr,
            "checker": self.checker.to_dict(),
            "cube": self.cube.to_dict(),
        }


@dataclass(frozen=True)
class Development:
    """The matches of a player, oldest first, and what sort of errors there were in them."""

    player: str
    matches: tuple[Played, ...]
    """At least one."""
    plans: dict[str, Errors]
    """The plays by the game plan of who decided, see `bgai.coach.plans`; the most costly first."""
    faults: dict[str, Total]
    """Errors with the cube by kind, the most costly first."""

    @property
    def together(self) -> Group:
        """All matches."""
        return Group.of(self.matches)

    @property
    def opponents(self) -> dict[str, Group]:
        """The matches against each opponent; whom the player met most comes first."""
        names = dict.fromkeys(one.opponent for one in self.matches)
        groups = {name: Group.of(one for one in self.matches if one.opponent == name) for name in names}
        return dict(sorted(groups.items(), key=lambda item: -item[1].matches))

    def rolling(self, window: int = WINDOW) -> list[float | None]:
        """At each match the PR of the last matches, that one included; None without a decision."""
        ends = range(1, len(self.matches) + 1)
        return [Group.of(self.matches[max(0, end - window) : end]).all.pr for end in ends]

    def to_dict(self, window: int = WINDOW) -> dict[str, Any]:
        """For JSON; docs/history.md describes it."""
        return {
            "version": 1,
            "player": self.player,
            "window": window,
            "all": self.together.to_dict(),
            "matches": [
                {
                    "match": one.match,
                    "played": one.played.isoformat(),
                    "opponent": one.opponent,
                    "length": one.length,
                    "score": list(one.score),
                    "won": one.won,
                    "model": one.model,
                    "level": one.level,
                    "pr": one.all.pr,
                    "rolling_pr": rolling,
                    "checker": one.checker.to_dict(),
                    "cube": one.cube.to_dict(),
                }
                for one, rolling in zip(self.matches, self.rolling(window), strict=True)
            ],
            "opponents": {name: group.to_dict() for name, group in self.opponents.items()},
            "plans": {plan: errors.to_dict() for plan, errors in self.plans.items()},
            "faults": {fault: {"count": total.decisions, "loss": total.loss} for fault, total in self.faults.items()},
        }
