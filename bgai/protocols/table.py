"""What a server's board says, seen from the chair of the player who sits there.

>>> from bgai.board import START
>>> table = Table(tuple(START.tolist()), on_roll=ME, dice=(3, 1), length=5)
>>> table.state().to_act == ME
True
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bgai.board import as_board, flip
from bgai.events import Double, Resign, SetUp, StartGame
from bgai.match import apply
from bgai.match_rules import Rules
from bgai.match_state import MatchState, new_match

ME, OPPONENT = 0, 1
"""The seats of a `MatchState` that comes from a table."""


@dataclass(frozen=True)
class Table:
    """A game on a server between two of its messages."""

    board: tuple[int, ...]
    """26 numbers as in `bgai.board`, seen by me, whoever is on roll."""
    on_roll: int
    """`ME` or `OPPONENT`; while a double waits, who has doubled."""
    dice: tuple[int, int] | None = None
    """The roll to be played."""
    cube: int = 1
    """While a double waits, as it was before."""
    owner: int | None = None
    """Who owns the cube; None while it is centred."""
    score: tuple[int, int] = (0, 0)
    """My points and the opponent's."""
    length: int = 0
    """Points the match goes to; 0 for money."""
    crawford: bool = False
    """Whether this is the Crawford game."""
    doubled: bool = False
    """Whether the player on roll has doubled and waits for the answer."""
    resignation: int = 0
    """What the opponent offers to lose: 1 single game, 2 gammon, 3 backgammon; 0 nothing."""

    def state(self) -> MatchState:
        """The same as a state of a match in which I have the seat `ME`.

        Raises:
            RuleError, PositionError: it cannot be.
        """
        over = self.length > 1 and max(self.score) == self.length - 1 and not self.crawford
        state = new_match(Rules(self.length), score=self.score, post_crawford=over)
        board = as_board(np.array(self.board))
        seen = board if self.on_roll == ME else flip(board)
        state = apply(state, StartGame((2, 1)))
        state = apply(state, SetUp(self.on_roll, tuple(seen.tolist()), self.dice, self.cube, self.owner))
        if self.doubled:
            state = apply(state, Double(self.on_roll))
        return apply(state, Resign(OPPONENT, self.resignation)) if self.resignation else state
