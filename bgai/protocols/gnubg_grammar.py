"""The commands that gnubg's `external` understands, and so do we.

| command | |
|---|---|
| an empty line | an error |
| `version`, `help` | |
| `exit`, `quit` | ends the connection |
| `set debug BOOL`, `set interface new/old`, `set prompt TEXT` | |
| `set scores gnubg/fibs` | ours alone: the order of the scores on boards |
| `BOARD` and options | asks for a decision |
| `evaluation fibsboard BOARD` and options | asks what the position is worth |

A board is `board:NAME:NAME:` and whole numbers; a name has letters, digits and underscores or is quoted. Options of
both: `jacobyrule BOOL`, `crawfordrule BOOL`, `beavers BOOL`, `resignation N`; of an evaluation `plies N`, `cube BOOL`,
`cubeful`, `cubeless`, `noise X`, `prune [BOOL]`, `deterministic [BOOL]`. BOOL is yes, no, on, off, true or false.
Letters may be small or large.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from bgai.errors import InputError
from bgai.notation.reading import quote
from bgai.protocols.gnubg_board import Agreed, BoardLine

_NAME = r"(?:[A-Za-z0-9_]+|'[^']*'|\"[^\"]*\")"
_TOKEN = re.compile(
    rf"\s*(?:(?P<board>board:(?P<first>{_NAME}):(?P<second>{_NAME})(?P<numbers>(?::-?[0-9]{{1,9}})+))(?=\s|$)"
    r"|(?P<word>[A-Za-z]+|-?[0-9]{1,9}(?:\.[0-9]{1,9})?|'[^']*'|\"[^\"]*\")(?=\s|$)|(?P<wrong>\S+))",
    re.IGNORECASE,
)
_BOOLEANS = {"yes": True, "on": True, "true": True, "no": False, "off": False, "false": False}


class SyntaxProblem(InputError):
    """A line that is no command."""


@dataclass(frozen=True)
class Setting:
    """`set NAME VALUE`."""

    name: str
    value: str


@dataclass(frozen=True)
class Ask:
    """A decision is asked for."""

    board: BoardLine
    agreed: Agreed


@dataclass(frozen=True)
class Evaluate:
    """What a position is worth is asked for."""

    board: BoardLine
    agreed: Agreed
    plies: int = 0
    cubeful: bool = False
    noise: float = 0.0


@dataclass(frozen=True)
class Plain:
    """`version`, `help` or `exit`."""

    name: str


Request = Plain | Setting | Ask | Evaluate


@dataclass
class _Tokens:
    line: str
    found: list[re.Match[str]] = field(default_factory=list)
    place: int = 0

    def __post_init__(self) -> None:
        self.found = list(_TOKEN.finditer(self.line.rstrip()))

    @property
    def more(self) -> bool:
        return self.place < len(self.found)

    def next(self, expected: str) -> re.Match[str]:
        if not self.more:
            raise SyntaxProblem(f"syntax error, unexpected end of the line, expecting {expected}")
        match = self.found[self.place]
        if match["wrong"] is not None:
            raise SyntaxProblem(f"syntax error, unexpected {quote(match['wrong'])}, expecting {expected}")
        self.place += 1
        return match

    def word(self, expected: str) -> str:
        match = self.next(expected)
        if match["word"] is None:
            raise SyntaxProblem(f"syntax error, unexpected board, expecting {expected}")
        return match["word"].lower()

    def board(self) -> BoardLine:
        match = self.next("a board")
        if match["board"] is None:
            raise SyntaxProblem(f"syntax error, unexpected {quote(match['word'])}, expecting a board")
        names = match["first"].strip("'\""), match["second"].strip("'\"")
        return BoardLine(names, tuple(int(number) for number in match["numbers"][1:].split(":")))

    def boolean(self) -> bool:
        word = self.word("on or off")
        if word not in _BOOLEANS:
            raise SyntaxProblem(f"syntax error, unexpected {quote(word)}, expecting on or off")
        return _BOOLEANS[word]

    def optional_boolean(self) -> bool:
        ahead = self.found[self.place]["word"] if self.more else None
        return self.boolean() if ahead is not None and ahead.lower() in _BOOLEANS else True

    def number(self, low: int, high: int) -> int:
        word = self.word("a whole number")
        if not word.lstrip("-").isdigit() or not low <= int(word) <= high:
            raise SyntaxProblem(f"syntax error, unexpected {quote(word)}, expecting a whole number, {low} to {high}")
        return int(word)

    def noise(self) -> float:
        word = self.word("a number")
        try:
            return float(word) / (1 if "." in word else 10_000)
        except ValueError:
            raise SyntaxProblem(f"syntax error, unexpected {quote(word)}, expecting a number") from None


def read_request(line: str, agreed: Agreed, most_plies: int) -> Request:
    """What a line asks for; `agreed` holds where it says nothing about rules.

    Raises:
        SyntaxProblem: an empty line, or no command.
    """
    tokens = _Tokens(line)
    if not tokens.more:
        raise SyntaxProblem("no command given")
    if tokens.found[0]["board"] is not None:
        board = tokens.board()
        return _with_options(tokens, Ask(board, agreed), most_plies)
    word = tokens.word("a command")
    if word == "evaluation":
        kind = tokens.word("fibsboard")
        if kind != "fibsboard":
            raise SyntaxProblem(f"syntax error, unexpected {quote(kind)}, expecting fibsboard")
        board = tokens.board()
        return _with_options(tokens, Evaluate(board, agreed), most_plies)
    if word == "set":
        setting = Setting(tokens.word("an option"), tokens.word("a value").strip("'\""))
        _end(tokens)
        return setting
    if word in ("version", "help", "exit", "quit"):
        _end(tokens)
        return Plain(word)
    raise SyntaxProblem(f"syntax error, unexpected {quote(word)}, expecting a command")


def read_boolean(text: str) -> bool:
    """The value of a setting that is on or off.

    Raises:
        SyntaxProblem: it is neither.
    """
    return _Tokens(text).boolean()


def _with_options(tokens: _Tokens, request: Ask | Evaluate, most_plies: int) -> Ask | Evaluate:
    while tokens.more:
        word = tokens.word("an option")
        agreed = request.agreed
        if word == "jacobyrule":
            request = replace(request, agreed=replace(agreed, jacoby=tokens.boolean()))
        elif word == "crawfordrule":
            request = replace(request, agreed=replace(agreed, crawford=tokens.boolean()))
        elif word == "beavers":
            request = replace(request, agreed=replace(agreed, beavers=tokens.boolean()))
        elif word == "resignation":
            request = replace(request, agreed=replace(agreed, resignation=tokens.number(0, 3)))
        elif isinstance(request, Evaluate):
            request = _with_evaluation_option(tokens, request, word, most_plies)
        else:
            raise SyntaxProblem(f"syntax error, unexpected {quote(word)}, expecting an option of a board")
    return request


def _with_evaluation_option(tokens: _Tokens, request: Evaluate, word: str, most_plies: int) -> Evaluate:
    if word == "plies":
        return replace(request, plies=tokens.number(0, most_plies))
    if word in ("cubeful", "cubeless"):
        return replace(request, cubeful=word == "cubeful")
    if word == "cube":
        return replace(request, cubeful=tokens.boolean())
    if word == "noise":
        return replace(request, noise=tokens.noise())
    if word in ("prune", "deterministic"):
        # Our answers are the same each time, and how plays are pruned is not for the asker to say.
        tokens.optional_boolean()
        return request
    raise SyntaxProblem(f"syntax error, unexpected {quote(word)}, expecting an option of an evaluation")


def _end(tokens: _Tokens) -> None:
    if tokens.more:
        extra = tokens.found[tokens.place]
        raise SyntaxProblem(f"syntax error, unexpected {quote(extra[0].strip())}, expecting the end of the line")
