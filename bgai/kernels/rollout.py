"""Rollouts: a position played to its end many times, with most of the luck taken out again.

A block is 36 trials with stratified first rolls (`bgai.kernels.strata`); its mean is an unbiased estimate. A trial
yields six numbers, seen by the side that rolls first, side 0: its five chances, and its equity with the cube.

Plays are those of `static.pick`. Luck is what a roll did beside the average of all 21: the value after its play minus
the mean of the same over the rolls. Its expectation is 0 whatever the values are, so it is subtracted. The play of the
actual roll is one of the 21. The luck of the first roll needs no look: over a block it sums to 0.

Before a roll the cube is turned, taken and passed as the cube model says of the static chances. Turns of the cube are
counted from the root, equities are those of the root's cube.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from bgai.kernels.bearoff import covered
from bgai.kernels.compiler import kernel
from bgai.kernels.cube import cube_lines
from bgai.kernels.forward import OUTPUTS, points_lost
from bgai.kernels.movegen import ROW, fill_slots
from bgai.kernels.random import roll
from bgai.kernels.rolls import DICE, ROLL_COUNT, WEIGHTS
from bgai.kernels.static import Plays, evaluate, generate, pick_prepared, plays_table, prepare
from bgai.kernels.strata import BLOCK, first_rolls
from bgai.kernels.trial_cube import EQUITY, VALUES, fill_value, known, other_owner, turn_cube

LONGEST = 2000
"""Plies after which a trial is cut off at its static value; a game lasts some 55."""


class Start(NamedTuple):
    """Where trials begin: side 0 is on roll."""

    board: np.ndarray
    """int8[26]"""
    turn: int
    """Turns of the cube so far."""
    owner: int
    """CENTRED, ON_ROLL or OPPONENT."""
    free: bool
    """Whether side 0 may turn the cube before its first roll; if not, it rolls."""


class Scratch(NamedTuple):
    """Of one thread."""

    at: Plays
    lines: np.ndarray
    slots: np.ndarray
    """int8[1, ROW], the position before the roll."""
    outcomes: np.ndarray
    """float32[1, 5], its static chances."""
    value: np.ndarray
    """float64[6], seen by the side on roll."""
    luck: np.ndarray
    """float64[6], of the last roll, seen by the side on roll after it."""


@kernel
def scratch(static, rules):
    return Scratch(
        plays_table(static),
        cube_lines(rules.stakes[0]),
        np.zeros((1, ROW), np.int8),
        np.zeros((1, OUTPUTS), np.float32),
        np.zeros(VALUES),
        np.zeros(VALUES),
    )


@kernel
def play_roll(static, rules, side, turn, owner, first, second, look, here):
    """Plays a roll of `side`: `here.slots` and `here.outcomes` become those of the other side, on roll now.

    With `look` the other rolls are looked at as well and `here.luck` is filled, seen by the other side.

    Args:
        turn, owner: of the cube, the owner seen by `side`.
    """
    at = here.at
    high, low = max(first, second), min(first, second)
    worth = rules.worth[1 - side, turn]
    luck, value = here.luck, here.value
    luck[:] = 0.0
    chosen = np.empty(ROW, np.int8)
    chances = np.empty(OUTPUTS, np.float32)
    prepare(static, here.slots[0], at)
    for number in range(ROLL_COUNT):
        actual = DICE[number, 0] == high and DICE[number, 1] == low
        if not (look or actual):
            continue
        count = generate(here.slots[0], DICE[number, 0], DICE[number, 1], at)
        _, best = pick_prepared(static, worth, count, at)
        if actual:
            chosen[:] = at.successor[best]
            chances[:] = at.outcomes[best]
        if look:
            fill_value(
                static, rules, 1 - side, turn, other_owner(owner), at.successor, at.outcomes, best, here.lines, value
            )
            share = (1.0 if actual else 0.0) - WEIGHTS[number]
            for place in range(VALUES):
                luck[place] += share * value[place]
    here.slots[0] = chosen
    here.outcomes[0] = chances


@kernel
def _add(value, side, factor, begin, end, total):
    """Adds `factor` times the places `begin` to `end` of a difference of values, seen by `side`, to those of side 0."""
    for place in range(begin, end):
        if side == 0:
            total[place] += factor * value[place]
        elif place == 0 or place == EQUITY:
            total[place] -= factor * value[place]
        else:
            total[place] += factor * value[place + 2 if place < 3 else place - 2]


@kernel
def play_trial(static, rules, start, seed, number, rolls, truncation, reduced, here, total):
    """Plays one trial and fills `total` float64[6]; returns its plies.

    The chances end with the game, in a bear-off table, or with a double that is passed, at their static values then.
    The equity ends with the game, a pass, or where the two-sided table holds it.
    """
    fill_slots(start.board, here.slots[0])
    total[:] = 0.0
    # A literal number would be a type of its own, for which all below is compiled once more.
    zero = np.int64(0)
    side, turn, owner = zero, start.turn, start.owner
    # Places from `begin` to `end` are still played for.
    begin, end = 0, VALUES if rules.cubeful else OUTPUTS
    for ply in range(LONGEST):
        if ply == 0 and start.free and end == VALUES:
            evaluate(static, start.board.reshape(1, 26), here.outcomes)
            if known(static, rules, here.slots[0], turn):
                fill_value(static, rules, side, turn, owner, here.slots, here.outcomes, zero, here.lines, here.value)
                _finish(here.value, side, OUTPUTS, VALUES, total)
                end = OUTPUTS
        if end == VALUES and (ply > 0 or start.free):
            turn, owner, passed = turn_cube(rules, side, turn, owner, here.slots[0], here.outcomes, here.lines)
            if passed:
                here.value[:OUTPUTS] = here.outcomes[0]
                here.value[EQUITY] = rules.stakes[side].win[turn, 0]
                _finish(here.value, side, begin, end, total)
                return ply
        if ply < 2:
            first, second = rolls[ply] // 6 + 1, rolls[ply] % 6 + 1
        else:
            first, second = roll(seed, number, ply)
        look = reduced and ply > 0
        play_roll(static, rules, side, turn, owner, first, second, look, here)
        if look:
            _add(here.luck, 1 - side, -1.0, begin, end, total)
        side, owner = 1 - side, other_owner(owner)
        over = points_lost(here.slots, 0) > 0 or ply + 1 == truncation or ply + 1 == LONGEST
        chances_end = over or covered(here.slots[0], static.bearoffs.most)
        equity_ends = over or known(static, rules, here.slots[0], turn)
        if chances_end or equity_ends:
            fill_value(static, rules, side, turn, owner, here.slots, here.outcomes, zero, here.lines, here.value)
            if chances_end and begin == 0:
                _finish(here.value, side, 0, OUTPUTS, total)
                begin = OUTPUTS
            if equity_ends and end == VALUES:
                _finish(here.value, side, OUTPUTS, VALUES, total)
                end = OUTPUTS
        if begin == end:
            return ply + 1
    return LONGEST


@kernel
def _finish(value, side, begin, end, total):
    """Adds what a trial ended with, seen by `side`."""
    _add(value, side, 1.0, begin, end, total)
    if side == 1 and begin == 0:
        total[0] += 1.0


@kernel
def play_block(static, rules, start, seed, block, truncation, reduced, values):
    """Plays the 36 trials of a block.

    Args:
        seed: uint64; with the numbers of the trial and the ply the address of each roll.
        truncation: plies after which a trial ends with its static value; 0: it is played out.
        reduced: whether luck is taken out.
        values: float64[36, 6], filled, of side 0.

    Returns:
        The number of plies.
    """
    here = scratch(static, rules)
    rolls = np.empty((BLOCK, 2), np.int64)
    first_rolls(seed, block, rolls)
    plies = 0
    for trial in range(BLOCK):
        plies += play_trial(
            static, rules, start, seed, block * BLOCK + trial, rolls[trial], truncation, reduced, here, values[trial]
        )
    return plies
