"""What `speed.py` measures, for bgai and for the peers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from kernels import best_successors, count_successors
from peers import Bgsage, Gnubg, gnubg_board, sage_board
from positions import Positions

from bgai.bearoff import network_alone
from bgai.board import flip
from bgai.kernels.forward import evaluate
from bgai.model import Model
from bgai.plays import legal_plays_batch

SUCCESSORS = "distinct successors generated"
EVALUATIONS = "static evaluations"
DECISIONS = "0-ply decisions"
SIZES = {SUCCESSORS: 4000, EVALUATIONS: 12000, DECISIONS: 3000}
"""Positions that each measurement of a group gets."""


@dataclass
class Subject:
    """One thing that can be measured."""

    group: str
    title: str
    prepare: Callable[[Positions], Any]
    """Puts positions in the form that is wanted; not timed."""
    run: Callable[[Any], int]
    """Does the work and returns how much of it; timed."""
    keeps: bool = False
    """Whether the program may remember positions, so that none is shown to it twice."""
    rates: list[float] = field(default_factory=list)
    """Work a CPU-second, one number for each repeat."""


def bgai_moves() -> list[Subject]:
    """Generating plays with bgai."""

    def batch(with_steps: bool) -> Callable[[Positions], int]:
        return lambda work: len(legal_plays_batch(work.boards, work.rolls, with_steps=with_steps).successors)

    return [
        Subject(SUCCESSORS, "bgai kernel, boards only", _as_they_are, lambda w: count_successors(w.boards, w.rolls)),
        Subject(SUCCESSORS, "bgai legal_plays_batch, boards only", _as_they_are, batch(False)),
        Subject(SUCCESSORS, "bgai legal_plays_batch, with steps", _as_they_are, batch(True)),
    ]


def bgai_network(model: Model) -> list[Subject]:
    """Evaluating and deciding with one network."""
    net = model.net()
    static = network_alone(net)
    title = f"bgai {model.name}"

    def full(work: Positions) -> int:
        evaluate(net, work.boards, np.empty((len(work), 5), dtype=np.float32))
        return len(work)

    def decide(work: Positions) -> int:
        return int(best_successors(static, work.boards, work.rolls, np.empty_like(work.boards)))

    def count(work: Positions) -> int:
        decide(work)
        return len(work)

    return [
        Subject(EVALUATIONS, f"{title}, each from nothing", _as_they_are, full),
        Subject(EVALUATIONS, f"{title}, inside decisions", _as_they_are, decide),
        Subject(DECISIONS, title, _as_they_are, count),
    ]


def gnubg() -> list[Subject]:
    """gnubg-nn, one call a position."""
    module = Gnubg().module

    def boards(positions: Positions) -> list[tuple[Any, int, int]]:
        rolls = positions.rolls.tolist()
        return [(gnubg_board(board), *roll) for board, roll in zip(positions.boards, rolls, strict=True)]

    def moves(work: list[tuple[Any, int, int]]) -> int:
        return sum(len(module.moves(board, high, low)) for board, high, low in work)

    def probabilities(work: list[tuple[Any, int, int]]) -> int:
        for board, _, _ in work:
            module.probabilities(board, 0)
        return len(work)

    def best_move(work: list[tuple[Any, int, int]]) -> int:
        for board, high, low in work:
            module.best_move(board, high, low)
        return len(work)

    return [
        Subject(SUCCESSORS, "gnubg-nn moves", boards, moves, keeps=True),
        Subject(EVALUATIONS, "gnubg-nn probabilities", boards, probabilities, keeps=True),
        Subject(DECISIONS, "gnubg-nn best_move", boards, best_move, keeps=True),
    ]


def bgsage() -> list[Subject]:
    """bgsage, one call a position; a decision is its list of plays and an evaluation of each, cubeless."""
    peer = Bgsage()
    moves, evaluate_board = peer.module.possible_moves, peer.strategy.evaluate_board

    def boards(positions: Positions) -> list[tuple[Any, int, int]]:
        rolls = positions.rolls.tolist()
        return [(sage_board(board), *roll) for board, roll in zip(positions.boards, rolls, strict=True)]

    def before_and_after(positions: Positions) -> list[tuple[Any, Any]]:
        return [
            (sage_board(board), sage_board(after))
            for board, after in zip(positions.boards, flip(positions.after), strict=True)
        ]

    def generate(work: list[tuple[Any, int, int]]) -> int:
        return sum(len(moves(*each)) for each in work)

    def static(work: list[tuple[Any, Any]]) -> int:
        for before, after in work:
            evaluate_board(after, before)
        return len(work)

    def decide(work: list[tuple[Any, int, int]]) -> int:
        for board, high, low in work:
            max((evaluate_board(after, board)["equity"] for after in moves(board, high, low)), default=0.0)
        return len(work)

    return [
        Subject(SUCCESSORS, "bgsage possible_moves", boards, generate, keeps=True),
        Subject(EVALUATIONS, "bgsage evaluate_board", before_and_after, static, keeps=True),
        Subject(DECISIONS, "bgsage evaluate_board of each play", boards, decide, keeps=True),
    ]


def _as_they_are(positions: Positions) -> Positions:
    return positions
