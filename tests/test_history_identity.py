"""What counts as the same match, the same player, the same question."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from bgai.events import Double, Event, Pass, Play, Roll, StartGame, Take
from bgai.history.identity import depth_of, digest_of, key_of, name_of, played_on
from bgai.match_rules import Rules
from bgai.record import MatchRecord
from tests.histories import SHORT, analysis_of, short_record, whole_record


@pytest.mark.parametrize("spelling", ["Ann Smith", "ann smith", "  ANN \t Smith ", "Ａnn Smith"])
def test_spellings_of_a_name(spelling: str) -> None:
    assert key_of(spelling) == key_of("Ann Smith")


def test_accents_may_be_composed_or_not() -> None:
    assert key_of("Jose\u0301") == key_of("Jos\u00e9") != key_of("Jose")


def test_names_keep_their_letters() -> None:
    assert name_of("  Ann \n Smith") == "Ann Smith"
    assert name_of(" ") == "nameless"


def test_a_match_is_the_same_whatever_else_its_file_says() -> None:
    record = short_record()
    other = replace(
        short_record(("ANN", " Ben")), comment="a fine match", metadata={"event": "Club night", "date": "2026-03-01"}
    )
    assert digest_of(record) == digest_of(other)


def test_dice_and_steps_may_stand_in_any_order() -> None:
    def turned(event: Event) -> Event:
        if isinstance(event, Roll):
            return Roll(event.seat, event.dice[::-1])
        return Play(event.seat, event.steps[::-1]) if event == SHORT[1] else event

    other = MatchRecord.of(("Ann", "Ben"), Rules(length=7), [turned(event) for event in SHORT])
    assert other != short_record()
    assert digest_of(other) == digest_of(short_record())


@pytest.mark.parametrize(
    "other",
    [
        short_record(("Ben", "Ann")),
        short_record(length=9),
        MatchRecord.of(("Ann", "Ben"), Rules(length=7), SHORT[:-1]),
        MatchRecord.of(("Ann", "Ben"), Rules(length=7), SHORT, score=(1, 0)),
        MatchRecord.of(("Ann", "Ben"), Rules(length=7), [StartGame((3, 1)), *SHORT[1:2], Double(1), Take(0)]),
        MatchRecord.of(("Ann", "Ben"), Rules(length=7), [StartGame((3, 1)), *SHORT[1:2], Double(1), Pass(0)]),
    ],
    ids=["seats", "length", "shorter", "score", "taken", "passed"],
)
def test_other_matches_are_others(other: MatchRecord) -> None:
    assert digest_of(other) != digest_of(short_record())


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2026-03-01", date(2026, 3, 1)),
        ("2026.3.1", date(2026, 3, 1)),
        ("2026/03/01 20:15", date(2026, 3, 1)),
        ("last Sunday", None),
        ("2026-13-01", None),
        ("", None),
    ],
)
def test_the_day_of_a_match(text: str, day: date | None) -> None:
    assert played_on(short_record(date=text)) == day


def test_depth_is_that_of_decisions_that_were_free() -> None:
    analysis = analysis_of(whole_record(1), plies=2)
    assert any(decision.forced for decision in analysis.decisions)
    flat = [replace(one, choices=(replace(one.best, plies=0),)) if one.forced else one for one in analysis.decisions]
    assert depth_of(replace(analysis, decisions=tuple(flat))) == 2
    assert depth_of(replace(analysis, decisions=())) == 0
