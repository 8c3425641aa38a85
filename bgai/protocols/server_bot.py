"""A bot at a server: what is the same for every protocol.

A `ServerBot` is told what comes and when, and says through its `Desk` what goes; it knows neither sockets nor threads
nor clocks. Protocols derive from it and only translate.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection
from typing import Protocol

from bgai.errors import BgaiError, InputError
from bgai.protocols.invitations import Policy
from bgai.protocols.table import ME, Table
from bgai.protocols.turns import Decision

SILENCE = 120.0
"""Seconds without a word from the server, while it is the bot's turn, until it asks for the board again."""


class Desk(Protocol):
    """What a bot has to work with."""

    def send(self, line: str, *, secret: bool = False) -> None:
        """Sends a line to the server, not faster than is polite; `secret`: it is not logged."""
        ...

    def think(self, table: Table, resignable: Collection[int], doubling: bool) -> None:
        """Decides elsewhere; `ServerBot.decided` is called with the answer."""
        ...

    def say(self, text: str) -> None:
        """Tells the person who runs the bot."""
        ...

    def now(self) -> float:
        """Seconds of a clock that never goes back."""
        ...


class ServerBot(ABC):
    """One bot, through all its connections with one server."""

    def __init__(self, desk: Desk, policy: Policy, matches: int | None = None) -> None:
        """`matches`: after so many it leaves."""
        self.desk = desk
        self.policy = policy
        self.matches = matches
        self.played = 0
        """Matches that were played to their end."""
        self.welcomed = False
        """Whether the server has let it in on this connection."""
        self.ever_welcomed = False
        self.leaving = False
        """Whether it starts nothing new."""
        self.gone = False
        """Whether it has said goodbye."""
        self.opponent: str | None = None
        """With whom it plays."""
        self.table: Table | None = None
        self._asked: Table | None = None
        """The table that was thought about last, so that one shown twice is not answered twice."""
        self._heard = 0.0
        self._deadlines: dict[str, tuple[float, Callable[[], None]]] = {}

    # What the loop calls

    def connected(self) -> None:
        """A new connection stands."""
        self.welcomed = False
        self.opponent = self.table = self._asked = None
        self._deadlines.clear()
        self._heard = self.desk.now()

    def received(self, line: str) -> None:
        """A line has come."""
        self._heard = self.desk.now()
        if not self.gone:
            self.read(line)

    def decided(self, table: Table, decision: Decision) -> None:
        """The answer to `Desk.think`; one to a table that is no longer there is dropped."""
        if self.table == table and not self.gone:
            self.act(decision)

    def tick(self) -> None:
        """Time has passed."""
        now = self.desk.now()
        for name in [name for name, (due, _) in self._deadlines.items() if due <= now]:
            self._deadlines.pop(name)[1]()
        if self._lost_the_thread(now):
            self._heard, self._asked = now, None
            self.ask_again()

    @property
    def due(self) -> float | None:
        """When `tick` is to be called at the latest; None if there is nothing to wait for."""
        times = [due for due, _ in self._deadlines.values()]
        if self.table is not None and self.opponent is not None:
            times.append(self._heard + SILENCE)
        return min(times, default=None)

    def leave(self) -> None:
        """Ctrl-C: finishes what it plays and then leaves; called again, it leaves at once."""
        if self.leaving and not self.gone:
            self.walk_out()
            self.gone = True
        elif not self.gone:
            self.leaving = True
            if self.opponent is None:
                self.part()
            else:
                self.desk.say(f"finishing the match with {self.opponent}; interrupt again to leave it now")

    def refused(self, reason: str) -> BgaiError | None:
        """What to say when the connection ends, if it makes no sense to call again; `reason` is why it ended."""
        return None

    # What protocols do

    @abstractmethod
    def read(self, line: str) -> None:
        """Understands a line."""

    @abstractmethod
    def prompted(self, pending: str) -> None:
        """What has come of a line that has no end yet."""

    @abstractmethod
    def act(self, decision: Decision) -> None:
        """Says the decision in the words of the server."""

    @abstractmethod
    def ask_again(self) -> None:
        """Asks for the board."""

    @abstractmethod
    def goodbye(self) -> None:
        """Logs out."""

    @abstractmethod
    def walk_out(self) -> None:
        """Says that it leaves, leaves the match, and logs out."""

    # What they have in common

    def let_in(self, name: str) -> None:
        """The login is done."""
        self.welcomed = self.ever_welcomed = True
        self.desk.say(f"logged in as {name}")

    def begin(self, opponent: str, what: str) -> None:
        """A match begins or goes on."""
        self.opponent = opponent
        self.table = self._asked = None
        self.desk.say(f"{opponent}: {what}")

    def end(self, what: str, *, finished: bool) -> None:
        """The match is over, or was left."""
        if self.opponent is not None:
            self.desk.say(f"{self.opponent}: {what}")
        self.opponent = self.table = self._asked = None
        self.played += finished
        if self.matches is not None and self.played >= self.matches:
            self.leaving = True
        if self.leaving:
            self.part()

    def part(self) -> None:
        """Leaves the server, with nothing to finish."""
        if not self.gone:
            self.gone = True
            self.goodbye()

    def consider(self, table: Table | None, *, resignable: Collection[int] = (1, 2, 3), doubling: bool = True) -> None:
        """Thinks about what the server shows, if it is the bot's turn and this was not asked already."""
        self.table = table
        if table is None or self.opponent is None or self.gone:
            return
        try:
            waits_for_me = table.state().to_act == ME
        except InputError as error:
            self.desk.say(f"the server's board cannot be: {error}")
            self.table = self._asked = None
            return
        if not waits_for_me:
            self._asked = None
        elif table != self._asked:
            self._asked = table
            self.desk.think(table, resignable, doubling)

    def forget(self) -> None:
        """What was asked may be asked again."""
        self._asked = None

    def after(self, name: str, seconds: float, act: Callable[[], None]) -> None:
        """Does something later, unless `cancel` comes first."""
        self._deadlines[name] = (self.desk.now() + seconds, act)

    def cancel(self, name: str) -> bool:
        """Takes back what `after` was told; whether there was something."""
        return self._deadlines.pop(name, None) is not None

    def _lost_the_thread(self, now: float) -> bool:
        """Whether the server has long been silent although it should be waiting for the bot."""
        return self.table is not None and self.opponent is not None and now - self._heard >= SILENCE
