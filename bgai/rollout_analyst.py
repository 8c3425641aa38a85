"""An analyst that rolls out what a look ahead leaves close."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from bgai.analyst import Analyst
from bgai.board import result
from bgai.cube import cube_values_from
from bgai.evaluator import KernelEvaluator
from bgai.model import Model
from bgai.opinions import ROLLED, CubeOpinion, Evaluation, RankedPlays
from bgai.plays import Plays, PlaysBatch
from bgai.position import Position
from bgai.rollout import Rollout
from bgai.rollout import Settings as RolloutSettings
from bgai.search import Settings

MOST = 4
"""Plays that are rolled out, at most."""
WITHIN = 0.06
"""How much worse than the best a play may be at the depth before, in equity of the present cube."""


class RolledAnalyst(Analyst):
    """Looks ahead by its settings, then rolls out the best plays if they are close; positions and cubes always."""

    def __init__(self, model: Model, settings: Settings, rollout: RolloutSettings, *, cubeful: bool = True) -> None:
        """`rollout` says how; whether it is `cubeful` is decided here."""
        efficiency = model.manifest.cube_efficiency
        super().__init__(KernelEvaluator(model), model.name, efficiency, cubeful=cubeful, settings=settings)
        self.rollout = replace(rollout, cubeful=cubeful)
        self.model = model

    def at_once(self) -> Analyst:
        """The network alone, without looking ahead."""
        return Analyst.of(self.model, cubeful=self.cubeful)

    def rank_plays(self, positions: Sequence[Position], plays: PlaysBatch) -> RankedPlays:
        """See `Analyst`: the plays that were rolled out come first."""
        ranked = super().rank_plays(positions, plays)
        for number, position in enumerate(positions):
            here = ranked.order[plays.offsets[number] : plays.offsets[number + 1]]
            self._roll_out(position, plays, ranked, here)
        return ranked

    def evaluate_many(self, positions: Sequence[Position]) -> list[Evaluation]:
        """See `Analyst`."""
        return [self._evaluate(position) for position in positions]

    def cube_opinion(self, position: Position) -> CubeOpinion:
        """See `Analyst`."""
        return self._actions(position)[0]

    def _roll_out(self, position: Position, plays: PlaysBatch, ranked: RankedPlays, order: NDArray[np.int64]) -> None:
        """Puts what the rollout of the best plays says into the ranking; `order` is this position's part of it."""
        best = order[0]
        equities, plies = ranked.equities, ranked.plies
        close = order[(plies[order] == plies[best]) & (equities[order] >= equities[best] - WITHIN)][:MOST]
        if len(close) < 2:
            return
        chosen = Plays(plays.successors[close], plays.steps[close])
        rollout = self._run(Rollout(position, self.rollout, model=self.model, chosen=chosen))
        for number, one in zip(close, rollout.candidates, strict=True):
            ranked.outcomes[number] = one.outcomes[0]
            ranked.equities[number] = one.equity[0]
            ranked.cubeless[number] = one.cubeless_equity[0]
            if rollout.stakes.match:
                ranked.mwc[number] = rollout.stakes.centre + rollout.stakes.half * one.equity[0]
            ranked.plies[number] = ROLLED
        order[: len(close)] = close[np.lexsort((-ranked.cubeless[close], -ranked.equities[close]))]

    def _evaluate(self, position: Position) -> Evaluation:
        if result(position.board):
            return super().evaluate_many([position])[0]
        found, cubeless = self._actions(replace(position, dice=None, offer=None))
        stakes, equity = found.stakes, float(found.values.value[0])
        mwc = float(stakes.centre + stakes.half * equity) if stakes.match else None
        return Evaluation(found.outcomes, cubeless, equity if self.cubeful else cubeless, mwc, found.plies)

    def _actions(self, position: Position) -> tuple[CubeOpinion, float]:
        """The cube actions, and the equity without the cube."""
        rollout = self._run(Rollout(position, self.rollout, model=self.model))
        waiting = rollout.candidates[0]
        taken = rollout.candidates[1].equity[0] if rollout.is_cube_decision else np.nan
        values = cube_values_from(np.array([waiting.equity[0]]), np.array([taken]), rollout.stakes)
        outcomes = waiting.outcomes[0].astype(np.float32)
        return CubeOpinion(values, rollout.stakes, outcomes, ROLLED), waiting.cubeless_equity[0]

    def _run(self, rollout: Rollout) -> Rollout:
        rollout.run(threads=self.settings.threads)
        return rollout
