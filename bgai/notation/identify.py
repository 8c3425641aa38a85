"""Any text that names a position: which kind it is, what it says, and the same position in every other kind.

| kind | example |
|---|---|
| position ID | `4HPwATDgc/ABMA` |
| GNUBG ID | `4HPwATDgc/ABMA:cIkFAAAAAAAA` |
| XGID | `XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10` |
| gnubg-nn key | `OAHDPAABDAOAHDPAABDA` |
| FIBS board | `board:X:O:9999:0:0:0:-2:0: …` |
| drawing | the board as `bgai` draws it |
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from bgai.board import Board, borne_off, flip, opponent_borne_off, pip_count, result
from bgai.errors import PositionError
from bgai.notation import drawing_reader, fibs, key, matchid, positionid, xgid
from bgai.notation.reading import BLANKS, Reading, quote
from bgai.position import CubeOwner, Offer, Position

KINDS = (
    f"4HPwATDgc/ABMA (position ID), {matchid.EXAMPLE} (GNUBG ID), XGID=-b----E-C- ..., OAHDPAABDAOAHDPAABDA (key),"
    " board: ... (FIBS), a drawn board"
)

BOARD_ONLY = ("position ID", "gnubg-nn key", drawing_reader.KIND)
"""Kinds that hold no dice, cube or score."""

_LONGEST = 20_000
_PREFIX = re.compile(r"gnu(?:bg)?[ _-]?id\s*[=:\s]\s*", re.IGNORECASE)
_ALMOST_ID = re.compile("[A-Za-z0-9+/_-]{10,18}")
"""What is meant as a position ID and has lost or won some characters."""
_BARE_XGID = re.compile(r"[-A-Za-z]{20,}\s*:")
_XGID_INSIDE = re.compile(r"\bXGID=[-A-Za-z]{20,}:[-0-9A-Z:]+")
_IDS_INSIDE = re.compile(r"Position ID\s*: ([A-Za-z0-9+/]+)(?:\s+Match ID\s*: ([A-Za-z0-9+/]+))?")
_SEATS = ("the upper player", "the lower player")
_GAMES = {1: "a single game", 2: "a gammon", 3: "a backgammon"}
_OFFERED: dict[Offer, str] = {
    "single": "a resignation of a single game",
    "gammon": "a resignation of a gammon",
    "backgammon": "a resignation of a backgammon",
}


def read_position(text: str) -> Reading:
    """The position that a text stands for, of whatever kind it is, with what had to be said about it.

        >>> reading = bgai.read_position("-b----E-C---eE---c-e----B-:0:0:1:00:1:1:1:7:10")
        >>> reading.kind, reading.position.score.away
        ('XGID', (6, 6))
        >>> print(reading.remarks[0])  # doctest: +ELLIPSIS
        Crawford: found a Crawford game at 1-1 in a match to 7, ...; the flag is ignored

    A position ID, a key and a drawing hold a board only: money play, a centred cube, no dice, the lower player on
    roll. In a text of several lines an XGID or gnubg's position and match ID are found wherever they stand.

    Raises:
        PositionError: none of the known kinds, or a position that cannot occur; the message names the field.
    """
    stripped = text.strip(BLANKS)
    if len(stripped) > _LONGEST:
        raise PositionError(f"expected the name of a position, such as {KINDS}; found {quote(stripped)}")
    if stripped[:6].lower() == "board:":
        return fibs.read_fibs_board(stripped)
    if "\n" in stripped and (inside := _inside(stripped)):
        return inside
    if stripped[:4].lower() == "xgid" or _BARE_XGID.match(stripped):
        return xgid.read_xgid(stripped)
    if "\n" in stripped or "|" in stripped or "│" in stripped:
        return _of_board(drawing_reader.parse_drawing(text), drawing_reader.KIND)
    prefix = _PREFIX.match(stripped)
    name = stripped[prefix.end() :] if prefix else stripped
    if name.count(":") == 1:
        return matchid.read_gnubg_id(name)
    if re.fullmatch("[A-P]{20}", name):
        return _of_board(key.parse_key(name), "gnubg-nn key")
    name = name.rstrip("=")
    if len(name) != positionid.LENGTH and not _ALMOST_ID.fullmatch(name):
        raise PositionError(
            f"a position ID has {positionid.LENGTH} characters, found"
            f" {f'{len(name)} in {name!r}' if quote(name) == repr(name) else quote(name)}; known are {KINDS}"
        )
    return _of_board(positionid.parse_position_id(name), "position ID")


def _inside(text: str) -> Reading | None:
    """What a longer text says: an XGID as in exports of eXtreme Gammon, or the IDs above a board of gnubg."""
    found = set(_XGID_INSIDE.findall(text)) or {":".join(filter(None, ids)) for ids in _IDS_INSIDE.findall(text)}
    if len(found) > 1:
        raise PositionError(f"expected one position, found {len(found)} different ones in {quote(text)}")
    return read_position(found.pop()) if found else None


def _of_board(board: Board, kind: str) -> Reading:
    return Reading(Position(board), kind)


def describe(position: Position) -> list[tuple[str, str]]:
    """What each field of a position means, in words: pairs of its name and its value."""
    board, score, cube, seat = position.board, position.score, position.cube, position.seat
    own, other = _SEATS[seat], _SEATS[1 - seat]
    answering = position.offer is not None
    pairs = [("offer by" if answering else "on roll", own)]
    pairs.append(("pips", f"{int(pip_count(board))} of {own}, {int(pip_count(flip(board)))} of {other}"))
    pairs.append(("checkers off", f"{int(borne_off(board))} of {own}, {int(opponent_borne_off(board))} of {other}"))
    if result(board):
        points = result(board)
        winner = own if points > 0 else other
        pairs.append(("result", f"{winner} has won {_GAMES[abs(points)]}"))
    pairs.append(("dice", "not rolled" if position.dice is None else f"{position.dice[0]}-{position.dice[1]}"))
    pairs.append(("cube", f"{cube.value}, {_owner(cube.owner, own, other)}"))
    pairs.append(("cube limit", f"{position.cube_limit}" if position.cube_limit > 1 else "1, no cube"))
    pairs.append(("waiting", _offered(position, other)))
    if score.length:
        pairs.append(("match", f"to {score.length} points"))
        pairs.append(("points", f"{score.points[0]} of {own}, {score.points[1]} of {other}"))
        pairs.append(("away", f"{score.away[0]} of {own}, {score.away[1]} of {other}"))
        state = "this game" if score.crawford else "over" if score.post_crawford else "no"
        pairs.append(("Crawford", state))
    else:
        pairs.append(("match", "none, money play"))
        pairs.append(("points", f"{score.points[0]} of {own}, {score.points[1]} of {other}"))
        pairs.append(("Jacoby", _yes(score.jacoby)))
        pairs.append(("beavers", _yes(score.beavers)))
    return pairs


@dataclass(frozen=True)
class Written:
    """A position in one kind."""

    kind: str
    text: str | None
    """None if this kind cannot hold the position."""
    note: str = ""
    """What is lost in it, or why it cannot be written; not said of kinds that hold the board alone."""


def write_all(position: Position) -> list[Written]:
    """The position in every kind but the drawing, see `bgai.notation.drawing.draw`."""
    written = []
    writers: list[tuple[str, Callable[[Position], str]]] = [
        ("position ID", lambda position: positionid.format_position_id(position.board)),
        (matchid.KIND, matchid.format_gnubg_id),
        (xgid.KIND, xgid.format_xgid),
        ("gnubg-nn key", lambda position: key.format_key(position.board)),
        (fibs.KIND, fibs.format_fibs_board),
    ]
    for kind, write in writers:
        try:
            text = write(position)
        except PositionError as error:
            written.append(Written(kind, None, str(error)))
        else:
            note = "" if kind in BOARD_ONLY else _lost(position, read_position(text).position)
            written.append(Written(kind, text, note))
    return written


def _lost(position: Position, again: Position) -> str:
    """The fields that are not the same after writing and reading."""
    before, after = dict(describe(position)), dict(describe(again))
    lost = [field for field, value in before.items() if after.get(field) != value]
    return f"without {', '.join(lost)}" if lost else ""


def _owner(owner: CubeOwner, own: str, other: str) -> str:
    return {"centred": "in the middle", "on roll": f"owned by {own}", "opponent": f"owned by {other}"}[owner]


def _offered(position: Position, other: str) -> str:
    if position.offer is None:
        return "nothing"
    if position.offer in ("double", "beaver"):
        return f"a {position.offer} to {2 * position.cube.value}, {other} to answer"
    return f"{_OFFERED[position.offer]}, {other} to answer"


def _yes(there: bool) -> str:
    return "yes" if there else "no"
