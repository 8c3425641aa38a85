"""Positions from a list as problems: what an analyst thinks of them."""

from __future__ import annotations

from bgai.analysis import cubes, plays
from bgai.analysis.decision import Decision
from bgai.analysis.questions import Moment
from bgai.analyst import Analyst
from bgai.errors import PositionError
from bgai.events import Double, Event, Roll, SetUp, StartGame, Take
from bgai.history.problem import Problem, kind_of
from bgai.match import apply, refusal
from bgai.match_rules import Rules
from bgai.match_state import MatchState, new_match
from bgai.plays import legal_plays
from bgai.position import Position

_ANY_ROLL = (2, 1)


def problem_of(analyst: Analyst, position: Position, level: str, source: str) -> Problem:
    """What is to be decided in a position: with dice a play, while a double waits its answer, else whether to double.

    Raises:
        PositionError: there is nothing to decide, or something else waits for an answer.
    """
    if position.offer not in (None, "double"):
        raise PositionError(f"a {position.offer} waits for an answer, expected a play or a double to decide")
    decision = _play(analyst, position) if kind_of(position) == "play" else _cube(analyst, position)
    return Problem.of(decision, analyst.name, level, source, made=False)


def _play(analyst: Analyst, position: Position) -> Decision:
    assert position.dice is not None
    found = legal_plays(position.board, position.dice)
    if len(found) == 1:
        raise PositionError("there is only one way to play the roll, expected a play to choose")
    choices, made = plays.rank_choices(analyst, position, found, 0)
    return Decision(0, 0, position.seat, "play", position, choices, made, len(found))


def _cube(analyst: Analyst, position: Position) -> Decision:
    seat = position.seat
    state = _state(position)
    answering = position.offer == "double"
    reason = refusal(state, Double(seat))
    if reason is not None:
        raise PositionError(f"there is no double to decide: {reason}")
    happened: list[Event] = [Double(seat), Take(1 - seat)] if answering else [Roll(seat, _ANY_ROLL)]
    moments = []
    for index, event in enumerate(happened):
        after = apply(state, event)
        moments.append(Moment(0, index, event, state, after))
        state = after
    decisions = cubes.cube_decisions(analyst, tuple(moments))
    if not decisions:
        raise PositionError("the cube is of no use any more, expected a double to decide")
    return decisions[-1]


def _state(position: Position) -> MatchState:
    """The state of a match that has come to this position, before the double that may wait in it."""
    seat, score, cube = position.seat, position.score, position.cube
    rules = Rules(
        length=score.length,
        crawford=bool(score.length),
        jacoby=score.jacoby,
        beavers=score.beavers,
        cube=position.cube_limit > 1,
        cube_limit=position.cube_limit,
    )
    points = score.points if seat == 0 else score.points[::-1]
    if not score.length:
        points = (0, 0)
    owner = {"centred": None, "on roll": seat, "opponent": 1 - seat}[cube.owner]
    state = new_match(rules, score=(points[0], points[1]), post_crawford=score.post_crawford and score.length > 1)
    state = apply(state, StartGame(_ANY_ROLL))
    return apply(state, SetUp(seat, tuple(position.board.tolist()), None, cube.value, owner))
