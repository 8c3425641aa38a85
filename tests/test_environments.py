"""The environment of one game: Gymnasium's own checks, and the rules that it plays by."""

from __future__ import annotations

import doctest
import importlib
import re
import sys
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from numpy.typing import NDArray

import bgai.environments
from bgai.board import START, Board
from bgai.dice import opening_roll, roll
from bgai.environments import ID, MOST_PLAYS, BackgammonEnv
from bgai.environments.rolls import rolls
from bgai.errors import ConfigError, DiceError, InputError, ModelError, PositionError, RuleError
from bgai.features import encoder
from bgai.kernels.baselines import heuristic_scores
from bgai.level_duel import level_duellist, play_pairs
from bgai.plays import PlaysBatch, legal_plays
from bgai.position import Position

DOCS = Path(__file__).parents[1] / "docs" / "environments.md"


def board_of(**points: int) -> Board:
    """A board from counts by place, such as `p6=2, p19=-3`."""
    board = np.zeros(26, dtype=np.int8)
    for name, count in points.items():
        board[int(name[1:])] = count
    return board


def heuristic(afterstates: Board) -> np.int64:
    """The play that `heuristic` would choose."""
    return np.argmax(heuristic_scores(np.ascontiguousarray(afterstates)))


class First:
    """A player of one's own: always the first play; it notes how it was asked."""

    name = "first"
    together = 1

    def __init__(self) -> None:
        self.asked: list[Position] = []

    def choose(self, positions: list[Position], plays: PlaysBatch, lots: NDArray[np.uint64]) -> NDArray[np.int64]:
        self.asked += positions
        return plays.offsets[:-1]


@pytest.mark.parametrize(
    "options",
    [{}, {"opponent": None}, {"opponent": "heuristic", "encoder": "points-1"}, {"render_mode": "ansi"}],
    ids=str,
)
def test_gymnasiums_own_checks(options: dict[str, Any]) -> None:
    check_env(gymnasium.make(ID, **options).unwrapped)


@pytest.mark.parametrize("seed", [0, 1, 2**64 - 1])
def test_dice_are_those_of_their_addresses(seed: int) -> None:
    games = np.repeat(np.arange(20), 3)
    turns = np.tile([0, 1, 77], 20)
    expected = [
        opening_roll(seed, game) if turn == 0 else tuple(roll(seed, game, turn)[0])
        for game, turn in zip(games, turns, strict=True)
    ]
    assert rolls(np.full(60, seed, dtype=np.uint64), games, turns).tolist() == [list(dice) for dice in expected]


def test_legal_actions_are_the_legal_plays_in_their_order() -> None:
    env = BackgammonEnv(None)
    observation, info = env.reset(seed=3)
    env.action_space.seed(3)
    turns, over = 0, False
    while not over:
        board, dice = observation["observation"][:26], observation["observation"][26:].tolist()
        plays = legal_plays(board, (dice[0], dice[1]))
        assert np.array_equal(info["afterstates"], plays.successors)
        assert np.array_equal(env.plays.steps, plays.steps)
        assert np.array_equal(observation["action_mask"], np.arange(MOST_PLAYS) < len(plays))
        action = env.action_space.sample()
        assert action < len(plays)
        observation, reward, over, truncated, info = env.step(action)
        assert np.array_equal(observation["observation"][:26], plays.successors[action])
        assert not truncated
        turns += 1
    assert turns > 20
    assert reward in (1, 2, 3)
    assert not observation["observation"][26:].any()
    assert not observation["action_mask"].any()
    assert len(info["afterstates"]) == len(env.plays) == 0


@pytest.mark.parametrize("opponent", ["random", "heuristic", "a network"])
def test_games_are_those_of_a_duel(opponent: str, model: Path) -> None:
    """The same dice, the same seats, the same lots, whoever plays."""
    name = str(model) if opponent == "a network" else opponent
    env = BackgammonEnv(name)
    expected, _ = play_pairs(level_duellist("heuristic"), level_duellist(name), seed=5, begin=0, count=4)
    found = []
    for game in range(4):
        _, info = env.reset(seed=5 if game == 0 else None)
        reward, over = 0.0, False
        while not over:
            assert reward == 0
            _, reward, over, _, info = env.step(heuristic(info["afterstates"]))
        found.append(reward)
    assert found == expected[:, 0].tolist()
    assert len(set(found)) > 1


