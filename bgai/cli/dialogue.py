"""A game, match or money session between a person and the network, typed and printed.

Whatever happens is an event, and where things stand is the state after the last one: `bgai.match` knows the rules,
this module asks and shows.
"""

from __future__ import annotations

import sys

import numpy as np

from bgai.board import Board, flip, pip_count
from bgai.bot import Bot
from bgai.cli.asking import Left, ask, confirmed, next_game
from bgai.cli.hints import hint
from bgai.cli.match_words import KINDS, NETWORK, PERSON, ending, help_text, left, refused, said, status
from bgai.errors import PlayError
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
from bgai.game import Dice
from bgai.match import apply, refusal
from bgai.match_rules import Rules
from bgai.match_state import MatchState, new_match
from bgai.notation.drawing import draw, wants_colour
from bgai.notation.playtext import format_play, parse_play

_WORDS: dict[str, type[Double | Take | Pass | Beaver | Raccoon | AcceptResignation | RefuseResignation]] = {
    "double": Double,
    "redouble": Double,
    "d": Double,
    "take": Take,
    "t": Take,
    "pass": Pass,
    "drop": Pass,
    "beaver": Beaver,
    "raccoon": Raccoon,
    "accept": AcceptResignation,
    "refuse": RefuseResignation,
}
"""What is an event as soon as it is typed."""


