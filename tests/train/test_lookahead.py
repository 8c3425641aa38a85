"""Games that look ahead, and the targets made of them.

The reference follows each game with legal plays and the dice by their address, and sums the targets up by their
definition, not by the recursion of the kernel.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from bgai_train.labels import NO_BOARDS
from numpy.testing import assert_allclose
from numpy.typing import NDArray

from bgai.bearoff import bearoffs, held_by_tables, network_alone, no_bearoffs
from bgai.board import START, Board, result
from bgai.dice import roll
from bgai.features import encoder
from bgai.kernels.backup import expected_outcomes
from bgai.kernels.forward import Net, evaluate
from bgai.kernels.lookahead import look_ahead, write_traced
from bgai.kernels.quantised import quantise
from bgai.kernels.rolls import ROLLS
from bgai.kernels.static import TABLE, Bearoffs, Static
from bgai.kernels.static import evaluate as evaluate_static
from bgai.model import export
from bgai.outcomes import POINTS, Outcomes, equity
from bgai.plays import legal_plays
from tests.networks import random_weights

SEED = 5
LONGEST = 400
NET = quantise(export(encoder("points-1"), [20], random_weights([20], seed=1)))
SMALL = quantise(export(encoder("points-1"), [8], random_weights([8], seed=2)))


@dataclass(frozen=True)
class Game:
    """One game: what `look_ahead` wrote of it."""

    number: int
    boards: Board
    values: Outcomes
    expected: Outcomes
    joined: NDArray[np.int8]
    elsewhere: NDArray[np.int8]


def play(
    games: int,
    *,
    slip: float = 0.0,
    margin: float = 0.12,
    explore: float = 0.0,
    keep: int = 0,
    within: float = np.inf,
    tables: Bearoffs | None = None,
    longest: int = LONGEST,
    others: Board = NO_BOARDS,
    restart: float = 0.0,
) -> list[Game]:
    """Games number 0 and following, each in a call of its own."""
    static = Static(NET, SMALL, keep, tables or no_bearoffs(), within)
    found = []
    for number in range(games):
        boards = np.empty((longest, 26), dtype=np.int8)
        values, expected = (np.empty((longest, 5), dtype=np.float32) for _ in range(2))
        joined, elsewhere = (np.empty(longest, dtype=np.int8) for _ in range(2))
        written = look_ahead(
            static,
            POINTS,
            START,
            others,
            restart,
            np.uint64(SEED),
            number,
            1,
            explore,
            8,
            slip,
            np.float32(margin),
            longest,
            boards,
            values,
            expected,
            joined,
            elsewhere,
        )
        found.append(Game(number, *(array[:written] for array in (boards, values, expected, joined, elsewhere))))
    return found


def said(boards: Board, net: Net = NET) -> Outcomes:
    """What the network says."""
    found = np.empty((len(boards), 5), dtype=np.float32)
    evaluate(net, np.ascontiguousarray(boards), found)
    return found


def plays_of(game: Game, turn: int, first_turn: int = 0) -> Board:
    """The positions that the roll of a turn can lead to."""
    first, second = roll(SEED, game.number, turn + first_turn)[0].tolist()
    return legal_plays(game.boards[turn], (first, second)).successors


def targets_by_definition(game: Game, trace: float) -> NDArray[np.float64]:
    """Each position's expected value and, with powers of lambda, what each later look ahead added to the network's."""
    found = game.expected.astype(np.float64)
    for row in range(len(found)):
        weight, later = 1.0, row
        while game.joined[later]:
            added = game.expected[later + 1].astype(np.float64) - game.values[later]
            weight, later = weight * trace, later + 1
            if (later - row) % 2:
                added = np.array([-added[0], added[3], added[4], added[1], added[2]])
            found[row] += weight * added
    return found


def test_games_that_begin_elsewhere_do_so_without_random_plays() -> None:
    others = play(1)[0].boards[[4, 9]]
    games = play(60, others=others, restart=0.5, explore=1.0, longest=9)
    begun = [next((n for n, board in enumerate(others) if (board == game.boards[0]).all()), None) for game in games]
    # Two standard deviations of 60 throws are 8.
    assert 18 <= sum(where is not None for where in begun) <= 42
    assert {0, 1} < set(begun)
    # No play of theirs is a slip, as all others are that can be.
    games_of_slips = play(20, others=others, restart=0.5, slip=1.0, margin=100.0, longest=9)
    assert {game.elsewhere[0] for game in games_of_slips} == {0, 1}
    for game in games_of_slips:
        assert game.joined[:-1].all() == game.elsewhere[0]
    # The others begin as they would have.
    for game, plain, where in zip(games, play(60, explore=1.0, longest=9), begun, strict=True):
        assert (game.elsewhere == (where is not None)).all()
        assert where is not None or np.array_equal(game.boards, plain.boards)


def test_without_slips_the_best_play_is_made_and_valued() -> None:
    for game in play(3):
        assert np.array_equal(game.boards[0], START)
        assert len(game.boards) < LONGEST
        for turn, value in enumerate(game.values):
            successors = plays_of(game, turn)
            known = said(successors)
            best = int(equity(known).argmin())
            assert equity(value) == pytest.approx(equity(known)[best], abs=1e-6)
            last = turn == len(game.values) - 1
            assert game.joined[turn] == (not last)
            if last:
                assert result(successors[best]) < 0
            else:
                (chosen,) = np.flatnonzero((successors == game.boards[turn + 1]).all(axis=1))
                assert_allclose(value, known[chosen], atol=1e-6)


def test_the_expected_value_is_the_exact_backup() -> None:
    for game in play(3, slip=0.3, explore=0.5):
        backup = np.empty_like(game.expected)
        expected_outcomes(network_alone(NET), game.boards, backup)
        assert_allclose(game.expected, backup, atol=1e-6)


@pytest.mark.parametrize("trace", [0.0, 0.6, 1.0])
def test_targets_are_those_of_expected_td_lambda(trace: float) -> None:
    for game in play(4, slip=0.1, explore=0.5):
        targets = np.empty_like(game.expected)
        write_traced(game.values, game.expected, game.joined, np.full(len(targets), trace, np.float32), targets)
        assert_allclose(targets, targets_by_definition(game, trace), atol=2e-5)


def test_a_slip_is_near_the_best_and_nothing_is_found_out_past_it() -> None:
    slips = 0
    for game in play(6, slip=0.3, margin=0.1):
        for turn, board in enumerate(game.boards[1:]):
            values = equity(said(plays_of(game, turn)))
            chosen = said(board[None])[0]
            assert equity(chosen) < values.min() + 0.1 + 1e-5
            slips += equity(chosen) > values.min() + 1e-6
            assert_allclose(game.values[turn], chosen, atol=1e-6)
            assert game.joined[turn] == (equity(chosen) <= values.min() + 1e-6)
        assert not game.joined[-1]
    assert slips > 20


def test_every_play_slips_that_can() -> None:
    (game,) = play(1, slip=1.0, margin=100.0, longest=60)
    for turn, board in enumerate(game.boards[1:]):
        values = np.sort(equity(said(plays_of(game, turn))))
        assert len(values) == 1 or equity(said(board[None]))[0] > values[0] or values[1] == values[0]


def test_random_plays_come_first_and_are_not_written() -> None:
    skipped = set()
    for game in play(12, explore=1.0):
        fitting = [
            turns
            for turns in range(9)
            if all(
                (plays_of(game, turn, turns) == after).all(axis=1).any() for turn, after in enumerate(game.boards[1:8])
            )
        ]
        assert fitting
        assert np.array_equal(game.boards[0], START) == (fitting[0] == 0)
        skipped.add(fitting[0])
    assert len(skipped) > 3


def test_games_end_where_a_table_knows() -> None:
    ended = 0
    for game in play(6, tables=bearoffs()):
        assert not held_by_tables(game.boards).any()
        successors = plays_of(game, len(game.boards) - 1)
        known = np.empty((len(successors), 5), dtype=np.float32)
        evaluate_static(Static(NET, SMALL, 0, bearoffs()), np.ascontiguousarray(successors), known)
        best = int(equity(known).argmin())
        assert_allclose(equity(game.values[-1]), equity(known)[best], atol=1e-6)
        assert not game.joined[-1]
        ended += bool(held_by_tables(successors[best : best + 1])[0]) and not result(successors[best])
    assert ended > 0


def test_a_filter_that_keeps_few_finds_no_better_plays() -> None:
    (full,) = play(1, longest=20)
    (few,) = play(1, keep=1, longest=20)
    assert equity(few.expected[0]) <= equity(full.expected[0])
    assert len(few.boards) == 20
    assert not few.joined[-1], "a game that is given up joins nothing"


def test_plays_that_the_filter_finds_much_worse_are_not_valued() -> None:
    within, sorted_out = 0.05, 0
    (game,) = play(1, keep=10_000, within=within, longest=6)
    for board, expected in zip(game.boards, game.expected, strict=True):
        mean = np.zeros(5)
        for first, second in ROLLS:
            successors = legal_plays(board, (first, second)).successors
            first_looks = equity(said(successors, SMALL))
            left = successors[first_looks <= first_looks.min() + within]
            sorted_out += len(successors) - len(left)
            known = said(left)
            mean += (1 if first == second else 2) / 36 * known[equity(known).argmin()]
        assert_allclose(expected, [1 - mean[0], *mean[3:], *mean[1:3]], atol=1e-5)
    assert sorted_out > 100


def test_plays_of_all_rolls_that_do_not_fit_the_table_are_valued() -> None:
    spread = np.zeros(26, dtype=np.int8)
    spread[9:24] = 1
    spread[[1, 2, 3]] = -2, -2, -11
    assert sum(len(legal_plays(spread, (first, second)).successors) for first, second in ROLLS) > TABLE
    for game in play(12, others=spread[None], restart=1.0, longest=2):
        backup = np.empty_like(game.expected)
        expected_outcomes(network_alone(NET), game.boards, backup)
        assert_allclose(game.expected, backup, atol=1e-6)
        known = said(plays_of(game, 0))
        assert_allclose(game.values[0], known[equity(known).argmin()], atol=1e-6)
        assert_allclose(said(game.boards[1:])[0], game.values[0], atol=1e-6)
