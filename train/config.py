"""Training recipes: TOML files read into frozen dataclasses.

Every key has a meaning written under it, an unknown key is an error, and the resolved configuration is kept
with the run. Schedules count games, never seconds: a number, or points `[[games, value], …]` joined by straight
lines.

There are two ways to learn. A recipe with `label.positions` labels positions by looking ahead and fits the network to
them (sections `label` and `fit`, see `generations`); any other learns while it plays (`selfplay` and `optim`, see
`loop`).
"""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass, field
from math import fsum
from pathlib import Path
from typing import Any, Literal

from bgai.errors import ConfigError
from bgai.features import encoder_names
from bgai.kernels.vector_layers import LISTED
from bgai.outcomes import COUNT

from .reading import Schedule, build, read

STEPS = 64
"""Steps of a fit between two looks at what came of them."""

LEAST = 40
"""Positions for each regressor of a correction that a recipe must have. The results scatter by a tenth of a point; a
hundredth of a point is left by then, and of a million positions a few thousandths."""

_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]*")


@dataclass(frozen=True)
class NetworkConfig:
    """The network."""

    encoder: str = "points-1"
    """How a board becomes inputs, see `bgai.features`."""
    layers: list[int] = field(default_factory=lambda: [256, 32])
    """Units of each hidden layer, the sparse one first."""
    start: str = ""
    """A kept model, or the folder of one, whose weights are the start; empty: random weights. It may have fewer or
    narrower layers and grows into these."""


@dataclass(frozen=True)
class SelfplayConfig:
    """How games are played and what is learnt from them."""

    games: int = 100_000
    """Games in all."""
    games_per_update: int = 1024
    """Games played with the same weights before the network learns from them."""
    warm_up: int = 20_000
    """Until so many games an eighth of `games_per_update` is played at a time: young networks change fast."""
    trace: Schedule = 0.0
    """Lambda of TD(lambda): 0 learns from the next position, 1 from the result of the game."""
    backup: Literal["sampled", "expected"] = "sampled"
    """What a target is: `sampled`, the value of the one position that the dice led to; or `expected`, the mean over
    all 21 rolls of the best play's value, twenty times dearer and without the luck. `trace` is for the first."""
    share: float = 1.0
    """Share of the positions met that are learnt from."""
    explore: Schedule = 0.0
    """Share of games that begin with random plays."""
    explore_plies: int = 10
    """At most so many random plays."""
    longest: int = 1000
    """Plies after which a game is given up."""
    ahead: int = 0
    """So many updates' games are played while the network learns, by weights that are as many updates old; 0: playing
    and learning take turns."""
    threads: int = 1
    """Threads that play. The result does not depend on it."""


@dataclass(frozen=True)
class OptimConfig:
    """How the network learns."""

    lr: Schedule = 0.003
    """Learning rate of Adam."""
    first_layer: float = 2.0
    """The sparse first layer learns so many times faster than the others."""
    batch: int = 512
    """Positions in one step."""
    passes: int = 1
    """Times that each position is used."""
    precision: Literal["float32", "bfloat16"] = "float32"
    """Of the matrix products while learning. The short one is twice as fast on processors that have it."""
    threads: int = 1
    """Threads of PyTorch. Results differ in the last digits between numbers of threads."""


