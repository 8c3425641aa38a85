"""One game from the opening roll to the end, without the cube."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from bgai.board import START, Board, result
from bgai.dice import opening_roll, roll
from bgai.notation.playtext import format_play
from bgai.player import Player
from bgai.plays import legal_plays


@dataclass(frozen=True)
class Turn:
    """One roll and how it was played."""

    seat: int
    """Who played: 0 or 1."""
    board: Board
    """int8[26]: the position before the roll, seen by this seat."""
    dice: tuple[int, int]
    play: str
    """In standard notation, points counted by this seat; empty when nothing could be played."""


@dataclass(frozen=True)
class Game:
    """A finished game."""

    turns: list[Turn] = field(default_factory=list)
    winner: int = 0
    points: int = 0
    """1 single, 2 gammon, 3 backgammon."""


class Dice:
    """The rolls of one game, by address: see `bgai.dice`."""

    def __init__(self, seed: int, game: int = 0) -> None:
        self.seed = seed
        self.game = game

    def opening(self) -> tuple[int, tuple[int, int]]:
        """The seat that begins, and the two dice it plays, in the order of the seats."""
        first, second = opening_roll(self.seed, self.game)
        return (0 if first > second else 1), (first, second)

    def roll(self, turn: int) -> tuple[int, int]:
        """The roll of a turn after the opening."""
        first, second = roll(self.seed, self.game, turn)[0]
        return int(first), int(second)


def turns(players: tuple[Player, Player], seed: int, game: int = 0, start: Board = START) -> Iterator[Turn | Game]:
    """Plays a game turn by turn; the last thing it yields is the finished `Game`.

    The dice depend on `seed` and `game` alone; so do the lots of players that draw some.
    """
    dice = Dice(seed, game)
    rng = np.random.default_rng([seed % 2**64, game])
    seat, rolled = dice.opening()
    board = np.array(start)
    played: list[Turn] = []
    while True:
        if played:
            rolled = dice.roll(len(played))
        plays = legal_plays(board, rolled)
        chosen = players[seat].choose(board, plays, rng)
        turn = Turn(seat, board, rolled, format_play(board, plays.steps[chosen]))
        played.append(turn)
        yield turn
        board = plays.successors[chosen].copy()
        points = -result(board)
        if points:
            yield Game(played, winner=seat, points=points)
            return
        seat = 1 - seat


def play_game(first: Player, second: Player, seed: int, game: int = 0, start: Board = START) -> Game:
    """Plays a whole game; `first` has seat 0.

    >>> import bgai
    >>> finished = bgai.play_game(bgai.RandomPlayer(), bgai.HeuristicPlayer(), seed=1)
    >>> finished.winner
    1
    """
    *_, finished = turns((first, second), seed, game, start)
    assert isinstance(finished, Game)
    return finished
