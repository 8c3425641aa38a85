"""Whole positions to test with: board, dice, cube, score and offers."""

from __future__ import annotations

import random
import string
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from hypothesis import strategies as st

from bgai.board import Board
from bgai.errors import PositionError
from bgai.notation.checks import check_position
from bgai.position import Cube, CubeOwner, Offer, Position, Score
from tests.positions import boards

OFFERS: list[Offer] = ["double", "beaver", "single", "gammon", "backgammon"]


def same(first: Position, second: Position) -> bool:
    """Whether two positions are equal in everything."""
    equal = replace(first, board=second.board) == second
    return equal and np.array_equal(first.board, second.board)


def random_position(rng: random.Random, board: Board, *, offers: bool = True) -> Position:
    """A position that can occur, from any corner of what can."""
    while True:
        try:
            return check_position(_any(rng, board, offers))
        except PositionError:
            continue


def _any(rng: random.Random, board: Board, offers: bool) -> Position:
    offer = rng.choice(OFFERS) if offers and rng.random() < 0.5 else None
    cube_offer = offer in ("double", "beaver")
    length = 0 if offer == "beaver" else rng.choice([0, 0, 1, 3, 5, 7, 25, 64])
    points = (rng.randrange(length or 30), rng.randrange(length or 30))
    if length > 1 and rng.random() < 0.4:
        points = (length - 1, points[1])[:: rng.choice([1, -1])]
    crawford = length > 1 and rng.random() < 0.5 and not cube_offer
    value = 1 if crawford else 1 << rng.choice([0, 0, 1, 2, 3, 6, 10])
    owners: list[CubeOwner] = ["on roll", "opponent"] if length else ["centred", "on roll", "opponent"]
    flags = {flag: not length and rng.random() < 0.5 for flag in ("jacoby", "beavers")}
    if offer == "beaver":
        value, owners, flags["beavers"] = max(2, value), ["on roll"], True
    return Position(
        board,
        None if cube_offer or rng.random() < 0.5 else (rng.randint(1, 6), rng.randint(1, 6)),
        Cube(value, "centred" if value == 1 else rng.choice(owners)),
        Score(points, length, crawford, **flags),
        offer,
        rng.randrange(2),
        1 << rng.choice([10, 10, 10, 0, 2, 6, 12, 15]),
    )


def without_what_gnubg_ids_lack(position: Position) -> Position:
    """GNUBG IDs do not say whether beavers are agreed, nor how far the cube may go."""
    limit = max(1024, position.cube.value * (2 if position.offer in ("double", "beaver") else 1))
    score = replace(position.score, beavers=position.offer == "beaver")
    return replace(position, cube_limit=limit, score=score)


@st.composite
def positions(draw: st.DrawFn, offers: bool = True) -> Position:
    """Any position that can occur."""
    rng = random.Random(draw(st.integers(0, 2**32)))
    return random_position(rng, draw(boards()), offers=offers)


def damaged(rng: random.Random, text: str) -> str:
    """A text with some characters changed, lost, doubled or moved; or something else altogether."""
    if rng.random() < 0.1:
        return "".join(rng.choice(string.printable + "é\u0663│\0") for _ in range(rng.randrange(60)))
    letters = list(text)
    for _ in range(rng.randint(1, 4)):
        where = rng.randrange(len(letters) + 1)
        kind = rng.randrange(5)
        if kind == 0:
            letters.insert(where, rng.choice("AaPpQ-:019/+= \n\t_éXO|²\u0663"))
        elif kind == 1:
            del letters[where : where + rng.randint(1, 3)]
        elif kind == 2:
            letters[where : where + 1] = [rng.choice("AZaz-:0123456789+/= DBR")]
        elif kind == 3:
            letters[where : where + 3] = letters[where : where + 3] * 2
        else:
            other = rng.randrange(len(letters) + 1)
            letters[where:where], letters[other : other + 2] = letters[other : other + 2], []
    return "".join(letters)


def only_position_errors(reader: Callable[[str], object], text: str) -> None:
    """Calls a reader; it may refuse the text, in one short line, but not fail in another way."""
    said = ""
    try:
        reader(text)
    except PositionError as error:
        said = str(error)
    assert "\n" not in said, text
    assert len(said) < 600, text
