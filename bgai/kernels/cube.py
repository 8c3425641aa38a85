"""The doubling cube, for one outcome vector at a time: `bgai.cube` explains the model.

Turns are counted from the present cube, which is turn 0. A search draws the lines of a leaf once, whoever owns the
cube there, and then asks for any turn and any owner.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from bgai.kernels.compiler import kernel

CENTRED, ON_ROLL, OPPONENT = range(3)
"""Who may double next."""

LOST, PASS, PASSED, CASH, CASHED, WON, AT_ONCE, LINE = range(8)
"""Columns of lines, which are float64[K, LINE]: at each turn the value with a fully live cube, over the chance to win.

The line leads from (0, LOST), the mean worth of a loss with the gammons there are, by way of (PASS, PASSED) and
(CASH, CASHED) to (1, WON), the same of a win. Up to PASS the player on roll should pass a double, from CASH on the
opponent should. Where one of them gains nothing by doubling, its point lies at the end of the line. AT_ONCE is 1 where
an opponent that owns the cube loses nothing by turning it at its next roll: then the match is lost for it with this
game anyway, and the live line is what will happen.
"""

UNLIMITED = 6
"""Turns after which a cube is as good as unlimited."""

_LEAST = 1e-12
"""Pieces of a line narrower or lower than this are taken to be this wide or high."""
_HALVINGS = 50


class CubeStakes(NamedTuple):
    """What is played for, seen by the player on roll: `bgai.stakes.Stakes` in the form that kernels take.

    `K` is the number of cube values looked at, the present one first. Under Jacoby its stakes depend on whether it is
    centred.
    """

    win: np.ndarray
    """float64[K, 3]: of winning a single game, a gammon, a backgammon with the cube turned k times more."""
    lose: np.ndarray
    """float64[K, 3]: of losing them, below 0."""
    usable: np.ndarray
    """bool[K, 2]: whether the player on roll, and the opponent, gain anything by turning the cube once more. The last
    is never turned, whatever it says there."""
    beavers: bool


@kernel
def flipped_stakes(stakes):
    """The same stakes seen by the other side."""
    return CubeStakes(-stakes.lose, -stakes.win, stakes.usable[:, ::-1].copy(), stakes.beavers)


@kernel
def cube_lines(stakes):
    """Room for the lines of an outcome vector at these stakes, or at them flipped: scratch, one for each thread."""
    return np.zeros((stakes.win.shape[0], LINE), np.float64)


@kernel
def _exclusive(outcomes, index):
    """The six separate chances of `outcomes[index]`, the twin of `bgai.outcomes.exclusive`."""
    win, gammon, backgammon = outcomes[index, 0], outcomes[index, 1], outcomes[index, 2]
    lost_gammon, lost_backgammon = outcomes[index, 3], outcomes[index, 4]
    # The bound keeps the compiler from summing in another order: so both sides get the same from inverted chances.
    lose = max(np.float32(1.0) - win, np.float32(0.0))
    return (
        np.float64(win - gammon),
        np.float64(gammon - backgammon),
        np.float64(backgammon),
        np.float64(lose - lost_gammon),
        np.float64(lost_gammon - lost_backgammon),
        np.float64(lost_backgammon),
    )


@kernel
def dead_equity(outcomes, index, stakes, turn):
    """Equity of one outcome vector of `outcomes`, float32[N, 5], if the cube is never turned again after `turn`."""
    single, gammon, backgammon, lost_single, lost_gammon, lost_backgammon = _exclusive(outcomes, index)
    win, lose = stakes.win, stakes.lose
    won = single * win[turn, 0] + gammon * win[turn, 1] + backgammon * win[turn, 2]
    return won + lost_single * lose[turn, 0] + lost_gammon * lose[turn, 1] + lost_backgammon * lose[turn, 2]


@kernel
def _shares(single, gammon, backgammon):
    """Separate chances as shares of their sum; a single game where there is no chance at all."""
    total = single + gammon + backgammon
    if total > 0:
        return single / total, gammon / total, backgammon / total
    return 1.0, 0.0, 0.0


@kernel
def _on_piece(chance, left, right, low, high):
    """The value on a straight piece from (left, low) to (right, high)."""
    part = (chance - left) / max(right - left, _LEAST)
    return low + min(max(part, 0.0), 1.0) * (high - low)


@kernel
def _reached(value, start, bend, height, end):
    """The chance at which a line from (0, start) by way of (bend, height) to (1, end) reaches a value, else 1."""
    left, low, right, high = 0.0, start, bend, height
    if height < value:
        left, low, right, high = bend, height, 1.0, end
        if end < value:
            return 1.0
    part = (value - low) / max(high - low, _LEAST)
    return left + min(max(part, 0.0), 1.0) * (right - left)


@kernel
def draw_lines(outcomes, index, stakes, lines):
    """Fills `lines` from one outcome vector of `outcomes`, float32[N, 5], from the last turn back; returns its chance
    to win."""
    single, gammon, backgammon, lost_single, lost_gammon, lost_backgammon = _exclusive(outcomes, index)
    chance = single + gammon + backgammon
    single, gammon, backgammon = _shares(single, gammon, backgammon)
    lost_single, lost_gammon, lost_backgammon = _shares(lost_single, lost_gammon, lost_backgammon)
    win, lose, usable = stakes.win, stakes.lose, stakes.usable
    last = win.shape[0] - 1
    for turn in range(last, -1, -1):
        won = single * win[turn, 0] + gammon * win[turn, 1] + backgammon * win[turn, 2]
        lost = lost_single * lose[turn, 0] + lost_gammon * lose[turn, 1] + lost_backgammon * lose[turn, 2]
        lines[turn, LOST] = lines[turn, PASSED] = lost
        lines[turn, WON] = lines[turn, CASHED] = won
        lines[turn, PASS] = lines[turn, AT_ONCE] = 0.0
        lines[turn, CASH] = 1.0
        then = turn + 1
        # Who is doubled owns the cube, so that its own point alone bends the line after the double.
        if turn < last and usable[turn, 0]:
            lines[turn, CASHED] = win[turn, 0]
            lines[turn, CASH] = _reached(
                win[turn, 0], lines[then, LOST], lines[then, PASS], lines[then, PASSED], lines[then, WON]
            )
        if turn < last and usable[turn, 1]:
            lines[turn, PASSED] = lose[turn, 0]
            lines[turn, PASS] = _reached(
                lose[turn, 0], lines[then, LOST], lines[then, CASH], lines[then, CASHED], lines[then, WON]
            )
            lines[turn, AT_ONCE] = win[turn, 0] >= win[then, 0]
    return chance


@kernel
def cube_equity(lines, chance, turn, owner, efficiency):
    """Before the roll and without a double now: between a dead cube, efficiency 0, and a live one, 1.

    `lines` and `chance` come from `draw_lines`; `owner` is CENTRED, ON_ROLL or OPPONENT.
    """
    left, low = 0.0, lines[turn, LOST]
    right, high = 1.0, lines[turn, WON]
    dead = chance * high + (1 - chance) * low
    if owner != OPPONENT and chance >= lines[turn, CASH]:
        left, low = lines[turn, CASH], lines[turn, CASHED]
    else:
        if owner != OPPONENT:
            right, high = lines[turn, CASH], lines[turn, CASHED]
        if owner != ON_ROLL:
            if chance >= lines[turn, PASS]:
                left, low = lines[turn, PASS], lines[turn, PASSED]
            else:
                right, high = lines[turn, PASS], lines[turn, PASSED]
    live = _on_piece(chance, left, right, low, high)
    share = efficiency
    if owner == OPPONENT and efficiency > 0:
        # With a dead cube, and where the game ends before its next roll, the opponent never turns it.
        share = max(efficiency, lines[turn, AT_ONCE])
    return (1 - share) * dead + share * live


@kernel
def cube_actions(stakes, lines, chance, turn, owner, efficiency):
    """What can be done with the cube before the roll, in the terms of `cube_equity`.

    Returns:
        no double; double, take, after a beaver where the opponent should beaver; whether it should; and the value with
        the right action and answer. Where the rules allow no double, all three equities are that of no double.
    """
    no_double = cube_equity(lines, chance, turn, owner, efficiency)
    turns = lines.shape[0]
    if owner == OPPONENT or turn + 1 >= turns:
        return no_double, no_double, False, no_double
    double_take = cube_equity(lines, chance, turn + 1, OPPONENT, efficiency)
    beaver = stakes.beavers and turn + 2 < turns and double_take < 0
    if beaver:
        double_take = 2 * double_take
    double = min(double_take, stakes.win[turn, 0])
    value = double if stakes.usable[turn, 0] and double > no_double else no_double
    return no_double, double_take, beaver, value


@kernel
def cube_actions_of_many(outcomes, stakes, owner, efficiency, no_double, double_take, beaver, value):
    """`cube_actions` at turn 0 of float32[N, 5] with `efficiency` float64[N]; fills float64[N], `beaver` bool[N]."""
    lines = cube_lines(stakes)
    for index in range(outcomes.shape[0]):
        chance = draw_lines(outcomes, index, stakes, lines)
        no_double[index], double_take[index], beaver[index], value[index] = cube_actions(
            stakes, lines, chance, 0, owner, efficiency[index]
        )


@kernel
def dead_equities(outcomes, stakes, result):
    """`dead_equity` at turn 0 of float32[N, 5]; fills float64[N]."""
    for index in range(outcomes.shape[0]):
        result[index] = dead_equity(outcomes, index, stakes, 0)


@kernel
def pass_point(outcomes, stakes, efficiency):
    """Chance to win from which the opponent should pass a double, with the gammons of `outcomes` [1, 5] in proportion.

    What a take is worth to the doubler rises with the chance to win; where it comes up to a pass is found by halving.
    The cube must have a turn left, K > 1.
    """
    lines = cube_lines(stakes)
    draw_lines(outcomes, 0, stakes, lines)
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if cube_equity(lines, middle, 1, OPPONENT, efficiency) >= stakes.win[0, 0]:
            high = middle
        else:
            low = middle
    return low
