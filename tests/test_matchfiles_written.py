"""What is written is read again as the same record."""

from __future__ import annotations

import doctest
import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from bgai import matchfiles
from bgai.board import Board
from bgai.errors import InputError
from bgai.events import (
    AcceptResignation,
    Beaver,
    Double,
    Event,
    Pass,
    Play,
    Raccoon,
    RefuseResignation,
    Resign,
    Roll,
    SetUp,
    StartGame,
    Take,
)
from bgai.match_play import play_match
from bgai.match_rules import Rules
from bgai.matchfiles import positions, sgf_text
from bgai.matchfiles.building import NACKGAMMON
from bgai.matchfiles.mat_writer import mat_rows
from bgai.matchfiles.reading import read_match
from bgai.matchfiles.writers import WRITERS, format_of, losses, write_match
from bgai.plays import Plays, legal_plays
from bgai.record import MatchRecord
from tests.match_players import Gambler

NAMES = [
    ("Ann", "Ben"),
    ("Zoë Ünal", "王 小明"),
    ("a : 1  b", "x : 2"),
    ('Al]ice \\ "Co": 1st', "; [Site]"),
    ("  Ann  ", "Doubles => 2"),
    ("X, 1650.22", "Game 3"),
    ("", "Takes"),
    ("Wins 2 points", "1) 31: 8/5"),
]
RULES = {
    "match": (Rules(length=5), None),
    "one point": (Rules(length=1), None),
    "no Crawford": (Rules(length=7, crawford=False), None),
    "long": (Rules(length=11, cube_limit=64), None),
    "no cube": (Rules(length=3, cube=False), None),
    "money": (Rules(), 4),
    "Jacoby": (Rules(jacoby=True), 4),
    "everything": (Rules(jacoby=True, beavers=True, raccoons=True, automatic_doubles=3), 7),
    "money without a cube": (Rules(cube=False), 2),
}


@cache
def played(name: str, seed: int) -> MatchRecord:
    rules, games = RULES[name]
    players = Gambler("Ann"), Gambler("Ben", resigns=0.02)
    record = play_match(players, rules, seed, games=games)
    return replace(record, players=NAMES[seed % len(NAMES)])


ALL = [(name, seed) for number, name in enumerate(RULES) for seed in (2 * number, 2 * number + 1)[: 1 + number % 2]]
MATCHES = pytest.mark.parametrize(("name", "seed"), ALL, ids=[f"{name} {seed}" for name, seed in ALL])
FULL = ("mat", "sgf", "json")


def again(record: MatchRecord, form: str) -> MatchRecord:
    """The record after writing and reading; nothing was wrong with the text."""
    found = read_match(write_match(record, form).encode(), f"match{WRITERS[form].suffixes[0]}")
    assert found.problems == ()
    assert found.format == form
    return found.record


def normal(record: MatchRecord) -> MatchRecord:
    """Without what no format holds: under Jacoby a resigned gammon counts as a single game."""
    events = list(record.events)
    for place, event in enumerate(events):
        if isinstance(event, AcceptResignation):
            resigned = events[place - 1]
            assert isinstance(resigned, Resign)
            game = sum(isinstance(before, StartGame) for before in events[:place]) - 1
            end = record.games[game].result
            assert end is not None
            events[place - 1] = Resign(resigned.seat, end.value)
    return MatchRecord.of(
        record.players,
        record.rules,
        events,
        score=record.score,
        post_crawford=record.post_crawford,
        comment=record.comment,
        metadata=record.metadata,
    )


def test_the_matches_have_all_that_can_happen() -> None:
    events = [event for name, seed in ALL for event in played(name, seed).events]
    assert {Beaver, Raccoon, Double, AcceptResignation} <= {type(event) for event in events}
    assert any(isinstance(event, StartGame) and event.automatic for event in events)
    assert any(isinstance(event, Play) and not event.steps for event in events)
    ends = [game.result for name, seed in ALL for game in played(name, seed).games if game.result]
    assert {(end.how, end.winner) for end in ends} == {
        (how, seat) for how in ("bear-off", "drop", "resignation") for seat in (0, 1)
    }
    assert {end.value for end in ends} == {1, 2, 3}


