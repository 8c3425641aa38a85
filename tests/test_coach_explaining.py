"""Explanations: their numbers are facts, and the mistakes are named where they were made."""

from __future__ import annotations

import doctest
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from bgai import coach
from bgai.board import START
from bgai.coach import (
    Explanation,
    candidates_of,
    describe,
    explain_cube,
    explain_play,
    known_play,
    market_of,
    position_words,
)
from bgai.coach.cube_words import loss_of, read_done
from bgai.coach.reasons import reason
from bgai.cube_decision import decide_cube
from bgai.errors import InputError, PlayError, PositionError
from bgai.market import market_losers
from bgai.notation.playtext import format_play
from bgai.opinions import ROLLED
from bgai.plays import legal_plays
from bgai.position import Cube, Position, Score
from tests.coaching import Points, analyst, board_of, is_among, numbers_in
from tests.positions import mixed_positions

ROOT = Path(__file__).parents[1]
NAMES = ("X", "O")


def check_numbers(explanation: Explanation) -> None:
    """Every number that is said is one of the facts, and one of those that the reason itself gives."""
    facts = [
        float(number) for number in numbers_in([explanation.position.to_dict(), explanation.facts, explanation.best])
    ]
    for one in (*explanation.about, *explanation.reasons, *explanation.mistakes):
        given = [float(number) for number in numbers_in(one.numbers)]
        for number in numbers_in(one.text):
            assert is_among(number, given), (one.id, number, one.text)
            assert is_among(number, facts), (one.id, number, one.text)


def positions(count: int, seed: int) -> list[Position]:
    boards, dice = mixed_positions(count, seed)
    scores = [Score(), Score(jacoby=True), Score((2, 4), 7), Score((4, 3), 5)]
    found = []
    for number, (board, roll) in enumerate(zip(boards, dice, strict=True)):
        if (board > 0).any() and (board < 0).any():
            high, low = sorted(roll.tolist(), reverse=True)
            found.append(Position(board, (high, low), score=scores[number % len(scores)]))
    return found


def test_every_number_of_a_play_is_a_fact() -> None:
    said: set[str] = set()
    for number, position in enumerate(positions(60, seed=11)):
        assert position.dice is not None
        plays = legal_plays(position.board, position.dice)
        played = format_play(position.board, plays.steps[number % len(plays)])
        explanation = explain_play(analyst(), position, played, names=NAMES)
        check_numbers(explanation)
        json.dumps(explanation.to_dict(), allow_nan=False)
        said |= {one.id for one in (*explanation.reasons, *explanation.mistakes)}
    # So many different things are said that the check is worth something.
    assert len(said) >= 20, sorted(said)


def test_every_number_of_a_cube_action_is_a_fact() -> None:
    for number, position in enumerate(positions(14, seed=12)):
        done = ("no double", "double", "take", "pass", None)[number % 5]
        explanation = explain_cube(analyst(), replace(position, dice=None), done, names=NAMES)
        check_numbers(explanation)
        json.dumps(explanation.to_dict(), allow_nan=False)


def mistakes(own: Points, other: Points, dice: tuple[int, int], played: str, **known: float) -> dict[str, str]:
    """What is said of a play that is `played` where another is taken to be better: `known` plays with equities."""
    position = Position(board_of(own, other), dice)
    chances = (0.5, 0.1, 0.0, 0.1, 0.0)
    plays = [known_play(position, play.replace("_", " "), value, chances) for play, value in known.items()]
    explanation = explain_play(analyst(), position, played, known=plays, names=NAMES, replies=False)
    check_numbers(explanation)
    assert explanation.best == plays[0].play
    return {one.id: one.text for one in explanation.mistakes}


OPENING = {24: 2, 13: 5, 8: 3, 6: 5}

