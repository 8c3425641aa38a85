"""`bgai history`."""

from __future__ import annotations

import importlib.util
import json
import os
import sqlite3
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest

from bgai.history import database, open_history
from tests.cli import Command
from tests.histories import analysis_of, some_analyses, whole_record

ANN_BEN = some_analyses(3)
WITH_CAT = analysis_of(whole_record(9, ("Cat", "Ann"), date="2026-02-28"), 9)


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three matches of Ann against Ben, and one before against Cat; it is not written to."""
    path = tmp_path_factory.mktemp("history") / "history.sqlite"
    with open_history(str(path)) as history:
        for analysis in (*ANN_BEN, WITH_CAT):
            history.remember(analysis)
    return path


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A data base with one match."""
    path = tmp_path / "own.sqlite"
    with open_history(str(path)) as history:
        history.remember(ANN_BEN[0])
    return path


def written(folder: Path, name: str, data: Any) -> Path:
    path = folder / name
    path.write_text(data if isinstance(data, str) else json.dumps(data), "utf-8")
    return path


def pr(rating: float | None) -> str:
    return "-" if rating is None else f"{rating:.2f}"


def test_the_page_has_the_figures_of_the_analyses(bgai_command: Command, filled: Path) -> None:
    lines = bgai_command.good("history", "--db", filled).splitlines()
    seats = [WITH_CAT.statistics()[1], *(one.statistics()[0] for one in ANN_BEN)]
    together = seats[0].all + seats[1].all + seats[2].all + seats[3].all
    won = sum(one.record.final.winner == seat for one, seat in zip([WITH_CAT, *ANN_BEN], (1, 0, 0, 0), strict=True))
    assert lines[0] == f"Ann, 4 matches, 2026-02-28 to 2026-03-03: {won} won, {4 - won} lost"
    assert lines[1].startswith(f"PR {pr(together.pr)}, plays ")
    rows = [line.split() for line in lines[4:8]]
    assert [row[:4] for row in rows] == [
        ["4", "2026-02-28", "Cat", "1"],
        *([str(number), f"2026-03-0{number}", "Ben", "1"] for number in (1, 2, 3)),
    ]
    assert [row[-5:-1] for row in rows] == [
        [str(one.all.decisions), pr(one.checker.pr), pr(one.cube.pr), pr(one.pr)] for one in seats
    ]
    assert rows[-1][-1] == pr(together.pr)
    assert lines[10].split()[:2] == ["Ben", "3"]
    faults = lines[lines.index("errors with the cube  number    loss") + 1 :]
    missed = [one.faults["missed double"] for one in seats if "missed double" in one.faults]
    expected = f"missed double {sum(one.decisions for one in missed)} {sum(one.loss for one in missed):.3f}"
    assert expected in [" ".join(line.split()) for line in faults]


def test_the_rolling_rating_has_a_window(bgai_command: Command, filled: Path) -> None:
    rows = json.loads(bgai_command.good("history", "--db", filled, "--window", "1", "--json"))["matches"]
    assert all(row["rolling_pr"] == row["pr"] for row in rows)
    assert "last 3" in bgai_command.good("history", "--db", filled, "--window", "3")


def test_json_has_everything(bgai_command: Command, filled: Path) -> None:
    data = json.loads(bgai_command.good("history", "--db", filled, "--player", "ben", "--json"))
    expected = ANN_BEN[1].statistics()[1]
    second = data["matches"][1]
    assert (data["version"], data["player"], data["all"]["matches"]) == (1, "Ben", 3)
    assert second["checker"] == {
        "decisions": expected.checker.decisions,
        "loss": pytest.approx(expected.checker.loss),
        "pr": pytest.approx(expected.checker.pr),
        "marks": expected.checker_marks,
    }
    assert (second["opponent"], second["won"]) == ("Ann", ANN_BEN[1].record.final.winner == 1)
    assert sum(plan["decisions"] for plan in data["plans"].values()) == data["all"]["checker"]["decisions"]


