"""Questions about one position: its plays, its worth, its cube, in words, as a picture, in every notation."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Body, Request
from pydantic import Field, StringConstraints, model_validator
from starlette.responses import Response

from bgai import client as shapes
from bgai.answers import DECIMALS, cube_record, plies_record, rounded
from bgai.coach import explain_cube, explain_play
from bgai.coach.cube_words import read_done
from bgai.cube_decision import check_cube_question
from bgai.diagram import NAMES, NARROWEST, WIDEST, WIDTH, diagram_svg
from bgai.notation.identify import read_position
from bgai.notation.playtext import parse_play
from bgai.notation.positionid import format_position_id
from bgai.notation.reading import Reading
from bgai.notation.xgid import format_xgid
from bgai.plays import legal_plays
from bgai.position import Position
from bgai.server.answers import legal_record, position_record
from bgai.server.documented import QUESTION, answer, as_json, asked, desk_of
from bgai.server.examples import ANSWERS, CUBE_XGID, START
from bgai.server.json_route import JsonRoute
from bgai.server.observing import PREFIX
from bgai.server.players import Answering
from bgai.server.positions import AnyPosition, GivenPosition, Strict, before_roll, read_given, with_roll
from bgai.server.problems import FieldError, naming
from bgai.version import JSON_VERSION

router = APIRouter(prefix=PREFIX, tags=["positions"], route_class=JsonRoute)

LONGEST_PLAY = 100

LevelName = Annotated[
    str,
    StringConstraints(min_length=1, max_length=60),
    Field(description="A level of docs/levels.md: `0-ply` to `7-ply`, `rollout`, a time such as `500ms`, `beginner` …"),
]
ModelName = Annotated[
    str,
    StringConstraints(min_length=1, max_length=60),
    Field(description="A kept model by name or number, of those that `/models` lists."),
]
PlayText = Annotated[str, StringConstraints(max_length=LONGEST_PLAY)]


class Question(Strict):
    """A position."""

    position: AnyPosition


class Judged(Question):
    """A position, and who is asked about it."""

    level: LevelName = "0-ply"
    model: ModelName | None = None


class PlaysQuestion(Judged):
    """Which plays are best."""

    cubeful: bool = True
    """Whether the cube counts."""
    top: Annotated[int, Field(ge=0, le=10_000)] = 10
    """Plays to answer with; 0 for all."""
    play: PlayText | None = None
    """Says as well what this play costs."""


class EvaluationQuestion(Judged):
    """What a position is worth."""

    cubeful: bool = True
    """Whether the cube counts."""


class CubeQuestion(Judged):
    """Whether to double, and whether to take."""

    market_losers: bool = True
    """Whether to count them, which takes most of the time."""


class CoachQuestion(Judged):
    """What is to be explained: with dice the best play, else the cube action."""

    play: PlayText | None = None
    """The play that was made."""
    action: PlayText | None = None
    """Without dice: what was done: `no double`, `double`, `take`, `pass` or `beaver`."""
    names: tuple[str, str] = NAMES
    """What the player on roll and the opponent are called."""

    @model_validator(mode="after")
    def _names(self) -> CoachQuestion:
        check_names(self.names)
        return self


class DiagramQuestion(Question):
    """What is to be drawn."""

    play: PlayText | None = None
    """Gets an arrow for each checker."""
    direction: Literal["left", "right"] = "right"
    """Where the home board of the player on roll is."""
    theme: Literal["light", "dark"] = "light"
    width: Annotated[int, Field(ge=NARROWEST, le=WIDEST)] = WIDTH
    """Pixels."""
    names: tuple[str, str] = NAMES
    """Of the player on roll and of the opponent."""

    @model_validator(mode="after")
    def _names(self) -> DiagramQuestion:
        check_names(self.names)
        return self


def check_names(names: tuple[str, str]) -> None:
    """Refuses names that cannot be shown."""
    for name in names:
        if not 1 <= len(name) <= 40 or not name.isprintable():
            raise ValueError(f"names: expected 1 to 40 printable characters each, found {name[:40]!r}")


@router.post(
    "/legal-plays",
    summary="All legal plays of a roll",
    response_model=None,
    responses={**answer(shapes.LegalPlays, "The plays", ANSWERS["legal-plays"]), **QUESTION},
)
async def legal(
    question: Annotated[
        Question,
        Body(
            openapi_examples=asked(
                start=("The first roll", {"position": {"id": START, "dice": [3, 1]}}),
                board=(
                    "A board by its sides",
                    {"position": {"board": {"player": {"6": 2}, "opponent": {"bar": 1, "4": 1}}, "dice": [6, 5]}},
                ),
            )
        ),
    ],
) -> Response:
    """Without one there is an entry whose play is empty. Nothing is judged: the quickest way to check a play."""
    position, _ = read_given(question.position)
    return as_json(legal_record(with_roll(position)))


@router.post(
    "/plays",
    summary="The best plays of a roll",
    response_model=None,
    responses={**answer(shapes.RankedPlays, "The plays, the best first", ANSWERS["plays"]), **QUESTION},
)
async def plays(
    question: Annotated[
        PlaysQuestion,
        Body(
            openapi_examples=asked(
                start=("The first roll", {"position": {"id": START, "dice": [3, 1]}, "top": 1}),
                score=(
                    "At a score, two plies ahead",
                    {
                        "position": {
                            "id": START,
                            "dice": [6, 4],
                            "length": 7,
                            "score": [3, 5],
                            "cube": 2,
                            "cube_owner": "on_roll",
                        },
                        "level": "2-ply",
                        "play": "24/14",
                    },
                ),
            )
        ),
    ],
    request: Request,
) -> Response:
    """By equity with the cube and at the score. Equities are those of who moves, per unit of the cube."""
    desk = desk_of(request)
    position = with_roll(read_given(question.position)[0])
    who = desk.players.answering(question.level, question.model, cubeful=question.cubeful)
    text = question.play
    if text is not None:
        with naming("play"):
            parse_play(position.board, legal_plays(position.board, position.dice or (0, 0)), text)
    record = await desk.plays(who, position, question.top)
    if text is not None:
        record["asked"] = await desk.run(who, lambda: _judged(who, position, text))
    return as_json(record)


@router.post(
    "/evaluation",
    summary="What a position is worth",
    response_model=None,
    responses={**answer(shapes.Evaluation, "Equities and chances", ANSWERS["evaluation"]), **QUESTION},
)
async def evaluation(
    question: Annotated[
        EvaluationQuestion,
        Body(openapi_examples=asked(start=("The starting position", {"position": START}))),
    ],
    request: Request,
) -> Response:
    """To the player on roll, before the roll; dice play no part. The right cube action now is part of the equity."""
    desk = desk_of(request)
    position = before_roll(read_given(question.position)[0])
    who = desk.players.answering(question.level, question.model, cubeful=question.cubeful)
    return as_json(await desk.evaluation(who, position))


@router.post(
    "/cube",
    summary="Whether to double and whether to take",
    response_model=None,
    responses={**answer(shapes.CubeDecision, "The decision and its reasons", ANSWERS["cube"]), **QUESTION},
)
async def cube(
    question: Annotated[
        CubeQuestion,
        Body(
            openapi_examples=asked(
                match=("Two away, four away", {"position": CUBE_XGID}),
                answer=("A double that waits", {"position": {"id": START, "offer": "double"}, "market_losers": False}),
            )
        ),
    ],
    request: Request,
) -> Response:
    """Where a double waits, the answer to it. Equities are those of who doubles, per unit of the cube before that."""
    desk = desk_of(request)
    position = before_roll(read_given(question.position)[0], double=True)
    with naming("position"):
        check_cube_question(position)
    who = desk.players.answering(question.level, question.model)
    market = question.market_losers
    return as_json(await desk.run(who, lambda: cube_record(who.analyst, who.record, position, market=market)))


@router.post(
    "/coach",
    summary="A play or a cube action in words",
    response_model=None,
    responses={**answer(shapes.Explanation, "Facts and reasons", ANSWERS["coach"]), **QUESTION},
)
async def coach(
    question: Annotated[
        CoachQuestion,
        Body(
            openapi_examples=asked(
                play=("A play", {"position": {"id": START, "dice": [3, 1]}, "play": "24/23 13/10"}),
                cube=("A cube action", {"position": CUBE_XGID, "action": "no double"}),
            )
        ),
    ],
    request: Request,
) -> Response:
    """With dice the best play, beside the one that was made or else the second best; without dice the cube action."""
    desk = desk_of(request)
    position, _ = read_given(question.position)
    who = desk.players.answering(question.level, question.model)
    play, action = question.play, question.action
    if position.dice is None:
        if play is not None:
            raise FieldError("play", "found one without a roll, expected position.dice beside it")
        with naming("position"):
            check_cube_question(position)
        if action is not None:
            with naming("action"):
                read_done(action)
    else:
        with_roll(position)
        if action is not None:
            raise FieldError("action", "found one beside a roll, expected a position before the roll")
        if play is not None:
            with naming("play"):
                parse_play(position.board, legal_plays(position.board, position.dice), play)

    def explain() -> dict[str, Any]:
        if position.dice is None:
            return explain_cube(who.analyst, position, action, names=question.names).to_dict()
        return explain_play(who.analyst, position, play, names=question.names).to_dict()

    explained = rounded(await desk.run(who, explain))
    head = {
        "version": JSON_VERSION,
        "position_id": format_position_id(position.board),
        "xgid": format_xgid(position),
        "model": who.analyst.name,
        "settings": who.record,
    }
    return as_json(head | explained)


@router.post(
    "/position",
    summary="A position in every notation",
    response_model=None,
    responses={**answer(shapes.NamedPosition, "Names and fields", ANSWERS["position"]), **QUESTION},
)
async def position(
    question: Annotated[
        Question,
        Body(
            openapi_examples=asked(
                gnubg=("GNU Backgammon's ID", {"position": "4HPwATDgc/ABMA:cIkFAAAAAAAA"}),
                xgid=("An XGID", {"position": CUBE_XGID}),
            )
        ),
    ],
) -> Response:
    """Converts IDs. What had to be repaired, and what a notation has no place for, is among the remarks."""
    given = question.position
    found, remarks = read_given(given)
    return as_json(position_record(Reading(found, _kind(given), remarks)))


@router.post(
    "/diagram",
    summary="A position as SVG",
    response_class=Response,
    responses={
        200: {"description": "The picture", "content": {"image/svg+xml": {"example": "<svg>…</svg>"}}},
        **QUESTION,
    },
)
async def diagram(
    question: Annotated[
        DiagramQuestion,
        Body(
            openapi_examples=asked(
                play=("A play", {"position": {"id": START, "dice": [3, 1]}, "play": "8/5 6/5", "theme": "dark"})
            )
        ),
    ],
    request: Request,
) -> Response:
    """The player on roll plays from the bottom. The picture stands alone: nothing in it is loaded from elsewhere."""
    found, _ = read_given(question.position)
    if question.play is not None:
        with naming("play"):
            parse_play(found.board, legal_plays(found.board, with_roll(found).dice or (0, 0)), question.play)
    looks: dict[str, Any] = question.model_dump(include={"direction", "theme", "width", "names"})
    svg = await desk_of(request).do(lambda: diagram_svg(found, question.play, **looks))
    return Response(svg, media_type="image/svg+xml")


def _kind(given: str | GivenPosition) -> str:
    name = given if isinstance(given, str) else given.id
    return "board" if name is None else read_position(name).kind


def _judged(who: Answering, position: Position, text: str) -> dict[str, Any]:
    """What a play costs: it is looked at as deeply as the best one."""
    # Only here, because analyses bring rollouts with them, which take time to load.
    from bgai.analysis import analyse_play

    found = analyse_play(who.analyst, position, text)
    return {
        "play": found.chosen.text,
        "plies": plies_record(found.chosen.plies),
        "equity": round(found.chosen.equity, DECIMALS) + 0.0,
        "loss": round(found.loss, DECIMALS) + 0.0,
        "mwc_loss": rounded(found.mwc_loss),
        "mark": found.mark or None,
        "best": found.best.text,
    }
