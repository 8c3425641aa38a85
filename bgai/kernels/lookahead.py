"""Training games that look one ply ahead: positions, and what each is worth on the mean of all 21 rolls.

Sampled targets (`bgai.kernels.selfplay`) follow the one roll that fell. Here every position met is valued over all
rolls, and the game goes on with one of the plays that were valued anyway. `traced` joins both to targets.
"""

from __future__ import annotations

import numpy as np

from bgai.kernels.compiler import kernel
from bgai.kernels.forward import OUTPUTS, points_lost, write_inverted
from bgai.kernels.movegen import MAX_PLAYS, ROW, fill_slots
from bgai.kernels.random import random_bits, roll, uniform
from bgai.kernels.rolls import DICE, ROLL_COUNT, WEIGHTS
from bgai.kernels.static import (
    TABLE,
    choose,
    generate,
    generate_behind,
    judge_prepared,
    look_up,
    plays_table,
    prepare,
    sort_out,
)

_EXPLORE = np.uint64(0xE7037ED1A0B428DB)
_CHOICE = np.uint64(0x8EBC6AF09C88C6E3)
_SLIP = np.uint64(0x589965CC75374CC3)
_RESTART = np.uint64(0x1D8E4E27C47D124F)


@kernel
def _near(equities, begin, end, best, margin, number):
    """Plays other than the best and less than `margin` worse: how many, and which is the one `number`."""
    found = 0
    chosen = best
    for index in range(begin, end):
        if index != best and equities[index] < equities[best] + margin:
            if found == number:
                chosen = index
            found += 1
    return found, chosen


@kernel
def _made(at, begin, end, best, slip, margin, seed, game, turn):
    """Which of the plays `begin` to `end` is made: the best, or with the chance `slip` another nearly as good."""
    if slip == 0.0 or uniform(random_bits(seed ^ _SLIP, game, turn)) >= slip:
        return best
    found, _ = _near(at.equities, begin, end, best, margin, 0)
    if found == 0:
        return best
    number = np.int64(random_bits(seed ^ _CHOICE, game, turn) % np.uint64(found))
    return _near(at.equities, begin, end, best, margin, number)[1]


