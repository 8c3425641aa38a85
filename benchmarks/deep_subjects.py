"""What `speed.py` measures of looking ahead and of the cube: whole decisions, asked one a call by every program."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from peers import BgsageSearch, Gnubg
from players import Player, SearchPlayer
from positions import Positions
from subjects import Subject

from bgai.analyst import Analyst
from bgai.model import Model
from bgai.position import Position

ONE_PLY = "1-ply checker decisions"
TWO_PLY = "2-ply checker decisions"
CUBE = "0-ply cube decisions"
DEEP_CUBE = "2-ply cube decisions"
SIZES = {ONE_PLY: 40, TWO_PLY: 16, CUBE: 60, DEEP_CUBE: 16}
"""Positions that each measurement of a group gets."""
SLOW = 4
"""Positions that bgsage's search of checker plays with the cube gets, which takes a second for each."""


def bgai_decisions(model: Model) -> list[Subject]:
    """bgai through `Analyst`; the cube is centred, for money."""
    title = f"bgai {model.name}"
    return [
        *(
            Subject(
                group,
                f"{title}, {kind}",
                _as_they_are,
                _choose(SearchPlayer(model, plies, cubeful=kind == "cubeful")),
            )
            for group, plies in ((ONE_PLY, 1), (TWO_PLY, 2))
            for kind in ("cubeless", "cubeful")
        ),
        *(Subject(group, title, _as_they_are, _cubes(model, plies)) for group, plies in ((CUBE, 0), (DEEP_CUBE, 2))),
    ]


def gnubg_decisions() -> list[Subject]:
    """gnubg-nn; it decides nothing about the cube for money."""
    return [
        Subject(ONE_PLY, "gnubg-nn best_move, n=1, cubeless", _as_they_are, _choose(Gnubg(1)), keeps=True),
        Subject(
            TWO_PLY,
            "gnubg-nn best_move, n=2, reduced=1, cubeless",
            _as_they_are,
            _choose(Gnubg(2, reduced=True)),
            keeps=True,
        ),
    ]


def bgsage_decisions() -> list[Subject]:
    """bgsage: its 2-ply is 1-ply here, its 3-ply 2-ply."""
    found = []
    for group, cube_group, plies, slow in ((ONE_PLY, None, 1, SIZES[ONE_PLY]), (TWO_PLY, DEEP_CUBE, 2, SLOW)):
        cubeful = BgsageSearch(plies, cubeful=True)
        its = f'bgsage "{plies + 1}-ply"'
        found += [
            Subject(group, f"{its}, cubeless", _as_they_are, _choose(BgsageSearch(plies)), keeps=True),
            Subject(group, f"{its}, cubeful", _first(slow), _choose(cubeful), keeps=True),
        ]
        if cube_group is not None:
            found.append(Subject(cube_group, its, _as_they_are, _sage_cubes(cubeful), keeps=True))
    static = BgsageSearch(0, cubeful=True)
    return [*found, Subject(CUBE, 'bgsage "1-ply"', _as_they_are, _sage_cubes(static), keeps=True)]


def _choose(player: Player) -> Callable[[Positions], int]:
    def run(work: Positions) -> int:
        for number in range(len(work)):
            player.choose(work.boards[number : number + 1], work.rolls[number : number + 1])
        return len(work)

    return run


def _cubes(model: Model, plies: int) -> Callable[[Positions], int]:
    analyst = Analyst.of(model, plies=plies)

    def run(work: Positions) -> int:
        for board in work.boards:
            analyst.cube_values(Position(board))
        return len(work)

    return run


def _sage_cubes(peer: BgsageSearch) -> Callable[[Positions], int]:
    def run(work: Positions) -> int:
        for board in work.boards:
            peer.cube(np.asarray(board), 1, False, (0, 0))
        return len(work)

    return run


def _as_they_are(positions: Positions) -> Positions:
    return positions


def _first(count: int) -> Callable[[Positions], Positions]:
    return lambda positions: positions.part(0, count)
