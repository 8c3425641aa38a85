"""Games side by side in arrays: what the environments have in common, without a word of their interfaces."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bgai.board import START, Board, as_board, flip, result
from bgai.dice import check_roll, random_bits
from bgai.duel import LONGEST
from bgai.environments.rolls import rolls
from bgai.errors import ConfigError, PositionError, RuleError
from bgai.level_duel import LOTS, LevelDuellist, SideBySide, level_duellist
from bgai.plays import PlaysBatch, legal_plays_batch
from bgai.position import Position

Indices = NDArray[np.int64]


class Games:
    """N cubeless money games. After `begin` and `play` comes `look`, which finds the legal plays.

    With an opponent the learner has seat 0, is on roll whenever a game is looked at, and boards are its own. Without
    one it plays both sides, each turn is its own, and boards are those of the player on roll.
    """

    def __init__(
        self, count: int, opponent: str | SideBySide | None = None, longest: int = LONGEST, *, with_steps: bool = False
    ) -> None:
        """`opponent` is a player's name, see `bgai.levels`, or the player itself.

        Raises:
            ConfigError: no game at all, or none that is long enough for a turn of each side.
            InputError: no such player.
        """
        if count < 1:
            raise ConfigError(f"the number of games is at least 1, found {count}")
        if longest < 2:
            raise ConfigError(f"the longest game has at least 2 turns, found {longest}")
        self.opponent = level_duellist(opponent) if isinstance(opponent, str) else opponent
        self.longest = longest
        self.boards: Board = np.tile(START, (count, 1))
        self.seats = np.zeros(count, dtype=np.int64)
        """int64[N]: who is on roll, 0 or 1."""
        self.dice = np.zeros((count, 2), dtype=np.int64)
        """int64[N, 2]: the roll to be played, larger die first; zeros when the game is over."""
        self.over = np.ones(count, dtype=np.bool_)
        """bool[N]: games that are finished, or longer than `longest`, or never began."""
        self.plays = PlaysBatch(np.empty((0, 26), np.int8), np.empty((0, 4, 2), np.int8), np.zeros(count + 1, np.int64))
        """The legal plays of each game, none where it is over."""
        self.counts = np.zeros(count, dtype=np.int64)
        """int64[N]: how many they are."""
        self._with_steps = with_steps
        self._seeds = np.zeros(count, dtype=np.uint64)
        self._seeded = np.zeros(count, dtype=np.bool_)
        self._numbers = np.full(count, -1, dtype=np.int64)
        self._turns = np.zeros(count, dtype=np.int64)

    def __len__(self) -> int:
        return len(self.boards)

    def seed(self, game: int, seed: int | None, rng: np.random.Generator) -> None:
        """The next game in this place is game 0 of the seed, as in `bgai.play_game`; then come its games 1, 2, ...

        None leaves the seed as it is; a place that never had one gets it from `rng`.
        """
        if seed is None and self._seeded[game]:
            return
        self._seeds[game] = int(rng.integers(2**63)) if seed is None else int(seed) % 2**64
        self._seeded[game] = True
        self._numbers[game] = -1

    def begin(self, which: Indices) -> None:
        """Begins the next game in some places, int64[n]: an opening roll, and the opponent's turn if it won that."""
        self._next(which)
        self.boards[which] = START
        opening = self._roll(which)
        self.seats[which] = opening[:, 0] < opening[:, 1]
        if self.opponent is not None:
            self._reply(which[self.seats[which] == 1])

    def begin_at(self, which: Indices, board: ArrayLike, dice: tuple[int, int] | None = None) -> None:
        """Begins the next game from a position, with seat 0 on roll; without dice it rolls.

        Raises:
            PositionError: no position, or a finished game.
            DiceError: no roll.
        """
        start = as_board(board)
        if result(start):
            raise PositionError(f"the game is over in this position ({result(start):+d} points)")
        given = None if dice is None else check_roll(*dice)
        self._next(which)
        self.boards[which] = start
        self.seats[which] = 0
        # The opening roll is never a double, so this is not one.
        self._turns[which] = 1
        self._roll(which)
        if given is not None:
            self.dice[which] = given

    def _next(self, which: Indices) -> None:
        self._numbers[which] += 1
        self._turns[which] = 0
        self.over[which] = False

    def look(self) -> None:
        """Finds the legal plays of all games that go on."""
        going_on = np.flatnonzero(~self.over)
        found = legal_plays_batch(self.boards[going_on], self.dice[going_on], with_steps=self._with_steps)
        self.counts = np.zeros(len(self), dtype=np.int64)
        self.counts[going_on] = np.diff(found.offsets)
        self.plays = PlaysBatch(found.successors, found.steps, np.concatenate([[0], np.cumsum(self.counts)]))

    def play(self, which: Indices, actions: ArrayLike) -> Indices:
        """Makes a play in some games, int64[n], and the opponent's next.

        Args:
            actions: numbers of legal plays, [n].

        Returns:
            int64[n]: points won (> 0) or lost by whoever chose the play, 0 while a game goes on or if it was too long.

        Raises:
            RuleError: no such play, or a game that is over.
        """
        rows = self._rows(which, actions)
        points = self._move(which, self.plays.successors[rows])
        if self.opponent is not None:
            going_on = np.flatnonzero(~self.over[which])
            # A finished game is seen by the opponent, who would be on roll.
            finished = which[self.over[which]]
            self.boards[finished] = flip(self.boards[finished])
            points[going_on] = -self._reply(which[going_on])
        return points

    def _rows(self, which: Indices, actions: ArrayLike) -> Indices:
        """Where the chosen plays stand in `plays`."""
        chosen = np.asarray(actions)
        if chosen.shape != which.shape or chosen.dtype.kind not in "iu":
            raise RuleError(f"expected {len(which)} whole numbers as actions, found {actions!r}")
        counts = self.counts[which]
        for number in np.flatnonzero((chosen < 0) | (chosen >= counts))[:1]:
            game, alone = which[number], len(self) == 1
            if self.over[game]:
                raise RuleError(f"{'the game' if alone else f'game {game}'} is over: a reset comes first")
            high, low = self.dice[game]
            raise RuleError(
                f"action {chosen[number]} is no legal play{'' if alone else f' in game {game}'}: {high}-{low} has"
                f" {counts[number]} here, expected 0 to {counts[number] - 1}"
            )
        rows: Indices = self.plays.offsets[which] + chosen.astype(np.int64)
        return rows

    def _reply(self, which: Indices) -> Indices:
        """The opponent's turn in some games, int64[n]; the points that it wins."""
        if not len(which):
            return np.zeros(0, dtype=np.int64)
        opponent = self.opponent
        assert opponent is not None
        boards, dice = self.boards[which], self.dice[which]
        # Players without a network look at the plays alone, and the descriptions take as long as all the rest.
        bare = isinstance(opponent, LevelDuellist) and opponent.analyst is None
        plays = legal_plays_batch(boards, dice, with_steps=not bare)
        positions = [] if bare else [Position(*seen) for seen in zip(boards, map(tuple, dice.tolist()), strict=True)]
        lots = random_bits(self._seeds[which] ^ np.uint64(LOTS), self._numbers[which], self._turns[which])
        return self._move(which, plays.successors[opponent.choose(positions, plays, lots)])

    def _move(self, which: Indices, after: Board) -> Indices:
        """Some games go on with boards int8[n, 26], seen by the other side; the points won by who moved, int64[n]."""
        self.boards[which] = after
        self.seats[which] = 1 - self.seats[which]
        self._turns[which] += 1
        points = np.zeros(len(which), dtype=np.int64)
        for won in np.flatnonzero(~(after < 0).any(axis=1)):
            points[won] = -result(after[won])
        self.over[which] = (points > 0) | (self._turns[which] >= self.longest)
        self._roll(which)
        return points

    def _roll(self, which: Indices) -> Indices:
        """Rolls for some games, int64[n, 2] in the order they fell."""
        fallen = rolls(self._seeds[which], self._numbers[which], self._turns[which])
        self.dice[which] = np.where(self.over[which, None], 0, np.sort(fallen, axis=1)[:, ::-1])
        return fallen
