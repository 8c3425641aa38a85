"""Backgammon for reinforcement learners, as Gymnasium and PettingZoo know environments; see docs/environments.md.

    >>> import gymnasium
    >>> import bgai.environments
    >>> env = gymnasium.make("bgai/Backgammon-v0", opponent="random")
    >>> observation, info = env.reset(seed=1)
    >>> info["afterstates"].shape
    (18, 26)
    >>> observation, reward, terminated, truncated, info = env.step(0)

An action is the number of one of the legal plays, in the order of `bgai.legal_plays`; `info["afterstates"]` holds the
positions that they lead to. The dice fall between the steps, by address: a seed gives the same games as everywhere in
bgai. Many games side by side are `gymnasium.make_vec("bgai/Backgammon-v0", num_envs=1024)`, two learners
`bgai.environments.backgammon_v0.env()`.

Needs gymnasium (and pettingzoo for `backgammon_v0`), installed with bgai[rl].
"""

from __future__ import annotations

try:
    import gymnasium
except ImportError as error:
    raise ImportError(f"the environments need gymnasium ({error}): pip install 'bgai[rl]'") from error

from bgai.environments.sights import MOST_PLAYS
from bgai.environments.single import BackgammonEnv
from bgai.environments.vector import BackgammonVectorEnv

__all__ = ["ID", "MOST_PLAYS", "BackgammonEnv", "BackgammonVectorEnv"]

ID = "bgai/Backgammon-v0"
"""As `gymnasium.make` and `gymnasium.make_vec` know it."""

gymnasium.register(
    ID,
    entry_point="bgai.environments.single:BackgammonEnv",
    vector_entry_point="bgai.environments.vector:BackgammonVectorEnv",
)
