"""What the decisions and rolls of a match add up to. Definitions and their sources: docs/analysis.md."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from bgai.analysis.decision import FAULTS, MARKS, Decision, Fault, Luck, LuckMark, Mark

RATINGS = (
    (0.002, "supernatural"),
    (0.005, "world class"),
    (0.008, "expert"),
    (0.012, "advanced"),
    (0.018, "intermediate"),
    (0.026, "casual player"),
    (0.035, "beginner"),
)
"""What gnubg calls a player who loses less equity than so much a decision; "awful!" beyond."""

LUCK_MARKS: tuple[LuckMark, ...] = ("very lucky", "lucky", "unlucky", "very unlucky")


@dataclass(frozen=True)
class Total:
    """Some decisions together."""

    decisions: int = 0
    """How many ratings count: unforced plays, or doubles, answers and close decisions not to double."""
    loss: float = 0.0
    """Equity given up, the losses normalised to the cube of their moment and added."""
    cost: float = 0.0
    """The same in chance to win the match, or in points for money."""

    @classmethod
    def of(cls, decisions: Sequence[Decision]) -> Total:
        return cls(
            sum(one.counted for one in decisions),
            sum(one.loss for one in decisions),
            sum(one.cost for one in decisions),
        )

    def __add__(self, other: Total) -> Total:
        return Total(self.decisions + other.decisions, self.loss + other.loss, self.cost + other.cost)

    @property
    def pr(self) -> float | None:
        """Performance rating: 500 x loss for each decision; None without any."""
        return 500 * self.loss / self.decisions if self.decisions else None

    @property
    def error_rate(self) -> float | None:
        """gnubg's: 1000 x loss for each decision."""
        return 1000 * self.loss / self.decisions if self.decisions else None

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return dict(vars(self)) | {"pr": self.pr, "error_rate": self.error_rate}


@dataclass(frozen=True)
class PlayerStatistics:
    """One player's."""

    checker: Total
    cube: Total
    moves: int
    """Rolls that were played, forced ones and those without a legal play included."""
    both_moves: int
    """The same of both players."""
    doubles: int
    takes: int
    """Beavers and raccoons included."""
    passes: int
    checker_marks: dict[Mark, int]
    """How many plays are doubtful, bad, very bad."""
    cube_marks: dict[Mark, int]
    """The same of decisions with the cube."""
    faults: dict[Fault, Total]
    """Errors with the cube by kind; those that did not occur are left out."""
    resignations: Total
    """Wrong resignations, and wrong answers to them: no part of any rating."""
    luck: float
    """Equity that the dice brought, normalised to the cube of the moment and added."""
    luck_cost: float
    """The same in chance to win the match, or in points for money."""
    luck_marks: dict[LuckMark, int]
    result: float | None
    """What was won: points for money, else what was added to the chance to win the match. None if no game ended."""
    adjusted: float | None
    """The same without the luck of both players in those games."""

    @property
    def all(self) -> Total:
        """Plays and decisions with the cube together."""
        return self.checker + self.cube

    @property
    def pr(self) -> float | None:
        """Performance rating, see `Total`."""
        return self.all.pr

    @property
    def error_rate(self) -> float | None:
        """gnubg's: 1000 x loss for each decision."""
        return self.all.error_rate

    @property
    def snowie_error_rate(self) -> float | None:
        """Snowie's: 1000 x loss for each roll that either player played; None without any."""
        return 1000 * self.all.loss / self.both_moves if self.both_moves else None

    @property
    def rating(self) -> str | None:
        """What gnubg calls such a player; None without any decision."""
        rate = self.error_rate
        if rate is None:
            return None
        return next((name for limit, name in RATINGS if rate < 1000 * limit), "awful!")

    @property
    def marks(self) -> dict[Mark, int]:
        """Plays and decisions with the cube together."""
        return {mark: self.checker_marks[mark] + self.cube_marks[mark] for mark, _ in MARKS}

    @property
    def luck_rate(self) -> float | None:
        """gnubg's: 1000 x luck for each roll that was played."""
        return 1000 * self.luck / self.moves if self.moves else None

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "pr": self.pr,
            "error_rate": self.error_rate,
            "snowie_error_rate": self.snowie_error_rate,
            "rating": self.rating,
            "checker": self.checker.to_dict(),
            "cube": self.cube.to_dict(),
            "moves": self.moves,
            "doubles": self.doubles,
            "takes": self.takes,
            "passes": self.passes,
            "checker_marks": self.checker_marks,
            "cube_marks": self.cube_marks,
            "faults": {
                fault: {"count": one.decisions, "loss": one.loss, "cost": one.cost}
                for fault, one in self.faults.items()
            },
            "resignations": {
                "count": self.resignations.decisions,
                "loss": self.resignations.loss,
                "cost": self.resignations.cost,
            },
            "luck": self.luck,
            "luck_cost": self.luck_cost,
            "luck_rate": self.luck_rate,
            "luck_marks": self.luck_marks,
            "result": self.result,
            "luck_adjusted_result": self.adjusted,
        }


