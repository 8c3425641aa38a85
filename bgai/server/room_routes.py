"""Games, matches and sessions that the server keeps: docs/games.md."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Annotated, Any, Literal, TypeVar

from fastapi import APIRouter, Body, Header, Path, Query, Request
from starlette.responses import Response, StreamingResponse

from bgai.answers import rounded
from bgai.bot import Bot
from bgai.client import Job
from bgai.errors import InputError
from bgai.matchfiles.found import MatchFile
from bgai.matchfiles.writers import write_match
from bgai.room.actions import Action
from bgai.room.advice import check
from bgai.room.agreement import Agreement, agree
from bgai.room.errors import HelpRefused, NoSuchRoom, NotAllowed, StaleVersion, TooManyRooms
from bgai.room.room import Kept
from bgai.room.store import RoomStore
from bgai.room.view import check_help, may_of, view
from bgai.server import job_routes
from bgai.server import room_shapes as shapes
from bgai.server.documented import Documented, answer, as_json, asked, desk_of, jobs_of, problems, settings_of
from bgai.server.event_stream import EventStream
from bgai.server.examples import ANSWERS
from bgai.server.jobs import HEARTBEAT
from bgai.server.json_route import JsonRoute
from bgai.server.players import Answering, Players
from bgai.server.positions import read_start
from bgai.server.problems import MEDIA_TYPE, PREFIX, FieldError, Problem
from bgai.server.question_routes import LevelName
from bgai.server.room_advice import hints_for
from bgai.server.room_examples import EXAMPLES, FILES, OPENING_ROLL

T = TypeVar("T")

router = APIRouter(tags=["games"], route_class=JsonRoute)

STREAM_SECONDS = 600.0
"""After so long a stream ends; who watches comes back by itself."""
LOOK_AGAIN = 0.5
"""Seconds between two looks at the version of a game that is watched."""
_RETRY = "3600"

_FORMATS = {
    "mat": ("mat", "text/plain"),
    "txt": ("snowie", "text/plain"),
    "sgf": ("sgf", "application/x-go-sgf"),
    "json": ("json", "application/json"),
}
"""By the ending of the address: the name of the format, and the media type."""

_FIELDS = {
    "the Jacoby rule": "jacoby",
    "beavers": "beavers",
    "raccoons": "raccoons",
    "automatic doubles": "automatic_doubles",
    "the name": "name",
    "a number of games": "games",
    "length": "length",
    "kind": "kind",
    "commitment": "commitment",
    "player_seed": "player_seed",
}
"""What the domain calls it, and the field of a request."""

Id = Annotated[str, Path(max_length=64, description="Of a game, as its creation has answered.")]
Since = Annotated[
    int | None, Query(ge=0, le=2**31 - 1, description="The events after this version, instead of those of this game.")
]
Top = Annotated[int, Query(ge=0, le=10_000, description="Plays to answer with; 0 for all.")]

STATE = answer(shapes.GameState, "The state", EXAMPLES["state"])
GAME = problems(401, 404, 422, 429, 503, 504)
NO_HELP: Documented = {
    403: {
        "description": "It was agreed to play without help",
        "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/ProblemDetails"}}},
    }
}


class Refused(Problem):
    """A problem of kept games, with a kind of its own and more members."""

    def __init__(self, status: int, kind: str, title: str, error: Exception, **more: Any) -> None:
        super().__init__(status, str(error), headers={"retry-after": _RETRY} if status == 429 else None)
        self._more = {"type": PREFIX + kind, "title": title} | more

    def to_dict(self) -> dict[str, Any]:
        """The members of the problem details."""
        return super().to_dict() | self._more


def open_rooms(players: Players, where: str | None) -> RoomStore:
    """The games of a server, with its players.

    Args:
        where: as `RoomStore` takes it.

    Raises:
        InputError: no data base that can be used.
    """
    return RoomStore(where, bot=lambda level: Bot(players.answering(level).analyst))


def rooms_of(request: Request) -> RoomStore:
    """This server's games."""
    rooms: RoomStore = request.app.state.rooms
    return rooms


