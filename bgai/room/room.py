"""A game, match or money session of a person against the network, as a list of what has happened in it.

>>> from bgai.bot import Bot
>>> room = Room.begin("r1", Agreement(), FairDice(bytes(32), "Ann"), Bot.of())
>>> room.state.to_act == PERSON, room.version
(True, 1)
>>> room = room.act(Action("play", play="8/5 6/5") if room.state.dice == (3, 1) else Action("leave"), Bot.of())
>>> room.over
True
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

import numpy as np

from bgai.errors import InputError
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
    event_from_dict,
)
from bgai.match import apply
from bgai.match_play import MatchPlayer
from bgai.match_state import MatchState, new_match
from bgai.record import MatchRecord
from bgai.room.actions import NAMES, Action, Name, allowed, event_of, reason_against
from bgai.room.agreement import BOT, PERSON, SEATS, Agreement
from bgai.room.errors import NotAllowed
from bgai.room.fair_dice import DiceRecord, FairDice, Thrown, commitment_of
from bgai.room.words import personal

MOST_HAPPENINGS = 20_000
"""After so many no further game of a session begins."""

Throws = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Happening:
    """One thing that has happened."""

    event: Event | None
    """None: the person has left."""
    throws: Throws = ()
    """The server's rolls that were used up, in order: one of a roll, all opening throws of the start of a game."""

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        event = None if self.event is None else self.event.to_dict()
        return {"event": event, "throws": [list(dice) for dice in self.throws]}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Happening:
        """What `to_dict` wrote."""
        event = data["event"]
        throws = tuple((first, second) for first, second in data["throws"])
        return cls(None if event is None else event_from_dict(event), throws)


