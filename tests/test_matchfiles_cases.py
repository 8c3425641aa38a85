"""Files that somebody reported a program to read wrongly, and what is in them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from bgai.board import flip
from bgai.errors import InputError
from bgai.events import AcceptResignation, Event, Play, Resign, Roll, SetUp, StartGame
from bgai.match_state import MatchState
from bgai.matchfiles.building import NACKGAMMON
from bgai.matchfiles.found import MatchFile
from bgai.matchfiles.reading import read_match_file
from bgai.notation.positionid import format_position_id
from bgai.record import MatchRecord
from tests.cases import FOLDER, Case, case, case_id, cases, lines

CASES = [*cases("mat"), *cases("sgf")]
GOOD = [found for found in CASES if "error" not in found["expected"]]
BAD = [found for found in CASES if "error" in found["expected"]]

MENDED = {"sg-01", "sg-03"}
"""Cases whose files are not quite as they should be; the others have no problem at all."""


def path_of(reported: Case) -> Path:
    return FOLDER / str(reported["input"]["file"])


def read(reported: Case) -> MatchFile:
    return read_match_file(path_of(reported))


def states(record: MatchRecord) -> list[MatchState]:
    """The state after each event."""
    before = [state for state, _ in record.replay()]
    return [*before[1:], record.final]


def starts(record: MatchRecord) -> list[MatchState]:
    """The state at the start of each game."""
    return [
        after for (_, event), after in zip(record.replay(), states(record), strict=True) if isinstance(event, StartGame)
    ]


def plays(record: MatchRecord) -> list[Play]:
    return [event for event in record.events if isinstance(event, Play)]


def position_ids(record: MatchRecord) -> list[str]:
    """The position after each play, seen by who is on roll then."""
    after = zip(record.events, states(record), strict=True)
    return [format_position_id(state.board) for event, state in after if isinstance(event, Play)]


def decisions(record: MatchRecord) -> list[Event]:
    """All but the dice, and whether a resignation came before or after them."""
    return [event for event in record.events if not isinstance(event, StartGame | Roll)]


def result_fits(record: MatchRecord, number: int, text: str) -> bool:
    """Whether a game ended as in `Alice +2 (gammon)`."""
    match = re.fullmatch(r"(?P<name>\w+) \+(?P<points>\d+)(?: \((?P<how>.*)\))?", text)
    assert match is not None
    end = record.games[number].result
    assert end is not None
    plain = [re.split(r"[ -]", name)[0] for name in record.players]
    right = (plain[end.winner], end.points) == (match["name"], int(match["points"]))
    how = match["how"] or ""
    right &= (
        end.how == {"resign": "resignation", "drop": "drop", "": end.how}.get(how.split(",")[0], "bear-off")
        or "resign" in how
    )
    right &= "resign" not in how or end.how == "resignation"
    right &= "backgammon" not in how or end.value == 3
    return right and ("gammon" not in how or end.value >= 2)


@pytest.mark.parametrize("reported", GOOD, ids=case_id)
def test_what_is_in_the_file(reported: Case) -> None:
    found = read(reported)
    record, expected = found.record, dict(reported["expected"])
    final = record.final
    checks: dict[str, Any] = {
        "players": list(record.players),
        "match_length": record.rules.length,
        "games": len(record.games),
        "final_score": list(final.score),
        "score_before": [list(state.score) for state in starts(record)],
        "crawford": [state.crawford for state in starts(record)],
        "plays": len(plays(record)),
        "crawford_rule": record.rules.crawford,
        "jacoby": record.rules.jacoby,
        "beaver": record.rules.beavers,
        "cube_limit": record.rules.cube_limit,
        "event": record.metadata.get("event"),
        "date": record.metadata.get("date"),
        "variation": record.metadata.get("variation"),
        "comment": record.comment,
        "rating": [record.metadata.get("rating 1"), record.metadata.get("rating 2")],
        "winner": None if final.winner is None else record.players[final.winner],
        "first_mover": record.players[record.events[0].seat],
        "final_position_id": position_ids(record)[-1] if plays(record) else None,
        "position_id": format_position_id(final.board),
        "on_roll": record.players[final.on_roll],
        "to_roll": record.players[final.on_roll],
        "dice": None if final.dice is None else list(final.dice),
        "cube": final.cube,
        "cube_owner": "centre" if final.owner is None else record.players[final.owner],
    }
    for name, value in expected.items():
        if name in checks:
            assert checks[name] == value, name
        elif name == "results":
            assert all(result_fits(record, number, text) for number, text in enumerate(value))
        elif name == "result":
            assert record.games[-1].result is None if value is None else result_fits(record, 0, value)
        elif name in ("same_moves_as", "same_decisions_as"):
            assert decisions(record) == decisions(read(case(value[:6].rstrip("-"))).record) or name == "same_moves_as"
            assert position_ids(record) == position_ids(read(case(value[:6].rstrip("-"))).record)
        elif name == "same_positions_as":
            assert position_ids(record) == position_ids(read(case("ma-03a")).record)
        elif name == "position_ids_after_each_play":
            assert position_ids(record) == lines(reported, name)
        elif name == "pending_roll":
            assert record.events[-3] == Roll(record.players.index(value["player"]), tuple(value["dice"]))
        elif name == "expanded":
            for dice, steps in value.items():
                assert sorted(map(tuple, steps)) in [sorted(play) for play in expanded(record, dice)]
        else:
            assert name == "or_error", name


def expanded(record: MatchRecord, dice: str) -> list[tuple[tuple[int, int], ...]]:
    """The plays of a roll."""
    return [
        event.steps
        for state, event in record.replay()
        if isinstance(event, Play) and state.dice == (int(dice[0]), int(dice[1]))
    ]


@pytest.mark.parametrize("reported", GOOD, ids=case_id)
def test_only_what_is_wrong_is_a_problem(reported: Case) -> None:
    found = read(reported)
    assert bool(found.problems) == (reported["id"][:5] in MENDED)
    size = path_of(reported).read_bytes().count(b"\n") + 1
    assert all(problem.line is not None and 1 <= problem.line <= size for problem in found.problems)


@pytest.mark.parametrize("reported", BAD, ids=case_id)
def test_what_is_no_match_is_named(reported: Case) -> None:
    with pytest.raises(InputError) as error:
        read(reported)
    message = str(error.value)
    assert message.startswith(f"{path_of(reported)}: ")
    assert "\n" not in message
    for word in reported["expected"].get("mentions", "").split(" / "):
        assert word in message


def test_a_cut_file_is_named_with_the_line() -> None:
    path = FOLDER / "files" / "s08_truncated.sgf"
    with pytest.raises(InputError, match=r"s08_truncated.sgf: line 8: the file is cut: the game of line 7 has no end$"):
        read_match_file(path)


def test_nackgammon_begins_with_its_own_position() -> None:
    record = read(case("ma-18")).record
    start, placed = record.events[:2]
    assert start == StartGame((3, 1))
    assert placed == SetUp(0, tuple(NACKGAMMON.tolist()), (3, 1))
    assert (flip(NACKGAMMON) == NACKGAMMON).all()


def test_a_resignation_after_the_roll() -> None:
    events = read(case("ma-02")).record.games[0].events
    assert events[-3:] == (Roll(1, (6, 2)), Resign(1, 1), AcceptResignation(0))
