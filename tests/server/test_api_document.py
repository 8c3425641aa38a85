"""The OpenAPI document: its examples are true, and whatever it allows is answered without an error of ours."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bgai.server import job_routes
from bgai.server.examples import ANSWERS
from bgai.server.jobs import Result
from bgai.server.positions import GivenPosition
from bgai.server.room_examples import OPENING_ROLL
from tests.server.conftest import API, START, Served, problem
from tests.server.test_api_jobs import MAT

EXAMPLES = 25
"""Of each route: they cost processor time."""
ANSWERED = ("legal-plays", "plays", "evaluation", "cube", "coach", "position", "diagram")


@pytest.fixture(scope="module")
def document(api: Served) -> Any:
    return api.get("/openapi.json").json()


def operations(document: Any) -> Iterator[tuple[str, str, Any]]:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield method, path, operation


def test_every_route_is_told_with_an_example(document: Any) -> None:
    for method, path, operation in operations(document):
        assert operation["summary"], path
        assert operation["description"], path
        for kind, content in operation.get("requestBody", {}).get("content", {}).items():
            if kind == "application/json":
                assert content["examples"], path
        good = [response for status, response in operation["responses"].items() if status.startswith("2")]
        assert good, path
        for response in good:
            assert all("example" in content for content in response.get("content", {}).values()), (method, path)


def test_problems_are_those_of_rfc_9457(document: Any) -> None:
    assert "HTTPValidationError" not in json.dumps(document["paths"])
    assert set(document["components"]["schemas"]["ProblemDetails"]["required"]) == {"type", "title", "status", "detail"}
    for _, path, operation in operations(document):
        if path.startswith(API):
            content = operation["responses"]["401"]["content"]
            assert list(content) == ["application/problem+json"]


def test_the_examples_of_requests_are_answered(api: Served, document: Any) -> None:
    seen = 0
    for method, path, operation in operations(document):
        content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
        for example in content.get("examples", {}).values():
            body, address = example["value"], path
            if "{id}" in path:
                game = api.ask("games", position=OPENING_ROLL)
                address = path.replace("{id}", game["id"])
                if "version" in body:
                    body = body | {"version": game["version"]}
            response = api.request(method, address, json=body)
            assert response.status_code in (200, 201, 202), (path, response.text)
            seen += 1
    assert seen > 15


def test_the_examples_of_answers_have_the_members_of_answers(api: Served) -> None:
    for name in ("plays", "evaluation", "cube", "position", "legal-plays"):
        position = {"id": "4HPwATDgc/ABMA"} | ({"dice": [3, 1]} if name in ("plays", "legal-plays") else {})
        answer = api.ask(name, position=position)
        assert list(ANSWERS[name]) == list(answer)
        if "plays" in answer:
            assert list(ANSWERS[name]["plays"][0]) == list(answer["plays"][0])


def test_the_shapes_that_are_told_are_those_of_the_answers(api: Served, document: Any) -> None:
    from bgai import client

    for name, shape in (
        ("plays", client.RankedPlays),
        ("cube", client.CubeDecision),
        ("position", client.NamedPosition),
    ):
        position = {"id": "4HPwATDgc/ABMA"} | ({"dice": [3, 1]} if name == "plays" else {})
        told = document["components"]["schemas"][shape.__name__]["properties"]
        assert set(told) == {entry.name for entry in dataclasses.fields(shape)}
        assert set(api.ask(name, position=position)) <= set(told)


def test_the_page_lists_every_route_and_loads_nothing(api: Served, document: Any) -> None:
    page = api.get("/docs")
    assert page.headers["content-type"].startswith("text/html")
    for method, path, _ in operations(document):
        assert f"<code>{method.upper()} {path}</code>" in page.text
    assert not re.findall(r"(?:src|href)=\"?(?:https?:)?//", page.text)
    assert "<script" not in page.text


SCALARS = st.sampled_from(
    [
        None,
        True,
        0,
        -1,
        3,
        7,
        64,
        65,
        1000,
        10**30,
        1.5,
        1e308,
        "",
        "x",
        START,
        "XGID=-:0",
        "8/5",
        "\x00",
        "é" * 300,
        "../../etc",
        [],
        {},
    ]
)
VALUES = SCALARS | st.lists(SCALARS, max_size=27) | st.dictionaries(st.sampled_from(["id", "6", "bar", "x"]), SCALARS)


def changed(value: Any, names: list[str]) -> st.SearchStrategy[Any]:
    """An example with some of its members, at any depth, left out, replaced, or with more that belong there or not."""
    if not isinstance(value, dict):
        return st.just(value) | VALUES
    kept = {name: changed(one, names) for name, one in value.items()}
    more = st.dictionaries(st.sampled_from(names), VALUES, max_size=2)
    return st.tuples(st.fixed_dictionaries({}, optional=kept) | st.just(value), more).map(lambda two: two[0] | two[1])


@pytest.mark.parametrize("path", [f"{API}/{name}" for name in ANSWERED])
def test_no_question_makes_the_server_fail(api: Served, document: Any, path: str) -> None:
    """Whatever is sent is answered, or refused as the document says."""
    operation = document["paths"][path]["post"]
    examples = [one["value"] for one in operation["requestBody"]["content"]["application/json"]["examples"].values()]
    members = {name for schema in document["components"]["schemas"].values() for name in schema.get("properties", {})}
    names = sorted(
        members & set(GivenPosition.model_fields) | set(examples[0]) | {"level", "play", "top", "width", "no"}
    )

    @settings(max_examples=EXAMPLES)
    @given(body=st.one_of([changed(example, names) for example in examples]))
    def ask(body: Any) -> None:
        if isinstance(body, dict) and body.get("level") == "2-ply":
            body["level"] = "0-ply"
        data = json.dumps(body).encode()
        response = api.request("POST", path, content=data, headers={"content-type": "application/json"})
        assert str(response.status_code) in operation["responses"], (body, response.text)
        assert response.status_code < 500, (body, response.text)
        if response.status_code >= 400:
            problem(response)

    ask()


@pytest.mark.parametrize("path", ["rollouts", "games", "games/{id}/actions", "games/{id}/check", "games/{id}/analysis"])
def test_nothing_that_is_begun_makes_the_server_fail(
    api: Served, document: Any, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    """The same of what is not answered at once, or changes a game."""
    monkeypatch.setattr(job_routes, "_roll_out", lambda *_: Result({}))
    monkeypatch.setattr(job_routes, "analysis_of", lambda *_: Result({}))
    operation = document["paths"][f"{API}/{path}"]["post"]
    bodies = {
        "rollouts": {"position": {"id": START, "dice": [3, 1]}, "trials": 72, "seed": 1, "settled": 3.0},
        "games": {"kind": "match", "length": 5, "name": "Ann", "position": {"id": START}, "beavers": None},
        "actions": {"version": 1, "action": "roll"},
        "check": {"version": 2, "action": "play", "steps": [[8, 5], [6, 5]], "level": "0-ply"},
        "analysis": {"level": "0-ply"},
    }
    names = sorted({name for body in bodies.values() for name in body} | {"length", "board", "no"})
    game = api.ask("games")["id"]

    @settings(max_examples=EXAMPLES)
    @given(body=changed(bodies[path.rpartition("/")[2]], names))
    def ask(body: dict[str, Any]) -> None:
        response = api.post(path.replace("{id}", game), **body)
        assert str(response.status_code) in {*operation["responses"], "404"}, (body, response.text)
        assert response.status_code < 500, (body, response.text)

    ask()


@pytest.mark.parametrize("path", ["/move", "/eval"])
def test_no_query_makes_the_server_fail(api: Served, document: Any, path: str) -> None:
    names = [parameter["name"] for parameter in document["paths"][path]["get"]["parameters"]]
    texts = st.integers(-3, 5).map(str) | st.sampled_from(["", "15", "-15", "200", "x", "%", "\u0663", "true"])

    @settings(max_examples=3 * EXAMPLES)
    @given(query=st.dictionaries(st.sampled_from(names), texts), dice=st.tuples(st.integers(0, 7), st.integers(1, 6)))
    def ask(query: dict[str, str], dice: tuple[int, int]) -> None:
        response = api.get(path, params={"die1": dice[0], "die2": dice[1], **query})
        assert response.status_code in (200, 400), (query, response.text)
        if response.status_code == 400:
            assert response.text.startswith(('{"message":', "Failed to deserialize query string: "))

    ask()


@pytest.mark.parametrize("path", ["conversions", "analyses"])
def test_no_file_makes_the_server_fail(api: Served, path: str) -> None:
    pieces = st.sampled_from(MAT.encode().splitlines(keepends=True)) | st.binary(max_size=20)

    @settings(max_examples=EXAMPLES)
    @given(
        data=st.lists(pieces, max_size=8).map(b"".join), name=st.text(max_size=5), level=st.sampled_from(["0-ply", "x"])
    )
    def ask(data: bytes, name: str, level: str) -> None:
        response = api.request(
            "POST", f"{API}/{path}", files={"file": (name, data)}, data={"to": "sgf", "level": level}
        )
        assert response.status_code in (200, 202, 400, 422, 429), response.text
        if response.status_code == 202:
            assert api.wait(response.json()["id"])["state"] == "done"

    ask()
