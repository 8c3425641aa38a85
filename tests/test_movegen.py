"""The rules: which positions a roll can lead to."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from bgai.board import START, Board, borne_off, flip
from bgai.dice import ROLLS
from bgai.kernels.movegen import MAX_PLAYS
from bgai.notation.playtext import parse_play
from bgai.notation.positionid import format_position_id, parse_position_id
from bgai.plays import Plays, legal_plays, legal_plays_batch
from tests import oracle
from tests.cases import Case, case, case_id, cases, lines
from tests.gnubg_reference import digests, gnubg_plays, our_plays
from tests.positions import SAMPLES, Dice, corner_positions, random_games

OPENING_PLAYS = {
    (1, 1): 42, (2, 1): 15, (2, 2): 75, (3, 1): 16, (3, 2): 17, (3, 3): 73, (4, 1): 14, (4, 2): 18, (4, 3): 17,
    (4, 4): 52, (5, 1): 8, (5, 2): 8, (5, 3): 9, (5, 4): 9, (5, 5): 4, (6, 1): 10, (6, 2): 14, (6, 3): 14,
    (6, 4): 14, (6, 5): 7, (6, 6): 11,
}  # fmt: skip

RECORDED = Path(__file__).parent / "data" / "movegen_gnubg.npz"


def states(plays: Plays) -> set[oracle.State]:
    """The successors as the oracle writes them, none if the turn passes."""
    return set() if plays.must_pass else {oracle.from_board(after) for after in plays.successors.tolist()}


def replay(board: Board, dice: tuple[int, int], steps: list[list[int]]) -> oracle.State:
    """Plays the steps one after the other by the oracle's rules, and turns the board round."""
    left = [dice[0]] * 4 if dice[0] == dice[1] else list(dice)
    state = oracle.from_board(board.tolist())
    for start, end in steps:
        if (start, end) == (0, 0):
            continue
        after = None
        for die in sorted(left):
            if max(start - die, 0) == end and (after := oracle.step(state, start, die)):
                left.remove(die)
                state = after
                break
        assert after, f"{start}/{end} cannot be played with what is left of {dice}: {left}"
    return oracle.State(state.other, state.mover)


@pytest.mark.small
@pytest.mark.parametrize("reported", cases("movegen"), ids=case_id)
def test_reported_positions_have_exactly_the_legal_plays(reported: Case) -> None:
    board = parse_position_id(reported["input"]["position_id"])
    plays = legal_plays(board, tuple(reported["input"]["dice"]))
    expected = lines(reported, "results_next_player_on_roll")
    assert plays.must_pass == (reported["expected"]["legal_moves"] == 0)
    found = [] if plays.must_pass else sorted(format_position_id(after) for after in plays.successors)
    assert found == sorted(expected)
    assert len(found) == reported["expected"]["legal_moves"]
    if "sha256_of_joined_lines" in reported["expected"]:
        joined = "\n".join(found).encode()
        known = reported["expected"]["sha256_of_joined_lines"]
        assert known in {hashlib.sha256(joined + end).hexdigest() for end in (b"", b"\n")}


@pytest.mark.parametrize("reported", cases("movegen"), ids=case_id)
def test_reported_positions_use_as_many_dice_as_possible(reported: Case) -> None:
    plays = legal_plays(parse_position_id(reported["input"]["position_id"]), tuple(reported["input"]["dice"]))
    used = (plays.steps != 0).any(axis=2).sum(axis=1)
    assert set(used.tolist()) == {reported["expected"]["dice_playable"]}


@pytest.mark.parametrize(
    "reported", [one for one in cases("movegen") if "gnubg_notation" in one["expected"]], ids=case_id
)
def test_the_reported_notation_names_every_play_once(reported: Case) -> None:
    board = parse_position_id(reported["input"]["position_id"])
    plays = legal_plays(board, tuple(reported["input"]["dice"]))
    named = [parse_play(board, plays, text) for text in lines(reported, "gnubg_notation")]
    assert sorted(named) == list(range(reported["expected"]["legal_moves"]))


@pytest.mark.parametrize("reported", cases("movegen"), ids=case_id)
def test_the_oracle_agrees_with_the_reported_positions(reported: Case) -> None:
    board = parse_position_id(reported["input"]["position_id"])
    found = oracle.legal_plays(oracle.from_board(board.tolist()), *reported["input"]["dice"])
    expected = [parse_position_id(text) for text in lines(reported, "results_next_player_on_roll")]
    assert found == {oracle.from_board(after.tolist()) for after in expected}


def test_reported_rolls_that_save_the_gammon() -> None:
    # Given: the loser has nobody off, and the winner is off next turn for certain.
    reported = case("sc-15")
    board = parse_position_id(reported["input"]["position_id"])
    assert borne_off(board) == 0
    # Then: this many of the 36 rolls bear off a checker.
    saving = sum(
        (1 if high == low else 2)
        for high, low in ROLLS
        if (borne_off(flip(legal_plays(board, (high, low)).successors)) > 0).any()
    )
    assert saving == reported["expected"]["rolls_that_save_the_gammon"]


@pytest.mark.parametrize("roll", ROLLS, ids=lambda roll: f"{roll[0]}{roll[1]}")
def test_number_of_plays_at_the_start(roll: tuple[int, int]) -> None:
    assert len(legal_plays(START, roll)) == OPENING_PLAYS[roll]


