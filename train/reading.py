"""From TOML and `--set` to dataclasses: what is not known or does not fit is told in one line."""

from __future__ import annotations

import dataclasses
import tomllib
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

from bgai.errors import ConfigError

Schedule = float | list[list[float]]
"""A number, or points `[[games, value], …]` joined by straight lines."""


def read(path: Path, settings: list[str]) -> dict[str, Any]:
    """The nested dictionaries of a TOML file, changed by settings such as `optim.lr=0.01`.

    Raises:
        ConfigError: no such file, not TOML, a setting that is none.
    """
    try:
        raw = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise ConfigError(f"cannot read the configuration {path}: {error.strerror}") from error
    except ValueError as error:
        raise ConfigError(f"{path} is not TOML: {error}") from error
    for setting in settings:
        _apply(raw, setting)
    return raw


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


def build(kind: Any, raw: dict[str, Any], prefix: str = "") -> Any:
    """A dataclass of that kind; sections, which are dataclasses too, from the dictionaries inside.

    Raises:
        ConfigError: an unknown key, or a value of another kind than its field.
    """
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
            values[key] = build(hint, value, f"{prefix}{key}.")
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
