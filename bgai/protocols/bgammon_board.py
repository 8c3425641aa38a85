"""The `board` event of bgammon.org, in which every player is player 1."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bgai.board import BAR, OPPONENT_BAR
from bgai.errors import PositionError
from bgai.events import Step
from bgai.protocols.table import ME, OPPONENT, Table

SPACES = 28
"""0 own home, 1 to 24 the points, 25 the opponent's home, 26 own bar, 27 the opponent's bar."""
HOME, OPPONENT_HOME, OWN_BAR, OTHER_BAR = 0, 25, 26, 27

_SEATS = {1: ME, 2: OPPONENT}


@dataclass(frozen=True)
class BgammonBoard:
    """One board event."""

    players: tuple[str, str]
    """My name and the opponent's, empty for an empty chair."""
    variant: int
    """0 is backgammon."""
    length: int
    score: tuple[int, int]
    turn: int
    """0 before the game: both roll a die; 1 me, 2 the opponent."""
    dice: tuple[int, int]
    """0 for a die that is not rolled; before the game mine and the opponent's."""
    moved: int
    """Steps of the play that are made and not confirmed."""
    winner: int
    table: Table | None
    """None before and after a game, and while a play is not confirmed: the board is then in between."""


def read_board(event: Mapping[str, Any]) -> BgammonBoard:
    """What a board event says.

    Raises:
        PositionError: fields are missing or of another kind.
    """
    try:
        board = [int(count) for count in event["Board"]]
        dice = (int(event["Roll1"]), int(event["Roll2"]))
        players = (str(event["Player1"]["Name"]), str(event["Player2"]["Name"]))
        score = (int(event["Player1"]["Points"]), int(event["Player2"]["Points"]))
        length, turn, winner = int(event["Points"]), int(event["Turn"]), int(event["Winner"])
        cube, owner = int(event["DoubleValue"]), _SEATS.get(int(event["DoublePlayer"]))
        doubled, variant = bool(event["DoubleOffered"]), int(event["Variant"])
        moved = len(event["Moves"] or [])
        crawford = bool(event.get("Crawford"))
    except (KeyError, TypeError, ValueError) as error:
        raise PositionError(f"expected a board event of bgammon.org, found one with {error!r}") from None
    if len(board) != SPACES or turn not in (0, 1, 2):
        raise PositionError(f"expected {SPACES} spaces and turn 0, 1 or 2, found {len(board)} and {turn}")
    table = None
    if turn and not winner and not moved:
        points = board[1:25]
        waits_for_roll = not all(dice) and not doubled
        table = Table(
            board=(board[OTHER_BAR], *points, board[OWN_BAR]),
            on_roll=_SEATS[turn],
            dice=dice if all(dice) and not doubled else None,
            cube=cube,
            owner=owner if cube > 1 else None,
            score=score,
            length=length,
            # The server itself rolls for a player who may not double, so whoever has to roll may.
            crawford=crawford and length - 1 in score and not (waits_for_roll and cube == 1),
            doubled=doubled,
        )
    return BgammonBoard(players, variant, length, score, turn, dice, moved, winner, table)


def format_step(step: Step) -> str:
    """The command for one step.

    >>> format_step((25, 20)), format_step((6, 0))
    ('move bar/20', 'move 6/off')
    """
    words = {BAR: "bar", OPPONENT_BAR: "off"}
    return "move " + "/".join(words.get(point, str(point)) for point in step)
