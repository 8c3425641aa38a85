"""Whoever plays games and labels their positions. A module of its own, so that a cluster's workers need no PyTorch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgai.bearoff import bearoffs
from bgai.board import START, Board
from bgai.kernels.lookahead import look_ahead
from bgai.kernels.static import Static
from bgai.model import Model
from bgai.outcomes import COUNT, POINTS, equity

from .config import LabelConfig

CHUNK = 16
"""Games that one worker plays in one call."""
NO_BOARDS = np.empty((0, 26), dtype=np.int8)
LONGEST = 1000
"""Plies after which a game is given up; random weights may come near it."""


class Positions(dict[str, NDArray[Any]]):
    """The arrays of a shard by name: `boards`, `values`, `expected`, `joined`, `elsewhere`: see `look_ahead`."""

    @property
    def surprise(self) -> float:
        """Root mean square of what the look ahead adds to the equity that the network saw when the play was made."""
        follows = np.flatnonzero(self["joined"])
        added = equity(self["expected"][follows + 1]) - equity(self["values"][follows])
        return float(np.sqrt(np.mean(added**2))) if len(added) else 0.0


@dataclass(frozen=True)
class Labeller:
    """Who plays and labels, and how."""

    static: Static
    config: LabelConfig
    seed: int
    """Of the dice."""
    others: Board
    """int8[S, 26]: where `config.elsewhere` of the games begin; there may be none."""

    @classmethod
    def of(cls, model: Model, config: LabelConfig, seed: int, others: Board) -> Labeller:
        """A model that labels; its filter chooses the plays that it values."""
        net = model.net()
        static = Static(net, model.filter_net() or net, config.keep, bearoffs(), config.within or np.inf)
        return cls(static, config, seed, others)

    def compile_first(self) -> None:
        """Plays a ply for nothing, so that a first compilation is told before a progress bar stands."""
        self.play(0, 1, longest=1)

    def play(self, first: int, games: int, longest: int = LONGEST) -> Positions:
        """So many games from number `first` on."""
        config, room = self.config, games * longest
        boards = np.empty((room, 26), dtype=np.int8)
        values = np.empty((room, COUNT), dtype=np.float32)
        expected = np.empty((room, COUNT), dtype=np.float32)
        joined, elsewhere = (np.empty(room, dtype=np.int8) for _ in range(2))
        written = look_ahead(
            self.static,
            POINTS,
            START,
            self.others,
            float(config.elsewhere) if len(self.others) else 0.0,
            np.uint64(self.seed),
            first,
            games,
            float(config.explore),
            config.explore_plies,
            float(config.slip),
            np.float32(config.slip_margin),
            longest,
            boards,
            values,
            expected,
            joined,
            elsewhere,
        )
        found: dict[str, NDArray[Any]] = {
            "boards": boards,
            "values": values,
            "expected": expected,
            "joined": joined,
            "elsewhere": elsewhere,
        }
        return Positions({name: array[:written] for name, array in found.items()})


def labelling(labeller: Labeller) -> Callable[[range], Positions]:
    """The task: labels the positions of the games with these numbers."""
    return lambda games: labeller.play(games.start, len(games))
