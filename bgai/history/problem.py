"""A decision as a problem: what is asked, and how good an answer is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

import numpy as np

from bgai.analysis.decision import Choice, CubeFigures, Decision, mark_of
from bgai.errors import InputError
from bgai.history.identity import digest
from bgai.history.spacing import Schedule
from bgai.notation.playtext import parse_play
from bgai.plays import legal_plays
from bgai.position import Cube, Position, Score

ProblemKind = Literal["play", "double", "answer"]
KINDS: tuple[ProblemKind, ...] = get_args(ProblemKind)

_QUALITY = {"": 4, "doubtful": 3, "bad": 1, "very bad": 0}
"""How well an answer that is not the best is remembered, in the scale of `bgai.history.spacing`."""
UNLISTED = 2
"""The same of a play that is worse than all those that the analysis has kept, at most."""
BEST = 5
GIVEN_UP = 0


@dataclass(frozen=True)
class Verdict:
    """How good an answer is."""

    text: str
    """The answer as the analysis writes it."""
    choice: Choice | None
    """None for a play that the analysis has not kept."""
    loss: float
    """Equity given up; at least so much if there is no choice."""
    quality: int
    """0 to 5, see `bgai.history.spacing`."""


@dataclass(frozen=True)
class Problem:
    """A position with something to decide, and the choices with their worth."""

    kind: ProblemKind
    position: Position
    """As in `Decision`: for an answer seen by who has doubled."""
    choices: tuple[Choice, ...]
    """The best first."""
    model: str
    level: str
    source: str
    """Where it comes from, in words."""
    made: str | None = None
    """What was done; None for a position from a list."""
    cube: CubeFigures | None = None

    @classmethod
    def of(cls, decision: Decision, model: str, level: str, source: str, *, made: bool = True) -> Problem:
        """A decision as a problem; without `made` nobody has decided it."""
        assert decision.kind in KINDS
        done = decision.chosen.text if made else None
        return cls(decision.kind, decision.position, decision.choices, model, level, source, done, decision.cube)

    @property
    def digest(self) -> str:
        """See `digest_of`."""
        return digest_of(self.kind, self.position)

    @property
    def best(self) -> Choice:
        return self.choices[0]

    def play_verdict(self, text: str) -> Verdict:
        """The verdict on a play as a person types it.

        Raises:
            PlayError: not a legal play.
        """
        position = self.position
        assert position.dice is not None
        plays = legal_plays(position.board, position.dice)
        chosen = parse_play(position.board, plays, text)
        known = {parse_play(position.board, plays, choice.text): choice for choice in self.choices}
        if chosen in known:
            return self._judge(known[chosen])
        # What was made may be worse than plays that were not kept: the last but one is a bound in any case.
        bound = sorted(self._loss(choice) for choice in self.choices)[-2:][0]
        return Verdict(text.strip(), None, bound, min(UNLISTED, _QUALITY[mark_of(bound)]))

    def verdict(self, text: str) -> Verdict:
        """The verdict on one of the choices."""
        return self._judge(next(choice for choice in self.choices if choice.text == text))

    def _judge(self, choice: Choice) -> Verdict:
        loss = self._loss(choice)
        return Verdict(choice.text, choice, loss, BEST if loss == 0 else _QUALITY[mark_of(loss)])

    def _loss(self, choice: Choice) -> float:
        return max(0.0, self.best.equity - choice.equity)

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "kind": self.kind,
            "position": position_record(self.position),
            "choices": [choice.to_dict() for choice in self.choices],
            "model": self.model,
            "level": self.level,
            "source": self.source,
            "made": self.made,
            "cube": None if self.cube is None else self.cube.to_dict(),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Problem:
        """What `to_dict` wrote.

        Raises:
            InputError: something is missing or of the wrong kind.
        """
        try:
            choices = tuple(Choice.from_dict(choice) for choice in data["choices"])
            if data["kind"] not in KINDS or not choices:
                raise InputError(f"not a problem: found the kind {data['kind']!r} with {len(choices)} choices")
            return cls(
                data["kind"],
                position_from(data["position"]),
                choices,
                str(data["model"]),
                str(data["level"]),
                str(data["source"]),
                data["made"],
                None if data["cube"] is None else CubeFigures.from_dict(data["cube"]),
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            if isinstance(error, InputError):
                raise
            reason = f"{error} is missing" if isinstance(error, KeyError) else str(error)
            raise InputError(f"not a problem: {reason}") from None


@dataclass(frozen=True)
class Card:
    """A problem of a quiz, and how it went so far."""

    number: int
    problem: Problem
    schedule: Schedule
    answers: int = 0
    right: int = 0
    """Answers that were good enough for a longer interval."""


def kind_of(position: Position) -> ProblemKind:
    """What is asked about a position that stands for itself."""
    if position.dice is not None:
        return "play"
    return "double" if position.offer is None else "answer"


def digest_of(kind: ProblemKind, position: Position) -> str:
    """The same for the same question, wherever it comes from and however it was analysed."""
    asked = position_record(position)
    # On which side of a diagram it stands, and what was won before for money, makes no difference.
    del asked["seat"]
    if not position.score.length:
        del asked["points"]
    return digest({"kind": kind, **asked})


def position_record(position: Position) -> dict[str, Any]:
    """Everything about a position, for JSON."""
    return {
        "board": position.board.tolist(),
        "dice": None if position.dice is None else list(position.dice),
        "cube": asdict(position.cube),
        **(asdict(position.score) | {"points": list(position.score.points)}),
        "offer": position.offer,
        "seat": position.seat,
        "cube_limit": position.cube_limit,
    }


def position_from(data: Mapping[str, Any]) -> Position:
    """What `position_record` wrote."""
    dice: Sequence[int] | None = data["dice"]
    first, second = data["points"]
    return Position(
        board=np.array(data["board"], dtype=np.int8),
        dice=None if dice is None else (int(dice[0]), int(dice[1])),
        cube=Cube(**data["cube"]),
        score=Score((int(first), int(second)), data["length"], data["crawford"], data["jacoby"], data["beavers"]),
        offer=data["offer"],
        seat=data["seat"],
        cube_limit=data["cube_limit"],
    )
