"""What the decisions of a match cost: every one of them, ratings, and luck.

    >>> from bgai.bot import Bot
    >>> from bgai.catalogue import open_model
    >>> from bgai.levels import PLAIN
    >>> from bgai.match_play import play_match
    >>> from bgai.match_rules import Rules
    >>> record = play_match((Bot.of("beginner"), Bot.of()), Rules(length=1), seed=1)
    >>> analysis = MatchAnalyst(open_model(), PLAIN).analyse(record)
    >>> beginner, network = analysis.statistics().players
    >>> beginner.pr > network.pr == 0
    True

`bgai.analysis.decision` has the data, docs/analysis.md the definitions.
"""

from bgai.analysis.analysis import Analysis
from bgai.analysis.decision import Choice, CubeFigures, Decision, Luck
from bgai.analysis.match import MatchAnalyst, Rollouts
from bgai.analysis.plays import analyse_play
from bgai.analysis.statistics import PlayerStatistics, Statistics, Total

__all__ = [
    "Analysis",
    "Choice",
    "CubeFigures",
    "Decision",
    "Luck",
    "MatchAnalyst",
    "PlayerStatistics",
    "Rollouts",
    "Statistics",
    "Total",
    "analyse_play",
]
