"""A client of a server that `bgai serve` started, and what its answers hold.

    with Client("http://127.0.0.1:8000") as client:
        best = client.plays("4HPwATDgc/ABMA", dice=(3, 1), level="2-ply").plays[0]
        print(best.play, best.equity)
        job = client.rollout("4HPwATDgc/ABMA", dice=(3, 1), trials=1296)
        for state in client.watch(job.id):
            print(state.progress.done, state.progress.total)
        print(client.result(job.id)["candidates"][0]["name"])

A game against the network:

    with Client() as client:
        game = client.new_game(length=3, name="Ann")
        while game.phase != "over":
            best = client.hints(game.id).best
            if game.phase == "play":
                game = client.act(game, "play", play=best)
            else:
                game = client.act(game, best or "next game")

Positions are names as text, or mappings with the members of `position` in docs/http.md. Bad input raises `InputError`
as the library does, other problems `ServerError`. Needs httpx, installed with bgai[client].
"""

from __future__ import annotations

import json
import types
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from bgai.errors import BgaiError, InputError

if TYPE_CHECKING:
    import httpx

T = TypeVar("T")
AnyPosition = str | Mapping[str, Any]

PREFIX = "/api/v1"


class ServerError(BgaiError):
    """The server did not answer as asked; says its problem details, or that it cannot be reached."""

    def __init__(self, message: str, status: int | None = None, problem: Mapping[str, Any] | None = None) -> None:
        super().__init__(message)
        self.status = status
        """None: no answer came."""
        self.problem = dict(problem or {})
        self.retry_after: float | None = None
        """Seconds after which asking again makes sense, where the server says so."""


class RequestError(ServerError, InputError):
    """The server says that the request cannot be used, as the library would; `fields` says where."""

    @property
    def fields(self) -> dict[str, str]:
        """What is wrong with each field."""
        return {error["field"]: error["message"] for error in self.problem.get("errors", ())}


class Shape:
    """What an answer holds; further members may come."""

    __pydantic_config__: ClassVar[Mapping[str, Any]] = {"use_attribute_docstrings": True}


@dataclass(frozen=True)
class Chances(Shape):
    """Equities and chances of one player."""

    equity: float
    """With the cube and at the score, per unit of the cube."""
    cubeless_equity: float
    """As if the cube were never turned again."""
    mwc: float | None
    """Chance to win the match; null for money."""
    win: float
    """Chance to win in any way."""
    win_gammon: float
    """Chance to win a gammon or a backgammon."""
    win_backgammon: float
    lose_gammon: float
    """Chance to lose a gammon or a backgammon."""
    lose_backgammon: float


@dataclass(frozen=True)
class Asked(Shape):
    """Who was asked."""

    level: str
    plies: int
    """The most plies that are looked ahead, in gnubg's count."""
    filter: str
    seconds: float | None
    """The most time; null without a limit."""
    cubeful: bool


@dataclass(frozen=True)
class LegalPlay(Shape):
    """A legal play."""

    play: str
    """In standard notation; empty if the turn passes."""
    steps: list[list[int]]
    """From and to of each step: 25 is the bar, 0 off."""
    position_id: str
    """The position after the play, the opponent on roll."""


@dataclass(frozen=True)
class LegalPlays(Shape):
    """All legal plays of a roll; without one there is an entry whose play is empty."""

    version: int
    position_id: str
    dice: list[int]
    must_pass: bool
    plays: list[LegalPlay]


@dataclass(frozen=True)
class RankedPlay(Chances):
    """A play with what it is worth to who makes it."""

    play: str
    """In standard notation; empty if the turn passes."""
    steps: list[list[int]]
    """From and to of each step: 25 is the bar, 0 off."""
    position_id: str
    """The position after the play, the opponent on roll."""
    plies: int | None
    """How far was looked ahead after it; null if it was rolled out."""
    loss: float
    """Equity given up beside the best play."""


