"""The loop of a bot at a server: connects, reads, thinks beside, sends politely, calls again when it was cut off."""

from __future__ import annotations

import queue
import time
from collections import deque
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from bgai.match_play import MatchPlayer
from bgai.protocols.connection import Connection, Inbox, Packet, ServerError
from bgai.protocols.credentials import Password
from bgai.protocols.line_splitter import LineSplitter
from bgai.protocols.server_bot import ServerBot
from bgai.protocols.table import Table
from bgai.protocols.token_bucket import TokenBucket
from bgai.protocols.turns import Decision, decide

RATE, BURST = 2.0, 10
"""Commands a second in the long run, and at once."""
RETRIES = 8
FIRST_PAUSE, LONGEST_PAUSE = 2.0, 300.0
SETTLED = 60.0
"""Seconds at the server after which the pauses begin anew."""
FAREWELL = 5.0
"""Seconds a server has to hang up after the goodbye."""

Log = Callable[[str], None]


@dataclass(frozen=True)
class Decided:
    """A decision that was thought out, or why it could not be."""

    number: int
    table: Table
    decision: Decision | None
    error: BaseException | None = None


class Interruption:
    """Somebody wants the bot to leave."""


class Clock:
    """Real time; tests have their own."""

    def now(self) -> float:
        """Seconds since some moment."""
        return time.monotonic()

    def next(self, inbox: Inbox, seconds: float | None) -> object | None:
        """What comes next, or None after so many seconds."""
        try:
            return inbox.get(timeout=seconds)
        except queue.Empty:
            return None

    def pause(self, inbox: Inbox, seconds: float) -> object | None:
        """Waits before the next call; what comes meanwhile ends the pause."""
        return self.next(inbox, seconds)


def pause_before(attempt: int) -> float:
    """Seconds to wait before calling again the so-manieth time: 2, 4, 8, … up to five minutes.

    >>> [pause_before(attempt) for attempt in (1, 2, 3, 10)]
    [2.0, 4.0, 8.0, 300.0]
    """
    return min(LONGEST_PAUSE, FIRST_PAUSE * 2.0 ** min(attempt - 1, 30))