@kernel
def look_ahead(
    static,
    worth,
    start,
    others,
    restart,
    seed,
    first_game,
    games,
    explore,
    explore_plies,
    slip,
    margin,
    longest,
    boards,
    values,
    expected,
    joined,
    elsewhere,
):
    """Plays games against itself and writes what looking one ply ahead says of the positions met.

    A game ends with the last checker or where a bear-off table holds the position: what it is worth is known there.

    Args:
        static: who plays both sides; its filter leaves over the plays that are valued.
        worth: float32[6], what a play is chosen by, see `static.worth_of`.
        start: int8[26], where games begin; the first roll may be a double.
        others: int8[S, 26], where the other games begin.
        restart: share of the games that begin at one of `others`, without random plays and slips.
        seed: uint64, with `first_game` the address of the dice.
        explore: share of games that begin with up to `explore_plies` random plays, which are not written.
        slip: share of the plays that are not the best but a random other one, less than `margin` float32 worse.
        longest: plies after which a game is given up.
        boards: int8[N, 26], filled, N at least `games` times `longest`: positions before the roll.
        values: float32[N, 5], filled: the value of the position after the play that was made, seen by the opponent,
            who is on roll there.
        expected: float32[N, 5], filled: the mean over the rolls of the best play's value, seen by the player on roll.
        joined: int8[N], filled: 1 where the next row is the position after the best play, which was made.
        elsewhere: int8[N], filled: 1 in the games that began at one of `others`.

    Returns:
        Positions written.
    """
    at = plays_table(static)
    slots = np.zeros(ROW, np.int8)
    after = np.zeros((1, ROW), np.int8)
    known = np.zeros(OUTPUTS, np.float32)
    ends = np.zeros(ROLL_COUNT, np.int64)
    mean = np.zeros((1, OUTPUTS), np.float32)
    written = 0
    for game in range(first_game, first_game + games):
        number = np.uint64(game)
        slips = slip
        restarted = restart > 0.0 and uniform(random_bits(seed ^ _RESTART, number, np.uint64(0))) < restart
        if restarted:
            # Such a beginning is variety enough.
            slips = 0.0
            which = random_bits(seed ^ _RESTART, number, np.uint64(1)) % np.uint64(others.shape[0])
            fill_slots(others[np.int64(which)], slots)
        else:
            fill_slots(start, slots)
        random_plies = 0
        if not restarted and explore > 0.0 and uniform(random_bits(seed ^ _EXPLORE, number, np.uint64(0))) < explore:
            random_plies = np.int64(random_bits(seed ^ _EXPLORE, number, np.uint64(1)) % np.uint64(explore_plies + 1))
        over = False
        turn = 0
        while turn < random_plies and not over:
            first, second = roll(seed, number, turn)
            count = generate(slots, first, second, at)
            chosen = np.int64(random_bits(seed ^ _CHOICE, number, np.uint64(turn)) % np.uint64(count))
            for place in range(ROW):
                slots[place] = at.successor[chosen, place]
            turn += 1
            over = points_lost(at.successor, chosen) > 0 or look_up(static.bearoffs, slots, known)
        while turn < longest and not over:
            first, second = roll(seed, number, turn)
            high, low = max(first, second), min(first, second)
            prepare(static, slots, at)
            mean[0] = 0
            judged, total = 0, 0
            for each in range(ROLL_COUNT):
                count = generate_behind(slots, DICE[each, 0], DICE[each, 1], total, at)
                total += sort_out(static, worth, total, count, at)
                ends[each] = total
                if total <= TABLE - MAX_PLAYS and each + 1 < ROLL_COUNT:
                    continue
                # The network values the plays of all rolls together: it is faster the more positions it gets.
                judge_prepared(static, total, at)
                begin = 0
                for fallen in range(judged, each + 1):
                    best = choose(worth, begin, ends[fallen], at)
                    for output in range(OUTPUTS):
                        mean[0, output] += np.float32(WEIGHTS[fallen]) * at.outcomes[best, output]
                    if DICE[fallen, 0] == high and DICE[fallen, 1] == low:
                        chosen = _made(at, begin, ends[fallen], best, slips, margin, seed, number, np.uint64(turn))
                        slipped = chosen != best
                        for output in range(OUTPUTS):
                            values[written, output] = at.outcomes[chosen, output]
                        for place in range(ROW):
                            after[0, place] = at.successor[chosen, place]
                    begin = ends[fallen]
                judged, total = each + 1, 0
            for place in range(26):
                boards[written, place] = slots[place]
            write_inverted(mean, 0, expected, written)
            for place in range(ROW):
                slots[place] = after[0, place]
            turn += 1
            over = points_lost(after, 0) > 0 or look_up(static.bearoffs, slots, known)
            joined[written] = not over and not slipped and turn < longest
            elsewhere[written] = restarted
            written += 1
    return written


@kernel
def write_traced(values, expected, joined, trace, targets):
    """Expected TD(lambda): what each position should be worth to its player on roll.

    The target of row t is its expected value and, where row t + 1 is the position after its best play, `trace` times
    what that row's target says beyond the value that the network gave it when the play was made. That is the
    lambda-return without the luck of the dice: what is passed on is what a deeper look found out, not what the roll
    brought. Nothing is passed on past a slip: the best play's value is the highest of many that are a little off, thus
    too high; what was made instead has no such value that the next row could set right. Targets may lie a little
    outside 0 to 1; cutting them off would move their mean.

    Args:
        values, expected, joined: as `look_ahead` wrote them; the last row is joined to none.
        trace: float32[N], lambda: 0 believes the look ahead from the position itself, 1 all those that followed.
        targets: float32[N, 5], filled.
    """
    for row in range(expected.shape[0] - 1, -1, -1):
        for output in range(OUTPUTS):
            targets[row, output] = expected[row, output]
        if joined[row]:
            # Seen from the other side a winning chance grows as this one's falls, and gammons change their owner.
            targets[row, 0] -= trace[row] * (targets[row + 1, 0] - values[row, 0])
            for kind in range(1, 3):
                targets[row, kind] += trace[row] * (targets[row + 1, kind + 2] - values[row, kind + 2])
                targets[row, kind + 2] += trace[row] * (targets[row + 1, kind] - values[row, kind])
