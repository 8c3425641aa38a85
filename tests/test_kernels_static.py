"""Static values: a bear-off table where one holds the position, else the network; and the plays a filter leaves."""

from __future__ import annotations

import numpy as np
import pytest

from bgai.bearoff import bearoffs, network_alone, no_bearoffs, one_sided, put_bear_offs, two_sided
from bgai.board import START, Board, result
from bgai.dice import ROLLS
from bgai.kernels.movegen import ROW, fill_slots
from bgai.kernels.quantised import quantise
from bgai.kernels.sorting import value_plays
from bgai.kernels.static import (
    Bearoffs,
    Static,
    choose,
    evaluate,
    generate,
    generate_behind,
    judge,
    judge_prepared,
    look_up,
    pick,
    pick_prepared,
    plays_table,
    prepare,
    sort_out,
    worth_of,
)
from bgai.outcomes import Outcomes, equity
from bgai.plays import legal_plays
from tests.networks import network, random_weights
from tests.positions import mixed_positions

BIG = quantise(network([24], random_weights([24], seed=3)))
SMALL = quantise(network([8], random_weights([8], seed=4)))
WORTH = np.array([2, 1, 1, -1, -1, -1], dtype=np.float32)
"""Cubeless money."""


def static(keep: int = 0, tables: Bearoffs | None = None) -> Static:
    return Static(BIG, SMALL, keep, tables or bearoffs())


def slots_of(board: Board) -> np.ndarray:
    slots = np.zeros(ROW, dtype=np.int8)
    fill_slots(board, slots)
    return slots


def said(boards: Board, tables: Bearoffs | None = None) -> Outcomes:
    found = np.empty((len(boards), 5), dtype=np.float32)
    evaluate(static(0, tables), boards, found)
    return found


def bear_offs(count: int, seed: int, most: int) -> Board:
    rng = np.random.default_rng(seed)
    boards = np.zeros((count, 26), dtype=np.int8)
    for board in boards:
        np.add.at(board, rng.integers(1, 7, size=rng.integers(1, most + 1)), 1)
        np.add.at(board, rng.integers(19, 25, size=rng.integers(1, most + 1)), -1)
    return boards


def test_a_table_speaks_before_the_network() -> None:
    few, many = bear_offs(30, 1, 6), bear_offs(30, 2, 15)
    exact = two_sided(6).covers(many)
    assert np.array_equal(said(few), two_sided(6).outcomes(few))
    assert np.array_equal(said(many[~exact]), one_sided().outcomes(many[~exact]))
    assert not np.array_equal(said(few, tables=no_bearoffs()), said(few))


def test_elsewhere_the_network_speaks() -> None:
    boards, _ = mixed_positions(200, seed=7)
    assert not one_sided().covers(boards).any()
    assert np.array_equal(said(boards), said(boards, tables=no_bearoffs()))


def test_tables_are_put_over_what_others_say() -> None:
    boards = np.concatenate([bear_offs(20, 4, 15), mixed_positions(30, seed=8)[0]])
    found = said(boards, no_bearoffs())
    put_bear_offs(boards, found)
    assert np.array_equal(found, said(boards))


def test_without_tables_nothing_is_looked_up() -> None:
    found = np.full(5, 7, dtype=np.float32)
    assert not look_up(no_bearoffs(), bear_offs(1, 3, 2)[0], found)
    assert found.tolist() == [7] * 5


