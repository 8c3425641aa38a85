"""Cube decisions on the reference set: the cube model by itself, a model with its own network, and the peers.

Fed with the static chances of gnubg-nn, the code of `bgai.cube` is measured apart from any network: what it loses then
beside gnubg's own static decisions is its own doing. The peers' values at 0-ply and 2-ply stand in the records; the
latter made the reference between them, which favours them (`*`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from peers import BgsageSearch, Gnubg, gnubg_board
from reference import MILLI, Mean, cube_loss, mean

from bgai.analyst import Analyst
from bgai.board import Board
from bgai.model import Model
from bgai.outcomes import Outcomes
from bgai.phase import PHASES
from bgai.position import Cube, Position, Score

KINDS = ("money, centred", "money, owned", "match", "post-Crawford")
PARTS = (*KINDS, "all", "doubling", "answer")
PEERS = {"gnubg": "gnubg-nn", "bgsage": "bgsage"}

Record = dict[str, Any]
Decision = tuple[float, float]
"""Equities of no double and of double, take."""


class FedEvaluator:
    """gnubg-nn's static chances as an evaluator."""

    def __init__(self) -> None:
        self.module = Gnubg().module

    def evaluate(self, boards: Board) -> Outcomes:
        """Outcome vectors `float32[N, 5]` of boards `int8[N, 26]`."""
        chances = [self.module.probabilities(gnubg_board(board), 0) for board in boards]
        return np.array(chances, dtype=np.float32).reshape(-1, 5)


def position_of(record: Record) -> Position:
    """The position of a record, with the player on roll to decide."""
    cube = Cube(record["cube"]["value"], "on roll" if record["cube"]["owner"] == "player" else "centred")
    length = record["match_length"]
    score = Score()
    if length:
        mine, theirs = record["away"]
        score = Score((length - mine, length - theirs), length, crawford=record["crawford"])
    return Position(np.array(record["board"], dtype=np.int8), cube=cube, score=score)


def kind_of(record: Record) -> str:
    """One of `KINDS`."""
    if record["match_length"]:
        return "post-Crawford" if record["post_crawford"] else "match"
    return "money, owned" if record["cube"]["owner"] == "player" else "money, centred"


def decisions(analyst: Analyst, records: Sequence[Record]) -> list[Decision]:
    """What an analyst makes of the records."""
    found = []
    for record in records:
        values, _, _ = analyst.cube_values(position_of(record))
        found.append((float(values.no_double[0]), float(values.double_take[0])))
    return found


def losses(records: Sequence[Record], found: Sequence[Decision]) -> dict[str, Mean]:
    """Mean loss in millipoints a decision: by kind, over all, and of doubling and of answering over all."""
    parts = np.array([cube_loss(record, *decision) for record, decision in zip(records, found, strict=True)]) * MILLI
    kinds = np.array([kind_of(record) for record in records])
    by_kind = {kind: mean(parts[kinds == kind].sum(axis=1)) for kind in KINDS if (kinds == kind).any()}
    return {**by_kind, "all": mean(parts.sum(axis=1)), "doubling": mean(parts[:, 0]), "answer": mean(parts[:, 1])}


def cube_losses(
    model: Model | None, fitted: Model, records: Sequence[Record], plies: int
) -> dict[str, dict[str, Mean]]:
    """By name: our cube code fed with gnubg-nn's chances, the model that is measured if it is ours, and the peers.

    `fitted` is the model whose cube efficiencies serve the chances of gnubg-nn; `plies` is how far all look at most.
    """
    fed = Analyst(FedEvaluator(), "fed", fitted.manifest.cube_efficiency)
    found = {"bgai's cube, gnubg-nn's chances": losses(records, decisions(fed, records))}
    if model is not None:
        for depth in range(plies + 1):
            found[f"{model.name} {depth}-ply"] = losses(records, decisions(Analyst.of(model, plies=depth), records))
    for peer, title in PEERS.items():
        shallow = [(record["shallow"][peer]["nd"], record["shallow"][peer]["dt"]) for record in records]
        found[f"{title} 0-ply"] = losses(records, shallow)
    if plies >= 1:
        found["bgsage 1-ply"] = losses(records, sage_decisions(BgsageSearch(1, cubeful=True), records))
    if plies >= 2:
        for peer, title in PEERS.items():
            deep = [(record[peer]["nd"], record[peer]["dt"]) for record in records]
            found[f"{title} 2-ply *"] = losses(records, deep)
    return found


def sage_decisions(peer: BgsageSearch, records: Sequence[Record]) -> list[Decision]:
    """What bgsage makes of the records."""
    return [
        peer.cube(
            np.array(record["board"], dtype=np.int8),
            record["cube"]["value"],
            record["cube"]["owner"] == "player",
            (record["away"][0], record["away"][1]) if record["match_length"] else (0, 0),
        )
        for record in records
    ]


def efficiencies(model: Model) -> dict[str, float]:
    """The cube efficiencies of a model by phase, as far as they were fitted."""
    given = model.manifest.cube_efficiency or {}
    return {phase: given[phase] for phase in PHASES if phase in given}
