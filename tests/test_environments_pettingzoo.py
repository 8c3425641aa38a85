"""The environment for two learners: PettingZoo's own tests, and the same games as elsewhere."""

from __future__ import annotations

import importlib
import sys
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, render_test, seed_test

from bgai.board import START, flip
from bgai.environments import backgammon_v0
from bgai.errors import ConfigError, RuleError
from bgai.game import play_game
from bgai.kernels.baselines import heuristic_scores
from bgai.player import HeuristicPlayer

EXPECTED = (
    # PettingZoo keeps a list of its own environments with observations of several parts; others are warned of.
    "ignore:Observation space for each agent probably should be:UserWarning",
    "ignore:Observation is not a NumPy array:UserWarning",
    "ignore:Action mask numpy array is all zeros:UserWarning",
)
pettingzoos_own = pytest.mark.filterwarnings(*EXPECTED)


@pettingzoos_own
@pytest.mark.parametrize("options", [{}, {"encoder": "points-1"}, {"longest": 9}], ids=str)
def test_pettingzoos_test_of_the_interface(options: dict[str, Any]) -> None:
    api_test(backgammon_v0.env(**options), num_cycles=300)


def test_pettingzoos_test_of_seeds() -> None:
    seed_test(backgammon_v0.env, num_cycles=150)


def test_pettingzoos_test_of_rendering() -> None:
    # It makes one in the mode "human" first, which there is not, and then one in each mode that there is.
    render_test(lambda render_mode: backgammon_v0.env(render_mode="ansi"))
    with pytest.raises(ConfigError, match="found 'human'"):
        backgammon_v0.env(render_mode="human")


@pytest.mark.parametrize("seed", [1, 2, 8])
def test_games_and_rewards_are_those_of_the_library(seed: int) -> None:
    game = play_game(HeuristicPlayer(), HeuristicPlayer(), seed=seed)
    env = backgammon_v0.env()
    env.reset(seed=seed)
    for turn in game.turns:
        observation, _, over, _, info = env.last()
        assert not over
        assert env.agent_selection == f"player_{turn.seat}"
        assert np.array_equal(observation["observation"][:26], turn.board)
        assert observation["observation"][26:].tolist() == sorted(turn.dice, reverse=True)
        waiting = env.observe(f"player_{1 - turn.seat}")
        assert np.array_equal(waiting["observation"][:26], flip(turn.board))
        assert not waiting["observation"][26:].any()
        assert not waiting["action_mask"].any()
        env.step(int(np.argmax(heuristic_scores(np.ascontiguousarray(info["afterstates"])))))
    winner, loser = f"player_{game.winner}", f"player_{1 - game.winner}"
    assert env.rewards == {winner: game.points, loser: -game.points}
    assert env.terminations == {winner: True, loser: True}
    assert not any(env.truncations.values())


def test_an_illegal_action_says_what_is_legal() -> None:
    env = backgammon_v0.env()
    env.reset(seed=1, options={"board": START, "dice": (1, 3)})
    with pytest.raises(RuleError, match="action 16 is no legal play: 3-1 has 16 here, expected 0 to 15"):
        env.step(16)
    with pytest.raises(RuleError, match="whole number"):
        env.step(None)


def test_without_pettingzoo_it_says_what_to_type(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    with pytest.raises(ImportError, match=r"pip install 'bgai\[rl\]'"):
        importlib.reload(backgammon_v0)
