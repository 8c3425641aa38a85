"""Kinds of position on boards whose kind a player sees, errors of chances computed by hand, and a small run."""

from __future__ import annotations

import json
import sys
import xml.etree.ElementTree as ElementTree
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bgai.board import START, Board, flip
from bgai.catalogue import open_model

sys.path.append(str(Path(__file__).parents[1] / "benchmarks"))
accuracy, calibration, file, kind_samples, kinds, players, reliability, report = map(
    import_module,
    (
        *("accuracy", "calibration", "calibration_file", "kind_samples", "position_kinds", "players", "reliability"),
        "calibration_report",
    ),
)

Points = dict[int, int]
BAR = 25
MODEL = "0001-td"


def board(own: Points, other: Points) -> Board:
    """Checkers by the points as each side counts its own; 25 is the bar."""
    made = np.zeros(26, dtype=np.int8)
    for point, count in own.items():
        made[point] += count
    for point, count in other.items():
        made[25 - point] -= count
    assert (made > 0).sum() == len(own)
    assert (made < 0).sum() == len(other)
    return made


SPREAD = {13: 5, 8: 3, 6: 5}
HOME = {6: 3, 5: 3, 4: 3, 3: 2, 2: 2, 1: 2}
CLOSED = {6: 3, 5: 3, 4: 3, 3: 2, 2: 2, 1: 2}
PRIMED = {7: 2, 6: 2, 5: 2, 4: 2, 8: 3, 13: 2}
SIX_DEEP = {1: 3, 2: 3, 6: 2, 13: 5}
CASES: dict[str, tuple[str, Points, Points]] = {
    "two sides at home": ("bear-off", HOME, HOME),
    "one side at home": ("bear-off", HOME, {**SPREAD, 7: 2}),
    "nobody at home": ("long race", {13: 4, 8: 5, 6: 6}, {9: 5, 8: 4, 6: 6}),
    "hit after bearing off": ("containment", {**PRIMED, 20: 2}, {BAR: 1, 3: 4, 2: 4, 1: 2}),
    "coming round behind a prime": ("containment", {8: 2, 7: 2, 6: 2, 5: 2, 4: 2, 13: 5}, {23: 1, 2: 3, 1: 1}),
    "hit, but nothing borne off": ("middle game", {**SPREAD, 24: 2}, {BAR: 1, 6: 5, 5: 5, 4: 4}),
    "four points each": ("prime against prime", {**PRIMED, 24: 2}, {**PRIMED, 24: 2}),
    "four points against three": ("middle game", {**PRIMED, 24: 2}, {7: 2, 6: 2, 5: 2, 9: 3, 13: 4, 24: 2}),
    "ten in the zone": ("blitz", {6: 4, 5: 2, 4: 2, 8: 2, 13: 3, 24: 2}, {BAR: 1, 24: 1, **SPREAD}),
    "nine in the zone": ("middle game", {6: 3, 5: 2, 4: 2, 8: 2, 13: 4, 24: 2}, {BAR: 1, 24: 1, **SPREAD}),
    "two points": ("middle game", {6: 4, 5: 2, 4: 1, 8: 3, 13: 3, 24: 2}, {BAR: 1, 24: 1, **SPREAD}),
    "an anchor against it": ("middle game", {6: 4, 5: 2, 4: 2, 8: 2, 13: 3, 24: 2}, {BAR: 1, 24: 2, 13: 5, 8: 2, 6: 5}),
    "two back before a fallen board": ("crunched board", {1: 5, 2: 5, 3: 3, 24: 2}, {9: 3, 8: 3, 7: 3, 6: 3, 5: 3}),
    "six deep are not enough": ("holding game", {**SIX_DEEP, 24: 2}, {10: 3, 9: 3, 7: 3, 6: 3, 5: 3}),
    "two points deep": ("back game", {24: 2, 22: 2, 13: 4, 8: 2, 6: 5}, {9: 3, 8: 3, 7: 3, 6: 3, 5: 3}),
    "four on one point": ("back game", {24: 4, 13: 4, 8: 2, 6: 5}, {9: 3, 8: 3, 7: 3, 6: 3, 5: 3}),
    "the other's five point": ("holding game", {20: 2, **SPREAD}, {13: 2, 8: 3, 7: 2, 6: 4, 4: 2, 3: 2}),
    "the other's bar point": ("holding game", {18: 2, **SPREAD}, {13: 2, 8: 3, 6: 4, 5: 2, 4: 2, 3: 2}),
    "the ace point": ("holding game", {24: 2, 13: 5, 8: 3, 6: 5}, {9: 3, 8: 3, 7: 3, 6: 3, 5: 3}),
    "ahead in the race": ("middle game", {20: 2, 6: 5, 5: 4, 4: 4}, {13: 5, 8: 3, 7: 2, 6: 5}),
    "past a checker": ("bear-off with contact", {6: 3, 5: 3, 4: 3, 3: 3}, {24: 1, 6: 5, 5: 5, 4: 4}),
    "closed out": ("bear-off with contact", {13: 1, **CLOSED, 1: 1 + 1, 6: 2}, {BAR: 1, 6: 5, 5: 5, 4: 4}),
    "the start": ("middle game", {24: 2, **SPREAD}, {24: 2, **SPREAD}),
}
ASIDE = {"blitz", "crunched board", "back game", "holding game", "bear-off with contact"}
"""Kinds whose subject is the first side of the cases above."""


