"""The analyst: the same numbers whatever stands beside a question, and what they have to do with each other."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from bgai.analyst import Analyst
from bgai.board import START, Board, result
from bgai.cube_decision import cube_action, decide_cube
from bgai.dice import ROLL_WEIGHTS, ROLLS
from bgai.errors import InputError, PositionError
from bgai.evaluator import KernelEvaluator
from bgai.market import market_losers
from bgai.model import Manifest, Model
from bgai.outcomes import Outcomes, invert
from bgai.player import NetPlayer
from bgai.plays import legal_plays
from bgai.position import Cube, Position, Score
from tests.networks import random_weights
from tests.positions import mixed_positions
from tests.states import random_position

MODEL = Model(Manifest("tested", "points-1", [20]), random_weights([20], seed=81))
ANALYST = Analyst.of(MODEL)


def positions(count: int, seed: int) -> list[Position]:
    """Boards with a roll each, at all kinds of cubes and scores."""
    rng = random.Random(seed)
    boards, dice = mixed_positions(count, seed)
    return [
        replace(random_position(rng, board, offers=False), dice=(first, second))
        for board, (first, second) in zip(boards, dice.tolist(), strict=True)
    ]


@pytest.mark.parametrize("cubeful", [True, False])
def test_alone_and_together_give_the_same_digits(cubeful: bool) -> None:
    analyst = Analyst.of(MODEL, cubeful=cubeful)
    asked = positions(120, seed=5)
    together = analyst.rank(asked)
    valued = analyst.evaluate_many(asked)
    assert len({(position.cube, position.score) for position in asked}) > 100
    for number, position in enumerate(asked):
        alone = analyst.rank([position])
        part = slice(together.plays.offsets[number], together.plays.offsets[number + 1])
        assert np.array_equal(alone.order, together.order[part] - part.start)
        for name in ("equities", "cubeless", "mwc", "outcomes"):
            here, there = getattr(alone, name), getattr(together, name)[part]
            assert np.array_equal(here, there, equal_nan=name == "mwc")
        one, other = analyst.evaluate(position), valued[number]
        assert (one.equity, one.cubeless, one.mwc) == (other.equity, other.cubeless, other.mwc)
        assert np.array_equal(one.outcomes, other.outcomes)


def test_a_chance_to_win_the_match_is_the_equity_in_other_words() -> None:
    asked = positions(80, seed=6)
    ranked = ANALYST.rank(asked)
    for number, position in enumerate(asked):
        part = slice(ranked.plays.offsets[number], ranked.plays.offsets[number + 1])
        if not position.score.length:
            assert np.isnan(ranked.mwc[part]).all()
            continue
        stakes = ANALYST.stakes(position.cube, position.score, position.cube_limit)
        assert ranked.mwc[part] == pytest.approx(stakes.centre + stakes.half * ranked.equities[part], abs=1e-9)
        assert ((ranked.mwc[part] >= -1e-9) & (ranked.mwc[part] <= 1 + 1e-9)).all()


def test_a_play_is_worth_what_the_opponent_gets_there() -> None:
    for position in positions(30, seed=7):
        ranked = ANALYST.rank([position])
        for number in range(min(3, len(ranked.equities))):
            there = ANALYST.evaluate(
                Position(
                    ranked.plays.successors[number],
                    cube=position.cube.flipped(),
                    score=position.score.flipped(),
                    cube_limit=position.cube_limit,
                )
            )
            assert ranked.equities[number] == -there.equity
            assert np.array_equal(ranked.outcomes[number], invert(there.outcomes))


def test_a_player_without_the_cube_ranks_as_the_analyst() -> None:
    player = NetPlayer(KernelEvaluator(MODEL))
    analyst = Analyst.of(MODEL, cubeful=False)
    ranked, found = analyst.rank([Position(dice=(4, 2))]), player.rank(START, (4, 2))
    assert [entry.equity for entry in found] == [ranked.equities[number] for number in ranked.order]
    assert np.array_equal(ranked.equities, ranked.cubeless)


def test_the_value_is_that_of_the_right_cube_action() -> None:
    for position in positions(60, seed=8):
        before = replace(position, dice=None)
        if result(before.board):
            continue
        found = cube_action(ANALYST, before)
        best = max(found.no_double, min(found.double_take, 1.0)) if found.may_double else found.no_double
        assert ANALYST.evaluate(before).equity == best


def test_market_losers_by_one_pair_of_rolls_after_the_other() -> None:
    for position in (Position(), Position(cube=Cube(2, "on roll"), score=Score((1, 2), 7))):
        lost = 0.0
        for weight, roll in zip(ROLL_WEIGHTS, ROLLS, strict=True):
            mine = ANALYST.rank([replace(position, dice=roll)])
            turned = Position(
                mine.plays.successors[mine.order[0]], cube=position.cube.flipped(), score=position.score.flipped()
            )
            for other, reply in zip(ROLL_WEIGHTS, ROLLS, strict=True):
                theirs = ANALYST.rank([replace(turned, dice=reply)])
                later = replace(position, board=theirs.plays.successors[theirs.order[0]])
                lost += float(weight * other) * (cube_action(ANALYST, later).double_take > 1)
        assert market_losers(ANALYST, position) == pytest.approx(lost, abs=1e-6)


def test_without_looking_ahead_only_the_market_losers_are_missing() -> None:
    board = START.copy()
    full, quick = (decide_cube(ANALYST, Position(board), look_ahead=look) for look in (True, False))
    assert full.market_losers is not None
    assert quick.market_losers is None
    assert (quick.no_double, quick.double_take, quick.take_point) == (
        full.no_double,
        full.double_take,
        full.take_point,
    )
    assert "lose the market" not in quick.why


def test_the_take_point_is_where_the_answer_changes() -> None:
    """Of all positions with its gammons in proportion."""
    for position in positions(40, seed=9):
        before = replace(position, dice=None)
        if result(before.board) or not cube_action(ANALYST, before).may_double:
            continue
        decision = decide_cube(ANALYST, before, look_ahead=False)
        assert decision.take_point is not None
        chance = 1 - float(decision.outcomes[0])
        if abs(chance - decision.take_point) > 1e-6:
            assert (decision.answer == "pass") == (chance < decision.take_point)


def test_a_table_is_only_as_long_as_the_score_needs() -> None:
    near_the_end = Position(score=Score((997, 995), 1000))
    found = ANALYST.evaluate(near_the_end)
    same = ANALYST.evaluate(Position(score=Score((4, 2), 7)))
    assert found.equity == same.equity
    with pytest.raises(InputError, match="1 to 1000 points"):
        ANALYST.evaluate(Position(score=Score((0, 0), 2000)))


def test_what_cannot_be_ranked() -> None:
    with pytest.raises(PositionError, match="without dice"):
        ANALYST.rank([Position()])
    with pytest.raises(PositionError, match="a gammon waits"):
        ANALYST.rank([Position(dice=(3, 1), offer="gammon")])


def test_positions_compare_by_all_that_they_are() -> None:
    one = Position(dice=(3, 1))
    assert one == Position(START.copy(), (3, 1))
    assert one != Position()
    assert one != Position(np.roll(START, 1), (3, 1))
    assert one != Position(dice=(3, 1), score=Score(jacoby=True))
    assert one != "4HPwATDgc/ABMA"


class Counted:
    """An evaluator for last rolls: it counts the rolls that bear off the last checkers."""

    def evaluate(self, boards: Board) -> Outcomes:
        chances = np.zeros((len(boards), 5), dtype=np.float32)
        for number, board in enumerate(boards):
            if result(board):
                chances[number, 0] = result(board) > 0
                continue
            for roll, weight in zip(ROLLS, ROLL_WEIGHTS, strict=True):
                chances[number, 0] += weight * any(result(after) for after in legal_plays(board, roll).successors)
        return chances


@pytest.mark.parametrize("points", [(5, 1), (5, 2), (6, 1), (6, 4), (3, 2), (1, 1)])
def test_the_last_roll_is_decided_with_a_dead_cube(points: tuple[int, int]) -> None:
    board = np.zeros(26, dtype=np.int8)
    np.add.at(board, list(points), 1)
    board[24] = -1
    decision = decide_cube(Analyst(Counted(), "counted"), Position(board=board))
    chance = float(decision.outcomes[0])
    assert decision.no_double == pytest.approx(2 * chance - 1, abs=1e-6)
    assert decision.double_take == pytest.approx(2 * (2 * chance - 1), abs=1e-6)
    assert decision.action == ("no double" if chance <= 0.5 else "double" if chance < 1 else decision.action)
    assert decision.answer == ("take" if chance <= 0.75 else "pass")
    assert decision.take_point == pytest.approx(0.25, abs=1e-3)


def test_plays_that_are_equal_with_the_cube_are_ranked_without_it() -> None:
    """The opponent cashes after every play."""

    class Hopeless:
        def evaluate(self, boards: Board) -> Outcomes:
            outcomes = np.zeros((len(boards), 5), dtype=np.float32)
            outcomes[:, 0] = 0.9 + 0.05 * np.sin(np.asarray(boards) @ np.arange(26))
            return outcomes

    asked = [Position(dice=(3, 1)), Position(dice=(6, 4)), Position(dice=(2, 2))]
    together = Analyst(Hopeless(), "hopeless").rank(asked)
    assert (together.equities == -1).all()
    for number, position in enumerate(asked):
        here = slice(together.plays.offsets[number], together.plays.offsets[number + 1])
        assert (np.diff(together.cubeless[together.order[here]]) <= 0).all()
        alone = Analyst(Hopeless(), "hopeless").rank([position])
        assert np.array_equal(alone.order, together.order[here] - here.start)
