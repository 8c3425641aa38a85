"""Rollouts: luck, strata, intervals, and what they agree with."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from bgai.analyst import Analyst
from bgai.bearoff import bearoffs, network_alone, two_sided
from bgai.board import START, Board
from bgai.catalogue import open_model
from bgai.dice import ROLL_WEIGHTS, ROLLS
from bgai.errors import ConfigError, InputError, PositionError
from bgai.evaluator import KernelEvaluator
from bgai.halt import Halt
from bgai.kernels.cube import CENTRED, ON_ROLL, OPPONENT, cube_lines, flipped_stakes
from bgai.kernels.movegen import fill_slots
from bgai.kernels.rollout import Start, play_block, play_roll, scratch
from bgai.kernels.static import Static
from bgai.kernels.strata import first_rolls
from bgai.kernels.trial_cube import Rules, fill_value
from bgai.model import Manifest, Model
from bgai.position import Cube, Position, Score
from bgai.rollout import Rollout, Settings
from bgai.rollout_record import from_record, to_record
from bgai.rollout_statistics import error_of, student_95
from bgai.stakes import Stakes, stakes_of, worth_of_turn
from tests.halting import HaltAfter
from tests.networks import ENCODER, random_weights
from tests.positions import game_positions

MODEL = Model(Manifest("tiny", ENCODER, [8]), random_weights([8], seed=5))
NET = MODEL.net()
TABLES = Static(NET, NET, 0, bearoffs())
BARE = network_alone(NET)
"""The same network without the tables, so that bear-offs are played to their end."""
PRUNED = Static(NET, Model(Manifest("other", ENCODER, [8]), random_weights([8], seed=6)).net(), 3, bearoffs())


def board_of(own: dict[int, int], other: dict[int, int]) -> Board:
    """Checkers by point, each side counting from its own ace point."""
    board = np.zeros(26, dtype=np.int8)
    for point, count in own.items():
        board[point] = count
    for point, count in other.items():
        board[25 - point] = -count
    return board


SHORT = board_of({1: 2, 3: 1}, {1: 2, 2: 1})
"""A bear-off of a few rolls, with an edge for the player on roll."""
LONG = board_of({4: 2, 5: 2, 6: 2}, {4: 2, 5: 2, 6: 2})
CERTAIN = board_of({1: 2}, {6: 2})


def rules_of(stakes: Stakes, *, cubeful: bool = True) -> Rules:
    pair = (stakes.compiled, flipped_stakes(stakes.compiled))
    worth = np.array([[worth_of_turn(side, turn) for turn in range(len(side.win))] for side in pair], dtype=np.float32)
    return Rules(pair, worth, np.array([0.6, 0.6, 0.6]), cubeful, not stakes.match)


MONEY = rules_of(stakes_of(Cube(), Score(), None, 1024))


def rolled(
    board: Board, settings: Settings, *, static: Static = TABLES, position: Position | None = None, most: int = 0
) -> Rollout:
    asked = Position(board=board) if position is None else replace(position, board=board)
    rollout = Rollout(asked, settings, model=MODEL, static=static, most=most)
    rollout.run(threads=1)
    return rollout


def test_a_block_has_every_first_roll_and_a_square_every_pair() -> None:
    pairs = set()
    rolls = np.empty((36, 2), dtype=np.int64)
    for block in range(36, 72):
        first_rolls(np.uint64(9), block, rolls)
        assert set(rolls[:, 0]) == set(rolls[:, 1]) == set(range(36))
        pairs |= {(int(first), int(second)) for first, second in rolls}
    assert len(pairs) == 1296


def test_strata_depend_on_the_seed_and_the_square() -> None:
    found = set()
    for seed in (1, 2):
        for block in (0, 36):
            rolls = np.empty((36, 2), dtype=np.int64)
            first_rolls(np.uint64(seed), block, rolls)
            found.add(rolls[:, 1].tobytes())
    assert len(found) == 4


def slots_of(board: Board) -> NDArray[np.int8]:
    slots = np.zeros(32, dtype=np.int8)
    fill_slots(board, slots)
    return slots


@pytest.mark.parametrize("static", [TABLES, PRUNED], ids=["all plays", "filtered"])
def test_luck_is_measured_by_the_trials_own_plays(static: Static) -> None:
    """The naive rule: the value after each roll's play, minus the mean of all 21; and the same play is made."""
    here = scratch(static, MONEY)
    naive = scratch(static, MONEY)
    boards, dice = game_positions(40, seed=4)
    for board, (first, second) in zip(boards, dice, strict=True):
        here.slots[0] = slots_of(board)
        play_roll(static, MONEY, 0, 1, OPPONENT, first, second, True, here)
        values = np.zeros((21, 6))
        actual = np.zeros(6)
        for number, roll in enumerate(ROLLS):
            naive.slots[0] = slots_of(board)
            play_roll(static, MONEY, 0, 1, OPPONENT, *roll, False, naive)
            values[number] = value_after(static, naive.slots, naive.outcomes)
            if roll == (max(first, second), min(first, second)):
                actual = values[number]
                assert np.array_equal(naive.slots, here.slots)
                assert np.array_equal(naive.outcomes, here.outcomes)
        mean = ROLL_WEIGHTS.astype(np.float64) @ values
        assert here.luck == pytest.approx(actual - mean, abs=1e-6)


