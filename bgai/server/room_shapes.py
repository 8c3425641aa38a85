"""What requests about kept games look like, and what is answered: for checking, and for the OpenAPI description."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from bgai.met.table import LONGEST_PLAYED
from bgai.room.actions import Action, Name, Value
from bgai.room.agreement import LENGTH, LONGEST_NAME, UNNAMED
from bgai.room.store import LONGEST_SEED
from bgai.server.positions import AnyPosition, Strict
from bgai.server.question_routes import LONGEST_PLAY, LevelName

MOST_DOUBLES = 3
MOST_GAMES = 1000


Point = Annotated[int, Field(ge=0, le=25)]
Version = Annotated[int, Field(ge=0, le=2**31 - 1)]
Who = Literal["person", "bot"]
Dice = Annotated[list[int], Field(min_length=2, max_length=2)]
Board = Annotated[list[int], Field(min_length=26, max_length=26)]
"""Seen by the person: its checkers are positive, the network's negative; 25 its bar, 0 the network's."""
Step = tuple[int, int]


class NewGame(Strict):
    """A game, match or money session that somebody wants to play."""

    kind: Literal["match", "money"] | None = None
    """By default a match, or what the position's name says."""
    length: Annotated[int, Field(ge=1, le=LONGEST_PLAYED)] | None = Field(None, description=f"By default {LENGTH}.")
    games: Annotated[int, Field(ge=1, le=MOST_GAMES)] | None = None
    """Money: so many games; by default until the person leaves."""
    cube: bool = True
    crawford: bool | None = None
    jacoby: bool | None = None
    beavers: bool | None = None
    raccoons: bool = False
    automatic_doubles: Annotated[int, Field(ge=0, le=MOST_DOUBLES)] = 0
    level: LevelName = "0-ply"
    name: Annotated[str, Field(min_length=1, max_length=LONGEST_NAME)] = UNNAMED
    hints: bool = True
    tutor: bool = True
    automatic_roll: bool = False
    """Whether the server rolls for the person where doubling is not allowed."""
    commitment: Annotated[str, Field(pattern="^[0-9a-f]{64}$")] | None = None
    """What `POST /commitments` has answered."""
    player_seed: Annotated[str, Field(max_length=LONGEST_SEED)] | None = None
    """Is mixed into every roll."""
    position: AnyPosition | None = None
    """Where the first game begins, by any of its names or as an object."""
    play_as: Literal["lower", "upper"] = "lower"
    """The person's side of the position."""


class AnyAction(Strict):
    """Something that the person does."""

    version: Version
    """Of the state that the person has seen."""
    action: Name
    steps: Annotated[list[tuple[Point, Point]], Field(max_length=4)] | None = None
    """Of a play: from and to of one checker by one die each, in any order; 25 the bar, 0 off."""
    play: Annotated[str, Field(max_length=LONGEST_PLAY)] | None = None
    """The same in notation."""
    value: Value | None = None
    """Of a resignation."""

    def to_action(self) -> Action:
        """The domain's.

        Raises:
            InputError: parts that do not belong together.
        """
        return Action(self.action, None if self.steps is None else tuple(self.steps), self.play, self.value)


class AnyCheck(AnyAction):
    """Something that the person thinks of doing."""

    level: LevelName = "0-ply"


class AnalysisOfGame(Strict):
    """How the match so far is to be analysed."""

    level: LevelName = "0-ply"


class Commitment(Strict):
    """The seed of a game that is still to come."""

    commitment: str
    """The SHA-256 of the server's seed, in hexadecimal."""
    seconds: int
    """How long it is kept."""


class PersonShape(Strict):
    name: str


class BotShape(Strict):
    name: str
    level: str


class PlayersShape(Strict):
    person: PersonShape
    bot: BotShape


class OptionsShape(Strict):
    hints: bool
    tutor: bool
    automatic_roll: bool


class BothShape(Strict):
    person: int
    bot: int


class CubeShape(Strict):
    value: int
    owner: Who | None


class LimitedCubeShape(CubeShape):
    limit: int


class OfferShape(Strict):
    kind: Literal["double", "beaver", "raccoon", "resignation"]
    by: Who
    stake: int | None = None
    """What is played for if it is taken."""
    value: Value | None = None
    """What is resigned."""
    points: int
    """What changes hands if it is passed, or if the resignation is accepted."""


class PlayShape(Strict):
    play: str
    steps: list[Step]
    board: Board


class NodeShape(Strict):
    play: int | None
    steps: list[tuple[int, int, int, int]]
    """From, to, die, and the node it leads to."""


class ResultShape(Strict):
    winner: Who
    kind: Value
    cube: int
    points: int
    how: Literal["bear-off", "drop", "resignation"]


class IdsShape(Strict):
    xgid: str
    gnubg_id: str
    position_id: str


class ProofShape(Strict):
    commitment: str
    committed_first: bool
    player_seed: str
    rolls: int


class EventShape(Strict):
    number: int
    """The version after it."""
    game: int
    by: Who | None
    event: Literal[
        "start",
        "roll",
        "play",
        "double",
        "take",
        "pass",
        "beaver",
        "raccoon",
        "resign",
        "accept",
        "refuse",
        "setup",
        "leave",
    ]
    text: str
    dice: Dice | None = None
    automatic: int | None = None
    throws: list[Dice] | None = None
    play: str | None = None
    steps: list[Step] | None = None
    board: Board | None = None
    cube: CubeShape | None = None
    value: Value | None = None
    result: ResultShape | None = None


class GameState(Strict):
    """How a kept game stands, seen by the person. docs/games.md describes it."""

    id: str
    version: int
    created: str
    changed: str
    kind: Literal["match", "money"]
    rules: dict[str, int | bool]
    games: int | None
    players: PlayersShape
    options: OptionsShape
    phase: Literal["roll", "play", "answer", "resignation", "between games", "over"]
    game: int
    turn: int
    on_roll: Who | None
    board: Board
    pips: BothShape
    off: BothShape
    dice: Dice | None
    cube: LimitedCubeShape
    score: BothShape
    crawford: bool
    post_crawford: bool
    offer: OfferShape | None
    may: dict[str, bool | list[Value]]
    resignations: dict[Value, int]
    """The points that each would cost the person."""
    no_double: str | None
    plays: list[PlayShape]
    tree: list[NodeShape]
    result: ResultShape | None
    winner: Who | None
    left: bool
    ids: IdsShape | None
    dice_proof: ProofShape
    events: list[EventShape]


class Hints(Strict):
    """What the person should do now."""

    model_config = ConfigDict(extra="allow")

    decision: Literal["play", "double", "answer", "resignation"] | None
    best: str | None = None
    choices: list[dict[str, Any]] | None = None
    plays: list[dict[str, Any]] | None = None


class CheckedAction(Strict):
    """What the tutor says of an action."""

    decision: Literal["play", "double", "answer", "resignation"]
    done: str
    best: str
    loss: float
    mwc_loss: float | None
    mark: Literal["doubtful", "bad", "very bad"] | None
    text: list[str]
    mistakes: list[dict[str, Any]]
    explanation: dict[str, Any] | None


class ThrownShape(Strict):
    number: int
    game: int
    kind: Literal["opening", "roll"]
    by: Who | None
    dice: Dice


class DiceShape(Strict):
    """The dice of a game; the server's seed when all is over."""

    format: int
    method: str
    commitment: str
    committed_first: bool
    player_seed: str
    server_seed: str | None
    rolls: list[ThrownShape]
