"""The learner: one step, its traces in the kernels' network, and a state that comes back exactly."""

from __future__ import annotations

import resource
from pathlib import Path

import numpy as np
import pytest
import torch
from bgai_train.checkpoint import FILE, Progress, load_checkpoint, save_checkpoint
from bgai_train.config import from_dict
from bgai_train.learner import Learner
from bgai_train.selfplay import play
from numpy.testing import assert_allclose

from bgai.board import START, Board
from bgai.errors import ConfigError, ModelError, TrainingError
from bgai.evaluator import KernelEvaluator, TorchEvaluator
from bgai.kernels.forward import evaluate
from bgai.model import Manifest, Model, load_model
from bgai.outcomes import Outcomes, possible
from tests.cases import case
from tests.positions import mixed_positions
from tests.train.recipes import tiny

CONFIG = tiny(network={"layers": [32, 8]})


@pytest.fixture(scope="module")
def lesson() -> tuple[Board, Outcomes]:
    """What twenty games of a new network teach."""
    experience = play(Learner(CONFIG).net(), CONFIG.selfplay, CONFIG.seed, 0, 20)
    return experience.boards, experience.targets


def learn(learner: Learner, lesson: tuple[Board, Outcomes], times: int = 1) -> float:
    """Learns the lesson some times; returns the last loss."""
    losses: list[float] = [learner.learn(*lesson, 0, np.random.default_rng(number)) for number in range(times)]
    return losses[-1]


def values(learner: Learner, boards: Board) -> Outcomes:
    """What the kernels think with the present weights."""
    outcomes = np.empty((len(boards), 5), dtype=np.float32)
    evaluate(learner.net(), boards, outcomes)
    return outcomes


def model_of(learner: Learner) -> Model:
    return Model(Manifest("tiny", CONFIG.network.encoder, CONFIG.network.layers), learner.weights())


def test_the_loss_is_cross_entropy_and_as_much_of_the_equity_as_asked_for(lesson: tuple[Board, Outcomes]) -> None:
    boards, targets = lesson[0][:8], np.random.default_rng(1).random((8, 5), dtype=np.float32)
    found = []
    for weight in (0.0, 3.0):
        fit = {"equity": weight, "batch": 8}
        learner = Learner(from_dict({"network": {"layers": [32, 8]}, "label": {"positions": 8}, "fit": fit}))
        with torch.no_grad():
            said = torch.sigmoid(learner.network(learner.network.inputs(boards))).numpy().astype(np.float64)
        found.append(learner.descend(boards, targets, [0.0], ""))
    entropy = -(targets * np.log(said) + (1 - targets) * np.log(1 - said)).mean()
    off = 2 * (said - targets)[:, 0] + (said - targets) @ [0, 1, 1, -1, -1]
    assert_allclose(found, [entropy, entropy + 3 * (off**2).mean()], rtol=1e-5)
    assert (off**2).mean() > 0.1


def test_what_units_cost_is_paid_and_not_told(lesson: tuple[Board, Outcomes]) -> None:
    found, weights = [], []
    for price in (0.0, 1.0):
        fit = {"sparse": price, "batch": 8}
        learner = Learner(from_dict({"network": {"layers": [32, 8]}, "label": {"positions": 8}, "fit": fit}))
        found.append(learner.descend(lesson[0][:8], lesson[1][:8], [0.001], ""))
        weights.append(learner.weights()["layers.0.bias"])
    assert found[0] == found[1]
    assert weights[1].mean() < weights[0].mean()


def test_a_step_changes_what_is_played_with_and_what_is_saved(lesson: tuple[Board, Outcomes], tmp_path: Path) -> None:
    reported = case("tr-01")["expected"]
    learner = Learner(CONFIG)
    before = values(learner, START[None])
    learn(learner, (lesson[0][:8], lesson[1][:8]))
    live = values(learner, START[None])
    assert reported["value_changed_after_step"] == (not np.array_equal(live, before))
    # When the weights are saved and read into new objects, they say what the live network says.
    model_of(learner).save(tmp_path)
    for evaluator in (KernelEvaluator(load_model(tmp_path)), TorchEvaluator(load_model(tmp_path))):
        assert_allclose(evaluator.evaluate(START[None]), live, atol=reported["tolerance"])


def test_the_kernels_network_is_the_learning_one(lesson: tuple[Board, Outcomes]) -> None:
    learner = Learner(CONFIG)
    boards, _ = mixed_positions(1000, seed=9)
    for _ in range(2):
        learn(learner, lesson)
        expected = possible(boards, learner.network.chances(boards))
        assert_allclose(values(learner, boards), expected, atol=1e-5)


def test_weights_taken_before_a_step_stay_as_they_were(lesson: tuple[Board, Outcomes]) -> None:
    learner = Learner(CONFIG)
    learn(learner, lesson)
    taken = learner.state()
    bits = {name: array.tobytes() for name, array in taken.items()}
    learn(learner, lesson)
    assert bits == {name: array.tobytes() for name, array in taken.items()}


def test_the_loss_falls_when_a_lesson_is_repeated(lesson: tuple[Board, Outcomes]) -> None:
    # No network can bring it below the entropy of the targets.
    chances = np.clip(lesson[1].astype(np.float64), 1e-12, 1 - 1e-12)
    least = -(chances * np.log(chances) + (1 - chances) * np.log(1 - chances)).mean()
    learner = Learner(CONFIG)
    first = learn(learner, lesson)
    last = learn(learner, lesson, 30)
    assert least < last < least + (first - least) / 4


