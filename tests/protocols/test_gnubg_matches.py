"""GNU Backgammon plays whole sessions and matches against our external player."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bgai.bot import Bot
from bgai.match_play import MatchPlayer
from tests.match_players import Gambler
from tests.protocols.gnubg import acts_recorded, acts_said, needs_gnubg, play_gnubg, refused


def gambler() -> MatchPlayer:
    """Doubles, beavers, drops and resigns by lot."""
    return Gambler("gambler")


def bot() -> MatchPlayer:
    """One network, so that the games are always the same."""
    return Bot.of("0002-generations")


CASES: list[tuple[Callable[[], MatchPlayer], dict[str, Any], set[str]]] = [
    (gambler, {"seed": 1, "games": 4, "noise": 0.3, "beavers": 2}, {"double", "beaver", "play", "resign"}),
    (bot, {"seed": 1, "games": 4, "noise": 0.3, "beavers": 2}, {"double", "beaver", "play"}),
    (bot, {"seed": 4, "games": 7, "length": 5, "seat": 0}, {"double", "pass", "play"}),
    (gambler, {"seed": 2, "games": 9, "length": 5, "noise": 0.3}, {"double", "play"}),
]


@needs_gnubg
@pytest.mark.parametrize(("player", "how", "there"), CASES)
def test_what_we_say_is_what_is_played(
    player: Callable[[], MatchPlayer], how: dict[str, Any], there: set[str], tmp_path: Path
) -> None:
    """No play of ours is refused, read as another or as none, and no cube action is lost, by what gnubg exports."""
    played = play_gnubg(tmp_path, player(), **how)
    said, recorded = acts_said(played.wire), acts_recorded(played.record, how.get("seat", 1))
    assert [act.told for act in said] == [act.told for act in recorded]
    assert all(game.result is not None for game in played.record.games)
    assert {act.kind for act in said} >= there - {"resign"}, "other cases are needed"
    assert all(answer.startswith("resign") for answer in refused(played.wire))
    given_up = [game.result for game in played.record.games if game.result and game.result.how == "resignation"]
    if "resign" in there:
        assert any(answer.startswith("resign") for _, answer in played.wire)
        assert given_up
    if how.get("length"):
        assert played.record.final.winner is not None
    else:
        assert len(played.record.games) == how["games"]


@needs_gnubg
def test_gnubg_may_turn_the_cube_as_often_as_it_likes(tmp_path: Path) -> None:
    """With three turns at once, as gnubg has it: nothing is refused, and every game comes to its end."""
    played = play_gnubg(tmp_path, gambler(), seed=8, games=3, noise=0.5, beavers=3)
    assert all(answer.startswith("resign") for answer in refused(played.wire))
    assert played.mat.count("Wins") == 3
