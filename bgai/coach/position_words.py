"""A position in words: sentences made of its facts and of nothing else."""

from __future__ import annotations

from collections.abc import Mapping

from bgai.board import HOME
from bgai.coach.persons import Person
from bgai.coach.plans import Plan
from bgai.coach.position_facts import PositionFacts
from bgai.coach.race import Race
from bgai.coach.reasons import Reason, counted, listed, points_text, reason
from bgai.coach.sides import Side

Names = tuple[str, str]
"""The player on roll and the opponent."""

ROLLS_IN_ALL = 36

_TELLING_SHARE = 0.5
"""A lead of more is not told as a share of the leader's pips."""
_BOARD = 2
"""Home points from which on a board is spoken of."""

_PLANS: dict[Plan, tuple[str, str]] = {
    "bear-off": ("{own:bears} off", "bear off"),
    "race": ("{own:races} home", "race home"),
    "closeout": ("{own:has} closed {other} out", ""),
    "closed out": ("", ""),
    "containment": ("{own:tries} to contain the last checkers", "try to contain the last checkers"),
    "back game": ("{own:plays} a back game", "play a back game"),
    "ace-point game": ("{own:plays} an ace-point game", ""),
    "bear-off against contact": ("{own:bears} off against contact", "bear off against contact"),
    "coming home": ("{own:has} to bring the last checkers home", "have to bring the last checkers home"),
    "blitz": ("{own:attacks}: a blitz", "attack: a blitz"),
    "priming game": ("{own:plays} a priming game", "play a priming game: prime against prime"),
    "trapped": ("{own:is} trapped behind a full prime", "are trapped behind a full prime"),
    "mutual holding game": ("{own:plays} a mutual holding game", "play a mutual holding game"),
    "holding game": ("{own:plays} a holding game", "play a holding game"),
    "waiting for a shot": ("{own:waits} for a shot", ""),
    "opening": ("{own:develops}", "develop: the opening"),
    "bear-in against contact": (
        "{own:brings} the checkers home against contact",
        "bring the checkers home against contact",
    ),
    "running game": ("{own:runs}", ""),
    "positional game": ("", ""),
}
"""What one side does, and what both do. Empty where there is nothing to say, where the other side's plan says it, or
where both sides cannot have the plan."""


def position_words(facts: PositionFacts, names: Names) -> list[Reason]:
    """The race, the plans, then each side."""
    found = [*race_words(facts.race, facts.sides, names), *_plans(facts.plans, names)]
    if facts.race.pure:
        return found
    own, other = facts.sides
    return [*found, *_side_words(own, *names), *_side_words(other, names[1], names[0])]


def _plans(plans: tuple[Plan, Plan], names: Names) -> list[Reason]:
    own, other = plans
    if own == other and _PLANS[own][1]:
        return [reason("plans", "Both sides {plan}.", words={"plan": _PLANS[own][1]})]
    said = [
        _PLANS[plan][0].format(own=Person(name), other=Person(foe))
        for plan, name, foe in zip(plans, names, names[::-1], strict=True)
        if _PLANS[plan][0]
    ]
    return [reason("plans", "{plans}.", words={"plans": ", ".join(said)})] if said else []


def race_words(race: Race, sides: tuple[Side, Side], names: Names) -> list[Reason]:
    """Who leads, and in a race without contact what that is worth."""
    words = {"own": Person(names[0]), "other": Person(names[1])}
    own, other = sides
    if race.lead == 0:
        found = [reason("race", "The race is even at {pips} pips each.", words=words, pips=own.pips)]
    else:
        shares = {"share": abs(race.lead_share)} if abs(race.lead_share) <= _TELLING_SHARE else {}
        share = " ({share:.1%})" if shares else ""
        leader, ahead, behind = (names[0], own, other) if race.lead > 0 else (names[1], other, own)
        found = [
            reason(
                "race",
                "{leader:leads} the race by {lead} {pips_word}, {ahead} to {behind}" + share + ".",
                words={"leader": Person(leader), "pips_word": counted(abs(race.lead), "pip")},
                lead=abs(race.lead),
                ahead=ahead.pips,
                behind=behind.pips,
                **shares,
            )
        ]
    if race.runners is None:
        return found
    for runner, name in zip(race.runners, names, strict=True):
        if runner.effective is not None and runner.wastage is not None and runner.rolls is not None:
            found.append(
                reason(
                    "effective-pips",
                    "{name:has} {effective:.1f} effective pips, {wastage:.1f} of them wastage,"
                    " and {name:~needs} {rolls:.2f} rolls on average.",
                    words={"name": Person(name)},
                    effective=runner.effective,
                    wastage=runner.wastage,
                    rolls=runner.rolls,
                )
            )
    if race.table is not None:
        found.append(
            reason(
                "bear-off-chance",
                "By the {which} bear-off table {own:wins} {chance:.1%} without the cube.",
                words={**words, "which": "exact" if race.exact else "one-sided"},
                chance=race.table,
            )
        )
        return found
    assert race.kleinman is not None
    found.append(
        reason(
            "kleinman",
            "By Kleinman's formula {own:wins} {chance:.1%}; the Keith counts are {keith} and {their_keith}: {action}.",
            words={**words, "action": str(race.keith_action)},
            chance=race.kleinman,
            keith=race.runners[0].keith,
            their_keith=race.runners[1].keith,
        )
    )
    return found


