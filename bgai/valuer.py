"""What boards are worth at their stakes: the network or a look ahead, and the cube model, in one place."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from bgai.bearoff import EXACT, held_by_tables
from bgai.board import START, Board
from bgai.cube import CubeValues, cube_values, cube_values_from
from bgai.errors import InputError
from bgai.evaluator import Evaluator, KernelEvaluator
from bgai.halt import Halt
from bgai.kernels.rolls import ROLL_COUNT
from bgai.move_filter import Level
from bgai.outcomes import COUNT, Outcomes
from bgai.phase import cube_efficiencies
from bgai.position import CubeOwner
from bgai.search import Clock, Search, Settings, TimeUp
from bgai.stakes import Stakes

Values = NDArray[np.float64]

_NOTHING = np.empty(0, dtype=np.int64)
_MEASURED = 32
"""Boards from which the time of a look is estimated, at most."""


@dataclass(frozen=True)
class Valued:
    """Boards `int8[M, 26]` before the roll."""

    outcomes: Outcomes
    """float32[M, 5]"""
    values: Values
    """float64[M], with the cube and the right decisions."""
    cubeless: Values
    """float64[M], as if the cube were never turned again."""
    plies: NDArray[np.int64]
    """int64[M], how far was looked ahead."""


class Valuer:
    """Values boards with one evaluator, at 0-ply or looking ahead."""

    def __init__(
        self,
        evaluator: Evaluator,
        efficiency: Values,
        settings: Settings,
        *,
        cubeful: bool,
        halt: Halt | None = None,
    ) -> None:
        """`efficiency` float64[3] of the cube, by phase; without `cubeful` it is taken as dead.

        After a `halt` the depths before it answer, if need be the network alone.

        Raises:
            InputError: an evaluator that is not compiled cannot look ahead.
        """
        if settings.plies and not isinstance(evaluator, KernelEvaluator):
            raise InputError(f"{settings.plies} plies, expected 0 for an evaluator that is not compiled")
        self.evaluator = evaluator
        self.settings = settings
        self._efficiency = efficiency
        self._cubeful = cubeful
        self._halt = halt
        self._prepared = False

    @cached_property
    def _search(self) -> Search:
        assert isinstance(self.evaluator, KernelEvaluator)
        return Search(self.evaluator.static, self._efficiency, self.settings, cubeful=self._cubeful)

    def prepare(self, stakes: Stakes, owner: CubeOwner) -> None:
        """Looks ahead once, so that neither compiling nor opening tables counts as time for a question."""
        if self.settings.plies and self.settings.seconds is not None and not self._prepared:
            self._search.look(np.array(START[None]), stakes, owner, 1)
            self._prepared = True

    def seconds(self, boards: Board, counts: NDArray[np.int64], stakes: Stakes, owner: CubeOwner) -> float:
        """An estimate of the time of the settings' last depth.

        Boards `int8[M, 26]` of one question or more, of which `counts` int64[N] belong together each.
        """
        settings = self.settings
        for plies in range(settings.plies):
            level = settings.moves.level(plies)
            counts = np.minimum(counts, level.least + level.more)
        few = boards[:_MEASURED]
        return self._search.seconds(few, stakes, owner, settings.plies) / len(few) * float(counts.sum())

    def actions(self, boards: Board, stakes: Stakes, owner: CubeOwner) -> tuple[CubeValues, Outcomes, int]:
        """What can be done with the cube, the chances, and the plies, of boards that are played for the same stakes."""
        # A copy, because an array that may not be written to is another type, for which kernels are compiled again.
        boards = np.array(boards)
        found = self._at(boards, stakes, owner, 0, Clock())
        self.prepare(stakes, owner)

        def look(_all: NDArray[np.int64], plies: int, clock: Clock) -> Values:
            nonlocal found
            found = self._at(boards, stakes, owner, plies, clock)
            return found[0].value

        reached = deepen(np.arange(len(boards) + 1), found[0].value.copy(), self.settings, look, halt=self._halt)
        return *found, int(reached.min(initial=self.settings.plies))

    def values(
        self,
        boards: Board,
        offsets: NDArray[np.int64],
        games: Sequence[tuple[Stakes, CubeOwner]],
        labels: NDArray[np.int64],
    ) -> Valued:
        """Values of boards `[M, 26]` of which some belong together: numbers `offsets[n]` to `offsets[n + 1]` do.

        Of those, the ones that are worst for the player on roll, who is the opponent of who moved, are looked at more
        deeply. `labels` int64[M] says for which of the `games` each board is played.
        """
        outcomes = np.empty((len(boards), COUNT), dtype=np.float32)
        values, cubeless = np.empty(len(boards)), np.empty(len(boards))

        def look(chosen: NDArray[np.int64], plies: int, clock: Clock) -> Values:
            parts = _by_label(chosen, labels[chosen], len(games))
            found = [self._at(boards[rows], *game, plies, clock) for game, rows in zip(games, parts, strict=True)]
            # Only now, so that a depth for which the time was too short changes nothing.
            for (stakes, _), rows, (actions, chances) in zip(games, parts, found, strict=True):
                outcomes[rows] = chances
                cubeless[rows] = stakes.dead(chances)
                values[rows] = actions.value if self._cubeful else cubeless[rows]
            return -values[chosen]

        equities = look(np.arange(len(boards)), 0, Clock())
        self.prepare(*games[0])
        reached = deepen(offsets, equities, self.settings, look, cubeless, halt=self._halt)
        return Valued(outcomes, values, cubeless, reached)

    def _at(
        self, boards: Board, stakes: Stakes, owner: CubeOwner, plies: int, clock: Clock
    ) -> tuple[CubeValues, Outcomes]:
        """The same as `actions` at some plies."""
        if plies and len(boards):
            found = self._search.look(boards, stakes, owner, plies, clock)
            if self._cubeful:
                return cube_values_from(found.no_double, found.taken, stakes), found.outcomes
            outcomes = found.outcomes
        else:
            outcomes = self.evaluator.evaluate(boards)
        actions = cube_values(outcomes, stakes, owner, cube_efficiencies(boards, self._efficiency))
        if not plies and self._cubeful and stakes.unlimited:
            self._put_exact(boards, stakes, owner, actions)
        return actions, outcomes

    def _put_exact(self, boards: Board, stakes: Stakes, owner: CubeOwner, actions: CubeValues) -> None:
        """Writes over the cube model what the two-sided bear-off table knows exactly."""
        held = held_by_tables(boards, EXACT)
        if isinstance(self.evaluator, KernelEvaluator) and held.any():
            found = self._search.look(boards[held], stakes, owner, 0)
            exact = cube_values_from(found.no_double, found.taken, stakes)
            for name in ("no_double", "double_take", "beaver", "value"):
                getattr(actions, name)[held] = getattr(exact, name)


def deepen(
    offsets: NDArray[np.int64],
    equities: Values,
    settings: Settings,
    look: Callable[[NDArray[np.int64], int, Clock], Values],
    cubeless: Values | None = None,
    *,
    halt: Halt | None = None,
) -> NDArray[np.int64]:
    """Looks at plays more and more deeply, fewer each time, until the depth of the settings or the end of their time.

    Args:
        offsets: int64[N + 1], the plays of position n are `offsets[n]` to `offsets[n + 1]`; M in all.
        equities: float64[M], of the mover at 0-ply; those of plays that are looked at are replaced.
        look: gives float64 equities of some plays at some plies, or raises TimeUp. Then what was found at the depths
            before it stands.
        cubeless: float64[M], of the opponent; of plays that are equally good the worse for it goes on.
        halt: ends it, too.

    Returns:
        int64[M], the plies of each play's equity.
    """
    reached = np.zeros(len(equities), dtype=np.int64)
    clock = Clock(np.inf if settings.seconds is None else time.monotonic() + settings.seconds, halt or Halt())
    plays = [np.arange(first, end) for first, end in pairwise(offsets)]
    expected = 0.0
    for plies in range(1, settings.plies + 1):
        level = settings.moves.level(plies - 1)
        plays = [_kept(level, these, equities, cubeless) for these in plays]
        # Without a limit of time there is nothing to be had from a depth between.
        single = 1 if settings.seconds is None and plies < settings.plies else 0
        chosen = np.concatenate([_NOTHING, *(these for these in plays if len(these) > single)])
        if not len(chosen):
            continue
        if expected * len(chosen) > clock.left:
            break
        begin = time.monotonic()
        try:
            equities[chosen] = look(chosen, plies, clock)
        except TimeUp:
            break
        reached[chosen] = plies
        expected = (time.monotonic() - begin) / len(chosen) * ROLL_COUNT
    return reached


def _kept(level: Level, plays: NDArray[np.int64], equities: Values, cubeless: Values | None) -> NDArray[np.int64]:
    """The plays that go on, in their old order."""
    if cubeless is not None:
        plays = plays[np.argsort(cubeless[plays], kind="stable")]
    return np.sort(plays[level.kept(equities[plays])])


def _by_label(chosen: NDArray[np.int64], labels: NDArray[np.int64], count: int) -> list[NDArray[np.int64]]:
    """The parts of `chosen` that have each of `count` labels."""
    if count == 1:
        return [chosen]
    order = np.argsort(labels, kind="stable")
    ends = np.searchsorted(labels[order], np.arange(count + 1))
    return [chosen[order[first:end]] for first, end in pairwise(ends)]
