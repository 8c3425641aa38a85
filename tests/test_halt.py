"""`bgai.halt`: looking ahead that is ended by a word."""

from __future__ import annotations

import threading
import time

import numpy as np
import pytest

from bgai.analyst import Analyst
from bgai.catalogue import open_model
from bgai.halt import Halt
from bgai.levels import Level
from bgai.position import Position
from bgai.search import Settings

LONG = Position(dice=(4, 3))


def halting(settings: Settings, halt: Halt) -> Analyst:
    return Level("deep", settings).analyst(open_model(), halt=halt)


def test_without_a_word_nothing_changes() -> None:
    found, expected = halting(Settings(1), Halt()).rank([LONG]), Analyst.of(plies=1).rank([LONG])
    assert np.array_equal(found.order, expected.order)
    assert np.array_equal(found.equities, expected.equities)


@pytest.mark.parametrize(("plies", "threads"), [(3, 1), (5, 2)])
def test_what_was_found_before_stands(plies: int, threads: int) -> None:
    halt = Halt()
    analyst = halting(Settings(plies, "huge", threads), halt)
    timer = threading.Timer(0.1, halt.say)
    timer.start()
    begin = time.monotonic()
    found = analyst.rank([LONG])
    assert time.monotonic() - begin < 3
    reached = int(found.plies[found.order[0]])
    assert reached < plies
    assert halt.said


@pytest.mark.parametrize("seconds", [None, 9.0])
def test_after_the_word_the_network_alone_answers(seconds: float | None) -> None:
    halt = Halt()
    halt.say()
    found = halting(Settings(4, seconds=seconds), halt).rank([LONG])
    expected = Analyst.of().rank([LONG])
    assert np.array_equal(found.equities, expected.equities)
    assert not found.plies.any()
