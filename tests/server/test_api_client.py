"""The Python client: the same answers as objects, the same errors as the library."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

import bgai
from bgai.client import Client, RequestError, ServerError
from tests.server.conftest import START, Serve, Served
from tests.server.test_api_jobs import MAT


@pytest.fixture
def client(api: Served) -> Iterator[Client]:
    with Client("http://testserver", transport=api.transport()) as client:
        yield client


def test_questions(client: Client) -> None:
    best = client.plays(START, dice=(3, 1), top=2, play="24/23 13/10")
    assert [play.play for play in best.plays] == ["8/5 6/5", "24/23 13/10"]
    assert best.asked is not None
    assert best.asked.loss == best.plays[1].loss > 0
    assert best.settings.level == "0-ply"
    assert client.legal_plays({"board": bgai.START.tolist()}, dice=(3, 1)).plays[0].steps
    assert client.evaluate(START).win == pytest.approx(0.529, abs=0.01)
    cube = client.cube({"id": START, "length": 5, "score": [3, 4]}, market_losers=False)
    assert (cube.action, cube.mwc is not None) == ("double", True)
    assert client.explain(START, dice=(3, 1)).reasons[0].text
    assert client.name(START).pips == [167, 167]
    assert client.diagram(START, dice=(3, 1), play="8/5 6/5").startswith("<svg")
    assert client.models().models[-1].default
    assert "2-ply" in [level.name for level in client.levels().levels]
    assert client.convert(MAT.encode(), "sgf").text.startswith("(;")


def test_jobs(client: Client) -> None:
    job = client.rollout(START, dice=(3, 1), trials=72, truncation=2, candidates=2)
    *_, last = client.watch(job.id)
    assert last.over
    assert last.state == client.job(job.id).state == "done"
    assert client.result(job.id)["candidates"][0]["name"] == "8/5 6/5"
    assert client.cancel(job.id).state == "done"
    analysis = client.analyse(MAT.encode(), level="0-ply")
    *_, last = client.watch(analysis.id)
    assert last.has_report
    assert "<html" in client.report(analysis.id)


def test_bad_input_raises_what_the_library_raises(client: Client) -> None:
    with pytest.raises(bgai.InputError, match="14 characters") as caught:
        client.plays("4HPw", dice=(3, 1))
    assert isinstance(caught.value, RequestError)
    assert caught.value.status == 422
    assert list(caught.value.fields) == ["position.id"]
    with pytest.raises(ServerError, match="no job") as other:
        client.job("nothing")
    assert other.value.status == 404
    assert not isinstance(other.value, bgai.InputError)
    with pytest.raises(ServerError, match="no job"):
        list(client.watch("nothing"))


def test_the_token_is_sent(serve: Serve) -> None:
    served = serve(token="a token of some length")
    with Client("http://testserver", transport=served.transport()) as stranger, pytest.raises(ServerError) as caught:
        stranger.levels()
    assert caught.value.status == 401
    with Client("http://testserver", token="a token of some length", transport=served.transport()) as known:
        assert known.levels().default == "0-ply"


def test_other_servers_and_none_at_all_are_told_apart() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("levels"):
            return httpx.Response(200, json={"hello": 1})
        if request.url.path.endswith("models"):
            return httpx.Response(429, text="busy", headers={"retry-after": "3"})
        raise httpx.ConnectError("refused")

    with Client(transport=httpx.MockTransport(answer)) as client:
        with pytest.raises(ServerError, match="not an answer that this version knows"):
            client.levels()
        with pytest.raises(ServerError, match="status 429") as busy:
            client.models()
        assert busy.value.retry_after == 3
        with pytest.raises(ServerError, match="no answer from") as gone:
            client.evaluate(START)
        assert gone.value.status is None
