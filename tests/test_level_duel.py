"""Duels of players by name: the same games as the compiled duel's."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bgai.duel import DuelResult, duellist, play_duel
from bgai.errors import ConfigError, InputError
from bgai.level_duel import LevelDuellist, level_duellist, play_level_duel
from bgai.levels import Level, PlayerName
from bgai.search import Settings
from tests.cli import Command, save_model


@pytest.fixture
def model(tmp_path: Path) -> str:
    return str(save_model(tmp_path / "tiny"))


def test_random_players_play_the_very_same_games() -> None:
    player = level_duellist("random")
    found, compiled = play_level_duel(player, player, 20, 5), play_duel(*[duellist("random")] * 2, 20, 5, threads=1)
    assert np.array_equal(found.points, compiled.points)
    assert found.given_up == compiled.given_up


def test_networks_play_all_but_the_same_games(model: str) -> None:
    """Equities that differ in their last digits may decide otherwise now and then."""
    found = play_level_duel(level_duellist(model), level_duellist("heuristic"), 80, 3)
    compiled = play_duel(duellist(model), duellist("heuristic"), 80, 3, threads=1)
    assert (found.points == compiled.points).mean() > 0.9


@pytest.mark.parametrize("level", ["1-ply", "beginner"])
def test_equal_players_score_nothing(model: str, level: str) -> None:
    player = level_duellist(f"{model}:{level}")
    assert not play_level_duel(player, player, 6, 2).points.sum(axis=1).any()


def test_the_games_do_not_depend_on_those_beside_them(model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = level_duellist(f"{model}:casual"), level_duellist("heuristic")
    together = play_level_duel(first, second, 12, 4).points
    monkeypatch.setattr("bgai.level_duel.TOGETHER", 2)
    parts: list[DuelResult] = []
    assert np.array_equal(play_level_duel(first, second, 12, 4, progress=parts.append).points, together)
    assert [len(part.points) for part in parts] == [2, 2, 2]
    assert np.array_equal(np.concatenate([part.points for part in parts]), together)


def test_each_decision_has_its_time_to_itself(model: str) -> None:
    ahead = level_duellist(f"{model}:1-ply")
    patient = PlayerName(model, Level("patient", Settings(1, seconds=1e6)))
    asked = []

    def counted(positions: list[Any], plays: Any) -> Any:
        asked.append(len(positions))
        return rank_plays(positions, plays)

    analyst = patient.analyst(cubeful=False)
    rank_plays, analyst.rank_plays = analyst.rank_plays, counted  # type: ignore[method-assign]
    other = level_duellist("heuristic")
    limited = play_level_duel(LevelDuellist("patient", patient, analyst), other, 2, 6)
    assert set(asked) == {1}
    assert np.array_equal(limited.points, play_level_duel(ahead, other, 2, 6).points)


@pytest.mark.parametrize("games", [0, 3, -2])
def test_games_come_in_pairs(games: int) -> None:
    player = level_duellist("random")
    with pytest.raises(ConfigError, match="their number is even and at least 2"):
        play_level_duel(player, player, games, 1)


def test_unknown_players() -> None:
    with pytest.raises(InputError, match="unknown player 'nobody'"):
        level_duellist("nobody")


def test_the_command(bgai_command: Command, model: str) -> None:
    words = ("duel", f"{model}:1-ply", model, "--games", "4", "--seed", "3")
    answer = json.loads(bgai_command.good(*words, "--json"))
    found = play_level_duel(level_duellist(f"{model}:1-ply"), level_duellist(model), 4, 3)
    assert (answer["first"], answer["second"], answer["complete"]) == ("tiny:1-ply", "tiny", True)
    assert answer["points_per_game"] == round(found.mean, 6)
    assert json.loads(bgai_command.good(*words, "--json", "--threads", "1")) == answer
    assert "tiny:1-ply against tiny: 4 games, in pairs" in bgai_command.good(*words)


def test_interrupting_shows_what_there_is(bgai_command: Command, model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def play(*_: object, progress: Any, **__: object) -> None:
        progress(DuelResult(np.array([[2, -1]], dtype=np.int64), given_up=0))
        raise KeyboardInterrupt

    monkeypatch.setattr("bgai.cli.duel.play_level_duel", play)
    outcome = bgai_command("duel", f"{model}:expert", model, "--games", "8")
    assert outcome.code == 130
    assert "2 games of 8, interrupted" in outcome.out
