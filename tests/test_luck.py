"""The luck of rolls: nothing on average whoever judges, all that is left over where everything is solved."""

from __future__ import annotations

from math import hypot

import numpy as np
import pytest

from bgai import duel
from bgai.bearoff import network_alone, two_sided
from bgai.board import START
from bgai.catalogue import open_model
from bgai.dice import ROLLS, opening_roll
from bgai.duel import Duellist, duellist, net_duellist, play_duel
from bgai.evaluator import KernelEvaluator
from bgai.game import play_game
from bgai.luck import LuckJudge
from bgai.model import Manifest, Model
from bgai.outcomes import equity
from bgai.player import HeuristicPlayer, NetPlayer
from bgai.plays import legal_plays
from tests.networks import random_weights
from tests.positions import mixed_positions

WEIGHTS = np.array([1 if high == low else 2 for high, low in ROLLS]) / 36


def untrained(seed: int) -> Model:
    return Model(Manifest(f"untrained-{seed}", "points-1", [8]), random_weights([8], seed=seed))


def player(seed: int) -> Duellist:
    model = untrained(seed)
    return net_duellist(model.name, model.net())


@pytest.mark.small
def test_luck_sums_to_nothing_over_the_rolls_of_a_position() -> None:
    judge = LuckJudge("no tables", network_alone(untrained(1).net()))
    brought = np.array([judge.luck(START[None], np.array([each])) for each in ROLLS])
    assert abs(WEIGHTS @ brought[:, 0]) < 1e-6
    assert brought.std() > 0.01


def test_luck_sums_to_nothing_over_the_rolls_of_any_position() -> None:
    boards = mixed_positions(40, seed=1)[0]
    for model in (untrained(1), open_model()):
        judge = LuckJudge.of(model)
        brought = np.array([judge.luck(boards, np.tile(each, (len(boards), 1))) for each in ROLLS])
        assert np.abs(WEIGHTS @ brought).max() < 1e-6
        assert np.median(brought.std(axis=0)) > 0.01


def test_the_order_of_the_dice_changes_nothing() -> None:
    judge = LuckJudge.of(untrained(1))
    assert judge.luck(START[None], np.array([[3, 1]])) == judge.luck(START[None], np.array([[1, 3]]))


def test_of_games_that_are_played_exactly_nothing_but_the_exact_value_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """From the opening roll on, which counts as no luck: whoever plays and judges has the bear-off tables."""
    start = np.zeros(26, dtype=np.int8)
    start[[2, 4, 6, 19, 20, 24]] = 1, 1, 2, -1, -2, -1
    monkeypatch.setattr(duel, "START", start)
    found = play_duel(player(1), player(2), 80, 3, judge=LuckJudge.of(untrained(4)), threads=1)
    assert found.luck is not None
    table = two_sided(6)
    for pair, left in enumerate((found.points - found.luck).tolist()):
        first, second = opening_roll(3, pair)
        value = -float(equity(table.outcomes(legal_plays(start, (first, second)).successors)).min())
        assert left == pytest.approx([value, -value] if first > second else [-value, value], abs=1e-5)
    assert set(found.points.ravel().tolist()) == {-1, 1}


def test_the_luck_of_a_duel_is_that_of_its_rolls() -> None:
    """Seen by the first player, and from the second roll on."""
    judge, model = LuckJudge.of(untrained(5)), untrained(1)
    found = play_duel(player(1), duellist("heuristic"), 8, seed=8, judge=judge, threads=1)
    assert found.luck is not None
    net, heuristic = NetPlayer(KernelEvaluator(model)), HeuristicPlayer()
    for pair, luck in enumerate(found.luck.tolist()):
        for seat, brought in enumerate(luck):
            game = play_game(*((net, heuristic) if seat == 0 else (heuristic, net)), seed=8, game=pair)
            rolled = game.turns[1:]
            each = judge.luck(np.array([turn.board for turn in rolled]), np.array([turn.dice for turn in rolled]))
            assert brought == pytest.approx(sum(each * [1 if turn.seat == seat else -1 for turn in rolled]), abs=1e-9)


def test_a_judge_changes_no_game() -> None:
    players = player(1), duellist("heuristic")
    judged, plain = (play_duel(*players, 60, 2, judge=judge) for judge in (LuckJudge.of(untrained(3)), None))
    assert np.array_equal(judged.points, plain.points)
    assert (judged.mean, judged.half_width) == (plain.mean, plain.half_width)
    assert plain.luck is None
    assert plain.luck_out is None


def test_equal_players_score_exactly_0_and_swapped_ones_the_opposite() -> None:
    judge = LuckJudge.of(untrained(3))
    alone = play_duel(player(1), player(1), 60, 2, judge=judge).luck_out
    assert alone == (0, 0)
    there = play_duel(player(1), player(2), 60, 2, judge=judge)
    back = play_duel(player(2), player(1), 60, 2, judge=judge)
    assert there.luck is not None
    assert back.luck is not None
    assert np.array_equal(there.luck, -back.luck[:, ::-1])


def test_the_luck_does_not_depend_on_threads_or_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    players, judge = (player(1), player(2)), LuckJudge.of(untrained(3))
    alone = play_duel(*players, 60, 2, judge=judge, threads=1).luck
    assert alone is not None
    monkeypatch.setattr(duel, "CHUNK", 7)
    spread = play_duel(*players, 60, 2, judge=judge, threads=3).luck
    assert spread is not None
    assert np.array_equal(spread, alone)


def test_a_judge_that_knows_nothing_leaves_the_mean_as_it_is() -> None:
    """Players of different strength, other dice, many more plain games."""
    players = duellist("1"), duellist("heuristic")
    plain = play_duel(*players, 3000, seed=1)
    judged = play_duel(*players, 800, seed=2, judge=LuckJudge.of(untrained(3))).luck_out
    assert judged is not None
    # Half-widths of 95 % are 1.96 standard errors each.
    assert abs(judged.points - plain.mean) < 1.5 * hypot(judged.half_width, plain.half_width)
    assert hypot(judged.half_width, plain.half_width) < plain.mean / 4


def test_a_judge_that_knows_much_leaves_little_of_the_spread() -> None:
    found = play_duel(duellist("2"), duellist("1"), 200, seed=1, judge=LuckJudge.of(open_model("3")))
    assert found.luck_out is not None
    assert found.luck_out.half_width < found.half_width / 4
    assert abs(found.luck_out.points - found.mean) < found.half_width
