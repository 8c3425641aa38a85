"""What a server does not let through, what it does not let itself be overrun by, and what it shows of itself."""

from __future__ import annotations

import asyncio
import json
import logging
import threading
import time
from typing import Any

import httpx
import pytest
from starlette.responses import PlainTextResponse

from bgai.errors import ConfigError
from bgai.met import builder
from bgai.server import docs_page, question_routes
from bgai.server.gate import Gate
from bgai.server.observing import JsonLines, TextLines
from bgai.server.pools import Pool
from bgai.server.settings import Settings
from tests.server.conftest import API, START, Serve, Served, problem

OPENING = {"id": START, "dice": [3, 1]}
TOKEN = "a token of some length"


@pytest.mark.parametrize("path", ["/nothing", f"{API}/nothing", f"{API}/plays/", "/page/../../etc/passwd", "/%2e%2e/x"])
def test_unknown_routes_are_not_there(api: Served, path: str) -> None:
    assert "/docs" in problem(api.get(path), 404)["detail"]


@pytest.mark.parametrize(
    ("method", "path"), [("GET", f"{API}/plays"), ("PUT", "/healthz"), ("POST", "/move"), ("PATCH", f"{API}/jobs/x")]
)
def test_other_methods_are_refused(api: Served, method: str, path: str) -> None:
    response = api.request(method, path)
    problem(response, 405)
    assert response.headers["allow"]


def test_head_is_get_without_a_body(api: Served) -> None:
    for path in ("/healthz", f"{API}/levels", "/openapi.json"):
        response = api.request("HEAD", path)
        assert (response.status_code, response.content) == (200, b"")
        assert response.headers["content-type"] == "application/json"
    assert api.request("HEAD", f"{API}/jobs/x/events").status_code == 405


def test_matches_are_only_so_long(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    served = serve()
    # The table is there: no question waits for one.
    monkeypatch.setattr(builder, "_fill", None)
    longest = {"id": START, "dice": [3, 1], "length": 64, "score": [0, 0]}
    assert served.post("plays", position=longest).status_code == 200
    board = "p24=2&p19=-5&p17=-3&p13=5&p12=-5&p8=3&p6=5&p1=-2"
    assert served.get(f"/move?die1=3&die2=1&{board}&x_away=64&o_away=1").status_code == 200
    for length in (65, 100, 1000, 10**30):
        details = served.refused("plays", position=longest | {"length": length})
        assert details["errors"][0]["field"] == "position.length"
        for path in (f"/move?die1=3&die2=1&{board}", f"/eval?{board}"):
            assert served.get(f"{path}&x_away={length}&o_away=2").status_code == 400


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"origin": "http://127.0.0.1"}, 200),
        ({"origin": "https://bgai.example", "sec-fetch-site": "same-origin"}, 200),
        ({"origin": "https://friend.example", "sec-fetch-site": "cross-site"}, 200),
        ({"origin": "https://evil.example"}, 403),
        ({"origin": "http://127.0.0.1:9999", "sec-fetch-site": "same-site"}, 403),
        ({"origin": "null"}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
    ],
)
def test_pages_of_other_sites_change_nothing(headers: dict[str, str], status: int) -> None:
    settings = Settings(cors=("https://friend.example",))
    assert at_the_gate(settings, "POST", headers) == status
    assert at_the_gate(settings, "GET", headers) == 200


def at_the_gate(settings: Settings, method: str, headers: dict[str, str]) -> int:
    """The status of a request that finds an answer if it is let in."""

    async def asked() -> int:
        transport = httpx.ASGITransport(Gate(PlainTextResponse("here"), settings))
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            return (await client.request(method, "/", headers=headers)).status_code

    return asyncio.run(asked())


@pytest.mark.parametrize(
    ("hosts", "host", "status"),
    [
        ((), "localhost:8000", 200),
        ((), "127.0.0.1:8000", 200),
        ((), "[::1]:8000", 200),
        ((), "bgai.localhost", 200),
        ((), "evil.example", 421),
        ((), "localhost.evil.example:8000", 421),
        ((), "127.0.0.1.evil.example", 421),
        ((), "[", 421),
        (("bgai.example",), "BGAI.example:8000", 200),
        (("bgai.example",), "evil.example", 421),
        (("*",), "evil.example", 200),
    ],
)
def test_the_server_answers_to_its_names(hosts: tuple[str, ...], host: str, status: int) -> None:
    assert at_the_gate(Settings(hosts=hosts), "GET", {"host": host}) == status