@router.post(
    "/commitments",
    status_code=201,
    summary="Draw the seed of the next game's dice",
    response_model=None,
    responses={
        **answer(shapes.Commitment, "The hash of the seed", EXAMPLES["commitment"], 201),
        **problems(401, 429, 503),
    },
)
async def commitment(request: Request) -> Response:
    """Before the server hears the person's seed, so that it cannot choose the dice."""
    rooms = rooms_of(request)
    drawn = await _do(request, rooms.commit)
    seconds = int(rooms.limits.commitment_age.total_seconds())
    return as_json({"commitment": drawn, "seconds": seconds}, 201)


@router.post(
    "/games",
    status_code=201,
    summary="Begin a game, a match or a session",
    response_model=None,
    responses={
        **answer(shapes.GameState, "The state", EXAMPLES["state"], 201),
        **problems(400, 401, 413, 415, 422, 429, 503, 504),
    },
)
async def create(
    wanted: Annotated[
        shapes.NewGame,
        Body(
            openapi_examples=asked(
                match=(
                    "A match",
                    {"length": 5, "level": "0-ply", "name": "Ann", "player_seed": "my cat is called Mimi"},
                ),
                money=("A money session", {"kind": "money", "jacoby": True, "beavers": True, "level": "beginner"}),
                position=("From a position", {"position": OPENING_ROLL}),
            )
        ),
    ],
    request: Request,
) -> Response:
    """The server rolls, and plays until the person has to do something."""
    who = desk_of(request).players.answering(wanted.level)
    with _naming(wanted):
        agreement = _agreed(wanted, who)
        begin = partial(
            rooms_of(request).create, agreement, commitment=wanted.commitment, player_seed=wanted.player_seed
        )
        kept = await _do(request, begin, who)
    return _state(kept, None, 201, {"location": f"/api/v1/games/{kept.room.id}"})


@router.get(
    "/games/{id}",
    summary="The state of a game",
    response_model=None,
    responses={**STATE, **GAME, 304: {"description": "Not changed"}},
)
async def state(
    id: Id, request: Request, since: Since = None, if_none_match: Annotated[str | None, Header()] = None
) -> Response:
    """Everything that a board needs. The entity tag is the version: 304 if that is known already."""
    kept = await _load(request, id)
    if if_none_match is not None and _tag(kept) in (tag.strip() for tag in if_none_match.split(",")):
        return Response(status_code=304, headers={"etag": _tag(kept)})
    return _state(kept, since)


@router.delete(
    "/games/{id}", status_code=204, summary="Forget a game", response_model=None, responses=problems(401, 404, 422, 429)
)
async def delete(id: Id, request: Request) -> Response:
    """Its dice are never revealed then."""
    await _do(request, partial(rooms_of(request).delete, id))
    return Response(status_code=204)


@router.post(
    "/games/{id}/actions",
    summary="Do something",
    response_model=None,
    responses={**STATE, **GAME, **problems(400, 409, 413, 415)},
)
async def act(
    id: Id,
    wanted: Annotated[
        shapes.AnyAction,
        Body(
            openapi_examples=asked(
                play=("A play", {"version": 1, "action": "play", "steps": [[8, 5], [6, 5]]}),
                resign=("A resignation", {"version": 7, "action": "resign", "value": "single"}),
            )
        ),
    ],
    request: Request,
) -> Response:
    """The network answers at once; `events` are all that has happened since the version that was sent."""
    action = _action(wanted)
    who = await _opponent(request, id)
    kept = await _do(request, partial(rooms_of(request).act, id, wanted.version, action), who, wanted.version)
    return _state(kept, wanted.version)


@router.get(
    "/games/{id}/events",
    summary="Changes as server-sent events",
    response_class=StreamingResponse,
    responses={
        200: {
            "description": "An event `state` whenever the game has changed, `deleted` when it has gone",
            "content": {"text/event-stream": {"example": "event: state\nid: 12\ndata: {}\n\n"}},
        },
        **problems(401, 404, 422, 429),
    },
)
async def events(
    id: Id, request: Request, since: Since = None, last_event_id: Annotated[str | None, Header()] = None
) -> Response:
    """For a second tab, and for whoever comes back."""
    if last_event_id is not None and last_event_id.isdecimal() and len(last_event_id) < 10:
        since = int(last_event_id)
    kept = await _load(request, id)
    return EventStream(_changes(rooms_of(request), kept, since), jobs_of(request).stream())