@dataclass(frozen=True)
class Room:
    """Where things stand, and how they got there. It is never changed: what happens makes a new one."""

    id: str
    agreement: Agreement
    dice: FairDice
    committed_first: bool = False
    """Whether the commitment was shown before the player's seed was known."""
    happenings: tuple[Happening, ...] = ()
    states: tuple[MatchState, ...] = field(default=(), repr=False, compare=False)
    """Before the first happening and after each of them; they follow from the rest."""

    def __post_init__(self) -> None:
        if not self.states:
            agreed = self.agreement
            states = [new_match(agreed.rules, score=agreed.score, post_crawford=agreed.post_crawford)]
            for happening in self.happenings:
                states.append(states[-1] if happening.event is None else apply(states[-1], happening.event))
            object.__setattr__(self, "states", tuple(states))

    @classmethod
    def begin(
        cls, id: str, agreement: Agreement, dice: FairDice, bot: MatchPlayer, *, committed_first: bool = False
    ) -> Room:
        """The first game begins, up to where the person has to do something.

        Raises:
            RuleError: a given position that the rules do not allow.
        """
        return cls(id, agreement, dice, committed_first)._next_game()._until_person(bot)

    @property
    def version(self) -> int:
        """How much has happened."""
        return len(self.happenings)

    @property
    def state(self) -> MatchState:
        """The state of the match."""
        return self.states[-1]

    @property
    def left(self) -> bool:
        """Whether the person has left before the end."""
        return bool(self.happenings) and self.happenings[-1].event is None

    @property
    def over(self) -> bool:
        """Whether nothing can happen any more."""
        state = self.state
        played = not state.playing and state.game == self.agreement.games
        return state.winner is not None or played or self.left

    @property
    def rolls(self) -> int:
        """How many rolls were thrown."""
        return sum(len(happening.throws) for happening in self.happenings)

    @property
    def record(self) -> MatchRecord:
        """The match so far."""
        agreed = self.agreement
        events = [happening.event for happening in self.happenings if happening.event is not None]
        start = self.states[0]
        names = (agreed.person, agreed.bot)
        return MatchRecord.of(names, agreed.rules, events, score=start.score, post_crawford=start.post_crawford)

    @property
    def dice_record(self) -> DiceRecord:
        """What may be seen of the dice: the seed when all is over."""
        dice = self.dice
        return DiceRecord(
            commitment_of(dice.server_seed),
            self.committed_first,
            dice.player_seed,
            dice.server_seed.hex() if self.over else None,
            tuple(self._thrown()),
        )

    def may(self) -> dict[Name, bool]:
        """Of every action, whether the person may do it now."""
        if self.over:
            return dict.fromkeys(NAMES, False)
        between = not self.state.playing
        return allowed(self.state) | {"next game": between and not self._full, "leave": True}

    def act(self, action: Action, bot: MatchPlayer) -> Room:
        """The person does something, and the network what it has to until it is the person's turn again.

        Raises:
            NotAllowed: the rules do not allow it now.
        """
        if action.name == "leave" and not self.over:
            return self._with(Happening(None))
        if action.name == "next game":
            return self._asked_next_game()._until_person(bot)
        event = self.event_of(action)
        return (self._roll(PERSON) if isinstance(event, Roll) else self._happen(event))._until_person(bot)

    def event_of(self, action: Action) -> Event:
        """The event that an action in a game would be; a roll has some dice, which are to be thrown.

        Raises:
            NotAllowed: the rules do not allow it now.
        """
        if self.over:
            raise NotAllowed("all is over", self)
        try:
            event = event_of(action, self.state)
        except InputError as error:
            raise NotAllowed(str(error), self) from None
        reason = reason_against(self.state, event)
        if reason is not None:
            raise NotAllowed(personal(self.agreement, reason), self)
        return event

    @property
    def _full(self) -> bool:
        return self.version >= MOST_HAPPENINGS

    def _asked_next_game(self) -> Room:
        if self.over:
            raise NotAllowed("all is over", self)
        if self.state.playing:
            raise NotAllowed(f"game {self.state.game} is not finished, so the next cannot start", self)
        if self._full:
            raise NotAllowed("the session is too long to go on, expected to leave it", self)
        return self._next_game()

    def _until_person(self, bot: MatchPlayer) -> Room:
        """Everything that happens without the person."""
        room = self
        while not room.over and room.state.playing:
            state = room.state
            assert state.to_act is not None
            if state.dice is not None and state.resignation is None and state.plays.must_pass:
                room = room._happen(Play(state.to_act))
            elif state.to_act == BOT:
                room = room._bot_acts(bot)
            elif self.agreement.automatic_roll and room._must_roll:
                room = room._roll(PERSON)
            else:
                break
        return room

    @property
    def _must_roll(self) -> bool:
        may = allowed(self.state)
        return may["roll"] and not may["double"]

    def _bot_acts(self, bot: MatchPlayer) -> Room:
        """The network does one thing; it has the choice."""
        state, rng = self.state, self._rng()
        if state.resignation is not None:
            accepted = bot.accepts(state, rng)
            return self._happen(AcceptResignation(BOT) if accepted else RefuseResignation(BOT))
        if state.offer is not None:
            answer = bot.answers(state, rng)
            if answer == "redouble":
                return self._happen(Beaver(BOT) if state.offer == "double" else Raccoon(BOT))
            return self._happen(Take(BOT) if answer == "take" else Pass(BOT))
        if state.dice is not None:
            plays = state.plays
            return self._happen(Play.of(BOT, plays.steps[bot.choose(state, plays, rng)].tolist()))
        value = bot.resigns(state, rng)
        if value > self._refused():
            return self._happen(Resign(BOT, value))
        if reason_against(state, Double(BOT)) is None and bot.doubles(state, rng):
            return self._happen(Double(BOT))
        return self._roll(BOT)

    def _refused(self) -> int:
        """The most that the network has offered to lose in this game."""
        most = 0
        for happening in reversed(self.happenings):
            if isinstance(happening.event, StartGame):
                break
            if isinstance(happening.event, Resign) and happening.event.seat == BOT:
                most = max(most, happening.event.value)
        return most

    def _rng(self) -> np.random.Generator:
        """For players that draw lots: the same at the same place of the same game."""
        digest = hashlib.sha256(f"{self.id}:{self.version}".encode()).digest()
        return np.random.default_rng(int.from_bytes(digest[:8], "big"))

    def _roll(self, seat: int) -> Room:
        dice = self.dice.roll(self.rolls)
        return self._with(Happening(Roll(seat, dice), (dice,)))

    def _next_game(self) -> Room:
        """The opening throws until the dice differ; equal ones count as automatic doubles while such are agreed."""
        rules, number = self.agreement.rules, self.rolls
        throws = [self.dice.roll(number)]
        while throws[-1][0] == throws[-1][1]:
            throws.append(self.dice.roll(number + len(throws)))
        most = min(rules.automatic_doubles, rules.cube_limit.bit_length() - 1)
        room = self._with(Happening(StartGame(throws[-1], min(len(throws) - 1, most)), tuple(throws)))
        for event in self.agreement.beginning if room.state.game == 1 else ():
            room = room._happen(event)
        return room

    def _happen(self, event: Event) -> Room:
        return self._with(Happening(event))

    def _with(self, happening: Happening) -> Room:
        state = self.state if happening.event is None else apply(self.state, happening.event)
        return replace(self, happenings=(*self.happenings, happening), states=(*self.states, state))

    def _thrown(self) -> Iterator[Thrown]:
        number = 0
        for happening, state in zip(self.happenings, self.states[1:], strict=True):
            for dice in happening.throws:
                opening = isinstance(happening.event, StartGame)
                by = None if happening.event is None or opening else SEATS[happening.event.seat]
                yield Thrown(number, state.game, "opening" if opening else "roll", by, dice)
                number += 1


@dataclass(frozen=True)
class Kept:
    """A game, and when it was begun and last changed, in UTC."""

    room: Room
    created: datetime
    changed: datetime
