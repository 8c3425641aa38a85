"""What speaks for a play: what it does, and what it does better than another."""

from __future__ import annotations

from collections.abc import Iterator

from bgai.coach.chance_words import GAMMONS, chance_words, telling_chance, worth_words
from bgai.coach.play_context import PlayContext
from bgai.coach.plays import PlayFacts
from bgai.coach.position_words import ROLLS_IN_ALL
from bgai.coach.reasons import Reason, counted, points_text, reason
from bgai.coach.sides import STACK, THEIR_HOME

FEW_SHOTS = 2
"""Of 36 rolls: a difference of less is not spoken of."""
FEW_ROLLS = 3
"""Of 36 rolls, for the rolls that make a point or bring a checker out."""
MUCH_GAMMONS = 0.015
_MUCH_WINS = 0.01
_SHOWN_PIPS = 0.01
_BAR_POINT = 7
_MOST = 4
"""Comparisons that are made at most, not counting chances."""

_SAID_BY = {
    "fewer-shots": "too-many-shots",
    "safe": "too-many-shots",
    "builds": "inflexible",
    "clears-safely": "awkward-next-turn",
    "wins-gammons-good": "fewer-gammons",
    "loses-gammons-good": "gammon-risk",
    "more-wins": "fewer-wins",
    "longer-prime": "broke-prime",
    "keeps-anchor": "broke-anchor",
    "keeps-points": "broke-home-board",
    "fewer-back": "back-checkers-left",
    "no-stack": "stacking",
    "fewer-deep": "buries-checkers",
    "keeps-contact-behind": "gives-up-contact",
    "more-off": "missed-bear-off",
    "fewer-outside": "missed-crossover",
    "fewer-effective-pips": "wastes-pips",
    "worth-more": "worth-less",
}
"""Merits that the other play's mistakes say already."""


def play_merits(context: PlayContext, play: PlayFacts, beside: PlayFacts | None, named: frozenset[str]) -> list[Reason]:
    """At least one, if there is another play.

    Args:
        beside: what it is compared with.
        named: identifiers of the mistakes that were named of `beside`, which are not said again.
    """
    found = list(_done(context, play, beside))
    if beside is None:
        return found
    merits = [*list(_better(context, play, beside))[:_MOST], *_chances(context, play, beside)]
    found += [one for one in merits if _SAID_BY.get(one.id) not in named]
    if found:
        return found
    name = telling_chance(play, beside, context.gammon_values)
    id = "worth-more" if name is None else _id_of(name)
    if merits and _SAID_BY[id] in named:
        # All was said of the other play already; it is said again rather than nothing.
        return merits
    return [worth_words(id, play, beside) if name is None else chance_words(id, name, play, beside)]


def _id_of(name: str) -> str:
    return f"{GAMMONS[name]}-gammons-good" if name in GAMMONS else "more-wins"


def _done(context: PlayContext, play: PlayFacts, beside: PlayFacts | None) -> Iterator[Reason]:
    """What it does, whatever the other plays do."""
    if play.hits:
        yield reason("hits", "It hits on the {points}.", points=points_text(play.hits))
        entry = play.sides[1].entry
        if entry is not None and entry.dancing:
            yield reason(
                "dances",
                "{other:dances} with {dancing} of {all} rolls.",
                words=context.words,
                dancing=entry.dancing,
                all=ROLLS_IN_ALL,
            )
    side = play.sides[0]
    anchors = tuple(point for point in play.made if point >= THEIR_HOME)
    own = tuple(point for point in play.made if point < THEIR_HOME)
    if own and context.contact and not side.off:
        yield reason("makes-points", "It makes the {points}.", points=points_text(own))
    if anchors and context.contact:
        yield reason("makes-anchor", "It makes an anchor on the {points}.", points=points_text(anchors))
    if play.cleared and context.contact:
        yield reason("clears-points", "It clears the {points}.", points=points_text(play.cleared))
    if play.borne_off:
        yield reason(
            "bears-off",
            "It bears off {count} {checkers}.",
            words={"checkers": counted(play.borne_off, "checker")},
            count=play.borne_off,
        )
    before, after = context.facts.sides[0].prime, side.prime
    if after is not None and after.trapped and context.contact and (before is None or after.length > before.length):
        yield reason(
            "prime",
            "{own} then {own:~has} a prime of {length} points from {high} to {low} with {trapped} of {other:'s}"
            " checkers behind it.",
            words=context.words,
            length=after.length,
            high=after.high,
            low=after.low,
            trapped=after.trapped,
        )
    risky = context.facts.sides[0].costly_shots or (beside is not None and beside.sides[0].costly_shots)
    if play.contact and not side.costly_shots and risky:
        where = " outside {other:'s} home board" if side.shots else ""
        yield reason("safe", f"It leaves no shot{where}.", words=context.words)
    race = play.race
    if race.pure and context.contact and race.lead > 0:
        yield reason(
            "breaks-contact",
            "It ends the contact; {own:is} ahead in the race by {lead} {pips}.",
            words={**context.words, "pips": counted(race.lead, "pip")},
            lead=race.lead,
        )


