"""Dice by address: fair, repeatable, and the same compiled or not."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from bgai.dice import ROLL_WEIGHTS, ROLLS, check_roll, opening_roll, random_bits, roll
from bgai.errors import DiceError
from bgai.kernels import random as compiled

SEEDS = [0, 1, 7, 2**63, 2**64 - 1]
ADDRESSES = [0, 1, 2, 3, 1000, 2**31, 2**32 + 5, 2**63, 2**64 - 1]


@pytest.mark.parametrize("seed", SEEDS)
def test_the_compiled_dice_are_the_same(seed: int) -> None:
    for game in ADDRESSES:
        for turn in ADDRESSES:
            address = np.uint64(seed), np.uint64(game), np.uint64(turn)
            bits = random_bits(seed, np.uint64(game), np.uint64(turn))
            assert int(compiled.random_bits(*address)) == int(bits[0])
            assert compiled.roll(*address) == tuple(roll(seed, np.uint64(game), np.uint64(turn))[0])


def test_the_compiled_opening_roll_is_the_same() -> None:
    for game in range(2000):
        assert compiled.opening_roll(np.uint64(5), np.uint64(game)) == opening_roll(5, game)


def test_addresses_broadcast() -> None:
    games, turns = np.arange(3)[:, None], np.arange(4)
    together = roll(9, games, turns)
    assert together.shape == (3, 4, 2)
    for game in range(3):
        for turn in range(4):
            assert np.array_equal(together[game, turn], roll(9, game, turn)[0])


def test_a_roll_depends_on_its_address_alone() -> None:
    alone = [roll(3, game, 8)[0] for game in (5, 4)]
    assert np.array_equal(roll(3, [4, 5], 8), alone[::-1])


def test_numbers_that_differ_by_2_to_the_64th_are_the_same_seed() -> None:
    assert np.array_equal(roll(-1, np.arange(50), 0), roll(2**64 - 1, np.arange(50), 0))


@pytest.mark.parametrize("varied", ["seed", "game", "turn"])
def test_all_36_rolls_are_equally_likely(varied: str) -> None:
    many = np.arange(36_000)
    if varied == "seed":
        rolls = np.concatenate([roll(int(seed), 0, 0) for seed in many[:7200]])
    else:
        rolls = roll(2, many, 0) if varied == "game" else roll(2, 0, many)
    found = Counter(map(tuple, rolls.tolist()))
    expected = len(rolls) / 36
    assert set(found) == {(first, second) for first in range(1, 7) for second in range(1, 7)}
    # Chi-square with 35 degrees of freedom exceeds 66.6 once in a thousand times.
    assert sum((count - expected) ** 2 / expected for count in found.values()) < 66.6


@pytest.mark.parametrize(("game_step", "turn_step"), [(0, 1), (1, 0), (1, -1)], ids=["turns", "games", "both"])
def test_neighbouring_addresses_have_independent_dice(game_step: int, turn_step: int) -> None:
    many = np.arange(1, 36_001)
    first = roll(4, many, 100 + many)[:, 0]
    second = roll(4, many + game_step, 100 + many + turn_step)[:, 0]
    found = Counter(zip(first.tolist(), second.tolist(), strict=True))
    assert sum((found[pair] - 1000) ** 2 / 1000 for pair in ((a, b) for a in range(1, 7) for b in range(1, 7))) < 66.6


def test_the_opening_roll_never_is_a_double_and_gives_both_seats_the_same_chance() -> None:
    found = Counter(opening_roll(1, game) for game in range(6000))
    assert set(found) == {(a, b) for a in range(1, 7) for b in range(1, 7) if a != b}
    # 29 degrees of freedom: 58.3 is exceeded once in a thousand times.
    assert sum((count - 200) ** 2 / 200 for count in found.values()) < 58.3


def test_the_opening_roll_is_turn_0_unless_that_is_a_double() -> None:
    for game in range(200):
        first, second = roll(6, game, 0)[0].tolist()
        if first != second:
            assert opening_roll(6, game) == (first, second)


def test_the_21_rolls_have_the_chances_of_two_dice() -> None:
    assert len(set(ROLLS)) == 21
    for (high, low), weight in zip(ROLLS, ROLL_WEIGHTS, strict=True):
        assert high >= low
        assert weight == pytest.approx((1 if high == low else 2) / 36)
    assert float(ROLL_WEIGHTS.sum()) == pytest.approx(1, abs=1e-6)


@pytest.mark.parametrize("given", [(5, 2), (2, 5)])
def test_a_roll_is_named_larger_die_first(given: tuple[int, int]) -> None:
    assert check_roll(*given) == (5, 2)


@pytest.mark.parametrize(("given", "wrong"), [((0, 3), "0"), ((3, 7), "7"), ((-1, 3), "-1")])
def test_a_die_shows_1_to_6(given: tuple[int, int], wrong: str) -> None:
    with pytest.raises(DiceError, match=f"found {wrong}"):
        check_roll(*given)
