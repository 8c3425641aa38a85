"""The library's front door: what `import bgai` offers."""

from __future__ import annotations

import inspect
import types
from pathlib import Path

import pytest

import bgai

CALLABLES = [name for name in bgai.__all__ if callable(getattr(bgai, name)) and name not in ("Board", "Outcomes")]


def test_the_list_is_sorted_and_without_doubles() -> None:
    """Constants, then classes, then the rest, each by the alphabet."""
    kinds = [(not name.isupper(), not name[0].isupper(), name) for name in set(bgai.__all__)]
    assert list(bgai.__all__) == [name for _, _, name in sorted(kinds)]


def test_the_list_is_exactly_what_is_there() -> None:
    found = {
        name
        for name, value in vars(bgai).items()
        if not name.startswith("_") and not isinstance(value, types.ModuleType)
    }
    assert found | {"__version__"} == set(bgai.__all__)


@pytest.mark.parametrize("name", CALLABLES)
def test_every_public_name_is_documented(name: str) -> None:
    value = getattr(bgai, name)
    assert inspect.getdoc(value), f"bgai.{name} has no docstring"
    if inspect.isclass(value):
        undocumented = [
            f"bgai.{name}.{member}"
            for member, thing in vars(value).items()
            if not member.startswith("_") and inspect.isfunction(thing) and not thing.__doc__
        ]
        assert not undocumented


@pytest.mark.parametrize("name", ["Board", "Outcomes", "START"])
def test_arrays_are_documented_where_they_are_defined(name: str) -> None:
    """A value cannot carry a docstring; its meaning stands below its definition."""
    lines = "".join(path.read_text("utf-8") for path in Path(bgai.__file__).parent.glob("*.py")).splitlines()
    starts = [number for number, line in enumerate(lines) if line.startswith((f"{name} =", f"{name}: "))]
    assert starts, f"bgai.{name} is defined nowhere"
    assert any('"""' in line for line in lines[starts[0] : starts[0] + 4])


def test_every_error_is_a_bgai_error() -> None:
    errors = [getattr(bgai, name) for name in bgai.__all__ if name.endswith("Error")]
    assert errors
    assert all(issubclass(error, bgai.BgaiError) for error in errors)


def test_the_version_has_three_numbers() -> None:
    assert len([int(part) for part in bgai.__version__.split(".")]) == 3
