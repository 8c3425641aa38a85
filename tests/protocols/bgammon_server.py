"""A server that speaks JSON as bgammon.org does, with one player of its own to play against.

Rules, stakes and turns are kept by `bgai.match`; what is refused is counted. As there, steps are made one by one and
confirmed, the server rolls for a player who may not double, a resignation costs a single game at once, and whoever is
cut off comes back to its match by logging in.
"""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np

from bgai.board import borne_off, flip, opponent_borne_off
from bgai.errors import RuleError
from bgai.events import AcceptResignation, Double, Pass, Play, Resign, Roll, StartGame, Take
from bgai.match_play import MatchPlayer
from bgai.match_rules import Rules
from tests.protocols.mock_server import HOST, VISITOR, HostedMatch, HungUp, MockServer

Steps = list[tuple[int, int]]


class BgammonServer(MockServer):
    """See the module."""

    def __init__(
        self,
        host: MatchPlayer,
        *,
        seed: int = 1,
        packet: int | None = None,
        cuts: tuple[int, ...] = (),
        accounts: dict[str, str] | None = None,
        guests: tuple[str, ...] = ("ann",),
        rematches: int = 0,
        kicks: bool = False,
        forced: bool = False,
        no_doubles: bool = False,
        opened: tuple[int, ...] = (),
    ) -> None:
        """
        Args:
            host: how the server's players play.
            seed: of the dice.
            packet: see `MockServer`.
            cuts: the connection is cut after so many commands in matches.
            accounts: names and passwords.
            guests: who joins the matches of the visitor, one after the other.
            rematches: how often they want another match.
            kicks: whether every visitor is thrown out by an administrator.
            forced: whether the first step of every play of the visitor is once made by the server.
            no_doubles: whether every double of the visitor is refused.
            opened: lengths of matches that others have opened.
        """
        super().__init__(packet=packet)
        self.refused: list[str] = []
        self.results: list[str] = []
        self.happened: list[object] = []
        self.joined: list[int] = []
        self._player, self._seed = host, seed
        self._cuts, self._accounts, self._guests = list(cuts), accounts or {}, list(guests)
        self._rematches, self._kicks, self._forced, self._no_doubles = rematches, kicks, forced, no_doubles
        self._opened = list(opened)
        self._name = ""
        self._seated = False
        self._match: HostedMatch | None = None
        self._guest = ""
        self._over = False
        self._opening = (0, 0)
        self._made: Steps = []
        self._points = 0
        self._commands = 0

    # Conversation

    def talk(self) -> None:
        """See `MockServer`."""
        self.send_bytes(b"hello Welcome to the mock of bgammon.org! Log in with loginjson.\n")
        logged_in = False
        for line in self.lines():
            words = line.split(" ")
            if not logged_in:
                if not self._login(words):
                    return
                logged_in = True
                if self._kicks:
                    self._notice("You were kicked by admin: no bots today.")
                    return
            elif words[0] == "disconnect":
                return
            else:
                self._command(words, line)

    def _event(self, kind: str, **fields: Any) -> None:
        self.send_bytes(json.dumps({"Type": kind, "Player": "", **fields}).encode() + b"\n")

    def _notice(self, text: str) -> None:
        self._event("notice", Message=text)

    def _login(self, words: list[str]) -> bool:
        assert words[0] == "loginjson"
        assert re.fullmatch(r"bgai-\S+/en", words[1])
        name = words[2] if len(words) > 2 else "Guest_1234"
        if len(words) > 3 and self._accounts.get(name) != "_".join(words[3:]):
            self._notice("Connection terminated: No account was found with the provided username and password.")
            return False
        self._name = name if len(words) != 3 else f"Guest_{name}"
        self._event("welcome", PlayerName=self._name, Clients=2, Games=1)
        self._list()
        self._event("ping", Message="1711396800")
        if self._match is not None or self._seated:
            self._event("joined", Player=self._name, GameID=1, PlayerNumber=1)
            self._board()
            self._notice("Rejoined match: the bot's match")
        return True

    def _list(self) -> None:
        games = [
            {"ID": 7, "Password": True, "Points": 1, "Players": 1, "Rating": 0, "Name": "closed"},
            {"ID": 8, "Password": False, "Points": 1, "Players": 1, "Rating": 0, "Name": "(Tabula) other rules"},
            {"ID": 9, "Password": False, "Points": 1, "Players": 2, "Rating": 0, "Name": "going on"},
        ]
        games += [
            {"ID": 20 + number, "Password": False, "Points": points, "Players": 1, "Rating": 0, "Name": "open"}
            for number, points in enumerate(self._opened)
        ]
        self._event("list", Games=games)

    def _command(self, words: list[str], line: str) -> None:
        match words[0]:
            case "list":
                self._list()
            case "pong" | "set":
                pass
            case "say":
                assert len(words) > 1
            case "create" if not self._seated:
                assert words[1] == "public"
                assert words[3] == "0"
                self._sit(int(words[2]))
                self._guest_joins()
            case "join" if not self._seated:
                number = int(words[1])
                self.joined.append(number)
                self._sit(self._opened.pop(number - 20))
                self._guest_joins()
            case "leave" if self._seated:
                self._seated, self._match = False, None
                self.results.append("left")
                self._event("left", Player=self._name)
            case "board" if self._seated:
                self._board()
            case "rematch" if self._over:
                self._rematch()
            case _ if self._match is None or self._over:
                self._refuse(line)
            case _:
                self._in_match(words, line)

    def _refuse(self, line: str, kind: str = "notice", **fields: Any) -> None:
        self.refused.append(line)
        self._event(kind, **(fields or {"Message": f"Refused: {line}"}))

    # Matches

    def _sit(self, points: int) -> None:
        self._seated, self._points, self._over, self._guest = True, points, False, ""
        self._event("joined", Player=self._name, GameID=1, PlayerNumber=1)
        self._board()
        self._notice("Created match: the bot's match")

    def _guest_joins(self) -> None:
        if self._guests:
            self._guest = self._guests.pop(0)
            self._start()
            self._event("joined", Player=self._guest, GameID=1, PlayerNumber=2)
            self._board()

    def _start(self) -> None:
        self._seed += 1
        self._match = HostedMatch(self._player, Rules(self._points), self._seed)
        self._over, self._opening, self._made = False, (0, 0), []

    def _rematch(self) -> None:
        if self._rematches:
            self._rematches -= 1
            self._start()
            for number, player in ((1, self._name), (2, self._guest)):
                self._event("joined", Player=player, GameID=1, PlayerNumber=number)
            self._board()
        else:
            self._event("left", Player=self._guest)
            self._guest = ""

    @property
    def _the_match(self) -> HostedMatch:
        assert self._match is not None
        return self._match

    def _in_match(self, words: list[str], line: str) -> None:
        self._commands += 1
        state = self._the_match.state
        mine = state.playing and state.on_roll == VISITOR
        if words == ["roll"]:
            self._roll(line)
        elif words == ["double"] and mine and not self._made and self._the_match.legal(Double(VISITOR)):
            if self._no_doubles:
                self._notice("You may not double at this time.")
            else:
                self._do(Double(VISITOR))
                self._notice(f"Double offered to opponent ({2 * state.cube} points).")
                self._board()
                self._go_on()
        elif words == ["ok"] and state.offer is not None and state.to_act == VISITOR:
            self._do(Take(VISITOR))
            self._board()
            self._go_on()
        elif words == ["ok"] and mine and state.dice is not None:
            self._confirm(line)
        elif words == ["resign"] and state.offer is not None and state.to_act == VISITOR:
            self._do(Pass(VISITOR))
            self._game_over(resigned=self._name)
        elif words == ["resign"] and mine and state.offer is None:
            self._resign(VISITOR)
        elif words[0] == "move" and mine and state.dice is not None:
            self._move(words[1:], line)
        elif words == ["reset"] and mine:
            self._made = []
            self._event("moved", Player=self._name, Moves=[])
            self._board()
        else:
            self._refuse(line)
        if self._cuts and self._commands >= self._cuts[0]:
            self._cuts.pop(0)
            raise HungUp

    def _do(self, event: object) -> None:
        self._the_match.do(event)
        self.happened.append(event)

    def _roll(self, line: str) -> None:
        match = self._the_match
        state = match.state
        if not state.playing and not self._opening[0]:
            mine, theirs = match.throw()
            self._event("rolled", Player=self._name, Roll1=mine, Roll2=0, Roll3=0, Selected=False)
            self._event("rolled", Player=self._guest, Roll1=mine, Roll2=theirs, Roll3=0, Selected=False)
            while mine == theirs:
                mine, theirs = match.throw()
                self._event("rolled", Player=self._name, Roll1=mine, Roll2=0, Roll3=0, Selected=False)
                self._event("rolled", Player=self._guest, Roll1=mine, Roll2=theirs, Roll3=0, Selected=False)
            self._opening = (mine, theirs)
            self._do(StartGame((mine, theirs)))
            self._board()
            self._go_on()
        elif state.playing and state.to_act == VISITOR == state.on_roll and state.dice is None and not state.offer:
            self._throw(VISITOR)
            self._board()
        else:
            self._refuse(line, "failedroll", Reason="It is not your turn to roll.")

    def _throw(self, seat: int) -> None:
        dice = self._the_match.throw()
        self._do(Roll(seat, dice))
        player = self._name if seat == VISITOR else self._guest
        self._event("rolled", Player=player, Roll1=dice[0], Roll2=dice[1], Roll3=0, Selected=False)
        if seat == VISITOR and self._forced and not self._the_match.state.plays.must_pass:
            step = max(self._the_match.state.plays.steps[0].tolist())
            self._made = [(step[0], step[1])]
            self._event("moved", Player=self._name, Moves=[list(self._made[0])])

    def _resign(self, seat: int) -> None:
        self._do(Resign(seat, 1))
        self._do(AcceptResignation(1 - seat))
        self._game_over(resigned=self._name if seat == VISITOR else self._guest)

    # Plays

    def _move(self, pairs: list[str], line: str) -> None:
        steps: Steps = []
        for pair in pairs:
            found = re.fullmatch(r"(bar|\d+)/(off|\d+)", pair)
            step = None if found is None else _step(found[1], found[2])
            # Each step is checked on the board as it is before any of them is made.
            if step is None or not self._may_step(step):
                self._refuse(line, "failedmove", From=0, To=0, Reason="Illegal move.")
                return
            steps.append(step)
        self._made += steps
        self._event("moved", Player=self._name, Moves=[list(step) for step in steps])
        if not (self._position() > 0).any():
            self._do(Play(VISITOR, tuple(self._made)))
            self._made = []
            self._game_over()
        else:
            self._board()

    def _position(self) -> np.ndarray[Any, Any]:
        """The visitor's board after the steps that are made."""
        board = self._the_match.state.board.astype(int)
        for start, end in self._made:
            board[start] -= 1
            if end and board[end] == -1:
                board[end] = 0
                board[0] -= 1
            if end:
                board[end] += 1
        return board

    def _dice_left(self) -> list[int]:
        dice = self._the_match.state.dice
        assert dice is not None
        left = list(dice) * (2 if dice[0] == dice[1] else 1)
        for start, end in self._made:
            exact = [die for die in left if die == start - end]
            left.remove(exact[0] if exact else next(die for die in left if end == 0 and die > start))
        return left

    def _may_step(self, step: tuple[int, int]) -> bool:
        """Whether the step is legal by itself; the whole play is judged when it is confirmed."""
        start, end = step
        board, left = self._position(), self._dice_left()
        if not 0 <= end < start <= 25 or board[start] <= 0 or (board[25] and start != 25):
            return False
        if end:
            return start - end in left and board[end] >= -1
        highest = int(np.flatnonzero(board > 0).max())
        return highest <= 6 and (start in left or (start == highest and max(left, default=0) > start))

    def _confirm(self, line: str) -> None:
        play = Play(VISITOR, tuple(self._made))
        if not self._the_match.legal(play):
            self._refuse(line, "failedok", Reason="The following legal moves are available: ...")
            return
        self._do(play)
        self._made = []
        self._next_turn()

    def _next_turn(self) -> None:
        match = self._the_match
        if match.state.on_roll == VISITOR and not match.may_double():
            self._throw(VISITOR)
        self._board()
        self._go_on()

    def _go_on(self) -> None:
        """Until the visitor has to do something."""
        while self._the_match.state.to_act == HOST:
            event = self._the_match.host_event()
            if isinstance(event, Resign):
                self._resign(HOST)
                return
            if isinstance(event, Roll):
                self._throw(HOST)
                self._board()
                continue
            if isinstance(event, Play):
                self._event("moved", Player=self._guest, Moves=[[25 - a, 25 - b] for a, b in event.steps])
            self._do(event)
            if not self._the_match.state.playing:
                self._game_over(resigned=self._guest if isinstance(event, Pass) else "")
                return
            if isinstance(event, Play):
                self._next_turn()
                return
            self._board()

    def _game_over(self, resigned: str = "") -> None:
        match = self._the_match
        end = match.state.result
        assert end is not None
        winner = self._name if end.winner == VISITOR else self._guest
        self._event("win", Player=winner, Points=end.points, Rating=0, Resigned=resigned)
        self._opening, self._made = (0, 0), []
        if match.state.winner is not None:
            self._over = True
            self.results.append("{}-{}".format(*match.state.score))
        self._board()

    # Boards

    def _board(self) -> None:
        """The board event; the visitor is player 1."""
        state = None if self._match is None else self._match.state
        playing = state is not None and state.playing
        own = np.zeros(26, int)
        score, dice, owner, doubled, turn, winner, cube, crawford = (0, 0), self._opening, 0, False, 0, 0, 1, False
        if state is not None:
            score = state.score
            winner = 0 if state.winner is None else state.winner + 1
            crawford = state.crawford
        if state is not None and (playing or winner):
            own = (state.board if state.on_roll == VISITOR else flip(state.board)).astype(int)
            owner = 0 if state.owner is None else state.owner + 1
            dice, doubled, turn, cube = state.dice or (0, 0), bool(state.offer), state.on_roll + 1, state.cube
            if self._made:
                own = self._position()
        spaces = np.zeros(28, int)
        spaces[1:25], spaces[26], spaces[27] = own[1:25], own[25], own[0]
        if own.any():
            spaces[0], spaces[25] = borne_off(own), -opponent_borne_off(own)
        available: list[list[int]] = []
        if playing and state is not None and state.dice and state.on_roll == VISITOR:
            available = [step for step in state.plays.steps[:, 0].tolist() if any(step)] if not self._made else []
        self._event(
            "board",
            Started=1, Ended=0, Variant=0, Board=spaces.tolist(), Turn=turn, Roll1=dice[0], Roll2=dice[1], Roll3=0,
            Player1=_player(1, self._name, score[0]), Player2=_player(2, self._guest, score[1]),
            Moves=[[_space(a, 26), _space(b, 0)] for a, b in self._made] or None, Winner=winner, Points=self._points,
            Crawford=crawford, DoubleValue=cube, DoublePlayer=owner, DoubleOffered=doubled, PlayerNumber=1,
            Available=available or None, Forced=False, Spectating=False,
        )  # fmt: skip


def _player(number: int, name: str, points: int) -> dict[str, Any]:
    return {"Number": number, "Name": name, "Rating": 0, "Points": points, "Inactive": 0, "Icon": 0}


def _space(point: int, bar: int) -> int:
    return bar if point == 25 else point


def _step(start: str, end: str) -> tuple[int, int] | None:
    try:
        step = (25 if start == "bar" else int(start), 0 if end == "off" else int(end))
        Play(VISITOR, (step,))
    except RuleError:
        return None
    return step
