"""Writes measured strength into the manifest of a kept model.

    python benchmarks/record.py benchmarks/results/strength-0001-td-….json

Takes the file that `strength.py` wrote, checks that it was measured with the weights that the model has now, and puts
points a game, interval, games, seed and losses on the reference decisions, also looking ahead, under `results`, beside
what its promotion found.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from bgai.catalogue import find_model, kept_models
from bgai.errors import BgaiError, InputError, ModelError
from bgai.files import write_whole
from bgai.model import MANIFEST, load_model


def results_of(measured: dict[str, Any]) -> dict[str, Any]:
    """The part of a strength file that a manifest keeps."""
    name = measured["player"]["name"]
    found: dict[str, Any] = {
        opponent: _points(score, name) | {"games": score["games"], "seed": measured["duels"]["seed"]}
        for opponent, score in measured["duels"]["opponents"].items()
    }
    if "bench" in measured:
        losses = next(iter(measured["bench"]["players"].values()))
        found["reference decisions"] = {
            "loss": round(losses["all"]["mean"], 2),
            "standard_error": round(losses["all"]["standard_error"], 2),
            "decisions": losses["all"]["count"],
            **{phase: round(loss["mean"], 2) for phase, loss in losses.items() if phase != "all"},
        }
    for part, title in (("looking ahead", "reference decisions"), ("cube", "cube decisions")):
        for level, means in measured.get(part, {}).get("players", {}).items():
            if level.startswith(f"{name} "):
                loss = means["losses"]["all"] if part == "looking ahead" else means["all"]
                found[f"{title}, {level.removeprefix(f'{name} ')}"] = {
                    "loss": round(loss["mean"], 2),
                    "standard_error": round(loss["standard_error"], 2),
                    "decisions": loss["count"],
                }
    return found


def _points(score: dict[str, Any], judge: str) -> dict[str, Any]:
    """Points a game, with the luck taken out if that was judged; then those that were played stand beside them."""
    played, width = round(score["points_per_game"], 5), round(score["interval_95"], 5)
    if score.get("without_luck") is None:
        return {"points": played, "interval": width}
    return {
        "points": round(score["without_luck"], 5),
        "interval": round(score["without_luck_interval_95"], 5),
        "luck_out_by": judge,
        "points_played": played,
        "interval_played": width,
    }


def _promotion(results: dict[str, Any]) -> dict[str, Any]:
    """The part that `bgai promote` found: the duel with another kept model."""
    kept = {folder.name for folder in kept_models()}
    return {name: value for name, value in results.items() if name in kept}


def main(arguments: list[str] | None = None) -> int:
    """Runs the command; returns its exit code."""
    parser = argparse.ArgumentParser(
        prog="record.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("results", type=Path, help="what strength.py wrote")
    options = parser.parse_args(arguments)
    try:
        measured = json.loads(options.results.read_text("utf-8"))
        folder = find_model(measured["player"]["name"])
        manifest = load_model(folder).manifest
        if "duels" not in measured:
            raise InputError(f"{options.results} holds no games, expected what strength.py writes without --games 0")
        if measured["player"]["weights_sha256"] != manifest.weights_sha256:
            raise ModelError(f"{options.results} was measured with other weights than {folder.name} has")
        manifest = replace(manifest, results=_promotion(manifest.results) | results_of(measured))
        write_whole(folder / MANIFEST, json.dumps(asdict(manifest), indent=2).encode() + b"\n")
    except (BgaiError, OSError, ValueError, KeyError) as error:
        print(f"record.py: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
