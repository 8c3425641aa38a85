"""Cube decisions in words: the proper action and answer, and why."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from bgai.analyst import Analyst
from bgai.board import result
from bgai.cube import CubeModel
from bgai.dice import ROLL_WEIGHTS, ROLLS
from bgai.errors import PositionError
from bgai.outcomes import Outcomes
from bgai.phase import phases
from bgai.position import Position
from bgai.stakes import Stakes

Action = Literal["no double", "double", "too good", "no redouble", "redouble", "too good to redouble"]
Answer = Literal["take", "pass", "beaver"]


@dataclass(frozen=True)
class CubeDecision:
    """What to do with the cube before the roll, in equities of the present cube."""

    action: Action
    """The proper action of the player on roll."""
    answer: Answer
    """The proper answer if it doubles."""
    no_double: float
    double_take: float
    """Taken, or beavered where that is the proper answer."""
    double_pass: float
    may_double: bool
    """Whether doubling is allowed and of any use."""
    why: str
    """In one line."""
    outcomes: Outcomes
    """float32[5]: the chances behind it."""
    cubeless: float
    take_point: float | None
    """Winning chance the opponent needs to take, with the gammons of this position; None if nobody may double."""
    gammon_price: float | None
    """What a gammon adds for the doubler after a take, as a share of the difference between winning and losing."""
    market_losers: float | None
    """Share of the next two rolls after which the opponent would pass; None if nobody may double."""
    mwc: dict[str, float] | None
    """The three equities as chances to win the match; None for money."""

    def loss(self, *, doubled: bool) -> float:
        """Equity that the player on roll gives up by doubling or not, >= 0; the answer is taken to be right."""
        double = min(self.double_take, self.double_pass)
        return max(self.no_double, double) - (double if doubled else self.no_double)

    def answer_loss(self, *, taken: bool) -> float:
        """Equity that the opponent gives up by taking or passing, >= 0."""
        right = min(self.double_take, self.double_pass)
        return (self.double_take if taken else self.double_pass) - right


@dataclass(frozen=True)
class CubeAction:
    """The proper action and answer alone, without the reasons; equities as in `CubeDecision`."""

    action: Action
    answer: Answer
    no_double: float
    double_take: float
    may_double: bool
    """Whether doubling is allowed and of any use."""


def cube_action(analyst: Analyst, position: Position) -> CubeAction:
    """What `decide_cube` says is proper, at a small part of its work: no roll is looked at.

    Raises:
        PositionError: as `decide_cube`.
    """
    return _judge(analyst, position)[0]


def decide_cube(analyst: Analyst, position: Position) -> CubeDecision:
    """The proper cube action of the player on roll, or, while a double waits, the proper answer to it.

    Raises:
        PositionError: the dice are rolled already, a resignation waits, or the game is over.
    """
    judged, stakes, outcomes = _judge(analyst, position)
    no_double, double_take, useful = judged.no_double, judged.double_take, judged.may_double
    decision = CubeDecision(
        action=judged.action,
        answer=judged.answer,
        no_double=no_double,
        double_take=double_take,
        double_pass=1.0,
        may_double=useful,
        why="",
        outcomes=outcomes,
        cubeless=float(stakes.dead(outcomes[None])[0]),
        take_point=_take_point(analyst, position, stakes, outcomes) if useful else None,
        gammon_price=_gammon_price(stakes) if useful else None,
        market_losers=_market_losers(analyst, position) if useful else None,
        mwc=_as_mwc(stakes, no_double, double_take) if position.score.length else None,
    )
    return replace(decision, why=_why(position, decision, stakes))


def _judge(analyst: Analyst, position: Position) -> tuple[CubeAction, Stakes, Outcomes]:
    if position.dice is not None:
        raise PositionError(
            f"the dice are rolled ({position.dice[0]}{position.dice[1]}): the cube is turned before the roll"
        )
    if position.offer not in (None, "double"):
        raise PositionError(
            f"a {position.offer} waits for an answer, expected a position before a double or its answer"
        )
    if result(position.board):
        raise PositionError("the game is over, expected a position before the roll")
    values, stakes, outcomes = analyst.cube_values(position)
    no_double, double_take = float(values.no_double[0]), float(values.double_take[0])
    useful = stakes.may_double and len(stakes.win) > 1 and bool(stakes.usable[0, 0])
    beaver = bool(values.beaver[0])
    answer: Answer = "beaver" if beaver else "take" if double_take <= 1 else "pass"
    action = _action(position, no_double, double_take, useful)
    return CubeAction(action, answer, no_double, double_take, useful), stakes, outcomes


def _action(position: Position, no_double: float, double_take: float, useful: bool) -> Action:
    owned = position.cube.owner != "centred"
    if useful and min(double_take, 1.0) > no_double:
        return "redouble" if owned else "double"
    if useful and no_double >= 1 and double_take >= 1:
        return "too good to redouble" if owned else "too good"
    return "no redouble" if owned else "no double"


def _take_point(analyst: Analyst, position: Position, stakes: Stakes, outcomes: Outcomes) -> float:
    """By bisection: the worth of a take rises with the doubler's winning chance, all gammons in proportion."""
    model = CubeModel.of(outcomes[None], stakes)
    efficiency = analyst.efficiency[phases(position.board[None])]
    low, high = 0.0, 1.0
    for _ in range(40):
        middle = (low + high) / 2
        taken = replace(model, chance=np.array([middle])).equity(1, "opponent", efficiency)
        low, high = (middle, high) if taken[0] < 1 else (low, middle)
    return 1 - low


