"""`bgai met` and `bgai met build`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bgai.met import build_met, default_met, format_met, read_met
from tests.cli import Command


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A file with a small table."""
    path = tmp_path / "small.csv"
    path.write_text(format_met(build_met(length=4, name="Small")), "utf-8")
    return path


def test_the_table_in_use(bgai_command: Command) -> None:
    lines = bgai_command.good("met").splitlines()
    assert lines[0].startswith("Kazaross-XG2: Neil Kazaross, 2011")
    grid = [line.split() for line in lines[5:15]]
    assert grid[0] == [str(away) for away in range(1, 10)]
    assert grid[4] == ["4", "18.56", "33.13", "42.85", "50.00", "57.73", "64.28", "69.92", "74.58", "78.80"]
    assert lines[-1].split()[:3] == ["50.00", "48.80", "32.26"]
    assert all(len(line) <= 110 for line in lines)


def test_other_lengths(bgai_command: Command, table: Path) -> None:
    assert len(bgai_command.good("met", "--length", "25").splitlines()[6].split()) == 26
    text = bgai_command.good("met", "--length", "30")
    assert "\nnote: beyond 25-away computed by bgai from the entries before\n" in text
    assert len(bgai_command.good("met", table).splitlines()[-1].split()) == 4
    assert "note: beyond 4-away" in bgai_command.good("met", table, "--length", "5")


def test_the_table_as_json(bgai_command: Command) -> None:
    answer = json.loads(bgai_command.good("met", "--json", "--length", "3"))
    assert answer == {
        "version": 1,
        "name": "Kazaross-XG2",
        "source": default_met().source,
        "notes": [],
        "length": 3,
        "pre_crawford": [[0.5, 0.67736, 0.75076], [0.32264, 0.5, 0.59947], [0.24924, 0.40053, 0.5]],
        "post_crawford": [0.5, 0.48803, 0.32264],
    }


def test_a_score(bgai_command: Command) -> None:
    text = bgai_command.good("met", "--score", "3-5", "--length", "7")
    assert text == bgai_command.good("met", "--away", "4,2")
    assert "\n4-away, 2-away, before Crawford: 33.13 %\n" in text
    assert "\n   1     40.05  50.00  67.74    18.56   0.00   0.00     0.46   1.29   0.86   0.86\n" in text
    assert text.endswith("1->2        37.13        19.89\n2->4            -        50.00\n")


def test_a_score_as_json(bgai_command: Command) -> None:
    answer = json.loads(bgai_command.good("met", "--away", "2-2", "--json"))
    assert (answer["version"], answer["away"]) == (1, [2, 2])
    (game,) = answer["games"]
    assert (game["game"], game["mwc"]) == ("before Crawford", 0.5)
    first, second = game["cubes"]
    assert first == {
        "cube": 1,
        "win": [0.67736, 1.0, 1.0],
        "lose": [0.32264, 0.0, 0.0],
        "take_point": 0.32264,
        "opponent_take_point": 0.32264,
        "gammon_values": [0.909562] * 4,
    }
    assert (second["cube"], second["take_point"], second["opponent_take_point"]) == (2, None, None)


def test_crawford_and_post_crawford_are_told_apart(bgai_command: Command) -> None:
    games = json.loads(bgai_command.good("met", "--away", "1,3", "--json"))["games"]
    assert [(game["game"], game["mwc"]) for game in games] == [("Crawford", 0.75076), ("post-Crawford", 0.67736)]
    assert [[cube["take_point"] for cube in game["cubes"]] for game in games] == [[None], [0.02394, None]]
    text = bgai_command.good("met", "--away", "1,3")
    assert "in the Crawford game: 75.08 %" in text
    assert "nobody may double\n\n1-away, 3-away, after the Crawford game: 67.74 %" in text
    assert "1->2         2.39            -" in text
    assert bgai_command.good("met", "--away", "1,1").endswith("nobody gains by doubling\n")


def test_a_score_beyond_the_table(bgai_command: Command, table: Path) -> None:
    text = bgai_command.good("met", table, "--away", "6,5")
    assert text.startswith("Small: computed by bgai from rates")
    assert "note: beyond 4-away computed by bgai" in text
    assert "32->64" in bgai_command.good("met", "--away", "40,40")


