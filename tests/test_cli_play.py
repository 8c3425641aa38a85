"""`bgai play`, with what a person would type."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bgai.board import START, result
from bgai.cli.dialogue import from_other_side
from bgai.dice import check_roll
from bgai.evaluator import KernelEvaluator
from bgai.game import Dice
from bgai.model import load_model
from bgai.notation.playtext import format_play
from bgai.player import NetPlayer
from bgai.plays import legal_plays
from tests.cli import Command, save_model

YOU_BEGIN = next(seed for seed in range(100) if Dice(seed).opening() == (0, (6, 5)))
BOT_BEGINS = next(seed for seed in range(100) if Dice(seed).opening()[0] == 1)


@pytest.fixture
def bgai_command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    return Command(capsys, monkeypatch)


@pytest.fixture
def model(tmp_path: Path) -> Path:
    return save_model(tmp_path / "tiny")


def typed(bgai_command: Command, model: Path, lines: Sequence[str], seed: int = YOU_BEGIN) -> str:
    """Everything that is printed when these lines are typed."""
    words = ("play", "--model", model, "--seed", str(seed), "--ascii")
    return bgai_command.good(*words, stdin="".join(f"{line}\n" for line in lines))


def game_script(model: Path, seed: int) -> tuple[list[str], int]:
    """A whole game in which the person always plays the first legal play: its lines, and the result."""
    bot = NetPlayer(KernelEvaluator(load_model(model)))
    dice = Dice(seed)
    seat, roll = dice.opening()
    board, turn, lines = START, 0, []
    while True:
        roll = check_roll(*(roll if turn == 0 else dice.roll(turn)))
        plays = legal_plays(board, roll)
        chosen = bot.choose(board, plays, np.random.default_rng(0)) if seat else 0
        if not seat and not plays.must_pass:
            lines += [format_play(board, plays.steps[chosen]), ""]
        board = plays.successors[chosen]
        if result(board):
            return lines, -result(board) if seat == 0 else result(board)
        seat, turn = 1 - seat, turn + 1


@pytest.mark.parametrize("seed", [YOU_BEGIN, BOT_BEGINS, 11, 12])
def test_a_whole_game(bgai_command: Command, model: Path, seed: int) -> None:
    lines, points = game_script(model, seed)
    printed = typed(bgai_command, model, lines, seed)
    assert f"seed {seed}." in printed
    winner = "You win" if points > 0 else "tiny wins"
    kind = {1: "a single game (1 point)", 2: "a gammon (2 points)", 3: "a backgammon (3 points)"}[abs(points)]
    assert printed.endswith(f"{winner} {kind}.\n")
    assert typed(bgai_command, model, lines, seed) == printed


def test_the_board_is_always_the_persons(bgai_command: Command, model: Path) -> None:
    lines, _ = game_script(model, BOT_BEGINS)
    for line in typed(bgai_command, model, lines, BOT_BEGINS).splitlines():
        if "pips, " in line:
            assert ("X you: " in line) or ("O tiny: " in line)


def test_a_play_is_confirmed_or_taken_back(bgai_command: Command, model: Path) -> None:
    printed = typed(bgai_command, model, ["24/13", "u", "24/18 13/8", "what", "y", "quit"])
    assert "24/13: Enter to confirm, u to undo: u\nTaken back.\n" in printed
    assert "Expected Enter (or y) to confirm or u to undo, found 'what'." in printed
    assert printed.count("X you: 156 pips, 0 off") >= 2
    assert "tiny rolls" in printed.partition("24/18 13/8: Enter to confirm, u to undo: y")[2]
    assert printed.endswith("The game is left unfinished.\n")


def test_the_opening_roll(bgai_command: Command, model: Path) -> None:
    printed = typed(bgai_command, model, ["quit"])
    assert "Opening roll: you 6, tiny 5; you begin." in printed
    assert "You roll 6-5." in printed
    printed = typed(bgai_command, model, ["quit"], BOT_BEGINS)
    assert "; tiny begins." in printed
    assert "(on your side " in printed


def test_plays_that_are_not_legal(bgai_command: Command, model: Path) -> None:
    printed = typed(bgai_command, model, ["8/2", "nonsense", "9/3", "undo", "", "quit"])
    assert "'8/2' is not a legal play here; legal: " in printed
    assert "'nonsense' is not a move; expected something like 8/5, bar/22*, 6/off or 8/5(2)" in printed
    assert "'9/3' is not a legal play here" in printed
    assert "There is nothing to take back" in printed
    assert "Type a play such as 8/5 6/5, or help." in printed


def test_hint_board_pips_and_help(bgai_command: Command, model: Path) -> None:
    printed = typed(bgai_command, model, ["hint", "pips", "board", "help", "quit"])
    best = NetPlayer(KernelEvaluator(load_model(model))).rank(START, (6, 5))
    hint = printed.partition("hint\n")[2].partition("Your play")[0].splitlines()
    assert [re.split("  +", line.strip().split(maxsplit=1)[1])[0] for line in hint[2:]] == [
        play.play for play in best[:5]
    ]
    assert "You 167 pips, tiny 167 pips." in printed
    assert printed.count("| BAR |") == 2
    for word in ("hint", "resign KIND", "board", "pips", "help", "quit", "undo"):
        assert word in printed.partition("help\n")[2]


@pytest.mark.parametrize("points", [1, 2, 3])
def test_the_network_accepts_what_it_does_not_lose_by(bgai_command: Command, model: Path, points: int) -> None:
    kind = ("single", "gammon", "backgammon")[points - 1]
    expected = -NetPlayer(KernelEvaluator(load_model(model))).rank(START, (6, 5))[0].equity
    printed = typed(bgai_command, model, [f"resign {kind}", "quit"])
    assert (f"tiny accepts and wins a {kind}" in printed) == (points >= expected)


def test_resignations_that_are_refused(bgai_command: Command, tmp_path: Path) -> None:
    """A network that thinks the person is being gammoned wants two points at least."""
    sure = load_model(save_model(tmp_path / "sure"))
    weights = {name: np.zeros_like(array) for name, array in sure.weights.items()}
    # The side on roll after the person's play is the network: it wins, and a gammon three times in four.
    weights["layers.1.bias"] = np.array([9, 1.1, -9, -9, -9], dtype=np.float32)
    replace(sure, weights=weights).save(tmp_path / "sure")
    lines = ["resign", "resign twice", "resign single", "resign gammon"]
    printed = typed(bgai_command, tmp_path / "sure", lines)
    assert printed.count("sure refuses a single game (1 point): it expects 1.75 points from playing on.") == 2
    assert "Expected resign single, resign gammon or resign backgammon, found 'twice'." in printed
    assert printed.endswith("sure accepts and wins a gammon (2 points).\n")


def test_a_turn_without_a_play_is_announced(bgai_command: Command, model: Path) -> None:
    for seed in range(200):
        lines, _ = game_script(model, seed)
        printed = typed(bgai_command, model, lines, seed)
        if ": no legal play, you pass." in printed and "and cannot move." in printed:
            return
    pytest.fail("nobody had to pass in 200 games")


@pytest.mark.parametrize("lines", [[], ["24/13"], ["24/13", "", "hint"]])
def test_the_input_may_end_anywhere(bgai_command: Command, model: Path, lines: list[str]) -> None:
    printed = typed(bgai_command, model, lines)
    assert printed.endswith("\nThe input has ended; the game is left unfinished.\n")


def test_a_new_seed_each_time(bgai_command: Command, model: Path) -> None:
    first, second = (bgai_command.good("play", "--model", model, stdin="quit\n").splitlines()[0] for _ in range(2))
    assert first.startswith("You play X against tiny, seed ")
    assert first != second


def test_interrupting_leaves_without_a_traceback(model: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "bgai", "play", "--model", str(model), "--seed", str(YOU_BEGIN)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"PYTHONIOENCODING": "utf-8"},
    )
    assert process.stdout is not None
    while b"You roll" not in process.stdout.readline():
        pass
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"The game is left unfinished." in out
    assert b"Traceback" not in err


@pytest.mark.parametrize(
    ("play", "other"),
    [("24/18/13*", "1/7/12*"), ("bar/22* 6/off", "bar/3* 19/off"), ("8/5(2) 6/3(2)", "17/20(2) 19/22(2)")],
)
def test_points_of_the_other_side(play: str, other: str) -> None:
    assert from_other_side(play) == other
    assert from_other_side(other) == play