@dataclass(frozen=True)
class LabelConfig:
    """How positions are met and labelled, by a look one ply ahead over all 21 rolls."""

    positions: int = 0
    """Positions labelled in each generation; 0: the recipe has none and learns while it plays."""
    generations: int = 1
    """How often positions are labelled and learnt. The first time the teacher labels, then what was learnt from it."""
    teacher: str = ""
    """A kept model, or the folder of one, that labels the first time; empty: the start."""
    trace: float = 0.7
    """Lambda: how much of what later looks ahead found out goes back along the game."""
    trace_elsewhere: float = 0.0
    """The same in games that begin elsewhere (`restart` and so on), if it is more than `trace`. The network knows less
    of what happens there, and a long trace brings back how such games end."""
    corrected: bool = False
    """Whether a target also gets what a trace of 1 says beyond its own, as far as the labelling network's hidden units
    can tell (see `correction`). Both end at the next slip, so there should be few."""
    keep: int = 6
    """Plays of each roll that the filter network leaves to the big one; 0: all are valued, without a filter."""
    within: float = 0.0
    """Of these, plays that the filter finds so much equity worse than its best are left out too; 0: none are."""
    explore: float = 0.15
    """Share of games that begin with random plays, which are not labelled."""
    explore_plies: int = 20
    """At most so many random plays."""
    restart: float = 0.0
    """Share of the games that begin at the hardest positions of the generation before; the first has none."""
    crossed: float = 0.0
    """Share of the games that begin at crossed positions of the generation before (see `crossing`), which lead to back
    games, late hits, broken boards and races to save a gammon; the first has none."""
    slipped: float = 0.0
    """Share of the games that begin at positions of games with slips, which are played before (see `beginnings`). With
    them the first generation begins elsewhere too: at these and, instead of the hardest and with `crossed`, at crossed
    positions made of these."""
    hardest: float = 0.02
    """So many beginnings there are for `restart`, `crossed` and `slipped` together, as a part of the positions. The
    hardest are those whose targets are furthest from what was learnt."""
    slip: float = 0.1
    """Share of the plays that are not the best but a random other one nearly as good, in games that do not begin
    elsewhere; nothing is found out past them."""
    slip_margin: float = 0.12
    """So much equity less is nearly as good."""
    games_per_shard: int = 1024
    """Games kept together in a file. An interrupted run goes on with the first that is missing."""
    threads: int = 1
    """Threads that play. The result does not depend on it."""

    @property
    def elsewhere(self) -> float:
        """Share of the games that begin elsewhere than at the start."""
        return fsum((self.restart, self.crossed, self.slipped))

    @property
    def beginnings(self) -> int:
        """Positions where these begin."""
        return int(self.hardest * self.positions)

    @property
    def far_trace(self) -> float:
        """Lambda of these games."""
        return max(self.trace, self.trace_elsewhere)


@dataclass(frozen=True)
class FitConfig:
    """How the network is fitted to the labels."""

    generations: int = 1
    """Labels of so many last generations are fitted together, as far as there are so many."""
    passes: int = 5
    """Times that each position is used."""
    lr: float = 0.005
    """Highest learning rate of Adam; from there it falls along a cosine to 0."""
    warm_up: float = 0.02
    """Share of the fit in which the rate rises to it from 0."""
    first_layer: float = 3.0
    """The sparse first layer learns so many times faster than the others."""
    batch: int = 1024
    """Positions in one step."""
    equity: float = 0.0
    """Weight of the squared error of the equity beside the cross-entropy of the chances."""
    sparse: float = 0.0
    """Weight of the sum of what the first layer says. Fewer of its units speak then, which makes the network faster."""
    renew: int = 0
    """Units that none of many positions wakes begin again with new weights, at the start of each pass and after every
    so many steps of it, in the first 60 % of the fit; a multiple of 64; 0: never."""
    slopes: Literal["autograd", "awake"] = "autograd"
    """Who computes the slopes: PyTorch's autograd, or a kernel for one core of the CPU that looks at the units that are
    awake alone. It wants hidden layers of a multiple of 32 units, and float32; a GPU leaves it to autograd."""
    precision: Literal["float32", "bfloat16"] = "float32"
    """Of autograd's matrix products. The short one is twice as fast on processors that have it."""
    threads: int = 1
    """Threads of PyTorch. Results differ in the last digits between numbers of threads."""


@dataclass(frozen=True)
class EvaluateConfig:
    """How the run is measured."""

    every: int = 50_000
    """Games between two evaluations; with `label`, positions learnt from."""
    games: int = 2000
    """Games of each duel, an even number."""
    opponents: list[str] = field(default_factory=lambda: ["random", "heuristic"])
    """Who is played against: `random`, `heuristic` or a kept model. The last one chooses the best checkpoint."""
    seed: int = 20_000
    """Seed of the duels' dice."""


@dataclass(frozen=True)
class CheckpointConfig:
    """How the run is kept."""

    every: int = 20_000
    """Games between two checkpoints; with `label`, positions learnt from."""