class Online:
    """Runs one bot at one server; it is the bot's `Desk`."""

    def __init__(
        self,
        player: MatchPlayer,
        host: str,
        port: int,
        *,
        say: Log,
        trace: Log | None = None,
        password: Password | None = None,
        retries: int = RETRIES,
        bucket: TokenBucket | None = None,
        clock: Clock | None = None,
        seed: int = 0,
    ) -> None:
        """
        Args:
            player: who decides.
            host: where the server is.
            port: the same.
            say: gets what the person who runs the bot should know.
            trace: gets every line that comes and goes, without the password.
            password: what must never be logged.
            retries: how often it calls again in a row.
            bucket: the limit on commands.
            clock: real time if not given.
            seed: for players that draw lots.
        """
        self._player = player
        self._address = (host, port)
        self._say = say
        self._trace = trace
        self._password = password
        self._retries = retries
        self._bucket = bucket or TokenBucket(RATE, BURST)
        self._clock = clock or Clock()
        self._rng = np.random.default_rng(seed)
        self._inbox: Inbox = queue.SimpleQueue()
        self._thinker = ThreadPoolExecutor(1, thread_name_prefix="thinking")
        self._asked = 0
        self._unsent: deque[tuple[str, bool]] = deque()
        self._interrupted = False

    def interrupt(self) -> None:
        """Asks the bot to leave; may be called from anywhere, a signal handler too. Twice: at once."""
        self._inbox.put(Interruption())

    def run(self, bot: ServerBot) -> None:
        """Stays at the server until the bot leaves.

        Raises:
            InputError: the server does not take this login.
            ServerError: it could not be reached, or called again, so many times in a row.
        """
        try:
            attempt = 0
            while True:
                called = self.now()
                reason = self._visit(bot)
                if bot.gone:
                    return
                error = bot.refused(reason)
                if error is not None:
                    raise error
                if bot.leaving:
                    self.say(f"{reason}; not calling again")
                    return
                attempt = 1 if bot.welcomed and self.now() - called >= SETTLED else attempt + 1
                if attempt > self._retries:
                    host, port = self._address
                    times = f"{attempt} call{'s' if attempt > 1 else ''}"
                    raise ServerError(f"{host}:{port}: {reason}; gave up after {times}")
                seconds = pause_before(attempt)
                self.say(f"{reason}; calling again in {seconds:.0f} s")
                if self._paused(seconds):
                    return
        finally:
            self._thinker.shutdown(wait=False, cancel_futures=True)

    # The desk

    def send(self, line: str, *, secret: bool = False) -> None:
        """See `Desk`."""
        self._unsent.append((line.replace("\r", " ").replace("\n", " "), secret))

    def think(self, table: Table, resignable: Collection[int], doubling: bool) -> None:
        """See `Desk`; an older question is no longer of interest."""
        self._asked += 1
        number = self._asked

        def answer() -> None:
            try:
                decision = decide(self._player, table.state(), self._rng, resignable=resignable, doubling=doubling)
            except BaseException as error:  # it is raised again where the loop is
                self._inbox.put(Decided(number, table, None, error))
            else:
                self._inbox.put(Decided(number, table, decision))

        self._thinker.submit(answer)

    def say(self, text: str) -> None:
        """See `Desk`."""
        self._say(self._hidden(text))

    def now(self) -> float:
        """See `Desk`."""
        return self._clock.now()

    # The loop

    def _visit(self, bot: ServerBot) -> str:
        """One connection from the call to its end; why it ended."""
        host, port = self._address
        try:
            connection = Connection(host, port, self._inbox)
        except OSError as error:
            bot.welcomed = False
            return error.strerror or str(error)
        self._unsent.clear()
        self._asked += 1
        try:
            bot.connected()
            return self._serve(bot, connection)
        finally:
            connection.close()

    def _serve(self, bot: ServerBot, connection: Connection) -> str:
        splitter = LineSplitter()
        farewell: float | None = None
        while True:
            self._send_what_may_go(connection)
            now = self.now()
            if bot.gone and farewell is None and not self._unsent:
                farewell = now + FAREWELL
            if farewell is not None and now >= farewell:
                return "left"
            event = self._clock.next(self._inbox, self._patience(bot, farewell))
            if isinstance(event, Packet) and event.source is connection:
                if not event.data:
                    return event.reason
                for line in splitter.feed(event.data):
                    self._note("<", line)
                    bot.received(line)
                bot.prompted(splitter.pending)
            elif isinstance(event, Decided) and event.number == self._asked:
                if event.error is not None:
                    raise event.error
                assert event.decision is not None
                bot.decided(event.table, event.decision)
            elif isinstance(event, Interruption):
                bot.leave()
            bot.tick()

    def _send_what_may_go(self, connection: Connection) -> None:
        while self._unsent and self._bucket.take(self.now()):
            line, secret = self._unsent.popleft()
            self._note(">", line.split(" ")[0] + " ..." if secret else line)
            connection.send(line)

    def _patience(self, bot: ServerBot, farewell: float | None) -> float | None:
        """Seconds to wait at most."""
        now = self.now()
        times = [due for due in (bot.due, farewell) if due is not None]
        if self._unsent:
            times.append(now + self._bucket.wait(now))
        return max(0.0, min(times) - now) if times else None

    def _paused(self, seconds: float) -> bool:
        """Waits; whether somebody has asked to leave meanwhile."""
        end = self.now() + seconds
        while True:
            event = self._clock.pause(self._inbox, max(0.0, end - self.now()))
            if isinstance(event, Interruption):
                return True
            if event is None:
                return False

    def _note(self, sign: str, line: str) -> None:
        if self._trace is not None:
            self._trace(self._hidden(f"{sign} {line}"))

    def _hidden(self, text: str) -> str:
        return text if self._password is None else self._password.hide(text)
