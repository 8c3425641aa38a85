"""What an expert would say of a position, from facts that the engine computes.

    >>> import bgai
    >>> from bgai import coach
    >>> position = bgai.Position(dice=(3, 1))
    >>> coach.describe(position).race.lead
    0
    >>> explanation = coach.explain_play(bgai.Analyst.of(), position, "24/23 13/10")
    >>> explanation.best
    '8/5 6/5'
    >>> explanation.mistakes[0].id
    'missed-point'
    >>> explanation.mistakes[0].text
    'It misses the 5 point.'
    >>> coach.explain_cube(bgai.Analyst.of(), bgai.Position(), "double").mistakes[0].id
    'doubled-too-early'

`describe` needs no engine. `docs/coach.md` has all facts, all reasons and their definitions.
"""

from bgai.coach.explaining import Explanation, Known, explain_cube, explain_play, known_play
from bgai.coach.market_rolls import Market, RollMarket, market_of
from bgai.coach.plans import PLANS, Plan
from bgai.coach.plays import Candidate, PlayFacts, Reply, candidates_of
from bgai.coach.position_facts import PositionFacts, describe
from bgai.coach.position_words import position_words
from bgai.coach.race import Race, Runner
from bgai.coach.reasons import Reason
from bgai.coach.rolls import Blot, Entry
from bgai.coach.sides import Prime, Side

__all__ = [
    "PLANS",
    "Blot",
    "Candidate",
    "Entry",
    "Explanation",
    "Known",
    "Market",
    "Plan",
    "PlayFacts",
    "PositionFacts",
    "Prime",
    "Race",
    "Reason",
    "Reply",
    "RollMarket",
    "Runner",
    "Side",
    "candidates_of",
    "describe",
    "explain_cube",
    "explain_play",
    "known_play",
    "market_of",
    "position_words",
]
