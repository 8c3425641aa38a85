"""`bgai.protocols.ubgi`: what bgci asks, what the two versions and the draft demand, and whatever else may come."""

from __future__ import annotations

import doctest
import io
import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bgai
from bgai.catalogue import open_model
from bgai.dice import ROLLS
from bgai.levels import read_player
from bgai.notation.positionid import format_position_id, parse_position_id
from bgai.notation.xgid import read_xgid
from bgai.plays import legal_plays
from bgai.position import Cube, Position, Score
from bgai.protocols import ubgi
from bgai.protocols.opened import Opened
from bgai.protocols.ubgi import LONGEST_LINE, Engine, read_lines, serve
from bgai.protocols.ubgi_search import Limits, Searcher
from tests.cli import Command

START = "4HPwATDgc/ABMA"
AHEAD = "bBBBCCC------------bcccb--"
"""A closed board against two checkers on the bar."""
LAST_ROLL = "--A--A------------------a-"
"""19 of 36 rolls win at once, and else the opponent does: double and take."""
XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
LONG_MATCH = bgai.format_gnubg_id(Position(score=Score(length=65)))


class Asker:
    """An engine and what it has said."""

    def __init__(self, **how: object) -> None:
        self.said: list[str] = []
        self.engine = Engine(self.said.append, **how)

    def __call__(self, *lines: str) -> list[str]:
        """What is said to some lines, in the end."""
        self.said.clear()
        for line in lines:
            assert self.engine.obey(line)
            assert self.engine.wait(600)
        return list(self.said)

    def last(self, *lines: str) -> str:
        return self(*lines)[-1]


@pytest.fixture
def ask() -> Asker:
    return Asker()


def test_the_handshake(ask: Asker) -> None:
    said = ask("ubgi")
    assert said[:3] == ["id name bgai", "id author the bgai project", f"id version {bgai.__version__}"]
    assert said[-1] == "ubgiok"
    assert "option name Threads type spin default 1 min 1 max 256" in said
    assert "option name EvalMode type combo default auto var auto var cubeless var cubeful" in said
    assert "proto 0.2" in said
    assert "key engine.ply int 1..8 1 root-inclusive: 1 is the network alone" in said
    assert "key game.variant enum backgammon backgammon the game" in said
    assert {line.split()[0] for line in said} == {"id", "option", "proto", "key", "ubgiok"}
    assert ask("isready") == ["readyok"]
    assert ask("keys") == [line for line in said if line.startswith("key ")]


# The positions that `bgci check` asks about, and the words that have to be in the answer.
PROBES = [
    (START, "6 1", None),
    ("Np7BQSCYZ/AAWA", "5 3", "bar"),
    ("/z0AADDeaxsAAA", "5 5", "off"),
    ("t02oASACAAAAAA", "5 1", None),
]


@pytest.mark.parametrize("go", ["go role chequer", "go chequer", "go"])
@pytest.mark.parametrize(("position", "dice", "word"), PROBES)
def test_the_probes_of_bgci(ask: Asker, go: str, position: str, dice: str, word: str | None) -> None:
    first = ["ubgi", "isready", "setoption name Variant value backgammon", "set game.variant backgammon", "newgame"]
    assert not any(line.startswith("error") for line in ask(*first, "isready"))
    said = ask("setoption name BestMoveId value true", f"position gnubgid {position}", f"dice {dice}", go)
    assert [line.split()[0] for line in said] == ["info", "bestmove", "bestmoveid"]
    words = said[1].split()[1:]
    points = [point for pair in words for point in pair.split("/")]
    assert set(points) <= {str(point) for point in range(1, 25)} | {"bar", "off"}
    assert word is None or word in points
    # Every step moves one checker by one die, and together they are the position that is named.
    board = parse_position_id(position).tolist()
    numbers = {"bar": 25, "off": 0}
    for pair in words:
        start, end = (numbers.get(point) or int(numbers.get(point, point)) for point in pair.split("/"))
        assert board[start] > 0
        assert start - end in map(int, dice.split()) or end == 0
        board[start] -= 1
        if end:
            if board[end] == -1:
                board[end], board[0] = 0, board[0] - 1
            board[end] += 1
    assert format_position_id(bgai.flip(bgai.as_board(board))) == said[2].split()[1]
    high, low = sorted(map(int, dice.split()), reverse=True)
    successors = legal_plays(parse_position_id(position), (high, low)).successors
    assert said[2].split()[1] in map(format_position_id, successors)


