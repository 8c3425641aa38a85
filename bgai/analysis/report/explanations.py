"""Lets the coach say what was wrong with the errors of a match."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from bgai.analysis.analysis import Analysis
from bgai.analysis.decision import MARKS, Decision
from bgai.analysis.report.context import errors_of
from bgai.analyst import Analyst
from bgai.coach.explaining import Explanation, explain_cube, explain_play, known_play
from bgai.cube_decision import CubeDecision, decide_cube
from bgai.diagram import Names
from bgai.market import take_point
from bgai.outcomes import invert

DOUBTFUL = MARKS[-1][1]

_EXPLAINED = ("no double", "double", "take", "pass", "beaver")


def explain_errors(
    analysis: Analysis,
    analyst: Analyst,
    *,
    threshold: float = DOUBTFUL,
    progress: Callable[[int, int], None] | None = None,
) -> dict[tuple[int, int], Explanation]:
    """What the coach says of all errors with plays and cubes that lose more equity, by (game, event).

    The equities are those of the analysis. Resignations, and answers to beavers and raccoons, are left out.

    Args:
        analyst: looks at replies and next rolls, which 0-ply is enough for.
        progress: is told how many errors are explained, and how many there are.

    Raises:
        InputError: a threshold below 0.
    """
    errors = [one for one in errors_of(analysis, threshold) if _explained(one)]
    found = {}
    for number, error in enumerate(errors, start=1):
        players = analysis.record.players
        seat = error.position.seat
        found[error.game, error.event] = _explain(analyst, error, (players[seat], players[1 - seat]))
        if progress is not None:
            progress(number, len(errors))
    return found


def _explained(error: Decision) -> bool:
    if error.kind == "play":
        return True
    return error.cube is not None and error.chosen.text in _EXPLAINED


def _explain(analyst: Analyst, error: Decision, names: Names) -> Explanation:
    position = error.position
    if error.kind == "play":
        known = [
            known_play(position, choice.text, choice.equity, choice.outcomes or (), choice.plies)
            for choice in error.choices
        ]
        return explain_play(analyst, position, error.chosen.text, known=known, names=names)
    return explain_cube(analyst, position, error.chosen.text, known=_known_cube(analyst, error), names=names)


def _known_cube(analyst: Analyst, error: Decision) -> CubeDecision:
    """The decision as the analysis has it; the analyst adds what follows from the position alone."""
    position, cube = error.position, error.cube
    assert cube is not None
    decision = decide_cube(analyst, position, look_ahead=False)
    outcomes = _outcomes(error, decision)
    stakes = analyst.stakes(position.cube, position.score, position.cube_limit)
    return replace(
        decision,
        action=cube.action,
        answer=cube.answer,
        no_double=cube.no_double,
        double_take=cube.double_take,
        double_pass=cube.double_pass,
        outcomes=outcomes,
        take_point=take_point(analyst, position, stakes, outcomes) if decision.may_double else None,
        mwc=decision.mwc and {key: float(stakes.centre + stakes.half * vars(cube)[key]) for key in decision.mwc},
        plies=error.best.plies,
    )


def _outcomes(error: Decision, decision: CubeDecision) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    """Of the player on roll, whom the position is seen by."""
    chances = next((choice.outcomes for choice in error.choices if choice.outcomes is not None), None)
    if chances is None:
        return decision.outcomes
    own = np.array(chances, dtype=np.float32)
    return own if error.seat == error.position.seat else invert(own)
