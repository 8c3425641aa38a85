"""`bgai analyse`, and `bgai move --play`."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest

from bgai.analysis import Analysis, MatchAnalyst
from bgai.analysis.match import Rollouts
from bgai.catalogue import open_model
from bgai.cli import analyse
from bgai.errors import InputError
from bgai.matchfiles.mat_writer import write_mat
from bgai.record import MatchRecord
from bgai.rollout import Settings as RolloutSettings
from tests.analysed import MATCH, committed_analysis, committed_match, same
from tests.cli import START_ID, Command


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which these tests keep their answers, as many of them ask the same."""
    return tmp_path_factory.mktemp("answers")


@pytest.fixture(autouse=True)
def _own_folder_for_answers(answers: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only what is kept goes there: machine code and tables stay where they are."""
    monkeypatch.setattr("bgai.analysis.kept.user_cache", lambda: answers)


@pytest.fixture
def nothing_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bgai.analysis.kept.user_cache", lambda: tmp_path / "cache")


def beginning(path: Path, events: int | None = None) -> Path:
    """The first game of the match, or so many of its events."""
    record = committed_match()
    path.write_text(write_mat(MatchRecord.of(record.players, record.rules, record.games[0].events[:events])), "utf-8")
    return path


@pytest.fixture
def short(tmp_path: Path) -> Path:
    """The first game of the match."""
    return beginning(tmp_path / "short.mat")


@pytest.fixture
def one_error(tmp_path: Path) -> Path:
    """The plays up to the first that loses more than 0.2."""
    return beginning(tmp_path / "error.mat", 10)


def test_json_is_what_the_library_says(bgai_command: Command) -> None:
    printed = json.loads(bgai_command.good("analyse", MATCH, "--plies", "0", "--json"))
    assert printed["version"] == 1
    assert same(Analysis.from_dict(printed), committed_analysis())


def test_the_page(bgai_command: Command) -> None:
    page = bgai_command.good("analyse", MATCH, "--plies", "0", "--errors", "3")
    analysis = committed_analysis()
    lines = page.splitlines()
    assert lines[0] == "Ann against Ben, a match to 7 points, 5 games"
    assert lines[1] == f"{open_model().name}, 0-ply, Kazaross-XG2"
    ann, ben = analysis.statistics().players
    (rating,) = [line for line in lines if line.startswith("PR (500 x loss a decision)")]
    assert rating.split()[-2:] == [f"{ann.pr:.2f}", f"{ben.pr:.2f}"]
    start = next(number for number, line in enumerate(lines) if line.startswith("loss"))
    worst = sorted(analysis.decisions, key=lambda one: -one.loss)[:3]
    for line, one in zip(lines[start + 1 : start + 4], worst, strict=True):
        assert line.split()[0] == f"{1000 * one.loss:.0f}"
        assert one.best.text in line
        assert f" {one.game + 1}.{analysis.row(one)} " in line
        assert f"XGID={line.split()[-1]}" == one.xgid
    assert lines[start + 4] == ""
    assert [line.split()[0] for line in lines[-5:]] == list("12345")


def test_an_error_is_found_in_the_file_and_explained(bgai_command: Command) -> None:
    """By its row, behind a double too, and by its XGID, with the score and the cube."""
    analysis = committed_analysis()
    games = re.split(r"^ Game \d+\n", MATCH.read_text("utf-8"), flags=re.MULTILINE)[1:]
    rows = [{int(line[:3]): line for line in re.findall(r"^ *\d+\).*$", game, re.MULTILINE)} for game in games]
    wrong = [one for one in analysis.decisions if one.mark and one.kind == "play"]
    after_cube = 0
    for one in wrong:
        line = rows[one.game][analysis.row(one)]
        assert one.position.dice is not None
        high, low = one.position.dice
        assert f"{high}{low}:" in line or f"{low}{high}:" in line
        after_cube += one.position.cube.value > 1
    assert after_cube
    printed = bgai_command.good("analyse", MATCH, "--plies", "0", "--errors", "0")
    (line,) = [line for line in printed.splitlines() if "answers a double  pass" in line]
    told = json.loads(bgai_command.good("coach", line.split()[-1], "--plies", "0", "--json"))
    assert told["xgid"].endswith(":0:0:0:7:10")


def test_a_position_and_no_decision(bgai_command: Command, tmp_path: Path) -> None:
    path = tmp_path / "position.txt"
    xgid = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
    path.write_text(f"{xgid}\n\nX:Ann   O:Ben\n")
    said = bgai_command.bad("analyse", path, "--plies", "0")
    what = f"'{path}' holds a position and no decision, expected a match"
    assert said == f"bgai analyse: {what}; bgai coach {xgid} explains it, bgai move ranks the plays"


def test_a_file_cannot_steer_the_terminal(bgai_command: Command, short: Path, tmp_path: Path) -> None:
    short.write_text(short.read_text("utf-8").replace("Ann", "A\x1b[31mn"), "utf-8")
    out = tmp_path / "out.md"
    assert "\x1b" not in bgai_command.good("analyse", short, "--plies", "0", "--md", out)
    assert "\x1b" not in out.read_text("utf-8")


def test_rollouts_have_an_error(bgai_command: Command, one_error: Path) -> None:
    words = ("analyse", one_error, "--plies", "0", "--rollouts", "0.2", "--trials")
    assert "trials: found 36, expected at least 72: " in bgai_command.bad(*words, "36")
    with pytest.raises(InputError, match="trials: found 36, expected at least 72"):
        Rollouts(settings=RolloutSettings(trials=36))

    def never(name: str) -> None:
        raise AssertionError(f"JSON has no {name}")

    printed = json.loads(bgai_command.good(*words, "72", "--json"), parse_constant=never)
    errors = [choice["error"] for one in printed["decisions"] for choice in one["choices"] if "error" in choice]
    assert errors
    assert all(error < 1 for error in errors)


def test_files(bgai_command: Command, short: Path, tmp_path: Path) -> None:
    out, text = tmp_path / "analysis.json", tmp_path / "analysis.md"
    page = bgai_command.good("analyse", short, "--plies", "0", "--json", out, "--md", text)
    assert page.startswith("Ann against Ben")
    assert Analysis.from_dict(json.loads(out.read_text("utf-8"))).level == "0-ply"
    markdown = text.read_text("utf-8")
    assert markdown.startswith("# Ann against Ben, a match to 7 points, 1 game\n")
    tables = [line for line in markdown.splitlines() if line.startswith("|")]
    assert any("wrong pass" in line for line in tables)
    # A star is nothing special in a play.
    assert any("bar/18\\*" in line for line in tables)


def test_a_report(bgai_command: Command, short: Path, tmp_path: Path) -> None:
    out = tmp_path / "report.html"
    bgai_command.good("analyse", short, "--plies", "0", "--report", out)
    report = out.read_text("utf-8")
    assert "<html" in report
    # The coach explains the errors.
    assert "leads the race by" in report


def test_two_plies_if_nothing_is_said(bgai_command: Command, short: Path) -> None:
    assert f"{open_model().name}, 2-ply, Kazaross-XG2" in bgai_command.good("analyse", short, "--threads", "2")
    assert ", 1-ply, filter tiny," in bgai_command.good("analyse", short, "--plies", "1", "--filter", "tiny")
    assert ", 1-ply, " in bgai_command.good("analyse", short, "--level", "1-ply")


@pytest.mark.usefixtures("nothing_kept")
def test_interrupted_it_goes_on_where_it_was(
    bgai_command: Command, short: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("analyse", short, "--plies", "1", "--threads", "1", "--json")
    told: list[tuple[str, int, int]] = []

    class Interrupting(analyse.Stages):
        def __call__(self, stage: str, done: int, total: int) -> None:
            if stage != "decisions":
                return
            told.append((stage, done, total))
            if len(told) == 6:
                raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(analyse, "Stages", Interrupting)
        stopped = bgai_command(*words)
    assert (stopped.code, stopped.out) == (130, "")
    assert "the same command goes on from there" in stopped.err
    total = told[0][2]
    with monkeypatch.context() as patch:
        patch.setattr(analyse, "Stages", Interrupting)
        found = json.loads(bgai_command.good(*words))
    assert told[6] == ("decisions", 1, total - 6)
    assert found == json.loads(bgai_command.good(*words, "--again"))


@pytest.mark.usefixtures("nothing_kept")
def test_a_bar_for_each_stage(bgai_command: Command, one_error: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    shown = Terminal()
    monkeypatch.setattr("sys.stderr", shown)
    bgai_command("analyse", one_error, "--plies", "0", "--rollouts", "0.2", "--trials", "72")
    assert "decisions" in shown.getvalue()
    assert "rollouts" in shown.getvalue()
    assert "left" in shown.getvalue()


def test_answers_that_cannot_be_kept(
    bgai_command: Command, short: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    monkeypatch.setattr("bgai.analysis.kept.user_cache", lambda: tmp_path / "file")
    outcome = bgai_command("analyse", short, "--plies", "0")
    assert outcome.code == 0
    assert outcome.err.startswith("bgai: answers are not kept, cannot write ")
    assert outcome.err.count("\n") == 1


def test_problems_of_the_file_are_said(bgai_command: Command, short: Path) -> None:
    text = short.read_text("utf-8")
    wrong = text.replace("63: 25/22 13/7*", "63: 25/22 13/8*", 1)
    assert wrong != text
    short.write_text(wrong, "utf-8")
    outcome = bgai_command("analyse", short, "--plies", "0", "--json")
    assert outcome.code == 0
    assert outcome.err.startswith(f"bgai: {short}: line ")
    found = json.loads(outcome.out)
    assert [f"bgai: {short}: {problem}" for problem in found["problems"]] == outcome.err.splitlines()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "expected one file of a match in front of the options, found none"),
        (("{short}", "{short}"), "expected one file of a match in front of the options, found 2"),
        (("nowhere.mat",), "nowhere.mat"),
        (("{folder}",), "{folder}"),
        (("{short}", "--md", "{folder}/none/a.md"), "cannot write the file '{folder}/none/a.md': there is no folder"),
        (("{short}", "--json", "{folder}"), "cannot write the file '{folder}': it is a folder"),
        (("{short}", "--plies", "9"), "9 plies, expected 0 to 7"),
        (("{short}", "--level", "beginner"), "'beginner' errs on purpose"),
        (("{short}", "--level", "random"), "'random' has no opinions"),
        (("{short}", "--level", "1-ply", "--plies", "2"), "expected either --level or --plies, found both"),
        (("{short}", "--time", "soon"), "expected a time such as 100ms or 2s, found 'soon"),
        (("{short}", "--rollouts", "many"), "expected a loss of equity of 0 or more, such as 0.03, found 'many'"),
        (("{short}", "--rollouts", "--trials", "37"), "trials: found 37, expected a multiple of 36"),
        (("{short}", "--trials", "36"), "--trials is for rollouts, expected --rollouts beside it"),
        (("{short}", "--model", "nobody"), "nobody"),
    ],
)
def test_what_can_go_wrong(
    bgai_command: Command, short: Path, tmp_path: Path, words: tuple[str, ...], said: str
) -> None:
    names = {"short": str(short), "folder": str(tmp_path)}
    assert said.format(**names) in bgai_command.bad("analyse", *(word.format(**names) for word in words))


def test_nothing_is_analysed_before_it_can_be_written(
    bgai_command: Command, short: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(MatchAnalyst, "analyse")
    bgai_command.bad("analyse", short, "--report", "no/such/folder.html")


def test_a_play_that_is_asked_about(bgai_command: Command) -> None:
    page = bgai_command.good("move", START_ID, "31", "--top", "1", "--plies", "1", "--play", "13/10, 6/5")
    assert page.splitlines()[-1].startswith("13/10 6/5 (1-ply) gives up ")
    assert page.splitlines()[-1].endswith(" beside 8/5 6/5: very bad")
    best = bgai_command.good("move", START_ID, "31", "--play", "6/5 8/5")
    assert best.splitlines()[-1] == "8/5 6/5 is the best play"
    asked = json.loads(bgai_command.good("move", START_ID, "31", "--top", "1", "--play", "24/23 6/3", "--json"))[
        "asked"
    ]
    every = json.loads(bgai_command.good("move", START_ID, "31", "--top", "0", "--json"))["plays"]
    (there,) = [entry for entry in every if entry["play"] == "24/23 6/3"]
    assert {name: asked[name] for name in ("play", "plies", "equity", "loss")} == {
        name: there[name] for name in ("play", "plies", "equity", "loss")
    }
    assert (asked["mark"], asked["best"], asked["mwc_loss"]) == ("very bad", "8/5 6/5", None)
    assert "not a legal play" in bgai_command.bad("move", START_ID, "31", "--play", "8/3")
    assert "expected no --play beside --file" in bgai_command.bad("move", "--file", "-", "--play", "8/3")
