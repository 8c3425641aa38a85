"""The mean of the weights of networks ("model soup").

Networks that began at the same one and learnt from different labels are each off by another scatter, and the mean of
their weights has less of it. Those that began at different ones, or at random, have nothing in common, and no mean.

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


def mean(name: str, models: Sequence[Model]) -> Model:
    """The mean of models of runs that began at the same network, with the games and the processor time of all of them.

    Raises:
        ModelError: fewer than two, or they began at different networks, or have other shapes.
    """
    if len(models) < 2:
        raise ModelError(f"the mean of {len(models)} network, expected two or more")
    first = models[0].manifest
    shape = (first.encoder, first.layers)
    for manifest in (model.manifest for model in models):
        if manifest.parent is None or manifest.parent != first.parent:
            raise ModelError(
                f"{manifest.name} began at {manifest.parent or 'random weights'}, {first.name} at"
                f" {first.parent or 'random weights'}, expected the same network for both"
            )
        if (manifest.encoder, manifest.layers) != shape:
            raise ModelError(
                f"{manifest.name} has encoder {manifest.encoder} and layers {manifest.layers}, expected"
                f" {first.encoder} and {first.layers} as {first.name}"
            )
    manifest = replace(
        first,
        name=name,
        changed=f"the mean of {', '.join(model.name for model in models)}",
        games=sum(model.manifest.games for model in models),
        cpu_seconds=round(sum(model.manifest.cpu_seconds for model in models), 2),
        results={},
        cube_efficiency={},
        filter_layers=[],
        filter_sha256="",
    )
    weights = {
        key: np.stack([model.weights[key] for model in models]).mean(axis=0, dtype=np.float64).astype(np.float32)
        for key in models[0].weights
    }
    return Model(manifest, weights)


def main(arguments: list[str] | None = None) -> int:
    """Writes the mean of some models."""
    parser = argparse.ArgumentParser(prog="python -m bgai_train.mean", description=__doc__)
    parser.add_argument("out", type=Path, help="the folder of the mean, which must not be there yet")
    parser.add_argument("models", nargs="+", help="the folders of two or more runs' models")
    options = parser.parse_args(arguments)
    try:
        if options.out.exists():
            raise ModelError(f"{options.out} is there already, expected a folder that is not")
        found = mean(options.out.name, [open_model(name) for name in options.models])
        found.save(options.out)
    except (BgaiError, OSError) as error:
        print(f"mean: {error}", file=sys.stderr)
        return 2
    print(f"{options.out}: {found.manifest.changed}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
