"""`bgai duel`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from bgai.catalogue import open_model
from bgai.cli.progress import Progress
from bgai.duel import DuelResult, duellist, play_duel
from bgai.luck import LuckJudge
from tests.cli import Command, save_model


def test_json_is_what_the_library_says(bgai_command: Command) -> None:
    words = ("duel", "heuristic", "random", "--games", "400", "--seed", "3", "--json")
    answer = json.loads(bgai_command.good(*words))
    found = play_duel(duellist("heuristic"), duellist("random"), 400, 3)
    assert answer == {
        "version": 1,
        "first": "heuristic",
        "second": "random",
        "games": 400,
        "seed": 3,
        "complete": True,
        "points_per_game": round(found.mean, 6),
        "interval_95": round(found.half_width, 6),
        "luck_out": None,
        "wins": round(found.wins, 6),
        "won": {"single": found.share(1), "gammon": found.share(2), "backgammon": found.share(3)},
        "lost": {"single": found.share(-1), "gammon": found.share(-2), "backgammon": found.share(-3)},
        "given_up": 0,
    }
    assert sum(answer["won"].values()) + sum(answer["lost"].values()) == pytest.approx(1)


def test_the_threads_change_nothing(bgai_command: Command) -> None:
    words = ("duel", "heuristic", "random", "--games", "600", "--json", "--threads")
    assert bgai_command.good(*words, "1") == bgai_command.good(*words, "3")


def test_equal_players_score_nothing(bgai_command: Command, tmp_path: Path) -> None:
    model = save_model(tmp_path / "tiny")
    text = bgai_command.good("duel", model, model, "--games", "40", "--seed", "2", "--threads", "2")
    assert text.startswith("tiny against tiny: 40 games, in pairs with the same dice, seed 2\n")
    assert "points a game  +0.0000 ± 0.0000 (95 %)" in text
    assert " s on 2 threads, " in text


def test_a_kept_model_plays(bgai_command: Command) -> None:
    assert "points a game" in bgai_command.good("duel", "1", "random", "--games", "20")


def test_one_pair_has_no_interval(bgai_command: Command) -> None:
    assert json.loads(bgai_command.good("duel", "random", "random", "--games", "2", "--json"))["interval_95"] is None
    assert "(one pair has no interval)" in bgai_command.good("duel", "random", "random", "--games", "2")


def interrupted_after(pairs: int, luck: NDArray[np.float64] | None = None) -> Callable[..., Any]:
    """A duel in which somebody presses Ctrl-C."""

    def play(*_: object, progress: Callable[[DuelResult], None], **__: object) -> None:
        if pairs:
            progress(DuelResult(np.tile(np.array([[2, -1]], dtype=np.int64), (pairs, 1)), 3, luck))
        raise KeyboardInterrupt

    return play


def test_interrupting_shows_what_there_is(bgai_command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bgai.cli.duel.play_duel", interrupted_after(5))
    outcome = bgai_command("duel", "heuristic", "random", "--games", "400")
    assert outcome.code == 130
    assert outcome.out.startswith("heuristic against random: 10 games of 400, interrupted, ")
    assert "points a game  +0.5000 ± 0.0000" in outcome.out
    outcome = bgai_command("duel", "heuristic", "random", "--games", "400", "--json")
    assert outcome.code == 130
    answer = json.loads(outcome.out)
    assert (answer["games"], answer["complete"], answer["won"]["gammon"]) == (10, False, 0.5)
    assert answer["given_up"] == 3


def test_the_luck_is_taken_out_when_asked(bgai_command: Command, tmp_path: Path) -> None:
    model = save_model(tmp_path / "tiny")
    words = ("duel", model, "heuristic", "--games", "40", "--seed", "2", "--luck-out")
    players = duellist(str(model)), duellist("heuristic")
    for judge, more in ((str(model), ["--judge", str(model)]), (None, [])):
        opened = open_model(judge)
        found = play_duel(*players, 40, 2, judge=LuckJudge.of(opened)).luck_out
        assert found is not None
        assert json.loads(bgai_command.good(*words, *more, "--json"))["luck_out"] == {
            "points_per_game": round(found.points, 6),
            "interval_95": round(found.half_width, 6),
            "judge": opened.name,
        }
        said = f"luck taken out {found.points:+.4f} ± {found.half_width:.4f} (95 %), as {opened.name} judges it\n"
        assert said in bgai_command.good(*words, *more)
    one_pair = json.loads(bgai_command.good("duel", model, "random", "--games", "2", "--luck-out", "--json"))
    assert one_pair["luck_out"]["interval_95"] is None


def test_interrupting_keeps_the_luck(bgai_command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bgai.cli.duel.play_duel", interrupted_after(5, np.full((5, 2), 0.25)))
    outcome = bgai_command("duel", "heuristic", "random", "--games", "400", "--luck-out")
    assert outcome.code == 130
    assert "points a game  +0.5000 ± 0.0000 (95 %)\nluck taken out +0.2500 ± 0.0000 (95 %), as " in outcome.out


def test_interrupting_before_anything_was_played(bgai_command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bgai.cli.duel.play_duel", interrupted_after(0))
    outcome = bgai_command("duel", "heuristic", "random")
    assert (outcome.code, outcome.out, outcome.err) == (130, "", "\n")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["random"], "the following arguments are required: PLAYER-B"),
        (["random", "nobody"], "unknown player 'nobody': expected 0-ply to 7-ply, rollout, a time such as 100ms,"),
        (["random", "random", "--games", "3"], "their number is even and at least 2, found 3"),
        (["random", "random", "--games", "0"], "expected a whole number of 2 or more, found '0'"),
        (["random", "random", "--threads", "0"], "expected a whole number of 1 or more, found '0'"),
        (
            ["1:1-ply", "1", "--luck-out"],
            "--luck-out is for networks at 0-ply, random and heuristic, found '0001-td:1-ply'",
        ),
        (["1", "gnubg:0", "--luck-out"], "--luck-out is for networks at 0-ply, random and heuristic, found 'gnubg:0'"),
        (["1", "random", "--luck-out", "--judge", "nobody"], "unknown model 'nobody'"),
        (["1", "random", "--judge", "1"], "--judge says who judges the luck for --luck-out, which is missing"),
        (["random", "random", "--seed", str(2**64)], "expected a whole number from 0 to"),
    ],
)
def test_bad_input(bgai_command: Command, words: list[str], said: str) -> None:
    assert said in bgai_command.bad("duel", *words)


def test_progress_is_for_terminals(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    with Progress(10, "games") as bar:
        bar.advance(10)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with Progress(10, "games") as bar:
        bar.advance(5, "+0.100")
        bar.advance(5)
    drawn = capsys.readouterr().err
    assert " 50%  5/10 games" in drawn
    assert "+0.100" in drawn
    assert "100%  10/10 games" in drawn
    assert drawn.endswith("\r\x1b[K")
