"""Luck is nothing on average, and what it is can be counted."""

from __future__ import annotations

import pytest

from bgai.analysis import Luck
from bgai.dice import ROLLS
from bgai.events import Play, Roll, SetUp, StartGame
from bgai.match_rules import Rules
from bgai.matchfiles.building import NACKGAMMON
from bgai.matchfiles.reading import read_match
from bgai.record import MatchRecord
from tests.analysed import level_analyst, record_of, set_up

PLACE = {"p5": 1, "p2": 1, "p24": -1}
"""19 rolls of 36 win the game, the others lose it."""


def last_luck(record: MatchRecord) -> Luck:
    return level_analyst().analyse(record).luck[-1]


def test_the_luck_of_all_rolls_weighs_to_nothing() -> None:
    reply = (Roll(1, (6, 4)), Play(1, ((24, 18), (13, 9))))
    for before, seat in (((), 1), (reply, 0)):
        found = [last_luck(record_of(*before, Roll(seat, roll), rules=Rules(length=5))) for roll in ROLLS]
        assert all(one.seat == seat for one in found)
        total = sum(one.equity * (1 if one.dice[0] == one.dice[1] else 2) for one in found)
        assert total == pytest.approx(0, abs=1e-9)
        assert max(abs(one.equity) for one in found) > 0.1


def test_the_luck_of_all_opening_rolls_weighs_to_nothing() -> None:
    found = [
        last_luck(MatchRecord.of(("Ann", "Ben"), Rules(), [StartGame((first, second))]))
        for first in range(1, 7)
        for second in range(1, 7)
        if first != second
    ]
    assert len(found) == 30
    assert sum((1 - 2 * one.seat) * one.equity for one in found) == pytest.approx(0, abs=1e-9)
    best = max(found, key=lambda one: one.equity)
    assert best.dice == (3, 1)
    # Who begins is better off with nearly every roll.
    assert sum(one.equity > 0 for one in found) > 20


def test_an_opening_roll_that_nobody_threw_is_no_luck() -> None:
    """Files with a position begin with one, because every game does."""
    xgid = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
    shown = read_match(f"{xgid}\n\nX:Ann   O:Ben\n".encode(), "x.txt").record
    assert [type(event) for event in shown.events] == [StartGame, SetUp]
    assert level_analyst().analyse(shown).luck == ()
    start = set_up(PLACE)
    record = MatchRecord.of(("Ann", "Ben"), Rules(), [StartGame((2, 1)), start, Roll(0, (6, 5))])
    (found,) = level_analyst().analyse(record).luck
    assert found.event == 2


def test_an_opening_roll_before_an_illegal_play_is_luck() -> None:
    after = set_up({"p6": -5, "p13": 2}, seat=1)
    record = MatchRecord.of(("Ann", "Ben"), Rules(), [StartGame((3, 1)), after])
    (found,) = level_analyst().analyse(record).luck
    assert (found.event, found.dice, found.seat) == (0, (3, 1), 0)


def test_the_opening_roll_of_a_variation_is_luck_in_its_position() -> None:
    def luck(*behind: SetUp) -> Luck:
        (found,) = level_analyst().analyse(MatchRecord.of(("Ann", "Ben"), Rules(), [StartGame((6, 5)), *behind])).luck
        return found

    found = luck(SetUp(0, tuple(NACKGAMMON.tolist()), (6, 5)))
    assert (found.event, found.dice) == (0, (6, 5))
    assert found.equity != luck().equity


def test_luck_that_can_be_counted() -> None:
    """A winning roll brings all that was not won before it, and with the cube in the middle nobody turns it here."""
    won = last_luck(record_of(set_up(PLACE), Roll(0, (6, 5))))
    lost = last_luck(record_of(set_up(PLACE), Roll(0, (2, 1))))
    assert won.equity == pytest.approx(1 - 2 / 36, abs=1e-6)
    assert lost.equity == pytest.approx(-1 - 2 / 36, abs=1e-6)
    assert (won.mark, lost.mark) == ("very lucky", "very unlucky")
    assert won.points == won.equity
    assert won.mwc is None


def test_luck_in_a_match_is_a_chance_to_win_it() -> None:
    found = last_luck(record_of(set_up(PLACE), Roll(0, (6, 5)), rules=Rules(length=1)))
    assert found.mwc == pytest.approx(17 / 36, abs=1e-6)
    assert found.cost == found.mwc


def test_luck_does_not_depend_on_how_deep_decisions_are_looked_at() -> None:
    record = record_of(Roll(1, (6, 4)))
    assert level_analyst("1-ply").analyse(record).luck == level_analyst().analyse(record).luck
