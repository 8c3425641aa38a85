"""Why a game that is kept cannot go on as asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bgai.errors import BgaiError, InputError, RuleError

if TYPE_CHECKING:
    from bgai.room.room import Kept, Room


class NoSuchRoom(InputError):
    """No game is kept under this id: it never was, was deleted, or nobody has touched it for too long."""


class NotAllowed(RuleError):
    """An action that the rules, or what was agreed, do not allow now; `room` says what is."""

    def __init__(self, message: str, room: Room) -> None:
        super().__init__(message)
        self.room = room


class HelpRefused(InputError):
    """It was agreed that nobody gets hints, or that no tutor looks on."""


class StaleVersion(BgaiError):
    """The game is further than whoever acts has seen; `kept` is how it stands."""

    def __init__(self, version: int, kept: Kept) -> None:
        super().__init__(f"the game is at version {kept.room.version}, found {version}")
        self.kept = kept


class TooManyRooms(BgaiError):
    """As many games are kept as may be."""
