"""Looking ahead written down plainly: what `bgai.kernels.search` must agree with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from bgai.board import Board, result
from bgai.cube import cube_values
from bgai.dice import ROLLS
from bgai.outcomes import COUNT, Outcomes, invert
from bgai.phase import cube_efficiencies
from bgai.plays import legal_plays
from bgai.position import CubeOwner
from bgai.stakes import Stakes

SEEN: dict[CubeOwner, CubeOwner] = {"centred": "centred", "on roll": "opponent", "opponent": "on roll"}


def flipped(stakes: Stakes) -> Stakes:
    """The stakes of the other side."""
    return replace(stakes, win=-stakes.lose, lose=-stakes.win, usable=stakes.usable[:, ::-1])


def after(stakes: Stakes, turns: int) -> Stakes:
    """What is left of the stakes after so many turns of the cube."""
    return replace(stakes, win=stakes.win[turns:], lose=stakes.lose[turns:], usable=stakes.usable[turns:])


class Plain:
    """Values by recursion, for one network and one set of cube efficiencies; no bear-off tables."""

    def __init__(self, evaluate: Callable[[Board], Outcomes], efficiency: list[float], *, cubeful: bool = True) -> None:
        self.evaluate = evaluate
        self.efficiency = np.array(efficiency)
        self.cubeful = cubeful
        self._replies: dict[tuple[bytes, tuple[int, int], bytes], Board] = {}

    def outcomes(self, board: Board, plies: int, stakes: Stakes) -> NDArray[np.float64]:
        """The chances, float64[5]."""
        if plies == 0 or result(board):
            chances: NDArray[np.float64] = self.evaluate(board[None])[0].astype(np.float64)
            return chances
        total = np.zeros(COUNT)
        for roll in ROLLS:
            reply = self.reply(board, roll, stakes)
            total += weight(roll) * invert(self.outcomes(reply, plies - 1, flipped(stakes)))
        return total

    def equity(self, board: Board, plies: int, stakes: Stakes, turn: int, owner: CubeOwner) -> float:
        """Without turning the cube now."""
        if plies == 0 or result(board):
            return self.static(board, stakes, turn, owner)
        total = 0.0
        for roll in ROLLS:
            reply = self.reply(board, roll, stakes)
            total -= weight(roll) * self.value(reply, plies - 1, flipped(stakes), turn, SEEN[owner])
        return total

    def value(self, board: Board, plies: int, stakes: Stakes, turn: int, owner: CubeOwner) -> float:
        """With the right action and answer."""
        equity = self.equity(board, plies, stakes, turn, owner)
        if owner == "opponent" or not stakes.usable[turn, 0]:
            return equity
        taken = self.equity(board, plies, stakes, turn + 1, "opponent")
        if stakes.beavers and taken < 0 and turn + 2 < len(stakes.win):
            taken *= 2
        return max(equity, min(taken, stakes.win[turn, 0]))

    def static(self, board: Board, stakes: Stakes, turn: int, owner: CubeOwner) -> float:
        """The cube model's equity after so many turns of the cube."""
        efficiency = cube_efficiencies(board[None], self.efficiency)
        return float(cube_values(self.evaluate(board[None]), after(stakes, turn), owner, efficiency).no_double[0])

    def reply(self, board: Board, roll: tuple[int, int], stakes: Stakes) -> Board:
        """The position after the play that leaves the opponent least with a dead cube; of equal ones the first."""
        key = (board.tobytes(), roll, stakes.win.tobytes())
        if key not in self._replies:
            plays = legal_plays(board, roll)
            theirs = flipped(stakes)
            if self.cubeful and not stakes.match and len(stakes.win) > 1:
                # Gammons count once the cube is turned.
                theirs = after(theirs, 1)
            worth = theirs.dead(self.evaluate(plays.successors))
            self._replies[key] = plays.successors[int(np.argmin(worth))]
        return self._replies[key]


def weight(roll: tuple[int, int]) -> float:
    """The chance of a roll."""
    return (1 if roll[0] == roll[1] else 2) / 36
