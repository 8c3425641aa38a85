"""An analyst that looks ahead: its numbers, their depth, and that neither company nor time changes them."""

from __future__ import annotations

import random
import threading
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import bgai.search
from bgai.analyst import Analyst
from bgai.bearoff import two_sided
from bgai.board import Board
from bgai.cube_decision import decide_cube
from bgai.errors import InputError
from bgai.evaluator import KernelEvaluator
from bgai.model import Manifest, Model
from bgai.move_filter import FILTERS, Filter, Level
from bgai.opinions import RankedPlays
from bgai.outcomes import Outcomes
from bgai.position import Cube, Position, Score
from bgai.search import Clock, Look, Search, Settings
from bgai.valuer import deepen
from tests.networks import random_weights
from tests.positions import mixed_positions
from tests.states import random_position

MODEL = Model(Manifest("tested", "points-1", [16]), random_weights([16], seed=82))
DEEP = Analyst.of(MODEL, plies=2, filter=Filter("few", (Level(1, 2, 0.3), Level(1, 1, 0.3))))
AHEAD = Analyst.of(MODEL, plies=1)
STATIC = Analyst.of(MODEL)


def positions(count: int, seed: int) -> list[Position]:
    """Boards with a roll each, at all kinds of cubes and scores."""
    rng = random.Random(seed)
    boards, dice = mixed_positions(count, seed)
    return [
        replace(random_position(rng, board, offers=False), dice=(first, second))
        for board, (first, second) in zip(boards, dice.tolist(), strict=True)
    ]


def part(ranked: RankedPlays, number: int) -> slice:
    return slice(ranked.plays.offsets[number], ranked.plays.offsets[number + 1])


@pytest.mark.parametrize("analyst", [AHEAD, Analyst.of(MODEL, plies=1, cubeful=False)])
def test_alone_and_together_give_the_same_digits(analyst: Analyst) -> None:
    asked = positions(24, seed=15)
    together = analyst.rank(asked)
    valued = analyst.evaluate_many(asked)
    for number, position in enumerate(asked):
        alone, here = analyst.rank([position]), part(together, number)
        assert np.array_equal(alone.order, together.order[here] - here.start)
        for name in ("equities", "cubeless", "mwc", "outcomes", "plies"):
            assert np.array_equal(getattr(alone, name), getattr(together, name)[here], equal_nan=name == "mwc")
        one, other = analyst.evaluate(position), valued[number]
        assert (one.equity, one.cubeless, one.mwc, one.plies) == (other.equity, other.cubeless, other.mwc, 1)
        assert np.array_equal(one.outcomes, other.outcomes)
        actions, _, outcomes = analyst.cube_values(position)
        assert np.array_equal(outcomes, one.outcomes)
        if analyst.cubeful:
            assert actions.value[0] == one.equity


def test_plays_of_more_plies_come_first_and_each_depth_is_sorted() -> None:
    asked = positions(8, seed=16)
    ranked = DEEP.rank(asked)
    at_once = STATIC.rank(asked)
    counts = np.zeros(3, dtype=int)
    for number in range(len(asked)):
        here = ranked.order[part(ranked, number)]
        keys = [(-ranked.plies[play], -ranked.equities[play]) for play in here]
        assert keys == sorted(keys)
        assert ranked.plies[here[0]] == 2
        counts += np.bincount(ranked.plies[here], minlength=3)
    assert (counts > 0).all()
    dropped = ranked.plies == 0
    assert np.array_equal(ranked.equities[dropped], at_once.equities[dropped])
    assert (at_once.plies == 0).all()


def test_what_a_play_is_worth_is_what_it_leads_to() -> None:
    position = positions(3, seed=17)[1]
    ranked = AHEAD.rank([position])
    best = int(ranked.order[0])
    after = replace(
        position,
        board=ranked.plays.successors[best],
        dice=None,
        cube=position.cube.flipped(),
        score=position.score.flipped(),
    )
    left = AHEAD.evaluate(after)
    assert ranked.equities[best] == -left.equity
    assert ranked.cubeless[best] == -left.cubeless


