"""Labels: a data set of positions with what a look one ply ahead says of them, kept in the run's folder in shards.

    labels-1/
        manifest.json       what was asked for, who played, and the shards that are there
        model/              the network that played, with its filter
        others.safetensors  positions at which some games began, if there are any
        correction.safetensors  what corrects the targets, if the recipe asks for it
        0000.safetensors    a shard: the positions of some games
        0001.safetensors    …

A shard is written whole, then the manifest that names it. Dice depend on the seed and the number of the game alone, so
a shard that is missing is made again as it was.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load, save

from bgai.board import Board
from bgai.errors import TrainingError
from bgai.files import write_whole
from bgai.kernels.lookahead import write_traced
from bgai.model import Model, load_model
from bgai.outcomes import COUNT, Outcomes
from bgai.workers import LocalWorkers, Workers

from .config import LabelConfig, TrainConfig
from .correction import SAMPLE, Correction
from .filter import with_filter
from .labeller import CHUNK, NO_BOARDS, Labeller, Positions, labelling

MANIFEST, MODEL, OTHERS, CORRECTION = "manifest.json", "model", "others.safetensors", "correction.safetensors"
VERSION = 3
"""Of what is in a shard: the one before was joined past slips, and had no `elsewhere`."""


@dataclass(frozen=True)
class Shard:
    """An entry of the manifest."""

    games: int
    positions: int
    sha256: str
    """Hash of the file."""


class Labels:
    """The data set of one generation."""

    def __init__(
        self, folder: Path, config: LabelConfig, seed: int, first_game: int, model: Model, others: Board
    ) -> None:
        """Made by `open_labels`. `first_game` is the number of the first game, `model` who plays.

        Args:
            others: int8[S, 26], where games begin beside the start of the game.
        """
        self.folder, self.config, self.seed, self.first_game = folder, config, seed, first_game
        self.shards: list[Shard] = []
        self.model = model
        self._labeller = Labeller.of(model, config, seed, others)

    @property
    def positions(self) -> int:
        """Positions labelled so far."""
        return sum(shard.positions for shard in self.shards)

    @property
    def games(self) -> int:
        """Games played so far."""
        return sum(shard.games for shard in self.shards)

    def compile_first(self) -> None:
        """See `Labeller.compile_first`."""
        self._labeller.compile_first()

    def add(self, told: Callable[[int], object] = lambda positions: None, workers: Workers | None = None) -> Positions:
        """Plays and keeps the next shard; `told` hears of the positions of each chunk. The last one is cut to measure.

        Args:
            workers: who play, by default the threads of the recipe.

        Raises:
            OSError: it could not be written.
        """
        first, games = self.first_game + self.games, self.config.games_per_shard
        end = first + games
        chunks = [range(begin, min(begin + CHUNK, end)) for begin in range(first, end, CHUNK)]
        parts = []
        with (workers or LocalWorkers(self.config.threads)).map(labelling, self._labeller, chunks) as played:
            for part in played:
                parts.append(part)
                told(len(part["boards"]))
        length = self.config.positions - self.positions
        whole = Positions({name: np.concatenate([part[name] for part in parts])[:length] for name in parts[0]})
        whole["joined"][-1:] = 0
        data = save(whole)
        write_whole(self._path(len(self.shards)), data)
        self.shards.append(Shard(games, len(whole["boards"]), hashlib.sha256(data).hexdigest()))
        self.write_manifest()
        return whole

    def examples(self, told: Callable[[int], object] = lambda positions: None) -> tuple[Board, Outcomes]:
        """All positions, `int8[N, 26]`, and their targets, `float32[N, 5]`; `told` hears how many are ready.

        Raises:
            TrainingError: a shard is missing or damaged.
        """
        correction = self.correction() if self.config.corrected else None
        boards = np.empty((self.positions, 26), dtype=np.int8)
        targets = np.empty((self.positions, COUNT), dtype=np.float32)
        begin = 0
        for number, shard in enumerate(self.shards):
            part = self._read(number, shard)
            end = begin + shard.positions
            boards[begin:end], targets[begin:end] = part["boards"], self._traced(part)
            if correction:
                correction.add(boards[begin:end], targets[begin:end])
            begin = end
            told(shard.positions)
        return boards, targets

    def correction(self, told: Callable[[int], object] = lambda positions: None) -> Correction:
        """The correction of the targets: the one that is kept, or one that is learnt and kept now.

        `told` hears of the positions of each shard that is learnt from.

        Raises:
            TrainingError: a shard is missing or damaged.
        """
        path = self.folder / CORRECTION
        try:
            return Correction(self.model, load(path.read_bytes())[str(self.positions)])
        except (OSError, SafetensorError, KeyError):
            # None of just these labels: it is made again as it was.
            found = Correction.learn(self.model, self._remainders(told))
        write_whole(path, save({str(self.positions): found.weights}))
        return found

    def _remainders(self, told: Callable[[int], object]) -> Iterator[tuple[Board, Outcomes]]:
        """Positions, and by how much a trace of 1 says more of them than the recipe's."""
        every = -(-self.positions // SAMPLE)
        for number, shard in enumerate(self.shards):
            part = self._read(number, shard)
            yield part["boards"][::every], (traced(part, np.ones(len(part["boards"]))) - self._traced(part))[::every]
            told(shard.positions)

    def _traced(self, part: Positions) -> Outcomes:
        """The targets of a shard by the recipe's traces."""
        return traced(part, np.where(part["elsewhere"], self.config.far_trace, self.config.trace))

    def whole(self, told: Callable[[int], object] = lambda positions: None) -> tuple[Board, Outcomes]:
        """The same, for the next generation to begin at.

        Raises:
            TrainingError: as in `examples`, or they are not whole.
        """
        if self.positions < self.config.positions:
            raise TrainingError(
                f"{self.folder} holds {self.positions:,} of {self.config.positions:,} labels, and the next generation"
                " begins at the hardest of all"
            )
        return self.examples(told)

    def write_manifest(self) -> None:
        """Writes down what is there."""
        found = self._description() | {"shards": [asdict(shard) for shard in self.shards]}
        write_whole(self.folder / MANIFEST, json.dumps(found, indent=2).encode() + b"\n")

    def take_over(self, found: dict[str, Any], positions: int) -> None:
        """Goes on from a manifest, with its shards up to so many positions, as far as their files are there.

        Raises:
            TrainingError: the labels are not what this run would make.
        """
        if (version := found.get("version", 1)) != VERSION:
            raise TrainingError(
                f"{self.folder / MANIFEST}: labels of version {version}, expected {VERSION}: begin the run anew"
            )
        description = self._description()
        for key, value in description.items():
            if found[key] != value:
                raise TrainingError(f"{self.folder / MANIFEST}: {key} is {found[key]!r}, expected {value!r}")
        for number, entry in enumerate(found["shards"]):
            shard = Shard(**entry)
            if self.positions + shard.positions > positions or not self._path(number).is_file():
                break
            self.shards.append(shard)

    def _description(self) -> dict[str, Any]:
        # What does not change the labels may be another; who made them is told by the model.
        others = ("generations", "threads", "teacher", "corrected")
        config = {key: value for key, value in asdict(self.config).items() if key not in others}
        if not self.config.slipped:
            # Runs that were begun before it was there go on.
            del config["slipped"]
        manifest = self.model.manifest
        return {
            "version": VERSION,
            "config": config,
            "seed": self.seed,
            "first_game": self.first_game,
            "model": manifest.name,
            "weights_sha256": manifest.weights_sha256,
            "filter_sha256": manifest.filter_sha256,
            "others_sha256": hashlib.sha256(self._labeller.others.tobytes()).hexdigest(),
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


def traced(part: Positions, trace: NDArray[np.floating[Any]]) -> Outcomes:
    """Targets `float32[N, 5]` of a shard; `trace` is the lambda of each position."""
    targets = np.empty((len(part["boards"]), COUNT), dtype=np.float32)
    write_traced(part["values"], part["expected"], part["joined"], trace.astype(np.float32), targets)
    return targets


def open_labels(
    folder: Path,
    config: TrainConfig,
    first_game: int,
    positions: int,
    player: Callable[[], Model],
    others: Callable[[Model], Board] = lambda model: NO_BOARDS,
) -> Labels:
    """The labels in a folder as they were after so many positions, or new ones.

    Args:
        first_game: number of the first game, if they are new.
        player: gives who plays, if they are new. It gets a filter if it needs one and has none.
        others: gives where games of this player begin beside the start of the game, if they are new: int8[S, 26].

    Raises:
        TrainingError: labels that were begun are gone, damaged, or other ones.
    """
    path = folder / MANIFEST
    if path.is_file():
        try:
            found = json.loads(path.read_text("utf-8"))
            begun = load((folder / OTHERS).read_bytes())["boards"] if (folder / OTHERS).is_file() else NO_BOARDS
            model = load_model(folder / MODEL)
            labels = Labels(folder, config.label, config.seed, found["first_game"], model, begun)
            labels.take_over(found, positions)
        except (ValueError, TypeError, KeyError, SafetensorError) as error:
            raise TrainingError(f"{path} is no list of labels: {error}") from error
        return labels
    if positions:
        raise TrainingError(f"cannot go on with the labels in {folder}: {MANIFEST} is missing")
    model = player()
    if config.label.keep and model.filter_weights is None:
        model = with_filter(model, config.seed)
    folder.mkdir(exist_ok=True)
    model.save(folder / MODEL)
    model = load_model(folder / MODEL)
    begun = others(model)
    if len(begun):
        write_whole(folder / OTHERS, save({"boards": begun}))
    labels = Labels(folder, config.label, config.seed, first_game, model, begun)
    labels.write_manifest()
    return labels
