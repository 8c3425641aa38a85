"""Players by name, and players that err."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bgai.analyst import Analyst
from bgai.bot import Bot
from bgai.cube_decision import decide_cube
from bgai.errors import InputError
from bgai.evaluator import KernelEvaluator
from bgai.levels import BASELINES, PLAIN, WEAKENED, Level, fitted_noise, read_level, read_player, read_time
from bgai.match_play import play_match
from bgai.match_rules import Rules
from bgai.model import Manifest, Model
from bgai.opinions import ROLLED
from bgai.outcomes import WIN
from bgai.position import Cube, Position, Score
from bgai.rollout import Rollout
from bgai.rollout import Settings as RolloutSettings
from bgai.rollout_analyst import RolledAnalyst
from bgai.search import Settings
from bgai.weakened import WeakenedEvaluator, normal_of
from tests.cli import save_model
from tests.networks import random_weights
from tests.positions import mixed_positions

MODEL = Model(Manifest("tested", "points-1", [8]), random_weights([8], seed=91))
ROLLED_OUT = RolledAnalyst(MODEL, Settings(1, "tiny"), RolloutSettings(trials=36, truncation=2))


@pytest.mark.parametrize("plies", range(8))
def test_plies(plies: int) -> None:
    level = read_level(f"{plies}-ply")
    assert level == Level(f"{plies}-ply", Settings(plies))
    assert (level == PLAIN) == (plies == 0)


@pytest.mark.parametrize(("name", "seconds"), [("100ms", 0.1), ("1s", 1.0), ("2.5s", 2.5)])
def test_times(name: str, seconds: float) -> None:
    level = read_level(name)
    assert level is not None
    assert (level.settings.seconds, level.settings.plies) == (seconds, 7)


@pytest.mark.parametrize("text", ["0s", "0ms", "1", "s", "-1s", "1 s", "1e3s", ""])
def test_no_times(text: str) -> None:
    with pytest.raises(InputError, match="expected a time such as 100ms or 2s"):
        read_time(text)


def test_weaker_levels_err_more() -> None:
    noise = fitted_noise()
    assert set(noise) == set(WEAKENED)
    sizes = [noise[name] for name in WEAKENED]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] > 0


def test_names_with_a_model(tmp_path: Path) -> None:
    folder = save_model(tmp_path / "tiny")
    assert read_player(str(folder)).shown == "tiny"
    assert read_player(f"{folder}:0-ply").shown == "tiny"
    assert read_player(f"{folder}:2-ply").shown == "tiny:2-ply"
    assert read_player("1").level == PLAIN
    assert read_player("1:beginner").level.name == "beginner"
    for name in BASELINES:
        assert read_player(name).shown == name
    odd = save_model(tmp_path / "a:b")
    assert read_player(f"{odd}").shown == "a:b"
    assert read_player(f"{odd}:100ms").shown == "a:b:100ms"


@pytest.mark.parametrize(
    "name", ["nobody", "1:nobody", "nobody:2-ply", ":", "", ":2-ply", "2ply", "random:2-ply", "\0"]
)
def test_unknown_players_are_told_what_there_is(name: str) -> None:
    with pytest.raises(InputError) as error:
        read_player(name)
    line = str(error.value)
    assert line.startswith(
        f"unknown player {name!r}: expected 0-ply to 7-ply, rollout, a time such as 100ms, beginner,"
    )
    for part in ("0001-", "MODEL:LEVEL", "random or heuristic"):
        assert part in line
    assert "\n" not in line


def test_too_many_plies_are_refused() -> None:
    with pytest.raises(InputError, match="12 plies, expected 0 to 7"):
        read_player("12-ply")


def test_analysts_of_levels() -> None:
    assert Level("2-ply", Settings(2)).analyst(MODEL, threads=3).settings == Settings(2, threads=3)
    weak = Level("casual", noise=0.1).analyst(MODEL, cubeful=False)
    assert isinstance(weak.evaluator, WeakenedEvaluator)
    assert not weak.cubeful
    assert isinstance(Level("rollout", Settings(1), rolled=True).analyst(MODEL), RolledAnalyst)


def test_the_noise_is_normal_and_belongs_to_the_board() -> None:
    boards, _ = mixed_positions(4000, seed=7)
    boards = np.unique(boards, axis=0)
    drawn = normal_of(boards)
    assert abs(drawn.mean()) < 0.06
    assert abs(drawn.std() - 1) < 0.06
    assert abs((np.abs(drawn) < 1.96).mean() - 0.95) < 0.02
    assert np.array_equal(normal_of(boards[5:9]), drawn[5:9])
    assert abs(np.corrcoef(drawn, normal_of(boards, 1))[0, 1]) < 0.06


def test_errors_stay_possible_and_certain_things_certain() -> None:
    boards, _ = mixed_positions(300, seed=8)
    honest = KernelEvaluator(MODEL)
    right, wrong = honest.evaluate(boards), WeakenedEvaluator(honest, 0.5).evaluate(boards)
    assert wrong.dtype == np.float32
    assert (wrong[:, WIN] >= wrong[:, 1]).all()
    assert (1 - wrong[:, WIN] >= wrong[:, 3] - 1e-6).all()
    certain = (right[:, WIN] == 0) | (right[:, WIN] == 1)
    assert np.array_equal(wrong[certain], right[certain])
    assert (wrong[~certain, WIN] != right[~certain, WIN]).mean() > 0.8
    assert np.array_equal(WeakenedEvaluator(honest, 0.0).evaluate(boards), right)


def test_a_weak_player_says_the_same_of_the_same_question() -> None:
    weak = Level("beginner", noise=0.3).analyst(MODEL)
    position = Position(dice=(6, 4), score=Score((1, 2), 5))
    first, again = weak.rank([position]), weak.rank([position, position])
    assert np.array_equal(first.equities, again.equities[: len(first.equities)])
    honest = Analyst.of(MODEL).rank([position])
    assert not np.array_equal(first.order, honest.order)


def test_rolled_out_plays_come_first_and_are_those_of_the_rollout() -> None:
    position = Position(dice=(2, 1))
    ranked = ROLLED_OUT.rank([position])
    rolled = np.flatnonzero(ranked.plies == ROLLED)
    assert len(rolled) >= 2
    assert set(ranked.order[: len(rolled)]) == set(rolled)
    assert (np.diff(ranked.equities[ranked.order[: len(rolled)]]) <= 0).all()
    before = Analyst.of(MODEL, plies=1, filter="tiny").rank([position])
    chosen = before.plays[0]
    rollout = Rollout(position, ROLLED_OUT.rollout, model=MODEL, chosen=chosen)
    rollout.run(threads=1)
    for number in rolled:
        assert ranked.equities[number] == rollout.candidates[number].equity[0]
    others = np.flatnonzero(ranked.plies != ROLLED)
    assert np.array_equal(ranked.equities[others], before.equities[others])


def test_rollouts_alone_and_together() -> None:
    asked = [Position(dice=(2, 1)), Position(dice=(4, 3), score=Score((0, 1), 3))]
    together = ROLLED_OUT.rank(asked)
    for number, position in enumerate(asked):
        alone = ROLLED_OUT.rank([position])
        part = slice(together.plays.offsets[number], together.plays.offsets[number + 1])
        assert np.array_equal(alone.order, together.order[part] - part.start)
        assert np.array_equal(alone.equities, together.equities[part])


def test_rolled_out_positions_and_cubes() -> None:
    decision = decide_cube(ROLLED_OUT, Position())
    assert decision.plies == ROLLED
    evaluation = ROLLED_OUT.evaluate(Position(dice=(3, 1)))
    assert evaluation.plies == ROLLED
    assert evaluation.equity == max(decision.no_double, min(decision.double_take, 1.0))
    assert evaluation.mwc is None
    over = np.zeros(26, dtype=np.int8)
    over[1] = 15
    assert ROLLED_OUT.evaluate(Position(over)).plies == 1
    assert ROLLED_OUT.evaluate(Position(cube=Cube(2, "opponent"), score=Score((1, 1), 5))).mwc is not None
    assert ROLLED_OUT.at_once().settings.plies == 0


def test_bots_by_name(tmp_path: Path) -> None:
    folder = save_model(tmp_path / "tiny")
    weak, plain = Bot.of(f"{folder}:beginner"), Bot.of(f"{folder}")
    assert (weak.name, plain.name) == ("tiny:beginner", "tiny")
    assert weak.adviser.name == "tiny"
    assert weak.adviser.analyst.evaluate(Position()).equity == plain.analyst.evaluate(Position()).equity
    assert plain.adviser is plain
    assert Bot.of(f"{folder}:1-ply", threads=2).analyst.settings == Settings(1, threads=2)
    with pytest.raises(InputError, match="'random' has no opinions"):
        Bot.of("random")
    record = play_match((weak, plain), Rules(length=1), seed=1)
    assert record.players == ("tiny:beginner", "tiny")
