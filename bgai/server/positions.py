"""Positions as requests give them: by any name, or as a board; with what is agreed beside them."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Discriminator, Field, StringConstraints, Tag

from bgai.board import BAR, SIZE, as_board, result
from bgai.dice import check_roll
from bgai.errors import InputError
from bgai.met.table import LONGEST_PLAYED as LONGEST_MATCH
from bgai.notation import drawing_reader, fibs, matchid
from bgai.notation.checks import HIGHEST_CUBE, MOST_POINTS, check_position
from bgai.notation.identify import BOARD_ONLY, read_position
from bgai.notation.reading import Reading
from bgai.position import Cube, CubeOwner, Position, Score
from bgai.server.problems import FieldError, naming

LONGEST_NAME = 2000
"""Characters: a drawing of a board has some hundred."""

OWNERS: dict[str, CubeOwner] = {"centred": "centred", "on_roll": "on roll", "opponent": "opponent"}
"""Owners of the cube as requests call them."""

_OPEN = {matchid.KIND: ("beavers",), fibs.KIND: ("jacoby", "beavers")}
"""What a name leaves open although it says the rest."""

_POINTS = {"bar": BAR} | {str(number): number for number in range(1, BAR)}
"""Names of the points of a side, and their numbers."""

_ROLLED = {"id", "dice"}
_AGREED = {"length", "score", "crawford", "jacoby", "beavers"}
_FIELDS = {
    "match length": "length",
    "score": "score",
    "Crawford": "crawford",
    "Jacoby": "jacoby",
    "beavers": "beavers",
    "cube": "cube",
    "cube owner": "cube_owner",
    "cube limit": "cube_limit",
    "dice": "dice",
    "double": "offer",
}

Count = Annotated[int, Field(ge=1, le=15)]
Points = dict[str, Count]
Name = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_NAME)]
Die = Annotated[int, Field(ge=1, le=6)]
Won = Annotated[int, Field(ge=0, le=MOST_POINTS)]
Power = Annotated[int, Field(ge=1, le=HIGHEST_CUBE)]


class Strict(BaseModel):
    """A part of a request; fields that it does not have are refused, and values of another type than theirs."""

    model_config = ConfigDict(extra="forbid", strict=True, use_attribute_docstrings=True)


class Sides(Strict):
    """A board by its sides; each counts the points as it sees them, 1 to 24, and `bar`."""

    player: Points
    """The checkers of the player on roll, as in `{"24": 2, "13": 5, "8": 3, "6": 5}`."""
    opponent: Points
    """The opponent's, by its own count."""


def _form_of_board(value: Any) -> str:
    return "list" if isinstance(value, list | tuple) else "sides"


Row = Annotated[list[int], Field(min_length=SIZE, max_length=SIZE)]
"""26 numbers: the opponent's bar (0 or less), points 1 to 24 as the player on roll counts them, the own bar."""


class GivenPosition(Strict):
    """A position: an `id` or a `board`, and what they do not say; what an `id` says may only be repeated."""

    id: Name | None = None
    """An XGID, GNU Backgammon's position ID with or without its match ID, or any other name of docs/formats.md."""
    board: (
        Annotated[Annotated[Row, Tag("list")] | Annotated[Sides, Tag("sides")], Discriminator(_form_of_board)] | None
    ) = None
    """26 numbers as in `bgai.board`, or an object with the checkers of both sides."""
    dice: Annotated[list[Die], Field(min_length=2, max_length=2)] | None = None
    """The roll to be played."""
    length: Won | None = None
    """Points the match goes to; 0 for money."""
    score: Annotated[list[Won], Field(min_length=2, max_length=2)] | None = None
    """Points won, those of the player on roll first."""
    crawford: bool | None = None
    """Whether this is the Crawford game."""
    jacoby: bool | None = None
    """Money: gammons count only once the cube was turned."""
    beavers: bool | None = None
    """Money: who is doubled may beaver."""
    cube: Power | None = None
    """Value of the cube; while a double waits, as it was before it."""
    cube_owner: Literal["centred", "on_roll", "opponent"] | None = None
    """Who may double next."""
    cube_limit: Power | None = None
    """The cube is never turned beyond this; 1: there is no cube."""
    offer: Literal["double"] | None = None
    """A double of the player on roll that waits for its answer."""


def _form(value: Any) -> str:
    return "text" if isinstance(value, str) else "object"


AnyPosition = Annotated[
    Annotated[Name, Tag("text")] | Annotated[GivenPosition, Tag("object")],
    Discriminator(_form),
    Field(description="The name of a position, or an object with it."),
]


def read_given(given: str | GivenPosition, field: str = "position") -> tuple[Position, tuple[str, ...]]:
    """The position that a request means, and what had to be repaired in its name.

    Raises:
        FieldError: not a position, or one that cannot occur; names the field.
    """
    if isinstance(given, str):
        with naming(field):
            reading = read_position(given)
        return _short(reading.position, field), reading.remarks
    if (given.id is None) == (given.board is None):
        found = "neither" if given.id is None else "both"
        raise FieldError(field, f"expected either an id or a board, found {found}")
    if given.id is None:
        return _checked(_complete(given, Position(_board(given.board, field)), field), field), ()
    with naming(f"{field}.id"):
        reading = read_position(given.id)
    if given.model_fields_set <= _ROLLED and reading.position.offer is None:
        # The name was checked when it was read, and a roll changes nothing else.
        return _short(_with_dice(given, reading.position, field), field), reading.remarks
    if reading.kind not in BOARD_ONLY:
        _compare(given, reading.position, reading.kind, field)
        given = given.model_copy(update=dict.fromkeys(("length", "score", "crawford", "cube", "cube_owner")))
    return _checked(_complete(given, reading.position, field), field), reading.remarks


