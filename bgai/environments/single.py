"""One game as a Gymnasium environment."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np

from bgai.duel import LONGEST
from bgai.environments.games import Games
from bgai.environments.sights import Observation, PlayNumbers, Sights
from bgai.errors import ConfigError
from bgai.level_duel import SideBySide
from bgai.notation.drawing import draw
from bgai.plays import Plays
from bgai.position import Position

RENDER_MODES = ("ansi",)
SEATS = ("player_0", "player_1")
"""The two sides where a learner plays both, or two learners play."""

_ONLY = np.zeros(1, dtype=np.int64)


def check_render_mode(mode: str | None) -> str | None:
    """The mode as it is.

    Raises:
        ConfigError: there is none of this name.
    """
    if mode is not None and mode not in RENDER_MODES:
        raise ConfigError(f"the render mode is {' or '.join(map(repr, RENDER_MODES))} or None, found {mode!r}")
    return mode


class BackgammonEnv(gymnasium.Env[Observation, np.int64]):
    """A cubeless money game against a player by name, or of the learner against itself.

    A step is a turn: the learner's play and, unless it plays both sides, the opponent's. The reward is 0 until the
    game ends, then the points won or lost by the player of the action: 1, 2 for a gammon, 3 for a backgammon.
    """

    # To Gymnasium no ClassVar, as which ruff wants it.
    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        opponent: str | SideBySide | None = "random",
        *,
        encoder: str | None = None,
        longest: int = LONGEST,
        render_mode: str | None = None,
    ) -> None:
        """See docs/environments.md.

        Args:
            opponent: a player's name, see `bgai.levels`, or the player itself; None: the learner plays both sides.
            encoder: by which the board is shown, see `bgai.features`; None: the board itself.
            longest: turns of both sides after which a game is truncated.

        Raises:
            InputError: no such player, encoder or render mode.
        """
        self.render_mode = check_render_mode(render_mode)
        self.action_space: PlayNumbers = PlayNumbers()
        self._sights = Sights(encoder)
        self.observation_space = self._sights.space
        self._games = Games(1, opponent, longest, with_steps=True)
        self._names = SEATS if self._games.opponent is None else ("learner", self._games.opponent.name)

    @property
    def plays(self) -> Plays:
        """The legal plays in the order of the actions, with their steps; none when the game is over."""
        return self._games.plays[0]

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, Any]:
        """Begins game 0 of a seed, without one the next game.

        Args:
            options: `board`, int8[26] as in `bgai.board`: the learner is on roll here; and `dice`, its roll.

        Raises:
            PositionError, DiceError: no position or roll.
        """
        super().reset(seed=seed)
        self._games.seed(0, seed, self.np_random)
        if options and "board" in options:
            self._games.begin_at(_ONLY, options["board"], options.get("dice"))
        else:
            self._games.begin(_ONLY)
        return self._seen()

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Makes the play of this number.

        Raises:
            RuleError: there is no such play, or the game is over.
        """
        points = float(self._games.play(_ONLY, np.asarray(action)[None])[0])
        observation, info = self._seen()
        over = bool(self._games.over[0])
        return observation, points, over and points != 0, over and points == 0, info

    def render(self) -> str | None:
        """The board as the next observation has it, drawn with letters."""
        if self.render_mode is None:
            return None
        games = self._games
        return drawing(games, 0, self._names if games.opponent is not None or not games.seats[0] else self._names[::-1])

    def _seen(self) -> tuple[Observation, dict[str, Any]]:
        games = self._games
        games.look()
        # What is sampled after the end is never played.
        self.action_space.legal = max(len(self.plays), 1)
        seen = self._sights.of(games.boards, games.dice, games.counts)
        return {name: array[0] for name, array in seen.items()}, {"afterstates": self.plays.successors}


def drawing(games: Games, game: int, names: tuple[str, str]) -> str:
    """A game drawn with letters; `names` of the player who sees the board, and of the other."""
    board, (high, low) = games.boards[game], games.dice[game].tolist()
    return draw(board, names=names, position=Position(board, dice=(high, low) if high else None))
