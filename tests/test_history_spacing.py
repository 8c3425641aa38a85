"""The intervals of SM-2, against the numbers that its author gives."""

from __future__ import annotations

from datetime import date, timedelta
from fractions import Fraction

import pytest

from bgai.history.spacing import EASE, LEAST_EASE, LONGEST, Schedule

TODAY = date(2026, 3, 1)


def answered(qualities: list[int]) -> list[Schedule]:
    """Where a new problem stands after each answer, given on the day on which it is due."""
    schedule = Schedule(TODAY)
    found = []
    for quality in qualities:
        schedule = schedule.after(quality, schedule.due)
        found.append(schedule)
    return found


def test_good_answers_lead_to_a_day_then_six_then_times_the_ease() -> None:
    """I(1) = 1, I(2) = 6, I(n) = I(n-1) x EF, rounded up; a quality of 4 leaves the ease at 2.5."""
    found = answered([4, 4, 4, 4, 4])
    assert [one.interval for one in found] == [1, 6, 15, 38, 95]
    assert [one.due - TODAY for one in found] == [timedelta(days) for days in (1, 7, 22, 60, 155)]
    assert {one.ease for one in found} == {2.5}


@pytest.mark.parametrize(("quality", "change"), [(5, "0.10"), (4, "0"), (3, "-0.14")])
def test_the_ease_follows_the_quality(quality: int, change: str) -> None:
    assert Schedule(TODAY).after(quality, TODAY).ease == pytest.approx(float(Fraction("2.5") + Fraction(change)))


def test_the_ease_stays_at_its_least() -> None:
    found = answered([3] * 20)
    assert found[-1].ease == LEAST_EASE
    assert found[-1].interval > found[-2].interval


@pytest.mark.parametrize("quality", [0, 1, 2])
def test_after_a_bad_answer_the_intervals_begin_again_with_the_same_ease(quality: int) -> None:
    before = answered([5, 5, 5])[-1]
    after = before.after(quality, before.due)
    assert (after.interval, after.repetitions, after.ease) == (1, 0, before.ease)
    assert [one.interval for one in (after.after(4, after.due),)] == [1]


def test_the_interval_counts_from_the_day_of_the_answer() -> None:
    late = TODAY + timedelta(days=40)
    assert Schedule(TODAY, 1, 1, EASE).after(4, late).due == late + timedelta(days=6)


def test_a_whole_number_of_days_is_not_rounded_up() -> None:
    """10 x 2.2 is 22.000000000000004 in floating point."""
    assert Schedule(TODAY, 2, 10, 2.2).after(4, TODAY).interval == 22


def test_intervals_end_somewhere() -> None:
    assert Schedule(TODAY, 9, LONGEST, 3.0).after(5, TODAY).interval == LONGEST
