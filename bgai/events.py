"""What may happen in a match.

A match is a list of events. Each is frozen and names the player who acts by seat, 0 or 1; the dice are events
like the rest, so the list holds all there is to know and `bgai.match` rebuilds every position from it.

    >>> event = Roll(1, (6, 4))
    >>> event.to_dict()
    {'event': 'roll', 'seat': 1, 'dice': [6, 4]}
    >>> event_from_dict(event.to_dict()) == event
    True
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from operator import index
from typing import Any, ClassVar, Literal

from bgai.board import BAR, as_board, result
from bgai.dice import check_roll
from bgai.errors import InputError, RuleError
from bgai.match_rules import from_fields, whole

Step = tuple[int, int]
"""From and to of one checker by one die, as the player counts; 25 the bar, 0 off."""

How = Literal["bear-off", "drop", "resignation"]
"""How a game ends."""


@dataclass(frozen=True)
class _Event:
    kind: ClassVar[str]
    """Its name in JSON, and in messages after "may not"."""

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {"event": self.kind} | {entry.name: _listed(getattr(self, entry.name)) for entry in fields(self)}


@dataclass(frozen=True)
class _Act(_Event):
    seat: int
    """Who acts: 0 or 1."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "seat", whole(self.seat, "a seat"))
        if self.seat not in (0, 1):
            raise RuleError(f"a seat is 0 or 1, found {self.seat}")


