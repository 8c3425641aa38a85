"""How good the plays of a roll are, with one of them that has to be among those looked at."""

from __future__ import annotations

import numpy as np

from bgai.analysis.decision import Choice, Decision
from bgai.analysis.worth import as_floats, mwc_of
from bgai.analyst import Analyst
from bgai.errors import PositionError
from bgai.events import Step
from bgai.model import Model
from bgai.notation.playtext import format_play, parse_play
from bgai.opinions import ROLLED, RankedPlays
from bgai.phase import PHASES
from bgai.plays import Plays, PlaysBatch, Steps, legal_plays
from bgai.position import Position
from bgai.rollout import Rollout
from bgai.rollout import Settings as RolloutSettings
from bgai.rollout_analyst import RolledAnalyst
from bgai.search import Settings
from bgai.stakes import Stakes

SHOWN = 8
"""Plays that are kept of each decision, beside the one that was made."""
ROLLED_OUT = 4
"""Plays that are rolled out of a doubtful decision, at most, beside the one that was made."""

Ranked = tuple[tuple[Choice, ...], int]
"""Choices, the best first, and the place of the one that was asked about."""


def analyse_play(analyst: Analyst, position: Position, text: str) -> Decision:
    """What a play costs that somebody made or thinks of, in a position with a roll.

        >>> from bgai.analyst import Analyst
        >>> decision = analyse_play(Analyst.of(), Position(dice=(3, 1)), "13/10 6/5")
        >>> decision.best.text, decision.chosen.text, decision.mark
        ('8/5 6/5', '13/10 6/5', 'very bad')

    Raises:
        PositionError: no roll, or an offer waits.
        PlayError: not a legal play; the message names the nearest.
    """
    if position.dice is None or position.offer is not None:
        what = f"a {position.offer} waits" if position.offer is not None else "there is no roll"
        raise PositionError(f"{what}, expected a position with a roll to play")
    plays = legal_plays(position.board, position.dice)
    choices, made = rank_choices(analyst, position, plays, parse_play(position.board, plays, text))
    return Decision(0, 0, position.seat, "play", position, choices, made, len(plays))


def number_of(plays: Plays, successor: tuple[int, ...]) -> int:
    """Which of the plays leads to a board, seen by the opponent."""
    (found,) = np.flatnonzero((plays.successors == np.array(successor, dtype=np.int8)).all(axis=1))
    return int(found)


def rank_choices(analyst: Analyst, seen: Position, plays: Plays, made: int) -> Ranked:
    """The best plays of a position that has a roll, with number `made`, which is looked at as deeply as the best."""
    if len(plays) == 1:
        # Nothing to decide, so its worth is for information only.
        analyst = analyst.at_once()
    ranked = analyst.rank_plays([seen], _batch(plays))
    stakes = analyst.stakes(seen.cube, seen.score, seen.cube_limit)
    shown = [int(number) for number in ranked.order[:SHOWN]]
    choices = {number: _choice(seen, ranked, number, stakes) for number in [*shown, made]}
    best = choices[shown[0]].plies
    if choices[made].plies != best:
        choices[made] = _deeper(analyst, seen, _some(plays, [made]), stakes, best)
    found = sorted(choices.values(), key=_by_worth)
    return tuple(found), found.index(choices[made])


def roll_out(decision: Decision, model: Model, settings: RolloutSettings, threads: int) -> Ranked:
    """The choices of a decision with the best of them, and the one that was made, rolled out with the same dice."""
    seen = decision.position
    assert seen.dice is not None
    plays = legal_plays(seen.board, seen.dice)
    by_steps = {_as_tuple(steps): number for number, steps in enumerate(plays.steps)}
    best = [choice for choice in decision.choices if choice.plies == decision.best.plies][:ROLLED_OUT]
    rolled = best if decision.chosen in best else [*best, decision.chosen]
    chosen = _some(plays, [by_steps[choice.steps] for choice in rolled if choice.steps is not None])
    rollout = Rollout(seen, settings, model=model, chosen=chosen)
    rollout.run(threads=threads)
    found = sorted((_rolled(rollout, number, steps) for number, steps in enumerate(chosen.steps)), key=_by_worth)
    made = next(place for place, choice in enumerate(found) if choice.steps == decision.chosen.steps)
    return (*found, *(choice for choice in decision.choices if choice not in rolled)), made


def _deeper(analyst: Analyst, seen: Position, play: Plays, stakes: Stakes, plies: int) -> Choice:
    """One play by itself, at so many plies."""
    if plies == ROLLED:
        assert isinstance(analyst, RolledAnalyst)
        rollout = Rollout(seen, analyst.rollout, model=analyst.model, chosen=play)
        rollout.run(threads=analyst.settings.threads)
        return _rolled(rollout, 0, play.steps[0])
    ranked = _always_at(analyst, plies).rank_plays([seen], _batch(play))
    return _choice(seen, ranked, 0, stakes)


def _always_at(analyst: Analyst, plies: int) -> Analyst:
    """The same without a limit of time."""
    settings = Settings(plies, analyst.settings.filter, analyst.settings.threads)
    efficiency = dict(zip(PHASES, map(float, analyst.efficiency), strict=True))
    met = analyst.met(1)
    return Analyst(analyst.evaluator, analyst.name, efficiency, met, cubeful=analyst.cubeful, settings=settings)


def _choice(seen: Position, ranked: RankedPlays, number: int, stakes: Stakes) -> Choice:
    steps, equity = ranked.plays.steps[number], float(ranked.equities[number])
    return Choice(
        format_play(seen.board, steps),
        equity,
        mwc_of(stakes, equity),
        as_floats(ranked.outcomes[number]),
        _as_tuple(steps),
        int(ranked.plies[number]),
    )


def _rolled(rollout: Rollout, number: int, steps: Steps) -> Choice:
    one = rollout.candidates[number]
    equity, error = one.equity
    outcomes = as_floats(one.outcomes[0])
    return Choice(one.name, equity, mwc_of(rollout.stakes, equity), outcomes, _as_tuple(steps), ROLLED, error)


def _by_worth(choice: Choice) -> tuple[float, float]:
    return -choice.plies, -choice.equity


def _batch(plays: Plays) -> PlaysBatch:
    return PlaysBatch(plays.successors, plays.steps, np.array([0, len(plays)]))


def _some(plays: Plays, numbers: list[int]) -> Plays:
    return Plays(plays.successors[numbers], plays.steps[numbers])


def _as_tuple(steps: Steps) -> tuple[Step, ...]:
    return tuple((start, end) for start, end in steps.tolist() if start)
