"""Lines, limits, passwords, policies, and the loop that holds them together."""

from __future__ import annotations

import itertools
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bgai.errors import InputError
from bgai.protocols.connection import ServerError
from bgai.protocols.credentials import Password, read_password
from bgai.protocols.fibs import FibsBot
from bgai.protocols.invitations import Policy
from bgai.protocols.line_splitter import LONGEST_LINE, LineSplitter
from bgai.protocols.online import Interruption, Online, pause_before
from bgai.protocols.token_bucket import TokenBucket
from tests.match_players import Gambler
from tests.protocols.fibs_server import FibsServer
from tests.protocols.visiting import Hurried, Visit

STREAM = (
    b"\xff\xfb\x01hello\r\n\xff\xfa\x18\x00x\nterm\xff\xf0board:You:x\nna\xc3\xafve \xff\xff\n\xff\xf9\x00a\n\nlogin: "
)
LINES = ["hello", "board:You:x", "naïve �", "a", ""]


@given(st.lists(st.integers(0, len(STREAM)), max_size=12))
def test_lines_do_not_depend_on_the_packets(cuts: list[int]) -> None:
    splitter, places = LineSplitter(), [0, *sorted(cuts), len(STREAM)]
    found = [line for start, end in itertools.pairwise(places) for line in splitter.feed(STREAM[start:end])]
    assert found == LINES
    assert splitter.pending == "login: "


@given(st.binary(max_size=300))
def test_any_bytes_are_survived(data: bytes) -> None:
    splitter = LineSplitter()
    assert all("\n" not in line for line in splitter.feed(data))


def test_a_line_without_an_end_does_not_fill_the_memory() -> None:
    splitter = LineSplitter()
    for _ in range(3):
        assert list(splitter.feed(b"x" * (LONGEST_LINE // 2))) == []
    assert len(splitter.pending) <= LONGEST_LINE
    assert list(splitter.feed(b"\nnext\n")) == ["next"]


def test_a_bucket_lets_through_what_was_agreed() -> None:
    bucket = TokenBucket(rate=2.0, burst=5)
    through, now = [], 100.0
    while now < 110.0:
        through += [now] * bucket.take(now)
        now += 0.125
    assert len(through) == 5 + 19
    assert bucket.wait(now) == pytest.approx(0.5, abs=0.5)
    assert bucket.wait(1000.0) == 0.0


def test_pauses_grow() -> None:
    pauses = [pause_before(attempt) for attempt in range(1, 50)]
    assert pauses == sorted(pauses)
    assert (pauses[0], pauses[-1]) == (2.0, 300.0)


# Passwords


def test_a_password_comes_from_the_file_or_the_environment(tmp_path: Path) -> None:
    file = tmp_path / "password"
    file.write_text("from file\n")
    file.chmod(0o600)
    environment = {"VARIABLE": "from environment"}
    found = read_password("VARIABLE", file, environment)
    assert found is not None
    assert found.secret == "from file"
    found = read_password("VARIABLE", None, environment)
    assert found is not None
    assert found.secret == "from environment"
    assert read_password("VARIABLE", None, {}) is None


@pytest.mark.skipif(os.name != "posix", reason="permissions as POSIX has them")
@pytest.mark.parametrize("mode", [0o640, 0o604, 0o644, 0o620])
def test_a_file_that_others_can_open_is_refused(tmp_path: Path, mode: int) -> None:
    file = tmp_path / "password"
    file.write_text("secret")
    file.chmod(mode)
    with pytest.raises(InputError, match=rf"open to others \(mode {mode:o}\), expected .*chmod 600") as refused:
        read_password("VARIABLE", file, {})
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize("text", ["", "\n", "two\nlines", "tab\there", "x" * 2000])
def test_what_is_no_password(tmp_path: Path, text: str) -> None:
    file = tmp_path / "password"
    file.write_text(text)
    file.chmod(0o600)
    for given_file, environment in ((file, {}), (None, {"VARIABLE": text})):
        with pytest.raises(InputError, match="expected a password in one line"):
            read_password("VARIABLE", given_file, environment)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read: No such file"):
        read_password("VARIABLE", tmp_path / "none", {})


def test_a_password_does_not_show_itself() -> None:
    password = Password("sesame")
    assert "sesame" not in f"{password} {password!r}"
    assert password.hide("open sesame!") == "open ***!"


# Policies


@pytest.mark.parametrize(
    ("words", "opponent", "length", "plays"),
    [
        (["anyone"], "Ann", 15, True),
        (["anyone"], "Ann", 16, False),
        (["anyone"], "Ann", 0, False),
        (["unlimited"], "Ann", 0, True),
        (["ann", "bob"], "Ann", 3, True),
        (["ann", "bob"], "eve", 3, False),
        (["ann", "anyone"], "eve", 3, True),
        (["saved"], "eve", 3, True),
    ],
)
def test_policies(words: list[str], opponent: str, length: int, plays: bool) -> None:
    policy = Policy.of(words)
    assert (policy.refusal(opponent, length) is None) is plays
    assert policy.saved is ("saved" in words)


# The loop


def test_commands_are_not_sent_faster_than_is_polite() -> None:
    class Slow(TokenBucket):
        """Counts what it lets through, and hardly lets anybody wait."""

        taken = 0

        def take(self, now: float) -> bool:
            let = super().take(now)
            self.taken += let
            return let

    bucket = Slow(rate=200.0, burst=1)
    said: list[str] = []
    with FibsServer(Gambler("ann"), [], password="pw") as server:
        online = Online(Gambler("bot"), "127.0.0.1", server.port, say=said.append, bucket=bucket, clock=Hurried())
        bot = FibsBot(online, Policy(), "bot", Password("pw"))
        online._say = lambda text: online.interrupt()
        online.run(bot)
    assert bucket.taken == len(server.received)
    assert server.received[-1] == "bye"


def test_an_interruption_ends_the_pause_before_the_next_call() -> None:
    class Interrupted(Hurried):
        def pause(self, *_: object) -> object:
            return Interruption()

    visit = Visit()
    visit.clock = Interrupted()
    with FibsServer(Gambler("ann"), []) as server:
        pass
    visit.run(lambda online: FibsBot(online, Policy(), "bot", Password("pw")), Gambler("bot"), server.port)
    assert visit.error is None


def test_a_player_that_fails_is_no_secret() -> None:
    class Broken(Gambler):
        def choose(self, *_: object) -> int:
            raise ArithmeticError("lost count")

    with FibsServer(Gambler("ann"), [3], password="pw") as server, pytest.raises(ArithmeticError, match="lost count"):
        Visit().run(lambda online: FibsBot(online, Policy(), "bot", Password("pw")), Broken("bot"), server.port)


def test_a_name_that_is_no_host() -> None:
    online = Online(Gambler("bot"), "no such host.invalid", 1, say=lambda text: None, retries=0, clock=Hurried())
    with pytest.raises(ServerError, match="gave up after 1 call"):
        online.run(FibsBot(online, Policy(), "bot", Password("pw")))