def test_check(bgai_command: Command, table: Path) -> None:
    assert bgai_command.good("met", "--check").startswith("Kazaross-XG2, 25 points: range, diagonal, complement and")
    assert bgai_command.good("met", table, "--check").startswith("Small, 4 points: ")
    assert json.loads(bgai_command.good("met", "--check", "--json"))["problems"] == []


def test_check_of_a_broken_table(bgai_command: Command, table: Path) -> None:
    text = table.read_text("utf-8")
    table.write_text(text.replace("\n2,", "\n2,0"), "utf-8")
    table.write_text(text.replace("post-Crawford,0.5,0.488", "post-Crawford,0.5,0.3"), "utf-8")
    outcome = bgai_command("met", table, "--check")
    assert outcome.code == 2
    assert outcome.out == (
        "post-Crawford: 3-away, 1-away after the Crawford game: found 0.3225, "
        "expected at most 0.3, the chance at 2-away\n"
    )
    assert outcome.err == f"bgai met: {str(table)!r}: 1 entry breaks a rule\n"
    found = json.loads(bgai_command("met", table, "--check", "--json").out)["problems"]
    assert [(each["rule"], each["away"]) for each in found] == [("post-Crawford", [3, 1])]
    assert "post-Crawford: 3-away, 1-away after the Crawford game" in bgai_command.bad("met", table)


def test_build(bgai_command: Command, tmp_path: Path) -> None:
    text = bgai_command.good("met", "build", "--length", "3")
    assert text == format_met(build_met(length=3))
    path = tmp_path / "mine.csv"
    said = bgai_command.good("met", "build", "--gammon-rate", "0.26", "--backgammon-rate", "0", "-o", path)
    assert said.splitlines()[0].startswith(
        f"{path}: 25 points, computed by bgai from rates: gammon 0.26, backgammon 0, "
    )
    assert said.splitlines()[1].startswith("beside Kazaross-XG2, to 25 points: at most 0.")
    assert read_met(path).mwc(2, 1) == pytest.approx(0.315)
    live = bgai_command.good("met", "build", "--efficiency", "1", "--centred", "1", "--length", "5", "--json")
    assert json.loads(live)["length"] == 5


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nowhere.csv"], "bgai met: cannot read the file 'nowhere.csv': No such file or directory"),
        (
            ["--score", "3-5"],
            "bgai met: --score needs the length of the match as well, such as: --score 3-5 --length 7",
        ),
        (["--score", "7-5", "--length", "7"], "bgai met: at 7-5 a match to 7 points is over"),
        (
            ["--score", "3", "--length", "7"],
            "argument --score: expected two whole numbers such as 3-5 or 4,2, found '3'",
        ),
        (["--score", "3-5", "--away", "4,2"], "bgai met: the score is given twice, by --score and by --away"),
        (["--away", "0,2"], "bgai met: points away: expected 1 to 1000 each, found 0,2"),
        (["--away", "8,2", "--length", "7"], "bgai met: points away: expected 1 to 7 each, found 8,2"),
        (["--check", "--away", "8,2"], "bgai met: --check looks at a whole table"),
        (["--gammon-rate", "0.3"], "bgai met: --gammon-rate is for computing a table: bgai met build --gammon-rate …"),
        (["-o", "x.csv"], "bgai met: -o is for computing a table: bgai met build -o …"),
        (["build", "--check"], "bgai met: build takes no --check, --score or --away"),
        (["build", "--gammon-rate", "2"], "argument --gammon-rate: expected a number from 0 to 1, found '2'"),
        (["build", "--gammon-rate", "x"], "argument --gammon-rate: expected a number from 0 to 1, found 'x'"),
        (["build", "--gammon-rate", "0.7"], "bgai met: rate 'gammon': expected 0 to 0.6, found 0.7"),
        (["build", "-o", "no/such/folder.csv"], "bgai met: cannot read or write"),
        (["build", "--length", "0"], "argument --length: expected a whole number from 1 to 1000, found '0'"),
    ],
)
def test_bad_input(bgai_command: Command, words: list[str], said: str) -> None:
    assert said in bgai_command.bad("met", *words)
