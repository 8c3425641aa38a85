"""A bot for bgammon.org and servers of the same make.

docs/bgammon.md describes what it says and understands.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from bgai.errors import BgaiError, InputError, PositionError
from bgai.events import AcceptResignation, Double, Pass, Play, RefuseResignation, Resign, Step, Take
from bgai.protocols.bgammon_board import BgammonBoard, format_step, read_board
from bgai.protocols.connection import ServerError
from bgai.protocols.credentials import Password
from bgai.protocols.invitations import Policy
from bgai.protocols.server_bot import Desk, ServerBot
from bgai.protocols.table import Table
from bgai.protocols.turns import Decision, Throw
from bgai.version import __version__

PORT = 1337

KEEP_ALIVE = 30.0
"""Seconds after which something is sent; the server hangs up after 40."""
PATIENCE = 300.0
"""Seconds for an opponent who was cut off to come back."""
REMATCH = 60.0
"""Seconds for the opponent to want another match."""
REFUSALS = 3
"""Plays of one turn that the server may refuse before the bot leaves."""

USER = re.compile(r"[A-Za-z0-9_]{1,64}")
_UNWANTED = re.compile(r"\b(kicked|banned)\b", re.IGNORECASE)
_IN_USE = re.compile(r"already in use", re.IGNORECASE)
_NO_DOUBLE = re.compile(r"may not double", re.IGNORECASE)


class BgammonBot(ServerBot):
    """See the module."""

    def __init__(
        self,
        desk: Desk,
        policy: Policy,
        user: str | None = None,
        password: Password | None = None,
        matches: int | None = None,
        *,
        length: int = 5,
        joins: bool = False,
        rematches: bool = True,
    ) -> None:
        """
        Args:
            desk: see `ServerBot`.
            policy: who may play, and how long.
            user: None for a name of the server's choice.
            password: None for a guest.
            matches: see `ServerBot`.
            length: points of the matches it opens.
            joins: whether it joins open matches of others instead of opening one.
            rematches: whether it offers another match after one.

        Raises:
            InputError: a name or password that the server cannot have.
        """
        super().__init__(desk, policy, matches)
        if user is not None and not USER.fullmatch(user):
            raise InputError(f"expected a user name of letters, digits and underscores, found {user!r}")
        if password is not None and user is None:
            raise InputError("expected a user name beside the password, found none")
        self._user, self._password = user, password
        self._length, self._joins, self._rematches = length, joins, rematches
        self._start_of_connection()

    # The connection

    def _start_of_connection(self) -> None:
        self._name = ""
        self._notice = ""
        self._at_table = False
        self._over = False
        self._lists = 0
        self._leaving_table = False
        self._rolled_for: tuple[tuple[int, int], tuple[int, int]] | None = None
        self._start_of_turn(None)

    def _start_of_turn(self, table: Table | None) -> None:
        self._turn = table
        """What was on the board before anything was moved."""
        self._plan: list[Step] | None = None
        self._sent_steps = -1
        self._refused_plays = 0
        self._may_double = True

    def connected(self) -> None:
        """See `ServerBot`: the server knows no prompt, so the bot begins."""
        super().connected()
        self._start_of_connection()
        words = [f"loginjson bgai-{__version__}/en"]
        if self._user is not None:
            words.append(self._user)
        if self._password is not None:
            words.append(self._password.secret.replace(" ", "_"))
        self._send(" ".join(words), secret=self._password is not None)

    def _send(self, line: str, *, secret: bool = False) -> None:
        """Everything goes this way, and puts off the sign of life."""
        self.desk.send(line, secret=secret)
        self.after("alive", KEEP_ALIVE, lambda: self._send("pong alive"))

    def refused(self, reason: str) -> BgaiError | None:
        """What the server said before it hung up."""
        if _UNWANTED.search(self._notice):
            return ServerError(f"the server does not want the bot: {self._notice}")
        if self.welcomed or self.ever_welcomed or not self._notice or _IN_USE.search(self._notice):
            return None
        return InputError(f"the server does not take the login: {self._notice}")

    def goodbye(self) -> None:
        """See `ServerBot`."""
        if self._at_table:
            self._send("leave")
        self._send("disconnect")

    def walk_out(self) -> None:
        """See `ServerBot`."""
        if self.opponent is not None:
            self._send("say I have to leave. Sorry, and thank you for the game.")
        self.goodbye()

    def prompted(self, pending: str) -> None:
        """Never: every event has its end."""

    # Events

    def read(self, line: str) -> None:
        """See `ServerBot`; what is no JSON object with a type is passed over, as the greeting."""
        try:
            event = json.loads(line)
        except (ValueError, RecursionError):
            return
        if not isinstance(event, dict):
            return
        match event.get("Type"):
            case "welcome":
                self._name = str(event.get("PlayerName", ""))
                self.let_in(self._name)
                self._send("set autoplay 0")
                # The answer comes after the server has put the bot back where it was cut off.
                self._send("list")
            case "ping":
                self._send(f"pong {_one_line(event.get('Message'))}")
            case "notice":
                self._noticed(_one_line(event.get("Message")))
            case "list":
                self._listed(event)
            case "joined":
                self._somebody_joined(str(event.get("Player", "")), event.get("PlayerNumber"))
            case "left":
                self._somebody_left(str(event.get("Player", "")))
            case "failedjoin" | "failedcreate":
                self._at_table = self.opponent is not None
                self.after("seek", KEEP_ALIVE, lambda: self._send("list"))
            case "board":
                self._board(event)
            case "failedmove":
                self._play_refused(_one_line(event.get("Reason")))
            case "failedok" | "failedroll":
                self.forget()
                self._rolled_for = None

    def _noticed(self, text: str) -> None:
        self._notice = text
        if _NO_DOUBLE.search(text) and self.table is not None:
            self._may_double = False
            self.forget()
            self.consider(self.table, resignable=(), doubling=False)

    # Matches

    def _listed(self, event: Mapping[str, Any]) -> None:
        """The first list comes with the login; later ones are answers, and there is nothing to do yet."""
        self._lists += 1
        if self._lists < 2 or self._at_table or self.leaving:
            return
        self.cancel("seek")
        if not self._joins:
            self._at_table = True
            self._send(f"create public {self._length} 0")
            return
        found = self._open_match(event)
        if found is not None:
            self._send(f"join {found}")
        self.after("seek", KEEP_ALIVE, lambda: self._send("list"))

    def _open_match(self, event: Mapping[str, Any]) -> int | None:
        for game in event.get("Games") or []:
            try:
                number, points, players = int(game["ID"]), int(game["Points"]), int(game["Players"])
                name, closed = str(game["Name"]), bool(game["Password"])
            except (KeyError, TypeError, ValueError):
                continue
            standard = not name.startswith("(")  # as (Acey-deucey) and (Tabula)
            if standard and not closed and players == 1 and points and points <= self.policy.longest:
                return number
        return None

    def _somebody_joined(self, player: str, number: object) -> None:
        if player == self._name or number == 1:
            self._at_table = True
            self._leaving_table = False
            self.cancel("seek")
        self.cancel("patience")
        self.forget()
        self._rolled_for = None
        self._start_of_turn(None)

    def _somebody_left(self, player: str) -> None:
        if player == self._name:
            self._at_table = self._leaving_table = False
            if self.opponent is not None:
                self.end("the match was left", finished=False)
            self._seek()
        elif self._over:
            self._leave_table()
        elif self.opponent is not None:
            self.desk.say(f"{self.opponent}: cut off, waiting")
            self.after("patience", PATIENCE, self._leave_table)

    def _seek(self) -> None:
        if not self.leaving and not self.gone:
            self._send("list")

    def _leave_table(self) -> None:
        """Only once: the server answers with `left`."""
        if not self._leaving_table:
            self._leaving_table = True
            self._send("leave")

    def _sit_down(self, board: BgammonBoard) -> bool:
        """Whether somebody sits opposite with whom a match is played."""
        opponent = board.players[1]
        if not opponent:
            return False
        if self.opponent is None and not self._leaving_table:
            reason = self.policy.refusal(opponent, board.length)
            if board.variant:
                reason = "I play backgammon only"
            if reason is not None:
                self.desk.say(f"{opponent}: refused, {reason}")
                self._send(f"say Sorry, {reason}.")
                self._leave_table()
                return False
            self._over = False
            self._rolled_for = None
            self.begin(opponent, f"a match to {board.length} at {board.score[0]}-{board.score[1]}")
        return not self._leaving_table

    def _board(self, event: Mapping[str, Any]) -> None:
        if event.get("Spectating"):
            self._leave_table()
            return
        try:
            board = read_board(event)
        except PositionError as error:
            self.desk.say(f"the server's board cannot be read: {error}")
            return
        if board.winner:
            self._match_over(board)
        elif self._sit_down(board):
            self._over = False
            self._play(board)

    def _match_over(self, board: BgammonBoard) -> None:
        self.table = None
        self.forget()
        if self._over or self.opponent is None:
            return
        self._over = True
        self.cancel("patience")
        self._start_of_turn(None)
        verb = "won" if board.winner == 1 else "lost"
        opponent = self.opponent
        self.end(f"{verb} the match {board.score[0]}-{board.score[1]}", finished=True)
        if self.gone:
            return
        if self._rematches and board.players[1]:
            self.desk.say(f"{opponent}: another match offered")
            self._send("rematch")
            self.after("rematch", REMATCH, self._leave_table)
        else:
            self._leave_table()

    # Turns

    def _play(self, board: BgammonBoard) -> None:
        self.cancel("rematch")
        if board.turn == 0:
            self._start_of_turn(None)
            self.table = None
            self.forget()
            if not board.dice[0] and self._rolled_for != (board.score, board.dice):
                self._rolled_for = (board.score, board.dice)
                self._send("roll")
        elif board.moved and board.turn == 1:
            self.table = None
            self._go_on(board.moved)
        elif board.table is None:
            self.table = None
        else:
            self._rolled_for = None
            if board.table != self._turn:
                self._start_of_turn(board.table)
            self.consider(board.table, resignable=(1,), doubling=self._may_double)

    def _go_on(self, moved: int) -> None:
        """The next step, or the confirmation; a play that somebody else has begun is taken back."""
        if moved == self._sent_steps:
            return
        self._sent_steps = moved
        if self._plan is None or moved > len(self._plan):
            self.forget()
            self._send("reset")
        elif moved < len(self._plan):
            self._send(format_step(self._plan[moved]))
        else:
            self._send("ok")

    def _play_refused(self, reason: str) -> None:
        self._refused_plays += 1
        self.desk.say(f"the server refuses a play: {reason}")
        self._plan = None
        self._sent_steps = -1
        self.forget()
        if self._refused_plays >= REFUSALS:
            self._leave_table()
        else:
            self._send("reset")
            self._send("board")

    def ask_again(self) -> None:
        """See `ServerBot`."""
        self._send("board")

    def act(self, decision: Decision) -> None:
        """See `ServerBot`; steps go one by one, because the server checks each before it makes any."""
        match decision:
            case Throw():
                self._send("roll")
            case Double():
                self._send("double")
            case Play():
                self._plan = sorted(decision.steps, reverse=True)
                self._sent_steps = 0
                self._send(format_step(self._plan[0]) if self._plan else "ok")
            case Take():
                self._send("ok")
            case Pass() | Resign():
                self._send("resign")
            case AcceptResignation() | RefuseResignation():
                raise AssertionError("a resignation is final on this server")


def _one_line(text: object) -> str:
    return " ".join(str(text or "").split())
