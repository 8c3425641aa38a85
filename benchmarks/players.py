"""Who can play a duel or decide: a bgai model, at 0-ply or looking ahead, or one of the peers."""

from __future__ import annotations

from itertools import pairwise
from typing import Protocol

import numpy as np
from kernels import best_successors
from peers import PEERS, Rolls

from bgai.analyst import Analyst
from bgai.bearoff import bearoffs
from bgai.board import Board
from bgai.catalogue import open_model
from bgai.kernels.static import Static
from bgai.model import Manifest, Model
from bgai.position import Position


class Player(Protocol):
    """Decides checker plays in cubeless money games."""

    name: str
    """Short, for options and file names."""
    title: str
    """For tables."""

    def choose(self, boards: Board, rolls: Rolls) -> Board:
        """The play of each position: boards `int8[N, 26]` and rolls `int64[N, 2]` to successors `int8[N, 26]`."""
        ...


class ModelPlayer:
    """A bgai model at 0-ply, with the bear-off tables, as the peers have theirs."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.name = model.name
        self.title = f"{model.name} 0-ply"
        net = model.net()
        self.static = Static(net, net, 0, bearoffs())

    def choose(self, boards: Board, rolls: Rolls) -> Board:
        """The play of each position: boards `int8[N, 26]` and rolls `int64[N, 2]` to successors `int8[N, 26]`."""
        chosen = np.empty((len(boards), 26), dtype=np.int8)
        best_successors(self.static, np.ascontiguousarray(boards), np.ascontiguousarray(rolls), chosen)
        return chosen


class SearchPlayer:
    """A bgai model through `Analyst`, as a user asks it."""

    def __init__(
        self,
        model: Model,
        plies: int,
        filter: str = "normal",
        seconds: float | None = None,
        *,
        cubeful: bool = False,
    ) -> None:
        """With `cubeful` it chooses by its equity with a centred cube."""
        self.model = model
        self.name = model.name
        self.title = f"{model.name} {plies}-ply"
        self.analyst = Analyst.of(model, cubeful=cubeful, plies=plies, filter=filter, seconds=seconds)

    def choose(self, boards: Board, rolls: Rolls) -> Board:
        """The play of each position: boards `int8[N, 26]` and rolls `int64[N, 2]` to successors `int8[N, 26]`."""
        found = self.analyst.rank(
            [Position(board, dice=(high, low)) for board, (high, low) in zip(boards, rolls.tolist(), strict=True)]
        )
        best: Board = found.plays.successors[found.order[found.plays.offsets[:-1]]]
        return best


def player(what: str) -> Player:
    """The player that an option names: a peer, or a model as `bgai.catalogue.find_model` takes it.

    Raises:
        InputError: a peer that is not installed, or no such model.
    """
    return PEERS[what]() if what in PEERS else ModelPlayer(open_model(what))


def random_model(layers: list[int], seed: int = 1) -> Model:
    """A network of random weights, for measuring speed alone."""
    generator = np.random.default_rng(seed)
    empty = Model(Manifest(name="random-" + "-".join(map(str, layers)), encoder="points-1", layers=layers), {})
    sizes = [empty.encoder.inputs, *layers, 5]
    weights = {}
    for layer, (inputs, outputs) in enumerate(pairwise(sizes)):
        scale = 1 / np.sqrt(inputs)
        weights[f"layers.{layer}.weight"] = generator.uniform(-scale, scale, (outputs, inputs)).astype(np.float32)
        weights[f"layers.{layer}.bias"] = np.zeros(outputs, dtype=np.float32)
    return Model(empty.manifest, weights)
