"""The compiled cube model against the same model written down plainly, and against itself seen by the other side."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from bgai.kernels.cube import (
    CENTRED,
    ON_ROLL,
    OPPONENT,
    CubeStakes,
    cube_actions,
    cube_equity,
    cube_lines,
    dead_equity,
    draw_lines,
    flipped_stakes,
    pass_point,
)
from bgai.met import default_met
from bgai.outcomes import Outcomes, exclusive, invert
from bgai.position import CUBE_LIMIT, Cube, Score
from bgai.stakes import Stakes, stakes_of

OWNERS = (CENTRED, ON_ROLL, OPPONENT)


def lowest(reaches: Callable[[float], bool]) -> float:
    """The lowest chance from which on something holds, 1 if it never does."""
    low, high = 0.0, 1.0
    if reaches(low):
        return low
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if reaches(middle) else (middle, high)
    return high


class Plain:
    """Janowski's model by recursion, for one outcome vector `float32[5]`."""

    def __init__(self, outcomes: Outcomes, stakes: Stakes) -> None:
        parts = exclusive(outcomes).astype(float)
        self.stakes = stakes
        self.chance = parts[:3].sum()
        self.won = stakes.win @ (parts[:3] / parts[:3].sum() if parts[:3].sum() else [1, 0, 0])
        self.lost = stakes.lose @ (parts[3:] / parts[3:].sum() if parts[3:].sum() else [1, 0, 0])

        self.cash = [1.0] * len(self.won)
        self.opponent_cash = [0.0] * len(self.won)
        for turn in range(len(self.won) - 2, -1, -1):
            self.cash[turn] = self.reached(turn + 1, OPPONENT, stakes.win[turn, 0])
            self.opponent_cash[turn] = self.reached(turn + 1, ON_ROLL, stakes.lose[turn, 0])

    def reached(self, turn: int, owner: int, value: float) -> float:
        return lowest(lambda chance: self.live(turn, owner, chance) >= value - 1e-12)

    def live(self, turn: int, owner: int, chance: float) -> float:
        mine, theirs = self.stakes.usable[turn]
        chances, values = [0.0], [self.lost[turn]]
        if theirs and owner != ON_ROLL:
            chances.append(self.opponent_cash[turn])
            values.append(self.stakes.lose[turn, 0])
        if mine and owner != OPPONENT:
            chances.append(self.cash[turn])
            values.append(self.stakes.win[turn, 0])
        return float(np.interp(chance, [*chances, 1.0], [*values, self.won[turn]]))

    def equity(self, turn: int, owner: int, efficiency: float) -> float:
        win = self.stakes.win[:, 0]
        if efficiency and owner == OPPONENT and self.stakes.usable[turn, 1] and win[turn] >= win[turn + 1]:
            efficiency = 1
        dead = self.chance * self.won[turn] + (1 - self.chance) * self.lost[turn]
        return float((1 - efficiency) * dead + efficiency * self.live(turn, owner, self.chance))


