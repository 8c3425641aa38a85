"""The state of a match or money session between two events."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from bgai.board import START, Board, flip
from bgai.errors import RuleError
from bgai.events import EndOfGame, Resign
from bgai.match_rules import Rules, whole
from bgai.plays import Plays, legal_plays
from bgai.position import Cube, CubeOwner, Offer, Position, Score

_RESIGNATIONS: tuple[Offer, Offer, Offer] = ("single", "gammon", "backgammon")
_START = tuple(START.tolist())


@dataclass(frozen=True)
class MatchState:
    """Everything that matters for what may happen next. Two states are equal if all of it is."""

    rules: Rules
    score: tuple[int, int] = (0, 0)
    """Points of each seat; the last game may carry a score beyond the length."""
    game: int = 0
    """Number of this game, or of the last one, from 1; 0 before the first."""
    crawford: bool = False
    """Whether this is the Crawford game."""
    post_crawford: bool = False
    """Whether the Crawford game is over."""
    playing: bool = False
    """Whether a game is going on."""
    checkers: tuple[int, ...] = _START
    """The board as plain numbers, seen by `on_roll`."""
    on_roll: int = 0
    """Seat whose turn it is, also while the other one has an offer to answer."""
    turn: int = 0
    """Number of this turn in the game, from 0."""
    dice: tuple[int, int] | None = None
    """The roll to be played, in the order it fell."""
    cube: int = 1
    """What is at stake. While an offer waits: as it was before it, so passing costs this and taking doubles it."""
    owner: int | None = None
    """Seat that owns the cube; None while it is centred, which is to say that it was never turned."""
    offer: Literal["double", "beaver", "raccoon"] | None = None
    """What the cube was turned for and has not been answered."""
    resignation: Resign | None = None
    """One that has not been answered."""
    result: EndOfGame | None = None
    """How the last game ended, until the next begins."""
    winner: int | None = None
    """Seat that has won the match."""

    @property
    def board(self) -> Board:
        """The board `int8[26]`, a copy, seen by `on_roll`."""
        return np.array(self.checkers, dtype=np.int8)

    @property
    def to_act(self) -> int | None:
        """Seat that everybody waits for; None when no game is going on."""
        if not self.playing:
            return None
        if self.resignation is not None:
            return 1 - self.resignation.seat
        return 1 - self.on_roll if self.offer in ("double", "raccoon") else self.on_roll

    @cached_property
    def plays(self) -> Plays:
        """The legal plays of the roll that waits.

        Raises:
            RuleError: no roll waits.
        """
        if self.dice is None:
            raise RuleError("a roll comes first")
        return legal_plays(self.board, self.dice)


def new_match(rules: Rules, *, score: tuple[int, int] = (0, 0), post_crawford: bool = False) -> MatchState:
    """The state before the first game; for a match that is joined later, with the score it had then.

    Raises:
        RuleError: a score that cannot be, or a Crawford game that cannot have been.
    """
    first, second = whole(score[0], "the score"), whole(score[1], "the score")
    last = rules.length - 1
    if min(first, second) < 0 or (rules.length and max(first, second) > last):
        what = f"a match to {rules.length} points" if rules.length else "a money session"
        raise RuleError(f"{what} cannot go on at the score {first}-{second}")
    if post_crawford and not (rules.crawford and rules.length and max(first, second) == last):
        raise RuleError(f"the Crawford game cannot be over at {first}-{second} in a match to {rules.length} points")
    # Only after the Crawford game can both need one point.
    over = post_crawford or (rules.crawford and min(first, second) == last > 0)
    return MatchState(rules, score=(first, second), post_crawford=over)


def position(state: MatchState) -> Position:
    """The position, seen by the player on roll; while an offer waits, by the player who made it.

    So whoever has to answer is always the opponent. A raccoon is written as a double with the cube on the opponent's
    side, which no other double has. A resignation out of turn is seen by who resigned and leaves out the roll.

    Raises:
        RuleError: no game is going on.
    """
    if not state.playing:
        raise RuleError("no game is going on, so there is no position")
    seen_by = state.on_roll
    offer: Offer | None = None
    if state.resignation is not None:
        seen_by, offer = state.resignation.seat, _RESIGNATIONS[state.resignation.value - 1]
    elif state.offer == "beaver":
        seen_by, offer = 1 - state.on_roll, "beaver"
    elif state.offer is not None:
        offer = "double"
    turned = seen_by != state.on_roll
    owner: CubeOwner = "centred" if state.owner is None else "on roll" if state.owner == seen_by else "opponent"
    rules = state.rules
    return Position(
        board=flip(state.board) if turned else state.board,
        dice=None if state.dice is None or turned else (max(state.dice), min(state.dice)),
        cube=Cube(state.cube, owner),
        score=Score(
            points=(state.score[seen_by], state.score[1 - seen_by]),
            length=rules.length,
            crawford=state.crawford,
            jacoby=rules.jacoby,
            beavers=rules.beavers,
        ),
        offer=offer,
        seat=seen_by,
        cube_limit=rules.cube_limit if rules.cube else 1,
    )
