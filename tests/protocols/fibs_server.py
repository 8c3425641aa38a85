"""A server that speaks CLIP as FIBS does, with one player of its own to play against.

It keeps the rules itself and refuses what they forbid; what it refuses is counted. As on FIBS it rolls for a player who
may not double, moves nobody, and a match is saved when the visitor is cut off.
"""

from __future__ import annotations

import re

import numpy as np

from bgai.board import borne_off, flip, opponent_borne_off
from bgai.errors import RuleError
from bgai.events import AcceptResignation, Double, Pass, Play, RefuseResignation, Resign, Roll, Take
from bgai.match_play import MatchPlayer
from bgai.match_rules import Rules
from tests.protocols.mock_server import HOST, VISITOR, HostedMatch, HungUp, MockServer

TOGGLES = "allowpip autoboard autodouble automove bell crawford double greedy moreboards moves notify ratings ready"
TOGGLES += " report silent"
OWN = (
    "allowpip autoboard autodouble automove away bell crawford double experience greedy moreboards moves notify rating"
)
OWN += " ratings ready redoubles report silent timezone"

PLAYER = "ann"
"""The server's own player."""
LENGTHS = {0: "an unlimited", 1: "a 1 point", 3: "a 3 point", 5: "a 5 point", 99: "a 99 point"}


