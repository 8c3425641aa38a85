"""Explains a play or a cube action: the facts, why the best is the best, and what was wrong with what was done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

import numpy as np

from bgai.analyst import Analyst
from bgai.board import flip
from bgai.coach.cube_actions import check_done, context_of, look_past_the_roll
from bgai.coach.cube_words import cube_mistakes, cube_reasons, loss_of, read_done
from bgai.coach.market_rolls import HALF, SEQUENCES, Market, market_of
from bgai.coach.play_context import MONEY_GAMMON, PlayContext, gammon_values
from bgai.coach.play_mistakes import play_mistakes
from bgai.coach.play_words import LISTED, next_best, play_reasons, score_reasons
from bgai.coach.plays import Candidate, candidates_of, facts_of_plays
from bgai.coach.position_facts import PositionFacts, describe, plain
from bgai.coach.position_words import ROLLS_IN_ALL, Names, position_words
from bgai.coach.reasons import Reason
from bgai.cube_decision import CubeDecision, check_cube_question, decide_cube
from bgai.diagram.words import NAMES as SIDES
from bgai.errors import InputError, PositionError
from bgai.notation.playtext import format_play, parse_play
from bgai.opinions import ROLLED, RankedPlays
from bgai.outcomes import NAMES
from bgai.plays import Steps, legal_plays
from bgai.position import Position

Known = RankedPlays | Sequence[Candidate]
"""What is known of the plays of a position already: what an analyst said of it alone, or candidates, best first."""


@dataclass(frozen=True)
class Explanation:
    """What the coach says of one decision."""

    kind: Literal["play", "cube"]
    best: str
    """The best play; or the proper action, and the answer to a double behind a comma."""
    done: str | None
    """What was done, if that was told."""
    loss: float | None
    """What it gave up, in equity per unit of the present cube."""
    position: PositionFacts
    about: tuple[Reason, ...]
    """The position in words."""
    reasons: tuple[Reason, ...]
    """Why the best is the best."""
    mistakes: tuple[Reason, ...]
    """What was wrong with what was done; empty if nothing was, or if it cannot be named."""
    facts: dict[str, Any] = field(default_factory=dict)
    """What else is known, as JSON has it: the plays compared, or the cube decision with its market."""

    def text(self) -> str:
        """All sentences, one a line, with the best and what was done before what is said of them."""
        best, done = (
            (f"Best: {self.best}.", f"Played: {self.done}.")
            if self.kind == "play"
            else (f"Right: {self.best}.", f"Done: {self.done}.")
        )
        lines = [one.text for one in self.about]
        lines += [best] * bool(self.best) + [one.text for one in self.reasons]
        lines += [done] * bool(self.done) + [one.text for one in self.mistakes]
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "kind": self.kind,
            "best": self.best,
            "done": self.done,
            "loss": self.loss,
            "position": self.position.to_dict(),
            "about": [one.to_dict() for one in self.about],
            "reasons": [one.to_dict() for one in self.reasons],
            "mistakes": [one.to_dict() for one in self.mistakes],
            "facts": self.facts,
        }


def explain_play(
    analyst: Analyst,
    position: Position,
    played: str | Steps | None = None,
    *,
    known: Known | None = None,
    names: Names = SIDES,
    replies: bool = True,
) -> Explanation:
    """Why the best play of a roll is the best, beside the one that was played, or else the second best; what was wrong
    with the former.

    Args:
        analyst: ranks the plays, unless they are `known`, and looks at the replies, at 0-ply.
        position: with dice.
        played: in notation, or as steps int8[4, 2].
        known: what need not be found out again.
        names: of the player on roll and the opponent; `You` is spoken to.
        replies: whether to look at the opponent's best and worst rolls.

    Raises:
        PositionError: no dice, a double that waits, or a finished game.
        PlayError: `played` is no legal play.
        InputError: it is not among the `known` plays.
    """
    facts = describe(position)
    if position.dice is None:
        raise PositionError("a position without dice has no plays, expected a roll")
    candidates = _candidates(analyst, position, known)
    done = None if played is None else _find(position, candidates, played)
    best = candidates[0]
    second = candidates[1] if len(candidates) > 1 else None
    compared = [best]
    for one in (done, second):
        if one is not None and all(one is not other for other in compared):
            compared.append(one)
    found, bad = facts_of_plays(position, compared, best, NAMES, analyst if replies else None)
    stakes = analyst.stakes(position.cube, position.score, position.cube_limit)
    context = PlayContext(
        facts,
        names,
        stakes.match,
        gammon_values(stakes),
        legal=len(legal_plays(position.board, position.dice)),
        opponent_doubles=position.cube.owner != "on roll" and bool(stakes.usable[0, 1]),
        bad_equity=bad,
    )
    wrong = play_mistakes(context, found[0], found[1]) if done is not None and done is not best else []
    others = found[1:]
    # What was played stands before the second best; what its mistakes say already is not said again.
    said = play_reasons(context, found[0], others[0] if others else None, frozenset(one.id for one in wrong))
    if not found[0].ends_game:
        said += next_best(candidates)
    return Explanation(
        kind="play",
        best=best.play,
        done=None if done is None else done.play,
        loss=None if done is None else max(best.equity - done.equity, 0.0),
        position=facts,
        about=tuple(position_words(facts, names)),
        reasons=(*said, *score_reasons(context)),
        mistakes=tuple(wrong),
        facts={
            "rolls": ROLLS_IN_ALL,
            "money_gammon": MONEY_GAMMON,
            "gammon_values": list(context.gammon_values),
            "plays": [play.to_dict() for play in found],
            "candidates": [_candidate_facts(one, best) for one in candidates[:LISTED]],
            "bad_equity": bad,
        },
    )


def _candidate_facts(one: Candidate, best: Candidate) -> dict[str, Any]:
    return {
        "play": one.play,
        "equity": one.equity,
        "loss": max(best.equity - one.equity, 0.0),
        "plies": None if one.plies == ROLLED else one.plies,
    }


def _candidates(analyst: Analyst, position: Position, known: Known | None) -> Sequence[Candidate]:
    if known is None:
        known = analyst.rank([position])
    if not isinstance(known, RankedPlays):
        if not known:
            raise InputError("expected at least one known play, found none")
        return known
    if len(known.plays) != 1:
        raise InputError(f"expected the plays of one position, found those of {len(known.plays)}")
    return candidates_of(position, known)


def known_play(position: Position, play: str, equity: float, chances: Sequence[float], plies: int = 0) -> Candidate:
    """A candidate from what a record says of a play; `chances` are five, as in `bgai.outcomes`.

    Raises:
        PlayError: no legal play.
        PositionError: no dice.
    """
    if position.dice is None:
        raise PositionError("a position without dice has no plays, expected a roll")
    plays = legal_plays(position.board, position.dice)
    number = parse_play(position.board, plays, play)
    return Candidate(
        format_play(position.board, plays.steps[number]),
        flip(plays.successors[number]),
        equity,
        tuple(chances),
        plies,
    )


def _find(position: Position, candidates: Sequence[Candidate], played: str | Steps) -> Candidate:
    text = played if isinstance(played, str) else format_play(position.board, played)
    wanted = known_play(position, text, 0.0, ())
    for candidate in candidates:
        if np.array_equal(candidate.after, wanted.after):
            return candidate
    raise InputError(f"expected a play among the {len(candidates)} known ones, found {wanted.play!r}")


def explain_cube(
    analyst: Analyst,
    position: Position,
    done: str | None = None,
    *,
    known: CubeDecision | None = None,
    names: Names = SIDES,
    look_ahead: bool = True,
) -> Explanation:
    """Why the proper cube action is proper, and what was wrong with what was done.

    Args:
        position: before the roll; a double may wait.
        done: `no double`, `double`, `take`, `pass` or `beaver`.
        known: the decision, if it need not be found out again; its market losers are not used.
        names: of the player on roll, who may double, and the opponent; `You` is spoken to.
        look_ahead: whether to count the market losers, at 0-ply, which takes most of the time.

    Raises:
        PositionError: as `bgai.decide_cube`.
        InputError: `done` is nothing that can be done, or what the rules forbid.
    """
    action = None if done is None else read_done(done)
    check_cube_question(position)
    if action is not None:
        check_done(analyst, position, action)
    decision = decide_cube(analyst, position, look_ahead=False) if known is None else known
    context = context_of(analyst, position, names)
    if context.dead and known is None and decision.plies == 0:
        decision = look_past_the_roll(analyst, position, decision)
    facts = describe(position)
    market = market_of(analyst, position) if look_ahead and decision.may_double else None
    best = f"{decision.action}, {decision.answer}" if decision.may_double else decision.action
    if position.offer is not None:
        best = decision.answer
    return Explanation(
        kind="cube",
        best=best,
        done=action,
        loss=None if action is None else loss_of(decision, action),
        position=facts,
        about=tuple(position_words(facts, names)),
        reasons=tuple(cube_reasons(context, decision, market)),
        mistakes=() if action is None else tuple(cube_mistakes(context, decision, market, action)),
        facts=_cube_facts(decision, market),
    )


def _cube_facts(decision: CubeDecision, market: Market | None) -> dict[str, Any]:
    shared = replace(decision, market_losers=None if market is None else market.share)
    values = {key: value for key, value in asdict(shared).items() if key != "outcomes"}
    values["plies"] = None if decision.plies == ROLLED else decision.plies
    win = float(decision.outcomes[0])
    return {
        "rolls": ROLLS_IN_ALL,
        "half": HALF,
        "sequences": SEQUENCES,
        "money_gammon": MONEY_GAMMON,
        "decision": plain(values),
        "chances": dict(zip(NAMES, map(float, decision.outcomes), strict=True)),
        "opponent_win": 1 - win,
        "market": None if market is None else plain(asdict(market)),
    }
