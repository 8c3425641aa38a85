"""Bear-off tables: exact values, plain recursions, and what is looked up where."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from bgai import bearoff
from bgai.bearoff import opening
from bgai.board import START, Board, flip
from bgai.dice import ROLL_WEIGHTS, ROLLS
from bgai.errors import InputError, PositionError
from bgai.kernels.bearoff import ALL_ON, fill_position, index_many, one_sided_win, with_cube
from bgai.kernels.movegen import ROW
from bgai.outcomes import check_outcomes, of_result
from bgai.plays import legal_plays_batch
from tests import oracle

REFERENCE = Path(__file__).parents[1] / "benchmarks" / "data" / "exact_bearoff_public.jsonl.gz"
POSITIONS = 54264


@pytest.fixture(scope="module", autouse=True)
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A cache of our own, and nothing opened yet."""
    place: Path = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BGAI_CACHE", str(place))
        patch.setattr(opening, "_OPENED", {})
        bearoff.one_sided()
        bearoff.two_sided()
        yield place


def board_of(own: dict[int, int], other: dict[int, int] | None = None) -> Board:
    """A board from counts by point, each side's in its own numbering; 25 is its bar."""
    board = np.zeros(26, dtype=np.int8)
    for point, count in own.items():
        board[point] = count
    for point, count in (other or {}).items():
        board[25 - point] = -count
    return board


def all_positions() -> Board:
    """Every position of one side in the order of the tables, alone on the board, int8[54264, 26]."""
    slots = np.zeros(ROW, np.int8)
    boards = np.zeros((POSITIONS, 26), np.int8)
    for number in range(POSITIONS):
        fill_position(number, slots)
        boards[number] = slots[:26]
    return boards


def test_numbers_count_all_positions_and_lead_back() -> None:
    boards = all_positions()
    numbers = np.empty((POSITIONS, 2), np.int64)
    index_many(boards, numbers)
    assert (numbers[:, 0] == np.arange(POSITIONS)).all()
    assert (numbers[:, 1] == 0).all()
    index_many(flip(boards), numbers)
    assert (numbers[:, 1] == np.arange(POSITIONS)).all()
    assert (numbers[:, 0] == 0).all()
    checkers = boards.sum(axis=1)
    assert (np.diff(checkers) >= 0).all()
    assert (checkers[ALL_ON - 1], checkers[ALL_ON]) == (14, 15)


