"""The tutor: what an action of the person would cost, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from bgai.analysis.decision import Mark, mark_of
from bgai.analysis.plays import analyse_play
from bgai.analysis.worth import mwc_of
from bgai.analyst import Analyst
from bgai.bot import Bot, Worth
from bgai.coach import Explanation, explain_cube, explain_play, known_play
from bgai.errors import RuleError
from bgai.events import Double, Event, Play, Resign, Roll
from bgai.match import apply
from bgai.match_state import MatchState, position
from bgai.room.actions import VALUES, Action, reason_against
from bgai.room.agreement import PERSON
from bgai.room.room import Room
from bgai.room.words import notation

DecisionKind = Literal["play", "double", "answer", "resignation"]


@dataclass(frozen=True)
class Checked:
    """What the tutor says of an action."""

    decision: DecisionKind
    done: str
    best: str
    loss: float
    """Equity per unit of the cube as it stands, at least 0."""
    mwc_loss: float | None
    """Chance to win the match that it gives up; None for money."""
    explanation: Explanation | None
    """None where the coach has nothing to say: resignations, beavers and what answers them, rolls without a choice."""

    @property
    def mark(self) -> Mark:
        """As an analysis would mark it."""
        return mark_of(self.loss)

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        said = self.explanation
        return {
            "decision": self.decision,
            "done": self.done,
            "best": self.best,
            "loss": self.loss,
            "mwc_loss": self.mwc_loss,
            "mark": self.mark or None,
            "text": [] if said is None else said.text().splitlines(),
            "mistakes": [] if said is None else [one.to_dict() for one in said.mistakes],
            "explanation": None if said is None else said.to_dict(),
        }


@dataclass(frozen=True)
class Choices:
    """The answers to an offer, and what each is worth to the person per unit of the cube before it."""

    worth: dict[str, float]
    """By the names of actions."""

    @property
    def best(self) -> str:
        """The best one; of equal ones the first."""
        return max(self.worth, key=lambda name: self.worth[name])


def answers_of(state: MatchState, analyst: Analyst) -> Choices:
    """What the person may say to the double, beaver, raccoon or resignation that waits."""
    bot = Bot(analyst)
    if state.resignation is not None:
        return _choices(bot.resignation_worth(state), ("accept", "refuse", ""))
    return _choices(bot.cube_worth(state), ("take", "pass", "beaver" if state.offer == "double" else "raccoon"))


def check(room: Room, action: Action, analyst: Analyst) -> Checked:
    """What an action would cost; nothing happens.

    Raises:
        NotAllowed: the rules do not allow the action.
        RuleError: there is no decision in it.
    """
    if action.name in ("next game", "leave"):
        raise RuleError(f"there is nothing to say about the action {action.name!r}")
    state, event = room.state, room.event_of(action)
    names = (room.agreement.person, room.agreement.bot)
    if isinstance(event, Play):
        return _play(state, event, analyst, names)
    if isinstance(event, Resign):
        return _resignation(state, event, analyst)
    if state.resignation is not None or state.offer is not None:
        return _answer(state, action.name, analyst, names)
    return _doubling(state, event, analyst, names)


def _play(state: MatchState, event: Play, analyst: Analyst, names: tuple[str, str]) -> Checked:
    seen = position(state)
    decision = analyse_play(analyst, seen, notation(state, event))
    known = [
        known_play(seen, choice.text, choice.equity, choice.outcomes or (), choice.plies) for choice in decision.choices
    ]
    said = explain_play(analyst, seen, decision.chosen.text, known=known, names=names)
    return Checked("play", decision.chosen.text, decision.best.text, decision.loss, decision.mwc_loss, said)


def _doubling(state: MatchState, event: Event, analyst: Analyst, names: tuple[str, str]) -> Checked:
    if isinstance(event, Roll) and reason_against(state, Double(PERSON)) is not None:
        return Checked("double", "roll", "roll", 0.0, 0.0 if state.rules.length else None, None)
    done = "double" if isinstance(event, Double) else "no double"
    said = explain_cube(analyst, position(state), done, names=names)
    loss = said.loss or 0.0
    best = {True: event.kind, False: "roll" if isinstance(event, Double) else "double"}[loss == 0]
    return Checked("double", event.kind, best, loss, _mwc(state, analyst, loss), said)


def _answer(state: MatchState, done: str, analyst: Analyst, names: tuple[str, str]) -> Checked:
    choices = answers_of(state, analyst)
    kind: DecisionKind = "answer" if state.resignation is None else "resignation"
    if state.offer == "double" and state.resignation is None:
        # Whoever doubled is on roll and is seen from.
        said = explain_cube(analyst, position(state), done, names=(names[1], names[0]))
        loss = said.loss or 0.0
        best = done if loss == 0 else said.best
        return Checked(kind, done, best, loss, _mwc(state, analyst, loss), said)
    best_worth = choices.worth[choices.best]
    loss = max(best_worth - choices.worth.get(done, best_worth), 0.0)
    return Checked(kind, done, choices.best if loss else done, loss, _mwc(state, analyst, loss), None)


def _resignation(state: MatchState, event: Resign, analyst: Analyst) -> Checked:
    """One of too little is refused, and so brings and costs nothing."""
    worth = Bot(analyst).resignation_worth(apply(state, event))
    loss = max(worth.accepting - worth.otherwise, 0.0)
    done = f"resign {VALUES[event.value - 1]}"
    return Checked("resignation", done, "play on" if loss else done, loss, _mwc(state, analyst, loss), None)


def _choices(worth: Worth, names: tuple[str, str, str]) -> Choices:
    found = {names[0]: worth.accepting, names[1]: worth.otherwise}
    return Choices(found if worth.redoubling is None else found | {names[2]: worth.redoubling})


def _mwc(state: MatchState, analyst: Analyst, loss: float) -> float | None:
    seen = position(state)
    stakes = analyst.stakes(seen.cube, seen.score, seen.cube_limit)
    high, low = mwc_of(stakes, loss), mwc_of(stakes, 0.0)
    return None if high is None or low is None else high - low
