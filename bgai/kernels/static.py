"""What a position is worth without looking ahead: from a bear-off table where one holds it, else from the network.

Everything that plays, learns, searches or rolls out asks here, so that all of it uses the tables alike.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from bgai.kernels import forward
from bgai.kernels.bearoff import Rolls, covered, index_of, index_of_opponent, one_sided_outcomes
from bgai.kernels.compiler import kernel
from bgai.kernels.forward import OUTPUTS, equity
from bgai.kernels.movegen import MAX_PLAYS, ROW, successors


class Bearoffs(NamedTuple):
    """The bear-off tables at hand. The arrays are read-only, whether they lie in memory or in files."""

    most: int
    """Checkers a side that the one-sided table holds; 0: there is no table."""
    off: Rolls
    first: Rolls
    exact_most: int
    """Checkers a side that the two-sided table holds; 0: there is none."""
    exact: np.ndarray
    """float32[P, P, 4], see `bgai.kernels.bearoff.build_two_sided`."""


class Static(NamedTuple):
    """What is known about positions: a network, a smaller one that sorts plays out before it, bear-off tables."""

    net: Any
    """A network in a form that `forward` evaluates."""
    filter: Any
    """A smaller and faster one, or the same again if there is none."""
    keep: int
    """Plays that the filter leaves to the network in `pick`; 0: all, the filter is not asked."""
    bearoffs: Bearoffs


class Plays(NamedTuple):
    """What one thread needs to choose among the plays of a roll: the plays and their values."""

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
    """float32[MAX_PLAYS], the opponent's at the stakes asked for, with a dead cube."""
    space: Any
    filter_space: Any


@kernel
def plays_table(static):
    return Plays(
        np.zeros((MAX_PLAYS, ROW), np.int8),
        np.zeros(MAX_PLAYS, np.int64),
        np.zeros((0, 4, 2), np.int8),
        np.zeros(MAX_PLAYS, np.int64),
        np.zeros(ROW, np.int8),
        np.zeros((MAX_PLAYS, OUTPUTS), np.float32),
        np.zeros(MAX_PLAYS, np.float32),
        forward.workspace(static.net),
        forward.workspace(static.filter),
    )


@kernel
def generate(slots, first, second, at):
    """Puts the plays of a roll on the table; returns their number."""
    return successors(slots, first, second, at.successor, at.changed, at.steps, at.hashes, at.work)


@kernel
def look_up(bearoffs, slots, outcomes):
    """Fills `outcomes` float32[5] from a table; returns whether one holds the position, int8[26] or more."""
    if not covered(slots, bearoffs.most):
        return False
    own = index_of(slots)
    other = index_of_opponent(slots)
    if covered(slots, bearoffs.exact_most):
        outcomes[:] = 0
        outcomes[0] = (bearoffs.exact[own, other, 0] + np.float32(1.0)) / np.float32(2.0)
    else:
        one_sided_outcomes(bearoffs.off, bearoffs.first, own, other, outcomes)
    return True


@kernel
def look_up_many(bearoffs, boards, outcomes):
    """Fills those rows of `outcomes` float32[N, 5] whose boards int8[N, 26] a table holds."""
    for index in range(boards.shape[0]):
        look_up(bearoffs, boards[index], outcomes[index])


@kernel
def evaluate(static, boards, result):
    """Outcome vectors of boards: `int8[N, 26]` to `float32[N, 5]`; finished games get their certain outcome."""
    forward.evaluate(static.net, boards, result)
    look_up_many(static.bearoffs, boards, result)


@kernel
def _opponent_is_home(slots):
    """Whether the side that does not move has all its checkers at home: only then a table may hold a successor."""
    outside = 0
    for place in range(19):
        outside += slots[place] < 0
    return outside == 0


@kernel
def judge(static, slots, count, at):
    """Values the first `count` plays on the table; returns the index of the best for money, of equals the first."""
    held = 0
    if _opponent_is_home(slots):
        for index in range(count):
            held += look_up(static.bearoffs, at.successor[index], at.outcomes[index])
    if held < count:
        best = forward.evaluate_successors(
            static.net, slots, at.successor, at.changed, count, at.space, at.outcomes, at.equities
        )
        if held == 0:
            return best
    best = 0
    for index in range(count):
        if look_up(static.bearoffs, at.successor[index], at.outcomes[index]):
            at.equities[index] = equity(at.outcomes, index)
        if at.equities[index] < at.equities[best]:
            best = index
    return best


@kernel
def worth_of(outcomes, index, worth):
    """Value of `outcomes[index]` at some stakes with a dead cube: `worth` float32[6] is linear in the five chances.

    `worth[5]` is what a lost single game is worth, `worth[:5]` what each unit of the five cumulative chances adds.
    """
    total = worth[5]
    for output in range(OUTPUTS):
        total += worth[output] * outcomes[index, output]
    return total


@kernel
def pick(static, worth, slots, count, at):
    """Values the plays on the table that the filter leaves over, and puts these first.

    Args:
        worth: float32[6], the opponent's, see `worth_of`.

    Returns:
        (plays that were valued, index of the best of them). They are now the first on the table, in the order in
        which they were generated, with `at.outcomes` and `at.equities`; the others are gone.
    """
    left = count
    if 0 < static.keep < count:
        forward.evaluate_successors(
            static.filter, slots, at.successor, at.changed, count, at.filter_space, at.outcomes, at.equities
        )
        for index in range(count):
            at.equities[index] = worth_of(at.outcomes, index, worth)
        left = _keep_least(static.keep, count, at)
    judge(static, slots, left, at)
    best = 0
    for index in range(left):
        at.equities[index] = worth_of(at.outcomes, index, worth)
        if at.equities[index] < at.equities[best]:
            best = index
    return left, best


@kernel
def _keep_least(keep, count, at):
    """Moves the `keep` plays of least equity to the front, in their order; of equals the first ones. Returns `keep`."""
    # `hashes` is free once the plays are generated: the indices of the best so far, sorted by insertion.
    best = at.hashes
    length = 0
    for index in range(count):
        place = length
        while place > 0 and at.equities[best[place - 1]] > at.equities[index]:
            place -= 1
        if place < keep:
            length = min(length + 1, keep)
            for later in range(length - 1, place, -1):
                best[later] = best[later - 1]
            best[place] = index
    last = best[length - 1]
    bound = at.equities[last]
    place = 0
    for index in range(count):
        value = at.equities[index]
        if value < bound or (value == bound and index <= last):
            for slot in range(ROW):
                at.successor[place, slot] = at.successor[index, slot]
            at.changed[place] = at.changed[index]
            place += 1
    return place
