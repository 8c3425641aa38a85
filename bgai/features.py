"""Encoders: how a board becomes numbers for a network.

An encoder describes a board slot by slot: 26 places and the two counts of checkers borne off. The features of
a slot depend on the count in it alone, so that the first layer of a trained network can be turned into a
table with one row for each slot and count (see `bgai.kernels.forward`).

An encoder's name is permanent: what it means never changes once a kept model uses it; a new idea gets a new
name.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from bgai.board import Board
from bgai.errors import ModelError
from bgai.kernels.encoding import encode
from bgai.kernels.forward import COUNTS, SLOTS
from bgai.kernels.movegen import OPPONENT_OFF, OWN_OFF

Feature = Callable[[int], float]


@dataclass(frozen=True)
class Encoder:
    """One way to describe a board. Made by `encoder(name)`."""

    name: str
    features: NDArray[np.float32]
    """float32[SLOTS, COUNTS, W]: the features of a slot that holds a count of -15 to 15."""
    starts: NDArray[np.int64]
    """int64[SLOTS + 1]: where each slot's features begin among the inputs."""

    @property
    def inputs(self) -> int:
        """Number of inputs, F."""
        return int(self.starts[-1])

    def encode(self, boards: Board) -> NDArray[np.float32]:
        """Inputs `float32[N, F]` of boards `int8[N, 26]`."""
        inputs = np.empty((len(boards), self.inputs), dtype=np.float32)
        encode(np.ascontiguousarray(boards), self.features, self.starts, inputs)
        return inputs

    def table(self, weights: NDArray[np.float32]) -> NDArray[np.float32]:
        """The first layer as a table: weights `[H, F]` to rows `float32[SLOTS * COUNTS, H]`."""
        rows = np.zeros((SLOTS, COUNTS, weights.shape[0]), dtype=np.float32)
        for slot in range(SLOTS):
            begin, end = self.starts[slot], self.starts[slot + 1]
            part = weights[:, begin:end].astype(np.float64)
            rows[slot] = self.features[slot, :, : end - begin].astype(np.float64) @ part.T
        return rows.reshape(SLOTS * COUNTS, -1)


def _at_least(number: int) -> Feature:
    return lambda count: float(count >= number)


def _exactly(number: int) -> Feature:
    return lambda count: float(count == number)


def _beyond(number: int, scale: float) -> Feature:
    return lambda count: max(count - number, 0) / scale


def _build(name: str, slots: list[tuple[list[Feature], list[Feature]]]) -> Encoder:
    """From the features of own checkers and of the opponent's, slot by slot."""
    widths = [len(own) + len(other) for own, other in slots]
    features = np.zeros((SLOTS, COUNTS, max(widths)), dtype=np.float32)
    for slot, (own, other) in enumerate(slots):
        for count in range(-15, 16):
            row = [feature(max(count, 0)) for feature in own] + [feature(max(-count, 0)) for feature in other]
            features[slot, count + 15, : len(row)] = row
    starts = np.concatenate([[0], np.cumsum(widths)]).astype(np.int64)
    features.setflags(write=False)
    return Encoder(name, features, starts)


def _points_1() -> Encoder:
    """Thermometers in the manner of TD-Gammon, with finer steps.

    A point: exactly 1 (a blot), at least 2 (made), 3, 4, 5 and what lies beyond, for each side. A bar: at
    least 1, 2, 3 and beyond. Borne off: at least 1, 2, ... 15.
    """
    point = [_exactly(1), _at_least(2), _at_least(3), _at_least(4), _at_least(5), _beyond(5, 4.0)]
    bar = [_at_least(1), _at_least(2), _at_least(3), _beyond(3, 4.0)]
    off = [_at_least(number) for number in range(1, 16)]
    slots: list[tuple[list[Feature], list[Feature]]] = [([], bar)]
    slots += [(point, point)] * 24
    slots += [(bar, []), (off, []), (off, [])]
    assert len(slots) == SLOTS
    assert OWN_OFF == 26
    assert OPPONENT_OFF == 27
    return _build("points-1", slots)


_BUILDERS: dict[str, Callable[[], Encoder]] = {"points-1": _points_1}


def encoder_names() -> list[str]:
    """The names of all encoders."""
    return sorted(_BUILDERS)


@cache
def encoder(name: str) -> Encoder:
    """The encoder of that name.

    Raises:
        ModelError: there is none.
    """
    if name not in _BUILDERS:
        raise ModelError(f"unknown encoder {name!r}, expected one of {', '.join(encoder_names())}")
    return _BUILDERS[name]()