@dataclass(frozen=True)
class JudgedPlay(Shape):
    """A play that was asked about."""

    play: str
    plies: int | None
    equity: float
    loss: float
    mwc_loss: float | None
    mark: str | None
    """`doubtful`, `bad`, `very bad` or null."""
    best: str


@dataclass(frozen=True)
class RankedPlays(Shape):
    """The best plays, the best first."""

    version: int
    position_id: str
    dice: list[int]
    model: str
    settings: Asked
    legal: int
    """How many legal plays there are."""
    plays: list[RankedPlay]
    asked: JudgedPlay | None = None
    """The play that the request asks about."""


@dataclass(frozen=True)
class Evaluation(Chances):
    """What a position is worth to the player on roll, before the roll."""

    version: int
    position_id: str
    xgid: str
    model: str
    settings: Asked
    plies: int | None
    """How far was looked ahead; null if it was rolled out."""


@dataclass(frozen=True)
class MatchChances(Shape):
    """Chances to win the match after each cube action."""

    no_double: float
    double_take: float | None
    double_pass: float


@dataclass(frozen=True)
class CubeDecision(Shape):
    """What to do with the cube, and why; equities of the player on roll, who may double or has doubled."""

    version: int
    position_id: str
    xgid: str
    model: str
    settings: Asked
    plies: int | None
    offer: str | None
    """`double` if one waits for its answer."""
    no_double: float
    double_take: float | None
    double_pass: float
    action: str
    """`no double`, `double`, `too good`; of an owned cube `no redouble`, `redouble`, `too good to redouble`."""
    answer: str | None
    """`take`, `pass` or `beaver`."""
    may_double: bool
    """Whether doubling is allowed and of any use."""
    why: str
    take_point: float | None
    gammon_price: float | None
    market_losers: float | None
    mwc: MatchChances | None
    cubeless_equity: float
    win: float
    win_gammon: float
    win_backgammon: float
    lose_gammon: float
    lose_backgammon: float


@dataclass(frozen=True)
class NamedPosition(Shape):
    """A position in every notation, and field by field; pairs are the player on roll's and the opponent's."""

    version: int
    kind: str
    """What the name was."""
    position_id: str
    gnubg_id: str | None
    xgid: str | None
    key: str | None
    fibs_board: str | None
    side: str
    """Which side of a diagram is on roll: `lower` or `upper`."""
    board: list[int]
    pips: list[int]
    off: list[int]
    dice: list[int] | None
    cube: int
    cube_owner: str
    cube_limit: int
    offer: str | None
    length: int
    score: list[int]
    crawford: bool
    post_crawford: bool
    jacoby: bool
    beavers: bool
    remarks: list[str]
    """What had to be repaired, and what a notation has no place for."""


@dataclass(frozen=True)
class Reason(Shape):
    """One thing that is said."""

    id: str
    """What is said, for programs."""
    text: str
    numbers: dict[str, Any]
    """What stands in the text."""


@dataclass(frozen=True)
class Explanation(Shape):
    """A decision in words and facts; docs/coach.md defines them."""

    version: int
    position_id: str
    xgid: str
    model: str
    settings: Asked
    kind: Literal["play", "cube"]
    best: str
    done: str | None
    loss: float | None
    position: dict[str, Any]
    about: list[Reason]
    reasons: list[Reason]
    mistakes: list[Reason]
    facts: dict[str, Any]


@dataclass(frozen=True)
class Progress(Shape):
    """How far a job is."""

    stage: str
    done: int
    total: int
    note: str


@dataclass(frozen=True)
class Job(Shape):
    """A job: a rollout or an analysis."""

    id: str
    kind: Literal["rollout", "analysis"]
    state: Literal["waiting", "running", "done", "failed", "cancelled"]
    progress: Progress
    created: str
    """ISO 8601, UTC."""
    started: str | None
    ended: str | None
    reason: str | None
    """Why it was cancelled."""
    problem: dict[str, Any] | None
    """Why it failed, as problem details."""
    has_result: bool
    has_report: bool

    @property
    def over(self) -> bool:
        """Whether nothing happens any more."""
        return self.state in ("done", "failed", "cancelled")


