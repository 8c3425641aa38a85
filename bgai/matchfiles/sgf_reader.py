"""Reads `.sgf` files of backgammon as GNU Backgammon writes them: one tree a game, analyses left aside."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from bgai.board import BAR, START, Board, flip
from bgai.errors import InputError
from bgai.events import Step
from bgai.match_rules import Rules
from bgai.matchfiles.building import Beginning, MatchBuilder, Progress, build
from bgai.matchfiles.found import MatchFile, Problem
from bgai.matchfiles.sgf_points import COLOURS, point
from bgai.matchfiles.sgf_text import Node, parse_sgf
from bgai.position import CUBE_LIMIT

TEXTS = {
    "EV": "event",
    "RO": "round",
    "PC": "place",
    "DT": "date",
    "AN": "transcriber",
    "WR": "rating 1",
    "BR": "rating 2",
}
"""Properties by the names that they have in `MatchRecord.metadata`."""

_GAMES = {"1": "Go", "2": "Othello", "3": "chess", "4": "Gomoku"}
_SETUP = ("PL", "AE", "AW", "AB", "DI", "CV", "CP")
_RESULT = re.compile(r"(?P<winner>[WB])\+(?P<points>\d{1,6})(?:R(?:esign)?)?", re.IGNORECASE)
_NUMBERED = re.compile(r"(AutomaticDoubles|CubeLimit)(\d{1,5})")
_OWNERS = {"w": 0, "b": 1, "c": None}


def read_sgf(text: str, progress: Progress | None = None) -> MatchFile:
    """The match of a file, all games of it.

    Raises:
        InputError: no SGF or a cut one, another game than backgammon, or a variation that is unknown.
    """
    trees = [nodes for nodes in parse_sgf(text) if nodes]
    games = [nodes for nodes in trees if nodes[0].text("GM", "1").strip() == "6"]
    if not games:
        kind = trees[0][0].text("GM", "1").strip() if trees else ""
        what = f"GM[{kind}]" + (f", which is {_GAMES[kind]}" if kind in _GAMES else "") if kind else "an empty game"
        raise InputError(f"expected a backgammon file (GM[6]), found {what}")
    others = [
        Problem("a game that is not backgammon; left out", nodes[0].line) for nodes in trees if nodes not in games
    ]
    found = build(_beginning(games[0][0]), lambda builder: _tell(builder, games), "sgf", len(games), progress)
    return MatchFile(found.record, found.format, (*others, *found.problems))


def _beginning(root: Node) -> Beginning:
    info = _info(root)
    rules, names = _rules(root, info.get("length", 0))
    variation = "nackgammon" if "Nackgammon" in names else "backgammon"
    other = next((name for name in names if name.lower().startswith("hypergammon")), None)
    if other is not None:
        raise InputError(f"a match of {other!r}, and only backgammon and nackgammon are known")
    score = info.get("ws", 0), info.get("bs", 0)
    if rules.length and max(score) >= rules.length:
        score = 0, 0
    at_match_point = rules.crawford and rules.length > 1 and rules.length - 1 in score
    metadata = {name: root.text(key) for key, name in TEXTS.items() if key in root.properties}
    return Beginning(
        (root.text("PW"), root.text("PB")),
        rules,
        score,
        at_match_point and "CrawfordGame" not in names,
        variation,
        "\n".join(dict.fromkeys(root.text(key) for key in ("GC", "C") if key in root.properties)),
        metadata | ({} if variation == "backgammon" else {"variation": variation}),
    )


def _info(root: Node) -> dict[str, int]:
    """The numbers of MI: length, game, ws, bs."""
    parts = (value.partition(":") for value in root.properties.get("MI", []))
    return {name.strip(): int(number) for name, _, number in parts if re.fullmatch(r"\s*\d{1,6}\s*", number)}


def _rules(root: Node, length: int) -> tuple[Rules, list[str]]:
    names = [name.strip() for value in root.properties.get("RU", []) for name in value.split(":")]
    numbers = {match[1]: int(match[2]) for match in map(_NUMBERED.fullmatch, names) if match}
    limit = numbers.get("CubeLimit", CUBE_LIMIT)
    limit = limit if limit > 0 and limit & (limit - 1) == 0 else CUBE_LIMIT
    cube = "NoCube" not in names
    if length:
        return Rules(length, crawford="Crawford" in names, cube=cube, cube_limit=limit), names
    money = cube and not length
    return Rules(
        jacoby=money and "Jacoby" in names,
        beavers=money and "Beavers" in names,
        raccoons=money and "Beavers" in names and "Raccoons" in names,
        automatic_doubles=numbers.get("AutomaticDoubles", 0) if money else 0,
        cube=cube,
        cube_limit=limit,
    ), names


def _tell(builder: MatchBuilder, games: list[list[Node]]) -> None:
    for number, nodes in enumerate(games):
        root = nodes[0]
        builder.line = root.line
        info = _info(root)
        players = root.text("PW"), root.text("PB")
        if players != builder.beginning.players:
            builder.problem(f"the players are {players[0]!r} and {players[1]!r} here; taken as those of the first game")
        cube = root.text("CV", "1").strip()
        value = int(cube) if cube.isdigit() else 1
        automatic = (
            value.bit_length() - 1 if value and value & (value - 1) == 0 and not builder.state.rules.length else 0
        )
        if builder.start((info.get("ws", 0), info.get("bs", 0)) if info else None, automatic):
            _Teller(builder, nodes, comment=root.text("C") if number else "").tell()


@dataclass
class _SetUp:
    """What set-up nodes have said so far."""

    seat: int | None = None
    dice: tuple[int, int] | None = None
    rolled: bool = False
    """Whether the dice were spoken of; else a roll that waits stays."""
    checkers: list[int] | None = None
    """By White's points, White's positive: a board that White sees."""
    cube: int | None = None
    owner: int | None = None

    @property
    def rolls_only(self) -> bool:
        """Whether there is nothing but a roll."""
        return self.checkers is None and self.cube is None


class _Teller:
    """Tells one game."""

    def __init__(self, builder: MatchBuilder, nodes: list[Node], comment: str) -> None:
        self._builder = builder
        self._root = nodes[0]
        self._nodes = nodes[1:]
        self._waiting: _SetUp | None = None
        self._comment = comment

    def tell(self) -> None:
        builder = self._builder
        nodes = self._nodes
        if self._twice():
            builder.line = nodes[-1].line
            builder.problem("the last node of the game stands there twice; taken once")
            nodes = nodes[:-1]
        for place, node in enumerate([self._root, *nodes]):
            builder.line = node.line
            if any(name in node.properties for name in _SETUP if place or name != "CV"):
                self._collect(node)
            for seat, colour in enumerate(COLOURS):
                if colour in node.properties:
                    self._put(seat)
                    self._act(seat, node.text(colour).strip())
            if place and "C" in node.properties:
                self._put(None)
                builder.comment(node.text("C"))
            elif self._comment and builder.state.playing:
                builder.comment(self._comment)
                self._comment = ""
        self._put(None)
        builder.line = self._root.line
        match = _RESULT.fullmatch(self._root.text("RE").strip())
        if match:
            winner = COLOURS.index(match["winner"].upper())
            builder.end(winner, int(match["points"]))

    def _twice(self) -> bool:
        """Whether the last node repeats the one before it, as in files of GNU Backgammon after a resignation."""
        if len(self._nodes) < 2 or not self._root.text("RE"):
            return False
        before, last = (node.properties for node in self._nodes[-2:])
        return last == before and any(name in last for name in ("W", "B", "DI"))

    def _collect(self, node: Node) -> None:
        has = node.properties
        board = any(name in has for name in ("AE", "AW", "AB"))
        if (board or "CV" in has or "CP" in has) and self._is_roll(self._waiting):
            # A roll, and then a position in place of its play.
            self._put(None)
        elif "DI" in has and self._waiting is not None and self._waiting.rolled:
            # A position with its dice, and then a roll.
            self._put(None)
        found = self._waiting = self._waiting or _SetUp()
        if "PL" in has:
            colour = has["PL"][0].strip().upper()[:1]
            if colour not in COLOURS or not colour:
                raise InputError(f"line {node.line}: found PL[{has['PL'][0]}], expected PL[W] or PL[B]")
            found.seat = COLOURS.index(colour)
        if "DI" in has:
            found.dice, found.rolled = _dice(has["DI"][0], node.line), True
        if board:
            found.checkers = self._board(found.checkers, node)
        if "CV" in has:
            found.cube = _number(has["CV"][0], "CV", node.line)
            found.owner = self._builder.state.owner if self._builder.state.playing else None
        if "CP" in has:
            owner = has["CP"][0].strip().lower()[:1]
            if owner not in _OWNERS:
                raise InputError(f"line {node.line}: found CP[{has['CP'][0]}], expected CP[c], CP[w] or CP[b]")
            found.owner = _OWNERS[owner]
            if found.cube is None:
                found.cube = self._builder.state.cube if self._builder.state.playing else 1

    def _is_roll(self, found: _SetUp | None) -> bool:
        """Whether what waits is a roll that can be told; equal dice cannot begin a game."""
        if found is None or not found.rolls_only or found.dice is None or found.seat is None:
            return False
        return self._builder.state.playing or found.dice[0] != found.dice[1]

    def _board(self, before: list[int] | None, node: Node) -> list[int]:
        """The checkers after AE (empty), AW and AB (add one for each letter)."""
        state = self._builder.state
        if before is None:
            board = state.board if state.playing else START
            before = (board if not state.playing or state.on_roll == 0 else flip(board)).tolist()
        checkers = list(before)
        for sign in _letters(node, "AE"):
            if sign == "y":
                checkers[0] = checkers[BAR] = 0
            elif sign != "z":
                checkers[point(0, sign, leaves=True)] = 0
        for seat, name in enumerate(("AW", "AB")):
            for sign in _letters(node, name):
                if sign == "z":
                    continue
                place = point(seat, sign, leaves=True)
                checkers[place if seat == 0 else BAR - place] += 1 if seat == 0 else -1
        return checkers

    def _put(self, mover: int | None) -> None:
        """Tells what has been collected; `mover` is who acts next."""
        found, self._waiting = self._waiting, None
        if found is None:
            return
        builder = self._builder
        state = builder.state
        seat = found.seat
        if found.rolls_only:
            if found.dice is not None and (seat is not None or state.playing):
                builder.roll(state.on_roll if seat is None else seat, found.dice)
            return
        dice, rolled = found.dice, found.rolled
        if mover is not None and mover != seat:
            seat, dice, rolled = mover, None, True
        if seat is None:
            seat = state.on_roll
        if not rolled and state.playing and state.on_roll == seat:
            dice = state.dice
        if found.checkers is None:
            board: Board = state.board if state.playing else START
            board = board if not state.playing or state.on_roll == seat else flip(board)
        else:
            white = np.array(found.checkers)
            board = white if seat == 0 else -white[::-1]
        cube = state.cube if found.cube is None and state.playing else found.cube or 1
        owner = state.owner if found.cube is None and state.playing else found.owner
        builder.set_up(seat, board, dice, cube, None if cube == 1 else owner)

    def _act(self, seat: int, value: str) -> None:
        builder = self._builder
        word = value.lower()
        if word in ("double", "beaver", "raccoon"):
            builder.double(seat)
        elif word == "take":
            builder.take(seat)
        elif word in ("drop", "pass"):
            builder.drop(seat)
        elif re.fullmatch("[1-6]{2}([a-z]{2}){0,4}", value):
            builder.roll(seat, (int(value[0]), int(value[1])))
            try:
                steps = _steps(seat, value[2:])
            except InputError as error:
                builder.problem(f"{COLOURS[seat]}[{value}]: {error}; the play is left out")
                return
            if steps:
                builder.steps(seat, steps)
            elif builder.state.playing and builder.state.on_roll == seat:
                builder.no_move(seat)
        else:
            builder.problem(f"not understood and left out: {COLOURS[seat]}[{value}]")


def _steps(seat: int, letters: str) -> tuple[Step, ...]:
    pairs = (letters[place : place + 2] for place in range(0, len(letters), 2))
    return tuple((point(seat, pair[0], leaves=True), point(seat, pair[1], leaves=False)) for pair in pairs)


def _letters(node: Node, name: str) -> list[str]:
    """The letters of a list of points, with ranges such as `a:y` written out."""
    found: list[str] = []
    for value in node.properties.get(name, []):
        first, _, last = value.strip().partition(":")
        last = last or first
        if len(first) != 1 or len(last) != 1 or not "a" <= first <= last <= "z":
            raise InputError(
                f"line {node.line}: found {name}[{value}], expected a point from 'a' to 'y', or two with ':'"
            )
        found += [chr(code) for code in range(ord(first), ord(last) + 1)]
    return found


def _dice(value: str, line: int) -> tuple[int, int] | None:
    digits = value.strip()
    if digits in ("", "00"):
        return None
    if not re.fullmatch("[1-6]{2}", digits):
        raise InputError(f"line {line}: found DI[{value}], expected two dice such as DI[31]")
    return int(digits[0]), int(digits[1])


def _number(value: str, name: str, line: int) -> int:
    if not re.fullmatch(r"\s*\d{1,6}\s*", value):
        raise InputError(f"line {line}: found {name}[{value}], expected a whole number")
    return int(value)
