"""Decisions whose cost can be counted by hand, and that analyses do not depend on how they are made."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bgai.analysis import Analysis, Decision, MatchAnalyst, Rollouts, analyse_play
from bgai.analysis.kept import Kept, file_for
from bgai.analysis.match import Stage
from bgai.analyst import Analyst
from bgai.board import result
from bgai.catalogue import open_model
from bgai.dice import ROLLS
from bgai.errors import InputError, PlayError, PositionError
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
from bgai.levels import read_level
from bgai.match_rules import Rules
from bgai.opinions import ROLLED
from bgai.plays import legal_plays
from bgai.position import Position
from bgai.record import MatchRecord
from bgai.rollout import Settings as RolloutSettings
from tests.analysed import (
    OPENING,
    checkers,
    committed_analysis,
    committed_match,
    decisions,
    level_analyst,
    record_of,
    same,
    set_up,
)

LAST_ROLL = {"p5": 1, "p2": 1, "p24": -1}
"""Who rolls bears off both checkers with 19 rolls of 36 and has lost otherwise."""


def winning_rolls(**places: int) -> int:
    """With how many of the 36 rolls the player on roll bears off at once."""
    board = np.array(checkers(**places), dtype=np.int8)
    return sum(
        (1 if high == low else 2)
        for high, low in ROLLS
        if any(result(b) for b in legal_plays(board, (high, low)).successors)
    )


def only(record: MatchRecord, level: str = "0-ply") -> Decision:
    (found,) = decisions(record, level)
    return found


@pytest.mark.parametrize("level", ["0-ply", "1-ply"])
def test_a_play_in_the_bear_off_costs_what_can_be_counted(level: str) -> None:
    """The opponent has three checkers on its ace point: it needs two rolls, but for doubles. A match to one point."""
    record = record_of(set_up({"p5": 1, "p2": 1, "p24": -3}, (2, 1)), Play(0, ((5, 3), (3, 2))), rules=Rules(length=1))
    found = only(record, level)
    best, made = winning_rolls(p4=1, p24=-3), winning_rolls(p2=2, p24=-3)
    assert (best, made) == (34, 26)
    assert found.kind == "play"
    assert found.seat == 0
    assert not found.forced
    assert found.best.outcomes is not None
    assert found.best.outcomes[0] == pytest.approx(30 / 36 * best / 36, abs=1e-6)
    assert found.mwc_loss == pytest.approx(30 / 36 * (best - made) / 36, abs=1e-6)
    assert found.loss == pytest.approx(2 * 30 / 36 * (best - made) / 36, abs=1e-6)
    assert found.mark == "very bad"


def test_a_double_and_a_pass_at_the_last_roll() -> None:
    """19 of 36 rolls win: the double gains 2/36, and whoever passes gives up 1 - 4/36."""
    assert winning_rolls(**LAST_ROLL) == 19
    double, answer = decisions(record_of(set_up(LAST_ROLL), Double(0), Pass(1)))
    assert (double.kind, double.chosen.text, double.loss, double.fault) == ("double", "double", 0, None)
    assert double.cube is not None
    assert (double.cube.action, double.cube.answer) == ("double", "take")
    assert double.cube.no_double == pytest.approx(2 / 36, abs=1e-6)
    assert (answer.kind, answer.seat, answer.fault) == ("answer", 1, "wrong pass")
    assert [choice.text for choice in answer.choices] == ["take", "pass"]
    assert [choice.equity for choice in answer.choices] == pytest.approx([-4 / 36, -1], abs=1e-6)
    assert answer.loss == pytest.approx(1 - 4 / 36, abs=1e-6)
    assert answer.cost == pytest.approx(1 - 4 / 36, abs=1e-6)


def test_a_double_that_was_missed() -> None:
    found = only(record_of(set_up(LAST_ROLL), Roll(0, (2, 1))))
    assert (found.kind, found.chosen.text, found.fault, found.mark) == (
        "double",
        "no double",
        "missed double",
        "doubtful",
    )
    assert found.loss == pytest.approx(2 / 36, abs=1e-6)
    assert found.close
    assert found.counted


def test_costs_are_those_of_the_cube_at_stake() -> None:
    cube = SetUp(0, checkers(**LAST_ROLL), None, 4, 0)
    found = only(record_of(cube, Roll(0, (2, 1))))
    assert found.loss == pytest.approx(2 / 36, abs=1e-6)
    assert found.cost == pytest.approx(4 * 2 / 36, abs=1e-6)


def test_a_dead_cube() -> None:
    """At 1-away, 2-away after the Crawford game the leader cannot use the cube, and gives away the match with it."""
    rules, score = Rules(length=3), (2, 1)
    start: list[Event] = [*OPENING, set_up(LAST_ROLL)]
    rolled = MatchRecord.of(("Ann", "Ben"), rules, [*start, Roll(0, (2, 1))], score=score, post_crawford=True)
    assert decisions(rolled) == []
    doubled = MatchRecord.of(("Ann", "Ben"), rules, [*start, Double(0), Take(1)], score=score, post_crawford=True)
    double, answer = decisions(doubled)
    # Lost with 17 rolls: 1-away, 1-away without the double.
    assert double.mwc_loss == pytest.approx(17 / 36 * 0.5, abs=1e-6)
    assert double.loss == pytest.approx(2 * 17 / 36, abs=1e-6)
    assert double.fault == "wrong double"
    assert double.close
    assert (answer.best.text, answer.loss) == ("take", 0)


def test_nobody_decides_about_the_cube_in_the_crawford_game() -> None:
    rules, score = Rules(length=3), (2, 0)
    events = (set_up(LAST_ROLL), Roll(0, (2, 1)), Play(0, ((5, 3), (2, 1))))
    (found,) = decisions(record_of(*events, rules=rules, score=score))
    assert found.kind == "play"
    trailer = (set_up(LAST_ROLL, seat=1), Roll(1, (2, 1)))
    assert decisions(record_of(*trailer, rules=rules, score=score)) == []
    after = MatchRecord.of(("Ann", "Ben"), rules, [*record_of(*trailer).events], score=score, post_crawford=True)
    (found,) = decisions(after)
    assert (found.kind, found.seat, found.fault) == ("double", 1, "missed double")


def test_too_good_to_double() -> None:
    """Ben has not borne off a checker and Ann has nearly finished: with a centred cube she plays on for the gammon."""
    too_good = {"p1": 2, "p2": 2, "p13": -13, "p18": -2}
    double, answer = decisions(record_of(set_up(too_good), Double(0), Take(1)))
    assert double.cube is not None
    assert (double.cube.action, double.fault) == ("too good", "too good to double")
    assert double.loss == pytest.approx(double.cube.no_double - 1)
    assert double.loss > 0.5
    assert (answer.fault, answer.best.text) == ("wrong take", "pass")


def test_beavers() -> None:
    """17 of 36: the double is wrong, the beaver right; a take that could have been a beaver gives up half of it."""
    board = {"p5": 1, "p3": 1, "p24": -1}
    wins = winning_rolls(**board)
    assert wins == 14
    rules = Rules(beavers=True, raccoons=True)
    edge = (36 - 2 * wins) / 36
    double, answer = decisions(record_of(set_up(board), Double(0), Take(1), rules=rules))
    assert double.loss == pytest.approx(4 * edge - edge, abs=1e-6)
    assert [choice.text for choice in answer.choices] == ["beaver", "take", "pass"]
    assert answer.fault == "missed beaver"
    assert answer.loss == pytest.approx(2 * edge, abs=1e-6)
    _, beaver, raccoon, take = decisions(
        record_of(set_up(board), Double(0), Beaver(1), Raccoon(0), Take(1), rules=rules)
    )
    assert (beaver.fault, beaver.loss) == (None, 0)
    # Per unit of the cube of 2 that the beaver offers to double.
    assert raccoon.fault == "wrong raccoon"
    by_text = {choice.text: choice.equity for choice in raccoon.choices}
    assert by_text["take"] == pytest.approx(-2 * edge, abs=1e-6)
    assert by_text["raccoon"] == pytest.approx(-4 * edge, abs=1e-6)
    assert (take.fault, take.seat) == (None, 1)
    assert take.chosen.equity == pytest.approx(2 * edge, abs=1e-6)


def test_resignations() -> None:
    """Ann cannot win, and cannot lose a gammon: a single game is right, more is wrong, and is to be accepted."""
    lost = {"p6": 5, "p24": -1}
    resigns, accepts = decisions(record_of(set_up(lost), Resign(0, 1), AcceptResignation(1)))
    assert (resigns.kind, resigns.loss, accepts.kind, accepts.loss) == ("resignation", 0, "resignation answer", 0)
    resigns, accepts = decisions(record_of(set_up(lost), Resign(0, 2), AcceptResignation(1)))
    assert resigns.loss == pytest.approx(1, abs=1e-3)
    assert accepts.loss == 0
    resigns, refuses = decisions(record_of(set_up(lost), Resign(0, 2), RefuseResignation(1)))
    assert refuses.loss == pytest.approx(1, abs=1e-3)
    assert refuses.best.text == "accept"


def test_a_resignation_of_what_is_won() -> None:
    won = {"p1": 1, "p24": -2}
    resigns, accepts = decisions(record_of(set_up(won), Resign(0, 1), AcceptResignation(1)))
    assert resigns.best.text == "play on"
    assert resigns.loss == pytest.approx(2)
    assert accepts.loss == 0


def test_a_turn_with_a_position_that_was_set_up_is_left_out() -> None:
    """So a false play is written: the roll, and the position after it."""
    after = SetUp(0, checkers(p6=5, p8=3, p13=5, p24=2, p1=-2, p12=-5, p17=-3, p19=-5))
    record = record_of(Roll(1, (6, 1)), after, Roll(0, (3, 1)), Play(0, ((8, 5), (6, 5))))
    analysis = level_analyst().analyse(record)
    # Ben's question whether to double is left, and Ann's turn.
    assert [(one.event, one.kind, one.seat) for one in analysis.decisions[1:]] == [
        (2, "double", 1),
        (4, "double", 0),
        (5, "play", 0),
    ]
    assert [one.event for one in analysis.luck] == [0, 2, 4]


def test_every_kind_of_decision_of_a_match_is_found() -> None:
    record, analysis = committed_match(), committed_analysis()
    events = record.events
    plays = [one for one in analysis.decisions if one.kind == "play"]
    assert len(plays) == sum(isinstance(event, Play) for event in events)
    assert sum(one.kind == "answer" for one in analysis.decisions) == sum(isinstance(e, Take | Pass) for e in events)
    assert len(analysis.luck) == sum(isinstance(event, Roll | StartGame) for event in events)
    assert [one.legal == 1 for one in plays] == [one.forced for one in plays]
    assert any(one.forced for one in plays)
    assert any(not one.chosen.text for one in plays)
    for one in analysis.decisions:
        event = record.games[one.game].events[one.event]
        assert event.seat == one.seat
        if isinstance(event, Play):
            assert one.chosen.steps is not None
            assert one.position.dice is not None
        assert one.best.plies == one.chosen.plies
        assert [choice.equity for choice in one.choices] == sorted((c.equity for c in one.choices), reverse=True)


def test_a_play_is_looked_at_as_deeply_as_the_best() -> None:
    """One that the filter leaves behind at 0-ply."""
    analyst = Analyst.of(plies=1, filter="tiny")
    found = analyse_play(analyst, Position(dice=(3, 1)), "24/23 6/3")
    ranked = analyst.rank([Position(dice=(3, 1))])
    assert sorted(set(ranked.plies.tolist())) == [0, 1]
    assert found.best.plies == found.chosen.plies == 1
    assert found.loss > 0.12
    wide = Analyst.of(plies=1, filter="huge").rank([Position(dice=(3, 1))])
    assert found.chosen.equity in [equity for equity, plies in zip(wide.equities, wide.plies, strict=True) if plies]


def test_a_play_that_was_not_made_is_named() -> None:
    found = analyse_play(Analyst.of(), Position(dice=(3, 1)), "8/5 6/5")
    assert (found.made, found.loss, found.mark) == (0, 0, "")
    with pytest.raises(PlayError, match="not a legal play"):
        analyse_play(Analyst.of(), Position(dice=(3, 1)), "8/4 6/5")
    with pytest.raises(PositionError, match="there is no roll"):
        analyse_play(Analyst.of(), Position(), "8/5 6/5")


def test_a_level_that_errs_is_no_judge() -> None:
    with pytest.raises(InputError, match="'beginner' errs on purpose"):
        level_analyst("beginner")


def first_game() -> MatchRecord:
    record = committed_match()
    return MatchRecord.of(record.players, record.rules, record.games[0].events)


def test_threads_change_nothing() -> None:
    analyst = level_analyst("1-ply")
    assert same(analyst.analyse(first_game(), threads=1), analyst.analyse(first_game(), threads=2))


def test_json_and_back() -> None:
    analysis = replace(committed_analysis(), problems=("line 3: odd",))
    data = json.loads(json.dumps(analysis.to_dict()))
    assert same(Analysis.from_dict(data), analysis)
    with pytest.raises(InputError, match="expected an analysis of format 1, found 7"):
        Analysis.from_dict(data | {"format": 7})
    with pytest.raises(InputError, match="'luck' is missing"):
        Analysis.from_dict({key: value for key, value in data.items() if key != "luck"})
    damaged = data | {"decisions": [data["decisions"][0] | {"game": 9}]}
    with pytest.raises(InputError, match="not an analysis of a match"):
        Analysis.from_dict(damaged)


@pytest.mark.parametrize(
    "record",
    [
        record_of(
            set_up({"p5": 1, "p3": 1, "p24": -1}),
            Double(0),
            Beaver(1),
            Raccoon(0),
            Pass(1),
            rules=Rules(beavers=True, raccoons=True, jacoby=True),
        ),
        record_of(Resign(0, 2), RefuseResignation(1), Roll(1, (6, 1)), Resign(0, 1), AcceptResignation(1)),
        record_of(Roll(1, (6, 1)), Resign(0, 1), rules=Rules(length=3)),
        record_of(Roll(1, (6, 1)), rules=Rules(cube=False)),
        record_of(Roll(1, (6, 1)), rules=Rules(length=3, crawford=False), score=(2, 2)),
        MatchRecord.of(("Ann", "Ben"), Rules(automatic_doubles=2), [StartGame((3, 1), 2), *OPENING[1:], Double(1)]),
        MatchRecord(("Ann", "Ben"), Rules()),
    ],
)
def test_json_of_odd_matches(record: MatchRecord) -> None:
    """Offers that an XGID has no room for, no cube, a cube that was doubled by itself, nothing at all."""
    analysis = level_analyst().analyse(record)
    data = json.loads(json.dumps(analysis.to_dict()))
    assert same(Analysis.from_dict(data), analysis)
    assert all(one["xgid"].startswith("XGID=") for one in data["decisions"])


def test_what_was_done_is_not_done_again(tmp_path: Path) -> None:
    """Killed in the middle, with the last line cut short."""
    path = tmp_path / "kept.jsonl"
    script = f"""