def test_the_document_holds_up_nobody(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    served = serve()
    go_on = threading.Event()
    write = docs_page.get_openapi

    def slow(**options: Any) -> Any:
        go_on.wait(30)
        return write(**options)

    monkeypatch.setattr(docs_page, "get_openapi", slow)

    async def beside() -> tuple[int, int]:
        docs = asyncio.create_task(served.http.get("/docs"))
        await asyncio.sleep(0.1)
        health = await served.http.get("/healthz")
        assert not docs.done()
        go_on.set()
        return health.status_code, (await docs).status_code

    assert served.run(beside()) == (200, 200)


def test_every_answer_has_security_headers(api: Served) -> None:
    for response in (api.get("/healthz"), api.get("/nothing"), api.post("plays", position=OPENING)):
        assert response.headers["x-content-type-options"] == "nosniff"
        assert response.headers["x-frame-options"] == "DENY"
        assert "default-src 'self'" in response.headers["content-security-policy"]
        assert "access-control-allow-origin" not in response.headers
    assert api.post("plays", position=OPENING).headers["cache-control"] == "no-store"


def test_a_large_body_is_refused(serve: Serve) -> None:
    served = serve(max_body=2000)
    assert served.post("plays", position=OPENING).status_code == 200
    assert "2000 bytes" in served.refused("plays", position=OPENING, level="x" * 2000)["detail"]

    async def piecemeal(begin: bytes) -> Any:
        yield begin
        for _ in range(30):
            yield b" " * 100

    form = b'--x\r\ncontent-disposition: form-data; name="file"; filename="a.mat"\r\n\r\n'
    for path, kind, begin in (
        ("plays", "application/json", b""),
        ("rollouts", "application/json", b""),
        ("conversions", "multipart/form-data; boundary=x", form),
    ):
        response = served.request("POST", f"{API}/{path}", content=piecemeal(begin), headers={"content-type": kind})
        problem(response, 413)
    response = served.request("POST", f"{API}/plays", content=b"{}", headers={"content-length": "1" * 50})
    problem(response, 413)


def test_a_token_is_asked_for(serve: Serve) -> None:
    served = serve(token=TOKEN)
    for path in ("/healthz", "/docs", "/openapi.json", "/"):
        assert served.get(path).status_code == 200
    right = {"authorization": f"Bearer {TOKEN}"}
    for path in (f"{API}/levels", "/metrics", "/eval?p1=1&p20=-1", f"{API}/jobs/x"):
        for wrong in (
            {},
            {"authorization": "Bearer wrong"},
            {"authorization": f"Basic {TOKEN}"},
            {"authorization": "Bearer \xff"},
        ):
            response = served.get(path, headers={name: value.encode("latin-1") for name, value in wrong.items()})
            assert problem(response, 401)["title"] == "A token is needed"
            assert response.headers["www-authenticate"] == "Bearer"
            assert TOKEN not in response.text
        assert served.get(path, headers=right).status_code != 401
    assert TOKEN not in repr(served.app.state.settings)


def test_other_sites_may_read_answers_only_if_they_are_named(serve: Serve) -> None:
    served = serve(cors=("https://example.org",), token=TOKEN)
    asked = {"origin": "https://example.org", "access-control-request-method": "POST"}
    response = served.request("OPTIONS", f"{API}/plays", headers=asked)
    assert response.headers["access-control-allow-origin"] == "https://example.org"
    for header in ("authorization", "content-type", "if-none-match", "last-event-id"):
        response = served.request(
            "OPTIONS", f"{API}/games/x", headers=asked | {"access-control-request-headers": header}
        )
        assert response.status_code == 200, response.text
    response = served.get("/healthz", headers={"origin": "https://evil.example"})
    assert "access-control-allow-origin" not in response.headers


def test_an_error_of_ours_says_nothing_of_itself(
    api: Served, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("the secret")

    monkeypatch.setattr(question_routes, "legal_record", broken)
    with caplog.at_level(logging.ERROR, "bgai.server"):
        response = api.post("legal-plays", position=OPENING)
    assert problem(response, 500)["title"] == "The server has failed"
    assert response.headers["x-content-type-options"] == "nosniff"
    assert "secret" not in response.text
    assert "the secret" in caplog.text


def test_one_question_that_fails_does_not_spoil_those_beside_it(api: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    from bgai.server import asking

    answer = asking.play_records

    def sometimes(analyst: Any, settings: Any, questions: Any) -> Any:
        if any(position.dice == (6, 6) for position, _ in questions):
            raise RuntimeError("no sixes")
        return answer(analyst, settings, questions)

    monkeypatch.setattr(asking, "play_records", sometimes)

    async def together() -> list[httpx.Response]:
        rolls = [[3, 1], [6, 6], [4, 2]]
        bodies = [{"position": {"id": START, "dice": roll}} for roll in rolls]
        return await asyncio.gather(*(api.http.post(f"{API}/plays", json=body) for body in bodies))

    assert [response.status_code for response in api.run(together())] == [200, 500, 200]


def test_deep_questions_wait_in_a_queue_that_ends_and_do_not_hold_up_others(serve: Serve) -> None:
    served = serve(max_waiting=1, max_seconds=2.0)
    body = {"position": OPENING, "level": "800ms", "top": 1}

    async def crowd() -> tuple[list[httpx.Response], list[float]]:
        slow = [asyncio.create_task(served.http.post(f"{API}/plays", json=body)) for _ in range(4)]
        await asyncio.sleep(0.1)
        times = []
        for _ in range(10):
            begin = time.perf_counter()
            response = await served.http.post(f"{API}/plays", json={"position": OPENING})
            assert response.status_code == 200
            times.append(time.perf_counter() - begin)
        return await asyncio.gather(*slow), times

    answers, times = served.run(crowd())
    found = sorted(response.status_code for response in answers)
    assert found == [200, 200, 429, 429]
    for response in answers:
        if response.status_code == 429:
            problem(response, 429)
            assert int(response.headers["retry-after"]) >= 1
    assert sorted(times)[5] < 0.3


def test_a_question_that_takes_too_long_is_given_up(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    served = serve(max_seconds=0.2)
    go_on = threading.Event()
    monkeypatch.setattr(question_routes, "cube_record", lambda *_, **__: go_on.wait(30) and {})
    assert "no answer within 0.2 s" in problem(served.post("cube", position=START), 504)["detail"]
    go_on.set()
    assert 'bgai_too_long_total{pool="quick"} 1.0' in served.get("/metrics").text


def test_a_pool_that_is_closed_says_so(api: Served) -> None:
    pool = Pool("closing", 1, 1, _metrics())
    assert pool.submit(lambda: 7).result(5) == 7
    pool.close()
    with pytest.raises(Exception, match="stopping"):
        pool.submit(lambda: 7)


def _metrics() -> Any:
    from bgai.server.observing import Metrics

    return Metrics()


def test_metrics_count_by_route(serve: Serve) -> None:
    served = serve()
    served.post("plays", position=OPENING)
    served.post("plays", position="x")
    served.get("/a/path/that/is/not/there")
    text = served.get("/metrics").text
    assert f'bgai_http_requests_total{{method="POST",route="{API}/plays",status="200"}} 1.0' in text
    assert f'bgai_http_requests_total{{method="POST",route="{API}/plays",status="422"}} 1.0' in text
    assert 'bgai_http_requests_total{method="GET",route="none",status="404"} 1.0' in text
    assert 'bgai_jobs{state="running"} 0.0' in text
    assert "process_resident_memory_bytes" in text


def test_requests_are_logged_a_line_each(api: Served, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "bgai.server"):
        api.get('/a"b%0D%0Aforged')
    (record,) = [record for record in caplog.records if record.getMessage() == "request"]
    entry = json.loads(JsonLines().format(record))
    assert (entry["method"], entry["status"], entry["level"]) == ("GET", 404, "info")
    assert entry["ms"] >= 0
    for formatter in (JsonLines(), TextLines()):
        assert "\n" not in formatter.format(record)


def test_the_log_holds_no_ids(api: Served, caplog: pytest.LogCaptureFixture) -> None:
    """Who knows one may play on."""
    game = api.ask("games")["id"]
    with caplog.at_level(logging.INFO, "bgai.server"):
        for path in (f"games/{game}", f"games/{game}/nothing", f"jobs/{game}/result", f"games/{game}/match.mat"):
            api.get(f"{API}/{path}")
    lines = [JsonLines().format(record) for record in caplog.records]
    assert [json.loads(line)["path"] for line in lines][1] == f"{API}/games/{game[:4]}.../nothing"
    assert not [line for line in lines if game[5:] in line]


@pytest.mark.parametrize(
    "settings",
    [
        {"threads": 0},
        {"max_job_seconds": 0.0},
        {"hosts": ("https://bgai.example",)},
        {"max_body": 1},
        {"max_seconds": 0.0},
        {"cors": ("example.org",)},
        {"cors": ("https://example.org/path",)},
        {"token": "short"},
        {"token": "a token with a\nline"},
    ],
)
def test_settings_that_cannot_be_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match="expected"):
        Settings(**settings)