@dataclass(frozen=True)
class TrainConfig:
    """A whole recipe."""

    name: str = "run"
    """Name of the run; it is kept in `runs/NAME` unless `--out` says otherwise."""
    seed: int = 1
    """Seed of the weights, the dice and the order of the positions."""
    network: NetworkConfig = NetworkConfig()
    selfplay: SelfplayConfig = SelfplayConfig()
    optim: OptimConfig = OptimConfig()
    label: LabelConfig = LabelConfig()
    fit: FitConfig = FitConfig()
    evaluate: EvaluateConfig = EvaluateConfig()
    checkpoint: CheckpointConfig = CheckpointConfig()

    def __post_init__(self) -> None:
        _require(self.network.encoder in encoder_names(), "network.encoder", self.network.encoder, encoder_names())
        _require(bool(_NAME.fullmatch(self.name)), "name", self.name, "letters, digits, hyphens, dots and underscores")
        _require(bool(self.network.layers), "network.layers", self.network.layers, "at least one hidden layer")
        _require(all(1 <= n <= 4096 for n in self.network.layers), "network.layers", self.network.layers, "1 to 4096")
        for key, value in (
            ("selfplay.games", self.selfplay.games),
            ("selfplay.games_per_update", self.selfplay.games_per_update),
            ("selfplay.longest", self.selfplay.longest),
            ("selfplay.threads", self.selfplay.threads),
            ("optim.batch", self.optim.batch),
            ("optim.passes", self.optim.passes),
            ("optim.threads", self.optim.threads),
            ("evaluate.every", self.evaluate.every),
            ("checkpoint.every", self.checkpoint.every),
        ):
            _require(value >= 1, key, value, "1 or more")
        for key, value, most in (
            ("seed", self.seed, 2**63 - 1),
            ("evaluate.seed", self.evaluate.seed, 2**63 - 1),
            ("selfplay.warm_up", self.selfplay.warm_up, 2**63 - 1),
            ("selfplay.explore_plies", self.selfplay.explore_plies, 1000),
            ("selfplay.longest", self.selfplay.longest, 100_000),
            ("selfplay.ahead", self.selfplay.ahead, 100),
        ):
            _require(0 <= value <= most, key, value, f"0 to {most}")
        for key, threads in (("selfplay.threads", self.selfplay.threads), ("optim.threads", self.optim.threads)):
            _require(threads <= 1024, key, threads, "1 to 1024")
        times = self.optim.first_layer
        _require(0 <= times < float("inf"), "optim.first_layer", times, "a number, 0 or more")
        _require(0 < self.selfplay.share <= 1, "selfplay.share", self.selfplay.share, "above 0, at most 1")
        games = self.evaluate.games
        _require(games >= 2 and games % 2 == 0, "evaluate.games", games, "an even number, 2 or more")
        _require(bool(self.evaluate.opponents), "evaluate.opponents", self.evaluate.opponents, "at least one")
        _check_schedule("selfplay.trace", self.selfplay.trace, 0.0, 1.0)
        _check_schedule("selfplay.explore", self.selfplay.explore, 0.0, 1.0)
        _check_schedule("optim.lr", self.optim.lr, 0.0, float("inf"))
        _check_labels(self)

    @property
    def labelled(self) -> bool:
        """Whether the recipe labels positions first and learns from them then."""
        return self.label.positions > 0

    @property
    def learning(self) -> OptimConfig | FitConfig:
        """The section that says how the network learns."""
        return self.fit if self.labelled else self.optim


def at_games(schedule: Schedule, games: int) -> float:
    """The value of a schedule after so many games."""
    if not isinstance(schedule, list):
        return float(schedule)
    before = schedule[0]
    for point in schedule:
        if games < point[0]:
            if point is before:
                break
            part = (games - before[0]) / (point[0] - before[0])
            return before[1] + part * (point[1] - before[1])
        before = point
    return float(before[1])


def load_config(path: Path, settings: list[str] | None = None) -> TrainConfig:
    """Reads a recipe and applies `--set` settings such as `optim.lr=0.01`.

    Raises:
        ConfigError: no such file, not TOML, an unknown key, a value of the wrong kind or out of range.
    """
    return from_dict(read(path, settings or []))


def from_dict(raw: dict[str, Any]) -> TrainConfig:
    """A configuration from nested dictionaries, as `to_dict` makes them."""
    config = build(TrainConfig, raw)
    assert isinstance(config, TrainConfig)
    return config


def to_dict(config: TrainConfig) -> dict[str, Any]:
    """The resolved configuration, every key written out."""
    return dataclasses.asdict(config)


