"""What a gnubg that listens is asked: by the tests, and by who records its answers for machines without one."""

from __future__ import annotations

import json
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from bgai.board import as_board, flip
from bgai.position import Position, Score
from bgai.protocols.gnubg_client import GnubgConnection
from tests.positions import game_positions

AHEAD = as_board([-2, 2, 2, 2, 3, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -2, -3, -3, -3, -2, 0, 0])
"""A closed board with two on the bar, and no anchor."""
BEHIND = flip(AHEAD)

PLAYS = [
    Position(board, (int(max(roll)), int(min(roll)))) for board, roll in zip(*game_positions(60, seed=5), strict=True)
]


def at(mine: int, theirs: int, board: np.ndarray, offer: bool = False) -> Position:
    """A match to 7 after its Crawford game."""
    return Position(board, score=Score((mine, theirs), 7), offer="double" if offer else None)


def ask_everything(connection: GnubgConnection) -> dict[str, str]:
    """All questions, as commands, and what was said to them."""
    answers: dict[str, str] = {}
    ask = connection.ask

    def keep(command: str, lines: int = 1) -> str:
        answers[command] = ask(command, lines)
        return answers[command]

    connection.ask = keep
    for position in PLAYS:
        connection.decide(position)
    for board in (AHEAD, BEHIND, Position().board):
        connection.decide(Position(board))
        connection.decide(Position(board, offer="double"))
        connection.evaluate(Position(board))
        connection.evaluate(Position(board), cubeful=True)
        for mine, theirs in ((0, 6), (6, 0), (3, 5), (5, 3)):
            connection.evaluate(at(mine, theirs, board))
            connection.decide(at(mine, theirs, board, offer=True))
    return answers


@contextmanager
def recorded_gnubg(path: Path) -> Iterator[GnubgConnection]:
    """A connection to somebody who knows what gnubg has said, and is as poor a listener: one packet, one answer."""
    answers: dict[str, str] = json.loads(path.read_text("utf-8"))

    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            while data := self.request.recv(4096):
                command = data.partition(b"\n")[0].decode()
                if command == "exit":
                    return
                self.request.sendall(answers.get(command, f"Error: never asked: {command}").encode() + b" \n")

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        connection = GnubgConnection("127.0.0.1", server.server_address[1])
        try:
            yield connection
        finally:
            connection.close()
            server.shutdown()
