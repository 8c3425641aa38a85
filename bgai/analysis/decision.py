"""What was decided in a match, what else could have been, and what the dice brought: the data of an analysis.

All equities are seen by who decides and are per unit of the cube at stake in `position`, which is the cube before an
offer that waits; in matches they are normalised (EMG), so that winning a single game with this cube is +1 and losing
one -1. `mwc` are chances to win the match, 0 to 1, and None for money. See docs/analysis.md for all definitions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from bgai.cube_decision import Action, Answer
from bgai.events import Step
from bgai.notation.xgid import format_xgid
from bgai.position import Position

Kind = Literal["play", "double", "answer", "resignation", "resignation answer"]
"""What was decided: how to play a roll; whether to double before one; what to say to a double, beaver or raccoon;
to resign; what to say to a resignation."""

Mark = Literal["", "doubtful", "bad", "very bad"]
LuckMark = Literal["", "very lucky", "lucky", "unlucky", "very unlucky"]

Fault = Literal[
    "missed double",
    "missed cash",
    "wrong double",
    "too good to double",
    "wrong take",
    "wrong pass",
    "missed beaver",
    "wrong beaver",
    "missed raccoon",
    "wrong raccoon",
]
"""Kinds of errors with the cube. Missed is a double that would have been taken, or passed (a cash); wrong one in a
position that is not good enough, or too good."""

FAULTS: tuple[Fault, ...] = get_args(Fault)

MARKS: tuple[tuple[Mark, float], ...] = (("very bad", 0.12), ("bad", 0.06), ("doubtful", 0.03))
"""What a decision is called that loses more equity than so much: gnubg's default thresholds."""

CLOSE = 0.16
"""A decision not to double is close if doubling would have cost less equity, as gnubg counts it."""

VERY_LUCKY, LUCKY = 0.6, 0.3
"""What a roll has to bring, or cost, to be called so: gnubg's default thresholds."""


def mark_of(loss: float) -> Mark:
    """What a loss of equity is called."""
    return next((mark for mark, threshold in MARKS if loss > threshold), "")


