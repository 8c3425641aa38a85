"""A match that was analysed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from bgai.analysis.decision import Decision, Luck
from bgai.analysis.statistics import Statistics
from bgai.errors import InputError
from bgai.match_state import MatchState
from bgai.match_state import position as position_of
from bgai.matchfiles.mat_writer import mat_rows
from bgai.record import MatchRecord

FORMAT = 1
"""Number of the form that `to_dict` writes."""


@dataclass(frozen=True)
class Analysis:
    """The record of a match, every decision in it, and the luck of every roll."""

    record: MatchRecord
    decisions: tuple[Decision, ...]
    """In the order of the match."""
    luck: tuple[Luck, ...]
    """In the order of the match."""
    model: str
    """Name of the network."""
    level: str
    """How far was looked ahead, as `bgai.levels` names it."""
    results: tuple[float | None, ...]
    """What each game brought seat 0: points for money, else what it added to the chance to win the match. None for a
    game that did not end."""
    met: str | None = None
    """Name of the match equity table; None for money."""
    problems: tuple[str, ...] = ()
    """What was wrong with the file of the match, and how it was taken, in a line each."""

    def statistics(self, game: int | None = None) -> Statistics:
        """Ratings, errors and luck of the whole match, or of one game (from 0)."""
        return Statistics.of(
            [one for one in self.decisions if game in (None, one.game)],
            [one for one in self.luck if game in (None, one.game)],
            [result if game in (None, number) else None for number, result in enumerate(self.results)],
            match=bool(self.record.rules.length),
        )

    def row(self, one: Decision | Luck) -> int:
        """The number of its row in its game, from 1, in the match as a `.mat` file; see `rows`."""
        return self.rows[one.game][one.event]

    @cached_property
    def rows(self) -> list[list[int]]:
        """The number of the row, from 1, in which a `.mat` file has each event, by game.

        A row has a cell for each player; doubles, takes and passes have cells of their own.
        """
        return mat_rows(self.record)

    def to_dict(self) -> dict[str, Any]:
        """For JSON; docs/analysis.md describes it."""
        return {
            "format": FORMAT,
            "model": self.model,
            "level": self.level,
            "met": self.met,
            "results": list(self.results),
            "problems": list(self.problems),
            "record": self.record.to_dict(),
            "decisions": [one.to_dict() | {"xgid": one.xgid} for one in self.decisions],
            "luck": [one.to_dict() for one in self.luck],
            "statistics": self.statistics().to_dict(),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Analysis:
        """What `to_dict` wrote. The record is replayed.

        Raises:
            InputError: another format, or something is missing, of the wrong kind or not in the record.
        """
        if not isinstance(data, Mapping) or data.get("format") != FORMAT:
            found = data.get("format") if isinstance(data, Mapping) else data
            raise InputError(f"expected an analysis of format {FORMAT}, found {found!r}")
        try:
            record = MatchRecord.from_dict(data["record"])
            before = states_before(record)
            return cls(
                record,
                tuple(
                    Decision.from_dict(one, position_of(before[one["game"]][one["event"]])) for one in data["decisions"]
                ),
                tuple(Luck.from_dict(one) for one in data["luck"]),
                str(data["model"]),
                str(data["level"]),
                tuple(None if result is None else float(result) for result in data["results"]),
                None if data.get("met") is None else str(data["met"]),
                tuple(str(problem) for problem in data.get("problems", ())),
            )
        except InputError:
            raise
        except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
            reason = f"{error} is missing" if isinstance(error, KeyError) else str(error)
            raise InputError(f"not an analysis of a match: {reason}") from None


def states_before(record: MatchRecord) -> list[list[MatchState]]:
    """The state before each event of each game."""
    states = (state for state, _ in record.replay())
    return [[next(states) for _ in game.events] for game in record.games]
