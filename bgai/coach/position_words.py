"""A position in words: sentences made of its facts and of nothing else."""

from __future__ import annotations

from bgai.coach.plans import Plan
from bgai.coach.position_facts import PositionFacts
from bgai.coach.race import Race
from bgai.coach.reasons import Reason, counted, listed, points_text, reason
from bgai.coach.sides import Side

Names = tuple[str, str]
"""The player on roll and the opponent."""

ROLLS_IN_ALL = 36

_PLANS: dict[Plan, str] = {
    "bear-off": "bears off",
    "race": "races home",
    "containment": "tries to contain the last checkers",
    "back game": "plays a back game",
    "ace-point game": "plays an ace-point game",
    "bear-off against contact": "bears off against contact",
    "blitz": "attacks: a blitz",
    "priming game": "plays a priming game",
    "mutual holding game": "plays a mutual holding game",
    "holding game": "plays a holding game",
    "bear-in against contact": "brings the checkers home against contact",
    "running game": "runs",
    "positional game": "plays a positional game",
}


def position_words(facts: PositionFacts, names: Names) -> list[Reason]:
    """The race, the plans, then each side."""
    plans = reason(
        "plans",
        "{own} {own_plan}, {other} {other_plan}.",
        words={
            "own": names[0],
            "other": names[1],
            "own_plan": _PLANS[facts.plans[0]],
            "other_plan": _PLANS[facts.plans[1]],
        },
    )
    found = [*race_words(facts.race, facts.sides, names), plans]
    if facts.race.pure:
        return found
    own, other = facts.sides
    return [*found, *_side_words(own, *names), *_side_words(other, names[1], names[0])]


def race_words(race: Race, sides: tuple[Side, Side], names: Names) -> list[Reason]:
    """Who leads, and in a race without contact what that is worth."""
    words = {"own": names[0], "other": names[1]}
    own, other = sides
    if race.lead == 0:
        found = [reason("race", "The race is even at {pips} pips each.", words=words, pips=own.pips)]
    else:
        leader, ahead, behind = (names[0], own, other) if race.lead > 0 else (names[1], other, own)
        found = [
            reason(
                "race",
                "{leader} leads the race by {lead} {pips_word}, {ahead} to {behind} ({share:.1%}).",
                words={"leader": leader, "pips_word": counted(abs(race.lead), "pip")},
                lead=abs(race.lead),
                ahead=ahead.pips,
                behind=behind.pips,
                share=abs(race.lead_share),
            )
        ]
    if race.runners is None:
        return found
    assert race.kleinman is not None
    for runner, name in zip(race.runners, names, strict=True):
        if runner.effective is not None and runner.wastage is not None and runner.rolls is not None:
            found.append(
                reason(
                    "effective-pips",
                    "{name} has {effective:.1f} effective pips, {wastage:.1f} of them wastage,"
                    " and needs {rolls:.2f} rolls on average.",
                    words={"name": name},
                    effective=runner.effective,
                    wastage=runner.wastage,
                    rolls=runner.rolls,
                )
            )
    found.append(
        reason(
            "kleinman",
            "By Kleinman's formula {own} wins {chance:.1%}; the Keith counts are {keith} and {their_keith}: {action}.",
            words={**words, "action": str(race.keith_action)},
            chance=race.kleinman,
            keith=race.runners[0].keith,
            their_keith=race.runners[1].keith,
        )
    )
    return found


def _side_words(side: Side, name: str, foe: str) -> list[Reason]:
    words = {"name": name, "foe": foe}
    found = []
    if side.bar and side.entry is not None:
        found.append(
            reason(
                "bar",
                "{name} has {bar} {checkers} on the bar and dances with {dancing} of {all} rolls.",
                words={**words, "checkers": counted(side.bar, "checker")},
                bar=side.bar,
                dancing=side.entry.dancing,
                all=ROLLS_IN_ALL,
            )
        )
    if side.home_points:
        found.append(
            reason(
                "home-points",
                "{name} has a {board}-point board: {points}.",
                words=words,
                board=side.board,
                points=listed([str(point) for point in side.home_points]),
            )
        )
    if side.prime is not None:
        found.append(
            reason(
                "prime",
                "{name} has a prime of {length} points from {high} to {low} with {trapped} of {foe}'s checkers behind.",
                words=words,
                length=side.prime.length,
                high=side.prime.high,
                low=side.prime.low,
                trapped=side.prime.trapped,
            )
        )
    if side.broken_prime is not None:
        found.append(
            reason(
                "broken-prime",
                "{name} has {length} points of a broken prime from {high} to {low}"
                " with {trapped} of {foe}'s checkers behind.",
                words=words,
                length=side.broken_prime.length,
                high=side.broken_prime.high,
                low=side.broken_prime.low,
                trapped=side.broken_prime.trapped,
            )
        )
    if side.anchors:
        found.append(
            reason(
                "anchors",
                "{name} has {anchors} on the {points}.",
                words={**words, "anchors": counted(len(side.anchors), "an anchor", "anchors")},
                points=points_text(side.anchors),
            )
        )
    if side.escapes is not None:
        found.append(
            reason(
                "back",
                "{name} has {back} {checkers} back; {escapes} of {all} rolls bring one out.",
                words={**words, "checkers": counted(side.back, "checker")},
                back=side.back,
                escapes=side.escapes,
                all=ROLLS_IN_ALL,
            )
        )
    if side.blots:
        found.append(_blots(side, words))
    if side.stacks:
        stacks = [f"{count} on {point}" for point, count in side.stacks]
        found.append(reason("stacks", "{name} has stacks: {stacks}.", words=words, stacks=listed(stacks)))
    return found


def _blots(side: Side, words: dict[str, str]) -> Reason:
    """Where they are, and what hits them."""
    if len(side.blots) == 1:
        blot = side.blots[0]
        return reason(
            "blots",
            "{name} has a blot on {point}, hit by {shots} of {all} rolls.",
            words=words,
            point=blot.point,
            shots=blot.shots,
            all=ROLLS_IN_ALL,
        )
    where = "" if side.costly_shots == side.shots else ", {costly} of them outside {foe}'s home board"
    return reason(
        "blots",
        f"{{name}} has blots on {{blots}}; {{shots}} of {{all}} rolls hit something{where}.",
        words=words,
        blots=listed([f"{blot.point} (hit by {blot.shots})" for blot in side.blots]),
        shots=side.shots,
        costly=side.costly_shots,
        all=ROLLS_IN_ALL,
    )
