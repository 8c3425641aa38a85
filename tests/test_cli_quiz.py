"""`bgai quiz`, with what a person would type."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path

import pytest

from bgai.board import flip
from bgai.cli import quiz
from bgai.history import open_history
from bgai.history.problem import Card
from bgai.notation.drawing import draw
from tests.cli import START_ID, Command
from tests.histories import analysis_of, short_record, some_analyses

TODAY = date(2026, 5, 1)
(MATCH,) = some_analyses(1)
LIST = f"""# openings, then the cube
{START_ID} 31

{START_ID}   # before the roll
XGID=-b----E-C---eE---c-e----B-:0:0:1:D:0:0:0:0:10
""".replace("   # before the roll", "")


@pytest.fixture(autouse=True)
def days(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """The clock; it is turned to so many days after the first."""

    def turn(later: int) -> None:
        monkeypatch.setattr(quiz, "CLOCK", lambda: TODAY + timedelta(days=later))

    turn(0)
    return turn


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "history.sqlite"


@pytest.fixture
def filled(database: Path) -> Path:
    """Ann's and Ben's errors of one match."""
    with open_history(str(database)) as history:
        history.remember(MATCH)
    # The problems are there from the day on which the test runs.
    with open_history(str(database)) as history:
        assert history.count(history.player("Ann"), date.today())[0] > 3
    return database


@pytest.fixture
def listed(tmp_path: Path) -> Path:
    path = tmp_path / "positions.txt"
    path.write_text(LIST, "utf-8")
    return path


def cards(database: Path, day: date, player: str | None = None) -> list[Card]:
    with open_history(str(database)) as history:
        return history.due(history.player(player) if player else None, day, 1000)


def typed(bgai_command: Command, database: Path, *lines: str, words: tuple[str | Path, ...] = ()) -> str:
    return bgai_command.good("quiz", "--db", database, "--ascii", *words, stdin="".join(f"{line}\n" for line in lines))


def test_a_list_is_asked_and_comes_again_later(
    bgai_command: Command, database: Path, listed: Path, days: Callable[[int], None]
) -> None:
    importing = ("--import", listed, "--level", "0-ply")
    told = typed(bgai_command, database, "6/5 8/5", "no", "take", words=importing)
    assert "3 problems added.\n3 of 3 problems are due." in told
    assert draw(cards(database, TODAY + timedelta(days=1))[0].problem.position.board, ascii_only=True)[:60] in told
    assert "Your play (3-1): 6/5 8/5\n8/5 6/5 is right.\n" in told
    assert "Double or no double: no\nNo double is right.\n" in told
    assert "The opponent doubles to 2.\nTake or pass: take\nTake is right.\n" in told
    assert told.endswith("3 of 3 answers right; the next is due in 1 day.\n")
    assert "0 of 3 problems are due" in typed(bgai_command, database)
    days(1)
    told = typed(bgai_command, database, "24/23 6/3", "double", "pass")
    assert "24/23 6/3 loses at least 0." in told
    assert "the best is 8/5 6/5." in told
    assert "Double loses 0." in told
    assert told.endswith("0 of 3 answers right; the next is due in 1 day.\n")
    days(2)
    assert typed(bgai_command, database, "8/5 6/5").startswith("3 of 3 problems are due")
    days(3)
    told = typed(bgai_command, database, "no double", "t", "8/5 6/5")
    assert told.count("It comes again in 1 day") == 2
    assert told.count("It comes again in 6 days") == 1


def test_a_list_is_looked_at_once(bgai_command: Command, database: Path, listed: Path, tmp_path: Path) -> None:
    importing = ("--import", listed, "--level", "0-ply", "--count", "0")
    assert typed(bgai_command, database, words=importing) == (
        "3 problems added.\n3 of 3 problems are due. Type help for what can be typed.\n3 still due.\n"
    )
    more = tmp_path / "more.txt"
    more.write_text(f"{LIST}{START_ID} 42\n")
    told = typed(bgai_command, database, words=("--import", more, "--level", "0-ply", "--count", "0"))
    assert told.startswith("1 problem added, 3 there already.\n4 of 4")


def test_own_errors_are_asked(bgai_command: Command, filled: Path, days: Callable[[int], None]) -> None:
    days((date.today() - TODAY).days)
    first, second, *_ = cards(filled, date.today(), "Ann")
    answers = [first.problem.best.text, second.problem.made or ""]
    told = typed(bgai_command, filled, *answers, words=("--count", "2"))
    count = len(cards(filled, date.today(), "Ann")) + 2
    assert told.startswith(f"{count} of {count} problems for Ann are due.")
    assert "Problem 1 of 2: Ann - Ben, 2026-03-01, game 1" in told
    assert " is right.\nIn the match: " in told
    loss = second.problem.best.equity - next(
        choice.equity for choice in second.problem.choices if choice.text == second.problem.made
    )
    assert f" loses {loss:.3f} (" in told
    assert f"In the match: {second.problem.made}." in told
    assert told.endswith(f"1 of 2 answers right; {count - 2} still due.\n")
    ben = typed(bgai_command, filled, words=("--player", "BEN"))
    assert ben.startswith(f"{len(cards(filled, date.today(), 'Ben'))} of")


def board(text: str) -> list[str]:
    """The checkers of a drawing, without what stands beside it."""
    return [line[:47] for line in text.splitlines() if line.startswith("|")]


def test_a_double_to_answer_is_seen_from_the_other_side(
    bgai_command: Command, database: Path, days: Callable[[int], None]
) -> None:
    with open_history(str(database)) as history:
        for seed in range(30):
            analysis = analysis_of(short_record(), seed)
            (answer,) = [one for one in analysis.decisions if one.kind == "answer" and one.seat == 0]
            if answer.mark == "very bad":
                break
        history.remember(analysis)
    days((date.today() - TODAY).days)
    number = [card.problem.kind for card in cards(database, date.today(), "Ann")].index("answer")
    told = typed(bgai_command, database, *["skip"] * number, "drop", words=("--player", "Ann"))
    asked = told.split("Problem ")[number + 1]
    seen = answer.position
    assert seen.offer == "double"
    assert "The opponent doubles to 2.\nTake or pass: drop\nPass is right.\nIn the match: take." in asked
    assert board(asked) == board(draw(flip(seen.board), ascii_only=True)) != board(draw(seen.board, ascii_only=True))


def test_other_words(bgai_command: Command, database: Path, listed: Path) -> None:
    words = ("--import", listed, "--level", "0-ply")
    told = typed(bgai_command, database, "help", "8/1", "", "board", "skip", "perhaps", "show", "quit", words=words)
    assert "skip           leave the problem for another time" in told
    assert "'8/1' is not a legal play here" in told
    assert "expected a play such as 8/5 6/5, or help" in told
    assert "expected double, no double, or help; found 'perhaps'" in told
    assert "show\nThe best is no double.\n" in told
    assert told.count("X to play 3-1") == 2
    assert told.endswith("0 of 1 answer right; 2 still due.\n")


def test_answers_are_kept_when_the_input_ends(bgai_command: Command, database: Path, listed: Path) -> None:
    told = typed(bgai_command, database, "8/5 6/5", words=("--import", listed, "--level", "0-ply"))
    assert told.endswith("\nThe input has ended.\n1 of 1 answer right; 2 still due.\n")
    assert "2 of 3 problems are due" in typed(bgai_command, database)


def test_answers_are_kept_after_ctrl_c(
    bgai_command: Command, database: Path, listed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = iter(["8/5 6/5"])

    def types(prompt: str) -> str:
        try:
            return next(answers)
        except StopIteration:
            raise KeyboardInterrupt from None

    monkeypatch.setattr(builtins, "input", types)
    outcome = bgai_command("quiz", "--db", database, "--import", listed, "--level", "0-ply")
    assert (outcome.code, outcome.err) == (130, "")
    assert outcome.out.endswith("1 of 1 answer right; 2 still due.\n")
    monkeypatch.undo()
    assert len(cards(database, TODAY)) == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "holds no position, expected one a line"),
        ("# nothing\n", "holds no position"),
        (f"{START_ID} 31\nnonsense\n", "positions.txt, line 2: a position ID has 14 characters"),
        (f"{START_ID} 71\n", "positions.txt, line 1: "),
        (
            "XGID=-b----E-C---eE---c-e----B-:1:-1:1:00:0:0:0:0:10\n",
            "positions.txt, line 1: there is no double to decide",
        ),
    ],
)
def test_lists_that_cannot_be_used(
    bgai_command: Command, database: Path, listed: Path, text: str, message: str
) -> None:
    listed.write_text(text)
    assert message in bgai_command.bad("quiz", "--db", database, "--import", listed, "--level", "0-ply")


def test_what_else_can_be_wrong(
    bgai_command: Command, database: Path, listed: Path, filled: Path, tmp_path: Path
) -> None:
    importing = ("quiz", "--db", tmp_path / "new.sqlite", "--import")
    assert "cannot read the file" in bgai_command.bad(*importing, tmp_path / "none.txt")
    assert "'beginner' errs on purpose" in bgai_command.bad(*importing, listed, "--level", "beginner")
    assert "has no opinions" in bgai_command.bad(*importing, listed, "--level", "random")
    assert "no player 'Dan', expected Ann (1)" in bgai_command.bad("quiz", "--db", filled, "--player", "Dan")
    assert "no history in" in bgai_command.bad("quiz", "--db", tmp_path / "nowhere.sqlite")
    with open_history(str(tmp_path / "empty.sqlite")):
        pass
    told = bgai_command.bad("quiz", "--db", tmp_path / "empty.sqlite")
    assert told == "bgai quiz: no problems yet, expected matches with errors in the history, or --import FILE"