class FibsServer(MockServer):
    """See the module."""

    def __init__(
        self,
        host: MatchPlayer,
        lengths: list[int],
        *,
        seed: int = 1,
        packet: int | None = None,
        glued: bool = False,
        cuts: tuple[int, ...] = (),
        password: str = "open sesame",
        kicks: bool = False,
        games: int | None = None,
    ) -> None:
        """
        Args:
            host: how the server's player plays.
            lengths: the matches that it asks for, one after the other; 0 is unlimited.
            seed: of the dice.
            packet: see `MockServer`.
            glued: whether lines of others are glued to the boards.
            cuts: the connection is cut after so many commands in matches.
            password: of the account `bot`.
            kicks: whether every visitor is thrown out after the login.
            games: after so many games of an unlimited match the player leaves.
        """
        super().__init__(packet=packet)
        self.refused: list[str] = []
        self.results: list[str] = []
        self.happened: list[object] = []
        self.crawford_games = 0
        self.boards = 0
        self.invites_by_visitor = 0
        self._player, self._lengths, self._seed = host, list(lengths), seed
        self._glued, self._cuts, self._password, self._kicks = glued, list(cuts), password, kicks
        self._games = games
        self._match: HostedMatch | None = None
        self._length = 0
        self._invited: int | None = None
        self._between = False
        self._commands = 0
        self._settings = dict.fromkeys(TOGGLES.split(), False)
        self._settings |= {"moves": True, "bell": True}
        self._style = 1
        self._last_dice = {VISITOR: (0, 0), HOST: (0, 0)}
        self._out = ""

    # Conversation

    def talk(self) -> None:
        """See `MockServer`."""
        self.send_bytes(b"\xff\xfb\x01Welcome to the mock of FIBS.\r\n\r\nlogin: ")
        logged_in = False
        for line in self.lines():
            words = line.split(" ")
            if not logged_in:
                logged_in = self._login(words)
            elif words[0] == "bye":
                self.send_bytes(b"Thanks for using this server!\r\n")
                return
            else:
                self._command(words, line)
            self.send_bytes(self._out.replace("\n", "\r\n").encode())
            self._out = ""
            if logged_in and self._kicks:
                return

    def _say(self, text: str) -> None:
        self._out += text + "\n"

    def _login(self, words: list[str]) -> bool:
        right = len(words) == 5 and words[0] == "login" and words[2] == "1008"
        if not right or words[3] != "bot" or words[4] != self._password:
            self._out = "\nlogin: "
            return False
        values = {key: str(int(value)) for key, value in self._settings.items()}
        values |= {"away": "0", "experience": "0", "rating": "1500.00", "redoubles": "0", "timezone": "UTC"}
        self._say("1 bot 1041253132 192.168.40.3")
        self._say("2 bot " + " ".join(values[key] for key in OWN.split()))
        self._say("3\n+---+\nann wants to play a 3 point match with you.\nType 'join ann' to accept.\n+---+\n4")
        self._say("5 ann - - 1 0 1500.00 0 10 1041253132 192.168.40.3 - -\n6")
        if self._match is None:
            self._invite()
        return True

    def _invite(self) -> None:
        if self._lengths:
            self._invited = self._lengths.pop(0)
            self._say(f"{PLAYER} wants to play {LENGTHS[self._invited]} match with you.")
            self._say(f"Type 'join {PLAYER}' to accept.")

    def _refuse(self, text: str) -> None:
        self.refused.append(text)
        self._say(f"** {text}")

    def _command(self, words: list[str], line: str) -> None:
        match words[0]:
            case "toggle":
                self._settings[words[1]] ^= True
                self._say(f"** {words[1]} is now {self._settings[words[1]]}")
            case "set":
                assert words[1] == "boardstyle"
                self._style = int(words[2])
                self._say(f"Value of 'boardstyle' set to {words[2]}.")
            case "tell":
                self._say(f"16 {words[1]} {' '.join(words[2:])}")
                if self._match is None:
                    self._invite()
            case "invite":
                self._resume(words)
            case "join":
                self._join(words)
            case _ if self._match is None:
                self._refuse("You're not playing.")
            case _:
                self._in_match(words, line)

    # Matches

    def _join(self, words: list[str]) -> None:
        if len(words) == 1 and self._between and self._match is not None:
            self._say(f"** Please wait for {PLAYER} to join too.")
            self._new_game()
        elif self._invited is not None and words[1:] == [PLAYER]:
            self._length, self._invited = self._invited, None
            self._match = HostedMatch(self._player, Rules(self._length), self._seed + len(self._lengths))
            self._say(f"** You are now playing {LENGTHS[self._length]} match with {PLAYER}")
            self._new_game()
        else:
            self._refuse(f"{' '.join(words[1:])} didn't invite you.")

    def _resume(self, words: list[str]) -> None:
        self.invites_by_visitor += 1
        assert words == ["invite", PLAYER]
        if self._match is None:
            self._refuse(f"There's no saved match with {PLAYER}. Please give a match length.")
            return
        self._say(f"** You invited {PLAYER} to resume a saved match.")
        self._say(f"{PLAYER} has joined you. Your running match was loaded.")
        self._say(
            f"turn: {PLAYER}\nmatch length: {self._length}\npoints for user {PLAYER}: {self._match.state.score[1]}"
        )
        if self._between:
            self._say("Type 'join' if you want to play the next game, type 'leave' if you don't.")
        else:
            self._board()
            self._ask()

    def _new_game(self) -> None:
        match = self._the_match
        self._between = False
        self._say(f"Starting a new game with {PLAYER}.")
        mine, theirs = match.start()
        self.crawford_games += match.state.crawford
        self._say(f"You rolled {mine}, {PLAYER} rolled {theirs}.")
        self._say("It's your turn to move." if mine > theirs else f"{PLAYER} makes the first move.")
        self._board()
        self._go_on()

    @property
    def _the_match(self) -> HostedMatch:
        assert self._match is not None
        return self._match

    def _in_match(self, words: list[str], line: str) -> None:
        self._commands += 1
        if words == ["board"]:
            self._board()
        elif words == ["leave"]:
            self._say("** You terminated the game. The game was saved.")
            self.results.append("left")
            self._match = None
            self._invite()
        elif self._between:
            self._refuse("The match is paused.")
        else:
            self._turn(words, line)
        if self._cuts and self._commands >= self._cuts[0]:
            self._cuts.pop(0)
            raise HungUp

    def _turn(self, words: list[str], line: str) -> None:
        match = self._the_match
        state = match.state
        event: object | None = None
        asked = "double" if state.offer else "resign" if state.resignation and state.resignation.seat == HOST else None
        if words == ["roll"] and state.to_act == VISITOR and asked is None and state.dice is None:
            event = Roll(VISITOR, match.throw())
        elif words == ["double"]:
            event = Double(VISITOR)
        elif words in (["accept"], ["reject"]) and state.to_act == VISITOR and asked == "double":
            event = Take(VISITOR) if words == ["accept"] else Pass(VISITOR)
        elif words in (["accept"], ["reject"]) and asked == "resign":
            event = AcceptResignation(VISITOR) if words == ["accept"] else RefuseResignation(VISITOR)
        elif words[0] == "resign" and words[1:] in (["n"], ["g"], ["b"]):
            event = Resign(VISITOR, "ngb".index(words[1]) + 1)
        elif words[0] == "move":
            event = self._read_move(words[1:])
        if event is None or not match.legal(event):
            self._refuse(f"You can't: {line}")
            return
        self._happen(event)
        if self._match is not None and not self._between:
            self._go_on()

    def _read_move(self, pairs: list[str]) -> object | None:
        steps = []
        for pair in pairs:
            found = re.fullmatch(r"(bar|\d+)-(off|\d+)", pair)
            if found is None:
                return None
            start = 25 if found[1] == "bar" else self._own_point(int(found[1]))
            end = 0 if found[2] == "off" else self._own_point(int(found[2]))
            steps.append((start, end))
        try:
            return Play(VISITOR, tuple(steps))
        except RuleError:
            return None

    @property
    def _upwards(self) -> bool:
        """The colours change from game to game."""
        return self._the_match.state.game % 2 == 0

    def _own_point(self, point: int) -> int:
        return 25 - point if self._upwards else point

    # What happens

    def _go_on(self) -> None:
        """Until the visitor has to do something."""
        while self._match is not None and not self._between and self._match.state.to_act == HOST:
            self._happen(self._match.host_event())
        if self._match is not None and not self._between:
            self._ask()

    def _ask(self) -> None:
        match = self._the_match
        state = match.state
        if state.to_act != VISITOR:
            self._go_on()
        elif state.offer is not None:
            self._say(f"{PLAYER} doubles. Type 'accept' or 'reject'.")
        elif state.resignation is not None:
            points = state.resignation.value * state.cube
            self._say(f"{PLAYER} wants to resign. You will win {_points(points)}. Type 'accept' or 'reject'.")
        elif state.dice is not None and state.plays.must_pass:
            self._say("You can't move.")
            self._happen(Play(VISITOR))
            self._go_on()
        elif state.dice is not None:
            self._say(f"Please move {len(state.plays.steps[0])} pieces.")
        elif match.may_double():
            self._say("It's your turn. Please roll or double.")
        else:
            self._happen(Roll(VISITOR, match.throw()))
            self._ask()

    def _happen(self, event: object) -> None:
        """Applies it, and tells the visitor as FIBS does."""
        match = self._the_match
        before = match.state
        match.do(event)
        self.happened.append(event)
        match event:
            case Roll(seat, dice):
                self._last_dice[seat] = dice
                who = "You roll" if seat == VISITOR else f"{PLAYER} rolls"
                self._say(f"{who} {dice[0]} and {dice[1]}.")
                self._board()
            case Play(seat) if seat == HOST:
                self._say(f"{PLAYER} moves 8-5 6-5 ." if event.steps else f"{PLAYER} can't move.")
            case Double(seat) if seat == VISITOR:
                self._say(f"You double. Please wait for {PLAYER} to accept or reject.")
            case Take(seat):
                who = "You accept" if seat == VISITOR else f"{PLAYER} accepts"
                self._say(f"{who} the double. The cube shows {match.state.cube}.")
                self._happen(Roll(1 - seat, match.throw()))
                return
            case Pass(seat):
                end = _points(before.cube)
                self._say(
                    f"You give up. {PLAYER} wins {end}." if seat == VISITOR else f"{PLAYER} gives up. You win {end}."
                )
            case Resign(seat, value) if seat == VISITOR:
                self._say(f"You want to resign. {PLAYER} will win {_points(value * before.cube)}.")
            case AcceptResignation(seat):
                points = _points(match.state.result.points)  # type: ignore[union-attr]
                self._say(
                    f"You accept and win {points}." if seat == VISITOR else f"{PLAYER} accepts and wins {points}."
                )
            case RefuseResignation(seat):
                who = "You reject" if seat == VISITOR else f"{PLAYER} rejects"
                self._say(f"{who}. The game continues.")
        if not match.state.playing:
            self._game_over()
        elif isinstance(event, Play | Double):
            self._board()

    def _game_over(self) -> None:
        match = self._the_match
        end = match.state.result
        assert end is not None
        mine, theirs = match.state.score
        if end.how == "bear-off":
            won = end.winner == VISITOR
            self._say(
                f"You win the game and get {_points(end.points)}. Congratulations!"
                if won
                else f"{PLAYER} wins the game and gets {_points(end.points)}. Sorry."
            )
        if match.state.winner is not None:
            who = "You win" if match.state.winner == VISITOR else f"{PLAYER} wins"
            score = f"{mine}-{theirs}" if match.state.winner == VISITOR else f"{theirs}-{mine}"
            self._say(f"{who} the {self._length} point match {score} .")
            self.results.append(f"{mine}-{theirs}")
            self._match = None
            self._invite()
        elif self._games is not None and match.state.game >= self._games:
            self._say(f"** Player {PLAYER} has left the game. The game was saved.")
            self.results.append("left")
            self._match = None
            self._invite()
        else:
            self._say(f"score in {self._length} point match: bot-{mine} {PLAYER}-{theirs}")
            self._between = True
            self._board()
            self._say("Type 'join' if you want to play the next game, type 'leave' if you don't.")

    # Boards

    def _board(self) -> None:
        """The line of board style 3; see `bgai.protocols.fibs_board`."""
        assert self._style == 3
        self.boards += 1
        state = self._the_match.state
        mine = state.on_roll == VISITOR
        own = state.board if mine else flip(state.board)
        colour = -1 if self._upwards else 1
        points = (own[::-1] if self._upwards else own).astype(int) * colour
        pending = state.offer is not None
        turn = 0 if self._between else (colour if mine else -colour) * (-1 if pending else 1)
        dice = dict(self._last_dice)
        dice[state.on_roll] = state.dice or (0, 0)
        may_double = [0, 0] if pending else [int(state.owner != HOST), int(state.owner != VISITOR)]
        length = state.rules.length
        needs_one = length > 1 and length - 1 in state.score
        off = (int(borne_off(own)), int(opponent_borne_off(own)))
        numbers = [
            length or 9999, *state.score, *points, turn, *dice[VISITOR], *dice[HOST], state.cube, *may_double,
            pending and not mine, colour, -colour, *((25, 0) if self._upwards else (0, 25)), *off,
            int(own[25]), int(-own[0]), int(np.count_nonzero(own > 0)), 0, needs_one and not state.crawford, 0,
        ]  # fmt: skip
        text = ":".join(["board", "You", PLAYER, *(str(int(number)) for number in numbers)])
        self._out += text
        self._say("12 carol board:You:ann: is what I like" if self._glued and self.boards % 2 else "")
        if self._glued and self.boards % 5 == 0:
            self._say("7 dave dave logs in.\n** Player eve has left the game.\n\x00\x07")


def _points(count: int) -> str:
    return f"{count} point{'s' if count > 1 else ''}"
