"""A word that is said at a certain moment."""

from __future__ import annotations

from bgai.halt import Halt


class HaltAfter(Halt):
    """Is said once somebody has looked at it so often."""

    def __init__(self, looks: int) -> None:
        super().__init__()
        self._left = looks

    @property
    def said(self) -> bool:
        self._left -= 1
        return self._left < 0

    @property
    def looks_after(self) -> int:
        """How often it was looked at when it had been said."""
        return max(-self._left, 0)
