"""The options of an UBGI engine: those of version 0.1 by name, and the keys of version 0.2.

| kind | 0.1 | 0.2 |
|---|---|---|
| a whole number | `option name Threads type spin default 1 min 1 max 256` | `key engine.threads int 1..256 1 ! ...` |
| on or off | `option name BestMoveId type check default false` | `key engine.bestmoveid bool false ! ...` |
| one of some words | `option name EvalMode type combo default auto var auto ...` | `key engine.evalmode enum ...` |
| text | `option name Level type string default 0-ply` | `key engine.level string * 0-ply ...` |

A key with `!` does not change how strong the engine is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from bgai.errors import InputError
from bgai.levels import PlayerName, read_player
from bgai.met.table import LONGEST_PLAYED
from bgai.notation.reading import quote
from bgai.protocols.ubgi_context import Context
from bgai.search import MOST_PLIES

Kind = Literal["spin", "check", "combo", "string"]

MOST_THREADS = 256
VARIANTS = ("backgammon",)
EVAL_MODES = ("auto", "cubeless", "cubeful")

_BOOLEANS = {"true": True, "on": True, "false": False, "off": False}


class Unsupported(InputError):
    """Understood, and not something that this engine can do."""


@dataclass(frozen=True)
class Option:
    """One of them; `name` is that of version 0.1, `key` that of version 0.2."""

    name: str | None
    key: str | None
    kind: Kind
    about: str
    low: int = 0
    high: int = 0
    values: tuple[str, ...] = ()
    minor: bool = False

    def option_line(self, default: str) -> str:
        """As version 0.1 shows it."""
        more = f" min {self.low} max {self.high}" if self.kind == "spin" else ""
        more += "".join(f" var {value}" for value in self.values)
        return f"option name {self.name} type {self.kind} default {default}{more}"

    def key_line(self, default: str) -> str:
        """As version 0.2 shows it."""
        kinds = {
            "spin": f"int {self.low}..{self.high}",
            "check": "bool",
            "combo": f"enum {'|'.join(self.values)}",
            "string": "string *",
        }
        return f"key {self.key} {kinds[self.kind]} {default}{' !' if self.minor else ''} {self.about}"

    def read(self, text: str) -> int | bool | str:
        """The value that a text stands for.

        Raises:
            InputError: none, or one out of range.
        """
        called = self.key or self.name
        if self.kind == "spin":
            if text.isascii() and text.isdecimal() and len(text) <= 20 and self.low <= int(text) <= self.high:
                return int(text)
            raise InputError(f"{called}: found {quote(text)}, expected a whole number from {self.low} to {self.high}")
        if self.kind == "check":
            if text.lower() not in _BOOLEANS:
                raise InputError(f"{called}: found {quote(text)}, expected true or false")
            return _BOOLEANS[text.lower()]
        if self.kind == "combo" and text not in self.values:
            found = f"{called}: found {quote(text)}, expected {' or '.join(self.values)}"
            raise Unsupported(found) if called == "game.variant" else InputError(found)
        return text


class Options:
    """All of them with their values."""

    def __init__(self, context: Context, player: PlayerName, threads: int = 1) -> None:
        """`player` is who answers as long as nobody says otherwise; the rules of the game are those of `context`."""
        self._context = context
        self.player = player
        self.threads = threads
        self.seed = 1
        self.deterministic = True
        self.eval_mode = "auto"
        self.best_move_id = False
        self._first = {option: self._text(option) for option in _ALL}

    def lines(self) -> list[str]:
        """The options of version 0.1."""
        return [option.option_line(text) for option, text in self._first.items() if option.name is not None]

    def keys(self) -> list[str]:
        """The keys of version 0.2."""
        return [option.key_line(text) for option, text in self._first.items() if option.key is not None]

    def get(self, key: str) -> str:
        """The value of a key.

        Raises:
            Unsupported: no such key.
        """
        return self._text(self._found(key, lambda option: option.key))

    def set_key(self, key: str, text: str) -> None:
        """Of version 0.2.

        Raises:
            Unsupported: no such key.
            InputError: no such value.
        """
        self._set(self._found(key, lambda option: option.key), text)

    def set_option(self, name: str, text: str) -> None:
        """Of version 0.1; letters may be small or large.

        Raises:
            Unsupported: no such option.
            InputError: no such value.
        """
        self._set(self._found(name, lambda option: option.name), text)

    @staticmethod
    def _found(called: str, of: Callable[[Option], str | None]) -> Option:
        for option in _ALL:
            own = of(option)
            if own is not None and own.lower() == called.lower():
                return option
        known = ", ".join(own for own in map(of, _ALL) if own is not None)
        raise Unsupported(f"found {quote(called)}, expected {known}")

    def _text(self, option: Option) -> str:
        context, plies = self._context, self.player.level.settings.plies
        values: dict[Option, int | bool | str] = {
            _LEVEL: self.player.level.name,
            _MODEL: self.player.shown.partition(":")[0],
            _PLIES: plies,
            _PLY: plies + 1,
            _THREADS: self.threads,
            _SEED: self.seed,
            _DETERMINISTIC: self.deterministic,
            _EVAL_MODE: self.eval_mode,
            _VARIANT: VARIANTS[0],
            _BEST_MOVE_ID: self.best_move_id,
            _LENGTH: context.length,
            _JACOBY: context.jacoby,
            _BEAVERS: context.beavers,
            _CRAWFORD: context.crawford,
        }
        value = values[option]
        return str(value).lower() if isinstance(value, bool) else str(value)

    def _set(self, option: Option, text: str) -> None:
        value = option.read(text)
        if option is _LEVEL:
            self._take(str(value))
        elif option is _PLIES:
            self._take(f"{value}-ply")
        elif option is _PLY:
            self._take(f"{int(value) - 1}-ply")
        elif option is _MODEL:
            self._take(f"{value}:{self.player.level.name}")
        elif option is _THREADS:
            self.threads = int(value)
        elif option is _SEED:
            self.seed = int(value)
        elif option is _DETERMINISTIC:
            self.deterministic = bool(value)
        elif option is _EVAL_MODE:
            self.eval_mode = str(value)
        elif option is _BEST_MOVE_ID:
            self.best_move_id = bool(value)
        elif option in _RULES:
            self._context.change(**{_RULES[option]: int(value)})

    def _take(self, name: str) -> None:
        player = read_player(name)
        if player.baseline:
            raise Unsupported(f"{name!r} has no opinions, expected a level such as 2-ply")
        if player.model is None and self.player.model is not None:
            player = PlayerName(self.player.model, player.level)
        self.player = player


_LEVEL = Option("Level", "engine.level", "string", "a player by name: 0-ply to 7-ply, 100ms, rollout, beginner ...")
_MODEL = Option("Model", "engine.model", "string", "a kept model by name or number")
_PLIES = Option("Plies", None, "spin", "how far to look ahead, in the count of GNU Backgammon", 0, MOST_PLIES)
_PLY = Option(None, "engine.ply", "spin", "root-inclusive: 1 is the network alone", 1, MOST_PLIES + 1)
_THREADS = Option("Threads", "engine.threads", "spin", "threads that look ahead", 1, MOST_THREADS, minor=True)
_SEED = Option("Seed", "engine.seed", "spin", "of the dice of rollouts", 0, 2**63 - 1, minor=True)
_DETERMINISTIC = Option("Deterministic", "engine.deterministic", "check", "rollouts depend on the seed", minor=True)
_EVAL_MODE = Option(
    "EvalMode",
    "engine.evalmode",
    "combo",
    "with the cube or without; auto: with it when a session, score or cube was given",
    values=EVAL_MODES,
)
_VARIANT = Option("Variant", "game.variant", "combo", "the game", values=VARIANTS)
_BEST_MOVE_ID = Option(
    "BestMoveId",
    "engine.bestmoveid",
    "check",
    "bestmoveid ID follows bestmove, and moveid=ID is part of bestturn",
    minor=True,
)
_LENGTH = Option(None, "game.length", "spin", "points of the match, 0 for money; begins a session", 0, LONGEST_PLAYED)
_JACOBY = Option(None, "game.jacoby", "check", "money: gammons count once the cube was turned")
_BEAVERS = Option(None, "game.beavers", "check", "money: who is doubled may redouble at once")
_CRAWFORD = Option(None, "game.crawford", "check", "matches have a Crawford game")

_RULES = {_LENGTH: "length", _JACOBY: "jacoby", _BEAVERS: "beavers", _CRAWFORD: "crawford"}
_ALL = (
    _LEVEL,
    _MODEL,
    _PLIES,
    _PLY,
    _THREADS,
    _SEED,
    _DETERMINISTIC,
    _EVAL_MODE,
    _VARIANT,
    _BEST_MOVE_ID,
    _LENGTH,
    _JACOBY,
    _BEAVERS,
    _CRAWFORD,
)
