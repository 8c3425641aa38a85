"""Looking ahead against the same written down plainly, and what threads, time and filters must not change."""

from __future__ import annotations

import numpy as np
import pytest

from bgai.bearoff import bearoffs, network_alone, two_sided
from bgai.board import Board, flip
from bgai.dice import ROLLS
from bgai.errors import InputError
from bgai.kernels.quantised import quantise
from bgai.kernels.static import TABLE, Static, evaluate
from bgai.met import default_met
from bgai.move_filter import FILTERS, Filter, Level
from bgai.outcomes import Outcomes, of_result
from bgai.plays import legal_plays
from bgai.position import CUBE_LIMIT, Cube, Score
from bgai.search import Clock, Search, Settings, TimeUp
from bgai.stakes import Stakes, stakes_of
from bgai.valuer import deepen
from tests.lookahead import Plain, weight
from tests.networks import network, random_weights

LAYERS = [16]
NET = quantise(network(LAYERS, random_weights(LAYERS, seed=5, scale=1.5)))
EFFICIENCY = [0.7, 0.6, 0.5]
ALONE = network_alone(NET)

Game = tuple[Cube, Score, int]


def board(own: dict[int, int], other: dict[int, int]) -> Board:
    """The player's checkers by point, and the opponent's by its own points."""
    slots = np.zeros(26, dtype=np.int8)
    for point, count in own.items():
        slots[point] += count
    for point, count in other.items():
        slots[25 - point] -= count
    return slots


FEW = [
    board({7: 1, 2: 1}, {3: 1, 1: 2}),
    board({25: 1, 3: 2}, {6: 2, 5: 2, 4: 2, 3: 2, 2: 1}),
    board({8: 2, 1: 1}, {9: 1, 4: 2}),
    board({20: 1, 2: 2}, {24: 1, 2: 2, 1: 1}),
]
"""Few plays a roll; contact and race, the bar, gammons for one side or the other."""

MONEY: list[Game] = [
    (Cube(), Score(), CUBE_LIMIT),
    (Cube(2, "on roll"), Score(), CUBE_LIMIT),
    (Cube(2, "opponent"), Score(), CUBE_LIMIT),
    (Cube(), Score(jacoby=True, beavers=True), CUBE_LIMIT),
    (Cube(4, "on roll"), Score(), 8),
]
MATCHES: list[Game] = [
    (Cube(), Score((0, 0), 7), CUBE_LIMIT),
    (Cube(2, "on roll"), Score((4, 3), 7), CUBE_LIMIT),
    (Cube(), Score((3, 6), 7), CUBE_LIMIT),
    (Cube(), Score((6, 3), 7, crawford=True), CUBE_LIMIT),
]


def stakes_at(game: Game) -> Stakes:
    cube, score, limit = game
    return stakes_of(cube, score, default_met() if score.length else None, limit)


def search(*, cubeful: bool = True, threads: int = 1) -> Search:
    return Search(ALONE, np.array(EFFICIENCY), Settings(threads=threads), cubeful=cubeful)


def plain(*, cubeful: bool = True) -> Plain:
    def outcomes(boards: Board) -> Outcomes:
        found = np.empty((len(boards), 5), dtype=np.float32)
        evaluate(ALONE, np.ascontiguousarray(boards), found)
        return found

    return Plain(outcomes, EFFICIENCY, cubeful=cubeful)


def check(game: Game, boards: list[Board], plies: int) -> None:
    cube = game[0]
    stakes = stakes_at(game)
    found = search().look(np.stack(boards), stakes, cube.owner, plies)
    cubeless = search(cubeful=False).look(np.stack(boards), stakes, cube.owner, plies)
    reference, dead = plain(), plain(cubeful=False)
    for number, at in enumerate(boards):
        assert found.outcomes[number] == pytest.approx(reference.outcomes(at, plies, stakes), abs=1e-6)
        assert cubeless.outcomes[number] == pytest.approx(dead.outcomes(at, plies, stakes), abs=1e-6)
        assert cubeless.no_double[number] == stakes.dead(cubeless.outcomes)[number]
        expected = reference.equity(at, plies, stakes, 0, cube.owner)
        assert found.no_double[number] == pytest.approx(expected, abs=1e-6)
        if stakes.may_double and len(stakes.win) > 1:
            taken = reference.equity(at, plies, stakes, 1, "opponent")
            assert found.taken[number] == pytest.approx(taken, abs=1e-6)
        else:
            assert np.isnan(found.taken[number])


