"""A bot for FIBS, the First Internet Backgammon Server, and servers that speak its CLIP.

docs/fibs.md describes what it says and understands. Boards decide; the words around them only start and end things.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from bgai.errors import BgaiError, InputError, PositionError
from bgai.events import AcceptResignation, Double, Pass, Play, RefuseResignation, Resign, Take
from bgai.protocols.connection import ServerError
from bgai.protocols.credentials import Password
from bgai.protocols.fibs_board import FibsBoard, format_move, read_board, split_glued
from bgai.protocols.invitations import UNLIMITED, Policy
from bgai.protocols.server_bot import Desk, ServerBot
from bgai.protocols.table import OPPONENT
from bgai.protocols.turns import Decision, Throw, may_double
from bgai.version import __version__

PORT = 4321
CLIP_VERSION = 1008

SETTINGS = {
    "autoboard": True,
    "autodouble": False,
    "automove": False,
    "bell": False,
    "crawford": True,
    "double": True,
    "greedy": False,
    "moreboards": True,
    "moves": False,
    "notify": True,
    "ratings": False,
    "ready": True,
    "report": False,
    "silent": True,
}
"""The toggles as the bot needs them."""

OWN_INFORMATION = [
    "name",
    "allowpip",
    "autoboard",
    "autodouble",
    "automove",
    "away",
    "bell",
    "crawford",
    "double",
    "experience",
    "greedy",
    "moreboards",
    "moves",
    "notify",
    "rating",
    "ratings",
    "ready",
    "redoubles",
    "report",
    "silent",
    "timezone",
]
"""What the line that begins with 2 has."""

JOINING = 60.0
"""Seconds an invitation that was accepted has to become a match."""
EXPLAINING = 300.0
"""Seconds in which one player is told only once why the bot does not play."""
OWN_ROLL = 10.0
"""Seconds for the server to roll where there is nothing to decide; then the bot asks for it."""
UNLIMITED_GAMES = 25
"""Games of an unlimited match until the bot leaves it to others."""

_PROMPT = "login:"
_NAME = r"([A-Za-z0-9_<>]+)"
USER = re.compile(r"[A-Za-z0-9_]{1,64}")

_VALUES = {1: "n", 2: "g", 3: "b"}


class FibsBot(ServerBot):
    """See the module."""

    def __init__(self, desk: Desk, policy: Policy, user: str, password: Password, matches: int | None = None) -> None:
        """
        Raises:
            InputError: a name or password that FIBS cannot have.
        """
        super().__init__(desk, policy, matches)
        if not USER.fullmatch(user):
            raise InputError(f"expected a user name of letters, digits and underscores, found {user!r}")
        if " " in password.secret:
            raise InputError("expected a password without blanks, as FIBS has them")
        self._user = user
        self._password = password
        self._told: dict[str, float] = {}
        """When somebody whose invitation was refused may be told why again."""
        self._unfinished: dict[str, str] = {}
        """Opponents, by their names in lower case, of matches that this run began and the server has saved."""
        self._start_of_connection()
        self._words: list[tuple[re.Pattern[str], Callable[[re.Match[str]], None]]] = [
            (re.compile(text.replace("NAME", _NAME)), act)
            for text, act in (
                (r"NAME wants to play a (\d{1,4}) point match with you\.", self._invited),
                (r"NAME wants to play an unlim\w+ match with you\.", self._invited_unlimited),
                (r"NAME wants to resume a saved match with you\.", self._invited_to_resume),
                (r"(?:\*\* )?WARNING: Don't accept if you want to continue", self._warned),
                (r"Type 'join NAME' to accept\.", self._may_join),
                (r"\*\* NAME didn't invite you", self._not_invited),
                (r"\*\* There's no saved match with NAME", self._no_saved_match),
                (r"\*\* (?:Error|There is no one called)", self._no_match),
                (r"\*\* NAME is (?:already playing|refusing games|not logged in)", self._no_match),
                (r"\*\* Player NAME has joined you for (.+?) match", self._started),
                (r"\*\* You are now playing (an? .+?) match with NAME", self._joined),
                (r"(?:\*\* )?(?:Player )?NAME has joined you\. Your running match was loaded", self._resumed),
                (r"(?:\*\* )?You are now playing with NAME\. Your running match was loaded", self._resumed),
                (r"It's your turn(?:\. Please| to) roll or double", self._may_roll),
                (r"NAME doubles\. Type 'accept' or 'reject'", self._doubled),
                (r"NAME wants to resign\. You will win (\d+) points?\. Type", self._resigned),
                (r"NAME rejects\. The game continues", self._resignation_refused),
                (r"NAME (?:rolls? [1-6] and [1-6]|moves|can't move)", self._something_happened),
                (r"Type 'join' if you want to play the next game", self._next_game),
                (r"NAME wins? the (\d+) point match +(\S+)", self._match_over),
                (r"\*\* Player NAME has left the game", self._left_alone),
                (r"NAME (?:logs out|drops connection)\. The game was saved", self._left_alone),
                (r"\*\* You terminated the game", self._terminated),
                (r"7 NAME ", self._logged_in),
            )
        ]

    # The connection

    def _start_of_connection(self) -> None:
        self._sent_login = False
        self._prompts = 0
        self._motd = False
        self._invitation: tuple[str, int] | None = None
        self._resuming = False
        self._warning = False
        self._joining: str | None = None
        self._upwards = False
        self._double_waits = False
        self._resignation = 0
        self._waits_for_board = False
        self._not_resigned = 0
        self._asked_to_roll = False
        self._length = UNLIMITED
        self._games = 0

    def connected(self) -> None:
        """See `ServerBot`; a match that was cut off is saved by the server."""
        if self.opponent is not None:
            self._unfinished[self.opponent.lower()] = self.opponent
        super().connected()
        self._start_of_connection()

    def prompted(self, pending: str) -> None:
        """Logs in where the server asks for it; asked twice, the login was not right."""
        if self.welcomed:
            return
        prompts = self._prompts + pending.count(_PROMPT)
        if prompts and not self._sent_login:
            self._sent_login = True
            login = f"login bgai-{__version__} {CLIP_VERSION} {self._user} {self._password.secret}"
            self.desk.send(login, secret=True)
        elif prompts > 1:
            raise self._wrong_login()

    def refused(self, reason: str) -> BgaiError | None:
        """A connection that ended between login and welcome: the login was wrong."""
        if self._sent_login and not self.welcomed and not self.ever_welcomed:
            return self._wrong_login()
        return None

    def _wrong_login(self) -> BgaiError:
        if self.ever_welcomed:
            return ServerError(f"the server no longer takes the login of {self._user}")
        return InputError(f"the server does not take the user name {self._user!r} with this password")

    def goodbye(self) -> None:
        """See `ServerBot`."""
        self.desk.send("bye")

    def walk_out(self) -> None:
        """See `ServerBot`; the server saves the match."""
        if self.opponent is not None:
            self.desk.send(f"tell {self.opponent} I have to leave. The match is saved, and we can go on another time.")
            self.desk.send("leave")
        self.goodbye()

    # Lines

    def read(self, line: str) -> None:
        """See `ServerBot`."""
        line = line.strip().removeprefix("> ")
        first, glued = split_glued(line)
        if first.startswith("board:"):
            self._board(first)
        elif not self.welcomed:
            self._login_line(first)
        elif self._motd or first == "3":
            self._motd = first != "4"
        else:
            for pattern, act in self._words:
                match = pattern.match(first)
                if match is not None:
                    act(match)
                    break
        if glued:
            self.read(glued)

    def _login_line(self, line: str) -> None:
        if line.startswith(_PROMPT):
            # A prompt has no end of its own, so the answer comes in the same line.
            self._prompts += line.count(_PROMPT)
            line = line.rpartition(_PROMPT)[2]
            self.prompted("")
        words = line.split()
        if words[:1] == ["2"] and words[1:2] == [self._user] and len(words) > len(OWN_INFORMATION):
            self.let_in(self._user)
            self._settle(dict(zip(OWN_INFORMATION, words[1:], strict=False)))

    def _settle(self, own: dict[str, str]) -> None:
        self.desk.send("set boardstyle 3")
        for toggle, wanted in SETTINGS.items():
            if own[toggle] != str(int(wanted)):
                self.desk.send(f"toggle {toggle}")
        if own["redoubles"] not in ("0", "none"):
            self.desk.send("set redoubles none")
        if own["away"] == "1":
            self.desk.send("back")
        for name in list(self._unfinished.values())[-1:]:
            self.desk.send(f"invite {name}")

    # Invitations

    def _invited(self, found: re.Match[str]) -> None:
        self._note_invitation(found[1], int(found[2]))

    def _invited_unlimited(self, found: re.Match[str]) -> None:
        self._note_invitation(found[1], UNLIMITED)

    def _invited_to_resume(self, found: re.Match[str]) -> None:
        self._note_invitation(found[1], UNLIMITED, resuming=True)

    def _note_invitation(self, name: str, length: int, *, resuming: bool = False) -> None:
        self._invitation, self._resuming, self._warning = (name, length), resuming, False

    def _warned(self, found: re.Match[str]) -> None:
        self._warning = True

    def _may_join(self, found: re.Match[str]) -> None:
        """The end of an invitation: the server has said all about it."""
        if self._invitation is None or self._invitation[0] != found[1]:
            return
        (name, length), self._invitation = self._invitation, None
        if self.opponent is not None or self._joining is not None:
            return
        reason = self._no_join(name, length)
        if reason is not None:
            self.desk.say(f"{name}: refused, {reason}")
            if self.desk.now() >= self._told.get(name, 0.0):
                self._told[name] = self.desk.now() + EXPLAINING
                self.desk.send(f"tell {name} Sorry, {reason}.")
            return
        self._joining = name
        self.desk.send(f"join {name}")
        self.after("joining", JOINING, self._forget_joining)

    def _no_join(self, name: str, length: int) -> str | None:
        if self.leaving:
            return "I am about to leave"
        if self._resuming:
            mine = self.policy.saved or name.lower() in self._unfinished
            return None if mine else "I resume only what I have begun since I came"
        if self._warning:
            return "we have a saved match: invite me without a length to go on with it"
        return self.policy.refusal(name, length)

    def _not_invited(self, found: re.Match[str]) -> None:
        self._forget_joining()

    def _no_match(self, found: re.Match[str]) -> None:
        self._forget_joining()

    def _no_saved_match(self, found: re.Match[str]) -> None:
        self._unfinished.pop(found[1].lower(), None)

    def _forget_joining(self) -> None:
        self._joining = None
        self.cancel("joining")

    def _logged_in(self, found: re.Match[str]) -> None:
        """Somebody has come: perhaps with a match to go on with."""
        if found[1].lower() in self._unfinished and self.opponent is None and not self.leaving:
            self.desk.send(f"invite {found[1]}")

    # Matches

    def _started(self, found: re.Match[str]) -> None:
        self._play(found[1], f"{found[2]} match begins")

    def _joined(self, found: re.Match[str]) -> None:
        self._play(found[2], f"{found[1]} match begins")

    def _resumed(self, found: re.Match[str]) -> None:
        self._play(found[1], "the saved match goes on")
        self.desk.send("board")

    def _play(self, name: str, what: str) -> None:
        self._forget_joining()
        self._unfinished.pop(name.lower(), None)
        self._games = 0
        self._new_game()
        self.begin(name, what)

    def _new_game(self) -> None:
        self._double_waits = self._waits_for_board = False
        self._resignation = self._not_resigned = 0
        self.cancel("roll")

    def _next_game(self, found: re.Match[str]) -> None:
        if self.opponent is None:
            return
        self._new_game()
        self.table = None
        self.forget()
        self._games += 1
        endless = self._length == UNLIMITED and (self.leaving or self._games >= UNLIMITED_GAMES)
        if endless:
            name = self.opponent
            self.desk.send(f"tell {name} Thank you for {self._games} games. I leave this match to let others play.")
            self.desk.send("leave")
            self.end(f"left after {self._games} games", finished=True)
        else:
            self.desk.send("join")

    def _match_over(self, found: re.Match[str]) -> None:
        if self.opponent is None or found[1] not in ("You", self.opponent):
            return
        verb = "won" if found[1] == "You" else "lost"
        self._new_game()
        self.end(f"{verb} the {found[2]} point match {found[3]}", finished=True)

    def _left_alone(self, found: re.Match[str]) -> None:
        if self.opponent is not None and found[1] == self.opponent:
            self._unfinished[self.opponent.lower()] = self.opponent
            self._new_game()
            self.end("has left, and the match is saved", finished=False)

    def _terminated(self, found: re.Match[str]) -> None:
        if self.opponent is not None:
            self.end("the match was left", finished=False)

    # Turns

    def _board(self, line: str) -> None:
        try:
            board = read_board(line)
        except PositionError as error:
            self.desk.say(f"the server's board cannot be read: {error}")
            return
        if self.opponent is None or board.opponent != self.opponent:
            return
        self._upwards = board.upwards
        self.cancel("roll")
        self._waits_for_board = self._asked_to_roll = False
        if board.table is None:
            self.table = None
            self.forget()
        else:
            self._length = board.table.length
            self._look(board)

    def _look(self, board: FibsBoard) -> None:
        table = board.table
        assert table is not None
        if self._double_waits and not table.doubled:
            table = replace(table, on_roll=OPPONENT, dice=None, doubled=True)
        if self._resignation:
            value = min(3, max(1, self._resignation // table.cube))
            table = replace(table, resignation=value)
        self.consider(table, resignable=range(self._not_resigned + 1, 4))

    def _roll(self) -> None:
        """Rolls, but not where the server does so by itself: a second roll could be taken for another one."""
        assert self.table is not None
        if self._asked_to_roll or may_double(self.table.state()):
            self.desk.send("roll")
        else:
            self.after("roll", OWN_ROLL, lambda: self.desk.send("roll"))

    def _may_roll(self, found: re.Match[str]) -> None:
        """The server asks; the board has mostly come before."""
        if self.opponent is None:
            return
        self._asked_to_roll = True
        if self.table is None:
            self.ask_again()
        elif self.cancel("roll"):
            self.desk.send("roll")

    def _doubled(self, found: re.Match[str]) -> None:
        if found[1] == self.opponent:
            self._double_waits = True
            self.ask_again()

    def _resigned(self, found: re.Match[str]) -> None:
        if found[1] == self.opponent:
            self._resignation = int(found[2])
            self.ask_again()

    def _resignation_refused(self, found: re.Match[str]) -> None:
        if found[1] == self.opponent:
            self.forget()
            self.ask_again()

    def _something_happened(self, found: re.Match[str]) -> None:
        if self.opponent is not None and found[1] in ("You", self.opponent):
            self.forget()

    def ask_again(self) -> None:
        """See `ServerBot`; not twice before the board has come."""
        if not self._waits_for_board:
            self._waits_for_board = True
            self.desk.send("board")

    def tick(self) -> None:
        """See `ServerBot`; after a long silence the board may be asked for once more."""
        if self._lost_the_thread(self.desk.now()):
            self._waits_for_board = False
        super().tick()

    def act(self, decision: Decision) -> None:
        """See `ServerBot`."""
        match decision:
            case Throw():
                self._roll()
            case Double():
                self.desk.send("double")
            case Play():
                if decision.steps:
                    self.desk.send(format_move(decision.steps, self._upwards))
            case Resign():
                self._not_resigned = decision.value
                self.desk.send(f"resign {_VALUES[decision.value]}")
            case Take():
                self._double_waits = False
                self.desk.send("accept")
            case Pass():
                self._double_waits = False
                self.desk.send("reject")
            case AcceptResignation():
                self._resignation = 0
                self.desk.send("accept")
            case RefuseResignation():
                self._resignation = 0
                self.forget()
                self.desk.send("reject")
                self.ask_again()
