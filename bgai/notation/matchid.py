"""GNU Backgammon's match ID: twelve characters for the dice, the cube and the score.

72 bits, from the lowest bit of the first byte; the nine bytes are written in base 64:

| bits | |
|---|---|
| 0-3 | the cube, as a power of two |
| 4-5 | its owner: 0 the upper player, 1 the lower player, 3 nobody |
| 6 | the player on roll; while a double waits, who made the first double of the exchange |
| 7 | Crawford game |
| 8-10 | the game: 0 none, 1 being played, 2 over, 3 resigned, 4 dropped |
| 11 | the player to decide: another than in bit 6 where a double or a resignation waits for an answer |
| 12 | a double waits |
| 13-14 | a resignation waits: 1 a single game, 2 a gammon, 3 a backgammon |
| 15-17, 18-20 | the larger and the smaller die, 0 before the roll |
| 21-35 | match length, 0 for money |
| 36-50, 51-65 | points of the upper and of the lower player |
| 66 | 1 if the Jacoby rule is not in use; older IDs always have 0 there |
| 67-71 | 0 |

A beaver is a waiting double that comes back to the player of bit 6, with the cube at the doubled value and with
the other player. `PositionID:MatchID` is what gnubg calls a GNUBG ID. It does not say whether beavers are
agreed nor how far the cube may go.
"""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass

from bgai.board import START, Board, flip
from bgai.errors import PositionError
from bgai.notation.checks import check_position, without_false_crawford
from bgai.notation.positionid import format_position_id, parse_position_id
from bgai.notation.reading import BLANKS, Reading, quote
from bgai.position import CUBE_LIMIT, Cube, CubeOwner, Offer, Position, Score

LENGTH = 12
EXAMPLE = "4HPwATDgc/ABMA:cIkFAAAAAAAA"
KIND = "GNUBG ID"

_NOBODY = 3
_PLAYING = 1
_STATES = {2: "over", 3: "over by a resignation", 4: "over by a dropped double"}
_RESIGNATIONS: list[Offer] = ["single", "gammon", "backgammon"]

_WIDTHS = {
    "cube": 4, "owner": 2, "mover": 1, "crawford": 1, "state": 3, "turn": 1, "doubled": 1, "resigned": 2,
    "die_1": 3, "die_2": 3, "length": 15, "points_0": 15, "points_1": 15, "no_jacoby": 1, "rest": 5,
}  # fmt: skip


@dataclass(frozen=True)
class _Bits:
    """The fields as numbers; see the table above."""

    cube: int
    owner: int
    mover: int
    crawford: int
    state: int
    turn: int
    doubled: int
    resigned: int
    die_1: int
    die_2: int
    length: int
    points_0: int
    points_1: int
    no_jacoby: int
    rest: int


def format_match_id(position: Position) -> str:
    """The match ID of everything but the board.

    Raises:
        PositionError: a position that cannot occur.
    """
    position = check_position(position)
    cube, score, offer, seat = position.cube, position.score, position.offer, position.seat
    mover = 1 - seat if offer == "beaver" else seat
    owner = {"centred": _NOBODY, "on roll": seat, "opponent": 1 - seat}[cube.owner]
    dice = position.dice or (0, 0)
    points = score.points if seat == 0 else score.points[::-1]
    values = {
        "cube": cube.value.bit_length() - 1,
        "owner": owner,
        "mover": mover,
        "crawford": score.crawford,
        "state": _PLAYING,
        "turn": seat if offer is None else 1 - seat,
        "doubled": offer in ("double", "beaver"),
        "resigned": _RESIGNATIONS.index(offer) + 1 if offer in _RESIGNATIONS else 0,
        "die_1": dice[0],
        "die_2": dice[1],
        "length": score.length,
        "points_0": points[0],
        "points_1": points[1],
        "no_jacoby": not score.jacoby,
    }
    bits = shift = 0
    for field, width in _WIDTHS.items():
        bits |= int(values.get(field, 0)) << shift
        shift += width
    return base64.b64encode(bits.to_bytes(9, "little")).decode()


