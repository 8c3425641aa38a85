"""Legal plays: every distinct position that a roll can lead to.

Kernels hold a position as *slots*, `int8[32]`: the board's 26 places, the own checkers borne off (26), the
opponent's (27), and four zeros that make it four machine words. Plays are made on the flipped board, that of
the opponent who will be on roll, so that a finished play is copied and not turned round: there the mover's
checkers are negative and move upwards, from place 0 (its bar) to 24 (its ace point) and off.

No recursion and no Python objects. Which checkers may move with a die is a handful of operations on sets of
places, kept as bits of an integer: those of the mover's checkers, and those that the opponent has made, which
do not change during a play. Two different dice are tried in both orders and equal results dropped by an
incremental hash (positions of equal hash are compared before one is dropped). A double is played with sources
in descending order, in which every play occurs exactly once.
"""

from __future__ import annotations

import numpy as np

from bgai.kernels.compiler import kernel
from bgai.kernels.vector import lowest_bit

MAX_PLAYS = 3060
"""No roll has more plays: a double spreads four steps over fifteen checkers, C(18, 4) ways at most."""

ROW = 32
OWN_OFF, OPPONENT_OFF = 26, 27

_ONE = np.int64(1)
_OUTSIDE = (1 << 19) - 1
"""Places 0 to 18: while the mover has a checker there, none may be borne off."""


