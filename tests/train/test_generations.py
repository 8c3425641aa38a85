"""Recipes with labels: whole runs, the same again, interrupted, crashed and resumed."""

from __future__ import annotations

import json
import shutil
import signal
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from bgai_train import beginnings, filter, generations, labels
from bgai_train.checkpoint import FILE, load_checkpoint
from bgai_train.config import FitConfig, LabelConfig, from_dict, load_config
from bgai_train.correction import Correction
from bgai_train.fit import Fit, learnt_in
from bgai_train.labeller import Labeller
from bgai_train.labels import Labels, open_labels
from bgai_train.learner import Learner
from bgai_train.log import read_log
from bgai_train.loop import resume_run, start_run
from numpy.testing import assert_allclose
from safetensors.numpy import load_file

from bgai.bearoff import bearoffs
from bgai.board import START
from bgai.cli.main import main
from bgai.errors import TrainingError
from bgai.evaluator import KernelEvaluator
from bgai.kernels.static import Static
from bgai.model import Manifest, Model, load_model
from bgai.network import network_of
from bgai.outcomes import Outcomes, equity
from tests.networks import random_weights
from tests.train.recipes import assert_same_run, timeless
from tests.train.test_log import scalars
from tests.train.test_loop import crash_in

POSITIONS = 600
FITTED = 2 * (POSITIONS // 8 * 8)
EACH = POSITIONS + FITTED
RECIPE = """\
name = "tiny"
seed = 3
[network]
layers = [16, 8]
start = "START"
[label]
positions = 600
generations = 2
keep = 4
games_per_shard = 2
explore_plies = 4
restart = 0.3
crossed = 0.2
hardest = 0.1
[fit]
passes = 2
batch = 8
lr = 0.002
equity = 2
sparse = 1e-5
renew = 64
[evaluate]
every = 512
games = 4
opponents = ["random"]
[checkpoint]
every = 512
"""


@pytest.fixture(autouse=True)
def small_filters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(filter, "GAMES", 8)


@pytest.fixture(scope="module")
def recipe(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recipe that starts from a smaller network."""
    folder = tmp_path_factory.mktemp("recipe")
    Model(Manifest("small", "points-1", [8], games=50), random_weights([8], seed=1)).save(folder / "small")
    (folder / "tiny.toml").write_text(RECIPE.replace("START", str(folder / "small")), "utf-8")
    return folder / "tiny.toml"


@pytest.fixture(scope="module")
def undisturbed(recipe: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run that nothing happened to."""
    folder = tmp_path_factory.mktemp("undisturbed") / "run"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(filter, "GAMES", 8)
        start_run(load_config(recipe), folder)
    return folder


def files_of(folder: Path) -> dict[str, bytes]:
    """All files of the labels, but for processor time in the manifests of models."""
    return {
        str(path.relative_to(folder)): json.dumps(timeless(json.loads(path.read_bytes()))).encode()
        if path.suffix == ".json"
        else path.read_bytes()
        for labelled in sorted(folder.glob("labels-*"))
        for path in sorted(labelled.rglob("*.*"))
    }


def assert_same_labels_and_run(found: Path, expected: Path) -> None:
    assert files_of(found) == files_of(expected)
    assert_same_run(found, expected)


# -------------------------------------------------------------------- what a run leaves


def test_a_run_labels_and_learns_in_each_generation(undisturbed: Path) -> None:
    progress, _, _ = load_checkpoint(undisturbed)
    assert progress.positions == 2 * EACH
    for number, kind in ((1, "small"), (2, "tiny")):
        written = json.loads((undisturbed / f"labels-{number}" / "manifest.json").read_text())
        shards = written["shards"]
        player = load_model(undisturbed / f"labels-{number}" / "model")
        assert written["model"] == player.name == kind
        assert written["weights_sha256"] == player.manifest.weights_sha256
        assert player.filter_net() is not None
        assert sum(shard["positions"] for shard in shards) == POSITIONS
        assert len(shards) > 1
    # The games of the second generation follow those of the first.
    assert written["first_game"] == progress.games - sum(shard["games"] for shard in shards) > 0
    manifest = load_model(undisturbed / "model").manifest
    assert (manifest.games, manifest.layers) == (progress.games, [16, 8])
    assert manifest.parent is not None
    assert load_model(Path(manifest.parent)).name == "small"


def test_the_log_tells_what_was_labelled_and_learnt(undisturbed: Path) -> None:
    made, learnt = read_log(undisturbed, "label"), read_log(undisturbed, "fit")
    assert [entry["generation"] for entry in learnt] == [1] * 4 + [2] * 4
    assert [entry["positions"] % EACH for entry in learnt] == [1112, 1200, 1712, 0] * 2
    assert {entry["generation"] for entry in made} == {1, 2}
    assert all(entry["surprise"] > 0 for entry in made)
    assert learnt[1]["lr"] > learnt[2]["lr"] > learnt[3]["lr"] > 0
    evaluations = [entry["positions"] for entry in read_log(undisturbed, "evaluation")]
    assert evaluations == [start + EACH * number for number in (0, 1) for start in (1112, 1712, EACH)]
    shown = scalars(undisturbed)
    assert [step for step, _ in shown["fit/loss"]] == [entry["positions"] for entry in learnt]
    assert [step for step, _ in shown["label/surprise"]] == [entry["positions"] for entry in made]


def test_the_second_generation_is_labelled_by_what_the_first_learnt(undisturbed: Path) -> None:
    first, second = (load_model(undisturbed / f"labels-{number}" / "model") for number in (1, 2))
    assert (first.manifest.layers, second.manifest.layers) == ([8], [16, 8])
    boards = load_file(undisturbed / "labels-2" / "0000.safetensors")["boards"]
    assert not np.allclose(KernelEvaluator(first).evaluate(boards), KernelEvaluator(second).evaluate(boards), atol=0.01)


def test_a_teacher_labels_the_first_time_and_random_weights_learn(recipe: Path, tmp_path: Path) -> None:
    small = str(recipe.parent / "small")
    settings = ["network.start=", f"label.teacher={small}", "label.generations=1"]
    start_run(load_config(recipe, settings), tmp_path / "run")
    assert load_model(tmp_path / "run" / "labels-1" / "model").manifest.name == "small"
    learnt = load_model(tmp_path / "run" / "model").manifest
    assert (learnt.layers, learnt.parent) == ([16, 8], small)
    start = Learner(load_config(recipe, settings)).weights()["layers.0.weight"]
    assert not np.isin(load_model(Path(small)).weights["layers.0.weight"], start).any()


def test_a_teacher_that_is_none_is_told_before_anything_is_written(
    recipe: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = ["--set", "label.teacher=nobody", "--out", str(tmp_path / "run")]
    assert main(["train", str(recipe), *told]) == 2
    assert "nobody" in capsys.readouterr().err.splitlines()[-1]
    assert not (tmp_path / "run").exists()


def test_what_was_labelled_is_what_is_learnt(undisturbed: Path, recipe: Path) -> None:
    config = load_config(recipe, ["label.trace=0"])
    shutil.copytree(undisturbed / "labels-1", recipe.parent / "labels", dirs_exist_ok=True)
    manifest = recipe.parent / "labels" / "manifest.json"
    manifest.write_text(manifest.read_text().replace('"trace": 0.7', '"trace": 0'))
    boards, targets = open_labels(recipe.parent / "labels", config, 0, POSITIONS, no_player).examples()
    shards = [load_file(path) for path in sorted((undisturbed / "labels-1").glob("*.safetensors"))]
    assert np.array_equal(boards, np.concatenate([shard["boards"] for shard in shards]))
    assert_allclose(targets, np.concatenate([shard["expected"] for shard in shards]))


def test_games_that_begin_elsewhere_have_a_trace_of_their_own(undisturbed: Path, recipe: Path, tmp_path: Path) -> None:
    def targets(trace: float, trace_elsewhere: float) -> Outcomes:
        folder = tmp_path / f"{trace}-{trace_elsewhere}"
        shutil.copytree(undisturbed / "labels-2", folder)
        settings = [f"label.trace={trace}", f"label.trace_elsewhere={trace_elsewhere}"]
        manifest = json.loads((folder / "manifest.json").read_text())
        manifest["config"] |= {"trace": trace, "trace_elsewhere": trace_elsewhere}
        (folder / "manifest.json").write_text(json.dumps(manifest))
        return open_labels(folder, load_config(recipe, settings), 0, POSITIONS, no_player).examples()[1]

    shards = [load_file(path) for path in sorted((undisturbed / "labels-2").glob("0*.safetensors"))]
    elsewhere = np.concatenate([shard["elsewhere"] for shard in shards]) == 1
    assert 0.1 < elsewhere.mean() < 0.9
    short, long = targets(0.3, 0.0), targets(0.9, 0.0)
    assert not np.allclose(short[elsewhere], long[elsewhere], atol=1e-3)
    assert_allclose(targets(0.3, 0.9), np.where(elsewhere[:, None], long, short))
    assert_allclose(targets(0.9, 0.3), long)


@pytest.mark.parametrize(("generation", "sample"), [(1, 10**6), (2, 10**6), (2, 200)])
def test_corrected_targets_agree_with_the_results_on_the_whole(
    undisturbed: Path, recipe: Path, tmp_path: Path, generation: int, sample: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(labels, "SAMPLE", sample)

    def targets(**label: float) -> Outcomes:
        folder = tmp_path / "-".join(f"{key}{value}" for key, value in label.items())
        shutil.copytree(undisturbed / f"labels-{generation}", folder)
        manifest = json.loads((folder / "manifest.json").read_text())
        # Whether targets are corrected is not written in labels: they are the same.
        manifest["config"] |= {key: value for key, value in label.items() if key != "corrected"}
        (folder / "manifest.json").write_text(json.dumps(manifest))
        settings = [f"label.{key}={json.dumps(value)}" for key, value in label.items()]
        begun = open_labels(folder, load_config(recipe, settings), 0, POSITIONS, no_player)
        boards, found = begun.examples()
        chances = network_of(begun.model).chances(boards)
        every = -(-POSITIONS // sample)
        ends = np.cumsum([shard.positions for shard in begun.shards])
        learnt = np.concatenate([np.arange(first, end, every) for first, end in zip([0, *ends], ends, strict=False)])
        # What the network is unsure of counts: its chances have not learnt to be certain.
        return (chances * (1 - chances) * found)[learnt, :3]

    short, results = targets(trace=0.2), targets(trace=1.0)
    corrected = targets(trace=0.2, corrected=True)
    missing = np.abs((results - short).mean(axis=0))
    assert (missing > 1e-4).all()
    assert (np.abs((results - corrected).mean(axis=0)) < 0.1 * missing).all()
    assert np.std(corrected - short) < np.std(results - short)


def test_a_correction_is_learnt_once_and_again_if_it_is_lost(
    undisturbed: Path, recipe: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "labels"
    shutil.copytree(undisturbed / "labels-1", folder)

    def targets() -> Outcomes:
        config = load_config(recipe, ["label.corrected=true"])
        return open_labels(folder, config, 0, POSITIONS, no_player).examples()[1]

    first, kept = targets(), folder / "correction.safetensors"
    whole = kept.read_bytes()
    for damaged in (b"", whole[:-8]):
        kept.write_bytes(damaged)
        assert np.array_equal(targets(), first)
        assert kept.read_bytes() == whole
    monkeypatch.delattr(Correction, "learn")
    assert np.array_equal(targets(), first)
    short = open_labels(folder, load_config(recipe), 0, POSITIONS, no_player).examples()[1]
    assert not np.allclose(short, first, atol=1e-3)


def test_games_begin_again_where_the_last_generation_was_learnt_worst_and_at_crossed_positions(
    undisturbed: Path, recipe: Path
) -> None:
    assert not (undisturbed / "labels-1" / "others.safetensors").exists()
    others = load_file(undisturbed / "labels-2" / "others.safetensors")["boards"]
    boards, targets = open_labels(undisturbed / "labels-1", load_config(recipe), 0, POSITIONS, no_player).examples()
    said = KernelEvaluator(load_model(undisturbed / "labels-2" / "model")).evaluate(boards)
    off = np.abs(equity(said) - equity(targets))
    hard = {board.tobytes() for board in boards[off >= np.sort(off)[-POSITIONS // 10]]}
    # Of five games that begin elsewhere three begin at one of these, two at crossed positions.
    worst = POSITIONS // 10 * 3 // 5
    assert len(others) == POSITIONS // 10
    assert len(hard.intersection(board.tobytes() for board in others[:worst])) >= 0.9 * worst
    made = others[worst:]
    assert not {board.tobytes() for board in made} & {board.tobytes() for board in boards}
    own = {np.maximum(board, 0).tobytes() for board in boards}
    assert sum(np.maximum(board, 0).tobytes() in own for board in made) > len(made) / 2


SLIPPED = ["label.slipped=0.3", "label.slip=0", "label.restart=0.18", "label.crossed=0.12", "label.explore=0"]


def test_with_slipped_positions_the_first_generation_begins_elsewhere_too(recipe: Path, tmp_path: Path) -> None:
    start_run(load_config(recipe, SLIPPED), tmp_path / "run")
    first, second = (load_file(tmp_path / "run" / f"labels-{n}" / "others.safetensors")["boards"] for n in (1, 2))
    config = load_config(recipe, SLIPPED)
    player = load_model(tmp_path / "run" / "labels-1" / "model")

    # There is no generation before, so five of seven are slipped; crossed ones are made of them.
    assert len(first) == POSITIONS // 10
    count = round(POSITIONS // 10 * 5 / 7)
    assert np.array_equal(first[:count], beginnings.slipped(player, config.label, config.seed, 0, count))
    met = {np.maximum(board, 0).tobytes() for board in first[:count]}
    assert sum(np.maximum(board, 0).tobytes() in met for board in first[count:]) > (len(first) - count) / 2

    # Later three of ten are the hardest, five slipped, by the player of that generation.
    hard, count = round(POSITIONS // 10 * 0.3), POSITIONS // 20
    known = {
        board.tobytes() for path in (tmp_path / "run" / "labels-1").glob("0*") for board in load_file(path)["boards"]
    }
    assert {board.tobytes() for board in second[:hard]} <= known
    player = load_model(tmp_path / "run" / "labels-2" / "model")
    games = json.loads((tmp_path / "run" / "labels-2" / "manifest.json").read_text())["first_game"]
    slipped = beginnings.slipped(player, config.label, config.seed, games, count)
    assert np.array_equal(second[hard : hard + count], slipped)

    # Six of ten games begin elsewhere; all are followed to their end.
    shards = [load_file(path) for path in sorted((tmp_path / "run" / "labels-1").glob("0*"))]
    assert all((part["joined"] == 0).sum() == config.label.games_per_shard for part in shards[:-1])
    assert {0, 1} == {int(value) for part in shards for value in part["elsewhere"]}


@pytest.mark.parametrize(("restart", "crossed"), [(1.0, 0.0), (0.0, 1.0)])
def test_all_games_may_begin_elsewhere(undisturbed: Path, restart: float, crossed: float) -> None:
    others = load_file(undisturbed / "labels-2" / "others.safetensors")["boards"]
    model = load_model(undisturbed / "labels-2" / "model")
    config = LabelConfig(restart=restart, crossed=crossed, explore=1.0)
    labeller = Labeller(Static(model.net(), model.net(), 0, bearoffs()), config, 5, others)
    known = {board.tobytes() for board in others}
    for game in range(8):
        assert labeller.play(game, 1, longest=1)["boards"][0].tobytes() in known


def test_labels_of_an_earlier_version_are_refused(undisturbed: Path, recipe: Path, tmp_path: Path) -> None:
    shutil.copytree(undisturbed / "labels-1", tmp_path / "labels")
    manifest = tmp_path / "labels" / "manifest.json"
    written = json.loads(manifest.read_text())
    manifest.write_text(json.dumps(written | {"version": 2}))
    with pytest.raises(TrainingError, match=r"manifest\.json: labels of version 2, expected 3: begin the run anew"):
        open_labels(tmp_path / "labels", load_config(recipe), 0, POSITIONS, no_player)
    del written["version"]
    manifest.write_text(json.dumps(written))
    with pytest.raises(TrainingError, match=r"manifest\.json: labels of version 1, expected 3: begin the run anew"):
        open_labels(tmp_path / "labels", load_config(recipe), 0, POSITIONS, no_player)


def test_labels_of_a_time_without_slipped_positions_go_on(undisturbed: Path, recipe: Path, tmp_path: Path) -> None:
    shutil.copytree(undisturbed / "labels-1", tmp_path / "labels")
    assert "slipped" not in json.loads((tmp_path / "labels" / "manifest.json").read_text())["config"]
    assert open_labels(tmp_path / "labels", load_config(recipe), 0, POSITIONS, no_player).positions == POSITIONS
    with pytest.raises(TrainingError, match=r"manifest\.json: config is .*, expected .*'slipped': 0\.2"):
        open_labels(tmp_path / "labels", load_config(recipe, ["label.slipped=0.2"]), 0, POSITIONS, no_player)


def test_the_start_of_the_game_is_no_hardest_position(undisturbed: Path) -> None:
    net = load_model(undisturbed / "labels-2" / "model").net()
    boards = np.stack([START, *load_file(undisturbed / "labels-2" / "0000.safetensors")["boards"][1:4]])
    targets = KernelEvaluator(load_model(undisturbed / "labels-2" / "model")).evaluate(boards)
    targets[0, 0] += 0.5
    targets[2, 0] += 0.2
    assert np.array_equal(beginnings.hardest(net, boards, targets, 1), boards[2:3])


def test_labels_that_are_not_whole_have_no_hardest(undisturbed: Path, recipe: Path) -> None:
    half = open_labels(undisturbed / "labels-1", load_config(recipe), 0, POSITIONS // 2, no_player)
    with pytest.raises(TrainingError, match=r"labels-1 holds \d+ of 600 labels"):
        half.whole()


def no_player() -> Model:
    raise AssertionError("asked for a player")


# -------------------------------------------------------------------- the same again


def test_threads_change_nothing(undisturbed: Path, recipe: Path, tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(labels, "CHUNK", 1)
        start_run(load_config(recipe, ["label.threads=3", "label.generations=1"]), tmp_path / "run")
    found, expected = files_of(tmp_path / "run"), files_of(undisturbed)
    assert found == {name: data for name, data in expected.items() if name.startswith("labels-1")}


@pytest.mark.parametrize(
    ("owner", "name", "call", "after"),
    [
        (labels, "with_filter", 1, True),
        (labels.Labels, "add", 1, True),
        (labels, "write_whole", 4, True),
        (generations.Learner, "descend", 14, True),
        (generations, "keep", 11, True),
    ],
)
def test_a_run_that_crashed_anywhere_and_went_on_ends_like_one_that_did_not(
    undisturbed: Path, recipe: Path, tmp_path: Path, owner: Any, name: str, call: int, after: bool
) -> None:
    with crash_in(owner, name, call, after):
        start_run(load_config(recipe), tmp_path / "run")
    assert load_checkpoint(tmp_path / "run")[0].positions < 2 * EACH
    resume_run(tmp_path / "run")
    assert_same_labels_and_run(tmp_path / "run", undisturbed)


def interrupt(owner: Any, name: str, *arguments: str | Path) -> None:
    """Runs `bgai train` with Ctrl-C where this is called."""
    original = getattr(owner, name)

    def interrupted(*inside: Any) -> Any:
        signal.raise_signal(signal.SIGINT)
        return original(*inside)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(owner, name, interrupted)
        assert main(["train", *map(str, arguments)]) == 130


def test_ctrl_c_while_targets_are_corrected_ends_between_shards(recipe: Path, tmp_path: Path) -> None:
    corrected = [recipe, "--set", "label.corrected=true", "--set", "label.generations=1", "--out"]
    assert main(["train", *map(str, [*corrected, tmp_path / "whole"])]) == 0
    folder, kept = tmp_path / "run", tmp_path / "run" / "labels-1" / "correction.safetensors"
    interrupt(Correction, "_units", *corrected, folder)
    assert not kept.exists()
    assert load_checkpoint(folder)[0].positions == POSITIONS
    interrupt(Correction, "add", "--resume", folder)
    assert kept.exists()
    assert load_checkpoint(folder)[0].positions == POSITIONS
    assert main(["train", "--resume", str(folder)]) == 0
    assert_same_labels_and_run(folder, tmp_path / "whole")


def test_ctrl_c_while_beginnings_are_chosen_goes_on_with_them(undisturbed: Path, recipe: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    interrupt(Labels, "whole", recipe, "--out", folder)
    assert load_checkpoint(folder)[0].positions == EACH
    assert not (folder / "labels-2" / "manifest.json").exists()
    assert main(["train", "--resume", str(folder)]) == 0
    assert_same_labels_and_run(folder, undisturbed)


def test_ctrl_c_while_games_with_slips_are_played_goes_on_with_them(recipe: Path, tmp_path: Path) -> None:
    settings = [argument for setting in SLIPPED for argument in ("--set", setting)]
    assert main(["train", str(recipe), *settings, "--out", str(tmp_path / "whole")]) == 0
    folder = tmp_path / "run"
    interrupt(generations, "slipped", recipe, *settings, "--out", folder)
    assert load_checkpoint(folder)[0].positions == 0
    assert not (folder / "labels-1" / "manifest.json").exists()
    assert main(["train", "--resume", str(folder)]) == 0
    assert_same_labels_and_run(folder, tmp_path / "whole")


def test_ctrl_c_finishes_what_is_at_hand(
    undisturbed: Path, recipe: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "run"
    interrupt(Labels, "add", recipe, "--out", folder)
    labelled = load_checkpoint(folder)[0].positions
    assert 0 < labelled < POSITIONS
    printed = capsys.readouterr().out
    assert f"stopped after {labelled} of {2 * EACH:,} positions; go on with: bgai train --resume {folder}" in printed
    interrupt(Fit, "advance", "--resume", folder)
    assert load_checkpoint(folder)[0].positions == POSITIONS + 512
    assert main(["train", "--resume", str(folder)]) == 0
    assert_same_labels_and_run(folder, undisturbed)


def test_a_finished_run_that_is_resumed_stays_as_it_is(undisturbed: Path, tmp_path: Path) -> None:
    shutil.copytree(undisturbed, tmp_path / "run")
    resume_run(tmp_path / "run")
    assert_same_labels_and_run(tmp_path / "run", undisturbed)


# -------------------------------------------------------------------- several generations together


def test_labels_of_several_generations_are_fitted_together(undisturbed: Path, recipe: Path, tmp_path: Path) -> None:
    config = load_config(recipe, ["fit.generations=3"])
    start_run(config, tmp_path / "run")
    # The first generation stands alone, the second comes on top of it.
    together = POSITIONS + 2 * (2 * POSITIONS // 8 * 8)
    assert load_checkpoint(tmp_path / "run")[0].positions == EACH + together
    fits = [entry["positions"] for entry in read_log(tmp_path / "run", "fit")]
    assert fits[-1] == EACH + together
    labelled, as_before = (
        {name: file for name, file in files_of(folder).items() if not name.endswith(".json")}
        for folder in (tmp_path / "run", undisturbed)
    )
    assert labelled == as_before
    assert load_model(tmp_path / "run" / "model").manifest.weights_sha256 != (
        load_model(undisturbed / "model").manifest.weights_sha256
    )
    with crash_in(generations.Learner, "descend", 8):
        start_run(config, tmp_path / "crashed")
    (tmp_path / "crashed" / "labels-1" / "0001.safetensors").unlink()
    resume_run(tmp_path / "crashed")
    assert_same_labels_and_run(tmp_path / "crashed", tmp_path / "run")


# -------------------------------------------------------------------- labels that are gone or damaged


@pytest.fixture
def labelled(recipe: Path, tmp_path: Path) -> Path:
    """A run that crashed when its first generation was labelled."""
    with crash_in(labels.Labels, "examples", 1):
        start_run(load_config(recipe), tmp_path / "run")
    return tmp_path / "run"


def test_a_missing_shard_is_made_again(labelled: Path, undisturbed: Path) -> None:
    (labelled / "labels-1" / "0001.safetensors").unlink()
    resume_run(labelled)
    assert_same_labels_and_run(labelled, undisturbed)


def test_a_damaged_shard_is_named(labelled: Path) -> None:
    path = labelled / "labels-1" / "0000.safetensors"
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(TrainingError, match="damaged: delete the file, and --resume makes it again"):
        resume_run(labelled)


def test_labels_that_are_gone_or_foreign_are_told(labelled: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = labelled / "labels-1" / "manifest.json"
    whole = path.read_text()
    for text, told in (
        (whole.replace('"keep": 4', '"keep": 5'), "config is"),
        (whole[:-9], "is no list of labels"),
        ("{}", "is no list of labels"),
    ):
        path.write_text(text)
        assert main(["train", "--resume", str(labelled)]) == 1
        assert told in capsys.readouterr().err.splitlines()[-1]
    path.unlink()
    assert main(["train", "--resume", str(labelled)]) == 1
    assert "manifest.json is missing" in capsys.readouterr().err.splitlines()[-1]


# -------------------------------------------------------------------- the fit


def test_each_pass_uses_each_position_once_and_the_rate_rises_and_falls() -> None:
    config = FitConfig(passes=3, batch=4, lr=0.01, warm_up=0.25)
    boards = np.zeros((10, 26), dtype=np.int8)
    boards[:, 0] = np.arange(10)
    fit = Fit(config, boards, np.zeros((10, 5), dtype=np.float32), [1])
    assert fit.total == learnt_in(config, 10) == 24
    seen: list[tuple[list[int], list[float]]] = []

    class Recorder:
        def descend(self, boards: Any, targets: Any, rates: list[float], remedy: str) -> float:
            seen.append((boards[:, 0].tolist(), rates))
            return 0.0

    recorder: Any = Recorder()
    done = 0
    while done < fit.total:
        count, _ = fit.advance(recorder, done, "")
        done += count
    assert [len(set(used)) for used, _ in seen] == [8, 8, 8]
    assert len({tuple(used) for used, _ in seen}) == 3
    rates = [rate for _, part in seen for rate in part]
    assert max(rates) <= config.lr
    assert rates[0] == pytest.approx(0.01 * 4 / 6)
    assert np.all(np.diff(rates[1:]) < 0)
    assert 0 < rates[-1] < 0.001


def test_a_loss_that_explodes_names_the_key_and_the_last_good_checkpoint(
    recipe: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--set", "fit.lr=100000", "--set", "label.keep=0"]
    assert main(["train", str(recipe), "--out", str(tmp_path / "run"), *options]) == 1
    told = capsys.readouterr().err.splitlines()[-1]
    assert "lower fit.lr" in told
    assert told.endswith(f"; the last good checkpoint is {tmp_path / 'run' / FILE}")


def test_a_recipe_needs_no_start_and_no_filter(tmp_path: Path) -> None:
    config = from_dict(
        {
            "network": {"layers": [12]},
            "label": {"positions": 100, "keep": 0, "games_per_shard": 1},
            "fit": {"passes": 1, "batch": 8},
            "evaluate": {"games": 2, "opponents": ["random"]},
        }
    )
    start_run(config, tmp_path / "run")
    player = load_model(tmp_path / "run" / "labels-1" / "model")
    assert player.filter_net() is None
    assert player.manifest.parent is None