def read_start(given: str | GivenPosition, field: str = "position") -> Reading:
    """The same, where a match or a session is to begin: its kind says whether score and rules are part of it.

    Raises:
        FieldError: as `read_given`.
    """
    position, remarks = read_given(given, field)
    name = given if isinstance(given, str) else given.id
    kind = drawing_reader.KIND if name is None else read_position(name).kind
    if isinstance(given, GivenPosition) and kind in BOARD_ONLY and given.model_fields_set & _AGREED:
        kind = "object"
    return Reading(position, kind, remarks)


def _board(board: Any, field: str) -> Any:
    values = board
    if isinstance(board, Sides):
        values = np.zeros(SIZE, dtype=np.int64)
        for side, points in (("player", board.player), ("opponent", board.opponent)):
            for name, count in points.items():
                place = f"{field}.board.{side}"
                if name not in _POINTS:
                    raise FieldError(place, f"expected points 1 to 24, or bar, found {name[:20]!r}")
                number = _POINTS[name]
                index = number if side == "player" else BAR - number
                if values[index]:
                    raise FieldError(place, f"both sides stand on point {number} of the {side}")
                values[index] = count if side == "player" else -count
    with naming(f"{field}.board"):
        for index, count in enumerate(values):
            if abs(count) > 127:
                raise FieldError(f"{field}.board[{index}]", f"expected -15 to 15, found {count}")
        return as_board(values)


def _complete(given: GivenPosition, position: Position, field: str) -> Position:
    """The position with what was given beside its board or its name."""
    score, cube = position.score, position.cube
    if given.score is not None and not given.length and given.score != [0, 0]:
        raise FieldError(f"{field}.length", f"is missing beside the score {given.score[0]}-{given.score[1]}")
    if given.cube_owner is None and (given.cube or 1) > 1 and given.length:
        raise FieldError(f"{field}.cube_owner", f"is missing beside a cube at {given.cube}")
    if given.length is not None:
        score = Score((0, 0), given.length)
    if given.score is not None:
        score = replace(score, points=(given.score[0], given.score[1]))
    for name in ("crawford", "jacoby", "beavers"):
        value = getattr(given, name)
        if value is not None:
            score = replace(score, **{name: value})
    if given.cube is not None:
        cube = Cube(given.cube, OWNERS[given.cube_owner or "centred"])
    elif given.cube_owner is not None:
        cube = Cube(cube.value, OWNERS[given.cube_owner])
    return replace(
        _with_dice(given, position, field),
        score=score,
        cube=cube,
        offer=given.offer or position.offer,
        cube_limit=given.cube_limit or position.cube_limit,
    )


def _with_dice(given: GivenPosition, position: Position, field: str) -> Position:
    if given.dice is None:
        return position
    first, second = given.dice
    dice = position.dice
    with naming(f"{field}.dice"):
        roll = check_roll(first, second)
    if dice is not None and dice != roll:
        raise FieldError(f"{field}.dice", f"found {first}-{second} here and {dice[0]}-{dice[1]} in the id")
    return replace(position, dice=roll)


def _compare(given: GivenPosition, position: Position, kind: str, field: str) -> None:
    """Refuses what contradicts the name."""
    score, cube = position.score, position.cube
    owner = next(name for name, known in OWNERS.items() if known == cube.owner)
    there: dict[str, Any] = {
        "length": score.length,
        "score": list(score.points),
        "crawford": score.crawford,
        "jacoby": score.jacoby,
        "beavers": score.beavers,
        "cube": cube.value,
        "cube_owner": owner,
    }
    for name, value in there.items():
        said = getattr(given, name)
        if said is not None and said != value and name not in _OPEN.get(kind, ()):
            raise FieldError(f"{field}.{name}", f"found {said} here and {value} in the {kind}, expected the same")


def _checked(position: Position, field: str) -> Position:
    try:
        checked = check_position(position)
    except InputError as error:
        # The checks begin with the name of what is wrong, as people call it.
        name, _, message = str(error).partition(": ")
        if message and name in _FIELDS:
            raise FieldError(f"{field}.{_FIELDS[name]}", message) from error
        raise FieldError(field, str(error)) from error
    return _short(checked, field)


def _short(position: Position, field: str) -> Position:
    length = position.score.length
    if length > LONGEST_MATCH:
        raise FieldError(f"{field}.length", f"found a match to {length}, expected at most {LONGEST_MATCH}")
    return position


def with_roll(position: Position, field: str = "position") -> Position:
    """The position, if it has a play to choose.

    Raises:
        FieldError: no dice, an offer that waits, or a finished game.
    """
    if position.offer is not None:
        raise FieldError(field, f"a {position.offer} waits for an answer, expected a position with a play to choose")
    if position.dice is None:
        raise FieldError(f"{field}.dice", "is missing, expected a roll such as [3, 1]")
    if result(position.board):
        raise FieldError(field, "the game is over, expected a position with a play to choose")
    return position


def before_roll(position: Position, field: str = "position", *, double: bool = False) -> Position:
    """The position before the roll; dice in it play no part. Only with `double` may one wait for its answer.

    Raises:
        FieldError: an offer that waits.
    """
    if position.offer is not None and not (double and position.offer == "double"):
        raise FieldError(field, f"a {position.offer} waits for an answer, expected a position before the roll")
    return replace(position, dice=None)
