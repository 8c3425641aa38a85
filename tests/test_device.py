"""Networks elsewhere than on the CPU: the same inputs, names of devices, a clear word where there is none.

Where there is no GPU, what needs one is skipped, and PyTorch's `meta` device, which computes shapes only, shows that
nothing stays behind on the CPU.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from bgai_train.config import from_dict
from numpy.testing import assert_allclose

from bgai.board import START, Board, flip
from bgai.errors import ConfigError, InputError
from bgai.evaluator import KernelEvaluator, TorchEvaluator
from bgai.features import encoder
from bgai.model import Manifest, Model
from tests.cli import START_ID, Command
from tests.networks import random_weights
from tests.positions import mixed_positions
from tests.train.recipes import tiny, write_recipe

torch = pytest.importorskip("torch")

from bgai_train.learner import Learner  # noqa: E402 - needs torch
from bgai_train.processes import Processes, joined  # noqa: E402

from bgai import network  # noqa: E402
from bgai.network import CPU, ValueNetwork, choose_device  # noqa: E402

LAYERS = [20, 8]
MODEL = Model(Manifest("elsewhere", "points-1", LAYERS), random_weights(LAYERS, seed=5))
NO_CUDA = "no CUDA device here"

needs_cuda = pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device here")
without_cuda = pytest.mark.skipif(torch.cuda.is_available(), reason="there is a CUDA device here")


@pytest.fixture(scope="module")
def positions() -> Board:
    """From all phases, with all checkers on one place, on the bar or off."""
    alone = np.zeros((26, 26), dtype=np.int8)
    np.fill_diagonal(alone[1:, 1:], 15)
    return np.concatenate([mixed_positions(1000, seed=6)[0], alone, flip(alone), START[None]])


def silent(line: str) -> None:
    raise AssertionError(f"said {line!r}")


# -------------------------------------------------------------------- what goes in


def test_the_inputs_made_elsewhere_are_the_kernels_bit_by_bit(positions: Board) -> None:
    points = ValueNetwork(encoder("points-1"), LAYERS)
    expected = encoder("points-1").encode(positions)
    found = points.encode(torch.tensor(positions)).numpy()
    assert (found.dtype, found.shape) == (np.float32, expected.shape)
    assert found.tobytes() == expected.tobytes()
    assert len(np.unique(expected)) > 5


def test_what_inputs_are_looked_up_in_is_no_weight_and_goes_where_the_network_goes(positions: Board) -> None:
    elsewhere = ValueNetwork(encoder("points-1"), LAYERS).to("meta")
    assert set(elsewhere.state_dict()) == set(MODEL.weights)
    inputs = elsewhere.inputs(positions)
    assert (inputs.device.type, inputs.shape) == ("meta", (len(positions), encoder("points-1").inputs))
    assert elsewhere(inputs).device.type == "meta"


def test_an_evaluator_says_the_same_with_such_inputs_and_in_parts(
    positions: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    evaluator = TorchEvaluator(MODEL)
    expected = evaluator.evaluate(positions)
    monkeypatch.setattr(evaluator.network, "inputs", lambda boards: evaluator.network.encode(torch.tensor(boards)))
    assert np.array_equal(evaluator.evaluate(positions), expected)
    monkeypatch.setattr(network, "TOGETHER", 100)
    assert_allclose(evaluator.evaluate(positions), expected, atol=1e-6)


# -------------------------------------------------------------------- names


@pytest.mark.parametrize("name", ["gpu", "", "cuda:", "cuda:x", "CPU", "cpu:0", "cuda:-1"])
def test_an_unknown_device_is_told(name: str) -> None:
    with pytest.raises(InputError, match=r"unknown device .*, expected auto, cpu, cuda, cuda:N or mps"):
        choose_device(name, silent)


@without_cuda
@pytest.mark.parametrize("name", ["cuda", "cuda:1"])
def test_a_device_that_is_not_there_is_told_in_a_line_and_the_cpu_serves(name: str) -> None:
    told: list[str] = []
    assert choose_device(name, told.append) == CPU
    (line,) = told
    assert line.startswith(f"{NO_CUDA} (PyTorch {torch.__version__} ")
    assert line.endswith("): going on with the CPU")
    with pytest.warns(UserWarning, match=NO_CUDA):
        assert TorchEvaluator(MODEL, name).network.device == CPU


def test_auto_takes_what_is_there_without_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    for cuda, mps, expected in ((True, True, "cuda"), (False, True, "mps"), (False, False, "cpu")):
        monkeypatch.setattr(torch.cuda, "is_available", lambda there=cuda: there)
        monkeypatch.setattr(torch.backends.mps, "is_available", lambda there=mps: there)
        assert choose_device("auto", silent) == torch.device(expected)
        assert choose_device("cpu", silent) == CPU


def test_a_number_beyond_the_devices_and_a_device_for_several_processes_are_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    assert choose_device("cuda:1", silent) == torch.device("cuda", 1)
    with pytest.raises(InputError, match="no device cuda:2, expected cuda:0 to cuda:1"):
        choose_device("cuda:2", silent)
    for name, value in (("RANK", "2"), ("LOCAL_RANK", "2"), ("WORLD_SIZE", "3")):
        monkeypatch.setenv(name, value)
    for device, told in (
        ("cuda:1", "each process needs a device of its own, found --device cuda:1"),
        ("cuda", "2 CUDA devices here, found a process number 3"),
    ):
        with pytest.raises(ConfigError, match=told), joined(device, silent):
            pass


# -------------------------------------------------------------------- the commands


def test_many_positions_can_be_valued_on_a_device(bgai_command: Command, model: Path, tmp_path: Path) -> None:
    file = tmp_path / "positions.txt"
    file.write_text(f"{START_ID}\n4HPwATDgc/ABMA\n", "utf-8")
    asked = ["eval", "--file", str(file), "--model", str(model)]
    # The kernels round the weights.
    expected, found = (
        [float(line.split()[1]) for line in bgai_command.good(*asked, *more).splitlines()]
        for more in ([], ["--device", "cpu"])
    )
    assert len(found) == 2
    assert_allclose(found, expected, atol=0.02)


@without_cuda
def test_a_command_says_that_there_is_no_device_and_goes_on(bgai_command: Command, model: Path) -> None:
    asked = ["eval", START_ID, "--json", "--model", str(model), "--device"]
    outcome = bgai_command(*asked, "cuda")
    assert outcome.code == 0
    assert outcome.err.startswith(f"bgai eval: {NO_CUDA}")
    assert outcome.err.count("\n") == 1
    assert outcome.out == bgai_command.good(*asked, "cpu")


def test_a_device_that_cannot_be_is_bad_input(bgai_command: Command, model: Path, tmp_path: Path) -> None:
    asked = ["eval", START_ID, "--model", str(model), "--device"]
    assert "unknown device 'gpu'" in bgai_command.bad(*asked, "gpu")
    assert "at 0-ply; found 1-ply" in bgai_command.bad(*asked, "cpu", "--plies", "1")
    assert "at 0-ply; found beginner" in bgai_command.bad(*asked, "cpu", "--level", "beginner")
    out = tmp_path / "run"
    assert "unknown device 'gpu'" in bgai_command.bad("train", write_recipe(tmp_path), "--out", out, "--device", "gpu")
    assert not out.exists()


# -------------------------------------------------------------------- learning


def test_everything_of_a_step_is_on_the_device() -> None:
    recipe = {"network": {"layers": LAYERS}, "label": {"positions": 4}, "fit": {"batch": 4, "equity": 5, "sparse": 0.1}}
    learner = Learner(from_dict(recipe), Processes(torch.device("meta")))
    loss, price = learner._loss(np.tile(START, (4, 1)), np.zeros((4, 5), dtype=np.float32))
    (loss + price).backward()
    assert {loss.device.type, price.device.type} == {"meta"}
    for parameter in learner.network.parameters():
        assert parameter.grad is not None
        assert {parameter.device.type, parameter.grad.device.type} == {"meta"}


@needs_cuda
@pytest.mark.parametrize("precision", ["float32", "bfloat16"])
def test_a_gpu_learns_what_the_cpu_learns_and_each_goes_on_with_what_the_other_has(
    positions: Board, precision: str
) -> None:
    config = tiny(network={"layers": LAYERS}, optim={"precision": precision})
    targets = np.random.default_rng(1).random((len(positions), 5), dtype=np.float32)
    here, there = Learner(config), Learner(config, Processes(torch.device("cuda")))
    for first, second in ((here, there), (there, here)):
        losses = [one.learn(positions, targets, 0, np.random.default_rng(1)) for one in (first, second)]
        assert losses[0] == pytest.approx(losses[1], abs=1e-4 if precision == "float32" else 0.01)
        state = first.state()
        assert {array.dtype for array in state.values()} == {np.dtype(np.float32)}
        second.restore(state)
        assert all(second.state()[name].tobytes() == array.tobytes() for name, array in state.items())


@needs_cuda
def test_a_gpu_values_positions_as_the_kernels_do(positions: Board) -> None:
    expected = KernelEvaluator(MODEL, exact=True).evaluate(positions)
    evaluator = TorchEvaluator(MODEL, "cuda")
    assert_allclose(evaluator.evaluate(positions), expected, atol=1e-5)
    assert np.array_equal(
        evaluator.network.inputs(positions).cpu().numpy(), evaluator.network.encoder.encode(positions)
    )
