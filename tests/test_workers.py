"""Work in threads: the order of results, how much is begun, and what becomes of the rest."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future

import pytest

from bgai.workers import WAITING, LocalWorkers

Halve = Callable[[int], float]


def halving(shared: int) -> Halve:
    return lambda item: shared / item


@pytest.mark.parametrize("threads", [1, 3])
def test_results_come_in_the_order_of_their_items(threads: int) -> None:
    with LocalWorkers(threads).map(halving, 60, range(1, 100)) as results:
        assert list(results) == [60 / item for item in range(1, 100)]


def test_they_do_so_whoever_is_faster() -> None:
    # Given: the first item ends after the second.
    second_done = threading.Event()

    def waiting(_: None) -> Callable[[int], int]:
        def work(item: int) -> int:
            if item == 1:
                assert second_done.wait(20)
            else:
                second_done.set()
            return item

        return work

    with LocalWorkers(2).map(waiting, None, [1, 2]) as results:
        assert list(results) == [1, 2]


@pytest.mark.parametrize("threads", [1, 2])
def test_a_task_is_opened_once(threads: int) -> None:
    opened = []

    def counting(shared: int) -> Halve:
        opened.append(shared)
        return halving(shared)

    with LocalWorkers(threads).map(counting, 6, [1, 2, 3]) as results:
        assert list(results) == [6, 3, 2]
    assert opened == [6]


@pytest.mark.parametrize(("threads", "most"), [(1, 1), (2, 2 * WAITING)])
def test_no_more_is_begun_than_waits_to_be_taken(threads: int, most: int) -> None:
    asked = 0

    def items() -> Iterator[int]:
        nonlocal asked
        for item in range(1, 50):
            asked += 1
            yield item

    with LocalWorkers(threads).map(halving, 1, items()) as results:
        assert asked == most
        for taken, _ in enumerate(results, start=1):
            assert asked <= taken + most
    assert asked == 49


@pytest.mark.parametrize("threads", [1, 2])
def test_work_ahead_is_done_before_anybody_asks(threads: int) -> None:
    all_begun = threading.Barrier(2)

    def meeting(_: None) -> Callable[[int], int]:
        def work(item: int) -> int:
            if item == 99:
                all_begun.wait(20)
            return item

        return work

    with LocalWorkers(threads).map(meeting, None, range(100), ahead=True) as results:
        all_begun.wait(20)
        assert list(results) == list(range(100))


@pytest.mark.parametrize("threads", [1, 2])
def test_an_error_comes_where_the_result_would_have_been(threads: int) -> None:
    with LocalWorkers(threads).map(halving, 6, [1, 2, 0, 3]) as results:
        assert [next(results), next(results)] == [6, 3]
        with pytest.raises(ZeroDivisionError):
            next(results)


def test_what_is_not_taken_is_called_off() -> None:
    done: list[int] = []
    last: list[Future[int]] = []

    def noting(_: None) -> Callable[[int], int]:
        def work(item: int) -> int:
            end = time.monotonic() + 20
            while item and not (last and last[0].cancelled()):
                assert time.monotonic() < end
                time.sleep(0.001)
            done.append(item)
            return item

        return work

    with LocalWorkers(2).map(noting, None, range(100), ahead=True) as results:
        assert next(results) == 0
        last.append(results._handles[-1])
    # Then: those at work were waited for, the others never begun.
    assert 0 < len(done) <= 3
    assert list(results) == []