def test_a_dance_is_a_pass(ask: Asker) -> None:
    closed = format_position_id(bgai.as_board([0] * 6 + [14] + [0] * 12 + [-2] * 6 + [1]))
    assert ask(f"position gnubgid {closed}", "dice 6 3", "go role chequer") == ["bestmove pass"]


SCORES = [
    ("newsession type money jacoby on", Score(jacoby=True)),
    ("newsession type money", Score()),
    ("newsession type match length 7\nsetscore 0 0", Score(length=7)),
    ("newsession type match length 7\nsetscore 6 2", Score((2, 6), 7, crawford=True)),
    ("newsession type match length 7\nsetscore 6 2\nsetscore 6 3", Score((3, 6), 7)),
    ("newsession type match length 7 crawford off\nsetscore 6 2", Score((2, 6), 7)),
    ("newsession type match length 7\nsetscore 6 6", Score((6, 6), 7)),
]
BOARDS = ["4HPwATDgc/ABMA", "990GAAB7twAAAA", "sA94wDDgc+RBBA", "tmcAgEc3twcAAA", "jGfkASjg8wcBMA"]


@pytest.mark.parametrize(("session", "score"), SCORES)
def test_cube_actions_are_those_of_the_library_at_any_score(ask: Asker, session: str, score: Score) -> None:
    analyst = bgai.Analyst.of()
    ask(*session.splitlines(), "setturn p1")
    for board in BOARDS:
        position = Position(parse_position_id(board), score=score)
        expected = bgai.cube_action(analyst, position).action == "double"
        assert ask.last(f"position gnubgid {board}", "go role cube") == (
            f"bestcube {'double' if expected else 'nodouble'}"
        )
        worth = analyst.evaluate(position)
        words = ask.last("eval").split()
        found = dict(zip(words[1::2], map(float, words[2::2]), strict=True))
        assert found["eq"] == pytest.approx(worth.equity, abs=1e-6)
        assert found.get("mwc") == (None if worth.mwc is None else pytest.approx(worth.mwc, abs=1e-6))
        assert found["plosegammon"] == pytest.approx(worth.outcomes[3], abs=1e-6)


def test_the_cube_that_was_told_counts(ask: Asker) -> None:
    ask("newsession type match length 5", "setscore 2 1", "setturn p0", "position gnubgid sA94wDDgc+RBBA")
    board = parse_position_id("sA94wDDgc+RBBA")
    for owner, name in (("p0", "on roll"), ("p1", "opponent")):
        position = Position(board, cube=Cube(2, name), score=Score((2, 1), 5))
        equity = bgai.Analyst.of().evaluate(position).equity
        assert f"eq {equity:.6f} " in ask.last(f"setcube value 2 owner {owner}", "eval")


def test_an_xgid_brings_everything(ask: Asker) -> None:
    board = parse_position_id("sA94wDDgc+RBBA")
    position = Position(board, (6, 3), Cube(2, "on roll"), Score((3, 4), 7), seat=0)
    text = bgai.format_xgid(position)
    ranked = bgai.Analyst.of().rank([position])
    chosen = int(ranked.order[0])
    said = ask(f"position xgid {text}", "go role chequer")
    assert f"eq {ranked.equities[chosen]:.6f} mwc {ranked.mwc[chosen]:.6f}" in said[0]
    assert bgai.parse_play(position.board, ranked.plays[0], said[1].removeprefix("bestmove ")) == chosen
    full = bgai.format_gnubg_id(position)
    assert ask.last(f"position gnubgid {full}", "go role chequer") == said[1]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (XGID.replace(":31:", ":D:"), "bestcube take"),
        (f"XGID={AHEAD}:0:0:1:D:0:0:0:0:10", "bestcube drop"),
    ],
)
def test_a_double_is_answered(ask: Asker, text: str, said: str) -> None:
    assert ask.last(f"position xgid {text}", "go role cube") == said
    assert "expected role cube" in ask.last("go role chequer")
    assert ask(f"position xgid XGID={AHEAD}:1:-1:1:D:0:0:0:0:10")[0].startswith("error bad_argument double: ")


def test_a_resignation_is_answered(ask: Asker) -> None:
    position = Position(parse_position_id(START), offer="backgammon")
    assert ask.last(f"position gnubgid {bgai.format_gnubg_id(position)}", "go role cube") == "bestcube accept"


