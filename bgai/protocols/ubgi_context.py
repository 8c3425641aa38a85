"""What an UBGI engine has been told: the session, the score, the cube, the position, the roll.

Who was told last is right: a position with its match (XGID, GNUBG ID) replaces all of it, a bare position ID the board
and the roll alone, and `setscore` and the like what they name. `p0` and `p1` are seats 0 and 1, the upper and the lower
player of a diagram; the board is that of the player on roll.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from bgai.board import START, Board
from bgai.dice import check_roll
from bgai.errors import InputError
from bgai.notation.checks import HIGHEST_CUBE, check_position, check_score
from bgai.notation.matchid import read_gnubg_id
from bgai.notation.reading import quote
from bgai.notation.xgid import read_xgid
from bgai.position import CUBE_LIMIT, Cube, Offer, Position, Score
from bgai.protocols.match_length import check_length

SEATS = {"p0": 0, "p1": 1}
OWNERS: dict[str, int | None] = {"center": None, "centre": None, "p0": 0, "p1": 1}
SWITCHES = {"on": True, "off": False, "true": True, "false": False}


class MissingContext(InputError):
    """Something has to be said first."""


@dataclass
class Context:
    """Everything that a question is about; changed by the commands of the same names."""

    length: int = 0
    """0 is money play."""
    jacoby: bool = False
    beavers: bool = False
    crawford: bool = True
    """Whether matches have a Crawford game."""
    points: tuple[int, int] = (0, 0)
    cube: int = 1
    owner: int | None = None
    cube_limit: int = CUBE_LIMIT
    turn: int = 0
    """Seat of the player on roll; while an offer waits, of who made it."""
    board: Board | None = None
    """Seen by that player."""
    dice: tuple[int, int] | None = None
    offer: Offer | None = None
    cube_in_play: bool = False
    """Whether anything was said of a session, a score or the cube; without it nobody may want a cube at all."""
    _crawford_game: bool | None = field(default=None, repr=False)
    """As a position with its match said it; None: it follows from the score."""
    _crawford_over: bool = field(default=False, repr=False)

    def new_game(self) -> None:
        """The starting position, the cube in the middle; the score stays."""
        self.board, self.dice, self.offer = START.copy(), None, None
        self.cube, self.owner, self._crawford_game = 1, None, None

    def new_session(
        self, kind: str, length: int, *, jacoby: bool = False, beavers: bool = False, crawford: bool = True
    ) -> None:
        """`money` or `match`; everything begins anew.

        Raises:
            InputError: rules that contradict each other.
        """
        if kind not in ("money", "match"):
            raise InputError(f"type: found {quote(kind)}, expected money or match")
        if (kind == "match") != (length > 0):
            expected = "1 or more in a match" if kind == "match" else "none in money play"
            raise InputError(f"length: found {length}, expected {expected}")
        score = Score(length=length, jacoby=jacoby, beavers=beavers)
        check_length(score)
        check_score(score)
        self.length, self.jacoby, self.beavers, self.crawford = length, jacoby, beavers, crawford
        self.points, self.cube_limit, self._crawford_over = (0, 0), CUBE_LIMIT, False
        self.new_game()
        self.cube_in_play = True

    def set_score(self, points: tuple[int, int]) -> None:
        """Of p0 and p1. The game at the score after the Crawford game's is no Crawford game any more.

        Raises:
            InputError: a score that cannot be.
        """
        check_score(Score(points, self.length))
        if self.length > 1 and points != self.points and max(self.points) == self.length - 1:
            self._crawford_over = True
        elif max(points) < self.length - 1:
            self._crawford_over = False
        self.points, self._crawford_game, self.cube_in_play = points, None, True

    def set_cube(self, value: int, owner: int | None) -> None:
        """Its value, and the seat that owns it.

        Raises:
            InputError: a cube that cannot be.
        """
        if value not in (1 << turn for turn in range(HIGHEST_CUBE.bit_length())):
            raise InputError(f"cube: found {value}, expected a power of two from 1 to {HIGHEST_CUBE}")
        if value == 1 and owner is not None:
            raise InputError("cube owner: found one with the cube at 1, expected center")
        self.cube, self.owner, self.cube_in_play = value, owner, True
        self.cube_limit = max(self.cube_limit, value)

    def set_dice(self, dice: tuple[int, int]) -> None:
        """The roll to be played.

        Raises:
            DiceError: no roll.
        """
        self.dice = check_roll(*dice)

    def take_away(self) -> None:
        """There is no position any more, and no roll; the session, the score and the cube stay."""
        self.board, self.dice, self.offer = None, None, None

    def place(self, kind: str, text: str) -> None:
        """`gnubgid` or `xgid`, and what the position is called.

        Raises:
            InputError: another kind, or a position that cannot be.
        """
        readers: dict[str, Callable[[str], Position]] = {
            "gnubgid": lambda name: read_gnubg_id(name).position,
            "xgid": lambda name: read_xgid(name).position,
        }
        if kind not in readers:
            raise InputError(f"position: found {quote(kind)}, expected gnubgid or xgid")
        position = readers[kind](text)
        if kind == "gnubgid" and ":" not in text:
            self.board, self.dice, self.offer = position.board, None, None
        else:
            self.absorb(position)

    def absorb(self, position: Position) -> None:
        """Takes everything from a position. What a GNUBG ID cannot say, beavers, stays in money play.

        Raises:
            InputError: a longer match than can be asked about.
        """
        check_length(position.score)
        score, seat = position.score, position.seat
        self.length, self.jacoby = score.length, score.jacoby
        self.beavers = not score.length and (score.beavers or self.beavers)
        self.points = score.points if seat == 0 else (score.points[1], score.points[0])
        self.cube = position.cube.value
        self.owner = {"centred": None, "on roll": seat, "opponent": 1 - seat}[position.cube.owner]
        self.cube_limit, self.turn = position.cube_limit, seat
        self.board, self.dice, self.offer = position.board, position.dice, position.offer
        self._crawford_game, self.cube_in_play = score.crawford, True

    @property
    def is_crawford(self) -> bool:
        """Whether this is the Crawford game."""
        if self._crawford_game is not None:
            return self._crawford_game
        last = self.length - 1
        there = max(self.points) == last and min(self.points) < last
        return self.crawford and self.length > 1 and there and not self._crawford_over

    def position(self) -> Position:
        """What a question is about.

        Raises:
            MissingContext: no position was given.
            PositionError: what was said contradicts itself.
        """
        if self.board is None:
            raise MissingContext("expected a position first: position gnubgid ID, position xgid XGID or newgame")
        score = Score(
            points=self.points if self.turn == 0 else (self.points[1], self.points[0]),
            length=self.length,
            crawford=self.is_crawford,
            jacoby=self.jacoby,
            beavers=self.beavers,
        )
        owner: dict[int | None, Cube] = {
            None: Cube(self.cube),
            self.turn: Cube(self.cube, "on roll"),
            1 - self.turn: Cube(self.cube, "opponent"),
        }
        limit = max(self.cube_limit, 2 * self.cube if self.offer in ("double", "beaver") else self.cube)
        position = Position(self.board, self.dice, owner[self.owner], score, self.offer, self.turn, limit)
        return check_position(position)

    def change(self, **rules: int | bool) -> None:
        """Sets rules one by one, as keys do: what does not go with the others any more is dropped.

        Raises:
            InputError: a longer match than can be asked about, or rules that contradict each other.
        """
        if "length" in rules:
            length = int(rules["length"])
            money = not length
            self.new_session(
                "money" if money else "match",
                length,
                jacoby=self.jacoby and money,
                beavers=self.beavers and money,
                crawford=self.crawford,
            )
        if "jacoby" in rules:
            check_score(Score(length=self.length, jacoby=bool(rules["jacoby"])))
            self.jacoby, self.cube_in_play = bool(rules["jacoby"]), True
        if "beavers" in rules:
            check_score(Score(length=self.length, beavers=bool(rules["beavers"])))
            self.beavers, self.cube_in_play = bool(rules["beavers"]), True
        if "crawford" in rules:
            self.crawford = bool(rules["crawford"])