class Dialogue:
    """Plays with the dice of `seed`, until the match is over or, with `games`, so many games are."""

    def __init__(self, bot: Bot, rules: Rules, seed: int, ascii_only: bool, games: int | None = None) -> None:
        self.state: MatchState = new_match(rules)
        self.events: list[Event] = []
        self._bot = bot
        self._seed = seed
        self._ascii_only = ascii_only
        self._games = games
        self._rng = np.random.default_rng(seed)

    @property
    def over(self) -> bool:
        """Whether all has been played."""
        state = self.state
        return state.winner is not None or (not state.playing and state.game == self._games)

    def play(self) -> None:
        """Plays until all is over, or the person leaves.

        Raises:
            EOFError: the input has ended.
        """
        try:
            while not self.over:
                self._happen(self._next())
        except Left:
            text = left(self.state, self._bot.name)
            print(f"{text[0].upper()}{text[1:]}.")

    def _next(self) -> Event:
        state = self.state
        if not state.playing:
            if state.game:
                next_game()
            return StartGame(Dice(self._seed, state.game).opening()[1])
        assert state.to_act is not None
        if state.dice is not None and state.resignation is None and state.plays.must_pass:
            return Play(state.to_act)
        return self._person() if state.to_act == PERSON else self._network()

    def _happen(self, event: Event) -> None:
        """Brings the state forward, and says and shows what the person has to know."""
        before, name = self.state, self._bot.name
        after = apply(before, event)
        self.events.append(event)
        self.state = after
        text = said(before, event, after, name)
        if isinstance(event, RefuseResignation) and event.seat == NETWORK:
            text = f"{text} {self._why_refused(before)}"
        if text:
            print(text)
        if not after.playing:
            if isinstance(event, Play):
                self._show()
            print(ending(after, name))
        elif after.to_act == PERSON and isinstance(event, StartGame | Play | Double | Resign):
            print()
            self._show()

    def _network(self) -> Event:
        """What the network does; it has the choice."""
        state, bot = self.state, self._bot
        if state.resignation is not None:
            return AcceptResignation(NETWORK) if bot.accepts(state, self._rng) else RefuseResignation(NETWORK)
        if state.offer is not None:
            answer = bot.answers(state, self._rng)
            if answer == "redouble":
                return Beaver(NETWORK) if state.offer == "double" else Raccoon(NETWORK)
            return Take(NETWORK) if answer == "take" else Pass(NETWORK)
        if state.dice is not None:
            plays = state.plays
            return Play.of(NETWORK, plays.steps[bot.choose(state, plays, self._rng)].tolist())
        resignation = bot.resigns(state, self._rng)
        if resignation > self._refused():
            return Resign(NETWORK, resignation)
        if refusal(state, Double(NETWORK)) is None and bot.doubles(state, self._rng):
            return Double(NETWORK)
        return self._roll(NETWORK)

    def _refused(self) -> int:
        """The most that the network has offered to lose in this game."""
        most = 0
        for event in self.events:
            if isinstance(event, StartGame):
                most = 0
            elif isinstance(event, Resign) and event.seat == NETWORK:
                most = max(most, event.value)
        return most

    def _roll(self, seat: int) -> Roll:
        return Roll(seat, Dice(self._seed, self.state.game - 1).roll(self.state.turn))

    def _person(self) -> Event:
        """Talks until the person does something that the rules allow."""
        state = self.state
        before_roll = state.dice is None and state.offer is None and state.resignation is None
        if before_roll and refusal(state, Double(PERSON)) is not None:
            return self._roll(PERSON)
        while True:
            text = ask(self._question())
            event = self._read(text, before_roll)
            reason = None if event is None else refusal(state, event)
            if event is not None and reason is None:
                return event
            if reason is not None:
                print(refused(reason, self._bot.name))

    def _question(self) -> str:
        state = self.state
        if state.resignation is not None:
            return "Accept or refuse: "
        if state.offer is not None:
            return "Take, pass or beaver: " if refusal(state, Beaver(PERSON)) is None else "Take or pass: "
        if state.dice is None:
            return "Roll or double: "
        return f"Your play ({max(state.dice)}-{min(state.dice)}): "

    def _read(self, text: str, before_roll: bool) -> Event | None:
        """The event that was typed; None if it was something else, which is then answered."""
        state = self.state
        word, _, rest = text.lower().partition(" ")
        if word in ("help", "h", "?"):
            print(help_text(state))
        elif word == "hint":
            print(hint(self._bot, state))
        elif word == "board":
            self._show()
        elif word in ("pips", "pip"):
            own, other = (int(pip_count(board)) for board in (self._seen(), flip(self._seen())))
            print(f"You {own} pips, {self._bot.name} {other} pips.")
        elif word == "undo":
            print("There is nothing to take back: a play is taken back before it is confirmed.")
        elif word in ("quit", "exit", "q"):
            raise Left
        elif word == "resign":
            return _resignation(rest.strip())
        elif word in _WORDS:
            return _WORDS[word](PERSON)
        elif word in ("roll", "r") or (before_roll and word == ""):
            return self._roll(PERSON)
        elif state.dice is not None and state.resignation is None and word:
            return self._play(text)
        else:
            playing = state.dice is not None and state.resignation is None
            print(f"Type {'a play such as 8/5 6/5' if playing else self._question().rstrip(': ').lower()}, or help.")
        return None

    def _play(self, text: str) -> Event | None:
        """A play that was typed, shown and confirmed."""
        state, plays = self.state, self.state.plays
        try:
            chosen = parse_play(state.board, plays, text)
        except PlayError as error:
            print(error)
            return None
        self._show(flip(plays.successors[chosen]))
        if confirmed(format_play(state.board, plays.steps[chosen])):
            return Play.of(PERSON, plays.steps[chosen].tolist())
        print("Taken back.")
        self._show()
        return None

    def _why_refused(self, state: MatchState) -> str:
        """Why the network would rather play on."""
        assert state.resignation is not None
        worth = self._bot.resignation_worth(state)
        if not state.rules.length:
            return f"It expects {worth.otherwise * state.cube:.2f} points from playing on."
        return f"Playing on is worth {worth.otherwise:+.3f} to it, and that {worth.accepting:+.3f}."

    def _seen(self) -> Board:
        """The board from the person's side."""
        return self.state.board if self.state.on_roll == PERSON else flip(self.state.board)

    def _show(self, board: Board | None = None) -> None:
        line = status(self.state, self._bot.name)
        if line:
            print(line)
        names = ("you", self._bot.name)
        shown = self._seen() if board is None else board
        print(draw(shown, names=names, ascii_only=self._ascii_only, colour=wants_colour(sys.stdout)))


def _resignation(kind: str) -> Resign | None:
    if kind in KINDS:
        return Resign(PERSON, KINDS[kind])
    print(f"Expected resign single, resign gammon or resign backgammon, found {kind!r}.")
    return None
