"""How long a match may be that another program asks about."""

from __future__ import annotations

from bgai.errors import InputError
from bgai.met.table import LONGEST_PLAYED
from bgai.position import Score


def check_length(score: Score) -> None:
    """Refuses longer matches.

    Raises:
        InputError: says how long it is.
    """
    if score.length > LONGEST_PLAYED:
        raise InputError(f"match length: found {score.length}, expected 0 (money) to {LONGEST_PLAYED}")
