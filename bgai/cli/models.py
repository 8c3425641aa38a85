"""Lists the kept models, oldest first; * marks the one that is used when none is named.

bgai models
bgai models --json
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from bgai.catalogue import kept_models, models_folder
from bgai.cli.options import add_json
from bgai.errors import ModelError
from bgai.model import Manifest, load_model
from bgai.version import JSON_VERSION

_KEPT = (
    "parent",
    "changed",
    "encoder",
    "layers",
    "games",
    "cpu_seconds",
    "seed",
    "commit",
    "weights_sha256",
    "results",
)


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    """Runs the command."""
    folders = kept_models()
    found: list[tuple[Path, Manifest | ModelError]] = []
    for folder in folders:
        try:
            found.append((folder, load_model(folder).manifest))
        except ModelError as error:
            found.append((folder, error))
    if options.json:
        print(
            json.dumps({"version": JSON_VERSION, "models": [_record(*each, each[0] == folders[-1]) for each in found]})
        )
    elif not found:
        print(f"No model is kept in {models_folder()}; train one with: bgai train configs/td.toml")
    else:
        print(_table(found))
    damaged = [str(entry) for _, entry in found if isinstance(entry, ModelError)]
    if damaged:
        raise ModelError("; ".join(damaged))
    return 0


def _record(folder: Path, entry: Manifest | ModelError, default: bool) -> dict[str, Any]:
    """A model as a JSON object, see docs/json.md."""
    record: dict[str, Any] = {"name": folder.name, "folder": str(folder), "default": default}
    if isinstance(entry, ModelError):
        return record | {"error": str(entry)}
    values = asdict(entry)
    return record | {key: values[key] for key in _KEPT}


def _table(found: list[tuple[Path, Manifest | ModelError]]) -> str:
    rows = [("", "model", "network", "parent", "games", "CPU time", "results")]
    for folder, entry in found:
        mark = "*" if folder == found[-1][0] else ""
        if isinstance(entry, ModelError):
            rows.append((mark, folder.name, "damaged", "", "", "", ""))
            continue
        results = "; ".join(_result(name, value) for name, value in entry.results.items())
        network = f"{entry.encoder} {'-'.join(map(str, entry.layers))}"
        rows.append(
            (mark, folder.name, network, entry.parent or "-", f"{entry.games:,}", _time(entry.cpu_seconds), results)
        )
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    right = {4, 5}
    return "\n".join(
        "  ".join(
            f"{text:>{width}}" if number in right else f"{text:{width}}"
            for number, (text, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )


def _result(name: str, value: Any) -> str:
    """One measured strength: points a game with their interval, or millipoints lost with their standard error."""
    if isinstance(value, dict) and {"loss", "standard_error"} <= set(value):
        return f"{name} {value['loss']} ± {value['standard_error']} millipoints lost"
    if isinstance(value, dict) and isinstance(value.get("points"), int | float):
        interval = value.get("interval")
        width = f" ± {interval:.3f}" if isinstance(interval, int | float) else ""
        return f"{name} {value['points']:+.3f}{width}" + " with the luck taken out" * ("luck_out_by" in value)
    return f"{name} {value:+.3f}" if isinstance(value, int | float) else f"{name} {json.dumps(value)}"


def _time(seconds: float) -> str:
    if seconds < 100:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{minutes / 60:.1f} h"