def reference() -> list[dict[str, Any]]:
    with gzip.open(REFERENCE, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def test_two_sided_values_equal_the_reference() -> None:
    records = reference()
    assert len(records) == 180
    boards = np.array([record["board"] for record in records], dtype=np.int8)
    table = bearoff.two_sided()
    assert table.covers(boards).all()
    outcomes, cube = table.outcomes(boards), table.cube(boards)
    assert not outcomes[:, 1:].any()
    found = {
        ("win",): outcomes[:, 0],
        ("equity_cubeless",): 2 * outcomes[:, 0] - 1,
        ("centered", "equity"): cube.centred,
        ("centered", "nd"): cube.no_double,
        ("centered", "dt"): cube.double_take,
        ("player", "equity"): cube.owned,
        ("player", "nd"): cube.no_redouble,
        ("player", "dt"): cube.double_take,
        ("opponent", "equity"): cube.opponents,
    }
    for keys, values in found.items():
        expected = []
        for record in records:
            entry: Any = record
            for key in keys:
                entry = entry[key]
            expected.append(entry)
        assert np.abs(values - np.array(expected)).max() < 1e-5, keys


FEW = 3

Side = tuple[int, ...]
Entry = tuple[float, float, float, float]


@cache
def after(side: Side, roll: tuple[int, int]) -> tuple[Side, ...]:
    """What one side can come to, by the slow rules."""
    plays = oracle.legal_plays(oracle.State(side, (1,)), *roll)
    return tuple(sorted(play.other for play in plays))


def chance(roll: tuple[int, int]) -> float:
    return 1 / 36 if roll[0] == roll[1] else 2 / 36


@cache
def plain_entry(own: Side, other: Side) -> Entry:
    """Cubeless, cube in the middle, own cube, opponent's cube; before the double."""
    if not own:
        return (1.0, 1.0, 1.0, 1.0)
    if not other:
        return (-1.0, -1.0, -1.0, -1.0)
    cubeless = centred = owned = theirs = 0.0
    for roll in ROLLS:
        replies = [plain_entry(other, side) for side in after(own, roll)]
        cubeless += chance(roll) * max(-reply[0] for reply in replies)
        centred += chance(roll) * max(-reply[1] for reply in replies)
        owned += chance(roll) * max(-reply[3] for reply in replies)
        theirs += chance(roll) * max(-reply[2] for reply in replies)
    double = min(2 * theirs, 1.0)
    return (cubeless, max(centred, double), max(owned, double), theirs)


@cache
def plain_rolls(side: Side) -> tuple[float, tuple[float, ...]]:
    """Mean number of rolls, and the chance of 0, 1, 2 ... rolls, for play that makes the mean least."""
    if not side:
        return 0.0, (1.0,)
    mean, chances = 0.0, np.zeros(20)
    for roll in ROLLS:
        best_mean, best = min(plain_rolls(next_side) for next_side in after(side, roll))
        mean += chance(roll) * (1 + best_mean)
        chances[1 : 1 + len(best)] += chance(roll) * np.array(best)
    return mean, tuple(np.trim_zeros(chances, "b").tolist())


def few_sides() -> list[Side]:
    boards = all_positions()[:84]
    return [tuple(np.repeat(np.arange(26), board).tolist()) for board in boards]


def pairs(sides: list[Side]) -> tuple[Board, list[tuple[Side, Side]]]:
    both = [(own, other) for own in sides for other in sides if own or other]
    boards = np.zeros((len(both), 26), dtype=np.int8)
    for board, (own, other) in zip(boards, both, strict=True):
        np.add.at(board, list(own), 1)
        np.subtract.at(board, [25 - point for point in other], 1)
    return boards, both


def test_two_sided_values_equal_a_plain_recursion() -> None:
    boards, both = pairs(few_sides())
    expected = np.array([plain_entry(own, other) for own, other in both])
    table = bearoff.two_sided(FEW)
    cube = table.cube(boards)
    assert np.abs(2 * table.outcomes(boards)[:, 0] - 1 - expected[:, 0]).max() < 2e-6
    over = (boards <= 0).all(axis=1) | (boards >= 0).all(axis=1)
    for number, values in enumerate((cube.centred, cube.owned, cube.opponents), start=1):
        assert np.abs(values - expected[:, number]).max() < 2e-6
    assert (np.abs(cube.centred[over]) == 1).all()


def test_one_sided_rolls_equal_a_plain_recursion() -> None:
    sides = few_sides()
    boards = np.stack([board_of({p: side.count(p) for p in side}, {1: 1}) for side in sides])
    table = bearoff.one_sided()
    spread = table.rolls(boards)[:, 0]
    for side, mean, chances in zip(sides, table.mean_rolls(boards)[:, 0], spread, strict=True):
        expected_mean, expected = plain_rolls(side)
        assert mean == pytest.approx(expected_mean, abs=1e-6)
        # Plays of equal mean may be spread differently.
        assert chances.sum() == pytest.approx(1, abs=1e-6)
        assert chances @ np.arange(len(chances)) == pytest.approx(expected_mean, abs=1e-6)
        if len(side) < 3:
            assert chances[: len(expected)] == pytest.approx(expected, abs=1e-6)


def test_one_sided_wins_follow_from_the_rolls() -> None:
    boards, _ = pairs(few_sides()[:28])
    table = bearoff.one_sided()
    own, other = np.moveaxis(table.rolls(boards).astype(np.float64), 1, 0)
    not_before = other[:, ::-1].cumsum(axis=1)[:, ::-1]
    assert np.abs(table.outcomes(boards)[:, 0] - (own * not_before).sum(axis=1)).max() < 1e-6


def test_gammons() -> None:
    """From fifteen checkers on the highest point 6-x, 5-1, 4-2, 3-3 and 2-2 bear one off at once: 17 of 36."""
    table = bearoff.one_sided()
    high, low = {6: 15}, {1: 15}
    three = {1: 3}  # off at once with a double, else with the second roll
    boards = np.stack(
        [
            board_of(own, other)
            for own, other in (({1: 1}, high), (three, high), (high, {1: 1}), (three, low), (high, low))
        ]
    )
    outcomes = table.outcomes(boards)
    expected = [
        [1, 1, 0, 0, 0],
        [1, 1 / 6 + 5 / 6 * 19 / 36, 0, 0, 0],
        [0, 0, 0, 19 / 36, 0],
        [1, 1 / 6, 0, 0, 0],
    ]
    assert outcomes[:4] == pytest.approx(np.array(expected), abs=1e-6)
    assert 0 < outcomes[4, 0] < 0.01
    assert outcomes[4, 1] == 0, "a checker on the lowest point is borne off at once"
    check_outcomes(boards, outcomes)


def test_each_mean_follows_from_the_best_plays() -> None:
    """Of everything off, and of the first checker off."""
    table = bearoff.one_sided()
    numbers = np.arange(len(table.first.chances)) - np.repeat(table.first.start[:-1], np.diff(table.first.start))
    numbers += np.repeat(table.first.least, np.diff(table.first.start))
    first = np.zeros(POSITIONS)
    first[ALL_ON:] = np.add.reduceat(numbers * table.first.chances, table.first.start[:-1])
    random = np.random.default_rng(7)
    positions = all_positions()
    for number in random.integers(ALL_ON, POSITIONS, size=60):
        plays = legal_plays_batch(np.repeat(positions[number][None] + board_of({}, {1: 1}), 21, axis=0), ROLLS)
        after = np.empty((len(plays.successors), 2), np.int64)
        index_many(plays.successors, after)
        for means in (table.means, first):
            best = np.minimum.reduceat(means[after[:, 1]], plays.offsets[:-1])
            assert means[number] == pytest.approx(1 + best @ ROLL_WEIGHTS, abs=1e-5)


def test_one_sided_outcomes_are_possible() -> None:
    random = np.random.default_rng(5)
    sides = all_positions()[random.integers(1, POSITIONS, size=(2, 4000))]
    boards = sides[0] + flip(sides[1])
    check_outcomes(boards, bearoff.one_sided().outcomes(boards))


def test_every_one_sided_spread_adds_up() -> None:
    table = bearoff.one_sided()
    for rolls in (table.off, table.first):
        assert np.abs(np.add.reduceat(rolls.chances.astype(np.float64), rolls.start[:-1]) - 1).max() < 1e-6
    numbers = np.repeat(table.off.least, np.diff(table.off.start)) + np.arange(len(table.off.chances))
    numbers = numbers - np.repeat(table.off.start[:-1], np.diff(table.off.start))
    assert np.abs(np.add.reduceat(numbers * table.off.chances, table.off.start[:-1]) - table.means).max() < 1e-4


OUTSIDE = {
    "the starting position": START,
    "a checker on point 7": board_of({7: 1, 1: 1}, {1: 1}),
    "the opponent on its point 7": board_of({1: 1}, {7: 1}),
    "on the bar": board_of({25: 1, 1: 1}, {1: 1}),
    "the opponent on the bar": board_of({1: 1}, {25: 1, 2: 1}),
    "contact at home": board_of({6: 2}, {24: 1, 1: 1}),
    "nobody there": board_of({}),
    "over, and the loser not at home": board_of({}, {9: 3}),
}


@pytest.mark.parametrize("name", OUTSIDE)
def test_a_table_never_answers_for_other_positions(name: str) -> None:
    boards = np.stack([board_of({6: 1}, {6: 1}), OUTSIDE[name]])
    for table in (bearoff.one_sided(), bearoff.two_sided()):
        assert table.covers(boards).tolist() == [True, False]
        with pytest.raises(PositionError, match="position 1 is not in the table"):
            table.outcomes(boards)
    with pytest.raises(PositionError):
        bearoff.two_sided().cube(boards)
    with pytest.raises(PositionError):
        bearoff.one_sided().mean_rolls(boards)


def test_the_number_of_checkers_is_a_limit() -> None:
    boards = np.stack([board_of({6: 6}, {6: 6}), board_of({6: 7}, {6: 6}), board_of({6: 6}, {6: 7})])
    assert bearoff.two_sided().covers(boards).tolist() == [True, False, False]
    assert bearoff.one_sided().covers(boards).all()


def test_a_game_that_is_over_is_worth_its_result() -> None:
    boards = np.stack([board_of({}, {6: 2}), board_of({2: 3}, {})])
    for table in (bearoff.one_sided(), bearoff.two_sided()):
        assert (table.outcomes(boards) == np.stack([of_result(1), of_result(-1)])).all()
    cube = bearoff.two_sided().cube(boards)
    for values in (cube.no_double, cube.no_redouble, cube.centred, cube.owned, cube.opponents):
        assert values.tolist() == [1, -1]
    gammons = np.stack([board_of({}, {6: 15}), board_of({2: 15}, {})])
    assert (bearoff.one_sided().outcomes(gammons) == np.stack([of_result(2), of_result(-2)])).all()


def test_a_batch_gives_what_single_boards_give() -> None:
    boards = np.array([record["board"] for record in reference()], dtype=np.int8)
    for table in (bearoff.one_sided(), bearoff.two_sided()):
        together = table.outcomes(boards)
        assert all((table.outcomes(board[None])[0] == row).all() for board, row in zip(boards, together, strict=True))
    assert bearoff.two_sided().outcomes(np.zeros((0, 26), np.int8)).shape == (0, 5)
    assert bearoff.one_sided().rolls(np.zeros((0, 26), np.int8)).shape == (0, 2, 40)


def test_single_lookups_for_kernels() -> None:
    boards = np.array([record["board"] for record in reference()[:20]], dtype=np.int8)
    numbers = np.empty((len(boards), 2), np.int64)
    index_many(boards, numbers)
    one, two = bearoff.one_sided(), bearoff.two_sided()
    cube, wins = two.cube(boards), one.outcomes(boards)[:, 0]
    for row, (own, other) in enumerate(numbers):
        _, centred, owned, opponents = with_cube(two.values[own, other])
        assert (centred, owned, opponents) == (cube.centred[row], cube.owned[row], cube.opponents[row])
        assert np.float32(one_sided_win(one.off, own, other)) == wins[row]


def test_a_table_for_few_is_the_beginning_of_one_for_many() -> None:
    few: NDArray[np.float32] = bearoff.two_sided(2).values
    assert (bearoff.two_sided().values[:28, :28] == few).all()


@pytest.mark.parametrize("checkers", [0, -1, 13, 15])
def test_nonsense_sizes_are_refused(checkers: int) -> None:
    with pytest.raises(InputError, match=f"for 1 to 12 checkers a side, found {checkers}"):
        bearoff.two_sided(checkers)


def test_the_work_is_known_before(monkeypatch: pytest.MonkeyPatch) -> None:
    work = bearoff.two_sided_work(6)
    assert (work.positions, work.bytes) == (924**2, 16 * 924**2)
    monkeypatch.setattr("bgai.bearoff.solving._memory", lambda: 8_000_000_000)
    with pytest.raises(InputError, match=r"for 12 checkers a side needs 11\.0 GB of memory .* has 8\.0 GB"):
        bearoff.two_sided(12)


def test_tables_cannot_be_written_to() -> None:
    with pytest.raises(ValueError, match="read-only"):
        bearoff.two_sided().values[0, 0, 0] = 1
    with pytest.raises(ValueError, match="read-only"):
        bearoff.one_sided().means[0] = 1
    assert bearoff.two_sided() is bearoff.two_sided()