def test_a_game_without_a_seed_is_another_one_each_time() -> None:
    first, second = (BackgammonEnv("heuristic").reset()[0]["observation"].tolist() for _ in range(2))
    env = BackgammonEnv(None)
    openings = {tuple(env.reset()[0]["observation"].tolist()) for _ in range(20)}
    assert len(openings | {tuple(first), tuple(second)}) > 5


@pytest.mark.parametrize(
    ("board", "dice", "points"),
    [
        (board_of(p1=1, p20=-14), (6, 5), 1),
        (board_of(p1=1, p20=-15), (6, 5), 2),
        (board_of(p1=1, p6=-1, p20=-14), (6, 5), 3),
        (board_of(p1=1, p0=-1, p20=-14), (6, 5), 3),
    ],
    ids=["single", "gammon", "backgammon in the home board", "backgammon on the bar"],
)
def test_a_win_is_worth_its_points(board: Board, dice: tuple[int, int], points: int) -> None:
    for opponent in (None, "random"):
        env = BackgammonEnv(opponent)
        env.reset(seed=1, options={"board": board, "dice": dice})
        observation, reward, terminated, truncated, _ = env.step(np.int64(0))
        assert (reward, terminated, truncated) == (points, True, False)
        # Seen by the learner; in games against itself by the side that would be on roll.
        left = observation["observation"][:26]
        assert (left.max() == 0) == (opponent is not None)


@pytest.mark.parametrize(
    ("board", "points"),
    [
        (board_of(p20=14, p24=-1), -1),
        (board_of(p18=15, p24=-1), -2),
        (board_of(p18=14, p19=1, p24=-1), -3),
    ],
    ids=["single", "gammon", "backgammon"],
)
def test_a_loss_costs_its_points(board: Board, points: int) -> None:
    """The opponent has one checker on its ace point, which any roll bears off."""
    env = BackgammonEnv("random")
    _, info = env.reset(seed=1, options={"board": board, "dice": (2, 1)})
    # A checker in the opponent's home board stays there: its 6-point is place 6 after the play.
    stay = np.argmax(info["afterstates"][:, 6] < 0)
    observation, reward, terminated, _, _ = env.step(stay)
    assert (reward, terminated) == (points, True)
    assert observation["observation"][:26].max() > 0


def test_a_turn_without_a_legal_play_has_one_action() -> None:
    closed = board_of(p25=1, p6=14, p24=-2, p23=-2, p22=-2, p21=-2, p20=-2, p19=-2, p18=-3)
    env = BackgammonEnv(None)
    observation, _ = env.reset(seed=1, options={"board": closed, "dice": (6, 5)})
    assert observation["action_mask"].sum() == 1
    assert env.plays.must_pass
    observation, reward, *_ = env.step(np.int64(0))
    assert reward == 0
    assert np.array_equal(observation["observation"][:26], -closed[::-1])


def test_a_player_of_ones_own_is_asked_about_its_own_positions() -> None:
    opponent = First()
    env = BackgammonEnv(opponent)
    _, info = env.reset(seed=2)
    (after,) = info["afterstates"][:1]
    before = len(opponent.asked)
    env.step(np.int64(0))
    assert len(opponent.asked) == before + 1
    assert np.array_equal(opponent.asked[-1].board, after)
    assert opponent.asked[-1].dice is not None


def test_the_inputs_of_a_network_can_be_observed() -> None:
    plain, shown = BackgammonEnv(None).reset(seed=4)[0], BackgammonEnv(None, encoder="points-1").reset(seed=4)[0]
    board, dice = plain["observation"][:26], plain["observation"][26:]
    assert np.array_equal(shown["observation"][:-2], encoder("points-1").encode(board[None])[0])
    assert np.array_equal(shown["observation"][-2:], dice)


def test_a_long_game_is_truncated() -> None:
    env = BackgammonEnv(None, longest=3)
    env.reset(seed=1)
    ends = [env.step(np.int64(0))[1:4] for _ in range(3)]
    assert ends == [(0, False, False), (0, False, False), (0, False, True)]
    with pytest.raises(ConfigError, match="at least 2 turns, found 1"):
        BackgammonEnv(None, longest=1)


