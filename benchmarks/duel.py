"""Cubeless money games between two players, twice with the same dice.

Pair `p` is two games whose dice have the addresses (seed, p, turn): first the player sits in seat 0, then in seat
1. So luck that the dice bring to a seat is had by both, a player against itself scores exactly 0, and the result
does not depend on how many processes played. A third party, the same for both players and all games, may say how lucky
the rolls were (`bgai.luck`); the opening roll counts as none, since both players have it once.
"""

from __future__ import annotations

import math
import multiprocessing
import signal
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from players import Player, player

from bgai.board import START, Board, result
from bgai.catalogue import open_model
from bgai.dice import opening_roll, roll
from bgai.duel import NORMAL_95
from bgai.errors import PlayError
from bgai.luck import LuckJudge
from bgai.notation.positionid import format_position_id
from bgai.plays import PlaysBatch, legal_plays_batch

PAIRS_AT_ONCE = 100
LONGEST = 2000
"""Turns after which a game is given up and counts 0."""


@dataclass(frozen=True)
class Games:
    """Pairs of games, seen by the first player."""

    points: NDArray[np.int64]
    """`int64[N, 2]`: what it won (> 0) or lost in the two games of each pair."""
    luck: NDArray[np.float64]
    """`float64[N, 2]`: what the dice brought it, in points; 0 where nobody judged it."""


@dataclass(frozen=True)
class Score:
    """What a player made of some pairs of games."""

    games: int
    points_per_game: float
    interval_95: float
    """Half the width of the 95 % interval, from the spread of the pairs' means."""
    without_luck: float | None
    """The same mean with the luck taken out; None if nobody judged the luck."""
    without_luck_interval_95: float | None
    wins: int
    gammons_won: int
    """Backgammons included."""
    backgammons_won: int
    losses: int
    gammons_lost: int
    backgammons_lost: int
    unfinished: int


def score(games: Games) -> Score:
    """Sums up pairs of games."""
    points = games.points
    mean, half = _mean(points.mean(axis=1))
    plain, plain_half = _mean((points - games.luck).mean(axis=1)) if games.luck.any() else (None, None)
    at_least = {number: int((points >= number).sum()) for number in (1, 2, 3)}
    at_most = {number: int((points <= -number).sum()) for number in (1, 2, 3)}
    return Score(
        games=points.size,
        points_per_game=mean,
        interval_95=half,
        without_luck=plain,
        without_luck_interval_95=plain_half,
        wins=at_least[1],
        gammons_won=at_least[2],
        backgammons_won=at_least[3],
        losses=at_most[1],
        gammons_lost=at_most[2],
        backgammons_lost=at_most[3],
        unfinished=int((points == 0).sum()),
    )


def _mean(means: NDArray[np.float64]) -> tuple[float, float]:
    """Mean of the pairs, and half of its 95 % interval."""
    spread = float(means.std(ddof=1)) / math.sqrt(len(means)) if len(means) > 1 else math.nan
    return float(means.mean()), NORMAL_95 * spread


def play_pairs(
    first_player: Player, second_player: Player, seed: int, first: int, count: int, judge: LuckJudge | None = None
) -> Games:
    """Plays the pairs `first` to `first + count - 1`, all games in lock-step; `judge` says how lucky the rolls were."""
    pairs = np.repeat(np.arange(first, first + count), 2)
    seats = np.tile([0, 1], count)
    openings = np.repeat([opening_roll(seed, pair) for pair in range(first, first + count)], 2, axis=0)
    boards = np.tile(START, (2 * count, 1))
    ours = (openings[:, 0] > openings[:, 1]) == (seats == 0)
    points = np.zeros(2 * count, dtype=np.int64)
    luck = np.zeros(2 * count, dtype=np.float64)
    left = np.arange(2 * count)
    for turn in range(LONGEST):
        rolls = roll(seed, pairs[left], turn) if turn else openings
        if judge is not None and turn:
            luck[left] += judge.luck(boards[left], rolls) * np.where(ours[left], 1, -1)
        boards[left] = decide(boards[left], rolls, ours[left], first_player, second_player)
        over = ~(boards[left] < 0).any(axis=1)
        for game in left[over]:
            lost = -result(boards[game])
            points[game] = lost if ours[game] else -lost
        left = left[~over]
        if not left.size:
            break
        ours[left] = ~ours[left]
    return Games(points.reshape(count, 2), luck.reshape(count, 2))


def decide(boards: Board, rolls: NDArray[np.int64], ours: NDArray[np.bool_], first: Player, second: Player) -> Board:
    """One turn of many games: `first` plays where `ours`, `second` elsewhere; returns the successors.

    Raises:
        PlayError: a player chose what is not among the legal plays.
    """
    plays = legal_plays_batch(boards, rolls, with_steps=False)
    chosen = plays.successors[plays.offsets[:-1]]
    free = np.diff(plays.offsets) > 1
    for who, mine in ((first, free & ours), (second, free & ~ours)):
        if mine.any():
            chosen[mine] = who.choose(boards[mine], rolls[mine])
    wrong = ~among(plays, chosen)
    if wrong.any():
        number = int(np.flatnonzero(wrong)[0])
        who = first if ours[number] else second
        raise PlayError(
            f"{who.title} played to {format_position_id(chosen[number])} from {format_position_id(boards[number])}"
            f" with {rolls[number].tolist()}, which is not legal"
        )
    return chosen


def among(plays: PlaysBatch, chosen: Board) -> NDArray[np.bool_]:
    """Whether each of the positions `int8[N, 26]` is one of the successors of its roll: `bool[N]`."""
    same = (plays.successors == np.repeat(chosen, np.diff(plays.offsets), axis=0)).all(axis=1)
    found: NDArray[np.bool_] = np.logical_or.reduceat(same, plays.offsets[:-1])
    return found


def play_duel(
    first: str,
    second: str,
    seed: int,
    pairs: int,
    processes: int,
    progress: Callable[[int], object],
    luck: str | None = None,
) -> tuple[Games, bool]:
    """Plays a duel in several processes; `first` and `second` are as for `players.player`.

    Args:
        luck: the model that judges the luck, as `bgai.catalogue.open_model` takes it.

    Returns:
        The pairs played, and whether Ctrl-C ended it before all were: then these are the first ones,
        so that short games are not favoured.
    """
    tasks = [(begin, min(PAIRS_AT_ONCE, pairs - begin)) for begin in range(0, pairs, PAIRS_AT_ONCE)]
    parts: list[Games] = []
    interrupted = False
    pool = multiprocessing.get_context("spawn").Pool(processes, _start, (first, second, seed, luck))
    try:
        for part in pool.imap(_play, tasks):
            parts.append(part)
            progress(part.points.size)
    except KeyboardInterrupt:
        interrupted = True
    finally:
        pool.terminate()
        pool.join()
    return joined(parts), interrupted


def joined(parts: list[Games]) -> Games:
    """The pairs of all parts, in their order."""
    points = [np.zeros((0, 2), dtype=np.int64), *(part.points for part in parts)]
    luck = [np.zeros((0, 2), dtype=np.float64), *(part.luck for part in parts)]
    return Games(np.concatenate(points), np.concatenate(luck))


_table: tuple[Player, Player, int] | None = None
_judge: LuckJudge | None = None


def _start(first: str, second: str, seed: int, luck: str | None) -> None:
    global _table, _judge
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _table = player(first), player(second), seed
    _judge = LuckJudge.of(open_model(luck)) if luck is not None else None


def _play(task: tuple[int, int]) -> Games:
    assert _table is not None
    return play_pairs(*_table, *task, _judge)
