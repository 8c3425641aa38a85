"""The player with the cube: exact decisions on outcomes that are made up, and whole matches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

import bgai.cube_decision
from bgai.analyst import Analyst
from bgai.board import Board, flip
from bgai.bot import Bot
from bgai.cube_decision import decide_cube
from bgai.evaluator import KernelEvaluator
from bgai.events import AcceptResignation, Beaver, Double, Pass, Raccoon, RefuseResignation, Resign, StartGame, Take
from bgai.match import apply, rebuild
from bgai.match_play import Answer, MatchPlayer, play_match
from bgai.match_rules import Rules
from bgai.match_state import MatchState, new_match, position
from bgai.model import Manifest, Model
from bgai.notation.positionid import parse_position_id
from bgai.outcomes import Outcomes
from bgai.plays import Plays
from bgai.position import Position
from bgai.record import MatchRecord
from tests.cases import case
from tests.networks import ENCODER, random_weights

RNG = np.random.default_rng(0)
FAR = {6: 11, 12: 4}
"""Own checkers, of which no roll takes one off: six and six brings the four home."""


class Fixed:
    """Thinks the same of every position."""

    def __init__(self, outcomes: Sequence[float]) -> None:
        self.outcomes = np.array(outcomes, dtype=np.float32)

    def evaluate(self, boards: Board) -> Outcomes:
        return np.repeat(self.outcomes[None], len(boards), axis=0)


def bot(*outcomes: float) -> Bot:
    """One with this opinion: win, gammon, backgammon, lost gammon, lost backgammon; zeros may be left out."""
    return Bot(Analyst(Fixed([*outcomes, *[0.0] * (5 - len(outcomes))]), "fixed"))


def random_bot(seed: int) -> Bot:
    model = Model(Manifest(f"random {seed}", ENCODER, [8]), random_weights([8], seed))
    return Bot(Analyst(KernelEvaluator(model), model.name))


def state_of(
    rules: Rules | None = None,
    score: tuple[int, int] = (0, 0),
    *,
    cube: int = 1,
    owner: int | None = None,
    board: Board | None = None,
    post_crawford: bool = False,
) -> MatchState:
    """Seat 0 is to roll."""
    state = apply(new_match(rules or Rules(), score=score, post_crawford=post_crawford), StartGame((6, 5)))
    if board is not None:
        state = replace(state, checkers=tuple(board.tolist()))
    return replace(state, dice=None, cube=cube, owner=owner, turn=2)


def board_of(own: dict[int, int], other: dict[int, int]) -> Board:
    """Checkers by point, each side's counted from its own."""
    board = np.zeros(26, dtype=np.int8)
    for point, count in own.items():
        board[point] += count
    for point, count in other.items():
        board[25 - point] -= count
    return board


JACOBY = Rules(jacoby=True)
BEAVERS = Rules(beavers=True, raccoons=True)


# The cash point without gammons at the efficiency that is taken by default is 78.6 %.
@pytest.mark.parametrize(
    ("state", "outcomes", "doubles"),
    [
        (state_of(), [0.5], False),
        (state_of(), [0.75], True),
        (state_of(), [0.9], True),
        (state_of(cube=2, owner=0), [0.75], True),
        (state_of(cube=2, owner=0), [0.6], False),
        # Too good: the gammon is worth more than the pass. Under Jacoby it is not, while the cube is in the middle.
        (state_of(), [0.95, 0.8], False),
        (state_of(JACOBY), [0.95, 0.8], True),
        (state_of(JACOBY, cube=2, owner=0), [0.95, 0.8], False),
        # Dead: with the cube as it is the match is won.
        (state_of(Rules(length=5), (3, 1), cube=2, owner=0), [0.75], False),
        (state_of(Rules(length=5), (4, 1), post_crawford=True), [0.75], False),
        # After the Crawford game the trailer has nothing to lose.
        (state_of(Rules(length=5), (3, 4), post_crawford=True), [0.3], True),
        (state_of(Rules(length=5), (3, 4)), [0.75], False),
        (state_of(Rules(cube_limit=2), cube=2, owner=0), [0.75], False),
    ],
)  # fmt: skip
def test_doubles(state: MatchState, outcomes: list[float], doubles: bool) -> None:
    assert bot(*outcomes).doubles(state, RNG) is doubles


# Outcomes are those of the doubler; the classical take point with x = 0.68 is 21.4 %.
@pytest.mark.parametrize(
    ("state", "outcomes", "answer"),
    [
        (state_of(), [0.75], "take"),
        (state_of(), [0.8], "pass"),
        (state_of(), [0.75, 0.4], "pass"),
        (state_of(cube=4, owner=0), [0.78], "take"),
        (state_of(), [0.4], "take"),
        (state_of(Rules(beavers=True)), [0.4], "redouble"),
        (state_of(Rules(beavers=True)), [0.6], "take"),
        (state_of(Rules(beavers=True, cube_limit=2)), [0.4], "take"),
        # Without a point between the pass and the lost match the take is free.
        (state_of(Rules(length=5), (3, 4), post_crawford=True), [0.49], "take"),
        (state_of(Rules(length=5), (3, 4), post_crawford=True), [0.51], "pass"),
        (state_of(Rules(length=5), (4, 4), post_crawford=True), [0.9], "take"),
    ],
)  # fmt: skip
def test_answers_to_a_double(state: MatchState, outcomes: list[float], answer: Answer) -> None:
    assert bot(*outcomes).answers(apply(state, Double(0)), RNG) == answer