@router.get(
    "/games/{id}/hints",
    summary="What to do now",
    response_model=None,
    responses={**answer(shapes.Hints, "The best plays, or the best action", EXAMPLES["hints"]), **GAME, **NO_HELP},
)
async def hints(id: Id, request: Request, level: LevelName = "0-ply", top: Top = 5) -> Response:
    """Ranked, with equities, for whatever the person has to decide."""
    who = _adviser(request, level)
    kept = await _load(request, id)
    with told():
        check_help(kept.room, "hints")
    return as_json(rounded(await _do(request, partial(hints_for, kept.room, who, top), who)))


@router.post(
    "/games/{id}/check",
    summary="What an action would cost",
    response_model=None,
    responses={
        **answer(shapes.CheckedAction, "What the tutor says", EXAMPLES["check"]),
        **GAME,
        **problems(400, 409, 413, 415),
        **NO_HELP,
    },
)
async def checked(
    id: Id,
    wanted: Annotated[
        shapes.AnyCheck,
        Body(
            openapi_examples=asked(
                play=("A play", {"version": 1, "action": "play", "play": "13/10 6/5", "level": "0-ply"}),
            )
        ),
    ],
    request: Request,
) -> Response:
    """The tutor. Nothing happens."""
    action = _action(wanted)
    who = _adviser(request, wanted.level)
    kept = await _load(request, id)
    with told(wanted.version):
        check_help(kept.room, "tutor")
        if wanted.version != kept.room.version:
            raise StaleVersion(wanted.version, kept)
    said = await _do(request, partial(check, kept.room, action, who.analyst), who)
    return as_json(rounded(said.to_dict()))


@router.get(
    "/games/{id}/match.{ending}",
    summary="The match so far as a file",
    response_class=Response,
    responses={
        200: {"description": "The file", "content": {media: {"example": file} for media, file in FILES.items()}},
        **GAME,
    },
)
async def match(id: Id, ending: Literal["mat", "txt", "sgf", "json"], request: Request) -> Response:
    """In Jellyfish's format, Snowie's, SGF or our JSON."""
    kept = await _load(request, id)
    name, media = _FORMATS[ending]
    text = await _do(request, lambda: write_match(kept.room.record, name))
    headers = {"content-disposition": f'attachment; filename="match.{ending}"'}
    return Response(text.encode(), headers=headers, media_type=media)


@router.post(
    "/games/{id}/analysis",
    status_code=202,
    summary="Analyse the match so far",
    response_model=None,
    responses={
        **answer(Job, "The job", ANSWERS["job"] | {"kind": "analysis"}, 202),
        **GAME,
        **problems(400, 413, 415),
        **NO_HELP,
    },
)
async def analysis(
    id: Id,
    wanted: Annotated[
        shapes.AnalysisOfGame, Body(openapi_examples=asked(quick=("As fast as it gets", {"level": "0-ply"})))
    ],
    request: Request,
) -> Response:
    """As a job, like the analysis of a file."""
    level, model = desk_of(request).players.level(wanted.level)
    if level.noise:
        raise FieldError("level", f"{wanted.level!r} errs on purpose, expected one that does not, such as 2-ply")
    kept = await _load(request, id)
    with told():
        check_help(kept.room, "tutor")
    played = MatchFile(kept.room.record, "a game of this server")
    threads = settings_of(request).threads
    job = jobs_of(request).start("analysis", lambda job: job_routes.analysis_of(job, played, level, model, threads))
    return job_routes.started(job)


@router.get(
    "/games/{id}/dice",
    summary="The dice of a game",
    response_model=None,
    responses={**answer(shapes.DiceShape, "The hash, and when all is over the seed", EXAMPLES["dice"]), **GAME},
)
async def dice(id: Id, request: Request) -> Response:
    """What `bgai verify-dice` checks."""
    kept = await _load(request, id)
    return as_json(kept.room.dice_record.to_dict())


