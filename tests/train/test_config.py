"""Recipes: what is read, what is refused, and how schedules run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from bgai_train.config import TrainConfig, at_games, from_dict, load_config, to_dict

from bgai.errors import ConfigError
from tests.train.recipes import write_recipe

CONFIGS = sorted((Path(__file__).parents[2] / "configs").glob("*.toml"))


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.name)
def test_every_committed_recipe_is_valid_and_begins_with_its_command(path: Path) -> None:
    load_config(path)
    assert path.read_text("utf-8").startswith(f"# bgai train configs/{path.name}\n")


def test_what_is_not_said_has_its_default(tmp_path: Path) -> None:
    (tmp_path / "empty.toml").write_text("")
    assert load_config(tmp_path / "empty.toml") == TrainConfig()


def test_settings_win_over_the_file(tmp_path: Path) -> None:
    settings = [
        "optim.lr=0.5",
        "selfplay.trace=[[0, 1], [10, 0.5]]",
        "name=other",
        'evaluate.opponents=["random"]',
        "optim.precision=bfloat16",
        "seed = 9",
    ]
    found = load_config(write_recipe(tmp_path), settings)
    assert (found.name, found.seed, found.optim.lr, found.optim.precision) == ("other", 9, 0.5, "bfloat16")
    assert found.selfplay.trace == [[0, 1], [10, 0.5]]
    assert found.evaluate.opponents == ["random"]
    assert found.network.layers == [16]


def test_the_resolved_configuration_reads_back_as_it_was(tmp_path: Path) -> None:
    found = load_config(write_recipe(tmp_path), ["optim.passes=2"])
    assert from_dict(json.loads(json.dumps(to_dict(found)))) == found


REFUSED = {
    "speed=3": "unknown key speed",
    "optim.learning_rate=0.1": "unknown key optim.learning_rate",
    "optim=3": "optim is a section",
    "optim.lr.first=3": "optim.lr",
    "name=7": "name has the value 7, expected a text",
    "selfplay.games=many": "selfplay.games has the value 'many', expected a whole number",
    "selfplay.games=1e5": "expected a whole number",
    "selfplay.games=true": "expected a whole number",
    "optim.lr=fast": "expected a number or a schedule",
    "optim.lr=[]": "expected a number or a schedule",
    "optim.lr=[[0, 1, 2]]": "expected a number or a schedule",
    "optim.precision=float16": "expected float32 or bfloat16",
    "network.layers=64": "expected a list of a whole number",
    "network.layers=[]": "at least one hidden layer",
    "network.layers=[0]": "1 to 4096",
    "network.encoder=pixels": "points-1",
    "selfplay.games=0": "1 or more",
    "selfplay.longest=1000000": "0 to 100000",
    "selfplay.trace=1.5": "0 to 1",
    "selfplay.explore=-0.1": "0 to 1",
    "selfplay.explore_plies=-1": "0 to 1000",
    "optim.lr=-1": "optim.lr",
    "optim.lr=nan": "optim.lr",
    "optim.lr=[[10, 0.1], [5, 0.2]]": "numbers of games that rise",
    "optim.lr=[[-1, 0.1]]": "a number of games",
    "optim.first_layer=-1": "optim.first_layer",
    "optim.batch=0": "1 or more",
    "evaluate.games=21": "an even number",
    "evaluate.opponents=[]": "at least one",
    "seed=-1": "seed is -1",
    "evaluate.seed=99999999999999999999": "evaluate.seed",
    "name=": "letters, digits",
    "label.keep=3": "label.positions is 0, expected 1 or more in a recipe that has keys of label or fit",
    "fit.lr=0.1": "label.positions is 0",
    "label.positions=2000": "learns by label and fit, but it has keys of selfplay",
    "label.positions=-1": "label.positions is -1, expected 0 to",
    "label.trace=1.1": "label.trace is 1.1, expected 0 to 1",
    "label.slip=-0.1": "label.slip is -0.1",
    "label.generations=0": "label.generations is 0, expected 1 to",
    "label.depth=2": "unknown key label.depth",
    "fit.lr=nan": "fit.lr is nan",
    "fit.warm_up=2": "fit.warm_up is 2",
    "fit.precision=float16": "expected float32 or bfloat16",
    "optim.lr": "key=value",
    "=3": "key=value",
}


@pytest.mark.parametrize("setting", REFUSED, ids=str)
def test_a_bad_setting_is_refused_in_one_line(tmp_path: Path, setting: str) -> None:
    with pytest.raises(ConfigError) as error:
        load_config(write_recipe(tmp_path), [setting])
    assert REFUSED[setting] in str(error.value)
    assert "\n" not in str(error.value)


def test_a_recipe_has_one_way_to_learn(tmp_path: Path) -> None:
    path = tmp_path / "labelled.toml"
    path.write_text("[label]\npositions = 2000\n")
    assert load_config(path).labelled
    assert not TrainConfig().labelled
    with pytest.raises(ConfigError, match="keys of optim"):
        load_config(path, ["optim.lr=0.1"])
    with pytest.raises(ConfigError, match=r"fit\.batch is 2001, expected at most label\.positions \(2000\)"):
        load_config(path, ["fit.batch=2001"])


def test_shares_of_games_that_begin_elsewhere(tmp_path: Path) -> None:
    path = tmp_path / "labelled.toml"
    path.write_text("[label]\npositions = 2000\nrestart = 0.33\ncrossed = 0.56\nslipped = 0.11\n")
    # As decimals they are 1.
    label = load_config(path).label
    assert (label.elsewhere, label.beginnings) == (1.0, 40)
    shares = r"label\.restart \+ label\.crossed \+ label\.slipped is 1\.01, expected at most 1"
    with pytest.raises(ConfigError, match=shares):
        load_config(path, ["label.slipped=0.12"])
    # One of the 40 beginnings at least.
    with pytest.raises(ConfigError, match=r"label\.slipped is 0\.02, expected at least one position, a part of label"):
        load_config(path, ["label.slipped=0.02"])


def test_a_bad_file_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "broken.toml").write_text("seed = \n")
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe\x00")
    for path in (tmp_path / "missing.toml", tmp_path, tmp_path / "broken.toml", tmp_path / "binary.toml"):
        with pytest.raises(ConfigError) as error:
            load_config(path)
        assert str(path) in str(error.value)
        assert "\n" not in str(error.value)


def test_a_number_is_a_schedule_that_never_changes() -> None:
    assert {at_games(0.25, games) for games in (0, 1, 10**9)} == {0.25}


def test_a_schedule_joins_its_points_with_straight_lines() -> None:
    schedule = [[100.0, 1.0], [200.0, 0.5], [400.0, 0.0]]
    expected = {0: 1.0, 99: 1.0, 100: 1.0, 150: 0.75, 200: 0.5, 300: 0.25, 399: 0.0025, 400: 0.0, 10**9: 0.0}
    assert {games: at_games(schedule, games) for games in expected} == pytest.approx(expected)
