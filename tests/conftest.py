"""Settings of all tests.

`pytest` runs the tests that take seconds; `pytest -m check` those that take minutes.
"""

from __future__ import annotations

import pytest
from hypothesis import settings

settings.register_profile("repeatable", derandomize=True, deadline=None, max_examples=60)
settings.load_profile("repeatable")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "small: quick enough for the interpreter, with the compiler switched off")
