"""The records of eXtreme Gammon's match files: 2560 bytes each, of six kinds.

A match is its header, then for every game a header, cube actions and moves as they came, and a footer, and at last
the footer of the match. The offsets below are those of Delphi's records, whose whole numbers begin at multiples of
4, floating-point numbers at multiples of 8, and Unicode characters at multiples of 2.

Source: `TSaveRec` in `xg_format.pas`, published by GameSite 2000 Ltd ("This information can be freely
redistributed"), 31 December 2013. Where it is silent or was found to be otherwise in files of the program, by the
authors of several readers: positions before an action are seen by player 1, the one after a move by who moves; a
play is listed as from and to, counted from 0, 24 the bar, below 0 off; the first from below 0 ends it; the sign of
the cube is its owner, 1 for player 1; `doubled` is -1 and -2 where nobody could or did decide.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import numpy as np

from bgai.errors import InputError
from bgai.events import Step

SIZE = 2560
"""Bytes of a record."""
NEWEST = 40
"""The highest version that XG 2 reads; 30 is that of XG 2.10. What changes after it is not said."""
UNLIMITED = 99999
"""The length of a match that is a money session."""

_MAGIC = 0x494C4D44
_KIND = 8
"""Offset of the kind."""
_ANSI = "cp1252"


def _layout(**fields: tuple[Any, int]) -> np.dtype[np.void]:
    """A record with some fields named, each by format and offset."""
    return np.dtype(
        {
            "names": list(fields),
            "formats": [form for form, _ in fields.values()],
            "offsets": [offset for _, offset in fields.values()],
            "itemsize": SIZE,
        }
    )


_NAME, _LONG_NAME, _UNICODE = "V41", "V129", "V258"
_CHECKERS = ("i1", (26,))

MATCH_HEADER = _layout(
    player1_ansi=(_NAME, 9),
    player2_ansi=(_NAME, 50),
    length=("<i4", 92),
    variation=("<i4", 96),
    crawford=("u1", 100),
    jacoby=("u1", 101),
    beavers=("u1", 102),
    automatic=("u1", 103),
    date=("<f8", 128),
    event_ansi=(_LONG_NAME, 136),
    place_ansi=(_LONG_NAME, 283),
    round_ansi=(_LONG_NAME, 417),
    version=("<i4", 552),
    magic=("<u4", 556),
    first_comment=("<i4", 576),
    last_comment=("<i4", 580),
    cube_limit=("<i4", 612),  # version 8
    automatic_limit=("<i4", 616),
    event=(_UNICODE, 622),  # version 24
    player1=(_UNICODE, 880),
    player2=(_UNICODE, 1138),
    place=(_UNICODE, 1396),
    round=(_UNICODE, 1654),
    transcriber=(_UNICODE, 1960),  # version 30
)
GAME_HEADER = _layout(
    score=(("<i4", (2,)), 12),
    crawford=("u1", 20),
    checkers=(_CHECKERS, 21),
    number=("<i4", 48),
    first_comment=("<i4", 56),
    last_comment=("<i4", 60),
    automatic=("<i4", 64),  # version 26
)
CUBE_ACTION = _layout(
    player=("<i4", 12),
    doubled=("<i4", 16),
    answer=("<i4", 20),
    beaver_answer=("<i4", 24),
    raccoon_answer=("<i4", 28),
    cube=("<i4", 32),
    checkers=(_CHECKERS, 36),
    comment=("<i4", 292),
)
MOVE = _layout(
    checkers=(_CHECKERS, 9),
    after=(_CHECKERS, 35),
    player=("<i4", 64),
    play=(("<i4", (8,)), 68),
    dice=(("<i4", (2,)), 100),
    cube=("<i4", 108),
    comment=("<i4", 2524),
)
GAME_FOOTER = _layout(
    score=(("<i4", (2,)), 12),
    winner=("<i4", 24),
    points=("<i4", 28),
    ending=("<i4", 32),
)


@dataclass(frozen=True)
class MatchHeader:
    """What was agreed, and who played where."""

    version: int
    players: tuple[str, str]
    """Empty where a name is not known."""
    length: int
    """0 for a money session."""
    variation: int
    """0 backgammon, 1 Nackgammon, 2 Hypergammon, 3 Longgammon."""
    crawford: bool
    jacoby: bool
    beavers: bool
    automatic: int
    """How many automatic doubles there may be."""
    cube_limit: int | None
    """As a power of two; None if the file does not say."""
    date: datetime | None
    event: str
    place: str
    round: str
    transcriber: str
    comments: tuple[int, int]
    """Numbers of the comments before and after the match, negative for none."""


@dataclass(frozen=True)
class GameHeader:
    """How a game begins."""

    score: tuple[int, int]
    crawford: bool
    checkers: tuple[int, ...]
    """The starting position, seen by player 1."""
    automatic: int
    """Automatic doubles in this game."""
    comments: tuple[int, int]


@dataclass(frozen=True)
class CubeAction:
    """What the player on roll did with the cube, and what was answered; -1 for an answer that was not given."""

    seat: int
    doubled: bool
    answer: int
    """0 pass, 1 take, 2 beaver."""
    beaver_answer: int
    """0 pass, 1 take, 2 raccoon."""
    raccoon_answer: int
    """0 pass, 1 take."""
    cube: int
    """As a power of two, negative if player 2 owns it, without automatic doubles."""
    checkers: tuple[int, ...]
    """Seen by player 1."""
    comment: int


@dataclass(frozen=True)
class Move:
    """A roll and how it was played."""

    seat: int
    dice: tuple[int, int] | None
    """None in a position before the roll."""
    steps: tuple[Step, ...]
    """As `Play` has them; empty if nothing was played."""
    cube: int
    """As in `CubeAction`."""
    checkers: tuple[int, ...]
    """Before it, seen by player 1."""
    after: tuple[int, ...]
    """After it, seen by who moved; all 0 if nothing was played."""
    comment: int


@dataclass(frozen=True)
class GameFooter:
    """How a game ended."""

    score: tuple[int, int]
    winner: int
    """Seat."""
    points: int
    ending: int
    """0 a pass, 1 to 3 single, gammon, backgammon, 100 more for a resignation, 1000 more for a settlement."""


Record = MatchHeader | GameHeader | CubeAction | Move | GameFooter


def read_records(data: bytes) -> list[Record]:
    """The records of `temp.xg`, without the footer of the match, which says nothing new.

    Raises:
        InputError: a record that is cut off, of unknown version, or with a value that cannot be; the message says
            which, counting from 1.
    """
    count, rest = divmod(len(data), SIZE)
    if rest or not count:
        raise InputError(f"the records of an XG file have {SIZE} bytes each, found {len(data)} bytes")
    header = _match_header(_fields(MATCH_HEADER, data, 0)) if data[_KIND] == 0 else None
    if header is None:
        raise InputError(f"record 1 of the XG file: expected the header of a match (0), found kind {data[_KIND]}")
    records: list[Record] = [header]
    for number in range(1, count):
        kind = data[number * SIZE + _KIND]
        try:
            match kind:
                case 1:
                    records.append(_game_header(_fields(GAME_HEADER, data, number), header.version))
                case 2:
                    records.append(_cube_action(_fields(CUBE_ACTION, data, number)))
                case 3:
                    records.append(_move(_fields(MOVE, data, number)))
                case 4:
                    records.append(_game_footer(_fields(GAME_FOOTER, data, number)))
                case 5 | 6 | 7:  # the footer of the match, and two that are not used
                    pass
                case _:
                    raise InputError(f"expected a kind from 1 to 7, found {kind}")
        except InputError as error:
            raise InputError(f"record {number + 1} of the XG file: {error}") from None
    return records


def _fields(layout: np.dtype[np.void], data: bytes, number: int) -> Any:
    return np.frombuffer(data, layout, count=1, offset=number * SIZE)[0]


def _match_header(raw: Any) -> MatchHeader:
    if raw["magic"] != _MAGIC:
        raise InputError(f"record 1 of the XG file: expected the mark {_MAGIC:08x}, found {raw['magic']:08x}")
    version = int(raw["version"])
    if not 0 < version <= NEWEST:
        raise InputError(f"the XG file is of version {version}, expected 1 to {NEWEST}")
    length = int(raw["length"])

    def text(name: str) -> str:
        return (_unicode(raw[name]) if version >= 24 else "") or _ansi(raw[f"{name}_ansi"], name)

    return MatchHeader(
        version=version,
        players=(text("player1"), text("player2")),
        length=0 if length == UNLIMITED else _within(length, 1, 9999, "the length of the match"),
        variation=_within(raw["variation"], 0, 3, "the variation of the game"),
        crawford=bool(raw["crawford"]),
        jacoby=bool(raw["jacoby"]),
        beavers=bool(raw["beavers"]),
        automatic=_automatic(raw, version),
        cube_limit=_within(raw["cube_limit"], 0, 15, "the cube limit") or None if version >= 8 else None,
        date=_date(float(raw["date"])),
        event=text("event"),
        place=text("place"),
        round=text("round"),
        transcriber=_unicode(raw["transcriber"]) if version >= 30 else "",
        comments=(int(raw["first_comment"]), int(raw["last_comment"])),
    )


def _automatic(raw: Any, version: int) -> int:
    """How many automatic doubles are agreed; before version 8 the file only says whether there are any."""
    if not raw["automatic"]:
        return 0
    return max(1, _within(raw["automatic_limit"], 0, 15, "the limit of automatic doubles")) if version >= 8 else 1


def _game_header(raw: Any, version: int) -> GameHeader:
    first, second = (_within(points, 0, 1 << 24, "a score") for points in raw["score"])
    return GameHeader(
        score=(first, second),
        crawford=bool(raw["crawford"]),
        checkers=_checkers(raw["checkers"]),
        automatic=_within(raw["automatic"], 0, 15, "the number of automatic doubles") if version >= 26 else 0,
        comments=(int(raw["first_comment"]), int(raw["last_comment"])),
    )


def _cube_action(raw: Any) -> CubeAction:
    return CubeAction(
        seat=_seat(raw["player"]),
        doubled=_within(raw["doubled"], -2, 1, "the decision to double") == 1,
        answer=_within(raw["answer"], -2, 2, "the answer to a double"),
        beaver_answer=_within(raw["beaver_answer"], -2, 2, "the answer to a beaver"),
        raccoon_answer=_within(raw["raccoon_answer"], -2, 1, "the answer to a raccoon"),
        cube=_within(raw["cube"], -15, 15, "the cube, as a power of two"),
        checkers=_checkers(raw["checkers"]),
        comment=int(raw["comment"]),
    )


def _move(raw: Any) -> Move:
    first, second = (_within(die, 0, 6, "a die") for die in raw["dice"])
    if (first == 0) != (second == 0):
        raise InputError(f"expected two dice or none, found {first} and {second}")
    return Move(
        seat=_seat(raw["player"]),
        dice=(first, second) if first else None,
        steps=_steps(raw["play"].tolist()),
        cube=_within(raw["cube"], -15, 15, "the cube, as a power of two"),
        checkers=_checkers(raw["checkers"]),
        after=_checkers(raw["after"]),
        comment=int(raw["comment"]),
    )


def _game_footer(raw: Any) -> GameFooter:
    first, second = (_within(points, 0, 1 << 24, "a score") for points in raw["score"])
    return GameFooter(
        score=(first, second),
        winner=_seat(raw["winner"]),
        points=_within(raw["points"], 0, 1 << 24, "the points won"),
        ending=_within(raw["ending"], 0, 9999, "the way the game ended"),
    )


def _steps(numbers: list[int]) -> tuple[Step, ...]:
    """A play from pairs of from and to, counted from 0; equal ones stand for no play."""
    steps: list[Step] = []
    for start, end in zip(numbers[::2], numbers[1::2], strict=True):
        if start < 0 or start == end:
            break
        if not (start <= 24 and end < start):
            raise InputError(f"a step leads from the bar (24) or a point to a lower one, found {start} to {end}")
        steps.append((start + 1, max(end, -1) + 1))
    return tuple(steps)


def _checkers(cells: Any) -> tuple[int, ...]:
    return tuple(cells.tolist())


def _seat(player: Any) -> int:
    """Player 1 is 1, in some files 0, and player 2 is -1."""
    return 1 if _within(player, -1, 1, "a player") == -1 else 0


def _within(value: Any, low: int, high: int, what: str) -> int:
    number = int(value)
    if not low <= number <= high:
        raise InputError(f"{what}: found {number}, expected {low} to {high}")
    return number


def _ansi(raw: Any, what: str) -> str:
    """A Delphi string: its length and so many characters."""
    data = raw.tobytes()
    length = _within(data[0], 0, len(data) - 1, f"the length of the {what}")
    return _printable(data[1 : 1 + length].decode(_ANSI, "replace"))


def _unicode(raw: Any) -> str:
    """UTF-16 up to the first NUL."""
    data = raw.tobytes()
    units = struct.unpack(f"<{len(data) // 2}H", data)
    length = units.index(0) if 0 in units else len(units)
    return _printable(data[: 2 * length].decode("utf-16-le", "replace"))


def _printable(text: str) -> str:
    return "".join(letter if letter.isprintable() else " " for letter in text).strip()


def _date(days: float) -> datetime | None:
    """Delphi's days since 30 December 1899; 0 stands for no date."""
    if days == 0:
        return None
    if not 0 < days < 2_958_466:  # false for a NaN, too
        raise InputError(f"the date of the match: found {days}, expected days from 1900 to 9999")
    return datetime(1899, 12, 30) + timedelta(days=days)
