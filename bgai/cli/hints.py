"""What the network would do in the person's place, in words."""

from __future__ import annotations

from bgai.analyst import Analyst
from bgai.bot import Bot, Worth
from bgai.cli.answers import Answers
from bgai.cli.looking import Asked
from bgai.cli.move import table
from bgai.cli.question import Question
from bgai.cube_decision import decide_cube
from bgai.levels import Level
from bgai.match_state import MatchState, position
from bgai.position import Position

HINTS = 5
"""Plays that are shown."""


def hint(bot: Bot, state: MatchState) -> str:
    """An opinion on whatever the player who has to act may decide now."""
    bot = bot.adviser
    if state.resignation is not None:
        return worth(bot.resignation_worth(state), ("accept", "accepting"), ("refuse", "playing on"))
    if state.offer is not None:
        return worth(bot.cube_worth(state), ("take", "taking"), ("pass", "passing"))
    seen = position(state)
    return _plays(bot.analyst, seen) if state.dice is not None else _cube(bot.analyst, seen)


def worth(found: Worth, accept: tuple[str, str], otherwise: tuple[str, str]) -> str:
    """The best of two or three choices and what they are worth; each has a name as advice and one as a thing."""
    choices = [(found.accepting, *accept), (found.otherwise, *otherwise)]
    if found.redoubling is not None:
        choices.append((found.redoubling, "beaver", "a beaver"))
    best = max(choices, key=lambda choice: choice[0])
    return f"{best[1]}: {', '.join(f'{thing} is worth {value:+.3f}' for value, _, thing in choices)}"


def _plays(analyst: Analyst, seen: Position) -> str:
    asked = Asked(analyst, Level("", analyst.settings))
    return table(Answers(asked).moves([Question(seen)], HINTS)[0]["plays"])


def _cube(analyst: Analyst, seen: Position) -> str:
    decision = decide_cube(analyst, seen)
    if not decision.may_double:
        return f"{decision.action}: {decision.why}"
    lines = [
        f"{decision.action} (answer: {decision.answer}): {decision.why}",
        f"no double {decision.no_double:+.3f}, double and take {decision.double_take:+.3f},"
        f" double and pass {decision.double_pass:+.3f}",
    ]
    if decision.mwc is not None:
        taken, passed = decision.mwc["double_take"], decision.mwc["double_pass"]
        lines.append(
            f"chances to win the match: no double {decision.mwc['no_double']:.1%}, double and take {taken:.1%},"
            f" double and pass {passed:.1%}"
        )
    return "\n".join(lines)
