"""Bear-offs: every position of up to fifteen checkers in one home board, solved backwards from the end.

The position of one side has a number. With t(k) checkers on its k highest points it is the sum of
C(t(k) + k - 1, k) for k from 1 to 6 (Knuth, "The Art of Computer Programming" 4A, 7.2.1.3). The empty board is 0,
positions with fewer checkers come before those with more, so that a table for few checkers is the beginning of one
for many; and every play, which never raises a t(k) and lowers one at least, leads to a smaller number. Counting up
therefore meets each position after all that can follow it.

Legal plays come from `bgai.kernels.movegen`, so that the rules stand in one place. `P` is the number of positions of
one side, `N` that of boards; a position of one side is a column of six counts in *slots* or boards.
"""

from __future__ import annotations

from math import comb
from typing import NamedTuple

import numpy as np

from bgai.kernels.compiler import kernel
from bgai.kernels.movegen import MAX_PLAYS, OPPONENT_OFF, OWN_OFF, ROW, successors
from bgai.kernels.rolls import DICE, ROLL_COUNT, WEIGHTS

POINTS = 6
CHECKERS = 15

LONGEST = 40
"""More rolls than the slowest bear-off takes: 2-1 every time from fifteen checkers on the highest point ends sooner."""

ALL_ON = comb(CHECKERS - 1 + POINTS, POINTS)
"""Number of the first position from which nothing has been borne off: 38,760."""

_CHOOSE = np.array([[comb(t + k - 1, k) if k else 0 for t in range(CHECKERS + 1)] for k in range(POINTS + 1)])


class Rolls(NamedTuple):
    """How many rolls something takes, for M positions: the chance of each number, without the zeros around."""

    start: np.ndarray
    """int32[M + 1]: the chances of position m are `chances[start[m]:start[m + 1]]`."""
    least: np.ndarray
    """uint8[M]: the number of rolls that the first of them is for."""
    chances: np.ndarray
    """float32[...]"""


@kernel
def index_of(slots):
    """The number of the own position, all of it on points 1 to 6 of `slots`, int8[26] or more."""
    total = np.int64(0)
    index = np.int64(0)
    for k in range(1, POINTS + 1):
        total += slots[POINTS + 1 - k]
        index += _CHOOSE[k, total]
    return index


@kernel
def index_of_opponent(slots):
    """The number of the opponent's position, all of it on places 19 to 24."""
    total = np.int64(0)
    index = np.int64(0)
    for k in range(1, POINTS + 1):
        total -= slots[24 - POINTS + k]
        index += _CHOOSE[k, total]
    return index


@kernel
def fill_position(index, slots):
    """The slots of a position alone on the board; the inverse of `index_of`."""
    slots[:] = 0
    above = np.int64(CHECKERS)
    rest = index
    for k in range(POINTS, 0, -1):
        total = above
        while _CHOOSE[k, total] > rest:
            total -= 1
        rest -= _CHOOSE[k, total]
        if k == POINTS:
            slots[OWN_OFF] = CHECKERS - total
        else:
            slots[POINTS - k] = above - total
        above = total
    slots[POINTS] = above
    slots[OPPONENT_OFF] = CHECKERS


@kernel
def covered(slots, most):
    """Whether both sides are wholly at home with at most `most` checkers each and somebody has one left.

    No hit is possible then. `slots` may be a board, int8[26].
    """
    own = np.int64(0)
    other = np.int64(0)
    for place in range(26):
        count = slots[place]
        if count > 0:
            if place > POINTS:
                return False
            own += count
        elif count < 0:
            if place < 25 - POINTS or place == 25:
                return False
            other -= count
    return own <= most and other <= most and own + other > 0


@kernel
def cover_many(boards, most, answers):
    """`covered` of boards int8[N, 26] into `answers` bool[N]."""
    for number in range(boards.shape[0]):
        answers[number] = covered(boards[number], most)


@kernel
def index_many(boards, numbers):
    """The numbers of both positions of covered boards int8[N, 26] into int64[N, 2], the player on roll first."""
    for number in range(boards.shape[0]):
        numbers[number, 0] = index_of(boards[number])
        numbers[number, 1] = index_of_opponent(boards[number])


