"""What is agreed before a game that is kept: rules, players, help, and where it begins."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

from bgai.coach.persons import YOU
from bgai.errors import InputError, RuleError
from bgai.events import Double, Event, SetUp, StartGame, event_from_dict
from bgai.match import apply
from bgai.match_rules import Rules
from bgai.match_state import new_match
from bgai.met.table import LONGEST_PLAYED
from bgai.notation.identify import BOARD_ONLY, read_position
from bgai.notation.reading import Reading
from bgai.position import Position

PERSON, BOT = 0, 1
"""The seats."""
SEATS = ("person", "bot")
UNNAMED = YOU
"""What the person is called that gives no name."""
LONGEST_NAME = 40
LENGTH = 5
"""Of a match that nobody gave a length."""

Side = Literal["lower", "upper"]

_ANY_START = StartGame((2, 1))
"""Stands for the opening throws, which do not matter where a position is given."""


@dataclass(frozen=True)
class Agreement:
    """Everything that does not change while the game goes on."""

    rules: Rules = field(default_factory=Rules)
    games: int | None = None
    """Money: how many games are played; None: until the person leaves."""
    level: str = "0-ply"
    """The network's, as `bgai.levels` names it."""
    bot: str = "bgai"
    """What the network is called."""
    person: str = UNNAMED
    hints: bool = True
    tutor: bool = True
    automatic_roll: bool = False
    """Whether the person's dice are thrown at once where doubling is not allowed."""
    score: tuple[int, int] = (0, 0)
    post_crawford: bool = False
    beginning: tuple[Event, ...] = ()
    """What follows the start of the first game: how a given position is set up, and what waits in it."""

    def __post_init__(self) -> None:
        if not self.person or len(self.person) > LONGEST_NAME or not self.person.isprintable():
            raise InputError(f"the name: expected 1 to {LONGEST_NAME} printable characters, found {self.person!r}")
        if self.games is not None and (self.rules.length or self.games < 1):
            raise RuleError(f"a number of games is for money and at least 1, found {self.games}")

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        values = asdict(self) | {"rules": self.rules.to_dict(), "score": list(self.score)}
        return values | {"beginning": [event.to_dict() for event in self.beginning]}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Agreement:
        """What `to_dict` wrote."""
        first, second = data["score"]
        read = {
            "rules": Rules.from_dict(data["rules"]),
            "score": (first, second),
            "beginning": tuple(event_from_dict(event) for event in data["beginning"]),
        }
        return cls(**{**data, **read})


def agree(
    *,
    kind: Literal["match", "money"] | None = None,
    length: int | None = None,
    crawford: bool | None = None,
    jacoby: bool | None = None,
    beavers: bool | None = None,
    raccoons: bool = False,
    automatic_doubles: int = 0,
    cube: bool = True,
    position: str | Reading | None = None,
    play_as: Side = "lower",
    **others: Any,
) -> Agreement:
    """What somebody wants to play, put together; None stands for what was not said.

    Args:
        position: where the first game begins, as `bgai.notation.identify.read_position` reads it, or read already. What
            its name says of the score and of money play counts, and what was said beside it has to agree.
        play_as: whose side of a diagram of it the person has.
        others: more of `Agreement`.

    Raises:
        InputError: no position, or things that contradict each other; the message says which.
    """
    reading = read_position(position) if isinstance(position, str) else position
    if reading is not None and reading.kind not in BOARD_ONLY:
        score = reading.position.score
        kind = _same("kind", kind, "match" if score.length else "money")
        length = _same("length", length, score.length) if score.length else length
        if kind == "money":
            jacoby, beavers = _either(jacoby, score.jacoby), _either(beavers, score.beavers)
    if kind == "money" and length is not None:
        raise RuleError(f"length: for a match only, found {length} for money")
    points = 0 if kind == "money" else LENGTH if length is None else length
    if not points and kind != "money":
        raise RuleError("length: a match goes to 1 point or more, found 0")
    if points > LONGEST_PLAYED:
        raise RuleError(f"length: found a match to {points}, expected at most {LONGEST_PLAYED}")
    rules = Rules(
        points,
        crawford is not False,
        jacoby is True,
        beavers is True,
        raccoons,
        automatic_doubles,
        cube,
    )
    agreement = Agreement(rules, **others)
    if reading is None:
        return agreement
    seen = reading.position
    return _beginning_at(agreement, replace(seen, score=replace(seen.score, length=points)), play_as)


def _beginning_at(agreement: Agreement, position: Position, side: Side) -> Agreement:
    """The first game begins with a position; its score, cube, dice and waiting double count."""
    # Position.seat is 1 for the lower side.
    seat = PERSON if (position.seat == 1) == (side == "lower") else BOT
    score, cube = position.score, position.cube
    if position.offer not in (None, "double"):
        raise InputError(f"position: a {position.offer} waits, expected one before it")
    points = score.points if seat == PERSON else (score.points[1], score.points[0])
    owner = {"centred": None, "on roll": seat, "opponent": 1 - seat}[cube.owner]
    setup = SetUp(seat, tuple(position.board.tolist()), position.dice, cube.value, owner)
    found = replace(
        agreement,
        score=points if score.length else (0, 0),
        post_crawford=score.post_crawford and agreement.rules.crawford,
        beginning=(setup, Double(seat)) if position.offer else (setup,),
    )
    state = new_match(found.rules, score=found.score, post_crawford=found.post_crawford)
    for event in (_ANY_START, *found.beginning):
        state = apply(state, event)
    return found


def _same(name: str, said: Any, found: Any) -> Any:
    if said not in (None, found):
        raise RuleError(f"{name}: found {said!r}, and the position has {found!r}")
    return found


def _either(said: bool | None, found: bool) -> bool:
    return found if said is None else said