def value_after(static: Static, slots: NDArray[np.int8], outcomes: NDArray[np.float32]) -> NDArray[np.float64]:
    value = np.zeros(6)
    fill_value(static, MONEY, 1, 1, ON_ROLL, slots, outcomes, 0, cube_lines(MONEY.stakes[0]), value)
    return value


@pytest.mark.parametrize("reduced", [True, False])
@pytest.mark.parametrize("truncation", [1, 2])
def test_a_cut_trial_is_the_mean_of_its_static_values_seen_by_the_right_side(truncation: int, reduced: bool) -> None:
    """One ply: the mean over the rolls, exactly; two: over all pairs of them, which a square has."""
    cut = MONEY._replace(cubeful=False)
    start = Start(START.copy(), 0, CENTRED, False)
    found = np.zeros((36, 36, 6))
    for block in range(36 if truncation == 2 else 1):
        play_block(TABLES, cut, start, np.uint64(3), block, truncation, reduced, found[block])
    total = np.zeros(5)
    for number, roll in enumerate(ROLLS):
        total += ROLL_WEIGHTS[number] * after(slots_of(START), roll, truncation)
    mean = found[: 36 if truncation == 2 else 1].mean(axis=(0, 1))
    assert mean[:5] == pytest.approx(total, abs=1e-6)


def after(slots: NDArray[np.int8], roll: tuple[int, int], plies: int) -> NDArray[np.float64]:
    """Mean chances of the player on roll after a roll and all those of the plies behind it."""
    here = scratch(TABLES, MONEY)
    here.slots[0] = slots
    play_roll(TABLES, MONEY, 2 - plies, 0, CENTRED, *roll, False, here)
    if plies == 1:
        seen = here.outcomes[0].astype(np.float64)
    else:
        seen = np.zeros(5)
        for number, then in enumerate(ROLLS):
            seen += ROLL_WEIGHTS[number] * after(here.slots[0].copy(), then, plies - 1)
    return np.array([1 - seen[0], seen[3], seen[4], seen[1], seen[2]])


def test_a_certain_win_has_no_error() -> None:
    for static in (TABLES, BARE):
        (one,) = rolled(CERTAIN, Settings(trials=72, cubeful=False), static=static).ranked()
        assert one.equity == (1.0, 0.0)
        assert one.outcomes[0].tolist() == [1, 0, 0, 0, 0]
        assert one.half_width == 0


def truth(board: Board) -> float:
    return float(2 * two_sided(6).outcomes(board[None])[0, 0] - 1)


def test_a_position_of_the_exact_table_is_exact_after_one_roll() -> None:
    (one,) = rolled(SHORT, Settings(trials=72, cubeful=False)).ranked()
    equity, error = one.equity
    assert equity == pytest.approx(truth(SHORT), abs=1e-5)
    assert error < 1e-9


