"""Looking ahead n plies, in gnubg's count: many positions, threads, a limit of time, move filters.

`bgai.kernels.search` defines the values. Here positions are cut into units of work, whose division depends on the
question alone, so that the result is the same to the last digit for any number of threads.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from bgai.board import Board
from bgai.cube import OWNERS
from bgai.errors import InputError
from bgai.halt import Halt
from bgai.kernels.cache import Cache
from bgai.kernels.cube import CubeStakes, flipped_stakes
from bgai.kernels.movegen import ROW
from bgai.kernels.rolls import ROLL_COUNT
from bgai.kernels.search import Game, find_leaves, look_ahead, look_at
from bgai.kernels.static import Static
from bgai.move_filter import FILTERS, Filter
from bgai.outcomes import COUNT, Outcomes
from bgai.position import CubeOwner
from bgai.stakes import Stakes, worth_of_plays

MOST_PLIES = 7
"""The deepest look: a ply multiplies the work by about 21."""

Values = NDArray[np.float64]

_KEPT = 4096
"""Positions that each thread remembers while it looks ahead for one question."""
_memory = threading.local()
"""Where it does so, `cache`: question after question, because new memory costs as much as some fifty rolls."""
_TOGETHER = 16
"""Positions of one unit of work at one ply, some milliseconds."""
_SHORT = 3
"""Up to so many plies a unit of work lasts milliseconds, so that one thread may run it and still be interrupted."""

_TAKEN = 4
"""The state after a double and a take, see `bgai.kernels.cube_states`."""


@dataclass(frozen=True)
class Settings:
    """How far to look.

    Raises:
        InputError: plies, threads or seconds that make no sense, or a filter of an unknown name.
    """

    plies: int = 0
    """Where `seconds` are given, the most that is tried."""
    filter: Filter | str = "normal"
    threads: int = 1
    seconds: float | None = None
    """Time for one question: deepens as long as the next depth should still fit; None: no limit."""

    def __post_init__(self) -> None:
        if not 0 <= self.plies <= MOST_PLIES:
            raise InputError(f"{self.plies} plies, expected 0 to {MOST_PLIES}")
        if isinstance(self.filter, str) and self.filter not in FILTERS:
            raise InputError(f"unknown move filter {self.filter!r}, expected one of {', '.join(FILTERS)}")
        if self.threads < 1:
            raise InputError(f"{self.threads} threads, expected at least 1")
        if self.seconds is not None and not self.seconds > 0:
            raise InputError(f"{self.seconds} seconds, expected more than 0")

    @property
    def moves(self) -> Filter:
        """The filter itself."""
        return FILTERS[self.filter] if isinstance(self.filter, str) else self.filter


@dataclass(frozen=True)
class Look:
    """What looking ahead finds for N positions before the roll, in equities of the present cube."""

    outcomes: Outcomes
    """float32[N, 5]"""
    no_double: Values
    """float64[N]: without turning the cube now; with a dead cube if cubeless."""
    taken: Values
    """float64[N]: doubled and taken; not a number if cubeless or if nobody may double."""


class TimeUp(Exception):
    """The time for a question is over before a depth was completed."""


@dataclass
class Clock:
    """When to stop, in `time.monotonic` seconds, or at a word."""

    end: float = np.inf
    halt: Halt = field(default_factory=Halt)

    @property
    def left(self) -> float:
        return -1.0 if self.halt.said else self.end - time.monotonic()


class Search:
    """Looks ahead with one network and its bear-off tables."""

    def __init__(self, static: Static, efficiency: Values, settings: Settings, *, cubeful: bool = True) -> None:
        """`efficiency` float64[3] of the cube, by phase; without `cubeful` it is taken as dead."""
        self.static = static
        self.settings = settings
        self._efficiency = efficiency
        self._cubeful = cubeful

    def look(self, boards: Board, stakes: Stakes, owner: CubeOwner, plies: int, clock: Clock | None = None) -> Look:
        """The values of boards `int8[N, 26]` that are played for the same stakes.

        Raises:
            TimeUp: the clock ran out, or its halt was said.
        """
        game = self._game(stakes, owner)
        values = self._values(np.ascontiguousarray(boards, dtype=np.int8), game, plies, clock or Clock())
        outcomes = values[:, :COUNT].astype(np.float32)
        if not game.need:
            dead = stakes.dead(outcomes)
            return Look(outcomes, dead, np.full(len(dead), np.nan))
        states = values[:, COUNT:]
        taken = states[:, _TAKEN] if game.need >> _TAKEN & 1 else np.full(len(states), np.nan)
        return Look(outcomes, states[:, OWNERS[owner]], taken)

    def seconds(self, boards: Board, stakes: Stakes, owner: CubeOwner, plies: int) -> float:
        """An estimate of the time that `look` would take, from a look of one ply at a few of the boards."""
        if plies == 0 or not len(boards):
            return 0.0
        few = boards[: 2 * _TOGETHER]
        self.look(few[:1], stakes, owner, 1)
        begin = time.perf_counter()
        self.look(few, stakes, owner, 1)
        at_one_ply = (time.perf_counter() - begin) * len(boards) / len(few)
        times: int = sum(ROLL_COUNT**ply for ply in range(plies))
        return at_one_ply * times / (1 if plies == 1 else self.settings.threads)

    def _game(self, stakes: Stakes, owner: CubeOwner) -> Game:
        # Without a cube that counts the stakes of the present one are all.
        turns = len(stakes.win) if self._cubeful else 1
        compiled = stakes.compiled
        mine = CubeStakes(compiled.win[:turns], compiled.lose[:turns], compiled.usable[:turns], compiled.beavers)
        sides = (mine, flipped_stakes(mine))
        need = 0
        if self._cubeful:
            need = 1 << OWNERS[owner] | (1 << _TAKEN if stakes.may_double and turns > 1 else 0)
        return Game(
            worth=np.stack([worth_of_plays(side, 0, match=stakes.match) for side in sides]),
            stakes=sides,
            exact=stakes.unlimited,
            efficiency=self._efficiency,
            need=need,
        )

    def _values(self, boards: Board, game: Game, plies: int, clock: Clock) -> Values:
        """float64[N, 5 + S], see `bgai.kernels.search`."""
        columns = COUNT + 2 * len(game.stakes[0].win) + 1
        values = np.zeros((len(boards), columns))
        leaves = np.ones(len(boards), dtype=np.bool_)
        if plies:
            find_leaves(self.static, boards, leaves)
        if leaves.any():
            found = np.zeros((int(leaves.sum()), columns))
            look_at(self.static, game, boards[leaves], found)
            values[leaves] = found
        if not leaves.all():
            values[~leaves] = self._look_ahead(boards[~leaves], game, plies, columns, clock)
        return values

    def _look_ahead(self, boards: Board, game: Game, plies: int, columns: int, clock: Clock) -> Values:
        """Units are some positions at one ply, a position at two, and one roll of a position at more."""
        size = _TOGETHER if plies == 1 else 1
        step = ROLL_COUNT if plies < _SHORT else 1
        parts = np.zeros((ROLL_COUNT // step, len(boards), columns))
        stop = np.zeros(1, dtype=np.int64)
        own = threading.local()

        def unit(first: int, roll: int) -> None:
            here, part = slice(first, first + size), roll // step
            if not hasattr(own, "cache"):
                own.cache = _empty_cache(columns)
            look_ahead(self.static, game, boards[here], plies, roll, roll + step, own.cache, stop, parts[part, here])

        units = [(first, roll) for first in range(0, len(boards), size) for roll in range(0, ROLL_COUNT, step)]
        if len(units) == 1 or (self.settings.threads == 1 and plies <= _SHORT):
            for first, roll in units:
                if clock.left < 0:
                    raise TimeUp
                unit(first, roll)
        else:
            self._in_threads(unit, units, stop, clock)
        # One after the other, so that the sum does not depend on how NumPy adds.
        total: Values = parts[0]
        for part in parts[1:]:
            total += part
        return total

    def _in_threads(
        self, unit: Callable[[int, int], None], units: list[tuple[int, int]], stop: NDArray[np.int64], clock: Clock
    ) -> None:
        with clock.halt.reaching(stop), ThreadPoolExecutor(self.settings.threads) as pool:
            try:
                futures = [pool.submit(unit, *which) for which in units]
                limit = None if clock.end == np.inf else max(clock.left, 0.0)
                done, waiting = wait(futures, limit, return_when=FIRST_EXCEPTION)
                for future in done:
                    future.result()
                if waiting:
                    raise TimeUp
            finally:
                # Nothing goes on behind the back of who interrupts.
                stop[0] = 1
                pool.shutdown(wait=False, cancel_futures=True)
        if clock.halt.said:
            # Units that were cut short have left numbers that mean nothing.
            raise TimeUp


def _empty_cache(columns: int) -> Cache:
    """This thread's cache for the next question."""
    cache: Cache | None = getattr(_memory, "cache", None)
    if cache is None or cache.values.shape[1] != columns:
        values = np.empty((_KEPT, columns))
        cache = _memory.cache = Cache(np.empty((_KEPT, ROW), dtype=np.int8), np.empty(_KEPT, dtype=np.int64), values)
    cache.level[:] = 0
    return cache
