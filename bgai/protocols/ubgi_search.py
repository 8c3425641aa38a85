"""What an UBGI engine finds for a question, with the lines that tell of it on the way."""

from __future__ import annotations

import contextlib
import secrets
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import TypeVar

import numpy as np

from bgai.analyst import Analyst
from bgai.board import Board
from bgai.bot import Bot
from bgai.cube_decision import CubeAction, cube_action
from bgai.errors import InputError
from bgai.events import Play
from bgai.halt import Halt
from bgai.kernels.strata import BLOCK
from bgai.levels import PlayerName
from bgai.notation.positionid import format_position_id
from bgai.opinions import ROLLED, Evaluation, RankedPlays
from bgai.outcomes import LOSE_BACKGAMMON, LOSE_GAMMON, WIN, WIN_BACKGAMMON, WIN_GAMMON, Outcomes
from bgai.plays import Plays, legal_plays
from bgai.position import Cube, Position
from bgai.protocols.opened import Opened
from bgai.protocols.states import state_of
from bgai.rollout import MOST_TRIALS, Rollout
from bgai.rollout import Settings as RolloutSettings
from bgai.search import MOST_PLIES, Settings, TimeUp

T = TypeVar("T")

CANDIDATES = 8
"""Plays that are rolled out, at most: those that are best at 0-ply."""
PASS = "pass"
"""The play where there is none."""

_REPLIES = 420
"""Positions that a ply looks at after a play: 21 rolls with about 20 plays each."""
_ROLLS = 21


@dataclass(frozen=True)
class Limits:
    """How long a question may take; without any of them it is the player's level that decides."""

    movetime: int | None = None
    """Milliseconds."""
    depth: int | None = None
    """Plies in gnubg's count."""
    nodes: int | None = None
    """Positions, about: the depth is the largest for which they suffice."""
    trials: int | None = None
    """Of a rollout of each candidate, rounded up to a multiple of 36."""


@dataclass(frozen=True)
class Move:
    """The play that was found."""

    text: str
    """Its steps one by one, as `24/18 18/13`; `pass` if there is none."""
    id: str
    """Position ID of what it leads to, seen by the opponent, who is on roll there."""


