"""The state of a match or money session, rebuilt from its events.

    >>> from bgai.events import Double, Pass, Play, StartGame
    >>> from bgai.match_rules import Rules
    >>> events = [StartGame((3, 1)), Play(0, ((8, 5), (6, 5))), Double(1), Pass(0)]
    >>> state = rebuild(Rules(length=7), events)
    >>> state.score
    (0, 1)
    >>> apply(state, Double(1))
    Traceback (most recent call last):
    bgai.errors.RuleError: seat 1 may not double: no game is going on, the next one has to start first

`refusal` alone knows what is allowed; `apply`, `legal_actions` and `rebuild` ask it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from bgai.board import result
from bgai.errors import RuleError
from bgai.events import (
    AcceptResignation,
    Beaver,
    Double,
    EndOfGame,
    Event,
    How,
    Pass,
    Play,
    Raccoon,
    RefuseResignation,
    Resign,
    Roll,
    SetUp,
    StartGame,
    Take,
)
from bgai.match_rules import Rules
from bgai.match_state import MatchState, new_match


def rebuild(
    rules: Rules, events: Iterable[Event], *, score: tuple[int, int] = (0, 0), post_crawford: bool = False
) -> MatchState:
    """The state after all the events, from `new_match`.

    Raises:
        RuleError: one of them is not allowed; the message says which, counting from 1, and why.
    """
    state = new_match(rules, score=score, post_crawford=post_crawford)
    for number, event in enumerate(events, start=1):
        try:
            state = apply(state, event)
        except RuleError as error:
            raise RuleError(f"event {number}: {error}") from None
    return state


def apply(state: MatchState, event: Event) -> MatchState:
    """The state after one event; the given one stays as it is.

    Raises:
        RuleError: the event is not allowed, and why.
    """
    reason = refusal(state, event)
    if reason is not None:
        raise RuleError(reason)
    return after(state, event)


def after(state: MatchState, event: Event) -> MatchState:
    """The state after one event that is known to be allowed: `apply` without `refusal`, which is most of the work.

    For events that were applied before, as those of a `MatchRecord`.
    """
    other = 1 - state.on_roll
    match event:
        case StartGame():
            return _started(state, event)
        case Roll():
            return replace(state, dice=event.dice)
        case Play():
            return _played(state, event)
        case Double():
            return replace(state, offer="double")
        case Beaver():
            return replace(state, offer="beaver", cube=2 * state.cube, owner=other)
        case Raccoon():
            return replace(state, offer="raccoon", cube=2 * state.cube)
        case Take():
            return replace(state, offer=None, cube=2 * state.cube, owner=other)
        case Pass():
            return _ended(state, 1 - event.seat, 1, "drop")
        case Resign():
            return replace(state, resignation=event)
        case AcceptResignation():
            assert state.resignation is not None
            return _ended(state, event.seat, state.resignation.value, "resignation")
        case RefuseResignation():
            return replace(state, resignation=None)
        case SetUp():
            return _set_up(state, event)


def legal_actions(state: MatchState, seat: int | None = None) -> tuple[Event, ...]:
    """Every event that `apply` allows, of both seats or of one.

    Rolls and opening rolls are all those that may fall. A play stands for all orders of its steps, and for all ways
    to the same position. `SetUp` is left out: nobody plays so.
    """
    seats = (0, 1) if seat is None else (seat,)
    found: list[Event] = []
    for acting in seats:
        actions: list[Event] = [kind(acting) for kind in (Double, Beaver, Raccoon, Take, Pass)]
        actions += [AcceptResignation(acting), RefuseResignation(acting)]
        actions += [Resign(acting, value) for value in (1, 2, 3)]
        if state.to_act == acting and state.dice is None:
            actions += [Roll(acting, (first, second)) for first in range(1, 7) for second in range(1, 7)]
        found += [action for action in actions if refusal(state, action) is None]
        if state.dice is not None and state.to_act == state.on_roll == acting and state.resignation is None:
            found += [Play.of(acting, steps) for steps in state.plays.steps.tolist()]
    if not state.playing:
        most = min(state.rules.automatic_doubles, state.rules.cube_limit.bit_length() - 1)
        pairs = [(first, second) for first in range(1, 7) for second in range(1, 7) if first != second]
        starts = [StartGame(dice, automatic) for automatic in range(most + 1) for dice in pairs]
        found += [start for start in starts if start.seat in seats and refusal(state, start) is None]
    return tuple(found)


def refusal(state: MatchState, event: Event) -> str | None:
    """Why the rules do not allow this event now; None if they do."""
    may_not = f"seat {event.seat} may not {event.kind}"
    if state.winner is not None:
        return f"the match is over: seat {state.winner} has won it {_score(state, state.winner)}"
    if isinstance(event, StartGame):
        return _no_start(state, event)
    if not state.playing:
        return f"{may_not}: no game is going on, the next one has to start first"
    if isinstance(event, SetUp):
        reason = _no_set_up(state, event)
        return None if reason is None else f"{may_not}: {reason}"
    if isinstance(event, AcceptResignation | RefuseResignation):
        if state.resignation is None:
            return f"{may_not}: nobody has resigned"
        return None if event.seat == state.to_act else f"{may_not}: it is its own"
    if state.resignation is not None:
        return f"{may_not}: a resignation of seat {state.resignation.seat} waits for an answer"
    if isinstance(event, Take | Pass | Beaver | Raccoon):
        reason = _no_answer(state, event)
    elif state.offer is not None:
        reason = f"a {state.offer} waits for an answer of seat {state.to_act}"
    elif isinstance(event, Resign):
        reason = None
    elif event.seat != state.on_roll:
        reason = f"seat {state.on_roll} is on roll"
    elif isinstance(event, Double):
        reason = _no_double(state)
    elif isinstance(event, Play):
        reason = _no_play(state, event)
    else:
        reason = None if state.dice is None else f"the roll {_roll(state)} has to be played first"
    return None if reason is None else f"{may_not}: {reason}"


def _no_start(state: MatchState, event: StartGame) -> str | None:
    if state.playing:
        return f"game {state.game} is not finished, so the next cannot start"
    most = state.rules.automatic_doubles
    if event.automatic > most:
        return f"at most {most} automatic doubles are agreed, found {event.automatic}"
    if event.automatic >= state.rules.cube_limit.bit_length():
        return f"{event.automatic} automatic doubles would pass the cube's limit of {state.rules.cube_limit}"
    return None


def _no_set_up(state: MatchState, event: SetUp) -> str | None:
    rules = state.rules
    most = rules.cube_limit if rules.cube else 1
    if event.cube > most:
        return f"the cube at {event.cube} passes its limit of {most}"
    if state.crawford and event.cube > 1:
        return f"the cube is at {event.cube}, and this is the Crawford game"
    if rules.length and event.cube > 1 and event.owner is None:
        return f"the cube is at {event.cube} and nobody's, and a match has no automatic doubles"
    return None


def _no_double(state: MatchState) -> str | None:
    if state.dice is not None:
        return f"the roll {_roll(state)} is thrown"
    if not state.rules.cube:
        return "this is played without the cube"
    if state.crawford:
        return "this is the Crawford game"
    if state.owner == 1 - state.on_roll:
        return f"the cube is owned by seat {state.owner}"
    return _beyond(state, 2)


def _no_answer(state: MatchState, event: Take | Pass | Beaver | Raccoon) -> str | None:
    if state.offer is None:
        return "no double waits for an answer"
    if event.seat != state.to_act:
        return f"seat {state.to_act} has to answer the {state.offer}"
    if isinstance(event, Take | Pass):
        return None
    answered, agreed = (
        ("double", state.rules.beavers) if isinstance(event, Beaver) else ("beaver", state.rules.raccoons)
    )
    if not agreed:
        return f"{event.kind}s are not agreed"
    if state.offer != answered:
        return f"that answers a {answered}, and this is a {state.offer}"
    return _beyond(state, 4)


def _beyond(state: MatchState, times: int) -> str | None:
    limit = state.rules.cube_limit
    return f"the cube at {state.cube} would pass its limit of {limit}" if times * state.cube > limit else None


def _no_play(state: MatchState, event: Play) -> str | None:
    if state.dice is None:
        return "a roll comes first"
    plays = state.plays
    landed = _landing(state, event.steps, max(state.dice), min(state.dice))
    if landed is not None and (plays.successors == landed).all(axis=1).any():
        return None
    legal = [Play.of(event.seat, steps).text for steps in plays.steps.tolist()]
    more = f" and {len(legal) - 6} more" if len(legal) > 6 else ""
    return f"the roll {_roll(state)} cannot be played as {event.text}; legal: {', '.join(legal[:6])}{more}"


def _landing(state: MatchState, steps: Iterable[tuple[int, int]], high: int, low: int) -> tuple[int, ...] | None:
    """The position after the steps, seen by the opponent; None if no checker or no die can do one of them."""
    # Plain numbers: for four steps an array takes several times as long.
    position = list(state.checkers)
    for start, end in sorted(steps, reverse=True):
        by_die = start - end in (high, low) or (end == 0 and start < high)
        if not by_die or position[start] <= 0 or (end > 0 and position[end] < -1):
            return None
        position[start] -= 1
        if end > 0 and position[end] == -1:
            position[end] = 0
            position[0] -= 1
        if end > 0:
            position[end] += 1
    return tuple(-count for count in reversed(position))


def _started(state: MatchState, event: StartGame) -> MatchState:
    rules = state.rules
    crawford = rules.crawford and rules.length - 1 in state.score and not state.post_crawford
    return MatchState(
        rules,
        score=state.score,
        game=state.game + 1,
        crawford=rules.length > 1 and crawford,
        post_crawford=state.post_crawford,
        playing=True,
        on_roll=event.seat,
        dice=event.dice,
        cube=2**event.automatic,
    )


def _played(state: MatchState, event: Play) -> MatchState:
    assert state.dice is not None
    checkers = _landing(state, event.steps, max(state.dice), min(state.dice))
    assert checkers is not None
    played = replace(state, checkers=checkers, on_roll=1 - state.on_roll, turn=state.turn + 1, dice=None)
    if min(checkers) < 0:
        return played
    return _ended(played, event.seat, -result(played.board), "bear-off")


def _set_up(state: MatchState, event: SetUp) -> MatchState:
    """The state after it; the turn passes if another player is on roll now, and what waited for an answer is gone."""
    return replace(
        state,
        checkers=event.checkers,
        on_roll=event.seat,
        turn=state.turn + (event.seat != state.on_roll),
        dice=event.dice,
        cube=event.cube,
        owner=event.owner,
        offer=None,
        resignation=None,
    )


def _ended(state: MatchState, winner: int, value: int, how: How) -> MatchState:
    """The state after the game; a cube that nobody owns was never turned, so under Jacoby gammons do not count."""
    end = EndOfGame(winner, 1 if state.rules.jacoby and state.owner is None else value, state.cube, how)
    points = list(state.score)
    points[winner] += end.points
    length = state.rules.length
    return replace(
        state,
        score=(points[0], points[1]),
        post_crawford=state.post_crawford or state.crawford,
        playing=False,
        dice=None,
        offer=None,
        resignation=None,
        result=end,
        winner=winner if length and points[winner] >= length else None,
    )


def _roll(state: MatchState) -> str:
    return "" if state.dice is None else f"{state.dice[0]}-{state.dice[1]}"


def _score(state: MatchState, seat: int) -> str:
    return f"{state.score[seat]}-{state.score[1 - seat]}"
