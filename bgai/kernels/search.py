"""Looking ahead: the value of a position as the mean over the rolls of what is left to the opponent.

    value_0 = static value
    value_n = mean over the 21 rolls of minus value_(n-1) of the position after the best play by its static value

A finished game and a position of a bear-off table are leaves at any depth.

One walk through the tree carries the five chances and the values of every cube that the question needs, see
`bgai.kernels.cube_states`. Cubeless is the empty set of states: then the chances alone are averaged. `L` is depth + 1
levels of the tree; level 0 is the position that is asked about, and side 0 is on roll there.

A row of values is float64[5 + S]: the chances of the side on roll, then its equity in each state.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from bgai.kernels.bearoff import covered, index_of, index_of_opponent
from bgai.kernels.cache import copy_row, is_kept, keep, place_of
from bgai.kernels.compiler import kernel
from bgai.kernels.cube import CubeStakes, cube_equity, cube_lines, draw_lines
from bgai.kernels.cube_states import act, count_states, needed_after, owner_of, seen_by_other, turn_of
from bgai.kernels.forward import OUTPUTS, points_lost, points_won
from bgai.kernels.movegen import MAX_PLAYS, ROW, fill_slots
from bgai.kernels.phase import cube_efficiency
from bgai.kernels.rolls import DICE, ROLL_COUNT, WEIGHTS
from bgai.kernels.static import (
    TABLE,
    choose,
    evaluate,
    generate_behind,
    judge_prepared,
    plays_table,
    prepare,
    sort_out,
)


class Game(NamedTuple):
    """What is played for, seen by side 0 and by side 1."""

    worth: np.ndarray
    """float32[2, 6], see `bgai.kernels.static.worth_of`: plays in the tree are chosen as if the cube were dead. That
    loses less than choosing them with the cube in the place where it is if nobody turns it, at half of the work: with
    a cube that is turned next, many plays are worth the same."""
    stakes: tuple[CubeStakes, CubeStakes]
    exact: bool
    """Whether the cubeful values of a two-sided bear-off table hold: money, and a cube that has far to go."""
    efficiency: np.ndarray
    """float64[3], by phase."""
    need: int
    """The states whose `E` is wanted of the positions that are asked about; 0: cubeless."""


class Levels(NamedTuple):
    """The way from the root to the present position, one row a level."""

    slots: np.ndarray
    """int8[L, ROW]"""
    roll: np.ndarray
    """int64[L], the next roll to look at."""
    need: np.ndarray
    """int64[L], the states whose `E` is wanted."""
    replies: np.ndarray
    """int8[L, 21, ROW], the position after the best play of each roll."""
    chances: np.ndarray
    """float32[L, 21, 5], its static chances, if it is a leaf."""
    leaves: np.ndarray
    """bool[L, 21], whether it is looked at no further."""
    ends: np.ndarray
    """int64[21], where the plays of each roll end on the table of plays."""
    values: np.ndarray
    """float64[L, 5 + S]"""
    lines: np.ndarray
    """Scratch of `bgai.kernels.cube`."""


@kernel
def _levels(game, depth):
    states = count_states(game.stakes[0])
    levels = Levels(
        np.zeros((depth + 1, ROW), np.int8),
        np.zeros(depth + 1, np.int64),
        np.zeros(depth + 1, np.int64),
        np.zeros((depth + 1, ROLL_COUNT, ROW), np.int8),
        np.zeros((depth + 1, ROLL_COUNT, OUTPUTS), np.float32),
        np.zeros((depth + 1, ROLL_COUNT), np.bool_),
        np.zeros(ROLL_COUNT, np.int64),
        np.zeros((depth + 1, OUTPUTS + states)),
        cube_lines(game.stakes[0]),
    )
    levels.need[0] = game.need
    for level in range(1, depth + 1):
        levels.need[level] = needed_after(game.stakes[level % 2], levels.need[level - 1])
    return levels


@kernel
def _leaf(static, game, side, need, slots, chances, index, lines, values):
    """Fills `values` with the static chances, `chances[index]`, and in the states `need` with the static `E`."""
    for output in range(OUTPUTS):
        values[output] = chances[index, output]
    if need == 0:
        return
    states = values[OUTPUTS:]
    exact = game.exact and covered(slots, static.bearoffs.exact_most)
    chance = 0.0 if exact else draw_lines(chances, index, game.stakes[side], lines)
    efficiency = cube_efficiency(slots, game.efficiency)
    for state in range(states.shape[0]):
        if (need >> state) & 1:
            turn, owner = turn_of(state), owner_of(state)
            if exact:
                entry = static.bearoffs.exact[index_of(slots), index_of_opponent(slots)]
                states[state] = entry[1 + owner] * (1 << turn)
            else:
                states[state] = cube_equity(lines, chance, turn, owner, efficiency)


@kernel
def _is_leaf(static, slots, index):
    """Whether the position `slots[index]` is looked at no further: the side that moved has won, or a table holds it."""
    return points_lost(slots, index) > 0 or covered(slots[index], static.bearoffs.most)


@kernel
def _reply(static, worth, first, last, last_level, level, levels, at):
    """Chooses the replies to the rolls `first` to `last`, whose plays are on the table."""
    judge_prepared(static, levels.ends[last - 1], at)
    begin = 0
    for roll in range(first, last):
        end = levels.ends[roll]
        if end > begin:
            best = choose(worth, begin, end, at)
            copy_row(at.successor, best, levels.replies[level], roll)
            copy_row(at.outcomes, best, levels.chances[level], roll)
            levels.leaves[level, roll] = last_level or _is_leaf(static, at.successor, best)
        begin = end


@kernel
def _enter(static, game, depth, first, last, level, levels, at):
    """Begins with the position of a level: finds the replies to the rolls `first` to `last`.

    The network values the plays of all rolls together: it is faster the more positions it gets.
    """
    levels.roll[level] = first
    levels.values[level] = 0.0
    slots = levels.slots[level]
    last_level = level + 1 == depth
    worth = game.worth[(level + 1) % 2]
    prepare(static, slots, at)
    total = 0
    for roll in range(first, last):
        count = generate_behind(slots, DICE[roll, 0], DICE[roll, 1], total, at)
        if count == 1 and not last_level and not _is_leaf(static, at.successor, total):
            # A play without a choice, to a position that is looked at further: its static value is not asked for.
            copy_row(at.successor, total, levels.replies[level], roll)
            levels.leaves[level, roll] = False
        else:
            total += sort_out(static, worth, total, count, at)
        levels.ends[roll] = total
        if total > TABLE - MAX_PLAYS or roll + 1 == last:
            _reply(static, worth, first, roll + 1, last_level, level, levels, at)
            first = roll + 1
            total = 0


@kernel
def _add(need, weight, child, total):
    """Adds what a position is worth, `child` V, to the `E` of the side that moved there."""
    total[0] += weight * (1.0 - child[0])
    total[1] += weight * child[3]
    total[2] += weight * child[4]
    total[3] += weight * child[1]
    total[4] += weight * child[2]
    for state in range(total.shape[0] - OUTPUTS):
        if (need >> state) & 1:
            total[OUTPUTS + state] -= weight * child[OUTPUTS + seen_by_other(state)]


@kernel
def _walk(static, game, depth, first, last, levels, at, cache, stop):
    """Fills the values of level 0, `E` over the rolls `first` to `last`, by looking `depth` plies ahead."""
    level = 0
    _enter(static, game, depth, first, last, level, levels, at)
    while stop[0] == 0:
        roll = levels.roll[level]
        if roll == (last if level == 0 else ROLL_COUNT):
            if level == 0:
                return
            act(game.stakes[level % 2], levels.need[level], levels.values[level, OUTPUTS:])
            keep(cache, level, levels.slots, levels.values)
            level -= 1
            _add(levels.need[level], WEIGHTS[levels.roll[level] - 1], levels.values[level + 1], levels.values[level])
            continue
        levels.roll[level] += 1
        below = level + 1
        copy_row(levels.replies[level], roll, levels.slots, below)
        if levels.leaves[level, roll]:
            need = levels.need[below]
            values = levels.values[below]
            chances = levels.chances[level]
            _leaf(static, game, below % 2, need, levels.slots[below], chances, roll, levels.lines, values)
            act(game.stakes[below % 2], need, values[OUTPUTS:])
            _add(levels.need[level], WEIGHTS[roll], values, levels.values[level])
            continue
        place = place_of(cache, levels.slots, below)
        if is_kept(cache, place, levels.slots, below):
            _add(levels.need[level], WEIGHTS[roll], cache.values[place], levels.values[level])
        else:
            level = below
            _enter(static, game, depth, 0, ROLL_COUNT, level, levels, at)


@kernel
def look_ahead(static, game, boards, depth, first, last, cache, stop, values):
    """`E` of positions by looking ahead, as sums over the rolls `first` to `last`.

    Args:
        boards: int8[N, 26], no finished games and none of a bear-off table.
        depth: plies, 1 or more.
        cache: of this question and this thread.
        stop: int64[1]; when another thread sets it to 1 the work ends, and the values mean nothing.
        values: float64[N, 5 + S], filled.
    """
    levels = _levels(game, depth)
    at = plays_table(static)
    for number in range(boards.shape[0]):
        fill_slots(boards[number], levels.slots[0])
        _walk(static, game, depth, first, last, levels, at, cache, stop)
        copy_row(levels.values, 0, values, number)


@kernel
def look_at(static, game, boards, values):
    """`E` of positions without looking ahead: boards int8[N, 26] into float64[N, 5 + S]."""
    chances = np.empty((boards.shape[0], OUTPUTS), np.float32)
    evaluate(static, boards, chances)
    slots = np.zeros(ROW, np.int8)
    lines = cube_lines(game.stakes[0])
    for number in range(boards.shape[0]):
        fill_slots(boards[number], slots)
        _leaf(static, game, 0, game.need, slots, chances, number, lines, values[number])


@kernel
def find_leaves(static, boards, answers):
    """Whether positions are finished games or stand in a bear-off table: int8[N, 26] into bool[N]."""
    slots = np.zeros((1, ROW), np.int8)
    for number in range(boards.shape[0]):
        fill_slots(boards[number], slots[0])
        answers[number] = points_won(slots, 0) > 0 or _is_leaf(static, slots, 0)
