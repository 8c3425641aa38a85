"""eXtreme Gammon's text of a position: the XGID, the players, a drawing, and what the program thinks of it.

    XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10

    X:Ann   O:Ben
    Score is X:0 O:0. Unlimited Game
    …
    X to play 31

        1. 4-ply       8/5 6/5                      eq:+0.164
          Player:   55.28% (G:17.38% B:0.83%)
          Opponent: 44.72% (G:12.28% B:0.51%)

        2. 3-ply       24/21 24/23                  eq:-0.001 (-0.165)
    …

or, where the cube is asked for,

    Analyzed in XG Roller++
    Player Winning Chances:   54.40% (G:18.22% B:0.53%)
    Opponent Winning Chances: 45.60% (G:12.71% B:0.51%)

    Cubeless Equities: No Double=+0.103, Double=+0.259

    Cubeful Equities:
           No double:     +0.337
           Double/Take:   +0.215 (-0.122)
           Double/Pass:   +1.000 (+0.663)

    Best Cube action: No double / Take

The words are those of the program's language, so lines are known by their numbers and their order and not by their
words. Decimals have a point or a comma. Positions come from the XGID alone; drawing, score and pip counts are skipped.
All figures are those of the player on roll, and equities are normalised to the cube, as the program prints them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import partial

from bgai.board import flip
from bgai.errors import InputError, PlayError, PositionError
from bgai.events import Play, Step
from bgai.match_rules import Rules
from bgai.matchfiles.building import Beginning, MatchBuilder, build
from bgai.matchfiles.found import MatchFile, Problem
from bgai.notation.playtext import parse_play
from bgai.notation.reading import quote
from bgai.notation.xgid import read_xgid
from bgai.plays import legal_plays
from bgai.position import Position

Chances = tuple[float, float, float, float, float]
"""Win, win gammon, win backgammon, lose gammon, lose backgammon, each 0 to 1 and with what is better or worse in it."""


@dataclass(frozen=True)
class XgPlay:
    """A play that the program lists."""

    rank: int
    """Its number in the list, from 1."""
    source: str
    """How it was judged: `3-ply` (the program's own count), `XG Roller++`, `Rollout¹`, …"""
    text: str
    """The play as it is written."""
    steps: tuple[Step, ...] | None
    """The play as `Play` has it; None if it is no legal play of the position, or an action with the cube."""
    equity: float
    chances: Chances | None = None


@dataclass(frozen=True)
class XgCube:
    """What the program thinks of the cube. None stands for what the text does not say."""

    source: str = ""
    chances: Chances | None = None
    """While the cube is not turned."""
    cubeless_no_double: float | None = None
    cubeless_double: float | None = None
    no_double: float | None = None
    double_take: float | None = None
    double_pass: float | None = None
    best: str = ""
    """The best action in the program's words."""
    wrong_answers: float | None = None
    """How often the opponent would have to answer wrongly for the other decision to be right, 0 to 1."""


@dataclass(frozen=True)
class XgBlock:
    """One position of the text."""

    position: Position
    xgid: str
    players: tuple[str, str]
    """Names by seat, `O` and `X`; empty where the text has none."""
    plays: tuple[XgPlay, ...] = ()
    """In the order of the text, which is the program's: plays looked at more deeply come first."""
    cube: XgCube | None = None
    comment: str = ""
    """What was written below the analysis."""
    version: str = ""
    """Of the program."""
    table: str = ""
    """The match equity table that it used."""


@dataclass(frozen=True)
class XgText(MatchFile):
    """A text with positions of eXtreme Gammon. As a `MatchFile`, a match in which the first of them is set up."""

    blocks: tuple[XgBlock, ...] = field(default=())
    """All of them, at least one."""


_MOST = 100
"""A limit for equities, far above those of any cube."""
_NUMBER = r"[+-]?\d{1,4}(?:[.,]\d{1,6})?"
_POINT = r"(?:[^\W\d_]+|\d{1,2})"
_MOVE = rf"{_POINT}(?:/{_POINT}\*?)+(?:\(\d\))?"
_EQUITY = rf"\S*?:\s*(?P<equity>{_NUMBER})(?:\s+\({_NUMBER}\))?"
_XGID = re.compile(r"XGID\s*=\s*\S+", re.IGNORECASE)
_NAMES = re.compile(r"X:(?P<x>.*?)\s+O:(?P<o>.*)")
_PLAY = re.compile(rf"(?P<rank>\d{{1,3}})\.\s+(?P<source>\S.*?)\s+(?P<play>{_MOVE}(?:\s+{_MOVE})*)\s+{_EQUITY}")
_ACTION = re.compile(rf"(?P<rank>\d{{1,3}})\.\s+(?P<source>\S.*?)\s{{2,}}(?P<play>\S.*?)\s+{_EQUITY}")
"""A play without moves, and actions with the cube, which older versions listed so."""
_CHANCES = re.compile(
    rf"[^:：]*[:：]\s*(?P<win>{_NUMBER})\s*%\s*"
    rf"\(\w+:\s*(?P<gammon>{_NUMBER})\s*%\s+\w+:\s*(?P<backgammon>{_NUMBER})\s*%\)"
)
_CUBELESS = re.compile(rf"[^=]*=\s*(?P<single>{_NUMBER})\s*,[^=]*=\s*(?P<double>{_NUMBER})")
_CUBEFUL = re.compile(rf"(?P<label>[^:：%=]+)[:：]\s*(?P<equity>[+-]\d{{1,4}}[.,]\d{{1,6}})(?:\s+\({_NUMBER}\))?")
_SOURCE = re.compile(r"Analy\w*\s+\w+\s+(?P<source>\S.*)", re.IGNORECASE)
_WRONG = re.compile(rf"[^:：%=]*[:：]\s*(?P<share>{_NUMBER})\s*%")
_VERSION = re.compile(r"eXtreme Gammon\s+\w+\s*:\s*(?P<version>[^,]*)(?:,\s*\w+\s*:\s*(?P<table>.*))?")
_DETAIL = re.compile(r"[¹²³⁰-⁹]|Rollout|\d+ Games|Dice Seed|Moves:|Confidence|Duration|.*±", re.IGNORECASE)
"""Lines about a rollout, which are no comment."""
_PASSES = ("pass", "drop", "ablehn", "パス")
_CHANGED = str.maketrans({"−": "-", "\xa0": " ", "\t": "  ", "\ufeff": None})
_LONGEST = 300
"""Characters of a line that can be of the program; a longer one is a comment."""


def is_xg_text(text: str) -> bool:
    """Whether the text is one of eXtreme Gammon with more than an XGID in it."""
    lines = [line for line in _lines(text) if len(line) <= _LONGEST]
    signs = (_NAMES, _PLAY, _CHANCES, _VERSION)
    return any(map(_XGID.search, lines)) and any(sign.fullmatch(line) for line in lines for sign in signs)


def read_xg_text(text: str) -> XgText:
    """The positions of a text, with the plays and cube decisions that it lists; missing pieces are left out.

    Raises:
        InputError: no XGID, one that is no position, or figures that cannot be; the message names the line.
    """
    lines = _lines(text)
    starts = [number for number, line in enumerate(lines) if len(line) <= _LONGEST and _XGID.search(line)]
    if not starts:
        raise InputError(f"a text of eXtreme Gammon has a line with XGID=…, found none in {quote(text)}")
    problems: list[Problem] = []
    ends = [*starts[1:], len(lines)]
    blocks = [_Block(lines[start:end], start + 1, problems).read() for start, end in zip(starts, ends, strict=True)]
    if len(blocks) > 1:
        problems.append(Problem(f"the text has {len(blocks)} positions; the match has the first", line=ends[0] + 1))
    match = build(_beginning(blocks[0]), partial(_tell, blocks[0]), "xg text")
    return XgText(match.record, match.format, (*problems, *match.problems), tuple(blocks))


def _beginning(block: XgBlock) -> Beginning:
    """Rules and score of a position, by seat."""
    position, score = block.position, block.position.score
    at_match_point = score.length > 1 and score.length - 1 in score.points
    return Beginning(
        (block.players[0] or "O", block.players[1] or "X"),
        Rules(
            length=score.length,
            jacoby=score.jacoby,
            beavers=score.beavers,
            raccoons=score.beavers,
            cube_limit=position.cube_limit,
        ),
        score.points if position.seat == 0 else (score.points[1], score.points[0]),
        post_crawford=at_match_point and not score.crawford,
    )


def _tell(block: XgBlock, builder: MatchBuilder) -> None:
    """The position, as it was before an offer that waits in it, and the offer."""
    position, seat = block.position, block.position.seat
    cube, board = position.cube, position.board
    owner = {"centred": None, "on roll": seat, "opponent": 1 - seat}[cube.owner]
    builder.start()
    if position.offer == "beaver":
        # The cube has been doubled; before that it was in the middle, or the doubler's.
        before = cube.value // 2
        builder.set_up(1 - seat, flip(board), None, before, None if before == 1 else 1 - seat)
        builder.double(1 - seat)
    else:
        builder.set_up(seat, board, position.dice, cube.value, owner)
    if position.offer is not None:
        builder.double(seat)
    if block.comment:
        builder.comment(block.comment)


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.translate(_CHANGED).splitlines()]