@dataclass(frozen=True)
class Choice:
    """Something that could be done, and its worth to who decides."""

    text: str
    """A play such as `8/5 6/5` (empty if the roll cannot be played); `double`, `no double`; `take`, `pass`, `beaver`,
    `raccoon`; `play on`, `resign a single game`, `resign a gammon`, `resign a backgammon`; `accept`, `refuse`."""
    equity: float
    """With the cube and right decisions of both sides from then on."""
    mwc: float | None = None
    outcomes: tuple[float, ...] | None = None
    """Chances of who decides, as `bgai.outcomes` orders them; None where there are none behind it, as for a pass."""
    steps: tuple[Step, ...] | None = None
    """Of a play; None for all else."""
    plies: int = 0
    """How far was looked ahead, in gnubg's count; `bgai.ROLLED` if it was rolled out. Choices of different plies
    cannot be compared."""
    error: float | None = None
    """Standard error of the equity if it was rolled out."""

    def to_dict(self) -> dict[str, Any]:
        """For JSON; what is None is left out."""
        return {
            "choice": self.text,
            "equity": self.equity,
            **({} if self.mwc is None else {"mwc": self.mwc}),
            **({} if self.outcomes is None else {"outcomes": list(self.outcomes)}),
            **({} if self.steps is None else {"steps": [list(step) for step in self.steps]}),
            "plies": self.plies,
            **({} if self.error is None else {"error": self.error}),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Choice:
        """What `to_dict` wrote."""
        outcomes, steps = data.get("outcomes"), data.get("steps")
        return cls(
            str(data["choice"]),
            float(data["equity"]),
            None if data.get("mwc") is None else float(data["mwc"]),
            None if outcomes is None else tuple(float(chance) for chance in outcomes),
            None if steps is None else tuple((int(start), int(end)) for start, end in steps),
            int(data["plies"]),
            None if data.get("error") is None else float(data["error"]),
        )


@dataclass(frozen=True)
class CubeFigures:
    """What the cube is worth before a roll, seen by the player on roll, who doubles or has doubled."""

    no_double: float
    double_take: float
    """Taken, or beavered where that is the proper answer."""
    double_pass: float
    action: Action
    """The proper action, such as `too good`."""
    answer: Answer
    """The proper answer to a double."""

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return dict(vars(self))

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> CubeFigures:
        """What `to_dict` wrote."""
        return cls(
            float(data["no_double"]),
            float(data["double_take"]),
            float(data["double_pass"]),
            data["action"],
            data["answer"],
        )


@dataclass(frozen=True)
class Decision:
    """One decision of a match."""

    game: int
    """From 0."""
    event: int
    """Index among the game's events of what was done: the `Play`, the `Double`, the `Roll` of who did not double, the
    answer, the `Resign`, the answer to that."""
    seat: int
    """Who decided."""
    kind: Kind
    position: Position
    """Before that event, as `bgai.match_state.position` gives it: seen by the player on roll, and while an offer waits
    by who made it. So `position.seat` is `seat` but for answers, and for a resignation out of turn."""
    choices: tuple[Choice, ...]
    """The best first; what was done is among them, the worst of many plays may be left out."""
    made: int
    """Which of the choices was made."""
    legal: int
    """How many choices there were."""
    close: bool = False
    """Decisions whether to double: whether the other choice would have cost less than `CLOSE` or the cube was turned,
    and so whether ratings count it. Plays and answers: False."""
    cube: CubeFigures | None = None
    """For `double`, and for an answer to a double."""
    turn: int = 0
    """Number of the turn in the game, from 0; `Analysis.row` is the number of the row in a `.mat` file."""

    @property
    def xgid(self) -> str:
        """The position, without a resignation or a raccoon that waits: an XGID has no room for them."""
        offer = self.position.offer
        written = offer == "beaver" or (offer == "double" and self.position.cube.owner != "opponent")
        return format_xgid(self.position if written else replace(self.position, offer=None))

    @property
    def best(self) -> Choice:
        return self.choices[0]

    @property
    def chosen(self) -> Choice:
        return self.choices[self.made]

    @property
    def forced(self) -> bool:
        """Whether there was nothing to choose from."""
        return self.legal == 1

    @property
    def loss(self) -> float:
        """Equity given up, at least 0."""
        return max(0.0, self.best.equity - self.chosen.equity)

    @property
    def mwc_loss(self) -> float | None:
        """Chance to win the match that was given up, at least 0; None for money."""
        if self.best.mwc is None or self.chosen.mwc is None:
            return None
        return max(0.0, self.best.mwc - self.chosen.mwc)

    @property
    def cost(self) -> float:
        """What the loss costs: chance to win the match, or points for money."""
        mwc = self.mwc_loss
        return self.loss * self.position.cube.value if mwc is None else mwc

    @property
    def mark(self) -> Mark:
        return mark_of(self.loss)

    @property
    def counted(self) -> bool:
        """Whether ratings divide by it: unforced plays, close decisions about doubling, answers to doubles."""
        return (self.kind == "play" and not self.forced) or self.kind == "answer" or self.close

    @property
    def margin(self) -> float | None:
        """How much better the best choice is than the next; None if there is no other of the same plies."""
        if len(self.choices) < 2 or self.choices[1].plies != self.best.plies:
            return None
        return self.best.equity - self.choices[1].equity

    @property
    def fault(self) -> Fault | None:
        """What kind of error with the cube it is; None for a right decision and for everything else."""
        if self.loss == 0 or self.kind not in ("double", "answer"):
            return None
        made, best = self.chosen.text, self.best.text
        if made == "no double":
            return "missed cash" if self.cube is not None and self.cube.answer == "pass" else "missed double"
        if made == "double":
            too_good = self.cube is not None and self.cube.action.startswith("too good")
            return "too good to double" if too_good else "wrong double"
        if made == "pass":
            return "wrong pass"
        if best == "pass" and made == "take":
            return "wrong take"
        if made == "take":
            return "missed beaver" if best == "beaver" else "missed raccoon"
        return "wrong beaver" if made == "beaver" else "wrong raccoon"

    def to_dict(self) -> dict[str, Any]:
        """For JSON. The position is not in it: it follows from the record."""
        return {
            "game": self.game,
            "event": self.event,
            "seat": self.seat,
            "kind": self.kind,
            "choices": [choice.to_dict() for choice in self.choices],
            "made": self.made,
            "legal": self.legal,
            "close": self.close,
            "turn": self.turn,
            **({} if self.cube is None else {"cube": self.cube.to_dict()}),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], position: Position) -> Decision:
        """What `to_dict` wrote, with the position before its event."""
        choices = tuple(Choice.from_dict(choice) for choice in data["choices"])
        return cls(
            int(data["game"]),
            int(data["event"]),
            int(data["seat"]),
            data["kind"],
            position,
            choices,
            range(len(choices))[int(data["made"])],
            int(data["legal"]),
            bool(data["close"]),
            None if data.get("cube") is None else CubeFigures.from_dict(data["cube"]),
            int(data["turn"]),
        )


@dataclass(frozen=True)
class Luck:
    """What a roll brought: the equity after the best play of it, minus the mean over all rolls that could have been.

    Counted without looking ahead, as gnubg does; seen by who rolled.
    """

    game: int
    """From 0."""
    event: int
    """Index of the `Roll` or, for the opening roll, the `StartGame`."""
    seat: int
    """Who rolled, or won the opening roll."""
    dice: tuple[int, int]
    """Larger die first."""
    equity: float
    """Per unit of the cube."""
    points: float
    """The same times the cube."""
    mwc: float | None = None
    """In chance to win the match; None for money."""
    turn: int = 0
    """Number of the turn in the game, from 0."""

    @property
    def cost(self) -> float:
        """Chance to win the match, or points for money."""
        return self.points if self.mwc is None else self.mwc

    @property
    def mark(self) -> LuckMark:
        if abs(self.equity) <= LUCKY:
            return ""
        if self.equity > 0:
            return "very lucky" if self.equity > VERY_LUCKY else "lucky"
        return "very unlucky" if self.equity < -VERY_LUCKY else "unlucky"

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return dict(vars(self)) | {"dice": list(self.dice)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Luck:
        """What `to_dict` wrote."""
        high, low = data["dice"]
        return cls(
            int(data["game"]),
            int(data["event"]),
            int(data["seat"]),
            (int(high), int(low)),
            float(data["equity"]),
            float(data["points"]),
            None if data.get("mwc") is None else float(data["mwc"]),
            int(data["turn"]),
        )
