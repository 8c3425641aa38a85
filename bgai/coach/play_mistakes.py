"""The well-known mistakes of checker play, found by comparing a play with the best one.

Each has a definition by facts: what the play does or omits, and what the best play does instead. A mistake is named
only where the engine says that something was lost.
"""

from __future__ import annotations

from collections.abc import Iterator

from bgai.board import HOME
from bgai.coach.chance_words import chance_words, telling_chance, worth_words
from bgai.coach.play_context import PlayContext
from bgai.coach.play_merits import may_build, outside
from bgai.coach.plays import PlayFacts
from bgai.coach.position_words import ROLLS_IN_ALL
from bgai.coach.reasons import Reason, counted, points_text, reason
from bgai.coach.sides import STACK

SPOKEN = 0.005
"""Equity from which on a loss is explained."""

_MANY_SHOTS = 4
_SAFE = 3
"""Of 36 rolls."""
_BAR_POINT = 7
_GAMMONS = 0.03
_CHANCES = {"win": "fewer-wins", "win_gammon": "fewer-gammons", "lose_gammon": "gammon-risk"}


def play_mistakes(context: PlayContext, best: PlayFacts, played: PlayFacts) -> list[Reason]:
    """What is wrong with a play that was made; empty if it loses less than `SPOKEN`."""
    if played.loss < SPOKEN:
        return []
    if best.ends_game:
        return [reason("missed-win", "{play} wins the game.", play=best.play)]
    if not context.contact:
        found = list(_in_race(best, played))
    else:
        found = [
            *_hits(best, played),
            *_points(context, best, played),
            *_back_checkers(context, best, played),
            *_shape(context, best, played),
            *_safety(context, best, played),
            *_contact(context, best, played),
        ]
    found += _gammons(best, played, any(context.gammon_values))
    if found:
        return found
    name = telling_chance(best, played, context.gammon_values)
    if name is None:
        return [worth_words("worth-less", played, best)]
    return [chance_words(_CHANCES[name], name, played, best)]


def _hits(best: PlayFacts, played: PlayFacts) -> Iterator[Reason]:
    missed = tuple(point for point in best.hits if point not in played.hits)
    if missed and len(best.hits) > len(played.hits):
        yield reason("missed-hit", "It misses the hit on the {points}.", points=points_text(missed))
    loose = tuple(point for point in played.loose_hits if point not in best.loose_hits)
    if loose:
        yield reason(
            "loose-hit",
            "It hits loose on the {points} without need; {shots} of {all} rolls hit back.",
            points=points_text(loose),
            shots=_shots_at(played, loose),
            all=ROLLS_IN_ALL,
        )


def _shots_at(played: PlayFacts, points: tuple[int, ...]) -> int:
    """Rolls that hit a blot; where there are several, those that hit anything."""
    side = played.sides[0]
    if len(points) > 1:
        return side.shots
    return next(blot.shots for blot in side.blots if blot.point == points[0])


def _points(context: PlayContext, best: PlayFacts, played: PlayFacts) -> Iterator[Reason]:
    missed = tuple(point for point in best.made if point not in played.made and point <= _BAR_POINT)
    if missed:
        yield reason("missed-point", "It misses the {points}.", points=points_text(missed))
    useful = context.useful_anchors
    anchors = tuple(point for point in best.made if point not in played.made and point in useful)
    if anchors and len(best.sides[0].anchors) > len(played.sides[0].anchors):
        yield reason("missed-anchor", "It misses the anchor on the {points}.", points=points_text(anchors))
    broken = tuple(point for point in played.broken if point not in best.broken)
    lost = tuple(point for point in broken if point in useful)
    if lost and len(played.sides[0].anchors) < len(best.sides[0].anchors):
        yield reason("broke-anchor", "It breaks the anchor on the {points}.", points=points_text(lost))
    home = tuple(point for point in broken if point <= HOME)
    if home and len(played.sides[0].home_points) < len(best.sides[0].home_points) and context.facts.sides[1].back:
        yield reason("broke-home-board", "It breaks the home board early: the {points}.", points=points_text(home))
    mine, theirs = played.sides[0].prime, best.sides[0].prime
    before = context.facts.sides[0].prime
    if before is not None and theirs is not None and (mine is None or mine.length < min(theirs.length, before.length)):
        yield reason(
            "broke-prime",
            "It breaks the prime of {length} points from {high} to {low}.",
            length=before.length,
            high=before.high,
            low=before.low,
        )


def _back_checkers(context: PlayContext, best: PlayFacts, played: PlayFacts) -> Iterator[Reason]:
    if played.moved_back < best.moved_back and played.sides[0].back:
        yield reason(
            "back-checkers-left",
            "It leaves {left} {checkers} back, {play} only {theirs}.",
            words={"checkers": counted(played.sides[0].back, "checker")},
            left=played.sides[0].back,
            play=best.play,
            theirs=best.sides[0].back,
        )
    elif played.moved_back > best.moved_back and context.facts.race.lead < 0 and not played.hits:
        yield reason(
            "racing-behind",
            "It runs although {own:is} behind in the race by {deficit} {pips}.",
            words={**context.words, "pips": counted(-context.facts.race.lead, "pip")},
            deficit=-context.facts.race.lead,
        )


