"""Cube decisions in words: the proper action and answer, and why."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from bgai.analyst import Analyst
from bgai.board import result
from bgai.errors import PositionError
from bgai.market import gammon_price, market_losers, take_point
from bgai.opinions import CubeOpinion
from bgai.outcomes import Outcomes
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
    """Chance to win that the opponent needs to take, with the gammons of this position; None if nobody may double."""
    gammon_price: float | None
    """What a gammon adds for the doubler after a take, as a share of the difference between winning and losing."""
    market_losers: float | None
    """Share of the next two rolls after which the opponent would pass; None if nobody may double, or not looked at."""
    mwc: dict[str, float] | None
    """The three equities as chances to win the match; None for money."""
    plies: int = 0
    """How far was looked ahead, in gnubg's count; `bgai.ROLLED` if it was rolled out. The take point and the
    market losers come from the network and the cube model alone."""

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
    plies: int = 0
    """How far was looked ahead, as in `CubeDecision`."""


def cube_action(analyst: Analyst, position: Position) -> CubeAction:
    """What `decide_cube` says is proper, at a small part of its work: no roll is looked at.

    Raises:
        PositionError: as `decide_cube`.
    """
    return _judge(analyst, position)[0]


def decide_cube(analyst: Analyst, position: Position, *, look_ahead: bool = True) -> CubeDecision:
    """The proper cube action of the player on roll, or, while a double waits, the proper answer to it.

    Without `look_ahead` the market losers are left out, which take more time than all the rest.

    Raises:
        PositionError: the dice are rolled already, a resignation waits, or the game is over.
    """
    judged, found = _judge(analyst, position)
    stakes, outcomes = found.stakes, found.outcomes
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
        take_point=take_point(analyst, position, stakes, outcomes) if useful else None,
        gammon_price=gammon_price(stakes) if useful else None,
        market_losers=market_losers(analyst, position) if useful and look_ahead else None,
        mwc=_as_mwc(stakes, no_double, double_take) if stakes.match else None,
        plies=found.plies,
    )
    return replace(decision, why=_why(position, decision, stakes))


def check_cube_question(position: Position) -> None:
    """Refuses positions in which there is nothing to decide about the cube.

    Raises:
        PositionError: the dice are rolled already, a resignation or a beaver waits, or the game is over.
    """
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


def _judge(analyst: Analyst, position: Position) -> tuple[CubeAction, CubeOpinion]:
    check_cube_question(position)
    found = analyst.cube_opinion(position)
    values, stakes = found.values, found.stakes
    no_double, double_take = float(values.no_double[0]), float(values.double_take[0])
    useful = stakes.may_double and len(stakes.win) > 1 and bool(stakes.usable[0, 0])
    action = proper_action(no_double, double_take, owned=position.cube.owner != "centred", useful=useful)
    answer = proper_answer(double_take, beaver=bool(values.beaver[0]))
    return CubeAction(action, answer, no_double, double_take, useful, found.plies), found


def proper_answer(double_take: float, *, beaver: bool = False) -> Answer:
    """What the opponent should say to a double; `beaver` if that is allowed and right."""
    return "beaver" if beaver else "take" if double_take <= 1 else "pass"


def proper_action(no_double: float, double_take: float, *, owned: bool, useful: bool = True) -> Action:
    """What equities of the present cube amount to, with a cube that is `owned` or in the middle.

    A double has to gain something. Where waiting is worth as much as the pass that a double brings, it is too good.
    `useful` says whether doubling is allowed and of any use.
    """
    if useful and min(double_take, 1.0) > no_double:
        return "redouble" if owned else "double"
    if useful and no_double >= 1 and double_take >= 1:
        return "too good to redouble" if owned else "too good"
    return "no redouble" if owned else "no double"


def _as_mwc(stakes: Stakes, no_double: float, double_take: float) -> dict[str, float]:
    return {
        name: float(stakes.centre + stakes.half * value)
        for name, value in (("no_double", no_double), ("double_take", double_take), ("double_pass", 1.0))
    }


def _why(position: Position, decision: CubeDecision, stakes: Stakes) -> str:
    if not decision.may_double:
        return _why_not(position)
    assert decision.take_point is not None
    chance = 1 - float(decision.outcomes[0])
    need = (
        f"the opponent needs {decision.take_point:.1%} to take and has {chance:.1%},"
        f" gammon price {decision.gammon_price:.2f}"
    )
    losers = ""
    if decision.market_losers is not None:
        losers = f"{decision.market_losers:.0%} of the next two rolls lose the market"
    if decision.action.startswith("too good"):
        return f"playing on for the gammon is worth more than the {decision.double_pass:+.3f} of a pass; {need}"
    if decision.action in ("double", "redouble"):
        parts = [need, losers]
        if stakes.lose[1, 0] >= stakes.lose[0, 0]:
            parts.insert(0, "losing this game loses the match anyway")
    elif decision.answer == "beaver":
        parts = ["the opponent would be the favourite with the cube", losers]
    else:
        gained = decision.no_double - min(decision.double_take, decision.double_pass)
        parts = [f"doubling gives up {gained:.3f}", losers, need]
    return "; ".join(filter(None, parts))


def _why_not(position: Position) -> str:
    """Why nobody may double, or gains by it."""
    if position.score.crawford:
        return "nobody may double in the Crawford game"
    if position.cube.owner == "opponent":
        return "the opponent owns the cube"
    if position.cube.value >= position.cube_limit:
        return "the cube is at its limit" if position.cube_limit > 1 else "there is no cube in this game"
    return "the cube is dead: winning with it as it stands wins the match already"
