"""What is said for a best play, and that it is true, in positions whose facts can be counted by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bgai.coach import Explanation, explain_cube, explain_play, known_play, position_words
from bgai.coach.cube_actions import look_past_the_roll
from bgai.coach.play_words import next_best
from bgai.coach.position_facts import facts_of
from bgai.cube_decision import decide_cube
from bgai.errors import InputError
from bgai.notation.xgid import parse_xgid
from bgai.opinions import ROLLED
from bgai.position import Cube, Position, Score
from tests.coaching import Points, analyst, board_of
from tests.positions import mixed_positions

NAMES = ("X", "O")
START = {24: 2, 13: 5, 8: 3, 6: 5}
HOME = {6: 3, 5: 3, 4: 3, 3: 2, 2: 2, 1: 2}

COSTS = {
    "hits-loose",
    "splits",
    "gives-up-points",
    "moves-back-checkers",
    "shots",
    "next-shots",
    "more-shots",
    "wins-gammons-bad",
    "loses-gammons-bad",
    "ends-contact",
    "wastage",
    "doubled-out",
    "replies",
    "second-best",
    "next-best",
    "gammon-values",
    "jacoby",
}
"""Reasons that do not speak for a play."""


def texts(explanation: Explanation) -> dict[str, str]:
    return {one.id: one.text for one in explanation.reasons}


def explained(xgid: str, played: str | None = None) -> Explanation:
    return explain_play(analyst(), parse_xgid(xgid), played, names=NAMES)


PLAYS = [
    "XGID=--BBCCC------------dcc-bB-:0:0:1:41:0:0:0:0:10",  # ace-point game
    "XGID=---aBBCBBBA-A---------bbb-:0:0:1:42:0:0:0:0:10",  # containment
    "XGID=---BCCC-B-B-----b-ccbcb---:0:0:1:53:0:0:0:0:10",  # race
    "XGID=-b----E-C---eE---c-e----B-:0:0:1:62:0:0:0:0:10",  # opening
    "XGID=-bBBCCC-----c----c-cbb--B-:0:0:1:61:0:0:0:0:10",
    "XGID=-b--BBBBCB----b--bbbcb--B-:0:0:1:64:0:0:0:0:10",  # prime against prime
    "XGID=-A---BBBB--BBB----ccccc---:0:0:1:62:0:0:0:0:10",  # doubled out
]


@pytest.mark.parametrize("xgid", PLAYS)
def test_each_best_play_has_a_merit_and_its_rivals(xgid: str) -> None:
    explanation = explained(xgid)
    assert {one.id for one in explanation.reasons} - COSTS
    ranked = explanation.facts["candidates"]
    said = texts(explanation)
    assert f"The second best, {ranked[1]['play']} ({ranked[1]['equity']:+.3f})" in said["second-best"]
    assert all(f"{one['play']} (" in said["next-best"] for one in ranked[2:])
    assert len(ranked) == 4
    # What is right has merits too when another play was made, the second best or a worse one.
    for other in ranked[1:3]:
        assert {one.id for one in explained(xgid, other["play"]).reasons} - COSTS


def test_positions_of_games_have_merits() -> None:
    boards, dice = mixed_positions(40, seed=5)
    checked = 0
    for board, (low, high) in zip(boards, dice.tolist(), strict=True):
        if not (board > 0).any() or not (board < 0).any():
            continue
        roll = (max(low, high), min(low, high))
        explanation = explain_play(analyst(), Position(board, roll), names=NAMES)
        if explanation.best:
            checked += 1
            assert {one.id for one in explanation.reasons} - COSTS, explanation.text()
    assert checked > 20


def compared(
    own: Points, other: Points, dice: tuple[int, int], best: str, second: str, score: Score | None = None
) -> dict[str, str]:
    """What is said for a play beside another one; both have the same chances."""
    position = Position(board_of(own, other), dice, score=score or Score())
    chances = (0.5, 0.1, 0.0, 0.1, 0.0)
    known = [known_play(position, best, 0.1, chances), known_play(position, second, 0.0, chances)]
    return texts(explain_play(analyst(), position, known=known, names=NAMES, replies=False))


MERITS: list[tuple[str, Points, Points, tuple[int, int], str, str, str]] = [
    # A prime of the points 8 to 4 against two checkers on its 1 point.
    (
        "longer-prime",
        {24: 2, 8: 2, 7: 2, 6: 3, 5: 2, 4: 2, 13: 2},
        START,
        (6, 1),
        "13/6",
        "8/2 8/7",
        "Its prime has 5 points, 4 after 8/7 8/2.",
    ),
    (
        "keeps-points",
        {24: 2, 13: 2, 8: 3, 6: 2, 5: 2, 4: 2, 3: 2},
        START,
        (3, 2),
        "13/8",
        "6/3 6/4",
        "It keeps the 6 point, which 6/4 6/3 gives up.",
    ),
    (
        "keeps-anchor",
        {20: 2, 13: 4, 8: 3, 6: 4, 4: 2},
        {24: 2, 13: 4, 8: 3, 6: 4, 4: 2},
        (6, 3),
        "13/4",
        "20/14 13/10",
        "It keeps the anchor on the 20 point, which 20/14 13/10 gives up.",
    ),
    (
        "fewer-deep",
        {13: 2, 8: 3, 6: 5, 5: 3, 24: 2},
        {23: 2, 13: 5, 8: 3, 6: 5},
        (5, 4),
        "13/4",
        "6/1 5/1",
        "6/1 5/1 leaves 2 checkers on the lowest two points, this play none.",
    ),
    ("no-stack", START, START, (4, 3), "24/20 13/10", "13/6", "13/6 stacks 6 checkers on a point."),
    ("fewer-back", START, START, (6, 5), "24/13", "13/7 13/8", "It leaves 1 checker back, 2 after 13/8 13/7."),
    # On the 23 point a checker is a pip nearer to the edge of the prime.
    (
        "escapes",
        START,
        START,
        (2, 1),
        "24/23 13/11",
        "13/10",
        "Next turn 31 of 36 rolls bring a checker out, 22 after 13/10.",
    ),
    (
        "more-off",
        {6: 2, 5: 2, 2: 2},
        {6: 5, 5: 2},
        (6, 5),
        "6/off 5/off",
        "6/1 6/off",
        "6/1 6/off bears off 1.",
    ),
    (
        "fewer-outside",
        {8: 3, 7: 3, 6: 5, 5: 2, 4: 2},
        {7: 3, 8: 3, 6: 4, 5: 3, 3: 2},
        (6, 1),
        "7/6 7/1",
        "8/1",
        "It leaves 4 checkers outside the home board, 5 after 8/1.",
    ),
    (
        "lower-keith",
        {8: 3, 6: 5, 5: 2, 4: 2, 1: 3},
        {7: 3, 8: 3, 6: 4, 5: 3, 3: 2},
        (2, 1),
        "6/3",
        "4/2 4/3",
        "Its Keith count, which adds for gaps and stacks, is ",
    ),
    (
        "fewer-effective-pips",
        {6: 2, 5: 2, 2: 2},
        {6: 5, 5: 2},
        (2, 1),
        "2/off 6/5",
        "6/4 6/5",
        "It leaves ",
    ),
    (
        "clears-points",
        {6: 2, 5: 2, 4: 2},
        {25: 1, 6: 3, 5: 3, 4: 3, 3: 3, 2: 2},
        (6, 1),
        "6/5 6/off",
        "6/off 5/4",
        "It clears the 6 point.",
    ),
]


@pytest.mark.parametrize(("name", "own", "other", "dice", "best", "second", "text"), MERITS)
def test_merits(
    name: str, own: Points, other: Points, dice: tuple[int, int], best: str, second: str, text: str
) -> None:
    found = compared(own, other, dice, best, second)
    assert found.get(name, "").startswith(text), found
    assert name not in compared(own, other, dice, second, best)


def test_a_split_does_not_clear_the_point() -> None:
    found = compared(START, START, (2, 1), "24/23 13/11", "13/10")
    assert "clears-points" not in found
    assert found["splits"] == "It splits the back checkers."


def test_where_the_board_says_nothing_the_chances_do() -> None:
    position = Position(board_of({13: 2, 8: 3, 6: 5, 5: 3, 4: 2}, {8: 5, 6: 5, 5: 5}), (2, 1))
    known = [
        known_play(position, "13/10", 0.1, (0.55, 0.0, 0.0, 0.0, 0.0)),
        known_play(position, "13/11 8/7", 0.0, (0.547, 0.0, 0.0, 0.0, 0.0)),
    ]
    found = texts(explain_play(analyst(), position, known=known, names=NAMES, replies=False))
    assert found["more-wins"] == "It wins 55.0% of the games, 13/11 8/7 54.7%."
    same = [known[0], replace(known[1], chances=known[0].chances)]
    found = texts(explain_play(analyst(), position, known=same, names=NAMES, replies=False))
    assert found["worth-more"] == "It is worth +0.100, 13/11 8/7 +0.000."


def test_what_the_mistakes_say_is_not_said_again() -> None:
    explanation = explained("XGID=-b----E-C---eE---c-e----B-:0:0:1:62:0:0:0:0:10", "24/16")
    assert [one.id for one in explanation.mistakes] == ["inflexible"]
    assert "builds" not in texts(explanation)
    # A play that leaves fourteen shots is not called safe.
    assert "too-safe" not in {one.id for one in explanation.mistakes}


def test_the_text_names_the_plays() -> None:
    lines = explained("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10", "13/9").text().splitlines()
    assert lines.index("Best: 8/5 6/5.") < lines.index("It makes the 5 point.") < lines.index("Played: 13/9.")
    assert lines[lines.index("Played: 13/9.") + 1].startswith("It misses the 5 point.")


def test_the_only_play_and_none() -> None:
    home = dict.fromkeys(range(1, 7), 2)
    none = explain_play(analyst(), Position(board_of({25: 1, 6: 2}, home), (6, 1)), names=NAMES)
    assert [one.id for one in none.reasons] == ["no-play", "replies"]
    only = explained("XGID=-bb--BCBC-A-A---ab-ccb-B--:1:-1:1:66:0:0:0:0:10")
    assert only.reasons[0].id == "only-play"


def test_the_second_best_of_less_depth_has_no_loss() -> None:
    position = Position(dice=(3, 1))
    plays = [known_play(position, "8/5 6/5", 0.2, (0.5,) * 5, 2), known_play(position, "13/9", 0.3, (0.5,) * 5, 0)]
    (one,) = next_best(plays)
    assert one.text == "The second best, 13/9, was looked at less far; there it was worth +0.300."
    assert next_best([replace(one, plies=ROLLED) for one in plays])[0].text.endswith("is as good.")
    assert next_best(plays[:1]) == []


def test_shots_in_the_others_home_board_are_not_passed_over() -> None:
    own = {24: 1, 22: 1, 8: 3, 7: 2, 6: 2, 5: 2, 4: 2, 3: 2}
    other = {24: 2, 13: 2, 8: 2, 7: 2, 6: 3, 5: 2, 4: 2}
    found = compared(own, other, (5, 1), "24/23 8/3", "8/7 8/3")
    assert found["safe"] == "It leaves no shot outside O's home board."
    assert found["fewer-shots"].endswith(" of 36 rolls that hit outside O's home board.")
    # Without checkers there it is plain.
    plain = compared({13: 3, 8: 3, 6: 5, 5: 4}, {24: 2, 13: 5, 8: 3, 6: 5}, (6, 5), "13/2", "13/7 13/8")
    assert "outside" not in plain.get("shots", "") + plain.get("more-shots", "") + plain.get("fewer-shots", "")


def test_points_are_not_made_in_a_bear_off() -> None:
    found = texts(explained("XGID=aBBBBCCA--------------aa--:0:0:1:21:0:0:0:0:10"))
    assert "builds" not in found


def test_a_play_that_is_doubled_out_is_so_called() -> None:
    xgid = "XGID=-----BBBB--BBB---bcccca---:0:0:1:62:0:0:0:0:10"
    found = texts(explained(xgid))
    assert found["doubled-out"] == "It is worth -1.000: O then doubles, and X passes."
    assert found["replies"].startswith("Without a double O's best roll is ")
    owned = replace(parse_xgid(xgid), cube=Cube(2, "on roll"))
    assert "doubled-out" not in texts(explain_play(analyst(), owned, names=NAMES))


def said_of(own: Points, other: Points) -> dict[str, str]:
    """The sentences about X, by their identifiers; what both have is taken of O."""
    return {one.id: one.text for one in position_words(facts_of(board_of(own, other)), NAMES)}


def test_plans_in_words() -> None:
    assert said_of(START, START)["plans"] == "Both sides develop: the opening."
    closed = said_of({6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 1: 3, 7: 1}, {25: 1, 3: 1, 2: 1})
    assert closed["plans"] == "X has closed O out."
    assert closed["closed-board"] == "X has a closed board."
    assert closed["bar"] == "O has 1 checker on the bar and cannot enter."
    assert said_of(HOME, HOME)["plans"] == "Both sides bear off."
    hit = said_of({25: 1, 13: 5, 8: 3, 6: 5, 24: 1}, {24: 2, 13: 5, 8: 3, 6: 4, 5: 1})
    assert "positional" not in hit.get("plans", "")


def test_primes_with_nobody_behind_are_not_told() -> None:
    ace_point = position_words(facts_of(parse_xgid(PLAYS[0]).board), NAMES)
    assert "X" not in {one.text[0] for one in ace_point if one.id == "prime"}
    caught = said_of({24: 2, 8: 2, 7: 2, 6: 3, 5: 2, 4: 2, 13: 2}, START)
    assert caught["prime"] == "X has a prime of 5 points from 8 to 4 with 2 of O's checkers behind it."


def test_the_tables_take_the_place_of_the_formulas() -> None:
    short = said_of({6: 1, 1: 1}, {1: 1})
    assert short["bear-off-chance"] == "By the exact bear-off table X wins 41.7% without the cube."
    assert "kleinman" not in short
    assert said_of(HOME, HOME)["bear-off-chance"].startswith("By the one-sided bear-off table X wins ")
    # A lead of six pips to one is not told as a share.
    assert short["race"] == "O leads the race by 6 pips, 1 to 7."


def test_stacks_and_blots_in_words() -> None:
    said = said_of({24: 1, 13: 4, 8: 4, 6: 6}, {13: 5, 8: 3, 6: 5, 4: 2})
    assert said["stacks"] == "O has stacks: 5 on the 13 point and 5 on the 6 point."
    one = said_of({24: 2, 13: 2, 8: 3, 6: 6, 4: 2}, {13: 4, 8: 4, 6: 4, 4: 3})
    assert one["stacks"] == "X stacks 6 on the 6 point."
    assert said_of({12: 1, 6: 2}, {24: 2, 1: 3})["blots"] == "X has a blot on 12, hit by 2 of 36 rolls."


CUBES = {
    "crawford": Position(score=Score((4, 1), 5, crawford=True)),
    "owned": Position(cube=Cube(2, "opponent")),
    "limit": Position(cube=Cube(1024, "on roll")),
}


@pytest.mark.parametrize("name", CUBES)
@pytest.mark.parametrize("done", ["double", "take", "pass", "beaver"])
def test_what_the_rules_forbid_is_refused(name: str, done: str) -> None:
    with pytest.raises(InputError, match=f"expected an action that the rules allow, found '{done}': "):
        explain_cube(analyst(), CUBES[name], done)
    assert explain_cube(analyst(), CUBES[name], "no double").loss == 0


@pytest.mark.parametrize(
    ("position", "why"),
    [
        (Position(), "beavers are not agreed"),
        (Position(score=Score((0, 0), 5)), "beavers are for money play alone"),
        (Position(cube=Cube(512, "on roll"), score=Score(beavers=True)), "the cube ends at 1024"),
    ],
)
def test_beavers_are_refused_where_nobody_may_beaver(position: Position, why: str) -> None:
    with pytest.raises(InputError, match=why):
        explain_cube(analyst(), position, "beaver")


@pytest.mark.parametrize("done", ["double", "no double"])
def test_a_double_that_waits_is_not_decided_again(done: str) -> None:
    waiting = Position(offer="double")
    with pytest.raises(InputError, match=f"a double waits for its answer, expected take, .* found '{done}'"):
        explain_cube(analyst(), waiting, done)
    assert explain_cube(analyst(), waiting, "take").loss == 0


def test_a_dead_cube_costs_what_the_opponent_gains() -> None:
    # At 2-1 to 3 the leader wins the match with the cube as it is, and the opponent would turn it at once.
    free = parse_xgid("XGID=-b---BDBC---eC---c-e----A-:0:0:1:00:2:1:0:3:10")
    explanation = explain_cube(analyst(), free, "double", names=NAMES)
    assert explanation.loss == pytest.approx(0, abs=0.01)
    assert explanation.mistakes == ()
    # With an owned cube the opponent could not; there is nothing to be looked ahead for then.
    owned = replace(free, cube=Cube(2, "on roll"), score=Score((3, 1), 5))
    costly = explain_cube(analyst(), owned, "double", names=NAMES)
    assert [one.id for one in costly.mistakes] == ["doubled-dead-cube"]
    assert costly.loss is not None
    assert costly.loss > 0.3
    decision = decide_cube(analyst(), owned, look_ahead=False)
    past = look_past_the_roll(analyst(), owned, decision)
    assert past.no_double == pytest.approx(decision.no_double, abs=0.1)
    assert past.double_take == pytest.approx(decision.double_take, abs=0.1)


def test_where_the_market_is_lost_losers_are_not_told() -> None:
    won = Position(board_of(HOME, {6: 5, 5: 4, 4: 3, 3: 2, 2: 1}))
    found = texts(explain_cube(analyst(), won, names=NAMES))
    assert found["market-lost"] == "The market is lost: O has a pass already."
    assert not {name for name in found if name.startswith("market-losing") or name == "market-losers"}
    assert "market-lost" not in texts(explain_cube(analyst(), Position(), names=NAMES))


def test_doubles_that_are_too_early() -> None:
    behind = Position(board_of({24: 2, 13: 5, 8: 3, 6: 5}, {24: 1, 13: 4, 8: 3, 6: 4, 5: 2, 4: 1}))
    (worse,) = explain_cube(analyst(), behind, "double", names=NAMES).mistakes
    assert worse.text.startswith("X doubled with the worse chances: X wins ")
    ahead = parse_xgid("XGID=-b---BDBC---eC---c-e----A-:0:0:1:00:0:0:0:0:10")
    decision = replace(decide_cube(analyst(), ahead), action="no double", answer="take", no_double=0.9, double_take=0.7)
    (early,) = explain_cube(analyst(), ahead, "double", known=decision, names=NAMES).mistakes
    assert early.text.startswith("X doubled too early: ")
    assert " of 1296 sequences lose the market" in early.text


def test_the_score_speaks_for_a_double() -> None:
    last = Position(score=Score((5, 5), 7))
    explanation = explain_cube(analyst(), last, "no double", names=NAMES)
    assert texts(explanation)["last-cube"] == "After a take the cube is worth nothing to O."
    assert explanation.mistakes[0].text == "X missed a double: after a take the cube is worth nothing to O."
    behind = Position(score=Score((4, 6), 7))
    assert texts(explain_cube(analyst(), behind, names=NAMES))["lost-anyway"].startswith("X loses the match with this")
    assert "last-cube" not in texts(explain_cube(analyst(), Position(), names=NAMES))


def test_nothing_is_compared_without_another_play() -> None:
    position = Position(dice=(3, 1))
    known = [known_play(position, "8/5 6/5", 0.2, (0.5,) * 5)]
    explanation = explain_play(analyst(), position, known=known, names=NAMES, replies=False)
    assert [one.id for one in explanation.reasons] == ["makes-points"]
