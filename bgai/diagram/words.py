"""What is written beside a diagram, and what it says to those who cannot see it."""

from __future__ import annotations

from bgai.board import BAR, HOME, OPPONENT_BAR, borne_off, flip, pip_count, result
from bgai.diagram.geometry import Direction
from bgai.position import Position

Names = tuple[str, str]
"""The player on roll, at the bottom, and the opponent."""

NAMES: Names = ("White", "Black")

_GAMES = {1: "a single game", 2: "a gammon", 3: "a backgammon"}
_RESIGNED = {"single": "a single game", "gammon": "a gammon", "backgammon": "a backgammon"}


def caption(position: Position, play: str | None, names: Names = NAMES) -> str:
    """What is happening, in a line."""
    own, other = names
    cube = position.cube
    if points := result(position.board):
        return f"{own if points > 0 else other} has won {_GAMES[abs(points)]}"
    if position.offer == "double":
        verb = "doubles" if cube.owner == "centred" else "redoubles"
        return f"{own} {verb} to {2 * cube.value}, {other} to answer"
    if position.offer == "beaver":
        return f"{own} beavers to {2 * cube.value}, {other} to answer"
    if position.offer is not None:
        return f"{own} offers to lose {_RESIGNED[position.offer]}, {other} to answer"
    if position.dice is None:
        return f"{own} on roll"
    roll = f"{position.dice[0]}-{position.dice[1]}"
    if play is None:
        return f"{own} to play {roll}"
    return f"{own} plays {roll}: {play}" if play else f"{own} cannot play {roll}"


def contest(position: Position) -> str:
    """What is played for: the match, or money with its rules."""
    score = position.score
    if not score.length:
        return " · ".join(["Money play", *["Jacoby"] * score.jacoby, *["beavers"] * score.beavers])
    state = ["Crawford game"] * score.crawford + ["after Crawford"] * (score.post_crawford and score.length > 1)
    return " · ".join([f"Match to {score.length}", *state])


def standing(position: Position, side: int) -> str:
    """How many points a side has, 0 the player on roll; empty where nothing is to be said."""
    score = position.score
    points = f"{score.points[side]} {'point' if score.points[side] == 1 else 'points'}"
    if score.length:
        return f"{points}, {score.away[side]} away"
    return points if any(score.points) else ""


def cube_words(position: Position, names: Names = NAMES) -> str:
    """The cube, in words."""
    cube = position.cube
    if position.score.crawford:
        return "no doubling in the Crawford game"
    if position.cube_limit == 1:
        return "no cube"
    if cube.owner == "centred":
        return f"the cube is in the middle at {cube.value}"
    return f"{names[0] if cube.owner == 'on roll' else names[1]} owns the cube at {cube.value}"


def description(position: Position, play: str | None, direction: Direction, names: Names = NAMES) -> str:
    """The whole position as text, for screen readers."""
    own, other = names
    board = position.board
    sides = [(own, board, BAR), (other, flip(board), OPPONENT_BAR)]
    parts = [
        f"{caption(position, play, names)}. {contest(position)}; {cube_words(position, names)}.",
        f"Points are counted by {own}, who plays from the bottom; points 1 to {HOME} are at the lower {direction}.",
    ]
    for side, (name, seen, bar) in enumerate(sides):
        places = range(24, 0, -1)
        sign = 1 if side == 0 else -1
        stacks = [f"{sign * int(board[point])} on {point}" for point in places if sign * board[point] > 0]
        stacks += [f"{abs(int(board[bar]))} on the bar"] * bool(board[bar])
        stacks += [f"{int(borne_off(seen))} off"] * bool(borne_off(seen))
        points = standing(position, side)
        parts.append(f"{name}{f' ({points})' * bool(points)}: {', '.join(stacks)}; {int(pip_count(seen))} pips.")
    return " ".join(parts)
