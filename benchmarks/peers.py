"""Other programs, behind the interface of `players.Player`: gnubg-nn, its pubeval, and bgsage.

They are not needed by bgai and not installed with it: `pip install gnubg-nn bgsage`. Each is imported when it
is first asked for. Those in `PEERS` play cubeless money games with their static nets, that is 0-ply as gnubg counts.

How each one writes a board:

* gnubg-nn: two lists of 25, the opponent's checkers and then those of the player on roll, each counted from its
  own side; 24 is the bar. `best_move` names its points 1 to 25, `pub_best_move` 0 to 24 (off is 0 and -1).
* bgsage: 26 numbers as in bgai, but the opponent's bar, place 0, is a positive count. It evaluates the position
  after a play seen by the side that has just played, and also wants to see the one before.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgai.board import Board, flip
from bgai.errors import InputError
from bgai.plays import legal_plays_batch

Rolls = NDArray[np.int64]
GnubgBoard = list[list[int]]
SageBoard = list[int]


class PeerMissingError(InputError):
    """A program to compare with is not installed."""


def gnubg_board(board: Board) -> GnubgBoard:
    """A board `int8[26]` as gnubg-nn wants it."""
    own = np.maximum(board, 0)[1:].tolist()
    other = np.maximum(flip(board), 0)[1:].tolist()
    return [other, own]


def sage_board(board: Board) -> SageBoard:
    """A board `int8[26]` as bgsage wants it."""
    numbers: SageBoard = board.tolist()
    numbers[0] = -numbers[0]
    return numbers


def after_steps(board: Board, steps: Iterable[tuple[int, int]]) -> list[int]:
    """The position after a play, seen by the opponent: steps are (from, to), 25 the bar, 0 or less is off."""
    places: list[int] = board.tolist()
    for start, end in steps:
        places[start] -= 1
        if end > 0:
            if places[end] < 0:
                places[0] += places[end]
                places[end] = 0
            places[end] += 1
    return [-count for count in reversed(places)]


class Gnubg:
    """gnubg-nn: its nets and bear-off tables, by default without search."""

    name = "gnubg"
    package = "gnubg-nn"

    def __init__(self, plies: int = 0, *, reduced: bool = False) -> None:
        """With `reduced` it looks at fewer of its opponent's rolls."""
        self.module = _gnubg()
        self.title = f"gnubg-nn {plies}-ply" + ", reduced" * reduced
        self._options = {"n": plies, "reduced": int(reduced)}

    def choose(self, boards: Board, rolls: Rolls) -> Board:
        """The play of each position: boards `int8[N, 26]` and rolls `int64[N, 2]` to successors `int8[N, 26]`."""
        chosen = [
            after_steps(board, self.module.best_move(gnubg_board(board), high, low, **self._options))
            for board, (high, low) in zip(boards, rolls.tolist(), strict=True)
        ]
        return np.array(chosen, dtype=np.int8).reshape(-1, 26)


class Pubeval:
    """Tesauro's pubeval of 1993, a linear evaluation, as gnubg-nn carries it."""

    name = "pubeval"
    title = "pubeval"
    package = "gnubg-nn"

    def __init__(self) -> None:
        self.module = _gnubg()

    def choose(self, boards: Board, rolls: Rolls) -> Board:
        """The play of each position: boards `int8[N, 26]` and rolls `int64[N, 2]` to successors `int8[N, 26]`."""
        chosen = []
        for board, (high, low) in zip(boards, rolls.tolist(), strict=True):
            flat: Sequence[int] = self.module.pub_best_move(gnubg_board(board), high, low)
            steps = [(start + 1, end + 1) for start, end in zip(flat[::2], flat[1::2], strict=True)]
            chosen.append(after_steps(board, steps))
        return np.array(chosen, dtype=np.int8).reshape(-1, 26)


