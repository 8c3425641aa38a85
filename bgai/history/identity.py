"""When two matches, players or analyses count as the same, or as better."""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from datetime import date
from statistics import fmean
from typing import Any

from bgai.analysis.analysis import Analysis
from bgai.events import Event, Play, Roll
from bgai.record import MatchRecord

NAMELESS = "nameless"
"""A player of whom a file says nothing."""

_DATE = re.compile(r"(\d{4})[-./](\d{1,2})[-./](\d{1,2})")


def name_of(name: str) -> str:
    """A player's name without superfluous blanks."""
    return " ".join(name.split()) or NAMELESS


def key_of(name: str) -> str:
    """What the spellings of a name have in common: blanks, case and the forms of Unicode make no difference."""
    return unicodedata.normalize("NFKC", name_of(name)).casefold()


def digest(what: Any) -> str:
    """A name for what JSON describes: 32 hexadecimal digits."""
    text = json.dumps(what, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def digest_of(record: MatchRecord) -> str:
    """The same for records of the same match: what was played by whom, without remarks and what else a file says."""
    return digest(
        {
            "players": [key_of(name) for name in record.players],
            "rules": record.rules.to_dict(),
            "score": list(record.score),
            "post_crawford": record.post_crawford,
            "games": [[_plain(event) for event in game.events] for game in record.games],
        }
    )


def _plain(event: Event) -> dict[str, Any]:
    """An event without the order of dice and steps, which formats do not all have."""
    data = event.to_dict()
    if isinstance(event, Roll):
        data["dice"] = sorted(event.dice)
    if isinstance(event, Play):
        data["steps"] = sorted(list(step) for step in event.steps)
    return data


def played_on(record: MatchRecord) -> date | None:
    """The day that the record names as its date; None if it names none."""
    found = _DATE.search(record.metadata.get("date", ""))
    if found is None:
        return None
    try:
        return date(*(int(part) for part in found.groups()))
    except ValueError:
        return None


def depth_of(analysis: Analysis) -> float:
    """How far was looked ahead on average, in plies; a rollout counts as more than any look ahead."""
    plies = [decision.best.plies for decision in analysis.decisions if not decision.forced]
    return fmean(plies) if plies else 0.0