@dataclass(frozen=True)
class Converted(Shape):
    """A match in another format."""

    version: int
    found: str
    """The format it was in."""
    format: str
    """The format it is in now."""
    text: str
    players: list[str]
    length: int
    games: int
    problems: list[str]
    """What was wrong, and how it was taken."""
    losses: list[str]
    """What the format has no place for."""


@dataclass(frozen=True)
class KeptModel(Shape):
    """A model that can be named in requests."""

    name: str
    default: bool
    parent: str | None
    encoder: str
    layers: list[int]
    games: int
    weights_sha256: str


@dataclass(frozen=True)
class Models(Shape):
    """The kept models, the oldest first."""

    version: int
    models: list[KeptModel]


@dataclass(frozen=True)
class NamedLevel(Shape):
    """A level that can be named in requests."""

    name: str
    plies: int | None
    """null if it is rolled out."""
    errs: bool
    """Whether it errs on purpose."""
    loss: float | None
    """Millipoints lost a decision, as its own 2-ply look judges; null if that was not measured."""


@dataclass(frozen=True)
class Levels(Shape):
    """Levels by name; times such as `500ms` up to `seconds` are levels too."""

    version: int
    default: str
    seconds: float
    levels: list[NamedLevel]


@dataclass(frozen=True)
class Commitment(Shape):
    """The seed of a game that is still to come."""

    commitment: str
    """The SHA-256 of the server's seed, in hexadecimal."""
    seconds: int
    """How long it is kept."""


@dataclass(frozen=True)
class GamePlay(Shape):
    """A legal play in a kept game."""

    play: str
    steps: list[list[int]]
    board: list[int]
    """After it, seen by the person."""


@dataclass(frozen=True)
class GameResult(Shape):
    """How a game has ended."""

    winner: str
    kind: str
    """`single`, `gammon` or `backgammon`."""
    cube: int
    points: int
    how: str
    """`bear-off`, `drop` or `resignation`."""


@dataclass(frozen=True)
class GameOffer(Shape):
    """What waits for the person's answer."""

    kind: str
    """`double`, `beaver`, `raccoon` or `resignation`."""
    by: str
    points: int
    stake: int | None = None
    value: str | None = None


@dataclass(frozen=True)
class GameEvent(Shape):
    """Something that has happened in a kept game."""

    number: int
    """The version after it."""
    game: int
    by: str | None
    """`person`, `bot` or null."""
    event: str
    text: str
    """A sentence for a log."""
    dice: list[int] | None = None
    automatic: int | None = None
    throws: list[list[int]] | None = None
    play: str | None = None
    steps: list[list[int]] | None = None
    board: list[int] | None = None
    cube: dict[str, Any] | None = None
    value: str | None = None
    result: GameResult | None = None


@dataclass(frozen=True)
class GameState(Shape):
    """How a kept game stands, seen by the person; docs/games.md explains the members."""

    id: str
    version: int
    created: str
    changed: str
    kind: str
    rules: dict[str, int | bool]
    games: int | None
    players: dict[str, dict[str, str]]
    options: dict[str, bool]
    phase: Literal["roll", "play", "answer", "resignation", "between games", "over"]
    game: int
    turn: int
    on_roll: str | None
    board: list[int]
    pips: dict[str, int]
    off: dict[str, int]
    dice: list[int] | None
    cube: dict[str, Any]
    score: dict[str, int]
    crawford: bool
    post_crawford: bool
    offer: GameOffer | None
    may: dict[str, Any]
    resignations: dict[str, int]
    no_double: str | None
    plays: list[GamePlay]
    tree: list[dict[str, Any]]
    result: GameResult | None
    winner: str | None
    left: bool
    ids: dict[str, str] | None
    dice_proof: dict[str, Any]
    events: list[GameEvent]