@dataclass(frozen=True)
class StartGame(_Event):
    """A game begins. The larger die starts and has this roll to play."""

    kind = "start"
    dice: tuple[int, int]
    """One die for each seat; they differ."""
    automatic: int = 0
    """Automatic doubles before: each doubles the starting value, leaves the cube centred and does not turn it."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "dice", _dice(self.dice))
        object.__setattr__(self, "automatic", whole(self.automatic, "automatic doubles"))
        if self.dice[0] == self.dice[1]:
            raise RuleError(f"equal opening dice are thrown again, found {self.dice[0]}-{self.dice[1]}")
        if self.automatic < 0:
            raise RuleError(f"automatic doubles are at least 0, found {self.automatic}")

    @property
    def seat(self) -> int:
        """Who begins."""
        return 0 if self.dice[0] > self.dice[1] else 1


@dataclass(frozen=True)
class Roll(_Act):
    """The player on roll throws the dice."""

    kind = "roll"
    dice: tuple[int, int]
    """In the order they fell."""

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "dice", _dice(self.dice))


@dataclass(frozen=True)
class Play(_Act):
    """The roll is played; without steps where nothing can be played."""

    kind = "play"
    steps: tuple[Step, ...] = ()
    """Each moves one checker by one die, in any order."""

    def __post_init__(self) -> None:
        super().__post_init__()
        try:
            steps = tuple((index(start), index(end)) for start, end in self.steps)
        except (TypeError, ValueError):
            raise RuleError(f"steps are up to four pairs of points, found {self.steps!r}") from None
        object.__setattr__(self, "steps", steps)
        if len(steps) > 4:
            raise RuleError(f"a play has at most four steps, found {len(steps)}")
        for start, end in steps:
            if not 0 <= end < start <= BAR:
                raise RuleError(
                    f"a step leads from the bar (25) or a point to a lower one or off (0), found {start}/{end}"
                )

    @classmethod
    def of(cls, seat: int, steps: Iterable[Iterable[int]]) -> Play:
        """The play with the steps of a row of `Plays.steps`, whose unused ones are (0, 0)."""
        pairs = (tuple(int(point) for point in step) for step in steps)
        return cls(seat, tuple((pair[0], pair[1]) for pair in pairs if any(pair)))

    @property
    def text(self) -> str:
        """Its steps one by one, as `8/5 6/5`; `bgai.format_play` writes the notation of the books."""
        names = {BAR: "bar", 0: "off"}
        return " ".join(f"{names.get(start, start)}/{names.get(end, end)}" for start, end in self.steps) or "a pass"


@dataclass(frozen=True)
class Double(_Act):
    """Before the roll: the offer to play on for twice as much."""

    kind = "double"


@dataclass(frozen=True)
class Beaver(_Act):
    """The answer to a double: takes it, doubles once more and keeps the cube."""

    kind = "beaver"


@dataclass(frozen=True)
class Raccoon(_Act):
    """The answer to a beaver: takes it and doubles once more; the cube stays where it is."""

    kind = "raccoon"


@dataclass(frozen=True)
class Take(_Act):
    """The answer to a double, beaver or raccoon: plays on for twice as much."""

    kind = "take"


@dataclass(frozen=True)
class Pass(_Act):
    """The answer to a double, beaver or raccoon: gives up the game for the stake as it was before that offer."""

    kind = "pass"


@dataclass(frozen=True)
class Resign(_Act):
    """The offer to give up the game."""

    kind = "resign"
    value: int = 1
    """1 as a single game, 2 as a gammon, 3 as a backgammon; times the cube."""

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "value", whole(self.value, "the value of a resignation"))
        if self.value not in (1, 2, 3):
            raise RuleError(f"a resignation is worth 1 (single), 2 (gammon) or 3 (backgammon), found {self.value}")


@dataclass(frozen=True)
class AcceptResignation(_Act):
    """The other player is content, and the game is over."""

    kind = "accept the resignation"


@dataclass(frozen=True)
class RefuseResignation(_Act):
    """The other player wants more, and the game goes on as it was."""

    kind = "refuse the resignation"


@dataclass(frozen=True)
class SetUp(_Act):
    """The position is set up as it stands. Nobody plays so; files have it, and so have positions after a false play."""

    kind = "set up"
    checkers: tuple[int, ...]
    """The board as plain numbers, seen by `seat`, who is on roll from now on."""
    dice: tuple[int, int] | None = None
    """The roll to be played."""
    cube: int = 1
    owner: int | None = None
    """Seat that owns the cube; None while it is centred."""

    def __post_init__(self) -> None:
        super().__post_init__()
        try:
            board = as_board(self.checkers)
        except (TypeError, ValueError) as error:
            reason = str(error) if isinstance(error, InputError) else f"a board has 26 numbers, found {self.checkers!r}"
            raise RuleError(reason) from None
        if result(board):
            raise RuleError("a position is set up to play on, and here a side has no checker left")
        object.__setattr__(self, "checkers", tuple(board.tolist()))
        object.__setattr__(self, "dice", None if self.dice is None else _dice(self.dice))
        object.__setattr__(self, "cube", whole(self.cube, "the cube"))
        if self.cube < 1 or self.cube & (self.cube - 1):
            raise RuleError(f"the cube is a power of two, found {self.cube}")
        object.__setattr__(self, "owner", None if self.owner is None else whole(self.owner, "the cube's owner"))
        if self.owner not in (None, 0, 1):
            raise RuleError(f"the cube's owner is seat 0, seat 1 or None, found {self.owner}")
        if self.cube == 1 and self.owner is not None:
            raise RuleError(f"nobody owns a cube at 1, found seat {self.owner}")


Event = (
    StartGame
    | Roll
    | Play
    | Double
    | Beaver
    | Raccoon
    | Take
    | Pass
    | Resign
    | AcceptResignation
    | RefuseResignation
    | SetUp
)
"""All that may happen."""

_KINDS: dict[str, type[Event]] = {
    kind.kind: kind
    for kind in (
        StartGame,
        Roll,
        Play,
        Double,
        Beaver,
        Raccoon,
        Take,
        Pass,
        Resign,
        AcceptResignation,
        RefuseResignation,
        SetUp,
    )
}


@dataclass(frozen=True)
class EndOfGame:
    """How a game ended. It follows from the events and is none itself."""

    winner: int
    """Seat."""
    value: int
    """1 single, 2 gammon, 3 backgammon, as they count: under Jacoby 1 while the cube was never turned."""
    cube: int
    """The value of the cube."""
    how: How

    @property
    def points(self) -> int:
        """What the winner's score grows by."""
        return self.value * self.cube

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {entry.name: getattr(self, entry.name) for entry in fields(self)} | {"points": self.points}


def event_from_dict(data: Mapping[str, Any]) -> Event:
    """The event that `to_dict` wrote.

    Raises:
        RuleError: no event, or one with missing, unknown or impossible values.
    """
    kind = data.get("event") if isinstance(data, Mapping) else None
    if not isinstance(kind, str) or kind not in _KINDS:
        raise RuleError(f"expected an event ({', '.join(_KINDS)}), found {kind!r}")
    rest = {name: value for name, value in data.items() if name != "event"}
    return from_fields(_KINDS[kind], rest, kind)


def _listed(value: Any) -> Any:
    return [_listed(entry) for entry in value] if isinstance(value, tuple) else value


def _dice(value: Any) -> tuple[int, int]:
    try:
        first, second = (index(die) for die in value)
        check_roll(first, second)
    except (TypeError, ValueError) as error:
        reason = str(error) if isinstance(error, InputError) else f"a roll is two dice, found {value!r}"
        raise RuleError(reason) from None
    return first, second
