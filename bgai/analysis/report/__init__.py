"""A match that was analysed as one page of HTML, which needs nothing else: no network, no script.

>>> import bgai
>>> from bgai.analysis.match import MatchAnalyst
>>> from bgai.levels import PLAIN
>>> record = bgai.play_match((bgai.Bot.of("beginner"), bgai.Bot.of()), bgai.Rules(length=1), seed=1)
>>> analysis = MatchAnalyst(bgai.open_model(), PLAIN).analyse(record)
>>> page = write_report(analysis, explain_errors(analysis, bgai.Analyst.of()))
>>> page.startswith("<!DOCTYPE html>")
True
"""

from bgai.analysis.report.context import Explanations
from bgai.analysis.report.explanations import DOUBTFUL, explain_errors
from bgai.analysis.report.page import write_report

__all__ = ["DOUBTFUL", "Explanations", "explain_errors", "write_report"]
