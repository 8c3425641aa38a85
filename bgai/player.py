"""Players: who decide a roll."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from bgai.analyst import Analyst
from bgai.board import Board
from bgai.catalogue import open_model
from bgai.evaluator import Evaluator, KernelEvaluator
from bgai.kernels.baselines import heuristic_scores
from bgai.notation.playtext import format_play
from bgai.opinions import RankedPlays
from bgai.outcomes import Outcomes
from bgai.plays import Plays, PlaysBatch, Steps, legal_plays
from bgai.position import Position


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
    """Plays what its evaluator likes best after looking at every legal play once (0-ply), without the cube.

    For money and as if the cube did not exist; `bgai.bot.Bot` plays with the cube and at a score. The ranking is
    the analyst's.
    """

    def __init__(self, evaluator: Evaluator, name: str = "net") -> None:
        self.evaluator = evaluator
        self.name = name
        self._analyst = Analyst(evaluator, name, cubeful=False)

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
        return 0 if len(plays) == 1 else int(self._ranked(board, plays).order[0])

    def rank(self, board: Board, dice: tuple[int, int]) -> list[RankedPlay]:
        """All legal plays, best first.

        Raises:
            DiceError, PositionError: see `legal_plays`.
        """
        return self.rank_plays(board, legal_plays(board, dice))

    def rank_plays(self, board: Board, plays: Plays) -> list[RankedPlay]:
        """The same, for plays that are known already."""
        found = self._ranked(board, plays)
        best = float(found.equities[found.order[0]])
        return [
            RankedPlay(
                play=format_play(board, plays.steps[number]),
                steps=plays.steps[number],
                successor=plays.successors[number],
                outcomes=found.outcomes[number],
                equity=float(found.equities[number]),
                loss=best - float(found.equities[number]),
            )
            for number in found.order
        ]

    def _ranked(self, board: Board, plays: Plays) -> RankedPlays:
        batch = PlaysBatch(plays.successors, plays.steps, np.array([0, len(plays)]))
        return self._analyst.rank_plays([Position(board)], batch)


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
