"""Many games at once as a Gymnasium vector environment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from bgai.duel import LONGEST
from bgai.environments.games import Games
from bgai.environments.sights import Observation, PlayNumbers, Sights
from bgai.errors import ConfigError
from bgai.level_duel import SideBySide

Step = tuple[Observation, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]


class BackgammonVectorEnv(gymnasium.vector.VectorEnv[Observation, ArrayLike, NDArray[Any]]):
    """N games as in `BackgammonEnv`, step for step the same, in a few calls of kernels.

    The after-states of all games stand in one array: those of game n are `infos["afterstates"]`, int8[M, 26], from
    `infos["offsets"][n]` to `infos["offsets"][n + 1]`, int64[N + 1].
    """

    def __init__(
        self,
        num_envs: int,
        opponent: str | SideBySide | None = "random",
        *,
        encoder: str | None = None,
        longest: int = LONGEST,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
    ) -> None:
        """As for `BackgammonEnv`.

        Args:
            autoreset_mode: what happens to a finished game, see `gymnasium.vector.AutoresetMode`.

        Raises:
            InputError: no such player or encoder, or no game at all.
        """
        self.num_envs = num_envs
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {"autoreset_mode": self.autoreset_mode}
        self._sights = Sights(encoder)
        self._games = Games(num_envs, opponent, longest)
        self.single_observation_space = self._sights.space
        self.single_action_space = PlayNumbers()
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | np.integer[Any] | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begins game 0 of each seed, without one the next game.

        Args:
            seed: of the first place, the others take the numbers after it; or one for each place.
            options: `reset_mask`, bool[N]: only these places begin again, and take their seeds; `board` and `dice`:
                where all that begin do so, as for `BackgammonEnv`.

        Raises:
            ConfigError: another number of seeds, or another mask.
            PositionError, DiceError: no position or roll.
        """
        given = options or {}
        mask = np.asarray(given.get("reset_mask", np.ones(self.num_envs, dtype=np.bool_)))
        if mask.shape != (self.num_envs,) or mask.dtype != np.bool_:
            raise ConfigError(f"reset_mask is bool[{self.num_envs}], found {mask.dtype}{list(mask.shape)}")
        seeds = self._seeds(seed)
        super().reset(seed=int(seed) if isinstance(seed, int | np.integer) else None)
        which = np.flatnonzero(mask)
        for game in which.tolist():
            self._games.seed(game, seeds[game], self.np_random)
        if "board" in given:
            self._games.begin_at(which, given["board"], given.get("dice"))
        else:
            self._games.begin(which)
        return self._seen()

    def step(self, actions: ArrayLike) -> Step:
        """Makes a play in every game; where one ended before, and is to begin again now, the action counts nothing.

        Raises:
            RuleError: there is no such play, or a game is over.
        """
        games, mode = self._games, self.autoreset_mode
        chosen = np.asarray(actions)
        if chosen.shape != (self.num_envs,):
            raise ConfigError(f"expected {self.num_envs} actions, found an array of shape {list(chosen.shape)}")
        ended = games.over.copy() if mode == AutoresetMode.NEXT_STEP else np.zeros(self.num_envs, dtype=np.bool_)
        playing = np.flatnonzero(~ended)
        rewards = np.zeros(self.num_envs, dtype=np.float64)
        rewards[playing] = games.play(playing, chosen[playing])
        terminated = games.over & (rewards != 0)
        truncated = games.over & ~ended & ~terminated
        final: dict[str, Any] = {}
        if mode == AutoresetMode.SAME_STEP:
            ended = games.over.copy()
            if ended.any():
                final = self._final(ended)
        if ended.any():
            games.begin(np.flatnonzero(ended))
        observation, info = self._seen()
        return observation, rewards, terminated, truncated, info | final

    def _seeds(self, seed: int | np.integer[Any] | Sequence[int | None] | None) -> Sequence[int | None]:
        """A seed for each place, or None."""
        if seed is None:
            return [None] * self.num_envs
        if isinstance(seed, int | np.integer):
            return [int(seed) + game for game in range(self.num_envs)]
        if len(seed) != self.num_envs:
            raise ConfigError(f"expected a seed for each of {self.num_envs} games, found {len(seed)}")
        return seed

    def _seen(self) -> tuple[Observation, dict[str, Any]]:
        games = self._games
        games.look()
        observation = self._sights.of(games.boards, games.dice, games.counts)
        return observation, {"afterstates": games.plays.successors, "offsets": games.plays.offsets}

    def _final(self, ended: NDArray[np.bool_]) -> dict[str, Any]:
        """The last observations of games that begin again in the same step, as Gymnasium keeps them."""
        games, which = self._games, np.flatnonzero(ended)
        nothing = np.zeros(len(which), dtype=np.int64)
        last = self._sights.of(games.boards[which], games.dice[which], nothing)
        found: NDArray[Any] = np.full(self.num_envs, None, dtype=object)
        for number, game in enumerate(which):
            found[game] = {name: array[number] for name, array in last.items()}
        return {"final_obs": found, "_final_obs": ended}
