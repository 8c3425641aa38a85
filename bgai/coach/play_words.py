"""Why a play is good: what it does, what it risks, beside another play."""

from __future__ import annotations

from collections.abc import Iterator

from bgai.coach.play_context import PlayContext
from bgai.coach.plays import PlayFacts
from bgai.coach.position_words import ROLLS_IN_ALL
from bgai.coach.reasons import Reason, counted, points_text, reason
from bgai.coach.sides import THEIR_HOME

_MUCH_GAMMONS = 0.015
_FEW_SHOTS = 2
"""Of 36 rolls: a difference of less is not spoken of."""
_FEW_POINTS = 3
"""Of 36 rolls, for the rolls that make a point."""


def play_reasons(context: PlayContext, play: PlayFacts, beside: PlayFacts | None) -> list[Reason]:
    """What speaks for a play, and what it costs; `beside` is the play that it is compared with, if that helps."""
    if play.ends_game:
        return [reason("ends-game", "{own} wins the game.", words=context.words)]
    return [
        *_done(context, play),
        *_structure(context, play),
        *_risk(context, play, beside),
        *_future(context, play, beside),
        *_race(context, play),
    ]


def _done(context: PlayContext, play: PlayFacts) -> Iterator[Reason]:
    if play.hits:
        yield reason("hits", "It hits on the {points}.", points=points_text(play.hits))
        entry = play.sides[1].entry
        if entry is not None and entry.dancing:
            yield reason(
                "dances",
                "{other} dances with {dancing} of {all} rolls.",
                words=context.words,
                dancing=entry.dancing,
                all=ROLLS_IN_ALL,
            )
    if play.loose_hits:
        yield reason("hits-loose", "The hit on the {points} is loose.", points=points_text(play.loose_hits))
    anchors = tuple(point for point in play.made if point >= 18)
    own = tuple(point for point in play.made if point < 18)
    if own and context.contact:
        yield reason("makes-points", "It makes the {points}.", points=points_text(own))
    if anchors and context.contact:
        yield reason("makes-anchor", "It makes an anchor on the {points}.", points=points_text(anchors))
    if play.broken == (24,) and not play.moved_back:
        yield reason("splits", "It splits the back checkers.")
    elif play.broken and context.contact:
        yield reason("gives-up-points", "It gives up the {points}.", points=points_text(play.broken))
    if play.moved_back > 0 and context.contact:
        yield reason(
            "moves-back-checkers",
            "It brings {count} {checkers} out of {other}'s home board; {left} {stay} back.",
            words={
                **context.words,
                "checkers": counted(play.moved_back, "checker"),
                "stay": counted(play.sides[0].back, "stays", "stay"),
            },
            count=play.moved_back,
            left=play.sides[0].back,
        )
    if play.borne_off:
        yield reason(
            "bears-off",
            "It bears off {count} {checkers}.",
            words={"checkers": counted(play.borne_off, "checker")},
            count=play.borne_off,
        )


def _structure(context: PlayContext, play: PlayFacts) -> Iterator[Reason]:
    before, after = context.facts.sides[0].prime, play.sides[0].prime
    if after is not None and context.contact and (before is None or after.length > before.length):
        yield reason(
            "prime",
            "{own} then has a prime of {length} points from {high} to {low} with {trapped} of {other}'s checkers"
            " behind.",
            words=context.words,
            length=after.length,
            high=after.high,
            low=after.low,
            trapped=after.trapped,
        )


def _risk(context: PlayContext, play: PlayFacts, beside: PlayFacts | None) -> Iterator[Reason]:
    if not play.contact:
        return
    side = play.sides[0]
    if side.costly_shots:
        shots = [f"{blot.point} ({blot.shots})" for blot in side.blots if blot.shots and blot.point < THEIR_HOME]
        yield reason(
            "shots",
            "It leaves {shots} of {all} rolls that hit: {blots}.",
            shots=side.costly_shots,
            all=ROLLS_IN_ALL,
            blots=", ".join(shots),
        )
    elif context.facts.sides[0].costly_shots or (beside is not None and beside.sides[0].costly_shots):
        yield reason("safe", "It leaves no shot.")
    if beside is not None and abs(side.costly_shots - beside.sides[0].costly_shots) >= _FEW_SHOTS:
        which = "fewer" if side.costly_shots < beside.sides[0].costly_shots else "more"
        yield reason(
            f"{which}-shots",
            "{play} leaves {theirs} of {all}." if beside.sides[0].costly_shots else "{play} leaves none.",
            theirs=beside.sides[0].costly_shots,
            all=ROLLS_IN_ALL,
            play=beside.play,
        )


