"""The reference decisions in `data/` (its README describes them), and how choices are scored against them."""

from __future__ import annotations

import gzip
import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from players import Player

from bgai.board import Board
from bgai.errors import PlayError
from bgai.notation.positionid import format_position_id

DATA = Path(__file__).parent / "data"
PHASES = ("contact", "race", "bearoff")
MILLI = 1000.0


@dataclass(frozen=True)
class CheckerDecision:
    """One roll, with the value of every play."""

    name: str
    board: Board
    dice: tuple[int, int]
    phase: str
    """contact, race or bearoff"""
    equities: dict[bytes, float]
    """Cubeless money equity for the player on roll, by the bytes of the successor `int8[26]`."""

    def loss(self, successor: Board) -> float:
        """What playing to `successor` loses against the best play, in points.

        Raises:
            PlayError: it is not one of the plays; that must never pass for a loss of 0.
        """
        equity = self.equities.get(successor.astype(np.int8).tobytes())
        if equity is None:
            raise PlayError(f"{format_position_id(successor)} is no play of decision {self.name}")
        return max(self.equities.values()) - equity


@dataclass(frozen=True)
class Mean:
    """A mean and its standard error."""

    count: int
    mean: float
    standard_error: float

    def __str__(self) -> str:
        return f"{self.mean:.2f} ± {self.standard_error:.2f}"


def mean(values: Sequence[float] | NDArray[np.float64]) -> Mean:
    """Of at least one value."""
    array = np.asarray(values, dtype=np.float64)
    error = float(array.std(ddof=1)) / math.sqrt(len(array)) if len(array) > 1 else math.nan
    return Mean(len(array), float(array.mean()), error)


def read_records(name: str) -> Iterator[dict[str, Any]]:
    """The records of one set: `checker`, `cube` or `exact_bearoff`."""
    with gzip.open(DATA / f"{name}_public.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def read_checker() -> list[CheckerDecision]:
    """The checker plays."""
    return [
        CheckerDecision(
            record["id"],
            np.array(record["board"], dtype=np.int8),
            (record["dice"][0], record["dice"][1]),
            record["phase"],
            {np.array(play["board"], dtype=np.int8).tobytes(): play["equity"] for play in record["plays"]},
        )
        for record in read_records("checker")
    ]


def checker_losses(player: Player, decisions: Sequence[CheckerDecision]) -> dict[str, Mean]:
    """Mean loss in millipoints a decision, by phase and over all."""
    boards = np.stack([decision.board for decision in decisions])
    rolls = np.array([decision.dice for decision in decisions], dtype=np.int64)
    chosen = player.choose(boards, rolls)
    losses = np.array([decision.loss(board) for decision, board in zip(decisions, chosen, strict=True)]) * MILLI
    return mean_by_phase([decision.phase for decision in decisions], losses)


def mean_by_phase(phases: Sequence[str], losses: NDArray[np.float64]) -> dict[str, Mean]:
    """Means of `float64[N]` losses by phase, for the phases that there are, and over `all`."""
    labels = np.array(phases)
    by_phase = {phase: mean(losses[labels == phase]) for phase in PHASES if (labels == phase).any()}
    return {**by_phase, "all": mean(losses)}


def cube_loss(record: dict[str, Any], no_double: float, double_take: float) -> tuple[float, float]:
    """What a player's own two equities lose on a record of the cube set: (doubling, take or pass), in points.

    It doubles when min(double/take, 1) is above no double, and takes when double/take is at most 1.
    """
    reference_double = min(record["dt"], 1.0)
    best = max(record["nd"], reference_double)
    doubling = best - (reference_double if min(double_take, 1.0) > no_double else record["nd"])
    wrong_answer = (double_take <= 1.0) != (record["dt"] <= 1.0)
    return doubling, abs(record["dt"] - 1.0) if wrong_answer else 0.0
