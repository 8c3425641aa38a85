"""Random networks, and what they say computed the plain way."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from bgai.board import Board, result
from bgai.features import encoder
from bgai.kernels.forward import Net
from bgai.model import Weights, export
from bgai.outcomes import COUNT, Outcomes, of_result, possible

ENCODER = "points-1"


def random_weights(layers: list[int], seed: int, scale: float = 1.0) -> Weights:
    """Weights that give chances of all sizes; `scale` is that of the last layer."""
    rng = np.random.default_rng(seed)
    sizes = [encoder(ENCODER).inputs, *layers, COUNT]
    weights: Weights = {}
    for layer, (inputs, outputs) in enumerate(pairwise(sizes)):
        # A board sets about thirty of the inputs.
        spread = np.sqrt(2 / (30 if layer == 0 else inputs)) * (scale if layer == len(layers) else 1)
        weights[f"layers.{layer}.weight"] = rng.normal(scale=spread, size=(outputs, inputs)).astype(np.float32)
        weights[f"layers.{layer}.bias"] = rng.normal(scale=0.2 * scale, size=outputs).astype(np.float32)
    return weights


def network(layers: list[int], weights: Weights) -> Net:
    """The network as kernels take it."""
    return export(encoder(ENCODER), layers, weights)


def plain_logits(weights: Weights, boards: Board) -> NDArray[np.float64]:
    """Layer after layer in double precision."""
    values = encoder(ENCODER).encode(boards).astype(np.float64)
    last = len(weights) // 2 - 1
    for layer in range(last + 1):
        values = values @ weights[f"layers.{layer}.weight"].T.astype(np.float64) + weights[f"layers.{layer}.bias"]
        if layer < last:
            values = np.maximum(values, 0)
    return values


def plain_outcomes(weights: Weights, boards: Board) -> Outcomes:
    """What the network says of boards, made possible; the certain outcome of finished games."""
    chances = 1 / (1 + np.exp(-np.clip(plain_logits(weights, boards), -80, 80)))
    outcomes = possible(boards, chances.astype(np.float32))
    for number, board in enumerate(boards):
        if points := result(board):
            outcomes[number] = of_result(points)
    return outcomes
