"""Matches in the history: what is kept, what is replaced, and that all figures are those of the analyses."""

from __future__ import annotations

import doctest
import json
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest

import bgai.history
from bgai.analysis.analysis import Analysis
from bgai.analysis.statistics import Total
from bgai.errors import InputError
from bgai.history import open_history
from bgai.history.place import data_folder, url_of
from bgai.history.store import History
from tests.histories import analysis_of, short_record, some_analyses, whole_record

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
TODAY = NOW.date()
ANN_BEN = some_analyses(4)


@pytest.fixture
def history(tmp_path: Path) -> Iterator[History]:
    with open_history(str(tmp_path / "history.sqlite")) as opened:
        yield opened


@pytest.fixture(scope="module")
def four(tmp_path_factory: pytest.TempPathFactory) -> Iterator[History]:
    """Four matches of Ann and Ben; nothing is written to it."""
    with open_history(str(tmp_path_factory.mktemp("four") / "history.sqlite")) as opened:
        remembered(opened, *ANN_BEN)
        yield opened


def remembered(history: History, *analyses: Analysis) -> None:
    for analysis in analyses:
        history.remember(analysis, now=NOW)


def same(found: Total, expected: Total) -> bool:
    return found.decisions == expected.decisions and [found.loss, found.cost] == pytest.approx(
        [expected.loss, expected.cost], rel=1e-12, abs=1e-12
    )


def test_examples() -> None:
    page = Path(__file__).parents[1] / "docs" / "history.md"
    for outcome in (doctest.testmod(bgai.history), doctest.testfile(str(page), module_relative=False)):
        assert outcome.attempted > 1
        assert outcome.failed == 0


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("analysis", [ANN_BEN[0], analysis_of(short_record(), seed=5)], ids=["whole", "cube"])
def test_the_figures_of_a_match_are_those_of_its_analysis(history: History, analysis: Analysis, seat: int) -> None:
    remembered(history, analysis)
    expected = analysis.statistics()[seat]
    found = history.development(analysis.record.players[seat])
    (match,) = found.matches
    assert same(match.checker.total, expected.checker)
    assert same(match.cube.total, expected.cube)
    assert (match.checker.marks, match.cube.marks) == (expected.checker_marks, expected.cube_marks)
    assert match.all.pr == pytest.approx(expected.pr)
    assert found.faults.keys() == expected.faults.keys()
    assert all(same(total, expected.faults[fault]) for fault, total in found.faults.items())
    assert expected.checker.loss > 0


def test_many_matches_are_added_up(four: History) -> None:
    found = four.development("Ann")
    all_of = [one.statistics()[0].all for one in ANN_BEN]
    assert same(found.together.all, sum(all_of[1:], all_of[0]))
    assert found.rolling(2) == pytest.approx(
        [all_of[0].pr, *((first + second).pr for first, second in pairwise(all_of))]
    )
    assert found.rolling(1) == pytest.approx([one.pr for one in all_of])


def test_game_plans_add_up_to_all_plays(four: History) -> None:
    found = four.development("Ben")
    plans = list(found.plans.values())
    assert same(sum((one.total for one in plans), Total()), found.together.checker.total)
    assert len(plans) > 3
    assert [one.total.loss for one in plans] == sorted((one.total.loss for one in plans), reverse=True)


def test_a_plan_is_that_of_the_position(history: History) -> None:
    """After both sides have run home there is a race, which nobody calls a blitz."""
    remembered(history, ANN_BEN[0])
    races = [
        one
        for one in ANN_BEN[0].decisions
        if one.kind == "play" and one.seat == 0 and not one.forced and history_plan(one.position.board) != "contact"
    ]
    plans = history.development("Ann").plans
    assert races
    assert sum(plans[name].total.decisions for name in ("race", "bear-off") if name in plans) == len(races)


def history_plan(board: object) -> str:
    """Without any checker to pass: seen from the board alone."""
    numbers = [int(count) for count in board]  # type: ignore[attr-defined]
    own = [point for point, count in enumerate(numbers) if count > 0]
    other = [point for point, count in enumerate(numbers) if count < 0]
    return "contact" if own and other and max(own) > min(other) else "race"


def test_opponents_are_told_apart(history: History) -> None:
    cat = [analysis_of(whole_record(seed, ("Cat", "Ann"), date="2026-04-01"), seed) for seed in (11, 12)]
    remembered(history, *ANN_BEN[:3], *cat)
    found = history.development("Ann")
    assert [(name, group.matches) for name, group in found.opponents.items()] == [("Ben", 3), ("Cat", 2)]
    expected = cat[0].statistics()[1].all + cat[1].statistics()[1].all
    assert same(found.opponents["Cat"].all, expected)
    assert [one.opponent for one in history.development("Ann", "cat").matches] == ["Cat", "Cat"]
    assert same(history.development("Ann", "cat").together.all, expected)
    won = sum(one.record.final.winner == 1 for one in cat)
    assert (found.opponents["Cat"].won, found.opponents["Cat"].lost) == (won, 2 - won)


