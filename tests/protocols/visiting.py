"""A bot at a mock server and what was seen of it, or at a desk without any server."""

from __future__ import annotations

from collections.abc import Callable, Collection

import numpy as np

from bgai.errors import BgaiError
from bgai.match_play import CubelessPlayer, MatchPlayer
from bgai.match_state import MatchState
from bgai.player import HeuristicPlayer
from bgai.plays import Plays
from bgai.protocols.connection import Inbox
from bgai.protocols.credentials import Password
from bgai.protocols.online import Clock, Online
from bgai.protocols.server_bot import ServerBot
from bgai.protocols.table import Table
from bgai.protocols.token_bucket import TokenBucket
from bgai.protocols.turns import decide
from tests.match_players import Gambler


class Gamester(Gambler):
    """A gambler whose games are not as long as those of chance."""

    def choose(self, state: MatchState, plays: Plays, rng: np.random.Generator) -> int:
        """As the heuristic has it."""
        return HeuristicPlayer().choose(state.board, plays, rng)


class Hurried(Clock):
    """Real time, but pauses between two calls are only noted."""

    def __init__(self) -> None:
        self.pauses: list[float] = []

    def pause(self, inbox: Inbox, seconds: float) -> object | None:
        """See `Clock`."""
        self.pauses.append(round(seconds))
        return None


class Visit:
    """What a bot did and said."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.traced: list[str] = []
        self.clock = Hurried()
        self.error: BgaiError | None = None

    def run(
        self,
        make: Callable[[Online], ServerBot],
        player: MatchPlayer,
        port: int,
        *,
        password: str = "pw",
        retries: int = 3,
        heard: Callable[[Online, str], None] | None = None,
    ) -> Visit:
        """Until the bot leaves, or gives up; `heard` is told what the bot says to the person who runs it."""

        def say(text: str) -> None:
            self.said.append(text)
            if heard is not None:
                heard(online, text)

        online = Online(
            player,
            "127.0.0.1",
            port,
            say=say,
            trace=self.traced.append,
            password=Password(password),
            retries=retries,
            bucket=TokenBucket(1e6, 1000),
            clock=self.clock,
        )
        self.bot = make(online)
        try:
            online.run(self.bot)
        except BgaiError as error:
            self.error = error
        return self


class QuietDesk:
    """A desk without a server: what is sent is kept, time stands still, and thoughts wait until they are asked for."""

    def __init__(self, player: MatchPlayer | None = None) -> None:
        self.player = player or CubelessPlayer(HeuristicPlayer())
        self.sent: list[str] = []
        self.secrets: list[str] = []
        self.said: list[str] = []
        self.time = 0.0
        self.questions: list[tuple[Table, Collection[int], bool]] = []

    def send(self, line: str, *, secret: bool = False) -> None:
        """See `Desk`."""
        (self.secrets if secret else self.sent).append(line)

    def think(self, table: Table, resignable: Collection[int], doubling: bool) -> None:
        """See `Desk`."""
        self.questions.append((table, resignable, doubling))

    def say(self, text: str) -> None:
        """See `Desk`."""
        self.said.append(text)

    def now(self) -> float:
        """See `Desk`."""
        return self.time

    def new(self) -> list[str]:
        """What was sent since the last time."""
        sent, self.sent = self.sent, []
        return sent

    def answer(self, bot: ServerBot) -> None:
        """Decides the questions that wait."""
        waiting, self.questions = self.questions, []
        for table, resignable, doubling in waiting:
            rng = np.random.default_rng(1)
            found = decide(self.player, table.state(), rng, resignable=resignable, doubling=doubling)
            bot.decided(table, found)
