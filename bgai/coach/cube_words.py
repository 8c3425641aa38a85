"""Why to double or not, and to take or not, and what was wrong with what was done."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from bgai.coach.market_rolls import HALF, REPLIES, SEQUENCES, Market, RollMarket
from bgai.coach.play_context import MONEY_GAMMON
from bgai.coach.position_words import Names
from bgai.coach.reasons import Reason, counted, listed, reason
from bgai.cube_decision import CubeDecision
from bgai.errors import InputError

Done = Literal["no double", "double", "take", "pass", "beaver"]
"""What somebody did: the player on roll, or the opponent after a double."""

SPOKEN = 0.005
"""Equity from which on a loss is explained."""

_GOOD_GAMMONS = 0.20
_FEW_LOSERS = 0.20
"""Share of market losers up to which waiting is said to cost little."""
_NAMED = 7
"""Rolls that are named one by one, at most."""

_DONE: dict[str, Done] = {
    "no double": "no double",
    "no redouble": "no double",
    "roll": "no double",
    "double": "double",
    "redouble": "double",
    "take": "take",
    "accept": "take",
    "pass": "pass",
    "drop": "pass",
    "beaver": "beaver",
}


def read_done(text: str) -> Done:
    """What was done, as people and files write it.

    Raises:
        InputError: nothing that can be done with a cube.
    """
    found = _DONE.get(text.strip().lower())
    if found is None:
        raise InputError(f"expected one of {', '.join(_DONE)}, found {text!r}")
    return found


def loss_of(decision: CubeDecision, done: Done) -> float:
    """Equity that whoever decided gives up, >= 0, per unit of the cube before the double.

    Where the opponent should beaver, `double_take` is that of the beaver, so a mere take is worth half of it. A beaver
    that is wrong doubles what a take is worth.
    """
    if done in ("no double", "double"):
        return max(decision.loss(doubled=done == "double"), 0.0)
    right = min(decision.double_take, decision.double_pass)
    if done == "pass":
        return max(decision.answer_loss(taken=False), 0.0)
    if decision.answer == "beaver":
        worth = decision.double_take if done == "beaver" else decision.double_take / 2
    else:
        worth = 2 * decision.double_take if done == "beaver" else decision.double_take
    return max(worth - right, 0.0)


def cube_reasons(decision: CubeDecision, market: Market | None, names: Names) -> list[Reason]:
    """What speaks for the proper action and answer."""
    words = {"own": names[0], "other": names[1]}
    win, gammon, _, lost_gammon, _ = (float(chance) for chance in decision.outcomes)
    found = [
        reason(
            "chances",
            "{own} wins {win:.1%} of the games, {gammon:.1%} with a gammon; {other} wins {lose:.1%}, {lost:.1%} with a"
            " gammon.",
            words=words,
            win=win,
            gammon=gammon,
            lose=1 - win,
            lost=lost_gammon,
        )
    ]
    if not decision.may_double:
        return [*found, reason("no-cube", "There is nothing to decide: {why}.", words={"why": decision.why})]
    found += _take_point(decision, words)
    if market is not None:
        found += _market(market, words)
    if decision.action.startswith("too good"):
        found.append(
            reason(
                "too-good",
                "Playing on is worth {no_double:+.3f}, more than the {double_pass:+.3f} of a pass.",
                no_double=decision.no_double,
                double_pass=decision.double_pass,
            )
        )
    return found


def _take_point(decision: CubeDecision, words: dict[str, str]) -> list[Reason]:
    assert decision.take_point is not None
    assert decision.gammon_price is not None
    chance = 1 - float(decision.outcomes[0])
    which = "enough" if decision.answer != "pass" else "not enough"
    found = [
        reason(
            "take-point",
            "{other} needs {need:.1%} to take and has {has:.1%}, which is {which}.",
            words={**words, "which": which},
            need=decision.take_point,
            has=chance,
        )
    ]
    if decision.mwc is not None:
        found.append(
            reason(
                "gammon-price",
                "After a take a gammon adds {price:.2f} for {own} ({money:.2f} for money).",
                words=words,
                price=decision.gammon_price,
                money=MONEY_GAMMON,
            )
        )
    return found


def _market(market: Market, words: dict[str, str]) -> list[Reason]:
    found = [
        reason(
            "market-losers",
            "{losing} of {all} sequences of two rolls lose the market ({share:.1%}).",
            losing=market.losing,
            all=SEQUENCES,
            share=market.share,
        )
    ]
    always, mostly = market.groups
    if always:
        found.append(
            reason(
                "market-losing-rolls",
                "{rolls} {lose} it whatever {other} rolls.",
                words={**words, "lose": counted(len(always), "loses", "lose")},
                rolls=_rolls(always, market.always),
            )
        )
    if mostly:
        found.append(
            reason(
                "market-losing-replies",
                "{rolls} {lose} it with at least {half} of {other}'s {all} replies.",
                words={**words, "lose": counted(len(mostly), "loses", "lose")},
                rolls=_rolls(mostly, market.mostly),
                half=HALF,
                all=REPLIES,
            )
        )
    best, worst = market.rolls[0], market.rolls[-1]
    found.append(
        reason(
            "rolls",
            "The best roll is {best} ({high:+.3f}), the worst {worst} ({low:+.3f}).",
            best=best.dice,
            high=best.equity,
            worst=worst.dice,
            low=worst.equity,
        )
    )
    return found


def _rolls(rolls: Sequence[RollMarket], weight: int) -> str:
    """Some rolls by name, or how many of 36 they are."""
    if len(rolls) > _NAMED:
        return f"{weight} of {REPLIES} rolls"
    return listed([roll.dice for roll in rolls])


def cube_mistakes(decision: CubeDecision, market: Market | None, done: Done, names: Names) -> list[Reason]:
    """What was wrong with what was done; empty if it loses less than `SPOKEN`."""
    loss = loss_of(decision, done)
    if loss < SPOKEN:
        return []
    words = {"own": names[0], "other": names[1]}
    win, gammon = float(decision.outcomes[0]), float(decision.outcomes[1])
    if done == "pass":
        return [
            reason(
                "passed-a-take",
                "{other} passed a take: {has:.1%} chances where {need:.1%} are needed.",
                words=words,
                has=1 - win,
                need=decision.take_point or 0.0,
            )
        ]
    if done == "beaver":
        return [reason("wrong-beaver", "{other} beavered although {own} gains by it.", words=words)]
    if done == "take":
        if decision.answer == "beaver":
            return [reason("missed-beaver", "{other} missed a beaver.", words=words)]
        return [
            reason(
                "took-a-pass",
                "{other} took a pass: {has:.1%} chances where {need:.1%} are needed.",
                words=words,
                has=1 - win,
                need=decision.take_point or 0.0,
            ),
            *_many_gammons(gammon, words),
        ]
    if done == "double":
        if decision.action.startswith("too good"):
            return [
                reason(
                    "doubled-too-good",
                    "{own} doubled out although playing on for the gammon is worth {no_double:+.3f}.",
                    words=words,
                    no_double=decision.no_double,
                )
            ]
        return [_too_early(decision, market, words)]
    if decision.answer == "pass":
        return [
            reason(
                "missed-cash",
                "{own} did not cash: {other} has a pass, and playing on is worth only {no_double:+.3f}.",
                words=words,
                no_double=decision.no_double,
            )
        ]
    return [_too_late(decision, market, words)]


def _many_gammons(gammon: float, words: dict[str, str]) -> list[Reason]:
    if gammon < _GOOD_GAMMONS:
        return []
    return [reason("took-gammons", "{own} wins a gammon in {gammon:.1%} of the games.", words=words, gammon=gammon)]


def _too_early(decision: CubeDecision, market: Market | None, words: dict[str, str]) -> Reason:
    if decision.answer == "beaver":
        return reason("doubled-into-beaver", "{own} doubled too early: {other} may beaver.", words=words)
    if market is None:
        return reason("doubled-too-early", "{own} doubled too early.", words=words)
    little = ", so that waiting costs little" if market.share <= _FEW_LOSERS else ""
    return reason(
        "doubled-too-early",
        "{own} doubled too early: {losing} of {all} sequences lose the market{little}.",
        words={**words, "little": little},
        losing=market.losing,
        all=SEQUENCES,
    )


def _too_late(decision: CubeDecision, market: Market | None, words: dict[str, str]) -> Reason:
    if market is None:
        return reason("missed-double", "{own} missed a double.", words=words)
    return reason(
        "missed-double",
        "{own} missed a double: {losing} of {all} sequences lose the market.",
        words=words,
        losing=market.losing,
        all=SEQUENCES,
    )
