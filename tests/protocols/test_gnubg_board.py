"""`bgai.protocols.gnubg_board`, mostly by what gnubg has written."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from bgai.errors import PositionError
from bgai.notation.positionid import format_position_id
from bgai.position import Cube, Position, Score
from bgai.protocols.gnubg_board import Agreed, BoardLine, format_gnubg_board, read_gnubg_board
from bgai.protocols.gnubg_grammar import Ask, read_request
from bgai.protocols.gnubg_session import MOST_PLIES
from tests.positions import game_positions
from tests.protocols.gnubg import RECORDED, Played, acts_recorded, acts_said
from tests.states import random_position, same

PLAIN = Agreed(jacoby=False, beavers=False)


def board_line(text: str) -> BoardLine:
    request = read_request(text, Agreed(), MOST_PLIES)
    assert isinstance(request, Ask)
    return request.board


# The chain of cubes that gnubg 1.07.001 sent to two external players: p0 doubles, p1 beavers, p0 raccoons.
_BOARD = "0:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:1:1:0:0:-1:0:0:0:0"
DOUBLE = f"board:bb:aa:{_BOARD}:1:1:1:1:1:-1:0:25:0:0:0:0:0:0:0:1"
BEAVER = f"board:aa:bb:{_BOARD}:2:1:0:1:1:-1:0:25:0:0:0:0:0:0:0:1"
RACCOON = f"board:bb:aa:{_BOARD}:4:1:0:1:1:-1:0:25:0:0:0:0:0:0:0:1"


@pytest.mark.parametrize(("name", "seat"), [("money", 1), ("beavers", 0), ("match", 0)])
def test_every_line_says_what_the_match_has(name: str, seat: int) -> None:
    """Board, roll, cube, offers and, at either end and in either order, the score."""
    played = Played.load(RECORDED / f"{name}.json")
    said, recorded = acts_said(played.wire), acts_recorded(played.record, seat)
    assert [act.told for act in said] == [act.told for act in recorded]
    scores = {act.before.score.points for act in said}
    assert any(mine != theirs for mine, theirs in scores)


def test_a_chain_of_cubes() -> None:
    double = read_gnubg_board(board_line(DOUBLE), Agreed())
    beaver = read_gnubg_board(board_line(BEAVER), Agreed(), answers_itself=True)
    raccoon = read_gnubg_board(board_line(RACCOON), Agreed(), answers_itself=False)
    assert [(one.offer, one.seat, one.cube) for one in (double, beaver, raccoon)] == [
        ("double", 0, Cube()),
        ("beaver", 1, Cube(2, "on roll")),
        ("double", 0, Cube(4, "opponent")),
    ]
    # Without the names of a line before, a cube on the other side is a beaver.
    assert same(read_gnubg_board(board_line(BEAVER), Agreed()), beaver)


def test_it_can_be_read_again() -> None:
    rng = random.Random(3)
    boards, _ = game_positions(200, seed=4)
    for board in boards:
        position = random_position(rng, board)
        if position.offer in (None, "double"):
            # What the line has no room for.
            position = replace(
                position, score=replace(position.score, jacoby=False, beavers=False), seat=1, cube_limit=1024
            )
            if position.cube.value > 512:
                continue
            again = read_gnubg_board(board_line(format_gnubg_board(position)), PLAIN)
            assert same(again, position)


def test_a_line_fits_into_what_gnubg_survives() -> None:
    heavy = Position([-7] + [-1] * 8 + [1] * 8 + [0] * 8 + [7], cube=Cube(1024, "on roll"), score=Score((63, 62), 64))
    assert len(format_gnubg_board(heavy)) < 200


def test_what_is_agreed_beside_the_line() -> None:
    start = format_gnubg_board(Position())
    assert read_gnubg_board(board_line(start), Agreed()).score == Score(jacoby=True, beavers=True)
    resigned = read_gnubg_board(board_line(start), replace(PLAIN, resignation=2))
    assert (resigned.offer, format_position_id(resigned.board)) == ("gammon", "4HPwATDgc/ABMA")
    crawford = format_gnubg_board(Position(score=Score((6, 2), 7, crawford=True)))
    assert read_gnubg_board(board_line(crawford), PLAIN).score == Score((6, 2), 7, crawford=True)
    assert not read_gnubg_board(board_line(crawford), replace(PLAIN, crawford=False)).score.crawford


def test_the_order_of_fibs_can_be_asked_for() -> None:
    line = board_line(format_gnubg_board(Position(score=Score((5, 2), 7))))
    assert read_gnubg_board(line, PLAIN).score.points == (5, 2)
    assert read_gnubg_board(line, PLAIN, fibs_scores=True).score.points == (2, 5)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("board:a:b:0:0:0", "found 3 numbers behind the names, expected 50"),
        (format_gnubg_board(Position()) + ":1", "found 51 numbers behind the names, expected 50"),
        (format_gnubg_board(Position()).replace(":5:", ":15:"), "checkers"),
    ],
)
def test_a_bad_board_is_refused(text: str, said: str) -> None:
    with pytest.raises(PositionError, match=said):
        read_gnubg_board(board_line(text), Agreed())