MISTAKES: list[tuple[str, Points, Points, tuple[int, int], str, str, str]] = [
    ("missed-point", OPENING, OPENING, (3, 1), "8/5 6/5", "24/23 13/10", "It misses the 5 point."),
    (
        "missed-hit",
        OPENING,
        {24: 1, 20: 1, 13: 5, 8: 3, 6: 5},
        (6, 3),
        "8/5* 13/7",
        "24/15",
        "It misses the hit on the 5 point.",
    ),
    (
        "loose-hit",
        OPENING,
        {24: 1, 20: 1, 13: 5, 8: 3, 6: 5},
        (4, 3),
        "24/20 24/21",
        "24/20 8/5*",
        "It hits loose on the 5 point without need;",
    ),
    ("stacking", OPENING, OPENING, (4, 3), "24/20 13/10", "13/6", "It stacks 6 checkers on the 6 point."),
    ("too-many-shots", OPENING, OPENING, (4, 1), "24/23 13/9", "13/9 6/5", "It leaves "),
    ("too-safe", OPENING, OPENING, (4, 1), "13/9 6/5", "24/23 24/20", "It plays safe without need: "),
    (
        "back-checkers-left",
        OPENING,
        OPENING,
        (6, 5),
        "24/13",
        "13/7 13/8",
        "It leaves 2 checkers back, 24/13 only 1.",
    ),
    (
        "broke-anchor",
        {20: 2, 13: 4, 8: 3, 6: 4, 4: 2},
        {24: 2, 13: 4, 8: 3, 6: 4, 4: 2},
        (6, 3),
        "13/4",
        "20/14 13/10",
        "It breaks the anchor on the 20 point.",
    ),
    (
        "broke-prime",
        {24: 2, 8: 2, 7: 2, 6: 3, 5: 2, 4: 2, 13: 2},
        {24: 2, 13: 5, 8: 3, 6: 5},
        (6, 1),
        "13/6",
        "8/2 8/7",
        "It breaks the prime of 5 points from 8 to 4.",
    ),
    (
        "broke-home-board",
        {24: 2, 13: 2, 8: 3, 6: 2, 5: 2, 4: 2, 3: 2},
        {24: 2, 13: 5, 8: 3, 6: 5},
        (3, 2),
        "13/8",
        "6/3 6/4",
        "It breaks the home board early: the 6 point.",
    ),
    (
        "buries-checkers",
        {13: 2, 8: 3, 6: 5, 5: 3, 24: 2},
        {23: 2, 13: 5, 8: 3, 6: 5},
        (5, 4),
        "13/4",
        "6/1 5/1",
        "It buries checkers: 2 stand on the lowest two points, 0 after 13/4.",
    ),
    (
        "racing-behind",
        {20: 2, 13: 5, 8: 3, 6: 5},
        {10: 2, 8: 3, 6: 5, 4: 3, 3: 2},
        (6, 5),
        "13/7 13/8",
        "20/9",
        "It runs although X is behind in the race by 67 pips.",
    ),
    (
        "gives-up-contact",
        {18: 1, 6: 5, 5: 5, 4: 4},
        {8: 1, 6: 3, 5: 3, 4: 3},
        (2, 1),
        "6/4 5/4",
        "18/15",
        "It gives up the contact",
    ),
    ("missed-bear-off", {6: 2, 5: 2, 2: 2}, {6: 5, 5: 2}, (6, 5), "6/off 5/off", "6/1 6/off", "It bears off 1, "),
    (
        "missed-crossover",
        {8: 3, 7: 3, 6: 5, 5: 2, 4: 2},
        {7: 3, 8: 3, 6: 4, 5: 3, 3: 2},
        (6, 1),
        "7/6 7/1",
        "8/1",
        "It leaves 5 checkers outside the home board, 7/6 7/1 only 4.",
    ),
    ("wastes-pips", {6: 2, 5: 2, 2: 2}, {6: 5, 5: 2}, (2, 1), "2/off 6/5", "6/4 6/5", "It wastes pips: "),
]


@pytest.mark.parametrize(("name", "own", "other", "dice", "best", "played", "text"), MISTAKES)
def test_mistakes_are_named(
    name: str, own: Points, other: Points, dice: tuple[int, int], best: str, played: str, text: str
) -> None:
    found = mistakes(own, other, dice, played, **{best.replace(" ", "_"): 0.1, played.replace(" ", "_"): -0.1})
    assert found[name].startswith(text), found
    # The other way round it is no mistake.
    assert name not in mistakes(own, other, dice, best, **{played.replace(" ", "_"): 0.1, best.replace(" ", "_"): -0.1})