def test_a_target_is_learnt_as_the_chance_of_each_output() -> None:
    # Given: two positions, with targets of their own for each of the five outputs.
    boards, _ = mixed_positions(3, seed=1)
    targets = np.array([[0.8, 0.4, 0.1, 0.15, 0.05], [0.3, 0.2, 0.02, 0.6, 0.3], [0.5, 0.0, 0.0, 0.0, 0.0]])
    learner = Learner(tiny(optim={"lr": 0.02}))
    learn(learner, (boards, targets.astype(np.float32)), 300)
    assert_allclose(learner.network.chances(boards), targets, atol=0.02)


def test_the_same_seed_gives_the_same_first_network_and_another_one_another() -> None:
    first, again, other = (Learner(tiny(seed=seed)).state() for seed in (1, 1, 2))
    assert all(np.array_equal(first[name], again[name]) for name in first)
    assert not np.array_equal(first["network.layers.0.weight"], other["network.layers.0.weight"])


@pytest.mark.parametrize("precision", ["float32", "bfloat16"])
def test_a_restored_learner_goes_on_bit_by_bit(lesson: tuple[Board, Outcomes], precision: str, tmp_path: Path) -> None:
    config = tiny(network={"layers": [32, 8]}, optim={"precision": precision})
    learner = Learner(config)
    learn(learner, lesson, 3)
    state = learner.state()
    save_checkpoint(tmp_path, Progress(games=20), {}, state)
    restored = Learner(config)
    restored.restore(load_checkpoint(tmp_path)[2])
    for one in (learner, restored):
        learn(one, lesson, 2)
    expected, found = learner.state(), restored.state()
    assert expected.keys() == found.keys()
    for name, array in expected.items():
        assert found[name].shape == array.shape
        assert found[name].tobytes() == array.tobytes(), name


def test_a_state_does_not_grow(lesson: tuple[Board, Outcomes], tmp_path: Path) -> None:
    learner = Learner(CONFIG)
    sizes = []
    for _ in range(3):
        learn(learner, lesson)
        save_checkpoint(tmp_path, Progress(), {}, learner.state())
        sizes.append((len(learner.state()), (tmp_path / FILE).stat().st_size))
    assert len(set(sizes)) == 1
    assert case("tr-10")["expected"]["checkpoint_size_constant_is_ok"]


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="this system does not tell its memory there")
@pytest.mark.parametrize("precision", ["float32", "bfloat16"])
def test_memory_does_not_grow_with_the_sizes_of_the_lessons(lesson: tuple[Board, Outcomes], precision: str) -> None:
    def pages() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1])

    learner = Learner(tiny(network={"layers": [32, 8]}, optim={"precision": precision}))
    learn(learner, lesson)
    before = pages()
    for size in range(257, 317):
        learn(learner, (lesson[0][:size], lesson[1][:size]))
    assert (pages() - before) * resource.getpagesize() < 50e6


def test_bfloat16_learns_nearly_the_same_and_keeps_its_weights_in_float32(lesson: tuple[Board, Outcomes]) -> None:
    exact, short = Learner(CONFIG), Learner(tiny(network={"layers": [32, 8]}, optim={"precision": "bfloat16"}))
    assert learn(short, lesson, 5) == pytest.approx(learn(exact, lesson, 5), abs=0.01)
    for name, array in short.state().items():
        assert array.dtype == np.float32
        assert np.isfinite(array).all()
        if name.endswith("weight") and name.startswith("network"):
            assert not np.array_equal(array, exact.state()[name])


def test_the_rate_follows_the_schedule_and_the_first_layer_learns_faster(lesson: tuple[Board, Outcomes]) -> None:
    learner = Learner(tiny(optim={"lr": [[0, 0.01], [100, 0.0]], "first_layer": 3.0}))
    learner.learn(*lesson, 50, np.random.default_rng(1))
    assert [group["lr"] for group in learner.optimiser.param_groups] == pytest.approx([0.015, 0.005])
    before = learner.state()
    learner.learn(*lesson, 100, np.random.default_rng(1))
    after = learner.state()
    assert all(np.array_equal(after[name], before[name]) for name in before if name.startswith("network."))


@pytest.mark.parametrize("batch", [64, 100_000], ids=["many steps", "one step"])
@pytest.mark.parametrize("rate", [1e6, float("inf")])
def test_an_exploding_loss_is_told_at_once(lesson: tuple[Board, Outcomes], rate: float, batch: int) -> None:
    learner = Learner(tiny(optim={"lr": rate, "batch": batch}))
    with pytest.raises(TrainingError, match=r"after 0 games.*lower optim\.lr"):
        learn(learner, lesson)


def test_a_target_that_is_no_number_is_told(lesson: tuple[Board, Outcomes]) -> None:
    boards, targets = lesson[0], lesson[1].copy()
    targets[5, 2] = np.nan
    with pytest.raises(TrainingError, match="the loss is nan"):
        learn(Learner(CONFIG), (boards, targets))


def test_nothing_to_learn_from_is_told(lesson: tuple[Board, Outcomes]) -> None:
    with pytest.raises(TrainingError, match="no position to learn from"):
        learn(Learner(CONFIG), (lesson[0][:0], lesson[1][:0]))


def test_a_run_can_start_from_a_kept_network(lesson: tuple[Board, Outcomes], tmp_path: Path) -> None:
    parent = Learner(CONFIG)
    learn(parent, lesson)
    model_of(parent).save(tmp_path)
    child = Learner(tiny(network={"layers": [32, 8], "start": str(tmp_path)}))
    assert all(np.array_equal(child.weights()[name], array) for name, array in parent.weights().items())
    with pytest.raises(
        ConfigError, match=r"layers \[32, 8\], the configuration asks for points-1 and \[16\]: a network can grow"
    ):
        Learner(tiny(network={"start": str(tmp_path)}))
    with pytest.raises(ModelError, match="unknown model 'nobody'"):
        Learner(tiny(network={"start": "nobody"}))