@pytest.mark.parametrize("form", FULL)
def test_legal_plays_are_asked_for_once_a_roll(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Most of the time of reading goes there; whoever writes knows that the plays are legal."""
    record = normal(played(*ALL[0]))
    asked: list[object] = []

    def counted(board: Board, dice: tuple[int, int]) -> Plays:
        asked.append(dice)
        return legal_plays(board, dice)

    monkeypatch.setattr("bgai.match_state.legal_plays", counted)
    text = write_match(record, form)
    assert asked == []
    told: list[tuple[int, int]] = []
    read_match(text.encode(), "", lambda done, total: told.append((done, total)))
    rolls = sum(isinstance(event, Roll | StartGame) for event in record.events)
    assert len(asked) <= rolls
    games = len(record.games)
    assert told == ([] if form == "json" else [(number, games) for number in range(1, games + 1)])


@MATCHES
def test_rows_have_the_numbers_that_are_written(name: str, seed: int) -> None:
    record = played(name, seed)
    words = {Double: "Doubles", Beaver: "Beavers", Raccoon: "Raccoons", Pass: "Drops"}
    texts = re.split(r"^ Game \d+\n", write_match(record, "mat"), flags=re.MULTILINE)[1:]
    for game, numbers, text in zip(record.games, mat_rows(record), texts, strict=True):
        lines = {int(line[:3]): line for line in text.splitlines() if re.match(r" *\d+\)", line)}
        assert numbers == sorted(numbers)
        for event, number in zip(game.events, numbers, strict=True):
            if isinstance(event, Play) and event.steps:
                start, end = event.steps[0]
                assert f" {start}/{end}" in lines[number]
            elif isinstance(event, Roll):
                assert f"{event.dice[0]}{event.dice[1]}:" in lines[number]
            elif type(event) in words:
                assert words[type(event)] in lines[number]


@pytest.mark.parametrize("form", FULL)
@MATCHES
def test_a_match_survives(name: str, seed: int, form: str) -> None:
    record = normal(played(name, seed))
    assert again(record, form) == record
    assert losses(record, form) == ()


@MATCHES
def test_snowie_text_has_the_games(name: str, seed: int) -> None:
    record = normal(replace(played(name, seed), players=("Ann", "Ben")))
    found = read_match(write_match(record, "snowie").encode(), "match.txt").record
    rules, doubles = record.rules, [game.events[0] for game in record.games]
    if rules.jacoby or any(isinstance(start, StartGame) and start.automatic for start in doubles):
        assert losses(record, "snowie")
        assert [type(event) for event in found.events] == [type(event) for event in record.events]
    else:
        assert found.events == record.events


BOARD = (0, -2, 0, 0, 0, 0, 4, 1, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0)
NACK = tuple(NACKGAMMON.tolist())
OPENED = [StartGame((3, 1)), Play(0, ((8, 5), (6, 5)))]

SETUPS: dict[str, list[Event]] = {
    "at the start": [StartGame((2, 1)), SetUp(0, BOARD), Roll(0, (3, 1)), Play(0, ((8, 5), (6, 5)))],
    "at the start, with another on roll": [StartGame((2, 1)), SetUp(1, BOARD, None, 2, 0)],
    "in place of the opening roll": [StartGame((6, 3)), SetUp(0, BOARD, None, 4, 0)],
    "with dice": [StartGame((1, 2)), SetUp(1, BOARD, (6, 6), 8, 1), Play(1, ((13, 7), (13, 7), (13, 7), (13, 7)))],
    "with other dice": [StartGame((6, 4)), SetUp(0, BOARD, (1, 3)), Play(0, ((8, 5), (6, 5)))],
    "after a roll": [*OPENED, Roll(1, (6, 3)), SetUp(0, BOARD)],
    "after a roll of the same player": [*OPENED, Roll(1, (6, 3)), SetUp(1, BOARD), Roll(1, (4, 4))],
    "out of nothing": [
        *OPENED,
        SetUp(0, BOARD, None, 2, 0),
        Double(0),
        Take(1),
        Roll(0, (2, 1)),
        Play(0, ((8, 6), (7, 6))),
    ],
    "with a beaver": [*OPENED, Double(1), Beaver(0), Take(1), Resign(1, 2), AcceptResignation(0)],
    "with a beaver that waits": [*OPENED, Double(1), Beaver(0)],
    "with a beaver that is taken at the end": [*OPENED, Double(1), Beaver(0), Take(1)],
    "with a raccoon that is dropped": [*OPENED, Double(1), Beaver(0), Raccoon(1), Pass(0), *OPENED],
    "with nothing but the roll": [StartGame((3, 1))],
    "with a roll that resigns": [*OPENED, Roll(1, (5, 5)), Resign(0, 3), AcceptResignation(1)],
}


@pytest.mark.parametrize("form", ["mat", "sgf", "snowie", "json"])
@pytest.mark.parametrize("name", SETUPS)
def test_positions_and_odd_ends_survive(name: str, form: str) -> None:
    rules = Rules(beavers=True, raccoons=True) if "beaver" in name or "raccoon" in name else Rules()
    record = MatchRecord.of(("Ann", "Ben"), rules, SETUPS[name])
    found = again(record, form)
    assert found.events == record.events
    assert found == record or form == "snowie"


def test_nackgammon_survives() -> None:
    games = [StartGame((3, 1)), SetUp(0, NACK, (3, 1)), Play(0, ((24, 23), (13, 10))), Double(1), Pass(0)]
    games += [StartGame((1, 6)), SetUp(1, NACK, (1, 6)), Play(1, ((24, 23), (13, 7)))]
    metadata = {"variation": "nackgammon"}
    record = MatchRecord.of(("Ann", "Ben"), Rules(length=3), games, metadata=metadata)
    for form in FULL:
        text = write_match(record, form)
        assert again(record, form) == record
        assert form == "json" or ("ackgammon" in text or "NackGammon" in text)
        assert form == "json" or "Illegal" not in text
        assert form == "json" or "AE[" not in text
    assert again(record, "snowie").events == record.events


def test_what_else_a_file_says_survives() -> None:
    metadata = {
        "event": 'Club "night"',
        "place": "Genève [CH]",
        "round": "1",
        "date": "2026-01-05",
        "rating 2": "1650.22",
    }
    for form, more in (
        ("mat", {"time": "10:15", "match id": "77"}),
        ("sgf", {"transcriber": "me"}),
        ("json", {"X": "y"}),
    ):
        record = MatchRecord.of(
            ("Ann", "Ben"),
            Rules(length=9),
            [*OPENED, Double(1)],
            score=(8, 3),
            post_crawford=True,
            comment="two\nlines: ] \\ end",
            metadata=metadata | more,
        )
        assert again(record, form) == record
        assert losses(record, form) == ()


def test_remarks_on_events_survive_in_sgf() -> None:
    comments = {(0, 1): "good] \\ play", (0, 2): "two\nlines"}
    record = MatchRecord.of(("Ann", "Ben"), Rules(), [*OPENED, Double(1), Pass(0)], comments=comments)
    assert again(record, "sgf") == record
    assert losses(record, "sgf") == ()
    assert [str(loss) for loss in losses(record, "mat")] == ["2 remarks on single events are left out"]


@pytest.mark.parametrize(
    ("record", "form", "lost"),
    [
        (
            MatchRecord.of(("Ann", "Ben"), Rules(), [*OPENED, Resign(1, 1), RefuseResignation(0), Roll(1, (6, 1))]),
            "mat",
            ["game 1: a resignation that was refused is left out"],
        ),
        (
            MatchRecord.of(("Ann", "Ben"), Rules(), [*OPENED, Resign(1, 1)]),
            "sgf",
            ["game 1: a resignation that waits for an answer is left out"],
        ),
        (
            MatchRecord.of(("Ann", "Ben"), Rules(jacoby=True), [*OPENED, Resign(1, 2), AcceptResignation(0)]),
            "sgf",
            ["game 1: the resignation is written as what it counted, a single game"],
        ),
        (
            MatchRecord.of(("Ann\nB", "Ben"), Rules(jacoby=True), OPENED, metadata={"event": "x"}, comment="y"),
            "snowie",
            [
                "the name 'Ann\\nB' is written on one line",
                "the text does not say: Jacoby",
                "the text has no place for: event, comment",
            ],
        ),
        (
            MatchRecord.of(("Ann", "Ben"), Rules(), OPENED, metadata={"a\nb": "x", "weather": "fine"}),
            "mat",
            ["'a\\nb' is left out: it has no place in a tag"],
        ),
        (
            MatchRecord.of(("Ann", "Ben"), Rules(), OPENED, metadata={"weather": "x"}),
            "sgf",
            ["SGF has no place for: weather"],
        ),
    ],
)
def test_what_gets_lost_is_said(record: MatchRecord, form: str, lost: list[str]) -> None:
    assert [str(loss) for loss in losses(record, form)] == lost
    found = read_match(write_match(record, form).encode())
    expected = [event for event in record.events if not isinstance(event, RefuseResignation)]
    assert len(found.record.events) in (len(expected), len(expected) - 1)


def test_formats_by_name_and_by_suffix() -> None:
    assert [format_of(name) for name in ("a.MAT", "b.gam", "c.sgf", "d.txt", "e.json")] == [
        "mat",
        "mat",
        "sgf",
        "snowie",
        "json",
    ]
    with pytest.raises(InputError, match=r"^expected a format that is written \(mat, sgf, snowie, json\), found 'xg'$"):
        write_match(MatchRecord.of(("Ann", "Ben"), Rules(), OPENED), "xg")


def test_the_examples_are_true() -> None:
    for module in (matchfiles, positions, sgf_text):
        failed, attempted = doctest.testmod(module)
        assert (failed, attempted > 0) == (0, True)
    failed, attempted = doctest.testfile(
        str(Path(__file__).parents[1] / "docs" / "matchfiles.md"), module_relative=False
    )
    assert (failed, attempted > 0) == (0, True)