@pytest.mark.parametrize("game", MONEY + MATCHES, ids=str)
def test_one_ply_is_what_the_plain_recursion_says(game: Game) -> None:
    check(game, FEW, 1)


@pytest.mark.parametrize("game", [MONEY[0], MONEY[3], MATCHES[1]], ids=str)
def test_two_plies_are_what_the_plain_recursion_says(game: Game) -> None:
    check(game, FEW[:2], 2)


def test_three_plies_are_what_the_plain_recursion_says() -> None:
    check(MONEY[0], [board({4: 1}, {3: 2, 2: 1})], 3)


def test_rolls_of_more_plays_than_the_table_holds_are_what_the_plain_recursion_says() -> None:
    scattered = board(dict.fromkeys(range(9, 24), 1), {24: 15})
    assert sum(len(legal_plays(scattered, roll).successors) for roll in ROLLS) > 2 * TABLE
    check(MONEY[0], [scattered], 1)


@pytest.mark.parametrize("plies", [0, 1, 3])
def test_a_finished_game_is_worth_its_result(plies: int) -> None:
    lost = board({24: 1, 3: 14}, {})
    found = search().look(np.stack([lost, flip(lost)]), stakes_at(MONEY[0]), "centred", plies)
    assert np.array_equal(found.outcomes, np.stack([of_result(-3), of_result(3)]))
    assert found.no_double.tolist() == [-3, 3]
    assert found.taken.tolist() == [-6, 6]


def test_no_legal_play_passes_the_turn() -> None:
    closed = board({25: 1, 3: 1}, dict.fromkeys(range(1, 7), 2) | {7: 1})
    assert all(legal_plays(closed, roll).must_pass for roll in ROLLS)
    ahead = search().look(closed[None], stakes_at(MONEY[0]), "opponent", 1)
    after = search().look(flip(closed)[None], stakes_at(MONEY[0]), "on roll", 0)
    value = max(after.no_double[0], min(after.taken[0], 1.0))
    assert ahead.no_double[0] == pytest.approx(-value, abs=1e-6)


def test_bear_off_tables_are_the_leaves() -> None:
    """One ply before the table: the mean of exact values, not of what the network says."""
    tables = Search(Static(NET, NET, 0, bearoffs()), np.array(EFFICIENCY), Settings())
    at = board({7: 1, 1: 1}, {2: 2})
    exact = two_sided(6)
    stakes = stakes_at(MONEY[0])
    centred = chance = 0.0
    for roll in ROLLS:
        successors = legal_plays(at, roll).successors
        chances = exact.outcomes(successors)[:, 0]
        best = int(np.argmin(chances))
        chance += weight(roll) * (1 - chances[best])
        centred -= weight(roll) * exact.cube(successors).centred[best]
    found = tables.look(at[None], stakes, "centred", 1)
    assert found.outcomes[0, 0] == pytest.approx(chance, abs=1e-6)
    assert found.no_double[0] == pytest.approx(centred, abs=1e-6)
    held = legal_plays(at, (6, 5)).successors[:1]
    for plies in (0, 2):
        inside = tables.look(held, stakes, "centred", plies)
        assert inside.no_double[0] == exact.cube(held).no_double[0]
        assert inside.taken[0] == exact.cube(held).double_take[0]


@pytest.mark.parametrize("plies", [1, 2, 3])
def test_threads_change_no_digit(plies: int) -> None:
    boards = np.stack([FEW[0], FEW[1]] * 10) if plies == 1 else FEW[0][None]
    stakes = stakes_at(MONEY[0])
    one = search(threads=1).look(boards, stakes, "centred", plies)
    for threads in (2, 5):
        other = search(threads=threads).look(boards, stakes, "centred", plies)
        for name in ("outcomes", "no_double", "taken"):
            assert np.array_equal(getattr(one, name), getattr(other, name))


