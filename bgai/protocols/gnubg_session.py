"""What an external player of GNU Backgammon answers, line by line, without the network.

gnubg connects, sends a board whenever it is our turn and takes the first line that comes back. A line that it cannot
read as a play makes it crash, a play that is not legal counts as none, and an answer that the rules refuse stops the
game; so nothing but a legal answer is ever sent, or a line that begins with `Error: `, which gnubg shows.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field, replace

import numpy as np

from bgai.analyst import Analyst
from bgai.bot import Bot
from bgai.errors import InputError
from bgai.events import Double, Play
from bgai.levels import PlayerName
from bgai.match import refusal
from bgai.match_play import MatchPlayer
from bgai.match_state import MatchState
from bgai.notation.drawing import draw
from bgai.notation.matchid import format_gnubg_id
from bgai.notation.reading import BLANKS
from bgai.outcomes import COUNT
from bgai.position import Position
from bgai.protocols.gnubg_board import Agreed, BoardLine, read_gnubg_board
from bgai.protocols.gnubg_grammar import (
    Ask,
    Evaluate,
    Plain,
    Setting,
    SyntaxProblem,
    read_boolean,
    read_request,
)
from bgai.protocols.match_length import check_length
from bgai.protocols.states import state_of
from bgai.version import __version__

MOST_PLIES = 3
"""How far an evaluation looks ahead at most, so that nobody keeps the program busy for hours."""
BEAVERS = 3
"""How many times in a row the cube may be turned at once after a double, as gnubg has it if not told otherwise."""

_RESIGNATIONS = ("", "resign n", "resign g", "resign b")


@dataclass
class Advisers:
    """Who answers, the same for all connections: the player, and analysts for evaluations, opened when asked for."""

    player: MatchPlayer
    model: str | None = None
    """The network of the evaluations; None: the strongest."""
    _analysts: dict[tuple[int, bool], Analyst] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @classmethod
    def of(cls, player: PlayerName, *, threads: int | None = None) -> Advisers:
        """By the name of a player.

        Raises:
            InputError: a player that does not know the cube.
        """
        return cls(Bot.named(player, threads=threads), player.model)

    def analyst(self, plies: int, cubeful: bool) -> Analyst:
        """For an evaluation."""
        with self._lock:
            if (plies, cubeful) not in self._analysts:
                self._analysts[plies, cubeful] = Analyst.of(self.model, plies=plies, cubeful=cubeful)
            return self._analysts[plies, cubeful]


class Session:
    """One connection."""

    def __init__(
        self,
        advisers: Advisers,
        agreed: Agreed | None = None,
        *,
        beavers: int = BEAVERS,
        resigns: bool = True,
        fibs_scores: bool = False,
    ) -> None:
        """`agreed` for boards that do not say; `beavers` is how often the cube may be turned at once after a double;
        without `resigns` every game is played to its end."""
        self._advisers = advisers
        self._agreed = agreed or Agreed()
        self._beavers = beavers
        self._resigns = resigns
        self._fibs_scores = fibs_scores
        self._rng = np.random.default_rng(0)
        self._debug = False
        self._first_name: str | None = None
        self._last: tuple[str, str] | None = None
        """The last board and what was said to it. One that comes again was refused."""
        self._turned = 0
        """How often the cube was turned at once after the double that waits."""

    def answer(self, line: str) -> str | None:
        """The reply to a line, itself without the end of a line; None: the connection is to be closed."""
        text = line.strip(BLANKS)
        try:
            request = read_request(text, self._agreed, MOST_PLIES)
            if isinstance(request, Plain):
                return self._plain(request.name)
            if isinstance(request, Setting):
                return self._set(request)
            position = self._position(request)
            shown = self._shown(request, position) if self._debug else ""
            if isinstance(request, Evaluate):
                return shown + self._evaluated(request, position)
            said = self._decided(text, position)
        except SyntaxProblem as error:
            return f"Error: {error}"
        except InputError as error:
            return f"Error: badly formed board: {error}"
        self._last = (text, said)
        return shown + said

    def _plain(self, name: str) -> str | None:
        if name == "version":
            model = self._advisers.player.name
            return f"Interface: 2\nRFBF: 0\nEngine: {model}\nSoftware: bgai {__version__}"
        if name == "help":
            return (
                "board:NAME:NAME:... [jacobyrule|crawfordrule|beavers BOOL] [resignation N]; evaluation fibsboard"
                " BOARD [plies N] [cube BOOL|cubeful|cubeless]; set debug BOOL; set scores gnubg|fibs; version; exit"
            )
        return None

    def _set(self, setting: Setting) -> str:
        name, value = setting.name, setting.value
        if name == "debug":
            self._debug = read_boolean(value)
            return f"Debug output {'ON' if self._debug else 'OFF'}"
        if name == "interface":
            return f"New interface {'ON' if self._choice(value, 'new', 'old') else 'OFF'}"
        if name == "scores":
            self._fibs_scores = self._choice(value, "fibs", "gnubg")
            return f"Scores in the order of {'FIBS' if self._fibs_scores else 'gnubg'}"
        raise SyntaxProblem(f"set option '{name}' not supported")

    @staticmethod
    def _choice(value: str, yes: str, no: str) -> bool:
        if value not in (yes, no):
            raise SyntaxProblem(f"syntax error, unexpected {value!r}, expecting {yes} or {no}")
        return value == yes

    def _position(self, request: Ask | Evaluate) -> Position:
        line = request.board
        answers_itself = None
        if line.doubled and self._first_name is not None and line.names[0] != line.names[1]:
            # Whose decision it is shows in the names alone: gnubg swaps them for who did not make the first double.
            answers_itself = line.names[0] == self._first_name
        position = read_gnubg_board(line, request.agreed, answers_itself=answers_itself, fibs_scores=self._fibs_scores)
        check_length(position.score)
        if not line.doubled:
            self._first_name = line.names[0]
        return position

    def _evaluated(self, request: Evaluate, position: Position) -> str:
        if request.noise:
            raise SyntaxProblem("noise is not supported, expecting noise 0")
        analyst = self._advisers.analyst(request.plies, request.cubeful)
        position = replace(position, dice=None, offer=None)
        found = analyst.evaluate(position)
        worth = found.equity if request.cubeful else found.cubeless
        if position.score.length:
            stakes = analyst.stakes(position.cube, position.score, position.cube_limit)
            worth = float(stakes.centre + stakes.half * worth)
        return " ".join(f"{float(number):f}" for number in [*found.outcomes[:COUNT], worth])

    def _decided(self, text: str, position: Position) -> str:
        """The decision of whoever has to act."""
        again = self._last[1] if self._last is not None and self._last[0] == text else None
        self._turned = self._turns(position)
        state = state_of(position, raccoons=self._turned < self._beavers)
        player, rng = self._advisers.player, self._rng
        if state.resignation is not None:
            return "accept" if player.accepts(state, rng) else "reject"
        if state.offer is not None:
            return self._answered(state, again)
        if state.dice is not None:
            return self._play(state)
        if self._resigns and not (again or "").startswith("resign"):
            value = player.resigns(state, rng)
            if value:
                return _RESIGNATIONS[value]
        return "double" if _may_double(state) and player.doubles(state, rng) else "roll"

    def _turns(self, position: Position) -> int:
        """Ours and the other's."""
        returned = position.offer == "beaver" or (position.offer == "double" and position.cube.owner == "opponent")
        if not returned:
            return 0
        # What we have turned at once before this, if we have, and what was turned now.
        before = self._turned + 1 if self._last is not None and self._last[1] == "beaver" else 0
        return before + 1

    def _answered(self, state: MatchState, again: str | None) -> str:
        said = self._advisers.player.answers(state, self._rng)
        if said == "redouble":
            return "take" if again == "beaver" else "beaver"
        return "take" if said == "take" else "drop"

    def _play(self, state: MatchState) -> str:
        plays = state.plays
        if plays.must_pass:
            return ""
        chosen = self._advisers.player.choose(state, plays, self._rng)
        return Play.of(state.on_roll, plays.steps[chosen].tolist()).text

    def _shown(self, request: Ask | Evaluate, position: Position) -> str:
        agreed = request.agreed
        lines = [
            f"jacobyrule {agreed.jacoby}, crawfordrule {agreed.crawford}, beavers {agreed.beavers},"
            f" resignation {agreed.resignation}",
            f"GNUBG ID {format_gnubg_id(replace(position, offer=None))}",
            *_drawn(request.board, position),
        ]
        return "".join(f"DBG: {line}\n" for line in lines)


def _may_double(state: MatchState) -> bool:
    return refusal(state, Double(state.on_roll)) is None


def _drawn(line: BoardLine, position: Position) -> list[str]:
    names = line.names if position.seat == 1 else line.names[::-1]
    return [*draw(position.board, ascii_only=True).splitlines(), f"X is on roll; the names are {names[0]}, {names[1]}"]
