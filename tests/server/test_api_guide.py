"""docs/http.md: its examples are tried, and it leaves out no route."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from bgai.client import Client
from bgai.server.problems import TITLES
from tests.server.conftest import Served

GUIDE = (Path(__file__).parents[2] / "docs" / "http.md").read_text("utf-8")
BASE = "http://127.0.0.1:8000"


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("command", [block for block in blocks("sh") if " -F " not in block])
def test_commands(api: Served, command: str) -> None:
    words = shlex.split(command.replace("\\\n", " "))
    assert words.pop(0) == "curl"
    options = {}
    for option in ("-H", "-d"):
        if option in words:
            place = words.index(option)
            options[option] = words[place + 1]
            del words[place : place + 2]
    (url,) = words
    headers = dict([options["-H"].split(": ")]) if "-H" in options else {}
    method = "POST" if "-d" in options else "GET"
    response = api.request(method, url.removeprefix(BASE), content=options.get("-d", ""), headers=headers)
    assert response.status_code in (200, 202), response.text


@pytest.mark.parametrize("code", blocks("python"))
def test_python(api: Served, code: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    begin = Client.__init__
    monkeypatch.setattr(
        Client, "__init__", lambda self, base=BASE, **options: begin(self, base, transport=api.transport(), **options)
    )
    exec(code, {})
    assert "8/5 6/5" in capsys.readouterr().out


def test_answers_have_the_members_that_are_shown(api: Served) -> None:
    best, wrong = (json.loads(block) for block in blocks("json"))
    answer = api.ask("plays", position={"id": "4HPwATDgc/ABMA", "dice": [3, 1]})
    assert set(best) <= set(answer)
    assert set(best["plays"][0]) <= set(answer["plays"][0])
    assert {key: best["plays"][0][key] for key in ("play", "steps")} == {"play": "8/5 6/5", "steps": [[8, 5], [6, 5]]}
    assert api.refused("plays", position={"id": "4HPwATDgc/ABMA", "dice": [7, 1]}) == wrong


def test_every_route_is_listed(api: Served) -> None:
    for path, methods in api.get("/openapi.json").json()["paths"].items():
        for method in methods:
            if not re.match("/api/v1/(games|commitments)", path):
                assert f"`{method.upper()} {path}`" in GUIDE


def test_every_status_is_explained(api: Served) -> None:
    rows = re.search(r"^\| status \| when \|\n(.*?)\n\n", GUIDE, re.MULTILINE | re.DOTALL)
    assert rows is not None
    told = {int(number) for row in rows[1].splitlines()[1:] for number in re.findall(r"\d{3}", row.split("|")[1])}
    found = {
        int(status)
        for path, methods in api.get("/openapi.json").json()["paths"].items()
        for operation in methods.values()
        for status in operation["responses"]
        if not re.match("/api/v1/(games|commitments)", path) and status >= "400"
    }
    # Any route may be asked in a wrong way, from a wrong place, or by a wrong name.
    assert told == found | {403, 405, 421, 500}
    assert len(TITLES) >= len(told)