def _future(context: PlayContext, play: PlayFacts, beside: PlayFacts | None) -> Iterator[Reason]:
    if not play.contact:
        return
    if beside is not None and play.new_points - beside.new_points >= _FEW_POINTS:
        yield reason(
            "builds",
            "Next turn {count} of {all} rolls make a point, after {play} {theirs}.",
            count=play.new_points,
            all=ROLLS_IN_ALL,
            play=beside.play,
            theirs=beside.new_points,
        )
    if play.unsafe is not None:
        if beside is not None and beside.unsafe is not None and beside.unsafe - play.unsafe >= _FEW_SHOTS:
            yield reason(
                "clears-safely",
                "Next turn {count} of {all} rolls leave a shot, after {play} {theirs}.",
                count=play.unsafe,
                all=ROLLS_IN_ALL,
                play=beside.play,
                theirs=beside.unsafe,
            )
        elif play.unsafe:
            yield reason(
                "next-shots",
                "Next turn {count} of {all} rolls leave a shot whatever is played.",
                count=play.unsafe,
                all=ROLLS_IN_ALL,
            )
    if beside is not None:
        yield from _gammons(context, play, beside)
    if play.best_reply is not None and play.worst_reply is not None:
        yield reason(
            "replies",
            "{other}'s best roll is {best} ({low:+.3f} for {own}), the worst {worst} ({high:+.3f}).",
            words=context.words,
            best=play.best_reply.dice,
            low=play.best_reply.equity,
            worst=play.worst_reply.dice,
            high=play.worst_reply.equity,
        )


def _gammons(context: PlayContext, play: PlayFacts, beside: PlayFacts) -> Iterator[Reason]:
    """What changes in gammons, where gammons count."""
    values = context.gammon_values
    for name, verb, value, better in (
        ("win_gammon", "wins", values[0], 1),
        ("lose_gammon", "loses", values[1], -1),
    ):
        mine, theirs = play.chances[name], beside.chances[name]
        if abs(mine - theirs) >= _MUCH_GAMMONS and value > 0:
            which = "good" if (mine - theirs) * better > 0 else "bad"
            yield reason(
                f"{verb}-gammons-{which}",
                "It {verb} a gammon in {mine:.1%} of the games, {play} in {theirs:.1%}.",
                words={"verb": verb},
                mine=mine,
                play=beside.play,
                theirs=theirs,
            )


def _race(context: PlayContext, play: PlayFacts) -> Iterator[Reason]:
    race = play.race
    if race.pure and context.contact:
        words = {**context.words, "which": "ahead" if race.lead > 0 else "behind" if race.lead < 0 else "level"}
        if race.lead:
            yield reason(
                "breaks-contact",
                "It ends the contact; {own} is {which} in the race by {lead} {pips}.",
                words={**words, "pips": counted(abs(race.lead), "pip")},
                lead=abs(race.lead),
            )
        else:
            yield reason("breaks-contact", "It ends the contact; {own} is {which} in the race.", words=words)
    if race.runners is not None and race.runners[0].effective is not None and race.runners[0].wastage is not None:
        yield reason(
            "wastage",
            "It leaves {effective:.1f} effective pips, {wastage:.1f} of them wastage.",
            effective=race.runners[0].effective,
            wastage=race.runners[0].wastage,
        )


def score_reasons(context: PlayContext) -> list[Reason]:
    """What the score makes of gammons, where it differs from money."""
    own, other = context.gammon_values
    if not context.match:
        if own == 0:
            return [reason("jacoby", "Gammons do not count until the cube is turned.")]
        return []
    return [
        reason(
            "gammon-values",
            "At this score a gammon is worth {own_value:.2f} to {own} and {other_value:.2f} to {other}"
            " ({money:.2f} for money).",
            words=context.words,
            own_value=own,
            other_value=other,
            money=context.money_gammon,
        )
    ]