import os, signal
from pathlib import Path
from bgai.analysis.kept import Kept
from tests.analysed import level_analyst
from tests.test_analysis_match import first_game

def kill(stage, done, total):
    if done == 9:
        os.kill(os.getpid(), signal.SIGKILL)

level_analyst("1-ply").analyse(first_game(), kept=Kept(Path({str(path)!r})), progress=kill)
"""
    killed = subprocess.run([sys.executable, "-c", script], cwd=Path(__file__).parents[1], check=False)
    assert killed.returncode == -signal.SIGKILL
    os.truncate(path, path.stat().st_size - 5)
    asked: list[tuple[Stage, int, int]] = []
    analyst = level_analyst("1-ply")
    with Kept(path) as kept:
        assert len(kept.answers) == 8
        found = analyst.analyse(first_game(), kept=kept, progress=lambda *told: asked.append(told))
    without = analyst.analyse(first_game())
    assert same(found, without)
    count = len(asked)
    assert asked[-1] == ("decisions", count, count)
    with Kept(path) as kept:
        assert len(kept.answers) == 8 + count
        again = analyst.analyse(first_game(), kept=kept, progress=lambda *told: asked.append(told))
    assert same(again, without)
    assert len(asked) == count


def test_answers_are_kept_by_all_that_they_depend_on() -> None:
    record, model = first_game(), open_model()
    level = read_level("1-ply")
    assert level is not None
    deeper = read_level("2-ply")
    assert deeper is not None
    other = MatchRecord.of(("Ann", "Eve"), record.rules, record.events)
    wide = replace(level, settings=replace(level.settings, filter="huge"))
    described = [
        MatchAnalyst(model, level).description(record),
        MatchAnalyst(model, deeper).description(record),
        MatchAnalyst(model, wide).description(record),
        MatchAnalyst(model, level).description(other),
        MatchAnalyst(model, level, Rollouts()).description(record),
        MatchAnalyst(model, level, Rollouts(0.05)).description(record),
    ]
    assert len({file_for(one) for one in described}) == len(described)
    assert file_for(MatchAnalyst(model, level).description(record)) == file_for(described[0])


def test_doubtful_decisions_are_rolled_out() -> None:
    level = read_level("0-ply")
    assert level is not None
    rollouts = Rollouts(settings=RolloutSettings(trials=72, truncation=3))
    record = first_game()
    record = MatchRecord.of(record.players, record.rules, record.events[:4])
    found = MatchAnalyst(open_model(), level, rollouts).analyse(record, threads=2)
    plain = level_analyst().analyse(record)
    assert found.level == "0-ply, doubtful decisions rolled out"
    for before, after in zip(plain.decisions, found.decisions, strict=True):
        if rollouts.wanted(before):
            assert after.best.plies == after.chosen.plies == ROLLED
            assert after.chosen.error is not None
            assert after.chosen.error > 0
            assert after.chosen.text == before.chosen.text
        else:
            assert after == before
    assert any(map(rollouts.wanted, plain.decisions))


def test_a_cube_that_is_rolled_out() -> None:
    """The last roll again: the rollout has no error beyond that of its dice, which all trials share out alike."""
    level = read_level("0-ply")
    assert level is not None
    analyst = MatchAnalyst(open_model(), level, Rollouts(0.1, RolloutSettings(trials=1296)))
    record = record_of(set_up(LAST_ROLL), Double(0), Take(1))
    double, answer = [one for one in analyst.analyse(record).decisions if one.event > 1]
    assert rolled(double)
    assert double.loss == pytest.approx(0, abs=1e-9)
    assert rolled(double)
    assert double.best.equity == pytest.approx(4 / 36, abs=1e-3)
    assert answer.cube is not None
    assert answer.chosen.equity == pytest.approx(-4 / 36, abs=1e-3)


def rolled(decision: Decision) -> bool:
    return all(choice.plies == ROLLED for choice in decision.choices)
