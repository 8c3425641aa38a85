"""Positions to test with: whole games of random plays, corners that games seldom reach, and any at all."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from bgai.board import START, Board, as_board
from bgai.errors import PositionError
from bgai.plays import legal_plays_batch

Dice = NDArray[np.int64]


def random_games(games: int, seed: int) -> Iterator[tuple[Board, Dice]]:
    """Turn after turn of many games played at random: boards `[games, 26]`, dice `[games, 2]`, without end.

    A finished game is followed by a new one.
    """
    rng = np.random.default_rng(seed)
    boards = np.repeat(START[None], games, axis=0)
    while True:
        dice = rng.integers(1, 7, size=(games, 2))
        yield boards, dice
        plays = legal_plays_batch(boards, dice, with_steps=False)
        chosen = rng.integers(plays.offsets[:-1], plays.offsets[1:])
        boards = plays.successors[chosen]
        over = ~((boards > 0).any(axis=1) & (boards < 0).any(axis=1))
        boards[over] = START


def game_positions(count: int, seed: int) -> tuple[Board, Dice]:
    """Positions of random games, from all phases, with a roll each."""
    games = 50
    turns = list(islice(random_games(games, seed), -(-count // games)))
    boards = np.concatenate([boards for boards, _ in turns])
    dice = np.concatenate([dice for _, dice in turns])
    return boards[:count], dice[:count]


def corner_positions(count: int, seed: int) -> tuple[Board, Dice]:
    """Bear-offs, the bar, closed boards, primes and scattered checkers, in turn, with a roll each."""
    rng = random.Random(seed)
    kinds = (_bear_off, _last_outside, _on_the_bar, _closed_out, _behind_a_prime, _anything)
    boards: list[Board] = []
    while len(boards) < count:
        own, other = kinds[len(boards) % len(kinds)](rng)
        try:
            boards.append(as_board([own[place] - other[25 - place] for place in range(26)]))
        except PositionError:
            continue
    dice = np.array([[rng.randint(1, 6), rng.randint(1, 6)] for _ in boards], dtype=np.int64)
    return np.stack(boards), dice


SAMPLES = {"games": game_positions, "corners": corner_positions}


def mixed_positions(count: int, seed: int) -> tuple[Board, Dice]:
    """A third from games, the rest from corners."""
    boards, dice = game_positions(count // 3, seed)
    more_boards, more_dice = corner_positions(count - count // 3, seed)
    return np.concatenate([boards, more_boards]), np.concatenate([dice, more_dice])


Sides = tuple[Counter[int], Counter[int]]
"""Checkers by point, each side in its own numbering, 25 the bar: the player on roll, the opponent."""


def _bear_off(rng: random.Random) -> Sides:
    other = _scatter(rng, range(19, 26), rng.randint(0, 4)) + _scatter(rng, range(1, 19), rng.randint(1, 11))
    return _scatter(rng, _open(range(1, 7), other), rng.randint(1, 15)), other


def _last_outside(rng: random.Random) -> Sides:
    own, other = _bear_off(rng)
    own += _scatter(rng, _open(range(7, 13), other), rng.randint(1, 2))
    return own, other


def _on_the_bar(rng: random.Random) -> Sides:
    return _against_points(rng, rng.sample(range(1, 7), rng.randint(1, 5)))


def _closed_out(rng: random.Random) -> Sides:
    return _against_points(rng, rng.sample(range(1, 7), rng.choice([5, 6])))


def _against_points(rng: random.Random, made: list[int]) -> Sides:
    other = Counter(dict.fromkeys(made, 2))
    other += _scatter(rng, range(1, 25), rng.randint(0, 15 - other.total()))
    bar = rng.randint(1, 4)
    return Counter({25: bar}) + _scatter(rng, _open(range(1, 25), other), rng.randint(0, 15 - bar)), other


def _behind_a_prime(rng: random.Random) -> Sides:
    length = rng.randint(4, 6)
    lowest = rng.randint(2, 8)
    other = Counter(dict.fromkeys(range(lowest, lowest + length), 2))
    other += _scatter(rng, range(1, 25), rng.randint(0, 15 - other.total()))
    own = _scatter(rng, _open(range(26 - lowest, 26), other), rng.randint(1, 4))
    return own + _scatter(rng, _open(range(1, 7), other), rng.randint(0, 11)), other


def _anything(rng: random.Random) -> Sides:
    other = _scatter(rng, range(1, 26), rng.randint(1, 15))
    return _scatter(rng, _open(range(1, 26), other), rng.randint(1, 15)), other


def _open(points: Iterable[int], other: Counter[int]) -> list[int]:
    """Those of the points, in one side's numbering, that the other side does not hold."""
    return [point for point in points if not other[25 - point]]


def _scatter(rng: random.Random, points: Iterable[int], count: int) -> Counter[int]:
    """Checkers in groups of one to three."""
    places = list(points)
    side: Counter[int] = Counter()
    while count > 0 and places:
        group = min(count, rng.randint(1, 3))
        side[rng.choice(places)] += group
        count -= group
    return side


@st.composite
def boards(draw: st.DrawFn) -> Board:
    """Any position in which both sides have a checker left."""
    own = draw(st.lists(st.integers(1, 25), min_size=1, max_size=15))
    free = [place for place in range(25) if place not in own]
    other = draw(st.lists(st.sampled_from(free), min_size=1, max_size=15))
    try:
        return as_board([own.count(place) - other.count(place) for place in range(26)])
    except PositionError:
        return START.copy()