def _better(context: PlayContext, play: PlayFacts, beside: PlayFacts) -> Iterator[Reason]:
    """What can be counted on the board, and is better than after the other play."""
    if play.contact:
        yield from _safety(context, play, beside)
        yield from _structure(context, play, beside)
        yield from _mobility(context, play, beside)
        if not beside.contact and play.race.lead < 0:
            yield reason("keeps-contact-behind", "It keeps the contact, which {play} ends.", play=beside.play)
    if not context.contact:
        yield from _race(play, beside)


def _structure(context: PlayContext, play: PlayFacts, beside: PlayFacts) -> Iterator[Reason]:
    kept = tuple(point for point in beside.broken if point not in play.broken)
    home = tuple(point for point in kept if point <= _BAR_POINT)
    if home and context.facts.sides[1].back:
        yield reason(
            "keeps-points",
            "It keeps the {points}, which {play} gives up.",
            points=points_text(home),
            play=beside.play,
        )
    anchors = tuple(point for point in kept if point in context.useful_anchors)
    if anchors:
        yield reason(
            "keeps-anchor",
            "It keeps the anchor on the {points}, which {play} gives up.",
            points=points_text(anchors),
            play=beside.play,
        )
    mine, theirs = play.sides[0], beside.sides[0]
    if mine.prime is not None and mine.prime.trapped:
        length = 0 if theirs.prime is None else theirs.prime.length
        if length < mine.prime.length:
            yield reason(
                "longer-prime",
                "Its prime has {length} points, {theirs} after {play}."
                if length
                else "It has a prime of {length} points, after {play} there is none.",
                length=mine.prime.length,
                play=beside.play,
                theirs=length,
            )
    tallest, other = (max((count for _, count in side.stacks), default=0) for side in (mine, theirs))
    if other > max(tallest, STACK, max((count for _, count in context.facts.sides[0].stacks), default=0)):
        yield reason("no-stack", "{play} stacks {count} checkers on a point.", play=beside.play, count=other)
    if theirs.deep > max(mine.deep, context.facts.sides[0].deep) and not mine.off:
        few = "{mine}" if mine.deep else "none"
        yield reason(
            "fewer-deep",
            f"{{play}} leaves {{theirs}} {{checkers}} on the lowest two points, this play {few}.",
            words={"checkers": counted(theirs.deep, "checker")},
            play=beside.play,
            theirs=theirs.deep,
            mine=mine.deep,
        )
    if beside.home_blots and not play.home_blots and context.facts.sides[1].back and theirs.shots:
        yield reason(
            "no-home-blots",
            "It leaves no blot at home, {play} one on the {points}."
            if len(beside.home_blots) == 1
            else "It leaves no blot at home, {play} some on the {points}.",
            play=beside.play,
            points=points_text(beside.home_blots),
        )


def _safety(context: PlayContext, play: PlayFacts, beside: PlayFacts) -> Iterator[Reason]:
    mine, theirs = play.sides[0], beside.sides[0]
    if theirs.costly_shots - mine.costly_shots >= FEW_SHOTS:
        yield reason(
            "fewer-shots",
            f"{{play}} leaves {{theirs}} of {{all}} rolls that hit{outside(play, beside)}.",
            words=context.words,
            theirs=theirs.costly_shots,
            all=ROLLS_IN_ALL,
            play=beside.play,
        )
    if play.unsafe is not None and beside.unsafe is not None and beside.unsafe - play.unsafe >= FEW_SHOTS:
        yield reason(
            "clears-safely",
            "Next turn {count} of {all} rolls leave a shot, {theirs} after {play}.",
            count=play.unsafe,
            all=ROLLS_IN_ALL,
            play=beside.play,
            theirs=beside.unsafe,
        )
    if play.bad_rolls is not None and beside.bad_rolls is not None and beside.bad_rolls - play.bad_rolls >= FEW_ROLLS:
        yield reason(
            "fewer-bad-rolls",
            "{count} of {other:'s} {all} rolls leave {own} less than {bad:+.2f}, {theirs} after {play}.",
            words=context.words,
            count=play.bad_rolls,
            all=ROLLS_IN_ALL,
            bad=context.bad_equity or 0.0,
            play=beside.play,
            theirs=beside.bad_rolls,
        )