def test_the_best_play_is_compared_with_what_was_played() -> None:
    position = Position(dice=(3, 1))
    explanation = explain_play(analyst(), position, "13/9", names=NAMES)
    assert explanation.mistakes
    best, played, second = (play["play"] for play in explanation.facts["plays"])
    assert (best, played) == ("8/5 6/5", "13/9")
    beside = [one for one in explanation.reasons if not one.id.endswith("-best")]
    assert any(one.numbers.get("play") == played for one in beside)
    assert not [one for one in beside if one.numbers.get("play") == second]


def test_what_loses_nothing_is_no_mistake() -> None:
    position = Position(dice=(3, 1))
    assert explain_play(analyst(), position, "8/5 6/5").mistakes == ()
    close = [known_play(position, play, value, (0.5,) * 5) for play, value in (("8/5 6/5", 0.2), ("13/9", 0.199))]
    explanation = explain_play(analyst(), position, "13/9", known=close)
    assert explanation.loss == pytest.approx(0.001)
    assert explanation.mistakes == ()


def test_without_a_play_the_second_best_is_beside() -> None:
    explanation = explain_play(analyst(), Position(dice=(3, 1)), names=NAMES)
    assert (explanation.best, explanation.done, explanation.loss) == ("8/5 6/5", None, None)
    assert explanation.mistakes == ()
    assert {"makes-points", "replies"} <= {one.id for one in explanation.reasons}
    assert len(explanation.facts["plays"]) == 2
    assert explanation.facts["plays"][0]["play"] == "8/5 6/5"


def test_the_play_may_be_steps_and_the_ranking_known() -> None:
    position = Position(dice=(3, 1))
    ranked = analyst().rank([position])
    steps = ranked.plays.steps[ranked.order[3]]
    first = explain_play(analyst(), position, steps, names=NAMES)
    text = format_play(START, steps)
    assert first.done == text
    assert explain_play(analyst(), position, text, known=ranked, names=NAMES).to_dict() == first.to_dict()
    known = candidates_of(position, ranked)
    assert explain_play(analyst(), position, text, known=known, names=NAMES).to_dict() == first.to_dict()


def test_replies_are_those_of_the_rolls() -> None:
    position = Position(dice=(3, 1))
    explanation = explain_play(analyst(), position)
    best = explanation.facts["plays"][0]
    after = Position(-candidates_of(position, analyst().rank([position]))[0].after[::-1])
    rolls = market_of(analyst(), after).rolls
    assert best["best_reply"] == {"dice": rolls[0].dice, "equity": pytest.approx(-rolls[0].equity)}
    assert best["worst_reply"] == {"dice": rolls[-1].dice, "equity": pytest.approx(-rolls[-1].equity)}


def test_facts_of_a_play() -> None:
    board = board_of(OPENING, {24: 1, 20: 1, 13: 5, 8: 3, 6: 5})
    explanation = explain_play(analyst(), Position(board, (3, 1)), "8/5* 6/5", names=NAMES)
    play = next(one for one in explanation.facts["plays"] if one["play"] == "8/5* 6/5")
    assert (play["hits"], play["made"], play["broken"], play["loose_hits"]) == ([5], [5], [], [])
    assert play["home_blots"] == []
    assert play["sides"][1]["entry"]["dancing"] == 4


def test_a_game_that_ends() -> None:
    position = Position(board_of({2: 1, 1: 1}, {1: 2, 6: 1}), (6, 1))
    explanation = explain_play(analyst(), position, "2/1 1/off", names=NAMES)
    assert [one.id for one in explanation.mistakes] == ["missed-win"]
    assert [one.text for one in explanation.reasons] == ["X wins the game."]


def test_no_legal_play() -> None:
    home = dict.fromkeys(range(1, 7), 2)
    explanation = explain_play(analyst(), Position(board_of({25: 1, 6: 2}, home), (6, 1)), "", names=NAMES)
    assert (explanation.best, explanation.done, explanation.loss) == ("", "", 0.0)
    assert len(explanation.facts["plays"]) == 1


