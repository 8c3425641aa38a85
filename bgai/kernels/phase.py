"""Kinds of position: see `bgai.phase`. A board is `int8[26]`, or a row of slots, whose first 26 are the board."""

from __future__ import annotations

from bgai.board import HOME, SIZE
from bgai.kernels.compiler import kernel

CONTACT, RACE, BEAROFF = range(3)


@kernel
def phase_of(board):
    """CONTACT, RACE or BEAROFF."""
    last_own = SIZE - 1
    while last_own >= 0 and board[last_own] <= 0:
        last_own -= 1
    last_other = 0
    while last_other < SIZE and board[last_other] >= 0:
        last_other += 1
    if last_own > last_other:
        return CONTACT
    return BEAROFF if last_own <= HOME and last_other >= SIZE - 1 - HOME else RACE


@kernel
def last_roll(board):
    """Whether the opponent ends the game with any roll if the player on roll does not."""
    on_ace = max(-board[SIZE - 2], 0)
    up_to_two = on_ace + max(-board[SIZE - 3], 0)
    up_to_three = up_to_two + max(-board[SIZE - 4], 0)
    # Most boards are told by these three points alone.
    if not 1 <= up_to_three <= 2:
        return False
    left = 0
    for place in range(SIZE):
        left += max(-board[place], 0)
    certain = (left == 1 and up_to_three == 1) or (left == 2 and up_to_two == 2 and on_ace >= 1)
    return certain and phase_of(board) != CONTACT


@kernel
def cube_efficiency(board, by_phase):
    """How live the cube is before the roll: `by_phase` is float64[3]; at a last roll nobody will turn it again."""
    return 0.0 if last_roll(board) else by_phase[phase_of(board)]


@kernel
def phases_of_many(boards, result):
    """`phase_of` of int8[N, 26]; fills int64[N]."""
    for index in range(boards.shape[0]):
        result[index] = phase_of(boards[index])


@kernel
def last_rolls_of_many(boards, result):
    """`last_roll` of int8[N, 26]; fills bool[N]."""
    for index in range(boards.shape[0]):
        result[index] = last_roll(boards[index])


@kernel
def cube_efficiencies_of_many(boards, by_phase, result):
    """`cube_efficiency` of int8[N, 26]; fills float64[N]."""
    for index in range(boards.shape[0]):
        result[index] = cube_efficiency(boards[index], by_phase)