@kernel
def not_later(first, one, second, other, handicap):
    """The chance that `first[one]` rolls and `handicap` more are no more than `second[other]`, both independent."""
    left = second.start[other]
    end = second.start[other + 1]
    number = np.int64(second.least[other])
    not_yet = 1.0
    total = 0.0
    rolls = np.int64(first.least[one]) + handicap
    for place in range(first.start[one], first.start[one + 1]):
        while left < end and number < rolls:
            not_yet -= second.chances[left]
            left += 1
            number += 1
        if left == end:
            break
        total += first.chances[place] * not_yet
        rolls += 1
    return min(max(total, 0.0), 1.0)


@kernel
def one_sided_win(off, own, other):
    """The chance to win of the player on roll with position `own` against `other`, from a one-sided table."""
    return not_later(off, own, off, other, 0)


@kernel
def one_sided_outcomes(off, first, own, other, outcomes):
    """Outcomes float32[5] of the player on roll from a one-sided table; a finished game comes out as it ended.

    Args:
        off: Rolls of all P positions until everything is borne off.
        first: Rolls of the positions from `ALL_ON` on, until one checker is borne off.
        own, other: numbers of the two positions, not both 0.
    """
    win = one_sided_win(off, own, other)
    gammon = 0.0
    lost_gammon = 0.0
    if other >= ALL_ON:
        gammon = min(not_later(off, own, first, other - ALL_ON, 0), win)
    if own >= ALL_ON:
        lost_gammon = min(not_later(off, other, first, own - ALL_ON, 1), 1.0 - win)
    outcomes[0] = win
    outcomes[1] = gammon
    outcomes[2] = 0.0
    outcomes[3] = lost_gammon
    outcomes[4] = 0.0


@kernel
def one_sided_of_many(off, first, boards, outcomes):
    """`one_sided_outcomes` of covered boards int8[N, 26] into float32[N, 5]."""
    for number in range(boards.shape[0]):
        board = boards[number]
        one_sided_outcomes(off, first, index_of(board), index_of_opponent(board), outcomes[number])


@kernel
def two_sided_of_many(values, boards, found):
    """The entries of covered boards int8[N, 26] in a two-sided table float32[P, P, 4], into float32[N, 4]."""
    for number in range(boards.shape[0]):
        board = boards[number]
        found[number] = values[index_of(board), index_of_opponent(board)]


@kernel
def with_cube(entry):
    """What an entry float32[4] of a two-sided table is worth before the double.

    Returns equities of the player on roll, per unit of the cube: (cubeless, cube centred, owned, the opponent's).
    """
    double = min(entry[3] + entry[3], np.float32(1))
    return entry[0], max(entry[1], double), max(entry[2], double), entry[3]


class Table(NamedTuple):
    """Scratch for the plays of one roll, see `movegen.successors`."""

    slots: np.ndarray
    successor: np.ndarray
    changed: np.ndarray
    steps: np.ndarray
    hashes: np.ndarray
    work: np.ndarray


@kernel
def _table():
    return Table(
        np.zeros(ROW, np.int8),
        np.zeros((MAX_PLAYS, ROW), np.int8),
        np.zeros(MAX_PLAYS, np.int64),
        np.zeros((0, 4, 2), np.int8),
        np.zeros(MAX_PLAYS, np.int64),
        np.zeros(ROW, np.int8),
    )


@kernel
def _generate(roll, at):
    return successors(at.slots, DICE[roll, 0], DICE[roll, 1], at.successor, at.changed, at.steps, at.hashes, at.work)


