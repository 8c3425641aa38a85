"""Promotion: a network joins the kept models only if it beats the strongest of them.

The test is a duel over many pairs of games with dice that no training run has used. The kept network judges how lucky
each roll was (`bgai.luck`), and of the points with that luck taken out the lower end of the 95 % interval must lie
above 0. Any judge that does not depend on the dice leaves the mean as it is; with the kept one every candidate is
measured alike. For the network that is kept the cube efficiencies are fitted anew, and a filter learns from it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from bgai.catalogue import kept_models, models_folder, open_model
from bgai.duel import DuelResult, duellist, net_duellist, play_duel
from bgai.errors import ConfigError
from bgai.evaluator import KernelEvaluator
from bgai.luck import LuckJudge
from bgai.model import Model, load_model
from bgai.phase import PHASES
from bgai.workers import Workers

from .efficiency import fit, positions
from .filter import with_filter

CUBE_POSITIONS = 4000
SEED = 1
"""Of the games from which efficiencies and filter are made."""
SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


@dataclass(frozen=True)
class Promotion:
    """What came of it."""

    champion: str | None
    """The model that had to be beaten and that judged the luck; None if there was none."""
    duel: DuelResult | None
    folder: Path | None
    """Where the network was kept; None if it did not win."""


def promote(
    candidate: Path,
    slug: str,
    changed: str,
    games: int,
    seed: int,
    workers: Workers | None = None,
    progress: Callable[[DuelResult], None] | None = None,
) -> Promotion:
    """Puts the model in `candidate` into the kept models if it beats the strongest there.

    Its games and processor time are written with those of the network that training started from.

    Args:
        slug: the end of its name, such as `backup`; its number is the next free one.
        changed: what is new about it, in one line.
        games, seed: of the deciding duel; training and its evaluations use small seeds of their own.
        workers: who play it, by default a thread for each core.
        progress: called with some of its games each time.

    Raises:
        ConfigError: a slug that is none.
        ModelError: the candidate, or a kept model, is missing or damaged.
    """
    if not SLUG.fullmatch(slug):
        raise ConfigError(f"a model's name ends in small letters, digits and hyphens, found {slug!r}")
    model = load_model(candidate)
    kept = kept_models()
    champion = kept[-1].name if kept else None
    duel = None
    results = {}
    if champion is not None:
        judge = LuckJudge.of(open_model(champion))
        duel = play_duel(
            net_duellist(model.name, model.net()),
            duellist(champion),
            games,
            seed,
            judge=judge,
            workers=workers,
            progress=progress,
        )
        found = duel.luck_out
        if found is None or found.points - found.half_width <= 0:
            return Promotion(champion, duel, None)
        results[champion] = {
            "points": round(found.points, 4),
            "interval": round(found.half_width, 4),
            "luck_out_by": champion,
            "points_played": round(duel.mean, 4),
            "interval_played": round(duel.half_width, 4),
            "games": duel.games,
            "seed": seed,
        }
    number = max((int(folder.name[:4]) for folder in kept), default=0) + 1
    name = f"{number:04d}-{slug}"
    start = open_model(model.manifest.parent).manifest if model.manifest.parent else None
    manifest = replace(
        model.manifest,
        name=name,
        changed=changed,
        games=model.manifest.games + (start.games if start else 0),
        cpu_seconds=round(model.manifest.cpu_seconds + (start.cpu_seconds if start else 0.0), 1),
        results=results,
        cube_efficiency=_efficiency(model),
    )
    folder = models_folder() / name
    with_filter(Model(manifest, model.weights), SEED).save(folder)
    return Promotion(champion, duel, folder)


def _efficiency(model: Model) -> dict[str, float]:
    evaluator = KernelEvaluator(model)
    found = fit(evaluator, positions(evaluator, CUBE_POSITIONS, SEED))
    return {phase: round(float(value), 4) for phase, value in zip(PHASES, found, strict=True)}