@pytest.mark.parametrize("analyst", [STATIC, AHEAD])
@pytest.mark.parametrize("cube", [Cube(), Cube(2, "on roll"), Cube(2, "opponent")], ids=str)
def test_exact_bear_offs_are_exact_with_the_cube(analyst: Analyst, cube: Cube) -> None:
    board = np.zeros(26, dtype=np.int8)
    board[[6, 3, 20, 23]] = 2, 1, -1, -2
    exact = two_sided(6).cube(board[None])
    actions, _, _ = analyst.cube_values(Position(board, cube=cube))
    if cube.owner == "opponent":
        assert actions.value[0] == exact.opponents[0]
    else:
        owned = cube.owner == "on roll"
        assert actions.no_double[0] == (exact.no_redouble if owned else exact.no_double)[0]
        assert actions.double_take[0] == exact.double_take[0]
        assert actions.value[0] == (exact.owned if owned else exact.centred)[0]


def test_a_depth_between_is_as_if_it_were_asked_for() -> None:
    asked = positions(6, seed=18)
    hurried = Analyst.of(MODEL, plies=4, seconds=1e-9)
    assert np.array_equal(hurried.rank(asked).equities, STATIC.rank(asked).equities)
    assert not hurried.rank(asked).plies.any()
    assert {found.plies for found in hurried.evaluate_many(asked)} == {0}
    patient = Analyst.of(MODEL, plies=1, seconds=1e6)
    for name in ("equities", "order", "plies"):
        assert np.array_equal(getattr(patient.rank(asked), name), getattr(AHEAD.rank(asked), name))


def test_an_interrupted_question_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    analyst = Analyst.of(MODEL, plies=2, filter=DEEP.settings.filter, threads=2)
    position = Position(dice=(3, 1))
    expected = analyst.rank([position])

    def interrupt(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    threads = threading.active_count()
    with monkeypatch.context() as patched:
        patched.setattr(bgai.search, "wait", interrupt)
        with pytest.raises(KeyboardInterrupt):
            analyst.rank([position])
    assert threading.active_count() == threads
    assert np.array_equal(analyst.rank([position]).equities, expected.equities)


def test_market_losers_are_played_at_once() -> None:
    position = Position(score=Score((2, 3), 7))
    one, other = decide_cube(STATIC, position), decide_cube(AHEAD, position)
    assert one.market_losers == other.market_losers
    assert one.no_double != other.no_double


def test_an_evaluator_that_is_not_compiled_cannot_look_ahead() -> None:
    class Same:
        def evaluate(self, boards: Board) -> Outcomes:
            return KernelEvaluator(MODEL).evaluate(boards)

    with pytest.raises(InputError, match="2 plies, expected 0 for an evaluator that is not compiled"):
        Analyst(Same(), "same", settings=DEEP.settings)


def test_filters_by_name() -> None:
    assert AHEAD.settings.moves is FILTERS["normal"]
    assert Analyst.of(MODEL, plies=3, filter="huge").settings.moves is FILTERS["huge"]


def test_of_equal_plays_the_better_without_the_cube_go_on() -> None:
    looked: list[list[int]] = []

    def look(chosen: NDArray[np.int64], plies: int, clock: Clock) -> NDArray[np.float64]:
        looked.append(chosen.tolist())
        return np.full(len(chosen), -1.0)

    settings = Settings(1, Filter("two", (Level(1, 1, 0.1),)))
    theirs = np.array([0.9, 0.7, 0.8, 0.6])
    deepen(np.array([0, 4]), np.full(4, -1.0), settings, look, theirs)
    assert looked == [[1, 3]]


def test_neither_compiling_nor_opening_counts_as_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The search has looked ahead once before the clock starts, and kernels see arrays of the same kind."""
    events: list[str] = []

    def look(self: Search, boards: Board, *rest: Any) -> Look:
        assert boards.flags.writeable
        events.append(f"{rest[2]}-ply")
        return real(self, boards, *rest)

    def clock(*_: Any) -> Clock:
        events.append("clock")
        return Clock()

    real = Search.look
    monkeypatch.setattr(Search, "look", look)
    monkeypatch.setattr("bgai.valuer.Clock", clock)
    analyst = Analyst.of(MODEL, plies=1, seconds=1e6)
    for ask in (analyst.rank, lambda asked: analyst.cube_values(asked[0])):
        ask([Position(dice=(3, 1))])
    timed = [event for event in events if event != "clock"]
    assert timed == ["1-ply"] * 3
    assert events.index("1-ply") < len(events) - 1 - events[::-1].index("clock")
