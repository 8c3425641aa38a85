"""Writes files of eXtreme Gammon, so that the reader can be tested: no file of the program itself is at hand.

It shares nothing with the reader. Records are laid out field by field in the order of `xg_format.pas`, with Delphi's
alignment, so the reader's offsets are tested against the published list and not against themselves.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from bgai.events import (
    AcceptResignation,
    Beaver,
    Double,
    Pass,
    Play,
    Raccoon,
    Resign,
    Roll,
    SetUp,
    StartGame,
    Take,
)
from bgai.match import apply
from bgai.match_state import MatchState
from bgai.record import GameRecord, MatchRecord

START = (0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0)
EMPTY = (0,) * 26


class Delphi:
    """A record of Delphi: each field begins at a multiple of its size, and a record in it where its largest may."""

    def __init__(self, kind: int) -> None:
        self.data = bytearray(8)  # two pointers
        self.bytes(kind)

    def align(self, size: int) -> None:
        self.data += bytes(-len(self.data) % size)

    def _put(self, code: str, size: int, values: Iterable[float]) -> None:
        self.align(size)
        for value in values:
            self.data += struct.pack(f"<{code}", value)

    def bytes(self, *values: int) -> None:
        self._put("B", 1, values)

    def shorts(self, values: Sequence[int]) -> None:
        self._put("b", 1, values)

    def words(self, *values: int) -> None:
        self._put("h", 2, values)

    def integers(self, *values: int) -> None:
        self._put("i", 4, values)

    def singles(self, *values: float) -> None:
        self._put("f", 4, values)

    def doubles(self, *values: float) -> None:
        self._put("d", 8, values)

    def ansi(self, text: str, size: int) -> None:
        data = text.encode("cp1252", "replace")[:size]
        self.bytes(len(data))
        self.data += data.ljust(size, b"\0")

    def unicode(self, text: str) -> None:
        self.align(2)
        self.data += text.encode("utf-16-le")[:256].ljust(258, b"\0")

    def whole(self) -> bytes:
        assert len(self.data) <= 2560
        return bytes(self.data).ljust(2560, b"\0")


@dataclass
class Comments:
    """The lines of `temp.xgc`."""

    lines: list[str] = field(default_factory=list)

    def add(self, text: str) -> int:
        """Its number; -1 for none."""
        if not text:
            return -1
        body = text.replace("\\", "\\\\").replace("{", "\\{").replace("}", "\\}").replace("\n", "\\par\r\n")
        body = "".join(c if ord(c) < 128 else _escaped(c) for c in body)
        head = "{\\rtf1\\ansi\\ansicpg1252\\deff0{\\fonttbl{\\f0\\fnil Tahoma;}}\r\n\\viewkind4\\uc1\\pard\\f0\\fs16 "
        self.lines.append((head + body + "\\par\r\n}").replace("\r\n", "\1\2"))
        return len(self.lines) - 1

    def whole(self) -> bytes:
        return "".join(line + "\r\n" for line in self.lines).encode("latin-1")


def _escaped(letter: str) -> str:
    """A character in RTF: its UTF-16 units as signed numbers, each followed by what old readers show."""
    data = letter.encode("utf-16-le")
    return "".join(f"\\u{unit}?" for unit in struct.unpack(f"<{len(data) // 2}h", data))


def match_header(
    *,
    players: tuple[str, str] = ("Ann", "Ben"),
    length: int = 7,
    variation: int = 0,
    crawford: bool = True,
    jacoby: bool = False,
    beaver: bool = False,
    automatic: int = 0,
    date: float = 45000.5,
    event: str = "",
    place: str = "",
    round: str = "",
    transcriber: str = "",
    version: int = 30,
    magic: int = 0x494C4D44,
    comments: tuple[int, int] = (-1, -1),
    cube_limit: int = 10,
) -> bytes:
    """tsHeaderMatch."""
    r = Delphi(0)
    r.ansi(players[0], 40)
    r.ansi(players[1], 40)
    r.integers(length, variation)
    r.bytes(crawford, jacoby, beaver, automatic > 0)
    r.doubles(1600.0, 1600.0)  # Elo
    r.integers(0, 0)  # experience
    r.doubles(date)
    r.ansi(event, 128)
    r.integers(4711, -1, -1)  # game ID, levels
    r.bytes(0, 0, 0)  # Elo, profiles
    r.ansi(place, 128)
    r.integers(0)  # mode
    r.bytes(0)  # imported
    r.ansi(round, 128)
    r.integers(1, version, magic, 0, 0, 0)  # inverted; money before: games, scores
    r.bytes(0, 0, 0)  # entered, counted, unrated
    r.integers(*comments)
    r.bytes(0)  # for money
    r.singles(0, 0)
    r.integers(0)
    r.singles(0, 0)
    r.integers(-1)  # site
    if version >= 8:
        r.integers(cube_limit, automatic)
    if version >= 24:
        r.bytes(bool(transcriber))
        for text in (event, *players, place, round):
            r.unicode(text)
    if version >= 25:
        r.integers(0)
        r.bytes(0)
        r.integers(0, 0, 0, 0, 0, 0)  # clock
    if version >= 26:
        r.integers(0, 0, 0, 0)  # delayed
    if version >= 30:
        r.unicode(transcriber)
    return r.whole()


def game_header(
    score: tuple[int, int] = (0, 0),
    *,
    crawford: bool = False,
    checkers: Sequence[int] = START,
    number: int = 1,
    comments: tuple[int, int] = (-1, -1),
    automatic: int = 0,
) -> bytes:
    """tsHeaderGame."""
    r = Delphi(1)
    r.integers(*score)
    r.bytes(crawford)
    r.shorts(checkers)
    r.integers(number)
    r.bytes(0)  # in progress
    r.integers(*comments, automatic)
    return r.whole()


def cube_action(
    player: int,
    checkers: Sequence[int] = START,
    *,
    doubled: int = 0,
    answer: int = -1,
    beaver: int = -1,
    raccoon: int = -1,
    cube: int = 0,
    comment: int = -1,
) -> bytes:
    """tsCube."""
    r = Delphi(2)
    r.integers(player, doubled, answer, beaver, raccoon, cube)
    r.shorts(checkers)
    r.align(4)
    r.shorts(checkers)  # the analysis, which was not made
    r.integers(-100, 0, 0, 1, 0, 0)
    r.words(0, 0, -100, 0)
    r.singles(*[0] * 10)
    r.words(0, 0)
    r.singles(*[0] * 7)
    r.doubles(-1000)
    r.ansi("11", 2)
    r.doubles(-1000)
    r.integers(-1, 0, -100)
    r.doubles(-1000, -1000)
    r.integers(-100, 0)
    r.shorts([0, 0])  # tutor
    r.doubles(-1000, -1000)
    r.bytes(0)
    r.integers(comment)
    r.bytes(0, 0, 0)
    r.integers(0, 0, 0)
    return r.whole()


def move(
    player: int,
    dice: tuple[int, int],
    play: Sequence[int] = (),
    checkers: Sequence[int] = START,
    after: Sequence[int] = EMPTY,
    *,
    cube: int = 0,
    comment: int = -1,
) -> bytes:
    """tsMove; `play` as from, to, … counted from 0."""
    r = Delphi(3)
    r.shorts(checkers)
    r.shorts(after)
    r.integers(player, *[*play, *[-1] * 8][:8], *dice, cube)
    r.doubles(0)
    r.integers(0)
    r.align(4)
    r.shorts(checkers)  # the analysis, which was not made
    r.integers(*dice, -100, 0, 0, 1, 0, 0, 0, 0)
    r.shorts([0] * 26 * 32 + [0] * 8 * 32)
    r.data += bytes(4 * 32)
    r.singles(*[0] * 7 * 32)
    r.shorts([0, 0, 0, 0])
    r.bytes(1)
    r.doubles(-1000, -1000)
    r.integers(0)
    r.doubles(0)
    r.integers(*[-1] * 32, -100, -100, 0)
    r.shorts(EMPTY)  # tutor
    r.shorts([0])
    r.doubles(-1000)
    r.bytes(0)
    r.integers(comment)
    r.bytes(0)
    r.integers(0, 0, 0, *[0] * 4)
    return r.whole()


def game_footer(score: tuple[int, int], winner: int, points: int, ending: int) -> bytes:
    """tsFooterGame."""
    r = Delphi(4)
    r.integers(*score)
    r.bytes(0)
    r.integers(winner, points, ending)
    r.doubles(-1000, -1000, *[0] * 7)
    r.integers(0)
    return r.whole()


def match_footer(score: tuple[int, int], winner: int) -> bytes:
    """tsFooterMatch."""
    r = Delphi(5)
    r.integers(*score, winner)
    r.doubles(1600, 1600)
    r.integers(0, 0)
    r.doubles(45000.75)
    return r.whole()


def container(
    records: bytes,
    comments: bytes | None = None,
    *,
    picture: bytes = b"\xff\xd8not a picture",
    stored: bool = False,
    edit: Callable[[bytearray], None] | None = None,
) -> bytes:
    """The whole file; `edit` may change the list of files before it is packed."""
    files = {"temp.xgi": records[:2560] + records[-2560:], "temp.xg": records}
    if comments is not None:
        files["temp.xgc"] = comments
    contents, register = b"", bytearray()
    for name, content in files.items():
        packed = content if stored else zlib.compress(content)
        path = "C:\\XG\\"
        entry = (
            bytes([len(name)]) + name.encode().ljust(255, b"\0") + bytes([len(path)]) + path.encode().ljust(255, b"\0")
        )
        entry += struct.pack("<iiiI", len(content), len(packed), len(contents), zlib.crc32(content))
        register += entry + bytes([stored, 2, 0, 0])
        contents += packed
    if edit is not None:
        edit(register)
    listed = bytes(register) if stored else zlib.compress(bytes(register))
    trailer = struct.pack("<Iiiii", zlib.crc32(contents + listed), len(files), 1, len(listed), len(contents))
    return rich_header(picture) + contents + listed + trailer + bytes([not stored]) + bytes(15)


def rich_header(picture: bytes) -> bytes:
    """TRichGameHeader and the picture after it."""
    head = b"RGMH" + struct.pack("<IIqI", 1, 8232, 8232, len(picture)) + bytes(16)
    texts = b"".join(text.encode("utf-16-le").ljust(2048, b"\0") for text in ("A game", "", "", ""))
    return head + texts + picture


def write_xg(record: MatchRecord, *, version: int = 30) -> bytes:
    """A record as the program would have saved it. Refused resignations have no place in the format."""
    comments = Comments()
    rules, metadata = record.rules, record.metadata
    date = datetime.fromisoformat(metadata["date"]) if "date" in metadata else None
    records = [
        match_header(
            players=record.players,
            length=rules.length or 99999,
            crawford=rules.crawford,
            jacoby=rules.jacoby,
            beaver=rules.beavers,
            automatic=rules.automatic_doubles,
            date=(date - datetime(1899, 12, 30)).days + 0.8 if date else 0.0,
            event=metadata.get("event", ""),
            place=metadata.get("place", ""),
            round=metadata.get("round", ""),
            transcriber=metadata.get("transcriber", ""),
            version=version,
            comments=(comments.add(record.comment), -1),
            cube_limit=rules.cube_limit.bit_length() - 1,
        )
    ]
    state = record.start
    for number, game in enumerate(record.games, start=1):
        state, parts = _game(game, state, number, comments)
        records += parts
    if state.winner is not None:
        records.append(match_footer(state.score, (1, -1)[state.winner]))
    return container(b"".join(records), comments.whole() if comments.lines else None)


def _game(game: GameRecord, state: MatchState, number: int, comments: Comments) -> tuple[MatchState, list[bytes]]:
    start = game.events[0]
    assert isinstance(start, StartGame)
    score, automatic = state.score, start.automatic
    state = apply(state, start)
    checkers: tuple[int, ...] = START
    parts: list[bytes] = []
    events = list(enumerate(game.events))[1:]
    while events:
        seat = state.on_roll
        player = (1, -1)[seat]
        seen = state.checkers if seat == 0 else tuple(-count for count in reversed(state.checkers))
        cube = (state.cube.bit_length() - 1 - automatic) * (-1 if state.owner == 1 else 1)
        place, event = events.pop(0)
        remark = comments.add(game.comments.get(place, ""))
        if isinstance(event, SetUp):
            state = apply(state, event)
            checkers = event.checkers if event.seat == 0 else tuple(-count for count in reversed(event.checkers))
        elif isinstance(event, Double):
            state = apply(state, event)
            codes = {"answer": -1, "beaver": -1, "raccoon": -1}
            names = iter(codes)
            while events and isinstance(events[0][1], Take | Pass | Beaver | Raccoon):
                _, answer = events.pop(0)
                codes[next(names)] = {Pass: 0, Take: 1, Beaver: 2, Raccoon: 2}[type(answer)]
                state = apply(state, answer)
            parts.append(cube_action(player, seen, doubled=1, cube=cube, comment=remark, **codes))
        elif isinstance(event, Roll):
            may = state.rules.cube and state.owner in (None, seat) and not state.crawford
            if not (parts and parts[-1][8] == 2):
                parts.append(cube_action(player, seen, doubled=0 if may else -2, cube=cube))
            state = apply(state, event)
            if not events or not isinstance(events[0][1], Play):
                parts.append(move(player, event.dice, (), seen, cube=cube, comment=remark))
        elif isinstance(event, Play):
            dice = state.dice
            assert dice is not None
            if state.turn == 0 and not parts:
                parts.append(cube_action(player, seen, doubled=-2))
            play = [point - 1 for step in event.steps for point in step]
            state = apply(state, event)
            after = tuple(-count for count in reversed(state.checkers))
            parts.append(move(player, dice, play, seen, after, cube=cube, comment=remark))
        else:
            assert isinstance(event, Resign | AcceptResignation)
            state = apply(state, event)
    result = game.result
    header = game_header(
        score,
        crawford=state.crawford,
        checkers=checkers,
        number=number,
        comments=(comments.add(game.comments.get(0, "")), -1),
        automatic=automatic,
    )
    parts.insert(0, header)
    if result is not None:
        ending = {"drop": 0, "bear-off": result.value, "resignation": 100}[result.how]
        ending += sum(event.value for event in game.events if isinstance(event, Resign))
        parts.append(game_footer(state.score, (1, -1)[result.winner], result.points, ending))
    return state, parts