def test_matches_stand_in_the_order_in_which_they_were_played(history: History) -> None:
    remembered(history, *reversed(ANN_BEN))
    assert [one.played.day for one in history.development("Ann").matches] == [1, 2, 3, 4]
    assert [one.match for one in history.development("Ann").matches] == [4, 3, 2, 1]


def test_matches_since_a_day(four: History) -> None:
    found = four.development("Ann", since=date(2026, 3, 3))
    assert [one.played.day for one in found.matches] == [3, 4]
    assert same(found.together.all, ANN_BEN[2].statistics()[0].all + ANN_BEN[3].statistics()[0].all)
    with pytest.raises(
        InputError, match="no match of Ann against Ben since 2026-04-01, the history has 4 from 2026-03"
    ):
        four.development("Ann", "Ben", date(2026, 4, 1))


def test_without_a_date_the_day_is_that_of_the_analysis(history: History) -> None:
    remembered(history, analysis_of(whole_record(1)))
    assert history.development().matches[0].played == TODAY
    history.remember(analysis_of(whole_record(1), 2), now=NOW + timedelta(days=3))
    assert history.development().matches[0].played == TODAY


def test_somebody_who_plays_alone_has_both_seats(history: History) -> None:
    analysis = analysis_of(whole_record(1, ("bgai", "bgai")))
    remembered(history, analysis)
    found = history.development()
    statistics = analysis.statistics()
    assert (found.together.won, found.together.lost) == (1, 1)
    assert same(found.together.all, statistics[0].all + statistics[1].all)


# The same match again


def test_the_same_match_at_the_same_level_replaces(history: History) -> None:
    record = whole_record(1)
    first, second = analysis_of(record, 1), analysis_of(replace(record, comment="again"), 2)
    assert history.remember(first, source="a.mat", now=NOW).what == "added"
    again = history.remember(second, now=NOW)
    assert (again.match, again.what) == (1, "replaced")
    (match,) = history.development("Ann").matches
    assert same(match.all, second.statistics()[0].all)
    assert history.analysis(1) == second


def test_a_deeper_analysis_replaces_and_a_shallower_one_does_not(history: History) -> None:
    record = whole_record(1)
    shallow = analysis_of(record, 1, level="0-ply", plies=0)
    deep = analysis_of(record, 2, level="2-ply", plies=2)
    history.remember(shallow, now=NOW)
    assert history.remember(deep, now=NOW).what == "replaced"
    assert history.remember(shallow, now=NOW).what == "deeper already"
    assert history.analysis(1) == deep
    assert same(history.development("Ann").together.all, deep.statistics()[0].all)


def test_the_whole_analysis_is_kept(history: History) -> None:
    remembered(history, *ANN_BEN[:2])
    assert [history.analysis(number) for number in (1, 2)] == ANN_BEN[:2]
    with pytest.raises(InputError, match="no match 3 in the history"):
        history.analysis(3)


def test_every_decision_and_game_has_a_row(history: History, tmp_path: Path) -> None:
    analysis = analysis_of(short_record())
    remembered(history, analysis)
    rows = sqlite3.connect(tmp_path / "history.sqlite")
    try:
        decisions = rows.execute(
            "SELECT game, event, seat, kind, loss, mwc_loss, mark, fault, best, made, counted, close FROM decisions"
        ).fetchall()
        games = rows.execute("SELECT winner, points, how, result FROM games ORDER BY number").fetchall()
    finally:
        rows.close()
    assert decisions == [
        (
            one.game, one.event, one.seat, one.kind, one.loss, one.mwc_loss, one.mark, one.fault, one.best.text,
            one.chosen.text, one.counted, one.close,
        )
        for one in analysis.decisions
    ]  # fmt: skip
    assert games == [(0, 4, "resignation", 0.4), (0, 1, "drop", 0.1)]


def test_a_match_without_games_is_kept_too(history: History) -> None:
    empty = replace(short_record(), games=())
    remembered(history, analysis_of(empty))
    assert history.development("Ann").together.all.pr is None
    assert history.development("Ann").rolling() == [None]


# Players


def test_names_in_other_spellings_are_the_same_player(history: History) -> None:
    remembered(history, ANN_BEN[0], analysis_of(whole_record(9, (" ANN", "ben"))))
    assert [(player.name, player.matches) for player in history.players()] == [("Ann", 2), ("Ben", 2)]
    assert history.development("aNN ").player == "Ann"


