"""The benchmarks' own arithmetic: scores, order of the decisions, tables, charts. Nothing is timed."""

from __future__ import annotations

import json
import sys
import xml.etree.ElementTree as ElementTree
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bgai.analyst import Analyst
from bgai.board import START
from bgai.catalogue import kept_models, open_model
from bgai.errors import PlayError
from bgai.model import MANIFEST, Manifest, Model, load_model
from bgai.plays import legal_plays_batch
from tests.networks import random_weights

FOLDER = Path(__file__).parents[1] / "benchmarks"

sys.path.append(str(FOLDER))
chart, curve, duel, filter, lookahead, own_decisions, players, record, reference, rollouts = map(
    import_module,
    ("chart", "curve", "duel", "filter", "lookahead", "own_decisions", "players", "record", "reference", "rollouts"),
)


def decision(number: int, phase: str) -> Any:
    """A decision with two plays, of which the second loses a tenth of a point."""
    plays = {np.full(26, place, dtype=np.int8).tobytes(): -0.1 * place for place in range(2)}
    return reference.CheckerDecision(str(number), np.zeros(26, dtype=np.int8), (3, 1), phase, plays)


DECISIONS = [decision(number, phase) for number, phase in enumerate(("contact", "race", "bearoff") * 20)]


def row(title: str = "bgai 1-ply", loss: float = 2.0, milliseconds: float = 3.0, **more: Any) -> dict[str, Any]:
    mean = {"count": 40, "mean": loss, "standard_error": 0.25}
    return {
        "title": title,
        "program": title.split()[0],
        "favoured": False,
        "main": True,
        "label": "1-ply",
        "losses": {"contact": mean, "all": mean},
        "milliseconds": {"count": 40, "mean": milliseconds, "standard_error": 0.1},
        **more,
    }


@pytest.fixture(scope="module")
def untrained() -> Model:
    return Model(Manifest("untrained", "points-1", [8]), random_weights([8], seed=1))


def test_loss_is_against_the_best_and_unlisted_plays_are_errors() -> None:
    assert DECISIONS[0].loss(np.ones(26, dtype=np.int8)) == pytest.approx(0.1)
    with pytest.raises(PlayError, match="no play of decision 0"):
        DECISIONS[0].loss(START)


def test_mean_by_phase_leaves_out_phases_that_do_not_occur() -> None:
    means = reference.mean_by_phase(["contact", "race", "contact"], np.array([1.0, 5.0, 3.0]))
    assert {name: each.mean for name, each in means.items()} == {"contact": 2.0, "race": 5.0, "all": 3.0}
    assert str(means["contact"]) == "2.00 ± 1.00"


def test_cube_loss_counts_doubling_and_answer() -> None:
    record = {"nd": 0.5, "dt": 0.8}
    assert reference.cube_loss(record, 0.6, 0.7) == (0.0, 0.0)
    assert reference.cube_loss(record, 0.9, 0.7) == (pytest.approx(0.3), 0.0)
    assert reference.cube_loss(record, 0.6, 1.1) == (0.0, pytest.approx(0.2))


def test_order_is_fixed_by_the_seed_and_keeps_decisions_to_warm_up() -> None:
    measured, warm = lookahead.ordered(DECISIONS, seed=1)
    assert [each.name for each in measured] == [each.name for each in lookahead.ordered(DECISIONS, seed=1)[0]]
    assert [each.name for each in measured] != [each.name for each in lookahead.ordered(DECISIONS, seed=2)[0]]
    assert sorted((*measured, *warm), key=lambda each: int(each.name)) == DECISIONS
    assert [each.phase for each in warm].count("race") == lookahead.WARM


def test_summary_is_in_millipoints_and_milliseconds() -> None:
    found = lookahead.summary(DECISIONS[:2], np.array([0.0, 0.004]), np.array([0.001, 0.003]))
    assert found.losses["all"].mean == pytest.approx(2.0)
    assert (found.milliseconds.count, found.milliseconds.mean) == (2, pytest.approx(2.0))


def test_own_decisions_are_judged_two_plies_ahead() -> None:
    judge = open_model("0001-td")
    decisions = own_decisions.self_play(judge, 8, seed=1)
    offsets = decisions.plays.offsets
    assert len(decisions.positions) == 8
    assert (np.diff(offsets) > 1).all()
    deep = decisions.loss(Analyst.of(judge, cubeful=False, plies=2, filter="huge"))
    assert deep == pytest.approx(0, abs=1e-6)
    assert (decisions.losses > 1e-4).any()
    assert own_decisions.Loss.of(np.array([0.001, 0.003])) == own_decisions.Loss(2, pytest.approx(2), pytest.approx(1))


def test_a_filter_leaves_the_best_by_its_own_values() -> None:
    values, offsets = np.array([0.1, 0.4, 0.35, 0.3, 0.2, -1.0, -0.9]), np.array([0, 5, 7])
    assert filter.left_over(values, offsets, 3, np.inf).tolist() == [False, True, True, True, False, True, True]
    assert filter.left_over(values, offsets, 3, 0.06).tolist() == [False, True, True, False, False, False, True]


