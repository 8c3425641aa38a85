"""The Python client: the same answers as objects, the same errors as the library."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import httpx
import pytest
from pydantic import BaseModel

import bgai
from bgai import client as client_shapes
from bgai.client import Client, RequestError, ServerError
from bgai.server import room_shapes
from bgai.server.room_examples import OPENING_ROLL
from tests.server.conftest import START, Serve, Served
from tests.server.test_api_jobs import MAT


@pytest.fixture
def client(api: Served) -> Iterator[Client]:
    with Client("http://127.0.0.1", transport=api.transport()) as client:
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


def test_a_game(client: Client) -> None:
    commitment = client.commit().commitment
    game = client.new_game(position=OPENING_ROLL, commitment=commitment, player_seed="Ann", name="Ann")
    assert (game.phase, game.dice, game.players["person"]["name"]) == ("play", [3, 1], "Ann")
    assert client.hints(game.id).best == "8/5 6/5"
    said = client.check(game, "play", play="24/23 13/10")
    assert said.best == "8/5 6/5"
    assert said.loss > 0
    after = client.act(game, "play", steps=game.plays[0].steps)
    assert after.events[0].event == "play"
    assert after.events[0].by == "person"
    assert client.game(game.id, since=after.version).events == []
    assert [event.number for event in client.game(game.id, since=1).events] == list(range(2, after.version + 1))
    with pytest.raises(ServerError) as late:
        client.act(game, "resign", value="single")
    assert late.value.status == 409
    assert late.value.problem["state"]["version"] == after.version
    with pytest.raises(RequestError):
        client.act(after, "accept")
    assert client.dice(game.id).server_seed is None
    over = client.act(after, "leave")
    (seen,) = client.watch_game(game.id, since=after.version)
    assert (seen.phase, [event.event for event in seen.events]) == ("over", ["leave"])
    assert over.left
    dice = client.dice(game.id)
    assert (dice.commitment, dice.committed_first, dice.player_seed) == (commitment, True, "Ann")
    assert dice.server_seed is not None
    assert "Ann" in client.match(game.id, "mat")
    assert client.analyse_game(game.id).kind == "analysis"
    client.forget(game.id)
    with pytest.raises(ServerError) as gone:
        client.game(game.id)
    assert gone.value.status == 404


@pytest.mark.parametrize(
    ("own", "told"),
    [
        (client_shapes.Commitment, room_shapes.Commitment),
        (client_shapes.GameState, room_shapes.GameState),
        (client_shapes.GameEvent, room_shapes.EventShape),
        (client_shapes.GamePlay, room_shapes.PlayShape),
        (client_shapes.GameOffer, room_shapes.OfferShape),
        (client_shapes.GameResult, room_shapes.ResultShape),
        (client_shapes.GameHints, room_shapes.Hints),
        (client_shapes.CheckedAction, room_shapes.CheckedAction),
        (client_shapes.GameDice, room_shapes.DiceShape),
    ],
)
def test_games_have_the_members_that_the_server_tells_of(own: type, told: type[BaseModel]) -> None:
    assert {entry.name for entry in dataclasses.fields(own)} == set(told.model_fields)


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
    with Client("http://127.0.0.1", transport=served.transport()) as stranger, pytest.raises(ServerError) as caught:
        stranger.levels()
    assert caught.value.status == 401
    with Client("http://127.0.0.1", token="a token of some length", transport=served.transport()) as known:
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
