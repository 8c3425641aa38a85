"""`bgai.protocols.gnubg_client` and `bgai duel` against GNU Backgammon, and against its recorded answers."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator

import numpy as np
import pytest

from bgai.errors import InputError
from bgai.level_duel import level_duellist, play_level_duel
from bgai.notation.playtext import parse_play
from bgai.outcomes import invert
from bgai.plays import legal_plays
from bgai.position import Position, Score
from bgai.protocols import gnubg_client
from bgai.protocols.gnubg_client import GnubgConnection, GnubgError, GnubgServer
from bgai.protocols.gnubg_player import GnubgDuellist, GnubgName, read_gnubg_name
from tests.cli import Command
from tests.protocols.gnubg import GNUBG, RECORDED
from tests.protocols.gnubg_questions import AHEAD, BEHIND, PLAYS, ask_everything, at, recorded_gnubg

ANSWERS = RECORDED / "answers.json"


@pytest.fixture(scope="module", params=["recorded", "gnubg"])
def gnubg(request: pytest.FixtureRequest) -> Iterator[GnubgConnection]:
    """Whom we ask: what gnubg has said, and gnubg itself where there is one."""
    if request.param == "recorded":
        with recorded_gnubg(ANSWERS) as connection:
            yield connection
    elif GNUBG is None:
        pytest.skip("GNU Backgammon is not installed")
    else:
        with GnubgServer() as server:
            yield server.connection


def test_its_plays_are_legal(gnubg: GnubgConnection) -> None:
    for position in PLAYS:
        assert position.dice is not None
        plays = legal_plays(position.board, position.dice)
        parse_play(position.board, plays, gnubg.decide(position))


def test_its_play_is_the_known_one(gnubg: GnubgConnection) -> None:
    assert gnubg.decide(Position(dice=(5, 5))) == "13/8 13/8 8/3 8/3"


def test_the_known_evaluation(gnubg: GnubgConnection) -> None:
    """The start at 0-ply, as published by GNU Backgammon 1.07."""
    outcomes, equity = gnubg.evaluate(Position())
    assert outcomes == pytest.approx([0.521514, 0.153921, 0.007563, 0.129847, 0.007546], abs=1e-4)
    assert equity == pytest.approx(0.067119, abs=1e-3)


def test_both_sides_of_a_position(gnubg: GnubgConnection) -> None:
    ahead, equity = gnubg.evaluate(Position(AHEAD))
    behind, other = gnubg.evaluate(Position(BEHIND))
    assert ahead[0] > 0.9
    assert equity > 1
    # Not the same number, because each side is on roll in its own.
    assert invert(behind) == pytest.approx(ahead, abs=0.06)
    assert other == pytest.approx(-equity, abs=0.15)


def test_scores_are_not_mixed_up(gnubg: GnubgConnection) -> None:
    """Away 7 and 1 after the Crawford game the trailer has about 9 % by any match equity table."""
    start = Position().board
    assert gnubg.evaluate(at(0, 6, start))[1] == pytest.approx(0.09, abs=0.02)
    assert gnubg.evaluate(at(6, 0, start))[1] == pytest.approx(0.91, abs=0.02)
    assert gnubg.evaluate(at(3, 5, start))[1] < 0.4 < 0.6 < gnubg.evaluate(at(5, 3, start))[1]


def test_answers_to_doubles_know_the_score(gnubg: GnubgConnection) -> None:
    assert gnubg.decide(Position(AHEAD, offer="double")) == "drop"
    # Who is doubled at 0-6 loses the match with this game, and takes anything.
    assert gnubg.decide(at(6, 0, AHEAD, offer=True)) == "take"
    assert gnubg.decide(at(0, 6, AHEAD, offer=True)) == "drop"


@pytest.mark.skipif(GNUBG is None, reason="GNU Backgammon is not installed")
def test_the_recorded_answers_are_still_given() -> None:
    recorded = json.loads(ANSWERS.read_text("utf-8"))
    with GnubgServer() as server:
        assert server.connection.version()
        found = ask_everything(server.connection)
    assert found.keys() == recorded.keys()
    # Other processors round otherwise, which may also turn a play that is nearly as good into the best.
    same = sum(is_near(found[command].split(), said.split()) for command, said in recorded.items())
    assert same >= 0.9 * len(recorded)


def is_near(found: list[str], expected: list[str]) -> bool:
    """The same words, and decimal numbers that are the same but for rounding on the way."""
    return len(found) == len(expected) and all(
        abs(float(one) - float(other)) < 1e-3 if "." in one and "." in other else one == other
        for one, other in zip(found, expected, strict=True)
    )


@pytest.mark.skipif(GNUBG is None, reason="GNU Backgammon is not installed")
def test_a_duel(bgai_command: Command) -> None:
    words = ("duel", "gnubg:0", "gnubg:0", "--games", "4", "--threads", "2", "--json")
    equal = json.loads(bgai_command.good(*words))
    assert (equal["first"], equal["points_per_game"], equal["given_up"]) == ("gnubg:0", 0, 0)
    won = json.loads(bgai_command.good("duel", "random", "gnubg:0", "--games", "6", "--threads", "1", "--json"))
    assert won["points_per_game"] < -0.5


class _Fixed(GnubgConnection):
    """Plays what comes first, as if gnubg did."""

    def __init__(self, says: str | None = None) -> None:
        self.name = "here"
        self._says = says

    def version(self) -> str:
        return "0"

    def decide(self, position: Position, *, jacoby: bool = False, beavers: bool = False) -> str:
        if self._says is not None:
            return self._says
        assert position.dice is not None
        plays = legal_plays(position.board, position.dice)
        return " ".join(f"{start}/{end}" for start, end in plays.steps[0].tolist() if start)

    def close(self) -> None:
        pass


def test_games_with_the_same_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever answers at the other end: a pair of games is one game with the seats swapped."""
    monkeypatch.setattr("bgai.protocols.gnubg_player.GnubgConnection", lambda host, port: _Fixed())
    with GnubgDuellist(GnubgName(0, "here", 1)) as first, GnubgDuellist(GnubgName(0, "here", 1)) as second:
        assert first.name == "gnubg:0@here:1"
        points = play_level_duel(first, second, 4, 1).points
    assert not points.sum()
    assert points.any()