def test_what_a_filter_throws_away_is_less_the_more_it_leaves() -> None:
    model = open_model("0005-crossed")
    boards = filter.positions(model, 200, seed=1)
    assert boards.shape == (200, 26)
    dice = np.random.default_rng(1).integers(1, 7, size=(200, 2))
    rows = filter.rows_of(model, legal_plays_batch(boards, dice, with_steps=False))
    lost = {(row[1], row[2]): float(row[4].split(" ")[0]) for row in rows}
    assert lost["8", ""] < lost["8", "0.2"] < lost["5", "0.12"]


def test_a_filter_that_knows_what_the_network_knows_throws_nothing_away() -> None:
    weights = random_weights([8], seed=1)
    model = Model(Manifest("twice", "points-1", [8]), weights).with_filter([8], weights)
    boards = filter.positions(model, 100, seed=2)
    dice = np.random.default_rng(1).integers(1, 7, size=(100, 2))
    for row in filter.rows_of(model, legal_plays_batch(boards, dice, with_steps=False)):
        assert row[4] == "0.00 ± 0.00"


def test_levels_have_different_titles_and_the_two_that_made_the_reference_are_marked() -> None:
    titles = [level.title for level in lookahead.LEVELS]
    assert len(set(titles)) == len(titles)
    assert [level.title for level in lookahead.LEVELS if level.favoured] == [
        "gnubg-nn 2-ply",
        'bgsage 2-ply (its "3-ply")',
    ]


def test_table_has_a_row_a_level() -> None:
    lines = curve.table([row(), row("gnubg-nn 2-ply", 0.2, 50.0, favoured=True)]).splitlines()
    assert len({line.count("|") for line in lines}) == 1
    assert lines[2] == "| bgai 1-ply | 40 | 2.00 ± 0.25 | – | – | 2.00 ± 0.25 | 3 | 333 |"
    assert lines[3].startswith("| gnubg-nn 2-ply * | 40 |")
    assert lines[3].endswith("| 50 | 20 |")


def test_axis_is_logarithmic_and_has_ends() -> None:
    axis = chart.Axis(1, 100, 10, 30)
    assert [axis.place(value) for value in (0, 1, 10, 100, 1000)] == pytest.approx([10, 10, 20, 30, 30])
    assert axis.ticks() == [1, 2, 5, 10, 20, 50, 100]


def test_chart_is_an_svg_with_a_circle_a_level_and_one_a_program() -> None:
    rows = [row(), row("gnubg-nn 2-ply", 0.0, 50.0, favoured=True), row("bgsage <1-ply>", 3.0, 0.2)]
    picture = ElementTree.fromstring(chart.chart(rows, "0001 & others"))
    circles = picture.findall(".//{http://www.w3.org/2000/svg}circle")
    assert len(circles) == len(rows) + len(chart.COLOURS)
    assert sum(circle.get("fill") == "none" for circle in circles) == 1


def test_the_last_result_that_gnubg_printed_counts() -> None:
    printed = "\r".join(f'Estimated SE for "Current Position" after {n} trials  0.0{n}' for n in (12, 36))
    assert rollouts.last_estimate(printed) == (36, 0.036)
    with pytest.raises(ValueError, match="no result"):
        rollouts.last_estimate("Unknown keyword")


def test_rollouts_are_scaled_to_the_same_trials() -> None:
    found = rollouts.scaled("tested", rollouts.TRIALS // 4, 2.0, 0.02)
    assert (found.seconds, found.standard_error) == (8.0, pytest.approx(0.01))


def test_what_is_recorded_of_a_model_are_its_points_and_its_own_losses_by_plies() -> None:
    mean = {"mean": 1.234, "standard_error": 0.1, "count": 500}
    score = {"points_per_game": 0.5, "interval_95": 0.04, "games": 100, "without_luck": None}
    judged = {"without_luck": 0.46, "without_luck_interval_95": 0.01}
    measured = {
        "player": {"name": "0001-td"},
        "duels": {"seed": 1, "opponents": {"pubeval": score, "gnubg-nn 0-ply": score | judged}},
        "bench": {"players": {"0001-td 0-ply": {"contact": mean, "all": mean}}},
        "looking ahead": {"players": {name: {"losses": {"all": mean}} for name in ("0001-td 2-ply", "gnubg-nn 2-ply")}},
        "cube": {"players": {name: {"all": mean} for name in ("0001-td 0-ply", "bgsage 0-ply")}},
    }
    kept = {"loss": 1.23, "standard_error": 0.1, "decisions": 500}
    assert record.results_of(measured) == {
        "pubeval": {"points": 0.5, "interval": 0.04, "games": 100, "seed": 1},
        "gnubg-nn 0-ply": {
            "points": 0.46,
            "interval": 0.01,
            "luck_out_by": "0001-td",
            "points_played": 0.5,
            "interval_played": 0.04,
            "games": 100,
            "seed": 1,
        },
        "reference decisions": {**kept, "contact": 1.23},
        "reference decisions, 2-ply": kept,
        "cube decisions, 0-ply": kept,
    }


def test_losses_without_games_are_not_recorded(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = kept_models()[-1]
    before = (model / MANIFEST).read_bytes()
    weights = load_model(model).manifest.weights_sha256
    found = tmp_path / "strength.json"
    found.write_text(json.dumps({"player": {"name": model.name, "weights_sha256": weights}, "bench": {}}), "utf-8")
    assert record.main([str(found)]) == 2
    assert "holds no games, expected" in capsys.readouterr().err
    assert (model / MANIFEST).read_bytes() == before
