"""The board line in the dialect of GNU Backgammon's external players.

It looks like that of FIBS (`bgai.notation.fibs`) and differs in the order of the scores: they are those of the player
with the negative and of the one with the positive checkers. While a double or a raccoon waits they are in the order of
FIBS, and so are the names. gnubg writes it so to its external players, and reads it so when it is one.

What the line cannot say is agreed beside it: Jacoby, beavers, whether there is a Crawford game, a resignation.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from bgai.board import flip
from bgai.errors import PositionError
from bgai.notation.checks import check_position
from bgai.notation.fibs import NUMBERS, UNLIMITED, format_fibs_board, read_fibs_board
from bgai.position import Offer, Position

RESIGNED: tuple[Offer, Offer, Offer] = ("single", "gammon", "backgammon")

_LENGTH, _SCORES, _TURN, _CUBE, _MAY_DOUBLE, _DOUBLED, _COLOUR, _NOT_CRAWFORD = 0, 1, 29, 34, 35, 37, 38, 49
"""Places among the numbers."""


@dataclass(frozen=True)
class BoardLine:
    """A line: the names and the fifty numbers."""

    names: tuple[str, str]
    numbers: tuple[int, ...]

    @property
    def doubled(self) -> bool:
        """Whether a double waits."""
        return len(self.numbers) > _DOUBLED and self.numbers[_DOUBLED] != 0


@dataclass(frozen=True)
class Agreed:
    """What holds beside the line."""

    jacoby: bool = True
    beavers: bool = True
    crawford: bool = True
    resignation: int = 0
    """1 a single game, 2 a gammon, 3 a backgammon, offered by the player of the turn; 0 none."""


def read_gnubg_board(
    line: BoardLine, agreed: Agreed, *, answers_itself: bool | None = None, fibs_scores: bool = False
) -> Position:
    """The position of a line; what waits for an answer was offered by the player whom the board is seen by.

    A raccoon is a double with the cube on the opponent's side, as in `bgai.match_state.position`.

    Args:
        answers_itself: whether a double with the cube on the other side is for the player of the turn to answer, a
            beaver, or else a raccoon; None if nobody knows, and it is taken to be a beaver.
        fibs_scores: the scores are in the order of FIBS.

    Raises:
        PositionError: too few or too many numbers, or a position that cannot occur.
    """
    numbers = list(line.numbers)
    if len(numbers) != NUMBERS:
        raise PositionError(f"found {len(numbers)} numbers behind the names, expected {NUMBERS}")
    returned = line.doubled and _owned_by_other(numbers)
    raccoon = returned and answers_itself is False
    names_swapped = line.doubled and (raccoon or not returned)
    if not fibs_scores and not names_swapped:
        numbers[_SCORES], numbers[_SCORES + 1] = numbers[_SCORES + 1], numbers[_SCORES]
    if not agreed.crawford:
        numbers[_NOT_CRAWFORD] = 1
    if returned:
        numbers[_DOUBLED] = 0
    position = read_fibs_board(":".join(["board", "X", "O", *map(str, numbers)])).position
    money = not position.score.length
    score = replace(position.score, jacoby=money and agreed.jacoby, beavers=money and (agreed.beavers or returned))
    position = replace(position, score=score)
    if returned:
        return _returned(position, raccoon=raccoon)
    if agreed.resignation:
        if position.offer is not None:
            raise PositionError("found a double and a resignation at once, expected one of them")
        position = replace(position, offer=RESIGNED[agreed.resignation - 1])
    return check_position(position)


def _returned(position: Position, *, raccoon: bool) -> Position:
    """The double was answered by another: a beaver, whose owner will keep the cube, and a raccoon to that."""
    position = replace(position, cube_limit=max(position.cube_limit, 2 * position.cube.value))
    if raccoon:
        return replace(check_position(position), offer="double")
    return check_position(
        replace(
            position,
            board=flip(position.board),
            cube=position.cube.flipped(),
            score=position.score.flipped(),
            offer="beaver",
            seat=1 - position.seat,
        )
    )


def format_gnubg_board(position: Position) -> str:
    """The line by which a gnubg that listens is asked; the player on roll has the positive checkers.

    Raises:
        PositionError: a beaver or a resignation waits, or the position cannot occur.
    """
    words = format_fibs_board(replace(position, seat=1), ("bgai", "gnubg")).split(":")
    head, numbers = words[:3], words[3:]
    if numbers[_LENGTH] == str(UNLIMITED):
        numbers[_LENGTH] = "0"
    if position.offer is None:
        numbers[_SCORES], numbers[_SCORES + 1] = numbers[_SCORES + 1], numbers[_SCORES]
    return ":".join(head + numbers)


def _owned_by_other(numbers: list[int]) -> bool:
    """Whether the cube is owned by the player who is not on roll."""
    first, second = (numbers[place] != 0 for place in (_MAY_DOUBLE, _MAY_DOUBLE + 1))
    if first == second or numbers[_CUBE] == 1:
        return False
    return first != (numbers[_TURN] == numbers[_COLOUR])
