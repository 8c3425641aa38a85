"""What must hold in every position, whatever it was read from.

Each message names the field, what was found and what was expected. The parsers end here, and the writers begin
here, so that no text stands for a position that cannot occur.
"""

from __future__ import annotations

from dataclasses import replace

from bgai.board import as_board
from bgai.dice import check_roll
from bgai.errors import DiceError, PositionError
from bgai.position import Position, Score

HIGHEST_CUBE = 1 << 15
"""The largest cube that GNU Backgammon's match ID can hold."""

MOST_POINTS = (1 << 15) - 1
"""The longest match and the highest score that it can hold."""

OFFERS = ("double", "beaver", "single", "gammon", "backgammon")


def check_position(position: Position) -> Position:
    """The position itself, its board checked and its dice with the larger first.

    Raises:
        PositionError: something that cannot be; the message begins with the name of the field.
    """
    board = as_board(position.board)
    if position.seat not in (0, 1):
        raise PositionError(f"seat: found {position.seat!r}, expected 0 (upper player) or 1 (lower player)")
    _check_cube(position)
    check_score(position.score)
    dice = _checked_dice(position)
    _check_offer(position)
    return replace(position, board=board, dice=dice)


def check_score(score: Score) -> None:
    """Checks match length, points and the rules that go with them.

    Raises:
        PositionError: a score that cannot be.
    """
    length = score.length
    if not 0 <= length <= MOST_POINTS:
        raise PositionError(f"match length: found {length}, expected 0 (money) to {MOST_POINTS}")
    for points in score.points:
        if points < 0:
            raise PositionError(f"score: found {points} points, expected 0 or more")
        if length and points >= length:
            raise PositionError(
                f"score: found {points} points in a match to {length}, which is over; expected at most {length - 1}"
            )
        if points > MOST_POINTS:
            raise PositionError(f"score: found {points} points, expected at most {MOST_POINTS}")
    if score.crawford and false_crawford(score):
        raise PositionError(f"Crawford: {false_crawford(score)}")
    for rule, there in (("Jacoby", score.jacoby), ("beavers", score.beavers)):
        if there and length:
            raise PositionError(f"{rule}: found in a match to {length}, expected in money play only")


def false_crawford(score: Score) -> str | None:
    """Why this cannot be the Crawford game; None if it can."""
    if not score.length:
        return "found a Crawford game in money play, expected one in a match only"
    if score.length == 1:
        return "found a Crawford game in a match to one point, expected one in longer matches only"
    if 1 not in score.away:
        won, lost = score.points
        return (
            f"found a Crawford game at {won}-{lost} in a match to {score.length},"
            " expected one only where a player needs one point"
        )
    return None


def without_false_crawford(score: Score) -> tuple[Score, tuple[str, ...]]:
    """The score with a Crawford flag that cannot be right dropped, and the remark that says so."""
    reason = false_crawford(score) if score.crawford else None
    if reason is None:
        return score, ()
    return replace(score, crawford=False), (f"Crawford: {reason}; the flag is ignored",)


def _check_cube(position: Position) -> None:
    cube, limit = position.cube, position.cube_limit
    for field, value in (("cube", cube.value), ("cube limit", limit)):
        if not 1 <= value <= HIGHEST_CUBE or value & (value - 1):
            raise PositionError(f"{field}: found {value}, expected a power of two from 1 to {HIGHEST_CUBE}")
    if cube.value > limit:
        raise PositionError(f"cube: found {cube.value}, expected at most the cube limit of {limit}")
    if cube.owner not in ("centred", "on roll", "opponent"):
        raise PositionError(f"cube owner: found {cube.owner!r}, expected 'centred', 'on roll' or 'opponent'")
    if cube.value == 1 and cube.owner != "centred":
        raise PositionError("cube owner: found an owner with the cube at 1, expected none before the first double")
    if position.score.crawford and cube.value > 1:
        raise PositionError(f"cube: found {cube.value} in the Crawford game, expected 1: nobody may double there")
    if position.score.length and cube.value > 1 and cube.owner == "centred":
        raise PositionError(
            f"cube owner: found none with the cube at {cube.value} in a match, expected one:"
            " automatic doubles belong to money play"
        )


def _checked_dice(position: Position) -> tuple[int, int] | None:
    if position.dice is None:
        return None
    if position.offer in ("double", "beaver"):
        first, second = position.dice
        raise PositionError(
            f"dice: found {first}-{second} while a {position.offer} waits for an answer, expected no dice"
        )
    try:
        return check_roll(*position.dice)
    except DiceError as error:
        raise PositionError(f"dice: {error}") from None


def _check_offer(position: Position) -> None:
    offer, cube, score = position.offer, position.cube, position.score
    if offer is None:
        return
    if offer not in OFFERS:
        raise PositionError(f"offer: found {offer!r}, expected one of {', '.join(OFFERS)}")
    if offer in ("double", "beaver") and 2 * cube.value > position.cube_limit:
        raise PositionError(
            f"{offer}: found one to {2 * cube.value}, expected at most the cube limit of {position.cube_limit}"
        )
    if offer == "double":
        if score.crawford:
            raise PositionError("double: found in the Crawford game, expected none there")
        if cube.owner == "opponent":
            raise PositionError("double: found by the player who does not own the cube, expected by its owner")
    if offer == "beaver":
        if score.length:
            raise PositionError(f"beaver: found in a match to {score.length}, expected in money play only")
        if not score.beavers:
            raise PositionError("beaver: found where beavers are not agreed, expected the rule to be set")
        if cube.owner != "on roll":
            raise PositionError("beaver: found without a doubled cube, expected it with the player who beavers")