@dataclass(frozen=True)
class Statistics:
    """Those of both players."""

    players: tuple[PlayerStatistics, PlayerStatistics]
    """By seat."""
    match: bool
    """Whether costs, luck and results are chances to win the match; they are points for money."""

    def __getitem__(self, seat: int) -> PlayerStatistics:
        return self.players[seat]

    @classmethod
    def of(
        cls, decisions: Iterable[Decision], luck: Iterable[Luck], results: Sequence[float | None], *, match: bool
    ) -> Statistics:
        """What some decisions and rolls add up to.

        Args:
            results: what each game brought seat 0, None for games that do not belong to them or did not end.
            match: whether they are chances to win the match, not points.
        """
        decided, rolled = list(decisions), list(luck)
        moves = sum(one.kind == "play" for one in decided)
        ended = {number for number, result in enumerate(results) if result is not None}
        won = sum(result for result in results if result is not None) if ended else None
        swing = sum((1 - 2 * one.seat) * one.cost for one in rolled if one.game in ended)
        adjusted = None if won is None else won - swing

        def player(seat: int) -> PlayerStatistics:
            sign = 1 - 2 * seat
            return _player(
                [one for one in decided if one.seat == seat],
                [one for one in rolled if one.seat == seat],
                moves,
                None if won is None else sign * won,
                None if adjusted is None else sign * adjusted,
            )

        return cls((player(0), player(1)), match)

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {"unit": "mwc" if self.match else "points", "players": [player.to_dict() for player in self.players]}


def _player(
    decisions: list[Decision], luck: list[Luck], both_moves: int, result: float | None, adjusted: float | None
) -> PlayerStatistics:
    plays = [one for one in decisions if one.kind == "play"]
    cube = [one for one in decisions if one.kind in ("double", "answer")]
    made = [one.chosen.text for one in cube]
    wrong = [one for one in decisions if one.kind.startswith("resignation") and one.loss > 0]
    faults = {fault: [one for one in cube if one.fault == fault] for fault in FAULTS}
    return PlayerStatistics(
        checker=Total.of(plays),
        cube=Total.of(cube),
        moves=len(plays),
        both_moves=both_moves,
        doubles=made.count("double"),
        takes=sum(made.count(answer) for answer in ("take", "beaver", "raccoon")),
        passes=made.count("pass"),
        checker_marks=_marks(plays),
        cube_marks=_marks(cube),
        faults={fault: _of_errors(these) for fault, these in faults.items() if these},
        resignations=_of_errors(wrong),
        luck=sum(one.equity for one in luck),
        luck_cost=sum(one.cost for one in luck),
        luck_marks={mark: sum(one.mark == mark for one in luck) for mark in LUCK_MARKS},
        result=result,
        adjusted=adjusted,
    )


def _marks(decisions: list[Decision]) -> dict[Mark, int]:
    return {mark: sum(one.mark == mark for one in decisions) for mark, _ in MARKS}


def _of_errors(errors: list[Decision]) -> Total:
    return Total(len(errors), sum(one.loss for one in errors), sum(one.cost for one in errors))