@pytest.mark.parametrize("name", CASES)
def test_kind_is_the_one_that_a_player_sees_whoever_is_on_roll(name: str) -> None:
    title, own, other = CASES[name]
    mine = board(own, other)
    found = kinds.sorted_by_kind(np.stack([mine, flip(mine)]))
    assert [kinds.KINDS[number].title for number in found.kinds] == [title, title]
    if title in ASIDE | {"containment"}:
        assert found.on_roll.tolist() == [True, False]


def test_every_kind_is_told_and_has_a_case() -> None:
    assert {kind.title for kind in kinds.KINDS} == {title for title, _, _ in CASES.values()}
    assert all(kind.told.endswith(".") for kind in kinds.KINDS)


def test_the_start_is_that_of_the_game() -> None:
    assert np.array_equal(board(*CASES["the start"][1:]), START)


def test_errors_and_bias_with_their_intervals() -> None:
    """Differences of the win +0.02, -0.04; of the gammons (0.01, 0.03), (0, 0.02); of the backgammons none."""
    said = np.array([[0.52, 0.11, 0, 0.07, 0], [0.46, 0.1, 0, 0.12, 0]])
    true = np.array([[0.5, 0.1, 0, 0.1, 0], [0.5, 0.1, 0, 0.1, 0]])
    found = accuracy.accuracy(said, true)
    # Equity: 2 win + gammon - lost gammon, so +0.04 + 0.01 + 0.03 = 0.08 and -0.08 - 0.02 = -0.1.
    means = {"win": 0.03, "gammon": 0.015, "backgammon": 0.0, "equity": 0.09}
    assert {name: one.mean for name, one in found.errors.items()} == pytest.approx(means)
    assert {name: one.mean for name, one in found.bias.items()} == pytest.approx({"win": -0.01, "equity": -0.01})
    # Two values a and b: the standard error is half of |a - b|; Student's t for one degree of freedom is 12.7062.
    assert found.errors["win"].half == pytest.approx(12.7062 * 0.01)
    assert found.bias["win"].half == pytest.approx(12.7062 * 0.03)
    assert found.bias["equity"].told(1000, "+") == "-10.00 ± 1143.56"
    assert accuracy.estimate(np.array([0.5])).told(100) == "50.00 ± –"


def row(**more: Any) -> dict[str, Any]:
    return {
        "kind": "blitz",
        "on_roll": True,
        "crossed": False,
        "static": [0.6, 0.3, 0.0, 0.1, 0.0],
        "rolled": [0.5, 0.2, 0.0, 0.1, 0.0],
        "standard_errors": [0.002, 0.001, 0, 0.001, 0, 0.006],
        **more,
    }


ROWS = [
    row(),
    row(
        on_roll=False,
        crossed=True,
        static=[0.4, 0.1, 0.0, 0.4, 0.0],
        rolled=[0.5, 0.1, 0.0, 0.2, 0.0],
        standard_errors=[0.004, 0.001, 0, 0.001, 0, 0.008],
    ),
]


def content(**more: Any) -> dict[str, Any]:
    """Of a file of results."""
    head = {"player": {"name": "tested"}, "shares_of_games": {"blitz": 0.05}, "trials": 72, "seed": 1}
    return {**head, "gnubg_plies": None, "positions": ROWS, **more}


def test_bias_is_that_of_the_subject_and_sources_stand_apart() -> None:
    """The attacker, on roll or not, is thought to win a tenth too many; gammons 0.1 and 0.2."""
    found = accuracy.summary(ROWS)
    assert (found.positions, found.crossed) == (2, 1)
    assert found.static.bias["win"].mean == pytest.approx(0.1)
    assert found.static.bias["equity"].mean == pytest.approx((0.3 + 0.4) / 2)
    assert found.static.errors["gammon"].mean == pytest.approx((0.05 + 0.1) / 2)
    assert found.rollout_errors == pytest.approx({"win": 0.003, "equity": 0.007})
    assert {name: one.bias["equity"].mean for name, one in found.sources.items()} == pytest.approx(
        {"met": 0.3, "crossed": 0.4}
    )
    assert found.outside == {}


