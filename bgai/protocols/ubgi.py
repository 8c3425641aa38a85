"""An engine for the Universal Backgammon Interface: lines in, lines out.

Version 0.1 up to its level 2, the keys of version 0.2, and the bare positions of draft 0.01; docs/ubgi.md has the
commands. A search runs beside the reading of lines, so that it can be stopped; one runs at a time, and lines that come
meanwhile wait for its end.

    >>> said: list[str] = []
    >>> engine = Engine(said.append)
    >>> for line in ("position gnubgid 4HPwATDgc/ABMA", "dice 3 1", "go role chequer"):
    ...     _ = engine.obey(line)
    >>> _ = engine.wait()
    >>> said[-1]
    'bestmove 8/5 6/5'
"""

from __future__ import annotations

import re
import threading
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import BinaryIO

from bgai.catalogue import open_model
from bgai.errors import BgaiError, DiceError, InputError, PositionError
from bgai.levels import PlayerName
from bgai.notation.fibs import read_fibs_board
from bgai.notation.reading import BLANKS, quote
from bgai.notation.xgid import read_xgid
from bgai.plays import legal_plays
from bgai.position import Position
from bgai.protocols.match_length import check_length
from bgai.protocols.opened import Opened
from bgai.protocols.states import RESIGNATIONS
from bgai.protocols.ubgi_context import OWNERS, SEATS, SWITCHES, Context, MissingContext
from bgai.protocols.ubgi_options import Options, Unsupported
from bgai.protocols.ubgi_search import PASS, Limits, Searcher, figures, read_limits
from bgai.version import __version__

LONGEST_LINE = 4096
"""Bytes of a command; longer ones are refused."""

ROLES = ("chequer", "cube", "turn")

MOST_WAITING = 1000
"""Lines that wait for the end of a search, at most; then no more are read."""

_AT_ONCE = 0.25
"""Seconds that a search may take before the next command is read, so that short ones sent together with `isready` or
`quit` come to their end."""
_AFTER_THE_END = 60.0
"""Seconds that a search may go on when no more commands can come."""
_BARE = re.compile(r"board:|xgid\s*=", re.IGNORECASE)

_CODES = {
    "unknown_command": "bad_command",
    "bad_argument": "bad_value",
    "missing_context": "bad_state",
    "unsupported_feature": "unsupported",
}
"""Of version 0.1, and what version 0.2 calls the same."""


class UnknownCommand(InputError):
    """A line that begins with no command."""