def _gammon_price(stakes: Stakes) -> float:
    single, gammon = stakes.win[1, 0], stakes.win[1, 1]
    return float((gammon - single) / (single - stakes.lose[1, 0]))


def _market_losers(analyst: Analyst, position: Position) -> float:
    """Weight of the pairs of rolls, played at 0-ply by both, after which a double would be passed, or the game won."""
    before = [replace(position, dice=roll) for roll in ROLLS]
    ranked = analyst.rank(before)
    mine = ranked.plays.successors[ranked.order[ranked.plays.offsets[:-1]]]
    lost = 0.0
    for weight, board in zip(ROLL_WEIGHTS, mine, strict=True):
        if result(board):
            lost += float(weight)
            continue
        replies = analyst.rank(
            [
                Position(board=board, dice=roll, cube=position.cube.flipped(), score=position.score.flipped())
                for roll in ROLLS
            ]
        )
        after = replies.plays.successors[replies.order[replies.plays.offsets[:-1]]]
        for reply_weight, later in zip(ROLL_WEIGHTS, after, strict=True):
            if result(later):
                continue
            values, _, _ = analyst.cube_values(replace(position, board=later))
            lost += float(weight * reply_weight) * bool(values.double_take[0] > 1)
    return lost


def _as_mwc(stakes: Stakes, no_double: float, double_take: float) -> dict[str, float]:
    return {
        name: float(stakes.centre + stakes.half * value)
        for name, value in (("no_double", no_double), ("double_take", double_take), ("double_pass", 1.0))
    }


def _why(position: Position, decision: CubeDecision, stakes: Stakes) -> str:
    if position.score.crawford:
        return "nobody may double in the Crawford game"
    if not stakes.may_double:
        return "the opponent owns the cube" if position.cube.owner == "opponent" else "the cube is at its limit"
    if not decision.may_double:
        return "the cube is dead: winning with it as it stands wins the match already"
    assert decision.take_point is not None
    assert decision.market_losers is not None
    chance = 1 - float(decision.outcomes[0])
    need = f"the opponent needs {decision.take_point:.1%} to take and has {chance:.1%}"
    losers = f"{decision.market_losers:.0%} of the next two rolls lose the market"
    if decision.action.startswith("too good"):
        return f"playing on for the gammon is worth more than the {decision.double_pass:+.3f} of a pass; {need}"
    if decision.action in ("double", "redouble"):
        return f"{need}; {losers}"
    if decision.answer == "beaver":
        return f"the opponent would be the favourite with the cube; {losers}"
    return f"waiting gives up nothing: {losers}; {need}"
