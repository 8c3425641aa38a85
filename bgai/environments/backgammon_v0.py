"""Backgammon for two learners as a PettingZoo environment, one turn after the other.

    >>> from bgai.environments import backgammon_v0
    >>> env = backgammon_v0.env()
    >>> env.reset(seed=1)
    >>> observation, reward, termination, truncation, info = env.last()
    >>> env.step(env.action_space(env.agent_selection).sample(observation["action_mask"]))

Needs pettingzoo, installed with bgai[rl].
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces

try:
    from pettingzoo import AECEnv
    from pettingzoo.utils.wrappers import OrderEnforcingWrapper
except ImportError as error:
    raise ImportError(f"backgammon_v0 needs pettingzoo ({error}): pip install 'bgai[rl]'") from error

from bgai.board import flip
from bgai.duel import LONGEST
from bgai.environments.games import Games
from bgai.environments.sights import MOST_PLAYS, Observation, Sights
from bgai.environments.single import RENDER_MODES, SEATS, check_render_mode, drawing

_ONLY = np.zeros(1, dtype=np.int64)


def env(**options: Any) -> OrderEnforcingWrapper:
    """The environment, which says so if it is stepped or looked at before a reset; options as for `raw_env`."""
    return OrderEnforcingWrapper(raw_env(**options))


# PettingZoo has no types.
class raw_env(AECEnv):  # type: ignore[misc]
    """A cubeless money game of `player_0`, who has the first die of the opening roll, and `player_1`.

    A step is one player's turn. Both are rewarded when the game ends: the winner with its points, 1, 2 for a gammon, 3
    for a backgammon, the loser with as many less than 0. Who is not on roll sees the board from its own side, no dice
    and no legal action.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "backgammon_v0",
        "render_modes": list(RENDER_MODES),
        "render_fps": 1,
        "is_parallelizable": False,
    }

    def __init__(self, *, encoder: str | None = None, longest: int = LONGEST, render_mode: str | None = None) -> None:
        """As for `BackgammonEnv`.

        Raises:
            InputError: no such encoder or render mode.
        """
        super().__init__()
        self.render_mode = check_render_mode(render_mode)
        self.possible_agents = list(SEATS)
        self.agents: list[str] = []
        self._sights = Sights(encoder)
        self._games = Games(1, None, longest)
        self.action_spaces = {agent: spaces.Discrete(MOST_PLAYS) for agent in SEATS}
        self.observation_spaces = {agent: Sights(encoder).space for agent in SEATS}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """What an agent sees; see `Sights`."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The numbers of its plays."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins game 0 of a seed, without one the next game.

        Args:
            options: `board`, int8[26] as in `bgai.board`: `player_0` is on roll here; and `dice`, its roll.

        Raises:
            PositionError, DiceError: no position or roll.
        """
        self._games.seed(0, seed, np.random.default_rng())
        if options and "board" in options:
            self._games.begin_at(_ONLY, options["board"], options.get("dice"))
        else:
            self._games.begin(_ONLY)
        self.agents = list(SEATS)
        self.rewards = dict.fromkeys(SEATS, 0.0)
        self._cumulative_rewards = dict.fromkeys(SEATS, 0.0)
        self.terminations = dict.fromkeys(SEATS, False)
        self.truncations = dict.fromkeys(SEATS, False)
        self._pass_turn()

    def step(self, action: int | None) -> None:
        """Makes the play of this number; None from an agent whose game is over.

        Raises:
            RuleError: there is no such play.
        """
        mover = self.agent_selection
        if self.terminations[mover] or self.truncations[mover]:
            self._was_dead_step(action)
            return
        points = float(self._games.play(_ONLY, np.asarray(action)[None])[0])
        self._cumulative_rewards[mover] = 0.0
        over = bool(self._games.over[0])
        for agent in SEATS:
            self.rewards[agent] = points if agent == mover else -points
            self.terminations[agent] = over and points != 0
            self.truncations[agent] = over and points == 0
        self._accumulate_rewards()
        self._pass_turn()

    def observe(self, agent: str) -> Observation:
        """What an agent sees now; see `Sights`."""
        games = self._games
        if agent == SEATS[games.seats[0]]:
            seen = self._sights.of(games.boards, games.dice, games.counts)
        else:
            seen = self._sights.of(flip(games.boards), np.zeros_like(games.dice), np.zeros_like(games.counts))
        return {name: array[0] for name, array in seen.items()}

    def render(self) -> str | None:
        """The board of the player on roll, drawn with letters."""
        seat = int(self._games.seats[0])
        return None if self.render_mode is None else drawing(self._games, 0, (SEATS[seat], SEATS[1 - seat]))

    def close(self) -> None:
        """There is nothing to close."""

    def _pass_turn(self) -> None:
        """Finds the plays of who is on roll now, and shows them to it."""
        self._games.look()
        self.agent_selection = SEATS[self._games.seats[0]]
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in SEATS}
        self.infos[self.agent_selection]["afterstates"] = self._games.plays.successors
