"""wildbg's two questions: its parameters, its JSON, its texts."""

from __future__ import annotations

import json

import numpy as np
import pytest

import bgai
from bgai.server.wildbg_routes import probabilities
from tests.server.conftest import Served

START = "p24=2&p19=-5&p17=-3&p13=5&p12=-5&p8=3&p6=5&p1=-2"
NAMES = ["win", "winG", "winBg", "loseG", "loseBg"]


def test_the_documented_example(api: Served) -> None:
    response = api.get(f"/move?die1=3&die2=1&{START}")
    assert (response.status_code, response.headers["content-type"]) == (200, "application/json")
    moves = response.json()["moves"]
    assert len(moves) == len(bgai.legal_plays(bgai.START, (3, 1)))
    assert list(moves[0]) == ["play", "probabilities"]
    assert sorted((step["from"], step["to"]) for step in moves[0]["play"]) == [(6, 5), (8, 5)]
    assert list(moves[0]["probabilities"]) == NAMES
    ranked = bgai.Analyst.of().rank([bgai.Position(dice=(3, 1))])
    for move, number in zip(moves, ranked.order, strict=True):
        assert [np.float32(move["probabilities"][name]) for name in NAMES] == ranked.outcomes[number].tolist()


@pytest.mark.parametrize(
    ("query", "plays"),
    [
        ("die1=3&die2=1&p5=1&p24=-1", [[(5, 2), (2, 1)], [(5, 4), (4, 1)]]),
        ("die1=6&die2=5&p25=1&p20=-2&p19=-2&p1=-2&p6=14", [[]]),
        ("die1=1&die2=2&p25=1&p3=1&p24=-2&p23=-2&p1=-1", [[]]),
    ],
)
def test_plays_are_steps_of_single_checkers(api: Served, query: str, plays: list[list[tuple[int, int]]]) -> None:
    (move,) = api.get(f"/move?{query}").json()["moves"]
    assert [(step["from"], step["to"]) for step in move["play"]] in plays


def test_a_checker_that_moves_twice_has_two_steps(api: Served) -> None:
    moves = api.get("/move?die1=1&die2=1&p5=2&p24=-1").json()["moves"]
    assert len(moves) == 3
    assert all(len(move["play"]) == 4 for move in moves)


def test_numbers_are_the_shortest_that_say_a_float32() -> None:
    outcomes = np.array([0.13095237, 0.001984127, 0.0009920635, 0.0, 1.0], dtype=np.float32)
    text = json.dumps(probabilities(outcomes), separators=(",", ":"))
    assert text == '{"win":0.13095237,"winG":0.001984127,"winBg":0.0009920635,"loseG":0.0,"loseBg":1.0}'


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("/move?die1=2&die2=0&p4=4&p5=-5", "Dice values must be between 1 and 6."),
        ("/move?die1=7&die2=1&p4=4&p5=-5", "Dice values must be between 1 and 6."),
        ("/move?die1=3&die2=1&p4=10&p5=6", "Player x has more than 15 checkers on the board."),
        ("/eval?p4=-10&p5=-6&p6=1", "Player o has more than 15 checkers on the board."),
        (
            "/move?die1=2&die2=1&p4=4&p5=-5&p25=-2",
            "Index 25 is the bar for player x, number of checkers needs to be positive.",
        ),
        (
            "/eval?p0=1&p4=4&p5=-5",
            "Index 0 is the bar for player o, number of checkers needs to be negative.",
        ),
        (f"/move?die1=3&die2=1&{START}&o_away=1", "If x_away is 0, then o_away must also be 0."),
        (f"/move?die1=3&die2=1&{START}&x_away=3", "If o_away is 0, then x_away must also be 0."),
        ("/eval", "Neither side has a checker left."),
    ],
)
def test_values_that_cannot_be_are_refused_in_its_words(api: Served, query: str, message: str) -> None:
    response = api.get(query)
    assert (response.status_code, response.headers["content-type"]) == (400, "application/json")
    assert response.text == json.dumps({"message": message}, separators=(",", ":"))


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("/move", "missing field `die1`"),
        ("/move?die2=1", "missing field `die1`"),
        (f"/move?die1=3&{START}", "missing field `die2`"),
        ("/move?die1=x&die2=1", "invalid digit found in string"),
        ("/move?die1=-1&die2=1", "invalid digit found in string"),
        ("/move?die1=&die2=1", "cannot parse integer from empty string"),
        ("/eval?p1=128", "number too large to fit in target type"),
        ("/eval?p1=-129", "number too small to fit in target type"),
        (f"/eval?p1={'9' * 6000}", "number too large to fit in target type"),
        ("/eval?p1=1&p1=2", "duplicate field `p1`"),
        ("/eval?p1=1.5", "invalid digit found in string"),
        (f"/eval?{START}&crawford=yes", "provided string was not `true` or `false`"),
    ],
)
def test_queries_that_cannot_be_read_are_refused_in_plain_text(api: Served, query: str, message: str) -> None:
    response = api.get(query)
    assert (response.status_code, response.headers["content-type"]) == (400, "text/plain; charset=utf-8")
    assert response.text == f"Failed to deserialize query string: {message}"


def test_an_evaluation_has_a_real_cube(api: Served) -> None:
    found = api.get(f"/eval?{START}").json()
    assert list(found) == ["cube", "probabilities"]
    assert found["cube"] == {"double": False, "accept": True}
    outcomes = bgai.Analyst.of().evaluate(bgai.Position()).outcomes
    assert [np.float32(found["probabilities"][name]) for name in NAMES] == outcomes.tolist()
    # A race that is as good as won, and no gammon to play on for.
    lost = api.get("/eval?p1=2&p2=2&p3=2&p19=-8").json()
    assert lost["cube"] == {"double": True, "accept": False}


def test_any_score_counts(api: Served) -> None:
    # After the Crawford game whoever trails doubles at once.
    position = bgai.Position(score=bgai.Score((3, 4), 5, crawford=False))
    decision = bgai.decide_cube(bgai.Analyst.of(), position, look_ahead=False)
    found = api.get(f"/eval?{START}&x_away=2&o_away=1&crawford=false").json()
    assert found["cube"] == {"double": decision.action == "double", "accept": decision.answer != "pass"}
    assert found["cube"]["double"] is True
    assert api.get(f"/eval?{START}&x_away=2&o_away=1").json()["cube"]["double"] is False
    assert api.get(f"/eval?{START}&x_away=1&o_away=1").status_code == 200


def test_plays_are_ranked_at_the_score(api: Served) -> None:
    query = f"/move?die1=6&die2=4&{START}"
    wins = [move["probabilities"]["win"] for move in api.get(f"{query}&x_away=1&o_away=1").json()["moves"]]
    assert wins == sorted(wins, reverse=True)
    money = [move["probabilities"]["win"] for move in api.get(query).json()["moves"]]
    assert money != sorted(money, reverse=True)


def test_a_finished_game_is_certain(api: Served) -> None:
    won = api.get("/eval?p20=-15").json()
    assert won == {
        "cube": {"double": False, "accept": False},
        "probabilities": {"win": 1.0, "winG": 1.0, "winBg": 0.0, "loseG": 0.0, "loseBg": 0.0},
    }
    (move,) = api.get("/move?die1=1&die2=1&p20=15").json()["moves"]
    assert move["play"] == []
    assert move["probabilities"]["win"] == 0.0