@dataclass
class Searcher:
    """Answers one question; from another thread it can be told to halt."""

    player: PlayerName
    opened: Opened
    """The player's model."""
    threads: int
    limits: Limits
    say: Callable[[str], None]
    """Takes the `info` lines."""
    seed: int | None = 1
    """Of rollouts; None: another one each time."""
    cubeful: bool = True
    halt: Halt = field(default_factory=Halt)
    _begin: float = field(default_factory=time.monotonic)

    def move(self, position: Position) -> Move:
        """The best play of the roll.

        Raises:
            InputError: no roll, or an offer that waits.
        """
        assert position.dice is not None
        plays = legal_plays(position.board, position.dice)
        if plays.must_pass:
            return _move(plays, 0)
        if self.limits.trials is not None:
            return self._rolled_move(position, plays)

        def ask(analyst: Analyst) -> tuple[int, RankedPlays]:
            ranked = analyst.rank([position])
            return int(ranked.plies[ranked.order[0]]), ranked

        chosen = 0
        for plies, ranked in self._deeper(len(plays), ask):
            chosen = int(ranked.order[0])
            mwc = float(ranked.mwc[chosen])
            self._info(
                "chequer",
                plies,
                float(ranked.equities[chosen]),
                mwc if position.score.length else None,
                ranked.outcomes[chosen],
                _move(ranked.plays[0], chosen).text,
            )
        return _move(plays, chosen)

    def doubles(self, position: Position) -> bool:
        """Whether the player on roll doubles.

        Raises:
            PositionError: the dice are rolled, or something waits for an answer.
        """
        if self.limits.trials is not None:
            return self._rolled_cube(position)

        def ask(analyst: Analyst) -> tuple[int, tuple[CubeAction, Evaluation]]:
            found, chances = cube_action(analyst, position), analyst.evaluate(position)
            return min(found.plies, chances.plies), (found, chances)

        doubles = False
        for plies, (found, chances) in self._deeper(1, ask):
            doubles = found.action in ("double", "redouble")
            self._info("cube", plies, chances.equity, chances.mwc, chances.outcomes)
        return doubles

    def answer(self, position: Position) -> str:
        """What the opponent says to the offer that waits: take, drop, beaver or raccoon; accept or reject."""
        state, rng = state_of(position, raccoons=True), np.random.default_rng(0)

        def ask(analyst: Analyst) -> tuple[int, str]:
            bot = Bot(analyst)
            if state.resignation is not None:
                answer = "accept" if bot.accepts(state, rng) else "reject"
            else:
                redouble = "beaver" if state.offer == "double" else "raccoon"
                answer = {"take": "take", "pass": "drop", "redouble": redouble}[bot.answers(state, rng)]
            # An answer does not say how far was looked. Of passes without a clock each is one ply deeper than the last.
            cut_short = self.halt.said and analyst.settings.seconds is None
            return 0 if cut_short else analyst.settings.plies, answer

        return [answer for _, answer in self._deeper(1, ask)][-1]

    def evaluate(self, position: Position) -> Evaluation:
        """What the position is worth before the roll."""
        position = replace(position, dice=None, offer=None)

        def ask(analyst: Analyst) -> tuple[int, Evaluation]:
            found = analyst.evaluate(position)
            return found.plies, found

        return [found for _, found in self._deeper(1, ask)][-1]

    def after_take(self, position: Position) -> Position:
        """The position once a double was taken."""
        return replace(position, cube=Cube(2 * position.cube.value, "opponent"))

    def _deeper(self, candidates: int, ask: Callable[[Analyst], tuple[int, T]]) -> Iterator[tuple[int, T]]:
        """What is found deeper and deeper, each with the plies that were looked ahead, which `ask` says.

        A pass that was cut short may have looked less far than the one before, and is left out then.
        """
        reached = -1
        for analyst in self._analysts(candidates):
            plies, found = ask(analyst)
            if plies <= reached:
                return
            reached = plies
            yield plies, found

    def _analysts(self, candidates: int) -> Iterator[Analyst]:
        """Deeper and deeper; the first one answers in milliseconds."""
        level, limits = self.player.level, self.limits
        limited = limits.depth is not None or limits.movetime is not None or limits.nodes is not None
        if not limited and (level.noise or level.rolled):
            yield level.analyst(self.opened.model, cubeful=self.cubeful, threads=self.threads)
            return
        settings = replace(level.settings, threads=self.threads)
        if limited:
            plies = MOST_PLIES if limits.depth is None else limits.depth
            if limits.nodes is not None:
                plies = min(plies, _depth_of(limits.nodes, candidates))
            seconds = None if limits.movetime is None else limits.movetime / 1000
            settings = replace(settings, plies=plies, seconds=seconds)
        # Never cut short, so that there is an answer however early the halt is.
        yield self.opened.analyst(Settings(threads=self.threads), cubeful=self.cubeful)
        depths = range(1, settings.plies + 1) if settings.seconds is None else [settings.plies] * (settings.plies > 0)
        for plies in depths:
            if self.halt.said:
                return
            yield self._analyst(replace(settings, plies=plies))

    def _analyst(self, settings: Settings) -> Analyst:
        return self.opened.analyst(settings, self.halt, cubeful=self.cubeful)

    def _rolled_move(self, position: Position, plays: Plays) -> Move:
        rollout = self._roll_out(position)
        best = rollout.ranked()[0]
        number = int(np.flatnonzero((plays.successors == best.board).all(axis=1))[0])
        return _move(plays, number)

    def _rolled_cube(self, position: Position) -> bool:
        cube_action(self._analyst(Settings()), position)
        rollout = self._roll_out(position)
        if not rollout.is_cube_decision:
            return False
        waiting, doubled = rollout.candidates
        return min(doubled.equity[0], 1.0) > waiting.equity[0]

    def _roll_out(self, position: Position) -> Rollout:
        assert self.limits.trials is not None
        trials = -(-min(self.limits.trials, MOST_TRIALS) // BLOCK) * BLOCK
        seed = secrets.randbits(63) if self.seed is None else self.seed
        settings = RolloutSettings(trials=trials, seed=seed, cubeful=self.cubeful)
        rollout = Rollout(position, settings, model=self.opened.model, most=CANDIDATES)
        end = np.inf if self.limits.movetime is None else self._begin + self.limits.movetime / 1000
        role = "chequer" if rollout.compares_plays else "cube"

        def look(_: Rollout) -> None:
            # Not before all candidates have been begun, so that there is something to compare.
            complete = all(one.blocks for one in rollout.candidates)
            if complete and (self.halt.said or time.monotonic() > end):
                raise TimeUp

        with contextlib.suppress(TimeUp):
            rollout.run(threads=self.threads, progress=look)
        best = rollout.ranked()[0]
        pv = best.name if rollout.compares_plays else None
        self._info(role, ROLLED, best.equity[0], None, best.values.mean(axis=0)[:5], pv, trials=best.trials)
        return rollout

    def _info(
        self,
        role: str,
        plies: int,
        equity: float,
        mwc: float | None,
        outcomes: Outcomes,
        pv: str | None = None,
        *,
        trials: int | None = None,
    ) -> None:
        words = ["info role", role]
        words.append(f"depth {plies}" if trials is None else f"trials {trials}")
        words.append(f"time_ms {1000 * (time.monotonic() - self._begin):.0f}")
        words.append(figures(equity, mwc, outcomes))
        self.say(" ".join(words) + (f" pv {pv}" if pv else ""))


def figures(equity: float, mwc: float | None, outcomes: Outcomes) -> str:
    """The numbers of `info` and `eval`: gammons include backgammons, `plose...` are those that are lost."""
    named = {
        "eq": equity,
        "mwc": mwc,
        "pwin": outcomes[WIN],
        "pgammon": outcomes[WIN_GAMMON],
        "pbg": outcomes[WIN_BACKGAMMON],
        "plosegammon": outcomes[LOSE_GAMMON],
        "plosebg": outcomes[LOSE_BACKGAMMON],
    }
    return " ".join(f"{name} {float(value):.6f}" for name, value in named.items() if value is not None)


def read_limits(words: list[str]) -> Limits:
    """From `movetime 500 depth 3`.

    Raises:
        InputError: another word, or no number.
    """
    highest = {"movetime": 10**9, "depth": MOST_PLIES, "nodes": 10**15, "trials": MOST_TRIALS}
    lowest = {"movetime": 1, "depth": 0, "nodes": 1, "trials": 1}
    found: dict[str, int] = {}
    for name, text in zip(words[::2], [*words[1::2], ""], strict=False):
        if name not in highest:
            raise InputError(f"found {name[:40]!r}, expected {', '.join(highest)}")
        if not (text.isascii() and text.isdecimal() and len(text) <= 16 and lowest[name] <= int(text) <= highest[name]):
            raise InputError(f"{name}: found {text[:40]!r}, expected {lowest[name]} to {highest[name]}")
        found[name] = int(text)
    return Limits(**found)


def _move(plays: Plays, number: int) -> Move:
    text = PASS if plays.must_pass else Play.of(0, plays.steps[number].tolist()).text
    successor: Board = plays.successors[number]
    return Move(text, format_position_id(successor))


def _depth_of(nodes: int, candidates: int) -> int:
    """The largest depth that about so many positions allow."""
    for plies in range(MOST_PLIES, 0, -1):
        if candidates * _REPLIES * _ROLLS ** (plies - 1) <= nodes:
            return plies
    return 0