def test_a_whole_turn(ask: Asker) -> None:
    assert ask.last(f"position gnubgid {START}", "dice 3 1", "go role turn") == "bestturn cube=nodouble move=8/5 6/5"
    ask("setoption name BestMoveId value true")
    assert ask.last("go turn").startswith("bestturn cube=nodouble moveid=")
    assert ask.last(f"position gnubgid {START}", "go turn") == "bestturn cube=nodouble"
    doubled = f"position xgid XGID={LAST_ROLL}:0:0:1:00:0:0:0:0:10"
    assert ask.last(doubled, "go turn") == "bestturn cube=double"


def test_the_cube_is_left_out_until_somebody_speaks_of_it(ask: Asker) -> None:
    analysts = {False: bgai.Analyst.of(cubeful=False), True: bgai.Analyst.of()}
    position = Position(dice=(6, 2))
    equities = {cubeful: analyst.rank([position]).equities.max() for cubeful, analyst in analysts.items()}
    assert abs(equities[True] - equities[False]) > 1e-3
    question = (f"position gnubgid {START}", "dice 6 2", "go role chequer")
    assert f"eq {equities[False]:.6f}" in ask(*question)[0]
    assert f"eq {equities[True]:.6f}" in ask("newsession type money", *question)[0]
    assert f"eq {equities[False]:.6f}" in ask("setoption name EvalMode value cubeless", *question)[0]
    assert f"eq {equities[True]:.6f}" in Asker()("set engine.evalmode cubeful", *question)[0]


def test_limits(ask: Asker) -> None:
    question = (f"position gnubgid {START}", "dice 4 3")
    deep = ask(*question, "go role chequer depth 1")
    assert [line.split()[4] for line in deep[:-1]] == ["0", "1"]
    assert deep[-1].startswith("bestmove ")
    assert ask(*question, "go chequer nodes 100")[0].startswith("info role chequer depth 0 ")
    assert ask(*question, "go chequer nodes 9000")[-2].startswith("info role chequer depth 1 ")
    begin = time.monotonic()
    assert ask(*question, "go role chequer movetime 50")[-1].startswith("bestmove ")
    assert time.monotonic() - begin < 5


def test_trials(ask: Asker) -> None:
    question = (f"position xgid XGID={LAST_ROLL}:0:0:1:21:0:0:0:0:10", "go role chequer trials 30")
    rolled = ask("setoption name Seed value 3", *question)
    assert rolled[0].startswith("info role chequer trials 36 ")
    assert rolled[1].startswith("bestmove ")
    again = ask(*question)
    assert [line.split(" eq ")[-1] for line in again] == [line.split(" eq ")[-1] for line in rolled]
    cube = ask(f"position xgid XGID={LAST_ROLL}:0:0:1:00:0:0:0:0:10", "go role cube trials 1296")
    assert cube[0].startswith("info role cube trials 1296 ")
    assert f"pwin {19 / 36:.6f}" in cube[0]
    assert cube[1] == "bestcube double"


def test_levels(ask: Asker) -> None:
    assert ask("set engine.ply 3", "get engine.level", "get engine.ply") == [
        "value engine.level 2-ply",
        "value engine.ply 3",
    ]
    assert ask("setoption name Plies value 1", "get engine.ply") == ["value engine.ply 2"]
    assert ask("setoption name level value expert", "get engine.level") == ["value engine.level expert"]
    assert ask.last(f"position gnubgid {START}", "dice 3 1", "go chequer").startswith("bestmove ")
    assert ask("set engine.model 1", "get engine.model") == ["value engine.model 0001-td"]
    assert Asker(player=read_player("1-ply"))("get engine.ply") == ["value engine.ply 2"]