@dataclass(frozen=True)
class GameHints(Shape):
    """What the person should do now."""

    decision: str | None
    """`play`, `double`, `answer`, `resignation`; null: nothing is to be decided."""
    best: str | None = None
    """A play, or the name of an action."""
    plays: list[dict[str, Any]] | None = None
    """The best plays, the best first."""
    choices: list[dict[str, Any]] | None = None
    """The answers with their equities."""


@dataclass(frozen=True)
class CheckedAction(Shape):
    """What the tutor says of an action."""

    decision: str
    done: str
    best: str
    loss: float
    mwc_loss: float | None
    mark: str | None
    text: list[str]
    mistakes: list[dict[str, Any]]
    explanation: dict[str, Any] | None


@dataclass(frozen=True)
class GameDice(Shape):
    """The dice of a game; the server's seed when all is over."""

    format: int
    method: str
    commitment: str
    committed_first: bool
    player_seed: str
    server_seed: str | None
    rolls: list[dict[str, Any]]


class Client:
    """Asks a server; used as a context, it closes its connections."""

    def __init__(
        self, base: str = "http://127.0.0.1:8000", *, token: str | None = None, timeout: float = 60.0, **options: Any
    ) -> None:
        """`options` go to `httpx.Client`, such as `transport`.

        Raises:
            InputError: httpx is not installed.
        """
        try:
            import httpx
        except ImportError:
            raise InputError("the client needs httpx, installed with: pip install bgai[client]") from None
        headers = {} if token is None else {"authorization": f"Bearer {token}"}
        self._errors = httpx.HTTPError
        self._http: httpx.Client = httpx.Client(base_url=base, headers=headers, timeout=timeout, **options)

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes all connections."""
        self._http.close()

    def legal_plays(self, position: AnyPosition, dice: Sequence[int] | None = None) -> LegalPlays:
        """All legal plays of a roll."""
        return self._ask(LegalPlays, "legal-plays", {"position": _position(position, dice)})

    def plays(
        self,
        position: AnyPosition,
        dice: Sequence[int] | None = None,
        *,
        level: str = "0-ply",
        top: int = 10,
        play: str | None = None,
        **options: Any,
    ) -> RankedPlays:
        """The best plays; `play` is judged as well. Further `options` are members of the request."""
        asked = {"position": _position(position, dice), "level": level, "top": top, "play": play, **options}
        return self._ask(RankedPlays, "plays", asked)

    def evaluate(self, position: AnyPosition, *, level: str = "0-ply", **options: Any) -> Evaluation:
        """What a position is worth before the roll."""
        return self._ask(Evaluation, "evaluation", {"position": _position(position), "level": level, **options})

    def cube(self, position: AnyPosition, *, level: str = "0-ply", **options: Any) -> CubeDecision:
        """The cube decision, or the answer to a double that waits."""
        return self._ask(CubeDecision, "cube", {"position": _position(position), "level": level, **options})

    def explain(
        self,
        position: AnyPosition,
        dice: Sequence[int] | None = None,
        *,
        play: str | None = None,
        action: str | None = None,
        level: str = "0-ply",
        **options: Any,
    ) -> Explanation:
        """A play, or without dice a cube action, in words."""
        asked = {"position": _position(position, dice), "play": play, "action": action, "level": level, **options}
        return self._ask(Explanation, "coach", asked)

    def name(self, position: AnyPosition, dice: Sequence[int] | None = None) -> NamedPosition:
        """The position in every notation."""
        return self._ask(NamedPosition, "position", {"position": _position(position, dice)})

    def diagram(self, position: AnyPosition, dice: Sequence[int] | None = None, **options: Any) -> str:
        """A picture as SVG."""
        asked = {"position": _position(position, dice), **options}
        return self._send("POST", f"{PREFIX}/diagram", json=asked).text

    def rollout(self, position: AnyPosition, dice: Sequence[int] | None = None, **options: Any) -> Job:
        """Starts a rollout."""
        return self._ask(Job, "rollouts", {"position": _position(position, dice), **options})

    def analyse(self, data: bytes, name: str = "match.mat", *, level: str = "2-ply") -> Job:
        """Starts the analysis of a file of a match."""
        sent = self._send("POST", f"{PREFIX}/analyses", files={"file": (name, data)}, data={"level": level})
        return shaped(Job, sent.json())

    def convert(self, data: bytes, to: str, name: str = "match.mat") -> Converted:
        """A file of a match in another format: mat, sgf, snowie or json."""
        sent = self._send("POST", f"{PREFIX}/conversions", files={"file": (name, data)}, data={"to": to})
        return shaped(Converted, sent.json())

    def job(self, id: str) -> Job:
        """How far a job is."""
        return shaped(Job, self._send("GET", f"{PREFIX}/jobs/{id}").json())

    def watch(self, id: str) -> Iterator[Job]:
        """The job whenever there is news of it, the last time when it is over."""
        for _, data in self._events(f"{PREFIX}/jobs/{id}/events"):
            yield shaped(Job, data)

    def result(self, id: str) -> dict[str, Any]:
        """What a job has found, as docs/json.md and docs/analysis.md describe it."""
        found: dict[str, Any] = self._send("GET", f"{PREFIX}/jobs/{id}/result").json()
        return found

    def report(self, id: str) -> str:
        """The report of an analysis as a page of HTML."""
        return self._send("GET", f"{PREFIX}/jobs/{id}/report").text

    def cancel(self, id: str) -> Job:
        """Cancels a job."""
        return shaped(Job, self._send("DELETE", f"{PREFIX}/jobs/{id}").json())

    def commit(self) -> Commitment:
        """Lets the server draw the seed of the next game's dice, before it hears the player's."""
        return self._ask(Commitment, "commitments", {})

    def new_game(self, **wanted: Any) -> GameState:
        """Begins a game, match or session; `wanted` has the members of the request in docs/games.md."""
        return self._ask(GameState, "games", wanted)

    def game(self, id: str, *, since: int | None = None) -> GameState:
        """How a game stands; its `events` are those after the version `since`, by default those of this game."""
        asked = {} if since is None else {"since": since}
        return shaped(GameState, self._send("GET", f"{PREFIX}/games/{id}", params=asked).json())

    def act(self, game: GameState, action: str, **more: Any) -> GameState:
        """Does something in a game as it was seen, and answers with what has come of it.

        `more` are the members that an action has, such as `play="8/5 6/5"`, `steps` or `value`.

        Raises:
            ServerError: with status 409 if the game is further; `problem["state"]` says how it stands.
            RequestError: the rules do not allow it.
        """
        return self._ask(GameState, f"games/{game.id}/actions", {"version": game.version, "action": action, **more})

    def check(self, game: GameState, action: str, *, level: str = "0-ply", **more: Any) -> CheckedAction:
        """What an action would cost; nothing happens."""
        asked = {"version": game.version, "action": action, "level": level, **more}
        return self._ask(CheckedAction, f"games/{game.id}/check", asked)

    def hints(self, id: str, *, level: str = "0-ply", top: int = 5) -> GameHints:
        """What the person should do now in a game."""
        asked = {"level": level, "top": top}
        return shaped(GameHints, self._send("GET", f"{PREFIX}/games/{id}/hints", params=asked).json())

    def watch_game(self, id: str, *, since: int | None = None) -> Iterator[GameState]:
        """The game at once and whenever it has changed, until it is over or forgotten, for ten minutes at most."""
        asked = {} if since is None else {"since": since}
        for name, data in self._events(f"{PREFIX}/games/{id}/events", asked):
            if name == "state":
                yield shaped(GameState, data)

    def match(self, id: str, ending: Literal["mat", "sgf", "txt", "json"] = "mat") -> str:
        """The match of a game so far as a file."""
        return self._send("GET", f"{PREFIX}/games/{id}/match.{ending}").text

    def analyse_game(self, id: str, *, level: str = "0-ply") -> Job:
        """Starts the analysis of the match of a game so far."""
        return self._ask(Job, f"games/{id}/analysis", {"level": level})

    def dice(self, id: str) -> GameDice:
        """The dice of a game, which `bgai verify-dice` checks when it is over."""
        return shaped(GameDice, self._send("GET", f"{PREFIX}/games/{id}/dice").json())

    def forget(self, id: str) -> None:
        """Deletes a game."""
        self._send("DELETE", f"{PREFIX}/games/{id}")

    def models(self) -> Models:
        """The models that can be named."""
        return shaped(Models, self._send("GET", f"{PREFIX}/models").json())

    def levels(self) -> Levels:
        """The levels that can be named."""
        return shaped(Levels, self._send("GET", f"{PREFIX}/levels").json())

    def _ask(self, kind: type[T], path: str, asked: Mapping[str, Any]) -> T:
        given = {name: value for name, value in asked.items() if value is not None}
        return shaped(kind, self._send("POST", f"{PREFIX}/{path}", json=given).json())

    def _events(self, path: str, asked: Mapping[str, Any] | None = None) -> Iterator[tuple[str, Any]]:
        """Names and data of server-sent events."""
        name = "message"
        try:
            with self._http.stream("GET", path, params=asked) as response:
                if response.is_error:
                    response.read()
                _check(response)
                for line in response.iter_lines():
                    if line.startswith("event:"):
                        name = line.removeprefix("event:").strip()
                    elif line.startswith("data:"):
                        yield name, json.loads(line.removeprefix("data:"))
        except self._errors as error:
            raise ServerError(f"no answer from {self._http.base_url}: {error}") from error

    def _send(self, method: str, path: str, **options: Any) -> httpx.Response:
        try:
            response = self._http.request(method, path, **options)
        except self._errors as error:
            raise ServerError(f"no answer from {self._http.base_url}: {error}") from error
        _check(response)
        return response


def _position(position: AnyPosition, dice: Sequence[int] | None = None) -> Any:
    if dice is None:
        return position
    named = {"id": position} if isinstance(position, str) else dict(position)
    return named | {"dice": list(dice)}


def _check(response: httpx.Response) -> None:
    if not response.is_error:
        return
    try:
        problem = response.json()
    except ValueError:
        problem = None
    if not isinstance(problem, dict):
        problem = {}
    message = str(problem.get("detail") or problem.get("message") or f"status {response.status_code}")
    kind = RequestError if response.status_code in (400, 413, 422) else ServerError
    error = kind(message, response.status_code, problem)
    after = response.headers.get("retry-after", "")
    error.retry_after = float(after) if after.isdecimal() else None
    raise error


def shaped(kind: type[T], value: Any) -> T:
    """JSON as the dataclass that describes it; members it does not know are left out.

    Raises:
        ServerError: something is missing, so the server is not one of ours or of another version.
    """
    try:
        found: T = _shaped(kind, value)
    except (KeyError, TypeError) as error:
        raise ServerError(f"not an answer that this version knows: {error!r} in {kind.__name__}") from error
    return found


def _shaped(kind: Any, value: Any) -> Any:
    if isinstance(kind, type) and is_dataclass(kind):
        hints = get_type_hints(kind)
        known = [entry for entry in fields(kind) if entry.name in value or entry.name not in _defaults(kind)]
        return kind(**{entry.name: _shaped(hints[entry.name], value[entry.name]) for entry in known})
    origin = get_origin(kind)
    if origin in (Union, types.UnionType):
        inner = [one for one in get_args(kind) if one is not type(None)]
        return value if value is None or len(inner) > 1 else _shaped(inner[0], value)
    if origin is list:
        return [_shaped(get_args(kind)[0], one) for one in value]
    return value


def _defaults(kind: Any) -> set[str]:
    return {entry.name for entry in fields(kind) if entry.name in vars(kind)}
