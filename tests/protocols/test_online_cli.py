"""`bgai fibs` and `bgai bgammon`."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from bgai.cli import online
from bgai.match_play import CubelessPlayer
from bgai.player import HeuristicPlayer
from bgai.protocols.online import Online
from bgai.protocols.token_bucket import TokenBucket
from tests.cli import Command
from tests.protocols.bgammon_server import BgammonServer
from tests.protocols.fibs_server import FibsServer
from tests.protocols.visiting import Hurried

CALM = CubelessPlayer(HeuristicPlayer())


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Politeness takes time."""

    class Quick(Online):
        def __init__(self, *positional: object, **named: object) -> None:
            super().__init__(*positional, **named, bucket=TokenBucket(1e6, 1000), clock=Hurried())  # type: ignore[arg-type]

    monkeypatch.setattr(online, "Online", Quick)
    monkeypatch.setenv("BGAI_FIBS_PASSWORD", "sesame")
    monkeypatch.setenv("BGAI_BGAMMON_PASSWORD", "sesame")


def test_a_match_on_fibs(bgai_command: Command, model: Path) -> None:
    with FibsServer(CALM, [1], password="sesame") as server:
        words = ("--host", "127.0.0.1", "--port", str(server.port), "--user", "bot", "--level", model, "--matches", "1")
        found = bgai_command("fibs", *words, "--verbose")
    assert found.code == 0
    first, *_, last = found.out.splitlines()
    assert first == f"tiny goes to FIBS at 127.0.0.1, port {server.port}. Ctrl-C leaves."
    assert last == "1 match played."
    assert "> join ann" in found.err
    assert "sesame" not in found.out + found.err
    assert server.refused == []


def test_a_match_on_bgammon(bgai_command: Command, model: Path) -> None:
    with BgammonServer(CALM, accounts={"bot": "sesame"}) as server:
        words = ("--host", "127.0.0.1", "--port", str(server.port), "--user", "bot", "--level", model, "--matches", "1")
        out = bgai_command.good("bgammon", *words, "--length", "1", "--no-rematch")
    assert out.endswith("1 match played.\n")
    assert "create public 1 0" in server.received
    assert server.refused == []


def test_a_wrong_password_is_one_line(bgai_command: Command, model: Path) -> None:
    with FibsServer(CALM, [1], password="another") as server:
        found = bgai_command(
            "fibs", "--host", "127.0.0.1", "--port", str(server.port), "--user", "bot", "--level", model
        )
    assert found.code == 2
    assert found.err == "bgai fibs: the server does not take the user name 'bot' with this password\n"


@pytest.mark.parametrize("command", ["fibs", "bgammon"])
def test_no_server_is_a_failure(bgai_command: Command, model: Path, command: str) -> None:
    with FibsServer(CALM, [1]) as server:
        pass
    where = ("--host", "127.0.0.1", "--port", str(server.port), "--user", "bot", "--level", model)
    found = bgai_command(command, *where, "--retries", "2")
    assert found.code == 1
    assert found.err == (f"bgai {command}: 127.0.0.1:{server.port}: Connection refused; gave up after 3 calls\n")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("fibs", "--user", "x"), "required: --host"),
        (("bgammon",), "required: --host"),
        (("fibs", "--host", "h"), "required: --user"),
        (("fibs", "--host", "h", "--user", "x", "--port", "0"), "from 1 to 65535, found '0'"),
        (("fibs", "--host", "h", "--user", "x y", "--level", "1"), "letters, digits and underscores, found 'x y'"),
        (("fibs", "--host", "h", "--user", "x", "--accept", "a b"), "names of players or anyone, unlimited, saved"),
        (("fibs", "--host", "h", "--user", "x", "--level", "random"), "'random' has no opinions"),
        (("fibs", "--host", "h", "--user", "x", "--credentials", "none"), "'none' cannot be read: No such file"),
        (("bgammon", "--host", "h", "--length", "9", "--max-length", "7"), "found 9, expected at most the 7"),
        (("fibs", "--host", "h", "--user", "x", "--password", "p"), "unknown options or too many words: --password"),
    ],
)
def test_bad_input(bgai_command: Command, words: tuple[str, ...], said: str) -> None:
    assert said in bgai_command.bad(*words)


def test_a_password_is_needed_on_fibs(bgai_command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BGAI_FIBS_PASSWORD")
    line = bgai_command.bad("fibs", "--host", "h", "--user", "x")
    assert line == ("bgai fibs: no password, expected it in BGAI_FIBS_PASSWORD or in a file that --credentials names")


def test_ctrl_c_asks_the_bot_to_leave_and_is_given_back() -> None:
    before = signal.getsignal(signal.SIGINT)
    asked: list[bool] = []
    with online._interrupts(lambda: asked.append(True)):
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGTERM)
    assert asked == [True, True]
    assert signal.getsignal(signal.SIGINT) is before
