"""Why to double or not, and to take or not, and what was wrong with what was done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from bgai.coach.market_rolls import HALF, REPLIES, SEQUENCES, Market, RollMarket
from bgai.coach.persons import Person
from bgai.coach.play_context import MONEY_GAMMON
from bgai.coach.position_words import Names
from bgai.coach.reasons import Reason, counted, listed, reason
from bgai.cube_decision import CubeDecision
from bgai.errors import InputError

Done = Literal["no double", "double", "take", "pass", "beaver"]
"""What somebody did: the player on roll, or the opponent after a double."""

SPOKEN = 0.005
"""Equity from which on a loss is explained."""

_EVEN = 0.5
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


@dataclass(frozen=True)
class CubeContext:
    """What is told of a decision besides its values."""

    names: Names
    dead: bool = False
    """Whether a double is allowed but gains nothing, as winning with the cube as it stands wins the match."""
    last: bool = False
    """Whether the opponent gains nothing by the cube once it is taken."""
    lost_anyway: bool = False
    """Whether losing this game loses the match, doubled or not."""

    @property
    def words(self) -> dict[str, str]:
        """The names, for templates."""
        return {"own": Person(self.names[0]), "other": Person(self.names[1])}


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


def cube_reasons(context: CubeContext, decision: CubeDecision, market: Market | None) -> list[Reason]:
    """What speaks for the proper action and answer."""
    words = context.words
    win, gammon, _, lost_gammon, _ = (float(chance) for chance in decision.outcomes)
    found = [
        reason(
            "chances",
            "{own:wins} {win:.1%} of the games, {gammon:.1%} with a gammon; {other:wins} {lose:.1%}, {lost:.1%} with a"
            " gammon.",
            words=words,
            win=win,
            gammon=gammon,
            lose=1 - win,
            lost=lost_gammon,
        )
    ]
    if context.dead:
        text = "The cube is dead for {own}: a win with it as it stands wins the match, so a double gains nothing."
        return [*found, reason("dead-cube", text, words=words)]
    if not decision.may_double:
        return [*found, reason("no-cube", "There is nothing to decide: {why}.", words={"why": decision.why})]
    found += _take_point(decision, words)
    if context.lost_anyway:
        found.append(reason("lost-anyway", "{own:loses} the match with this game, doubled or not.", words=words))
    elif context.last:
        found.append(reason("last-cube", "After a take the cube is worth nothing to {other}.", words=words))
    if decision.answer == "pass":
        found.append(reason("market-lost", "The market is lost: {other:has} a pass already.", words=words))
    elif market is not None:
        found += _market(market, words)
    if market is not None:
        found.append(_extremes(market))
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
            "{other:needs} {need:.1%} to take and {other:~has} {has:.1%}, which is {which}.",
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
    if not market.losing:
        return [reason("market-losers", "No sequence of two rolls loses the market.")]
    found = [
        reason(
            "market-losers",
            "{losing} of {all} sequences of two rolls {lose} the market ({share:.1%}).",
            words={"lose": counted(market.losing, "loses", "lose")},
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
                "{rolls} {lose} it whatever {other:rolls}.",
                words={**words, "lose": counted(len(always), "loses", "lose")},
                rolls=_rolls(always, market.always),
            )
        )
    if mostly:
        found.append(
            reason(
                "market-losing-replies",
                "{rolls} {lose} it with at least {half} of {other:'s} {all} replies.",
                words={**words, "lose": counted(len(mostly), "loses", "lose")},
                rolls=_rolls(mostly, market.mostly),
                half=HALF,
                all=REPLIES,
            )
        )
    return found


def _extremes(market: Market) -> Reason:
    best, worst = market.rolls[0], market.rolls[-1]
    return reason(
        "rolls",
        "The best roll is {best} ({high:+.3f}), the worst {worst} ({low:+.3f}).",
        best=best.dice,
        high=best.equity,
        worst=worst.dice,
        low=worst.equity,
    )


def _rolls(rolls: Sequence[RollMarket], weight: int) -> str:
    """Some rolls by name, or how many of 36 they are."""
    if len(rolls) > _NAMED:
        return f"{weight} of {REPLIES} rolls"
    return listed([roll.dice for roll in rolls])


def cube_mistakes(context: CubeContext, decision: CubeDecision, market: Market | None, done: Done) -> list[Reason]:
    """What was wrong with what was done; empty if it loses less than `SPOKEN`."""
    loss = loss_of(decision, done)
    if loss < SPOKEN:
        return []
    words = context.words
    gammon = float(decision.outcomes[1])
    if done == "pass":
        return [_wrong_answer("passed-a-take", "{other} passed a take", decision, words)]
    if done == "beaver":
        return [reason("wrong-beaver", "{other} beavered although {own:gains} by it.", words=words)]
    if done == "take":
        if decision.answer == "beaver":
            return [reason("missed-beaver", "{other} missed a beaver.", words=words)]
        return [
            _wrong_answer("took-a-pass", "{other} took a pass", decision, words),
            *_many_gammons(gammon, words),
        ]
    if done == "double":
        if context.dead:
            text = "{own} doubled a dead cube: only {other} can win more by it."
            return [reason("doubled-dead-cube", text, words=words)]
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
                "{own} did not cash: {other:has} a pass, and playing on is worth only {no_double:+.3f}.",
                words=words,
                no_double=decision.no_double,
            )
        ]
    return [_too_late(context, market)]


def _wrong_answer(id: str, said: str, decision: CubeDecision, words: dict[str, str]) -> Reason:
    """`said` of an answer, and the chances that it needs, if these are known."""
    has = 1 - float(decision.outcomes[0])
    if decision.take_point is None:
        return reason(id, f"{said}, with chances of {{has:.1%}}.", words=words, has=has)
    text = f"{said}: {{has:.1%}} chances where {{need:.1%}} are needed."
    return reason(id, text, words=words, has=has, need=decision.take_point)


def _many_gammons(gammon: float, words: dict[str, str]) -> list[Reason]:
    if gammon < _GOOD_GAMMONS:
        return []
    return [reason("took-gammons", "{own:wins} a gammon in {gammon:.1%} of the games.", words=words, gammon=gammon)]


def _too_early(decision: CubeDecision, market: Market | None, words: dict[str, str]) -> Reason:
    if decision.answer == "beaver":
        return reason("doubled-into-beaver", "{own} doubled too early: {other} should beaver.", words=words)
    win = float(decision.outcomes[0])
    if win < _EVEN:
        text = "{own} doubled with the worse chances: {own:wins} {win:.1%} of the games."
        return reason("doubled-too-early", text, words=words, win=win)
    if market is None:
        return reason("doubled-too-early", "{own} doubled too early.", words=words)
    if not market.losing:
        text = "{own} doubled too early: no sequence of two rolls loses the market."
        return reason("doubled-too-early", text, words=words)
    little = ", so that waiting costs little" if market.share <= _FEW_LOSERS else ""
    return reason(
        "doubled-too-early",
        "{own} doubled too early: {losing} of {all} sequences {lose} the market{little}.",
        words={**words, "little": little, "lose": counted(market.losing, "loses", "lose")},
        losing=market.losing,
        all=SEQUENCES,
    )


def _too_late(context: CubeContext, market: Market | None) -> Reason:
    words = context.words
    if context.lost_anyway:
        text = "{own} missed a double: this game decides the match for {own}, doubled or not."
        return reason("missed-double", text, words=words)
    if context.last:
        text = "{own} missed a double: after a take the cube is worth nothing to {other}."
        return reason("missed-double", text, words=words)
    if market is None:
        return reason("missed-double", "{own} missed a double.", words=words)
    return reason(
        "missed-double",
        "{own} missed a double: {losing} of {all} sequences {lose} the market.",
        words={**words, "lose": counted(market.losing, "loses", "lose")},
        losing=market.losing,
        all=SEQUENCES,
    )