def test_two_turns_from_the_start_can_be_played_in_202782_ways() -> None:
    first = legal_plays_batch(np.repeat(START[None], 21, axis=0), ROLLS, with_steps=False).successors
    boards, dice = np.repeat(first, 21, axis=0), np.tile(ROLLS, (len(first), 1))
    assert len(legal_plays_batch(boards, dice, with_steps=False).successors) == 202_782


@pytest.mark.parametrize(("kind", "count"), [("games", 1500), ("corners", 3000)])
def test_random_positions_have_the_plays_of_the_oracle(kind: str, count: int) -> None:
    boards, dice = SAMPLES[kind](count, seed=4)
    for board, roll, plays in zip(boards, dice.tolist(), legal_plays_batch(boards, dice), strict=True):
        expected = oracle.legal_plays(oracle.from_board(board.tolist()), *roll)
        assert states(plays) == expected, (format_position_id(board), roll)
        assert len(plays) == max(len(expected), 1), f"a position twice: {format_position_id(board)} {roll}"


@pytest.mark.small
def test_a_few_random_positions_have_the_plays_of_the_oracle() -> None:
    boards, dice = corner_positions(60, seed=6)
    for board, roll, plays in zip(boards, dice.tolist(), legal_plays_batch(boards, dice), strict=True):
        assert states(plays) == oracle.legal_plays(oracle.from_board(board.tolist()), *roll)


@pytest.mark.parametrize(("kind", "count"), [("games", 400), ("corners", 1200)])
def test_the_steps_of_a_play_are_legal_and_lead_to_its_successor(kind: str, count: int) -> None:
    boards, dice = SAMPLES[kind](count, seed=7)
    for board, roll, plays in zip(boards, dice.tolist(), legal_plays_batch(boards, dice), strict=True):
        for after, steps in zip(plays.successors.tolist(), plays.steps.tolist(), strict=True):
            assert replay(board, tuple(roll), steps) == oracle.from_board(after)


def test_unused_steps_are_zero_and_stand_last() -> None:
    boards, dice = corner_positions(600, seed=9)
    used = (legal_plays_batch(boards, dice).steps != 0).any(axis=2)
    assert np.array_equal(used, np.sort(used, axis=1)[:, ::-1])


def test_the_order_of_the_dice_does_not_matter() -> None:
    boards, dice = corner_positions(600, seed=10)
    one, other = legal_plays_batch(boards, dice), legal_plays_batch(boards, dice[:, ::-1])
    assert np.array_equal(one.successors, other.successors)
    assert np.array_equal(one.steps, other.steps)


def test_a_roll_that_cannot_be_played_turns_the_board() -> None:
    board = parse_position_id(case("mg-45")["input"]["position_id"])
    plays = legal_plays(board, (6, 6))
    assert plays.must_pass
    assert np.array_equal(plays.successors, flip(board)[None])
    assert not plays.steps.any()


def fifteen_points(lowest: int) -> Board:
    """Fifteen checkers on as many points in a row, the opponent on its ace point: most ways to play a double."""
    board = np.zeros(26, dtype=np.int8)
    board[lowest : lowest + 15] = 1
    board[0] = -1
    return board


@pytest.mark.parametrize("lowest", [1, 5, 9, 10])
@pytest.mark.parametrize("die", [1, 2, 3])
def test_the_largest_number_of_plays_stays_within_bounds(lowest: int, die: int) -> None:
    board = fifteen_points(lowest)
    plays = legal_plays(board, (die, die))
    assert len(plays) <= MAX_PLAYS
    assert states(plays) == oracle.legal_plays(oracle.from_board(board.tolist()), die, die)


def test_a_batch_of_rolls_with_very_many_plays_has_them_all() -> None:
    board = fifteen_points(10)
    single = legal_plays(board, (1, 1))
    assert len(single) > 1000
    batch = legal_plays_batch(np.repeat(board[None], 50, axis=0), np.ones((50, 2), dtype=np.int64))
    assert np.array_equal(np.diff(batch.offsets), np.full(50, len(single)))
    for plays in batch:
        assert np.array_equal(plays.successors, single.successors)
        assert np.array_equal(plays.steps, single.steps)


def test_recorded_plays_of_gnubg() -> None:
    recorded = np.load(RECORDED)
    boards, dice = recorded["boards"], recorded["dice"].astype(np.int64)
    counts, keys = our_plays(boards, dice)
    wrong = np.flatnonzero((counts != recorded["counts"]) | (digests(counts, keys) != recorded["digests"]))
    assert len(boards) >= 5000
    assert not wrong.size, [(format_position_id(boards[n]), dice[n].tolist()) for n in wrong[:5]]


def samples(kind: str) -> Iterator[tuple[Board, Dice]]:
    """A hundred samples of 5,000 rolls."""
    if kind == "games":
        yield from islice(random_games(5000, seed=12), 100)
    else:
        yield from (corner_positions(5000, seed) for seed in range(100))


@pytest.mark.check
@pytest.mark.parametrize("kind", ["games", "corners"])
def test_half_a_million_rolls_have_the_plays_of_gnubg(kind: str) -> None:
    pytest.importorskip("gnubg_nn", reason="needs the package gnubg-nn, the reference for legal plays")
    for boards, dice in samples(kind):
        counts, keys = our_plays(boards, dice)
        expected_counts, expected_keys = gnubg_plays(boards, dice)
        ours, expected = digests(counts, keys), digests(expected_counts, expected_keys)
        wrong = np.flatnonzero((counts != expected_counts) | (ours != expected))
        assert not wrong.size, [(format_position_id(boards[n]), dice[n].tolist()) for n in wrong[:5]]
        assert counts.max() <= MAX_PLAYS
