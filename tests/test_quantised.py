"""The quantised form of networks, against the exact one, and against the same sums in NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from bgai.bearoff import network_alone
from bgai.board import Board
from bgai.catalogue import open_model
from bgai.evaluator import KernelEvaluator
from bgai.kernels import vector
from bgai.kernels.compiler import kernel
from bgai.kernels.forward import COUNTS, SLOTS, Net, evaluate
from bgai.kernels.movegen import ROW, fill_slots
from bgai.kernels.quantised import quantise
from bgai.kernels.static import generate, judge, plays_table
from bgai.kernels.vector_layers import (
    LISTED,
    chances,
    hidden,
    hidden_shared,
    list_active,
    list_active_portable,
    list_shared,
    list_shared_portable,
)
from bgai.kernels.vector_rows import sum_rows
from bgai.model import Manifest, Model
from bgai.outcomes import Outcomes, equity
from tests.networks import network, random_weights
from tests.positions import corner_positions, game_positions, mixed_positions

SHAPES = [[20], [64], [300], [100, 40], [512, 32], [64, 32, 16]]

shapes = pytest.mark.parametrize("layers", SHAPES, ids=lambda layers: "-".join(map(str, layers)))


def both_forms(layers: list[int], seed: int) -> tuple[Net, Net]:
    exact = network(layers, random_weights(layers, seed=seed, scale=2))
    return exact, quantise(exact)


def outcomes_of(net: Net, boards: Board) -> Outcomes:
    outcomes = np.full((len(boards), 5), np.nan, dtype=np.float32)
    evaluate(net, np.ascontiguousarray(boards), outcomes)
    return outcomes


def slots_of(boards: Board) -> np.ndarray:
    slots = np.zeros((len(boards), ROW), dtype=np.int8)
    for board, row in zip(boards, slots, strict=True):
        fill_slots(board, row)
    return slots


@shapes
def test_quantised_chances_are_near_the_exact_ones(layers: list[int]) -> None:
    exact, quantised = both_forms(layers, seed=51)
    boards, _ = mixed_positions(2000, seed=52)
    difference = np.abs(outcomes_of(quantised, boards) - outcomes_of(exact, boards))
    assert difference.mean() < 2e-4
    assert difference.max() < 5e-3
    assert difference.max() > 0, "the networks are the same"


def test_the_kept_model_is_nearly_the_same() -> None:
    model = open_model("0001-td")
    boards, _ = game_positions(3000, seed=53)
    exact, quantised = (KernelEvaluator(model, exact=exact).evaluate(boards) for exact in (True, False))
    difference = np.abs(equity(exact) - equity(quantised))
    assert difference.mean() < 1e-3
    assert difference.max() < 2e-2


@pytest.mark.small
@pytest.mark.parametrize("layers", [[20], [40, 16]], ids=["one", "two"])
def test_a_few_quantised_chances_are_near_the_exact_ones(layers: list[int]) -> None:
    exact, quantised = both_forms(layers, seed=54)
    boards, _ = corner_positions(30, seed=55)
    assert_allclose(outcomes_of(quantised, boards), outcomes_of(exact, boards), atol=5e-3)


@shapes
def test_a_successor_has_the_value_of_its_position_to_the_last_digit(layers: list[int]) -> None:
    _, net = both_forms(layers, seed=56)
    boards, dice = mixed_positions(200, seed=57)
    alone = network_alone(net)
    at = plays_table(alone)
    for slots, (first, second) in zip(slots_of(boards), dice.tolist(), strict=True):
        count = generate(slots, first, second, at)
        judge(alone, slots, count, at)
        assert np.array_equal(at.outcomes[:count], outcomes_of(net, at.successor[:count, :26]))


@shapes
def test_a_value_does_not_depend_on_what_else_is_in_the_batch(layers: list[int]) -> None:
    _, net = both_forms(layers, seed=58)
    boards, _ = mixed_positions(300, seed=59)
    together = outcomes_of(net, boards)
    order = np.random.default_rng(1).permutation(len(boards))
    assert np.array_equal(outcomes_of(net, boards[order]), together[order])
    for length in range(1, 20):
        assert np.array_equal(outcomes_of(net, boards[:length]), together[:length])


@shapes
def test_no_position_can_make_a_sum_leave_16_bits(layers: list[int]) -> None:
    _, net = both_forms(layers, seed=60)
    rows = net.table.astype(np.int64).reshape(SLOTS, COUNTS, -1)
    assert (rows.max(axis=1).sum(axis=0) + net.bias <= np.iinfo(np.int16).max).all()
    assert (rows.min(axis=1).sum(axis=0) + net.bias >= np.iinfo(np.int16).min).all()
    # And the room is used.
    assert np.abs(rows).max() > 1000


def test_units_without_weights_stay_silent() -> None:
    weights = {name: np.zeros_like(array) for name, array in random_weights([20, 8], seed=0).items()}
    outcomes = outcomes_of(quantise(network([20, 8], weights)), corner_positions(10, seed=61)[0])
    assert np.isfinite(outcomes).all()


def test_a_model_is_quantised_unless_asked_otherwise() -> None:
    model = Model(Manifest("quantised", "points-1", [20, 8]), random_weights([20, 8], seed=62))
    assert model.net().table.dtype == np.int16
    assert model.net(exact=True).table.dtype == np.float32
    assert KernelEvaluator(model, exact=True).net.table.dtype == np.float32


@kernel
def _sum_rows(
    table: Any, gained: Any, lost: Any, numbers: Any, count: int, source: Any, target: Any, stride: int
) -> None:
    sum_rows(table, gained, lost, numbers, count, source, target, stride)


@pytest.mark.small
@pytest.mark.parametrize("kind", [np.int16, np.float32])
@pytest.mark.parametrize("width", [64, 448])
def test_sums_of_rows(kind: type, width: int) -> None:
    # Given: whole numbers, so that float sums are exact too, whose sums of 16 bits wrap around on the way.
    rng = np.random.default_rng(63)
    rows = rng.integers(-9000, 9000, size=(40, width)).astype(kind)
    gained, lost = rng.integers(0, 40, size=(2, 8, ROW)).astype(np.int32)
    numbers = rng.integers(0, 5, size=(8, 2)) * vector.TOGETHER
    source = rng.integers(-9000, 9000, size=width).astype(kind)
    target = np.zeros((8, width + 3), dtype=kind)
    _sum_rows(rows, gained, lost, numbers, 7, source, target.ravel(), width + 3)
    expected = np.stack(
        [
            source.astype(np.int64)
            + rows[gained[position, : numbers[position, 0]]].astype(np.int64).sum(axis=0)
            - rows[lost[position, : numbers[position, 1]]].astype(np.int64).sum(axis=0)
            for position in range(7)
        ]
    )
    assert np.abs(expected).max() > np.iinfo(np.int16).max
    assert np.array_equal(target[:7, :width], expected.astype(kind))
    assert not target[7].any()
    assert not target[:, width:].any()


@kernel
def _layer(
    weights: Any,
    first: Any,
    count: int,
    stride: int,
    inputs: int,
    outputs: int,
    portable: bool,
    shared: bool,
    last: bool,
) -> Any:
    units = np.zeros(count * (inputs + LISTED), np.int16)
    active = np.zeros(count * (inputs + LISTED), np.float32)
    found = np.zeros(count, np.int64)
    values = np.zeros((count + 1) * stride, np.float32)
    if shared and portable:
        list_shared_portable(first, count, inputs, inputs, units, active, found)
    elif shared:
        list_shared(first, count, inputs, inputs, units, active, found)
    elif portable:
        list_active_portable(first, count, inputs, inputs, units, active, found)
    else:
        list_active(first, count, inputs, inputs, units, active, found)
    if last:
        chances(weights, 3, units, active, found, count, values, stride, inputs, outputs)
    elif shared:
        hidden_shared(weights, 3, units, active, found, count, values, stride, inputs, outputs)
    else:
        hidden(weights, 3, units, active, found, count, values, stride, inputs, outputs)
    return values


@pytest.mark.small
@pytest.mark.parametrize("kind", [np.int16, np.float32])
@pytest.mark.parametrize(("outputs", "last"), [(16, False), (112, False), (8, True)])
@pytest.mark.parametrize("share", [0.0, 0.05, 0.5, 1.0])
def test_layers_of_active_units(kind: type, outputs: int, last: bool, share: float) -> None:
    # Given: sums of which a share is positive.
    rng = np.random.default_rng(64)
    inputs, stride = 192, outputs + 5
    sums = (rng.integers(1, 3000, size=(8, inputs)) * np.where(rng.random((8, inputs)) < share, 1, -1)).astype(kind)
    weights = rng.normal(scale=1e-4 if last else 1, size=3 + (inputs + 1) * outputs).astype(np.float32)
    matrix, bias = weights[3:-outputs].reshape(inputs, outputs).astype(np.float64), weights[-outputs:]
    expected = np.maximum(sums.astype(np.float64), 0) @ matrix + bias
    expected = 1 / (1 + np.exp(-expected)) if last else np.maximum(expected, 0)
    for count in (1, 7, 8):
        # When all ways compute the layer for some positions, they agree to the bit, and with NumPy.
        shape = (count, stride, inputs, outputs)
        ways = [(portable, shared) for portable in (False, True) for shared in ((True,) if last else (True, False))]
        found, *others = (_layer(weights, sums.ravel(), *shape, *way, last) for way in ways)
        for other in others:
            assert np.array_equal(found, other)
        rows = found.reshape(count + 1, stride)
        assert_allclose(rows[:count, :outputs], expected[:count], rtol=1e-4, atol=1e-5 if last else 0.5)
        assert not rows[count].any()
        assert not rows[:, outputs:].any()


def test_aligned_copies_are_equal() -> None:
    array = np.arange(60, dtype=np.int16).reshape(5, 12)
    copy = vector.aligned(array)
    assert copy.ctypes.data % 64 == 0
    assert copy.dtype == array.dtype
    assert np.array_equal(copy, array)
