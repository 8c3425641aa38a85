"""How strong a run is, and what it thinks of the opening."""

from __future__ import annotations

from pathlib import Path

from bgai.board import START
from bgai.dice import ROLLS
from bgai.duel import DuelResult, duellist, net_duellist, play_duel
from bgai.evaluator import KernelEvaluator
from bgai.model import load_model
from bgai.player import NetPlayer
from bgai.workers import Workers

from .config import EvaluateConfig

OPENING_ROLLS = [(high, low) for high, low in ROLLS if high != low]
"""The fifteen rolls that can open a game."""


def opening_equities(player: NetPlayer) -> dict[str, float]:
    """Equity of the best play of each opening roll, by its name such as `31`."""
    return {f"{high}{low}": player.rank(START, (high, low))[0].equity for high, low in OPENING_ROLLS}


def measure(
    folder: Path, config: EvaluateConfig, threads: int, workers: Workers | None = None
) -> tuple[dict[str, DuelResult], dict[str, float]]:
    """Duels of the model in a folder against each opponent, and its opening equities.

    The model is read back from its files: what is measured is what was kept.
    """
    model = load_model(folder)
    candidate = net_duellist(model.name, model.net())
    duels = {
        opponent: play_duel(candidate, duellist(opponent), config.games, config.seed, threads=threads, workers=workers)
        for opponent in config.opponents
    }
    return duels, opening_equities(NetPlayer(KernelEvaluator(model), model.name))


def score(duels: dict[str, DuelResult], config: EvaluateConfig) -> float:
    """What the best checkpoint is chosen by: points a game against the last opponent."""
    return duels[config.opponents[-1]].mean
