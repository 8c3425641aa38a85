"""What a position is worth without looking ahead: from a bear-off table where one holds it, else from the network.

Everything that plays, searches, rolls out, labels or teaches itself asks here. What is given no tables asks the network
alone: self-play and its backups, `bgai.bearoff.network_alone`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from bgai.kernels import forward
from bgai.kernels.bearoff import Rolls, covered, index_of, index_of_opponent, one_sided_outcomes
from bgai.kernels.compiler import bare_kernel, kernel
from bgai.kernels.forward import OUTPUTS, equity
from bgai.kernels.movegen import MAX_PLAYS, ROW, successors
from bgai.kernels.sorting import Sorter, keep_least, prepare_sorter, sorter, value_plays
from bgai.kernels.vector_filter import AT_ONCE

TABLE = 2 * MAX_PLAYS
"""Plays that the table has places for: where MAX_PLAYS or fewer are taken, those of another roll go behind them."""

_ROOM = (TABLE // AT_ONCE + 2) * AT_ONCE
"""The filter values AT_ONCE plays together, from any place on."""


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
    """A smaller and faster one with one hidden layer, or the same as `net` again if there is none."""
    keep: int
    """Plays that the filter leaves to the network in `pick`, at most; 0: all, the filter is not asked."""
    bearoffs: Bearoffs
    within: float = np.inf
    """What a play that is left over may be worse than the filter's best, in equity: a single game that is won is 2
    better than one that is lost."""


class Plays(NamedTuple):
    """What one thread needs to choose among the plays of a roll, or of several: the plays and their values."""

    successor: np.ndarray
    """int8[TABLE, ROW], positions after the play, seen by the opponent."""
    changed: np.ndarray
    """int64[TABLE], the slots in which it differs from the position before, as bits."""
    steps: np.ndarray
    """int8[0, 4, 2]: no steps are kept."""
    hashes: np.ndarray
    work: np.ndarray
    outcomes: np.ndarray
    """float32[TABLE, 5], seen by the opponent."""
    equities: np.ndarray
    """float32[M], the opponent's at the stakes asked for, with a dead cube; M is a multiple of AT_ONCE."""
    space: forward.Workspace
    sorter: Sorter
    near: np.ndarray
    """bool[1]: whether a table may hold a position after a play."""


@kernel
def plays_table(static):
    """A table, for this network, this filter and this number of plays to keep.

    What its places hold means nothing yet: most are never used, and to write to all of them costs as much as a look of
    one ply.

    Raises:
        ValueError: a filter with more than one hidden layer.
    """
    return Plays(
        np.empty((TABLE, ROW), np.int8),
        np.empty(TABLE, np.int64),
        np.empty((0, 4, 2), np.int8),
        np.empty(MAX_PLAYS, np.int64),
        np.empty(ROW, np.int8),
        np.empty((TABLE, OUTPUTS), np.float32),
        np.empty(_ROOM, np.float32),
        forward.workspace(static.net),
        sorter(static.filter, static.keep),
        np.zeros(1, np.bool_),
    )


@kernel
def generate(slots, first, second, at):
    """Puts the plays of a roll on the table; returns their number."""
    return generate_behind(slots, first, second, 0, at)


@kernel
def generate_behind(slots, first, second, begin, at):
    """The same behind `begin` <= TABLE - MAX_PLAYS plays that are on the table already."""
    successor, changed = at.successor[begin:], at.changed[begin:]
    return successors(slots, first, second, successor, changed, at.steps, at.hashes, at.work)


@bare_kernel
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


@bare_kernel
def _opponent_is_home(slots):
    """Whether the side that does not move has all its checkers at home: only then a table may hold a successor."""
    outside = 0
    for place in range(19):
        outside += slots[place] < 0
    return outside == 0


@bare_kernel
def prepare(static, slots, at):
    """Makes ready for `judge_prepared` and `pick_prepared` of plays from `slots`, int8[ROW], after any rolls."""
    at.near[0] = static.bearoffs.most > 0 and _opponent_is_home(slots)
    forward.prepare(static.net, slots, at.space)
    if static.keep > 0:
        prepare_sorter(static.filter, slots, at.sorter)


@bare_kernel
def judge_prepared(static, count, at):
    """Values the first `count` plays on the table; returns the index of the best for money, of equals the first.

    The plays are those of the prepared position.
    """
    held = 0
    if at.near[0]:
        for index in range(count):
            held += look_up(static.bearoffs, at.successor[index], at.outcomes[index])
    if held < count:
        best = forward.evaluate_successors(
            static.net, at.successor, at.changed, count, at.space, at.outcomes, at.equities
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


@bare_kernel
def judge(static, slots, count, at):
    """Prepares the position `slots` and judges: for one roll only."""
    prepare(static, slots, at)
    return judge_prepared(static, count, at)


@bare_kernel
def worth_of(outcomes, index, worth):
    """Value of `outcomes[index]` at some stakes with a dead cube: `worth` float32[6] is linear in the five chances.

    `worth[5]` is what a lost single game is worth, `worth[:5]` what each unit of the five cumulative chances adds.
    """
    total = worth[5]
    for output in range(OUTPUTS):
        total += worth[output] * outcomes[index, output]
    return total


@bare_kernel
def sort_out(static, worth, begin, count, at):
    """Keeps of `count` plays, which are the last on the table from `begin` on, those that the filter leaves over.

    The plays are those of one roll and of the prepared position.

    Args:
        worth: float32[6], the opponent's, see `worth_of`.

    Returns:
        How many there are. They stand at the same place, in the order in which they were generated; the others are
        gone.
    """
    if static.keep == 0 or count == 1 or (count <= static.keep and static.within == np.inf):
        return count
    successor, changed, values = at.successor[begin:], at.changed[begin:], at.equities[begin:]
    value_plays(static.filter, worth, successor, changed, count, at.sorter, values)
    within = np.float32(static.within) * worth[0] / np.float32(2.0)
    return keep_least(static.keep, within, count, values, successor, changed, at.sorter.best)


@bare_kernel
def choose(worth, begin, end, at):
    """The best of the plays on the table from `begin` to `end`, which were judged: fills their `at.equities`."""
    best = begin
    for index in range(begin, end):
        at.equities[index] = worth_of(at.outcomes, index, worth)
        if at.equities[index] < at.equities[best]:
            best = index
    return best


@bare_kernel
def pick_prepared(static, worth, count, at):
    """Values the plays on the table that the filter leaves over, and puts these first.

    The plays are those of the prepared position.

    Args:
        worth: float32[6], the opponent's, see `worth_of`.

    Returns:
        (plays that were valued, index of the best of them). They are now the first on the table, in the order in
        which they were generated, with `at.outcomes` and `at.equities`; the others are gone.
    """
    left = sort_out(static, worth, 0, count, at)
    judge_prepared(static, left, at)
    return left, choose(worth, 0, left, at)


@bare_kernel
def pick(static, worth, slots, count, at):
    """Prepares the position `slots` and picks: for one roll only."""
    prepare(static, slots, at)
    return pick_prepared(static, worth, count, at)