def _shape(context: PlayContext, best: PlayFacts, played: PlayFacts) -> Iterator[Reason]:
    before, theirs = dict(context.facts.sides[0].stacks), dict(best.sides[0].stacks)
    for point, count in played.sides[0].stacks:
        if count > max(before.get(point, STACK - 1), theirs.get(point, STACK - 1)):
            yield reason(
                "stacking", "It stacks {count} checkers on the {points}.", count=count, points=f"{point} point"
            )
    if played.sides[0].deep > max(best.sides[0].deep, context.facts.sides[0].deep):
        yield reason(
            "buries-checkers",
            "It buries checkers: {count} {stand} on the lowest two points, {theirs} after {play}.",
            words={"stand": counted(played.sides[0].deep, "stands", "stand")},
            count=played.sides[0].deep,
            play=best.play,
            theirs=best.sides[0].deep,
        )


def _safety(context: PlayContext, best: PlayFacts, played: PlayFacts) -> Iterator[Reason]:
    mine, theirs = played.sides[0].costly_shots, best.sides[0].costly_shots
    where = outside(best, played)
    if mine - theirs >= _MANY_SHOTS:
        few = "only {theirs}" if theirs else "none"
        yield reason(
            "too-many-shots",
            f"It leaves {{shots}} of {{all}} rolls that hit{where}, {{play}} {few}.",
            words=context.words,
            shots=mine,
            all=ROLLS_IN_ALL,
            play=best.play,
            theirs=theirs,
        )
    elif theirs - mine >= _MANY_SHOTS and mine <= _SAFE:
        left = "{shots} of {all} rolls that hit" if mine else "no shot"
        yield reason(
            "too-safe",
            f"It plays safe without need: it leaves {left}{where}, {{play}} {{theirs}} of {{all}}.",
            words=context.words,
            shots=mine,
            all=ROLLS_IN_ALL,
            play=best.play,
            theirs=theirs,
        )
    if played.unsafe is not None and best.unsafe is not None and played.unsafe - best.unsafe >= _MANY_SHOTS:
        yield reason(
            "awkward-next-turn",
            "Next turn {count} of {all} rolls leave a shot, only {theirs} after {play}.",
            count=played.unsafe,
            all=ROLLS_IN_ALL,
            play=best.play,
            theirs=best.unsafe,
        )
    if may_build(played) and best.new_points - played.new_points >= _MANY_SHOTS:
        yield reason(
            "inflexible",
            "Next turn {count} of {all} rolls make a point, {theirs} after {play}.",
            count=played.new_points,
            all=ROLLS_IN_ALL,
            play=best.play,
            theirs=best.new_points,
        )


def _contact(context: PlayContext, best: PlayFacts, played: PlayFacts) -> Iterator[Reason]:
    lead = played.race.lead
    if not played.contact and best.contact and lead < 0:
        yield reason(
            "gives-up-contact",
            "It gives up the contact although {own:is} then behind in the race by {deficit} {pips}.",
            words={**context.words, "pips": counted(-lead, "pip")},
            deficit=-lead,
        )
    if played.contact and not best.contact:
        yield reason("keeps-contact", "It keeps contact where {play} ends it.", play=best.play)


def _in_race(best: PlayFacts, played: PlayFacts) -> Iterator[Reason]:
    if played.borne_off < best.borne_off:
        yield reason(
            "missed-bear-off",
            "It bears off {mine}, {play} {theirs}.",
            mine=played.borne_off,
            play=best.play,
            theirs=best.borne_off,
        )
    if played.sides[0].outside > best.sides[0].outside:
        yield reason(
            "missed-crossover",
            "It leaves {mine} {checkers} outside the home board, {play} only {theirs}.",
            words={"checkers": counted(played.sides[0].outside, "checker")},
            mine=played.sides[0].outside,
            play=best.play,
            theirs=best.sides[0].outside,
        )
    if played.race.runners is None or best.race.runners is None:
        return
    mine, theirs = played.race.runners[0].effective, best.race.runners[0].effective
    if mine is not None and theirs is not None and mine > theirs:
        yield reason(
            "wastes-pips",
            "It wastes pips: {mine:.2f} effective pips are left, {theirs:.2f} after {play}.",
            mine=mine,
            play=best.play,
            theirs=theirs,
        )


def _gammons(best: PlayFacts, played: PlayFacts, counting: bool) -> Iterator[Reason]:
    if not counting:
        return
    if best.chances["win_gammon"] - played.chances["win_gammon"] >= _GAMMONS:
        yield chance_words("fewer-gammons", "win_gammon", played, best)
    if played.chances["lose_gammon"] - best.chances["lose_gammon"] >= _GAMMONS:
        yield chance_words("gammon-risk", "lose_gammon", played, best)
