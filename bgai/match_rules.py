"""What the players of a match or a money session agree on before it.

>>> Rules(length=7, jacoby=True)
Traceback (most recent call last):
bgai.errors.RuleError: the Jacoby rule: for money only, found a match to 7 points
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from operator import index
from typing import Any, TypeVar

from bgai.errors import RuleError
from bgai.position import CUBE_LIMIT

T = TypeVar("T")


@dataclass(frozen=True)
class Rules:
    """What is agreed before the first game."""

    length: int = 0
    """Points the match goes to; 0 is a money session."""
    crawford: bool = True
    """Matches: whether the first game in which somebody needs one point is played without doubling."""
    jacoby: bool = False
    """Money only: gammons and backgammons count as single games until the cube is turned."""
    beavers: bool = False
    """Money only: who is doubled may redouble at once and keep the cube."""
    raccoons: bool = False
    """With beavers only: who is beavered may redouble at once, and the other keeps the cube."""
    automatic_doubles: int = 0
    """Money only: how often equal opening dice double the starting value of a game, at most."""
    cube: bool = True
    """Whether there is a cube at all."""
    cube_limit: int = CUBE_LIMIT
    """The cube is never turned beyond this."""

    def __post_init__(self) -> None:
        for name in ("crawford", "jacoby", "beavers", "raccoons", "cube"):
            if not isinstance(getattr(self, name), bool):
                raise RuleError(f"{name} is True or False, found {getattr(self, name)!r}")
        for name in ("length", "automatic_doubles", "cube_limit"):
            object.__setattr__(self, name, whole(getattr(self, name), name.replace("_", " ")))
        for name, lowest in (("length", 0), ("automatic_doubles", 0), ("cube_limit", 1)):
            if getattr(self, name) < lowest:
                raise RuleError(f"{name.replace('_', ' ')} is at least {lowest}, found {getattr(self, name)}")
        if self.cube_limit & (self.cube_limit - 1):
            raise RuleError(f"the cube limit is a power of two, found {self.cube_limit}")
        agreed = {
            "the Jacoby rule": self.jacoby,
            "beavers": self.beavers,
            "automatic doubles": bool(self.automatic_doubles),
        }
        for rule in (name for name, wanted in agreed.items() if wanted):
            if self.length:
                raise RuleError(f"{rule}: for money only, found a match to {self.length} points")
            if not self.cube:
                raise RuleError(f"{rule}: of no use without the cube")
        if self.raccoons and not self.beavers:
            raise RuleError("raccoons answer beavers, which are not agreed")

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {entry.name: getattr(self, entry.name) for entry in fields(self)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Rules:
        """The rules that `to_dict` wrote; what is missing has its default.

        Raises:
            RuleError: an unknown rule, a value of the wrong kind, or rules that contradict each other.
        """
        return from_fields(cls, data, "rules")


def from_fields(kind: type[T], data: Mapping[str, Any], what: str) -> T:
    """A dataclass from JSON, after a look at the names.

    Raises:
        RuleError: a missing or unknown name, or what the class itself refuses.
    """
    if not isinstance(data, Mapping):
        raise RuleError(f"{what}: expected an object, found {data!r}")
    known = {entry.name: entry for entry in fields(kind)}  # type: ignore[arg-type]
    for name in data:
        if name not in known:
            raise RuleError(f"{what}: unknown key {name!r}; expected {', '.join(known) or 'none'}")
    for name, entry in known.items():
        if entry.default is MISSING and name not in data:
            raise RuleError(f"{what}: {name} is missing")
    return kind(**data)


def whole(value: Any, what: str) -> int:
    """A whole number of any integer type as `int`.

    Raises:
        RuleError: something else.
    """
    try:
        if not isinstance(value, bool):
            return index(value)
    except TypeError:
        pass
    raise RuleError(f"{what}: expected a whole number, found {value!r}")
