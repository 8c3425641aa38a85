"""Training games: positions met and what each should be worth."""

from __future__ import annotations

import numpy as np

from bgai.kernels.compiler import kernel
from bgai.kernels.forward import OUTPUTS, points_lost, write_inverted, write_lost
from bgai.kernels.movegen import ROW, fill_slots
from bgai.kernels.random import random_bits, roll, uniform
from bgai.kernels.static import generate, judge, plays_table

_EXPLORE = np.uint64(0xE7037ED1A0B428DB)
_CHOICE = np.uint64(0x8EBC6AF09C88C6E3)


@kernel
def _write_targets(values, length, trace, targets, begin):
    """Backward view of TD(lambda): the target of each position, seen by its player on roll.

    `values[t]` is what the position after play t was worth to the side then on roll; the last is the
    result. Target t, at `targets[begin + t]`, is the other side's view of a mix of value t and target t + 1.
    `values` is used up.
    """
    for ply in range(length - 1, -1, -1):
        if ply < length - 1:
            for output in range(OUTPUTS):
                values[ply, output] += trace * (targets[begin + ply + 1, output] - values[ply, output])
        write_inverted(values, ply, targets, begin + ply)


@kernel
def play_games(static, start, seed, first_game, games, trace, explore, explore_plies, longest, boards, targets, record):
    """Plays whole games against itself and writes what there is to learn.

    Args:
        static: who plays both sides at 0-ply.
        start: int8[26], where every game begins; the first roll may be a double.
        seed: uint64, with `first_game` the address of the dice.
        trace: float32, lambda of TD(lambda).
        explore: share of games that begin with up to `explore_plies` random plays, which are not learnt.
        longest: plies after which a game is given up; its last position takes its own value as target.
        boards: int8[N, 26], filled; targets: float32[N, 5], filled.
        record: int64[games, 2], filled: plies learnt from, points won (> 0) by the side that began learning.

    Returns:
        (games played, positions written). Stops early when another game might not fit.
    """
    at = plays_table(static)
    values = np.empty((longest, OUTPUTS), np.float32)
    slots = np.zeros(ROW, np.int8)
    written = 0
    for game in range(games):
        if written + longest > boards.shape[0]:
            return game, written
        number = np.uint64(first_game + game)
        fill_slots(start, slots)
        random_plies = 0
        if explore > 0.0 and uniform(random_bits(seed ^ _EXPLORE, number, np.uint64(0))) < explore:
            random_plies = np.int64(random_bits(seed ^ _EXPLORE, number, np.uint64(1)) % np.uint64(explore_plies + 1))
        length = 0
        turn = 0
        points = 0
        while length < longest:
            first, second = roll(seed, number, turn)
            count = generate(slots, first, second, at)
            if turn < random_plies:
                bits = random_bits(seed ^ _CHOICE, number, np.uint64(turn))
                best = np.int64(bits % np.uint64(count))
            else:
                for place in range(26):
                    boards[written + length, place] = slots[place]
                best = judge(static, slots, count, at)
                for output in range(OUTPUTS):
                    values[length, output] = at.outcomes[best, output]
                length += 1
            turn += 1
            for place in range(ROW):
                slots[place] = at.successor[best, place]
            points = points_lost(at.successor, best)
            if points > 0:
                break
        if length > 0:
            if points > 0:
                write_lost(points, values, length - 1)
            _write_targets(values, length, trace, targets, written)
        record[game, 0] = length
        record[game, 1] = points if length % 2 == 1 else -points
        written += length
    return games, written
