"""The state of a match that is in its midst, from a position alone: for protocols that tell no more.

>>> state = state_of(Position(dice=(3, 1), seat=0))
>>> state.on_roll, state.to_act, state.dice
(0, 0, (3, 1))
"""

from __future__ import annotations

from typing import Literal

from bgai.board import flip
from bgai.events import Resign
from bgai.match_rules import Rules
from bgai.match_state import MatchState
from bgai.position import Offer, Position

RESIGNATIONS: dict[Offer, int] = {"single": 1, "gammon": 2, "backgammon": 3}


_OFFERS: dict[tuple[Offer | None, bool], Literal["double", "beaver", "raccoon"]] = {
    ("double", False): "double",
    ("double", True): "raccoon",
    ("beaver", False): "beaver",
}
"""By what `position` calls it and whether the cube is on the other side."""


def state_of(position: Position, *, raccoons: bool = False) -> MatchState:
    """The state whose `bgai.match_state.position` this is; `raccoons` if they are agreed beside beavers.

    Raises:
        RuleError: rules that contradict each other.
    """
    seat, score, offer = position.seat, position.score, position.offer
    on_roll = 1 - seat if offer == "beaver" else seat
    board = position.board if on_roll == seat else flip(position.board)
    cube = position.cube_limit > 1
    return MatchState(
        rules=Rules(
            length=score.length,
            jacoby=score.jacoby and cube,
            beavers=score.beavers and cube,
            raccoons=raccoons and score.beavers and cube,
            cube=cube,
            cube_limit=position.cube_limit,
        ),
        score=score.points if seat == 0 else (score.points[1], score.points[0]),
        game=1,
        crawford=score.crawford,
        post_crawford=score.post_crawford,
        playing=True,
        checkers=tuple(board.tolist()),
        on_roll=on_roll,
        dice=position.dice,
        cube=position.cube.value,
        owner={"centred": None, "on roll": seat, "opponent": 1 - seat}[position.cube.owner],
        offer=_OFFERS.get((offer, position.cube.owner == "opponent")),
        resignation=Resign(seat, RESIGNATIONS[offer]) if offer in RESIGNATIONS else None,
    )
