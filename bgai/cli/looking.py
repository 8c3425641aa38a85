"""Who answers, as options say it: which network, how far it looks ahead, how long, and how that is told."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from bgai.analyst import Analyst
from bgai.answers import settings_record
from bgai.catalogue import find_model
from bgai.errors import InputError
from bgai.levels import PLAIN, Level, PlayerName, read_player
from bgai.opinions import ROLLED
from bgai.position import Position
from bgai.search import MOST_PLIES, Settings

LEGEND = "plies in gnubg's count: 0-ply is the network alone"

_LONG = 30.0
"""Seconds that an answer may take without this being said first."""


@dataclass(frozen=True)
class Asked:
    """An analyst and how it was asked for."""

    analyst: Analyst
    level: Level

    @property
    def how(self) -> str:
        """In a heading."""
        settings = self.level.settings
        filtered = f", filter {settings.moves.name}" if settings.plies and settings.moves.name != "normal" else ""
        return f"{self.level.name}{filtered}"

    @property
    def legend(self) -> list[str]:
        """The line that says how plies are counted; none where there are none to count."""
        return [LEGEND] if self.level.settings.plies else []

    def reached(self, plies: Sequence[int | None]) -> str:
        """What a heading adds where the time decides how deep the answers are, from their `plies` in JSON."""
        if self.level.settings.seconds is None:
            return ""
        found = sorted(number for number in plies if number is not None)
        depths = [depth(number) for number in (found[0], found[-1])]
        return f"reached {' to '.join(dict.fromkeys(depths))}, "

    @property
    def record(self) -> dict[str, Any]:
        """The settings in JSON."""
        return settings_record(self.level)

    def say_if_long(self, positions: Sequence[Position]) -> None:
        """Says on the standard error about how long an answer takes, if that is long."""
        # Less than two plies take milliseconds, and time that is limited is known.
        if self.level.settings.plies < 2 or self.level.settings.seconds is not None or not positions:
            return
        seconds = self.analyst.seconds(positions)
        if seconds > _LONG:
            about = f"{seconds:,.0f} s" if seconds < 600 else f"{seconds / 60:,.0f} min"
            print(f"bgai: {self.how} takes about {about}", file=sys.stderr, flush=True)


def asked_player(options: argparse.Namespace) -> PlayerName:
    """The player that `--level` and `--model` name.

    Raises:
        InputError: no such player, or two different networks.
    """
    if options.level is None:
        return PlayerName(options.model)
    player = read_player(options.level)
    if options.model is None or player.baseline:
        return player
    if player.model is not None and find_model(player.model) != find_model(options.model):
        raise InputError(f"expected one network, found --model {options.model} and --level {options.level}")
    return replace(player, model=options.model)


def asked(options: argparse.Namespace, *, cubeful: bool = True, questions: int = 1) -> Asked:
    """Who answers, by `add_model` and `add_looking`; the time, if it is limited, is that of so many questions.

    Raises:
        InputError: options that contradict each other or cannot be.
    """
    player = asked_player(options)
    level = player.level
    if options.plies is not None or options.time is not None:
        if options.level is not None:
            given = "--plies" if options.plies is not None else "--time"
            raise InputError(f"expected either --level or {given}, found both")
        level = _level(options.plies, options.time)
    settings = replace(level.settings, filter=options.filter, threads=options.threads)
    if settings.seconds is not None:
        settings = replace(settings, seconds=settings.seconds / questions)
    level = replace(level, settings=settings)
    return Asked(replace(player, level=level).analyst(cubeful=cubeful), level)


def _level(plies: int | None, time: float | None) -> Level:
    if time is None:
        assert plies is not None
        return Level(f"{plies}-ply", Settings(plies)) if plies else PLAIN
    most = MOST_PLIES if plies is None else plies
    name = f"{1000 * time:g}ms" if time < 1 else f"{time:g}s"
    return Level(name if plies is None else f"{plies}-ply within {name}", Settings(most, seconds=time))


def depth(plies: int) -> str:
    """As players of gnubg know it."""
    return "rollout" if plies == ROLLED else f"{plies}-ply"


def said_depth(plies: int | None) -> str:
    """How far was looked ahead, from JSON."""
    return depth(ROLLED if plies is None else plies)
