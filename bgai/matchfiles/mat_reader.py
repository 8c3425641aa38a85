"""Reads `.mat` and `.gam` files: the text format of Jellyfish, which nearly every program writes.

The same text, without the tags at its beginning, is what Snowie and GNU Backgammon write as Snowie text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from bgai.errors import InputError
from bgai.match_rules import Rules
from bgai.matchfiles.building import VARIATIONS, Beginning, MatchBuilder, Progress, build
from bgai.matchfiles.decoding import lines_of
from bgai.matchfiles.found import MatchFile
from bgai.matchfiles.mat_rows import Cell, Line, headers, read_lines, unknown_move, without_move
from bgai.matchfiles.snowie import SnowiePosition, parse_snowie_line
from bgai.position import CUBE_LIMIT

TAGS = {
    "site": "place",
    "event": "event",
    "round": "round",
    "eventdate": "date",
    "eventtime": "time",
    "transcriber": "transcriber",
    "variation": "variation",
}
"""Tags by the names that they have in `MatchRecord.metadata`; others keep their own, in small letters."""

_RULES = {
    "crawford",
    "postcrawford",
    "jacoby",
    "beaver",
    "raccoon",
    "cubelimit",
    "automaticdouble",
    "openingdouble",
    "cube",
}
"""Tags that are no metadata, without blanks and the plural."""
_RATING = re.compile(r"(?P<name>.*?)\s*,\s*(?P<rating>\d{3,5}(?:\.\d+)?)")
_KINDS = {"single": 1, "gammon": 2, "backgammon": 3}


@dataclass
class _Game:
    """The lines of one game."""

    line: int
    players: tuple[str, str] | None = None
    """From left to right, as they are written."""
    score: tuple[int, int] | None = None
    right: int | None = None
    """Column of the right player."""
    lines: list[Line] = field(default_factory=list)

    @property
    def rows(self) -> list[Line]:
        return [line for line in self.lines if line.kind in ("row", "win")]


@dataclass
class _Text:
    """A file taken apart."""

    length: int | None = None
    tags: dict[str, str] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)
    games: list[_Game] = field(default_factory=list)


def is_mat(text: str) -> bool:
    """Whether a text is of this kind."""
    lines = read_lines(lines_of(text))
    return any(line.kind == "length" or (line.kind == "row" and line.cells) for line in lines)


def read_mat(text: str, form: str = "mat", progress: Progress | None = None) -> MatchFile:
    """The match that a text holds.

    Raises:
        InputError: no match, a variation that is unknown, or rules that contradict each other.
    """
    parts = _divided(read_lines(lines_of(text)))
    if parts.length is None and not any(game.rows for game in parts.games):
        raise InputError("no match: expected rows such as '1) 31: 8/5 6/5', found none")
    beginning, names = _beginning(parts)
    return build(beginning, lambda builder: _tell(builder, parts, names), form, len(parts.games), progress)


def _divided(lines: Iterable[Line]) -> _Text:
    found = _Text()
    game: _Game | None = None
    for line in lines:
        if line.kind == "length" and game is None:
            found.length = line.whole
        elif line.kind == "tag" and game is None:
            found.tags.setdefault(line.text.lower(), line.value)
        elif line.kind == "remark" and game is None:
            found.remarks.append(line.text)
        elif line.kind == "game":
            game = _Game(line.number)
            found.games.append(game)
        elif line.kind == "header" and (game is None or game.players is None) and not (game and game.rows):
            if game is None:
                game = _Game(line.number)
                found.games.append(game)
            _head(game, line, found.tags)
        elif line.kind == "row" or game is not None:
            if game is None:
                game = _Game(line.number)
                found.games.append(game)
            game.lines.append(line)
    return found


def _head(game: _Game, line: Line, tags: dict[str, str]) -> None:
    """Names and scores. A name may look like another column; then the tags tell, or the widest gap."""
    known = {_rated(tags[name])[0] for name in ("player 1", "player 2") if name in tags}
    known |= {tags[name] for name in ("player 1", "player 2") if name in tags}

    def fits(choice: tuple[tuple[str, int], tuple[str, int], int]) -> tuple[int, int]:
        (left, _), (right, _), column = choice
        gap = len(line.text[:column]) - len(line.text[:column].rstrip())
        return sum(name in known or _rated(name)[0] in known for name in (left, right)), gap

    (left, mine), (right, theirs), column = max(headers(line.text), key=fits)
    game.players, game.score, game.right = (left, right), (max(mine, 0), max(theirs, 0)), column


def _rated(name: str) -> tuple[str, str | None]:
    """A name and the rating behind its comma."""
    match = _RATING.fullmatch(name)
    return (match["name"], match["rating"]) if match else (name, None)


def _beginning(parts: _Text) -> tuple[Beginning, tuple[str, str]]:
    """What is agreed, and the names as the first game writes them."""
    tags = parts.tags
    first = parts.games[0] if parts.games else None
    written = first.players if first is not None and first.players is not None else None
    told = (tags.get("player 1"), tags.get("player 2"))
    names = written or (told[0] or "", told[1] or "")
    metadata: dict[str, str] = {}
    players = []
    for seat, name in enumerate(names):
        plain, rating = _rated(name)
        tag = told[seat]
        if tag is not None and tag.strip() == name:
            name, rating = tag, None
        elif rating is not None:
            name = tag if tag is not None and tag.strip() == plain else plain
        if rating is not None:
            metadata[f"rating {seat + 1}"] = rating
        players.append(name)
    for tag, value in tags.items():
        if tag in ("player 1", "player 2") or _plain(tag) in _RULES:
            continue
        metadata[TAGS.get(tag, tag)] = _date(value) if tag == "eventdate" else value
    variation = _variation(metadata)
    length = parts.length or 0
    score = first.score if first is not None and first.score is not None else (0, 0)
    if length and max(score) >= length:
        score = (0, 0)
    beginning = Beginning(
        (players[0], players[1]),
        _rules(tags, length),
        score,
        tags.get("postcrawford", "").lower() == "on" and length > 1 and length - 1 in score,
        variation,
        comment="\n".join(parts.remarks),
        metadata=metadata,
    )
    return beginning, names


def _date(value: str) -> str:
    """`2026.01.05` as `2026-01-05`; other dates stay as they are."""
    return re.sub(r"^(\d{4})[./](\d{2})[./](\d{2})$", r"\1-\2-\3", value)


def _variation(metadata: dict[str, str]) -> str:
    """The variation in small letters, as it stays in the metadata; backgammon itself goes without saying."""
    name = metadata.pop("variation", "backgammon").strip().lower()
    if name in ("standard", ""):
        return "backgammon"
    if name not in VARIATIONS:
        raise InputError(f"a match of {name!r}, and only {' and '.join(VARIATIONS)} are known")
    if name != "backgammon":
        metadata["variation"] = name
    return name


def _plain(tag: str) -> str:
    return tag.replace(" ", "").removesuffix("s")


def _rules(tags: dict[str, str], length: int) -> Rules:
    plain = {_plain(name): value.strip() for name, value in tags.items()}

    def on(name: str) -> bool:
        return plain.get(name, "off").lower() in ("on", "yes", "true", "1")

    def number(name: str, otherwise: int) -> int:
        value = plain.get(name, "")
        return int(value) if value.isdigit() and len(value) < 6 else otherwise

    limit = number("cubelimit", CUBE_LIMIT)
    cube = plain.get("cube", "on").lower() not in ("off", "no", "false", "0")
    if limit < 1 or limit & (limit - 1):
        limit = CUBE_LIMIT
    if length:
        return Rules(length, crawford="crawford" not in plain or on("crawford"), cube=cube, cube_limit=limit)
    return Rules(
        jacoby=on("jacoby") and cube,
        beavers=on("beaver") and cube,
        raccoons=on("beaver") and on("raccoon") and cube,
        automatic_doubles=number("automaticdouble", 0) if cube else 0,
        cube=cube,
        cube_limit=limit,
    )


def _tell(builder: MatchBuilder, parts: _Text, names: tuple[str, str]) -> None:
    automatic = [int(word) for word in parts.tags.get("openingdoubles", "").split() if word.isdigit()]
    for number, game in enumerate(parts.games):
        builder.line = game.line
        swapped = _swapped(builder, game, names)
        score = game.score if game.score is None or not swapped else game.score[::-1]
        told = automatic[number] if number < len(automatic) else _opening_doubles(game, builder)
        if not builder.start(score, told):
            continue
        _Teller(builder, game, swapped).tell()


def _swapped(builder: MatchBuilder, game: _Game, names: tuple[str, str]) -> bool:
    """Whether the players have changed columns."""
    if game.players is None or game.players == names:
        return False
    plain, known = [_rated(name)[0] for name in game.players], [_rated(name)[0] for name in names]
    if plain == known[::-1]:
        return True
    if plain != known:
        builder.problem(f"the players are {plain[0]!r} and {plain[1]!r} here; taken as {known[0]!r} and {known[1]!r}")
    return False


def _opening_doubles(game: _Game, builder: MatchBuilder) -> int:
    """Automatic doubles of a money game, by the value that its first double goes to."""
    if builder.state.rules.length:
        return 0
    for line in game.rows:
        for cell in line.cells:
            if cell.position:
                return 0
            if cell.kind == "double":
                value = cell.number or 2
                return value.bit_length() - 2 if value & (value - 1) == 0 and value >= 2 else 0
    return 0


class _Teller:
    """Tells one game."""

    def __init__(self, builder: MatchBuilder, game: _Game, swapped: bool) -> None:
        self._builder = builder
        self._game = game
        self._swapped = swapped
        self._resigned: tuple[int, int] | None = None
        self._prose: list[Line] = []
        double = [line.cells[1].column for line in game.rows if len(line.cells) == 2 and line.kind == "row"]
        self._right = sorted(double)[len(double) // 2] if double else game.right or 32
        left = [line.cells[0].column for line in game.rows if len(line.cells) == 2 and line.kind == "row"]
        self._left = sorted(left)[len(left) // 2] if left else 5

    def tell(self) -> None:
        builder = self._builder
        for line in self._game.lines:
            builder.line = line.number
            if line.kind == "remark":
                builder.comment(line.text)
            elif line.kind in ("row", "win"):
                self._say_prose()
                self._row(line)
            else:
                self._prose.append(line)
        builder.line = self._game.lines[-1].number if self._game.lines else self._game.line
        if self._resigned is not None:
            loser, value = self._resigned
            builder.end(1 - loser, value * builder.state.cube)

    def _say_prose(self) -> None:
        """Text between the rows; behind the last one it may be anything."""
        for line in self._prose:
            here, self._builder.line = self._builder.line, line.number
            self._builder.problem(f"not understood and left out: {line.text!r}")
            self._builder.line = here
        self._prose = []

    def _row(self, line: Line) -> None:
        if not line.cells and line.text.strip():
            self._builder.problem(f"not understood and left out: {line.text.strip()!r}")
        before: tuple[int, Cell] | None = None
        for cell in line.cells:
            column = self._column(cell, before, line)
            before = (column, cell)
            seat = 1 - column if self._swapped else column
            self._cell(seat, cell)

    def _column(self, cell: Cell, before: tuple[int, Cell] | None, line: Line) -> int:
        """0 for the left player, 1 for the right one."""
        nearest = int(abs(cell.column - self._right) < abs(cell.column - self._left))
        if cell.kind == "win":
            return self._winner(cell, nearest)
        if before is None:
            # In a full row the first cell is the left one, however wide the columns are.
            return 0 if len([other for other in line.cells if other.kind != "win"]) == 2 else nearest
        if cell.kind == "resign" and before[1].kind == "roll" and not before[1].text:
            return nearest
        return 1 - before[0]

    def _winner(self, cell: Cell, nearest: int) -> int:
        end = self._builder.state.result if not self._builder.state.playing else None
        if self._resigned is not None:
            column = 1 - self._resigned[0]
        elif end is not None:
            column = end.winner
        else:
            names = [_rated(name)[0] for name in self._game.players or ()]
            return names.index(cell.text) if cell.text and cell.text in names else nearest
        return 1 - column if self._swapped else column

    def _cell(self, seat: int, cell: Cell) -> None:
        builder = self._builder
        if cell.kind == "roll":
            self._roll(seat, cell)
        elif cell.kind in ("double", "beaver", "raccoon"):
            builder.double(seat, cell.number)
        elif cell.kind == "take":
            builder.take(seat)
        elif cell.kind == "drop":
            builder.drop(seat)
        elif cell.kind == "no move":
            builder.no_roll(seat, cell.text)
        elif cell.kind == "resign":
            kind = re.search("backgammon|gammon|single", cell.text, re.IGNORECASE)
            self._resigned = (seat, _KINDS[kind[0].lower()] if kind else 1)
        else:
            self._resigned = None
            builder.end(seat, cell.number)

    def _roll(self, seat: int, cell: Cell) -> None:
        builder = self._builder
        if cell.dice is not None:
            builder.roll(seat, cell.dice)
        if cell.position:
            _set_up(builder, parse_snowie_line(cell.position), self._swapped)
        elif unknown_move(cell.text):
            return
        elif not cell.text:
            builder.nothing(seat)
        elif without_move(cell.text):
            builder.no_move(seat)
        else:
            builder.play(seat, cell.text)


def _set_up(builder: MatchBuilder, position: SnowiePosition, swapped: bool) -> None:
    seat = 1 - position.seat if swapped else position.seat
    owner = position.owner if position.owner is None or not swapped else 1 - position.owner
    builder.set_up(seat, position.board, position.dice, position.cube, owner)


def read_snowie_position(text: str) -> MatchFile:
    """A file with the position line of Snowie: a match of one game that stands there.

    Raises:
        InputError: no such line, or a position that cannot be.
    """
    lines = [line for line in lines_of(text) if line.strip()]
    position = parse_snowie_line(lines[0])
    rules = Rules(position.length, jacoby=position.jacoby and not position.length)
    at_match_point = rules.length > 1 and rules.length - 1 in position.score
    beginning = Beginning(
        position.players, rules, position.score, post_crawford=at_match_point and not position.crawford
    )

    def tell(builder: MatchBuilder) -> None:
        builder.line = 1
        builder.start(position.score)
        _set_up(builder, position, False)

    return build(beginning, tell, "snowie")
