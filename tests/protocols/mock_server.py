"""A server on this machine for one visitor after the other, in a thread of its own."""

from __future__ import annotations

import socket
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator
from types import TracebackType
from typing import Self

import numpy as np

from bgai.events import AcceptResignation, Double, Pass, Play, RefuseResignation, Resign, Roll, StartGame, Take
from bgai.match import apply, refusal
from bgai.match_play import MatchPlayer
from bgai.match_rules import Rules
from bgai.match_state import MatchState, new_match

VISITOR, HOST = 0, 1
"""Seats: the bot under test, and the player who belongs to the server."""

PATIENCE = 20.0
"""Seconds until a silent visitor is thrown out, so that a test with a fault ends."""


class HungUp(Exception):
    """The server has closed the connection."""


class MockServer(ABC):
    """Listens on a free port; `talk` has the conversation with each visitor."""

    def __init__(self, *, packet: int | None = None) -> None:
        """`packet`: what is sent goes out in pieces of so many bytes."""
        self.received: list[str] = []
        """Every line of every visitor."""
        self.visits = 0
        self.fault: BaseException | None = None
        self._packet = packet
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._closing = False

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing = True
        # Wakes the thread where it waits for the next visitor.
        socket.create_connection(("127.0.0.1", self.port)).close()
        self._thread.join(PATIENCE)
        self._listener.close()
        if self.fault is not None and error is None:
            raise self.fault

    @abstractmethod
    def talk(self) -> None:
        """The conversation with one visitor."""

    def lines(self) -> Iterator[str]:
        """What the visitor says, until it hangs up."""
        pending = b""
        while True:
            try:
                data = self._visitor.recv(4096)
            except OSError:
                return
            if not data:
                return
            *whole, pending = (pending + data).split(b"\n")
            for raw in whole:
                line = raw.decode().rstrip("\r")
                self.received.append(line)
                yield line

    def send_bytes(self, data: bytes) -> None:
        """Sends as it is, in small pieces if that is asked for."""
        size = self._packet or len(data) or 1
        try:
            for start in range(0, len(data), size):
                self._visitor.sendall(data[start : start + size])
        except OSError:
            raise HungUp from None

    def _run(self) -> None:
        while True:
            self._visitor, _ = self._listener.accept()
            with self._visitor:
                if self._closing:
                    return
                self._visitor.settimeout(PATIENCE)
                self._visitor.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self.visits += 1
                try:
                    self.talk()
                except HungUp:
                    pass
                except BaseException as error:  # the test has to know
                    self.fault = error


class HostedMatch:
    """A match between the visitor and the server's own player, by the rules of `bgai.match`."""

    def __init__(self, host: MatchPlayer, rules: Rules, seed: int) -> None:
        self.host = host
        self.rng = np.random.default_rng(seed)
        self.state: MatchState = new_match(rules)
        self.happened: list[object] = []
        """Every event."""
        self._host_resigned_on: tuple[int, int] | None = None

    def do(self, event: object) -> None:
        """Applies an event, which has to be legal."""
        self.state = apply(self.state, event)  # type: ignore[arg-type]
        self.happened.append(event)

    def legal(self, event: object) -> bool:
        """Whether the rules allow it."""
        return refusal(self.state, event) is None  # type: ignore[arg-type]

    def start(self) -> tuple[int, int]:
        """Throws for the first move until the dice differ."""
        while True:
            dice = self.throw()
            if dice[0] != dice[1]:
                self.do(StartGame(dice))
                return dice

    def throw(self) -> tuple[int, int]:
        """Two dice."""
        return int(self.rng.integers(1, 7)), int(self.rng.integers(1, 7))

    def may_double(self) -> bool:
        """Whether the player on roll may double before the roll."""
        return self.legal(Double(self.state.on_roll))

    def host_event(self) -> object:
        """What the server's player does next; it is its turn."""
        state, host, rng = self.state, self.host, self.rng
        assert state.to_act == HOST
        if state.resignation is not None:
            return AcceptResignation(HOST) if host.accepts(state, rng) else RefuseResignation(HOST)
        if state.offer is not None:
            return Pass(HOST) if host.answers(state, rng) == "pass" else Take(HOST)
        if state.dice is not None:
            plays = state.plays
            chosen = 0 if plays.must_pass else host.choose(state, plays, rng)
            return Play.of(HOST, plays.steps[chosen].tolist())
        turn = (state.game, state.turn)
        value = host.resigns(state, rng) if self._host_resigned_on != turn else 0
        if value:
            self._host_resigned_on = turn
            return Resign(HOST, value)
        if self.may_double() and host.doubles(state, rng):
            return Double(HOST)
        return Roll(HOST, self.throw())
