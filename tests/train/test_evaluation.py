"""How a run is measured, and that there is something to measure."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from bgai_train import evaluation, keeping
from bgai_train.checkpoint import Progress
from bgai_train.config import EvaluateConfig
from bgai_train.evaluation import OPENING_ROLLS, measure, opening_equities, score
from bgai_train.learner import Learner
from bgai_train.log import read_log
from bgai_train.loop import start_run

from bgai.board import START
from bgai.duel import duellist, play_duel
from bgai.evaluator import TorchEvaluator
from bgai.model import Manifest, Model, load_model
from bgai.outcomes import equity
from bgai.player import NetPlayer
from bgai.plays import legal_plays
from tests.cases import case
from tests.networks import random_weights
from tests.train.recipes import tiny


def kept(folder: Path, seed: int) -> Model:
    Model(Manifest("kept", "points-1", [20]), random_weights([20], seed)).save(folder)
    return load_model(folder)


def test_the_opening_has_fifteen_rolls_each_worth_its_best_play(tmp_path: Path) -> None:
    evaluator = TorchEvaluator(kept(tmp_path, 1))
    found = opening_equities(NetPlayer(evaluator))
    assert len(OPENING_ROLLS) == len(found) == 15
    for first, second in OPENING_ROLLS:
        assert first > second
        successors = legal_plays(START, (first, second)).successors
        best = float(-equity(evaluator.evaluate(successors)).min())
        assert found[f"{first}{second}"] == pytest.approx(best, abs=1e-6)


def test_a_model_is_measured_as_it_lies_in_its_folder(tmp_path: Path) -> None:
    config = EvaluateConfig(games=40, opponents=["random", "heuristic"])
    kept(tmp_path, 1)
    first, _ = measure(tmp_path, config, threads=1)
    # When the files change, so does what is measured: nothing is remembered.
    kept(tmp_path, 2)
    second, _ = measure(tmp_path, config, threads=2)
    assert list(second) == ["random", "heuristic"]
    assert not np.array_equal(first["random"].points, second["random"].points)
    expected = play_duel(duellist(str(tmp_path)), duellist("heuristic"), 40, config.seed)
    assert np.array_equal(second["heuristic"].points, expected.points)
    assert score(second, config) == expected.mean


def test_the_best_checkpoint_is_chosen_by_a_score_recomputed_from_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[Path] = []

    def load_and_note(folder: Path) -> Model:
        read.append(folder)
        return load_model(folder)

    monkeypatch.setattr(evaluation, "load_model", load_and_note)
    config = tiny(selfplay={"games": 240}, evaluate={"every": 40, "games": 60})
    progress = start_run(config, tmp_path / "run")
    evaluations = read_log(tmp_path / "run", "evaluation")
    assert read == [tmp_path / "run" / "model"] * len(evaluations)
    scores = [entry["points"]["heuristic"] for entry in evaluations]
    assert len(set(scores)) > 2
    # Then: the score of the best is the highest of the log, and its files give it again.
    best = load_model(tmp_path / "run" / "best")
    assert progress.best_score == max(scores)
    assert best.manifest.games == evaluations[scores.index(max(scores))]["games"]
    duels, _ = measure(tmp_path / "run" / "best", config.evaluate, threads=1)
    assert score(duels, config.evaluate) == max(scores)


def test_a_model_that_is_not_better_does_not_become_the_best(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scores = iter([0.5, 0.5, 0.4, 0.6, -1.0])
    monkeypatch.setattr(keeping, "score", lambda duels, config: next(scores))
    config = tiny(selfplay={"games": 160, "warm_up": 0}, evaluate={"every": 32, "games": 2})
    assert start_run(config, tmp_path / "run") == Progress(
        games=160, updates=5, best_score=0.6, cpu_seconds=pytest.approx(1, abs=1000)
    )
    assert load_model(tmp_path / "run" / "best").manifest.games == 128
    assert load_model(tmp_path / "run" / "model").manifest.games == 160


def test_a_network_that_has_learnt_nothing_loses(tmp_path: Path) -> None:
    config = EvaluateConfig(games=400, opponents=["heuristic"])
    Model(Manifest("new", "points-1", [16]), Learner(tiny()).weights()).save(tmp_path)
    duels, _ = measure(tmp_path, config, threads=1)
    assert duels["heuristic"].wins < 0.3
    assert score(duels, config) < -1


def test_three_thousand_games_teach_a_small_network_to_beat_random(tmp_path: Path) -> None:
    reported = case("tr-10")
    config = tiny(
        network={"layers": [32]},
        selfplay={
            "games": reported["input"]["games"],
            "games_per_update": 64,
            "warm_up": 1000,
            "trace": [[0, 0.7], [3000, 0.3]],
        },
        optim={"lr": [[0, 0.01], [3000, 0.002]]},
        evaluate={"every": 3000, "games": 1000, "opponents": ["random"]},
        checkpoint={"every": 3000},
    )
    start_run(config, tmp_path / "run")
    result = play_duel(duellist(str(tmp_path / "run" / "best")), duellist(reported["input"]["opponent"]), 1000, 1)
    error = math.sqrt(result.wins * (1 - result.wins) / result.games)
    assert result.wins - 2 * error > reported["expected"]["win_rate_above"]
    losses = [entry["loss"] for entry in read_log(tmp_path / "run", "update")]
    assert np.mean(losses[-10:]) < np.mean(losses[:10]) - 0.1
