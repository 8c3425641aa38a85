"""The analyst: what a network, a cube model and a match equity table together say about positions.

Every question goes this way, one position or thousands, so that all of them get the same numbers to the last digit.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bgai.board import Board
from bgai.catalogue import open_model
from bgai.cube import CubeValues
from bgai.errors import PositionError
from bgai.evaluator import Evaluator, KernelEvaluator
from bgai.halt import Halt
from bgai.met import MatchEquityTable, default_met, extend_met
from bgai.met.table import LONGEST
from bgai.model import Model
from bgai.move_filter import Filter
from bgai.opinions import CubeOpinion, Evaluation, RankedPlays
from bgai.outcomes import Outcomes, invert
from bgai.phase import PHASES, cube_efficiencies
from bgai.plays import PlaysBatch, legal_plays_batch
from bgai.position import Cube, Position, Score
from bgai.search import Settings
from bgai.stakes import Stakes, stakes_of
from bgai.valuer import Valued, Valuer

UNFITTED = 0.68
"""Cube efficiency of a network for which it was never fitted: Janowski's estimate for money games."""

Values = NDArray[np.float64]


class Analyst:
    """Answers questions about positions, at 0-ply or looking ahead.

    >>> analyst = Analyst.of(plies=1)
    >>> analyst.evaluate(Position()).plies
    1
    >>> Analyst.of(plies=7, seconds=0.1).settings.seconds
    0.1
    """

    def __init__(
        self,
        evaluator: Evaluator,
        name: str,
        efficiency: dict[str, float] | None = None,
        met: MatchEquityTable | None = None,
        *,
        cubeful: bool = True,
        settings: Settings | None = None,
        halt: Halt | None = None,
    ) -> None:
        """`efficiency` by name of the phase, see `bgai.cube`; without `cubeful` the cube is taken as dead.

        When a `halt` is said, questions are answered with what was found until then.

        Raises:
            InputError: an evaluator that is not compiled cannot look ahead.
        """
        self.evaluator = evaluator
        self.name = name
        given = efficiency or {}
        self.efficiency = np.array([given.get(phase, UNFITTED) for phase in PHASES]) * cubeful
        self.cubeful = cubeful
        self._given = efficiency
        self._met = met
        self.settings = settings or Settings()
        self._valuer = Valuer(evaluator, self.efficiency, self.settings, cubeful=cubeful, halt=halt)

    @classmethod
    def of(
        cls,
        model: str | Model | None = None,
        *,
        cubeful: bool = True,
        plies: int = 0,
        filter: str | Filter = "normal",
        threads: int = 1,
        seconds: float | None = None,
    ) -> Analyst:
        """The analyst of a kept model, by default the strongest; `bgai.Settings` explains the others."""
        settings = Settings(plies, filter, threads, seconds)
        opened = model if isinstance(model, Model) else open_model(model)
        efficiency = opened.manifest.cube_efficiency
        return cls(KernelEvaluator(opened), opened.name, efficiency, cubeful=cubeful, settings=settings)

    def at_once(self) -> Analyst:
        """The same without looking ahead."""
        if not self.settings.plies:
            return self
        return Analyst(self.evaluator, self.name, self._given, self._met, cubeful=self.cubeful)

    def met(self, length: int) -> MatchEquityTable:
        """A table that serves scores up to so many points away."""
        table = default_met() if self._met is None else self._met
        # In steps, so that many lengths are served by few tables.
        if length <= table.length:
            return table
        return extend_met(table, min(max(64, 1 << (length - 1).bit_length()), max(length, LONGEST)))

    def stakes(self, cube: Cube, score: Score, cube_limit: int) -> Stakes:
        """The stakes of the player on roll."""
        return stakes_of(cube, score, self.met(max(score.away)) if score.length else None, cube_limit)

    def evaluate(self, position: Position) -> Evaluation:
        """One position before the roll."""
        return self.evaluate_many([position])[0]

    def evaluate_many(self, positions: Sequence[Position]) -> list[Evaluation]:
        """Many positions, with any cubes and scores; during an offer, as if it had not been made."""
        boards = np.stack([position.board for position in positions])
        found, all_stakes = self._before_roll(positions, boards, np.arange(len(positions) + 1))
        return [
            Evaluation(
                found.outcomes[number],
                float(found.cubeless[number]),
                float(found.values[number]),
                float(stakes.centre + stakes.half * found.values[number]) if stakes.match else None,
                int(found.plies[number]),
            )
            for number, stakes in enumerate(all_stakes)
        ]

    def rank(self, positions: Sequence[Position]) -> RankedPlays:
        """The plays of positions with dice.

        Of equal ones the better without the cube comes first, then the generator's first. Where the opponent cashes
        after every play, all are equal with the cube.

        Raises:
            PositionError: a position without dice, or with an offer that waits.
        """
        for position in positions:
            if position.offer is not None:
                raise PositionError(f"a {position.offer} waits for an answer, so there is nothing to play yet")
        boards = np.stack([position.board for position in positions])
        dice = [position.dice for position in positions]
        if None in dice:
            raise PositionError("a position without dice has no plays")
        return self.rank_plays(positions, legal_plays_batch(boards, np.array(dice, dtype=np.int64)))

    def rank_plays(self, positions: Sequence[Position], plays: PlaysBatch) -> RankedPlays:
        """The same for plays that are known already, those of each position's roll."""
        owner = np.repeat(np.arange(len(positions)), np.diff(plays.offsets))
        after = [
            Position(
                board=position.board,
                cube=position.cube.flipped(),
                score=position.score.flipped(),
                cube_limit=position.cube_limit,
            )
            for position in positions
        ]
        found, all_stakes = self._before_roll(after, plays.successors, plays.offsets)
        equities = -found.values
        order = np.lexsort((found.cubeless, -equities, -found.plies, owner))
        centre = np.array([stakes.centre if stakes.match else np.nan for stakes in all_stakes])[owner]
        half = np.array([stakes.half for stakes in all_stakes])[owner]
        mwc = 1 - (centre + half * found.values)
        return RankedPlays(plays, order, invert(found.outcomes), equities, -found.cubeless, mwc, found.plies)

    def efficiency_of(self, boards: Board) -> Values:
        """How live the cube is in each of the boards `int8[N, 26]`, before the roll."""
        return cube_efficiencies(boards, self.efficiency)

    def cube_values(self, position: Position) -> tuple[CubeValues, Stakes, Outcomes]:
        """The cube actions of one position before the roll, with the stakes and the chances behind them."""
        found = self.cube_opinion(position)
        return found.values, found.stakes, found.outcomes

    def cube_opinion(self, position: Position) -> CubeOpinion:
        """The same, with how far was looked ahead."""
        stakes = self.stakes(position.cube, position.score, position.cube_limit)
        actions, outcomes, plies = self._valuer.actions(position.board[None], stakes, position.cube.owner)
        return CubeOpinion(actions, stakes, outcomes[0], plies)

    def cube_values_of(self, position: Position, boards: Board) -> tuple[CubeValues, Stakes, Outcomes]:
        """The same of many boards `int8[N, 26]` at the cube and score of a position; chances `float32[N, 5]`."""
        stakes = self.stakes(position.cube, position.score, position.cube_limit)
        actions, outcomes, _ = self._valuer.actions(boards, stakes, position.cube.owner)
        return actions, stakes, outcomes

    def seconds(self, positions: Sequence[Position]) -> float:
        """An estimate of the time that looking ahead takes: after each play where there are dice, else before the roll.

        The cubes and scores of all are taken to be as in the first position.
        """
        if not self.settings.plies:
            return 0.0
        first = positions[0]
        boards = np.stack([position.board for position in positions])
        counts = np.ones(len(positions), dtype=np.int64)
        if first.dice is not None:
            plays = legal_plays_batch(boards, np.array([position.dice for position in positions]), with_steps=False)
            boards, counts = plays.successors, np.diff(plays.offsets)
        stakes = self.stakes(first.cube, first.score, first.cube_limit)
        return self._valuer.seconds(boards, counts, stakes, first.cube.owner)

    def _before_roll(
        self, positions: Sequence[Position], boards: Board, offsets: NDArray[np.int64]
    ) -> tuple[Valued, list[Stakes]]:
        """Values of boards `[M, 26]`, those of position n are `offsets[n]` to `offsets[n + 1]`, and N stakes.

        Positions with the same cube and score are treated together.
        """
        groups: dict[tuple[Cube, Score, int], int] = {}
        label_of = [
            groups.setdefault((position.cube, position.score, position.cube_limit), len(groups))
            for position in positions
        ]
        games = [(self.stakes(*key), key[0].owner) for key in groups]
        labels = np.repeat(np.array(label_of, dtype=np.int64), np.diff(offsets))
        return self._valuer.values(boards, offsets, games, labels), [games[label][0] for label in label_of]
