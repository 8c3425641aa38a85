"""One game between a person and the network, typed and printed."""

from __future__ import annotations

import re
import sys
from enum import Enum

import numpy as np

from bgai.board import START, Board, flip, pip_count, result
from bgai.cli.answers import Answer, Answers
from bgai.cli.move import table
from bgai.cli.question import Question
from bgai.dice import check_roll
from bgai.errors import PlayError
from bgai.game import Dice
from bgai.notation.drawing import draw
from bgai.notation.playtext import format_play, parse_play
from bgai.player import NetPlayer
from bgai.plays import Plays, legal_plays

HINTS = 5
KINDS = {"single": 1, "gammon": 2, "backgammon": 3, "1": 1, "2": 2, "3": 3, "": 1}
"""What can stand behind `resign`."""
_NAMES = {1: "a single game (1 point)", 2: "a gammon (2 points)", 3: "a backgammon (3 points)"}

HELP = """\
  8/5 6/5            a play: from and to, counted from your side; also bar/22, 6/off, 8/5(2), 24/18/13
  hint               the best plays in the network's opinion
  resign KIND        give up a single game, a gammon or a backgammon (default: a single game)
  board              draw the board again
  pips               pip counts of both sides
  help               this list
  quit               leave the game
After a play the new board is shown: Enter confirms it, u (undo) takes it back."""


class _Over(Exception):
    """The game has been given up or left."""


class Reply(Enum):
    """What a person says to a play shown on the board."""

    CONFIRM = "confirm"
    UNDO = "undo"


class Dialogue:
    """A game with the dice of `seed`; the person has seat 0 and plays X."""

    def __init__(self, bot: NetPlayer, seed: int, ascii_only: bool) -> None:
        self._bot = bot
        self._answers = Answers(bot.evaluator, bot.name)
        self._dice = Dice(seed)
        self._ascii_only = ascii_only
        self._board: Board = START.copy()
        """Always seen by the person."""

    def play(self) -> None:
        """Plays until the game is over, given up or left.

        Raises:
            EOFError: the input has ended.
        """
        seat, roll = self._dice.opening()
        first = "you begin" if seat == 0 else f"{self._bot.name} begins"
        print(f"Opening roll: you {roll[0]}, {self._bot.name} {roll[1]}; {first}.")
        turn = 0
        try:
            while not result(self._board):
                if turn > 0:
                    roll = self._dice.roll(turn)
                roll = check_roll(*roll)
                if seat == 0:
                    self._person(roll)
                else:
                    self._network(roll)
                seat = 1 - seat
                turn += 1
        except _Over:
            return
        points = result(self._board)
        self._show()
        print(f"{'You win' if points > 0 else f'{self._bot.name} wins'} {_NAMES[abs(points)]}.")

    def _network(self, roll: tuple[int, int]) -> None:
        board = flip(self._board)
        plays = legal_plays(board, roll)
        chosen = self._bot.choose(board, plays, np.random.default_rng(0))
        text = format_play(board, plays.steps[chosen])
        said = f"plays {text} (on your side {from_other_side(text)})" if text else "cannot move"
        print(f"\n{self._bot.name} rolls {roll[0]}-{roll[1]} and {said}.")
        self._board = plays.successors[chosen].copy()

    def _person(self, roll: tuple[int, int]) -> None:
        plays = legal_plays(self._board, roll)
        print()
        self._show()
        if plays.must_pass:
            print(f"You roll {roll[0]}-{roll[1]}: no legal play, you pass.")
            self._board = flip(plays.successors[0])
            return
        print(f"You roll {roll[0]}-{roll[1]}.")
        while True:
            chosen = self._ask_play(plays, roll)
            after = flip(plays.successors[chosen])
            self._show(after)
            if self._ask_reply(format_play(self._board, plays.steps[chosen])) is Reply.CONFIRM:
                self._board = after
                return
            print("Taken back.")
            self._show()

    def _ask_play(self, plays: Plays, roll: tuple[int, int]) -> int:
        """Talks until a legal play has been typed; returns its index."""
        while True:
            text = _ask(f"Your play ({roll[0]}-{roll[1]}): ")
            word, _, rest = text.lower().partition(" ")
            if word == "":
                print("Type a play such as 8/5 6/5, or help.")
            elif word in ("help", "h", "?"):
                print(HELP)
            elif word == "hint":
                print(table(self._opinions(roll)[:HINTS]))
            elif word == "board":
                self._show()
            elif word in ("pips", "pip"):
                own, other = int(pip_count(self._board)), int(pip_count(flip(self._board)))
                print(f"You {own} pips, {self._bot.name} {other} pips.")
            elif word == "undo":
                print("There is nothing to take back: a play is taken back before it is confirmed.")
            elif word == "resign":
                self._resign(rest.strip(), roll)
            elif word in ("quit", "exit", "q"):
                self._quit()
            else:
                try:
                    return parse_play(self._board, plays, text)
                except PlayError as error:
                    print(error)

    def _ask_reply(self, play: str) -> Reply:
        while True:
            text = _ask(f"{play}: Enter to confirm, u to undo: ").lower()
            if text in ("", "y", "yes", "ok"):
                return Reply.CONFIRM
            if text in ("u", "undo", "n", "no"):
                return Reply.UNDO
            if text in ("quit", "exit", "q"):
                self._quit()
            print(f"Expected Enter (or y) to confirm or u to undo, found {text!r}.")

    def _resign(self, kind: str, roll: tuple[int, int]) -> None:
        """Offers to give up; the network takes what is not worth less to it than playing on."""
        if kind not in KINDS:
            print(f"Expected resign single, resign gammon or resign backgammon, found {kind!r}.")
            return
        points = KINDS[kind]
        expected = -self._opinions(roll)[0]["equity"]
        if points < expected:
            print(f"{self._bot.name} refuses {_NAMES[points]}: it expects {expected:.2f} points from playing on.")
            return
        print(f"{self._bot.name} accepts and wins {_NAMES[points]}.")
        raise _Over

    def _quit(self) -> None:
        print("The game is left unfinished.")
        raise _Over

    def _opinions(self, roll: tuple[int, int]) -> list[Answer]:
        plays: list[Answer] = self._answers.moves([Question(self._board, roll)])[0]["plays"]
        return plays

    def _show(self, board: Board | None = None) -> None:
        names = ("you", self._bot.name)
        print(draw(self._board if board is None else board, names=names, ascii_only=self._ascii_only))


def from_other_side(play: str) -> str:
    """A play with its points counted by the opponent: `bar/22*` is `bar/3*`."""
    return re.sub(r"(?<!\()\b\d+\b", lambda point: str(25 - int(point[0])), play)


def _ask(prompt: str) -> str:
    """A line that was typed. One from a file or a pipe is printed, so that the output can be read."""
    text = input(prompt).strip()
    if not sys.stdin.isatty():
        print(text)
    return text