class Bgsage:
    """bgsage at its 1-ply, which is 0-ply here: its static nets and its one-sided bear-off table.

    It picks among bgai's successors, because its own list can hold a bear-off that the rules do not allow.
    Equal values are ordered by the board, as it does itself.
    """

    name = "bgsage"
    title = "bgsage static"
    package = "bgsage"

    def __init__(self) -> None:
        self.module = _sage()
        about = importlib.import_module("bgsage.weights")
        weights = about.default_weights()
        self._nets = self.module.create_strategy(
            weights.strategy_type, weights.weight_paths_list, weights.hidden_sizes_list
        )
        self._table = self.module.BearoffDB()
        path = about.bearoff_db_path()
        if path is None or not self._table.load(path):
            raise PeerMissingError("bgsage has no bear-off table: install the package again")
        self.strategy = self.module.BearoffStrategy(self._nets, self._table)

    def choose(self, boards: Board, rolls: Rolls) -> Board:
        """The play of each position: boards `int8[N, 26]` and rolls `int64[N, 2]` to successors `int8[N, 26]`."""
        chosen = np.empty((len(boards), 26), dtype=np.int8)
        plays = legal_plays_batch(boards, rolls, with_steps=False)
        evaluate = self.strategy.evaluate_board
        for number, (board, of_roll) in enumerate(zip(boards, plays, strict=True)):
            before = sage_board(board)
            after = [sage_board(played) for played in flip(of_roll.successors)]
            values = [(-evaluate(candidate, before)["equity"], candidate) for candidate in after]
            chosen[number] = of_roll.successors[min(range(len(values)), key=values.__getitem__)]
        return chosen


class BgsageSearch:
    """bgsage looking ahead with its own move filter: its "2-ply" is 1-ply here, its "3-ply" 2-ply."""

    name = "bgsage-search"
    package = "bgsage"

    def __init__(self, plies: int, *, cubeful: bool = False) -> None:
        """`plies` in gnubg's count; with `cubeful` it chooses by its equity with a centred cube."""
        self.title = f"bgsage {plies}-ply" + ", cubeful" * cubeful
        self.analyzer = _imported("bgsage", "bgsage").BgBotAnalyzer(
            eval_level=f"{plies + 1}ply", cubeful=cubeful, parallel_threads=1
        )

    def choose(self, boards: Board, rolls: Rolls) -> Board:
        """The play of each position: boards `int8[N, 26]` and rolls `int64[N, 2]` to successors `int8[N, 26]`."""
        chosen = np.empty((len(boards), 26), dtype=np.int8)
        plays = legal_plays_batch(boards, rolls, with_steps=False)
        for number, (board, of_roll) in enumerate(zip(boards, plays, strict=True)):
            legal = {tuple(sage_board(after)): place for place, after in enumerate(flip(of_roll.successors))}
            # Its list can hold a bear-off that the rules do not allow: then the next play counts.
            ranked = (tuple(play.board) for play in self.rank(board, *rolls[number].tolist()))
            chosen[number] = of_roll.successors[next(legal[after] for after in ranked if after in legal)]
        return chosen

    def rank(self, board: Board, high: int, low: int) -> list[Any]:
        """Its plays of a roll, best first."""
        answer = self.analyzer.checker_play(sage_board(board), high, low, jacoby=False, beaver=False)
        plays: list[Any] = answer.moves
        return plays

    def cube(self, board: Board, value: int, owned: bool, away: tuple[int, int]) -> tuple[float, float]:
        """Equities of no double and of double, take; `away` is (0, 0) for money. Never the Crawford game."""
        answer = self.analyzer.cube_action(
            sage_board(board),
            cube_value=value,
            cube_owner="player" if owned else "centered",
            away1=away[0],
            away2=away[1],
            jacoby=False,
            beaver=False,
        )
        return answer.equity_nd, answer.equity_dt


PEERS: dict[str, type[Gnubg] | type[Pubeval] | type[Bgsage]] = {
    "gnubg": Gnubg,
    "pubeval": Pubeval,
    "bgsage": Bgsage,
}


def _gnubg() -> Any:
    return _imported("gnubg_nn", "gnubg-nn")


def _sage() -> Any:
    return _imported("bgbot_cpp", "bgsage")


def _imported(module: str, package: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise PeerMissingError(f"{package} is not installed ({error}): pip install {package}") from error