@pytest.mark.parametrize("reduction", [True, False])
def test_playing_out_finds_the_truth(reduction: bool) -> None:
    """Both sides have only one good play here, so that any network plays the bear-off right."""
    settings = Settings(trials=36 * 72, cubeful=False, reduction=reduction)
    (one,) = rolled(SHORT, settings, static=BARE).ranked()
    equity, error = one.equity
    assert abs(equity - truth(SHORT)) < 3.5 * error
    assert 0 < error < 0.03


def coverage(board: Board, seeds: int, blocks: int, static: Static, *, reduction: bool = True) -> float:
    """Share of 95 % intervals that hold the truth."""
    inside = 0
    for seed in range(seeds):
        settings = Settings(trials=36 * blocks, cubeful=False, seed=seed, reduction=reduction)
        (one,) = rolled(board, settings, static=static).ranked()
        inside += abs(one.equity[0] - truth(board)) <= one.half_width
    return inside / seeds


def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    """More often in so short a bear-off, where the strata of the first two rolls leave little to chance."""
    assert coverage(SHORT, 60, 5, BARE) >= 0.87


@pytest.mark.check
@pytest.mark.parametrize(("blocks", "reduction"), [(3, True), (8, True), (8, False)])
def test_intervals_hold_the_truth_as_often_as_they_say_over_many_seeds(blocks: int, reduction: bool) -> None:
    """With the shipped network, which knows bear-offs well enough: what it plays wrong is far below the errors."""
    net = open_model("1").net()
    found = coverage(LONG, 200, blocks, network_alone(net), reduction=reduction)
    # 95 % with a standard error of 1.5 %.
    assert 0.905 <= found <= 0.99


def test_a_cubeful_bear_off_agrees_with_the_table() -> None:
    board = board_of({1: 2, 2: 2, 6: 1}, {1: 2, 2: 2, 4: 1})
    exact = two_sided(6).cube(board[None])
    no_double, taken = rolled(board, Settings(trials=72)).ranked()
    assert no_double.equity == pytest.approx((float(exact.no_double[0]), 0), abs=1e-5)
    assert taken.equity == pytest.approx((float(exact.double_take[0]), 0), abs=1e-5)
    owned = Position(cube=Cube(2, "on roll"))
    assert rolled(board, Settings(trials=36), position=owned).ranked()[0].equity[0] == pytest.approx(
        float(exact.no_redouble[0]), abs=1e-5
    )
    theirs = Position(cube=Cube(2, "opponent"))
    (one,) = rolled(board, Settings(trials=36), position=theirs).ranked()
    assert one.equity[0] == pytest.approx(float(exact.opponents[0]), abs=1e-5)


@pytest.mark.check
def test_a_cubeful_bear_off_played_out_agrees_with_the_table() -> None:
    """With a cube that has only few turns left the table is not asked, and trials decide by its cubeless chances."""
    board = board_of({1: 2, 2: 2, 6: 1}, {1: 2, 2: 2, 4: 1})
    exact = two_sided(6).cube(board[None])
    near = Position(cube=Cube(32, "centred"))
    no_double, taken = rolled(board, Settings(trials=36 * 36), position=near).ranked()
    for found, value in ((no_double, exact.no_double[0]), (taken, exact.double_take[0])):
        equity, error = found.equity
        assert abs(equity - value) < 4 * error + 0.02


def test_luck_taken_out_makes_results_steady() -> None:
    """With a network that knows something; one that does not only adds noise."""
    errors = []
    for reduction in (True, False):
        rollout = Rollout(Position(), Settings(trials=36 * 6, reduction=reduction, truncation=6), most=1)
        rollout.run(threads=1)
        errors.append(rollout.candidates[0].equity[1])
    assert 5 * errors[0] < errors[1]


def test_threads_and_extension_change_nothing() -> None:
    position = Position(dice=(3, 1))
    settings = Settings(trials=36 * 5, truncation=4)
    whole = Rollout(position, settings, model=MODEL, most=3)
    whole.run(threads=1)
    parts = Rollout(position, replace(settings, trials=72), model=MODEL, most=3)
    parts.run(threads=3)
    assert parts.complete
    parts.extended(36 * 5)
    assert not parts.complete
    parts.run(threads=2)
    for one, other in zip(whole.candidates, parts.candidates, strict=True):
        assert one.name == other.name
        assert np.array_equal(one.values, other.values)


