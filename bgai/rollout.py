"""Rollouts: plays, cube actions or a position, valued by playing them out at 0-ply.

    >>> import bgai
    >>> from bgai.rollout import Rollout, Settings
    >>> start = bgai.Position(dice=(3, 1))
    >>> rollout = Rollout(start, Settings(trials=36, truncation=2), most=2)
    >>> rollout.run()
    >>> [one.name for one in rollout.ranked()]
    ['8/5 6/5', '24/20']

A rollout consists of blocks of 36 trials (`bgai.kernels.rollout`). Block b of a candidate depends on the seed and b
alone, and whether to go on is decided only at certain numbers of blocks, from the blocks before. So the result is the
same for any number of threads, and a rollout that is extended is the longer one to the last digit. All candidates have
the same dice.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from bgai.analyst import Analyst
from bgai.board import result
from bgai.catalogue import open_model
from bgai.errors import ConfigError
from bgai.evaluator import KernelEvaluator
from bgai.halt import Halt
from bgai.kernels.cube import flipped_stakes
from bgai.kernels.rollout import Start, play_block, play_trial, scratch
from bgai.kernels.static import Static
from bgai.kernels.strata import BLOCK, first_rolls
from bgai.kernels.trial_cube import EQUITY, VALUES, Rules
from bgai.model import Model
from bgai.outcomes import COUNT
from bgai.plays import Plays
from bgai.position import Position
from bgai.rollout_candidates import Candidate, actions_of, candidates_of, cube_leads, plays_of
from bgai.rollout_statistics import Values, error_of
from bgai.stakes import Stakes, worth_of_plays
from bgai.workers import LocalWorkers, Workers

MOST_TRIALS = 27_777 * BLOCK
"""999,972: more would take hours for what a better network does at once."""
LOOK = 9
"""Blocks between two looks at whether to go on."""


@dataclass(frozen=True)
class Settings:
    """How to roll out.

    Raises:
        ConfigError: a number out of range.
    """

    trials: int = 36 * BLOCK
    """Of each candidate, at most: a multiple of 36, at best of 1,296, which hold all pairs of first rolls alike."""
    seed: int = 1
    truncation: int | None = None
    """Plies after which a trial ends with the static value; None: it is played out."""
    cubeful: bool = True
    reduction: bool = True
    """Whether luck is taken out of the results."""
    settled: float | None = None
    """Ends when the best is better than each other candidate by so many standard errors of the difference; before,
    those it leads by so much are dropped."""
    error: float | None = None
    """Ends when no standard error of an equity is larger."""

    def __post_init__(self) -> None:
        if self.trials % BLOCK or not 0 < self.trials <= MOST_TRIALS:
            near = min(max(-(-self.trials // BLOCK), 1) * BLOCK, MOST_TRIALS)
            raise ConfigError(
                f"trials: found {self.trials}, expected a multiple of {BLOCK} from {BLOCK} to {MOST_TRIALS},"
                f" such as {near}"
            )
        if not 0 <= self.seed < 2**64:
            raise ConfigError(f"seed: found {self.seed}, expected 0 to {2**64 - 1}")
        if self.truncation is not None and self.truncation < 1:
            raise ConfigError(f"truncation: found {self.truncation} plies, expected 1 or more")
        for name, limit in (("settled", self.settled), ("error", self.error)):
            if limit is not None and not limit > 0:
                raise ConfigError(f"{name}: found {limit}, expected a number above 0")


class _Halted(Exception):
    """A block was not played to its end."""


@dataclass(frozen=True)
class Trials:
    """How the candidates of a rollout are played out."""

    static: Static
    settings: Settings
    stakes: Stakes
    efficiency: Values
    """float64[3] of the cube, by phase."""
    candidates: Sequence[Candidate]
    halt: Halt | None = None
    """Ends a block after the trial that is played. It reaches the threads of this process only."""

    def block(self, number: int, block: int) -> Values:
        """The means of a block of a candidate, seen by the side on roll where its trials begin."""
        one = self.candidates[number]
        values = np.zeros((BLOCK, VALUES))
        stakes = self.stakes.compiled
        pair = (flipped_stakes(stakes), stakes) if one.after else (stakes, flipped_stakes(stakes))
        points = -result(one.board)
        if points > 0:
            values[:, :COUNT] = [False, False, False, points > 1, points > 2]
            values[:, EQUITY] = pair[0].lose[one.start.turn, points - 1]
        else:
            match = self.stakes.match
            turns = range(len(stakes.win))
            worth = np.array([[worth_of_plays(side, turn, match=match) for turn in turns] for side in pair])
            rules = Rules(pair, worth, self.efficiency, one.cubeful, not match)
            self._play(rules, one.start, block, values)
        mean: Values = values.mean(axis=0)
        return mean

    def _play(self, rules: Rules, start: Start, block: int, values: Values) -> None:
        settings, static = self.settings, self.static
        seed, truncation = np.uint64(settings.seed), settings.truncation or 0
        if self.halt is None:
            play_block(static, rules, start, seed, block, truncation, settings.reduction, values)
            return
        # The same to the last digit, with a look at the word between two trials: a block may take seconds.
        here, rolls = scratch(static, rules), np.empty((BLOCK, 2), np.int64)
        first_rolls(seed, block, rolls)
        for trial, total in enumerate(values):
            if self.halt.said:
                raise _Halted
            number, two = block * BLOCK + trial, rolls[trial]
            play_trial(static, rules, start, seed, number, two, truncation, settings.reduction, here, total)


def playing_out(trials: Trials) -> Callable[[tuple[int, int]], Values]:
    """The task: plays a block, given by the number of its candidate and its own."""
    return lambda item: trials.block(*item)


class Rollout:
    """A question with its candidates and what is known of them so far."""

    def __init__(
        self,
        position: Position,
        settings: Settings | None = None,
        *,
        model: str | Model | None = None,
        most: int = 0,
        chosen: Plays | None = None,
        static: Static | None = None,
    ) -> None:
        """The rollout that a position asks for: of its plays if it has dice, else of its cube actions.

        Args:
            most: plays to compare, those that are best at 0-ply; 0: all.
            chosen: plays to compare instead.
            static: for other networks or tables in the trials than the model brings.

        Raises:
            PositionError: there is nothing to roll out.
        """
        self.position = position
        self.settings = settings or Settings()
        self.model = model if isinstance(model, Model) else open_model(model)
        analyst = Analyst.of(self.model, cubeful=self.settings.cubeful)
        self.compares_plays = chosen is not None or position.dice is not None
        if chosen is not None:
            self.candidates = candidates_of(analyst, position, chosen)
        elif position.dice is not None:
            self.candidates = plays_of(analyst, position, most)
        else:
            self.candidates = actions_of(analyst, position)
        self.stakes = analyst.stakes(position.cube, position.score, position.cube_limit)
        self.static = KernelEvaluator(self.model).static if static is None else static
        self.stopped: str | None = None
        """Why it ended before all trials: `settled` or `error`."""
        self._efficiency = analyst.efficiency

    @property
    def is_cube_decision(self) -> bool:
        """Whether the candidates are no double and double, take."""
        return not self.compares_plays and len(self.candidates) == 2

    @property
    def complete(self) -> bool:
        """Whether all is played that was asked for."""
        return self.stopped is not None or all(
            one.dropped or one.trials >= self.settings.trials for one in self.candidates
        )

    def ranked(self) -> list[Candidate]:
        """Those with at least one block; plays the best first, those that were dropped behind the others."""
        there = [one for one in self.candidates if one.blocks]
        if not self.compares_plays:
            return there
        return sorted(there, key=lambda one: (one.dropped, -one.equity[0]))

    def extended(self, trials: int) -> None:
        """Asks for so many trials; what there is stays."""
        self.settings = replace(self.settings, trials=trials)

    def run(
        self,
        *,
        threads: int | None = None,
        workers: Workers | None = None,
        progress: Callable[[Rollout], None] | None = None,
        halt: Halt | None = None,
    ) -> None:
        """Plays what is still missing. If it is interrupted, all blocks that are complete stay.

        Args:
            threads: default one for each core.
            workers: who play instead of threads.
            progress: is called after each block.
            halt: ends it early when it is said: after the trials that are played, with workers after their blocks.
        """
        self.stopped = None
        active = list(self.candidates)
        for one in active:
            one.dropped = False
        target = self.settings.trials // BLOCK
        done = 0
        crew = workers or LocalWorkers(threads or os.cpu_count() or 1)
        begun = [replace(one, blocks=[]) for one in self.candidates]
        trials = Trials(self.static, self.settings, self.stakes, self._efficiency, begun, None if workers else halt)
        while done < target and self.stopped is None:
            then = min(target, done - done % LOOK + LOOK)
            missing = [
                (self.candidates.index(one), block)
                for block in range(done, then)
                for one in active
                if block >= len(one.blocks)
            ]
            try:
                with crew.map(playing_out, trials, missing) as played:
                    for (number, _), values in zip(missing, played, strict=True):
                        self.candidates[number].add(values)
                        if progress is not None:
                            progress(self)
                        if halt is not None and halt.said:
                            raise _Halted
            except _Halted:
                return
            done = then
            if done % LOOK == 0:
                active = self._look(active, done)

    def _look(self, active: list[Candidate], blocks: int) -> list[Candidate]:
        """Which candidates go on after so many blocks; `stopped` is set if none needs to."""
        settings = self.settings
        if settings.settled is not None and len(active) > 1:
            if self.is_cube_decision:
                if all(abs(lead) > settings.settled * error for lead, error in cube_leads(active, blocks)):
                    self.stopped = "settled"
            else:
                best = max(active, key=lambda one: one.equities(blocks).mean())
                for one in active:
                    lead, error = best.lead(one, blocks)
                    one.dropped = one is not best and lead > settings.settled * error
                active = [one for one in active if not one.dropped]
                if len(active) == 1:
                    self.stopped = "settled"
        if settings.error is not None and all(error_of(one.equities(blocks)) <= settings.error for one in active):
            self.stopped = self.stopped or "error"
        return active
