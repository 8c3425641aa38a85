"""The server in this process: an app in an event loop of its own thread, asked without a network."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import httpx
import pytest
import uvicorn

from bgai.server.app import create_app
from bgai.server.settings import Settings

T = TypeVar("T")
START = "4HPwATDgc/ABMA"
API = "/api/v1"
PATIENCE = 600
"""Seconds after which something hangs. Kernels may have to be compiled first, on a machine that has much else to do."""


class Served:
    """A server that runs."""

    def __init__(self, settings: Settings) -> None:
        self.app = create_app(settings)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._lifespan = self.app.router.lifespan_context(self.app)

    def __enter__(self) -> Served:
        self._thread.start()
        self.run(self._lifespan.__aenter__())
        transport = httpx.ASGITransport(self.app, raise_app_exceptions=False)
        self.http = httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1")
        return self

    def __exit__(self, *_: object) -> None:
        self.run(self.http.aclose())
        self.run(self._lifespan.__aexit__(None, None, None))
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Does something in the server's event loop."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(PATIENCE)

    @contextmanager
    def listening(self) -> Iterator[str]:
        """On a port, for other programs; gives the address."""
        server = uvicorn.Server(uvicorn.Config(self.app, port=0, lifespan="off", log_level="warning"))
        running = asyncio.run_coroutine_threadsafe(server.serve(), self._loop)
        while not server.started:
            assert not running.done()
            time.sleep(0.01)
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
        server.should_exit = True
        running.result(PATIENCE)

    def request(self, method: str, path: str, **options: Any) -> httpx.Response:
        """Any request."""
        return self.run(self.http.request(method, path, **options))

    def get(self, path: str, **options: Any) -> httpx.Response:
        """A request for a path."""
        return self.request("GET", path, **options)

    def post(self, path: str, **body: Any) -> httpx.Response:
        """A question to the API."""
        return self.request("POST", f"{API}/{path}", json=body)

    def ask(self, path: str, **body: Any) -> Any:
        """The good answer to a question."""
        response = self.post(path, **body)
        assert response.status_code in (200, 201, 202), response.text
        return response.json()

    def refused(self, path: str, **body: Any) -> dict[str, Any]:
        """The problem details that a question is refused with."""
        return problem(self.post(path, **body))

    def wait(self, id: str) -> dict[str, Any]:
        """A job when it is over: the last of its events."""
        response = self.get(f"{API}/jobs/{id}/events", timeout=PATIENCE)
        *_, last = events(response.text)
        return last

    def transport(self) -> httpx.BaseTransport:
        """For clients that are not asynchronous."""
        return _Bridge(self)


class _Bridge(httpx.BaseTransport):
    def __init__(self, served: Served) -> None:
        self._served = served

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """See httpx."""
        content = request.read()
        answer = self._served.request(
            request.method, str(request.url), content=content, headers=dict(request.headers.items())
        )
        headers = {name: value for name, value in answer.headers.items() if name != "content-encoding"}
        return httpx.Response(answer.status_code, headers=headers, content=answer.content)


def problem(response: httpx.Response, status: int | None = None) -> dict[str, Any]:
    """The problem details of an answer, whose form is looked at."""
    assert response.headers["content-type"] == "application/problem+json", response.text
    details: dict[str, Any] = response.json()
    assert details["status"] == response.status_code >= 400
    assert details["type"].startswith("urn:bgai:problem:")
    assert details["title"]
    assert details["detail"]
    if status is not None:
        assert response.status_code == status, details
    return details


def events(text: str) -> list[dict[str, Any]]:
    """The jobs of a stream of events."""
    found = []
    for block in text.split("\n\n"):
        lines = dict(line.split(": ", 1) for line in block.splitlines() if line and not line.startswith(":"))
        if lines:
            assert lines["event"] == "job"
            found.append(httpx.Response(200, text=lines["data"]).json())
    return found


Serve = Callable[..., Served]


@pytest.fixture(scope="session")
def games(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Where the games of these servers are kept."""
    folder: Path = tmp_path_factory.mktemp("games")
    return f"sqlite:///{folder / 'games.sqlite'}"


@pytest.fixture(scope="session")
def api(games: str) -> Iterator[Served]:
    """A server with nothing special about it."""
    with Served(Settings(db=games)) as served:
        yield served


@pytest.fixture(scope="session")
def address(api: Served) -> Iterator[str]:
    """Where the same server listens, for other programs."""
    with api.listening() as address:
        yield address


@pytest.fixture
def serve(games: str) -> Iterator[Serve]:
    """Starts servers with other settings."""
    with ExitStack() as stack:

        def start(**settings: Any) -> Served:
            return stack.enter_context(Served(replace(Settings(db=games), **settings)))

        yield start
