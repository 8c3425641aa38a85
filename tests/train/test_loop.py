"""Whole runs: the same again, interrupted, crashed and resumed, exploding, and folders that do not fit."""

from __future__ import annotations

import json
import shutil
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from bgai_train import keeping, loop
from bgai_train.checkpoint import FILE, load_checkpoint
from bgai_train.config import load_config, to_dict
from bgai_train.log import LOG, read_log
from bgai_train.loop import resume_run, start_run

from bgai.cli.main import main
from bgai.errors import ConfigError, ModelError
from bgai.model import Model, load_model
from tests.cases import case
from tests.train.recipes import assert_same_run, largest_weight, left_behind, tiny, write_recipe
from tests.train.test_log import scalars


class Crash(BaseException):
    """Ends a run like a power cut: nothing is saved, no handler runs."""


@pytest.fixture(scope="module")
def recipe(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_recipe(tmp_path_factory.mktemp("recipe"))


@pytest.fixture(scope="module")
def undisturbed(recipe: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run that nothing happened to."""
    folder = tmp_path_factory.mktemp("undisturbed") / "run"
    start_run(load_config(recipe), folder)
    return folder


# -------------------------------------------------------------------- what a run leaves


def test_a_run_leaves_its_configuration_logs_checkpoint_and_models(undisturbed: Path, recipe: Path) -> None:
    names = {path.name for path in undisturbed.iterdir()}
    assert names == {"config.json", "log.jsonl", "tensorboard", "checkpoint.safetensors", "model", "best"}
    config = to_dict(load_config(recipe))
    progress, of_checkpoint, _ = load_checkpoint(undisturbed)
    manifest = load_model(undisturbed / "model").manifest
    assert json.loads((undisturbed / "config.json").read_text()) == config == of_checkpoint == manifest.config
    assert config["optim"]["passes"] == 1, "what the recipe leaves out is written too"
    assert progress.games == manifest.games == 480
    assert (manifest.name, manifest.seed, manifest.layers) == ("tiny", 3, [16])


def test_the_log_tells_the_course_of_the_run(undisturbed: Path) -> None:
    updates, evaluations = read_log(undisturbed, "update"), read_log(undisturbed, "evaluation")
    games = [entry["games"] for entry in updates]
    # A warm-up of 64 games, four at a time, then 32 at a time.
    assert games == [*range(4, 65, 4), *range(96, 481, 32)]
    assert [entry["games"] for entry in evaluations] == [160, 320, 480]
    for entry in updates:
        assert 0 < entry["loss"] < 1
        assert 5 < entry["plies"] < 1000
        assert 0 <= entry["backgammons"] <= entry["gammons"] <= 1
        assert entry["lr"] == 0.01
    assert updates[0]["trace"] == pytest.approx(0.7)
    assert updates[-1]["trace"] == 0
    for entry in evaluations:
        assert entry["points"].keys() == entry["half_width"].keys() == {"random", "heuristic"}
        assert len(entry["opening"]) == 15


def test_tensorboard_shows_what_the_log_says(undisturbed: Path) -> None:
    shown = scalars(undisturbed)
    for kind, name in [
        ("update", "loss"),
        ("update", "plies"),
        ("update", "gammons"),
        ("evaluation", "opening/31"),
        ("evaluation", "opening/65"),
        ("evaluation", "points/random"),
        ("evaluation", "points/heuristic"),
        ("evaluation", "half_width/heuristic"),
    ]:
        expected: list[tuple[int, Any]] = []
        for entry in read_log(undisturbed, kind):
            value: Any = entry
            for part in name.split("/"):
                value = value[part]
            expected.append((entry["games"], pytest.approx(value, abs=1e-5)))
        found: list[tuple[int, Any]] = list(shown[f"{kind}/{name}"])
        assert found == expected


def test_progress_shows_games_per_second_loss_and_time_left(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    start_run(tiny(selfplay={"games": 80}), tmp_path / "run")
    printed, bar = capsys.readouterr()
    assert f"tensorboard --logdir {tmp_path / 'run' / 'tensorboard'}" in printed
    assert "games per CPU-second" in printed
    assert "points a game against random" in printed
    assert f"the best in {tmp_path / 'run' / 'best'}" in printed
    assert "80/80" in bar
    assert "loss=0." in bar
    assert "game/s" in bar


# -------------------------------------------------------------------- the same again


def test_the_same_seed_gives_the_same_run_bit_for_bit(undisturbed: Path, recipe: Path, tmp_path: Path) -> None:
    start_run(load_config(recipe), tmp_path / "run")
    assert_same_run(tmp_path / "run", undisturbed)


def test_threads_that_play_do_not_change_the_run(undisturbed: Path, recipe: Path, tmp_path: Path) -> None:
    start_run(load_config(recipe, ["selfplay.threads=3"]), tmp_path / "run")
    found, expected = left_behind(tmp_path / "run"), left_behind(undisturbed)
    for name in ("arrays", "log", "model weights", "best weights"):
        assert found[name] == expected[name]


def test_another_seed_gives_another_run(undisturbed: Path, recipe: Path, tmp_path: Path) -> None:
    start_run(load_config(recipe, ["seed=4"]), tmp_path / "run")
    assert left_behind(tmp_path / "run")["arrays"] != left_behind(undisturbed)["arrays"]


# -------------------------------------------------------------------- crashed and resumed


@contextmanager
def crash_in(owner: Any, name: str, call: int, after: bool = False) -> Iterator[None]:
    """The given call of a function is the last thing that happens."""
    original: Callable[..., Any] = getattr(owner, name)
    calls = 0

    def crashing(*arguments: Any, **keywords: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls != call:
            return original(*arguments, **keywords)
        if after:
            original(*arguments, **keywords)
        raise Crash

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(owner, name, crashing)
        with pytest.raises(Crash):
            yield


@pytest.mark.parametrize(
    ("owner", "name", "call", "after"),
    [
        (loop.GamesAhead, "next", 1, False),
        (loop.Learner, "learn", 20, True),
        (loop.RunLog, "write", 21, True),
        (loop, "keep", 3, False),
        (loop, "keep", 3, True),
        (keeping, "measure", 2, False),
        (loop, "evaluate", 2, True),
        (keeping, "replace_folder", 1, True),
        (shutil, "copytree", 1, True),
    ],
)
def test_a_run_that_crashed_anywhere_and_went_on_ends_like_one_that_did_not(
    undisturbed: Path,
    recipe: Path,
    tmp_path: Path,
    owner: Any,
    name: str,
    call: int,
    after: bool,
) -> None:
    with crash_in(owner, name, call, after):
        start_run(load_config(recipe), tmp_path / "run")
    assert load_checkpoint(tmp_path / "run")[0].games < 480
    resume_run(tmp_path / "run")
    assert_same_run(tmp_path / "run", undisturbed)
    assert scalars(tmp_path / "run").keys() == scalars(undisturbed).keys()
    assert scalars(tmp_path / "run")["update/loss"] == scalars(undisturbed)["update/loss"]


def test_a_crash_while_the_best_model_is_replaced_is_made_good(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def scores(*values: float) -> None:
        given = iter(values)
        monkeypatch.setattr(keeping, "score", lambda duels, config: next(given))

    scores(1, 2)
    start_run(tiny(), tmp_path / "undisturbed")
    # Given: a crash when the old best model is gone and the new one not yet in its place.
    scores(1, 2)
    with crash_in(shutil, "rmtree", 3, after=True):
        start_run(tiny(), tmp_path / "run")
    assert not (tmp_path / "run" / "best").exists()
    # When the run goes on, then it is there.
    scores(2)
    resume_run(tmp_path / "run")
    assert_same_run(tmp_path / "run", tmp_path / "undisturbed")
    assert not list((tmp_path / "run").glob(".*"))


def test_a_log_line_cut_short_by_the_crash_is_written_anew(undisturbed: Path, recipe: Path, tmp_path: Path) -> None:
    with crash_in(loop.RunLog, "write", 24):
        start_run(load_config(recipe), tmp_path / "run")
    with (tmp_path / "run" / LOG).open("a") as file:
        file.write('{"kind": "update", "games": 2')
    resume_run(tmp_path / "run")
    assert_same_run(tmp_path / "run", undisturbed)


def test_a_finished_run_that_is_resumed_stays_as_it_is(undisturbed: Path, tmp_path: Path) -> None:
    shutil.copytree(undisturbed, tmp_path / "run")
    assert main(["train", "--resume", str(tmp_path / "run")]) == 0
    assert_same_run(tmp_path / "run", undisturbed)


# -------------------------------------------------------------------- interrupted


@pytest.mark.parametrize("update", [3, 20])
def test_ctrl_c_saves_and_says_how_to_go_on(
    undisturbed: Path,
    recipe: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    update: int,
) -> None:
    # Given: Ctrl-C while the games of an update are played.
    folder = tmp_path / "run"
    play, calls = loop.GamesAhead.next, 0

    def play_and_interrupt(*arguments: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == update:
            signal.raise_signal(signal.SIGINT)
        return play(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(loop.GamesAhead, "next", play_and_interrupt)
        assert main(["train", str(recipe), "--out", str(folder)]) == 130
    # Then: this update is finished and kept.
    progress, _, _ = load_checkpoint(folder)
    assert progress.updates == update
    assert read_log(folder, "update")[-1]["games"] == progress.games
    printed = capsys.readouterr().out
    assert f"stopped after {progress.games} of 480 games; go on with: bgai train --resume {folder}" in printed
    # And so it is when it goes on and is interrupted once more.
    calls = update - 1
    with monkeypatch.context() as patch:
        patch.setattr(loop.GamesAhead, "next", play_and_interrupt)
        assert main(["train", "--resume", str(folder)]) == 130
    assert load_checkpoint(folder)[0].updates == update + 1
    # And the run that goes on to the end ends like one that was not interrupted.
    assert main(["train", "--resume", str(folder)]) == 0
    assert_same_run(folder, undisturbed)


def test_a_second_ctrl_c_stops_at_once(recipe: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt_twice(*_: Any) -> Any:
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
        raise AssertionError("still running")

    before = signal.getsignal(signal.SIGINT)
    monkeypatch.setattr(loop.GamesAhead, "next", interrupt_twice)
    assert main(["train", str(recipe), "--out", str(tmp_path / "run")]) == 130
    assert load_checkpoint(tmp_path / "run")[0].games == 0
    assert signal.getsignal(signal.SIGINT) is before


# -------------------------------------------------------------------- exploding


@pytest.mark.parametrize(
    "more",
    [[], ["optim.precision=bfloat16"], ["optim.batch=100000", "checkpoint.every=1"]],
    ids=["float32", "bfloat16", "one step an update"],
)
def test_an_exploding_loss_stops_and_names_the_last_good_checkpoint(
    recipe: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], more: list[str]
) -> None:
    reported = case("tr-12")
    # Given: a learning rate that explodes after a sound beginning.
    folder = tmp_path / "run"
    settings = ["optim.lr=[[0, 0.01], [200, 0.01], [201, 1e6]]", *more]
    assert reported["input"]["inject"] == "learning rate 1e6"
    options = [part for setting in settings for part in ("--set", setting)]
    assert main(["train", str(recipe), "--out", str(folder), *options]) == 1
    told = capsys.readouterr().err.splitlines()[-1]
    assert told.startswith("bgai train: the loss is ")
    assert told.endswith(f"; the last good checkpoint is {folder / FILE}")
    # Then: the checkpoint is there, from before, and sound.
    assert 100 < load_checkpoint(folder)[0].games <= 224
    assert largest_weight(folder) < 10
    assert reported["expected"]["last_checkpoint_loads"]
    assert np.isfinite([entry["loss"] for entry in read_log(folder, "update")]).all()


def test_a_loss_that_explodes_at_once_leaves_the_first_checkpoint(recipe: Path, tmp_path: Path) -> None:
    assert main(["train", str(recipe), "--out", str(tmp_path / "run"), "--set", "optim.lr=1e6"]) == 1
    assert load_checkpoint(tmp_path / "run")[0].games == 0
    assert largest_weight(tmp_path / "run") < 10


# -------------------------------------------------------------------- folders and files that do not fit


def refusal(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> str:
    """The one line that bad input is answered with."""
    assert main(["train", *map(str, arguments)]) == 2
    printed, told = capsys.readouterr()
    assert printed == ""
    assert told.startswith("bgai train: ")
    assert told.count("\n") == 1
    return told


def test_a_file_where_the_folder_should_be(recipe: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "file"
    file.touch()
    assert f"{file} is a file, expected a folder" in refusal(capsys, recipe, "--out", file)
    assert f"cannot make the folder {file / 'run'}" in refusal(capsys, recipe, "--out", file / "run")
    assert f"{file} is no folder" in refusal(capsys, "--resume", file)


def test_a_folder_that_already_holds_a_run(
    undisturbed: Path, recipe: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = refusal(capsys, recipe, "--out", undisturbed)
    assert f"{undisturbed} already holds a run" in told
    assert f"bgai train --resume {undisturbed}" in told
    (tmp_path / "notes").touch()
    assert "choose another folder with --out" in refusal(capsys, recipe, "--out", tmp_path)


def test_nothing_to_resume(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "is no folder" in refusal(capsys, "--resume", tmp_path / "nowhere")
    assert f"{tmp_path / FILE} does not exist" in refusal(capsys, "--resume", tmp_path)


def test_a_damaged_checkpoint_is_refused(undisturbed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / FILE
    whole = (undisturbed / FILE).read_bytes()
    for data in (b"", whole[:100], whole[:-1], whole + b"x", b"pickle" * 1000):
        path.write_bytes(data)
        assert f"{path} is not a whole checkpoint" in refusal(capsys, "--resume", tmp_path)
    # A flipped bit among the weights, and one in the number of games.
    for place in (len(whole) - 7, whole.index(b"games") + 10):
        flipped = bytearray(whole)
        flipped[place] ^= 1
        path.write_bytes(flipped)
        assert f"{path} is " in refusal(capsys, "--resume", tmp_path)


def test_a_damaged_log_is_one_clear_line(undisturbed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copytree(undisturbed, tmp_path / "run")
    (tmp_path / "run" / LOG).write_text("no entry\n")
    assert main(["train", "--resume", str(tmp_path / "run")]) == 1
    assert "log.jsonl, line 1 is no entry" in capsys.readouterr().err.splitlines()[-1]


@pytest.mark.parametrize(
    ("setting", "expected"),
    [
        ('evaluate.opponents=["random", "nobody"]', "unknown model 'nobody'"),
        ("network.start=nobody", "unknown model 'nobody'"),
        ("optim.speed=1", "unknown key optim.speed"),
        ("selfplay.games=0", "selfplay.games is 0, expected 1 or more"),
        ("seed=-1", "seed is -1"),
    ],
)
def test_a_recipe_that_cannot_work_is_refused_before_anything_is_written(
    recipe: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], setting: str, expected: str
) -> None:
    assert expected in refusal(capsys, recipe, "--out", tmp_path / "run", "--set", setting)
    assert not (tmp_path / "run").exists()


def test_a_kept_model_can_be_the_opponent(undisturbed: Path, tmp_path: Path) -> None:
    opponent = str(undisturbed / "best")
    config = tiny(evaluate={"opponents": ["random", opponent], "games": 40, "every": 160})
    progress = start_run(config, tmp_path / "run")
    (entry,) = read_log(tmp_path / "run", "evaluation")
    assert entry["points"].keys() == {"random", opponent}
    assert progress.best_score == entry["points"][opponent]


def test_the_library_raises_what_the_command_tells(undisturbed: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigError):
        start_run(tiny(), undisturbed)
    with pytest.raises(ModelError):
        resume_run(tmp_path)


def test_a_child_network_names_its_parent(undisturbed: Path, tmp_path: Path) -> None:
    parent = load_model(undisturbed / "best")
    start_run(tiny(network={"start": str(undisturbed / "best")}, optim={"lr": 0.0}), tmp_path / "run")
    child: Model = load_model(tmp_path / "run" / "model")
    assert child.manifest.parent == str(undisturbed / "best")
    assert all(np.array_equal(child.weights[name], array) for name, array in parent.weights.items())


def test_a_recipe_beside_resume_must_be_that_of_the_run(tmp_path: Path) -> None:
    run = tmp_path / "run"
    recipe = tiny()
    start_run(recipe, run)
    assert resume_run(run, recipe).games == recipe.selfplay.games
    other = replace(recipe, seed=recipe.seed + 1)
    with pytest.raises(ConfigError, match=f"another recipe: seed is {recipe.seed} there and {recipe.seed + 1} here"):
        resume_run(run, other)
