"""The two questions of wildbg's HTTP API, asked and answered as its front ends expect it, with a real cube behind.

    GET /move?die1=3&die2=1&p24=2&p19=-5&p17=-3&p13=5&p12=-5&p8=3&p6=5&p1=-2
    GET /eval?p24=2&p19=-5&p17=-3&p13=5&p12=-5&p8=3&p6=5&p1=-2

Parameters, members, status codes and texts of errors are those of https://github.com/carsten-wenderdel/wildbg. More
than it does: any score by `x_away` and `o_away`, for `/eval` too, and plays ranked with the cube. At a score at which
one side needs one point the game is the Crawford game, unless `crawford=false` says that it is over.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import parse_qsl

import numpy as np
from fastapi import APIRouter, Request
from starlette.responses import PlainTextResponse, Response

from bgai.board import BAR, CHECKERS, OPPONENT_BAR, SIZE, Board, as_board, result
from bgai.cube_decision import CubeAction, cube_action
from bgai.dice import check_roll
from bgai.errors import InputError
from bgai.levels import PLAIN
from bgai.met.table import LONGEST_PLAYED as LONGEST_MATCH
from bgai.outcomes import Outcomes, of_result
from bgai.position import Position, Score
from bgai.server.answers import steps_record
from bgai.server.documented import as_json, desk_of, problems

router = APIRouter(tags=["wildbg"])

_LONGEST = 30
_NUMBER = re.compile(r"\+?[0-9]+|-[0-9]+")
_DICE = ("die1", "die2")
_NAMES = ("win", "winG", "winBg", "loseG", "loseBg")
_I8, _USIZE, _U32 = (-(2**7), 2**7 - 1), (0, 2**64 - 1), (0, 2**32 - 1)
_RANGES = {
    "die1": _USIZE,
    "die2": _USIZE,
    "x_away": _U32,
    "o_away": _U32,
    **{f"p{number}": _I8 for number in range(SIZE)},
}

DICE = "Dice values must be between 1 and 6."
X_TOO_MANY = "Player x has more than 15 checkers on the board."
O_TOO_MANY = "Player o has more than 15 checkers on the board."
X_BAR = "Index 25 is the bar for player x, number of checkers needs to be positive."
O_BAR = "Index 0 is the bar for player o, number of checkers needs to be negative."
X_AWAY = "If x_away is 0, then o_away must also be 0."
O_AWAY = "If o_away is 0, then x_away must also be 0."


class _Unreadable(Exception):
    """A query that wildbg could not read; it says so in plain text."""


class _Refused(Exception):
    """Values that cannot be; said as JSON."""


def _parameters(*, dice: bool) -> list[dict[str, Any]]:
    """For the OpenAPI document."""
    start = {24: 2, 19: -5, 17: -3, 13: 5, 12: -5, 8: 3, 6: 5, 1: -2}

    def parameter(name: str, low: int, high: int | None, told: str, example: Any = None, needed: bool = False) -> Any:
        schema: dict[str, Any] = {"type": "integer", "minimum": low}
        if high is not None:
            schema["maximum"] = high
        entry = {"name": name, "in": "query", "required": needed, "description": told, "schema": schema}
        return entry if example is None else entry | {"example": example}

    found = [parameter(f"die{n}", 1, 6, "A die.", 5 - 2 * n, True) for n in (1, 2)] if dice else []
    for number in range(SIZE):
        low = 0 if number == BAR else -CHECKERS
        high = 0 if number == OPPONENT_BAR else CHECKERS
        place = {OPPONENT_BAR: "The bar of o", BAR: "The bar of x"}.get(number, f"Point {number}")
        found.append(parameter(f"p{number}", low, high, f"{place}; 0 if it is left out.", start.get(number)))
    for side in ("x", "o"):
        told = f"Points that {side} needs; 0 for both is money play. More than wildbg does: up to {LONGEST_MATCH}."
        found.append(parameter(f"{side}_away", 0, LONGEST_MATCH, told))
    told = "Where one side needs one point: whether this is the Crawford game (the default). Not in wildbg."
    found.append(
        {"name": "crawford", "in": "query", "required": False, "description": told, "schema": {"type": "boolean"}}
    )
    return found


def _documented(example: Any) -> dict[int | str, dict[str, Any]]:
    message = {"message": X_TOO_MANY}
    return {
        200: {
            "description": "The answer",
            "content": {"application/json": {"schema": {"type": "object"}, "example": example}},
        },
        400: {
            "description": "Values that cannot be; a query that cannot be read is answered in plain text",
            "content": {
                "application/json": {"schema": {"type": "object"}, "example": message},
                "text/plain": {"example": "Failed to deserialize query string: missing field `die1`"},
            },
        },
        **problems(401),
    }


_CHANCES = {"win": 0.55307376, "winG": 0.15876603, "winBg": 0.0056991577, "loseG": 0.10842091, "loseBg": 0.0037181973}
_MOVES = {"moves": [{"play": [{"from": 8, "to": 5}, {"from": 6, "to": 5}], "probabilities": _CHANCES}]}
_EVAL = {"cube": {"double": False, "accept": True}, "probabilities": _CHANCES}


@router.get(
    "/move",
    summary="All legal plays, the best first (wildbg)",
    response_model=None,
    responses=_documented(_MOVES),
    openapi_extra={"parameters": _parameters(dice=True)},
)
async def move(request: Request) -> Response:
    """Ranked by equity with the cube at the score; chances are those of x after the play."""
    try:
        given = _query(request)
        board = _board(given)
        dice = given["die1"], given["die2"]
        if not all(1 <= die <= 6 for die in dice):
            raise _Refused(DICE)
        score = _score(given)
    except (_Unreadable, _Refused) as error:
        return _refusal(error)
    if result(board):
        return as_json({"moves": [{"play": [], "probabilities": probabilities(of_result(result(board)))}]})
    desk = desk_of(request)
    ranked = desk.players.answering(PLAIN.name).analyst.rank([Position(board, check_roll(*dice), score=score)])
    moves = [
        {
            "play": [{"from": begin, "to": end} for begin, end in steps_record(ranked.plays.steps[number])],
            "probabilities": probabilities(ranked.outcomes[number]),
        }
        for number in ranked.order
    ]
    return as_json({"moves": moves})


@router.get(
    "/eval",
    summary="Chances and the cube decision (wildbg)",
    response_model=None,
    responses=_documented(_EVAL),
    openapi_extra={"parameters": _parameters(dice=False)},
)
async def eval(request: Request) -> Response:
    """`double`: whether x should double now, `accept`: whether o should take; with a cube of 1 in the middle."""
    try:
        given = _query(request, dice=False)
        board, score = _board(given), _score(given)
    except (_Unreadable, _Refused) as error:
        return _refusal(error)
    if result(board):
        lost = {"double": False, "accept": result(board) < 0}
        return as_json({"cube": lost, "probabilities": probabilities(of_result(result(board)))})
    desk = desk_of(request)
    who, position = desk.players.answering(PLAIN.name), Position(board, score=score)

    def judged() -> tuple[CubeAction, Outcomes]:
        return cube_action(who.analyst, position), who.analyst.evaluate(position).outcomes

    action, outcomes = await desk.run(who, judged)
    cube = {"double": action.action == "double", "accept": action.answer != "pass"}
    return as_json({"cube": cube, "probabilities": probabilities(outcomes)})


def probabilities(outcomes: Outcomes) -> dict[str, float]:
    """Chances `float32[5]` by wildbg's names, in the fewest digits that say which `float32` they are."""
    return {name: float(str(chance)) for name, chance in zip(_NAMES, outcomes, strict=True)}


