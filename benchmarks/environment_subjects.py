"""Environments to measure, each in a process of its own: random play, counted in turns and games.

    python environment_subjects.py NAME

answers each line of the standard input, `SEED SECONDS`, with a line of JSON: turns begun, games finished and
CPU-seconds. Only what a subject needs is imported, so that an interpreter with pgx needs no bgai.

A turn is a roll and all that is played with it. pgx plays one die a step, OpenSpiel a double in two, bgai a turn.
"""

from __future__ import annotations

import importlib.metadata
import json
import random
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

SIDE_BY_SIDE = 1024
"""Games in arrays."""
BLOCK = 50
"""Steps between two looks at the clock, for games side by side."""

Count = Callable[[int], tuple[int, int]]
"""Plays on for a moment; the turns and games since. Its argument is the seed of what it draws."""


def bgai_vector() -> Count:
    """bgai's vector environment, the learner playing both sides."""
    from gymnasium.vector import AutoresetMode

    from bgai.environments import BackgammonVectorEnv

    env = BackgammonVectorEnv(SIDE_BY_SIDE, None, autoreset_mode=AutoresetMode.SAME_STEP)
    _, info = env.reset(seed=1)

    def play(seed: int) -> tuple[int, int]:
        nonlocal info
        rng, games = np.random.default_rng(seed), 0
        for _ in range(BLOCK):
            counts = np.diff(info["offsets"])
            _, _, terminated, _, info = env.step((rng.random(SIDE_BY_SIDE) * counts).astype(np.int64))
            games += int(terminated.sum())
        return BLOCK * SIDE_BY_SIDE, games

    return play


def bgai_single() -> Count:
    """bgai's single environment, the learner playing both sides."""
    from bgai.environments import BackgammonEnv

    env = BackgammonEnv(None)

    def play(seed: int) -> tuple[int, int]:
        lots, turns, over = random.Random(seed), 0, False
        _, info = env.reset(seed=seed)
        while not over:
            _, _, over, _, info = env.step(np.int64(lots.randrange(len(info["afterstates"]))))
            turns += 1
        return turns, 1

    return play


def bgai_pettingzoo() -> Count:
    """bgai's environment for two learners."""
    from bgai.environments import backgammon_v0

    env = backgammon_v0.env()

    def play(seed: int) -> tuple[int, int]:
        lots, turns = random.Random(seed), 0
        env.reset(seed=seed)
        while True:
            _, _, over, _, info = env.last()
            if over:
                return turns, 1
            env.step(lots.randrange(len(info["afterstates"])))
            turns += 1

    return play


def openspiel() -> Count:
    """OpenSpiel from Python, its own states; gammons count."""
    import pyspiel

    game = pyspiel.load_game("backgammon(scoring_type=full_scoring)")

    def play(seed: int) -> tuple[int, int]:
        lots, turns = random.Random(seed), 0
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                turns += 1
                state.apply_action(lots.choices([what for what, _ in outcomes], [chance for _, chance in outcomes])[0])
            else:
                state.apply_action(lots.choice(state.legal_actions()))
        return turns, 1

    return play


def pgx_vector() -> Count:
    """pgx on the processor: games side by side, the loop over steps compiled too."""
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make("backgammon")
    step = jax.vmap(auto_reset(env.step, env.init))

    def one(carry: Any, key: Any) -> tuple[Any, Any]:
        state, turns, games = carry
        key_play, key_step = jax.random.split(key)
        logits = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)
        after = step(state, jax.random.categorical(key_play, logits), jax.random.split(key_step, SIDE_BY_SIDE))
        turns += ((after._turn != state._turn) | after.terminated).sum()
        return (after, turns, games + after.terminated.sum()), None

    @jax.jit
    def block(state: Any, key: Any) -> Any:
        zero = jnp.int32(0)
        return jax.lax.scan(one, (state, zero, zero), jax.random.split(key, BLOCK))[0]

    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(1), SIDE_BY_SIDE))

    def play(seed: int) -> tuple[int, int]:
        nonlocal state
        state, turns, games = block(state, jax.random.PRNGKey(seed))
        return int(turns), int(games)

    return play


SUBJECTS: dict[str, tuple[str, str, Callable[[], Count]]] = {
    "bgai-vector": (f"bgai, {SIDE_BY_SIDE} games in arrays", "bgai", bgai_vector),
    "bgai-single": ("bgai, one game", "bgai", bgai_single),
    "bgai-pettingzoo": ("bgai, one game, PettingZoo", "bgai", bgai_pettingzoo),
    "pgx": (f"pgx, {SIDE_BY_SIDE} games in arrays", "pgx", pgx_vector),
    "openspiel": ("OpenSpiel, one game", "open_spiel", openspiel),
}
"""By name: title, package, how it is made."""


def main() -> int:
    """Runs the command; returns its exit code."""
    _, package, make = SUBJECTS[sys.argv[1]]
    try:
        play = make()
    except ImportError as error:
        print(json.dumps({"missing": f"{package} is not installed for {sys.executable} ({error})"}), flush=True)
        return 0
    print(json.dumps({"version": importlib.metadata.version(package)}), flush=True)
    for line in sys.stdin:
        seed, seconds = int(line.split()[0]), float(line.split()[1])
        turns = games = 0
        begun = time.process_time()
        while (spent := time.process_time() - begun) < seconds:
            # Seeds of different lines are far apart, so no game is played twice.
            more_turns, more_games = play(seed)
            seed, turns, games = seed + 1, turns + more_turns, games + more_games
        print(json.dumps({"turns": turns, "games": games, "seconds": spent}), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
