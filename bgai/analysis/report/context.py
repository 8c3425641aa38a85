"""What every part of a report needs to know of the match."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from bgai.analysis.analysis import Analysis
from bgai.analysis.decision import Decision
from bgai.analysis.questions import Moment, moments
from bgai.analysis.report.markup import Markup, tag
from bgai.analysis.report.turns import Row, rows_of
from bgai.coach.explaining import Explanation
from bgai.errors import InputError
from bgai.match_state import MatchState

Explanations = Mapping[tuple[int, int], Explanation | str]
"""What is said of decisions, by (game, event)."""


@dataclass(frozen=True)
class Context:
    """A match that is reported."""

    analysis: Analysis
    threshold: float
    """Decisions that lose more equity are errors that are shown."""
    explanations: Explanations

    @property
    def match(self) -> bool:
        """Whether it is a match, and not a session for money."""
        return bool(self.analysis.record.rules.length)

    @cached_property
    def names(self) -> tuple[str, str]:
        """Of both players, by seat."""
        first, second = (name.strip() for name in self.analysis.record.players)
        return first or "Player 1", second or "Player 2"

    @cached_property
    def errors(self) -> tuple[Decision, ...]:
        """The dearest first."""
        return tuple(sorted(errors_of(self.analysis, self.threshold), key=lambda one: (-one.cost, -one.loss)))

    @cached_property
    def moments(self) -> list[list[Moment]]:
        """Every event of each game."""
        return [list(game) for _, game in groupby(moments(self.analysis.record), lambda moment: moment.game)]

    @cached_property
    def rows(self) -> list[list[Row]]:
        """The moves of each game."""
        return [rows_of(*told) for told in zip(self.moments, self.analysis.rows, strict=True)]

    @cached_property
    def final(self) -> MatchState:
        """After the last event."""
        return self.moments[-1][-1].after if self.moments else self.analysis.record.start

    def name(self, seat: int) -> Markup:
        """Of a player, in its own direction of writing."""
        return tag("bdi", self.names[seat])

    def seen_by(self, seat: int) -> tuple[str, str]:
        """The names of a player and the opponent."""
        return self.names[seat], self.names[1 - seat]

    def score(self, game: int) -> tuple[int, int]:
        """Before a game, by seat."""
        return self.moments[game][0].before.score


def errors_of(analysis: Analysis, threshold: float) -> list[Decision]:
    """Decisions that lose more equity, in the order of the match.

    Raises:
        InputError: a threshold below 0.
    """
    if not threshold >= 0:
        raise InputError(f"threshold: found {threshold}, expected a loss of equity of at least 0")
    return [one for one in analysis.decisions if one.loss > threshold]


def anchor(decision: Decision) -> str:
    """The name of an error on the page."""
    return f"error-{decision.game + 1}-{decision.event + 1}"


def row_anchor(game: int, row: int) -> str:
    """The name of a move on the page."""
    return f"move-{game + 1}-{row}"