def _side_words(side: Side, name: str, foe: str) -> list[Reason]:
    words = {"name": Person(name), "foe": Person(foe)}
    found = []
    dancing = None if side.entry is None else side.entry.dancing
    if dancing is not None:
        which = {0: "{name:~enters} with every roll", ROLLS_IN_ALL: "cannot enter"}
        what = which.get(dancing, "{name:~dances} with {dancing} of {all} rolls")
        found.append(
            reason(
                "bar",
                f"{{name:has}} {{bar}} {{checkers}} on the bar and {what}.",
                words={**words, "checkers": counted(side.bar, "checker")},
                bar=side.bar,
                dancing=dancing,
                all=ROLLS_IN_ALL,
            )
        )
    if side.board == HOME:
        found.append(reason("closed-board", "{name:has} a closed board.", words=words))
    elif side.board >= _BOARD:
        found.append(
            reason(
                "home-points",
                "{name:has} a {board}-point board: {points}.",
                words=words,
                board=side.board,
                points=listed([str(point) for point in side.home_points]),
            )
        )
    bears_off = side.off > 0 or not side.outside
    if side.prime is not None and side.prime.trapped and not bears_off:
        found.append(
            reason(
                "prime",
                "{name:has} a prime of {length} points from {high} to {low}"
                " with {trapped} of {foe:'s} checkers behind it.",
                words=words,
                length=side.prime.length,
                high=side.prime.high,
                low=side.prime.low,
                trapped=side.prime.trapped,
            )
        )
    if side.broken_prime is not None and side.broken_prime.trapped and not bears_off:
        found.append(
            reason(
                "broken-prime",
                "{name:has} a broken prime of {length} points from {high} to {low}"
                " with {trapped} of {foe:'s} checkers behind it.",
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
                "{name:has} {anchors} on the {points}.",
                words={**words, "anchors": counted(len(side.anchors), "an anchor", "anchors")},
                points=points_text(side.anchors),
            )
        )
    if side.escapes is not None and dancing != ROLLS_IN_ALL:
        found.append(
            reason(
                "back",
                "{name:has} {back} {checkers} back; {escapes} of {all} rolls bring one out.",
                words={**words, "checkers": counted(side.back, "checker")},
                back=side.back,
                escapes=side.escapes,
                all=ROLLS_IN_ALL,
            )
        )
    if side.blots:
        found.append(_blots(side, words))
    if side.stacks:
        stacks = listed([f"{count} on the {point} point" for point, count in side.stacks])
        found.append(
            reason(
                "stacks",
                "{name:stacks} {stacks}." if len(side.stacks) == 1 else "{name:has} stacks: {stacks}.",
                words=words,
                stacks=stacks,
            )
        )
    return found


def _blots(side: Side, words: Mapping[str, str]) -> Reason:
    """Where they are, and what hits them."""
    if len(side.blots) == 1:
        blot = side.blots[0]
        what = "hit by {shots} of {all} rolls" if blot.shots else "which no roll hits"
        return reason(
            "blots",
            f"{{name:has}} a blot on {{point}}, {what}.",
            words=words,
            point=blot.point,
            shots=blot.shots,
            all=ROLLS_IN_ALL,
        )
    if not side.shots:
        blots = listed([str(blot.point) for blot in side.blots])
        return reason("blots", "{name:has} blots on {blots}, which no roll hits.", words=words, blots=blots)
    few = "{costly}" if side.costly_shots else "none"
    where = "" if side.costly_shots == side.shots else f", {few} of them outside {{foe:'s}} home board"
    return reason(
        "blots",
        f"{{name:has}} blots on {{blots}}; {{shots}} of {{all}} rolls hit something{where}.",
        words=words,
        blots=listed([f"{blot.point} (hit by {blot.shots})" if blot.shots else str(blot.point) for blot in side.blots]),
        shots=side.shots,
        costly=side.costly_shots,
        all=ROLLS_IN_ALL,
    )
