"""The programs of docs/http.md and docs/games.md: in a shell, in Python and in JavaScript."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from bgai.cli import verify_dice
from bgai.client import Client
from bgai.room.fair_dice import DiceRecord
from tests.cli import Command
from tests.guides import blocks, run
from tests.server.test_api_jobs import MAT

BASE = "http://127.0.0.1:8000"
BROWSER = """
globalThis.EventSource = class {
  constructor(address) {
    this.told = {};
    this.closed = new AbortController();
    this.read(new URL(address, "%(base)s"));
  }
  addEventListener(name, told) { this.told[name] = told; }
  close() { this.closed.abort(); }
  async read(address) {
    let text = "";
    try {
      const {body} = await fetch(address, {signal: this.closed.signal});
      for await (const piece of body.pipeThrough(new TextDecoderStream())) {
        const blocks = (text += piece).split("\\n\\n");
        text = blocks.pop();
        for (const block of blocks) {
          const [, name, data] = block.match(/^event: (.*)\\ndata: (.*)$/m) ?? [];
          if (name) this.told[name]({data});
        }
      }
    } catch (error) {
      if (error.name !== "AbortError") throw error;
    }
  }
};
const answer = await fetch("%(base)s/api/v1/rollouts", {
  method: "POST",
  headers: {"content-type": "application/json"},
  body: JSON.stringify({position: {id: "4HPwATDgc/ABMA", dice: [3, 1]}, trials: 36, truncation: 1, candidates: 2}),
});
const job = await answer.json();
"""
"""What a page has and Node has not: a source of events, and a job."""


@pytest.mark.parametrize("number", range(len(blocks("http.md", "js"))))
def test_http_in_javascript(address: str, tmp_path: Path, number: int) -> None:
    code = blocks("http.md", "js")[number].replace(BASE, address)
    if "EventSource" in code:
        said = run("js", BROWSER % {"base": address} + f"{{\n{code}}}", tmp_path)
        assert said.splitlines()[-1].split()[0] == "done"
    else:
        assert run("js", code, tmp_path).startswith("8/5 6/5 [ [ 8, 5 ], [ 6, 5 ] ]")


def test_uploads_in_a_shell(address: str, tmp_path: Path) -> None:
    (tmp_path / "match.mat").write_text(MAT)
    (code,) = (block for block in blocks("http.md", "sh") if " -F " in block)
    assert '"kind":"analysis"' in run("sh", code.replace(BASE, address).replace("2-ply", "0-ply"), tmp_path)


@pytest.mark.parametrize("language", ["python", "js"])
def test_a_whole_game(address: str, tmp_path: Path, language: str) -> None:
    """It ends with the server's seed."""
    (code,) = blocks("games.md", language)
    *told, seed = run(language, code.replace(BASE, address), tmp_path).splitlines()
    assert re.fullmatch("[0-9a-f]{64}", seed)
    assert len(told) > 20
    assert any(line.startswith("Ann ") for line in told)


def opening_of(address: str, game: str) -> list[int]:
    """The roll that a game began with."""
    record = DiceRecord.from_dict(json.loads(verify_dice._fetched(f"{address}/api/v1/games/{game}/dice")))
    return next(sorted(roll.dice) for roll in record.rolls if roll.dice[0] != roll.dice[1])


def test_dice_are_compared_with_the_match_at_the_address(
    address: str, bgai_command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here the match that is told is another than the one whose dice are."""
    games: list[Any] = []
    with Client(address) as client:
        # Two whose first rolls differ.
        while len(games) < 2 or opening_of(address, games[0].id) == opening_of(address, games[1].id):
            del games[1:]
            games.append(client.new_game(length=1, commitment=client.commit().commitment, player_seed="Ann"))
            client.act(games[-1], "leave")
    where = f"{address}/api/v1/games/{games[0].id}"
    for at in (where, f"{where}/dice"):
        outcome = bgai_command("verify-dice", at)
        assert (outcome.code, outcome.err) == (0, "")
    fetched = verify_dice._fetched
    monkeypatch.setattr(
        verify_dice, "_fetched", lambda at: fetched(at.replace(games[0].id, games[1].id) if "match" in at else at)
    )
    outcome = bgai_command("verify-dice", where)
    assert outcome.code == 1
    assert f"of the match '{where}/match.json' is " in outcome.out


def test_a_game_in_a_shell(address: str, tmp_path: Path) -> None:
    (code,) = blocks("games.md", "sh")
    said = run("sh", code.replace(BASE, address), tmp_path)
    assert '"committed_first":true' in said
    assert '"decision":' in said
