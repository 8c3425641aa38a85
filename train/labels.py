"""Labels: a data set of positions with what a look one ply ahead says of them, kept in the run's folder in shards.

    labels-1/
        manifest.json       what was asked for, who played, and the shards that are there
        model/              the network that played, with its filter
        0000.safetensors    a shard: the positions of some games
        0001.safetensors    …

A shard is written whole, then the manifest that names it. Dice depend on the seed and the number of the game alone, so
a shard that is missing is made again as it was.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load, save

from bgai.bearoff import bearoffs
from bgai.board import START, Board
from bgai.errors import TrainingError
from bgai.files import write_whole
from bgai.kernels.lookahead import look_ahead, write_traced
from bgai.kernels.static import Static
from bgai.model import Model, load_model
from bgai.outcomes import COUNT, Outcomes, equity

from .config import LabelConfig, TrainConfig
from .filter import with_filter

MANIFEST, MODEL = "manifest.json", "model"
CHUNK = 16
"""Games that one thread plays in one call."""
LONGEST = 1000
"""Plies after which a game is given up; random weights may come near it."""
MONEY = np.array([2, 1, 1, -1, -1, -1], dtype=np.float32)
"""What plays are chosen by: cubeless equity, see `bgai.kernels.static.worth_of`."""


@dataclass(frozen=True)
class Shard:
    """An entry of the manifest."""

    games: int
    positions: int
    sha256: str
    """Hash of the file."""


class Positions(dict[str, NDArray[Any]]):
    """The arrays of a shard by name: `boards`, `values`, `expected`, `joined`, as `look_ahead` describes them."""

    @property
    def surprise(self) -> float:
        """Root mean square of what the look ahead adds to the equity that the network saw in a position it chose."""
        follows = np.flatnonzero(self["joined"])
        added = equity(self["expected"][follows + 1]) - equity(self["values"][follows])
        return float(np.sqrt(np.mean(added**2))) if len(added) else 0.0


class Labels:
    """The data set of one generation."""

    def __init__(
        self, folder: Path, config: LabelConfig, seed: int, first_game: int, model: Model, shards: list[Shard]
    ) -> None:
        """Made by `open_labels`. `first_game` is the number of the first game, `model` who plays."""
        self.folder, self.config, self.seed, self.first_game = folder, config, seed, first_game
        self.shards = shards
        self.model = model
        net = model.net()
        self._static = Static(net, model.filter_net() or net, config.keep, bearoffs())

    @property
    def positions(self) -> int:
        """Positions labelled so far."""
        return sum(shard.positions for shard in self.shards)

    @property
    def games(self) -> int:
        """Games played so far."""
        return sum(shard.games for shard in self.shards)

    def compile_first(self) -> None:
        """Plays a game for nothing, so that a first compilation is told before a progress bar stands."""
        self._play(0, 1, longest=1)

    def add(self, told: Callable[[int], object] = lambda positions: None) -> Positions:
        """Plays and keeps the next shard; `told` hears of the positions of each chunk. The last one is cut to measure.

        Raises:
            OSError: it could not be written.
        """
        first, games = self.first_game + self.games, self.config.games_per_shard
        parts = []

        def chunk(begin: int) -> Positions:
            return self._play(begin, min(CHUNK, first + games - begin))

        with ThreadPoolExecutor(self.config.threads) as pool:
            try:
                for part in pool.map(chunk, range(first, first + games, CHUNK)):
                    parts.append(part)
                    told(len(part["boards"]))
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
        length = self.config.positions - self.positions
        whole = Positions({name: np.concatenate([part[name] for part in parts])[:length] for name in parts[0]})
        whole["joined"][-1:] = 0
        data = save(whole)
        write_whole(self._path(len(self.shards)), data)
        self.shards.append(Shard(games, len(whole["boards"]), hashlib.sha256(data).hexdigest()))
        self.write_manifest()
        return whole

    def examples(self) -> tuple[Board, Outcomes]:
        """All positions, `int8[N, 26]`, and their targets, `float32[N, 5]`.

        Raises:
            TrainingError: a shard is missing or damaged.
        """
        boards = np.empty((self.positions, 26), dtype=np.int8)
        targets = np.empty((self.positions, COUNT), dtype=np.float32)
        begin = 0
        for number, shard in enumerate(self.shards):
            part = self._read(number, shard)
            end = begin + shard.positions
            boards[begin:end] = part["boards"]
            trace = np.float32(self.config.trace)
            write_traced(part["values"], part["expected"], part["joined"], trace, targets[begin:end])
            begin = end
        return boards, targets

    def write_manifest(self) -> None:
        """Writes down what is there."""
        found = self._description() | {"shards": [asdict(shard) for shard in self.shards]}
        write_whole(self.folder / MANIFEST, json.dumps(found, indent=2).encode() + b"\n")

    def take_over(self, found: dict[str, Any], positions: int) -> None:
        """Goes on from a manifest, with its shards up to so many positions, as far as their files are there.

        Raises:
            TrainingError: the labels are not what this run would make.
        """
        description = self._description()
        for key, value in description.items():
            if found[key] != value:
                raise TrainingError(f"{self.folder / MANIFEST}: {key} is {found[key]!r}, expected {value!r}")
        for number, entry in enumerate(found["shards"]):
            shard = Shard(**entry)
            if self.positions + shard.positions > positions or not self._path(number).is_file():
                break
            self.shards.append(shard)

    def _play(self, first: int, games: int, longest: int = LONGEST) -> Positions:
        room = games * longest
        boards = np.empty((room, 26), dtype=np.int8)
        values = np.empty((room, COUNT), dtype=np.float32)
        expected = np.empty((room, COUNT), dtype=np.float32)
        joined = np.empty(room, dtype=np.int8)
        written = look_ahead(
            self._static,
            MONEY,
            START,
            np.uint64(self.seed),
            first,
            games,
            float(self.config.explore),
            self.config.explore_plies,
            float(self.config.slip),
            np.float32(self.config.slip_margin),
            longest,
            boards,
            values,
            expected,
            joined,
        )
        found: dict[str, NDArray[Any]] = {"boards": boards, "values": values, "expected": expected, "joined": joined}
        return Positions({name: array[:written] for name, array in found.items()})

    def _description(self) -> dict[str, Any]:
        # What does not change the labels may be another.
        config = {key: value for key, value in asdict(self.config).items() if key not in ("generations", "threads")}
        manifest = self.model.manifest
        return {
            "config": config,
            "seed": self.seed,
            "first_game": self.first_game,
            "model": manifest.name,
            "weights_sha256": manifest.weights_sha256,
            "filter_sha256": manifest.filter_sha256,
        }

    def _path(self, number: int) -> Path:
        return self.folder / f"{number:04d}.safetensors"

    def _read(self, number: int, shard: Shard) -> Positions:
        path = self._path(number)
        try:
            data = path.read_bytes()
        except OSError as error:
            raise TrainingError(f"cannot read the labels {path}: {error.strerror}") from error
        if hashlib.sha256(data).hexdigest() != shard.sha256:
            raise TrainingError(f"the labels {path} are damaged: delete the file, and --resume makes it again")
        return Positions(load(data))


def open_labels(
    folder: Path, config: TrainConfig, first_game: int, positions: int, player: Callable[[], Model]
) -> Labels:
    """The labels in a folder as they were after so many positions, or new ones.

    Args:
        first_game: number of the first game, if they are new.
        player: gives who plays, if they are new. It gets a filter if it needs one and has none.

    Raises:
        TrainingError: labels that were begun are gone, damaged, or other ones.
    """
    path = folder / MANIFEST
    if path.is_file():
        try:
            found = json.loads(path.read_text("utf-8"))
            labels = Labels(folder, config.label, config.seed, found["first_game"], load_model(folder / MODEL), [])
            labels.take_over(found, positions)
        except (ValueError, TypeError, KeyError) as error:
            raise TrainingError(f"{path} is no list of labels: {error}") from error
        return labels
    if positions:
        raise TrainingError(f"cannot go on with the labels in {folder}: {MANIFEST} is missing")
    model = player()
    if config.label.keep and model.filter_weights is None:
        model = with_filter(model, config.seed)
    folder.mkdir(exist_ok=True)
    model.save(folder / MODEL)
    labels = Labels(folder, config.label, config.seed, first_game, load_model(folder / MODEL), [])
    labels.write_manifest()
    return labels
