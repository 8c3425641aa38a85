"""The well-known mistakes of checker play, found by comparing a play with the best one.

Each has a definition by facts: what the play does or omits, and what the best play does instead. A mistake is named
only where the engine says that something was lost.
"""

from __future__ import annotations

from collections.abc import Iterator

from bgai.board import HOME
from bgai.coach.play_context import PlayContext
from bgai.coach.plays import PlayFacts
from bgai.coach.position_words import ROLLS_IN_ALL
from bgai.coach.reasons import Reason, counted, points_text, reason
from bgai.coach.sides import STACK, THEIR_HOME

SPOKEN = 0.005
"""Equity from which on a loss is explained."""

_MANY_SHOTS = 4
"""Of 36 rolls."""
_BAR_POINT = 7
_STRONG_BOARD = 3
"""Home points from which on the other's board makes the 24 point worth holding."""
_GAMMONS = 0.03
_WINS = 0.005


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
            *_safety(best, played),
            *_contact(context, best, played),
        ]
    found += _gammons(best, played, any(context.gammon_values))
    return found or list(_wins(best, played))


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
            shots=played.sides[0].shots,
            all=ROLLS_IN_ALL,
        )


def _points(context: PlayContext, best: PlayFacts, played: PlayFacts) -> Iterator[Reason]:
    missed = tuple(point for point in best.made if point not in played.made and point <= _BAR_POINT)
    if missed:
        yield reason("missed-point", "It misses the {points}.", points=points_text(missed))
    strong = len(context.facts.sides[1].home_points) >= _STRONG_BOARD
    useful = range(THEIR_HOME, 25 if strong else 24)
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
            "It runs although {own} is behind in the race by {deficit} {pips}.",
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
            "It buries checkers: {count} {stand} on the lowest two points, after {play} {theirs}.",
            words={"stand": counted(played.sides[0].deep, "stands", "stand")},
            count=played.sides[0].deep,
            play=best.play,
            theirs=best.sides[0].deep,
        )


def _safety(best: PlayFacts, played: PlayFacts) -> Iterator[Reason]:
    mine, theirs = played.sides[0].costly_shots, best.sides[0].costly_shots
    if mine - theirs >= _MANY_SHOTS:
        few = "only {theirs}" if theirs else "none"
        yield reason(
            "too-many-shots",
            f"It leaves {{shots}} of {{all}} rolls that hit, {{play}} {few}.",
            shots=mine,
            all=ROLLS_IN_ALL,
            play=best.play,
            theirs=theirs,
        )
    elif theirs - mine >= _MANY_SHOTS:
        left = "{shots} of {all} rolls that hit" if mine else "no shot"
        yield reason(
            "too-safe",
            f"It plays safe without need: it leaves {left}, {{play}} {{theirs}} of {{all}}.",
            shots=mine,
            all=ROLLS_IN_ALL,
            play=best.play,
            theirs=theirs,
        )
    if played.unsafe is not None and best.unsafe is not None and played.unsafe - best.unsafe >= _MANY_SHOTS:
        yield reason(
            "awkward-next-turn",
            "Next turn {count} of {all} rolls leave a shot, after {play} only {theirs}.",
            count=played.unsafe,
            all=ROLLS_IN_ALL,
            play=best.play,
            theirs=best.unsafe,
        )
    if best.new_points - played.new_points >= _MANY_SHOTS:
        yield reason(
            "inflexible",
            "Next turn {count} of {all} rolls make a point, after {play} {theirs}.",
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
            "It gives up the contact although {own} is then behind in the race by {deficit} {pips}.",
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
            "It wastes pips: {mine:.2f} effective pips are left, after {play} {theirs:.2f}.",
            mine=mine,
            play=best.play,
            theirs=theirs,
        )


def _gammons(best: PlayFacts, played: PlayFacts, counting: bool) -> Iterator[Reason]:
    if not counting:
        return
    if best.chances["win_gammon"] - played.chances["win_gammon"] >= _GAMMONS:
        yield reason(
            "fewer-gammons",
            "It wins a gammon in {mine:.1%} of the games, {play} in {theirs:.1%}.",
            mine=played.chances["win_gammon"],
            play=best.play,
            theirs=best.chances["win_gammon"],
        )
    if played.chances["lose_gammon"] - best.chances["lose_gammon"] >= _GAMMONS:
        yield reason(
            "gammon-risk",
            "It loses a gammon in {mine:.1%} of the games, {play} in {theirs:.1%}.",
            mine=played.chances["lose_gammon"],
            play=best.play,
            theirs=best.chances["lose_gammon"],
        )


def _wins(best: PlayFacts, played: PlayFacts) -> Iterator[Reason]:
    """What is left to say where no mistake has a name."""
    if best.chances["win"] - played.chances["win"] >= _WINS:
        yield reason(
            "fewer-wins",
            "It wins {mine:.1%} of the games, {play} {theirs:.1%}.",
            mine=played.chances["win"],
            play=best.play,
            theirs=best.chances["win"],
        )