def test_a_record_goes_on_where_it_ended() -> None:
    for position in (Position(dice=(6, 2), score=Score((1, 3), 5), seat=0), Position(cube=Cube(2, "on roll"))):
        settings = Settings(trials=36 * 3, truncation=3, seed=8)
        whole = Rollout(position, settings, model=MODEL, most=2)
        whole.run(threads=1)
        first = Rollout(position, replace(settings, trials=36), model=MODEL, most=2)
        first.run(threads=1)
        record = json.loads(json.dumps(to_record(first)))
        parts = from_record(record, MODEL)
        parts.extended(36 * 3)
        parts.run(threads=1)
        assert to_record(parts) == to_record(whole)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"method": 0}, "method: found 0"),
        ({"weights_sha256": "abc"}, "model: found other weights"),
        ({"filter_sha256": "abc"}, "model: found other weights of the filter"),
        ({"candidates": None}, "expected what `bgai rollout --json` printed"),
        ({"candidates": [{"name": "8/5"}]}, "damaged record"),
        ({"settings": {"plies": 3}}, "damaged record"),
        ({"xgid": "XGID=nothing"}, "XGID"),
    ],
)
def test_a_record_that_does_not_fit_is_refused(change: dict[str, object], said: str) -> None:
    first = Rollout(Position(dice=(3, 1)), Settings(trials=36, truncation=1), model=MODEL, most=1)
    first.run(threads=1)
    with pytest.raises(InputError, match=said):
        from_record({**to_record(first), **change}, MODEL)


def test_candidates_are_dropped_and_the_rollout_ends_when_it_is_decided() -> None:
    settings = Settings(trials=36 * 27, truncation=1, settled=3.0)
    rollout = Rollout(Position(dice=(3, 1)), settings, model=MODEL, most=4)
    rollout.run(threads=2)
    ranked = rollout.ranked()
    assert rollout.complete
    # One ply has no error, so that the first look decides.
    assert rollout.stopped == "settled"
    assert [one.trials for one in ranked] == [324] * 4
    assert [one.dropped for one in ranked] == [False, True, True, True]
    assert ranked[0].equity[0] == max(one.equity[0] for one in rollout.candidates)


def test_a_rollout_ends_when_it_is_steady_enough() -> None:
    rollout = Rollout(Position(), Settings(trials=36 * 27, truncation=2, error=0.5, cubeful=False), model=MODEL)
    rollout.run(threads=1)
    assert (rollout.stopped, rollout.candidates[0].trials) == ("error", 324)


def test_an_interrupted_rollout_keeps_whole_blocks() -> None:
    rollout = Rollout(Position(dice=(3, 1)), Settings(trials=36 * 6, truncation=2), model=MODEL, most=2)
    count = 0

    def stop(_: Rollout) -> None:
        nonlocal count
        count += 1
        if count == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        rollout.run(threads=2, progress=stop)
    assert [one.trials for one in rollout.candidates] == [108, 72]
    assert not rollout.complete
    assert len(rollout.ranked()) == 2
    rollout.run(threads=1)
    assert rollout.complete


def test_a_word_ends_a_rollout_within_a_block_and_changes_no_digit() -> None:
    position, settings = Position(dice=(3, 1)), Settings(trials=72, truncation=3)
    whole = Rollout(position, settings, model=MODEL, most=2)
    whole.run(threads=1)
    parts = Rollout(position, settings, model=MODEL, most=2)
    halt = HaltAfter(36 + 1 + 5)
    parts.run(threads=1, halt=halt)
    # The first block and the look behind it, then five trials of the second.
    assert [one.trials for one in parts.candidates] == [36, 0]
    assert halt.looks_after == 1
    assert not parts.complete
    parts.run(threads=2, halt=Halt())
    assert parts.complete
    for one, other in zip(whole.candidates, parts.candidates, strict=True):
        assert np.array_equal(one.values, other.values)