@pytest.mark.parametrize(("win", "answer"), [(0.65, "redouble"), (0.4, "take"), (0.2, "pass")])
def test_answers_to_a_beaver(win: float, answer: Answer) -> None:
    state = apply(apply(state_of(BEAVERS), Double(0)), Beaver(1))
    assert bot(win).answers(state, RNG) == answer
    without = apply(apply(state_of(Rules(beavers=True)), Double(0)), Beaver(1))
    assert bot(win).answers(without, RNG) == ("take" if answer == "redouble" else answer)


@pytest.mark.parametrize(("win", "answer"), [(0.55, "take"), (0.75, "take"), (0.8, "pass")])
def test_answers_to_a_raccoon(win: float, answer: Answer) -> None:
    state = apply(apply(apply(state_of(BEAVERS), Double(0)), Beaver(1)), Raccoon(0))
    assert bot(win).answers(state, RNG) == answer


def test_the_bot_does_what_the_advice_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bgai.cube_decision, "market_losers", lambda analyst, position: 0.0)
    states = [
        state_of(),
        state_of(Rules(jacoby=True, beavers=True)),
        state_of(cube=2, owner=0),
        state_of(Rules(length=7), (2, 4)),
        state_of(Rules(length=7), (5, 4), cube=2, owner=0),
        state_of(Rules(length=5), (2, 4), post_crawford=True),
    ]
    rng = np.random.default_rng(4)
    seen = set()
    for _ in range(100):
        win = rng.random()
        outcomes = [win, win * rng.random(), 0, (1 - win) * rng.random(), 0]
        for state in states:
            player = bot(*outcomes)
            decision = decide_cube(player.analyst, position(state))
            assert player.doubles(state, RNG) == (decision.action in ("double", "redouble"))
            answer = player.answers(apply(state, Double(0)), RNG)
            assert answer == ("redouble" if decision.answer == "beaver" else decision.answer)
            seen |= {decision.action, decision.answer}
    assert len(seen) == 9


def test_a_play_is_chosen_by_its_equity_with_the_cube() -> None:
    player = random_bot(3)
    for dice in ((3, 1), (1, 3), (5, 5), (6, 2)):
        state = replace(state_of(Rules(length=5), (3, 1)), dice=dice)
        plays = state.plays
        chosen = player.choose(state, plays, RNG)
        after = [
            Position(board=board, cube=position(state).cube.flipped(), score=position(state).score.flipped())
            for board in plays.successors
        ]
        equities = [-evaluation.equity for evaluation in player.analyst.evaluate_many(after)]
        assert chosen == int(np.argmax(equities))
        backwards = Plays(plays.successors[::-1], plays.steps[::-1])
        assert player.choose(state, backwards, RNG) == len(plays) - 1 - chosen


def test_a_gammon_that_can_be_saved_is_not_resigned() -> None:
    reported = case("sc-15")
    given = reported["input"]
    board = parse_position_id(given["position_id"])
    score = (given["score"]["loser"], given["score"]["winner"])
    for outcomes in ([0, 0, 0, 0.583333], [0, 0, 0, 1.0], [0, 0, 0, 1.0, 1.0], [0.0]):
        state = state_of(Rules(length=given["match_length"]), score, board=board)
        assert bot(*outcomes).resigns(state, RNG) <= 1
        # With the cube at 2 a gammon loses no more than the single game, which is certain.
        assert bot(*outcomes).resigns(replace(state, cube=2, owner=1), RNG) == 1


@pytest.mark.parametrize(
    ("own", "other", "value"),
    [
        ({1: 2, 6: 10}, {1: 2}, 1),  # three are off
        (FAR, {1: 2}, 2),
        ({6: 10, 22: 2, 23: 3}, {1: 2}, 3),  # no roll brings five out of the other home board
        ({6: 14, 23: 1}, {1: 2}, 0),  # some rolls bring the last one out
        ({6: 14, 25: 1}, {1: 1}, 0),  # contact
        (FAR, {1: 3}, 0),  # the opponent may need two turns, and so the loser may have two
        (FAR, {6: 1, 5: 1}, 0),  # it may miss
        ({6: 2}, {1: 2}, 0),  # not lost: a pair of sixes wins
    ],
)
def test_what_is_lost_whatever_falls_is_resigned(own: dict[int, int], other: dict[int, int], value: int) -> None:
    # The network is no help: it expects to win half of the games.
    assert bot(0.5).resigns(state_of(board=board_of(own, other)), RNG) == value


def test_kinds_of_loss_that_cost_the_same_are_resigned_as_the_smallest() -> None:
    lost = board_of(FAR, {1: 2})
    assert bot(0.5).resigns(state_of(JACOBY, board=lost), RNG) == 1
    assert bot(0.5).resigns(state_of(JACOBY, board=lost, cube=2, owner=1), RNG) == 2
    assert bot(0.5).resigns(state_of(Rules(length=5), (2, 4), board=lost), RNG) == 1


