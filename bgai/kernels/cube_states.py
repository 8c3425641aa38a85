"""Where the cube may lie while a position is played on, and what the right to turn it is worth.

A *state* is a number, seen by the side on roll: 0 is a cube in the middle, not turned; 1 + 2t is its own cube and
2 + 2t the opponent's, t turns from now. There are S = 1 + 2K of them for the K values of the cube that the stakes look
at. A set of states is an integer, bit for bit.

`E` is the equity in a state without turning the cube now, `V` with the right action and answer.
"""

from __future__ import annotations

import numpy as np

from bgai.kernels.compiler import kernel


@kernel
def count_states(stakes):
    """S, for CubeStakes of either side."""
    return 2 * stakes.win.shape[0] + 1


@kernel
def seen_by_other(state):
    """The same cube seen by the other side."""
    if state == 0:
        return state
    return state + 1 if state & 1 else state - 1


@kernel
def turn_of(state):
    """Turns of the cube from now."""
    return (state - 1) // 2 if state > 0 else 0


@kernel
def owner_of(state):
    """CENTRED, ON_ROLL or OPPONENT of `bgai.kernels.cube`."""
    return state - 2 * turn_of(state)


@kernel
def _turned(stakes, state):
    """The state after a double and a take; 0 where the side on roll cannot use the cube."""
    if state > 0 and state & 1 == 0:
        return 0
    turn = turn_of(state)
    return 2 * turn + 4 if stakes.usable[turn, 0] else 0


@kernel
def needed_after(stakes, need):
    """The states whose `E` must be known after a play, so that before it those of `need` are.

    `stakes` are those of the side that is on roll after the play.
    """
    result = np.int64(0)
    for state in range(count_states(stakes)):
        if (need >> state) & 1:
            seen = seen_by_other(state)
            result |= np.int64(1) << seen
            turned = _turned(stakes, seen)
            if turned > 0:
                result |= np.int64(1) << turned
    return result


@kernel
def act(stakes, need, equities):
    """Turns `E` into `V` in the states of `need`; `equities` float64[S] and `stakes` are those of the side on roll."""
    # A turned cube is the opponent's, whose values stay as they are: no order matters.
    for state in range(equities.shape[0]):
        if (need >> state) & 1:
            turned = _turned(stakes, state)
            if turned > 0:
                turn = turn_of(state)
                taken = equities[turned]
                if stakes.beavers and taken < 0.0 and turn + 2 < stakes.win.shape[0]:
                    taken *= 2.0
                equities[state] = max(equities[state], min(taken, stakes.win[turn, 0]))