def regressors(layers: list[int]) -> int:
    """Regressors of a correction (see `correction`) with so many units in each hidden layer."""
    return 1 + COUNT + sum(layers[1:] or layers)


def _require(fine: bool, key: str, found: object, expected: object) -> None:
    if not fine:
        raise ConfigError(f"{key} is {found!r}, expected {expected}")


def _check_schedule(key: str, schedule: Schedule, low: float, high: float) -> None:
    points = schedule if isinstance(schedule, list) else [[0.0, schedule]]
    for games, value in points:
        _require(low <= value <= high, key, value, f"{low:g} to {high:g}")
        _require(games >= 0, key, games, "a number of games, 0 or more")
    starts = [games for games, _ in points]
    _require(starts == sorted(set(starts)), key, starts, "numbers of games that rise")


def _check_labels(config: TrainConfig) -> None:
    label, fit = config.label, config.fit
    ranges: list[tuple[str, float, float, float]] = [
        ("label.positions", label.positions, 0, 10**9),
        ("label.generations", label.generations, 1, 1000),
        ("label.trace", label.trace, 0, 1),
        ("label.trace_elsewhere", label.trace_elsewhere, 0, 1),
        ("label.keep", label.keep, 0, 10_000),
        ("label.within", label.within, 0, 6 if label.keep else 0),
        ("label.explore", label.explore, 0, 1),
        ("label.explore_plies", label.explore_plies, 0, 1000),
        ("label.restart", label.restart, 0, 1),
        ("label.crossed", label.crossed, 0, 1),
        ("label.slipped", label.slipped, 0, 1),
        ("label.hardest", label.hardest, 0, 1),
        ("label.slip", label.slip, 0, 1),
        ("label.slip_margin", label.slip_margin, 0, 6),
        ("label.games_per_shard", label.games_per_shard, 1, 1_000_000),
        ("label.threads", label.threads, 1, 1024),
        ("fit.generations", fit.generations, 1, 1000),
        ("fit.passes", fit.passes, 1, 1000),
        ("fit.lr", fit.lr, 0, 1_000_000),
        ("fit.warm_up", fit.warm_up, 0, 1),
        ("fit.first_layer", fit.first_layer, 0, 1_000_000),
        ("fit.batch", fit.batch, 1, 1_000_000),
        ("fit.threads", fit.threads, 1, 1024),
        ("fit.sparse", fit.sparse, 0, 1),
        ("fit.renew", fit.renew, 0, 10**9),
    ]
    for key, value, least, most in ranges:
        _require(least <= value <= most, key, value, f"{least} to {most}")
    _require(fit.renew % STEPS == 0, "fit.renew", fit.renew, f"a multiple of {STEPS}")
    shares = "label.restart + label.crossed + label.slipped"
    _require(label.elsewhere <= 1, shares, label.elsewhere, "at most 1")
    if label.elsewhere > 0:
        some = label.beginnings >= 1
        _require(some, "label.hardest", label.hardest, "at least one position, where games begin elsewhere")
    if label.slipped > 0:
        some = label.beginnings * label.slipped >= label.elsewhere
        _require(some, "label.slipped", label.slipped, "at least one position, a part of label.hardest")
    if label.corrected:
        _require(label.far_trace == label.trace < 1, "label.corrected", True, "one trace below 1, for all games")
        least = LEAST * regressors(config.network.layers)
        _require(label.positions >= least, "label.positions", label.positions, f"{least} or more, as label.corrected")
    if fit.slopes == "awake":
        _require(fit.precision == "float32", "fit.precision", fit.precision, "float32, as fit.slopes is awake")
        even = all(width % LISTED == 0 for width in config.network.layers)
        _require(even, "network.layers", config.network.layers, f"multiples of {LISTED}, as fit.slopes is awake")
    if config.labelled:
        _require(fit.batch <= label.positions, "fit.batch", fit.batch, f"at most label.positions ({label.positions})")
        for name, section in (("selfplay", config.selfplay), ("optim", config.optim)):
            if section != type(section)():
                raise ConfigError(f"a recipe with label.positions learns by label and fit, but it has keys of {name}")
    elif (label, fit) != (LabelConfig(), FitConfig()):
        raise ConfigError("label.positions is 0, expected 1 or more in a recipe that has keys of label or fit")
