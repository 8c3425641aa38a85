"""`bgai.protocols.gnubg_server` and `bgai external`: everything that breaks gnubg's own server."""

from __future__ import annotations

import os
import random
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bgai.errors import InputError
from bgai.position import Position
from bgai.protocols import gnubg_server
from bgai.protocols.gnubg_board import format_gnubg_board
from bgai.protocols.gnubg_server import LONGEST_LINE, MOST_CLIENTS, ExternalServer, Lines
from bgai.protocols.gnubg_session import Session
from tests.cli import Command, heeding_interrupts
from tests.protocols.gnubg import serving
from tests.protocols.test_gnubg_session import ADVISERS

BOARD = format_gnubg_board(Position(dice=(3, 1))).encode()
PLAY = b"8/5 6/5\n"


@pytest.fixture(scope="module")
def server() -> Iterator[ExternalServer]:
    with serving(lambda: Session(ADVISERS)) as found:
        yield found


@contextmanager
def client(server: ExternalServer) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", server.port), 60) as connection:
        yield connection


def read(connection: socket.socket, lines: int) -> bytes:
    data = b""
    while data.count(b"\n") < lines:
        piece = connection.recv(4096)
        assert piece, f"the connection was closed after {data!r}"
        data += piece
    return data


def test_split_packets(server: ExternalServer) -> None:
    with client(server) as connection:
        for byte in BOARD + b"\n":
            connection.sendall(bytes([byte]))
        assert read(connection, 1) == PLAY


def test_pipelined_packets_and_nul_bytes(server: ExternalServer) -> None:
    with client(server) as connection:
        connection.sendall((BOARD + b"\n\0") * 5 + b"set debug off\n\0" + BOARD)
        assert read(connection, 6) == PLAY * 5 + b"Debug output OFF\n"
        connection.sendall(b"\n")
        assert read(connection, 1) == PLAY


@pytest.mark.parametrize("length", [254, 255, 256, 300, LONGEST_LINE])
def test_long_lines_are_no_trouble(server: ExternalServer, length: int) -> None:
    with client(server) as connection:
        connection.sendall(BOARD + b" " * (length - len(BOARD)) + b"\n")
        assert read(connection, 1) == PLAY


def test_endless_lines_are_refused(server: ExternalServer) -> None:
    with client(server) as connection:
        for _ in range(20):
            connection.sendall(b"x" * LONGEST_LINE)
        connection.sendall(b"\n" + BOARD + b"\n")
        said = read(connection, 2)
        assert said == b"Error: a line is longer than %d bytes\n" % LONGEST_LINE + PLAY


def test_short_boards_and_garbage(server: ExternalServer) -> None:
    rng = random.Random(1)
    garbage = bytes(byte for byte in rng.randbytes(500) if byte != 10)
    with client(server) as connection:
        connection.sendall(b"board:me:opp:0:0:0\n" + garbage + b"\n" + BOARD + b"\n")
        said = read(connection, 3).split(b"\n")
    assert said[0].startswith(b"Error: badly formed board")
    assert said[1].startswith(b"Error: ")
    assert said[2] + b"\n" == PLAY


def test_several_clients_have_their_own_settings(server: ExternalServer) -> None:
    with client(server) as first, client(server) as second:
        first.sendall(b"set debug on\n")
        assert read(first, 1) == b"Debug output ON\n"
        second.sendall(BOARD + b"\n")
        assert read(second, 1) == PLAY
        first.sendall(BOARD + b"\n")
        assert read(first, 19).endswith(PLAY)


def test_there_is_an_end_to_clients(server: ExternalServer) -> None:
    held = [socket.create_connection(("127.0.0.1", server.port), 60) for _ in range(MOST_CLIENTS)]
    try:
        for connection in held:
            connection.sendall(b"set debug off\n")
            read(connection, 1)
        with client(server) as one_more:
            assert read(one_more, 1).startswith(b"Error: too many clients")
    finally:
        for connection in held:
            connection.close()


def test_the_silent_give_way(server: ExternalServer, monkeypatch: pytest.MonkeyPatch) -> None:
    held = [socket.create_connection(("127.0.0.1", server.port), 60) for _ in range(MOST_CLIENTS)]
    try:
        for connection in held:
            connection.sendall(b"set debug off\n")
            read(connection, 1)
        # The one that has waited longest speaks again.
        held[0].sendall(b"set debug off\n")
        read(held[0], 1)
        monkeypatch.setattr(gnubg_server, "PATIENCE", 0.0)
        with client(server) as one_more:
            one_more.sendall(BOARD + b"\n")
            assert read(one_more, 1) == PLAY
        assert held[1].recv(10) == b""
        held[0].sendall(BOARD + b"\n")
        assert read(held[0], 1) == PLAY
    finally:
        for connection in held:
            connection.close()


def test_exit_closes_the_connection(server: ExternalServer) -> None:
    with client(server) as connection:
        connection.sendall(b"exit\n")
        assert connection.recv(100) == b""


def test_closing_ends_connections() -> None:
    with serving(lambda: Session(ADVISERS)) as server, client(server) as connection:
        connection.sendall(BOARD + b"\n")
        read(connection, 1)
        server.server_close()
        assert connection.recv(100) == b""


def test_lines_come_whole_however_they_are_cut() -> None:
    data = b"one\ntwo\n\nthree" + b"x" * LONGEST_LINE + b"\nfour\n"
    for step in (1, 7, len(data)):
        lines = Lines()
        found = [line for at in range(0, len(data), step) for line in lines.feed(data[at : at + step])]
        assert found == [b"one", b"two", b"", None, b"four"]


def test_a_taken_port_is_said(server: ExternalServer, bgai_command: Command) -> None:
    with pytest.raises(InputError, match=f"cannot listen on 127.0.0.1:{server.port}: Address already in use"):
        ExternalServer("127.0.0.1", server.port, lambda: Session(ADVISERS))
    said = bgai_command.bad("external", "--port", str(server.port))
    assert said.startswith("bgai external: cannot listen on 127.0.0.1:")
    assert "no opinions" in bgai_command.bad("external", "--level", "random")


@pytest.mark.parametrize(("ending", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 0)])
def test_the_command(ending: signal.Signals, code: int) -> None:
    words = [sys.executable, "-m", "bgai", "external", "--port", "0", "--level", "0-ply"]
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    with subprocess.Popen(
        words, stderr=subprocess.PIPE, text=True, env=environment, preexec_fn=heeding_interrupts
    ) as process:
        try:
            assert process.stderr is not None
            # A machine without compiled kernels says so first.
            told = (
                re.search(r"waits for GNU Backgammon on 127\.0\.0\.1:(\d+), Ctrl-C", line) for line in process.stderr
            )
            said = next(filter(None, told))
            with socket.create_connection(("127.0.0.1", int(said[1])), 60) as connection:
                connection.sendall(BOARD + b"\n")
                assert read(connection, 1) == PLAY
                process.send_signal(ending)
                assert process.wait(600) == code
                assert connection.recv(10) == b""
        finally:
            process.kill()
