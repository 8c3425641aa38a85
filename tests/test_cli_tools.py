"""`bgai models`, `bgai bench` and `bgai perft`."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bgai.board import START
from bgai.catalogue import kept_models
from bgai.cli.perft import count_by_roll, count_leaves
from bgai.cli.workload import Workload, signature, workload
from bgai.dice import ROLLS
from bgai.evaluator import KernelEvaluator, TorchEvaluator
from bgai.model import load_model
from bgai.notation.positionid import format_position_id
from bgai.plays import legal_plays, legal_plays_batch
from tests.cli import Command, save_model


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two kept models of our own."""
    for name in ("0001-one", "0002-two"):
        save_model(tmp_path / name)
    second = load_model(tmp_path / "0002-two")
    results = {
        "heuristic": {"points": 0.25, "interval": 0.0125, "games": 100},
        "0001-one": {"points": 0.008, "interval": 0.003, "luck_out_by": "0001-one", "games": 100},
        "random": 1.5,
        "remark": "good",
    }
    manifest = replace(second.manifest, parent="0001-one", games=1_234_567, cpu_seconds=9000.0, results=results)
    replace(second, manifest=manifest).save(tmp_path / "0002-two")
    monkeypatch.setattr("bgai.catalogue.models_folder", lambda: tmp_path)
    monkeypatch.setattr("bgai.cli.models.models_folder", lambda: tmp_path)
    return tmp_path


def test_models(bgai_command: Command, shelf: Path) -> None:
    heading, first, second = bgai_command.good("models").splitlines()
    assert heading.split() == ["model", "network", "parent", "games", "CPU", "time", "results"]
    assert first.split() == ["0001-one", "points-1", "8", "-", "0", "0", "s"]
    assert second.startswith("*  0002-two  points-1 8  0001-one  1,234,567     2.5 h  ")
    assert "heuristic +0.250 ± 0.013; 0001-one +0.008 ± 0.003 with the luck taken out; random +1.500;" in second
    assert second.endswith('remark "good"')


def test_models_as_json(bgai_command: Command, shelf: Path) -> None:
    answer = json.loads(bgai_command.good("models", "--json"))
    assert answer["version"] == 1
    first, second = answer["models"]
    assert (first["name"], first["default"], first["parent"]) == ("0001-one", False, None)
    assert (second["name"], second["default"], second["parent"]) == ("0002-two", True, "0001-one")
    assert second["games"] == 1_234_567
    assert second["results"]["heuristic"]["points"] == 0.25


def test_a_damaged_model_is_named_beside_the_others(bgai_command: Command, shelf: Path) -> None:
    (shelf / "0001-one" / "weights.safetensors").write_bytes(b"short")
    outcome = bgai_command("models")
    assert outcome.code == 2
    assert re.search(r"0001-one +damaged\n\*  0002-two", outcome.out)
    assert outcome.err.startswith("bgai models: ")
    assert "is damaged" in outcome.err
    answer = json.loads(bgai_command("models", "--json").out)
    assert "is damaged" in answer["models"][0]["error"]


def test_no_models(bgai_command: Command, shelf: Path) -> None:
    for folder in kept_models():
        shutil.rmtree(folder)
    assert bgai_command.good("models").startswith("No model is kept in ")
    assert json.loads(bgai_command.good("models", "--json"))["models"] == []
    assert "no kept model in" in bgai_command.bad("move", "4HPwATDgc/ABMA", "31")


def test_the_clones_own_models(bgai_command: Command) -> None:
    lines = bgai_command.good("models").splitlines()
    assert len(lines) == len(kept_models()) + 1
    assert lines[-1].startswith("*  ")


PERFT_1 = {11: 42, 21: 15, 22: 75, 31: 16, 32: 17, 33: 73, 41: 14, 42: 18, 43: 17, 44: 52, 51: 8, 52: 8, 53: 9, 54: 9}
PERFT_1 |= {55: 4, 61: 10, 62: 14, 63: 14, 64: 14, 65: 7, 66: 11}