def vectors(count: int, seed: int) -> Outcomes:
    """Possible chances, with many gammons, with none, and on one side only."""
    rng = np.random.default_rng(seed)
    win = rng.random(count)
    win[: count // 8] = rng.choice([0, 0.25, 0.5, 1], count // 8)
    gammon = win * rng.random(count) * rng.choice([0, 0.3, 1], count)
    lost_gammon = (1 - win) * rng.random(count) * rng.choice([0, 0.3, 1], count)
    found = np.stack([win, gammon, gammon * rng.random(count), lost_gammon, lost_gammon * 0.2], axis=1)
    found = found.astype(np.float32)
    found[:, 3] = np.minimum(found[:, 3], 1 - found[:, 0])
    return found


GAMES: list[tuple[Cube, Score, int]] = [
    (Cube(), Score(), CUBE_LIMIT),
    (Cube(), Score(jacoby=True, beavers=True), CUBE_LIMIT),
    (Cube(2, "on roll"), Score(jacoby=True, beavers=True), 64),
    (Cube(4, "opponent"), Score(), 8),
    (Cube(), Score(beavers=True), 2),
    (Cube(8, "on roll"), Score(), 8),
    (Cube(), Score((0, 0), 7), CUBE_LIMIT),
    (Cube(), Score((4, 5), 7), CUBE_LIMIT),
    (Cube(2, "opponent"), Score((1, 4), 7), CUBE_LIMIT),
    (Cube(4, "on roll"), Score((2, 0), 11), CUBE_LIMIT),
    (Cube(), Score((6, 3), 7, crawford=True), CUBE_LIMIT),
    (Cube(), Score((6, 3), 7), CUBE_LIMIT),
    (Cube(), Score((3, 6), 7), CUBE_LIMIT),
    (Cube(2, "on roll"), Score((3, 6), 7), CUBE_LIMIT),
    (Cube(2, "opponent"), Score((6, 4), 7), CUBE_LIMIT),
    (Cube(), Score((6, 6), 7), CUBE_LIMIT),
    (Cube(), Score((0, 0), 1), CUBE_LIMIT),
]


def stakes_at(game: tuple[Cube, Score, int]) -> Stakes:
    cube, score, limit = game
    return stakes_of(cube, score, default_met() if score.length else None, limit)


def check_equities(game: tuple[Cube, Score, int], outcomes: Outcomes) -> None:
    stakes = stakes_at(game)
    lines = cube_lines(stakes.compiled)
    for index, vector in enumerate(outcomes):
        plain = Plain(vector, stakes)
        chance = draw_lines(outcomes, index, stakes.compiled, lines)
        assert chance == pytest.approx(plain.chance, abs=1e-12)
        for turn in range(len(stakes.win)):
            scale = 1 + float(np.abs(stakes.win[turn]).max())
            for owner in OWNERS:
                for efficiency in (0.0, 0.68, 1.0):
                    found = cube_equity(lines, chance, turn, owner, efficiency)
                    assert found == pytest.approx(plain.equity(turn, owner, efficiency), abs=1e-7 * scale)


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_equities_at_any_turn_and_owner(game: tuple[Cube, Score, int]) -> None:
    check_equities(game, vectors(24, seed=1))


@pytest.mark.small
@pytest.mark.parametrize("game", [GAMES[4], GAMES[7], GAMES[12]], ids=str)
def test_equities_of_a_few_vectors(game: tuple[Cube, Score, int]) -> None:
    check_equities(game, vectors(3, seed=2))


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_actions_follow_from_the_equities(game: tuple[Cube, Score, int]) -> None:
    stakes = stakes_at(game)
    outcomes = vectors(40, seed=3)
    lines = cube_lines(stakes.compiled)
    turns = len(stakes.win)
    for index in range(len(outcomes)):
        chance = draw_lines(outcomes, index, stakes.compiled, lines)
        for turn in range(turns):
            for owner in OWNERS:
                no_double, double_take, beaver, value = cube_actions(stakes.compiled, lines, chance, turn, owner, 0.7)
                assert no_double == cube_equity(lines, chance, turn, owner, 0.7)
                if owner == OPPONENT or turn == turns - 1:
                    assert (double_take, beaver, value) == (no_double, False, no_double)
                    continue
                taken = cube_equity(lines, chance, turn + 1, OPPONENT, 0.7)
                assert beaver == (stakes.beavers and turn < turns - 2 and taken < 0)
                assert double_take == (2 * taken if beaver else taken)
                doubled = min(double_take, stakes.win[turn, 0])
                assert value == (max(no_double, doubled) if stakes.usable[turn, 0] else no_double)


@pytest.mark.small
def test_a_dead_cube_is_the_mean_of_the_results() -> None:
    stakes = stakes_at(GAMES[7])
    outcomes = vectors(10, seed=4)
    for index, vector in enumerate(outcomes):
        for turn in range(len(stakes.win)):
            mean = exclusive(vector).astype(float) @ np.concatenate([stakes.win[turn], stakes.lose[turn]])
            assert dead_equity(outcomes, index, stakes.compiled, turn) == pytest.approx(mean, abs=1e-12)
    assert stakes.dead(outcomes[::2])[1] == dead_equity(outcomes, 2, stakes.compiled, 0)


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_the_other_side_has_the_stakes_of_its_score(game: tuple[Cube, Score, int]) -> None:
    cube, score, limit = game
    turned = flipped_stakes(stakes_at(game).compiled)
    expected = stakes_at((cube.flipped(), score.flipped(), limit)).compiled
    assert turned.win == pytest.approx(expected.win, abs=1e-12)
    assert turned.lose == pytest.approx(expected.lose, abs=1e-12)
    assert np.array_equal(turned.usable, expected.usable)
    assert turned.beavers == expected.beavers


@pytest.mark.small
def test_the_last_cube_is_never_turned() -> None:
    stakes = stakes_at(GAMES[0]).compiled
    cut = CubeStakes(stakes.win[:2], stakes.lose[:2], stakes.usable[:2], stakes.beavers)
    limited = stakes_at((Cube(), Score(), 2)).compiled
    outcomes = vectors(4, seed=6)
    lines, expected = cube_lines(cut), cube_lines(limited)
    for index in range(len(outcomes)):
        assert draw_lines(outcomes, index, cut, lines) == draw_lines(outcomes, index, limited, expected)
        assert np.array_equal(lines, expected)


@pytest.mark.small
def test_flipped_twice_is_the_same() -> None:
    stakes = stakes_at(GAMES[13]).compiled
    again = flipped_stakes(flipped_stakes(stakes))
    assert all(np.array_equal(one, other) for one, other in zip(stakes, again, strict=True))


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_both_sides_agree_with_a_live_cube(game: tuple[Cube, Score, int]) -> None:
    stakes = stakes_at(game).compiled
    turned = flipped_stakes(stakes)
    mine = vectors(30, seed=5)
    theirs = invert(mine)
    lines, other_lines = cube_lines(stakes), cube_lines(turned)
    for index in range(len(mine)):
        chance = draw_lines(mine, index, stakes, lines)
        other_chance = draw_lines(theirs, index, turned, other_lines)
        for turn in range(len(stakes.win)):
            for owner, other in ((CENTRED, CENTRED), (ON_ROLL, OPPONENT), (OPPONENT, ON_ROLL)):
                here = cube_equity(lines, chance, turn, owner, 1.0)
                there = cube_equity(other_lines, other_chance, turn, other, 1.0)
                assert here == pytest.approx(-there, abs=2e-6 * 2**turn)


@pytest.mark.small
def test_pass_points_of_money() -> None:
    """As Janowski gives them: 75 % with a dead cube, 80 % with a live one."""
    stakes = stakes_at(GAMES[0]).compiled
    even = np.array([[0.5, 0, 0, 0, 0]], dtype=np.float32)
    assert pass_point(even, stakes, 0.0) == pytest.approx(0.75, abs=1e-9)
    assert pass_point(even, stakes, 1.0) == pytest.approx(0.80, abs=1e-5)


@pytest.mark.small
def test_a_broken_network_is_noticed() -> None:
    stakes = stakes_at(GAMES[0]).compiled
    broken = np.full((1, 5), np.nan, dtype=np.float32)
    lines = cube_lines(stakes)
    chance = draw_lines(broken, 0, stakes, lines)
    assert np.isnan(cube_equity(lines, chance, 0, CENTRED, 0.7))
    assert np.isnan(cube_actions(stakes, lines, chance, 0, CENTRED, 0.7)[3])


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_a_single_game_is_worth_one_to_the_last_digit(game: tuple[Cube, Score, int]) -> None:
    stakes = stakes_at(game)
    assert (stakes.win[0, 0], stakes.lose[0, 0]) == (1.0, -1.0)


def test_stakes_are_made_once_and_cannot_be_changed() -> None:
    stakes = stakes_at(GAMES[7])
    assert stakes_at(GAMES[7]) is stakes
    for values in (stakes.win, stakes.lose, stakes.usable):
        with pytest.raises(ValueError, match="read-only"):
            values[0, 0] = 0
