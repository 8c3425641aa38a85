"""Duels: pairs with the same dice, and an interval that comes from the pairs."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

from bgai import duel
from bgai.duel import Duellist, DuelResult, duellist, joined, net_duellist, play_duel
from bgai.errors import ConfigError, ModelError
from bgai.evaluator import KernelEvaluator
from bgai.game import play_game
from bgai.model import Manifest, Model
from bgai.player import HeuristicPlayer, NetPlayer
from tests.cases import case
from tests.networks import random_weights

MODEL = Model(Manifest("tested", "points-1", [20]), random_weights([20], seed=31))
OTHER = Model(Manifest("other", "points-1", [20]), random_weights([20], seed=32))
NAMES = ["net", "random", "heuristic"]


def player(name: str) -> Duellist:
    return net_duellist("tested", MODEL.net()) if name == "net" else duellist(name)


@pytest.mark.parametrize("name", NAMES)
def test_equal_players_score_exactly_0(name: str) -> None:
    found = play_duel(player(name), player(name), 100, seed=1)
    assert found.mean == 0
    assert found.half_width == 0
    assert np.array_equal(found.points[:, 0], -found.points[:, 1])
    assert np.abs(found.points).min() >= 1
    assert found.given_up == 0


@pytest.mark.parametrize("pair", [("net", "heuristic"), ("heuristic", "random"), ("net", "random")], ids=str)
def test_reported_colours_swapped_with_the_same_dice_mirror_the_results(pair: tuple[str, str]) -> None:
    reported = case("tr-09")
    first, second = (player(name) for name in pair)
    games, seed = reported["input"]["games"], reported["input"]["seed"]
    there, back = play_duel(first, second, games, seed), play_duel(second, first, games, seed)
    mirrored = np.array_equal(there.points, -back.points[:, ::-1])
    assert mirrored == reported["expected"]["results_mirrored_exactly"]
    assert there.mean == -back.mean
    assert there.half_width == pytest.approx(back.half_width)


def test_the_result_does_not_depend_on_threads_or_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = player("net"), player("heuristic")
    alone = play_duel(first, second, 300, seed=5, threads=1)
    assert np.array_equal(play_duel(first, second, 300, seed=5, threads=3).points, alone.points)
    monkeypatch.setattr(duel, "CHUNK", 7)
    assert np.array_equal(play_duel(first, second, 300, seed=5).points, alone.points)
    assert np.array_equal(play_duel(first, second, 40, seed=5).points, alone.points[:20])


def test_another_seed_gives_other_games() -> None:
    one, other = (play_duel(player("net"), player("heuristic"), 40, seed=seed) for seed in (1, 2))
    assert not np.array_equal(one.points, other.points)


def test_any_whole_number_is_a_seed() -> None:
    for seed in (-1, 0, 2**64 - 1, 2**70):
        assert play_duel(player("net"), player("heuristic"), 2, seed=seed).games == 2
    one, same = (play_duel(player("net"), player("heuristic"), 20, seed=seed) for seed in (-1, 2**64 - 1))
    assert np.array_equal(one.points, same.points)


@pytest.mark.parametrize("games", [-2, 0, 1, 3, 101])
def test_a_number_of_games_that_makes_no_pairs_is_refused(games: int) -> None:
    with pytest.raises(ConfigError, match=f"even and at least 2, found {games}"):
        play_duel(player("random"), player("random"), games, seed=1)


def test_the_duel_of_kernels_is_the_game_of_players() -> None:
    """The same dice, decisions, results: the seats of a pair's games, one after the other."""
    net, heuristic = NetPlayer(KernelEvaluator(MODEL)), HeuristicPlayer()
    found = play_duel(player("net"), player("heuristic"), 16, seed=8)
    for pair, points in enumerate(found.points.tolist()):
        there = play_game(net, heuristic, seed=8, game=pair)
        back = play_game(heuristic, net, seed=8, game=pair)
        expected = [there.points if there.winner == 0 else -there.points]
        expected.append(back.points if back.winner == 1 else -back.points)
        assert points == expected


def test_two_networks_of_different_shape_can_play() -> None:
    wide = Model(Manifest("wide", "points-1", [64, 16]), random_weights([64, 16], seed=33))
    there = play_duel(player("net"), net_duellist("wide", wide.net()), 40, seed=3)
    back = play_duel(net_duellist("wide", wide.net()), player("net"), 40, seed=3)
    assert np.array_equal(there.points, -back.points[:, ::-1])


def test_the_interval_comes_from_the_pairs() -> None:
    points = np.array([[1, -1], [2, -1], [3, 1], [-1, -2]], dtype=np.int64)
    found = DuelResult(points, given_up=0)
    means = [0.0, 0.5, 2.0, -1.5]
    variance = sum((mean - 0.25) ** 2 for mean in means) / 3
    assert found.games == 8
    assert found.mean == 0.25
    assert found.half_width == pytest.approx(1.96 * sqrt(variance / 4), rel=1e-4)
    assert found.wins == 0.5
    assert [found.share(value) for value in (-3, -2, -1, 1, 2, 3)] == [0, 1 / 8, 3 / 8, 2 / 8, 1 / 8, 1 / 8]


def test_pairs_make_the_interval_narrower_than_single_games_would() -> None:
    found = play_duel(player("net"), net_duellist("other", OTHER.net()), 1000, seed=4)
    single = 1.96 * float(found.points.std()) / sqrt(found.games)
    assert 0 < found.half_width < single


def test_one_pair_says_nothing_of_the_spread() -> None:
    assert DuelResult(np.array([[1, -1]]), given_up=0).half_width == float("inf")


def test_a_game_too_long_counts_0(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(duel, "LONGEST", 10)
    found = play_duel(player("random"), player("heuristic"), 20, seed=1)
    assert found.given_up == 20
    assert not found.points.any()


def test_progress_is_told_chunk_by_chunk() -> None:
    told: list[DuelResult] = []
    found = play_duel(player("random"), player("heuristic"), 300, seed=1, progress=told.append)
    assert len(told) == 3
    assert np.array_equal(np.concatenate([part.points for part in told]), found.points)
    assert joined(told).mean == found.mean


def test_what_a_progress_call_raises_ends_the_duel() -> None:
    def stop(_: DuelResult) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play_duel(player("random"), player("random"), 1000, seed=1, progress=stop)


def test_players_are_found_by_name() -> None:
    found: Duellist = duellist("random")
    assert found.name == "random"
    with pytest.raises(ModelError, match="unknown model 'nobody'"):
        duellist("nobody")