def _query(request: Request, *, dice: bool = True) -> dict[str, int]:
    """The numbers of a query, read in the order in which wildbg reads them: dice first, then everything else."""
    pairs = parse_qsl(request.url.query, keep_blank_values=True)
    given: dict[str, int] = {}
    if dice:
        _take(given, pairs, _DICE)
        for name in _DICE:
            if name not in given:
                raise _Unreadable(f"missing field `{name}`")
    _take(given, pairs, [name for name in _RANGES if name not in _DICE])
    crawford = [text for name, text in pairs if name == "crawford"]
    if crawford and crawford[-1] not in ("true", "false"):
        raise _Unreadable("provided string was not `true` or `false`")
    given["crawford"] = int(not crawford or crawford[-1] == "true")
    return given


def _take(given: dict[str, int], pairs: Sequence[tuple[str, str]], names: Sequence[str]) -> None:
    for name, text in pairs:
        if name in names:
            if name in given:
                raise _Unreadable(f"duplicate field `{name}`")
            given[name] = _number(name, text)


def _number(name: str, text: str) -> int:
    low, high = _RANGES[name]
    if not text:
        raise _Unreadable("cannot parse integer from empty string")
    if not _NUMBER.fullmatch(text) or (low == 0 and text[0] == "-"):
        raise _Unreadable("invalid digit found in string")
    # Longer texts are out of range, and need not become numbers to see that.
    value = int(text) if len(text) <= _LONGEST else high + 1 if text[0] != "-" else low - 1
    if not low <= value <= high:
        raise _Unreadable(f"number too {'large' if value > high else 'small'} to fit in target type")
    return value


def _board(given: Mapping[str, int]) -> Board:
    counts = np.array([given.get(f"p{number}", 0) for number in range(SIZE)], dtype=np.int64)
    for wrong, message in (
        (counts[counts > 0].sum() > CHECKERS, X_TOO_MANY),
        (-counts[counts < 0].sum() > CHECKERS, O_TOO_MANY),
        (counts[BAR] < 0, X_BAR),
        (counts[OPPONENT_BAR] > 0, O_BAR),
    ):
        if wrong:
            raise _Refused(message)
    try:
        return as_board(counts)
    except InputError as error:
        raise _Refused(f"{str(error)[0].upper()}{str(error)[1:]}.") from None


def _score(given: Mapping[str, int]) -> Score:
    away = given.get("x_away", 0), given.get("o_away", 0)
    if away == (0, 0):
        return Score()
    if 0 in away:
        raise _Refused(O_AWAY if away[0] else X_AWAY)
    length = max(away)
    if length > LONGEST_MATCH:
        raise _Refused(f"Matches to at most {LONGEST_MATCH} points are supported.")
    crawford = 1 in away and length > 1 and bool(given["crawford"])
    return Score((length - away[0], length - away[1]), length, crawford)


def _refusal(error: _Unreadable | _Refused) -> Response:
    if isinstance(error, _Unreadable):
        return PlainTextResponse(f"Failed to deserialize query string: {error}", 400)
    return as_json({"message": str(error)}, 400)