def test_matches_can_be_chosen(bgai_command: Command, filled: Path) -> None:
    assert "against" in bgai_command.good("history", "--db", filled, "--opponent", "CAT")
    one = bgai_command.good("history", "--db", filled, "--opponent", "cat", "--since", "2026-02-28")
    assert one.startswith("Ann, 1 match, 2026-02-28: ")
    assert (
        len(json.loads(bgai_command.good("history", "--db", filled, "--since", "2026-03-02", "--json"))["matches"]) == 2
    )


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_rating_is_drawn(bgai_command: Command, filled: Path, tmp_path: Path, theme: str) -> None:
    svg, png = tmp_path / "rating.svg", tmp_path / "rating.png"
    for path in (svg, png):
        bgai_command.good("history", "--db", filled, "--plot", path, "--theme", theme)
    assert len(list(ElementTree.parse(svg).getroot().iter("{http://www.w3.org/2000/svg}circle"))) == 1 + 4
    data = png.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert int.from_bytes(data[16:20]) == 860


def test_analyses_are_taken_in_and_forgotten(bgai_command: Command, tmp_path: Path) -> None:
    database = tmp_path / "new.sqlite"
    files = [written(tmp_path, f"{number}.json", ANN_BEN[number].to_dict()) for number in range(2)]
    assert bgai_command.good("history", "import", *files, "--db", database).splitlines() == [
        f"{files[0]}: match 1 added",
        f"{files[1]}: match 2 added",
    ]
    shallow = analysis_of(ANN_BEN[0].record, 4, level="0-ply", plies=0).to_dict()
    outcome = bgai_command("history", "import", "-", "--db", database, stdin=json.dumps(shallow))
    assert outcome.out == "-: match 1 left as it is: its analysis there looks further ahead\n"
    assert bgai_command.good("history", "import", files[0], "--db", database) == (
        f"{files[0]}: match 1 replaced by the new analysis\n"
    )
    assert bgai_command.good("history", "forget", "1", "--db", database) == "forgotten: match 1, Ann and Ben\n"
    assert bgai_command.good("history", "--db", database).startswith("Ann, 1 match, 2026-03-02")


def test_an_export_is_taken_in_elsewhere(bgai_command: Command, filled: Path, tmp_path: Path) -> None:
    text = bgai_command.good("history", "export", "--db", filled)
    export = written(tmp_path, "export.json", text)
    bgai_command.good("history", "import", export, "--db", tmp_path / "other.sqlite")
    assert bgai_command.good("history", "export", "--db", tmp_path / "other.sqlite") == text


def test_a_name_becomes_a_spelling(bgai_command: Command, own: Path, tmp_path: Path) -> None:
    other = written(tmp_path, "other.json", analysis_of(whole_record(9, ("A. Smith", "Cat"))).to_dict())
    bgai_command.good("history", "import", other, "--db", own)
    told = bgai_command.good("history", "alias", "A. Smith", "ann", "--db", own)
    assert told == "A. Smith is Ann from now on: 2 matches\n"
    assert bgai_command.good("history", "--player", "a. smith", "--db", own).startswith("Ann, 2 matches")


