"""Marks and settings of all tests.

`pytest` runs the tests that take seconds; `pytest -m check` those that take minutes.
"""

from __future__ import annotations

import pytest
from hypothesis import settings

MARKS = {
    "check": "compares a great deal with another program; takes minutes, run by `pytest -m check`",
    "small": "small enough to be run by the interpreter, with the compiler switched off",
}

settings.register_profile("repeatable", derandomize=True, deadline=None, max_examples=60)
settings.load_profile("repeatable")


def pytest_configure(config: pytest.Config) -> None:
    for name, meaning in MARKS.items():
        config.addinivalue_line("markers", f"{name}: {meaning}")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out the long tests unless marks were asked for."""
    if config.option.markexpr:
        return
    long = [item for item in items if item.get_closest_marker("check")]
    if long:
        config.hook.pytest_deselected(items=long)
        items[:] = [item for item in items if item not in long]
