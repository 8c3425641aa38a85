"""Two plays compared by their chances: what is left to say where nothing on the board tells them apart."""

from __future__ import annotations

from bgai.coach.plays import PlayFacts
from bgai.coach.reasons import Reason, reason

SHOWN = 0.0005
"""Differences of less are not seen in the tenths of a per cent that are written."""

GAMMONS = {"win_gammon": "wins", "lose_gammon": "loses"}


def telling_chance(better: PlayFacts, worse: PlayFacts, gammon_values: tuple[float, float]) -> str | None:
    """The chance in which one play is better by most, weighed by what it is worth; None if it is better in none."""
    gained = {
        name: abs(value) * (better.chances[name] - worse.chances[name]) * (1 if value >= 0 else -1)
        for name, value in (("win", 1.0), ("win_gammon", gammon_values[0]), ("lose_gammon", -gammon_values[1]))
        if abs(better.chances[name] - worse.chances[name]) >= SHOWN
    }
    most = max(gained, key=lambda name: gained[name], default=None)
    return most if most is not None and gained[most] > 0 else None


def chance_words(id: str, name: str, play: PlayFacts, beside: PlayFacts) -> Reason:
    """How often a play wins, or wins or loses a gammon, and how often the other one does."""
    what = (
        f"{GAMMONS[name]} a gammon in {{mine:.1%}} of the games, {{play}} in"
        if name in GAMMONS
        else ("wins {mine:.1%} of the games, {play}")
    )
    return reason(
        id, f"It {what} {{theirs:.1%}}.", mine=play.chances[name], play=beside.play, theirs=beside.chances[name]
    )


def worth_words(id: str, play: PlayFacts, beside: PlayFacts) -> Reason:
    """What both are worth."""
    return reason(
        id,
        "It is worth {mine:+.3f}, {play} {theirs:+.3f}.",
        mine=play.equity,
        play=beside.play,
        theirs=beside.equity,
    )
