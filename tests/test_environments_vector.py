"""Many games at once are as many single ones."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from bgai.board import START
from bgai.environments import ID, MOST_PLAYS, BackgammonEnv, BackgammonVectorEnv
from bgai.errors import ConfigError, DiceError, RuleError

N = 4
STEPS = 75
Seen = dict[str, Any]


def assert_same(observations: Seen, info: dict[str, Any], singles: list[tuple[Seen, dict[str, Any]]]) -> None:
    for number, (observation, own) in enumerate(singles):
        for name in ("observation", "action_mask"):
            assert np.array_equal(observations[name][number], observation[name])
        begin, end = info["offsets"][number : number + 2]
        assert np.array_equal(info["afterstates"][begin:end], own["afterstates"])


def lots(info: dict[str, Any], rng: np.random.Generator) -> Any:
    """Legal actions drawn by lot; 0 where a game is over."""
    return (rng.random(len(info["offsets"]) - 1) * np.diff(info["offsets"])).astype(np.int64)


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
@pytest.mark.parametrize("options", [{}, {"opponent": None, "longest": 40}, {"opponent": "heuristic"}], ids=str)
def test_step_for_step_as_single_environments(options: dict[str, Any], mode: AutoresetMode) -> None:
    vector = BackgammonVectorEnv(N, **options, autoreset_mode=mode)
    singles = [BackgammonEnv(**options) for _ in range(N)]
    observations, info = vector.reset(seed=11)
    now = [single.reset(seed=11 + number) for number, single in enumerate(singles)]
    assert_same(observations, info, now)
    ended = [False] * N
    ends = 0
    rng = np.random.default_rng(1)
    for _ in range(STEPS):
        actions = lots(info, rng)
        observations, rewards, terminated, truncated, info = vector.step(actions)
        for number, single in enumerate(singles):
            if ended[number] and mode == AutoresetMode.NEXT_STEP:
                now[number], reward, over, cut = single.reset(), 0.0, False, False
            else:
                observation, reward, over, cut, own = single.step(actions[number])
                now[number] = observation, own
            ended[number] = over or cut
            ends += ended[number]
            assert (rewards[number], terminated[number], truncated[number]) == (reward, over, cut)
            if ended[number] and mode == AutoresetMode.SAME_STEP:
                last = info["final_obs"][number]
                assert info["_final_obs"][number]
                assert all(np.array_equal(last[name], now[number][0][name]) for name in last)
                now[number] = single.reset()
        assert observations in vector.observation_space
        assert_same(observations, info, now)
    assert ends > 1


def test_seeds_can_be_given_one_by_one() -> None:
    vector = BackgammonVectorEnv(3, None)
    observations, _ = vector.reset(seed=[4, None, 6])
    for number, seed in ((0, 4), (2, 6)):
        assert np.array_equal(
            observations["observation"][number], BackgammonEnv(None).reset(seed=seed)[0]["observation"]
        )
    with pytest.raises(ConfigError, match="a seed for each of 3 games, found 2"):
        vector.reset(seed=[1, 2])


def test_a_seed_may_be_a_number_of_numpy() -> None:
    vector = BackgammonVectorEnv(2, None)
    found, _ = vector.reset(seed=np.int64(3))
    assert np.array_equal(found["observation"], BackgammonVectorEnv(2, None).reset(seed=3)[0]["observation"])
    assert np.array_equal(found["observation"], vector.reset(seed=list(np.array([3, 4])))[0]["observation"])


def test_games_that_go_on_keep_their_seeds() -> None:
    vector, other = BackgammonVectorEnv(2, None), BackgammonVectorEnv(2, None)
    vector.reset(seed=1)
    other.reset(seed=1)
    found, _ = vector.reset(seed=50, options={"reset_mask": np.array([True, False])})
    assert np.array_equal(found["observation"][0], BackgammonEnv(None).reset(seed=50)[0]["observation"])
    last = np.array([False, True])
    for _ in range(5):
        found, _ = vector.reset(options={"reset_mask": last})
        expected, _ = other.reset(options={"reset_mask": last})
        assert np.array_equal(found["observation"][1], expected["observation"][1])


def test_all_can_begin_at_a_position() -> None:
    vector = BackgammonVectorEnv(2, None, autoreset_mode="Disabled")
    board = START.copy()
    board[6], board[5] = 4, 1
    found, _ = vector.reset(seed=1, options={"board": board, "dice": (1, 3)})
    assert found["observation"].tolist() == [[*board.tolist(), 3, 1]] * 2
    found, _ = vector.reset(options={"reset_mask": np.array([False, True]), "board": START, "dice": (6, 5)})
    assert found["observation"].tolist() == [[*board.tolist(), 3, 1], [*START.tolist(), 6, 5]]
    with pytest.raises(DiceError, match="found 7"):
        vector.reset(options={"board": START, "dice": (7, 1)})


def test_games_that_are_not_begun_again_by_themselves() -> None:
    vector = BackgammonVectorEnv(2, None, longest=2, autoreset_mode="Disabled")
    vector.reset(seed=1)
    vector.step([0, 0])
    *_, truncated, _ = vector.step([0, 0])
    assert truncated.all()
    with pytest.raises(RuleError, match=r"^game 0 is over: a reset comes first"):
        vector.step([0, 0])
    observations, info = vector.reset(options={"reset_mask": np.array([False, True])})
    assert np.diff(info["offsets"]).tolist()[0] == 0
    assert observations["action_mask"].any(axis=1).tolist() == [False, True]
    with pytest.raises(ConfigError, match=r"reset_mask is bool\[2\], found int64\[2\]"):
        vector.reset(options={"reset_mask": np.array([0, 1])})


def test_an_illegal_action_says_where() -> None:
    vector = BackgammonVectorEnv(2)
    _, info = vector.reset(seed=1)
    count = int(np.diff(info["offsets"])[1])
    with pytest.raises(RuleError, match=rf"action {MOST_PLAYS} is no legal play in game 1: .* 0 to {count - 1}$"):
        vector.step([0, MOST_PLAYS])
    with pytest.raises(ConfigError, match=r"expected 2 actions, found an array of shape \[3\]"):
        vector.step([0, 0, 0])
    with pytest.raises(ConfigError, match="number of games is at least 1, found 0"):
        BackgammonVectorEnv(0)


def test_gymnasium_makes_it_by_name() -> None:
    made = gymnasium.make_vec(ID, num_envs=3, opponent=None, encoder="points-1")
    assert isinstance(made, BackgammonVectorEnv)
    assert made.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP
    observations, _ = made.reset(seed=1)
    assert observations in made.observation_space
    made.close()