ERRORS = [
    ("bogus", "unknown_command"),
    ("GO", "unknown_command"),
    ("go role chequer", "missing_context"),
    (f"position gnubgid {START}\ngo role chequer", "missing_context"),
    (f"position gnubgid {START}\ndice 3 1\ngo role cube", "bad_argument"),
    ("go role stone", "bad_argument"),
    ("go role chequer depth x", "bad_argument"),
    ("go role chequer depth", "bad_argument"),
    ("go role chequer speed 1", "bad_argument"),
    ("position", "bad_argument"),
    ("position gnubgid hello", "bad_argument"),
    ("position fen 8/8", "bad_argument"),
    ("position xgid XGID=-b:0", "bad_argument"),
    ("dice 7 1", "bad_argument"),
    ("dice 3", "bad_argument"),
    ("dice three one", "bad_argument"),
    ("setscore -1 0", "bad_argument"),
    ("newsession type match length 3\nsetscore 3 0", "bad_argument"),
    ("newsession length 3", "bad_argument"),
    ("newsession type match", "bad_argument"),
    ("newsession type match length 3 jacoby on", "bad_argument"),
    ("newsession type money jacoby maybe", "bad_argument"),
    ("setcube value 3 owner p0", "bad_argument"),
    ("setcube value 1 owner p0", "bad_argument"),
    ("setturn p2", "bad_argument"),
    ("setoption name Threads value 0", "bad_argument"),
    ("setoption name Threads", "bad_argument"),
    ("setoption name Hash value 3", "unsupported_feature"),
    ("setoption name Variant value nackgammon", "unsupported_feature"),
    ("setoption name Level value random", "unsupported_feature"),
    ("setoption name Level value godlike", "bad_argument"),
    ("newgame now", "bad_argument"),
    ("go role chequer depth \u0661", "bad_argument"),
    ("go role chequer movetime \uff11", "bad_argument"),
    ("setoption name Threads value \u0662", "bad_argument"),
    ("newsession type match length 65", "bad_argument"),
    (f"position xgid {XGID.replace(':0:0:10', ':0:65:10')}", "bad_argument"),
    (f"position gnubgid {LONG_MATCH}", "bad_argument"),
    (XGID.replace(":0:0:10", ":0:65:10"), "bad_argument"),
]


@pytest.mark.parametrize(("lines", "code"), ERRORS)
def test_errors(ask: Asker, lines: str, code: str) -> None:
    said = ask.last(*lines.splitlines())
    assert said.startswith(f"error {code} ")
    # It goes on.
    assert ask.last(f"position gnubgid {START}", "dice 3 1", "go role chequer") == "bestmove 8/5 6/5"


@pytest.mark.parametrize("refused", ["dice 0 7", "dice 3", "dice three one"])
def test_a_roll_that_is_refused_takes_the_one_before_away(ask: Asker, refused: str) -> None:
    assert ask.last(f"position gnubgid {START}", "dice 3 1", refused).startswith("error bad_argument ")
    assert ask.last("go role chequer").startswith("error missing_context ")


@pytest.mark.parametrize(
    "refused", ["position", "position fen 8/8", "position gnubgid hello", f"position gnubgid {LONG_MATCH}"]
)
def test_a_position_that_is_refused_takes_the_one_before_away(ask: Asker, refused: str) -> None:
    assert ask.last(f"position gnubgid {START}", "dice 3 1", "go role chequer") == "bestmove 8/5 6/5"
    assert ask.last(refused).startswith("error bad_argument ")
    for lines in (["eval"], ["go role cube"], ["go role chequer"], ["dice 3 1", "go role chequer"]):
        assert ask.last(*lines).startswith("error missing_context ")
    assert ask.last(f"position gnubgid {START}", "dice 3 1", "go role chequer") == "bestmove 8/5 6/5"


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("bogus", "bad_command"),
        ("set engine.ply 9", "bad_value"),
        ("set engine.ply", "bad_value"),
        ("set game.length 65", "bad_value"),
        ("get engine.colour", "unsupported"),
        ("set game.variant hypergammon", "unsupported"),
        ("go", "bad_state"),
    ],
)
def test_errors_of_version_2(ask: Asker, line: str, code: str) -> None:
    assert ask.last("keys", line).startswith(f"error {code} ")


def test_the_draft(ask: Asker) -> None:
    draft = Asker(draft=True)
    assert draft("ubgi")[-1] == "readyok"
    assert not any(line.startswith(("option", "key")) for line in draft("ubgi"))
    fibs = (
        "board:You:bot:7:5:3:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:{}:1:1:1:0:1:-1:0:25:0:0:0:0"
        ":2:0:0:0"
    )
    expected = {
        XGID: "8/5 6/5",
        XGID.replace("31", "65"): "24/18 18/13",
        XGID.replace("31", "00"): "roll",
        XGID.replace("31", "D"): "take",
        f"XGID={LAST_ROLL}:0:0:1:00:0:0:0:0:10": "double",
        f"XGID={AHEAD}:0:0:1:D:0:0:0:0:10": "drop",
        "XGID=------M------------bbbbbbA:0:0:1:63:0:0:0:0:10": "",
        fibs.format("3:1:0:0"): "8/5 6/5",
        fibs.format("0:0:0:0"): "roll",
    }
    for text, action in expected.items():
        assert draft(text) == [action]
        assert ask(text) == [action]
    assert draft("XGID=what") == ["sorry"]
    assert ask.last("board:what").startswith("error bad_argument ")


