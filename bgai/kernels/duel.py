"""Two players, the same dice, seats swapped."""

from __future__ import annotations

import numpy as np

from bgai.kernels.baselines import best_by_heuristic
from bgai.kernels.compiler import kernel
from bgai.kernels.forward import points_lost
from bgai.kernels.luck import luck_of
from bgai.kernels.movegen import ROW, fill_slots
from bgai.kernels.random import opening_roll, random_bits, roll
from bgai.kernels.static import generate, judge, plays_table

NET, RANDOM, HEURISTIC = 0, 1, 2
"""Kinds of players."""

_LOTS = np.uint64(0xA0761D6478BD642F)


@kernel
def _choose(kind, static, slots, count, at, bits):
    if count == 1:
        return 0
    if kind == NET:
        return judge(static, slots, count, at)
    if kind == RANDOM:
        return np.int64(bits % np.uint64(count))
    return best_by_heuristic(at.successor, count)


@kernel
def play_pairs(kind_a, static_a, kind_b, static_b, judging, worth, start, seed, first_pair, longest, points, luck):
    """Plays pairs of cubeless games: in the second of a pair the players change seats and get the same dice.

    Args:
        kind_a, kind_b: NET, RANDOM or HEURISTIC; who plays by chance or by rules of thumb
            has a static value too, which is not looked at.
        static_a, static_b: what positions are worth to each. All plays are judged by the network, whether there is
            a filter or not.
        judging: by what rolls are judged; with its filter, if it has one.
        worth: float32[6], what the judge goes by, see `bgai.kernels.luck.luck_of`.
        start: int8[26].
        seed: uint64; with the number of the pair and the turn the address of each roll.
        longest: plies after which a game counts 0.
        points: int64[P, 2], filled: what A wins (> 0) or loses in each game.
        luck: float64[P, 2], filled: the points that the dice brought A; float64[0, 2]: nobody judges. The first roll
            counts as none, since both players have it once.

    Returns:
        The number of games that were given up.
    """
    at_a = plays_table(static_a)
    at_b = plays_table(static_b)
    at_judge = plays_table(judging)
    judged = luck.shape[0] > 0
    slots = np.zeros(ROW, np.int8)
    given_up = 0
    for pair in range(points.shape[0]):
        number = np.uint64(first_pair + pair)
        for swapped in range(2):
            fill_slots(start, slots)
            first, second = opening_roll(seed, number)
            seat = 0 if first > second else 1
            turn = 0
            lost = 0
            brought = 0.0
            while lost == 0 and turn < longest:
                if turn > 0:
                    first, second = roll(seed, number, turn)
                bits = random_bits(seed ^ _LOTS, number, np.uint64(turn))
                a_moves = (seat == 0) == (swapped == 0)
                if judged and turn > 0:
                    more = luck_of(judging, worth, slots, first, second, at_judge)
                    brought += more if a_moves else -more
                if a_moves:
                    count = generate(slots, first, second, at_a)
                    best = _choose(kind_a, static_a, slots, count, at_a, bits)
                    lost = points_lost(at_a.successor, best)
                    slots[:] = at_a.successor[best]
                else:
                    count = generate(slots, first, second, at_b)
                    best = _choose(kind_b, static_b, slots, count, at_b, bits)
                    lost = points_lost(at_b.successor, best)
                    slots[:] = at_b.successor[best]
                if lost > 0:
                    points[pair, swapped] = lost if a_moves else -lost
                seat = 1 - seat
                turn += 1
            if judged:
                luck[pair, swapped] = brought
            if lost == 0:
                points[pair, swapped] = 0
                given_up += 1
    return given_up
