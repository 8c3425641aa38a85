"""Training recipes: TOML files read into frozen dataclasses.

Every key has a meaning written under it, an unknown key is an error, and the resolved configuration is kept
with the run. Schedules count games, never seconds: a number, or points `[[games, value], …]` joined by straight
lines.
"""

from __future__ import annotations

import dataclasses
import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

from bgai.errors import ConfigError
from bgai.features import encoder_names

_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]*")

Schedule = float | list[list[float]]


@dataclass(frozen=True)
class NetworkConfig:
    """The network."""

    encoder: str = "points-1"
    """How a board becomes inputs, see `bgai.features`."""
    layers: list[int] = field(default_factory=lambda: [256, 32])
    """Units of each hidden layer, the sparse one first."""
    start: str = ""
    """A kept model, or the folder of one, whose weights are the start; empty: random weights."""


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
class EvaluateConfig:
    """How the run is measured."""

    every: int = 50_000
    """Games between two evaluations."""
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
    """Games between two checkpoints."""


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
    try:
        raw = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise ConfigError(f"cannot read the configuration {path}: {error.strerror}") from error
    except ValueError as error:
        raise ConfigError(f"{path} is not TOML: {error}") from error
    for setting in settings or []:
        _apply(raw, setting)
    return from_dict(raw)


def from_dict(raw: dict[str, Any]) -> TrainConfig:
    """A configuration from nested dictionaries, as `to_dict` makes them."""
    config = _build(TrainConfig, raw, "")
    assert isinstance(config, TrainConfig)
    return config


def to_dict(config: TrainConfig) -> dict[str, Any]:
    """The resolved configuration, every key written out."""
    return dataclasses.asdict(config)


def _apply(raw: dict[str, Any], setting: str) -> None:
    key, equals, text = setting.partition("=")
    if not equals or not key.strip():
        raise ConfigError(f"--set takes key=value, found {setting!r} (example: --set optim.lr=0.01)")
    try:
        value = tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        value = text.strip()
    *sections, name = key.strip().split(".")
    for section in sections:
        raw = raw.setdefault(section, {})
        if not isinstance(raw, dict):
            raise ConfigError(f"--set {setting}: {section} is not a section")
    raw[name] = value


def _build(kind: Any, raw: dict[str, Any], prefix: str) -> Any:
    hints = get_type_hints(kind)
    unknown = sorted(set(raw) - set(hints))
    if unknown:
        raise ConfigError(f"unknown key {prefix}{unknown[0]}, expected one of {', '.join(sorted(hints))}")
    values: dict[str, Any] = {}
    for key, value in raw.items():
        hint = hints[key]
        if dataclasses.is_dataclass(hint):
            if not isinstance(value, dict):
                raise ConfigError(f"{prefix}{key} is a section, found {value!r}")
            values[key] = _build(hint, value, f"{prefix}{key}.")
        elif _fits(value, hint):
            values[key] = value
        else:
            raise ConfigError(f"{prefix}{key} has the value {value!r}, expected {_describe(hint)}")
    return kind(**values)


def _fits(value: Any, hint: Any) -> bool:
    if hint == Schedule:
        return _fits(value, float) or (
            isinstance(value, list) and bool(value) and all(_fits(p, list[float]) and len(p) == 2 for p in value)
        )
    if get_origin(hint) is Literal:
        return value in get_args(hint)
    if get_origin(hint) is list:
        return isinstance(value, list) and all(_fits(item, get_args(hint)[0]) for item in value)
    if hint is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    if hint is int:
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, hint)


def _describe(hint: Any) -> str:
    if hint == Schedule:
        return "a number or a schedule [[games, value], …]"
    if get_origin(hint) is Literal:
        return " or ".join(get_args(hint))
    if get_origin(hint) is list:
        return f"a list of {_describe(get_args(hint)[0])}"
    return {int: "a whole number", float: "a number", str: "a text"}.get(hint, str(hint))


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