@contextmanager
def started(*words: str) -> Iterator[subprocess.Popen[str]]:
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    command = [sys.executable, "-m", "bgai", "ubgi", *words]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, env=environment) as process:
        try:
            yield process
        finally:
            process.kill()


def test_a_search_can_be_stopped() -> None:
    with started() as process:
        assert process.stdin is not None
        assert process.stdout is not None

        def send(line: str) -> None:
            process.stdin.write(line + "\n")
            process.stdin.flush()

        def until(word: str) -> str:
            for line in process.stdout:
                if line.startswith(word):
                    return line.strip()
            raise AssertionError("the engine has gone")

        send("isready")
        assert until("readyok")
        send(f"position gnubgid {START}")
        send("dice 4 3")
        send("go role chequer depth 7")
        assert until("info role chequer depth 0")
        send("isready")
        assert until("readyok")
        send("stop")
        begin = time.monotonic()
        assert until("bestmove").startswith("bestmove ")
        assert time.monotonic() - begin < 10
        # The next one is not stopped by that, and `quit` ends it in the midst.
        send("go role chequer depth 1")
        assert until("bestmove")
        send("go role chequer depth 7")
        assert until("info")
        send("quit")
        assert until("bestmove")
        assert process.wait(20) == 0


def disputed_reply() -> tuple[str, str]:
    """A position soon after the start and a roll, on whose play the depths 1 and 2 do not agree."""

    def found(*question: str) -> str:
        return next(line for line in script(*question) if line.startswith("bestmove"))

    for board in legal_plays(parse_position_id(START), (4, 1)).successors:
        for high, low in ROLLS:
            position = (f"position gnubgid {format_position_id(board)}", f"dice {high} {low}")
            if len({found(*position, f"go role chequer depth {depth}") for depth in (1, 2)}) == 2:
                return position
    raise AssertionError("one ply and two agree on every roll")


@pytest.mark.parametrize("role", ["chequer", "cube"])
def test_what_is_stopped_answers_with_the_deepest_that_was_completed(role: str) -> None:
    question = ("newgame", "go cube depth 7") if role == "cube" else (*disputed_reply(), "go role chequer depth 7")
    said: list[str] = []
    stops: list[threading.Timer] = []

    def say(line: str) -> None:
        said.append(line)
        if line.startswith(f"info role {role} depth 2 "):
            # In the midst of the next depth, which takes seconds.
            stops.append(threading.Timer(0.01, engine.stop))
            stops[-1].start()

    engine = Engine(say)
    for line in question:
        engine.obey(line)
    assert engine.wait(600)
    *found, answer = said
    assert stops
    assert [line.split()[4] for line in found] == ["0", "1", "2"]
    if role == "chequer":
        # The depths do not agree, so that a step back would show.
        plays = [line.partition(" pv ")[2] for line in found]
        assert plays[1] != plays[2]
        assert answer == f"bestmove {plays[2]}"


def test_a_search_that_is_stopped_before_it_begins_has_an_answer() -> None:
    """Where a table knows all as well, to look up which is a search of its own."""
    searcher = Searcher(read_player("0-ply"), Opened.of(open_model()), 1, Limits(depth=7), str)
    searcher.halt.say()
    before = read_xgid(f"XGID={LAST_ROLL}:0:0:1:00:0:0:0:0:10").position
    assert searcher.doubles(before)
    assert searcher.answer(replace(before, offer="double")) == "take"
    assert searcher.move(replace(before, dice=(6, 5))).text == "5/off 2/off"
    assert searcher.evaluate(before).plies == 0


def script(*lines: str) -> list[str]:
    """What is said to lines that all are there at once."""
    said: list[str] = []
    serve(Engine(said.append), io.BytesIO("".join(line + "\n" for line in lines).encode()), said.append)
    return said


