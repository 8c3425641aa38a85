"""Players: who decide a roll."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from bgai.board import Board
from bgai.catalogue import open_model
from bgai.evaluator import Evaluator, KernelEvaluator
from bgai.kernels.baselines import heuristic_scores
from bgai.notation.playtext import format_play
from bgai.outcomes import Outcomes, equity, invert
from bgai.plays import Plays, Steps, legal_plays


class Player(Protocol):
    """Whoever can choose among the plays of a roll."""

    name: str

    def choose(self, board: Board, plays: Plays, rng: np.random.Generator) -> int:
        """The index in `plays` of its choice; `rng` is for players that draw lots."""
        ...


@dataclass(frozen=True)
class RankedPlay:
    """One legal play and what it is worth to the mover."""

    play: str
    """In standard notation; empty when the turn passes."""
    steps: Steps
    successor: Board
    """int8[26]: the position after the play, seen by the opponent, who is on roll."""
    outcomes: Outcomes
    """float32[5], the mover's."""
    equity: float
    """Cubeless, per unit of cube."""
    loss: float
    """Equity given up beside the best play, >= 0."""


class NetPlayer:
    """Plays what its evaluator likes best after looking at every legal play once (0-ply)."""

    def __init__(self, evaluator: Evaluator, name: str = "net") -> None:
        self.evaluator = evaluator
        self.name = name

    @classmethod
    def of(cls, model: str | None = None) -> NetPlayer:
        """The player of a kept model, by default the strongest."""
        opened = open_model(model)
        return cls(KernelEvaluator(opened), opened.name)

    def evaluate(self, board: Board) -> Outcomes:
        """The chances of the player on roll, `float32[5]`."""
        outcomes: Outcomes = self.evaluator.evaluate(board[None])[0]
        return outcomes

    def choose(self, board: Board, plays: Plays, rng: np.random.Generator) -> int:
        """See `Player`; of equal plays the first."""
        return 0 if len(plays) == 1 else int(np.argmin(equity(self.evaluator.evaluate(plays.successors))))

    def rank(self, board: Board, dice: tuple[int, int]) -> list[RankedPlay]:
        """All legal plays, best first.

        Raises:
            DiceError, PositionError: see `legal_plays`.
        """
        return self.rank_plays(board, legal_plays(board, dice))

    def rank_plays(self, board: Board, plays: Plays) -> list[RankedPlay]:
        """The same, for plays that are known already."""
        return ranked(board, plays, self.evaluator.evaluate(plays.successors))


def ranked(board: Board, plays: Plays, opponent_outcomes: Outcomes) -> list[RankedPlay]:
    """Plays with their values, `float32[M, 5]` seen by the opponent, sorted best first."""
    outcomes = invert(opponent_outcomes)
    equities = -equity(opponent_outcomes)
    best = equities.max()
    return [
        RankedPlay(
            play=format_play(board, plays.steps[number]),
            steps=plays.steps[number],
            successor=plays.successors[number],
            outcomes=outcomes[number],
            equity=float(equities[number]),
            loss=float(best) - float(equities[number]),
        )
        for number in np.argsort(-equities, kind="stable")
    ]


class RandomPlayer:
    """Any legal play, each as likely."""

    name = "random"

    def choose(self, board: Board, plays: Plays, rng: np.random.Generator) -> int:
        """See `Player`."""
        return int(rng.integers(len(plays)))


class HeuristicPlayer:
    """A simple hand-written player; see `bgai.kernels.baselines`."""

    name = "heuristic"

    def choose(self, board: Board, plays: Plays, rng: np.random.Generator) -> int:
        """See `Player`; of equal plays the first."""
        return int(np.argmax(heuristic_scores(plays.successors)))