class _Block:
    """The lines of one position, read from the first to the last."""

    def __init__(self, lines: list[str], first: int, problems: list[Problem]) -> None:
        self.lines = lines
        self.line = first
        """Number of the line that is read."""
        self.problems = problems
        self.plays: list[XgPlay] = []
        self.cube = XgCube()
        self.player: Chances | None = None
        """The chances of the player since the last play, while those of the opponent are still to come."""
        self.comment: list[str] = []
        self.in_detail = False

    def read(self) -> XgBlock:
        """The whole block."""
        found = _XGID.search(self.lines[0])
        assert found is not None  # the block begins with it
        try:
            reading = read_xgid(found[0])
        except PositionError as error:
            raise InputError(f"line {self.line}: {error}") from None
        self.position = reading.position
        self.problems += [Problem(remark, line=self.line) for remark in reading.remarks]
        names, version = ("", ""), ("", "")
        for line in self.lines[1:]:
            self.line += 1
            if len(line) > _LONGEST:
                self._add_comment(line)
            elif about := _VERSION.fullmatch(line):
                version = about["version"].strip(), (about["table"] or "").strip()
            elif (who := _NAMES.fullmatch(line)) and not self._analysed and not any(names):
                names = who["o"].strip(), who["x"].strip()
            else:
                self._read_line(line)
        cube = self.cube if self._has_cube else None
        comment = "\n".join(self.comment).strip()
        return XgBlock(self.position, found[0], names, tuple(self.plays), cube, comment, *version)

    @property
    def _has_cube(self) -> bool:
        return replace(self.cube, source="") != XgCube()

    @property
    def _analysed(self) -> bool:
        return bool(self.plays) or self._has_cube

    def _read_line(self, line: str) -> None:
        if found := _PLAY.fullmatch(line) or _ACTION.fullmatch(line):
            self._add_play(found)
        elif found := _CHANCES.fullmatch(line):
            self._add_chances(found)
        elif self.plays:
            self._add_comment(line)
        elif found := _CUBELESS.fullmatch(line):
            single, double = (self._equity(found[name]) for name in ("single", "double"))
            self.cube = replace(self.cube, cubeless_no_double=single, cubeless_double=double)
        elif found := _CUBEFUL.fullmatch(line):
            self._add_equity(found)
        elif (found := _SOURCE.fullmatch(line)) and not self._has_cube:
            self.cube = replace(self.cube, source=found["source"])
        elif self._has_cube:
            self._add_advice(line)

    def _add_play(self, found: re.Match[str]) -> None:
        self.player = None
        play = found["play"]
        equity = self._equity(found["equity"])
        self.plays.append(XgPlay(int(found["rank"]), found["source"], play, self._steps(play), equity))

    def _steps(self, text: str) -> tuple[Step, ...] | None:
        position = self.position
        if position.dice is None:
            return None
        plays = legal_plays(position.board, position.dice)
        if plays.must_pass:
            return ()
        try:
            chosen = parse_play(position.board, plays, " ".join(map(_in_english, text.split())))
        except PlayError as error:
            self.problems.append(Problem(str(error), line=self.line))
            return None
        return tuple(sorted(Play.of(position.seat, plays.steps[chosen].tolist()).steps, reverse=True))

    def _add_chances(self, found: re.Match[str]) -> None:
        """Those of the player and of the opponent follow each other."""
        win, gammon, backgammon = (self._share(found[name]) for name in ("win", "gammon", "backgammon"))
        if not backgammon <= gammon <= win:
            raise InputError(f"line {self.line}: {found[0]!r} has more gammons than wins, or more backgammons")
        if self.player is None:
            self.player = (win, gammon, backgammon, 0.0, 0.0)
            return
        chances: Chances = (*self.player[:3], gammon, backgammon)
        if self.plays:
            self.plays[-1] = replace(self.plays[-1], chances=chances)
        else:
            self.cube = replace(self.cube, chances=chances)

    def _add_equity(self, found: re.Match[str]) -> None:
        """No double, double and take, double and pass follow each other; the latter two have a / in their names."""
        equity, label = self._equity(found["equity"]), found["label"].lower()
        if "/" not in label:
            self.cube = replace(self.cube, no_double=equity)
        elif self.cube.double_take is not None or any(word in label for word in _PASSES):
            self.cube = replace(self.cube, double_pass=equity)
        else:
            self.cube = replace(self.cube, double_take=equity)

    def _add_advice(self, line: str) -> None:
        if found := _WRONG.fullmatch(line):
            self.cube = replace(self.cube, wrong_answers=self._share(found["share"]))
        elif "/" in line and not self.cube.best:
            self.cube = replace(self.cube, best=re.split("[:：]", line, maxsplit=1)[-1].strip())
        elif self.cube.no_double is not None:
            self._add_comment(line)

    def _add_comment(self, line: str) -> None:
        self.in_detail = bool(_DETAIL.match(line)) or (self.in_detail and bool(line))
        if not self.in_detail and (line or self.comment):
            self.comment.append(line)

    def _equity(self, text: str) -> float:
        value = float(text.replace(",", "."))
        if abs(value) > _MOST:
            raise InputError(f"line {self.line}: found the equity {text}, expected -{_MOST} to {_MOST}")
        return value

    def _share(self, text: str) -> float:
        value = Decimal(text.replace(",", "."))
        if not 0 <= value <= 100:
            raise InputError(f"line {self.line}: found {text}%, expected 0% to 100%")
        return float(value / 100)


def _in_english(move: str) -> str:
    """A move with the bar and off in English: a word before the first / is the bar, one behind a / is off."""
    first, *rest = move.split("/")
    if not rest:
        return move
    return "/".join(["bar" if first.isalpha() else first, *(re.sub(r"^[^\W\d_]+", "off", point) for point in rest)])
