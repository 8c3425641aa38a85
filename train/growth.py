"""Growing a network: more units or more layers, and the same function to begin with.

A layer becomes wider by units with random incoming weights, to which the next layer does not listen yet: its weights
for them are 0, and learn at once, since their slope is not. A further layer is put behind the existing ones. It passes
on what the last of them said (activations are not negative, so rectifying them once more changes nothing), and its
other units are random and unheard in the same way.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from bgai.errors import ConfigError
from bgai.model import Model, Weights
from bgai.outcomes import COUNT

from .config import NetworkConfig


def grown(model: Model, config: NetworkConfig, seed: int) -> Weights:
    """Weights for the layers of a recipe with which the network says what the model says.

    Args:
        seed: of the new units' incoming weights.

    Raises:
        ConfigError: another encoder, fewer layers, or a narrower one.
    """
    old, new = model.manifest.layers, config.layers
    # A further layer has to carry the last of the old ones.
    carried = old + [old[-1]] * (len(new) - len(old))
    fits = len(old) <= len(new) and all(before <= after for before, after in zip(carried, new, strict=True))
    if model.manifest.encoder != config.encoder or not fits:
        raise ConfigError(
            f"network.start {model.name} has encoder {model.manifest.encoder} and layers {old}, the configuration asks"
            f" for {config.encoder} and {new}: a network can grow, each layer as wide as before or wider and further"
            f" ones at least as wide as the last"
        )
    rng = np.random.default_rng([seed, len(new)])
    inputs = model.encoder.inputs
    weights: Weights = {}
    for layer, (old_sizes, sizes) in enumerate(
        zip(pairwise([inputs, *carried, COUNT]), pairwise([inputs, *new, COUNT]), strict=True)
    ):
        (old_inputs, old_units), (inputs_now, units) = old_sizes, sizes
        matrix = rng.normal(scale=np.sqrt(1 / inputs_now), size=(units, inputs_now)).astype(np.float32)
        bias = np.zeros(units, dtype=np.float32)
        matrix[:old_units] = 0
        matrix[:old_units, :old_inputs], bias[:old_units] = _carried(model, layer, len(new))
        weights[f"layers.{layer}.weight"], weights[f"layers.{layer}.bias"] = matrix, bias
    return weights


def _carried(model: Model, layer: int, last: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Weights and biases of the old units in a layer; `last` is the number of the one behind the hidden ones."""
    layers = model.manifest.layers
    if len(layers) <= layer < last:
        return np.eye(layers[-1], dtype=np.float32), np.zeros(layers[-1], dtype=np.float32)
    name = f"layers.{min(layer, len(layers))}"
    return model.weights[f"{name}.weight"], model.weights[f"{name}.bias"]
