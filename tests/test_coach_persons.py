"""Who is spoken to is `you`, in every template."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bgai.coach import explain_cube, explain_play
from bgai.coach.persons import YOU, Person, does, sentence
from bgai.position import Position
from tests.coaching import analyst

COACH = Path(__file__).parents[1] / "bgai" / "coach"


@pytest.mark.parametrize(
    ("verb", "second"),
    [("wins", "win"), ("passes", "pass"), ("loses", "lose"), ("tries", "try"), ("has", "have"), ("is", "are")],
)
def test_verbs_agree(verb: str, second: str) -> None:
    assert does("Ann", verb) == f"Ann {verb}"
    assert does(YOU, verb) == f"you {second}"
    assert f"{Person(YOU):~{verb}}, {Person('Ann'):~{verb}}" == f"{second}, {verb}"


def test_what_belongs_to_somebody() -> None:
    assert f"{Person(YOU):'s} {Person('Ann'):'s}" == "your Ann's"
    assert f"{Person(YOU)} and {Person('Ann')}" == "you and Ann"
    assert sentence("you win.") == "You win."
    assert sentence("tiny wins.") == "tiny wins."


@pytest.mark.parametrize(
    "path", sorted(COACH.glob("*words.py")) + sorted(COACH.glob("play_*.py")), ids=lambda path: path.name
)
def test_no_template_has_a_verb_beside_a_name(path: Path) -> None:
    """What agrees with a name stands inside its field."""
    assert not re.findall(
        r"\{(?:own|other|name|foe|leader)\}+(?:'s| (?:then )?(?:\w+[^s\W]s|passes)\b)", path.read_text("utf-8")
    )


def test_the_tutor_speaks_to_the_person() -> None:
    played = explain_play(analyst(), Position(dice=(3, 1)), "24/23 13/10", names=(YOU, "O"))
    text = played.text()
    assert "You have an anchor on the 24 point." in text
    assert "rolls leave you less than" in text
    assert "outside O's home board" in text
    answer = explain_cube(analyst(), Position(), "take", names=("O", YOU)).text()
    assert re.search(r"^O wins [\d.]+% of the games, [\d.]+% with a gammon; you win ", answer, re.MULTILINE)
    assert re.search(r"^You need [\d.]+% to take and have ", answer, re.MULTILINE)
    for said in (text, answer):
        assert not re.search(r"\b[Yy]ou(?:'s| is| has| \w+[^s\W]s)\b", said)
        assert not re.search(r"(?<!^)(?<!\. )\bYour?\b", said, re.MULTILINE)
