"""The player that handles the cube: the analyst's opinions as decisions of a match.

>>> from bgai.match_play import play_match
>>> from bgai.match_rules import Rules
>>> record = play_match((Bot.of(), Bot.of()), Rules(length=3), seed=1)
>>> record.final.winner is not None
True
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from bgai.analyst import Analyst
from bgai.board import CHECKERS, Board, flip, has_contact, opponent_borne_off, result
from bgai.cube_decision import cube_action
from bgai.dice import ROLLS
from bgai.events import Raccoon
from bgai.levels import PLAIN, PlayerName, read_player
from bgai.match import refusal
from bgai.match_play import Answer
from bgai.match_state import MatchState, position
from bgai.outcomes import WIN
from bgai.plays import Plays, PlaysBatch, legal_plays_batch
from bgai.position import Cube

CERTAIN = 1e-4
"""A chance below this counts as none when a lost race is resigned."""
_ROUNDING = 1e-6


@dataclass(frozen=True)
class Worth:
    """A choice of the player who has an offer to answer, in its own equities of the cube as it stands."""

    accepting: float
    """Of taking the cube, or of accepting the resignation."""
    otherwise: float
    """Of passing, or of playing on."""
    redoubling: float | None = None
    """Of a beaver or raccoon, where it is agreed; None as well for a beaver that would be wrong."""


class Bot:
    """A `MatchPlayer` that follows an analyst."""

    def __init__(self, analyst: Analyst, name: str | None = None, adviser: Bot | None = None) -> None:
        """`name` if not that of the analyst's network; `adviser` if it errs on purpose."""
        self.analyst = analyst
        self.name = name or analyst.name
        self.adviser = self if adviser is None else adviser
        """Whose opinion a person gets who asks for advice."""

    @classmethod
    def of(cls, name: str | None = None, *, threads: int | None = None) -> Bot:
        """The player of a name, see `bgai.levels`; by default the strongest kept model at 0-ply.

        Raises:
            InputError: no such player, or one that does not know the cube.
        """
        return cls.named(PlayerName(None) if name is None else read_player(name), threads=threads)

    @classmethod
    def named(cls, player: PlayerName, *, threads: int | None = None) -> Bot:
        """The same for a name that was read."""
        adviser = cls(PLAIN.analyst(player.model)) if player.level.noise else None
        return cls(player.analyst(threads=threads), player.shown, adviser)

    def choose(self, state: MatchState, plays: Plays, rng: np.random.Generator) -> int:
        """The play with the best equity with the cube; of equal ones the best without it."""
        batch = PlaysBatch(plays.successors, plays.steps, np.array([0, len(plays)]))
        return int(self.analyst.rank_plays([position(state)], batch).order[0])

    def doubles(self, state: MatchState, rng: np.random.Generator) -> bool:
        """When doubling gains something: never with a dead cube, never when it is too good."""
        return cube_action(self.analyst, position(state)).action in ("double", "redouble")

    def answers(self, state: MatchState, rng: np.random.Generator) -> Answer:
        """The proper answer to the offer that waits."""
        worth = self.cube_worth(state)
        if worth.redoubling is not None and worth.redoubling > max(worth.accepting, worth.otherwise):
            return "redouble"
        return "take" if worth.accepting >= worth.otherwise else "pass"

    def resigns(self, state: MatchState, rng: np.random.Generator) -> int:
        """Gives up what is lost whatever falls, counted out exactly, and single games in a race without a chance.

        A gammon is resigned only if no roll saves it, so never one that the network alone believes in.
        """
        seen = position(state)
        losses = self._losses(state)
        lost = _surely_lost(seen.board, losses)
        if lost or has_contact(seen.board):
            return lost
        evaluation = self.analyst.evaluate(seen)
        single = evaluation.outcomes[WIN] <= CERTAIN and evaluation.equity >= losses[0] - CERTAIN
        return int(single)

    def accepts(self, state: MatchState, rng: np.random.Generator) -> bool:
        """If playing on is not worth more."""
        worth = self.resignation_worth(state)
        return worth.accepting >= worth.otherwise - _ROUNDING

    def cube_worth(self, state: MatchState) -> Worth:
        """Taking and passing the double, beaver or raccoon that waits, to the player who has to answer."""
        if state.offer == "double":
            judged = cube_action(self.analyst, position(state))
            doubled = -judged.double_take
            return Worth(doubled / 2, -1.0, doubled) if judged.answer == "beaver" else Worth(doubled, -1.0)
        # Beavers are for money: the doubler rolls next, and the other side keeps the cube, at twice its value.
        seen = position(replace(state, offer=None))
        taken = 2 * self.analyst.evaluate(replace(seen, cube=Cube(2 * state.cube, "opponent"))).equity
        if state.offer == "raccoon":
            return Worth(-taken, -1.0)
        agreed = refusal(state, Raccoon(state.on_roll)) is None
        return Worth(taken, -1.0, min(2 * taken, 2.0) if agreed else None)

    def resignation_worth(self, state: MatchState) -> Worth:
        """Accepting the resignation that waits and playing on, to the player who has to answer."""
        assert state.resignation is not None
        before = replace(state, resignation=None)
        seen = position(before)
        stakes = self.analyst.stakes(seen.cube, seen.score, seen.cube_limit)
        kind = state.resignation.value - 1
        equity = self._equity(before)
        if state.resignation.seat == state.on_roll:
            return Worth(-float(stakes.lose[0, kind]), -equity)
        return Worth(float(stakes.win[0, kind]), equity)

    def _equity(self, state: MatchState) -> float:
        """What playing on is worth to the player on roll."""
        seen = position(state)
        if state.dice is not None:
            ranked = self.analyst.rank([seen])
            return float(ranked.equities[ranked.order[0]])
        losses = self._losses(state)
        lost = _surely_lost(seen.board, losses)
        return float(losses[lost - 1]) if lost else self.analyst.evaluate(seen).equity

    def _losses(self, state: MatchState) -> NDArray[np.float64]:
        """Equities `float64[3]` of losing a single game, a gammon and a backgammon, to the player on roll."""
        seen = position(state)
        losses: NDArray[np.float64] = self.analyst.stakes(seen.cube, seen.score, seen.cube_limit).lose[0]
        return losses


def _surely_lost(board: Board, losses: NDArray[np.float64]) -> int:
    """What the player on roll loses whatever falls: 1 to 3, or 0 if that is not certain or hangs on the roll.

    Looked at where the opponent bears off its last checkers next turn with any roll; kinds of losses that cost the
    same count as the smallest.
    """
    if has_contact(board) or CHECKERS - opponent_borne_off(board) > 2:
        return 0
    theirs = legal_plays_batch(np.repeat(flip(board)[None], len(ROLLS), axis=0), ROLLS)
    if not all(any(result(after) for after in plays.successors) for plays in theirs):
        return 0
    kinds = set()
    for plays in legal_plays_batch(np.repeat(board[None], len(ROLLS), axis=0), ROLLS):
        # Seen by the opponent, and all its checkers taken off.
        ends = [result(np.minimum(after, 0)) if (after < 0).any() else 0 for after in plays.successors]
        kinds.add(min(np.flatnonzero(losses == losses[points - 1])[0] + 1 if points else 0 for points in ends))
    return int(kinds.pop()) if len(kinds) == 1 else 0