@contextmanager
def told(since: int | None = None) -> Iterator[None]:
    """Turns what the domain refuses into problem details; `since` is the version that the caller knew."""
    try:
        yield
    except NoSuchRoom as error:
        raise Refused(404, "no-such-game", "There is no such game", error) from error
    except StaleVersion as error:
        state = _record(error.kept, since)
        raise Refused(409, "stale-version", "The game is further", error, state=state) from error
    except NotAllowed as error:
        may = may_of(error.room)
        raise Refused(422, "not-allowed", "The rules do not allow it", error, may=may) from error
    except HelpRefused as error:
        raise Refused(403, "no-help", "It was agreed to play without help", error) from error
    except TooManyRooms as error:
        raise Refused(429, "too-many-games", "No more games can be kept", error) from error


@contextmanager
def _naming(wanted: shapes.NewGame) -> Iterator[None]:
    """Lays what is wrong with an agreement at the door of a field."""
    try:
        yield
    except InputError as error:
        message = str(error)
        named = next((field for known, field in _FIELDS.items() if message.startswith(known)), None)
        if named is None and wanted.position is not None:
            named = "position"
        if named is None:
            raise
        raise FieldError(named, message.removeprefix(f"{named}: ")) from error


def _action(wanted: shapes.AnyAction) -> Action:
    """The action of a request."""
    try:
        return wanted.to_action()
    except InputError as error:
        field, _, message = str(error).partition(": ")
        raise FieldError(field, message) from error


def _agreed(wanted: shapes.NewGame, who: Answering) -> Agreement:
    """What is wanted as the domain has it; the network gets its name."""
    values = wanted.model_dump(exclude={"name", "commitment", "player_seed", "position"})
    name = who.analyst.name
    return agree(
        **values,
        position=None if wanted.position is None else read_start(wanted.position),
        person=wanted.name,
        bot=name if who.at_once and not who.level.noise else f"{name}:{who.level.name}",
    )


def _adviser(request: Request, level: str) -> Answering:
    who = desk_of(request).players.answering(level)
    if who.level.noise:
        raise FieldError("level", f"{level!r} errs on purpose, expected one that does not, such as 2-ply")
    return who


async def _opponent(request: Request, id: str) -> Answering:
    """The person's, of whom it depends where an action is worked out."""
    kept = await _load(request, id)
    return desk_of(request).players.answering(kept.room.agreement.level)


async def _load(request: Request, id: str) -> Kept:
    return await _do(request, partial(rooms_of(request).load, id))


async def _do(request: Request, work: Callable[[], T], who: Answering | None = None, since: int | None = None) -> T:
    """Something that is done in a thread: in the one where `who` thinks, if somebody is asked."""
    desk = desk_of(request)
    with told(since):
        return await (desk.do(work) if who is None else desk.run(who, work))


def _record(kept: Kept, since: int | None) -> dict[str, Any]:
    times = {"created": kept.created, "changed": kept.changed}
    return view(kept.room, since) | {name: f"{time.isoformat(timespec='seconds')}Z" for name, time in times.items()}


def _tag(kept: Kept) -> str:
    return f'"{kept.room.version}"'


def _state(kept: Kept, since: int | None, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    return as_json(_record(kept, since), status, {"etag": _tag(kept)} | (headers or {}))


async def _changes(rooms: RoomStore, kept: Kept, since: int | None) -> AsyncIterator[str]:
    """The state at once and whenever its version has changed, until all is over or time is up."""
    loop = asyncio.get_running_loop()
    end, said = loop.time() + STREAM_SECONDS, loop.time()
    yield _event(kept, since)
    while not kept.room.over and loop.time() < end:
        await asyncio.sleep(LOOK_AGAIN)
        try:
            version = await asyncio.to_thread(rooms.version_of, kept.room.id)
            if version != kept.room.version:
                since, kept = kept.room.version, await asyncio.to_thread(rooms.load, kept.room.id)
                said = loop.time()
                yield _event(kept, since)
        except NoSuchRoom:
            yield "event: deleted\ndata: {}\n\n"
            return
        if loop.time() - said > HEARTBEAT:
            said = loop.time()
            yield ": still here\n\n"


def _event(kept: Kept, since: int | None) -> str:
    return f"event: state\nid: {kept.room.version}\ndata: {json.dumps(_record(kept, since))}\n\n"