def test_a_play_that_is_not_legal_ends_the_duel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bgai.protocols.gnubg_player.GnubgConnection", lambda host, port: _Fixed("24/1"))
    with (
        GnubgDuellist(GnubgName(0, "here", 1)) as first,
        pytest.raises(GnubgError, match="gnubg at here plays what is not legal: '24/1' is not a legal play here"),
    ):
        play_level_duel(first, level_duellist("random"), 2, 1)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("gnubg:0", GnubgName(0)),
        ("gnubg:2", GnubgName(2)),
        ("gnubg:0@localhost:1234", GnubgName(0, "localhost", 1234)),
        ("gnubg:0@::1:1234", GnubgName(0, "::1", 1234)),
        ("0-ply", None),
        ("gnubgish", None),
    ],
)
def test_names(text: str, name: GnubgName | None) -> None:
    assert read_gnubg_name(text) == name
    assert name is None or name.shown == text


@pytest.mark.parametrize(
    "text", ["gnubg", "gnubg:", "gnubg:x", "gnubg:9", "gnubg:0@here", "gnubg:0@h:0", "gnubg:0@h:70000"]
)
def test_bad_names(text: str, bgai_command: Command) -> None:
    with pytest.raises(InputError, match=text):
        read_gnubg_name(text)
    assert text in bgai_command.bad("duel", "random", text)


def test_a_machine_without_gnubg(monkeypatch: pytest.MonkeyPatch, bgai_command: Command) -> None:
    monkeypatch.setattr(gnubg_client, "PROGRAMS", ("no-such-gnubg",))
    assert bgai_command.bad("duel", "random", "gnubg:0", "--games", "2") == (
        "bgai duel: GNU Backgammon is not installed, expected the program gnubg (looked for no-such-gnubg)"
    )


def test_nobody_listens(bgai_command: Command) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    found = bgai_command("duel", "random", f"gnubg:0@127.0.0.1:{port}", "--games", "2")
    assert (found.code, found.err) == (
        1,
        f"bgai duel: cannot connect to gnubg at 127.0.0.1:{port}: Connection refused\n",
    )


def test_what_would_kill_gnubg_is_not_sent() -> None:
    with recorded_gnubg(ANSWERS) as connection:
        with pytest.raises(InputError, match="at most 254 characters in one line, found 255"):
            connection.ask("x" * 255)
        with pytest.raises(InputError, match="in one line"):
            connection.ask("version\nversion")
        with pytest.raises(GnubgError, match="never asked: bogus"):
            connection.ask("bogus")
        assert connection.evaluate(Position())[0].dtype == np.float32
        with pytest.raises(GnubgError, match="closed the connection"):
            connection.ask("exit")


def test_longest_questions_are_short_enough() -> None:
    with recorded_gnubg(ANSWERS) as connection, pytest.raises(GnubgError, match="never asked"):
        connection.evaluate(Position(score=Score((9997, 9996), 9998)), 4, cubeful=True)
