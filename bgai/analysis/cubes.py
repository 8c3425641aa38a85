"""How good it was to double or not, and how good the answer."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from bgai.analysis.decision import CLOSE, Choice, CubeFigures, Decision
from bgai.analysis.questions import Moment, Question, decided
from bgai.analysis.worth import as_floats, mwc_of
from bgai.analyst import Analyst
from bgai.cube import cube_values_from
from bgai.cube_decision import proper_action, proper_answer
from bgai.events import Beaver, Double, Raccoon
from bgai.match import refusal
from bgai.match_state import position
from bgai.model import Model
from bgai.opinions import ROLLED, CubeOpinion
from bgai.outcomes import invert
from bgai.position import Cube
from bgai.rollout import Rollout
from bgai.rollout import Settings as RolloutSettings


@dataclass(frozen=True)
class CubeWorth:
    """What the cube is worth in a position, seen by the player on roll."""

    opinion: CubeOpinion
    owned: bool
    """Whether the cube belongs to the player on roll, and is not in the middle."""
    errors: tuple[float, float] | None = None
    """Standard errors of no double and of double, take, if they were rolled out."""

    @property
    def useful(self) -> bool:
        """Whether doubling is of any use: False for a dead cube."""
        stakes = self.opinion.stakes
        return stakes.may_double and len(stakes.win) > 1 and bool(stakes.usable[0, 0])

    @property
    def no_double(self) -> float:
        return float(self.opinion.values.no_double[0])

    @property
    def double_take(self) -> float:
        """Taken, or beavered where that is the proper answer."""
        return float(self.opinion.values.double_take[0])

    @property
    def beaver(self) -> bool:
        """Whether that is the proper answer."""
        return bool(self.opinion.values.beaver[0])

    @property
    def taken(self) -> float:
        """Taken, and no more."""
        return self.double_take / 2 if self.beaver else self.double_take

    @property
    def figures(self) -> CubeFigures:
        action = proper_action(self.no_double, self.double_take, owned=self.owned, useful=self.useful)
        answer = proper_answer(self.double_take, beaver=self.beaver)
        return CubeFigures(self.no_double, self.double_take, 1.0, action, answer)


def cube_decisions(analyst: Analyst, question: Question) -> tuple[Decision, ...]:
    """Whether to double, and the answer; nothing where the cube was dead and nobody turned it."""
    seen = position(question[0].before)
    return _decisions(question, CubeWorth(analyst.cube_opinion(seen), seen.cube.owner != "centred"))


def roll_out(question: Question, model: Model, settings: RolloutSettings, threads: int) -> tuple[Decision, ...]:
    """The same, with no double and double, take rolled out with the same dice."""
    seen = position(question[0].before)
    rollout = Rollout(seen, settings, model=model)
    rollout.run(threads=threads)
    waiting = rollout.candidates[0]
    taken, errors = np.nan, (waiting.equity[1], waiting.equity[1])
    if rollout.is_cube_decision:
        taken, errors = rollout.candidates[1].equity[0], (waiting.equity[1], rollout.candidates[1].equity[1])
    values = cube_values_from(np.array([waiting.equity[0]]), np.array([taken]), rollout.stakes)
    outcomes = waiting.outcomes[0].astype(np.float32)
    opinion = CubeOpinion(values, rollout.stakes, outcomes, ROLLED)
    return _decisions(question, CubeWorth(opinion, seen.cube.owner != "centred", errors))


def late_answer(analyst: Analyst, moment: Moment) -> Decision:
    """The answer to a beaver or a raccoon, which are for money only.

    The doubler rolls next, and the other side has the cube at twice the value that it has while the offer waits.
    """
    state, seat = moment.before, moment.event.seat
    before = position(replace(state, offer=None))
    found = analyst.evaluate(replace(before, cube=Cube(2 * state.cube, "opponent")))
    mine = seat == state.on_roll
    taken = 2 * found.equity if mine else -2 * found.equity
    outcomes = as_floats(found.outcomes if mine else invert(found.outcomes))
    choices = [Choice("take", taken, None, outcomes, plies=found.plies), Choice("pass", -1.0, plies=found.plies)]
    if refusal(state, Raccoon(seat)) is None:
        # Whoever is redoubled may pass.
        choices.append(Choice("raccoon", min(2 * taken, 2.0), None, outcomes, plies=found.plies))
    return decided(moment, "answer", choices, moment.event.kind)


def _decisions(question: Question, worth: CubeWorth) -> tuple[Decision, ...]:
    doubled = isinstance(question[0].event, Double)
    if not doubled and not worth.useful:
        return ()
    return (_doubling(question[0], worth, doubled=doubled), *(_answer(moment, worth) for moment in question[1:]))


def _doubling(moment: Moment, worth: CubeWorth, *, doubled: bool) -> Decision:
    opinion = worth.opinion
    stakes, outcomes, plies = opinion.stakes, as_floats(opinion.outcomes), opinion.plies
    double = min(worth.double_take, 1.0)
    waiting_error, taken_error = worth.errors or (None, None)
    choices = [
        Choice("no double", worth.no_double, mwc_of(stakes, worth.no_double), outcomes, None, plies, waiting_error),
        # A pass is worth what it is worth, whatever the dice.
        Choice("double", double, mwc_of(stakes, double), outcomes, None, plies, taken_error if double < 1 else None),
    ]
    decision = decided(moment, "double", choices, "double" if doubled else "no double")
    return replace(decision, close=doubled or decision.best.equity - double < CLOSE, cube=worth.figures)


def _answer(moment: Moment, worth: CubeWorth) -> Decision:
    opinion = worth.opinion
    outcomes, plies = as_floats(invert(opinion.outcomes)), opinion.plies
    error = worth.errors[1] if worth.errors is not None else None

    def choice(text: str, equity: float, error: float | None) -> Choice:
        mwc = mwc_of(opinion.stakes, -equity)
        return Choice(
            text, equity, None if mwc is None else 1 - mwc, None if text == "pass" else outcomes, None, plies, error
        )

    choices = [choice("take", -worth.taken, error), choice("pass", -1.0, None)]
    if refusal(moment.before, Beaver(moment.event.seat)) is None:
        choices.append(choice("beaver", -2 * worth.taken, None if error is None else 2 * error))
    return replace(decided(moment, "answer", choices, moment.event.kind), cube=worth.figures)
