"""The README's session runs as it stands."""

from __future__ import annotations

import doctest
from pathlib import Path

import bgai

README = Path(__file__).parents[1] / "README.md"


def test_the_quick_start() -> None:
    outcome = doctest.testfile(str(README), module_relative=False)
    assert outcome.attempted > 10
    assert outcome.failed == 0


def test_the_examples_of_the_library_itself() -> None:
    for module in (bgai, bgai.game):
        outcome = doctest.testmod(module)
        assert outcome.attempted
        assert outcome.failed == 0
