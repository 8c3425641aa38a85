"""Why a play is the best: what speaks for it, what it costs, what comes next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bgai.coach.chance_words import GAMMONS, SHOWN, chance_words
from bgai.coach.play_context import PlayContext
from bgai.coach.play_merits import FEW_SHOTS, MUCH_GAMMONS, outside, play_merits
from bgai.coach.plays import Candidate, PlayFacts
from bgai.coach.position_words import ROLLS_IN_ALL
from bgai.coach.reasons import Reason, Value, counted, listed, points_text, reason
from bgai.coach.sides import THEIR_HOME

LISTED = 4
"""Candidates that are named, the best among them."""


def play_reasons(
    context: PlayContext, play: PlayFacts, beside: PlayFacts | None, named: frozenset[str] = frozenset()
) -> list[Reason]:
    """What speaks for a play, and what it costs.

    Args:
        beside: the play that it is compared with, if there is another.
        named: identifiers of the mistakes that were named of that one, which are not said again.
    """
    if play.ends_game:
        return [reason("ends-game", "{own:wins} the game.", words=context.words)]
    if not play.play:
        return [reason("no-play", "{own:has} no legal play.", words=context.words), *_replies(context, play)]
    merits = play_merits(context, play, beside, named)
    return [
        *([reason("only-play", "It is the only legal play.")] if context.legal == 1 else []),
        *merits,
        *_costs(context, play),
        *_worse(context, play, beside),
        *_race(context, play, {one.id for one in merits}),
        *_replies(context, play),
    ]


def next_best(candidates: Sequence[Candidate]) -> list[Reason]:
    """The candidates behind the best, which stands first."""
    if len(candidates) < 2:
        return []
    best, second = candidates[:2]
    if second.plies != best.plies:
        text = "The second best, {play}, was looked at less far; there it was worth {equity:+.3f}."
        return [reason("second-best", text, play=second.play, equity=second.equity)]
    loss = best.equity - second.equity
    text = "The second best, {play} ({equity:+.3f}), is as good."
    numbers: dict[str, Value] = {"play": second.play, "equity": second.equity}
    if loss >= SHOWN:
        text = "The second best, {play} ({equity:+.3f}), loses {loss:.3f}."
        numbers["loss"] = loss
    found = [reason("second-best", text, words=None, **numbers)]
    later = [one for one in candidates[2:LISTED] if one.plies == best.plies]
    if later:
        plays = [f"{one.play} ({_loss(best.equity - one.equity)})" for one in later]
        found.append(
            reason("next-best", f"Then {counted(len(later), 'comes', 'come')} {{plays}}.", plays=listed(plays))
        )
    return found


def _loss(loss: float) -> str:
    return f"loses {loss:.3f}" if loss >= SHOWN else "as good"


def _costs(context: PlayContext, play: PlayFacts) -> Iterator[Reason]:
    """What it does that is neither good nor bad by itself, and what it risks."""
    if play.loose_hits:
        yield reason("hits-loose", "The hit on the {points} is loose.", points=points_text(play.loose_hits))
    split = 24 in play.broken and not play.moved_back
    left = tuple(
        point for point in play.broken if point not in play.cleared and not (point == 24 and (split or play.moved_back))
    )
    if split:
        yield reason("splits", "It splits the back checkers.")
    if left and context.contact:
        yield reason("gives-up-points", "It gives up the {points}.", points=points_text(left))
    if play.moved_back > 0 and context.contact:
        yield reason(
            "moves-back-checkers",
            "It brings {count} {checkers} out of {other:'s} home board; {left} {stay} back.",
            words={
                **context.words,
                "checkers": counted(play.moved_back, "checker"),
                "stay": counted(play.sides[0].back, "stays", "stay"),
            },
            count=play.moved_back,
            left=play.sides[0].back,
        )
    side = play.sides[0]
    if play.contact and side.costly_shots:
        shots = [f"{blot.point} ({blot.shots})" for blot in side.blots if blot.shots and blot.point < THEIR_HOME]
        yield reason(
            "shots",
            f"It leaves {{shots}} of {{all}} rolls that hit{outside(play)}: {{blots}}.",
            words=context.words,
            shots=side.costly_shots,
            all=ROLLS_IN_ALL,
            blots=", ".join(shots),
        )
    if play.contact and play.unsafe:
        yield reason(
            "next-shots",
            "Next turn {count} of {all} rolls leave a shot whatever is played.",
            count=play.unsafe,
            all=ROLLS_IN_ALL,
        )


def _worse(context: PlayContext, play: PlayFacts, beside: PlayFacts | None) -> Iterator[Reason]:
    """What the other play does better."""
    if beside is None:
        return
    theirs = beside.sides[0].costly_shots
    if play.contact and play.sides[0].costly_shots - theirs >= FEW_SHOTS:
        yield reason(
            "more-shots",
            (f"{{play}} leaves {{theirs}} of {{all}}{outside(play, beside)}." if theirs else "{play} leaves none."),
            words=context.words,
            theirs=theirs,
            all=ROLLS_IN_ALL,
            play=beside.play,
        )
    values = context.gammon_values
    for name, value, better in (("win_gammon", values[0], 1), ("lose_gammon", values[1], -1)):
        if value > 0 and (beside.chances[name] - play.chances[name]) * better >= MUCH_GAMMONS:
            yield chance_words(f"{GAMMONS[name]}-gammons-bad", name, play, beside)


def _race(context: PlayContext, play: PlayFacts, merits: set[str]) -> Iterator[Reason]:
    race = play.race
    if race.pure and context.contact and race.lead <= 0:
        text = "It ends the contact; {own:is} {which} in the race."
        if race.lead:
            text = "It ends the contact; {own:is} {which} in the race by {lead} {pips}."
        which = "behind" if race.lead else "level"
        yield reason(
            "ends-contact",
            text,
            words={**context.words, "which": which, "pips": counted(-race.lead, "pip")},
            lead=-race.lead,
        )
    if race.runners is None or "fewer-effective-pips" in merits:
        return
    if race.runners[0].effective is not None and race.runners[0].wastage is not None:
        yield reason(
            "wastage",
            "It leaves {effective:.1f} effective pips, {wastage:.1f} of them wastage.",
            effective=race.runners[0].effective,
            wastage=race.runners[0].wastage,
        )


def _replies(context: PlayContext, play: PlayFacts) -> Iterator[Reason]:
    out = context.is_doubled_out(play.equity)
    if out:
        text = "It is worth {equity:+.3f}: {other} then {other:~doubles}, and {own:passes}."
        yield reason("doubled-out", text, words=context.words, equity=play.equity)
    if play.best_reply is not None and play.worst_reply is not None:
        lead = "Without a double {other:'s}" if out else "{other:'s}"
        yield reason(
            "replies",
            lead + " best roll is {best} ({low:+.3f} for {own}), the worst {worst} ({high:+.3f}).",
            words=context.words,
            best=play.best_reply.dice,
            low=play.best_reply.equity,
            worst=play.worst_reply.dice,
            high=play.worst_reply.equity,
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
