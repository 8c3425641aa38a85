"""What a play changes: hits, points made and given up, shots left, what the next rolls do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgai.analyst import Analyst
from bgai.board import HOME, Board, borne_off, flip, has_contact, result
from bgai.coach.position_facts import plain
from bgai.coach.race import Race, race_of
from bgai.coach.rolls import WEIGHTS, Reach, unsafe_rolls
from bgai.coach.sides import POINT, THEIR_HOME, Side, sides_of
from bgai.dice import ROLL_WEIGHTS, ROLLS
from bgai.notation.playtext import format_play
from bgai.opinions import ROLLED, RankedPlays
from bgai.position import Position

BAD = 0.3
"""Equity by which a bad roll leaves less than the mean one."""


@dataclass(frozen=True, eq=False)
class Candidate:
    """A legal play and what it is worth, seen by who plays it."""

    play: str
    """In the notation of the books; empty if the turn passes."""
    after: Board
    """int8[26]: the board after the play, still seen by who has played."""
    equity: float
    chances: tuple[float, ...]
    """Five, as in `bgai.outcomes`."""
    plies: int = 0
    """How far was looked ahead, in gnubg's count; `bgai.ROLLED` if it was rolled out."""


@dataclass(frozen=True)
class Reply:
    """A roll of the opponent, and what is left to who has played after its best play."""

    dice: str
    equity: float
    """At 0-ply."""


@dataclass(frozen=True)
class PlayFacts:
    """A play, seen by who plays it; points as this side counts them."""

    play: str
    equity: float
    loss: float
    """What it gives away beside the best play."""
    chances: dict[str, float]
    """Win, win gammon and so on, by the names of `bgai.outcomes.NAMES`."""
    plies: int
    hits: tuple[int, ...]
    """Points on which it hits, from the highest down."""
    made: tuple[int, ...]
    """Points that it makes."""
    broken: tuple[int, ...]
    """Points that it gives up."""
    cleared: tuple[int, ...]
    """Those of them from which it takes the last checker, with nobody left behind."""
    borne_off: int
    moved_back: int
    """Checkers that leave the other's home board or the bar for the rest of the board."""
    home_blots: tuple[int, ...]
    """Own blots in the home board after it."""
    loose_hits: tuple[int, ...]
    """Those in the home board on which it hits and stays alone."""
    contact: bool
    """Whether the sides can still hit each other after it."""
    ends_game: bool
    sides: tuple[Side, Side]
    """After the play: who has played, and the opponent. Shots are those of the opponent's next roll."""
    race: Race
    """After the play."""
    new_points: int
    """Of 36 rolls of its own next turn, those that can make a useful point if the opponent's turn changes nothing:
    on points 1 to 7 or 18 to 24."""
    unsafe: int | None
    """Of those, the rolls after which every play leaves a shot; None if the side has checkers back, or no contact."""
    best_reply: Reply | None
    """The opponent's best roll; None if replies were not looked at, or the game is over."""
    worst_reply: Reply | None
    bad_rolls: int | None
    """Of the opponent's 36 rolls, those that leave less by `BAD` than the mean roll after the first of the plays."""

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it; the plies of what was rolled out are None."""
        found: dict[str, Any] = plain(asdict(self))
        return {**found, "plies": None if self.plies == ROLLED else self.plies}


def candidates_of(position: Position, ranked: RankedPlays) -> list[Candidate]:
    """The plays of one position with dice as an analyst ranks them, the best first."""
    plays = ranked.plays
    return [
        Candidate(
            play=format_play(position.board, plays.steps[number]),
            after=flip(plays.successors[number]),
            equity=float(ranked.equities[number]),
            chances=tuple(float(chance) for chance in ranked.outcomes[number]),
            plies=int(ranked.plies[number]),
        )
        for number in ranked.order
    ]


def facts_of_plays(
    position: Position, candidates: Sequence[Candidate], best: Candidate, names: Sequence[str], analyst: Analyst | None
) -> tuple[list[PlayFacts], float | None]:
    """The facts of some plays of a position, and the equity below which a reply is bad.

    Without an analyst the replies are left out. `names` of the five chances.
    """
    boards = np.stack([one.after for one in candidates])
    sides = sides_of(boards)
    going_on = [not result(board) for board in boards]
    new_points = [0] * len(boards)
    if any(going_on):
        counts = iter(Reach(boards[np.array(going_on)]).new_points())
        new_points = [next(counts) if on else 0 for on in going_on]
    replies = _replies(analyst, position, boards, going_on)
    first = replies[0]
    bad = None if first is None else float(ROLL_WEIGHTS @ first) - BAD
    found = [
        _facts(position.board, one, best, names, sides[number], new_points[number], replies[number], bad)
        for number, one in enumerate(candidates)
    ]
    return found, bad


def _facts(
    before: Board,
    one: Candidate,
    best: Candidate,
    names: Sequence[str],
    sides: tuple[Side, Side],
    new_points: int,
    replies: NDArray[np.float64] | None,
    bad: float | None,
) -> PlayFacts:
    after = one.after
    side = sides[0]
    contact = has_contact(after)
    hits = tuple(point for point in range(24, 0, -1) if before[point] == -1 and after[point] >= 0)
    home_blots = tuple(point for point in range(HOME, 0, -1) if after[point] == 1)
    back = int(np.maximum(before[19:], 0).sum())
    return PlayFacts(
        play=one.play,
        equity=one.equity,
        loss=max(best.equity - one.equity, 0.0),
        chances=dict(zip(names, one.chances, strict=True)),
        plies=one.plies,
        hits=hits,
        made=tuple(point for point in range(24, 0, -1) if after[point] >= POINT > before[point]),
        broken=tuple(point for point in range(24, 0, -1) if before[point] >= POINT > after[point]),
        cleared=tuple(
            point
            for point in range(24, 0, -1)
            if before[point] >= POINT and not (after[min(point, THEIR_HOME) :] > 0).any()
        ),
        borne_off=side.off - int(borne_off(before)),
        moved_back=back - side.back,
        home_blots=home_blots,
        loose_hits=tuple(point for point in hits if point in home_blots),
        contact=contact,
        ends_game=bool(result(after)),
        sides=sides,
        race=race_of(after),
        new_points=new_points,
        unsafe=unsafe_rolls(after) if contact and not side.back and not result(after) else None,
        best_reply=_reply(replies, int(replies.argmin())) if replies is not None else None,
        worst_reply=_reply(replies, int(replies.argmax())) if replies is not None else None,
        bad_rolls=None if replies is None or bad is None else int(WEIGHTS @ (replies < bad)),
    )


def _replies(
    analyst: Analyst | None, position: Position, boards: Board, going_on: Sequence[bool]
) -> list[NDArray[np.float64] | None]:
    """What the opponent's 21 rolls leave after each play that does not end the game: float64[21]."""
    if analyst is None or not any(going_on):
        return [None] * len(boards)
    cube, score, limit = position.cube.flipped(), position.score.flipped(), position.cube_limit
    asked = [
        Position(flip(board), dice, cube, score, cube_limit=limit)
        for board, on in zip(boards, going_on, strict=True)
        if on
        for dice in ROLLS
    ]
    ranked = analyst.at_once().rank(asked)
    equities = iter(-ranked.equities[ranked.order[ranked.plays.offsets[:-1]]].reshape(-1, len(ROLLS)))
    return [next(equities) if on else None for on in going_on]


def _reply(left: NDArray[np.float64], roll: int) -> Reply:
    return Reply(f"{ROLLS[roll][0]}-{ROLLS[roll][1]}", float(left[roll]))
