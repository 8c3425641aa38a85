"""Self-play: what is played, and what is learnt from it.

The reference follows each game with the plain network and the dice by their address, and sums the targets up by the
definition of TD(lambda), not by the recursion of the kernel.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from bgai_train import selfplay
from bgai_train.config import SelfplayConfig
from bgai_train.selfplay import Experience, play
from numpy.testing import assert_allclose

from bgai.bearoff import network_alone
from bgai.board import START, Board, borne_off, opponent_borne_off, result
from bgai.dice import roll
from bgai.kernels.selfplay import play_games
from bgai.outcomes import Outcomes, check_outcomes, equity, invert
from bgai.plays import legal_plays
from tests.networks import network, plain_outcomes, random_weights

SEED = 11
FIRST = 40
WEIGHTS = random_weights([20], seed=1, scale=2)
NET = network([20], WEIGHTS)


def games_of(experience: Experience) -> list[tuple[Board, Outcomes]]:
    """Boards and targets of each game."""
    ends = np.cumsum(experience.lengths)[:-1]
    return list(zip(np.split(experience.boards, ends), np.split(experience.targets, ends), strict=True))


def same(one: Experience, other: Experience) -> bool:
    return all(
        np.array_equal(getattr(one, name), getattr(other, name)) for name in ("boards", "targets", "lengths", "points")
    )


def positions_after(boards: Board, game: int, first_turn: int = 0) -> Board:
    """The position after each play, seen by the opponent; the last is the reference's own choice.

    Checks that every play is legal and one that the plain network finds best.
    """
    after = []
    for turn, board in enumerate(boards, start=first_turn):
        first, second = roll(SEED, game, turn)[0].tolist()
        successors = legal_plays(board, (first, second)).successors
        values = equity(plain_outcomes(WEIGHTS, successors))
        last = turn - first_turn == len(boards) - 1
        chosen = successors[values.argmin()] if last else boards[turn - first_turn + 1]
        (number,) = np.flatnonzero((successors == chosen).all(axis=1))
        assert values[number] <= values.min() + 1e-5
        after.append(chosen)
    return np.stack(after)


def targets_by_definition(after: Outcomes, trace: float) -> Outcomes:
    """Target t: what each later position was worth, seen by the player of t, weighed with powers of lambda.

    `after[t]` is the value after play t, seen by the opponent.
    """
    length = len(after)
    targets = np.zeros_like(after, dtype=np.float64)
    for ply in range(length):
        for ahead in range(1, length - ply + 1):
            value = after[ply + ahead - 1]
            seen = invert(value) if ahead % 2 else value
            last = ahead == length - ply
            targets[ply] += trace ** (ahead - 1) * (1 if last else 1 - trace) * seen
    return targets.astype(np.float32)


@pytest.mark.parametrize("trace", [0.0, 0.5, 1.0])
def test_targets_are_those_of_td_lambda(trace: float) -> None:
    experience = play(NET, SelfplayConfig(trace=trace), SEED, FIRST, 3)
    for number, (boards, targets) in enumerate(games_of(experience)):
        assert np.array_equal(boards[0], START)
        after = positions_after(boards, FIRST + number)
        assert -result(after[-1]) == experience.points[number] > 0
        assert_allclose(targets, targets_by_definition(plain_outcomes(WEIGHTS, after), trace), atol=1e-5)


def test_with_lambda_0_a_target_is_the_next_position_seen_by_the_other_side() -> None:
    experience = play(NET, SelfplayConfig(trace=0.0), SEED, FIRST, 6)
    for boards, targets in games_of(experience):
        assert_allclose(targets[:-1], invert(plain_outcomes(WEIGHTS, boards[1:])), atol=1e-5)


def test_with_lambda_1_a_target_is_the_result_seen_by_each_side_in_turn() -> None:
    experience = play(NET, SelfplayConfig(trace=1.0), SEED, FIRST, 6)
    for (_, targets), points in zip(games_of(experience), experience.points, strict=True):
        # The side that plays last wins.
        assert equity(targets[::-1][::2]).tolist() == [points] * len(targets[::-1][::2])
        assert equity(targets[::-1][1::2]).tolist() == [-points] * len(targets[::-1][1::2])


@pytest.mark.parametrize("trace", [0.0, 0.7])
def test_targets_obey_the_rules(trace: float) -> None:
    experience = play(NET, SelfplayConfig(trace=trace, explore=0.5), SEED, 0, 60)
    check_outcomes(experience.boards, experience.targets)
    off, opponent_off = borne_off(experience.boards) > 0, opponent_borne_off(experience.boards) > 0
    assert off.any()
    assert opponent_off.any()
    assert not experience.targets[off, 3:].any()
    assert not experience.targets[opponent_off, 1:3].any()


def test_lambda_changes_the_targets_and_not_the_games() -> None:
    short, long = (play(NET, SelfplayConfig(trace=trace), SEED, 0, 10) for trace in (0.0, 0.9))
    assert np.array_equal(short.boards, long.boards)
    assert not np.array_equal(short.targets, long.targets)


def test_the_same_seed_gives_the_same_experience_on_any_number_of_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    alone = play(NET, SelfplayConfig(trace=0.5, explore=0.3), SEED, FIRST, 50)
    monkeypatch.setattr(selfplay, "CHUNK", 7)
    for threads in (1, 3):
        assert same(play(NET, SelfplayConfig(trace=0.5, explore=0.3, threads=threads), SEED, FIRST, 50), alone)


def test_a_game_does_not_depend_on_the_games_beside_it() -> None:
    together = games_of(play(NET, SelfplayConfig(), SEED, FIRST, 9))
    for number in (0, 4, 8):
        alone = play(NET, SelfplayConfig(), SEED, FIRST + number, 1)
        assert np.array_equal(alone.boards, together[number][0])
        assert np.array_equal(alone.targets, together[number][1])


def test_another_seed_gives_other_games() -> None:
    assert not same(play(NET, SelfplayConfig(), SEED, 0, 3), play(NET, SelfplayConfig(), SEED + 1, 0, 3))


def test_a_kernel_short_of_room_stops_between_games_and_goes_on_the_same() -> None:
    whole = play(NET, SelfplayConfig(longest=300), SEED, 0, 8)
    parts: list[Board] = []
    game = 0
    while game < 8:
        boards, targets = np.empty((400, 26), np.int8), np.empty((400, 5), np.float32)
        record = np.zeros((8 - game, 2), np.int64)
        settings = (np.float32(0), 0.0, 10, 300)
        played, written = play_games(
            network_alone(NET), START, np.uint64(SEED), game, 8 - game, *settings, boards, targets, record
        )
        assert played > 0
        parts.append(boards[:written])
        game += played
    assert len(parts) > 1
    assert np.array_equal(np.concatenate(parts), whole.boards)


def test_exploring_plies_are_random_and_not_learnt() -> None:
    config = SelfplayConfig(explore=1.0, explore_plies=6)
    experience = play(NET, config, SEED, FIRST, 30)
    skipped = []
    for number, (boards, _) in enumerate(games_of(experience)):
        # Given: how many plies came before is not told, it shows in the dice that fit.
        fitting = [turn for turn in range(7) if _follows(boards, FIRST + number, turn)]
        assert fitting
        skipped.append(fitting[0])
        if number < 4:
            after = positions_after(boards, FIRST + number, first_turn=fitting[0])
            assert -result(after[-1]) == experience.points[number]
        assert np.array_equal(boards[0], START) == (fitting[0] == 0)
    assert set(skipped) == set(range(7))


def _follows(boards: Board, game: int, first_turn: int) -> bool:
    """Whether all boards of a game follow from each other with the dice from that turn on."""
    for turn, (board, after) in enumerate(pairwise(boards), start=first_turn):
        first, second = roll(SEED, game, turn)[0].tolist()
        if not (legal_plays(board, (first, second)).successors == after).all(axis=1).any():
            return False
    return True


def test_only_the_asked_share_of_games_explores() -> None:
    experience = play(NET, SelfplayConfig(explore=0.5), SEED, 0, 200)
    started = [np.array_equal(boards[0], START) for boards, _ in games_of(experience)]
    # One in eleven of the games that explore has no random ply either.
    assert 0.4 < np.mean(started) < 0.7


def test_a_game_given_up_learns_its_last_position_from_its_own_value() -> None:
    experience = play(NET, SelfplayConfig(longest=12, trace=0.5), SEED, FIRST, 5)
    assert experience.lengths.tolist() == [12] * 5
    assert experience.points.tolist() == [0] * 5
    for number, (boards, targets) in enumerate(games_of(experience)):
        values = plain_outcomes(WEIGHTS, positions_after(boards, FIRST + number))
        assert_allclose(targets, targets_by_definition(values, 0.5), atol=1e-5)


def test_schedules_are_read_at_the_first_game() -> None:
    falling = SelfplayConfig(trace=[[0, 1.0], [100, 0.0]])
    assert same(play(NET, falling, SEED, 50, 4), play(NET, SelfplayConfig(trace=0.5), SEED, 50, 4))