def test_a_match_is_rolled_out_for_the_chance_to_win_it() -> None:
    """At double match point with nothing but the game to win, the chance to win the match is that to win the game."""
    score = Score((4, 4), 5)
    rollout = rolled(START, Settings(trials=72, truncation=6), position=Position(score=score))
    (one,) = rollout.ranked()
    mwc = rollout.stakes.centre + rollout.stakes.half * one.equity[0]
    assert mwc == pytest.approx(one.outcomes[0][0], abs=1e-6)
    # One that is lost for certain leads to the score after it.
    met = Analyst.of(MODEL).met(5)
    lost = board_of({6: 2}, {1: 2})
    away = Position(score=Score((1, 2), 5), cube=Cube(2, "opponent"))
    ended = rolled(board_of({1: 2}, {6: 2}), Settings(trials=36), position=away)
    won = ended.stakes.centre + ended.stakes.half * ended.ranked()[0].equity[0]
    assert won == pytest.approx(float(met.outcome_mwc((4, 3), 2, crawford=False, post_crawford=False)[3]), abs=1e-9)
    assert truth(lost) < 0


def test_a_play_that_ends_the_game_is_worth_what_it_wins() -> None:
    rollout = Rollout(Position(board=board_of({1: 1}, {6: 2}), dice=(2, 1)), Settings(trials=36), model=MODEL)
    rollout.run(threads=1)
    assert rollout.ranked()[0].equity[0] == 1
    assert rollout.ranked()[0].outcomes[0].tolist() == [1, 0, 0, 0, 0]


def test_both_sides_of_a_candidate_agree() -> None:
    """The candidate of a forced pass is the position after it, seen by the other side."""
    boards, _ = game_positions(60, seed=3)
    for board in boards[:3]:
        plays = Rollout(Position(board=board, dice=(2, 1)), Settings(trials=36, truncation=3), model=MODEL, most=1)
        plays.run(threads=1)
        (one,) = plays.ranked()
        seen = rolled(one.board, Settings(trials=36, truncation=3, cubeful=False)).ranked()[0]
        cubeless = Rollout(
            Position(board=board, dice=(2, 1)), Settings(trials=36, truncation=3, cubeful=False), model=MODEL, most=1
        )
        cubeless.run(threads=1)
        assert cubeless.ranked()[0].equity[0] == pytest.approx(-seen.equity[0], abs=1e-6)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"trials": 100}, "found 100, expected a multiple of 36 from 36 to 999972, such as 108"),
        ({"trials": 0}, "such as 36"),
        ({"trials": 36 * 10**6}, "such as 999972"),
        ({"truncation": 0}, "truncation: found 0"),
        ({"seed": -1}, "seed: found -1"),
        ({"settled": -1.0}, "settled: found -1"),
        ({"error": float("nan")}, "error: found nan"),
    ],
)
def test_settings_out_of_range(settings: dict[str, float], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        Settings(**settings)  # type: ignore[arg-type]


def test_nothing_to_roll_out() -> None:
    over = board_of({}, {1: 1})
    shut = board_of({25: 1}, dict.fromkeys(range(1, 7), 2))
    for position, said in [
        (Position(board=over), "the game is over"),
        (Position(board=over, dice=(2, 1)), "the game is over"),
        (Position(board=shut, dice=(2, 1)), "no legal play"),
    ]:
        with pytest.raises(PositionError, match=said):
            Rollout(position, model=MODEL)


def test_student() -> None:
    for freedom, value in {1: 12.706, 4: 2.776, 5: 2.571, 9: 2.262, 35: 2.030, 10**6: 1.960}.items():
        assert student_95(freedom) == pytest.approx(value, abs=2e-3)
    assert student_95(0) == np.inf
    assert error_of(np.ones(1)) == np.inf


def test_static_of_a_model_has_its_network_and_the_tables() -> None:
    static = KernelEvaluator(MODEL).static
    assert np.array_equal(static.net.table, NET.table)
    assert (static.bearoffs.most, static.bearoffs.exact_most) == (15, 6)