def test_whoever_has_most_matches_is_meant(history: History) -> None:
    remembered(history, ANN_BEN[0], analysis_of(whole_record(9, ("Cat", "Ben"))))
    assert history.development().player == "Ben"


def test_an_unknown_player_is_told_who_there_is(history: History) -> None:
    with pytest.raises(InputError, match="the history is empty, expected matches that bgai analyse"):
        history.development("Dan")
    remembered(history, ANN_BEN[0], analysis_of(whole_record(9, ("Cat", "Ben"))))
    with pytest.raises(
        InputError, match=r"no player 'Dan', expected Ben \(2\), Cat \(1\), Ann \(1\) \(with the number"
    ):
        history.development("Dan")


def test_a_name_can_be_made_a_spelling_of_a_player(history: History) -> None:
    other = analysis_of(whole_record(9, ("A. Smith", "Cat")), 9)
    remembered(history, ANN_BEN[0], other)
    assert history.join("a. SMITH", "ann").matches == 2
    found = history.development("A. Smith")
    assert (found.player, len(found.matches)) == ("Ann", 2)
    assert same(found.together.all, ANN_BEN[0].statistics()[0].all + other.statistics()[0].all)
    remembered(history, analysis_of(whole_record(10, ("A. Smith", "Cat"))))
    assert history.player("Ann").matches == 3
    assert {player.name for player in history.players()} == {"Ann", "Ben", "Cat"}
    with pytest.raises(InputError, match="the same player already"):
        history.join("A. Smith", "Ann")


def test_joined_players_share_their_problems(history: History) -> None:
    """The same position in matches of both stays one problem."""
    record = whole_record(1)
    remembered(history, analysis_of(record, 1), analysis_of(replace(record, players=("A. Smith", "Cat")), 1))
    before = history.count(history.player("Ann"), TODAY)[0]
    assert before == history.count(history.player("A. Smith"), TODAY)[0] > 0
    history.join("A. Smith", "Ann")
    assert history.count(history.player("Ann"), TODAY)[0] == before


# Forgetting


def test_a_forgotten_match_leaves_nothing(history: History, tmp_path: Path) -> None:
    remembered(history, *ANN_BEN[:2])
    assert history.forget(1) == "Ann and Ben"
    assert [one.match for one in history.development("Ann").matches] == [2]
    rows = sqlite3.connect(tmp_path / "history.sqlite")
    try:
        for table in ("seats", "games", "decisions", "cards"):
            (numbers,) = (rows.execute(f"SELECT group_concat(DISTINCT match_id) FROM {table}").fetchone(),)
            assert numbers == ("2",), table
    finally:
        rows.close()
    with pytest.raises(InputError, match="no match 1 in the history, expected one of the numbers"):
        history.forget(1)


# Problems


def blunders(analysis: Analysis, seat: int) -> set[tuple[str, str]]:
    return {
        (one.kind, one.chosen.text)
        for one in analysis.decisions
        if one.seat == seat and one.mark in ("bad", "very bad") and not one.kind.startswith("resignation")
    }


@pytest.mark.parametrize(("seat", "name"), [(0, "Ann"), (1, "Ben")])
def test_bad_decisions_become_problems_of_who_made_them(history: History, seat: int, name: str) -> None:
    remembered(history, ANN_BEN[0])
    cards = history.due(history.player(name), TODAY, 1000)
    assert {(card.problem.kind, card.problem.made) for card in cards} == blunders(ANN_BEN[0], seat)
    assert {"play", "double"} <= {card.problem.kind for card in cards}
    for card in cards:
        problem = card.problem
        assert problem.source.startswith("Ann - Ben, 2026-03-01, game 1")
        decision = next(
            one for one in ANN_BEN[0].decisions if one.position == problem.position and one.kind == problem.kind
        )
        assert problem.choices == decision.choices


def test_answers_move_a_problem_and_survive_a_new_analysis(history: History) -> None:
    remembered(history, ANN_BEN[0])
    ann = history.player("Ann")
    card, *others = history.due(ann, TODAY, 1000)
    schedule = history.answer(card, 5, TODAY)
    assert schedule.due == TODAY + timedelta(days=1)
    assert card.number not in [one.number for one in history.due(ann, TODAY, 1000)]
    assert history.count(ann, TODAY) == (1 + len(others), len(others), schedule.due)
    remembered(history, ANN_BEN[0])
    again = next(one for one in history.due(ann, schedule.due, 1000) if one.number == card.number)
    assert (again.schedule, again.answers, again.right) == (schedule, 1, 1)
    assert history.answer(again, 0, schedule.due).repetitions == 0
    (last,) = [one for one in history.due(ann, TODAY + timedelta(days=9), 1000) if one.number == card.number]
    assert (last.answers, last.right) == (2, 1)


