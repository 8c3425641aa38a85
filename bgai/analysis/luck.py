"""What the dice brought, without looking ahead, as gnubg counts it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from bgai.analysis.decision import Luck
from bgai.analysis.questions import Moment
from bgai.analyst import Analyst
from bgai.board import flip
from bgai.dice import ROLLS
from bgai.events import Roll, StartGame
from bgai.match_state import position
from bgai.position import Position

_ROLLS = [(int(high), int(low)) for high, low in ROLLS]
_OPENINGS = [dice for dice in _ROLLS if dice[0] != dice[1]]


def luck_of(analyst: Analyst, rolls: Sequence[Moment]) -> list[Luck]:
    """The luck of some rolls.

    A roll is worth what the best play of it is worth. Of all 21 rolls, each as likely as it is, this makes a mean that
    is taken away, so that the luck of a roll is 0 on average. At the beginning of a game either player may win the
    opening roll, so the mean is over the 15 rolls of each, as in gnubg.
    """
    network = analyst.at_once()
    asked: list[Position] = []
    counts: list[int] = []
    for moment in rolls:
        seen = _before(moment)
        if isinstance(moment.event, StartGame):
            other = replace(
                seen, board=flip(seen.board), cube=seen.cube.flipped(), score=seen.score.flipped(), seat=1 - seen.seat
            )
            these = [replace(side, dice=dice) for side in (seen, other) for dice in _OPENINGS]
        else:
            these = [replace(seen, dice=dice) for dice in _ROLLS]
        asked += these
        counts.append(len(these))
    if not asked:
        return []
    ranked = network.rank(asked)
    best = ranked.equities[ranked.order[ranked.plays.offsets[:-1]]]
    parts = np.split(best, np.cumsum(counts)[:-1])
    return [_luck(network, moment, part) for moment, part in zip(rolls, parts, strict=True)]


def _before(moment: Moment) -> Position:
    """The position that is rolled in, seen by who rolls."""
    return replace(position(moment.after), dice=None)


def _luck(analyst: Analyst, moment: Moment, best: np.ndarray[tuple[int], np.dtype[np.float64]]) -> Luck:
    event = moment.event
    assert isinstance(event, Roll | StartGame)
    dice = (max(event.dice), min(event.dice))
    if isinstance(event, StartGame):
        mine = best[: len(_OPENINGS)]
        got = mine[_OPENINGS.index(dice)]
        mean = (mine.mean() - best[len(_OPENINGS) :].mean()) / 2
    else:
        weights = [1 if high == low else 2 for high, low in _ROLLS]
        got = best[_ROLLS.index(dice)]
        mean = np.average(best, weights=weights)
    seen = _before(moment)
    stakes = analyst.stakes(seen.cube, seen.score, seen.cube_limit)
    equity = float(got - mean)
    mwc = stakes.half * equity if stakes.match else None
    return Luck(moment.game, moment.index, event.seat, dice, equity, equity * seen.cube.value, mwc, moment.after.turn)
