"""Which actions with the cube the rules allow, and what turning a dead cube costs."""

from __future__ import annotations

from dataclasses import replace

from bgai.analyst import Analyst
from bgai.coach.cube_words import CubeContext, Done
from bgai.coach.position_words import Names
from bgai.cube_decision import CubeDecision, decide_cube
from bgai.dice import ROLL_WEIGHTS, ROLLS
from bgai.errors import InputError
from bgai.position import Cube, Position
from bgai.stakes import Stakes


def check_done(analyst: Analyst, position: Position, done: Done) -> None:
    """Refuses what the rules do not allow.

    Raises:
        InputError: a double or its answer where nobody may double, a beaver that is not allowed, or a decision about
            doubling while a double waits.
    """
    if position.offer is not None and done in ("no double", "double"):
        raise InputError(f"a double waits for its answer, expected take, pass or beaver, found {done!r}")
    why = None if done == "no double" else _forbidden(analyst, position, done)
    if why is not None:
        raise InputError(f"expected an action that the rules allow, found {done!r}: {why}")


def _forbidden(analyst: Analyst, position: Position, done: Done) -> str | None:
    stakes = _stakes(analyst, position)
    if not stakes.may_double:
        return decide_cube(analyst.at_once(), position, look_ahead=False).why
    if done != "beaver":
        return None
    if not stakes.beavers:
        return "beavers are for money play alone" if stakes.match else "beavers are not agreed"
    if 4 * position.cube.value > position.cube_limit:
        return f"the cube ends at {position.cube_limit}"
    return None


def context_of(analyst: Analyst, position: Position, names: Names) -> CubeContext:
    """What the stakes of a position say of a double."""
    stakes = _stakes(analyst, position)
    turned = stakes.match and len(stakes.win) > 1
    return CubeContext(
        names,
        dead=stakes.may_double and not bool(stakes.usable[0, 0]),
        last=turned and not bool(stakes.usable[1, 1]),
        lost_anyway=turned and bool(stakes.lose[1, 0] >= stakes.lose[0, 0]),
    )


def look_past_the_roll(analyst: Analyst, position: Position, decision: CubeDecision) -> CubeDecision:
    """The decision about a dead cube from the 21 rolls, both ways, each played at 0-ply.

    A cube that is dead for one side alone is soon turned by the other, mostly right after the roll. The value of a
    position before that roll hides this; the values after it do not.
    """
    stakes = _stakes(analyst, position)
    doubled = Cube(2 * position.cube.value, "opponent")
    before = replace(position, offer=None)
    asked = [replace(before, dice=roll, cube=cube) for cube in (position.cube, doubled) for roll in ROLLS]
    ranked = analyst.at_once().rank(asked)
    chances = ranked.mwc[ranked.order[ranked.plays.offsets[:-1]]].reshape(2, len(ROLLS))
    no_double, double_take = ((chances @ ROLL_WEIGHTS - stakes.centre) / stakes.half).tolist()
    mwc = None if decision.mwc is None else decision.mwc | _chances(stakes, no_double, double_take)
    return replace(decision, no_double=no_double, double_take=double_take, mwc=mwc)


def _chances(stakes: Stakes, no_double: float, double_take: float) -> dict[str, float]:
    return {
        name: float(stakes.centre + stakes.half * value)
        for name, value in (("no_double", no_double), ("double_take", double_take))
    }


def _stakes(analyst: Analyst, position: Position) -> Stakes:
    return analyst.stakes(position.cube, position.score, position.cube_limit)
