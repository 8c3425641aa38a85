"""The mean of networks: each weight is the mean of theirs.

Networks that began at the same one and learnt from different labels are each off by another scatter, and the mean of
their weights has less of it. (Those that began at different ones have nothing in common, and no mean.)

    python -m bgai_train.mean runs/mean runs/one/model runs/two/model

writes a model without a filter; `bgai promote` makes one.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from bgai.catalogue import open_model
from bgai.errors import BgaiError, ModelError
from bgai.model import Model


def mean(models: Sequence[Model]) -> Model:
    """The mean of some models, with the games and the time of all, and what the first says of everything else.

    Raises:
        ModelError: another encoder or shape.
    """
    first = models[0].manifest
    for model in models[1:]:
        found = (model.manifest.encoder, model.manifest.layers)
        if found != (first.encoder, first.layers):
            raise ModelError(
                f"{model.name} has encoder {found[0]} and layers {found[1]}, expected {first.encoder} and"
                f" {first.layers} as {first.name}: only networks of the same shape have a mean"
            )
    weights = {
        # In double precision, so that their order does not matter.
        name: np.mean([model.weights[name].astype(np.float64) for model in models], axis=0).astype(np.float32)
        for name in models[0].weights
    }
    games = sum(model.manifest.games for model in models)
    cpu_seconds = sum(model.manifest.cpu_seconds for model in models)
    return Model(replace(first, games=games, cpu_seconds=cpu_seconds), weights)


def main(arguments: list[str] | None = None) -> int:
    """Writes the mean of some models."""
    parser = argparse.ArgumentParser(prog="python -m bgai_train.mean", description=__doc__)
    parser.add_argument("out", type=Path, help="the folder of the mean")
    parser.add_argument("models", nargs="+", help="kept models, or folders of models")
    options = parser.parse_args(arguments)
    try:
        mean([open_model(name) for name in options.models]).save(options.out)
    except (BgaiError, OSError) as error:
        print(f"mean: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
