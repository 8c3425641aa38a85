"""The opening: the standard plays of the fifteen rolls, what an analyst plays, and the replies to it.

The standard plays are those that rollouts of every strong program since the 1990s have left over; they are published
in many places, such as Tom Keith's "Backgammon Openings" (bkgm.com, 2006). Where there are several, they lie within
some thousandths to some hundredths of a point of each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from bgai.analyst import Analyst
from bgai.board import START, Board, flip
from bgai.coach.plays import Candidate, candidates_of
from bgai.dice import ROLLS
from bgai.notation.playtext import format_play, parse_play
from bgai.plays import Plays, legal_plays
from bgai.position import Position
from bgai.rollout import Rollout, Settings

Roll = tuple[int, int]

STANDARD: dict[Roll, tuple[str, ...]] = {
    (2, 1): ("13/11 6/5", "24/23 13/11"),
    (3, 1): ("8/5 6/5",),
    (4, 1): ("24/23 13/9", "13/9 6/5"),
    (5, 1): ("24/23 13/8", "13/8 6/5"),
    (6, 1): ("13/7 8/7",),
    (3, 2): ("24/21 13/11", "13/11 13/10"),
    (4, 2): ("8/4 6/4",),
    (5, 2): ("13/11 13/8", "24/22 13/8"),
    (6, 2): ("24/18 13/11", "24/22 24/18", "13/5"),
    (4, 3): ("24/20 13/10", "13/10 13/9", "24/21 13/9"),
    (5, 3): ("8/3 6/3",),
    (6, 3): ("24/18 13/10", "24/15"),
    (5, 4): ("24/20 13/8", "13/9 13/8"),
    (6, 4): ("24/14", "24/18 13/9", "8/2 6/2"),
    (6, 5): ("24/13",),
}
"""By roll, larger die first. Doubles do not open a game."""

TRUNCATION = 7
"""Plies after which the trials of `rollout_of` end."""


@dataclass(frozen=True, eq=False)
class OpeningPlay:
    """One play of an opening roll."""

    candidate: Candidate
    loss: float
    """What it gives away beside the analyst's play."""
    standard: bool


@dataclass(frozen=True, eq=False)
class Opening:
    """One opening roll."""

    dice: Roll
    plays: tuple[OpeningPlay, ...]
    """The analyst's play first, then the standard ones, the best first; the analyst's is one of them mostly."""

    @property
    def ours(self) -> OpeningPlay:
        """What the analyst plays."""
        return self.plays[0]


@dataclass(frozen=True)
class OpeningReply:
    """The answer to an opening play."""

    dice: Roll
    play: str
    equity: float
    """Of the side that replies."""


@dataclass(frozen=True)
class RolledPlay:
    """A play that was rolled out."""

    play: str
    equity: float
    error: float
    """Standard error."""
    trials: int


def position_of(roll: Roll, game: Position | None = None) -> Position:
    """The start with a roll; cube and score are those of `game`, without it money and a centred cube."""
    return replace(game or Position(), board=START.copy(), dice=roll, offer=None)


def index_of(roll: Roll, play: str) -> int:
    """The number of an opening play among the legal plays of its roll."""
    return parse_play(START, legal_plays(START, roll), play)


def openings(analyst: Analyst, rolls: Sequence[Roll] = tuple(STANDARD), game: Position | None = None) -> list[Opening]:
    """What an analyst makes of opening rolls, beside the standard plays.

    Args:
        rolls: of those in `STANDARD`, larger die first.
        game: the cube and the score, see `position_of`.
    """
    found = []
    for roll in rolls:
        position = position_of(roll, game)
        candidates = candidates_of(position, analyst.rank([position]))
        standard = [_after(roll, play) for play in STANDARD[roll]]
        marked = [
            OpeningPlay(
                one,
                max(candidates[0].equity - one.equity, 0.0),
                any(np.array_equal(one.after, board) for board in standard),
            )
            for one in candidates
        ]
        found.append(Opening(roll, tuple(one for one in marked if one.standard or one is marked[0])))
    return found


def _after(roll: Roll, play: str) -> Board:
    return flip(legal_plays(START, roll).successors[index_of(roll, play)])


def replies_to(analyst: Analyst, play: OpeningPlay, game: Position | None = None) -> list[OpeningReply]:
    """The best reply to an opening play with each of the 21 rolls, in the order of `bgai.dice.ROLLS`."""
    before = game or Position()
    after = replace(
        before, board=flip(play.candidate.after), cube=before.cube.flipped(), score=before.score.flipped(), offer=None
    )
    ranked = analyst.rank([replace(after, dice=roll) for roll in ROLLS])
    best = ranked.order[ranked.plays.offsets[:-1]]
    return [
        OpeningReply(roll, format_play(after.board, ranked.plays.steps[number]), float(ranked.equities[number]))
        for roll, number in zip(ROLLS, best, strict=True)
    ]


def rollout_of(
    opening: Opening, trials: int, game: Position | None = None, *, model: str | None = None, most: int = 2
) -> Rollout:
    """A truncated rollout, not yet run, of the first plays of an opening: ours and the next standard ones."""
    position = position_of(opening.dice, game)
    plays = legal_plays(position.board, opening.dice)
    numbers = [parse_play(position.board, plays, one.candidate.play) for one in opening.plays[:most]]
    chosen = Plays(plays.successors[numbers], plays.steps[numbers])
    return Rollout(position, Settings(trials=trials, truncation=TRUNCATION), model=model, chosen=chosen)


def rolled(rollout: Rollout) -> list[RolledPlay]:
    """What a rollout has found, the best play first."""
    return [RolledPlay(one.name, *one.equity, one.trials) for one in rollout.ranked()]
