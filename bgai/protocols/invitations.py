"""Whom to play with, and how long."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

UNLIMITED = 0
"""As a length: a match without an end."""
LONGEST = 15
"""Points of the longest match that is played if nothing else is said."""
WORDS = ("anyone", "unlimited", "saved")
"""What a policy may say beside names of players."""


@dataclass(frozen=True)
class Policy:
    """Which matches are played."""

    opponents: frozenset[str] | None = None
    """Names in lower case; None for anyone."""
    longest: int = LONGEST
    """Points of the longest match."""
    unlimited: bool = False
    """Whether matches without an end are played too."""
    saved: bool = False
    """Whether saved matches are resumed that were begun before this run."""

    @classmethod
    def of(cls, words: Iterable[str], longest: int = LONGEST) -> Policy:
        """The policy of some words: `anyone`, `unlimited`, `saved`, and names; without a name anyone may come.

        >>> Policy.of(["unlimited", "Alice"]).opponents
        frozenset({'alice'})
        """
        said = list(words)
        names = frozenset(word.lower() for word in said if word not in WORDS)
        return cls(
            opponents=None if "anyone" in said or not names else names,
            longest=longest,
            unlimited="unlimited" in said,
            saved="saved" in said,
        )

    def refusal(self, opponent: str, length: int) -> str | None:
        """Why a match of this length (0: unlimited) is not played with this opponent; None if it is."""
        if self.opponents is not None and opponent.lower() not in self.opponents:
            return "I play with invited players only"
        if length == UNLIMITED and not self.unlimited:
            return "I do not play unlimited matches"
        if length > self.longest:
            return f"I play matches of up to {self.longest} points"
        return None
