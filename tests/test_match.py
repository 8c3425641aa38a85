"""Matches by hand: what each event does, what is refused and why."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from bgai.board import START, flip
from bgai.errors import InputError, RuleError
from bgai.events import (
    AcceptResignation,
    Beaver,
    Double,
    EndOfGame,
    Event,
    Pass,
    Play,
    Raccoon,
    RefuseResignation,
    Resign,
    Roll,
    SetUp,
    StartGame,
    Take,
    event_from_dict,
)
from bgai.match import apply, legal_actions, rebuild, refusal
from bgai.match_rules import Rules
from bgai.match_state import MatchState, new_match, position
from bgai.position import Cube, Position, Score

MONEY = Rules()
ALL = Rules(jacoby=True, beavers=True, raccoons=True, automatic_doubles=2)
OPENED: list[Event] = [StartGame((3, 1)), Play(0, ((8, 5), (6, 5)))]
"""Seat 0 has made its five point; seat 1 is on roll."""


BEAR_IN = (0, -4, -4, -4, 0, 0, 0, *[0] * 11, 5, 0, 0, 0, 0, 0, 5, 5)
"""A board that nobody comes to by playing: three stacks a side."""


def after(rules: Rules, *events: Event, score: tuple[int, int] = (0, 0), post_crawford: bool = False) -> MatchState:
    return rebuild(rules, [*OPENED, *events], score=score, post_crawford=post_crawford)


def last_checkers(state: MatchState) -> MatchState:
    """The same state with one checker left to each side, on its ace point: whoever rolls wins a single game."""
    board = np.zeros(26, dtype=int)
    board[1], board[24] = 1, -1
    return replace(state, checkers=tuple(board.tolist()))


def win(state: MatchState) -> MatchState:
    """A single game won by the player on roll."""
    seat = state.on_roll
    return apply(apply(last_checkers(state), Roll(seat, (2, 1))), Play(seat, ((1, 0),)))


def cube(state: MatchState) -> tuple[int, int | None]:
    return state.cube, state.owner


# ---- the course of a game


def test_before_the_first_game_only_a_start_is_possible() -> None:
    state = new_match(MONEY)
    assert (state.to_act, state.game, state.playing) == (None, 0, False)
    actions = legal_actions(state)
    assert len(actions) == 30
    assert all(isinstance(action, StartGame) for action in actions)


@pytest.mark.parametrize(("dice", "seat"), [((3, 1), 0), ((2, 6), 1)])
def test_the_larger_die_begins_and_plays_both(dice: tuple[int, int], seat: int) -> None:
    state = apply(new_match(MONEY), StartGame(dice))
    assert (state.on_roll, state.to_act, state.dice, state.turn, state.game) == (seat, seat, dice, 0, 1)
    assert np.array_equal(state.board, START)


def test_turns_alternate_and_the_board_turns_with_them() -> None:
    state = after(MONEY)
    assert (state.on_roll, state.dice, state.turn) == (1, None, 1)
    assert list(flip(state.board)[[5, 6, 8]]) == [2, 4, 2]
    state = apply(apply(state, Roll(1, (6, 5))), Play(1, ((24, 18), (18, 13))))
    assert (state.on_roll, state.turn) == (0, 2)
    assert list(flip(state.board)[[24, 13]]) == [1, 6]


@pytest.mark.parametrize("steps", [((24, 21), (21, 20)), ((21, 20), (24, 21)), ((24, 23), (23, 20))])
def test_any_order_of_the_steps_is_the_same_play(steps: tuple[tuple[int, int], ...]) -> None:
    state = apply(apply(new_match(MONEY), StartGame((3, 1))), Play(0, steps))
    assert list(flip(state.board)[[24, 20]]) == [1, 1]


def test_a_hit_sends_to_the_bar_and_who_cannot_enter_plays_nothing() -> None:
    # Given: seat 1 on the bar against a closed board.
    state = after(MONEY)
    board = np.zeros(26, dtype=int)
    board[25], board[6], board[19:25] = 1, 14, -2
    state = apply(replace(state, checkers=tuple(board.tolist())), Roll(1, (6, 4)))
    plays = [action for action in legal_actions(state) if isinstance(action, Play)]
    assert plays == [Play(1)]
    state = apply(state, plays[0])
    assert (state.on_roll, state.board[0], state.turn) == (0, -1, 2)


def test_a_game_ends_with_the_last_checker() -> None:
    state = win(after(MONEY))
    assert state.result == EndOfGame(winner=1, value=1, cube=1, how="bear-off")
    assert (state.score, state.playing, state.to_act, state.winner) == ((0, 1), False, None, None)
    state = apply(state, StartGame((5, 2)))
    assert (state.game, state.result, state.score) == (2, None, (0, 1))


def test_a_match_ends_when_a_score_reaches_its_length() -> None:
    state = win(after(Rules(length=3), score=(0, 2), post_crawford=True))
    assert (state.score, state.winner) == ((0, 3), 1)
    assert legal_actions(state) == ()
    with pytest.raises(RuleError, match=r"^the match is over: seat 1 has won it 3-0$"):
        apply(state, StartGame((5, 2)))


# ---- the cube


def test_a_double_that_is_taken() -> None:
    state = after(MONEY, Double(1))
    assert (state.offer, state.to_act, state.on_roll, cube(state)) == ("double", 0, 1, (1, None))
    state = apply(state, Take(0))
    assert (state.offer, state.to_act, cube(state)) == (None, 1, (2, 0))
    assert refusal(state, Double(1)) == "seat 1 may not double: the cube is owned by seat 0"
    state = apply(apply(state, Roll(1, (6, 5))), Play(1, ((24, 18), (18, 13))))
    state = apply(apply(state, Double(0)), Take(1))
    assert cube(state) == (4, 1)


def test_a_pass_costs_the_stake_as_it_was() -> None:
    state = after(MONEY, Double(1), Pass(0))
    assert state.result == EndOfGame(winner=1, value=1, cube=1, how="drop")
    state = after(MONEY, Double(1), Take(0), Roll(1, (6, 5)), Play(1, ((24, 18), (18, 13))), Double(0), Pass(1))
    assert state.result == EndOfGame(winner=0, value=1, cube=2, how="drop")
    assert state.score == (2, 0)


def test_beavers_and_raccoons() -> None:
    beavered = after(ALL, Double(1), Beaver(0))
    assert (beavered.offer, beavered.to_act, cube(beavered)) == ("beaver", 1, (2, 0))
    assert cube(apply(beavered, Take(1))) == (4, 0)
    assert apply(beavered, Pass(1)).result == EndOfGame(winner=0, value=1, cube=2, how="drop")
    raccooned = apply(beavered, Raccoon(1))
    assert (raccooned.offer, raccooned.to_act, cube(raccooned)) == ("raccoon", 0, (4, 0))
    assert cube(apply(raccooned, Take(0))) == (8, 0)
    assert apply(raccooned, Pass(0)).result == EndOfGame(winner=1, value=1, cube=4, how="drop")
    assert apply(raccooned, Take(0)).to_act == 1


def test_automatic_doubles_leave_the_cube_centred_and_unturned() -> None:
    state = rebuild(ALL, [StartGame((3, 1), automatic=2), Play(0, ((8, 5), (6, 5)))])
    assert cube(state) == (4, None)
    assert refusal(state, Double(1)) is None
    # Given: a resigned gammon, which Jacoby does not count yet.
    state = apply(apply(state, Resign(1, 2)), AcceptResignation(0))
    assert state.result == EndOfGame(winner=0, value=1, cube=4, how="resignation")


def test_jacoby_counts_gammons_once_the_cube_is_turned() -> None:
    state = after(ALL, Double(1), Take(0), Resign(1, 3), AcceptResignation(0))
    assert state.result == EndOfGame(winner=0, value=3, cube=2, how="resignation")


def test_nobody_doubles_in_the_crawford_game() -> None:
    rules = Rules(length=5)
    state = after(rules, score=(4, 2))
    assert state.crawford
    assert refusal(state, Double(1)) == "seat 1 may not double: this is the Crawford game"
    # When: the trailer wins it, then: both may double in the next.
    state = rebuild_from(win(state), *OPENED)
    assert (state.score, state.crawford, state.post_crawford) == ((4, 3), False, True)
    assert refusal(state, Double(1)) is None
    # The leader's double is dead, and still legal.
    state = apply(apply(state, Roll(1, (6, 5))), Play(1, ((24, 18), (18, 13))))
    assert refusal(state, Double(0)) is None


def test_there_is_one_crawford_game_only() -> None:
    state = win(after(Rules(length=5), score=(4, 3)))
    assert state.score == (4, 4)
    assert not rebuild_from(state, *OPENED).crawford


def test_without_the_crawford_rule_the_cube_stays_in_play() -> None:
    state = after(Rules(length=5, crawford=False), score=(4, 2))
    assert not state.crawford
    assert refusal(state, Double(1)) is None


def test_a_match_may_be_joined_after_the_crawford_game() -> None:
    assert not after(Rules(length=5), score=(4, 2), post_crawford=True).crawford
    assert not after(Rules(length=5), score=(4, 4)).crawford


def test_the_one_game_of_a_match_to_one_point_is_not_the_crawford_game() -> None:
    """Its cube is dead, which is another thing: doubling is legal and useless, and an ID can be written."""
    state = after(Rules(length=1))
    assert not state.crawford
    assert refusal(state, Double(state.on_roll)) is None


@pytest.mark.parametrize(
    ("rules", "events", "refused", "reason"),
    [
        (Rules(cube=False), [], Double(1), "seat 1 may not double: this is played without the cube"),
        (Rules(cube_limit=1), [], Double(1), "seat 1 may not double: the cube at 1 would pass its limit of 1"),
        (MONEY, [], Double(0), "seat 0 may not double: seat 1 is on roll"),
        (MONEY, [Roll(1, (2, 1))], Double(1), "seat 1 may not double: the roll 2-1 is thrown"),
        (MONEY, [Double(1)], Beaver(0), "seat 0 may not beaver: beavers are not agreed"),
        (MONEY, [Double(1)], Take(1), "seat 1 may not take: seat 0 has to answer the double"),
        (MONEY, [Double(1)], Roll(1, (1, 1)), "seat 1 may not roll: a double waits for an answer of seat 0"),
        (MONEY, [Double(1)], Resign(0, 2), "seat 0 may not resign: a double waits for an answer of seat 0"),
        (MONEY, [], Take(0), "seat 0 may not take: no double waits for an answer"),
        (MONEY, [], Play(1), "seat 1 may not play: a roll comes first"),
        (MONEY, [], Roll(0, (1, 1)), "seat 0 may not roll: seat 1 is on roll"),
        (MONEY, [Roll(1, (2, 1))], Roll(1, (2, 1)), "seat 1 may not roll: the roll 2-1 has to be played first"),
        (MONEY, [], StartGame((2, 1)), "game 1 is not finished, so the next cannot start"),
        (MONEY, [], AcceptResignation(0), "seat 0 may not accept the resignation: nobody has resigned"),
        (MONEY, [Resign(1)], AcceptResignation(1), "seat 1 may not accept the resignation: it is its own"),
        (MONEY, [Resign(1)], Roll(1, (2, 1)), "seat 1 may not roll: a resignation of seat 1 waits for an answer"),
        (ALL, [Double(1)], Raccoon(0), "seat 0 may not raccoon: that answers a beaver, and this is a double"),
        (ALL, [Double(1), Beaver(0)], Beaver(1), "seat 1 may not beaver: that answers a double, and this is a beaver"),
        (ALL, [Double(1), Beaver(0)], Raccoon(0), "seat 0 may not raccoon: seat 1 has to answer the beaver"),
        (
            Rules(beavers=True),
            [Double(1), Beaver(0)],
            Raccoon(1),
            "seat 1 may not raccoon: raccoons are not agreed",
        ),
        (
            Rules(beavers=True, cube_limit=2),
            [Double(1)],
            Beaver(0),
            "seat 0 may not beaver: the cube at 1 would pass its limit of 2",
        ),
        (
            MONEY,
            [Roll(1, (6, 6))],
            Play(1, ((24, 18),)),
            "seat 1 may not play: the roll 6-6 cannot be played as 24/18; legal: ",
        ),
    ],
)
def test_what_is_not_allowed_is_refused_with_the_reason(
    rules: Rules, events: list[Event], refused: Event, reason: str
) -> None:
    state = after(rules, *events)
    before = replace(state)
    with pytest.raises(RuleError) as error:
        apply(state, refused)
    assert str(error.value).startswith(reason)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 250
    assert state == before
    assert refused not in legal_actions(state)


@pytest.mark.parametrize(
    ("automatic", "rules", "reason"),
    [
        (1, MONEY, "at most 0 automatic doubles are agreed, found 1"),
        (3, ALL, "at most 2 automatic doubles are agreed, found 3"),
        (2, replace(ALL, cube_limit=2), "2 automatic doubles would pass the cube's limit of 2"),
    ],
)
def test_automatic_doubles_have_limits(automatic: int, rules: Rules, reason: str) -> None:
    assert refusal(new_match(rules), StartGame((2, 1), automatic)) == reason


def test_the_legal_plays_are_named() -> None:
    state = replace(after(MONEY), checkers=last_checkers(after(MONEY)).checkers, dice=(2, 1))
    assert refusal(state, Play(1)) == "seat 1 may not play: the roll 2-1 cannot be played as a pass; legal: 1/off"


def test_a_die_may_not_be_stretched() -> None:
    """24/13 is one checker by both dice; as one step it would hide the point between."""
    state = after(MONEY, Roll(1, (6, 5)))
    assert refusal(state, Play(1, ((24, 13),))) is not None
    assert refusal(state, Play(1, ((24, 18), (18, 13)))) is None


# ---- resignations


@pytest.mark.parametrize("value", [1, 2, 3])
def test_a_resignation_of_each_value(value: int) -> None:
    state = after(MONEY, Double(1), Take(0), Resign(1, value))
    assert state.to_act == 0
    assert legal_actions(state) == (AcceptResignation(0), RefuseResignation(0))
    end = apply(state, AcceptResignation(0))
    assert end.result == EndOfGame(winner=0, value=value, cube=2, how="resignation")
    assert end.score == (2 * value, 0)


def test_a_refused_resignation_leaves_everything_as_it_was() -> None:
    state = after(MONEY, Roll(1, (2, 1)))
    assert apply(apply(state, Resign(1, 1)), RefuseResignation(0)) == state


def test_either_side_may_resign_before_and_after_the_roll() -> None:
    for state in (after(MONEY), after(MONEY, Roll(1, (2, 1)))):
        for seat in (0, 1):
            end = apply(apply(state, Resign(seat)), AcceptResignation(1 - seat))
            assert end.winner is None
            assert end.result == EndOfGame(winner=1 - seat, value=1, cube=1, how="resignation")


# ---- the position that a state stands for


def seen(state: MatchState) -> tuple[Any, ...]:
    found = position(state)
    assert isinstance(found, Position)
    return found.seat, found.cube, found.offer, found.dice, found.score.points


def test_the_position_is_seen_by_the_player_on_roll() -> None:
    state = after(Rules(length=7), Double(1), Take(0), Roll(1, (1, 2)), score=(3, 5))
    found = position(state)
    assert seen(state) == (1, Cube(2, "opponent"), None, (2, 1), (5, 3))
    assert np.array_equal(found.board, state.board)
    assert found.score == Score((5, 3), 7)
    assert found.cube_limit == 1024


def test_an_offer_is_seen_by_who_made_it() -> None:
    doubled = after(ALL, Double(1))
    assert seen(doubled) == (1, Cube(1, "centred"), "double", None, (0, 0))
    beavered = apply(doubled, Beaver(0))
    assert seen(beavered) == (0, Cube(2, "on roll"), "beaver", None, (0, 0))
    assert np.array_equal(position(beavered).board, flip(beavered.board))
    assert seen(apply(beavered, Raccoon(1))) == (1, Cube(4, "opponent"), "double", None, (0, 0))


def test_a_resignation_is_seen_by_who_made_it() -> None:
    rolled = after(MONEY, Roll(1, (2, 1)))
    assert seen(apply(rolled, Resign(1, 2))) == (1, Cube(1, "centred"), "gammon", (2, 1), (0, 0))
    out_of_turn = apply(rolled, Resign(0, 3))
    assert seen(out_of_turn) == (0, Cube(1, "centred"), "backgammon", None, (0, 0))
    assert np.array_equal(position(out_of_turn).board, flip(rolled.board))


def test_the_agreements_are_part_of_the_position() -> None:
    assert position(after(ALL)).score == Score((0, 0), 0, jacoby=True, beavers=True)
    assert position(after(Rules(length=2), score=(0, 1))).score.crawford
    assert position(after(Rules(cube=False))).cube_limit == 1
    with pytest.raises(RuleError, match="no game is going on"):
        position(new_match(MONEY))


# ---- a position that is set up


def test_a_position_is_set_up_in_the_middle_of_anything() -> None:
    for events in ([], [Double(1)], [Roll(1, (6, 5))], [Resign(0, 2)]):
        for seat in (0, 1):
            state = after(MONEY, *events, SetUp(seat, BEAR_IN, (2, 1), 4, 1))
            assert state.board.tolist() == list(BEAR_IN)
            assert (state.to_act, state.dice, cube(state)) == (seat, (2, 1), (4, 1))
            assert state.turn == (1 if seat == 1 else 2)
            assert position(state).offer is None
            moved = apply(state, Play(seat, ((25, 23), (25, 24))))
            assert moved.board.tolist() == flip(np.array([*BEAR_IN[:23], 1, 6, 3])).tolist()
            assert cube(apply(state, Play(seat, ((25, 23), (25, 24))))) == (4, 1)


def test_a_position_is_set_up_within_the_rules() -> None:
    assert str(refusal(new_match(MONEY), SetUp(0, BEAR_IN))).startswith("seat 0 may not set up: no game is going on")
    for state, event, reason in (
        (after(Rules(cube_limit=2)), SetUp(0, BEAR_IN, None, 4), "the cube at 4 passes its limit of 2"),
        (after(Rules(cube=False)), SetUp(0, BEAR_IN, None, 2), "the cube at 2 passes its limit of 1"),
        (
            after(Rules(length=7), score=(6, 0)),
            SetUp(0, BEAR_IN, None, 2, 0),
            "the cube is at 2, and this is the Crawford game",
        ),
        (
            after(Rules(length=7)),
            SetUp(0, BEAR_IN, None, 2),
            "the cube is at 2 and nobody's, and a match has no automatic doubles",
        ),
    ):
        assert refusal(state, event) == f"seat 0 may not set up: {reason}"
    assert not any(isinstance(event, SetUp) for event in legal_actions(after(MONEY)))


# ---- events and rules as such


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda: Rules(length=-1), "length is at least 0, found -1"),
        (lambda: Rules(length=True), "length: expected a whole number, found True"),
        (lambda: Rules(cube_limit=48), "the cube limit is a power of two, found 48"),
        (lambda: Rules(length=7, jacoby=True), "the Jacoby rule: for money only, found a match to 7 points"),
        (lambda: Rules(length=7, beavers=True), "beavers: for money only, found a match to 7 points"),
        (lambda: Rules(length=1, automatic_doubles=1), "automatic doubles: for money only, found a match to 1 points"),
        (lambda: Rules(raccoons=True), "raccoons answer beavers, which are not agreed"),
        (lambda: Rules(jacoby=True, cube=False), "the Jacoby rule: of no use without the cube"),
        (lambda: Rules(cube=1), "cube is True or False, found 1"),  # type: ignore[arg-type]
        (lambda: Double(2), "a seat is 0 or 1, found 2"),
        (lambda: Double("0"), "a seat: expected a whole number, found '0'"),  # type: ignore[arg-type]
        (lambda: Roll(0, (7, 1)), "a die shows 1 to 6, found 7"),
        (lambda: Roll(0, (1,)), "a roll is two dice, found (1,)"),  # type: ignore[arg-type]
        (lambda: StartGame((3, 3)), "equal opening dice are thrown again, found 3-3"),
        (lambda: StartGame((3, 1), -1), "automatic doubles are at least 0, found -1"),
        (lambda: Resign(0, 4), "a resignation is worth 1 (single), 2 (gammon) or 3 (backgammon), found 4"),
        (lambda: Play(0, ((5, 8),)), "a step leads from the bar (25) or a point to a lower one or off (0), found 5/8"),
        (lambda: Play(0, ((6, 5),) * 5), "a play has at most four steps, found 5"),
        (lambda: Play(0, (6, 5)), "steps are up to four pairs of points, found (6, 5)"),  # type: ignore[arg-type]
        (lambda: SetUp(0, (0, 1)), "a board has 26 numbers (bar, points 1 to 24, bar), found shape (2,)"),
        (lambda: SetUp(0, (0, 16, *[0] * 22, -1, 0)), "the player on roll has 16 checkers, at most 15 are possible"),
        (lambda: SetUp(0, (0, 1, *[0] * 24)), "a position is set up to play on, and here a side has no checker left"),
        (lambda: SetUp(0, BEAR_IN, (7, 1)), "a die shows 1 to 6, found 7"),
        (lambda: SetUp(0, BEAR_IN, None, 3, 0), "the cube is a power of two, found 3"),
        (lambda: SetUp(0, BEAR_IN, None, 2, 2), "the cube's owner is seat 0, seat 1 or None, found 2"),
        (lambda: SetUp(0, BEAR_IN, None, 1, 1), "nobody owns a cube at 1, found seat 1"),
        (lambda: new_match(Rules(length=5), score=(5, 0)), "a match to 5 points cannot go on at the score 5-0"),
        (lambda: new_match(MONEY, score=(-1, 0)), "a money session cannot go on at the score -1-0"),
        (
            lambda: new_match(Rules(length=5), score=(3, 0), post_crawford=True),
            "the Crawford game cannot be over at 3-0 in a match to 5 points",
        ),
        (lambda: rebuild(MONEY, [*OPENED, Take(0)]), "event 3: seat 0 may not take: no double waits for an answer"),
    ],
)
def test_what_cannot_be_is_named(make: Any, reason: str) -> None:
    with pytest.raises(RuleError) as error:
        make()
    assert str(error.value) == reason
    assert isinstance(error.value, InputError)


EVENTS: list[Event] = [
    StartGame((6, 2), 1),
    Roll(1, (4, 4)),
    Play(0, ((25, 20), (6, 0))),
    Play(1),
    *(kind(0) for kind in (Double, Beaver, Raccoon, Take, Pass, AcceptResignation, RefuseResignation)),
    Resign(1, 3),
    SetUp(1, BEAR_IN, (6, 5), 4, 0),
    SetUp(0, BEAR_IN),
]


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.kind)
def test_events_survive_json(event: Event) -> None:
    assert event_from_dict(json.loads(json.dumps(event.to_dict()))) == event


def test_numbers_of_any_integer_type_become_plain_ones() -> None:
    steps = np.array([[8, 5], [6, 5], [0, 0], [0, 0]], dtype=np.int8)
    for event in (Play.of(0, steps), Roll(int(np.int8(1)), (np.int64(3), np.int64(1)))):  # type: ignore[arg-type]
        assert event_from_dict(json.loads(json.dumps(event.to_dict()))) == event
    assert Play.of(0, steps) == OPENED[1]
    assert Play.of(0, steps).text == "8/5 6/5"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ({}, "expected an event"),
        ([], "expected an event"),
        ({"event": ["roll"]}, "expected an event"),
        ({"event": "flip"}, "expected an event"),
        ({"event": "roll", "seat": 0}, "roll: dice is missing"),
        ({"event": "roll", "seat": 0, "dice": [1, 2], "extra": 1}, "roll: unknown key 'extra'; expected seat, dice"),
        ({"event": "roll", "seat": 0, "dice": 5}, "a roll is two dice, found 5"),
        ({"event": "take", "seat": None}, "a seat: expected a whole number, found None"),
    ],
)
def test_what_is_no_event_in_json_is_named(data: Any, reason: str) -> None:
    with pytest.raises(RuleError) as error:
        event_from_dict(data)
    assert str(error.value).startswith(reason)


def test_rules_survive_json() -> None:
    for rules in (MONEY, ALL, Rules(length=7, crawford=False, cube_limit=64)):
        assert Rules.from_dict(json.loads(json.dumps(rules.to_dict()))) == rules
    assert Rules.from_dict({"length": 5}) == Rules(length=5)
    with pytest.raises(RuleError, match="rules: unknown key 'lenght'"):
        Rules.from_dict({"lenght": 5})


def rebuild_from(state: MatchState, *events: Event) -> MatchState:
    for event in events:
        state = apply(state, event)
    return state
