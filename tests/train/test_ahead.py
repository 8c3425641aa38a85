"""Games played while the network learns: by which weights, how many at most, and that a broken-off run goes on alike.

The reference plays and learns in turns, with a list of all weights that there ever were.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from bgai_train import ahead, loop
from bgai_train.ahead import games_now
from bgai_train.checkpoint import load_checkpoint
from bgai_train.config import TrainConfig
from bgai_train.learner import Learner
from bgai_train.log import read_log
from bgai_train.loop import resume_run, start_run
from bgai_train.selfplay import Playing, play

from bgai.errors import ConfigError
from bgai.model import load_model
from tests.train.recipes import assert_same_run, tiny
from tests.train.test_loop import crash_in


def recipe(updates: int, **keys: Any) -> TrainConfig:
    """Eight updates of 20 games, two of them in warm-up."""
    plays = {"games": 160, "games_per_update": 24, "warm_up": 6, "ahead": updates, **keys}
    return tiny(selfplay=plays, checkpoint={"every": 24})


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run with two updates ahead."""
    folder = tmp_path_factory.mktemp("ahead") / "run"
    start_run(recipe(2), folder)
    return folder


def test_each_update_is_played_by_the_weights_of_so_many_updates_before(undisturbed: Path) -> None:
    config = recipe(2)
    learner = Learner(config)
    versions, games, stale = [learner.net()], 0, []
    while games < config.selfplay.games:
        update, now = len(versions) - 1, games_now(config, games)
        played = play(versions[max(update - 2, 0)], config.selfplay, config.seed, games, now)
        learner.learn(played.boards, played.targets, games, np.random.default_rng([config.seed, update, 0]))
        stale.append(min(update, 2))
        games += now
        versions.append(learner.net())
    found = load_model(undisturbed / "model").weights
    assert all(np.array_equal(found[name], array) for name, array in learner.weights().items())
    log = read_log(undisturbed, "update")
    assert [entry["staleness"] for entry in log] == stale
    assert all(entry["waited_seconds"] >= 0 for entry in log)


def test_it_changes_what_is_learnt(undisturbed: Path, tmp_path: Path) -> None:
    start_run(recipe(1), tmp_path / "run")
    one, other = (load_model(folder / "model").weights for folder in (undisturbed, tmp_path / "run"))
    assert any(not np.array_equal(one[name], other[name]) for name in one)


def test_no_more_updates_are_played_than_were_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, waiting = 0, []

    class Counted(Playing):
        def __init__(self, *arguments: Any, ahead: bool) -> None:
            nonlocal begun
            begun += 1
            super().__init__(*arguments, ahead=ahead)

    learn = Learner.learn

    def counting(*arguments: Any) -> float:
        waiting.append(begun - len(waiting) - 1)
        return learn(*arguments)

    monkeypatch.setattr(ahead, "Playing", Counted)
    monkeypatch.setattr(Learner, "learn", counting)
    start_run(recipe(3), tmp_path / "run")
    assert begun == len(waiting)
    assert waiting[:4] == [3] * 4
    assert waiting[-4:] == [3, 2, 1, 0]
    assert max(waiting) == 3


def test_threads_change_nothing(undisturbed: Path, tmp_path: Path) -> None:
    start_run(recipe(2, threads=3), tmp_path / "run")
    one, other = (load_checkpoint(folder)[2] for folder in (undisturbed, tmp_path / "run"))
    assert all(np.array_equal(one[name], array) for name, array in other.items())


@pytest.mark.parametrize(
    ("owner", "name", "call", "after"),
    [
        (loop.GamesAhead, "next", 1, True),
        (loop.GamesAhead, "next", 5, False),
        (loop.Learner, "learn", 3, True),
        (loop, "keep", 2, True),
        (loop, "keep", 3, False),
    ],
)
def test_a_run_that_crashed_and_went_on_ends_like_one_that_did_not(
    undisturbed: Path, tmp_path: Path, owner: Any, name: str, call: int, after: bool
) -> None:
    with crash_in(owner, name, call, after):
        start_run(recipe(2), tmp_path / "run")
    resume_run(tmp_path / "run")
    assert_same_run(tmp_path / "run", undisturbed)


def test_what_nobody_learns_from_is_called_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    closed = []
    close = Playing.close
    monkeypatch.setattr(Playing, "close", lambda playing: closed.append(close(playing)))
    with crash_in(loop.Learner, "learn", 3):
        start_run(recipe(2), tmp_path / "run")
    assert len(closed) == 2


@pytest.mark.parametrize("updates", [-1, 101])
def test_how_far_ahead_has_limits(updates: int) -> None:
    with pytest.raises(ConfigError, match=rf"selfplay\.ahead is {updates}, expected 0 to 100"):
        recipe(updates)