class Engine:
    """One engine: `obey` takes commands, the answers go to `say`, a line each."""

    def __init__(
        self, say: Callable[[str], None], player: PlayerName | None = None, *, threads: int = 1, draft: bool = False
    ) -> None:
        """`player` answers as long as nobody says otherwise; with `draft`, `ubgi` is answered as in draft 0.01."""
        self._to = say
        self._lock = threading.Lock()
        """Held while something is said."""
        self._context = Context()
        self._options = Options(self._context, player or PlayerName(None), threads)
        self._draft = draft
        self._newer = False
        """Whether the other side speaks version 0.2, whose errors are called otherwise."""
        self._turn = threading.Condition()
        """Guards what both threads change: the four below."""
        self._thread: threading.Thread | None = None
        """Searches, and then takes the lines that wait."""
        self._waiting: deque[str] = deque()
        self._hurried = 0
        """How many of those that wait were followed by `stop`."""
        self._stopped = False
        """Whether the line that is obeyed was."""
        self._searcher: Searcher | None = None
        self._gone = False
        self._opened: Opened | None = None

    def obey(self, line: str) -> bool:
        """Takes a command; False after `quit`. A search that it begins may go on when this returns.

        While one does, `stop`, `isready` and `quit` are taken at once, and everything else waits for its end; where
        `MOST_WAITING` lines wait this waits, too.
        """
        words = line.strip(BLANKS).split()
        if words == ["quit"]:
            return False
        if words == ["stop"]:
            self.stop()
        elif words and (words == ["isready"] or not self._put_off(line)):
            self._follow(line)
        return True

    def _put_off(self, line: str) -> bool:
        """Whether a search runs, behind which the line waits now."""
        with self._turn:
            self._turn.wait_for(lambda: len(self._waiting) < MOST_WAITING)
            if self._thread is None:
                self._stopped = False
                return False
            self._waiting.append(line)
            return True

    def _next(self) -> str | None:
        """The first of the lines that wait; without one the thread is over."""
        with self._turn:
            if self._gone:
                self._waiting.clear()
            line = self._waiting.popleft() if self._waiting else None
            self._stopped = self._hurried > 0
            self._hurried = max(0, self._hurried - 1)
            if line is None:
                self._thread = None
            self._turn.notify_all()
            return line

    def _give_up(self) -> None:
        """The thread ends before its time, and nobody waits for it."""
        with self._turn:
            self._waiting.clear()
            self._thread = None
            self._turn.notify_all()

    def _follow(self, line: str) -> None:
        text = line.strip(BLANKS)
        self._try(lambda: self._bare(text) if _BARE.match(text) else self._command(text.split()))

    def _try(self, task: Callable[[], None]) -> None:
        try:
            task()
        except BgaiError as error:
            self._complain(error)

    def wait(self, seconds: float | None = None) -> bool:
        """Until the search has answered, and those that waited for its end; whether they have."""
        with self._turn:
            return self._turn.wait_for(lambda: self._thread is None, seconds)

    def stop(self) -> None:
        """Ends the search, and those that wait for its end; each answers with what it has found."""
        with self._turn:
            self._hurried, self._stopped = len(self._waiting), True
            if self._searcher is not None:
                self._searcher.halt.say()

    @property
    def waiting(self) -> bool:
        """Whether lines wait for the end of a search."""
        return bool(self._waiting)

    @property
    def gone(self) -> bool:
        """Whether nobody reads the answers any more."""
        return self._gone

    def _say(self, *lines: str) -> None:
        with self._lock:
            for line in lines:
                if self._gone:
                    return
                try:
                    self._to(line)
                except (BrokenPipeError, ValueError):
                    # Who has gone needs no answer, and no search either.
                    self._gone = True
                    self.stop()

    def _complain(self, error: BgaiError) -> None:
        kinds = {
            UnknownCommand: "unknown_command",
            MissingContext: "missing_context",
            Unsupported: "unsupported_feature",
        }
        code = next((kinds[kind] for kind in kinds if isinstance(error, kind)), "bad_argument")
        self._say(f"error {_CODES[code] if self._newer else code} {' '.join(str(error).split())}")

    def _command(self, words: list[str]) -> None:
        name, arguments = words[0], words[1:]
        plain: dict[str, Callable[[], None]] = {
            "ubgi": self._introduce,
            "isready": self._ready,
            "stop": self.stop,
            "newgame": self._context.new_game,
            "keys": self._keys,
            "eval": self._evaluate,
        }
        taking: dict[str, Callable[[list[str]], None]] = {
            "setoption": self._set_option,
            "newsession": self._new_session,
            "setscore": self._set_score,
            "setcube": self._set_cube,
            "setturn": self._set_turn,
            "position": self._place,
            "dice": self._set_dice,
            "go": self._go,
            "get": self._get,
            "set": self._set,
        }
        if name in ("keys", "get", "set"):
            self._newer = True
        if name not in plain and name not in taking:
            raise UnknownCommand(f"found {quote(name)}, expected {', '.join([*plain, *taking, 'quit'])}")
        if name in taking:
            taking[name](arguments)
        elif arguments:
            raise InputError(f"{name}: found {quote(' '.join(arguments))} behind it, expected nothing")
        else:
            plain[name]()

    def _introduce(self) -> None:
        identity = ["id name bgai", "id author the bgai project", f"id version {__version__}"]
        if self._draft:
            self._say(*identity, "readyok")
        else:
            self._say(*identity, *self._options.lines(), "proto 0.2", *self._options.keys(), "ubgiok")

    def _ready(self) -> None:
        if self.wait(0):
            self._warm_up()
        self._say("readyok")

    def _warm_up(self) -> None:
        """Loads everything now and not while a clock runs."""
        before = self._opened
        searcher = self._new_searcher(Limits(depth=0), cubeful=True)
        if self._opened is not before:
            searcher.say = lambda line: None
            searcher.move(Position(dice=(3, 1)))
            searcher.doubles(Position())

    def _keys(self) -> None:
        self._say(*self._options.keys())

    def _get(self, arguments: list[str]) -> None:
        if len(arguments) != 1:
            raise InputError("get: expected get KEY")
        self._say(f"value {arguments[0]} {self._options.get(arguments[0])}")

    def _set(self, arguments: list[str]) -> None:
        if len(arguments) < 2:
            raise InputError("set: expected set KEY VALUE")
        self._options.set_key(arguments[0], " ".join(arguments[1:]))

    def _set_option(self, arguments: list[str]) -> None:
        if len(arguments) < 4 or arguments[0] != "name" or arguments[2] != "value":
            raise InputError("setoption: expected setoption name NAME value VALUE")
        self._options.set_option(arguments[1], " ".join(arguments[3:]))

    def _new_session(self, arguments: list[str]) -> None:
        given = _pairs("newsession", arguments, ("type", "length", "jacoby", "beavers", "crawford"))
        if "type" not in given:
            raise InputError("newsession: expected newsession type money, or type match length N")
        rules = {name: _switch(name, given[name]) for name in ("jacoby", "beavers", "crawford") if name in given}
        length = _whole("length", given["length"]) if "length" in given else 0
        self._context.new_session(given["type"], length, **rules)

    def _set_score(self, arguments: list[str]) -> None:
        if len(arguments) != 2:
            raise InputError("setscore: expected setscore P0 P1")
        self._context.set_score((_whole("score", arguments[0]), _whole("score", arguments[1])))

    def _set_cube(self, arguments: list[str]) -> None:
        given = _pairs("setcube", arguments, ("value", "owner"))
        if set(given) != {"value", "owner"} or given["owner"] not in OWNERS:
            raise InputError("setcube: expected setcube value N owner center, p0 or p1")
        self._context.set_cube(_whole("cube", given["value"]), OWNERS[given["owner"]])

    def _set_turn(self, arguments: list[str]) -> None:
        if len(arguments) != 1 or arguments[0] not in SEATS:
            raise InputError("setturn: expected setturn p0 or p1")
        self._context.turn = SEATS[arguments[0]]

    def _place(self, arguments: list[str]) -> None:
        # Whatever comes of it: nobody who asks about a position that is refused gets an answer about the one before.
        self._context.take_away()
        if len(arguments) < 2:
            raise InputError("position: expected position gnubgid ID or position xgid XGID")
        self._context.place(arguments[0], " ".join(arguments[1:]))

    def _set_dice(self, arguments: list[str]) -> None:
        # As with positions: a roll that is refused leaves none to be played.
        self._context.dice = None
        if len(arguments) != 2:
            raise InputError("dice: expected dice D1 D2")
        self._context.set_dice((_whole("die", arguments[0]), _whole("die", arguments[1])))

    def _go(self, arguments: list[str]) -> None:
        rest, role = arguments, "chequer"
        if rest[:1] == ["role"]:
            if len(rest) < 2 or rest[1] not in ROLES:
                raise InputError(f"go: expected go role {' or '.join(ROLES)}")
            rest, role = rest[2:], rest[1]
        elif not rest or rest[0] in ROLES:
            self._newer = True
            rest, role = rest[1:], rest[0] if rest else "chequer"
        limits = read_limits(rest)
        position = self._context.position()
        tasks: dict[str, Callable[[Searcher, Position], None]] = {
            "chequer": self._play,
            "cube": self._act,
            "turn": self._take_turn,
        }
        _check_role(role, position)
        self._warm_up()
        searcher = self._new_searcher(limits)
        self._search(searcher, lambda: tasks[role](searcher, position))

    def _evaluate(self) -> None:
        position = self._context.position()
        self._warm_up()
        searcher = self._new_searcher(Limits())

        def task() -> None:
            found = searcher.evaluate(position)
            equity = found.equity if searcher.cubeful else found.cubeless
            self._say(f"eval {figures(equity, found.mwc, found.outcomes)}")

        self._search(searcher, task)

    def _bare(self, text: str) -> None:
        """A position alone, as in draft 0.01: the best action."""
        try:
            reading = read_xgid(text) if text[:4].lower() == "xgid" else read_fibs_board(text)
        except InputError:
            if self._draft:
                self._say("sorry")
                return
            raise
        position = reading.position
        check_length(position.score)
        self._warm_up()
        searcher = self._new_searcher(Limits(), cubeful=True)
        searcher.say = lambda line: None

        def task() -> None:
            if position.offer is not None:
                answer = searcher.answer(position)
                self._say("take" if answer in ("beaver", "raccoon") else answer)
            elif position.dice is not None:
                text = searcher.move(position).text
                self._say("" if text == PASS else text)
            else:
                self._say("double" if searcher.doubles(position) else "roll")

        self._search(searcher, task)

    def _new_searcher(self, limits: Limits, *, cubeful: bool | None = None) -> Searcher:
        options = self._options
        if cubeful is None:
            cubeful = self._context.cube_in_play if options.eval_mode == "auto" else options.eval_mode == "cubeful"
        seed = options.seed if options.deterministic else None
        model = open_model(options.player.model)
        if self._opened is None or self._opened.model is not model:
            self._opened = Opened.of(model)
        return Searcher(options.player, self._opened, options.threads, limits, self._say, seed, cubeful)

    def _search(self, searcher: Searcher, task: Callable[[], None]) -> None:
        def run() -> None:
            try:
                self._try(task)
                while (line := self._next()) is not None:
                    self._follow(line)
            except BaseException:
                self._give_up()
                raise

        with self._turn:
            self._searcher = searcher
            if self._stopped:
                searcher.halt.say()
            another = self._thread is not None
            if not another:
                self._thread = threading.Thread(target=run, name="search", daemon=True)
                self._thread.start()
        if another:
            task()
        else:
            self.wait(_AT_ONCE)

    def _play(self, searcher: Searcher, position: Position) -> None:
        move = searcher.move(position)
        self._say(f"bestmove {move.text}")
        if self._options.best_move_id:
            self._say(f"bestmoveid {move.id}")

    def _act(self, searcher: Searcher, position: Position) -> None:
        if position.offer is not None:
            self._say(f"bestcube {searcher.answer(position)}")
            return
        searcher.cubeful = True
        self._say(f"bestcube {'double' if searcher.doubles(position) else 'nodouble'}")

    def _take_turn(self, searcher: Searcher, position: Position) -> None:
        """The cube first, as if the roll were not thrown; then the play of the roll, after a take where it doubles."""
        cubeful, searcher.cubeful = searcher.cubeful, True
        doubles = searcher.doubles(replace(position, dice=None))
        said = f"bestturn cube={'double' if doubles else 'nodouble'}"
        if position.dice is not None:
            searcher.cubeful = cubeful
            move = searcher.move(searcher.after_take(position) if doubles else position)
            said += f" moveid={move.id}" if self._options.best_move_id else ""
            said += f" move={move.text}"
        self._say(said)


