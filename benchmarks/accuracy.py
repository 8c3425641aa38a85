"""How far chances are from others that count as true: means over positions, with half of their 95 % intervals.

Where it is said who sees the chances, it is the subject of a position's kind: see `position_kinds.py`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from position_kinds import KINDS

from bgai.outcomes import COUNT, LOSE_BACKGAMMON, LOSE_GAMMON, POINTS, WIN, WIN_BACKGAMMON, WIN_GAMMON, invert
from bgai.rollout_statistics import student_95

Values = NDArray[np.float64]
Row = dict[str, Any]
"""A position as `calibration.py` keeps it: seen by the player on roll."""

EVENTS = {
    "win": (WIN,),
    "gammon": (WIN_GAMMON, LOSE_GAMMON),
    "backgammon": (WIN_BACKGAMMON, LOSE_BACKGAMMON),
}
"""Chances that are one column of a table: those won and those lost."""


@dataclass(frozen=True)
class Estimate:
    """A mean and half of its 95 % interval."""

    mean: float
    half: float | None
    """None for a single value."""

    def told(self, unit: float, sign: str = "") -> str:
        """In a unit, such as hundredths; `sign` as formats have it."""
        half = "–" if self.half is None else f"{unit * self.half:.2f}"
        return f"{unit * self.mean:{sign}.2f} ± {half}"


@dataclass(frozen=True)
class Accuracy:
    """How far chances are from others that count as true."""

    errors: dict[str, Estimate]
    """Absolute ones of `EVENTS` and of the equity."""
    bias: dict[str, Estimate]
    """Signed: of the win and the equity."""


@dataclass(frozen=True)
class Summary:
    """All about the positions of a kind, in chances and points."""

    positions: int
    crossed: int
    static: Accuracy
    """Of the network, against the rollouts."""
    rollout_errors: dict[str, float]
    """Mean standard errors of the rollouts: of the win and the equity."""
    sources: dict[str, Accuracy]
    """`static` of the positions met in games and of those crossed."""
    outside: dict[str, Accuracy] = field(default_factory=dict)
    """Against gnubg-nn looking ahead: its own static chances, the network's, the rollouts'."""


def estimate(values: Values) -> Estimate:
    """Of float64[N], at least one."""
    if len(values) < 2:
        return Estimate(float(values.mean()), None)
    spread = float(values.std(ddof=1)) / math.sqrt(len(values))
    return Estimate(float(values.mean()), student_95(len(values) - 1) * spread)


def equities(chances: Values) -> Values:
    """Cubeless, float64[...] of float64[..., 5]."""
    found: Values = chances @ POINTS[:COUNT].astype(np.float64) + POINTS[COUNT]
    return found


def accuracy(said: Values, true: Values) -> Accuracy:
    """Of chances float64[N, 5] against others; both sides' gammons, and their backgammons, are one error together."""
    differences, points = said - true, equities(said) - equities(true)
    errors = {name: np.abs(differences[:, places]).mean(axis=1) for name, places in EVENTS.items()}
    return Accuracy(
        {name: estimate(values) for name, values in (errors | {"equity": np.abs(points)}).items()},
        {"win": estimate(differences[:, WIN]), "equity": estimate(points)},
    )


def by_subject(rows: Sequence[Row], chances: Callable[[Row], list[float]]) -> Values:
    """The chances float64[N, 5] of rows, as the subject of their kind sees them."""
    values = np.array([chances(row) for row in rows], dtype=np.float64)
    other = np.array([not row["on_roll"] for row in rows])
    values[other] = invert(values[other])
    return values


def summary(rows: Sequence[Row]) -> Summary:
    """Of the rows of a kind, at least one."""
    static, rolled = by_subject(rows, lambda row: row["static"]), by_subject(rows, lambda row: row["rolled"])
    errors = np.array([row["standard_errors"] for row in rows])
    crossed = np.array([row["crossed"] for row in rows])
    sources = {"met": ~crossed, "crossed": crossed}
    outside = {}
    if "gnubg" in rows[0]:
        deep = by_subject(rows, lambda row: row["gnubg"]["deep"])
        others = {"gnubg": by_subject(rows, lambda row: row["gnubg"]["static"]), "static": static, "rolled": rolled}
        outside = {name: accuracy(chances, deep) for name, chances in others.items()}
    return Summary(
        len(rows),
        int(crossed.sum()),
        accuracy(static, rolled),
        {"win": float(errors[:, WIN].mean()), "equity": float(errors[:, COUNT].mean())},
        {name: accuracy(static[which], rolled[which]) for name, which in sources.items() if which.any()},
        outside,
    )


def rows_by_kind(rows: Sequence[Row]) -> dict[str, list[Row]]:
    """In the order of `KINDS`, those that there are."""
    parts = {kind.title: [row for row in rows if row["kind"] == kind.title] for kind in KINDS}
    return {title: part for title, part in parts.items() if part}