def test_outside_view_judges_all_by_the_deep_chances() -> None:
    deep = [0.55, 0.2, 0.0, 0.1, 0.0]
    found = accuracy.summary([row(gnubg={"static": [0.5, 0.2, 0.0, 0.1, 0.0], "deep": deep})])
    assert {name: one.bias["win"].mean for name, one in found.outside.items()} == pytest.approx(
        {"gnubg": -0.05, "static": 0.05, "rolled": -0.05}
    )


def test_report_has_a_row_a_kind_in_each_table() -> None:
    text = report.report({"blitz": accuracy.summary(ROWS)}, content())
    first, second = ([line.count("|") for line in part.splitlines()] for part in text.split("\n\n")[1:5:2])
    assert first == [13] * 3
    assert second == [8] * 3
    assert "\n| blitz | 5.0 % | 2 | 1 | 10.00 ± 0.00 |" in text
    assert "| 0.30 | 7.00 |\n" in text
    assert "* **blitz**, seen by the attacker: The other side has a checker on the bar" in text


def test_chart_has_circles_for_wins_and_both_gammons_and_rings_for_crossed_positions() -> None:
    panel = report.panel("blitz & more", ROWS, accuracy.summary(ROWS))
    picture = ElementTree.fromstring(reliability.reliability([panel, panel, panel], "0001 & others"))
    circles = picture.findall(".//{http://www.w3.org/2000/svg}circle")
    assert len(circles) == 3 * 3 * len(ROWS)
    assert sum(circle.get("fill") == "none" for circle in circles) == 3 * 3
    # 60 % was said, 50 % found: of a square 162 wide at (36, 84).
    assert (circles[0].get("cx"), circles[0].get("cy")) == (f"{36 + 0.6 * 162:.1f}", f"{84 + 0.5 * 162:.1f}")


def test_samples_are_half_crossed_and_fixed_by_the_seed() -> None:
    player = players.ModelPlayer(open_model(MODEL))
    found, again = (kind_samples.samples(player, 2, 3) for _ in range(2))
    assert np.array_equal(found.boards, again.boards)
    titles = [kinds.KINDS[number].title for number in found.sorted.kinds]
    assert {titles.count(kind.title) for kind in kinds.KINDS} == {2}
    assert set(titles[: len(kinds.KINDS)]) == set(titles)
    crossed = [title for title, made in zip(titles, found.crossed, strict=True) if made]
    assert len(crossed) == len(set(crossed))
    assert set(crossed) >= {kind.title for kind in kinds.KINDS} - {"bear-off", "long race"}
    assert sum(found.shares) == pytest.approx(1)


def test_rollout_finds_an_exact_chance() -> None:
    """A checker on the 6 point is borne off by 27 of 36 rolls, and the opponent's next roll ends the game."""
    rollouts = calibration.Rollouts(open_model(MODEL), 72, peers=False)
    found = rollouts.rolled(calibration.Question(board({6: 1}, {1: 1}), 1))
    assert found.chances == pytest.approx([0.75, 0, 0, 0, 0])
    assert found.errors == pytest.approx(np.zeros(6), abs=1e-12)
    assert found.gnubg is None


def test_run_writes_results_that_can_be_drawn_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--positions", "1", "--trials", "72", "--processes", "1", "--results", str(tmp_path)]
    assert calibration.main([MODEL, *arguments]) == 0
    (path,) = tmp_path.glob("calibration-0001-td-*.json")
    found = json.loads(path.read_text("utf-8"))
    assert len(found["positions"]) == len(kinds.KINDS)
    assert set(found["kinds"]) == {kind.title for kind in kinds.KINDS}
    for one in found["positions"]:
        # Of a network that plays well, chances that are far from its rollouts would be those of another position.
        assert np.abs(np.subtract(one["static"], one["rolled"])).max() < 0.25
        assert 0 <= max(one["standard_errors"]) < 0.2
    written = {suffix: path.with_suffix(suffix).read_bytes() for suffix in (".md", ".svg")}
    for suffix in written:
        path.with_suffix(suffix).unlink()
    assert calibration.main(["--from", str(path)]) == 0
    assert {suffix: path.with_suffix(suffix).read_bytes() for suffix in written} == written
    assert written[".md"].decode() in capsys.readouterr().out