def test_problems_follow_the_analysis_that_counts(history: History) -> None:
    record = whole_record(1, date="2026-03-01")
    remembered(history, analysis_of(record, 1))
    ann = history.player("Ann")
    before = {card.problem.digest: card.number for card in history.due(ann, TODAY, 1000)}
    second = analysis_of(record, 2)
    remembered(history, second)
    cards = history.due(ann, TODAY, 1000)
    assert {(card.problem.kind, card.problem.made) for card in cards} == blunders(second, 0)
    stayed = [card for card in cards if card.problem.digest in before]
    assert 0 < len(stayed) < len(before)
    assert all(card.number == before[card.problem.digest] for card in stayed)


def test_the_longest_overdue_problem_comes_first(history: History) -> None:
    remembered(history, ANN_BEN[0])
    ann = history.player("Ann")
    first, second, *_ = history.due(ann, TODAY, 1000)
    history.answer(second, 0, TODAY)
    history.answer(first, 0, TODAY + timedelta(days=1))
    numbers = [card.number for card in history.due(ann, TODAY + timedelta(days=5), 1000)]
    assert numbers[-2:] == [second.number, first.number]
    assert len(history.due(ann, TODAY, 3)) == 3


def test_a_problem_that_is_gone_cannot_be_answered(history: History) -> None:
    remembered(history, ANN_BEN[0])
    card = history.due(history.player("Ann"), TODAY, 1)[0]
    history.forget(1)
    with pytest.raises(InputError, match="no longer in the history"):
        history.answer(card, 5, TODAY)


# Out and in again


def test_an_export_makes_the_same_history_elsewhere(history: History, tmp_path: Path) -> None:
    remembered(history, *ANN_BEN[:2], analysis_of(whole_record(9, ("A. Smith", "Cat"))))
    history.join("A. Smith", "Ann")
    ann = history.player("Ann")
    history.answer(history.due(ann, TODAY, 1)[0], 5, TODAY)
    text = "".join(history.export())
    with open_history(str(tmp_path / "other.sqlite")) as other:
        assert [one.what for one in other.read(text, source="export.json")] == ["added"] * 3
        assert "".join(other.export()) == text
        assert other.development("A. Smith") == history.development("Ann")
        assert other.count(other.player("Ann"), TODAY) == history.count(ann, TODAY)
        assert [one.what for one in other.read(text, source="export.json")] == ["replaced"] * 3
        assert "".join(other.export()) == text


def test_the_json_of_an_analysis_is_read(history: History) -> None:
    data = {"version": 1, **ANN_BEN[0].to_dict()}
    (found,) = history.read(json.dumps(data), source="match.json", now=NOW)
    assert (found.match, found.what) == (1, "added")
    assert history.analysis(1) == ANN_BEN[0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("not JSON", "expected JSON"),
        ("[1]", "expected the JSON of an analysis or of bgai history export"),
        ('{"bgai_history": 2}', "expected an export of format 1, found 2"),
        ('{"bgai_history": 1, "matches": [], "problems": []}', "expected matches, problems and spellings"),
        ('{"bgai_history": 1, "matches": [5], "problems": [], "spellings": {}}', "expected an analysis, found '5'"),
        ('{"bgai_history": 1, "matches": [], "problems": [{}], "spellings": {}}', "'due' is missing"),
        ('{"record": {}, "decisions": []}', "expected an analysis of format 1, found None"),
    ],
)
def test_what_is_no_export_is_refused(history: History, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        history.read(text, source="x")


# Where it lies


def test_where_the_history_lies(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("BGAI_DATA", "BGAI_DB", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert data_folder() == tmp_path / ".local" / "share" / "bgai"
    monkeypatch.setenv("XDG_DATA_HOME", "/xdg")
    assert data_folder() == Path("/xdg/bgai")
    monkeypatch.setenv("BGAI_DATA", "/data")
    assert url_of() == "sqlite:////data/history.sqlite"
    monkeypatch.setenv("BGAI_DB", "postgresql://somewhere/else")
    assert url_of() == "postgresql://somewhere/else"
    assert url_of("here.sqlite") == "sqlite:///here.sqlite"


def test_remember_needs_no_history_to_be_open(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("BGAI_DB", raising=False)
    monkeypatch.setenv("BGAI_DATA", str(tmp_path / "new" / "folder"))
    assert bgai.history.remember(ANN_BEN[0], source=Path("a.mat")).what == "added"
    with open_history(create=False) as history:
        assert history.development("Ann").matches[0].match == 1