@kernel
def build_one_sided(begin, end, chances, means, first, first_means):
    """Solves positions `begin` to `end` of one side; those before are done.

    Each roll is played so that the mean number of rolls still to come is least, of equals the play that is generated
    first; for the first checker off the mean number until then, which can be another play.

    Args:
        chances: float64[P, LONGEST], filled with the chance of each number of rolls to bear off everything.
        means: float64[P], filled with its mean.
        first, first_means: the same for the first checker off, of positions `ALL_ON` and after.
    """
    at = _table()
    for index in range(begin, end):
        if index == 0:
            chances[0, 0] = 1.0
            continue
        fill_position(index, at.slots)
        for roll in range(ROLL_COUNT):
            count = _generate(roll, at)
            best = np.int64(0)
            soonest = np.int64(0)
            for play in range(count):
                after = index_of_opponent(at.successor[play])
                if play == 0 or means[after] < means[best]:
                    best = after
                if play == 0 or _first_mean(first_means, after) < _first_mean(first_means, soonest):
                    soonest = after
            weight = WEIGHTS[roll]
            means[index] += weight * (1.0 + means[best])
            for rolls in range(1, LONGEST):
                chances[index, rolls] += weight * chances[best, rolls - 1]
            if index >= ALL_ON:
                row = index - ALL_ON
                first_means[row] += weight * (1.0 + _first_mean(first_means, soonest))
                if soonest < ALL_ON:
                    first[row, 1] += weight
                else:
                    for rolls in range(1, LONGEST):
                        first[row, rolls] += weight * first[soonest - ALL_ON, rolls - 1]


@kernel
def _first_mean(first_means, index):
    return first_means[index - ALL_ON] if index >= ALL_ON else 0.0


@kernel
def list_plays(positions, starts, plays):
    """The numbers of the positions that each roll can lead to, for positions 0 to `positions`.

    Args:
        starts: int64[positions * 21 + 1], filled: the plays of roll r of position p are
            `plays[starts[21 * p + r]:starts[21 * p + r + 1]]`.
        plays: int32[...], filled as far as there is room.

    Returns:
        How many there are.
    """
    at = _table()
    count = np.int64(0)
    for index in range(positions):
        fill_position(index, at.slots)
        for roll in range(ROLL_COUNT):
            starts[index * ROLL_COUNT + roll] = count
            if index > 0:
                for play in range(_generate(roll, at)):
                    if count < plays.shape[0]:
                        plays[count] = index_of_opponent(at.successor[play])
                    count += 1
    starts[positions * ROLL_COUNT] = count
    return count


@kernel
def _solve(own, other, starts, plays, values):
    """Fills `values[own, other]` from the positions that follow, in which the other side is on roll."""
    cubeless = 0.0
    centred = 0.0
    owned = 0.0
    theirs = 0.0
    row = values[other]
    for roll in range(ROLL_COUNT):
        least_cubeless = np.float32(2)
        least_centred = np.float32(2)
        least_owned = np.float32(2)
        least_theirs = np.float32(2)
        for place in range(starts[own * ROLL_COUNT + roll], starts[own * ROLL_COUNT + roll + 1]):
            now_cubeless, now_centred, now_owned, now_theirs = with_cube(row[plays[place]])
            least_cubeless = min(least_cubeless, now_cubeless)
            least_centred = min(least_centred, now_centred)
            least_owned = min(least_owned, now_owned)
            least_theirs = min(least_theirs, now_theirs)
        weight = WEIGHTS[roll]
        cubeless -= weight * least_cubeless
        centred -= weight * least_centred
        # A cube that is ours is the opponent's when seen by the opponent, who is on roll now.
        owned -= weight * least_theirs
        theirs -= weight * least_owned
    values[own, other, 0] = cubeless
    values[own, other, 1] = centred
    values[own, other, 2] = owned
    values[own, other, 3] = theirs


@kernel
def build_two_sided(begin, end, starts, plays, values):
    """Solves the pairs of positions whose larger number is `begin` to `end`; those before are done.

    A pair (own, other) is followed by pairs (other, after) with after < own, which the order of the loops has met
    before. A row of the table is used for many pairs while it is near the processor.

    Args:
        starts, plays: of `list_plays`.
        values: float32[P, P, 4], filled with equities of the player on roll, per unit of the cube: without a cube,
            before the roll with the cube in the middle, with its own cube, and with the opponent's. Each is for
            best play with that cube. Money, unlimited cube, no beavers.
    """
    for index in range(begin, end):
        values[0, index] = 1.0
        values[index, 0] = -1.0
    if begin == 0:
        values[0, 0] = 0.0
    for other in range(1, end):
        for own in range(max(begin, other), end):
            _solve(own, other, starts, plays, values)
            if own != other:
                _solve(other, own, starts, plays, values)
