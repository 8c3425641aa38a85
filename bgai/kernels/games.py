"""Decisions at 0-ply, without Python objects."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from bgai.kernels.compiler import kernel
from bgai.kernels.forward import OUTPUTS, Workspace, evaluate_successors, prepare, workspace
from bgai.kernels.movegen import MAX_PLAYS, ROW, successors


class Table(NamedTuple):
    """What one thread needs to decide plays: the plays of a roll and their values."""

    successor: np.ndarray
    """int8[MAX_PLAYS, ROW], positions after the play, seen by the opponent."""
    changed: np.ndarray
    """int64[MAX_PLAYS], the slots in which it differs from the position before, as bits."""
    steps: np.ndarray
    """int8[0, 4, 2]: no steps are kept."""
    hashes: np.ndarray
    work: np.ndarray
    outcomes: np.ndarray
    """float32[MAX_PLAYS, 5], seen by the opponent."""
    equities: np.ndarray
    """float32[MAX_PLAYS], the opponent's."""
    space: Workspace


@kernel
def table(net):
    return Table(
        np.zeros((MAX_PLAYS, ROW), np.int8),
        np.zeros(MAX_PLAYS, np.int64),
        np.zeros((0, 4, 2), np.int8),
        np.zeros(MAX_PLAYS, np.int64),
        np.zeros(ROW, np.int8),
        np.zeros((MAX_PLAYS, OUTPUTS), np.float32),
        np.zeros(MAX_PLAYS, np.float32),
        workspace(net),
    )


@kernel
def generate(slots, first, second, at):
    """Puts the plays of a roll on the table; returns their number."""
    return successors(slots, first, second, at.successor, at.changed, at.steps, at.hashes, at.work)


@kernel
def judge(net, slots, count, at):
    """Values the plays on the table; returns the index of the best, of equals the first."""
    prepare(net, slots, at.space)
    return evaluate_successors(net, at.successor, at.changed, count, at.space, at.outcomes, at.equities)