def read_lines(stream: BinaryIO) -> Iterator[str | None]:
    """The lines of a stream, whatever bytes they are of; None for one that is too long."""
    while data := stream.readline(LONGEST_LINE + 1):
        if len(data) > LONGEST_LINE and not data.endswith(b"\n"):
            while data and not data.endswith(b"\n"):
                data = stream.readline(LONGEST_LINE)
            yield None
        else:
            yield data.decode("utf-8", "replace")


def serve(engine: Engine, stream: BinaryIO, say: Callable[[str], None]) -> None:
    """Takes commands until `quit` or the end of the stream, and lets the last search answer."""
    try:
        for line in read_lines(stream):
            if line is None:
                say(f"error bad_argument a line is longer than {LONGEST_LINE} bytes")
            elif not engine.obey(line):
                if not engine.waiting:
                    engine.stop()
                break
            if engine.gone:
                break
        if not engine.wait(_AFTER_THE_END):
            engine.stop()
            engine.wait()
    except BaseException:
        engine.stop()
        engine.wait(1)
        raise


def _check_role(role: str, position: Position) -> None:
    """Refuses questions that the position does not ask, before a search begins."""
    if role == "chequer" and position.offer is not None:
        raise InputError(f"go: a {position.offer} waits for an answer, expected role cube")
    if role == "chequer" and position.dice is None:
        raise MissingContext("go: no roll was given, expected dice D1 D2 first")
    if role == "turn" and position.offer is not None:
        raise InputError(f"go: a {position.offer} waits for an answer, expected role cube")
    if role == "cube" and position.dice is not None and position.offer not in RESIGNATIONS:
        high, low = position.dice
        raise InputError(f"go: the dice are rolled ({high}{low}), expected none for the cube")
    if position.dice is not None:
        legal_plays(position.board, position.dice)
    elif not ((position.board > 0).any() and (position.board < 0).any()):
        raise PositionError("the game is over, expected a position before the roll")


def _pairs(command: str, arguments: list[str], known: tuple[str, ...]) -> dict[str, str]:
    if len(arguments) % 2 or any(name not in known for name in arguments[::2]):
        found = quote(" ".join(arguments))
        raise InputError(f"{command}: found {found}, expected names and values: {', '.join(known)}")
    return dict(zip(arguments[::2], arguments[1::2], strict=True))


def _switch(name: str, text: str) -> bool:
    if text not in SWITCHES:
        raise InputError(f"{name}: found {quote(text)}, expected on or off")
    return SWITCHES[text]


def _whole(name: str, text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= 6):
        raise (DiceError if name == "die" else InputError)(f"{name}: found {quote(text)}, expected a whole number")
    return int(text)
