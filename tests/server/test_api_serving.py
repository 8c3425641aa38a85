"""`bgai serve` as a process: its options, and how it ends."""

from __future__ import annotations

import gc
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
import uvicorn

from bgai.cli.main import parser
from bgai.errors import InputError
from bgai.server import app, running
from bgai.server.settings import Settings
from tests.cli import Command
from tests.server.conftest import API, events
from tests.server.test_api_jobs import MAT

TOKEN = "a token of some length"
HEADERS = {"authorization": f"Bearer {TOKEN}"}


class Process:
    """A server of its own."""

    def __init__(self, folder: Path) -> None:
        token = folder / "token"
        token.write_text(f"{TOKEN}\n")
        token.chmod(0o600)
        self.log = (folder / "log").open("w+")
        words = ["serve", "--port", "0", "--token-file", str(token), "--db", str(folder / "games.sqlite"), "--log-json"]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "bgai", *words], stdout=subprocess.PIPE, stderr=self.log, text=True, env=os.environ
        )
        assert self.process.stdout is not None
        found = re.match(r"(http://127\.0\.0\.1:\d+): ", self.process.stdout.readline())
        assert found is not None, self.told()
        self.base = found[1]

    def told(self) -> str:
        """What it has logged."""
        self.log.flush()
        return Path(self.log.name).read_text()

    def stop(self, sign: int) -> int:
        """Its exit code."""
        self.process.send_signal(sign)
        return self.process.wait(30)


@pytest.fixture
def process(tmp_path: Path) -> Iterator[Process]:
    process = Process(tmp_path)
    yield process
    process.process.kill()
    process.process.wait()
    process.process.stdout.close()  # type: ignore[union-attr]
    process.log.close()


def test_a_server_ends_its_jobs_and_says_so(process: Process) -> None:
    told: list[str] = []
    with httpx.Client(base_url=process.base, headers=HEADERS, timeout=600) as client:
        assert client.get("/healthz", headers={"authorization": ""}).status_code == 200
        assert client.get(f"{API}/levels", headers={"authorization": ""}).status_code == 401
        # Whoever sends too much gets to read why.
        large = client.post(f"{API}/analyses", content=b"x" * (8 << 20))
        assert (large.status_code, large.headers["connection"]) == (413, "close")
        job = client.post(f"{API}/analyses", files={"file": ("club.mat", MAT)}, data={"level": "7-ply"}).json()
        begun = threading.Event()

        def watch() -> None:
            with client.stream("GET", f"{API}/jobs/{job['id']}/events") as response:
                for text in response.iter_text():
                    told.append(text)
                    begun.set()

        thread = threading.Thread(target=watch)
        thread.start()
        assert begun.wait(30)
        while client.get(f"{API}/jobs/{job['id']}").json()["state"] != "running":
            time.sleep(0.05)
        code = process.stop(signal.SIGTERM)
        thread.join(30)
    last = events("".join(told))[-1]
    assert (last["state"], last["reason"]) == ("cancelled", "the server is stopping")
    assert code in (0, -signal.SIGTERM)
    log = process.told()
    assert TOKEN not in log
    lines = [json.loads(line) for line in log.splitlines() if line.startswith("{")]
    assert {"jobs are cancelled because the server stops", "request", "stopping"} <= {line["message"] for line in lines}
    assert next(line for line in lines if line["message"].startswith("jobs"))["jobs"] == 1


def test_what_cannot_be_served_is_said_in_a_line(
    bgai_command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    empty = tmp_path / "empty"
    empty.touch(0o600)
    assert "unknown model" in bgai_command.bad("serve", "--model", "nothing")
    assert "is empty" in bgai_command.bad("serve", "--token-file", empty)
    assert "cannot read the file" in bgai_command.bad("serve", "--token-file", tmp_path / "missing")
    assert "such as https://example.org" in bgai_command.bad("serve", "--cors", "example.org")
    assert "a name such as example.org" in bgai_command.bad("serve", "--allow-host", "http://example.org")
    assert "cannot find" in bgai_command.bad("serve", "--host", "no.such.host.invalid")
    monkeypatch.setenv("BGAI_TOKEN", "short")
    assert "at least 16" in bgai_command.bad("serve")
    monkeypatch.delenv("BGAI_TOKEN")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        assert "cannot listen" in bgai_command.bad("serve", "--port", str(taken.getsockname()[1]))


def connects(found: socket.socket) -> bool:
    try:
        socket.create_connection(found.getsockname(), 1).close()
    except ConnectionRefusedError:
        return False
    return True


@pytest.mark.parametrize("taken", [False, True])
def test_nobody_is_let_in_before_all_is_compiled(monkeypatch: pytest.MonkeyPatch, games: str, taken: bool) -> None:
    """Even where another server takes the address meanwhile, somebody is told."""
    with running.bound("127.0.0.1", 0) as found, socket.socket() as another:
        let_in: list[bool] = []

        def warm_up(_: object) -> None:
            let_in.append(connects(found))
            if taken:
                another.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                another.bind(found.getsockname())
                another.listen()

        def ready() -> None:
            let_in.append(connects(found))
            server.should_exit = True

        monkeypatch.setattr(app, "_warm_up", warm_up)
        made = app.create_app(Settings(db=games))
        server = running.Server(made, uvicorn.Config(made, log_config=None, lifespan="on"), ready)
        if taken:
            with pytest.raises(InputError, match="cannot listen"):
                server.run([found])
        else:
            server.run([found])
        assert let_in == ([False] if taken else [False, True])


def test_what_is_loaded_is_not_looked_through_for_rubbish(monkeypatch: pytest.MonkeyPatch, games: str) -> None:
    """While the server answers; whoever has it within another program finds the collector as it was."""
    frozen: list[int] = []

    class Stopped(running.Server):
        async def main_loop(self) -> None:
            frozen.append(gc.get_freeze_count())

    monkeypatch.setattr(app, "_warm_up", lambda _: None)
    monkeypatch.setattr(running, "Server", Stopped)
    with running.bound("127.0.0.1", 0) as found:
        running.serve(Settings(db=games), [found], lambda: None)
    assert frozen[0] > 10_000
    assert not gc.get_freeze_count()


def test_a_token_is_no_option() -> None:
    (commands,) = [action for action in parser("serve")._actions if action.dest == "command"]
    options = commands.choices["serve"]._option_string_actions  # type: ignore[index, call-overload]
    assert "--token-file" in options
    assert "--token" not in options
