"""The game plans behind many plays at once."""

from __future__ import annotations

from bgai.board import Board
from bgai.coach.plans import Plan, plan_of
from bgai.coach.sides import sides_of


def plans_of_plays(boards: Board) -> list[Plan]:
    """The plan of the player on roll on each board `int8[N, 26]`."""
    return [plan_of(board, *sides) for board, sides in zip(boards, sides_of(boards), strict=True)]
