"""Matches played by programs."""

from __future__ import annotations

import numpy as np
import pytest

from bgai.board import flip, pip_count
from bgai.errors import RuleError
from bgai.events import Beaver, Double, Pass, Raccoon, RefuseResignation, Resign, Roll, StartGame, Take
from bgai.game import play_game
from bgai.match_play import Answer, CubelessPlayer, MatchPlayer, play_match
from bgai.match_rules import Rules
from bgai.match_state import MatchState
from bgai.player import HeuristicPlayer, RandomPlayer
from bgai.record import MatchRecord


class Gambler(CubelessPlayer):
    """Decides about the cube by lot, and resigns when it is far behind."""

    def doubles(self, state: MatchState, rng: np.random.Generator) -> bool:
        return bool(rng.random() < 0.3)

    def answers(self, state: MatchState, rng: np.random.Generator) -> Answer:
        if state.offer == "double" and state.rules.beavers and 4 * state.cube <= state.rules.cube_limit:
            return "redouble"
        return "take" if rng.random() < 0.8 else "pass"

    def resigns(self, state: MatchState, rng: np.random.Generator) -> int:
        behind = pip_count(state.board) - pip_count(flip(state.board))
        return int(rng.integers(1, 4)) if behind > 60 else 0


PLAYERS: tuple[MatchPlayer, MatchPlayer] = (Gambler(HeuristicPlayer()), CubelessPlayer(HeuristicPlayer()))
GAMBLERS: tuple[MatchPlayer, MatchPlayer] = (Gambler(HeuristicPlayer()), Gambler(HeuristicPlayer()))


def kinds(record: MatchRecord) -> set[type]:
    return {type(event) for event in record.events}


@pytest.mark.parametrize("length", [1, 2, 5])
def test_a_match_is_played_to_its_end(length: int) -> None:
    record = play_match(PLAYERS, Rules(length=length), seed=length)
    winner = record.final.winner
    assert winner is not None
    assert record.final.score[winner] >= length
    assert all(game.result is not None for game in record.games)
    assert MatchRecord.from_dict(record.to_dict()) == record


def test_a_money_session_with_everything() -> None:
    rules = Rules(jacoby=True, beavers=True, raccoons=True, automatic_doubles=5, cube_limit=16)
    record = play_match(GAMBLERS, rules, seed=3, games=25)
    assert len(record.games) == 25
    assert kinds(record) >= {Double, Take, Beaver, Pass, Resign, RefuseResignation}
    assert any(isinstance(event, StartGame) and event.automatic for event in record.events)
    ends = [game.result for game in record.games if game.result is not None]
    for seat in (0, 1):
        assert record.final.score[seat] == sum(end.points for end in ends if end.winner == seat)


def test_the_number_of_games_may_cut_a_match_short() -> None:
    record = play_match(PLAYERS, Rules(length=25), seed=1, games=2)
    assert (len(record.games), record.final.winner) == (2, None)


def test_a_money_session_needs_an_end() -> None:
    with pytest.raises(RuleError, match="a money session needs a number of games"):
        play_match(PLAYERS, Rules(), seed=1)


def test_the_same_seed_gives_the_same_match() -> None:
    one, same, other = (play_match(GAMBLERS, Rules(length=3), seed=seed) for seed in (-4, -4, 5))
    assert one == same
    assert one != other


def test_a_cubeless_session_has_the_games_of_play_game() -> None:
    players = HeuristicPlayer(), HeuristicPlayer()
    record = play_match((CubelessPlayer(players[0]), CubelessPlayer(players[1])), Rules(cube=False), seed=8, games=4)
    for number, game in enumerate(record.games):
        alone = play_game(*players, seed=8, game=number)
        assert game.result is not None
        assert (game.result.winner, game.result.points) == (alone.winner, alone.points)
        rolls = [event.dice for event in game.events if isinstance(event, StartGame | Roll)]
        assert rolls == [turn.dice for turn in alone.turns]


def test_nobody_is_asked_what_is_not_its_choice() -> None:
    """No double in the Crawford game, by who does not own the cube, or beyond the limit: the record is legal."""
    records = [play_match(GAMBLERS, Rules(length=4, cube_limit=2), seed=seed) for seed in range(6)]
    states = [state for record in records for state, _ in record.replay()]
    assert any(state.crawford for state in states)
    assert {state.cube for state in states} == {1, 2}
    assert not {Beaver, Raccoon} & {kind for record in records for kind in kinds(record)}


def test_a_cubeless_player_accepts_only_what_cannot_grow() -> None:
    player = CubelessPlayer(RandomPlayer())
    rng = np.random.default_rng(0)
    session = play_match((Gambler(HeuristicPlayer()), player), Rules(), seed=5, games=30)
    asked = [state for state, _ in session.replay() if state.resignation is not None]
    assert {player.accepts(state, rng) for state in asked} <= {True, False}
    for state in asked:
        assert state.resignation is not None
        if state.resignation.value == 3:
            assert player.accepts(state, rng)