def test_plays_are_judged_as_their_boards_are() -> None:
    """Bear-ins, in which some plays reach a table and others do not, among them."""
    boards, dice = mixed_positions(150, seed=9)
    near = bear_offs(60, 5, 8)
    near[:, 7] += np.arange(60) % 3 == 0
    near[:, 0] -= np.arange(60) % 4 == 0
    rng = np.random.default_rng(1)
    at = plays_table(static())
    mixed = 0
    for board, roll in zip(
        np.concatenate([boards, near]), np.concatenate([dice, rng.integers(1, 7, size=(60, 2))]), strict=True
    ):
        slots = slots_of(board)
        count = generate(slots, *roll, at)
        best = judge(static(), slots, count, at)
        successors = legal_plays(board, (int(roll[0]), int(roll[1]))).successors
        assert np.array_equal(at.successor[:count, :26], successors)
        expected = said(successors)
        assert at.outcomes[:count] == pytest.approx(expected, abs=2e-6)
        assert at.equities[best] == at.equities[:count].min()
        assert at.equities[:count] == pytest.approx(equity(expected), abs=1e-5)
        mixed += 0 < one_sided().covers(successors).sum() < count
    assert mixed > 3


@pytest.mark.parametrize("keep", [1, 2, 5, 4000])
def test_the_filter_leaves_its_best_in_their_order(keep: int) -> None:
    boards, dice = mixed_positions(100, seed=11)
    at, other = plays_table(static(keep, no_bearoffs())), plays_table(static(0, no_bearoffs()))
    for board, (first, second) in zip(boards, dice.tolist(), strict=True):
        slots = slots_of(board)
        count = generate(slots, first, second, at)
        all_plays = at.successor[:count].copy()
        left, best = pick(static(keep, no_bearoffs()), WORTH, slots, count, at)
        assert left == min(keep, count)
        assert generate(slots, first, second, other) == count
        judge(network_alone(SMALL), slots, count, other)
        kept = np.sort(np.argsort(other.equities[:count], kind="stable")[:left])
        if left < count:
            assert np.array_equal(at.successor[:left], all_plays[kept])
        expected = said(np.ascontiguousarray(all_plays[kept][:, :26]), tables=no_bearoffs())
        assert at.outcomes[:left] == pytest.approx(expected, abs=2e-6)
        assert best == int(np.argmin(at.equities[:left]))


@pytest.mark.parametrize(("within", "stakes"), [(0.0, 1), (0.02, 1), (0.02, 4), (0.3, 1)])
def test_the_filter_leaves_none_that_is_much_worse(within: float, stakes: int) -> None:
    """How much is much goes with the stakes; a roll of few plays is sorted out too."""
    one = Static(BIG, SMALL, 5, no_bearoffs(), within)
    at, other = plays_table(one), plays_table(one)
    numbers = set()
    boards, dice = mixed_positions(100, seed=14)
    for board, (first, second) in zip(boards, dice.tolist(), strict=True):
        slots = slots_of(board)
        count = generate(slots, first, second, at)
        all_plays = at.successor[:count].copy()
        left, _ = pick(one, WORTH * stakes, slots, count, at)
        assert generate(slots, first, second, other) == count
        judge(network_alone(SMALL), slots, count, other)
        worth = other.equities[:count]
        best = np.argsort(worth, kind="stable")[:5]
        kept = np.sort(best[worth[best] <= worth.min() + within])
        assert np.array_equal(at.successor[:left], all_plays[kept])
        numbers.add(left)
    assert (numbers == {1}) == (within == 0)


@pytest.mark.parametrize("keep", [0, 3])
def test_plays_of_all_rolls_are_valued_together(keep: int) -> None:
    one = static(keep)
    at, other = plays_table(one), plays_table(one)
    for board in mixed_positions(20, seed=15)[0]:
        slots = slots_of(board)
        prepare(one, slots, at)
        ends = [0]
        for roll in ROLLS:
            count = generate_behind(slots, *roll, ends[-1], at)
            ends.append(ends[-1] + sort_out(one, WORTH, ends[-1], count, at))
        judge_prepared(one, ends[-1], at)
        for roll, begin, end in zip(ROLLS, ends[:-1], ends[1:], strict=True):
            count = generate(slots, *roll, other)
            left, best = pick(one, WORTH, slots, count, other)
            assert (end - begin, choose(WORTH, begin, end, at) - begin) == (left, best)
            for name in ("successor", "outcomes", "equities"):
                assert np.array_equal(getattr(at, name)[begin:end], getattr(other, name)[:left])


