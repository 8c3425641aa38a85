"""`bgai.protocols.halting`."""

from __future__ import annotations

import threading
import time

import numpy as np
import pytest

from bgai.analyst import Analyst
from bgai.catalogue import open_model
from bgai.position import Position
from bgai.protocols.halting import Halt, HaltingAnalyst, Opened
from bgai.search import Settings

LONG = Position(dice=(4, 3))


def test_without_a_halt_it_is_the_analyst() -> None:
    halting = HaltingAnalyst(Opened.of(open_model()), Settings(1), Halt())
    found, expected = halting.rank([LONG]), Analyst.of(plies=1).rank([LONG])
    assert np.array_equal(found.order, expected.order)
    assert np.array_equal(found.equities, expected.equities)


@pytest.mark.parametrize(("plies", "threads"), [(3, 1), (5, 2)])
def test_what_was_found_before_stands(plies: int, threads: int) -> None:
    halt = Halt()
    halting = HaltingAnalyst(Opened.of(open_model()), Settings(plies, "huge", threads), halt)
    timer = threading.Timer(0.1, halt.say)
    timer.start()
    begin = time.monotonic()
    found = halting.rank([LONG])
    assert time.monotonic() - begin < 3
    reached = int(found.plies[found.order[0]])
    assert reached < plies
    assert halt.said


def test_after_a_halt_the_network_alone_answers() -> None:
    halt = Halt()
    halt.say()
    found = HaltingAnalyst(Opened.of(open_model()), Settings(4), halt).rank([LONG])
    expected = Analyst.of().rank([LONG])
    assert np.array_equal(found.equities, expected.equities)
    assert not found.plies.any()
