"""Matches between players that also handle the cube.

>>> from bgai.player import HeuristicPlayer, RandomPlayer
>>> players = CubelessPlayer(HeuristicPlayer()), CubelessPlayer(RandomPlayer())
>>> record = play_match(players, Rules(length=3), seed=1)
>>> record.final.winner
0
"""

from __future__ import annotations

from typing import Literal, Protocol

import numpy as np

from bgai.board import borne_off, flip
from bgai.dice import roll
from bgai.errors import RuleError
from bgai.events import (
    AcceptResignation,
    Beaver,
    Double,
    Event,
    Pass,
    Play,
    Raccoon,
    RefuseResignation,
    Resign,
    Roll,
    StartGame,
    Take,
)
from bgai.match import apply, refusal
from bgai.match_rules import Rules
from bgai.match_state import MatchState, new_match
from bgai.player import Player
from bgai.plays import Plays
from bgai.record import MatchRecord

Answer = Literal["pass", "take", "redouble"]
"""To a double, beaver or raccoon; to redouble is to beaver a double or to raccoon a beaver."""


class MatchPlayer(Protocol):
    """Whoever can play a match. It is asked only when it has the choice; `rng` is for players that draw lots."""

    name: str

    def choose(self, state: MatchState, plays: Plays, rng: np.random.Generator) -> int:
        """The index in `plays` of its choice."""
        ...

    def doubles(self, state: MatchState, rng: np.random.Generator) -> bool:
        """Whether it doubles before this roll."""
        ...

    def answers(self, state: MatchState, rng: np.random.Generator) -> Answer:
        """What it says to the offer that waits."""
        ...

    def resigns(self, state: MatchState, rng: np.random.Generator) -> int:
        """What it offers to lose before this roll: 0 nothing, 1 a single game, 2 a gammon, 3 a backgammon."""
        ...

    def accepts(self, state: MatchState, rng: np.random.Generator) -> bool:
        """Whether it is content with the resignation that waits."""
        ...


class CubelessPlayer:
    """Lets a `Player` play matches: it never doubles, takes everything and never resigns."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self.name = player.name

    def choose(self, state: MatchState, plays: Plays, rng: np.random.Generator) -> int:
        """What the player chooses."""
        return self.player.choose(state.board, plays, rng)

    def doubles(self, state: MatchState, rng: np.random.Generator) -> bool:
        """Never."""
        return False

    def answers(self, state: MatchState, rng: np.random.Generator) -> Answer:
        """Takes."""
        return "take"

    def resigns(self, state: MatchState, rng: np.random.Generator) -> int:
        """Never."""
        return 0

    def accepts(self, state: MatchState, rng: np.random.Generator) -> bool:
        """Only if the game cannot bring more."""
        assert state.resignation is not None
        board = state.board if state.resignation.seat == state.on_roll else flip(state.board)
        return bool(borne_off(board)) or state.resignation.value == 3


def play_match(
    players: tuple[MatchPlayer, MatchPlayer], rules: Rules, seed: int, *, games: int | None = None
) -> MatchRecord:
    """Plays a match to its end, or so many games of it; a money session needs the number.

    The dice depend on `seed`, the number of the game (from 0) and the turn alone.

    Raises:
        RuleError: a money session without an end.
    """
    if games is None and not rules.length:
        raise RuleError("a money session needs a number of games, found none")
    rng = np.random.default_rng(seed % 2**64)
    state, events = new_match(rules), []
    while state.winner is None and (state.playing or games is None or state.game < games):
        for event in _next(players, state, seed, rng):
            state = apply(state, event)
            events.append(event)
    return MatchRecord.of((players[0].name, players[1].name), rules, events)


def _next(
    players: tuple[MatchPlayer, MatchPlayer], state: MatchState, seed: int, rng: np.random.Generator
) -> list[Event]:
    """What happens next: always something, and a refused resignation together with the roll or double after it."""
    seat = state.to_act
    if seat is None:
        most = min(state.rules.automatic_doubles, state.rules.cube_limit.bit_length() - 1)
        return [_opening(seed, state.game, most)]
    player = players[seat]
    if state.offer is not None:
        return [_answer(player, state, seat, rng)]
    if state.dice is not None:
        plays = state.plays
        chosen = 0 if plays.must_pass else player.choose(state, plays, rng)
        return [Play.of(seat, plays.steps[chosen].tolist())]
    events: list[Event] = []
    value = player.resigns(state, rng)
    if value:
        resignation = Resign(seat, value)
        if players[1 - seat].accepts(apply(state, resignation), rng):
            return [resignation, AcceptResignation(1 - seat)]
        events += [resignation, RefuseResignation(1 - seat)]
    if refusal(state, Double(seat)) is None and player.doubles(state, rng):
        return [*events, Double(seat)]
    first, second = roll(seed, state.game - 1, state.turn)[0]
    return [*events, Roll(seat, (int(first), int(second)))]


def _answer(player: MatchPlayer, state: MatchState, seat: int, rng: np.random.Generator) -> Event:
    answer = player.answers(state, rng)
    if answer == "redouble":
        return Beaver(seat) if state.offer == "double" else Raccoon(seat)
    return Take(seat) if answer == "take" else Pass(seat)


def _opening(seed: int, game: int, most: int) -> StartGame:
    """The dice of `bgai.dice.opening_roll`; where it throws again, automatic doubles count what was thrown."""
    for attempt in range(2**16):
        first, second = roll(seed, game, 0 if attempt == 0 else 2**64 - attempt)[0]
        if first != second:
            return StartGame((int(first), int(second)), min(attempt, most))
    raise AssertionError("65,536 equal opening rolls in a row")
