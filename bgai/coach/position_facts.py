"""The facts of a position that need no engine."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from bgai.board import Board, result
from bgai.coach.plans import Plan, plans_of
from bgai.coach.race import Race, race_of
from bgai.coach.sides import Side, both_sides
from bgai.errors import PositionError
from bgai.notation.positionid import format_position_id
from bgai.position import Position


@dataclass(frozen=True)
class PositionFacts:
    """A position, the player on roll first. Each side's points are counted as it counts them."""

    position_id: str
    dice: tuple[int, int] | None
    race: Race
    sides: tuple[Side, Side]
    plans: tuple[Plan, Plan]

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        found: dict[str, Any] = plain(asdict(self))
        return found


def plain(value: Any) -> Any:
    """Facts as JSON has them: tuples become lists."""
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    return value


def describe(position: Position) -> PositionFacts:
    """What can be said of a position without an engine.

    Raises:
        PositionError: the game is over.
    """
    if result(position.board):
        raise PositionError("the game is over, expected a position that can be explained")
    return facts_of(position.board, position.dice, owned=position.cube.owner == "on roll")


def facts_of(board: Board, dice: tuple[int, int] | None = None, *, owned: bool = False) -> PositionFacts:
    """The same of a board `int8[26]` of a game that goes on; `owned` if the player on roll has its own cube."""
    sides = both_sides(board)
    return PositionFacts(format_position_id(board), dice, race_of(board, owned=owned), sides, plans_of(board, sides))