def read_match_id(text: str, board: Board = START) -> Reading:
    """The position that a match ID makes of a board, which is seen by the player on roll as in a GNUBG ID.

    Raises:
        PositionError: no match ID, a game that is not being played, or a state that cannot occur.
    """
    bits = _decode(text)
    where = f"in the match ID {text.strip(BLANKS)!r}"
    if bits.state in _STATES:
        raise PositionError(
            f"game state: found a game that is {_STATES[bits.state]}, expected 1 (being played) {where}"
        )
    if bits.state > _PLAYING:
        raise PositionError(f"game state: found {bits.state}, expected 1 (being played) {where}")
    if bits.rest:
        raise PositionError(f"the last character holds more than the match, expected A or E {where}")
    remarks: tuple[str, ...] = () if bits.state else ("game state: found none, read as a game being played",)
    try:
        offer, seat = _offer(bits)
        points = (bits.points_0, bits.points_1) if seat == 0 else (bits.points_1, bits.points_0)
        value = 1 << bits.cube
        jacoby, beavers = not bits.length and not bits.no_jacoby, offer == "beaver"
        score = Score(points, bits.length, bool(bits.crawford), jacoby, beavers)
        score, dropped = without_false_crawford(score)
        position = Position(
            board=flip(board) if seat != bits.mover else board,
            dice=_dice(bits),
            cube=Cube(value, _owner(bits, seat)),
            score=score,
            offer=offer,
            seat=seat,
            # It is not written down; a cube that has been turned so far was allowed to.
            cube_limit=max(CUBE_LIMIT, 2 * value if offer in ("double", "beaver") else value),
        )
        return Reading(check_position(position), KIND, remarks + dropped)
    except PositionError as error:
        raise PositionError(f"{error} {where}") from None


def parse_match_id(text: str, board: Board = START) -> Position:
    """`read_match_id` without the remarks."""
    return read_match_id(text, board).position


def format_gnubg_id(position: Position) -> str:
    """`PositionID:MatchID`, which GNU Backgammon's `set gnubgid` takes.

    Raises:
        PositionError: a position that cannot occur.
    """
    match = format_match_id(position)
    board = flip(position.board) if position.offer == "beaver" else position.board
    return f"{format_position_id(board)}:{match}"


def read_gnubg_id(text: str) -> Reading:
    """The position of `PositionID:MatchID`, or of a position ID alone: money, a centred cube, no dice.

    Blanks around the two and padding with `=` are accepted.

    Raises:
        PositionError: not one of these, or a state that cannot occur.
    """
    if len(text) > 200 or text.count(":") > 1:
        raise PositionError(f"a GNUBG ID is PositionID:MatchID, found {quote(text)} (example: {EXAMPLE})")
    first, colon, second = text.partition(":")
    board = parse_position_id(first.strip(BLANKS))
    if not colon:
        return Reading(Position(board), "position ID")
    return read_match_id(second, board)


def parse_gnubg_id(text: str) -> Position:
    """`read_gnubg_id` without the remarks."""
    return read_gnubg_id(text).position


def _decode(text: str) -> _Bits:
    stripped = text.strip(BLANKS).rstrip("=")
    if len(stripped) != LENGTH:
        raise PositionError(
            f"a match ID has {LENGTH} characters, found {len(stripped)} in {quote(text)}"
            " (example: cIkFAAAAAAAA, 3-1 to play)"
        )
    try:
        data = base64.b64decode(stripped, validate=True)
    except (binascii.Error, ValueError) as error:
        wrong = sorted({c for c in stripped if not (c.isascii() and (c.isalnum() or c in "+/"))})
        raise PositionError(
            f"a match ID is made of letters, digits, + and /, found {''.join(wrong)!r} in {text!r}"
        ) from error
    bits = int.from_bytes(data, "little")
    values: dict[str, int] = {}
    for field, width in _WIDTHS.items():
        values[field] = bits & ((1 << width) - 1)
        bits >>= width
    return _Bits(**values)


def _offer(bits: _Bits) -> tuple[Offer | None, int]:
    """What waits, and who made it; the player on roll if nothing does."""
    if bits.doubled and bits.resigned:
        raise PositionError("offer: found a double and a resignation at once, expected one of them")
    if bits.doubled and bits.turn == bits.mover:
        if bits.owner != 1 - bits.mover:
            raise PositionError("double: found one that waits for the player who made it, expected for the other")
        return "beaver", 1 - bits.mover
    if bits.doubled and bits.owner == bits.turn:
        raise PositionError("double: found one by the player without the cube (a raccoon?), expected by its owner")
    if bits.doubled:
        return "double", bits.mover
    if bits.resigned:
        if bits.turn == bits.mover:
            raise PositionError("resignation: found by the player who is not on roll, expected by the one who is")
        return _RESIGNATIONS[bits.resigned - 1], bits.mover
    if bits.turn != bits.mover:
        raise PositionError("turn: found another player to decide than the one on roll, expected an offer with it")
    return None, bits.mover


def _owner(bits: _Bits, seat: int) -> CubeOwner:
    if bits.owner == _NOBODY:
        return "centred"
    if bits.owner > 1:
        raise PositionError(f"cube owner: found {bits.owner}, expected 0, 1 or 3")
    return "on roll" if bits.owner == seat else "opponent"


def _dice(bits: _Bits) -> tuple[int, int] | None:
    if bits.die_1 == bits.die_2 == 0:
        return None
    return bits.die_1, bits.die_2