def _hash_keys() -> np.ndarray:
    keys = np.arange(1, ROW + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    keys = (keys ^ (keys >> np.uint64(31))) * np.uint64(0xD6E8FEB86659FD93)
    return (keys ^ (keys >> np.uint64(29))).view(np.int64)


HASH_KEYS = _hash_keys()
"""A position's hash is the sum of key times count; it wraps around."""


@kernel
def fill_slots(board, slots):
    """The slots of a board `int8[26]`."""
    own = 15
    other = 15
    for place in range(26):
        count = board[place]
        slots[place] = count
        if count > 0:
            own -= count
        else:
            other += count
    slots[OWN_OFF] = own
    slots[OPPONENT_OFF] = other
    for place in range(28, ROW):
        slots[place] = 0


@kernel
def flip_slots(slots, flipped):
    """The slots of the same position seen by the other side."""
    for place in range(26):
        flipped[25 - place] = -slots[place]
    flipped[OWN_OFF] = slots[OPPONENT_OFF]
    flipped[OPPONENT_OFF] = slots[OWN_OFF]
    for place in range(28, ROW):
        flipped[place] = 0


@kernel
def _movable(own, made, die):
    """The places from which the mover may play a die: a set of bits.

    `own` are the places of its checkers, `made` those where the opponent has two or more.
    """
    places = own & ~(made >> die) & ((_ONE << (25 - die)) - 1)
    if own & 1:
        return places & 1
    if own & _OUTSIDE == 0:
        exact = _ONE << (25 - die)
        if own & exact:
            places |= exact
        elif own & (exact - 1) == 0:
            # Nobody stands higher than the die: the highest checker may be borne off.
            places |= own & -own
    return places


@kernel
def _play(row, place, die):
    """Moves one checker in a position that is seen by the opponent; returns the set of places it changes."""
    target = place + die
    row[place] += 1
    changed = _ONE << place
    if target >= 25:
        row[OPPONENT_OFF] += 1
        return changed | (_ONE << OPPONENT_OFF)
    if row[target] > 0:
        row[target] = 0
        row[25] += 1
        changed |= _ONE << 25
    row[target] -= 1
    return changed | (_ONE << target)


@kernel
def _after(row, own, place, die):
    """The places of the mover's checkers after one step from `place`, whose count stands in `row` before it."""
    if row[place] == -1:
        own ^= _ONE << place
    if place + die < 25:
        own |= _ONE << (place + die)
    return own


@kernel
def _step_key(place, die):
    """How a step changes the hash, without a hit."""
    target = place + die
    if target >= 25:
        return HASH_KEYS[place] + HASH_KEYS[OPPONENT_OFF]
    return HASH_KEYS[place] - HASH_KEYS[target]


@kernel
def _hit_key(target):
    return HASH_KEYS[25] - HASH_KEYS[target]


@kernel
def _copy(source, row):
    for place in range(ROW):
        row[place] = source[place]


@kernel
def _seen(successor, hashes, count):
    """Whether the newest position, `successor[count]`, stands among those before it."""
    for index in range(count):
        if hashes[index] == hashes[count]:
            same = True
            for place in range(ROW):
                if successor[index, place] != successor[count, place]:
                    same = False
                    break
            if same:
                return True
    return False


@kernel
def _write_step(steps, index, number, place, die):
    steps[index, number, 0] = 25 - place
    steps[index, number, 1] = max(25 - place - die, 0)


@kernel
def _two_dice(start, high, low, own, made, blots, successor, changed, steps, hashes):
    with_steps = steps.shape[0] > 0
    count = 0
    die, other_die = high, low
    for _order in range(2):
        places = _movable(own, made, die)
        while places != 0:
            place = lowest_bit(places)
            places &= places - 1
            target = place + die
            key = _step_key(place, die)
            still_blots = blots
            if target < 25 and (blots >> target) & 1:
                key += _hit_key(target)
                still_blots ^= _ONE << target
            own_then = own | (_ONE << target) if target < 25 else own
            if start[place] == -1:
                own_then ^= _ONE << place
            places_then = _movable(own_then, made, other_die)
            while places_then != 0:
                then = lowest_bit(places_then)
                places_then &= places_then - 1
                target_then = then + other_die
                hashes[count] = key + _step_key(then, other_die)
                if target_then < 25 and (still_blots >> target_then) & 1:
                    hashes[count] += _hit_key(target_then)
                row = successor[count]
                _copy(start, row)
                changed[count] = _play(row, place, die) | _play(row, then, other_die)
                if _seen(successor, hashes, count):
                    continue
                if with_steps:
                    steps[count] = 0
                    _write_step(steps, count, 0, place, die)
                    _write_step(steps, count, 1, then, other_die)
                count += 1
        die, other_die = low, high
    if count > 0:
        return count
    # Both dice cannot be played: the larger must be if it can, else the smaller.
    die = high
    places = _movable(own, made, die)
    if places == 0:
        die = low
        places = _movable(own, made, die)
    while places != 0:
        place = lowest_bit(places)
        places &= places - 1
        _copy(start, successor[count])
        changed[count] = _play(successor[count], place, die)
        if with_steps:
            steps[count] = 0
            _write_step(steps, count, 0, place, die)
        count += 1
    return count


@kernel
def _double(start, die, own, made, successor, changed, steps):
    with_steps = steps.shape[0] > 0
    rows = np.empty((5, ROW), np.int8)
    owns = np.empty(5, np.int64)
    left = np.empty(5, np.int64)
    changes = np.empty(5, np.int64)
    sources = np.empty(5, np.int64)
    _copy(start, rows[0])
    owns[0] = own
    left[0] = _movable(own, made, die)
    changes[0] = 0
    count = 0
    longest = 1
    level = 0
    while level >= 0:
        if left[level] == 0:
            level -= 1
            continue
        place = lowest_bit(left[level])
        left[level] &= left[level] - 1
        sources[level] = place
        next_own = _after(rows[level], owns[level], place, die)
        _copy(rows[level], rows[level + 1])
        changes[level + 1] = changes[level] | _play(rows[level + 1], place, die)
        level += 1
        movable = np.int64(0)
        if level < 4:
            # Only from this place on, so that each set of steps is made in one order.
            movable = _movable(next_own, made, die) & ~((_ONE << place) - 1)
        owns[level] = next_own
        left[level] = movable
        if movable == 0:
            if level >= longest:
                if level > longest:
                    longest = level
                    count = 0
                _copy(rows[level], successor[count])
                changed[count] = changes[level]
                if with_steps:
                    steps[count] = 0
                    for number in range(level):
                        _write_step(steps, count, number, sources[number], die)
                count += 1
            level -= 1
    return count


@kernel
def successors(slots, first, second, successor, changed, steps, hashes, work):
    """All distinct positions after a roll, already seen by the opponent.

    Args:
        slots: int8[ROW], the player on roll moves.
        first, second: the dice in any order.
        successor: int8[MAX_PLAYS, ROW], filled with slots.
        changed: int64[MAX_PLAYS], filled with the set of slots, as bits, in which a successor may differ from
            the flipped position.
        steps: int8[MAX_PLAYS, 4, 2], filled with (from, to), 25 the bar, 0 off, unused steps (0, 0);
            or int8[0, 4, 2] when steps are not wanted.
        hashes: int64[MAX_PLAYS], scratch.
        work: int8[ROW], filled with the flipped position.

    Returns:
        The number of plays. Without a legal play it is 1: the turn passes, with no steps.
    """
    flip_slots(slots, work)
    own = np.int64(0)
    made = np.int64(0)
    blots = np.int64(0)
    for place in range(25):
        bit = _ONE << place
        if work[place] < 0:
            own |= bit
        elif work[place] > 1:
            made |= bit
        elif work[place] == 1:
            blots |= bit
    if first == second:
        count = _double(work, first, own, made, successor, changed, steps)
    else:
        high, low = max(first, second), min(first, second)
        count = _two_dice(work, high, low, own, made, blots, successor, changed, steps, hashes)
    if count == 0:
        _copy(work, successor[0])
        changed[0] = 0
        if steps.shape[0] > 0:
            steps[0] = 0
        count = 1
    return count