@pytest.mark.parametrize("keep", [0, 3])
def test_a_prepared_position_serves_all_rolls(keep: int) -> None:
    one = static(keep)
    at, other = plays_table(one), plays_table(one)
    for board in mixed_positions(20, seed=12)[0]:
        slots = slots_of(board)
        prepare(one, slots, at)
        for first, second in ROLLS:
            count = generate(slots, first, second, at)
            assert generate(slots, first, second, other) == count
            found, expected = pick_prepared(one, WORTH, count, at), pick(one, WORTH, slots, count, other)
            assert found == expected
            for name in ("successor", "outcomes", "equities"):
                assert np.array_equal(getattr(at, name)[: found[0]], getattr(other, name)[: found[0]])


def test_the_filter_knows_the_rules() -> None:
    """What it finds plays worth is what the same network says of them: bear-offs, won games among them."""
    boards = np.concatenate([bear_offs(200, 6, 15), bear_offs(100, 7, 2), mixed_positions(100, seed=13)[0]])
    one = Static(SMALL, SMALL, 1, no_bearoffs())
    at, other = plays_table(one), plays_table(one)
    over = 0
    for number, board in enumerate(boards):
        slots = slots_of(board)
        prepare(one, slots, at)
        count = generate(slots, *ROLLS[number % 21], at)
        generate(slots, *ROLLS[number % 21], other)
        value_plays(SMALL, WORTH, at.successor, at.changed, count, at.sorter, at.equities)
        judge(one, slots, count, other)
        expected = [worth_of(other.outcomes, index, WORTH) for index in range(count)]
        assert at.equities[:count] == pytest.approx(expected, abs=1e-5)
        over += any(result(after) for after in at.successor[:count, :26])
    assert over > 20


@pytest.mark.small
@pytest.mark.parametrize("roll", [(6, 5), (2, 2)])
def test_an_opening_roll_is_sorted_as_the_network_finds(roll: tuple[int, int]) -> None:
    one = Static(SMALL, SMALL, 4, no_bearoffs())
    at, other = plays_table(one), plays_table(one)
    count = generate(slots_of(START), *roll, at)
    assert generate(slots_of(START), *roll, other) == count > 4
    judge(one, slots_of(START), count, other)
    kept = np.sort(np.argsort(other.equities[:count], kind="stable")[:4])
    assert pick(one, WORTH, slots_of(START), count, at)[0] == 4
    assert np.array_equal(at.successor[:4], other.successor[kept])
    assert at.equities[:4] == pytest.approx(other.equities[kept], abs=1e-5)


def test_a_filter_with_two_hidden_layers_is_refused() -> None:
    deep = quantise(network([8, 4], random_weights([8, 4], seed=5)))
    with pytest.raises(ValueError, match="one hidden layer"):
        plays_table(Static(BIG, deep, 3, no_bearoffs()))
    plays_table(Static(BIG, deep, 0, no_bearoffs()))


def test_of_equal_plays_the_filter_keeps_the_first() -> None:
    flat = quantise(network([8], {name: np.zeros_like(array) for name, array in random_weights([8], 4).items()}))
    one = Static(BIG, flat, 3, no_bearoffs())
    at = plays_table(one)
    slots = slots_of(START)
    count = generate(slots, 6, 5, at)
    first = at.successor[:3].copy()
    assert count > 3
    assert pick(one, WORTH, slots, count, at)[0] == 3
    assert np.array_equal(at.successor[:3], first)


@pytest.mark.small
def test_worth_is_linear_in_the_chances() -> None:
    outcomes = np.array([[0.6, 0.2, 0.05, 0.1, 0.02]], dtype=np.float32)
    assert worth_of(outcomes, 0, WORTH) == pytest.approx(equity(outcomes)[0], abs=1e-6)
