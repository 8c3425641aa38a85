"""GNU Backgammon opens what is written, sees the same positions, and what it writes is read as the same match."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import replace
from itertools import groupby
from pathlib import Path

import pytest

from bgai.events import Play, SetUp, StartGame
from bgai.match_play import play_match
from bgai.match_rules import Rules
from bgai.match_state import position
from bgai.matchfiles.reading import read_match_file
from bgai.matchfiles.writers import write_match_file
from bgai.notation.matchid import parse_gnubg_id
from bgai.notation.positionid import format_position_id
from bgai.record import MatchRecord
from tests.match_players import Gambler

GNUBG = next((found for found in map(shutil.which, ("gnubg", "/usr/games/gnubg")) if found), None)
pytestmark = pytest.mark.skipif(GNUBG is None, reason="GNU Backgammon is not installed")

QUIET = ["set automatic backup off", "set confirm new off", "set confirm save off", "set jacoby off"]


def gnubg(folder: Path, *commands: str) -> str:
    """What GNU Backgammon prints."""
    assert GNUBG is not None
    script = folder / "commands"
    script.write_text("\n".join([*QUIET, *commands]) + "\n")
    words = [GNUBG, "-t", "-q", "-r", "-c", str(script)]
    return subprocess.run(
        words, stdin=subprocess.DEVNULL, capture_output=True, text=True, cwd=folder, timeout=60, check=False
    ).stdout


def without_repeats(found: list[str]) -> list[str]:
    return [name for name, _ in groupby(found)]


def position_ids(record: MatchRecord, game: int) -> list[str]:
    """Every position of a game, seen by who is on roll."""
    found: list[str] = []
    number = -1
    for state, event in record.replay():
        if isinstance(event, StartGame):
            number += 1
        elif number == game and state.playing:
            found.append(format_position_id(state.board))
    if record.games[game].result is None:
        found.append(format_position_id(record.final.board))
    return without_repeats(found)


def match(rules: Rules, seed: int, *, games: int | None = None) -> MatchRecord:
    return play_match((Gambler("Ann"), Gambler("Ben O'Neil", resigns=0.0)), rules, seed, games=games)


MATCHES = {
    "match": match(Rules(length=3), 1),
    "without the Crawford rule": match(Rules(length=2, crawford=False), 2),
    "money": match(Rules(beavers=True), 6, games=3),
}


def sorted_plays(record: MatchRecord) -> MatchRecord:
    """GNU Backgammon sorts the steps of a play, and has no rule about beavers in its files."""
    events = [
        Play(event.seat, tuple(sorted(event.steps, reverse=True))) if isinstance(event, Play) else event
        for event in record.events
    ]
    rules = replace(record.rules, beavers=False, raccoons=False)
    if any(event.kind == "beaver" for event in events):
        rules = replace(rules, beavers=True)
    return MatchRecord.of(record.players, rules, events)


@pytest.mark.parametrize("suffix", [".mat", ".sgf", ".txt"])
@pytest.mark.parametrize("name", MATCHES)
def test_it_reads_the_same_match(name: str, suffix: str, tmp_path: Path) -> None:
    record = MATCHES[name]
    path = tmp_path / f"ours{suffix}"
    write_match_file(record, path)
    load = "load match" if suffix == ".sgf" else "import mat"
    said = gnubg(
        tmp_path, f"{load} {path}", f"save match {tmp_path}/theirs.sgf", f"export match mat {tmp_path}/theirs.mat"
    )
    for word in ("Unrecogni", "nvalid", "WARNING", "doesn't follow"):
        assert word not in said
    for theirs in ("theirs.sgf", "theirs.mat"):
        found = read_match_file(tmp_path / theirs)
        assert found.problems == ()
        expected = sorted_plays(record)
        # Files without tags say nothing of the Crawford rule.
        crawford = (
            found.record.rules.crawford if suffix != ".sgf" or theirs == "theirs.mat" else expected.rules.crawford
        )
        again = sorted_plays(found.record)
        assert again.events == expected.events
        assert again.players == expected.players
        assert again.rules == replace(expected.rules, crawford=crawford)


@pytest.mark.parametrize("suffix", [".mat", ".sgf"])
def test_it_shows_the_same_positions(suffix: str, tmp_path: Path) -> None:
    record = MATCHES["match"]
    path = tmp_path / f"ours{suffix}"
    write_match_file(record, path)
    load = "load match" if suffix == ".sgf" else "import mat"
    steps = ["next", "show board"] * (len(record.games[0].events) + 2)
    said = gnubg(tmp_path, f"{load} {path}", "first game", *steps)
    # Before the first play it says so; the board of the end of the match, which it shows first, stands before that.
    shown = without_repeats(re.findall(r"Position ID: (\S+)", said.partition("No game in progress.")[2]))
    ours = position_ids(record, 0)[1:]
    assert len(ours) > 20
    assert shown[: len(ours)] == ours


def test_it_reads_a_position_that_is_set_up(tmp_path: Path) -> None:
    board = (0, -2, 0, 0, 0, 0, 4, 1, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0)
    for seat, dice in ((0, None), (1, (6, 1))):
        events = [StartGame((1 + (seat == 0), 1 + seat)), SetUp(seat, board, dice, 4, 1 - seat)]
        record = MatchRecord.of(("Ann", "Ben"), Rules(), events)
        path = tmp_path / "ours.sgf"
        write_match_file(record, path)
        line = tmp_path / "theirs.txt"
        said = gnubg(tmp_path, f"load match {path}", "show board", f"export position snowietxt {line}")
        (ids,) = set(re.findall(r"Position ID: (\S+)\s+Match ID   : (\S+)", said))
        shown, expected = parse_gnubg_id(":".join(ids)), position(record.final)
        assert (shown.board == expected.board).all()
        assert (shown.seat, shown.dice, shown.cube) == (seat, dice, expected.cube)
        again = read_match_file(line)
        assert (again.format, again.problems) == ("snowie", ())
        assert again.record.players == record.players
        assert position(again.record.final) == expected