@pytest.mark.parametrize("action", [-1, 18, MOST_PLAYS])
def test_an_illegal_action_says_what_is_legal(action: int) -> None:
    env = BackgammonEnv()
    env.reset(seed=1)
    before = env.plays
    with pytest.raises(RuleError, match=rf"^action {action} is no legal play: 4-3 has 18 here, expected 0 to 17$"):
        env.step(np.int64(action))
    assert env.plays is not None
    assert np.array_equal(before.successors, env.plays.successors)


@pytest.mark.parametrize("action", [1.5, True, "8/5", None, [0, 1]])
def test_what_is_no_number_is_no_action(action: Any) -> None:
    env = BackgammonEnv()
    env.reset(seed=1)
    with pytest.raises(RuleError, match="whole number"):
        env.step(action)


def test_a_step_needs_a_game() -> None:
    env = BackgammonEnv(None, longest=2)
    with pytest.raises(RuleError, match="a reset comes first"):
        env.step(np.int64(0))
    env.reset(seed=1)
    env.step(np.int64(0))
    env.step(np.int64(0))
    with pytest.raises(RuleError, match="the game is over: a reset comes first"):
        env.step(np.int64(0))


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"board": START[:25]}, PositionError, "26 numbers"),
        ({"board": board_of(p6=2)}, PositionError, r"the game is over in this position \(-1 points\)"),
        ({"board": START, "dice": (7, 1)}, DiceError, "found 7"),
    ],
)
def test_what_is_no_position_is_refused(options: dict[str, Any], error: type[InputError], message: str) -> None:
    with pytest.raises(error, match=message):
        BackgammonEnv().reset(seed=1, options=options)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"opponent": "nobody"}, InputError, "unknown player 'nobody'"),
        ({"encoder": "none"}, ModelError, "unknown encoder 'none'"),
        ({"render_mode": "human"}, ConfigError, "'ansi' or None, found 'human'"),
    ],
)
def test_unknown_names_are_refused(options: dict[str, Any], error: type[InputError], message: str) -> None:
    with pytest.raises(error, match=message):
        BackgammonEnv(**options)


def test_the_drawing_shows_the_roll_and_who_is_on_it() -> None:
    env = BackgammonEnv("heuristic", render_mode="ansi")
    env.reset(seed=1, options={"board": START, "dice": (1, 3)})
    drawn = str(env.render())
    assert "X to play 3-1" in drawn
    assert "O heuristic: 167 pips" in drawn
    assert "X learner: 167 pips" in drawn
    own = BackgammonEnv(None, render_mode="ansi")
    own.reset(seed=1, options={"board": START})
    assert "X player_0" in str(own.render())
    own.step(np.int64(0))
    assert "X player_1" in str(own.render())
    assert BackgammonEnv().render() is None


def test_without_gymnasium_it_says_what_to_type(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gymnasium", None)
    with pytest.raises(ImportError, match=r"pip install 'bgai\[rl\]'"):
        importlib.reload(bgai.environments)


def test_the_example_of_the_module() -> None:
    outcome = doctest.testmod(bgai.environments)
    assert outcome.attempted > 5
    assert outcome.failed == 0


def test_the_session_of_the_documentation() -> None:
    outcome = doctest.testfile(str(DOCS), module_relative=False)
    assert outcome.attempted > 5
    assert outcome.failed == 0


def test_the_learner_of_the_documentation_learns() -> None:
    (program,) = re.findall(r'^```python\n(""".*?)```', DOCS.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert len(program.splitlines()) <= 60
    names: dict[str, Any] = {"__name__": "example"}
    exec(compile(program, str(DOCS), "exec"), names)
    names["GAMES"] = 32
    nothing = np.zeros(names["inputs"].inputs, dtype=np.float32)
    # Always the first play, which moves from the back, is no bad rule against a player by lot.
    assert names["play"](nothing, "random", games=200) < 1.0
    assert names["play"](names["learn"](steps=2000, rate=0.08), "random", games=200) > 2.0