def test_lines_wait_for_the_end_of_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """A script is answered alike however long its searches take, in order and without a loss."""
    monkeypatch.setattr(ubgi, "_AT_ONCE", 0.0)
    monkeypatch.setattr(ubgi, "MOST_WAITING", 4)
    rolls = [(2, 1), (3, 2), (4, 3), (5, 4), (6, 5)]
    lines = [f"position gnubgid {START}"]
    for high, low in rolls:
        lines += [f"dice {high} {low}", "go role chequer depth 1", f"get dice{high}{low}"]
    said = [line for line in script(*lines) if not line.startswith("info")]
    assert [line.split()[0] for line in said] == ["bestmove", "error"] * len(rolls)
    asked = Asker()
    asked(f"position gnubgid {START}")
    expected = [asked.last(f"dice {high} {low}", "go role chequer depth 1") for high, low in rolls]
    assert said[::2] == expected
    # Nor does `quit` lose what waits before it.
    assert [line for line in script(*lines, "quit") if line.startswith("bestmove")] == expected


def test_a_stop_is_for_the_searches_that_wait_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ubgi, "_AT_ONCE", 0.0)
    begin = time.monotonic()
    deep = ("dice 4 3", "go role chequer depth 7")
    said = script(f"position gnubgid {START}", *deep, *deep, *deep, "stop", "dice 3 1", "go role chequer depth 1")
    assert time.monotonic() - begin < 20
    assert [line.split()[0] for line in said].count("bestmove") == 4
    assert [line.split()[4] for line in said if line.startswith("info")][-2:] == ["0", "1"]


def test_lines_of_any_kind(bgai_command: Command) -> None:
    lines = [
        b"\r\n",
        b"\0\n",
        bytes(random.Random(1).randbytes(200)).replace(b"\n", b"") + b"\n",
        b"x" * (3 * LONGEST_LINE) + b"\n",
        b"isready\r\n",
        b"position gnubgid 4HPwATDgc/ABMA\r\n",
        b"  dice   3\t1  \n",
        b"go role chequer",
    ]
    said = bgai_command.good("ubgi", stdin=b"".join(lines)).splitlines()
    assert [line.split()[0] for line in said] == ["error", "error", "readyok", "info", "bestmove"]
    assert said[1] == f"error bad_argument a line is longer than {LONGEST_LINE} bytes"
    assert said[-1] == "bestmove 8/5 6/5"


def test_too_long_lines_are_skipped_to_their_end() -> None:
    data = b"a" * LONGEST_LINE + b"\n" + b"b" * (LONGEST_LINE + 1) + b"\nc\n" + b"d" * (5 * LONGEST_LINE)
    found = list(read_lines(io.BytesIO(data)))
    assert found == ["a" * LONGEST_LINE + "\n", None, "c\n", None]


def test_who_has_gone_ends_the_search() -> None:
    said: list[str] = []

    def say(line: str) -> None:
        said.append(line)
        raise BrokenPipeError

    engine = Engine(say)
    begin = time.monotonic()
    lines = f"position gnubgid {START}\ndice 4 3\ngo role chequer depth 7\nisready\n"
    serve(engine, io.BytesIO(lines.encode()), say)
    assert engine.gone
    assert len(said) == 1
    assert time.monotonic() - begin < 20


def test_options_of_the_command(bgai_command: Command) -> None:
    said = bgai_command.good("ubgi", "--level", "1-ply", "--threads", "2", stdin="keys\nquit\n").splitlines()
    assert any(line.startswith("key engine.level string * 1-ply ") for line in said)
    assert any(line.startswith("key engine.threads int 1..256 2 ! ") for line in said)
    assert "no opinions" in bgai_command.bad("ubgi", "--level", "heuristic")


VOCABULARY = """
    go role cube turn position gnubgid xgid dice 1 -1 6 setscore set newsession type match money length 7 setcube value
    owner p0 p1 setturn eval get keys engine.ply game.length setoption name newgame crawford é 99999999999
"""
WORDS = st.sampled_from([*VOCABULARY.split(), START, XGID, "\0"])


@settings(max_examples=40)
@given(st.lists(st.lists(WORDS, max_size=6).map(" ".join) | st.text(max_size=60), max_size=8))
def test_nothing_makes_it_fall(lines: list[str]) -> None:
    ask = Asker()
    for line in lines:
        for said in ask(line.replace("quit", "")):
            assert "\n" not in said
            known = (
                "error ",
                "id ",
                "option ",
                "key ",
                "value ",
                "info ",
                "best",
                "eval ",
                "proto ",
                "readyok",
                "ubgiok",
            )
            assert said.startswith(known) or said in ("", "roll", "double", "take", "drop") or "/" in said


def test_the_example_of_the_module() -> None:
    assert doctest.testmod(ubgi).failed == 0