def test_a_single_game_in_a_race_is_resigned_without_a_chance_and_without_a_gammon() -> None:
    board = board_of({6: 13}, {1: 6})
    assert bot(0.00005).resigns(state_of(board=board), RNG) == 1
    assert bot(0.001).resigns(state_of(board=board), RNG) == 0
    assert bot(0, 0, 0, 0.3).resigns(state_of(board=board), RNG) == 0
    assert bot(0, 0, 0, 0.3).resigns(state_of(JACOBY, board=board), RNG) == 1
    assert bot(0.0).resigns(state_of(), RNG) == 0  # the starting position is no race


# What the network thinks of the resigner, who is on roll; of the next three numbers, what is accepted.
@pytest.mark.parametrize(
    ("state", "outcomes", "accepted"),
    [
        (state_of(), [0.1], [True, True, True]),
        (state_of(), [0, 0, 0, 0.4], [False, True, True]),
        (state_of(), [0, 0, 0, 1, 0.1], [False, False, True]),
        (state_of(JACOBY), [0, 0, 0, 0.4], [True, True, True]),
        (state_of(JACOBY, cube=2, owner=1), [0, 0, 0, 0.4], [False, True, True]),
        # Seat 1 needs one point, or two.
        (state_of(Rules(length=5), (0, 4), post_crawford=True), [0, 0, 0, 0.4], [True, True, True]),
        (state_of(Rules(length=5), (0, 3)), [0, 0, 0, 0.4], [False, True, True]),
    ],
)
def test_resignations_are_accepted_if_playing_on_is_not_worth_more(
    state: MatchState, outcomes: list[float], accepted: list[bool]
) -> None:
    player = bot(*outcomes)
    assert [player.accepts(apply(state, Resign(0, value)), RNG) for value in (1, 2, 3)] == accepted


def test_resignations_after_the_roll_and_out_of_turn() -> None:
    # After the play the other one is on roll, and it wins: a gammon four times in ten.
    state = replace(state_of(), dice=(6, 1))
    assert not bot(1, 0.4).accepts(apply(state, Resign(0, 1)), RNG)
    assert bot(0.9).accepts(apply(state, Resign(0, 1)), RNG)
    # Seat 1 resigns while seat 0 is on roll and has the same good chances.
    assert not bot(1, 0.4).accepts(apply(state_of(), Resign(1, 1)), RNG)
    assert bot(1, 0.4).accepts(apply(state_of(), Resign(1, 2)), RNG)
    assert bot(0.9).accepts(apply(state_of(), Resign(1, 1)), RNG)


def test_what_is_lost_for_certain_is_accepted_whatever_the_network_thinks() -> None:
    lost = state_of(board=board_of(FAR, {1: 2}))
    doubtful = bot(0, 0, 0, 1, 0.5)
    assert not doubtful.accepts(apply(lost, Resign(0, 1)), RNG)
    assert doubtful.accepts(apply(lost, Resign(0, 2)), RNG)


@pytest.mark.parametrize("length", [1, 2, 3, 5])
def test_matches_between_bots(length: int) -> None:
    players: tuple[MatchPlayer, MatchPlayer] = (random_bot(length), random_bot(length + 1))
    rules = Rules(length=length)
    record = play_match(players, rules, seed=length)
    final = rebuild(rules, record.events)
    assert final.winner is not None
    assert MatchRecord.from_dict(record.to_dict()) == record
    for state, event in record.replay():
        if isinstance(event, Double):
            assert state.cube < length - state.score[event.seat]


def test_a_money_session_between_bots() -> None:
    rules = Rules(jacoby=True, beavers=True, raccoons=True, automatic_doubles=1)
    # Bots that think differently beaver each other's doubles.
    players = random_bot(5), random_bot(6)
    record = play_match(players, rules, seed=1, games=6)
    assert rebuild(rules, record.events) == record.final
    kinds = {type(event) for event in record.events}
    assert kinds >= {Double, Take, Beaver, Pass}
    assert play_match(players, rules, seed=1, games=1).games == record.games[:1]


def test_resignations_between_bots_end_games() -> None:
    sure: tuple[MatchPlayer, MatchPlayer] = (bot(0.5), bot(0.5))
    record = play_match(sure, Rules(cube=False), seed=2, games=12)
    events = record.events
    assert any(isinstance(event, AcceptResignation) for event in events)
    assert not any(isinstance(event, RefuseResignation) for event in events)


def test_the_board_of_the_other_seat() -> None:
    """Seat 1's decisions are those of seat 0 with the seats exchanged."""
    board = board_of({6: 13}, {1: 6})
    here = state_of(board=board)
    there = replace(here, on_roll=1)
    assert bot(0.0).resigns(here, RNG) == bot(0.0).resigns(there, RNG) == 1
    assert np.array_equal(position(there).board, board)
    assert np.array_equal(position(apply(there, Resign(0, 1))).board, flip(board))