def test_the_score_and_jacoby_change_what_gammons_are_worth() -> None:
    def said(score: Score, cube: Cube) -> dict[str, str]:
        position = Position(dice=(3, 1), score=score, cube=cube)
        return {one.id: one.text for one in explain_play(analyst(), position, names=NAMES).reasons}

    assert "gammon-values" not in said(Score(), Cube())
    assert said(Score(jacoby=True), Cube())["jacoby"] == "Gammons do not count until the cube is turned."
    assert "jacoby" not in said(Score(jacoby=True), Cube(2, "on roll"))
    # At double match point nothing but the game counts.
    assert "worth 0.00 to X and 0.00 to O (0.50 for money)" in said(Score((4, 4), 5), Cube())["gammon-values"]


def test_market_losers_equal_the_share_of_the_library() -> None:
    checked = 0
    for position in positions(12, seed=21):
        before = replace(position, dice=None, score=Score())
        assert market_of(analyst(), before).share == pytest.approx(market_losers(analyst(), before), abs=1e-6)
        checked += 1
    assert checked > 8


def test_cube_mistakes() -> None:
    start = Position()
    early = explain_cube(analyst(), start, "double", names=NAMES)
    assert early.best == "no double, take"
    assert [one.id for one in early.mistakes] == ["doubled-too-early"]
    assert early.mistakes[0].text == "X doubled too early: no sequence of two rolls loses the market."
    decision = decide_cube(analyst(), start)
    assert early.loss == pytest.approx(decision.no_double - decision.double_take)
    assert explain_cube(analyst(), start, "roll").mistakes == ()
    assert [one.id for one in explain_cube(analyst(), start, "pass").mistakes] == ["passed-a-take"]

    won = Position(board_of({6: 3, 5: 3, 4: 3, 3: 2, 2: 2, 1: 2}, {6: 5, 5: 4, 4: 3, 3: 2, 2: 1}))
    late = explain_cube(analyst(), won, "no double", names=NAMES)
    assert late.best == "double, pass"
    assert [one.id for one in late.mistakes] == ["missed-cash"]
    took = explain_cube(analyst(), won, "take", names=NAMES)
    assert [one.id for one in took.mistakes] == ["took-a-pass"]
    # The last roll: 19 of 36 win at once, else any roll of the opponent does, so it is a double and a take.
    last = Position(board_of({5: 1, 2: 1}, {1: 2}))
    chance = explain_cube(analyst(), last, "no double", names=NAMES)
    assert chance.best == "double, take"
    assert [one.id for one in chance.mistakes] == ["missed-double"]
    assert chance.facts["market"]["losing"] == 19 * 36  # the rolls that win at once


def test_too_good_and_beavers() -> None:
    gammon = Position(board_of({6: 3, 5: 3, 4: 3, 3: 2, 2: 2, 1: 2}, {25: 3, 13: 7, 6: 5}))
    cashed = explain_cube(analyst(), gammon, "double", names=NAMES)
    assert cashed.best.startswith("too good")
    assert [one.id for one in cashed.mistakes] == ["doubled-too-good"]
    assert "too-good" in {one.id for one in cashed.reasons}
    poor = Position(board_of({25: 2, 8: 5, 6: 5}, {6: 3, 5: 3, 4: 3, 3: 2, 2: 2}), score=Score(beavers=True))
    assert [one.id for one in explain_cube(analyst(), poor, "double").mistakes] == ["doubled-into-beaver"]
    assert [one.id for one in explain_cube(analyst(), poor, "take").mistakes] == ["missed-beaver"]
    assert explain_cube(analyst(), poor, "beaver").mistakes == ()
    assert explain_cube(analyst(), poor, "beaver").loss == 0


def test_losses_of_answers_add_up() -> None:
    for position in positions(8, seed=33):
        before = replace(position, dice=None, score=Score(beavers=True))
        decision = decide_cube(analyst(), before, look_ahead=False)
        losses = {done: loss_of(decision, read_done(done)) for done in ("take", "pass", "beaver")}
        if decision.may_double:
            assert losses[decision.answer] == pytest.approx(0, abs=1e-9)
            assert min(losses.values()) == pytest.approx(0, abs=1e-9)


def test_the_decision_may_be_known_and_the_market_left_out() -> None:
    decision = decide_cube(analyst(), Position(), look_ahead=False)
    changed = replace(decision, no_double=0.5)
    explanation = explain_cube(analyst(), Position(), "double", known=changed, look_ahead=False)
    assert explanation.loss == pytest.approx(0.5 - decision.double_take)
    assert explanation.facts["market"] is None
    assert explanation.mistakes[0].text.endswith("doubled too early.")


