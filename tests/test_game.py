"""Whole games: every turn legal, and the same again with the same seed."""

from __future__ import annotations

import numpy as np
import pytest

from bgai.board import START, flip, result
from bgai.evaluator import KernelEvaluator
from bgai.game import Game, Turn, play_game, turns
from bgai.model import Manifest, Model
from bgai.notation.playtext import parse_play
from bgai.player import HeuristicPlayer, NetPlayer, Player, RandomPlayer
from bgai.plays import legal_plays
from tests.networks import random_weights

NET = NetPlayer(KernelEvaluator(Model(Manifest("tested", "points-1", [20]), random_weights([20], seed=41))))
PLAYERS: tuple[Player, ...] = (RandomPlayer(), HeuristicPlayer(), NET)


def same(one: Game, other: Game) -> bool:
    return (one.winner, one.points, len(one.turns)) == (other.winner, other.points, len(other.turns)) and all(
        (a.seat, a.dice, a.play) == (b.seat, b.dice, b.play) and np.array_equal(a.board, b.board)
        for a, b in zip(one.turns, other.turns, strict=True)
    )


@pytest.mark.parametrize("first", PLAYERS, ids=lambda player: player.name)
@pytest.mark.parametrize("second", PLAYERS, ids=lambda player: player.name)
def test_every_turn_is_legal_and_leads_to_the_next(first: Player, second: Player) -> None:
    game = play_game(first, second, seed=1)
    board, seat = START, game.turns[0].seat
    for turn in game.turns:
        assert turn.seat == seat
        assert np.array_equal(turn.board, board)
        assert result(board) == 0
        plays = legal_plays(board, turn.dice)
        board = plays.successors[0 if plays.must_pass else parse_play(board, plays, turn.play)]
        assert (turn.play == "") == plays.must_pass
        seat = 1 - seat
    assert result(board) == -game.points
    assert game.winner == game.turns[-1].seat
    assert game.points in (1, 2, 3)


def test_the_opening_roll_is_no_double_and_the_larger_die_begins() -> None:
    begins = set()
    for number in range(60):
        (opening, *_) = play_game(HeuristicPlayer(), HeuristicPlayer(), seed=2, game=number).turns
        of_seat_0, of_seat_1 = opening.dice
        assert of_seat_0 != of_seat_1
        assert opening.seat == (0 if of_seat_0 > of_seat_1 else 1)
        begins.add(opening.seat)
    assert begins == {0, 1}


@pytest.mark.parametrize("player", PLAYERS, ids=lambda player: player.name)
def test_the_same_seed_and_number_give_the_same_game(player: Player) -> None:
    game = play_game(player, RandomPlayer(), seed=3, game=5)
    assert same(game, play_game(player, RandomPlayer(), seed=3, game=5))
    assert not same(game, play_game(player, RandomPlayer(), seed=3, game=6))
    assert not same(game, play_game(player, RandomPlayer(), seed=4, game=5))


def test_any_whole_number_is_a_seed() -> None:
    for seed in (-1, 2**64 - 1, 2**70):
        assert play_game(RandomPlayer(), HeuristicPlayer(), seed=seed).points


def test_the_dice_do_not_depend_on_the_players() -> None:
    one, other = play_game(HeuristicPlayer(), NET, seed=6), play_game(NET, RandomPlayer(), seed=6)
    for a, b in zip(one.turns, other.turns, strict=False):
        assert (a.seat, a.dice) == (b.seat, b.dice)


def test_a_game_can_be_watched_turn_by_turn() -> None:
    watched = list(turns((HeuristicPlayer(), NET), seed=7))
    finished = watched.pop()
    assert isinstance(finished, Game)
    assert all(isinstance(turn, Turn) for turn in watched)
    assert [turn.play for turn in finished.turns] == [turn.play for turn in watched if isinstance(turn, Turn)]


def test_a_game_can_start_anywhere() -> None:
    # Given: each side has one checker left, on its ace point.
    board = np.zeros(26, dtype=np.int8)
    board[1], board[24] = 1, -1
    assert np.array_equal(board, flip(board))
    before = board.copy()
    game = play_game(RandomPlayer(), RandomPlayer(), seed=1, start=board)
    assert len(game.turns) == 1
    assert (game.winner, game.points) == (game.turns[0].seat, 1)
    assert np.array_equal(board, before)