def _mobility(context: PlayContext, play: PlayFacts, beside: PlayFacts) -> Iterator[Reason]:
    """What the next rolls of both sides can do."""
    mine, theirs = play.sides[0], beside.sides[0]
    if may_build(play) and play.new_points - beside.new_points >= FEW_ROLLS:
        yield reason(
            "builds",
            "Next turn {count} of {all} rolls make a point, {theirs} after {play}.",
            count=play.new_points,
            all=ROLLS_IN_ALL,
            play=beside.play,
            theirs=beside.new_points,
        )
    if mine.back < theirs.back:
        yield reason(
            "fewer-back",
            "It leaves {mine} {checkers} back, {theirs} after {play}.",
            words={"checkers": counted(mine.back, "checker")},
            mine=mine.back,
            play=beside.play,
            theirs=theirs.back,
        )
    elif mine.back == theirs.back and (mine.escapes or 0) - (theirs.escapes or 0) >= FEW_ROLLS:
        yield reason(
            "escapes",
            "Next turn {count} of {all} rolls bring a checker out, {theirs} after {play}.",
            count=mine.escapes or 0,
            all=ROLLS_IN_ALL,
            play=beside.play,
            theirs=theirs.escapes or 0,
        )
    held, free = play.sides[1], beside.sides[1]
    if held.entry is not None and free.entry is not None and held.entry.dancing - free.entry.dancing >= FEW_SHOTS:
        yield reason(
            "dances-more",
            "After {play} {other:dances} with {theirs} of {all}.",
            words=context.words,
            play=beside.play,
            theirs=free.entry.dancing,
            all=ROLLS_IN_ALL,
        )
    if held.escapes is not None and free.escapes is not None and free.escapes - held.escapes >= FEW_ROLLS:
        yield reason(
            "contains",
            "{count} of {other:'s} {all} rolls bring a checker out, {theirs} after {play}.",
            words=context.words,
            count=held.escapes,
            all=ROLLS_IN_ALL,
            play=beside.play,
            theirs=free.escapes,
        )


def may_build(play: PlayFacts) -> bool:
    """Whether points still to be made are of use: not in a bear-off."""
    side = play.sides[0]
    return not side.off and side.outside > 0


def outside(*plays: PlayFacts) -> str:
    """Where the shots that are counted lie, if a play leaves others too."""
    left_out = any(play.sides[0].shots != play.sides[0].costly_shots for play in plays)
    return " outside {other:'s} home board" if left_out else ""


def _race(play: PlayFacts, beside: PlayFacts) -> Iterator[Reason]:
    if play.borne_off > beside.borne_off:
        yield reason("more-off", "{play} bears off {theirs}.", play=beside.play, theirs=beside.borne_off)
    mine, theirs = play.sides[0].outside, beside.sides[0].outside
    if mine < theirs:
        yield reason(
            "fewer-outside",
            "It leaves {mine} {checkers} outside the home board, {theirs} after {play}.",
            words={"checkers": counted(mine, "checker")},
            mine=mine,
            play=beside.play,
            theirs=theirs,
        )
    if play.race.runners is None or beside.race.runners is None:
        return
    own, other = play.race.runners[0], beside.race.runners[0]
    if own.effective is not None and other.effective is not None:
        if other.effective - own.effective >= _SHOWN_PIPS:
            yield reason(
                "fewer-effective-pips",
                "It leaves {mine:.2f} effective pips, {theirs:.2f} after {play}.",
                mine=own.effective,
                play=beside.play,
                theirs=other.effective,
            )
    elif own.keith < other.keith:
        yield reason(
            "lower-keith",
            "Its Keith count, which adds for gaps and stacks, is {mine}, {theirs} after {play}.",
            mine=own.keith,
            play=beside.play,
            theirs=other.keith,
        )


def _chances(context: PlayContext, play: PlayFacts, beside: PlayFacts) -> Iterator[Reason]:
    for name, value, better in (
        ("win_gammon", context.gammon_values[0], 1),
        ("lose_gammon", context.gammon_values[1], -1),
    ):
        if value > 0 and (play.chances[name] - beside.chances[name]) * better >= MUCH_GAMMONS:
            yield chance_words(_id_of(name), name, play, beside)
    if play.chances["win"] - beside.chances["win"] >= _MUCH_WINS:
        yield chance_words("more-wins", "win", play, beside)