def test_perft_of_the_start(bgai_command: Command) -> None:
    assert dict(zip((10 * a + b for a, b in ROLLS), count_by_roll(START, 1), strict=True)) == PERFT_1
    text = re.sub(r" +[\d.]+ s\n", "\n", bgai_command.good("perft"))
    assert text == "perft 1           447\nperft 2       202,782\n"


def test_perft_divided_by_roll(bgai_command: Command) -> None:
    *rolls, total = bgai_command.good("perft", "--depth", "1", "--divide").splitlines()
    assert [line.split() for line in rolls] == [[f"{a}-{b}", str(PERFT_1[10 * a + b])] for a, b in ROLLS]
    assert total.split()[:3] == ["perft", "1", "447"]


def test_nothing_follows_a_finished_game() -> None:
    board = np.zeros(26, dtype=np.int8)
    board[[1, 24]] = [1, -1]
    assert count_by_roll(board, 1) == [1] * 21
    assert count_by_roll(board, 2) == [0] * 21
    board[1] = 3
    # Only a double ends the game at once; after other rolls the opponent bears off with any roll.
    assert count_by_roll(board, 2) == [0 if a == b else 21 for a, b in ROLLS]
    assert count_by_roll(board, 3) == [0] * 21


def test_perft_is_the_sum_over_the_positions_behind() -> None:
    after = legal_plays(START, (6, 6)).successors
    batch = legal_plays_batch(np.repeat(after, 21, axis=0), np.tile(ROLLS, (len(after), 1)))
    assert count_leaves(after, 1) == len(batch.successors)


def test_perft_of_a_finished_game(bgai_command: Command) -> None:
    board = START.copy()
    board[board < 0] = 0
    assert "the game is over, the player on roll has lost a backgammon" in bgai_command.bad(
        "perft", format_position_id(board)
    )
    assert "a position ID has 14 characters" in bgai_command.bad("perft", "start")
    assert "from 1 to 4" in bgai_command.bad("perft", "--depth", "5")


def test_bench(bgai_command: Command, tmp_path: Path) -> None:
    model = save_model(tmp_path / "tiny")
    text = bgai_command.good("bench", model, "--seconds", "0.001")
    names = ["successors with their steps", "successors, boards only", "static evaluations", "0-ply decisions in games"]
    for name in names:
        assert re.search(rf"^{name} +[\d,]+$", text, re.MULTILINE)
    work = workload()
    assert text.endswith(
        f"signature of {len(work.boards):,} positions: {signature(work, KernelEvaluator(load_model(model)))}\n"
    )
    assert "unknown model" in bgai_command.bad("bench", "nobody")
    assert "expected a number of seconds over 0, found 'x'" in bgai_command.bad("bench", "--seconds", "x")


def test_the_workload_never_changes() -> None:
    """Else signatures of different versions could not be compared."""
    work = workload()
    assert len(work.boards) == 3298
    assert int((work.boards.astype(np.int64) * np.arange(26)).sum()) == -540_556
    assert len(legal_plays_batch(work.boards, work.rolls).successors) == 35_753


def test_the_signature_is_that_of_the_player(tmp_path: Path) -> None:
    model = load_model(save_model(tmp_path / "tiny"))
    work = workload()
    usual = signature(work, KernelEvaluator(model, exact=True))
    assert re.fullmatch(r"[0-9a-f]{12}", usual)
    # Another arithmetic: the same. Other weights, or other positions: not the same.
    assert signature(work, TorchEvaluator(model)) == usual
    changed = {name: array * np.float32(1.003) for name, array in model.weights.items()}
    assert signature(work, KernelEvaluator(replace(model, weights=changed), exact=True)) != usual
    assert signature(Workload(work.boards[1:], work.rolls[1:]), KernelEvaluator(model, exact=True)) != usual