def test_words_need_no_engine_and_take_any_names() -> None:
    facts = describe(Position(board_of({13: 2, 6: 5}, {8: 2, 6: 5})))
    texts = [one.text for one in position_words(facts, ("Ann", "Bob"))]
    assert texts[0] == "Bob leads the race by 10 pips, 46 to 56 (21.7%)."
    assert texts[1].startswith("By Kleinman's formula Ann wins ")


def test_a_template_that_hides_a_number_would_be_seen() -> None:
    one = reason("x", "It leaves 11 of {all} rolls.", all=36)
    assert not is_among("11", [float(number) for number in numbers_in(one.numbers)])
    assert is_among("25.3", [0.2531])
    assert not is_among("25.4", [0.2531])


def test_the_page_has_every_reason_and_its_example_runs() -> None:
    page = (ROOT / "docs" / "coach.md").read_text("utf-8")
    sources = "".join(path.read_text("utf-8") for path in (ROOT / "bgai" / "coach").glob("*_*.py"))
    names = set(re.findall(r'reason\(\s*"([a-z-]+)"', sources)) - {
        one.id for one in position_words(describe(Position()), NAMES)
    }
    assert len(names) > 40
    about = {
        "bar",
        "bear-off-chance",
        "broken-prime",
        "blots",
        "closed-board",
        "effective-pips",
        "home-points",
        "kleinman",
    }
    assert not {name for name in names - about if f"`{name}`" not in page}
    (example,) = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    exec(example, {})
    outcome = doctest.testmod(coach)
    assert outcome.attempted
    assert outcome.failed == 0


def test_bad_questions() -> None:
    start, rolled = Position(), Position(dice=(3, 1))
    with pytest.raises(PositionError, match="without dice has no plays"):
        explain_play(analyst(), start)
    with pytest.raises(PlayError, match="'8/2' is not a legal play here"):
        explain_play(analyst(), rolled, "8/2")
    known = [known_play(rolled, "8/5 6/5", 0.2, (0.5,) * 5)]
    with pytest.raises(InputError, match="expected a play among the 1 known ones, found '13/9'"):
        explain_play(analyst(), rolled, "13/9", known=known)
    with pytest.raises(InputError, match="expected at least one known play, found none"):
        explain_play(analyst(), rolled, known=[])
    with pytest.raises(InputError, match="found those of 2"):
        explain_play(analyst(), rolled, known=analyst().rank([rolled, rolled]))
    with pytest.raises(InputError, match=r"expected one of no double, .*found 'resign'"):
        explain_cube(analyst(), start, "resign")
    with pytest.raises(PositionError, match="the dice are rolled"):
        explain_cube(analyst(), rolled)


def test_where_no_mistake_has_a_name_the_chances_are_told() -> None:
    position = Position(board_of({6: 5, 5: 5, 4: 5}, {6: 5, 5: 5}), (2, 1))
    known = [
        known_play(position, "6/4 6/5", 0.1, (0.55, 0.0, 0.0, 0.0, 0.0)),
        known_play(position, "5/3 5/4", 0.0, (0.5, 0.0, 0.0, 0.0, 0.0)),
    ]
    # These two differ in nothing that has a name but the wastage, which says enough where it is larger.
    worse = explain_play(analyst(), position, known[1].play, known=known, names=NAMES)
    better = explain_play(analyst(), position, known[0].play, known=known[::-1], names=NAMES, replies=False)
    assert {one.id for one in (*worse.mistakes, *better.mistakes)} <= {"wastes-pips", "fewer-wins"}
    assert f"It wins 50.0% of the games, {known[0].play} 55.0%." in {one.text for one in worse.mistakes}


@pytest.mark.parametrize(("plies", "said"), [(0, 0), (2, 2), (ROLLED, None)])
def test_plies_are_told_as_json_has_them(plies: int, said: int | None) -> None:
    known = [known_play(Position(dice=(6, 5)), "24/13", 0.1, (0.5,) * 5, plies)]
    explanation = explain_play(analyst(), Position(dice=(6, 5)), known=known, replies=False)
    assert explanation.facts["plays"][0]["plies"] == said