def test_interrupted_run_keeps_what_was_rolled_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    chances = np.array([0.5, 0.1, 0.0, 0.1, 0.0])
    rolled = calibration.Rolled(chances, np.zeros(6), 1.0)
    monkeypatch.setattr(calibration, "roll_out", lambda *_: ([rolled] * 3, True))
    assert calibration.main([MODEL, "--positions", "1", "--results", str(tmp_path)]) == 130
    (path,) = tmp_path.glob("*.json")
    assert len(json.loads(path.read_text("utf-8"))["positions"]) == 3
    assert path.name in capsys.readouterr().err
    monkeypatch.setattr(calibration, "roll_out", lambda *_: ([], True))
    assert calibration.main([MODEL, "--positions", "1", "--results", str(tmp_path / "none")]) == 130
    assert not (tmp_path / "none").exists()
    assert "interrupted, nothing was written" in capsys.readouterr().err


def test_interrupted_drawing_tells_where_the_results_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    path = file.write(tmp_path, "tested", content())
    monkeypatch.setattr(calibration, "measure", lambda _: (path, False))
    monkeypatch.setattr(calibration, "reliability", interrupt)
    assert calibration.main([MODEL]) == 130
    told = capsys.readouterr().err
    assert path.name in told
    assert "nothing" not in told


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([MODEL, "--trials", "100"], "found 100, expected a multiple of 36 from 72 on"),
        ([MODEL, "--positions", "0"], "--positions and --processes are at least 1"),
        ([MODEL, "--seed", "-1"], "found -1, expected 0 to"),
        ([], "give either MODEL or --from"),
    ],
)
def test_bad_options_are_told(arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        calibration.main(arguments)
    assert ended.value.code == 2
    assert told in capsys.readouterr().err


def test_unknown_models_and_other_results_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert calibration.main(["no-such-model"]) == 2
    assert "unknown model 'no-such-model'" in capsys.readouterr().err
    (tmp_path / "other.json").write_text('{"kind": "curve"}', "utf-8")
    assert calibration.main(["--from", str(tmp_path / "other.json")]) == 2
    assert "found results of kind 'curve', expected 'calibration'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("damaged", "told"),
    [
        (content(trials=None), "trials: found nothing, expected a whole number"),
        (content(player={"name": 3}), "player: name: found 3, expected a text"),
        (content(positions=[]), "found no positions, expected at least one"),
        (content(positions={}), "positions: found {}, expected a list"),
        (content(positions=[*ROWS, 5]), "position 2: found 5, expected an object"),
        (content(positions=[row(on_roll="yes")]), "position 0: on_roll: found 'yes', expected true or false"),
        (content(positions=[row(static=[0.5] * 4)]), "static: found [0.5, 0.5, 0.5, 0.5], expected 5 numbers"),
        (content(positions=[row(rolled=[0, 0, "0", 0, 0])]), "position 0: rolled: found '0', expected a number"),
        (content(positions=[row(kind="brawl")]), "found the kind 'brawl', expected one of bear-off, long race,"),
        (content(gnubg_plies=2), "position 0: gnubg: found nothing, expected an object"),
        (content(positions=[row(gnubg={})]), "found chances of gnubg-nn, expected none without gnubg_plies"),
        (content(shares_of_games={}), "shares_of_games: blitz: found nothing, expected a number"),
    ],
)
def test_damaged_results_are_told(
    damaged: dict[str, Any], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = file.write(tmp_path, "tested", damaged)
    assert calibration.main(["--from", str(path)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"error: {path}: ")
    assert told in line
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b'{"kind": "calibration", "posi', "{path}: found no JSON ("),
        (b"\xff\xfe", "{path}: found no JSON ("),
        (b"[]", "{path}: found results of kind None, expected 'calibration'"),
        (None, "cannot read {path}: No such file or directory, expected results of calibration.py"),
    ],
)
def test_what_is_no_file_of_results_is_told(
    data: bytes | None, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "damaged.json"
    if data is not None:
        path.write_bytes(data)
    assert calibration.main(["--from", str(path)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"error: {told.format(path=path)}")


def test_results_are_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> None:
        raise OSError("no space left")

    monkeypatch.setattr("os.fsync", refuse)
    with pytest.raises(OSError, match="no space left"):
        file.write(tmp_path, "tested", content())
    assert list(tmp_path.iterdir()) == []


def test_lists_of_numbers_are_put_on_a_line() -> None:
    some = {"positions": [{"static": [0.5, -1e-05, 3], "names": ["a", "b"], "none": []}], "seed": 1}
    text = file.numbers_in_lines(json.dumps(some, indent=2))
    assert '"static": [0.5, -1e-05, 3],' in text
    assert json.loads(text) == some