def test_alone_and_together_give_the_same_digits() -> None:
    stakes = stakes_at(MATCHES[0])
    together = search().look(np.stack(FEW), stakes, "centred", 1)
    for number, at in enumerate(FEW):
        alone = search().look(at[None], stakes, "centred", 1)
        assert alone.no_double[0] == together.no_double[number]
        assert alone.taken[0] == together.taken[number]
        assert np.array_equal(alone.outcomes[0], together.outcomes[number])


def test_a_clock_that_ran_out_stops_the_work() -> None:
    for threads in (1, 2):
        with pytest.raises(TimeUp):
            search(threads=threads).look(FEW[2][None], stakes_at(MONEY[0]), "centred", 3, Clock(0.0))


@pytest.mark.parametrize(
    ("level", "kept"),
    [
        (Level(1, 0, 9), [1]),
        (Level(2, 0, 0), [1, 3]),
        (Level(1, 9, 0.1), [1, 3]),
        (Level(1, 1, 0.5), [1, 3]),
        (Level(3, 1, 0.0), [1, 3, 0]),
        (Level(9, 9, 0.0), [1, 3, 0, 2]),
    ],
)
def test_a_level_keeps_the_best(level: Level, kept: list[int]) -> None:
    assert level.kept(np.array([0.3, 0.5, 0.1, 0.45])).tolist() == kept


def test_plays_keep_the_values_of_the_depth_they_reached() -> None:
    seen: list[tuple[list[int], int]] = []

    def look(chosen: np.ndarray, plies: int, _clock: Clock) -> np.ndarray:
        seen.append((chosen.tolist(), plies))
        return -chosen - plies / 10.0

    equities = np.array([0.0, 0.3, 0.2, 0.1, 0.5])
    chosen = Filter("three, two, one", (Level(3, 0, 0), Level(2, 0, 0), Level(1, 0, 0)))
    reached = deepen(np.array([0, 4, 5]), equities, Settings(plies=3, filter=chosen), look)
    assert seen == [([1, 2, 3], 1), ([1, 2], 2), ([1, 4], 3)]
    assert reached.tolist() == [0, 3, 2, 1, 3]
    assert equities.tolist() == [0.0, -1.3, -2.2, -3.1, -4.3]


def test_time_that_is_up_leaves_the_depth_before() -> None:
    def look(chosen: np.ndarray, plies: int, _clock: Clock) -> np.ndarray:
        if plies == 2:
            raise TimeUp
        return np.full(len(chosen), 7.0)

    equities = np.zeros(3)
    reached = deepen(np.array([0, 3]), equities, Settings(plies=7, seconds=1e6), look)
    assert reached.tolist() == [1, 1, 1]
    assert equities.tolist() == [7.0, 7.0, 7.0]


def test_named_filters_let_more_through_from_tiny_to_huge() -> None:
    assert list(FILTERS) == ["tiny", "narrow", "normal", "large", "huge"]
    equities = np.sort(np.random.default_rng(3).normal(scale=0.2, size=40))[::-1]
    for plies in range(3):
        counts = [len(chosen.level(plies).kept(equities)) for chosen in FILTERS.values()]
        assert counts == sorted(counts)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"plies": 8}, "8 plies, expected 0 to 7"),
        ({"plies": -1}, "-1 plies, expected 0 to 7"),
        ({"filter": "broad"}, "unknown move filter 'broad', expected one of tiny, narrow, normal, large, huge"),
        ({"threads": 0}, "0 threads, expected at least 1"),
        ({"seconds": 0.0}, "0.0 seconds, expected more than 0"),
    ],
)
def test_settings_that_make_no_sense(settings: dict[str, object], message: str) -> None:
    with pytest.raises(InputError) as found:
        Settings(**settings)  # type: ignore[arg-type]
    assert str(found.value) == message


def test_an_estimate_grows_with_the_depth() -> None:
    boards = np.stack(FEW)
    assert search().seconds(boards, stakes_at(MONEY[0]), "centred", 0) == 0
    assert search().seconds(boards, stakes_at(MONEY[0]), "centred", 7) > 1


@pytest.mark.small
def test_a_tiny_look_ahead() -> None:
    check(MONEY[0], [board({1: 1, 2: 1}, {1: 1, 3: 1})], 1)