def test_without_a_url_it_lies_in_the_data_folder(
    bgai_command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("BGAI_DB", raising=False)
    monkeypatch.setenv("BGAI_DATA", str(tmp_path / "data"))
    file = written(tmp_path, "match.json", ANN_BEN[0].to_dict())
    bgai_command.good("history", "import", file)
    assert (tmp_path / "data" / "history.sqlite").exists()
    assert bgai_command.good("history") == bgai_command.good("history", "--db", tmp_path / "data" / "history.sqlite")
    monkeypatch.setenv("BGAI_DB", f"sqlite:///{tmp_path}/elsewhere.sqlite")
    assert "no history in" in bgai_command.bad("history")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--player", "Dan"], "no player 'Dan', expected Ann (4), Ben (3), Cat (1) (with the number of their matches)"),
        (["--opponent", "Dan"], "no player 'Dan', expected Ann (4)"),
        (["--player", "Ben", "--opponent", "Cat"], "no match of Ben against Cat, the history has 3 from 2026-03-01 to"),
        (["--since", "yesterday"], "expected a day such as 2026-01-31, found 'yesterday'"),
        (["--window", "0"], "expected a whole number of 1 or more, found '0'"),
        (["--plot", "rating.gif"], "--plot: expected a file that ends in .svg or .png, found 'rating.gif'"),
        (["--plot", "nowhere/rating.svg"], "cannot write the file 'nowhere/rating.svg': No such file"),
        (["remember"], "expected import, forget, alias or export, found 'remember'"),
        (["import"], "expected files behind import"),
        (["import", "none.json"], "cannot read the file 'none.json': No such file or directory"),
        (["forget", "Ann"], "expected the number of a match behind forget, found Ann"),
        (["forget"], "expected the number of a match behind forget, found nothing"),
        (["forget", "77"], "no match 77 in the history"),
        (["alias", "Ann"], "expected a name and a player behind alias, found Ann"),
        (["alias", "A. Smith", "Dan"], "no player 'Dan'"),
        (["export", "all"], "export takes nothing behind it, found 'all'"),
        (["export", "--player", "Ann"], "--player is for showing the development, found it beside export"),
    ],
)
def test_what_can_be_wrong(bgai_command: Command, filled: Path, words: list[str], message: str) -> None:
    assert message in bgai_command.bad("history", *words, "--db", filled)


def test_files_that_hold_something_else(bgai_command: Command, own: Path, tmp_path: Path) -> None:
    for name, data, message in (
        ("text.json", "; [Site]", "expected JSON"),
        ("list.json", [1, 2], "expected the JSON of an analysis or of bgai history export"),
        ("old.json", ANN_BEN[0].to_dict() | {"format": 0}, "expected an analysis of format 1, found 0"),
    ):
        file = written(tmp_path, name, data)
        assert f"{str(file)!r}: {message}" in bgai_command.bad("history", "import", file, "--db", own)
    (tmp_path / "binary.json").write_bytes(b"\xff\xfe\x00")
    assert "is no text in UTF-8" in bgai_command.bad("history", "import", tmp_path / "binary.json", "--db", own)


def test_without_a_history(bgai_command: Command, tmp_path: Path) -> None:
    told = bgai_command.bad("history", "--db", tmp_path / "none.sqlite")
    assert told == (
        f"bgai history: no history in '{tmp_path}/none.sqlite' yet, expected matches that bgai analyse or"
        " bgai history import put there"
    )
    assert "file is not a database" in bgai_command.bad("history", "--db", written(tmp_path, "x.sqlite", "x" * 999))


def test_a_data_base_that_cannot_be_written(
    bgai_command: Command, own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = written(tmp_path, "match.json", ANN_BEN[1].to_dict())
    monkeypatch.setattr(database, "PATIENCE", 0.05)
    rows = sqlite3.connect(own, isolation_level=None)
    try:
        rows.execute("BEGIN IMMEDIATE")
        assert f"the history {str(own)!r}: database is locked" in bgai_command.bad(
            "history", "import", file, "--db", own
        )
    finally:
        rows.close()
    told = bgai_command.bad("history", "import", file, "--db", f"sqlite:///file:{own}?mode=ro&uri=true")
    assert "attempt to write a readonly database" in told


def test_without_its_package_it_says_what_to_install(bgai_command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "sqlalchemy" else find(name))
    for command in ("history", "quiz"):
        told = bgai_command.bad(command)
        assert told == f"bgai {command}: the history needs the package SQLAlchemy: pip install 'bgai[history]'"


def test_everything_else_works_without_its_package(tmp_path: Path) -> None:
    """The help reads all commands."""
    code = (
        "import sys\nsys.modules['sqlalchemy'] = None\nfrom bgai.cli.main import main, parser\n"
        "parser()\nimport bgai.history\nassert not bgai.history.installed()\nsys.exit(main(['history']))"
    )
    finished = subprocess.run(
        [sys.executable, "-c", code], env=os.environ, cwd=tmp_path, capture_output=True, text=True, timeout=300
    )
    assert finished.returncode == 2
    assert finished.stderr.endswith("pip install 'bgai[history]'\n")
    assert "Traceback" not in finished.stderr
